"""The H measure: the loss under the convex hull of the ROC curve, averaged over costs."""

import numpy as np

from evalcore.outcomes import Floats
from evalcore.tables.scores import ScoreTable


def h_measure(table: ScoreTable) -> float:
    """Return 1 - loss / loss of guessing, over costs spread as Beta(1 + pi1, 1 + pi0).

    A false positive costs c, a false negative 1 - c; pi1 is the share of positives. The best
    threshold at c calls a row positive where the share of positives at its place on the hull is
    at least c, so the loss falls into one stretch of c per edge of the hull.
    NaN with one class. Source: Hand and Anagnostopoulos (2014), Pattern Recognition Letters 40.

    >>> h_measure(ScoreTable.from_scores(np.array([0.9, 0.2]), np.array([1, 0])))
    1.0
    """
    if not table.positives or not table.negatives:
        return np.nan
    share, tp, fp = hull(table)
    bounds = np.concatenate([[1.0], share, [0.0]])
    false_positives = np.concatenate([[0.0], fp]) / table.n
    false_negatives = 1 - np.concatenate([[0.0], tp]) / table.positives
    prior = table.positives / table.n
    of_fp, of_fn = _expected_costs(bounds, prior)
    loss = false_positives @ of_fp + prior * false_negatives @ of_fn
    return float(1 - loss / _loss_of_guessing(prior))


def _loss_of_guessing(prior: float) -> float:
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


def hull(table: ScoreTable) -> tuple[Floats, Floats, Floats]:
    """Return the edges of the upper convex hull of the ROC curve, from (0, 0).

    Each of the h edges has its share of positives, falling, and the counts tp and fp at its end.
    The hull is the isotonic regression of the truth on the score: pooled neighbours lie on an edge.
    """
    from scipy.optimize import isotonic_regression

    positive, negative = table.steps()
    count = (positive + negative).astype(np.float64)
    fit = isotonic_regression(positive / count, weights=count, increasing=False)
    ends = fit.blocks[1:] - 1
    tp, fp = table.tp[ends].astype(np.float64), table.fp[ends].astype(np.float64)
    return fit.x[ends], tp, fp
