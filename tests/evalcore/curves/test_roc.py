"""ROC and precision-recall: points, areas and operating points."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.optimize import isotonic_regression
from scipy.spatial import ConvexHull
from sklearn.metrics import precision_recall_curve, roc_curve

from evalcore.curves.roc import (
    PrecisionRecallCurve,
    RocCurve,
    threshold_finding,
    threshold_flagging,
    threshold_flagging_rows,
    threshold_precise,
)
from evalcore.tables.areas import hull_corners, roc_area
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.made import score_table
from tests.evalcore.strategies import Scored, with_both_classes


def weighted(data: Scored) -> ScoreTable:
    return ScoreTable.from_scores(data.truth, data.score, data.weight)


def test_a_curve_by_hand() -> None:
    curve = RocCurve.from_table(score_table([1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2]))
    assert curve.fpr.tolist() == [0, 0, 0.5, 1]
    assert curve.tpr.tolist() == [0, 0.5, 1, 1]
    assert curve.threshold.tolist() == [np.inf, 0.9, 0.6, 0.2]
    assert curve.area == 0.875


def test_the_curve_starts_above_a_score_of_exactly_one() -> None:
    curve = RocCurve.from_table(score_table([1, 0], [1.0, 1.0]))
    assert (curve.fpr[0], curve.tpr[0], curve.threshold[0]) == (0, 0, np.inf)
    assert curve.threshold[1] == 1


@pytest.mark.parametrize(("truth", "missing"), [([0, 0], "tpr"), ([1, 1], "fpr")])
def test_one_class_alone_leaves_the_other_rate_undefined(truth: list[int], missing: str) -> None:
    curve = RocCurve.from_table(score_table(truth, [0.1, 0.2]))
    present = "fpr" if missing == "tpr" else "tpr"
    assert np.isnan(getattr(curve, missing)).all()
    assert getattr(curve, present).tolist() == [0, 0.5, 1]
    assert np.isnan(curve.area)


def test_no_rows_leave_one_point_that_is_undefined() -> None:
    curve = RocCurve.from_table(score_table([], []))
    assert len(curve.fpr) == len(curve.tpr) == len(curve.threshold) == 1
    assert np.isnan([curve.fpr[0], curve.tpr[0], curve.area]).all()


def test_a_curve_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RocCurve.from_table(score_table([1], [0.1])).tpr[0] = 7


def test_the_hull_leaves_out_points_on_its_lines() -> None:
    # Steps up, right, up, right: (0, 1/2), (1/2, 1/2), (1/2, 1), (1, 1).
    hull = RocCurve.hull_of(score_table([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]))
    assert hull.fpr.tolist() == [0, 0, 0.5, 1]
    assert hull.tpr.tolist() == [0, 0.5, 1, 1]
    assert hull.threshold.tolist() == [np.inf, 0.9, 0.7, 0.6]
    diagonal = RocCurve.hull_of(score_table([1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1]))
    assert diagonal.fpr.tolist() == [0, 1]


@given(with_both_classes())
def test_the_curve_equals_scikit_learns_to_the_last_bit(data: Scored) -> None:
    curve = RocCurve.from_table(ScoreTable.from_scores(data.truth, data.score))
    fpr, tpr, threshold = roc_curve(data.truth, data.score, drop_intermediate=False)
    assert np.array_equal(curve.fpr, fpr)
    assert np.array_equal(curve.tpr, tpr)
    assert np.array_equal(curve.threshold, threshold)


@given(with_both_classes())
def test_the_area_equals_the_share_of_pairs_in_order(data: Scored) -> None:
    ranked = weighted(data)
    assert RocCurve.from_table(ranked).area == pytest.approx(roc_area(ranked), abs=1e-12)


def gift_wrapped(points: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the corners of the hull above some points that rise, one point after the other."""
    kept: list[tuple[int, int]] = []
    for x, y in points:
        while len(kept) > 1:
            (x0, y0), (x1, y1) = kept[-2:]
            if (y1 - y0) * (x - x1) > (y - y1) * (x1 - x0):
                break
            kept.pop()
        kept.append((x, y))
    return set(kept)


counts = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12)


