"""From checked rows to count tables, once per data set; every number comes from these."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType
from typing import Any, get_args

import numpy as np

from evalcore import outcomes as data
from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Floats, Outcomes, Places, data_rows
from evalcore.predictions import Categories, Predictions
from evalcore.results import DecisionRule, ModelTables
from evalcore.tables.classes import ClassScores, most_likely
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable, by_code

RULES: tuple[DecisionRule, ...] = get_args(DecisionRule)
"""Where a decision comes from: the file's own labels, score >= threshold, the likeliest class."""


Judged = data.BinaryOutcomes | data.ClassOutcomes


def decide(outcomes: Judged, rule: DecisionRule, threshold: float = 0.5) -> Codes:
    """Return (n,) codes of the classes decided.

    The likeliest class is the first of those with the highest probability.
    Raises EvalError where the model does not give what the rule needs.

    >>> scored = data.BinaryOutcomes(classes=("no", "yes"), truth=np.array([0, 1], np.int8),
    ...                              score=np.array([0.2, 0.5]))
    >>> decide(scored, "threshold").tolist()
    [0, 1]
    """
    if rule == "labels" and outcomes.label is not None:
        return outcomes.label
    if isinstance(outcomes, data.BinaryOutcomes):
        if rule == "threshold" and outcomes.score is not None:
            return (outcomes.score >= threshold).astype(np.int8)
    elif rule == "argmax" and outcomes.probabilities is not None:
        return most_likely(outcomes.probabilities)
    raise EvalError("no-decision", f"This model does not decide by {rule}.")


def errors_of(rows: Outcomes, decided: Codes | None = None) -> Floats:
    """Return (n,) how wrong each row is: its absolute error, the share of its wrong tries, or 1.

    The last is that of a wrong decision; 0 where it is right or none is given.
    """
    if isinstance(rows, data.NumericOutcomes):
        return np.abs(rows.prediction - rows.truth)
    if isinstance(rows, data.CorrectOutcomes):
        return 1.0 - rows.share
    return np.zeros(rows.n) if decided is None else (decided != rows.truth).astype(np.float64)


def chances_of_truth(rows: Outcomes) -> Floats:
    """Return (n,) the probability of the true class; NaN where the model gives it none."""
    if isinstance(rows, data.BinaryOutcomes):
        assert rows.score is not None
        return np.where(rows.truth == 1, rows.score, 1 - rows.score)
    assert isinstance(rows, data.ClassOutcomes)
    assert rows.probabilities is not None
    return rows.probabilities[np.arange(rows.n), rows.truth.astype(np.intp)]


def some_rows(outcomes: Outcomes, places: Places) -> Outcomes:
    """Return some rows of a model's answers."""
    arrays = {n: a for n, a in vars(outcomes).items() if isinstance(a, np.ndarray) and n != "rows"}
    chosen: dict[str, Any] = {name: array[places] for name, array in arrays.items()}
    return replace(outcomes, rows=data_rows(outcomes, places), **chosen)


_WORKERS = 2
"""Models that are condensed at once; each needs room for its sorted scores."""

MOST_FOLDS = 200
"""A file with more folds gets no entry per fold: leave-one-out says nothing fold by fold."""


def condense(dataset: Predictions) -> Mapping[str, ModelTables]:
    """Return the count tables of every model, by name."""
    models = dataset.models
    with ThreadPoolExecutor(_WORKERS) as pool:
        tables = pool.map(lambda name: _with_parts(models[name], dataset), models)
        return MappingProxyType(dict(zip(models, tables, strict=True)))


def _with_parts(outcomes: Outcomes, dataset: Predictions) -> ModelTables:
    tables = _with_folds(outcomes, dataset.fold)
    if tables.items is None or dataset.group is None or len(dataset.group.names) > MOST_FOLDS:
        return tables
    # Within a group, its items are what is drawn.
    alone = replace(outcomes, unit=None)
    groups = {
        dataset.group.names[code]: items
        for code, places in by_code(dataset.group.on(outcomes))
        if isinstance(items := some_rows(alone, places), data.CorrectOutcomes)
    }
    return replace(tables, groups=MappingProxyType(groups))


def _with_folds(outcomes: Outcomes, fold: Categories | None) -> ModelTables:
    tables = tables_of(outcomes)
    if fold is None or len(fold.names) > MOST_FOLDS:
        return tables
    parts = {
        fold.names[code]: tables_of(some_rows(outcomes, places))
        for code, places in by_code(fold.on(outcomes))
    }
    return replace(tables, folds=MappingProxyType(parts))


def tables_of(outcomes: Outcomes) -> ModelTables:
    """Return the count tables of one model."""
    tables = _tables_of(outcomes)
    return tables if outcomes.unit is None else replace(tables, rows=outcomes)


def _tables_of(outcomes: Outcomes) -> ModelTables:
    match outcomes:
        case data.BinaryOutcomes():
            return _binary(outcomes)
        case data.ClassOutcomes():
            return _classes(outcomes)
        case data.NumericOutcomes():
            return ModelTables(n=_n(outcomes.truth, outcomes.weight), classes=(), numbers=outcomes)
        case data.CorrectOutcomes():
            return ModelTables(n=_n(outcomes.right, outcomes.weight), classes=(), items=outcomes)


def _binary(outcomes: data.BinaryOutcomes) -> ModelTables:
    scores, labels_by_score = _ranked(outcomes)
    return ModelTables(
        n=_n(outcomes.truth, outcomes.weight),
        classes=outcomes.classes,
        labels=_against_labels(outcomes),
        scores=scores,
        probability=outcomes.probability,
        labels_by_score=labels_by_score,
    )


def _ranked(outcomes: data.BinaryOutcomes) -> tuple[ScoreTable | None, ScoreTable | None]:
    """Return the truth, and the model's own labels, by score, where it gave them."""
    score, truth, label = outcomes.score, outcomes.truth, outcomes.label
    if score is None:
        return None, None
    if label is None:
        return ScoreTable.from_scores(truth, score, outcomes.weight), None
    return ScoreTable.from_both(truth, score, label, outcomes.weight)


def _classes(outcomes: data.ClassOutcomes) -> ModelTables:
    truth, weight = outcomes.truth, outcomes.weight
    tables = ModelTables(
        n=_n(truth, weight), classes=outcomes.classes, labels=_against_labels(outcomes)
    )
    if outcomes.confidence is not None and outcomes.label is not None:
        right = (truth == outcomes.label).astype(np.int8)
        own = ScoreTable.from_scores(right, outcomes.confidence, weight)
        tables = replace(tables, confidence=own)
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
            truth, outcomes.probabilities, outcomes.classes, weight
        ),
    )


def _against_labels(outcomes: data.BinaryOutcomes | data.ClassOutcomes) -> ConfusionMatrix | None:
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
