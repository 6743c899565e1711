"""Slices of named columns: values, intervals and tests against the rest, by hand and by others."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics as sk

import evalcore as ec
from evalcore.comparison.rows import newcombe
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import NumericOutcomes
from evalcore.slices.results import against, difference, fisher_mid_p, ratio
from tests.evalcore.made import data, rows
from tests.evalcore.slices.made import binary, measured

REGIONS = ["west"] * 40 + ["east"] * 60
TRUTH = [1] * 40 + [1] * 60
LABEL = [1] * 20 + [0] * 20 + [1] * 54 + [0] * 6


def test_recall_by_region_worked_by_hand():
    made = ec.slices(
        rows(TRUTH, LABEL, REGIONS, header="truth,label,region"), by="region", metric="recall"
    )
    west, east = made.slices
    assert (west.text, west.n, west.share) == ("region = west", 40, 0.4)
    assert west.share_of_errors == pytest.approx(20 / 26)
    found = west.found
    assert (found.value.value, found.rest.value) == (0.5, 0.9)
    assert found.difference.value == pytest.approx(-0.4)
    assert found.ratio.value == pytest.approx(0.5 / 0.9)
    # Newcombe's method 10, as it is for two models on rows of their own.
    ends = newcombe((54, 60), (20, 40))
    assert (found.difference.low, found.difference.high) == pytest.approx((ends.low, ends.high))
    assert found.difference.method == "newcombe"
    assert west.confirmed
    assert not east.confirmed
    assert made.overall.value == 0.74


@pytest.mark.parametrize("counts", [(1, 10, 9, 10), (3, 30, 40, 400), (0, 5, 3, 50), (5, 5, 9, 9)])
def test_fishers_mid_p_is_that_of_the_hypergeometric(counts: tuple[int, int, int, int]):
    right, n, other, m = counts
    law = stats.hypergeom(n + m, right + other, n)
    lower = law.cdf(right) - law.pmf(right) / 2
    assert fisher_mid_p(*counts) == pytest.approx(min(1.0, 2 * min(lower, 1 - lower)), rel=1e-8)


@pytest.mark.parametrize("rows", [10, 300, 20_000, 400_000])
@pytest.mark.parametrize("ratio", [0.9, 1.0, 1.05])
def test_the_test_of_many_rows_is_that_over_all_counts_that_could_be(rows: int, ratio: float):
    right, other_right, other_rows = int(0.3 * ratio * rows), int(0.9 * rows), 3 * rows
    known = stats.hypergeom(rows + other_rows, right + other_right, rows)
    here = known.pmf(right) / 2
    wanted = 2 * (min(known.cdf(right - 1), known.sf(right)) + here)
    found = fisher_mid_p(right, rows, other_right, other_rows)
    assert found == pytest.approx(min(1.0, wanted), rel=1e-6, abs=1e-300)
    assert fisher_mid_p(0, rows, other_rows, other_rows) < (1e-5 if rows == 10 else 1e-100)


def test_a_ratio_of_two_normal_numbers_has_fiellers_interval():
    # With symmetric intervals MOVER's ratio is Fieller's, from z = 1.96 and errors of 0.1 and 0.2.
    z = 1.959964
    one = Estimate(2.0, 2 - 0.1 * z, 2 + 0.1 * z, "t", 0.95)
    other = Estimate(4.0, 4 - 0.2 * z, 4 + 0.2 * z, "t", 0.95)
    a, b, c = 16 - (0.2 * z) ** 2, -2 * 8.0, 4 - (0.1 * z) ** 2
    low, high = sorted(np.roots([a, b, c]))
    made = ratio(one, other)
    assert (made.value, made.low, made.high) == pytest.approx((0.5, low, high), rel=1e-6)
    gap = difference(one, other)
    assert (gap.low, gap.high) == pytest.approx((-2 - z * 0.05**0.5, -2 + z * 0.05**0.5), rel=1e-6)


def test_areas_losses_and_f1_of_a_slice_are_those_of_its_rows():
    outcomes = binary(600, seed=3)
    mask = np.arange(600) % 3 == 0
    called = (outcomes.score >= 0.5).astype(int)
    inside = outcomes.truth[mask], outcomes.score[mask]
    expected = {
        "roc_auc": sk.roc_auc_score(*inside),
        "brier": sk.brier_score_loss(*inside),
        "log_loss": sk.log_loss(*inside),
    }
    for key, value in expected.items():
        part, rest = measured(outcomes, key).parts(mask)
        assert part.estimate.value == pytest.approx(value, abs=1e-12), key
        assert rest.estimate.value != part.estimate.value
        assert part.estimate.low < value < part.estimate.high
    part, _ = measured(outcomes, "f1").parts(mask)
    assert part.estimate.value == pytest.approx(sk.f1_score(outcomes.truth[mask], called[mask]))


def test_welchs_test_is_scipys():
    rng = np.random.default_rng(0)
    truth, prediction = rng.normal(size=200), rng.normal(size=200)
    mask = rng.random(200) < 0.2
    loss = np.abs(prediction - truth)
    one = measured(NumericOutcomes(truth=truth, prediction=prediction), "mae")
    found = against(*one.parts(mask))
    theirs = stats.ttest_ind(loss[mask], loss[~mask], equal_var=False)
    assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.test == "welch"


def test_regression_several_classes_and_items_are_sliced_alike():
    made = ec.slices(
        rows([1.0, 2.0, 3.0, 4.5] * 10, [1.5, 2.0, 3.0, 4.0] * 10, ["a", "b"] * 20,
             header="y,prediction,g"), by="g",
    )  # fmt: skip
    assert {one.text: one.found.value.value for one in made.slices} == {
        "g = a": 0.25,
        "g = b": 0.25,
    }
    text = "y,label,g\n" + "\n".join(
        f"{t},{p},{g}" for t, p, g in zip("abcabc" * 10, "abcaab" * 10, "vvvwww" * 10, strict=True)
    )
    made = ec.slices(data(text), by="g")
    assert {one.text: round(one.found.value.value, 3) for one in made.slices} == {
        "g = v": 1.0,
        "g = w": 0.333,
    }


def test_models_stand_side_by_side_in_every_slice():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 400)
    scores = [np.round(np.clip(truth * 0.4 + rng.random(400) * 0.6, 0, 1), 3) for _ in range(2)]
    group = rng.choice(["a", "b"], 400)
    made = ec.slices(
        rows(list(truth), *map(list, scores), list(group), header="truth,rf_score,gb_score,group"),
        by="group", metric="roc_auc", model="gb",
    )  # fmt: skip
    for one in made.slices:
        mask = group == one.rule[0].value
        for score, name in zip(scores, ("rf", "gb"), strict=True):
            expected = sk.roc_auc_score(truth[mask], score[mask])
            assert one.models[name].value.value == pytest.approx(expected)
    assert made.model == "gb"


def test_a_slice_without_positives_and_one_of_one_row_are_shown_as_they_are():
    made = ec.slices(
        rows([1, 0] * 30 + [0] * 40 + [1], [1, 0] * 30 + [0] * 40 + [0],
             ["a"] * 60 + ["b"] * 40 + ["c"], header="truth,label,g"),
        by="g", metric="recall",
    )  # fmt: skip
    by = {one.text: one for one in made.slices}
    assert np.isnan(by["g = b"].found.value.value)
    assert "no row is positive" in by["g = b"].found.value.why
    assert by["g = c"].few
    assert np.isnan(by["g = c"].p_adjusted)
    assert not by["g = c"].confirmed


def test_two_columns_that_say_the_same_are_sliced_once():
    region = ["west", "east", "north"] * 40
    code = [{"west": "W", "east": "E", "north": "N"}[name] for name in region]
    made = ec.slices(
        rows([1, 0] * 60, [1, 1] * 60, region, code, header="truth,label,region,code"),
        by=["region", "code"],
    )
    assert made.columns == ("region",)
    assert [one.code for one in made.notices] == ["same-slices"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"by": "nope"}, "no column"),
        ({"by": "flat"}, "one value"),
        ({"by": "empty"}, "missing in every row"),
        ({"by": []}, "at least one column"),
        ({"by": "g", "metric": "r2"}, "No model gives|cannot be compared"),
        ({"by": "g", "metric": "roc_auc"}, "No model gives"),
        ({"by": "g", "model": "other"}, "no model"),
        ({"by": "g", "max_columns": 3}, "1 or 2 columns"),
        ({"metric": "prevalence"}, "better"),
    ],
)
def test_what_cannot_be_asked_is_said(asked: dict[str, object], said: str):
    text = "truth,label,g,flat,empty\n" + "1,1,a,x,\n0,0,b,x,\n" * 30
    with pytest.raises(ec.EvalError, match=said):
        ec.slices(data(text), **asked)


def test_slices_are_shown_as_a_table_with_all_text_escaped():
    made = ec.slices(
        rows([1, 0] * 40, [1, 0] * 40, ["<b>"] * 40 + ["=1"] * 40, header="truth,label,g"), by="g"
    )
    assert "<b>" not in made._repr_html_()
    assert list(made.to_frame()["slice"]) == ['g = "<b>"', 'g = "=1"']
    assert made.to_dict()["metric"] == "accuracy"
    assert "g = " in repr(made)


def test_dependent_rows_widen_the_interval_of_a_slice():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 10)
    right = np.repeat(rng.random(60) < 0.8, 10)
    truth = rng.integers(0, 2, 600)
    label = np.where(right, truth, 1 - truth)
    side = np.repeat(rng.choice(["left", "right"], 60), 10)
    frame = pd.DataFrame({"truth": truth, "label": label, "side": side, "patient": patient})
    widths = []
    for independent in (True, False):
        made = ec.slices(frame, by="side", group="patient", independent_rows=independent)
        gap = made.slices[0].found.difference
        widths.append(gap.high - gap.low)
    assert widths[1] > 2 * widths[0]


def test_losses_that_cannot_be_added_up_are_refused_with_another_metric():
    table = rows([0, 1] * 30, [0.0, 0.0] * 30, ["a"] * 30 + ["b"] * 30, header="truth,score,g")
    with pytest.raises(ec.EvalError, match="infinite, or too large to add up, in 30 rows"):
        ec.slices(table, by="g", metric="log_loss")


def test_importance_weights_of_any_scale_say_the_same():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "truth": rng.integers(0, 2, 300),
            "score": rng.random(300).round(3),
            "w": rng.random(300) + 0.1,
            "g": rng.choice(["a", "b"], 300),
        }
    )
    known = {"truth": "truth", "score": "score", "weight": "w"}
    one = ec.slices(frame, by="g", **known)
    other = ec.slices(frame.assign(w=frame.w * 1000), by="g", **known)
    for first, second in zip(one.slices, other.slices, strict=True):
        assert first.found.difference.low == pytest.approx(second.found.difference.low)
        assert first.found.p_value == pytest.approx(second.found.p_value)
        assert not first.few
    assert (
        ec.slices(frame, **known).searched
        == ec.slices(frame.assign(w=frame.w / 1e3), **known).searched
    )


@pytest.mark.parametrize("key", ["f1", "mcc", "roc_auc"])
def test_a_difference_is_significant_just_where_its_interval_leaves_out_zero(key: str):
    rng = np.random.default_rng(0)
    outcomes, told = binary(400, seed=9), set()
    measure = measured(outcomes, key)
    for share in np.repeat([0.04, 0.1, 0.3], 15):
        # Rows of low scores, more or less: F1 of some of these slices is 0.
        mask = rng.random(400) < share * (2 if rng.random() < 0.5 else 1) * (outcomes.score < 0.6)
        found = against(*measure.parts(mask))
        gap = found.difference
        if np.isfinite(found.p_value) and gap.low is not None:
            told.add(outside := not gap.low <= 0 <= gap.high)
            assert (found.p_value < 0.05) == outside
    assert told == {True, False}
