import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.calibration import calibration_curve

from evalcore.errors import EvalError
from evalcore.tables.reliability import ReliabilityTable, rising_shares
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import PROBABILITIES, TIED, Scored, scored

probabilities = scored(PROBABILITIES)
tied = scored(TIED)


def binned(data: Scored, bins: int = 10, binning: str = "uniform") -> ReliabilityTable:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    return ReliabilityTable.from_scores(table, bins, binning)  # type: ignore[arg-type]


def quantiles(score: list[float], bins: int) -> ReliabilityTable:
    table = ScoreTable.from_scores(np.zeros(len(score), dtype=np.int8), np.array(score))
    return ReliabilityTable.from_scores(table, bins, "quantile")


def calibration_error(table: ReliabilityTable) -> float:
    gap = np.abs(table.mean_probability - table.share_positive)
    return float(np.nansum(gap * table.n) / table.n.sum())


def test_a_table_by_hand() -> None:
    score, truth = np.array([0.1, 0.2, 0.2, 0.9]), np.array([0, 1, 0, 1])
    table = ReliabilityTable.from_scores(ScoreTable.from_scores(truth, score), 4)
    assert table.edges.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert table.n.tolist() == [3, 0, 0, 1]
    assert table.positives.tolist() == [1, 0, 0, 1]
    np.testing.assert_allclose(table.mean_probability, [0.5 / 3, np.nan, np.nan, 0.9])
    np.testing.assert_allclose(table.share_positive, [1 / 3, np.nan, np.nan, 1])


@pytest.mark.parametrize("bins", [10, 15, 20])
def test_an_edge_belongs_to_the_bin_above_it_and_one_to_the_last(bins: int) -> None:
    edges = np.arange(bins + 1) / bins
    table = ScoreTable.from_scores(np.ones(bins + 1, dtype=np.int8), edges)
    assert ReliabilityTable.from_scores(table, bins).n.tolist() == [1] * (bins - 1) + [2]


def test_three_tenths_lie_in_the_bin_from_three_tenths() -> None:
    table = ScoreTable.from_scores(np.array([1]), np.array([0.3]))
    assert ReliabilityTable.from_scores(table).n.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_quantile_bins_have_equal_counts_where_nothing_is_tied() -> None:
    table = quantiles([k / 100 for k in range(100)], 4)
    assert table.n.tolist() == [25, 25, 25, 25]
    assert table.edges.tolist() == [0, 0.25, 0.5, 0.75, 0.99]


def test_rows_beside_a_large_tie_still_fill_all_other_bins() -> None:
    # Quantile edges would be 0 five times over, and four bins of ten remain.
    table = quantiles([0.0] * 60 + [k / 100 for k in range(1, 41)], 10)
    assert len(table.n) == 10
    assert table.n[0] == 60
    assert set(table.n[1:].tolist()) <= {4, 5}


def test_a_small_tie_is_not_swallowed_by_a_large_neighbour() -> None:
    assert quantiles([0.1] * 10 + [0.2] * 10 + [0.9] * 980, 10).n.tolist() == [20, 980]


def test_a_single_score_is_one_bin() -> None:
    table = quantiles([0.7] * 5, 10)
    assert table.n.tolist() == [5]
    assert table.edges.tolist() == [0.7, 0.7]


@pytest.mark.parametrize("binning", ["uniform", "quantile"])
def test_no_rows_leave_every_bin_empty(binning: str) -> None:
    empty = Scored(np.array([]), np.array([], dtype=np.int8), np.array([]))
    table = binned(empty, 10, binning)
    assert table.n.sum() == 0
    assert np.isnan(table.share_positive).all()


def test_only_tables_of_the_same_bins_add_up() -> None:
    one = ScoreTable.from_scores(np.array([1]), np.array([0.3]))
    with pytest.raises(EvalError, match="same bins"):
        ReliabilityTable.from_scores(one, 10) + ReliabilityTable.from_scores(one, 5)


