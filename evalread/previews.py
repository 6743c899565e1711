"""What an answer to the question that a file asks leads to: its first rows and one number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evalcore.errors import EvalError, Offer
from evalcore.outcomes import BinaryOutcomes, CorrectOutcomes, NumericOutcomes, Outcomes
from evalread.dataset import Choices, Dataset, Table, apply_offer
from evalread.detection.profile import sample

if TYPE_CHECKING:
    from evalcore.results import ModelTables

MOST_ROWS = 3000
"""A preview rests on at most so many rows: from the head, the middle and the end of a file."""


MOST_COLUMNS = 300
"""A table with more columns is not previewed: to look at all of them again takes too long."""


_FIRST_ROWS = 3
"""Rows that are shown; a card has room for no more."""


@dataclass(frozen=True)
class Number:
    """The one number that tells most of a model; NaN where it is undefined."""

    model: str
    name: str
    value: float


@dataclass(frozen=True, eq=False)
class Preview:
    """What becomes of a table when an offer is taken.

    Attributes:
        dataset: The sampled rows, read that way; None if they cannot be.
        rows: The first rows as they would be read: what was true, and what each model said.
        numbers: One per model.
        problem: Why the rows cannot be read that way.
        whole: Whether all rows were looked at.
    """

    dataset: Dataset | None = None
    rows: tuple[Mapping[str, str], ...] = ()
    numbers: tuple[Number, ...] = ()
    problem: EvalError | None = None
    whole: bool = True


def preview(table: Table, choices: Choices, offer: Offer) -> Preview | None:
    """Return what an offer leads to; None where the table is too wide to be looked at twice."""
    from evalcore.evaluation.condense import condense
    from evalread.loading import bound

    # Which rows there are is settled while a file is read.
    if len(table.columns) > MOST_COLUMNS or (offer.choice == "model" and offer.value):
        return None
    whole = table.n <= MOST_ROWS
    rows = table if whole else table.cut({n: sample(table, n, MOST_ROWS) for n in table.columns})
    try:
        dataset = bound(rows, apply_offer(offer, choices))
        numbers = tuple(_number(name, found) for name, found in condense(dataset).items())
    except EvalError as problem:
        return Preview(problem=problem, whole=whole)
    return Preview(dataset, tuple(_first_rows(dataset)), numbers, whole=whole)


def _number(name: str, tables: ModelTables) -> Number:
    from evalcore.evaluation.estimates import estimate_items, value_of, value_tables
    from evalcore.metrics.decisions import accuracy
    from evalcore.metrics.ranking import ROC_AUC
    from evalcore.metrics.regression import MAE

    if tables.scores is not None:
        return Number(name, ROC_AUC.name, value_of(ROC_AUC, tables.scores).value)
    if tables.numbers is not None:
        return Number(name, MAE.name, float(MAE(value_tables(tables.numbers)[MAE.needs])))
    if tables.items is not None:
        return Number(name, "Accuracy", float(estimate_items(tables.items)["accuracy"].value))
    decided = tables.labels or tables.argmax
    return Number(name, "Accuracy", np.nan if decided is None else float(accuracy(decided.counts)))


def _first_rows(dataset: Dataset) -> Iterator[Mapping[str, str]]:
    """Yield what was true and what each model said in the first rows of the first model."""
    shown = list(dataset.models.items())
    if dataset.roles.model:
        del shown[1:]  # others have other rows
    rows = min((outcomes.n for _, outcomes in shown), default=0)
    for row in range(min(rows, _FIRST_ROWS)):
        cells: dict[str, str] = {}
        for name, outcomes in shown:
            cells |= _said(outcomes, row, name)
        yield cells


def _said(outcomes: Outcomes, row: int, name: str) -> dict[str, str]:
    """Return what was true in a row, and what a model said."""
    if isinstance(outcomes, CorrectOutcomes):
        return {name: f"{outcomes.share[row]:.3g}"}
    if isinstance(outcomes, NumericOutcomes):
        return {"truth": f"{outcomes.truth[row]:.6g}", name: f"{outcomes.prediction[row]:.6g}"}
    classes, score = outcomes.classes, ""
    label = "" if outcomes.label is None else classes[int(outcomes.label[row])]
    if isinstance(outcomes, BinaryOutcomes):
        score = "" if outcomes.score is None else f"{outcomes.score[row]:.4g}"
    elif outcomes.label is None and outcomes.probabilities is not None:
        label = classes[int(np.nanargmax(outcomes.probabilities[row]))]
    said = ", ".join(filter(None, (label, score)))
    return {"truth": classes[int(outcomes.truth[row])], name: said}
