"""What results mean, in plain sentences with the counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Number, Outcomes
from evalcore.results import ClusteringEvaluation, Estimates, ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.text import count, counted
from pages.figures.words import at_start, named
from pages.text import against_chance, number, of_hundred, percent, threshold, with_interval

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


def at_thresholds(models: Iterable[Outcomes]) -> str:
    """Return how rows are decided where the threshold does it, though files have labels."""
    labelled = any(getattr(outcomes, "label", None) is not None for outcomes in models)
    told = "Each with its interval; point at a name for its meaning."
    by_score = "Decided by score ≥ threshold, not by the file’s own labels: Overview has both ways."
    return f"{by_score} {told}" if labelled else told


def alone(who: str, own: Estimate, tables: ModelTables) -> tuple[str, str]:
    """Return how good a single model is, its interval in the line below; `who` it is in words."""
    if not own.defined:
        return "No model can be ranked here", ""
    name, rows = at_start(who), counted(tables.n, "row")
    if tables.scores is None or not (tables.scores.positives and tables.scores.negatives):
        return f"{name} is right on {percent(own.value)} of {rows}", _below("Accuracy", own)
    ranked = f"{name} ranks {of_hundred(own.value)} pairs right{against_chance(own)}"
    return ranked, _below("ROC AUC", own)


def _below(metric: str, own: Estimate) -> str:
    return f"{metric} {with_interval(own)}."


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


_ALWAYS: Mapping[str, str] = {
    "calinski_harabasz": "spread between clusters over spread within; higher is better",
    "davies_bouldin": "how alike the closest clusters are; 0 is best",
    "dunn": "smallest gap between clusters over the widest cluster; higher is better",
    "adjusted_rand_index": "0 is chance, 1 is the same grouping",
    "ami_arithmetic": "0 is chance, 1 is the same grouping",
    "v_measure": "1 if clusters hold one class and classes lie in one cluster",
}


def sentence(made: ClusteringEvaluation, key: str) -> str:
    """Return what the metric with this key means here; "" where there is nothing to add."""
    if key == "silhouette" and made.tables is not None:
        values = made.tables.silhouette.values
        below = int((values < 0).sum())
        return f"{counted(below, 'point')} nearer to another cluster"
    if key in ("purity", "best_match_accuracy") and made.contingency is not None:
        return _matched(made.contingency, key, made.agreement[key].value)
    return _ALWAYS.get(key, "")


def _matched(table: Contingency, key: str, share: float) -> str:
    if not table.n:
        return ""
    points = f"{round(share * table.n):,} of {counted(table.n, 'point')}"
    if key == "purity":
        return f"{points} are of the main class of their cluster"
    largest = float(table.class_sizes.max()) / table.n
    return f"{points} in the cluster of their class; {percent(largest)} with one cluster for all"
