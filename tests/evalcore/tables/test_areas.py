import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from evalcore.tables.areas import (
    at,
    average_precision,
    first_place,
    partial_roc_area,
    precision_recall_area,
    roc_area,
)
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.made import score_table
from tests.evalcore.strategies import Scored, with_both_classes


def weighted(data: Scored) -> ScoreTable:
    return ScoreTable.from_scores(data.truth, data.score, data.weight)


def test_pairs_are_counted_by_hand_ties_as_one_half() -> None:
    # Pairs won by the positive: 0.9 over 0.5 and 0.1; 0.5 over 0.1, tied with 0.5.
    assert roc_area(score_table([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1])) == 3.5 / 4


def test_average_precision_by_hand() -> None:
    # Positives at ranks 1, 3 and 4: precision 1/1, 2/3, 3/4.
    ranked = score_table([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    assert average_precision(ranked) == pytest.approx((1 + 2 / 3 + 3 / 4) / 3, rel=1e-15)


def test_the_area_of_straight_lines_starts_at_the_first_precision() -> None:
    # Points (1/2, 1/2) and (1, 1): a flat half, then a line up.
    ranked = score_table([1, 0, 1], [0.9, 0.9, 0.1])
    assert precision_recall_area(ranked) == pytest.approx(0.5 * 0.5 + 0.5 * (0.5 + 2 / 3) / 2)


def test_many_draws_have_the_areas_that_each_has_by_itself() -> None:
    # The first draw holds no row of the two highest scores; 40,000 places take several stretches.
    rises = np.random.default_rng(3).integers(0, 3, size=(2, 4, 40_000))
    rises[:, 0, :2] = 0
    tp, fp = rises.cumsum(axis=2)
    draws = ScoreTable(-np.arange(40_000.0), tp, fp)
    for area in (average_precision, precision_recall_area, lambda t: partial_roc_area(t, 0.1, 0.4)):
        alone = [
            area(ScoreTable(draws.threshold[held], *(counts[held] for counts in pair)))
            for pair in zip(tp, fp, strict=True)
            for held in [pair[0] + pair[1] > 0]
        ]
        np.testing.assert_allclose(area(draws), alone, rtol=1e-12)


@given(st.integers(0, 20), st.integers(0, 70))
def test_the_first_place_is_the_one_that_a_look_at_all_finds(places: int, least: int) -> None:
    counts = np.random.default_rng(least).integers(0, 5, size=(6, places)).cumsum(axis=1)
    found = first_place(lambda place: at(counts, place) >= least, counts.shape)
    assert found.tolist() == (counts < least).sum(axis=1).tolist()


@pytest.mark.parametrize("truth", [[], [0, 0], [1, 1]])
def test_one_class_alone_has_no_area_under_the_roc_curve(truth: list[int]) -> None:
    assert np.isnan(roc_area(score_table(truth, [0.1, 0.2][: len(truth)])))
    assert np.isnan(partial_roc_area(score_table(truth, [0.1, 0.2][: len(truth)]), 0, 0.5))


@pytest.mark.parametrize("area", [average_precision, precision_recall_area])
def test_without_positives_there_is_no_precision_to_average(area) -> None:  # type: ignore[no-untyped-def]
    assert np.isnan(area(score_table([0, 0], [0.1, 0.2])))
    assert np.isnan(area(score_table([], [])))
    assert area(score_table([1, 1], [0.1, 0.2])) == 1


def test_weights_in_the_billions_do_not_overflow() -> None:
    score, truth = np.array([0.9, 0.5, 0.5, 0.1]), np.array([1, 1, 0, 0])
    heavy = ScoreTable.from_scores(truth, score, np.full(4, 2.0**40))
    assert roc_area(heavy) == 3.5 / 4
    assert average_precision(heavy) == average_precision(ScoreTable.from_scores(truth, score))


def test_more_rows_than_a_block_add_up() -> None:
    rng = np.random.default_rng(0)
    truth = (rng.random(100_000) < 0.3).astype(np.int8)
    score = rng.normal(size=len(truth)) + truth
    large = ScoreTable.from_scores(truth, score)
    assert roc_area(large) == pytest.approx(roc_auc_score(truth, score), rel=1e-13)
    assert average_precision(large) == pytest.approx(
        average_precision_score(truth, score), rel=1e-13
    )


@given(with_both_classes())
def test_areas_equal_those_of_scikit_learn(data: Scored) -> None:
    given_weights = {"sample_weight": data.weight}
    ranked = weighted(data)
    assert roc_area(ranked) == pytest.approx(
        roc_auc_score(data.truth, data.score, **given_weights), abs=1e-12
    )
    assert average_precision(ranked) == pytest.approx(
        average_precision_score(data.truth, data.score, **given_weights), abs=1e-12
    )
    assert partial_roc_area(ranked, 0, 0.3) == pytest.approx(
        roc_auc_score(data.truth, data.score, max_fpr=0.3, **given_weights), abs=1e-12
    )


@given(with_both_classes())
def test_straight_lines_differ_from_scikit_learns_only_in_where_they_start(data: Scored) -> None:
    precision, recall, _ = precision_recall_curve(data.truth, data.score)
    first, found = precision[-2], recall[-2]  # the last point of theirs, (0, 1), is made up
    ranked = ScoreTable.from_scores(data.truth, data.score)
    theirs = auc(recall, precision) - found * (1 - first) / 2
    assert precision_recall_area(ranked) == pytest.approx(theirs, abs=1e-12)


@given(with_both_classes())
def test_negating_the_scores_turns_the_area_round(data: Scored) -> None:
    turned = ScoreTable.from_scores(data.truth, -data.score, data.weight)
    assert roc_area(turned) == pytest.approx(1 - roc_area(weighted(data)), abs=1e-15)


@given(with_both_classes())
def test_parts_of_the_area_add_up_to_the_whole(data: Scored) -> None:
    ranked = weighted(data)
    for along in ("fpr", "tpr"):
        parts = [
            partial_roc_area(ranked, low, high, along=along, standardised=False)
            for low, high in ((0, 0.2), (0.2, 0.7), (0.7, 1))
        ]
        assert sum(parts) == pytest.approx(roc_area(ranked), abs=1e-12)


def test_a_perfect_curve_has_standard_area_one_over_any_range() -> None:
    perfect = score_table([1, 0], [0.9, 0.1])
    for along in ("fpr", "tpr"):
        assert partial_roc_area(perfect, 0.25, 0.5, along=along) == 1
        assert np.isnan(partial_roc_area(perfect, 0.5, 0.5, along=along))


@pytest.mark.parametrize(
    "golden", found := entries(id="roc.breast_cancer_cv.*.auc", quantity="auc"), ids=ids(found)
)
def test_the_area_equals_that_of_proc(golden: Golden) -> None:
    golden.check(roc_area(ScoreTable.from_scores(*breast_cancer(golden.params["model"]))))


@pytest.mark.parametrize(
    "golden", found := entries(id="curve.*", quantity="average_precision"), ids=ids(found)
)
def test_average_precision_equals_that_from_rocrs_counts(golden: Golden) -> None:
    golden.check(average_precision(ScoreTable.from_scores(*breast_cancer(golden.params["model"]))))


@pytest.mark.parametrize(
    "golden", found := entries(quantity="pr_auc_trapezoid_flat_start"), ids=ids(found)
)
def test_the_area_of_straight_lines_equals_that_from_rocrs_counts(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    golden.check(precision_recall_area(ranked))


@pytest.mark.parametrize("golden", found := entries(quantity="partial_auc_s*"), ids=ids(found))
def test_partial_areas_equal_those_of_proc(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    standardised = golden.params["mcclish_correction"]
    if "fpr_max" in golden.params:
        low, high, along = 0.0, golden.params["fpr_max"], "fpr"
    else:
        high, low = golden.params["sensitivity_range"]
        along = "tpr"
    golden.check(partial_roc_area(ranked, low, high, along=along, standardised=standardised))
