"""Every metric, in reading order, and the families of metrics that take a setting."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from evalcore.errors import EvalError
from evalcore.metrics import (
    calibration,
    calibration_line,
    calibration_tests,
    chance,
    costs,
    counts,
    f_measure,
    multiclass,
    multiclass_probability,
    multiclass_ranking,
    operating,
    optimum,
    probability,
    ranking,
    rates,
    summaries,
)
from evalcore.metrics.agreement import AGREEMENT
from evalcore.metrics.points import POINTS
from evalcore.metrics.regression import VALUES
from evalcore.metrics.spec import Family, Metric

METRICS: tuple[Metric, ...] = (
    # What the decisions were worth, from the counts.
    summaries.ACCURACY,
    summaries.BALANCED_ACCURACY,
    rates.PRECISION,
    rates.RECALL,
    f_measure.F1,
    rates.SPECIFICITY,
    rates.NPV,
    summaries.MCC,
    summaries.COHEN_KAPPA,
    multiclass.WEIGHTED_KAPPA_LINEAR,
    multiclass.WEIGHTED_KAPPA_QUADRATIC,
    summaries.YOUDEN_J,
    summaries.MARKEDNESS,
    f_measure.F0_5,
    f_measure.F2,
    summaries.G_MEAN,
    summaries.FOWLKES_MALLOWS,
    rates.JACCARD,
    summaries.ERROR_RATE,
    rates.FPR,
    rates.FNR,
    rates.FDR,
    rates.FOR,
    counts.LR_PLUS,
    counts.LR_MINUS,
    counts.DIAGNOSTIC_ODDS_RATIO,
    rates.PREVALENCE,
    rates.DETECTION_RATE,
    rates.DETECTION_PREVALENCE,
    chance.NO_INFORMATION_RATE,
    chance.ACCURACY_P_VALUE,
    counts.TP,
    counts.FP,
    counts.FN,
    counts.TN,
    # How well the scores rank, over all thresholds.
    ranking.ROC_AUC,
    ranking.AVERAGE_PRECISION,
    ranking.GINI,
    ranking.KS_STATISTIC,
    ranking.PARTIAL_ROC_AUC,
    ranking.PR_AUC_TRAPEZOID,
    ranking.H_MEASURE,
    optimum.BEST_F1,
    optimum.BEST_YOUDEN,
    optimum.BEST_MCC,
    operating.PRECISION_AT_RECALL,
    operating.SENSITIVITY_AT_SPECIFICITY,
    operating.GAIN_AT,
    operating.LIFT_AT,
    operating.PRECISION_AT_K,
    operating.RECALL_AT_K,
    multiclass_ranking.ROC_AUC_OVR_MACRO,
    multiclass_ranking.ROC_AUC_OVR_WEIGHTED,
    multiclass_ranking.ROC_AUC_OVR_MICRO,
    multiclass_ranking.ROC_AUC_HAND_TILL,
    multiclass_ranking.AVERAGE_PRECISION_OVR_MACRO,
    multiclass_ranking.AVERAGE_PRECISION_OVR_WEIGHTED,
    multiclass_ranking.AVERAGE_PRECISION_OVR_MICRO,
    # How far the probabilities can be believed.
    probability.BRIER,
    multiclass_probability.BRIER_MULTICLASS,
    probability.BRIER_SKILL_SCORE,
    probability.LOG_LOSS,
    probability.LOG_LOSS_CLIPPED,
    multiclass_probability.TOP_K_ACCURACY,
    calibration.ECE,
    calibration.MCE,
    multiclass_probability.ECE_TOP_LABEL,
    multiclass_probability.ECE_CLASSWISE,
    calibration.BRIER_RELIABILITY,
    calibration.BRIER_RESOLUTION,
    probability.BRIER_UNCERTAINTY,
    calibration_line.CALIBRATION_SLOPE,
    calibration_line.CALIBRATION_INTERCEPT,
    calibration_line.CALIBRATION_IN_THE_LARGE,
    calibration_tests.HOSMER_LEMESHOW,
    calibration_tests.HOSMER_LEMESHOW_P,
    calibration_tests.HOSMER_LEMESHOW_P_FITTED,
    calibration_tests.SPIEGELHALTER_Z,
    calibration_tests.SPIEGELHALTER_P,
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
        "f_beta": Setting(f_measure.f_beta, 0.0, 1e3),
        "partial_roc_auc": Setting(ranking.partial_roc_auc, *_SHARE),
        "gain_at": Setting(operating.gain_at, *_SHARE),
        "lift_at": Setting(operating.lift_at, *_SHARE),
        "precision_at_k": Setting(lambda k: operating.precision_at_k(int(k)), 1, 1e9, whole=True),
        "recall_at_k": Setting(lambda k: operating.recall_at_k(int(k)), 1, 1e9, whole=True),
        "precision_at_recall": Setting(operating.precision_at_recall, *_SHARE),
        "sensitivity_at_specificity": Setting(operating.sensitivity_at_specificity, 0.0, 1.0),
        "log_loss_clipped": Setting(probability.log_loss_clipped, 1e-300, 0.5),
        "top_k_accuracy": Setting(
            lambda k: multiclass_probability.top_k_accuracy(int(k)), 1, 1e9, whole=True
        ),
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
