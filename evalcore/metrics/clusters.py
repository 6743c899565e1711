"""How good a clustering is: by its points alone, and by how far it agrees with classes.

Of pairs of rows, one is positive when both are of one class, and called positive when both are in
one cluster, so that each number of pairs is one of the numbers of a yes-or-no decision.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from evalcore.clustering import agreement
from evalcore.clustering.agreement import entropy, mutual_information
from evalcore.clustering.distance import SIDE
from evalcore.clustering.points import Centroids, Separation, Silhouette
from evalcore.metrics.decisions import (
    ACCURACY,
    COHEN_KAPPA,
    F1,
    FN,
    FOWLKES_MALLOWS,
    FP,
    PRECISION,
    RECALL,
    TN,
    TP,
)
from evalcore.metrics.metric import (
    OF_GROUPS,
    Better,
    Closed,
    Family,
    Metric,
    NoInterval,
    ratio,
    scalar,
)
from evalcore.outcomes import Floats, Number, Places
from evalcore.tables.confusion import blocks
from evalcore.tables.contingency import Contingency, Whole
from evalcore.text import nothing


def calinski_harabasz(centroids: Centroids) -> float:
    """Return the variance between clusters over the variance within."""
    if not centroids.comparable:
        return np.nan
    between = centroids.between / (centroids.k - 1)
    return float(ratio(between, float(centroids.within.sum()) / (centroids.n - centroids.k)))


def davies_bouldin(centroids: Centroids) -> float:
    """Return the mean over clusters of how much each one blends with the one most like it."""
    if not centroids.comparable:
        return np.nan
    blends = [_blend(centroids, run) for run in blocks(centroids.k, SIDE)]
    return float(np.concatenate(blends).mean())


def _blend(centroids: Centroids, run: slice) -> Floats:
    """Return for each cluster of a run the largest (s_i + s_j) / d_ij over the other clusters."""
    from scipy.spatial.distance import cdist

    apart = cdist(centroids.offsets[run], centroids.offsets)
    blend = np.asarray(ratio(centroids.spread[run, np.newaxis] + centroids.spread, apart))
    blend[np.arange(len(blend)), np.arange(run.start, run.stop)] = -np.inf
    largest: Floats = blend.max(axis=1)
    return largest


_OF_POINTS = NoInterval("None: resampling would put copies of a point at distance 0.")

_index = partial(Metric, family=Family.POINTS, interval=_OF_POINTS, high=np.inf)

SILHOUETTE = Metric(
    family=Family.POINTS,
    key="silhouette",
    needs=Silhouette,
    compute=lambda silhouette: silhouette.mean,
    interval=Closed(
        lambda silhouette, level: silhouette.interval(level),
        "Student’s t for a sample of the points; none if all points are used.",
    ),
    low=-1,
)

CALINSKI_HARABASZ = _index(key="calinski_harabasz", needs=Centroids, compute=calinski_harabasz)

DAVIES_BOULDIN = _index(
    key="davies_bouldin", needs=Centroids, compute=davies_bouldin, better=Better.LOWER
)

DUNN = _index(
    key="dunn",
    needs=Separation,
    compute=lambda separation: ratio(separation.gap, separation.diameter),
)


_squares = partial(_index, needs=Centroids)

WITHIN_SS = _squares(
    key="within_ss",
    compute=lambda centroids: float(centroids.within.sum()) if centroids.k else np.nan,
    better=Better.LOWER,
)

BETWEEN_SS = _squares(
    key="between_ss", compute=lambda centroids: centroids.between if centroids.k else np.nan
)

TOTAL_SS = _squares(
    key="total_ss",
    compute=lambda centroids: centroids.total if centroids.k else np.nan,
    better=Better.NEITHER,
)


def _of_pairs(of_rows: Metric, **declaration: Any) -> Metric:
    """Declare a metric of decisions for pairs: same formula, range and unit."""
    return replace(
        of_rows,
        family=Family.AGREEMENT,
        needs=Contingency,
        compute=lambda table: of_rows.compute(table.pairs()),
        interval=OF_GROUPS,
        over_classes=None,
        parameters=nothing(),
        summary="",
        **declaration,
    )


RAND_INDEX = _of_pairs(ACCURACY, key="rand_index")
ADJUSTED_RAND_INDEX = _of_pairs(COHEN_KAPPA, key="adjusted_rand_index", low=-0.5)
FOWLKES_MALLOWS_PAIRS = _of_pairs(FOWLKES_MALLOWS, key="fowlkes_mallows")
PAIR_PRECISION = _of_pairs(PRECISION, key="pair_precision")
PAIR_RECALL = _of_pairs(RECALL, key="pair_recall")
PAIR_F1 = _of_pairs(F1, key="pair_f1")
PAIRS_TOGETHER = _of_pairs(TP, key="pairs_together")
PAIRS_CLASS_ONLY = _of_pairs(FN, key="pairs_class_only")
PAIRS_CLUSTER_ONLY = _of_pairs(FP, key="pairs_cluster_only")
PAIRS_APART = _of_pairs(TN, key="pairs_apart")


def _largest(cells: Whole, place: Places) -> Floats:
    """Return the sum over places of the largest of (..., m) cells there."""
    if not len(place):
        return np.zeros(cells.shape[:-1])
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    largest: Floats = np.maximum.reduceat(cells[..., order], starts, axis=-1).sum(axis=-1)
    return largest


_of_groups = partial(Metric, family=Family.AGREEMENT, needs=Contingency, interval=OF_GROUPS)
_share_of_rows = partial(_of_groups, unit="share")

PURITY = _share_of_rows(
    key="purity", compute=lambda table: ratio(_largest(table.cells, table.column), table.n)
)

INVERSE_PURITY = _share_of_rows(
    key="inverse_purity", compute=lambda table: ratio(_largest(table.cells, table.row), table.n)
)

BEST_MATCH_ACCURACY = _share_of_rows(
    key="best_match_accuracy", compute=lambda table: ratio(agreement.matched_rows(table), table.n)
)


def adjusted_information(table: Contingency) -> Number:
    """Return the normalised information on a scale where chance gives 0 on average."""
    by_chance = agreement.expected_information(table)
    # Two groupings of one shape leave chance no room: 0 / 0, which rounding would hide.
    room = np.nan if _leaves_no_room(table) else _mean_entropy(table) - by_chance
    return _at_most_one(ratio(mutual_information(table) - by_chance, room))


def homogeneity(table: Contingency) -> Number:
    """Return the share of the class's entropy that the cluster removes; 1 for one class."""
    return _removed(table, entropy(table.class_sizes))


