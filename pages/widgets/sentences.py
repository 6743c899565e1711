"""What a number means for these rows: one short sentence with the counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from evalcore.metrics.spec import Estimate
from evalcore.outcomes import Number
from evalcore.results import Estimates
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from pages.figures.words import count, counted, named, number, of_hundred, percent

UNKNOWN = Estimate(float("nan"))


class Facts(Protocol):
    """What the sentences on the cards of a model speak of."""

    @property
    def counts(self) -> BinaryCounts | None:
        """The four counts of a yes-or-no question, to be filled into formulas."""

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""

    def rows_behind(self, key: str) -> float:
        """Return the number of rows on which the number stands or falls."""


@dataclass(frozen=True)
class BinaryFacts:
    """The facts of a yes-or-no question: its classes, its four counts, every number by key."""

    positive: str
    negative: str
    counts: BinaryCounts
    metrics: Estimates

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""
        return _SENTENCES[key](self) if key in _SENTENCES else ""

    def rows_behind(self, key: str) -> float:
        """Return the rows that the number is a share of, or those of the rarer class."""
        behind = _ROWS_BEHIND.get(key)
        if behind is not None:
            return float(behind(self.counts))
        return float(min(self.counts.positives, self.counts.negatives))

    def say(self, key: str, words: Callable[[float], str]) -> str:
        """Return the value of another metric in words; "" where it is undefined."""
        estimate = self.metrics.get(key, UNKNOWN)
        return words(estimate.value) if estimate.defined else ""


@dataclass(frozen=True)
class ClassFacts:
    """The facts of a question with several classes."""

    confusion: ConfusionMatrix
    counts: None = None

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""
        if key == "accuracy":
            right = float(self.confusion.counts.trace())
            return f"{count(right)} of {counted(self.confusion.total, 'row')} are right"
        return _OF_CLASSES.get(key, "")

    def rows_behind(self, key: str) -> float:
        """Return all rows."""
        return self.confusion.total


def _precision(facts: BinaryFacts) -> str:
    c = facts.counts
    flagged = f"{count(c.tp)} of {count(c.predicted_positive)} flagged rows"
    return f"{flagged} are {named(facts.positive)}"


def _recall(facts: BinaryFacts) -> str:
    c = facts.counts
    return f"{count(c.tp)} of {count(c.positives)} {named(facts.positive)} rows found"


def _specificity(facts: BinaryFacts) -> str:
    c = facts.counts
    return f"{count(c.tn)} of {count(c.negatives)} {named(facts.negative)} rows left alone"


def _accuracy(facts: BinaryFacts) -> str:
    c = facts.counts
    most = facts.positive if c.positives > c.negatives else facts.negative
    share = facts.say("no_information_rate", percent)
    return f"{share} by calling every row {named(most)}" if share else ""


def _auc(facts: BinaryFacts) -> str:
    return facts.say("roc_auc", lambda area: f"{of_hundred(area)} pairs ranked right; 50 by chance")


def _average_precision(facts: BinaryFacts) -> str:
    return facts.say("prevalence", lambda share: f"{number(share)} by chance")


def _brier(facts: BinaryFacts) -> str:
    naive, share = facts.say("brier_uncertainty", number), facts.say("prevalence", percent)
    return f"{naive} by saying {share} every time" if naive and share else ""


_SENTENCES: Mapping[str, Callable[[BinaryFacts], str]] = {
    "precision": _precision,
    "recall": _recall,
    "specificity": _specificity,
    "accuracy": _accuracy,
    "f1": lambda facts: "harmonic mean of precision and recall",
    "mcc": lambda facts: "0 is chance, 1 is perfect",
    "roc_auc": _auc,
    "average_precision": _average_precision,
    "brier": _brier,
    "log_loss": lambda facts: "0 is perfect; being sure and wrong costs most",
}
_ROWS_BEHIND: Mapping[str, Callable[[BinaryCounts], Number]] = {
    "precision": lambda counts: counts.predicted_positive,
    "recall": lambda counts: counts.positives,
    "specificity": lambda counts: counts.negatives,
    "accuracy": lambda counts: counts.total,
    "brier": lambda counts: counts.total,
    "log_loss": lambda counts: counts.total,
}
_OF_CLASSES: Mapping[str, str] = {
    "balanced_accuracy": "mean recall over the classes",
    "cohen_kappa": "0 is chance, 1 is perfect",
    "mcc": "0 is chance, 1 is perfect",
    "roc_auc_ovr_macro": "mean over the classes; 0.5 is chance",
    "roc_auc_hand_till": "mean over pairs of classes; 0.5 is chance",
    "average_precision_ovr_macro": "mean over the classes",
    "log_loss": "0 is perfect; being sure and wrong costs most",
    "brier_multiclass": "0 is perfect, 2 is the worst",
}
