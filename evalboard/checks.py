"""Requirements on metrics, for a job that must fail when a model is not good enough."""

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evalcore.errors import EvalError
from evalcore.metrics.catalog import WITH_COSTS, by_key, described
from evalcore.metrics.metric import Estimate, Metric
from evalcore.results import Evaluation

_COMPARE: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
)

_REQUIREMENT = re.compile(
    r"\s*(?:(?P<model>.+):)?(?:(?P<group>[a-z]+)\.)?(?P<metric>[^<>=]+?)\s*(?P<sign>[<>]=?)"
    r"\s*(?P<number>\S+)\s*"
)


@dataclass(frozen=True)
class Requirement:
    """That a metric lies on one side of a number.

    Attributes:
        text: As it was written.
        metric: Key of the metric, with its setting if it has one.
        sign: ">=", "<=", ">" or "<".
        number: The bound.
        model: The model it is about; every model where it is "".
        group: Where the metric comes from, such as "labels"; everywhere where it is "".
    """

    text: str
    metric: str
    sign: str
    number: float
    model: str = ""
    group: str = ""

    @classmethod
    def parse(cls, text: str) -> "Requirement":
        """Read a requirement such as "rf:threshold.f1>=0.8".

        Raises:
            EvalError: It is not one, or there is no such metric.

        >>> Requirement.parse("roc_auc >= 0.8").number
        0.8
        """
        match = _REQUIREMENT.fullmatch(text)
        number = _number(match["number"]) if match else None
        if match is None or number is None or math.isnan(number):
            raise EvalError(
                "bad-requirement", f'"{text}" is not a requirement. Write one such as roc_auc>=0.8.'
            )
        key = match["metric"]
        described(key)  # refuses what is none
        return cls(text, key, match["sign"], number, match["model"] or "", match["group"] or "")


@dataclass(frozen=True)
class Outcome:
    """A requirement with the number that meets it or does not."""

    requirement: Requirement
    model: str
    group: str
    estimate: Estimate

    @property
    def passed(self) -> bool:
        """Whether it is met; an undefined number meets nothing."""
        return _COMPARE[self.requirement.sign](self.estimate.value, self.requirement.number)


def with_settings(requirements: list[Requirement]) -> Mapping[str, Metric]:
    """Return the metrics that an evaluation does not hold by itself: those with a setting."""
    keys = {one.metric for one in requirements} - by_key().keys() - WITH_COSTS.keys()
    return {key: described(key) for key in keys}


def check(evaluation: Evaluation, requirements: list[Requirement]) -> list[Outcome]:
    """Hold an evaluation against requirements: each for every model and way that it covers.

    Raises:
        EvalError: A requirement is about no number of this evaluation.
    """
    outcomes = []
    for requirement in requirements:
        found = list(_of(evaluation, requirement))
        if not found:
            raise EvalError("no-such-number", _nothing(evaluation, requirement))
        outcomes += found
    return outcomes


def _of(evaluation: Evaluation, requirement: Requirement) -> Iterator[Outcome]:
    for model, made in evaluation.judged.items():
        for group, estimates in made.metrics.items():
            named = requirement.model in ("", model) and requirement.group in ("", group)
            if named and requirement.metric in estimates:
                yield Outcome(requirement, model, group, estimates[requirement.metric])


def _nothing(evaluation: Evaluation, requirement: Requirement) -> str:
    if requirement.model and requirement.model not in evaluation.judged:
        known = ", ".join(f'"{name}"' for name in evaluation.judged)
        return f'There is no model "{requirement.model}". The models are: {known}.'
    if requirement.metric in WITH_COSTS:
        return f"{requirement.metric} needs the costs of decisions: --cost TRUTH:DECISION=NUMBER."
    return f'"{requirement.text}" is about a number that this file does not give.'


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
