"""How errors are spread, against hand-worked values, scipy, pandas, and properties."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from evalcore.tables.residuals import ResidualMoments
from evalview.figures.errors import ErrorGroups
from evalview.figures.lines import equal_groups
from evalview.figures.numbers import VERTICES, ErrorCurve, FittedLine, NormalQuantiles, Tail

ERRORS = arrays(
    np.float64, st.integers(1, 60), elements=st.floats(-1e6, 1e6, width=32).filter(bool)
)


@given(ERRORS)
def test_the_area_left_of_the_curve_is_the_mean_absolute_error(error):
    curve = ErrorCurve.from_errors(error)
    missing = 1 - np.append(0.0, curve.share)
    area = np.sum(missing[:-1] * np.diff(np.append(0.0, curve.off)))
    assert area == pytest.approx(np.abs(error).mean(), rel=1e-9)


@given(ERRORS, st.integers(1, 3))
def test_a_weight_is_so_many_rows(error, times):
    weight = np.full(len(error), float(times))
    by = np.round(error / 1e5)
    many, many_by = np.repeat(error, times), np.repeat(by, times)
    for made, repeated in (
        (ErrorCurve.from_errors(error, weight), ErrorCurve.from_errors(many)),
        (Tail.from_errors(error, weight), Tail.from_errors(many)),
        (ErrorGroups.from_values(by, error, weight), ErrorGroups.from_values(many_by, many)),
    ):
        for name, value in vars(made).items():
            np.testing.assert_allclose(value, getattr(repeated, name), rtol=1e-6, atol=1e-6)


def test_a_long_curve_keeps_real_rows_and_its_ends():
    error = np.random.default_rng(0).standard_t(2, 50_000)
    curve = ErrorCurve.from_errors(error)
    assert len(curve.off) <= VERTICES
    assert curve.off[-1] == np.abs(error).max()
    assert curve.share[-1] == 1
    for off, share in zip(curve.off, curve.share, strict=True):
        assert share == (np.abs(error) <= off).mean()


def test_how_many_are_within_a_reach():
    curve = ErrorCurve.from_errors(np.array([0.0, 1.0, -2.0, 4.0]))
    assert [curve.share_within(off) for off in (0, 1.5, 2, 9)] == [0.25, 0.5, 0.75, 1]
    assert curve.share_within(-1) == 0
    assert np.isnan(ErrorCurve.from_errors(np.empty(0)).share_within(1))


def test_normal_quantiles_are_those_of_scipy():
    error = np.random.default_rng(1).normal(3, 2, 101)
    made = NormalQuantiles.from_errors(error)
    place = (np.arange(1, 102) - 0.5) / 101
    expected = stats.norm.ppf(place, error.mean(), error.std(ddof=1))
    np.testing.assert_allclose(made.expected, expected)
    np.testing.assert_array_equal(made.error, np.sort(error))
    low = stats.norm.ppf(stats.beta.ppf(0.025, 7, 95), error.mean(), error.std(ddof=1))
    assert made.low[6] == pytest.approx(low)


@pytest.mark.parametrize(("draw", "fewest", "most"), [("normal", 0.0, 0.15), ("cauchy", 0.5, 1.0)])
def test_few_normal_errors_and_many_others_lie_beyond_the_ends(draw, fewest, most):
    rng = np.random.default_rng(5)
    error = rng.normal(size=3000) if draw == "normal" else rng.standard_cauchy(3000)
    made = NormalQuantiles.from_errors(error)
    assert fewest <= made.outside / len(made.error) <= most
    assert {made.error[0], made.error[-1]} == {error.min(), error.max()}


@pytest.mark.parametrize("error", [np.empty(0), np.array([2.0]), np.zeros(5)])
def test_errors_that_do_not_vary_have_no_quantiles(error):
    assert not len(NormalQuantiles.from_errors(error).error)


def test_the_tail_splits_a_row_and_never_overflows():
    tail = Tail.from_errors(np.array([3.0, 1.0]), rows=(0.25, 0.5, 1.0))
    np.testing.assert_allclose(tail.squared, [0.45, 0.9, 1])
    huge = Tail.from_errors(np.array([1e300, 1e299]), rows=(0.5,))
    assert huge.squared[0] == pytest.approx(1 / 1.01)
    assert np.isnan(Tail.from_errors(np.zeros(3)).squared).all()
    assert np.isnan(Tail.from_errors(np.empty(0)).squared).all()


def test_groups_are_those_of_pandas():
    rng = np.random.default_rng(2)
    by, error = rng.normal(size=1000), rng.normal(1, 2, 1000)
    made = ErrorGroups.from_values(by, error)
    cut = pd.Series(error).groupby(pd.qcut(by, 10))
    np.testing.assert_allclose(made.bias, cut.mean())
    np.testing.assert_array_equal(made.n, cut.size())
    reach = stats.t.ppf(0.975, 99) * cut.std() / 10
    np.testing.assert_allclose(made.bias_high, cut.mean() + reach)
    sizes = pd.Series(np.abs(error)).groupby(pd.qcut(by, 10))
    np.testing.assert_allclose(
        made.mae_low, sizes.mean() - stats.t.ppf(0.975, 99) * sizes.std() / 10
    )


def test_equal_values_share_a_group():
    by = np.repeat([1.0, 2.0, 3.0], [70, 20, 10])
    made = ErrorGroups.from_values(by, np.ones(100))
    assert made.low.tolist() == made.high.tolist() == [1, 2, 3]
    assert made.n.tolist() == [70, 20, 10]


def test_without_rows_there_are_no_groups_and_of_one_row_no_interval():
    assert not len(ErrorGroups.from_values(np.empty(0), np.empty(0)).n)
    one = ErrorGroups.from_values(np.array([5.0]), np.array([2.0]))
    assert (one.n[0], one.bias[0]) == (1, 2)
    assert np.isnan(one.bias_low[0])


def test_the_fitted_line_is_that_of_scipy():
    rng = np.random.default_rng(3)
    said = rng.normal(size=40)
    truth = 2 + 0.7 * said + rng.normal(size=40)
    line = FittedLine.from_moments(ResidualMoments.from_values(truth, said))
    fit = stats.linregress(said, truth)
    assert (line.slope, line.intercept) == pytest.approx((fit.slope, fit.intercept))
    assert line.slope_high == pytest.approx(fit.slope + stats.t.ppf(0.975, 38) * fit.stderr)


def test_there_is_no_line_through_constant_predictions():
    table = ResidualMoments.from_values(np.array([1.0, 2.0]), np.array([3.0, 3.0]))
    assert np.isnan(FittedLine.from_moments(table).slope)
    two = FittedLine.from_moments(
        ResidualMoments.from_values(np.array([1.0, 2]), np.array([3.0, 4]))
    )
    assert two.slope == 1
    assert np.isnan(two.slope_low)


VALUES = st.lists(st.integers(-3, 8).map(float), max_size=40).map(np.array)


@given(VALUES, st.integers(1, 12))
def test_groups_rise_with_the_values_and_none_is_empty(by, groups):
    found = equal_groups(by, groups)
    ordered = found[np.argsort(by, kind="stable")]
    assert (np.diff(ordered) >= 0).all()
    assert sorted(set(found.tolist())) == list(range(found.max(initial=-1) + 1))
    assert found.max(initial=-1) < groups
    for value in set(by.tolist()):
        assert len(set(found[by == value].tolist())) == 1


@given(VALUES, st.integers(1, 12), st.integers(1, 4))
def test_equal_weights_change_nothing(by, groups, weight):
    even = equal_groups(by, groups, np.full(len(by), float(weight)))
    np.testing.assert_array_equal(even, equal_groups(by, groups))


@given(VALUES, st.data())
def test_a_weight_is_so_many_rows_of_a_group(by, data):
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(by), max_size=len(by)))
    weighted = equal_groups(by, 4, np.array(times, dtype=np.float64))
    repeated = equal_groups(np.repeat(by, times), 4)
    np.testing.assert_array_equal(np.repeat(weighted, times), repeated)


def test_different_values_make_groups_of_equal_size():
    by = np.random.default_rng(0).permutation(1000).astype(np.float64)
    assert np.bincount(equal_groups(by, 10)).tolist() == [100] * 10
