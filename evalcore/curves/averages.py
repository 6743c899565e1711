"""One curve for several classes: the mean over them, at the same place on the axis."""

from collections.abc import Sequence

import numpy as np

from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.curves.roc import RocCurve
from evalcore.outcomes import Floats
from evalcore.tables.partial import rates
from evalcore.tables.scores import ScoreTable

POINTS = 401
"""Places on the axis at which the curves are averaged."""


def mean_roc(tables: Sequence[ScoreTable], weights: Sequence[float]) -> RocCurve:
    """Return the mean recall of the classes at each false positive rate; no threshold is shared.

    A class without rows of both kinds takes no part; all NaN where none does.
    Source: Fawcett (2006), Pattern Recognition Letters 27(8), vertical averaging.
    """
    fpr = np.linspace(0, 1, POINTS)
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives and table.negatives]
    curves = [np.interp(fpr, rates(table.fp), rates(table.tp)) for table, _ in used]
    tpr = _mean(curves, [weight for _, weight in used], POINTS)
    return RocCurve(np.append(0.0, fpr), np.append(0.0, tpr), np.full(POINTS + 1, np.nan))


def mean_precision_recall(
    tables: Sequence[ScoreTable], weights: Sequence[float]
) -> PrecisionRecallCurve:
    """Return the mean precision of the classes at each recall, each at its first threshold there.

    A class without positives takes no part; all NaN where none does.
    """
    recall = np.linspace(0, 1, POINTS)[1:]
    pairs = zip(tables, weights, strict=True)
    used = [(table, weight) for table, weight in pairs if table.positives]
    curves = [_precision_at(table, recall) for table, _ in used]
    precision = _mean(curves, [weight for _, weight in used], len(recall))
    return PrecisionRecallCurve(recall, precision, np.full(len(recall), np.nan))


def _precision_at(table: ScoreTable, recall: Floats) -> Floats:
    # A billionth forgives the rounding of shares.
    place = np.searchsorted(table.tp / table.positives, recall - 1e-9)
    precision: Floats = (table.tp / (table.tp + table.fp))[np.minimum(place, len(table.tp) - 1)]
    return precision


def _mean(curves: Sequence[Floats], weights: Sequence[float], points: int) -> Floats:
    mean: Floats = (
        np.average(curves, axis=0, weights=weights) if curves else np.full(points, np.nan)
    )
    return mean
