"""Pooling neighbours until shares rise: isotonic regression of counts."""

import numpy as np

from evalcore.outcomes import Floats


def pooled(positive: Floats, rows: Floats) -> Floats:
    """Return the rising shares that fit (m,) positives of (m,) rows best, by squared distance.

    >>> pooled(np.array([1.0, 0.0, 2.0]), np.array([1.0, 1.0, 2.0])).tolist()
    [0.5, 0.5, 1.0]
    """
    from scipy.optimize import isotonic_regression

    if not len(rows):
        return np.empty(0)
    fit: Floats = isotonic_regression(positive / rows, weights=rows).x
    return fit