def completeness(table: Contingency) -> Number:
    """Return the share of the cluster's entropy that the class removes; 1 for one cluster."""
    return _removed(table, entropy(table.cluster_sizes))


def v_measure(table: Contingency) -> Number:
    """Return the harmonic mean of homogeneity and completeness."""
    of_class, of_cluster = homogeneity(table), completeness(table)
    return _at_most_one(ratio(2 * of_class * of_cluster, of_class + of_cluster))


def _removed(table: Contingency, whole: float) -> Number:
    removed = mutual_information(table)
    return _if_rows(table, _at_most_one(ratio(removed, whole) if whole else 1.0 + removed))


def _mean_entropy(table: Contingency) -> float:
    return (entropy(table.class_sizes) + entropy(table.cluster_sizes)) / 2


def _leaves_no_room(table: Contingency) -> bool:
    """Say whether both have one group only, or both leave every row alone."""
    classes, clusters = (
        int(np.count_nonzero(sizes)) for sizes in (table.class_sizes, table.cluster_sizes)
    )
    return max(classes, clusters) <= 1 or min(classes, clusters) == table.n


def _at_most_one(value: Number) -> Number:
    # Rounding may put a perfect agreement a hair above 1.
    return scalar(np.minimum(np.asarray(value, dtype=np.float64), 1.0))


def _if_rows(table: Contingency, value: Number) -> Number:
    return scalar(np.asarray(value, dtype=np.float64)) if table.n else np.nan


MUTUAL_INFORMATION = _of_groups(
    compute=lambda table: _if_rows(table, mutual_information(table)),
    key="mutual_information",
    high=np.inf,
    unit="nats",
)

NMI_ARITHMETIC = _of_groups(
    compute=lambda table: _at_most_one(ratio(mutual_information(table), _mean_entropy(table))),
    key="nmi_arithmetic",
)

AMI_ARITHMETIC = _of_groups(compute=adjusted_information, key="ami_arithmetic", low=-np.inf)

VARIATION_OF_INFORMATION = _of_groups(
    compute=lambda table: _if_rows(
        table, agreement.entropy_given_clusters(table) + agreement.entropy_given_classes(table)
    ),
    key="variation_of_information",
    high=np.inf,
    better=Better.LOWER,
    unit="nats",
)

HOMOGENEITY = _of_groups(compute=homogeneity, key="homogeneity")
COMPLETENESS = _of_groups(compute=completeness, key="completeness")
V_MEASURE = _of_groups(compute=v_measure, key="v_measure")


_ROUNDING = 1e-12
"""Values that differ by less, for their size, count as equal."""


@dataclass(frozen=True)
class Chance:
    """What an agreement would be if the rows were dealt to the clusters at random.

    A share `level` of the draws lies from `low` to `high`. The p value is how often chance does as
    well as the data or better, the data counted as a draw; NaN where the agreement is undefined.
    """

    mean: float
    low: float
    high: float
    level: float
    p_value: float
    draws: int


def chance(
    metric: Metric,
    table: Contingency,
    rng: np.random.Generator,
    *,
    draws: int = 1000,
    level: float = 0.95,
) -> Chance:
    """Compare a metric of agreement with its values on tables that chance gives, sizes kept.

    Draws without a value count as worse than the data and are left out of mean and range.
    Source: Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical
    Applications in Genetics and Molecular Biology 9(1).
    """
    parts = [np.atleast_1d(metric(part)) for part in agreement.permuted(table, draws, rng)]
    values = np.concatenate(parts).astype(np.float64)
    finite = values[np.isfinite(values)]
    ends = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(finite, ends) if len(finite) else (np.nan, np.nan)
    return Chance(
        mean=float(finite.mean()) if len(finite) else np.nan,
        low=float(low),
        high=float(high),
        level=level,
        p_value=_p_value(float(metric(table)), values, metric.better),
        draws=draws,
    )


def _p_value(observed: float, values: Floats, better: Better) -> float:
    if np.isnan(observed):
        return np.nan
    sign = -1 if better is Better.LOWER else 1
    slack = _ROUNDING * max(1.0, abs(observed))
    as_good = np.count_nonzero(sign * values >= sign * observed - slack)
    return float((1 + as_good) / (1 + len(values)))
