"""How many clusters k-means finds, against points without any: the gap statistic."""

from dataclasses import dataclass

import numpy as np

from evalcore.outcomes import Floats, frozen

POINTS_AT_MOST = 5000
"""Of more points a random sample is looked at."""


@dataclass(frozen=True, eq=False)
class Gap:
    """The gap for 1, 2, ... clusters.

    Attributes:
        clusters: (m,) numbers of clusters, rising by one.
        within: (m,) natural logarithm of the within sum of squares of the points.
        expected: (m,) mean logarithm for points drawn evenly from the box round them.
        gap: (m,) expected minus within.
        error: (m,) standard error of the gap, the draws' own error included.
        best: The smallest number whose gap is at least the next one's less its error; the last
            number if there is none.
    """

    clusters: Floats
    within: Floats
    expected: Floats
    gap: Floats
    error: Floats
    best: int

    def __post_init__(self) -> None:
        for name in ("clusters", "within", "expected", "gap", "error"):
            object.__setattr__(self, name, frozen(getattr(self, name)))


def gap_statistic(
    features: Floats,
    rng: np.random.Generator,
    *,
    most: int = 8,
    draws: int = 20,
) -> Gap:
    """Compare k-means on (n, d) features with k-means on even points, along principal axes.

    Source: Tibshirani, Walther and Hastie (2001),
    Estimating the number of clusters in a data set via the gap statistic, JRSS B 63(2).
    """
    if len(features) > POINTS_AT_MOST:
        features = features[np.sort(rng.choice(len(features), POINTS_AT_MOST, replace=False))]
    most = min(most, len(np.unique(features, axis=0)))
    points = _turned(features)
    low, high = points.min(axis=0), points.max(axis=0)
    seeds = rng.integers(1 << 31, size=draws + 1).tolist()
    within = _logs(points, most, seeds[0])
    drawn = [_logs(rng.uniform(low, high, points.shape), most, seed) for seed in seeds[1:]]
    expected = np.mean(drawn, axis=0)
    error = np.std(drawn, axis=0) * np.sqrt(1 + 1 / draws)
    gap = expected - within
    return Gap(np.arange(1.0, most + 1), within, expected, gap, error, _best(gap, error))


def _turned(features: Floats) -> Floats:
    """Return the points along their principal axes, in a unit whose squares do not overflow."""
    off = features - features.mean(axis=0)
    off = off / (np.abs(off).max(initial=0.0) or 1.0)
    turned: Floats = off @ np.linalg.eigh(off.T @ off)[1]
    return turned


def _logs(points: Floats, most: int, seed: int) -> Floats:
    from sklearn.cluster import KMeans

    sums = [KMeans(k, n_init=3, random_state=seed).fit(points).inertia_ for k in range(1, most + 1)]
    # As many clusters as points leave nothing over; its logarithm has no meaning.
    return np.log(np.maximum(sums, np.finfo(np.float64).tiny))


def _best(gap: Floats, error: Floats) -> int:
    enough = np.flatnonzero(gap[:-1] >= gap[1:] - error[1:])
    return int(enough[0]) + 1 if len(enough) else len(gap)
