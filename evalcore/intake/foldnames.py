"""Whose score a column holds, and of what, by the column's name."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.comparison.metrics import compared
from evalcore.intake.words import MODEL, pieces

_ASIDE = frozenset({"train", "std", "sd", "time", "times", "seconds", "duration", "rank"})
_TESTED = frozenset({"test", "valid", "validation", "cv"})


@dataclass(frozen=True)
class Scored:
    """A column of scores: the model, "" if the name tells none, and what was scored."""

    column: str
    model: str
    metric: str


def is_aside(name: str) -> bool:
    """Tell whether a column is about training or about time, and not about the test rows.

    >>> is_aside("train_score"), is_aside("fit_time"), is_aside("test_accuracy")
    (True, True, False)
    """
    return bool({word.lower() for word in pieces(name)} & _ASIDE)


def known(metric: str) -> bool:
    """Tell whether a metric has a place in the catalogue, or at least a direction."""
    return bool(metric) and not compared(metric).notices


def metric_of(name: str) -> str:
    """Return what a column of scores is about.

    >>> metric_of("accuracy"), metric_of("test_roc_auc"), metric_of("skill")
    ('accuracy', 'roc_auc', 'skill')
    """
    words = pieces(name)
    bare = words[1:] if words[0].lower() in _TESTED and len(words) > 1 else words
    return name if bare == words else "_".join(bare)


def scored(names: Sequence[str]) -> list[Scored]:
    """Split names of columns that each hold one model's scores into model and metric.

    A metric that is known is found in each name; else it is what all names share.

    >>> [(s.model, s.metric) for s in scored(["rf_accuracy", "rf_f1", "Ridge~RMSE"])]
    [('rf', 'accuracy'), ('rf', 'f1'), ('Ridge', 'RMSE')]
    >>> [(s.model, s.metric) for s in scored(["score_A", "score_B"])]
    [('A', 'score'), ('B', 'score')]
    """
    shared = set.intersection(*(set(pieces(name)) for name in names)) if len(names) > 1 else set()
    return [_scored(name, shared) for name in names]


def _scored(name: str, shared: set[str]) -> Scored:
    model, mark, metric = name.rpartition("~")
    if mark:
        return Scored(name, model, metric)
    words = pieces(name)
    tail = next((at for at in range(len(words)) if known("_".join(words[at:]))), None)
    if tail is not None:
        kept = [word for word in words[:tail] if word.lower() not in _TESTED]
        return Scored(name, " ".join(kept), "_".join(words[tail:]))
    head = next((at for at in range(len(words), 0, -1) if known("_".join(words[:at]))), None)
    if head is not None:
        return Scored(name, " ".join(words[head:]), "_".join(words[:head]))
    own = [word for word in words if word not in shared]
    common = [word for word in words if word in shared and word.lower() not in MODEL]
    return Scored(name, " ".join(own), "_".join(common) or "score")
