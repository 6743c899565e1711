"""Agreement in rows: how many lie where their cluster, or their class, mostly lies."""

from functools import partial

import numpy as np

from evalcore.clusters.matching import matched_rows
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio
from evalcore.outcomes import Floats
from evalcore.tables.contingency import Contingency, Places, Whole

_ZHAO_KARYPIS = Source(
    "Zhao and Karypis (2004), Empirical and theoretical comparisons of selected criterion "
    "functions for document clustering, Machine Learning 55",
    "https://doi.org/10.1023/B:MACH.0000027785.44527.d6",
)


def purity(table: Contingency) -> Number:
    """Return the share of rows that are of the most frequent class of their cluster.

    >>> truth, cluster = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    >>> purity(Contingency.from_codes(truth, cluster, ("x", "y"), ("1", "2")))
    0.75
    """
    return ratio(_largest(table.cells, table.column), table.n)


def inverse_purity(table: Contingency) -> Number:
    """Return the share of rows that are in the most frequent cluster of their class.

    >>> truth, cluster = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0])
    >>> inverse_purity(Contingency.from_codes(truth, cluster, ("x", "y"), ("1",)))
    1.0
    """
    return ratio(_largest(table.cells, table.row), table.n)


def best_match_accuracy(table: Contingency) -> Number:
    """Return the share of rows called right when each cluster stands for one class at most.

    >>> truth, cluster = np.array([0, 0, 1, 1]), np.array([1, 1, 0, 2])
    >>> best_match_accuracy(Contingency.from_codes(truth, cluster, ("x", "y"), ("1", "2", "3")))
    0.75
    """
    return ratio(matched_rows(table), table.n)


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
    interval=IntervalBy.NONE,
    low=0,
    high=1,
    better=Better.HIGHER,
    undefined_when="there are no rows",
    unit="share",
)

PURITY = _share_of_rows(
    key="purity",
    name="Purity",
    compute=purity,
    summary="The share of rows that are of the most frequent class of their cluster.",
    formula=r"\frac{1}{n} \sum_j \max_i n_{ij}",
    source=_ZHAO_KARYPIS,
    misleads="More clusters give more purity; every row in a cluster of its own gives 1.",
)

INVERSE_PURITY = _share_of_rows(
    key="inverse_purity",
    name="Inverse purity",
    compute=inverse_purity,
    summary="The share of rows that are in the most frequent cluster of their class.",
    formula=r"\frac{1}{n} \sum_i \max_j n_{ij}",
    source=_ZHAO_KARYPIS,
    synonyms=("class coverage",),
    misleads="All rows in one cluster gives 1.",
)

BEST_MATCH_ACCURACY = _share_of_rows(
    key="best_match_accuracy",
    name="Best-match accuracy",
    compute=best_match_accuracy,
    summary="The accuracy when clusters are paired with classes, one to one, as well as can be.",
    formula=r"\max_\pi \frac{1}{n} \sum_j n_{\pi(j) j}",
    source=Source(
        "Kuhn (1955), The Hungarian method for the assignment problem, Naval Research Logistics "
        "Quarterly 2",
        "https://doi.org/10.1002/nav.3800020109",
    ),
    synonyms=("clustering accuracy", "ACC", "Hungarian accuracy"),
    misleads="Rows of clusters beyond the number of classes all count as wrong.",
)
