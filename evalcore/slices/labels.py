"""Likely label errors: rows whose truth the probabilities speak against, and how many are right.

Confident learning: a row is confidently of the class whose probability is at least as high as it
is on average in the rows of that class; where that is another class than the row's own, its label
is doubtful. Source: Northcutt, Jiang and Chuang (2021), Confident Learning, JAIR 70. The
probabilities must be out of fold: a model has learnt the errors of the rows that it was fitted to.
"""

from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError
from evalcore.intervals.closed import normal_quantile
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Codes, Floats, ReadOnly, data_rows

ASSUMED = (
    "Assumes probabilities from models that did not train on the row, and calibrated where "
    "labels are right: with overconfident ones, fewer labels are wrong than this says."
)


@dataclass(frozen=True, eq=False)
class LabelErrors(ReadOnly):
    """Rows whose label is likely wrong, the most doubtful first.

    Attributes:
        row: (m,) data row numbers, 1 being the first.
        label: (m,) codes of the classes that they are labelled as.
        likely: (m,) codes of the classes that they are confidently of.
        probability: (m,) the probability of the label.
        classes: Names of the classes.
        by_chance: How many rows would be listed if no label were wrong and probabilities right.
        wrong: How many of the listed labels are wrong beyond that, with an interval.
        assumed: What this rests on.
    """

    row: Codes
    label: Codes
    likely: Codes
    probability: Floats
    classes: tuple[str, ...]
    by_chance: float
    wrong: Estimate
    assumed: str = ASSUMED


def label_errors(outcomes: BinaryOutcomes | ClassOutcomes, level: float = 0.95) -> LabelErrors:
    """Return the rows whose label is likely wrong.

    Raises:
        EvalError: "no-probabilities": the model gives no probability of each class.

    >>> rows = BinaryOutcomes(classes=("no", "yes"), truth=np.array([0, 0, 1, 1], np.int8),
    ...                       score=np.array([0.1, 0.9, 0.2, 0.8]), probability=True)
    >>> label_errors(rows).row.tolist()
    [2, 3]
    """
    chances = _probabilities(outcomes)
    truth = outcomes.truth.astype(np.intp)
    weight = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    least = np.array(
        [
            _mean(chances[truth == code, code], weight[truth == code])
            for code in range(chances.shape[1])
        ]
    )
    # A class without rows is never confidently meant.
    sure = chances >= np.where(np.isnan(least), np.inf, least)
    likely = np.where(sure, chances, -1.0).argmax(axis=1)
    doubtful = sure.any(axis=1) & (likely != truth)
    own = chances[np.arange(outcomes.n), truth]
    places = np.flatnonzero(doubtful)
    places = places[np.argsort(own[places] - chances[places, likely[places]], kind="stable")]
    # Were each label drawn by its probabilities, a row is listed if it is not what is likely.
    listed = np.where(sure.any(axis=1), 1 - chances[np.arange(outcomes.n), likely], 0.0)
    by_chance = float(weight @ listed)
    spread = float(np.sqrt(weight**2 @ (listed * (1 - listed))))
    found = float(weight[places].sum())
    reach = normal_quantile(level) * spread
    # Chance lists rows with a right label only, which are all but those that are wrong.
    right = max(1 - by_chance / float(weight.sum()), 0.5)
    low, beyond, high = (
        min(max((found - by_chance + side * reach) / right, 0.0), found) for side in (-1, 0, 1)
    )
    return LabelErrors(
        row=data_rows(outcomes, places),
        label=truth[places],
        likely=likely[places],
        probability=own[places],
        classes=outcomes.classes,
        by_chance=by_chance,
        wrong=Estimate(beyond, low, high, "excess-over-chance", level),
    )


def _probabilities(outcomes: BinaryOutcomes | ClassOutcomes) -> Floats:
    """Return the (n, K) probability of each class."""
    if isinstance(outcomes, BinaryOutcomes):
        if outcomes.probability and outcomes.score is not None:
            return np.column_stack([1 - outcomes.score, outcomes.score])
    elif outcomes.probabilities is not None:
        return np.nan_to_num(outcomes.probabilities)
    raise EvalError(
        "no-probabilities",
        "Label errors are found from class probabilities, which this model does not give.",
    )


def _mean(values: Floats, weight: Floats) -> float:
    return float(weight @ values / weight.sum()) if weight.sum() else np.nan
