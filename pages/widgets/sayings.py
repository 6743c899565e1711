"""Results as a headline: one plain sentence, never more than the rows show."""

import math
from collections.abc import Sequence

from evalcore.evaluation.leader import Leader
from evalcore.metrics.spec import Estimate
from evalcore.tables.confused import confused_pairs
from evalcore.tables.confusion import ConfusionMatrix
from pages.escape import visible
from pages.figures.words import (
    MINUS,
    count,
    counted,
    named,
    number,
    of_hundred,
    percent,
    threshold,
    with_interval,
)

WAYS = {
    "labels": "the file’s own labels",
    "threshold": "the threshold",
    "argmax": "the likeliest class",
}
AVERAGES = {
    "macro": "Macro: every class counts the same, however rare.",
    "micro": "Micro: every row counts the same; recall, precision and F1 are then the accuracy.",
    "weighted": "Weighted: every class counts by its rows in the truth.",
}
METRICS = {"roc_auc": "AUC", "accuracy": "accuracy"}
BEST = {"roc_auc": "ranks best", "accuracy": "is right most often"}
BETTER = {"roc_auc": "ranks better", "accuracy": "is right more often"}
NAMED_AT_MOST = 3


def leading(found: Leader | None) -> str:
    """Return which model leads, and over which others that can be said."""
    if found is None:
        return "No model can be ranked here"
    best, metric = visible(found.model), METRICS[found.metric]
    if not found.gaps:
        return f"{best} {_alone(found)}"
    if not found.level_with:
        return f"{best} {BEST[found.metric]}, ahead of {_all(found.ahead_of)}"
    if all(gap.difference == 0 for gap in found.gaps):
        return f"All models have the same {metric}, {number(found.value)}"
    if not found.ahead_of:
        unsure = f"{counted(found.n, 'row')} cannot tell it from {_all(found.level_with)}"
        return f"{best} has the highest {metric}, but {unsure}"
    ahead = f"{best} {BETTER[found.metric]} than {_all(found.ahead_of)}"
    return f"{ahead}; {_all(found.level_with)} may be as good"


def closest(found: Leader | None, own: Estimate) -> str:
    """Return how far the leader is ahead of the next, with its interval and how it was made.

    Where there is no other, return its `own` number with the interval.
    """
    if found is None:
        return ""
    if not found.gaps:
        return f"{_metric(found)} {with_interval(own)}.{_left_out(found)}"
    gap = found.gaps[0]
    value = f"{_metric(found)} {number(found.value)}"
    lead = f"{value}, {_signed(gap.difference)} ahead of {visible(gap.model)}"
    if math.isnan(gap.low):
        return f"{lead}; with so few rows nothing is said for sure.{_left_out(found)}"
    test = "paired DeLong" if found.metric == "roc_auc" else "paired rows"
    pairs = f", allowing for all {len(found.gaps) + 1} models" if len(found.gaps) > 1 else ""
    ends = f"{_signed(gap.low)} to {_signed(gap.high)}"
    return f"{lead} ({found.level:.0%} interval {ends}, {test}{pairs}).{_left_out(found)}"


def _metric(found: Leader) -> str:
    return "AUC" if found.metric == "roc_auc" else "Accuracy"


def _left_out(found: Leader) -> str:
    if not found.left_out:
        return ""
    lacks = "scores" if found.metric == "roc_auc" else "decisions of the same kind"
    return f" Not compared, for want of {lacks}: {_all(found.left_out)}."


def matrix(model: str, confusion: ConfusionMatrix) -> str:
    """Return what the decisions of a model come to."""
    name = visible(model)
    if len(confusion.classes) == 2:
        counts = confusion.binary()
        negative, positive = (named(label) for label in confusion.classes)
        found = f"{count(counts.tp)} of {count(counts.positives)} {positive}"
        flagged = f"{count(counts.fp)} of {count(counts.negatives)} {negative}"
        return f"{name} finds {found} rows and flags {flagged} ones"
    right = count(float(confusion.counts.trace()))
    told = f"{name} is right on {right} of {counted(confusion.total, 'row')}"
    worst = confused_pairs(confusion, 1)
    if not worst:
        return told
    return f"{told}; most often it takes {named(worst[0].truth)} for {named(worst[0].decision)}"


def _alone(found: Leader) -> str:
    if found.metric == "accuracy":
        return f"is right on {percent(found.value)} of {counted(found.n, 'row')}"
    below = " — worse than chance" if found.value < 0.5 else ""
    return f"ranks {of_hundred(found.value)} pairs right{below}"


def of_way(way: str, at: float) -> str:
    """Return a way of deciding in words.

    >>> of_way("threshold", 0.5)
    'the threshold 0.5'
    """
    return f"{WAYS[way]} {threshold(at)}" if way == "threshold" else WAYS[way]


def decided_by(way: str, classes: Sequence[str], at: float) -> str:
    """Return where the decisions come from."""
    if way == "threshold":
        return f"Called {named(classes[-1])} when the score is at least {threshold(at)}."
    if way == "argmax":
        return "Called what has the largest probability."
    return "As the file's own labels say."


def _all(names: Sequence[str]) -> str:
    shown = [visible(name) for name in names]
    if len(shown) > NAMED_AT_MOST:
        return f"{len(shown)} others"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _signed(value: float) -> str:
    return f"{value:.3f}".replace("-", MINUS)
