"""The H measure: the loss under the convex hull of the ROC curve, averaged over costs.

Functions take score tables with running counts of shape (m,), or (..., m) for bootstrap draws.
"""

from typing import NamedTuple

import numpy as np

from evalcore.metrics.spec import Number, ratio
from evalcore.outcomes import Floats
from evalcore.tables.hull import hull_counts
from evalcore.tables.scores import ScoreTable


class Losses(NamedTuple):
    """The expected loss of the best threshold, in stretches of the cost c of a false positive.

    Attributes:
        bounds: (..., h + 2) falling costs, from 1 to 0, between the h + 1 stretches.
        tp: (..., h + 1) true positives at the threshold that is best in each stretch.
        fp: (..., h + 1) false positives there.
        loss: (..., h + 1) part of each stretch in the expected loss.
        guessing: (...) expected loss of calling all rows positive, or none, whichever costs less.
    """

    bounds: Floats
    tp: Floats
    fp: Floats
    loss: Floats
    guessing: Floats


def h_measure(table: ScoreTable) -> Number:
    """Return 1 - loss / loss of guessing, over costs spread as Beta(1 + pi1, 1 + pi0).

    NaN with one class. Source: Hand and Anagnostopoulos (2014), Pattern Recognition Letters 40.

    >>> h_measure(ScoreTable.from_scores(np.array([0.9, 0.2]), np.array([1, 0])))
    1.0
    """
    losses = h_losses(table)
    return 1 - ratio(losses.loss.sum(axis=-1), losses.guessing)


def h_losses(table: ScoreTable) -> Losses:
    """Return the loss behind the H measure, stretch by stretch.

    A false positive costs c, a false negative 1 - c; pi1 is the share of positives. The best
    threshold at c calls a row positive where the share of positives at its place on the hull is
    at least c, so the loss falls into one stretch of c per edge of the hull.
    """
    tp, fp = hull_counts(table)
    positives, n = tp[..., -1:], tp[..., -1:] + fp[..., -1:]
    bounds, prior = _bounds(tp, fp), np.asarray(ratio(positives, n))
    of_fp, of_fn = _expected_costs(bounds, prior)
    loss = np.asarray(ratio(fp, n)) * of_fp + np.asarray(ratio(positives - tp, n)) * of_fn
    return Losses(bounds, tp, fp, loss, _of_guessing(prior))


def _bounds(tp: Floats, fp: Floats) -> Floats:
    """Return the share of positives along each edge of the hull; one without rows is at c = 0."""
    gained = np.diff(tp)
    along = gained + np.diff(fp)
    share = np.divide(gained, along, out=np.zeros_like(gained), where=along > 0)
    all_, none = np.ones((*tp.shape[:-1], 1)), np.zeros((*tp.shape[:-1], 1))
    return np.concatenate([all_, share, none], axis=-1)


def _of_guessing(prior: Floats) -> Floats:
    """Return the loss of calling all rows positive where c < prior, and none elsewhere."""
    bounds = np.concatenate([np.ones_like(prior), prior, np.zeros_like(prior)], axis=-1)
    of_fp, of_fn = _expected_costs(bounds, prior)
    loss: Floats = (1 - prior[..., 0]) * of_fp[..., 1] + prior[..., 0] * of_fn[..., 0]
    return loss


def _expected_costs(bounds: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Integrate c and 1 - c over each stretch between falling bounds, weighted by the Beta."""
    from scipy.special import betainc

    a, b = 1 + prior, 2 - prior
    of_fp = a / (a + b) * -np.diff(betainc(a + 1, b, bounds))
    of_fn = b / (a + b) * -np.diff(betainc(a, b + 1, bounds))
    return of_fp, of_fn
