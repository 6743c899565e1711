"""The H measure: the loss under the convex hull of the ROC curve, averaged over costs."""

from typing import NamedTuple

import numpy as np

from evalcore.outcomes import Floats
from evalcore.tables.hull import hull_corners
from evalcore.tables.scores import ScoreTable


class Losses(NamedTuple):
    """The expected loss of the best threshold, in stretches of the cost c of a false positive.

    Attributes:
        bounds: (h + 2,) falling costs, from 1 to 0, between the h + 1 stretches.
        tp: (h + 1,) true positives at the threshold that is best in each stretch.
        fp: (h + 1,) false positives there.
        loss: (h + 1,) part of each stretch in the expected loss.
        guessing: Expected loss of calling all rows positive, or none, whichever costs less.
    """

    bounds: Floats
    tp: Floats
    fp: Floats
    loss: Floats
    guessing: float


def h_measure(table: ScoreTable) -> float:
    """Return 1 - loss / loss of guessing, over costs spread as Beta(1 + pi1, 1 + pi0).

    NaN with one class. Source: Hand and Anagnostopoulos (2014), Pattern Recognition Letters 40.

    >>> h_measure(ScoreTable.from_scores(np.array([0.9, 0.2]), np.array([1, 0])))
    1.0
    """
    if not table.positives or not table.negatives:
        return np.nan
    losses = h_losses(table)
    return float(1 - losses.loss.sum() / losses.guessing)


def h_losses(table: ScoreTable) -> Losses:
    """Return the loss behind the H measure of a table with both classes, stretch by stretch.

    A false positive costs c, a false negative 1 - c; pi1 is the share of positives. The best
    threshold at c calls a row positive where the share of positives at its place on the hull is
    at least c, so the loss falls into one stretch of c per edge of the hull.
    """
    corner = hull_corners(table)
    tp, fp = (np.append(0, counts)[corner].astype(np.float64) for counts in (table.tp, table.fp))
    gained = np.diff(tp)
    bounds = np.concatenate([[1.0], gained / (gained + np.diff(fp)), [0.0]])
    prior = table.positives / table.n
    of_fp, of_fn = _expected_costs(bounds, prior)
    missed = (table.positives - tp) / table.n
    return Losses(bounds, tp, fp, fp / table.n * of_fp + missed * of_fn, _of_guessing(prior))


def _of_guessing(prior: float) -> float:
    """Return the loss of calling all rows positive where c < prior, and none elsewhere."""
    of_fp, of_fn = _expected_costs(np.array([1.0, prior, 0.0]), prior)
    return float((1 - prior) * of_fp[1] + prior * of_fn[0])


def _expected_costs(bounds: Floats, prior: float) -> tuple[Floats, Floats]:
    """Integrate c and 1 - c over each stretch between falling bounds, weighted by the Beta."""
    from scipy.special import betainc

    a, b = 1 + prior, 2 - prior
    of_fp = a / (a + b) * -np.diff(betainc(a + 1, b, bounds))
    of_fn = b / (a + b) * -np.diff(betainc(a, b + 1, bounds))
    return of_fp, of_fn
