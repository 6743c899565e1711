"""How far a clustering agrees with classes or another clustering, counted in pairs and rows.

A pair counts as positive when both rows are of one class, and as called positive when both are in
one cluster, so that each number here is one of the numbers of a yes-or-no decision.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalcore.clustering.agreement import matched_rows, permuted
from evalcore.metrics.information import (
    AMI_ARITHMETIC,
    COMPLETENESS,
    HOMOGENEITY,
    MUTUAL_INFORMATION,
    NMI_ARITHMETIC,
    V_MEASURE,
    VARIATION_OF_INFORMATION,
)
from evalcore.metrics.metric import OF_GROUPS, Better, Family, Metric, ratio
from evalcore.metrics.rates import F1, PRECISION, RECALL
from evalcore.metrics.sources import cite
from evalcore.metrics.summaries import ACCURACY, COHEN_KAPPA, FOWLKES_MALLOWS
from evalcore.outcomes import Floats, Number, Places
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.contingency import Contingency, Whole


def _of_pairs(compute: Callable[[BinaryCounts], Number], **declaration: Any) -> Metric:
    return Metric(
        family=Family.AGREEMENT,
        needs=Contingency,
        compute=lambda table: compute(table.pairs()),
        interval=OF_GROUPS,
        **declaration,
    )


def _share(metric: Metric, **declaration: Any) -> Metric:
    """Declare a metric of decisions for pairs: same formula, same range."""
    return _of_pairs(
        metric.compute,
        formula=metric.formula,
        **declaration,
    )


RAND_INDEX = _share(
    ACCURACY,
    key="rand_index",
    summary="The share of pairs of rows on which class and cluster agree: together or apart.",
    source=cite("Rand (1971)"),
    undefined_when="there are fewer than two rows",
    synonyms=("RI", "simple matching of pairs"),
    misleads="With many clusters nearly all pairs are apart, and it is near 1 even by chance.",
    unit="share",
)

ADJUSTED_RAND_INDEX = _of_pairs(
    COHEN_KAPPA.compute,
    key="adjusted_rand_index",
    name="Adjusted Rand index",
    summary="The Rand index on a scale where chance gives 0 on average and full agreement 1.",
    formula=COHEN_KAPPA.formula,
    low=-0.5,
    source=cite("Hubert and Arabie (1985)"),
    undefined_when="both put all rows into one group, or both leave every row alone",
    synonyms=("ARI", "Cohen's kappa of the pairs"),
    misleads="Large groups hold most pairs and so decide it; scikit-learn shows 1 where it is "
    "undefined.",
)

FOWLKES_MALLOWS_PAIRS = _share(
    FOWLKES_MALLOWS,
    key="fowlkes_mallows",
    name="Fowlkes-Mallows index",
    summary="The geometric mean of the precision and the recall of pairs.",
    source=FOWLKES_MALLOWS.source,
    undefined_when="no two rows share a class, or no two share a cluster",
    synonyms=("FM index", "FMI"),
    misleads="Putting all rows into one cluster scores well when classes are few; scikit-learn "
    "shows 0 where it is undefined.",
)

PAIR_PRECISION = _share(
    PRECISION,
    key="pair_precision",
    summary="Of the pairs of rows in one cluster, the share that is of one class.",
    source=cite("Amigó, Gonzalo, Artiles and Verdejo (2009)"),
    undefined_when="no two rows share a cluster",
    synonyms=("pairwise precision", "positive predictive value of pairs"),
    unit="share",
)

PAIR_RECALL = _share(
    RECALL,
    key="pair_recall",
    summary="Of the pairs of rows of one class, the share that is in one cluster.",
    source=cite("Amigó, Gonzalo, Artiles and Verdejo (2009)"),
    undefined_when="no two rows share a class",
    synonyms=("pairwise recall", "sensitivity of pairs"),
    misleads="Putting all rows into one cluster gives 1.",
    unit="share",
)

PAIR_F1 = _share(
    F1,
    key="pair_f1",
    name="Pair F1",
    summary="The harmonic mean of the precision and the recall of pairs.",
    source=cite("van Rijsbergen (1979)"),
    undefined_when="no two rows share a class or a cluster",
    synonyms=("pairwise F measure", "Dice coefficient of pairs"),
)


def _count(compute: Callable[[BinaryCounts], Number], **declaration: Any) -> Metric:
    return _of_pairs(
        compute,
        high=float("inf"),
        source=cite("Hubert and Arabie (1985)"),
        undefined_when="never",
        unit="count",
        **declaration,
    )


PAIRS_TOGETHER = _count(
    lambda pairs: pairs.tp,
    key="pairs_together",
    name="Pairs together in both",
    summary="Pairs of rows of one class and in one cluster.",
    formula="TP",
    better=Better.HIGHER,
    synonyms=("N11",),
)

PAIRS_CLASS_ONLY = _count(
    lambda pairs: pairs.fn,
    key="pairs_class_only",
    name="Pairs together in class only",
    summary="Pairs of rows of one class that lie in different clusters.",
    formula="FN",
    better=Better.LOWER,
    synonyms=("N10",),
)

PAIRS_CLUSTER_ONLY = _count(
    lambda pairs: pairs.fp,
    key="pairs_cluster_only",
    name="Pairs together in cluster only",
    summary="Pairs of rows in one cluster that are of different classes.",
    formula="FP",
    better=Better.LOWER,
    synonyms=("N01",),
)

PAIRS_APART = _count(
    lambda pairs: pairs.tn,
    key="pairs_apart",
    name="Pairs apart in both",
    summary="Pairs of rows of different classes and in different clusters.",
    formula="TN",
    better=Better.HIGHER,
    synonyms=("N00",),
)


def purity(table: Contingency) -> Number:
    """Return the share of rows that are of the most frequent class of their cluster.

    >>> truth, cluster = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    >>> purity(Contingency.from_codes(truth, cluster, ("x", "y"), ("1", "2")))
    0.75
    """
    return ratio(_largest(table.cells, table.column), table.n)


def _largest(cells: Whole, place: Places) -> Floats:
    """Return the sum over places of the largest of (..., m) cells there."""
    if not len(place):
        return np.zeros(cells.shape[:-1])
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    largest: Floats = np.maximum.reduceat(cells[..., order], starts, axis=-1).sum(axis=-1)
    return largest


_share_of_rows = partial(
    Metric,
    family=Family.AGREEMENT,
    needs=Contingency,
    interval=OF_GROUPS,
    unit="share",
)

PURITY = _share_of_rows(
    key="purity",
    compute=purity,
    summary="The share of rows that are of the most frequent class of their cluster.",
    formula=r"\frac{1}{n} \sum_j \max_i n_{ij}",
    source=cite("Zhao and Karypis (2004)"),
    misleads="More clusters give more purity; every row in a cluster of its own gives 1.",
)

INVERSE_PURITY = _share_of_rows(
    key="inverse_purity",
    compute=lambda table: ratio(_largest(table.cells, table.row), table.n),
    summary="The share of rows that are in the most frequent cluster of their class.",
    formula=r"\frac{1}{n} \sum_i \max_j n_{ij}",
    source=cite("Zhao and Karypis (2004)"),
    synonyms=("class coverage",),
    misleads="All rows in one cluster gives 1.",
)

BEST_MATCH_ACCURACY = _share_of_rows(
    key="best_match_accuracy",
    name="Best-match accuracy",
    compute=lambda table: ratio(matched_rows(table), table.n),
    summary="The accuracy when clusters are paired with classes, one to one, as well as can be.",
    formula=r"\max_\pi \frac{1}{n} \sum_j n_{\pi(j) j}",
    source=cite("Kuhn (1955)"),
    synonyms=("clustering accuracy", "ACC", "Hungarian accuracy"),
    misleads="Rows of clusters beyond the number of classes all count as wrong.",
)


AGREEMENT = (
    ADJUSTED_RAND_INDEX,
    AMI_ARITHMETIC,
    BEST_MATCH_ACCURACY,
    RAND_INDEX,
    FOWLKES_MALLOWS_PAIRS,
    V_MEASURE,
    HOMOGENEITY,
    COMPLETENESS,
    NMI_ARITHMETIC,
    MUTUAL_INFORMATION,
    VARIATION_OF_INFORMATION,
    PURITY,
    INVERSE_PURITY,
    PAIR_PRECISION,
    PAIR_RECALL,
    PAIR_F1,
    PAIRS_TOGETHER,
    PAIRS_CLASS_ONLY,
    PAIRS_CLUSTER_ONLY,
    PAIRS_APART,
)
"""Metrics of a `Contingency`, in reading order; renaming or reordering groups changes none."""

_ROUNDING = 1e-12
"""Values that differ by less, for their size, count as equal."""


@dataclass(frozen=True)
class Chance:
    """What an agreement would be if the rows were dealt to the clusters at random.

    Attributes:
        mean: Mean over the draws.
        low: Lower end of the range that holds a share `level` of the draws.
        high: Upper end of it.
        level: That share.
        p_value: How often chance does as well as the data or better, the data counted as a draw;
            NaN where the agreement is undefined.
        draws: Number of draws.
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

    >>> codes = np.repeat([0, 1], 50)
    >>> table = Contingency.from_codes(codes, codes, ("x", "y"), ("1", "2"))
    >>> chance(ADJUSTED_RAND_INDEX, table, np.random.default_rng(0), draws=999).p_value
    0.001
    """
    parts = [np.atleast_1d(metric(part)) for part in permuted(table, draws, rng)]
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
