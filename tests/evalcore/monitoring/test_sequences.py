"""Confidence sequences: hand-worked ends, the published formula, and coverage at all looks."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.monitoring.boundaries import TIGHTEST_AT, asymptotic, beta_mixture


def test_ends_after_one_row_worked_by_hand():
    # Averaged over all p the likelihood of one right row is 1/2; p is in as long as
    # (1/2) / p <= 1 / 0.05, which is from 0.025 on.
    low, high = beta_mixture(np.array([1.0, 0.0]), np.array([1.0, 1.0]), 0.95)
    assert low.tolist() == pytest.approx([0.025, 0])
    assert high.tolist() == pytest.approx([1, 0.975])


def test_without_rows_nothing_is_known():
    low, high = beta_mixture(np.zeros(1), np.zeros(1), 0.95)
    assert (low.tolist(), high.tolist()) == ([0], [1])


@given(st.floats(0.01, 5), st.integers(30, 1_000_000), st.floats(0.5, 0.999))
def test_the_asymptotic_sequence_is_the_published_formula(error, rows, level):
    # Waudby-Smith and others (2024), equation of theorem 2.2 with their rho for a chosen time.
    alpha = 1 - level
    rho2 = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha) + 1)) / TIGHTEST_AT
    deviation = error * np.sqrt(rows)
    inside = np.log(np.sqrt(rows * rho2 + 1) / alpha)
    reach = deviation * np.sqrt(2 * (rows * rho2 + 1) / (rows**2 * rho2) * inside)
    made = asymptotic(0.0, error, rows, level)
    assert (made.low, made.high) == (pytest.approx(-reach), pytest.approx(reach))


@given(st.integers(0, 300), st.integers(1, 300))
def test_the_share_lies_inside_and_mirrors_its_complement(right, more):
    k, n = float(right), float(right + more)
    low, high = beta_mixture(np.array([k, n - k]), np.array([n, n]), 0.95)
    assert low[0] <= k / n <= high[0]
    assert (low[1], high[1]) == (pytest.approx(1 - high[0]), pytest.approx(1 - low[0]))


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_both_hold_the_true_share_at_all_looks_in_nearly_all_streams(share):
    rng, streams, looks, rows = np.random.default_rng(1), 400, 100, 20
    right = np.cumsum(rng.binomial(rows, share, (streams, looks)), axis=1)
    n = np.broadcast_to(rows * np.arange(1.0, looks + 1), right.shape)
    low, high = beta_mixture(right.ravel().astype(float), n.ravel(), 0.95)
    inside = ((low <= share) & (share <= high)).reshape(streams, looks).all(axis=1)
    # At least 95%, less three standard errors of 400 streams.
    assert inside.mean() >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / streams)
    at = right / n
    error = np.sqrt(np.maximum(at * (1 - at), 1e-9) / n)
    kept = np.ones(streams, bool)
    for look in range(2, looks):
        reach = [asymptotic(0, e, n[0, look], 0.95).high for e in error[:, look]]
        kept &= np.abs(at[:, look] - share) <= np.array(reach)
    assert kept.mean() >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / streams)
