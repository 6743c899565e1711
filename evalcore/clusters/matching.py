"""Which cluster stands for which class: the pairing, one to one, that most rows agree with."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from evalcore.outcomes import Floats, frozen
from evalcore.tables.contingency import Contingency, Places, Whole


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
