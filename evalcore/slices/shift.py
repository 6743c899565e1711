"""Two files apart, such as last month and this month: what changed, and by how much for sure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import common_rule
from evalcore.errors import EvalError
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate, Sample
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Floats, Outcomes, Predictions
from evalcore.slices.judging import Against, against
from evalcore.slices.measures import measure
from evalcore.tables.confusion import BinaryCounts
from evalcore.text import Displayed

EXPECTED = (
    "Probabilities are right on average in these rows too. Where the population has changed they "
    "may not be, and nothing but labels can show it."
)
"""What is assumed where rows have no labels."""


@dataclass(frozen=True)
class Shift(Displayed):
    """How a later file differs from an earlier one.

    Attributes:
        metrics: Key -> the later value, the earlier one (`rest`), their difference and its test.
        distance: Largest difference of the shares of rows up to a score; NaN without scores.
        p_value: Chance of as large a distance if scores were alike (Kolmogorov and Smirnov).
        n: Rows of the earlier file and of the later one.
    """

    metrics: Mapping[str, Against]
    distance: float
    p_value: float
    n: tuple[float, float]


def shift(
    earlier: Predictions,
    later: Predictions,
    keys: Sequence[str],
    options: Options,
    model: str | None = None,
) -> Shift:
    """Return how a model does in two files that have no row in common.

    Args:
        earlier: The one to compare with.
        later: The one in question.
        keys: Metrics; "prevalence" is the share of positives.
        options: Level and threshold.
        model: Its name in both files; the first that both have by default.

    Raises:
        EvalError: "no-such-model": not both files have it. "not-sliceable": the metric is no sum.
    """
    shared = [name for name in earlier.models if name in later.models]
    name = model or next(iter(shared), "")
    if name not in shared:
        raise EvalError("no-such-model", "No model of that name is in both files.")
    rows = [one.models[name] for one in (earlier, later)]
    rule = common_rule({"earlier": rows[0], "later": rows[1]})
    metrics = {}
    for key in keys:
        made = [candidate(name, own, find(key), rule, options.threshold_of(name)) for own in rows]
        first, second = (None if one is None else measure(one, options) for one in made)
        if first is None or second is None:
            raise EvalError("not-sliceable", f"Not both files give what {key} is made of.")
        metrics[key] = against(second.whole(), first.whole())
    distance, p_value = _distance(*rows)
    return Shift(MappingProxyType(metrics), distance, p_value, (rows[0].total, rows[1].total))


def _distance(first: Outcomes, second: Outcomes) -> tuple[float, float]:
    """Return the distance of two distributions of scores, and its p value in large samples."""
    from scipy.special import kolmogorov

    if not (isinstance(first, BinaryOutcomes) and isinstance(second, BinaryOutcomes)):
        return np.nan, np.nan
    if first.score is None or second.score is None:
        return np.nan, np.nan
    one, other = np.sort(first.score), np.sort(second.score)
    every = np.concatenate([one, other])
    upto = [np.searchsorted(own, every, side="right") / len(own) for own in (one, other)]
    distance = float(np.max(np.abs(upto[0] - upto[1])))
    alone = all(rows.weight is None and rows.unit is None for rows in (first, second))
    size = len(one) * len(other) / (len(one) + len(other))
    return distance, float(kolmogorov(np.sqrt(size) * distance)) if alone else np.nan


def expected(probability: Floats, keys: Sequence[str], options: Options) -> Mapping[str, Estimate]:
    """Return metrics to expect of rows without labels, were the probabilities right.

    Each row counts as a positive with its probability, and as a negative with what is left.
    `EXPECTED` says what is assumed. Source: Guillory and others (2021), Predicting with confidence
    on unseen distributions, ICCV.

    Args:
        probability: (n,) of the positive class.
        keys: Metrics of a decision, such as "accuracy", "recall" or "prevalence".
        options: Level, and the threshold of the decision.

    >>> expected(np.array([0.9, 0.2]), ["accuracy"], Options())["accuracy"]
    Estimate(value=0.850, low=0.250, high=0.990, method=wilson, level=0.950)
    """
    called = probability >= options.threshold
    sums: list[Any] = [
        float(np.sum(part))
        for side in (called, ~called)
        for part in (probability[side], 1 - probability[side])
    ]
    tp, fp, fn, tn = sums
    counts, found = BinaryCounts(tp, fp, fn, tn), {}
    for key in keys:
        metric = find(key)
        if metric.needs is not BinaryCounts:
            raise EvalError(
                "not-expected",
                f"Without labels {key} cannot be expected: choose a metric of decisions.",
            )
        found[key] = metric.estimate(counts, Sample(options.level))
    return MappingProxyType(found)
