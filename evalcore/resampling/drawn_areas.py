"""Areas under both curves for many resamples of one model's scores at once."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.outcomes import Floats


def roc_areas(tp: Floats, fp: Floats) -> Floats:
    """Return (B,) areas of (B, m) running counts; NaN where a draw lacks a class.

    >>> roc_areas(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0]]))
    array([0.75])
    """
    before = np.concatenate([np.zeros((len(tp), 1)), tp[:, :-1]], axis=1)
    twice = np.einsum("bm,bm->b", np.diff(fp, axis=1, prepend=0.0), tp + before)
    return _quotient(twice / 2, tp[:, -1] * fp[:, -1])


def average_precisions(tp: Floats, fp: Floats) -> Floats:
    """Return (B,) average precisions of (B, m) running counts; NaN without positives.

    >>> average_precisions(np.array([[1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 1.0]]))
    array([0.83333333])
    """
    called = tp + fp
    precision = np.divide(tp, called, out=np.zeros_like(tp), where=called > 0)
    total = np.einsum("bm,bm->b", np.diff(tp, axis=1, prepend=0.0), precision)
    return _quotient(total, tp[:, -1])


def _quotient(part: Floats, whole: Floats) -> Floats:
    quotient = np.full(len(part), np.nan)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


DRAWN: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {
        "roc_auc": roc_areas,
        "gini": lambda tp, fp: 2 * roc_areas(tp, fp) - 1,
        "average_precision": average_precisions,
    }
)
"""The metrics that need no loop over the draws, by key."""
