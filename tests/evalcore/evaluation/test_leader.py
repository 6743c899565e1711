import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluation.condense import condense
from evalcore.evaluation.gaps import accuracy_gap, area_gap
from evalcore.evaluation.leader import leader
from evalcore.intake import load
from tests.evalcore.golden import breast_cancer, entries, ids


def lead(columns):
    header = ",".join(columns)
    rows = zip(*columns.values(), strict=True)
    text = "\n".join([header, *(",".join(map(str, row)) for row in rows)])
    dataset = load([("file.csv", text.encode())])
    return leader(dataset, condense(dataset))


def scores_of(n, *noises, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    given_ = {f"m{i}_score": truth + rng.normal(0, noise, n) for i, noise in enumerate(noises)}
    return {"truth": truth, **given_}


PAIRED = entries(quantity="delong_paired_test")


@pytest.mark.parametrize("golden", PAIRED, ids=ids(PAIRED))
def test_the_gap_between_two_areas_is_that_of_independent_software(golden):
    names = golden.id.split(".")[2].split("_vs_")
    (first, truth), (second, _) = (breast_cancer(name) for name in names)
    gap = area_gap((first, second), truth, None, 0.95)
    golden.check({"diff": gap.difference, "ci_low": gap.low, "ci_high": gap.high})


def test_a_clearly_better_model_leads_for_sure():
    found = lead(scores_of(400, 2.0, 0.4, 2.5))
    assert found.model == "m1"
    assert found.metric == "roc_auc"
    assert set(found.ahead_of) == {"m0", "m2"}
    assert found.level_with == ()


def test_models_of_the_same_worth_are_not_told_apart():
    found = lead(scores_of(60, 1.0, 1.0))
    assert found.ahead_of == ()
    assert len(found.level_with) == 1


def test_identical_models_are_level_with_a_gap_of_exactly_zero():
    columns = scores_of(60, 1.0)
    columns["m1_score"] = columns["m0_score"]
    (gap,) = lead(columns).gaps
    assert (gap.difference, gap.low, gap.high, gap.sure) == (0, 0, 0, False)


def test_nothing_is_sure_with_few_rows_of_a_class():
    columns = {"truth": [1] * 9 + [0] * 9, "a_score": [2] * 9 + [1] * 9, "b_score": [1, 2] * 9}
    found = lead(columns)
    assert found.model == "a"
    assert found.level_with == ("b",)


def test_a_perfect_model_against_a_constant_one_is_judged_by_both_intervals():
    columns = {"truth": [1] * 40 + [0] * 40, "a_score": [2] * 40 + [1] * 40, "b_score": [1] * 80}
    (gap,) = lead(columns).gaps
    assert gap.sure
    assert gap.low < 0.5 < gap.high


def test_one_model_leads_nobody():
    found = lead(scores_of(30, 1.0))
    assert (found.model, found.gaps) == ("m0", ())


def test_no_model_leads_where_the_truth_has_one_class_only():
    assert lead({"truth": [1, 1, 1], "a_score": [0.1, 0.5, 0.7]}) is None


def test_models_are_compared_on_the_rows_that_both_have():
    columns = {name: list(values) for name, values in scores_of(80, 0.5, 2.0).items()}
    columns["m1_score"][:20] = [""] * 20
    (gap,) = lead(columns).gaps
    assert gap.n == 60


def test_labels_alone_are_compared_by_accuracy():
    truth = ["cat", "dog"] * 40
    worse = ["cat"] * 80
    found = lead({"truth": truth, "good_label": truth, "bad_label": worse})
    assert (found.model, found.metric, found.way) == ("good", "accuracy", "labels")
    assert found.ahead_of == ("bad",)


def test_a_model_without_scores_is_left_out_and_named():
    truth = ["no", "yes"] * 20
    found = lead({"truth": truth, "a_score": [0, 1] * 20, "b_label": truth})
    assert (found.model, found.left_out, found.n) == ("a", ("b",), 40)


def test_labels_are_compared_where_the_truth_has_one_class_only():
    columns = {"truth": ["yes"] * 20, "a_label": ["yes"] * 20, "a_score": [0.9] * 20}
    columns["b_label"] = ["yes", "no"] * 10
    found = lead(columns)
    assert (found.metric, found.model, found.ahead_of) == ("accuracy", "a", ("b",))


def test_the_accuracy_gap_by_hand_adds_half_a_row_to_each_cell():
    surplus = np.repeat([1.0, -1.0, 0.0], [7, 1, 12])
    gap = accuracy_gap(surplus, np.ones(20), 0.95)
    middle = 6 / 22
    reach = 1.959963984540054 * np.sqrt((9 / 22 - middle**2) / 22)
    assert gap.difference == pytest.approx(0.3)
    assert (gap.low, gap.high) == pytest.approx((middle - reach, middle + reach))


def test_a_row_of_weight_two_counts_as_the_row_twice():
    surplus = np.repeat([1.0, -1.0, 0.0], [7, 1, 12])
    twice = accuracy_gap(np.repeat(surplus, 2), np.ones(40), 0.95)
    weighted = accuracy_gap(surplus, np.full(20, 2.0), 0.95)
    assert (twice.low, twice.high) == (weighted.low, weighted.high)


def test_more_models_widen_the_interval_of_each_gap():
    two = lead(scores_of(200, 0.5, 1.5))
    five = lead(scores_of(200, 0.5, 1.5, 9, 9, 9))
    widths = [
        next(gap.high - gap.low for gap in found.gaps if gap.model == "m1") for found in (two, five)
    ]
    assert widths[1] > 1.2 * widths[0]


def test_three_equal_models_are_rarely_told_apart():
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        truth = np.arange(100) % 2
        shared = truth + rng.normal(0, 1, 100)
        scores = [shared + rng.normal(0, 0.5, 100) for _ in range(3)]
        columns = {"truth": truth, **{f"m{i}_score": score for i, score in enumerate(scores)}}
        wrong += bool(lead(columns).ahead_of)
    assert wrong <= 20  # 5% of 200 are 10; more than 20 would be less likely than 1 in 500


@given(st.lists(st.sampled_from([1.0, 0.0, -1.0]), min_size=10, max_size=60))
def test_swapping_the_models_turns_the_gap_round(surplus):
    there = accuracy_gap(np.array(surplus), np.ones(len(surplus)), 0.9)
    back = accuracy_gap(-np.array(surplus), np.ones(len(surplus)), 0.9)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
