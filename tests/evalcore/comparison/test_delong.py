import numpy as np
import pytest

from evalcore.comparison.rows import delong, delong_difference
from evalcore.comparison.spec import IDENTICAL
from evalcore.intervals.delong import PairedAreas, delong_areas

from ..golden import breast_cancer, entries, ids

ENTRIES = entries(id="roc.*", quantity="delong_paired_test")


@pytest.mark.parametrize("entry", ENTRIES, ids=ids(ENTRIES))
def test_delongs_test_is_that_of_proc(entry):
    (truth, first), (_, second) = (breast_cancer(entry.params[name]) for name in "AB")
    areas = delong_areas(truth, [first, second]).pair(0, 1)
    found, interval = delong(areas), delong_difference(areas)

    # The entry is first minus second.
    entry.check(
        {"z": -found.statistic, "p_value": found.p_value, "diff": -areas.difference,
         "ci_low": -interval.high, "ci_high": -interval.low,
         "auc_A": areas.first, "auc_B": areas.second}
    )  # fmt: skip


def test_identical_scores_have_p_of_1():
    truth, score = breast_cancer("rf")
    found = delong(delong_areas(truth, [score, score]).pair(0, 1))

    assert (found.p_value, found.statistic, found.note) == (1, 0, IDENTICAL)


def test_scores_that_rank_alike_have_p_of_1():
    truth, score = breast_cancer("rf")

    assert delong(delong_areas(truth, [score, np.exp(score)]).pair(0, 1)).p_value == 1


def test_a_perfect_ranking_beats_one_without_any_order_though_neither_varies():
    truth = np.repeat([0, 1], 40)
    areas = delong_areas(truth, [np.zeros(80), truth.astype(float)]).pair(0, 1)
    found, interval = delong(areas), delong_difference(areas)

    # Hanley and McNeil at the mean of both areas, 0.75, has a standard error of 0.0547.
    assert found.statistic == pytest.approx(0.5 / (0.0547 * np.sqrt(2)), rel=0.001)
    assert "no variation" in found.note
    assert (interval.method, interval.degenerate) == ("hanley-mcneil", True)
    assert interval.low == pytest.approx(0.5 - 1.96 * 0.0547 * np.sqrt(2), abs=0.001)


def test_areas_without_variation_and_without_known_rows_are_no_evidence():
    found = delong(PairedAreas(0.5, 1.0, 0.0, 0.0, 0.0))

    assert np.isnan(found.p_value)
    assert "no variation" in found.note


def test_one_positive_row_has_no_p_value():
    truth = np.array([1, 0, 0, 0, 0])
    found = delong(delong_areas(truth, [np.arange(5.0), np.arange(5.0)[::-1]]).pair(0, 1))

    assert np.isnan(found.p_value)
    assert "two rows" in found.note


def test_areas_of_many_models_are_those_of_each_pair():
    truth, scores = breast_cancer("rf")[0], [breast_cancer(m)[1] for m in ("logreg", "rf", "knn")]
    areas = delong_areas(truth, scores)

    assert areas.pair(2, 0).covariance == areas.pair(0, 2).covariance
    pair = delong_areas(truth, [scores[1], scores[2]]).pair(0, 1)
    assert areas.pair(1, 2) == pair


def test_a_difference_stays_within_its_range():
    interval = delong_difference(PairedAreas(0.1, 0.95, 0.05, 0.05, 0.0))

    assert interval.high == 1
