"""Two clusterings of the same points, held against each other."""

import numpy as np

from evalcore.outcomes import Clustering, Codes
from evalcore.tables.contingency import Contingency


def between(first: Clustering, second: Clustering) -> Contingency:
    """Count the groups of the first (as classes) in those of the second, on rows of both.

    Points that are noise in either are left out.

    >>> a = Clustering(names=("x", "y"), cluster=np.array([0, 0, 1]))
    >>> b = Clustering(names=("p", "q"), cluster=np.array([1, 0]), rows=np.array([2, 3]))
    >>> between(a, b).counts
    array([[0, 1],
           [1, 0]])
    """
    rows = max(_last_row(first), _last_row(second))
    classes, clusters = _by_row(first, rows), _by_row(second, rows)
    return Contingency.from_codes(classes, clusters, first.names, second.names)


def _last_row(clustering: Clustering) -> int:
    if clustering.rows is None:
        return clustering.n
    return int(clustering.rows.max(initial=0))


def _by_row(clustering: Clustering, rows: int) -> Codes:
    """Return (rows,) the code of every row of the file; -1 where there is none."""
    codes = np.full(rows, -1, dtype=np.int64)
    places = np.arange(clustering.n) if clustering.rows is None else clustering.rows - 1
    codes[places] = clustering.cluster
    return codes
