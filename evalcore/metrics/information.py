"""Agreement as information: how much of the class the cluster tells, and the other way round."""

from functools import partial

import numpy as np

from evalcore.clustering.agreement import (
    entropy,
    entropy_given_classes,
    entropy_given_clusters,
    expected_information,
    mutual_information,
)
from evalcore.metrics.metric import OF_GROUPS, Better, Family, Metric, ratio, scalar
from evalcore.metrics.sources import cite
from evalcore.outcomes import Number
from evalcore.tables.contingency import Contingency


def adjusted_information(table: Contingency) -> Number:
    """Return the normalised information on a scale where chance gives 0 on average.

    >>> codes = np.array([0, 0, 1, 1])
    >>> adjusted_information(Contingency.from_codes(codes, 1 - codes, ("x", "y"), ("1", "2")))
    1.0
    """
    by_chance = expected_information(table)
    # Two groupings of one shape leave chance no room: 0 / 0, which rounding would hide.
    room = np.nan if _leaves_no_room(table) else _mean_entropy(table) - by_chance
    return _at_most_one(ratio(mutual_information(table) - by_chance, room))


def variation_of_information(table: Contingency) -> Number:
    """Return what each grouping leaves unknown of the other, summed.

    >>> codes = np.array([0, 0, 1, 1])
    >>> variation_of_information(Contingency.from_codes(codes, codes, ("x", "y"), ("1", "2")))
    0.0
    """
    left = entropy_given_clusters(table) + entropy_given_classes(table)
    return _if_rows(table, left)


def homogeneity(table: Contingency) -> Number:
    """Return the share of the class's entropy that the cluster removes; 1 for one class.

    >>> truth, cluster = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2])
    >>> homogeneity(Contingency.from_codes(truth, cluster, ("x", "y"), ("1", "2", "3")))
    1.0
    """
    return _share(table, entropy(table.class_sizes))


def completeness(table: Contingency) -> Number:
    """Return the share of the cluster's entropy that the class removes; 1 for one cluster.

    >>> truth, cluster = np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1])
    >>> completeness(Contingency.from_codes(truth, cluster, ("x", "y", "z"), ("1", "2")))
    1.0
    """
    return _share(table, entropy(table.cluster_sizes))


def v_measure(table: Contingency) -> Number:
    """Return the harmonic mean of homogeneity and completeness."""
    of_class, of_cluster = homogeneity(table), completeness(table)
    return _at_most_one(ratio(2 * of_class * of_cluster, of_class + of_cluster))


def _share(table: Contingency, whole: float) -> Number:
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


_information = partial(Metric, family=Family.AGREEMENT, needs=Contingency, interval=OF_GROUPS)

MUTUAL_INFORMATION = _information(
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

NMI_ARITHMETIC = _information(
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

AMI_ARITHMETIC = _information(
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

VARIATION_OF_INFORMATION = _information(
    compute=variation_of_information,
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

HOMOGENEITY = _information(
    compute=homogeneity,
    key="homogeneity",
    summary="How far each cluster holds rows of one class only.",
    formula=r"\frac{I}{H(class)}",
    source=cite("Rosenberg and Hirschberg (2007)"),
    misleads="Every row in a cluster of its own gives 1.",
)

COMPLETENESS = _information(
    compute=completeness,
    key="completeness",
    summary="How far the rows of each class lie in one cluster.",
    formula=r"\frac{I}{H(cluster)}",
    source=cite("Rosenberg and Hirschberg (2007)"),
    misleads="All rows in one cluster gives 1.",
)

V_MEASURE = _information(
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