@given(probabilities, st.integers(1, 20), st.sampled_from(["uniform", "quantile"]))
def test_every_row_is_in_the_bin_whose_edges_hold_it(data: Scored, bins: int, binning: str) -> None:
    table = binned(data, bins, binning)
    last = len(table.n) - 1
    for k, (low, high) in enumerate(zip(table.edges[:-1], table.edges[1:], strict=True)):
        inside = (data.score >= low) & ((data.score < high) | (k == last))
        assert table.n[k] == data.weight[inside].sum()
        assert table.positives[k] == data.weight[inside & (data.truth == 1)].sum()
    assert table.n.sum() == data.weight.sum()
    assert table.probability_sum.sum() == pytest.approx((data.weight * data.score).sum())


@given(probabilities, st.integers(0, 60))
def test_two_parts_of_a_file_add_up_to_the_whole(data: Scored, cut: int) -> None:
    total = binned(data.taken(slice(cut))) + binned(data.taken(slice(cut, None)))
    whole = binned(data)
    assert np.array_equal(total.n, whole.n)
    assert np.array_equal(total.positives, whole.positives)
    np.testing.assert_allclose(total.probability_sum, whole.probability_sum, atol=1e-12)


@given(st.lists(st.floats(0, 1), min_size=20, max_size=200, unique=True), st.integers(2, 10))
def test_quantile_bins_equal_scikit_learns_where_nothing_is_tied(
    score: list[float], bins: int
) -> None:
    # Its bins are (a, b] between quantiles of type 7; an edge on a row puts that row below.
    table = quantiles(score, bins)
    edges = np.quantile(score, np.arange(1, bins) / bins)
    theirs = np.bincount(np.searchsorted(edges, score), minlength=bins)
    assert np.abs(table.n - theirs).max() <= 1
    truth = np.arange(len(score)) % 2
    _, mean = calibration_curve(truth, score, n_bins=bins, strategy="quantile")
    assert len(mean) == len(table.n)


@given(tied, st.integers(2, 10))
def test_quantile_bins_never_split_equal_scores(data: Scored, bins: int) -> None:
    table = binned(data, bins, "quantile")
    distinct = len(np.unique(data.score[data.weight > 0]))
    assert len(table.n) <= max(1, min(bins, distinct))
    if data.weight.any():
        assert (table.n > 0).all()


@pytest.mark.parametrize(
    "golden", found := entries(quantity="reliability_table_left_closed_10"), ids=ids(found)
)
def test_bins_equal_those_worked_out_in_decimal_arithmetic(golden: Golden) -> None:
    table = ReliabilityTable.from_scores(
        ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    )
    filled = table.n > 0
    golden.check(
        {
            "n": table.n[filled].tolist(),
            "mean_score": table.mean_probability[filled].tolist(),
            "observed": table.share_positive[filled].tolist(),
        }
    )


@pytest.mark.parametrize(
    "golden",
    found := entries(id="calib.breast*", quantity="ece_equal_width_left_closed_*"),
    ids=ids(found),
)
def test_the_calibration_error_from_equal_widths_is_the_golden_one(golden: Golden) -> None:
    scores = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    table = ReliabilityTable.from_scores(scores, golden.params["bins"])
    golden.check({"ece": calibration_error(table), "n_nonempty_bins": (table.n > 0).sum()})


def test_the_calibration_error_from_equal_counts_is_the_golden_one_without_large_ties() -> None:
    (golden,) = entries(id="calib.breast_cancer_cv.logreg.*", quantity="ece_equal_mass_quantile_10")
    scores = ScoreTable.from_scores(*breast_cancer("logreg"))
    table = ReliabilityTable.from_scores(scores, 10, "quantile")
    golden.check({"ece": calibration_error(table), "n_bins": len(table.n)})


def test_rows_whose_weight_is_lost_beside_others_do_not_stop_rising_shares() -> None:
    positive, rows = np.array([0.0, 1.0, 0.0, 3.0, 0.0]), np.array([0.0, 4.0, 0.0, 4.0, 0.0])
    assert rising_shares(positive, rows).tolist() == [0.25, 0.25, 0.25, 0.75, 0.75]
    assert rising_shares(positive[:1], rows[:1]).tolist() == [0.0]
    small = ScoreTable.from_scores(
        np.array([0, 1, 1, 0], np.int8),
        np.array([0.1, 0.9, 0.5, 0.2]),
        np.array([1e-12, 1e12, 1e-12, 1]),
    )
    shares = rising_shares(small.steps()[0], small.steps()[0] + small.steps()[1])
    assert np.isfinite(shares).all()
