"""Two models by the ranks of their differences: Wilcoxon's signed-rank test."""

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.folds import FoldDifferences
from evalcore.comparison.spec import IDENTICAL, UNDEFINED, Design, Finding, StatisticalTest
from evalcore.metrics.spec import Source
from evalcore.outcomes import Floats

MOST_EXACT = 50
"""Up to so many differences, the signed ranks have their exact distribution."""


def wilcoxon(table: FoldDifferences) -> Finding:
    """Test whether differences are as often and as far below 0 as above, by their ranks.

    Zeros are left out. Exact for up to `MOST_EXACT` others, ties included; above, normal with
    continuity correction.

    >>> wilcoxon(FoldDifferences(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))).p_value
    0.0625
    """
    values = _rounded(table.values)
    values = values[values != 0]
    if not len(values):
        return Finding(1.0 if table.k else UNDEFINED, 0.0, note=IDENTICAL if table.k else "")
    doubled = _doubled_ranks(np.abs(values))
    above = int(doubled[values > 0].sum())
    details = {"n": float(len(values)), "rank_sum": above / 2}
    exact = len(values) <= MOST_EXACT
    p = _exact_p(doubled, above) if exact else _normal_p(doubled, above)
    return Finding(p, above / 2, details, "" if exact else "normal approximation")


def _rounded(values: Floats) -> Floats:
    """Round to nine digits of the largest, so that differences equal on paper are ties."""
    largest = np.abs(values).max(initial=0.0)
    return np.round(values / largest, 9) if largest else values


def _doubled_ranks(sizes: Floats) -> NDArray[np.int64]:
    """Return twice the ranks, which are whole numbers even where ties share their mean rank."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled: NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[place]
    return doubled


def _exact_p(doubled: NDArray[np.int64], above: int) -> float:
    """Let every rank be above or below 0 with chance one half."""
    chance = np.ones(1)
    for rank in doubled:
        step = np.zeros(rank + 1)
        step[[0, rank]] = 0.5
        chance = np.convolve(chance, step)
    tail = min(chance[: above + 1].sum(), chance[above:].sum())
    return min(1.0, float(2 * tail))


def _normal_p(doubled: NDArray[np.int64], above: int) -> float:
    from scipy.special import ndtr

    ranks = doubled / 2
    distance = abs(above / 2 - ranks.sum() / 2)
    z = max(distance - 0.5, 0.0) / np.sqrt((ranks**2).sum() / 4)
    return float(min(1.0, 2 * ndtr(-z)))


WILCOXON = StatisticalTest(
    key="wilcoxon",
    name="Wilcoxon signed-rank",
    needs=FoldDifferences,
    compute=wilcoxon,
    summary="Does one model win more often, or by more, going by the ranks of the differences?",
    assumes="Differences are independent and symmetric; those of folds are not independent.",
    designs=frozenset({Design.FOLDS, Design.DATASETS}),
    source=Source(
        "Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1(6)",
        "https://doi.org/10.2307/3001968",
    ),
)
