"""What classes and clusters tell of each other, in nats.

Sources: Meilă (2007), Comparing clusterings, Journal of Multivariate Analysis 98(5); Vinh, Epps and
Bailey (2010), Journal of Machine Learning Research 11.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.contingency import Contingency, Whole

Sizes = tuple[tuple[int, int], ...]


def entropy(sizes: Whole) -> float:
    """Return how uncertain the group of a random row is, from (K,) group sizes.

    >>> round(entropy(np.array([2, 2])), 6)
    0.693147
    """
    sizes = sizes[sizes > 0]
    total = sizes.sum()
    return float((sizes / total * np.log(total / sizes)).sum())


def mutual_information(table: Contingency) -> Floats:
    """Return (...) how much of that uncertainty the other grouping removes; exactly 0 for none."""
    n = float(table.n)
    by_chance = table.class_sizes[table.row] * table.cluster_sizes[table.column].astype(np.float64)
    return _weighted_log(table.cells, n * table.cells, by_chance, n)


def entropy_given_clusters(table: Contingency) -> Floats:
    """Return (...) the uncertainty of the class once the cluster is known; exactly 0 for none."""
    return _weighted_log(
        table.cells, table.cluster_sizes[table.column], table.cells, float(table.n)
    )


def entropy_given_classes(table: Contingency) -> Floats:
    """Return (...) the uncertainty of the cluster once the class is known; exactly 0 for none."""
    return _weighted_log(table.cells, table.class_sizes[table.row], table.cells, float(table.n))


def _weighted_log(cells: Whole, above: NDArray[Any], below: NDArray[Any], n: float) -> Floats:
    """Return the sum over cells of share x log(above / below); an empty cell adds nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = cells / n * np.log(above / below)
    total: Floats = np.where(cells > 0, terms, 0.0).sum(axis=-1)
    return total


def expected_information(table: Contingency) -> float:
    """Return the mean mutual information over all ways to deal the rows, group sizes kept.

    Equal sizes are taken together and each cell is summed only where it has any weight, so that
    ten thousand clusters or a billion rows take no longer than a moment.
    """
    return _expected(_by_size(table.class_sizes), _by_size(table.cluster_sizes))


def _by_size(sizes: Whole) -> Sizes:
    """Return each size of a group that is not empty, and how many groups have it."""
    size, groups = np.unique(sizes[sizes > 0], return_counts=True)
    return tuple(zip(size.tolist(), groups.tolist(), strict=True))


@lru_cache(maxsize=8)
def _expected(classes: Sizes, clusters: Sizes) -> float:
    # Kept, since every table that chance deals has the sizes of the first.
    n = sum(size * groups for size, groups in classes)
    return sum(
        times_a * times_b * _expected_cell(a, b, n)
        for a, times_a in classes
        for b, times_b in clusters
    )


def _expected_cell(a: int, b: int, n: int) -> float:
    """Return the mean of x/n log(n x / (a b)) over a hypergeometric x: a of n drawn, b marked."""
    mean = a * b / n
    deviation = np.sqrt(mean * (1 - a / n) * (n - b) / max(n - 1, 1))
    # Farther out than this lies less than 1e-20 of the probability.
    reach = 10 * deviation + 50
    low, high = max(0, a + b - n, int(mean - reach)), min(a, b, int(mean + reach) + 1)
    x = np.arange(low, high + 1, dtype=np.float64)
    steps = (a - x[:-1]) * (b - x[:-1]) / (x[1:] * (n - a - b + x[1:]))
    log_weight = np.concatenate([[0.0], np.cumsum(np.log(steps))])
    weight = np.exp(log_weight - log_weight.max())
    x, weight = x[x > 0], weight[x > 0] / weight.sum()
    return float((weight * x / n * np.log(x / mean)).sum())
