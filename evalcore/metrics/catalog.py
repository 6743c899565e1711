"""Every metric, in reading order, and the families of metrics that take a setting."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from evalcore.errors import EvalError
from evalcore.metrics import costs, multiclass, probability, ranking, rates
from evalcore.metrics.metric import Family, Metric

_MODULES = """
    agreement calibration correlation costs multiclass points probability ranking rates regression
    summaries
"""
_DECLARED: Mapping[tuple[Family, str], Metric] = MappingProxyType(
    {
        (declared.family, declared.key): declared
        for module in _MODULES.split()
        for declared in vars(import_module(f"evalcore.metrics.{module}")).values()
        if isinstance(declared, Metric)
    }
)

_READING_ORDER: Mapping[Family, str] = MappingProxyType(
    {
        Family.COUNTS: """
            accuracy balanced_accuracy precision recall f1 specificity npv mcc cohen_kappa
            weighted_kappa_linear weighted_kappa_quadratic youden_j markedness f0_5 f2 g_mean
            fowlkes_mallows jaccard error_rate fpr fnr fdr for lr_plus lr_minus
            diagnostic_odds_ratio prevalence detection_rate detection_prevalence
            no_information_rate accuracy_p_value tp fp fn tn
        """,
        Family.RANKING: """
            roc_auc average_precision gini ks_statistic partial_roc_auc pr_auc_trapezoid h_measure
            best_f1 best_youden best_mcc precision_at_recall sensitivity_at_specificity gain_at
            lift_at precision_at_k recall_at_k roc_auc_ovr_macro roc_auc_ovr_weighted
            roc_auc_ovr_micro roc_auc_hand_till average_precision_ovr_macro
            average_precision_ovr_weighted average_precision_ovr_micro
        """,
        Family.PROBABILITY: """
            brier brier_multiclass brier_skill_score log_loss log_loss_clipped top_k_accuracy ece
            mce ece_top_label ece_classwise brier_reliability brier_resolution brier_uncertainty
            calibration_slope calibration_intercept calibration_in_the_large hosmer_lemeshow
            hosmer_lemeshow_p hosmer_lemeshow_p_fitted spiegelhalter_z spiegelhalter_p
        """,
        Family.VALUES: """
            rmse mae r2 bias medae max_error mse sse adjusted_r2 explained_variance mape
            mape_nonzero smape wape msle rmsle male pearson spearman kendall_tau_a kendall_tau_b
            concordance_correlation rae rrse pinball bland_altman_low bland_altman_high tss rss ess
        """,
        Family.POINTS: """
            silhouette calinski_harabasz davies_bouldin dunn within_ss between_ss total_ss
        """,
        Family.AGREEMENT: """
            adjusted_rand_index ami_arithmetic best_match_accuracy rand_index fowlkes_mallows
            v_measure homogeneity completeness nmi_arithmetic mutual_information
            variation_of_information purity inverse_purity pair_precision pair_recall pair_f1
            pairs_together pairs_class_only pairs_cluster_only pairs_apart
        """,
    }
)

METRICS: tuple[Metric, ...] = tuple(
    _DECLARED[family, key] for family, keys in _READING_ORDER.items() for key in keys.split()
)
"""Every metric, in reading order."""


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


VALUES = of_family(Family.VALUES)
"""Metrics of predicted numbers, in reading order."""

POINTS = of_family(Family.POINTS)
"""Metrics of a clustering by its points; each `needs` one of three tables."""

AGREEMENT = of_family(Family.AGREEMENT)
"""Metrics of a `Contingency`; renaming or reordering groups changes none."""


def _number(text: str, key: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise EvalError("bad-setting", f'"{text}" in "{key}" is not a number.') from None


def _suggestion(key: str) -> str:
    from difflib import get_close_matches

    known = [*by_key(), *(f"{name}(...)" for name in PARAMETRIC)]
    near = get_close_matches(key, known, n=3)
    return f" Did you mean {' or '.join(near)}?" if near else ""