@given(counts)
def test_corners_are_found_where_some_scores_have_no_row_too(rows: list[tuple[int, int]]) -> None:
    tp, fp = np.cumsum(rows, axis=0).T
    table = ScoreTable(-np.arange(float(len(rows))), tp, fp)
    curve = [(0, 0), *zip(fp.tolist(), tp.tolist(), strict=True)]
    found = {curve[place] for place in hull_corners(table)}
    assert found == gift_wrapped(curve)


@given(with_both_classes())
def test_no_point_lies_above_the_hull_and_every_corner_is_a_point(data: Scored) -> None:
    ranked = weighted(data)
    curve, hull = RocCurve.from_table(ranked), RocCurve.hull_of(ranked)
    steep = np.diff(hull.tpr) / np.maximum(np.diff(hull.fpr), 1e-300)
    assert (np.diff(steep) < 0).all()
    rows = np.searchsorted(-curve.threshold, -hull.threshold)
    assert np.array_equal(curve.fpr[rows], hull.fpr)
    assert np.array_equal(curve.tpr[rows], hull.tpr)
    above = np.interp(curve.fpr, hull.fpr, hull.tpr)
    # On a vertical first line interp gives its top, which is what bounds the points.
    assert (curve.tpr <= above + 1e-12).all()


def test_the_hull_of_many_rows_equals_that_of_qhull() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(20_000) < 0.2).astype(np.int8)
    ranked = ScoreTable.from_scores(truth, rng.normal(size=len(truth)) + truth)
    curve = RocCurve.from_table(ranked)
    dots = np.column_stack([curve.fpr, curve.tpr])
    theirs = ConvexHull(np.vstack([dots, [1, 0]])).volume
    assert RocCurve.hull_of(ranked).area == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("golden", found := entries(quantity="n_roc_points"), ids=ids(found))
def test_the_number_of_points_equals_procs(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    golden.check(len(RocCurve.from_table(ranked).fpr))


@pytest.mark.parametrize("golden", found := entries(quantity="roc_curve"), ids=ids(found))
def test_the_points_equal_procs(golden: Golden) -> None:
    curve = RocCurve.from_table(ScoreTable.from_scores(*breast_cancer(golden.params["model"])))
    golden.check({"fpr": curve.fpr.tolist(), "tpr": curve.tpr.tolist()})


@pytest.mark.parametrize("golden", found := entries(quantity="roc_convex_hull"), ids=ids(found))
def test_the_corners_of_the_hull_equal_rocrs(golden: Golden) -> None:
    hull = RocCurve.hull_of(ScoreTable.from_scores(*breast_cancer(golden.params["model"])))
    golden.check({"fpr": hull.fpr.tolist(), "tpr": hull.tpr.tolist()})


@pytest.mark.parametrize(
    "golden", found := entries(quantity="roc_convex_hull_area"), ids=ids(found)
)
def test_the_area_of_the_hull_equals_rocrs(golden: Golden) -> None:
    hull = RocCurve.hull_of(ScoreTable.from_scores(*breast_cancer(golden.params["model"])))
    golden.check(hull.area)


@given(with_both_classes())
def test_scores_that_isotonic_regression_pools_lie_on_one_edge_of_the_hull(data: Scored) -> None:
    ranked = ScoreTable.from_scores(data.truth, data.score)
    hull = RocCurve.hull_of(ranked)
    rise, run = np.diff(hull.tpr) * ranked.positives, np.diff(hull.fpr) * ranked.negatives
    steps = -np.diff(np.searchsorted(ranked.threshold[::-1], hull.threshold))
    positive, negative = ranked.steps()
    pooled = isotonic_regression(
        positive / (positive + negative), weights=positive + negative, increasing=False
    )
    np.testing.assert_allclose(np.repeat(rise / (rise + run), steps), pooled.x)


def _table(truth: list[int], score: list[float]) -> ScoreTable:
    return ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score, dtype=np.float64))


BY_HAND = _table([1, 0, 1, 0, 1], [0.9, 0.8, 0.8, 0.4, 0.3])


def test_by_hand_the_second_positive_is_found_at_its_own_score() -> None:
    assert threshold_finding(BY_HAND, 0.5) == 0.8
    assert threshold_finding(BY_HAND, 2 / 3) == 0.8
    assert threshold_finding(BY_HAND, 0.67) == 0.3
    assert threshold_finding(BY_HAND, 0.1) == 0.9


