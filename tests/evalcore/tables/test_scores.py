"""Score tables: by hand, and thinned."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray
from sklearn.metrics import roc_curve

from evalcore.outcomes import Codes, Floats
from evalcore.tables.confusion import BinaryCounts, Counts
from evalcore.tables.scores import Decimals, ScoreTable, ordered_by_each
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


def test_columns_of_a_frame_are_counted_as_arrays_are() -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "p": [0.1, 0.8, 0.8, 0.3], "w": [1, 2, 0, 0.5]})
    frame.index = pd.Index([7, 3, 1, 0])  # which must not be taken for places
    arrays = (frame[name].to_numpy() for name in frame)
    columns = (frame[name] for name in frame)
    assert_same(ScoreTable.from_scores(*columns), ScoreTable.from_scores(*arrays))
    plain = ScoreTable.from_scores(frame["y"], frame["p"])
    assert plain.tp.tolist() == [1, 2, 2]
    assert plain.fp.tolist() == [1, 1, 2]


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


def repeated(values: list[float], times: int = 40) -> Floats:
    return np.repeat(np.array(values), times)


def by_hand(truth: Codes, score: Floats, count: Counts) -> list[tuple[float, float, float]]:
    """Distinct scores, falling, with the counts at or above each: a loop over them."""
    return [
        (at, count[(score >= at) & (truth == 1)].sum(), count[(score >= at) & (truth == 0)].sum())
        for at in np.unique(score)[::-1].tolist()
    ]


def test_scores_are_counted_by_hand() -> None:
    score, truth = np.array([0.3, 0.1, 0.3, 0.2, 0.3, 0.1]), np.array([1, 0, 0, 1, 1, 0])
    decimals = Decimals.of(score)
    assert decimals == Decimals(unit=10.0, lowest=1, number=3)
    counts = decimals.counts((truth,), score, None)
    assert counts is not None
    assert counts.tolist() == [[2, 0, 1], [0, 1, 2]]
    assert decimals.scores(np.array([0, 2])).tolist() == [0.1, 0.3]


@pytest.mark.parametrize(
    ("values", "unit", "lowest", "number"),
    [
        ([0.25, 0.5], 100, 25, 26),
        ([-0.2, 0.1], 10, -2, 4),
        ([0.0, -0.0, 3.0], 1, 0, 4),
        ([1e15, 1e15 + 1], 1, 10**15, 2),
        ([0.000001, 0.000002], 1e6, 1, 2),
    ],
)
def test_the_coarsest_steps_are_found(
    values: list[float], unit: float, lowest: int, number: int
) -> None:
    assert Decimals.of(repeated(values)) == Decimals(unit, lowest, number)


@pytest.mark.parametrize(
    "values",
    [
        [1 / 3, 2 / 3],  # no decimals
        [0.1 + 0.2, 0.3],  # 0.30000000000000004
        [0.0, 1e6],  # more steps than half the rows
        [1e300, -1e300],
        [5e-324, 1.0],
        [2.0**53, 2.0**53 + 2],  # beyond what counts exactly
        [],
    ],
)
def test_other_scores_are_left_to_a_sort(values: list[float]) -> None:
    assert Decimals.of(repeated(values)) is None


def test_a_score_between_two_steps_that_the_sample_missed_is_found() -> None:
    score = repeated([0.1, 0.2], 40_000)
    truth = np.arange(len(score)) % 2
    score[7] = 0.15
    decimals = Decimals.of(score)
    assert decimals is not None
    assert decimals.counts((truth,), score, None) is None
    (steps,) = ordered_by_each((truth,), score)
    assert steps.threshold.tolist() == [0.2, 0.15, 0.1]


def test_codes_of_one_byte_count_over_many_steps() -> None:
    score = np.arange(1000.0).repeat(2)
    truth = np.tile(np.array([0, 1], np.int8), 1000)
    by_truth, by_label = ordered_by_each((truth, 1 - truth), score)
    assert by_truth.tp.tolist() == by_label.fp.tolist() == list(range(1, 1001))


GRID = st.sampled_from([-0.03, -0.0, 0.0, 0.01, 0.02, 0.05, 0.1])
ROWS = st.lists(
    st.tuples(GRID, st.integers(0, 1), st.integers(0, 1), st.sampled_from([1.0, 2.0, 0.5])),
    min_size=40,
    max_size=60,
)


@given(ROWS, st.booleans())
def test_counting_agrees_with_a_loop(
    rows: list[tuple[float, int, int, float]], weighted: bool
) -> None:
    score, truth, label, weight = (np.array(column) for column in zip(*rows, strict=True))
    truth, label = truth.astype(np.int8), label.astype(np.int8)
    assert Decimals.of(score) is not None
    count: NDArray[np.float64] = weight if weighted else np.ones(len(score))
    found = ordered_by_each((truth, label), score, weight if weighted else None)
    for steps, side in zip(found, (truth, label), strict=True):
        made = [column.tolist() for column in (steps.threshold, steps.tp, steps.fp)]
        assert list(zip(*made, strict=True)) == by_hand(side, score, count)
        assert not np.signbit(steps.threshold[steps.threshold == 0]).any()


LIMIT = 50


def staircase(draws: int, seed: int, ties: int, share: float = 0.3) -> ScoreTable:
    rng = np.random.default_rng(seed)
    truth = (rng.random(draws) < share).astype(np.int8)
    score = rng.normal(size=draws) + 1.5 * truth
    return ScoreTable.from_scores(truth, np.round(score * ties) / ties)


def squares(draws: int) -> ScoreTable:
    """Positives and negatives in turns of equal length: the worst for straight lines."""
    truth = (np.arange(draws) // (draws // 40) % 2).astype(np.int8)
    return ScoreTable.from_scores(truth, -np.arange(draws, dtype=float))


def points(table: ScoreTable, full: ScoreTable) -> NDArray[np.float64]:
    return np.column_stack([table.fp / (full.negatives or 1), table.tp / (full.positives or 1)])


def farthest(full: ScoreTable, thin: ScoreTable) -> float:
    """Largest distance from a point of the full ROC curve to the line of the thinned one."""
    line, dots = points(thin, full), points(full, full)
    segment = np.maximum(
        np.searchsorted(-thin.threshold, -full.threshold, side="right") - 1, 0
    ).clip(max=len(line) - 2)
    start, along = line[segment], line[segment + 1] - line[segment]
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    share = (((dots - start) * along).sum(axis=1) / length).clip(0, 1)
    return float(np.linalg.norm(dots - start - share[:, None] * along, axis=1).max())


tables = st.builds(
    staircase, st.integers(60, 3000), st.integers(0, 99), st.sampled_from([3, 30, 3000])
)


def test_a_table_within_the_limit_is_left_alone() -> None:
    table = staircase(LIMIT, 0, 3000)
    assert table.thinned(LIMIT) is table


@given(tables, st.integers(LIMIT, 300))
def test_the_limit_holds_and_every_row_is_a_row_of_the_full_table(
    table: ScoreTable, limit: int
) -> None:
    thin = table.thinned(limit)
    assert len(thin.threshold) <= limit
    rows = np.searchsorted(-table.threshold, -thin.threshold)
    assert np.array_equal(table.threshold[rows], thin.threshold)
    assert np.array_equal(table.tp[rows], thin.tp)
    assert np.array_equal(table.fp[rows], thin.fp)
    assert (rows[0], rows[-1]) == (0, len(table.threshold) - 1)


@given(tables, st.lists(st.floats(-5, 5), max_size=5))
def test_rows_to_keep_answer_as_the_full_table_does(table: ScoreTable, keep: list[float]) -> None:
    thin = table.thinned(LIMIT, keep)
    assert len(thin.threshold) <= LIMIT + len(keep)
    for threshold in keep:
        assert thin.at(threshold) == table.at(threshold)


@given(tables, st.integers(LIMIT, 300))
def test_no_point_of_the_roc_curve_is_further_than_two_over_the_limit(
    table: ScoreTable, limit: int
) -> None:
    assert farthest(table, table.thinned(limit)) < 2 / limit


@pytest.mark.parametrize("full", [squares(20_000), staircase(50_000, 1, 10**6, share=0.01)])
def test_two_thousand_rows_stay_within_a_thousandth_of_the_roc_curve(full: ScoreTable) -> None:
    assert farthest(full, full.thinned(2000)) < 1e-3


@pytest.mark.parametrize("share", [0.01, 0.3])
def test_precision_keeps_its_highs_and_lows_within_a_pixel_of_recall(share: float) -> None:
    full = staircase(50_000, 2, 10**6, share=share)
    thin = full.thinned(2000)
    recall, precision = thin.tp / full.positives, thin.tp / (thin.tp + thin.fp)
    pixel = 1 / 500
    for row in np.random.default_rng(0).integers(0, len(full.tp), 2000):
        here = full.tp[row] / full.positives
        value = full.tp[row] / (full.tp[row] + full.fp[row])
        near = precision[np.abs(recall - here) <= pixel]
        assert near.min() <= value <= near.max()


@pytest.mark.parametrize("truth", [0, 1])
def test_one_class_alone_is_thinned_too(truth: int) -> None:
    score = np.arange(500, dtype=float)
    table = ScoreTable.from_scores(np.full(500, truth, dtype=np.int8), score)
    thin = table.thinned(LIMIT)
    assert len(thin.threshold) <= LIMIT
    assert thin.n == 500


def test_fractional_weights_are_thinned_too() -> None:
    rng = np.random.default_rng(3)
    truth = (rng.random(900) < 0.5).astype(np.int8)
    table = ScoreTable.from_scores(truth, rng.random(900), rng.random(900) / 900)
    thin = table.thinned(LIMIT)
    assert len(thin.threshold) <= LIMIT
    assert thin.positives == table.positives


def test_draws_as_float32_have_the_precisions_of_float64_also_in_a_thread() -> None:
    rng = np.random.default_rng(4)
    tp, fp = (np.cumsum(rng.integers(0, 3, (50, 40)), axis=1).astype(np.float64) for _ in range(2))
    tp[:20, :5] = fp[:20, :5] = 0  # of the highest scores these draws hold no row
    wide, narrow = (
        ScoreTable(np.arange(40.0, 0, -1), tp.astype(kind), fp.astype(kind))
        for kind in (np.float64, np.float32)
    )
    with ThreadPoolExecutor(1) as pool:
        of_thread = pool.submit(lambda: narrow.precision_sums).result()
    for sums, same in zip(wide.precision_sums, of_thread, strict=True):
        assert np.isfinite(sums).all()
        assert np.array_equal(sums, same)
