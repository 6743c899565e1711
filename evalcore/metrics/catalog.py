"""Every metric, in reading order, and the families of metrics that take a setting."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from evalcore.errors import EvalError
from evalcore.metrics import calibration, costs, multiclass, probability, ranking, rates, summaries
from evalcore.metrics.agreement import AGREEMENT
from evalcore.metrics.correlation import VALUES
from evalcore.metrics.metric import Family, Metric
from evalcore.metrics.points import POINTS

METRICS: tuple[Metric, ...] = (
    # What the decisions were worth, from the counts.
    summaries.ACCURACY,
    summaries.BALANCED_ACCURACY,
    rates.PRECISION,
    rates.RECALL,
    rates.F1,
    rates.SPECIFICITY,
    rates.NPV,
    summaries.MCC,
    summaries.COHEN_KAPPA,
    multiclass.WEIGHTED_KAPPA_LINEAR,
    multiclass.WEIGHTED_KAPPA_QUADRATIC,
    summaries.YOUDEN_J,
    summaries.MARKEDNESS,
    rates.F0_5,
    rates.F2,
    summaries.G_MEAN,
    summaries.FOWLKES_MALLOWS,
    rates.JACCARD,
    summaries.ERROR_RATE,
    rates.FPR,
    rates.FNR,
    rates.FDR,
    rates.FOR,
    rates.LR_PLUS,
    rates.LR_MINUS,
    rates.DIAGNOSTIC_ODDS_RATIO,
    rates.PREVALENCE,
    rates.DETECTION_RATE,
    rates.DETECTION_PREVALENCE,
    summaries.NO_INFORMATION_RATE,
    summaries.ACCURACY_P_VALUE,
    rates.TP,
    rates.FP,
    rates.FN,
    rates.TN,
    # How well the scores rank, over all thresholds.
    ranking.ROC_AUC,
    ranking.AVERAGE_PRECISION,
    ranking.GINI,
    ranking.KS_STATISTIC,
    ranking.PARTIAL_ROC_AUC,
    ranking.PR_AUC_TRAPEZOID,
    ranking.H_MEASURE,
    costs.BEST_F1,
    costs.BEST_YOUDEN,
    costs.BEST_MCC,
    ranking.PRECISION_AT_RECALL,
    ranking.SENSITIVITY_AT_SPECIFICITY,
    ranking.GAIN_AT,
    ranking.LIFT_AT,
    ranking.PRECISION_AT_K,
    ranking.RECALL_AT_K,
    multiclass.ROC_AUC_OVR_MACRO,
    multiclass.ROC_AUC_OVR_WEIGHTED,
    multiclass.ROC_AUC_OVR_MICRO,
    multiclass.ROC_AUC_HAND_TILL,
    multiclass.AVERAGE_PRECISION_OVR_MACRO,
    multiclass.AVERAGE_PRECISION_OVR_WEIGHTED,
    multiclass.AVERAGE_PRECISION_OVR_MICRO,
    # How far the probabilities can be believed.
    probability.BRIER,
    multiclass.BRIER_MULTICLASS,
    probability.BRIER_SKILL_SCORE,
    probability.LOG_LOSS,
    probability.LOG_LOSS_CLIPPED,
    multiclass.TOP_K_ACCURACY,
    calibration.ECE,
    calibration.MCE,
    multiclass.ECE_TOP_LABEL,
    multiclass.ECE_CLASSWISE,
    calibration.BRIER_RELIABILITY,
    calibration.BRIER_RESOLUTION,
    probability.BRIER_UNCERTAINTY,
    calibration.CALIBRATION_SLOPE,
    calibration.CALIBRATION_INTERCEPT,
    calibration.CALIBRATION_IN_THE_LARGE,
    calibration.HOSMER_LEMESHOW,
    calibration.HOSMER_LEMESHOW_P,
    calibration.HOSMER_LEMESHOW_P_FITTED,
    calibration.SPIEGELHALTER_Z,
    calibration.SPIEGELHALTER_P,
    # How close predicted numbers come.
    *VALUES,
    # How well clusters are apart, and how they agree with classes or other clusters.
    *POINTS,
    *AGREEMENT,
)


@dataclass(frozen=True)
class Setting:
    """A metric that takes a number of one's own, in [low, high]."""

    declare: Callable[[float], Metric]
    low: float
    high: float
    whole: bool = False

    def metric(self, value: float) -> Metric:
        """Return the declaration for a value; EvalError where it is out of range."""
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            kind = "a whole number" if self.whole else "a number"
            raise EvalError(
                "bad-setting", f"{value:g} is not {kind} from {self.low:g} to {self.high:g}."
            )
        return self.declare(value)


