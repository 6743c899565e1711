"""Numbers of one model over many resamples of its rows at once: sums, medians, ranks, areas."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.outcomes import Codes, Floats
from evalcore.resampling.grouped import Resamples, Rows
from evalcore.tables.blocks import blocks
from evalcore.tables.ranks import Pairs
from evalcore.tables.residuals import Centre, ResidualMoments, row_terms
from evalcore.tables.weights import quotient

_AT_ONCE = 250
"""Resamples whose rows are held at once, which bounds the memory."""

_EXACT = 1 << 24
"""With fewer rows, their number is one that float32 holds."""


def drawn_moments(
    truth: Floats, prediction: Floats, weight: Floats | None, resamples: Resamples
) -> ResidualMoments:
    """Return the table of (n,) values over resamples of their rows, (B,) draws of each number.

    >>> truth = np.arange(50.0)
    >>> draws = Resamples.of(50, None, np.random.default_rng(0), 200)
    >>> drawn_moments(truth, truth + 1, None, draws).mean_error.shape
    (200,)
    """
    centre = Centre.of(truth, prediction, weight)

    def terms(rows: Rows) -> Floats:
        return row_terms(truth[rows], prediction[rows], centre)

    sums = resamples.sums(terms).T
    return ResidualMoments.from_sums(resamples.n, sums, centre)


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
    drawn = [_correlations(truth, prediction, part) for part in _parts(resamples)]
    return np.concatenate(drawn)


def _parts(resamples: Resamples) -> Iterator[Resamples]:
    """Cut the draws into as many as are held at once."""
    for at in blocks(len(resamples.times), _AT_ONCE):
        yield replace(resamples, times=resamples.times[at])


def _correlations(truth: Floats, prediction: Floats, resamples: Resamples) -> Floats:
    times = resamples.counts(np.arange(len(truth)), len(truth))
    first, second = (_ranks(values, times, resamples) for values in (truth, prediction))
    spread = (times * first**2).sum(axis=1) * (times * second**2).sum(axis=1)
    both = (times * first * second).sum(axis=1)
    return np.clip(quotient(both, np.sqrt(spread)), -1, 1)


def _ranks(values: Floats, times: Floats, resamples: Resamples) -> Floats:
    """Return (B, n) ranks less their mean, but for a constant."""
    distinct, code = np.unique(values, return_inverse=True)
    counts = resamples.counts(code, len(distinct))
    middle = (counts.cumsum(axis=1) - counts / 2)[:, code]
    # The mean of all places is the half of their number; in halves this is exact.
    centred: Floats = middle - times.sum(axis=1, keepdims=True) / 2
    return centred


def drawn_pairs(truth: Floats, prediction: Floats, resamples: Resamples) -> Pairs:
    """Return how (n,) values order the pairs of rows of each resample, (B,) of each number.

    A row drawn twice is a pair tied in both. Time and memory grow with the square of n.

    >>> draws = Resamples.of(3, None, np.random.default_rng(0), 50)
    >>> pairs = drawn_pairs(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), draws)
    >>> np.unique(pairs.discordant), np.unique(pairs.concordant)
    (array([0.]), array([0., 2., 3.]))
    """
    first, second = (np.unique(values, return_inverse=True)[1] for values in (truth, prediction))
    both = np.unique(first * (second.max(initial=0) + 1) + second, return_inverse=True)[1]
    total = resamples.n * (resamples.n - 1) / 2
    tied = [_tied(codes, resamples) for codes in (first, second, both)]
    surplus = _surplus(first, second, resamples)
    return Pairs(total, (total - tied[0] - tied[1] + tied[2] - surplus) / 2, *tied)


def _tied(codes: Codes, resamples: Resamples) -> Floats:
    counts = resamples.counts(codes, int(codes.max(initial=0)) + 1)
    pairs: Floats = (counts * (counts - 1)).sum(axis=1) / 2
    return pairs


def _surplus(first: Codes, second: Codes, resamples: Resamples) -> Floats:
    """Return (B,) pairs that both order alike less those that they order differently."""
    n = len(first)
    exact = resamples.weight is None and resamples.n.max(initial=0.0) < _EXACT
    kind = np.float32 if exact else np.float64
    signs = np.sign(first[:, np.newaxis] - first) * np.sign(second[:, np.newaxis] - second)
    signs = signs.astype(kind)
    found = []
    for part in _parts(resamples):
        times = part.counts(np.arange(n), n)
        found.append((times * (times.astype(kind) @ signs)).sum(axis=1) / 2)
    return np.concatenate(found)


def drawn_roc_areas(tp: Floats, fp: Floats) -> Floats:
    """Return (B,) areas of (B, m) running counts; NaN where a draw lacks a class.

    >>> drawn_roc_areas(np.array([[1.0, 2.0]]), np.array([[0.0, 1.0]]))
    array([0.75])
    """
    before = np.concatenate([np.zeros((len(tp), 1)), tp[:, :-1]], axis=1)
    twice = np.einsum("bm,bm->b", np.diff(fp, axis=1, prepend=0.0), tp + before)
    return quotient(twice / 2, tp[:, -1] * fp[:, -1])


def drawn_average_precisions(tp: Floats, fp: Floats) -> Floats:
    """Return (B,) average precisions of (B, m) running counts; NaN without positives.

    >>> drawn_average_precisions(np.array([[1.0, 1.0, 2.0]]), np.array([[0.0, 1.0, 1.0]]))
    array([0.83333333])
    """
    precision = quotient(tp, tp + fp, empty=0.0)
    total = np.einsum("bm,bm->b", np.diff(tp, axis=1, prepend=0.0), precision)
    return quotient(total, tp[:, -1])


DRAWN_AREAS: Mapping[str, Callable[[Floats, Floats], Floats]] = MappingProxyType(
    {
        "roc_auc": drawn_roc_areas,
        "gini": lambda tp, fp: 2 * drawn_roc_areas(tp, fp) - 1,
        "average_precision": drawn_average_precisions,
    }
)
"""The metrics that need no loop over the draws, by key."""
