"""How well class probabilities put the rows of each class before the others."""

from collections.abc import Callable
from typing import Any

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Source, ratio
from evalcore.outcomes import Floats
from evalcore.resampling.area_intervals import logit_interval
from evalcore.resampling.interval import Interval
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.classes import ClassScores
from evalcore.tables.scores import ScoreTable

Area = Callable[[ScoreTable], float]


def of_each_class(area: Area, scores: ClassScores) -> Floats:
    """Return (K,) values of a one-vs-rest metric; NaN where a class has none."""
    return np.array([np.nan if t is None else area(t) for t in scores.one_vs_rest])


def _macro(area: Area, scores: ClassScores) -> float:
    return _mean(of_each_class(area, scores), np.ones(len(scores.classes)))


def _weighted(area: Area, scores: ClassScores) -> float:
    return _mean(of_each_class(area, scores), scores.support)


def _mean(values: Floats, weights: Floats) -> float:
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


def _ranking(compute: Callable[[ClassScores], float], key: str, **declaration: Any) -> Metric:
    def ends(scores: ClassScores, level: float) -> Interval:
        return _within_range(compute(scores), scores.errors.get(key, np.nan), level)

    return Metric(
        key=key,
        ends=ends,
        family=Family.RANKING,
        needs=ClassScores,
        compute=compute,
        over_classes=compute,
        interval=IntervalBy.CLOSED,
        low=0,
        high=1,
        better=Better.HIGHER,
        undefined_when="no class has both rows and other rows to be told from",
        **declaration,
    )


def _within_range(value: float, error: float, level: float) -> Interval:
    """Return an interval symmetric in log odds, which cannot leave [0, 1]."""
    if not error > 0 or not 0 < value < 1:
        flat = error == 0 or value in (0, 1)
        return Interval(
            value if flat else np.nan, value if flat else np.nan, _JACKKNIFE, level, flat
        )
    ends = logit_interval(value, error**2, level)
    return Interval(ends.low, ends.high, _JACKKNIFE, level)


_JACKKNIFE = "jackknife-logit"
_PROVOST = Source("Provost and Domingos (2000), Well-trained PETs, CeDER working paper IS-00-04")
_AUC = "ROC AUC of each class against the rest"
_AP = "Average precision of each class against the rest"

ROC_AUC_OVR_MACRO = _ranking(
    lambda scores: _macro(roc_area, scores),
    key="roc_auc_ovr_macro",
    name="ROC AUC, one-vs-rest, macro",
    summary=f"{_AUC}, each class counting the same.",
    formula=r"\frac{1}{K} \sum_k AUC_k",
    source=sources.FAWCETT,
    synonyms=("macro AUC",),
    misleads="With many classes each has few positives against many others: it is near 1 easily.",
)

ROC_AUC_OVR_WEIGHTED = _ranking(
    lambda scores: _weighted(roc_area, scores),
    key="roc_auc_ovr_weighted",
    name="ROC AUC, one-vs-rest, weighted",
    summary=f"{_AUC}, each class counting by its rows.",
    formula=r"\sum_k \pi_k \, AUC_k",
    source=_PROVOST,
    synonyms=("weighted AUC",),
    misleads="A rare class hardly counts.",
)

ROC_AUC_OVR_MICRO = _ranking(
    lambda scores: roc_area(scores.micro),
    key="roc_auc_ovr_micro",
    name="ROC AUC, micro",
    summary="How often the probability of a true class exceeds that of a wrong one, over all rows.",
    formula=r"P(p_{i, y_i} > p_{j, k}), \; k \ne y_j",
    source=sources.SOKOLOVA_LAPALME,
    synonyms=("micro AUC",),
    misleads="It compares probabilities of different classes and rows with each other.",
)

ROC_AUC_HAND_TILL = _ranking(
    hand_till,
    key="roc_auc_hand_till",
    name="ROC AUC, Hand and Till",
    summary="How well each pair of classes is told apart, each pair counting the same.",
    formula=r"\frac{2}{K (K - 1)} \sum_{i < j} \frac{A(i|j) + A(j|i)}{2}",
    source=sources.HAND_TILL,
    synonyms=("M measure", "one-vs-one AUC", "MAUC"),
    misleads="It does not change with the class shares, so it hides what rare classes cost.",
)

AVERAGE_PRECISION_OVR_MACRO = _ranking(
    lambda scores: _macro(average_precision, scores),
    key="average_precision_ovr_macro",
    name="Average precision, one-vs-rest, macro",
    summary=f"{_AP}, each class counting the same.",
    formula=r"\frac{1}{K} \sum_k AP_k",
    source=sources.MANNING,
    synonyms=("macro AP", "mAP"),
)

AVERAGE_PRECISION_OVR_WEIGHTED = _ranking(
    lambda scores: _weighted(average_precision, scores),
    key="average_precision_ovr_weighted",
    name="Average precision, one-vs-rest, weighted",
    summary=f"{_AP}, each class counting by its rows.",
    formula=r"\sum_k \pi_k \, AP_k",
    source=sources.MANNING,
    synonyms=("weighted AP",),
)

AVERAGE_PRECISION_OVR_MICRO = _ranking(
    lambda scores: average_precision(scores.micro),
    key="average_precision_ovr_micro",
    name="Average precision, micro",
    summary="Average precision over all pairs of a row and a class, right or wrong.",
    formula=r"\sum_i (R_i - R_{i-1}) P_i",
    source=sources.MANNING,
    synonyms=("micro AP",),
)