_SHARE = (1e-6, 1.0)

PARAMETRIC: Mapping[str, Setting] = MappingProxyType(
    {
        "f_beta": Setting(rates.f_beta, 0.0, 1e3),
        "partial_roc_auc": Setting(ranking.partial_roc_auc, *_SHARE),
        "gain_at": Setting(ranking.gain_at, *_SHARE),
        "lift_at": Setting(ranking.lift_at, *_SHARE),
        "precision_at_k": Setting(lambda k: ranking.precision_at_k(int(k)), 1, 1e9, whole=True),
        "recall_at_k": Setting(lambda k: ranking.recall_at_k(int(k)), 1, 1e9, whole=True),
        "precision_at_recall": Setting(ranking.precision_at_recall, *_SHARE),
        "sensitivity_at_specificity": Setting(ranking.sensitivity_at_specificity, 0.0, 1.0),
        "log_loss_clipped": Setting(probability.log_loss_clipped, 1e-300, 0.5),
        "top_k_accuracy": Setting(lambda k: multiclass.top_k_accuracy(int(k)), 1, 1e9, whole=True),
    }
)
"""Metrics with a setting: `find("f_beta(3)")` asks the one of "f_beta"."""

WITH_COSTS: Mapping[str, Callable[[Any], Metric]] = MappingProxyType(
    {
        "total_cost": costs.total_cost,
        "mean_cost": costs.mean_cost,
        "weighted_accuracy": costs.weighted_accuracy,
    }
)
"""Declarations for a table of costs or weights, which only the user can give."""

_WITH_SETTING = re.compile(r"(\w+)\(([-+.\deE]+)\)")


@cache
def by_key(family: Family | None = None) -> Mapping[str, Metric]:
    """Return the metrics of a family, or of all families, by their key.

    A key is unique in its family; where two families have it, the first in reading order counts.
    """
    metrics = METRICS if family is None else of_family(family)
    return MappingProxyType({metric.key: metric for metric in reversed(metrics)})


def find(key: str) -> Metric:
    """Return a metric by its key, or one with a setting in brackets.

    Raises EvalError for an unknown key.

    >>> find("recall").name, find("f_beta(3)").name
    ('Recall', 'F3 score')
    """
    known = by_key()
    if key in known:
        return known[key]
    match = _WITH_SETTING.fullmatch(key)
    if match and match[1] in PARAMETRIC:
        return PARAMETRIC[match[1]].metric(_number(match[2], key))
    raise EvalError("unknown-metric", f'There is no metric "{key}".{_suggestion(key)}')


def of_family(family: Family, needs: type | None = None) -> tuple[Metric, ...]:
    """Return the metrics of a family, in reading order; of those that need one table, if named."""
    return tuple(m for m in METRICS if m.family is family and needs in (None, m.needs))


def _number(text: str, key: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EvalError("bad-setting", f'"{text}" in "{key}" is not a number.') from None


def _suggestion(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, _names(), n=3)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _names() -> Iterable[str]:
    return [*by_key(), *(f"{name}(...)" for name in PARAMETRIC)]
