"""From checked rows to count tables, once per data set; every number comes from these."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from evalcore.evaluation.decided import codes_of, some_rows
from evalcore.intake.model import Categories, Dataset
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Codes,
    Floats,
    NumericOutcomes,
    Outcomes,
)
from evalcore.results import ModelTables
from evalcore.tables.classes import ClassScores, most_likely
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.groups import by_code
from evalcore.tables.scores import ScoreTable

_WORKERS = 2
"""Models that are condensed at once; each needs room for its sorted scores."""

MOST_FOLDS = 200
"""A file with more folds gets no entry per fold: leave-one-out says nothing fold by fold."""


def condense(dataset: Dataset) -> Mapping[str, ModelTables]:
    """Return the count tables of every model, by name."""
    models = dataset.models
    with ThreadPoolExecutor(_WORKERS) as pool:
        made = pool.map(lambda name: _with_folds(models[name], dataset.fold), models)
        return MappingProxyType(dict(zip(models, made, strict=True)))


def _with_folds(outcomes: Outcomes, fold: Categories | None) -> ModelTables:
    tables = _tables(outcomes)
    if fold is None or len(fold.names) > MOST_FOLDS:
        return tables
    parts = {fold.names[code]: _tables(part) for code, part in _split(outcomes, fold)}
    return replace(tables, folds=MappingProxyType(parts))


def _split(outcomes: Outcomes, fold: Categories) -> Iterator[tuple[int, Outcomes]]:
    """Return the rows of each fold, in the order of its name; rows without a fold are left out."""
    for code, places in by_code(codes_of(fold, outcomes)):
        yield code, some_rows(outcomes, places)


def _tables(outcomes: Outcomes) -> ModelTables:
    match outcomes:
        case BinaryOutcomes():
            return _binary(outcomes)
        case ClassOutcomes():
            return _classes(outcomes)
        case NumericOutcomes():
            return ModelTables(n=_n(outcomes.truth, outcomes.weight), classes=(), numbers=outcomes)


def _binary(outcomes: BinaryOutcomes) -> ModelTables:
    scores, labels_by_score = _ranked(outcomes)
    return ModelTables(
        n=_n(outcomes.truth, outcomes.weight),
        classes=outcomes.classes,
        labels=_against_labels(outcomes),
        scores=scores,
        probability=outcomes.probability,
        labels_by_score=labels_by_score,
    )


def _ranked(outcomes: BinaryOutcomes) -> tuple[ScoreTable | None, ScoreTable | None]:
    """Return the truth, and the model's own labels, by score, where it gave them."""
    score, truth, label = outcomes.score, outcomes.truth, outcomes.label
    if score is None:
        return None, None
    if label is None:
        return ScoreTable.from_scores(score, truth, outcomes.weight), None
    return ScoreTable.from_both(score, truth, label, outcomes.weight)


def _classes(outcomes: ClassOutcomes) -> ModelTables:
    truth, weight = outcomes.truth, outcomes.weight
    tables = ModelTables(
        n=_n(truth, weight), classes=outcomes.classes, labels=_against_labels(outcomes)
    )
    if outcomes.probabilities is None:
        return tables
    decided, label = most_likely(outcomes.probabilities), outcomes.label
    return replace(
        tables,
        argmax=ConfusionMatrix.from_codes(truth, decided, outcomes.classes, weight),
        labels_by_argmax=None
        if label is None
        else ConfusionMatrix.from_codes(label, decided, outcomes.classes, weight),
        argmax_ties=_ties(outcomes.probabilities),
        class_scores=ClassScores.from_probabilities(
            outcomes.probabilities, truth, outcomes.classes, weight
        ),
    )


def _against_labels(outcomes: BinaryOutcomes | ClassOutcomes) -> ConfusionMatrix | None:
    if outcomes.label is None:
        return None
    return ConfusionMatrix.from_codes(
        outcomes.truth, outcomes.label, outcomes.classes, outcomes.weight
    )


def _n(truth: Codes | Floats, weight: Floats | None) -> float:
    if weight is None:
        return len(truth)
    total = float(weight.sum())
    return int(total) if total.is_integer() else total


def _ties(probabilities: Floats) -> int:
    """Count the rows in which two classes share the largest probability."""
    filled = np.where(np.isnan(probabilities), -1.0, probabilities)
    shared = (filled == filled.max(axis=1, keepdims=True)).sum(axis=1)
    return int((shared > 1).sum())
