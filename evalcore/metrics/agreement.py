"""How far a clustering agrees with classes or another clustering: in pairs, rows and information.

A pair counts as positive when both rows are of one class, and as called positive when both are in
one cluster, so that each number of pairs is one of the numbers of a yes-or-no decision.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from evalcore.clustering import agreement
from evalcore.clustering.agreement import entropy, mutual_information
from evalcore.metrics.metric import NO_PARAMETERS, OF_GROUPS, Better, Family, Metric, ratio, scalar
from evalcore.metrics.rates import F1, FN, FP, PRECISION, RECALL, TN, TP
from evalcore.metrics.sources import cite
from evalcore.metrics.summaries import ACCURACY, COHEN_KAPPA, FOWLKES_MALLOWS
from evalcore.outcomes import Floats, Number, Places
from evalcore.tables.contingency import Contingency, Whole


def _of_pairs(of_rows: Metric, **declaration: Any) -> Metric:
    """Declare a metric of decisions for pairs: same formula, range and unit."""
    return replace(
        of_rows,
        **{
            "family": Family.AGREEMENT,
            "needs": Contingency,
            "compute": lambda table: of_rows.compute(table.pairs()),
            "interval": OF_GROUPS,
            "over_classes": None,
            "parameters": NO_PARAMETERS,
            "name": "",
            "misleads": "",
            **declaration,
        },
    )


RAND_INDEX = _of_pairs(
    ACCURACY,
    key="rand_index",
    summary="The share of pairs of rows on which class and cluster agree: together or apart.",
    source=cite("Rand (1971)"),
    undefined_when="there are fewer than two rows",
    synonyms=("RI", "simple matching of pairs"),
    misleads="With many clusters nearly all pairs are apart, and it is near 1 even by chance.",
)

ADJUSTED_RAND_INDEX = _of_pairs(
    COHEN_KAPPA,
    key="adjusted_rand_index",
    name="Adjusted Rand index",
    summary="The Rand index on a scale where chance gives 0 on average and full agreement 1.",
    low=-0.5,
    source=cite("Hubert and Arabie (1985)"),
    undefined_when="both put all rows into one group, or both leave every row alone",
    synonyms=("ARI", "Cohen's kappa of the pairs"),
    misleads="Large groups hold most pairs and so decide it; scikit-learn shows 1 where it is "
    "undefined.",
)

FOWLKES_MALLOWS_PAIRS = _of_pairs(
    FOWLKES_MALLOWS,
    key="fowlkes_mallows",
    name="Fowlkes-Mallows index",
    summary="The geometric mean of the precision and the recall of pairs.",
    undefined_when="no two rows share a class, or no two share a cluster",
    synonyms=("FM index", "FMI"),
    misleads="Putting all rows into one cluster scores well when classes are few; scikit-learn "
    "shows 0 where it is undefined.",
)

PAIR_PRECISION = _of_pairs(
    PRECISION,
    key="pair_precision",
    summary="Of the pairs of rows in one cluster, the share that is of one class.",
    source=cite("Amigó, Gonzalo, Artiles and Verdejo (2009)"),
    undefined_when="no two rows share a cluster",
    synonyms=("pairwise precision", "positive predictive value of pairs"),
)

PAIR_RECALL = _of_pairs(
    RECALL,
    key="pair_recall",
    summary="Of the pairs of rows of one class, the share that is in one cluster.",
    source=cite("Amigó, Gonzalo, Artiles and Verdejo (2009)"),
    undefined_when="no two rows share a class",
    synonyms=("pairwise recall", "sensitivity of pairs"),
    misleads="Putting all rows into one cluster gives 1.",
)

PAIR_F1 = _of_pairs(
    F1,
    key="pair_f1",
    name="Pair F1",
    summary="The harmonic mean of the precision and the recall of pairs.",
    source=cite("van Rijsbergen (1979)"),
    undefined_when="no two rows share a class or a cluster",
    synonyms=("pairwise F measure", "Dice coefficient of pairs"),
)


_count = partial(_of_pairs, source=cite("Hubert and Arabie (1985)"))

PAIRS_TOGETHER = _count(
    TP,
    key="pairs_together",
    name="Pairs together in both",
    summary="Pairs of rows of one class and in one cluster.",
    synonyms=("N11",),
)

PAIRS_CLASS_ONLY = _count(
    FN,
    key="pairs_class_only",
    name="Pairs together in class only",
    summary="Pairs of rows of one class that lie in different clusters.",
    synonyms=("N10",),
)

PAIRS_CLUSTER_ONLY = _count(
    FP,
    key="pairs_cluster_only",
    name="Pairs together in cluster only",
    summary="Pairs of rows in one cluster that are of different classes.",
    synonyms=("N01",),
)

PAIRS_APART = _count(
    TN,
    key="pairs_apart",
    name="Pairs apart in both",
    summary="Pairs of rows of different classes and in different clusters.",
    synonyms=("N00",),
)


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
    key="purity",
    compute=lambda table: ratio(_largest(table.cells, table.column), table.n),
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
    compute=lambda table: ratio(agreement.matched_rows(table), table.n),
    summary="The accuracy when clusters are paired with classes, one to one, as well as can be.",
    formula=r"\max_\pi \frac{1}{n} \sum_j n_{\pi(j) j}",
    source=cite("Kuhn (1955)"),
    synonyms=("clustering accuracy", "ACC", "Hungarian accuracy"),
    misleads="Rows of clusters beyond the number of classes all count as wrong.",
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
    summary="How much knowing the cluster lessens the uncertainty about the class.",
    formula=r"\sum_{ij} \frac{n_{ij}}{n} \ln \frac{n \, n_{ij}}{a_i b_j}",
    high=np.inf,
    source=cite("Shannon (1948)"),
    synonyms=("MI", "information gain"),
    misleads="It grows with the number of clusters, by chance alone too.",
    unit="nats",
)

NMI_ARITHMETIC = _of_groups(
    compute=lambda table: _at_most_one(ratio(mutual_information(table), _mean_entropy(table))),
    key="nmi_arithmetic",
    name="Normalised mutual information",
    summary="Mutual information over the mean entropy of class and cluster: 0 none, 1 the same.",
    formula=r"\frac{2 I}{H(class) + H(cluster)}",
    source=cite("Vinh, Epps and Bailey (2010)"),
    undefined_when="all rows are of one class and in one cluster",
    synonyms=("NMI", "arithmetic NMI"),
    misleads="Not 0 by chance, and other programs divide by another mean of the entropies; "
    "scikit-learn shows 1 where it is undefined.",
)

AMI_ARITHMETIC = _of_groups(
    compute=adjusted_information,
    key="ami_arithmetic",
    name="Adjusted mutual information",
    summary="Mutual information on a scale where chance gives 0 on average and full agreement 1.",
    formula=r"\frac{I - E[I]}{(H(class) + H(cluster))/2 - E[I]}",
    low=-np.inf,
    source=cite("Vinh, Epps and Bailey (2010)"),
    undefined_when="both put all rows into one group, or both leave every row alone",
    synonyms=("AMI", "arithmetic AMI"),
    misleads="Other programs divide by the larger of the entropies; scikit-learn shows 1 where it "
    "is undefined.",
)

VARIATION_OF_INFORMATION = _of_groups(
    compute=lambda table: _if_rows(
        table, agreement.entropy_given_clusters(table) + agreement.entropy_given_classes(table)
    ),
    key="variation_of_information",
    summary="What class and cluster leave unknown of each other: a distance, 0 for the same.",
    formula=r"H(class \mid cluster) + H(cluster \mid class)",
    high=np.inf,
    better=Better.LOWER,
    source=cite("Meilă (2007)"),
    synonyms=("VI", "shared information distance"),
    misleads="It can reach the logarithm of the number of rows, so sizes matter in comparisons.",
    unit="nats",
)

HOMOGENEITY = _of_groups(
    compute=homogeneity,
    key="homogeneity",
    summary="How far each cluster holds rows of one class only.",
    formula=r"\frac{I}{H(class)}",
    source=cite("Rosenberg and Hirschberg (2007)"),
    misleads="Every row in a cluster of its own gives 1.",
)

COMPLETENESS = _of_groups(
    compute=completeness,
    key="completeness",
    summary="How far the rows of each class lie in one cluster.",
    formula=r"\frac{I}{H(cluster)}",
    source=cite("Rosenberg and Hirschberg (2007)"),
    misleads="All rows in one cluster gives 1.",
)

V_MEASURE = _of_groups(
    compute=v_measure,
    key="v_measure",
    name="V-measure",
    summary="The harmonic mean of homogeneity and completeness.",
    formula=r"\frac{2 h c}{h + c}",
    source=cite("Rosenberg and Hirschberg (2007)"),
    undefined_when="homogeneity and completeness are both 0",
    synonyms=("V", "normalised mutual information"),
    misleads="Not 0 by chance; scikit-learn shows 0 where it is undefined.",
)


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
