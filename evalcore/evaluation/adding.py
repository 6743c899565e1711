"""Count tables of the same model over different rows, added up."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from evalcore.results import ModelTables
from evalcore.tables.grouping import grouped

MOST_SCORES = 1_000_000
"""Tables of more distinct scores are grouped."""

MOST_GROUPS = 1 << 17
"""At most so many groups are made of them, which add up fast."""

Part = TypeVar("Part")


def added(first: ModelTables, second: ModelTables) -> ModelTables:
    """Add the tables of two parts of a file; not of numbers, nor of probabilities of K classes."""
    names = dict.fromkeys((*first.folds, *second.folds))
    folds = {name: _both(first.folds.get(name), second.folds.get(name), added) for name in names}
    both = ModelTables(
        n=first.n + second.n,
        classes=first.classes,
        labels=_both(first.labels, second.labels, lambda a, b: a + b),
        scores=_both(first.scores, second.scores, lambda a, b: a + b),
        probability=first.probability and second.probability,
        labels_by_score=_both(first.labels_by_score, second.labels_by_score, lambda a, b: a + b),
        folds=MappingProxyType({name: part for name, part in folds.items() if part is not None}),
        grouped=first.grouped or second.grouped,
    )
    return limited(both)


def limited(tables: ModelTables) -> ModelTables:
    """Return tables of at most `MOST_SCORES` distinct scores, grouped where there are more."""
    many = tables.scores is not None and len(tables.scores.threshold) > MOST_SCORES
    return _with_groups(tables) if many or tables.grouped else tables


def _with_groups(tables: ModelTables) -> ModelTables:
    """Group the scores of a model, and those of its folds with them."""
    scores, labels = tables.scores, tables.labels_by_score
    return replace(
        tables,
        scores=None if scores is None else grouped(scores, MOST_GROUPS),
        labels_by_score=None if labels is None else grouped(labels, MOST_GROUPS),
        folds=MappingProxyType({name: _with_groups(part) for name, part in tables.folds.items()}),
        grouped=True,
    )


def _both(
    first: Part | None, second: Part | None, add: Callable[[Part, Part], Part]
) -> Part | None:
    if first is None or second is None:
        return second if first is None else first
    return add(first, second)
