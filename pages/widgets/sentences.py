"""What a number means for these rows: one short sentence with the counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evalcore.metrics.spec import Estimate
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts
from pages.figures.words import count, named, number, of_hundred, percent


@dataclass(frozen=True)
class Facts:
    """What the sentences speak of.

    Attributes:
        positive: The class that is looked for.
        negative: The other one.
        counts: The four counts of the decision.
        metrics: Every number that is known, by key.
    """

    positive: str
    negative: str
    counts: BinaryCounts
    metrics: Estimates


def sentence(key: str, facts: Facts) -> str:
    """Return what the metric with this key means here; "" where there is nothing to add."""
    return _SENTENCES[key](facts) if key in _SENTENCES else ""


def rows_behind(key: str, counts: BinaryCounts) -> float:
    """Return the number of rows on which the number stands or falls."""
    behind = _ROWS_BEHIND.get(key)
    if behind is not None:
        return float(behind(counts))
    return float(min(counts.positives, counts.negatives))


def _precision(facts: Facts) -> str:
    c = facts.counts
    return (
        f"{count(c.tp)} of {count(c.predicted_positive)} flagged rows are {named(facts.positive)}"
    )


def _recall(facts: Facts) -> str:
    c = facts.counts
    return f"{count(c.tp)} of {count(c.positives)} {named(facts.positive)} rows found"


def _specificity(facts: Facts) -> str:
    c = facts.counts
    return f"{count(c.tn)} of {count(c.negatives)} {named(facts.negative)} rows left alone"


def _accuracy(facts: Facts) -> str:
    c = facts.counts
    most = facts.positive if c.positives > c.negatives else facts.negative
    share = _value(facts, "no_information_rate", percent)
    return f"{share} by calling every row {named(most)}" if share else ""


def _auc(facts: Facts) -> str:
    return _value(
        facts, "roc_auc", lambda auc: f"{of_hundred(auc)} pairs ranked right; 50 by chance"
    )


def _average_precision(facts: Facts) -> str:
    return _value(facts, "prevalence", lambda share: f"{number(share)} by chance")


def _brier(facts: Facts) -> str:
    naive = _value(facts, "brier_uncertainty", number)
    share = _value(facts, "prevalence", percent)
    return f"{naive} by saying {share} every time" if naive and share else ""


def _value(facts: Facts, key: str, say: Callable[[float], str]) -> str:
    estimate = facts.metrics.get(key, Estimate(float("nan")))
    return say(estimate.value) if estimate.defined else ""


_SENTENCES: Mapping[str, Callable[[Facts], str]] = {
    "precision": _precision,
    "recall": _recall,
    "specificity": _specificity,
    "accuracy": _accuracy,
    "f1": lambda facts: "harmonic mean of precision and recall",
    "mcc": lambda facts: "0 is chance, 1 is perfect",
    "balanced_accuracy": lambda facts: "mean of recall and specificity",
    "roc_auc": _auc,
    "average_precision": _average_precision,
    "brier": _brier,
}
_ROWS_BEHIND: Mapping[str, Callable[[BinaryCounts], float]] = {
    "precision": lambda counts: float(counts.predicted_positive),
    "recall": lambda counts: float(counts.positives),
    "specificity": lambda counts: float(counts.negatives),
    "accuracy": lambda counts: float(counts.total),
    "brier": lambda counts: float(counts.total),
}
