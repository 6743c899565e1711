"""What one point of a ranking gives: the first k rows, or a threshold of a required rate.

Functions take score tables with running counts of shape (m,), or (..., m) for bootstrap draws.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.metrics import sources
from evalcore.metrics.draws import in_parts
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio, scalar
from evalcore.outcomes import Floats
from evalcore.tables.scores import ScoreTable
from evalcore.tables.weights import quotient

_LING_LI = Source(
    "Ling and Li (1998), Data mining for direct marketing: problems and solutions, KDD",
    "https://cdn.aaai.org/KDD/1998/KDD98-011.pdf",
)


def found_in_first(table: ScoreTable, rows: Number) -> Number:
    """Return the positives among the `rows` highest scores; NaN where there are fewer rows.

    A group of tied scores that is cut gives its average share, as a random order would.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0]))
    >>> found_in_first(table, 2)
    1.5
    """
    count = np.asarray(table.tp + table.fp, dtype=np.float64)
    before = (count < np.asarray(rows)[..., np.newaxis]).sum(axis=-1)
    enough = before < count.shape[-1]
    after = np.minimum(before, count.shape[-1] - 1)
    n_before, tp_before = _at(count, before - 1), _at(table.tp, before - 1)
    tied = _at(count, after) - n_before
    # Sums of fractional weights differ from a threshold to the next even where no row is between.
    share = quotient(np.asarray(rows - n_before), np.where(enough, tied, 1), empty=0.0)
    found = tp_before + share * (_at(table.tp, after) - tp_before)
    return scalar(np.where(enough, found, np.nan))


def _at(cumulative: NDArray[Any], position: NDArray[np.intp]) -> Floats:
    """Return running counts of shape (..., m) at (...) positions, 0 before the first."""
    index = np.maximum(position, 0)[..., np.newaxis]
    values = np.take_along_axis(cumulative, index, axis=-1)[..., 0]
    return np.where(position < 0, 0.0, values)


def _found_in_share(table: ScoreTable, share: float) -> tuple[Number, Number]:
    """Return the positives among the first `share` of the rows, and all positives."""
    positives = np.asarray(table.tp[..., -1], dtype=np.float64)
    rows = share * (positives + table.fp[..., -1])
    return found_in_first(table, rows), positives


_at_point = partial(Metric, family=Family.RANKING, needs=ScoreTable, low=0, better=Better.HIGHER)


def gain_at(share: float, key: str = "") -> Metric:
    """Declare the share of the positives that lies in the highest-scored `share` of the rows."""

    def of(table: ScoreTable) -> tuple[Number, Number]:
        return _found_in_share(table, share)

    return _at_point(
        key=key or f"gain_at({share:g})",
        name=f"Gain in the top {100 * share:g}%",
        compute=lambda table: ratio(*of(table)),
        proportion=of,
        interval=IntervalBy.WILSON,
        summary=f"The share of all positives found in the {100 * share:g}% highest-scored rows.",
        formula=r"\frac{TP_{q}}{TP + FN}",
        high=1,
        source=_LING_LI,
        undefined_when="no row is positive",
        synonyms=("cumulative gain", "capture rate"),
        parameters={"share": float(share)},
        misleads="A perfect model cannot reach 1 where positives are commoner than the share.",
        unit="share",
    )


def lift_at(share: float, key: str = "") -> Metric:
    """Declare how many times more positives the top `share` holds than as many random rows.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.3, 0.2]), np.array([1, 0, 1, 0]))
    >>> lift_at(0.25)(table)
    2.0
    """
    return _at_point(
        key=key or f"lift_at({share:g})",
        name=f"Lift in the top {100 * share:g}%",
        compute=lambda table: ratio(ratio(*_found_in_share(table, share)), share),
        summary=f"How many times more positives the {100 * share:g}% highest-scored rows hold "
        "than as many rows picked at random.",
        formula=r"\frac{TP_{q} / (TP + FN)}{q}",
        high=1 / share,
        source=_LING_LI,
        undefined_when="no row is positive",
        parameters={"share": float(share)},
        misleads="Its largest possible value is 1 / prevalence or 1 / share: "
        "files with other prevalences do not compare.",
    )


def precision_at_k(k: int, key: str = "") -> Metric:
    """Declare the share of positives among the k highest-scored rows.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.4, 0.4]), np.array([1, 1, 0]))
    >>> precision_at_k(2)(table)
    0.75
    """

    def of(table: ScoreTable) -> tuple[Number, Number]:
        return found_in_first(table, k), float(k)

    return _at_point(
        key=key or f"precision_at_k({k})",
        name=f"Precision in the first {k}",
        compute=lambda table: ratio(*of(table)),
        proportion=of,
        interval=IntervalBy.WILSON,
        summary=f"Of the {k} highest-scored rows, the share that is positive.",
        formula=r"\frac{TP_{k}}{k}",
        high=1,
        source=sources.MANNING,
        undefined_when=f"there are fewer than {k} rows",
        synonyms=("P@k", "precision at k"),
        parameters={"k": float(k)},
        misleads="Tied scores at the cut count with their average share.",
        unit="share",
    )


def recall_at_k(k: int, key: str = "") -> Metric:
    """Declare the share of the positives that lies in the k highest-scored rows."""

    def of(table: ScoreTable) -> tuple[Number, Number]:
        return found_in_first(table, k), np.asarray(table.tp[..., -1], dtype=np.float64)

    return _at_point(
        key=key or f"recall_at_k({k})",
        name=f"Recall in the first {k}",
        compute=lambda table: ratio(*of(table)),
        proportion=of,
        interval=IntervalBy.WILSON,
        summary=f"The share of all positives found in the {k} highest-scored rows.",
        formula=r"\frac{TP_{k}}{TP + FN}",
        high=1,
        source=sources.MANNING,
        undefined_when=f"no row is positive, or there are fewer than {k} rows",
        synonyms=("R@k", "recall at k", "hit rate at k"),
        parameters={"k": float(k)},
        misleads="It cannot reach 1 where there are more than k positives.",
        unit="share",
    )


def precision_at_recall(recall: float, key: str = "") -> Metric:
    """Declare the best precision of the thresholds that find at least `recall` of the positives.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> precision_at_recall(0.5)(table)
    1.0
    """

    def compute(table: ScoreTable) -> Number:
        found = ratio(table.tp, table.tp[..., -1:])
        precision = ratio(table.tp, table.tp + table.fp)
        best = np.where(found >= recall, precision, -np.inf).max(axis=-1)
        return scalar(np.where(best >= 0, best, np.nan))

    return _at_point(
        key=key or f"precision_at_recall({recall:g})",
        name=f"Precision at {100 * recall:g}% recall",
        compute=in_parts(compute),
        summary=f"The best precision of the thresholds that find at least {100 * recall:g}% of "
        "the positives.",
        formula=r"\max_{t: R(t) \ge r} P(t)",
        high=1,
        source=sources.MANNING,
        undefined_when="no row is positive",
        parameters={"recall": float(recall)},
        unit="share",
    )


def sensitivity_at_specificity(specificity: float, key: str = "") -> Metric:
    """Declare the height of the ROC curve at a specificity, on a line between two points.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.5, 0.4]), np.array([1, 0, 1]))
    >>> sensitivity_at_specificity(0.9)(table)
    0.5
    """

    def compute(table: ScoreTable) -> Number:
        negatives, positives = table.fp[..., -1], table.tp[..., -1]
        allowed = np.asarray((1 - specificity) * negatives)
        # A billionth forgives the rounding of 1 - specificity at a point of the curve.
        before = (table.fp <= allowed[..., np.newaxis] + 1e-9).sum(axis=-1)
        after = np.minimum(before, table.fp.shape[-1] - 1)
        fp, tp = _at(table.fp, before - 1), _at(table.tp, before - 1)
        run = _at(table.fp, after) - fp
        share = np.maximum(allowed - fp, 0) / np.where(run > 0, run, np.inf)
        height = tp + share * (_at(table.tp, after) - tp)
        return ratio(np.where(negatives > 0, height, np.nan), positives)

    return _at_point(
        key=key or f"sensitivity_at_specificity({specificity:g})",
        name=f"Sensitivity at {100 * specificity:g}% specificity",
        compute=compute,
        summary=f"The share of positives found when {100 * (1 - specificity):.4g}% of the "
        "negatives are called positive.",
        formula=r"TPR(t): \; FPR(t) = 1 - s",
        high=1,
        source=sources.FAWCETT,
        undefined_when="the truth holds only one class",
        synonyms=("TPR at FPR", "recall at specificity"),
        parameters={"specificity": float(specificity)},
        unit="share",
    )


GAIN_AT = gain_at(0.1, key="gain_at")
LIFT_AT = lift_at(0.1, key="lift_at")
PRECISION_AT_K = precision_at_k(10, key="precision_at_k")
RECALL_AT_K = recall_at_k(10, key="recall_at_k")
PRECISION_AT_RECALL = precision_at_recall(0.9, key="precision_at_recall")
SENSITIVITY_AT_SPECIFICITY = sensitivity_at_specificity(0.9, key="sensitivity_at_specificity")
