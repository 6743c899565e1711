"""Results as a headline: one plain sentence, never more than the rows show."""

from collections.abc import Iterable, Sequence

from evalcore.metrics.spec import Estimate
from evalcore.outcomes import Outcomes
from evalcore.results import ModelTables
from evalcore.tables.confused import confused_pairs
from evalcore.tables.confusion import ConfusionMatrix
from pages.figures.spoken import at_start
from pages.figures.words import count, counted, named, of_hundred, percent, threshold, with_interval

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
    worse = " — worse than chance" if own.value < 0.5 else ""
    return f"{name} ranks {of_hundred(own.value)} pairs right{worse}", _below("ROC AUC", own)


def _below(metric: str, own: Estimate) -> str:
    return f"{metric} {with_interval(own)}."


def matrix(who: str, confusion: ConfusionMatrix) -> str:
    """Return what the decisions of a model come to, `who` in a sentence."""
    name = at_start(who)
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