def test_by_hand_tied_rows_are_flagged_together_or_not_at_all() -> None:
    assert threshold_flagging(BY_HAND, 0.2) == 0.9
    assert threshold_flagging(BY_HAND, 0.59) == 0.9
    assert threshold_flagging(BY_HAND, 0.6) == 0.8
    assert math.isnan(threshold_flagging(BY_HAND, 0.19))


def test_without_positives_or_rows_there_is_no_such_threshold() -> None:
    assert math.isnan(threshold_finding(_table([0], [0.5]), 0.9))
    assert math.isnan(threshold_finding(_table([], []), 0.9))
    assert math.isnan(threshold_flagging(_table([], []), 0.5))


rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 1)), min_size=1, max_size=30)


@given(rows=rows, share=st.floats(0.01, 1))
def test_enough_is_found_there_and_too_little_at_the_next_higher_score(
    rows: list[tuple[int, int]], share: float
) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    assume(truth.any())
    threshold = threshold_finding(ScoreTable.from_scores(truth, score), share)
    assert truth[score >= threshold].sum() / truth.sum() >= share
    assert truth[score > threshold].sum() / truth.sum() < share


@given(rows=rows, share=st.floats(0.01, 1))
def test_few_enough_are_flagged_there_and_too_many_at_the_next_lower_score(
    rows: list[tuple[int, int]], share: float
) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    threshold = threshold_flagging(ScoreTable.from_scores(truth, score), share)
    if math.isnan(threshold):
        assert (score == score.max()).mean() > share
        return
    assert (score >= threshold).mean() <= share
    lower = score[score < threshold]
    assert not len(lower) or (score >= lower.max()).mean() > share


@given(with_both_classes(), st.floats(0, 1))
def test_a_precise_threshold_is_the_lowest_that_keeps_its_promise(
    data: Scored, precision: float
) -> None:
    table = ScoreTable.from_scores(data.truth, data.score)
    reached = table.tp / (table.tp + table.fp) >= precision
    found = threshold_precise(table, precision)
    assert np.isnan(found) if not reached.any() else found == table.threshold[reached].min()


@given(with_both_classes(), st.integers(0, 30))
def test_so_many_rows_are_flagged_and_with_the_next_score_more(data: Scored, rows: int) -> None:
    table = ScoreTable.from_scores(data.truth, data.score)
    found = threshold_flagging_rows(table, rows)
    lower = table.threshold if np.isnan(found) else table.threshold[table.threshold < found]
    assert np.isnan(found) or table.at(found).predicted_positive <= rows
    assert not len(lower) or table.at(float(lower[0])).predicted_positive > rows


def test_a_precision_recall_curve_by_hand() -> None:
    score, truth = np.array([0.9, 0.6, 0.6, 0.2]), np.array([0, 0, 1, 1])
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(truth, score))
    assert curve.recall.tolist() == [0, 0.5, 1]
    assert curve.precision.tolist() == [0, 1 / 3, 0.5]
    assert curve.threshold.tolist() == [0.9, 0.6, 0.2]


def test_without_positives_recall_is_undefined() -> None:
    score, truth = np.array([0.1, 0.2]), np.array([0, 0])
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(truth, score))
    assert np.isnan(curve.recall).all()
    assert curve.precision.tolist() == [0, 0]


def test_no_rows_leave_no_point() -> None:
    empty = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    curve = PrecisionRecallCurve.from_table(empty)
    assert len(curve.recall) == len(curve.precision) == 0


@given(with_both_classes())
def test_points_equal_scikit_learns_without_the_one_it_makes_up(data: Scored) -> None:
    curve = PrecisionRecallCurve.from_table(ScoreTable.from_scores(data.truth, data.score))
    precision, recall, threshold = precision_recall_curve(data.truth, data.score)
    assert np.array_equal(curve.precision[::-1], precision[:-1])
    assert np.array_equal(curve.recall[::-1], recall[:-1])
    assert np.array_equal(curve.threshold[::-1], threshold)


@pytest.mark.parametrize("golden", found := entries(quantity="pr_curve"), ids=ids(found))
def test_points_equal_rocrs(golden: Golden) -> None:
    table = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    curve = PrecisionRecallCurve.from_table(table)
    golden.check(
        {
            "cutoff": curve.threshold.tolist(),
            "recall": curve.recall.tolist(),
            "precision": curve.precision.tolist(),
        }
    )
