"""The bootstrap of what depends on the order of rows: medians and correlations of ranks."""

from dataclasses import replace

import numpy as np

from evalcore.outcomes import Floats
from evalcore.resampling.grouped import Resamples

_AT_ONCE = 250
"""Resamples whose rows are held at once, which bounds the memory."""


def drawn_medians(values: Floats, resamples: Resamples) -> Floats:
    """Return the (B,) medians of (n,) values over resamples of their rows.

    >>> draws = Resamples.of(3, None, np.random.default_rng(0), 50)
    >>> np.unique(drawn_medians(np.array([4.0, 1.0, 9.0]), draws))
    array([1., 4., 9.])
    """
    distinct, code = np.unique(values, return_inverse=True)
    upto = resamples.counts(code, len(distinct)).cumsum(axis=1)
    half = upto[:, -1:] / 2
    lower, upper = ((upto < half).sum(axis=1), (upto <= half).sum(axis=1))
    medians: Floats = (distinct[lower] + distinct[upper]) / 2
    return medians


def drawn_rank_correlations(truth: Floats, prediction: Floats, resamples: Resamples) -> Floats:
    """Return Spearman's correlation of (n,) values over resamples, (B,); NaN of equal values.

    Equal values share their mean rank, rows drawn twice among them.
    """
    parts = range(0, len(resamples.times), _AT_ONCE)
    drawn = [replace(resamples, times=resamples.times[at : at + _AT_ONCE]) for at in parts]
    return np.concatenate([_correlations(truth, prediction, part) for part in drawn])


def _correlations(truth: Floats, prediction: Floats, resamples: Resamples) -> Floats:
    times = resamples.counts(np.arange(len(truth)), len(truth))
    first, second = (_ranks(values, times, resamples) for values in (truth, prediction))
    spread = (times * first**2).sum(axis=1) * (times * second**2).sum(axis=1)
    both = (times * first * second).sum(axis=1)
    flat = np.full(len(both), np.nan)
    found: Floats = np.divide(both, np.sqrt(spread), out=flat, where=spread > 0)
    return np.clip(found, -1, 1)


def _ranks(values: Floats, times: Floats, resamples: Resamples) -> Floats:
    """Return (B, n) ranks less their mean, but for a constant."""
    distinct, code = np.unique(values, return_inverse=True)
    counts = resamples.counts(code, len(distinct))
    middle = (counts.cumsum(axis=1) - counts / 2)[:, code]
    # The mean of all places is the half of their number; in halves this is exact.
    centred: Floats = middle - times.sum(axis=1, keepdims=True) / 2
    return centred
