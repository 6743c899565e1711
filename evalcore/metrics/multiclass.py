"""Metrics of K classes: averages over classes, ranking and probabilities.

Averages are over the classes that occur in the truth, which are the same for every model of a file;
a class that is only decided counts by the errors that these decisions are. A class whose metric is
undefined is left out, and `Average` says how many took part.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval
from evalcore.intervals.delong import logit_interval
from evalcore.metrics import decisions, metric
from evalcore.metrics.decisions import F0_5, F1, F2, PRECISION, RECALL, SPECIFICITY
from evalcore.metrics.metric import Better, Family, Metric, ratio, scalar
from evalcore.metrics.probability import ECE, ece
from evalcore.metrics.ranking import AVERAGE_PRECISION, ROC_AUC
from evalcore.outcomes import Floats, Number
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.classes import ClassReliability, ClassScores
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable

AVERAGED = (PRECISION, RECALL, SPECIFICITY, F1, F0_5, F2)
"""The metrics that are averaged over classes."""


@dataclass(frozen=True, eq=False)
class Average:
    """An average over classes: a number, or (...) numbers for (..., K) counts.

    The `value` is NaN where no class is defined; `used` classes took part of those `present`,
    which have rows.
    """

    value: Number
    used: Number
    present: Number


def macro(declared: Metric, counts: BinaryCounts, known: Floats | None = None) -> Average:
    """Return the mean of a metric over the classes, each counting the same.

    `known` are its values of the classes, where the caller has them.

    >>> counts = BinaryCounts(tp=[1, 3], fp=[0, 1], fn=[1, 0], tn=[3, 1])
    >>> macro(RECALL, counts)
    Average(value=0.75, used=2.0, present=2.0)
    """
    values = declared(counts) if known is None else known
    return _mean_over_classes(values, counts, np.ones_like(counts.tp))


def weighted(declared: Metric, counts: BinaryCounts, known: Floats | None = None) -> Average:
    """Return the mean of a metric over the classes, each counting by its rows in the truth."""
    values = declared(counts) if known is None else known
    return _mean_over_classes(values, counts, np.asarray(counts.positives))


def micro(declared: Metric, counts: BinaryCounts, known: Floats | None = None) -> Average:
    """Return the metric of the counts summed over the classes."""
    present = scalar((np.asarray(counts.positives) > 0).sum(axis=-1).astype(np.float64))
    cells = (np.sum(cell, axis=-1) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    return Average(declared(BinaryCounts(*cells)), present, present)


AVERAGES: Mapping[str, Callable[..., Average]] = MappingProxyType(
    {"macro": macro, "micro": micro, "weighted": weighted}
)
"""The averages by their names in the JSON."""


def of_matrix(
    declared: Metric, matrix: ConfusionMatrix, among: NDArray[np.bool_] | None = None
) -> Number:
    """Return a count metric of one matrix, or of (b, K, K) many, as a whole.

    Of two classes that of the positive one; of several the mean over them, or over those `among`
    (K,) them, if it is about one class.

    >>> of_matrix(RECALL, ConfusionMatrix(("a", "b", "c"), np.diag([1, 2, 3])))
    1.0
    """
    if len(matrix.classes) == 2 and declared.needs is BinaryCounts:
        return declared(matrix.binary())
    if declared.over_classes is not None:
        return declared.over_classes(matrix.counts)
    counts = matrix.one_vs_rest()
    known = None if among is None else np.where(among, declared(counts), np.nan)
    return macro(declared, counts, known).value


def _mean_over_classes(values: Number, counts: BinaryCounts, weights: Floats) -> Average:
    present = np.asarray(counts.positives) > 0
    defined = present & ~np.isnan(values)
    weights = np.where(defined, weights, 0.0)
    total = (weights * np.where(defined, values, 0.0)).sum(axis=-1)
    return Average(
        ratio(total, weights.sum(axis=-1)),
        scalar(defined.sum(axis=-1).astype(np.float64)),
        scalar(present.sum(axis=-1).astype(np.float64)),
    )


def _weighted_kappa(power: int, key: str) -> Metric:
    return Metric(
        key=key,
        family=Family.COUNTS,
        needs=ConfusionMatrix,
        compute=lambda table: decisions.weighted_kappa(table.counts, power),
        over_classes=metric.OverClasses(lambda counts: decisions.weighted_kappa(counts, power)),
        low=-1,
    )


WEIGHTED_KAPPA_LINEAR = _weighted_kappa(1, "weighted_kappa_linear")
WEIGHTED_KAPPA_QUADRATIC = _weighted_kappa(2, "weighted_kappa_quadratic")


def of_each_class(area: Callable[[ScoreTable], Number], scores: ClassScores) -> Floats:
    """Return (K,) values of a one-vs-rest metric; NaN where a class has none."""
    return np.array([np.nan if t is None else area(t) for t in scores.one_vs_rest])


def _average_area(area: Metric, scores: ClassScores, weights: Floats) -> float:
    """Return the mean over the classes where an area is defined, each with its weight."""
    values = of_each_class(area, scores)
    defined = ~np.isnan(values)
    return float(ratio((weights * values)[defined].sum(), weights[defined].sum()))


def hand_till(scores: ClassScores) -> float:
    """Return the mean over pairs of classes of how well each is told from the other.

    Classes without rows or without a probability take no part.
    Source: Hand and Till (2001), Machine Learning 45.
    """
    auc = ratio(scores.wins, np.outer(scores.support, scores.support))
    pairs = (np.asarray(auc) + np.asarray(auc).T)[np.triu_indices(len(scores.support), 1)] / 2
    defined = pairs[~np.isnan(pairs)]
    return float(defined.mean()) if len(defined) else np.nan


def _of_scores(
    compute: Callable[[Any], Number], interval: metric.IntervalMethod, needs: type = ClassScores
) -> dict[str, Any]:
    """Return what declares a metric that is about K classes alone."""
    over_classes = metric.OverClasses(compute, interval, needs)
    return {**vars(over_classes), "over_classes": over_classes}


@dataclass(frozen=True)
class OverScored(metric.Closed):
    """The interval of an average over classes, noted where it is over some of them only."""

    def _note(self, table: ClassScores) -> str:
        ranked = [t is not None and bool(t.positives and t.negatives) for t in table.one_vs_rest]
        used, present = sum(ranked), len(ranked)
        return f"over {used} of {present} classes" if used < present else ""


def _ranking(compute: Callable[[ClassScores], float], key: str) -> Metric:
    def ends(scores: ClassScores, level: float) -> Interval:
        return _within_range(compute(scores), scores.errors.get(key, np.nan), level)

    return Metric(key=key, family=Family.RANKING, **_of_scores(compute, OverScored(ends)))


def _within_range(value: float, error: float, level: float) -> Interval:
    """Return an interval symmetric in log odds, which cannot leave [0, 1]."""
    if error > 0 and 0 < value < 1:
        return replace(logit_interval(value, error**2, level), method=_JACKKNIFE)
    flat = error == 0 or value in (0, 1)
    end = value if flat else np.nan
    return Interval(end, end, _JACKKNIFE, level, flat)


_JACKKNIFE = "jackknife-logit"


def _macro(of: Metric) -> Metric:
    return _ranking(
        lambda scores: _average_area(of, scores, np.ones(len(scores.classes))),
        key=f"{of.key}_ovr_macro",
    )


def _weighted(of: Metric) -> Metric:
    return _ranking(
        lambda scores: _average_area(of, scores, scores.support), key=f"{of.key}_ovr_weighted"
    )


ROC_AUC_OVR_MACRO = _macro(ROC_AUC)
ROC_AUC_OVR_WEIGHTED = _weighted(ROC_AUC)
ROC_AUC_OVR_MICRO = _ranking(lambda scores: roc_area(scores.micro), key="roc_auc_ovr_micro")
ROC_AUC_HAND_TILL = _ranking(hand_till, key="roc_auc_hand_till")
AVERAGE_PRECISION_OVR_MACRO = _macro(AVERAGE_PRECISION)
AVERAGE_PRECISION_OVR_WEIGHTED = _weighted(AVERAGE_PRECISION)

AVERAGE_PRECISION_OVR_MICRO = _ranking(
    lambda scores: float(average_precision(scores.micro)), key="average_precision_ovr_micro"
)


def ece_classwise(table: ClassReliability) -> float:
    """Return the mean over classes of the calibration error of each one's probability.

    Over classes that occur, as every average.
    """
    some = [part for part in table.one_vs_rest if part is not None and part.positives.any()]
    parts = [float(ece(part)) for part in some]
    return float(np.mean(parts)) if parts else np.nan


def top_k_accuracy(k: int, key: str = "") -> Metric:
    """Declare the share of rows whose true class is among the k most likely.

    A row whose true class is tied at the cut counts with the chance that a random order of the
    tied classes lets it in.
    """

    def of(scores: ClassScores) -> tuple[float, float]:
        above, beside = np.indices(scores.places.shape)
        chance = np.clip((k - above) / (beside + 1), 0, 1)
        return float((chance * scores.places).sum()), float(scores.places.sum())

    return Metric(
        key=key or f"top_k_accuracy({k})",
        family=Family.PROBABILITY,
        **_of_scores(lambda scores: ratio(*of(scores)), metric.Wilson(of)),
        parameters={"k": float(k)},
        unit="share",
    )


TOP_K_ACCURACY = top_k_accuracy(2, key="top_k_accuracy")

BRIER_MULTICLASS = Metric(
    key="brier_multiclass",
    family=Family.PROBABILITY,
    **_of_scores(
        lambda scores: scores.brier.mean,
        metric.StandardError(lambda scores: scores.brier.mean_and_error),
    ),
    high=2,
    better=Better.LOWER,
)


def _of_top_label() -> metric.IntervalMethod:
    own = ECE.interval
    assert isinstance(own, metric.Closed)
    return metric.Closed(lambda table, level: own.ends(table.top_label, level), own.says)


ECE_TOP_LABEL = Metric(
    key="ece_top_label",
    family=Family.PROBABILITY,
    **_of_scores(lambda table: ece(table.top_label), _of_top_label(), ClassReliability),
    better=Better.LOWER,
)

ECE_CLASSWISE = Metric(
    key="ece_classwise",
    family=Family.PROBABILITY,
    **_of_scores(
        ece_classwise,
        metric.NoInterval(
            "None: the classes share rows, which the bins of each class do not show."
        ),
        ClassReliability,
    ),
    better=Better.LOWER,
)
