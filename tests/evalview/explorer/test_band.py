"""The band of a ROC curve."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

from evalcore.curves.roc import RocCurve
from evalcore.intervals.resamples import Plan
from evalcore.tables.scores import ScoreTable
from evalview.explorer.band import roc_band
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.made import seeded
from tests.evalcore.strategies import Scored, with_both_classes

PLAN = Plan(resamples=300)


def scored(n: int, seed: int, rare: bool = False) -> ScoreTable:
    """Draw normal scores, positives one standard deviation higher: the true curve is known."""
    rng = seeded(seed)
    truth = np.arange(n) % (8 if rare else 2) == 1
    return ScoreTable.from_scores(truth, rng.normal(size=n) + truth)


def covered(n: int, runs: int, rare: bool = False) -> float:
    """Return how often the band of n rows holds the whole true curve."""
    held = []
    for seed in range(runs):
        band = roc_band(scored(n, seed, rare), seeded(seed), Plan(resamples=200))
        with np.errstate(invalid="ignore"):
            true = norm.cdf(norm.ppf(band.fpr) + 1)
        held.append(np.all((band.low <= true + 1e-12) & (true <= band.high + 1e-12)))
    return float(np.mean(held))


@pytest.mark.slow
def test_the_band_holds_the_whole_true_curve_as_often_as_it_says() -> None:
    shares = [covered(20, 200), covered(60, 200), covered(400, 200), covered(160, 200, rare=True)]
    assert min(shares) >= 0.93
    # One share of 200 runs may come out above 99% by chance where the four together do not.
    assert np.mean(shares) <= 0.99


def test_more_rows_make_a_narrower_band() -> None:
    widths = [
        np.mean(band.high - band.low)
        for band in (roc_band(scored(n, 1), seeded(), PLAN) for n in (200, 2000, 20_000))
    ]
    assert widths[0] > 2 * widths[1] > 4 * widths[2]


def test_the_middle_of_the_band_is_the_curve() -> None:
    table = scored(2000, 2)
    curve, band = RocCurve.from_table(table), roc_band(table, seeded(), PLAN)
    assert np.abs(band.tpr - np.interp(band.fpr, curve.fpr, curve.tpr)).max() < 4 / 185


@pytest.mark.parametrize("truth", [[], [1, 1], [0, 0], [1, 0, 1, 0]])
def test_too_few_positives_have_no_band(truth: list[int]) -> None:
    score = np.arange(len(truth), dtype=float)
    band = roc_band(ScoreTable.from_scores(np.array(truth, np.int8), score), seeded(), PLAN)
    assert np.isnan(band.low).all()
    assert np.isnan(band.high).all()


@given(with_both_classes(each=5))
def test_no_band_leaves_the_unit_square_or_its_curve(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    band = roc_band(table, seeded(), Plan(resamples=50))
    assert ((band.low >= 0) & (band.low <= band.tpr)).all()
    assert ((band.tpr <= band.high) & (band.high <= 1)).all()


@pytest.mark.parametrize(
    "golden", found := entries(quantity="ci_sensitivity_at_specificity"), ids=ids(found)
)
def test_the_band_holds_procs_intervals_of_single_points(golden: Golden) -> None:
    band = roc_band(ScoreTable.from_scores(*breast_cancer(golden.params["model"])), seeded())
    at = 1 - np.array(golden.value["specificity"])
    tolerance = golden.tolerance or 0
    assert (np.interp(at, band.fpr, band.low) <= np.array(golden.value["low"]) + tolerance).all()
    assert (np.interp(at, band.fpr, band.high) >= np.array(golden.value["high"]) - tolerance).all()
