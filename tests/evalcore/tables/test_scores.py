import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_curve

from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import EXTREMES, Scored, scored


def table_of(data: Scored, weighted: bool = False) -> ScoreTable:
    return ScoreTable.from_scores(data.truth, data.score, data.weight if weighted else None)


def assert_same(one: ScoreTable, other: ScoreTable) -> None:
    assert np.array_equal(one.threshold, other.threshold)
    assert np.array_equal(one.tp, other.tp)
    assert np.array_equal(one.fp, other.fp)


def counted(data: Scored, threshold: float) -> BinaryCounts:
    called, positive, weight = data.score >= threshold, data.truth == 1, data.weight
    return BinaryCounts(
        weight[called & positive].sum(),
        weight[called & ~positive].sum(),
        weight[~called & positive].sum(),
        weight[~called & ~positive].sum(),
    )


def test_a_table_by_hand() -> None:
    score, truth = np.array([0.1, 0.8, 0.8, 0.3, 0.8]), np.array([0, 1, 0, 1, 1])
    table = ScoreTable.from_scores(truth, score)
    assert table.threshold.tolist() == [0.8, 0.3, 0.1]
    assert table.tp.tolist() == [2, 3, 3]
    assert table.fp.tolist() == [1, 1, 2]
    assert (table.positives, table.negatives, table.n) == (3, 2, 5)
    assert [step.tolist() for step in table.steps()] == [[2, 1, 0], [1, 0, 1]]


def test_a_row_at_the_threshold_is_called_positive() -> None:
    table = ScoreTable.from_scores(np.array([1, 0]), np.array([0.5, 0.4]))
    assert table.at(0.5) == BinaryCounts(1, 0, 0, 1)
    assert table.at(np.nextafter(0.5, 1)) == BinaryCounts(0, 0, 1, 1)


def test_a_threshold_may_be_infinite_or_not_a_number() -> None:
    table = ScoreTable.from_scores(np.array([1, 0]), np.array([0.5, 0.4]))
    assert table.at(np.inf) == table.at(np.nan) == BinaryCounts(0, 0, 1, 1)
    assert table.at(-np.inf) == BinaryCounts(1, 1, 0, 0)


def test_zero_and_minus_zero_are_one_score() -> None:
    table = ScoreTable.from_scores(np.array([1, 0, 0]), np.array([0.0, -0.0, 3.0]))
    assert table.threshold.tolist() == [3.0, 0.0]
    assert not np.signbit(table.threshold).any()


def test_neighbouring_scores_on_both_sides_of_zero_stay_apart() -> None:
    score = np.array([-5e-324, 5e-324, 0.0])
    table = ScoreTable.from_scores(np.array([1, 1, 0]), score)
    assert table.threshold.tolist() == [5e-324, 0.0, -5e-324]
    assert table.tp.tolist() == [1, 1, 2]


def test_scores_too_far_apart_for_one_scale_are_sorted_all_the_same() -> None:
    score = np.array(EXTREMES)
    table = ScoreTable.from_scores(np.ones(len(score), dtype=np.int8), score)
    assert table.threshold.tolist() == sorted(set(EXTREMES), reverse=True)


def test_no_rows_give_an_empty_table() -> None:
    table = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    assert (table.positives, table.negatives, table.n) == (0, 0, 0)
    assert table.at(0.5) == BinaryCounts(0, 0, 0, 0)
    assert table.at(np.array([0.5, 0.6])).tp.tolist() == [0, 0]  # type: ignore[union-attr]


def test_a_table_cannot_be_changed() -> None:
    table = ScoreTable.from_scores(np.array([1]), np.array([0.5]))
    with pytest.raises(ValueError, match="read-only"):
        table.tp[0] = 7


@given(scored())
def test_the_table_is_scikit_learns_curve_to_the_last_bit(data: Scored) -> None:
    both = np.append(data.truth, [0, 1])
    score = np.append(data.score, [0.5, 0.5])
    table = ScoreTable.from_scores(both, score)
    fpr, tpr, threshold = roc_curve(both, score, drop_intermediate=False)
    assert np.array_equal(table.threshold, threshold[1:])
    assert np.array_equal(table.tp / table.positives, tpr[1:])
    assert np.array_equal(table.fp / table.negatives, fpr[1:])


@given(scored(), st.booleans())
def test_one_sort_by_truth_and_label_gives_the_tables_of_two(data: Scored, signed: bool) -> None:
    score = data.score if signed else np.abs(data.score)
    label = (data.weight > 1).astype(np.int8)
    by_truth, by_label = ScoreTable.from_both(data.truth, score, label)
    assert_same(by_truth, ScoreTable.from_scores(data.truth, score))
    assert_same(by_label, ScoreTable.from_scores(label, score))


@given(scored(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(data: Scored, random) -> None:  # type: ignore[no-untyped-def]
    rows = np.array(random.sample(range(len(data.score)), len(data.score)))
    assert_same(table_of(data.taken(rows)), table_of(data))


@given(scored())
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    assert_same(table_of(data, weighted=True), table_of(data.repeated()))


@given(scored(), st.integers(0, 60))
def test_two_parts_of_a_file_add_up_to_the_whole(data: Scored, cut: int) -> None:
    first, second = data.taken(slice(cut)), data.taken(slice(cut, None))
    for weighted in (False, True):
        total = table_of(first, weighted) + table_of(second, weighted)
        assert_same(total, table_of(data, weighted))
        assert total.tp.dtype == np.int64


@given(scored(), st.floats(allow_nan=False))
def test_a_look_up_equals_a_direct_count(data: Scored, elsewhere: float) -> None:
    table = table_of(data, weighted=True)
    thresholds = np.append(data.score, elsewhere)
    at_all = table.at(thresholds)
    for position, threshold in enumerate(thresholds):
        at_one = table.at(threshold)
        assert at_one == counted(data, threshold)
        assert at_one.tp == at_all.tp[position]  # type: ignore[index]
        assert at_one.tn == at_all.tn[position]  # type: ignore[index]


@given(scored(min_rows=2), st.floats(0.01, 100))
def test_fractional_weights_count_in_proportion(data: Scored, factor: float) -> None:
    whole = table_of(data, weighted=True)
    scaled = ScoreTable.from_scores(data.truth, data.score, data.weight * factor)
    assert np.array_equal(scaled.threshold, whole.threshold)
    np.testing.assert_allclose(scaled.tp, whole.tp * factor, rtol=1e-12)
    np.testing.assert_allclose(scaled.fp, whole.fp * factor, rtol=1e-12)


@pytest.mark.parametrize(
    "golden", found := entries(id="curve.*", quantity="at_cutoffs"), ids=ids(found)
)
def test_counts_at_cutoffs_equal_those_of_rocr(golden: Golden) -> None:
    table = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    counts = table.at(np.array([_infinite(cutoff) for cutoff in golden.value["cutoff"]]))
    golden.check({name: list(getattr(counts, name)) for name in ("tp", "fp", "fn", "tn")})


def _infinite(value: float | str) -> float:
    return float(str(value).replace("Inf", "inf"))
