"""Which model leads, and over which others that can be said for sure.

The leader is the model with the best value. Since it was picked for that, each comparison with
another one is made at a level that allows for all pairs of models (Bonferroni), on the rows that
both have.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation.decided import Way, decided
from evalcore.evaluation.gaps import Gap, accuracy_gap, area_gap, gap_apart
from evalcore.intake.model import Dataset
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Floats
from evalcore.results import ModelTables
from evalcore.tables.areas import roc_area
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable

Judged = BinaryOutcomes | ClassOutcomes
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Leader:
    """The model with the best value, and its gap to each of the others.

    Attributes:
        model: The leader.
        metric: Key of what was compared: "roc_auc" or "accuracy".
        value: The leader's value, on its own rows.
        gaps: One per other model, the closest first.
        level: Level at which all the intervals hold together.
        n: Rows of the leader, or the sum of their weights.
        left_out: Models that do not give what is compared.
        way: Where the decisions came from, for accuracy.
    """

    model: str
    metric: str
    value: float
    gaps: tuple[Gap, ...]
    level: float
    n: float = 0
    left_out: tuple[str, ...] = ()
    way: Way | None = None

    @property
    def ahead_of(self) -> tuple[str, ...]:
        """Models that are worse for sure."""
        return tuple(gap.model for gap in self.gaps if gap.sure)

    @property
    def level_with(self) -> tuple[str, ...]:
        """Models that these rows cannot tell from the leader."""
        return tuple(gap.model for gap in self.gaps if not gap.sure)


def leader(
    dataset: Dataset, tables: Mapping[str, ModelTables], level: float = 0.95
) -> Leader | None:
    """Compare models by AUC where they give scores of a yes-or-no question, else by accuracy.

    `tables` are the condensed data set. Models that do not give what is compared are left out;
    None where neither AUC nor accuracy is defined for any.
    """
    scores = {name: found.scores for name, found in tables.items() if found.scores is not None}
    by_area = _by_area(dataset, scores, level) if scores else None
    found = by_area or _by_accuracy(dataset, tables, level)
    if found is None:
        return None
    compared = {found.model, *(gap.model for gap in found.gaps)}
    left_out = tuple(name for name in tables if name not in compared)
    return replace(found, n=tables[found.model].n, left_out=left_out)


def _by_area(dataset: Dataset, tables: Mapping[str, ScoreTable], level: float) -> Leader | None:
    strict = _level_of_each(len(tables), level)

    def gap(best: str, other: str) -> Gap:
        first, second = (_scored(dataset, name) for name in (best, other))
        if first.rows is None and second.rows is None:
            apart = gap_apart(tables[best], tables[other], strict)
            if apart.sure:
                return replace(apart, model=other)
        here, there = _shared_rows(first, second)
        scores = _score(first)[here], _score(second)[there]
        weight = None if first.weight is None else first.weight[here]
        return replace(area_gap(scores, first.truth[here], weight, strict), model=other)

    values = {name: roc_area(table) for name, table in tables.items()}
    return _lead("roc_auc", values, gap, level)


def _by_accuracy(
    dataset: Dataset, tables: Mapping[str, ModelTables], level: float
) -> Leader | None:
    way, matrices = _common_way(tables)
    strict = _level_of_each(len(matrices), level)

    def gap(best: str, other: str) -> Gap:
        first, second = (_judged(dataset, name) for name in (best, other))
        here, there = _shared_rows(first, second)
        surplus = _right(first, way)[here] - _right(second, way)[there]
        weight = np.ones(len(here)) if first.weight is None else first.weight[here]
        return replace(accuracy_gap(surplus, weight, strict), model=other)

    values = {name: _accuracy(matrix) for name, matrix in matrices.items()}
    found = _lead("accuracy", values, gap, level)
    return found and replace(found, way=way)


def _lead(
    metric: str, values: Mapping[str, float], gap: Callable[[str, str], Gap], level: float
) -> Leader | None:
    defined = {name: value for name, value in values.items() if not np.isnan(value)}
    if not defined:
        return None
    best = max(defined, key=lambda name: defined[name])
    gaps = sorted((gap(best, name) for name in defined if name != best), key=_size)
    return Leader(best, metric, defined[best], tuple(gaps), level)


def _size(gap: Gap) -> float:
    return gap.difference


def _level_of_each(models: int, level: float) -> float:
    return 1 - (1 - level) / max(1, comb(models, 2))


def _common_way(
    tables: Mapping[str, ModelTables],
) -> tuple[Way, Mapping[str, ConfusionMatrix]]:
    """Return the way of deciding that most models know, and their matrices; labels on a tie."""
    labels = {name: found.labels for name, found in tables.items() if found.labels is not None}
    argmax = {name: found.argmax for name, found in tables.items() if found.argmax is not None}
    return ("argmax", argmax) if len(argmax) > len(labels) else ("labels", labels)


def _accuracy(matrix: ConfusionMatrix) -> float:
    """Return the share of rows that are right; NaN without rows."""
    return float(np.trace(matrix.counts)) / matrix.total if matrix.total else np.nan


def _shared_rows(first: Judged, second: Judged) -> tuple[Places, Places]:
    """Return where in each model the rows are that both have."""
    if first.rows is None and second.rows is None:
        return np.arange(first.n), np.arange(second.n)
    one, other = (np.arange(1, o.n + 1) if o.rows is None else o.rows for o in (first, second))
    _, here, there = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return here, there


def _judged(dataset: Dataset, name: str) -> Judged:
    outcomes = dataset.models[name]
    assert isinstance(outcomes, BinaryOutcomes | ClassOutcomes)
    return outcomes


def _scored(dataset: Dataset, name: str) -> BinaryOutcomes:
    outcomes = dataset.models[name]
    assert isinstance(outcomes, BinaryOutcomes)
    return outcomes


def _score(outcomes: BinaryOutcomes) -> Floats:
    assert outcomes.score is not None
    return outcomes.score


def _right(outcomes: Judged, way: Way) -> Floats:
    """Return (n,) ones where the decision is right."""
    right: Floats = np.equal(decided(outcomes, way), outcomes.truth).astype(np.float64)
    return right
