"""How often a model is right, item by item: items are drawn, however often each was tried."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.intervals.closed import Interval, normal_quantile, wilson
from evalcore.metrics.decisions import ACCURACY
from evalcore.metrics.metric import Closed, Metric, Sample
from evalcore.metrics.vocabulary import cite
from evalcore.outcomes import CorrectOutcomes, Floats
from evalcore.results import Estimates


def accuracy(items: CorrectOutcomes) -> float:
    """Return the mean over items of the share of tries that were right; NaN without items."""
    return float(items.share @ _weights(items) / items.total) if items.total else np.nan


def accuracy_interval(items: CorrectOutcomes, level: float = 0.95) -> Interval:
    """Return Wilson's interval, for as many independent tries as vary like these items.

    Of items that were tried once it is Wilson's own. Else it has the variance of the mean over
    items, and allows for estimating it from few. Source: Korn and Graubard (1998), Confidence
    intervals for proportions with small expected number of positive counts estimated from survey
    data, Survey Methodology 24(2), with Wilson's interval in place of the exact one, as in Dean
    and Pagano (2015), Journal of Survey Statistics and Methodology 3(4).
    """
    total, value = items.total, accuracy(items)
    tries = total if items.tries is None else _tries_that_count(items, value, level)
    return wilson(value * tries, tries, level)


def _tries_that_count(items: CorrectOutcomes, value: float, level: float) -> float:
    """Return how many independent tries would tell as much as these; no fewer than one."""
    from scipy.special import stdtrit

    assert items.tries is not None
    total, weight = items.total, _weights(items)
    if not 0 < value < 1 or total <= 1:
        # Items that are all alike show no variation: each then counts as one try.
        return total
    variance = float(weight @ (items.share - value) ** 2) / (total * (total - 1))
    most = float(weight @ items.tries)
    tries = min(value * (1 - value) / variance, most) if variance else most
    reach = float(stdtrit(total - 1, (1 + level) / 2))
    return max(1.0, tries * (normal_quantile(level) / reach) ** 2)


def _weights(items: CorrectOutcomes) -> Floats:
    return np.ones(items.n) if items.weight is None else items.weight


ACCURACY_OF_ITEMS: Metric = replace(
    ACCURACY,
    needs=CorrectOutcomes,
    compute=accuracy,
    summary="The share of items that are right; of one tried several times, that of its tries.",
    formula=r"\frac{\text{right}}{\text{items}}",
    misleads="",
    source=cite("Miller (2024)"),
    interval=Closed(accuracy_interval, says="Wilson’s method for a share, with items as the unit."),
    over_classes=None,
)
"""Accuracy where only right or wrong is known, under the same key."""


def estimate_items(items: CorrectOutcomes, sample: Sample | None = None) -> Estimates:
    """Return the metrics of right and wrong answers, by key; without a sample no intervals."""
    return MappingProxyType({m.key: m.estimate(items, sample) for m in (ACCURACY_OF_ITEMS,)})
