"""Distributions over resamples."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import bootstrap

from evalcore.comparison.candidates import choose_candidates
from evalcore.comparison.resampled import Distribution, ResampledValues, distribution
from evalcore.intervals.resamples import percentile_bootstrap
from evalcore.metrics.metric import Better
from evalcore.options import Options
from evalread.dataset import NO_CHOICES
from evalread.loading import load

from ..golden import FOLDER


def candidates_of(data, metric=None):
    content = data.to_csv(index=False).encode()
    return choose_candidates(load([("f.csv", content)], NO_CHOICES), metric)


def shown(values, direction=Better.HIGHER):
    made = percentile_bootstrap(np.asarray(values), 0.95)
    return Distribution("A", "B", 0.0, made, direction)


def test_shares_of_draws_on_either_side_by_hand():
    gaps = [-0.03, -0.005, 0.0, 0.004, 0.02, 0.05, np.nan]
    found = shown(gaps).chances(0.01)
    assert (found.worse, found.alike, found.better) == pytest.approx((1 / 6, 3 / 6, 2 / 6))
    plain = shown(gaps).chances(0.0)
    assert (plain.worse, plain.alike, plain.better) == pytest.approx((2.5 / 6, 0, 3.5 / 6))


def test_of_an_error_below_zero_is_better():
    assert shown([-2.0, -1.0, 3.0], Better.LOWER).chances(0.5).better == pytest.approx(2 / 3)


def test_no_draws_have_no_shares():
    assert np.isnan(shown([np.nan, np.nan]).chances(0.1).better)


def test_the_outline_of_all_draws_holds_all_of_them():
    values = np.random.default_rng(0).normal(size=500)
    assert shown(values).density(-9, 9).sum() == pytest.approx(1)


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "f1"])
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_a_difference_is_between_the_same_draws_of_both(metric, method):
    name = "breast_cancer_cv.csv"
    dataset = load([(name, (FOLDER / name).read_bytes())])
    draws = ResampledValues(choose_candidates(dataset, metric), Options(resamples=300))
    one, other, gap = (
        distribution(draws, *places, method=method) for places in ((0,), (1,), (0, 1))
    )
    np.testing.assert_allclose(gap.bootstrap.values, one.bootstrap.values - other.bootstrap.values)
    assert gap.observed == pytest.approx(one.observed - other.observed)
    assert gap.bootstrap.interval.low <= gap.observed <= gap.bootstrap.interval.high
    assert gap.bootstrap.interval.method.startswith("bootstrap")
    turned = distribution(draws, 1, 0, method)
    assert turned.bootstrap.interval.low == pytest.approx(-gap.bootstrap.interval.high, abs=1e-9)


def test_bca_is_that_of_scipy():
    truth = np.repeat([1, 0, 1, 0], [40, 5, 10, 45])
    label = np.repeat([1, 1, 0, 0], [40, 5, 10, 45])

    def f1(y, d, axis=-1):
        hits = ((y == 1) & (d == 1)).sum(axis=axis)
        return 2 * hits / ((y == 1).sum(axis=axis) + (d == 1).sum(axis=axis))

    theirs = bootstrap(
        (truth, label), f1, paired=True, vectorized=True, n_resamples=20_000, rng=1, method="BCa"
    ).confidence_interval
    data = pd.DataFrame({"truth": truth, "a_label": label, "b_label": label})
    draws = ResampledValues(candidates_of(data, "f1"), Options(resamples=20_000))
    mine = distribution(draws, 0, method="bca").bootstrap.interval
    assert mine.method == "bootstrap-bca"
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)
