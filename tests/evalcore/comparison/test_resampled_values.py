"""Values over resamples, for every way of drawing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore.comparison.candidates import choose_candidates
from evalcore.comparison.resampled import ResampledValues
from evalcore.errors import EvalError
from evalcore.intervals.resamples import bca_bootstrap
from evalcore.options import Options
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable
from evalread.dataset import Choices
from evalread.loading import load

from ..golden import FOLDER, entries, ids

BOOT = entries(id="boot.diabetes*", quantity="bootstrap_ci")


def draws_of(name="breast_cancer_cv.csv", metric=None, sampling="rows", **options):
    dataset = load([(name, (FOLDER / name).read_bytes())])
    return ResampledValues(choose_candidates(dataset, metric), Options(**options), sampling)


def place_of(draws, name):
    return [one.name for one in draws.candidates.models].index(name)


@pytest.mark.parametrize("entry", BOOT, ids=ids(BOOT))
def test_bca_of_any_metric_is_that_of_boot(entry):
    draws = draws_of("diabetes_reg_cv.csv", entry.params["statistic"], resamples=4000)
    place = place_of(draws, entry.params["model"])
    acceleration = draws.acceleration(place)
    value = draws.candidates.models[place].value
    ends = bca_bootstrap(draws.of(place), 0.95, observed=value, acceleration=acceleration).interval
    assert acceleration == pytest.approx(entry.value["jackknife_acceleration"], abs=1e-8)
    assert [ends.low, ends.high] == pytest.approx(entry.value["bca"], abs=entry.tolerance * 1.5)


@pytest.mark.parametrize(
    ("metric", "direct"), [("roc_auc", roc_area), ("average_precision", average_precision)]
)
def test_leaving_out_a_row_is_evaluating_without_it(metric, direct):
    draws = draws_of(metric=metric)
    one = draws.candidates.models[0]
    values = draws.without_a_group(0)
    for row in (0, 17, 300):
        kept = np.delete(np.arange(one.outcomes.n), row)
        table = ScoreTable.from_scores(one.outcomes.truth[kept], one.outcomes.score[kept])
        assert values[row] == pytest.approx(direct(table), abs=2e-5)


@pytest.mark.parametrize(
    "metric", ["roc_auc_ovr_macro", "roc_auc_ovr_weighted", "average_precision_ovr_macro"]
)
def test_an_average_over_classes_without_a_row_is_that_of_the_other_rows(metric):
    head, *lines = (FOLDER / "iris_cv.csv").read_text().splitlines()
    some = "\n".join([head, *lines[30:50], *lines[55:90], *lines[100:]])  # 20, 35 and 50 rows
    draws = ResampledValues(
        choose_candidates(load([("some.csv", some.encode())]), metric), Options()
    )
    one = draws.candidates.models[0]
    values, rows = draws.without_a_group(0), one.outcomes
    for row in (0, 15, 51, 70, 103):
        kept = np.delete(np.arange(rows.n), row)
        table = ClassScores.from_probabilities(
            rows.truth[kept], rows.probabilities[kept], rows.classes
        )
        assert values[row] == pytest.approx(float(one.metric(table)), abs=2e-4)


def test_log_losses_of_several_classes_are_compared_row_by_row():
    draws = draws_of("iris_cv.csv", "log_loss")
    for one in draws.candidates.models:
        rows = one.outcomes
        of_truth = rows.probabilities[np.arange(rows.n), rows.truth] / rows.probabilities.sum(1)
        assert one.losses == pytest.approx(-np.log(of_truth))
        assert one.value == pytest.approx(one.losses.mean())


def test_drawing_within_classes_keeps_their_sizes():
    within, at_large = (
        draws_of(metric="prevalence", sampling=sampling, resamples=200)
        for sampling in ("classes", "rows")
    )
    value = within.candidates.models[0].value
    np.testing.assert_allclose(within.of(0), value)
    assert at_large.of(0).std() > 0.01
    assert within.method(0) == "bootstrap-strata"


STRATIFIED = entries(quantity="auc_ci_bootstrap_percentile_stratified")


@pytest.mark.parametrize("entry", STRATIFIED, ids=ids(STRATIFIED))
def test_the_stratified_interval_of_an_area_is_that_of_proc(entry):
    draws = draws_of(sampling="classes")
    values = draws.of(place_of(draws, entry.params["model"]))
    entry.check(np.quantile(values, [0.025, 0.975]).tolist())


def grouped(copies=20, n=40, **more):
    """Return a file in which every row stands many times, each set of copies being a group."""
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 2
    data = pd.DataFrame({"truth": truth, "patient": [f"p{k}" for k in range(n)]})
    data["a_score"], data["b_score"] = (truth + rng.normal(size=n) for _ in range(2))
    frame = data.loc[data.index.repeat(copies)]
    content = frame.to_csv(index=False).encode()
    return load([("f.csv", content)], Choices(group="patient", **more))


def test_copies_of_rows_in_one_group_are_no_further_evidence():
    rows, groups = (
        ResampledValues(
            choose_candidates(grouped(independent_rows=alone), "roc_auc"), Options(resamples=500)
        ).of(0)
        for alone in (True, False)
    )
    once = ResampledValues(
        choose_candidates(grouped(copies=1), "roc_auc"), Options(resamples=500)
    ).of(0)
    assert rows.std() < 0.4 * groups.std()
    assert groups.std() == pytest.approx(once.std(), rel=0.15)


def test_groups_need_a_column_of_them():
    chosen = replace(draws_of().candidates, group=None)
    with pytest.raises(EvalError, match="--group"):
        ResampledValues(chosen, Options(), "groups").of(0)


def test_numbers_have_no_classes_to_draw_within():
    with pytest.raises(EvalError, match="no classes"):
        draws_of("diabetes_reg_cv.csv", sampling="classes").of(0)


def test_the_numbers_do_not_depend_on_order_or_threads():
    one, other = draws_of(resamples=200), draws_of(resamples=200)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(one.of, range(3)))
    for place in (2, 0, 1):
        np.testing.assert_array_equal(together[place], other.of(place))
