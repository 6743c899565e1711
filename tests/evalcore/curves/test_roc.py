import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import isotonic_regression
from scipy.spatial import ConvexHull
from sklearn.metrics import roc_curve

from evalcore.curves.roc import RocCurve
from evalcore.tables.areas import roc_area
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
