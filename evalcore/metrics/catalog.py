"""Every metric, in reading order, and the families of metrics that take a setting."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from evalcore.errors import EvalError
from evalcore.metrics import clusters, decisions, multiclass, probability, ranking, regression
from evalcore.metrics.metric import Family, Metric
from evalcore.metrics.vocabulary import WORDED
from evalcore.text import did_you_mean, shorten

_DECLARED: Mapping[tuple[Family, str], Metric] = MappingProxyType(
    {
        (declared.family, declared.key): declared
        for module in (clusters, decisions, multiclass, probability, ranking, regression)
        for declared in vars(module).values()
        if isinstance(declared, Metric)
    }
)

METRICS: tuple[Metric, ...] = tuple(_DECLARED[Family(family), key] for family, key in WORDED)
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
        "f_beta": Setting(decisions.f_beta, 0.0, 1e3),
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
        "total_cost": decisions.total_cost,
        "mean_cost": decisions.mean_cost,
        "weighted_accuracy": decisions.weighted_accuracy,
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

    Raises EvalError for an unknown key, which names those that are near.

    >>> find("recall").name, find("f_beta(3)").name
    ('Recall', 'F3 score')
    """
    if not isinstance(key, str):
        raise EvalError(
            "unknown-metric",
            "The key of the metric comes first, as text, then the truth and what models say: "
            'estimate("roc_auc", truth, score), difference("roc_auc", truth, first, second).',
        )
    known = by_key()
    if key in known:
        return known[key]
    match = _WITH_SETTING.fullmatch(key)
    if match and match[1] in PARAMETRIC:
        return PARAMETRIC[match[1]].metric(_number(match[2], key))
    if key in WITH_COSTS:
        raise EvalError("no-costs", f"{key} takes the costs of decisions: --cost TRUTH:DECISION=N.")
    called = {name: (metric.name, *metric.synonyms) for name, metric in known.items()}
    called |= {f"{name}(...)": (name,) for name in PARAMETRIC if name not in known}
    name, bracket, _ = key.partition("(")
    of_setting = bracket or name in PARAMETRIC
    near = did_you_mean(
        name, {f"{one}(...)": (one,) for one in PARAMETRIC} if of_setting else called
    )
    raise EvalError("unknown-metric", f'There is no metric "{shorten(key)}".{near}')


def described(key: str) -> Metric:
    """Return the declaration that says what a key means; one with costs has some for example.

    >>> described("total_cost").name, described("f_beta(3)").name
    ('Total cost', 'F3 score')
    """
    if key in WITH_COSTS:
        return WITH_COSTS[key]((1, 1, 1, 1) if key == "weighted_accuracy" else ((0, 1), (1, 0)))
    return find(key)


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
