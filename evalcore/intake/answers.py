"""One model's columns as checked outcomes, on the rows that are complete."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.intake.classes import ClassColumns
from evalcore.intake.columns import numbers_of
from evalcore.intake.labels import SomeCodes
from evalcore.intake.model import ModelRoles, Roles, Scale, Table
from evalcore.intake.numbers import Numbers
from evalcore.intake.probabilities import ScoreMatrix, read_probabilities, without_column
from evalcore.intake.rows import Gap, Mask, kept_rows, refuse_huge, refuse_infinite
from evalcore.intake.scores import Score, complement, from_confidence, read_score, reverse
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Floats, NumericOutcomes, Rows

Cell = TypeVar("Cell", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Given:
    """What all models of a file share."""

    table: Table
    roles: Roles
    weight: Floats | None

    def kept(self, gaps: Iterable[Gap], model: str) -> tuple["Kept", tuple[Notice, ...]]:
        """Return the complete rows of a model; the notice names it if there are several.

        Raises:
            EvalError: "no-rows" if no row is complete, or all that are have weight 0.
        """
        places, notices = kept_rows(gaps, model if len(self.roles.models) > 1 else None)
        return Kept(self._counting(places), self.weight), notices

    def _counting(self, places: Rows | None) -> Rows | None:
        """Leave out the rows of weight 0: they are no rows to any table, curve or test."""
        if self.weight is None or self.weight.all():
            return places
        kept = np.arange(self.table.n) if places is None else places
        kept = kept[self.weight[kept] > 0]
        if not len(kept):
            message = (
                f'Every complete row has weight 0 in column "{self.roles.weight}", so that nothing '
                "is left to judge. Choose another column of weights, or none."
            )
            raise EvalError("no-rows", message, column=self.roles.weight)
        return kept


@dataclass(frozen=True, eq=False)
class Kept:
    """The rows on which a model is judged; None stands for all."""

    places: Rows | None
    weights: Floats | None

    def of(self, values: NDArray[Cell]) -> NDArray[Cell]:
        """Return the values at these rows."""
        return values if self.places is None else values[self.places]

    @property
    def weight(self) -> Floats | None:
        """The weights of these rows."""
        return None if self.weights is None else self.of(self.weights)

    @property
    def rows(self) -> Rows | None:
        """Their data row numbers, 1 being the first; None for all."""
        return None if self.places is None else self.places + 1


def binary_model(
    given: Given, columns: ClassColumns, name: str
) -> tuple[BinaryOutcomes, tuple[Notice, ...]]:
    """Bind one model of a yes-or-no question."""
    model = given.roles.models[name]
    said = columns.labels.get(name)
    gaps = _label_gaps(given, columns, model)
    score = None
    if model.score:
        score = _score(given, model, columns, None if said is None else said == 1)
        gaps.append(_number_gap("score", model.score, score.numbers))
    kept, notices = given.kept(gaps, name)
    outcomes = BinaryOutcomes(
        classes=(columns.classes[0], columns.classes[1]),
        truth=kept.of(columns.truth).astype(np.int8),
        score=None if score is None else kept.of(score.values),
        label=None if said is None else kept.of(said).astype(np.int8),
        probability=score is not None and score.probability,
        weight=kept.weight,
        rows=kept.rows,
    )
    return outcomes, (*(score.notices if score else ()), *notices)


def class_model(
    given: Given, columns: ClassColumns, name: str
) -> tuple[ClassOutcomes, tuple[Notice, ...]]:
    """Bind one model of a question with K classes."""
    model = given.roles.models[name]
    gaps = _label_gaps(given, columns, model)
    scores = None
    notices: tuple[Notice, ...] = ()
    if model.probabilities:
        scores = read_probabilities(
            given.table, model.probabilities, columns.classes, given.roles.scale
        )
        gaps.extend(scores.gaps)
        lost = without_column(columns.truth, scores.present, columns.classes)
        notices = (*scores.notices, *lost)
    kept, told = given.kept(gaps, name)
    outcomes = ClassOutcomes(
        classes=columns.classes,
        truth=kept.of(columns.truth),
        label=_said(columns.labels.get(name), scores, kept),
        probabilities=kept.of(scores.values) if scores and scores.probability else None,
        weight=kept.weight,
        rows=kept.rows,
    )
    return outcomes, (*notices, *told)


def numeric_model(given: Given, name: str) -> tuple[NumericOutcomes, tuple[Notice, ...]]:
    """Bind one model of predicted numbers."""
    prediction = given.roles.models[name].prediction or ""
    read = {}
    for column in (given.roles.truth, prediction):
        read[column] = numbers_of(given.table, column)
        refuse_infinite(read[column], column)
        refuse_huge(read[column], column)
    truth, said = read[given.roles.truth], read[prediction]
    gaps = [
        _number_gap("truth", given.roles.truth, truth),
        _number_gap("prediction", prediction, said),
    ]
    kept, notices = given.kept(gaps, name)
    outcomes = NumericOutcomes(
        truth=kept.of(truth.values),
        prediction=kept.of(said.values),
        weight=kept.weight,
        rows=kept.rows,
    )
    return outcomes, notices


def _label_gaps(given: Given, columns: ClassColumns, model: ModelRoles) -> list[Gap]:
    names = [given.roles.truth, *([model.label] if model.label else [])]
    return [columns.gaps[name] for name in names]


def _number_gap(role: str, column: str, numbers: Numbers) -> Gap:
    rows = numbers.values
    missing = np.isnan(rows) if numbers.missing else np.zeros(len(rows), np.bool_)
    return Gap(role, column, missing, numbers.missing)


def _score(given: Given, model: ModelRoles, columns: ClassColumns, said: Mask | None) -> Score:
    """Read a model's score column as the score of the positive class."""
    column, roles = model.score or "", given.roles
    negative, positive = columns.classes
    confidence = roles.scale is Scale.CONFIDENCE
    if confidence and said is None:
        raise EvalError(
            "no-label",
            f'Column "{column}" can be the probability of the predicted label only beside a column '
            "with that label. Choose it, or another scale.",
            column=column,
        )
    score = read_score(given.table, column, Scale.PROBABILITY if confidence else roles.scale)
    of = {name: of for of, name in model.probabilities.items()}.get(column, positive)
    if confidence and said is not None:
        score = from_confidence(score, column, said, positive)
    elif of == negative:
        score = complement(score, column, negative, positive)
    return reverse(score, positive) if roles.reverse else score


def _said(label: SomeCodes | None, scores: ScoreMatrix | None, kept: Kept) -> SomeCodes | None:
    """Return the model's labels: its own, else the largest of scores that are no probabilities."""
    if label is not None:
        return kept.of(label)
    if scores is None or scores.probability:
        return None
    places = np.flatnonzero(scores.present)
    largest = kept.of(scores.values)[:, places].argmax(axis=1)
    said: SomeCodes = places[largest].astype(np.int32)
    return said
