"""Agreement of clusters with classes: information, best matching, and what chance gives.

Sources: Meilă (2007), Comparing clusterings, Journal of Multivariate Analysis 98(5); Vinh, Epps and
Bailey (2010), Journal of Machine Learning Research 11.

Shuffling the cluster of every row gives tables whose sizes are those of the data and whose cells
are hypergeometric; they are drawn cell by cell, which costs the same for any number of rows.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Clustering, Floats, Places, data_rows, frozen
from evalcore.tables.contingency import Contingency, Whole

Sizes = tuple[tuple[int, int], ...]


def entropy(sizes: Whole) -> float:
    """Return how uncertain the group of a random row is, from (K,) group sizes."""
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


def best_match(table: Contingency) -> Places:
    """Return (C,) the class that each cluster is paired with, -1 where it stays alone.

    Source: Kuhn (1955), The Hungarian method for the assignment problem, Naval Research Logistics
    Quarterly 2.

    >>> truth, cluster = np.array([0, 0, 1]), np.array([1, 1, 0])
    >>> best_match(Contingency.from_codes(truth, cluster, ("x", "y"), ("1", "2"))).tolist()
    [1, 0]
    """
    partner = np.full(len(table.clusters), -1, dtype=np.intp)
    pairs = _paired(table, table.cells)
    partner[table.column[pairs]] = table.row[pairs]
    return frozen(partner)


def matched_rows(table: Contingency) -> Floats:
    """Return (...) how many rows lie in the class that their cluster is paired with."""
    *tables, cells = table.cells.shape
    batch = table.cells.reshape(prod(tables), cells)
    matched = [one[_paired(table, one)].sum() for one in batch]
    return np.array(matched, dtype=np.float64).reshape(tables)


def _paired(table: Contingency, cells: Whole) -> NDArray[np.bool_]:
    """Return (m,) whether the class and the cluster of a cell are a pair.

    Only cells that hold rows are looked at, so that many clusters take little room. Every class
    also has a place of its own beside the clusters, where it may stay alone at no gain.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    held = np.flatnonzero(cells)
    paired = np.zeros(len(cells), dtype=np.bool_)
    if not len(held):
        return paired
    classes, clusters = len(table.classes), len(table.clusters)
    row = np.append(table.row[held], np.arange(classes))
    column = np.append(table.column[held], clusters + np.arange(classes))
    # A weight of zero would be no edge; the same amount added to every edge changes no choice.
    cost = cells.max() + 1.0 - np.append(cells[held], np.zeros(classes))
    graph = csr_array((cost, (row, column)), shape=(classes, clusters + classes))
    _, partner = min_weight_full_bipartite_matching(graph)
    paired[held] = partner[table.row[held]] == table.column[held]
    return paired


_AT_ONCE = 1 << 20
"""Cells drawn in one go."""

_FEW = 80_000
"""With fewer rows than this, or than 20 per cell, shuffling them is the quicker way."""

_MOST_ROWS = 10**9
"""numpy draws hypergeometric numbers from fewer rows than this."""


def permuted(table: Contingency, draws: int, rng: np.random.Generator) -> Iterator[Contingency]:
    """Yield tables that chance would give, `draws` in all, many in one where cells are few.

    Raises:
        EvalError: The table holds a billion rows or more.
    """
    if table.n >= _MOST_ROWS:
        raise EvalError("too-many-rows", "Chance can be computed for fewer than a billion rows.")
    grid = len(table.classes) * len(table.clusters)
    if 20 * grid > max(table.n, _FEW):
        yield from (_shuffled(table, rng) for _ in range(draws))
        return
    at_once = max(1, _AT_ONCE // max(grid, 1))
    for start in range(0, draws, at_once):
        yield _dealt(table, min(at_once, draws - start), rng)


def _shuffled(table: Contingency, rng: np.random.Generator) -> Contingency:
    truth, cluster = np.repeat(table.row, table.cells), np.repeat(table.column, table.cells)
    return Contingency.from_codes(truth, rng.permutation(cluster), table.classes, table.clusters)


def _dealt(table: Contingency, draws: int, rng: np.random.Generator) -> Contingency:
    """Deal the rows of each cluster to the classes, one class after the other."""
    counts = np.zeros((draws, len(table.classes), len(table.clusters)), dtype=np.int64)
    left = np.tile(table.class_sizes, (draws, 1))
    for column, size in enumerate(table.cluster_sizes):
        wanted = np.full(draws, size)
        others = left.sum(axis=1)
        for row in range(len(table.classes)):
            others = others - left[:, row]
            counts[:, row, column] = rng.hypergeometric(left[:, row], others, wanted)
            wanted -= counts[:, row, column]
        left -= counts[:, :, column]
    rows, columns = np.indices(counts.shape[1:]).reshape(2, -1)
    return Contingency(table.classes, table.clusters, rows, columns, counts.reshape(draws, -1))


def between(first: Clustering, second: Clustering) -> Contingency:
    """Count the groups of the first (as classes) in those of the second, on rows of both.

    Points that are noise in either are left out.
    """
    one, other = (data_rows(each, np.arange(each.n)) for each in (first, second))
    _, here, there = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    groups = first.cluster[here], second.cluster[there]
    count = first.count[here] if first.count is not None else second.count
    held = count if count is None or first.count is not None else count[there]
    return Contingency.from_codes(*groups, first.names, second.names, held)
