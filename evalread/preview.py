"""What an answer to a question would lead to: roles, first rows and one number per model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from evalcore.errors import EvalError, Offer
from evalcore.evaluation.condense import condense
from evalcore.evaluation.estimates import value_of, value_tables
from evalcore.metrics.ranking import ROC_AUC
from evalcore.metrics.regression import MAE
from evalcore.metrics.summaries import accuracy
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, NumericOutcomes
from evalcore.results import ModelTables
from evalread.binding import bind
from evalread.dataset import Choices, Dataset, Table
from evalread.profile import sample
from evalread.roles import apply_offer, detect

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
        offer: The answer.
        dataset: The sampled rows, read that way; None if they cannot be.
        rows: The first rows as they would be read: what was true, and what each model said.
        numbers: One per model.
        problem: Why the rows cannot be read that way.
        whole: Whether all rows were looked at.
    """

    offer: Offer
    dataset: Dataset | None = None
    rows: tuple[Mapping[str, str], ...] = ()
    numbers: tuple[Number, ...] = ()
    problem: EvalError | None = None
    whole: bool = True


def preview(table: Table, choices: Choices, offer: Offer) -> Preview | None:
    """Return what an offer leads to; None where the table is too wide to be looked at twice."""
    if len(table.columns) > MOST_COLUMNS:
        return None
    rows = _sample(table)
    whole = rows is table
    answered = apply_offer(offer, choices)
    try:
        dataset = bind(rows, detect(rows, answered))
        numbers = tuple(_numbers(condense(dataset)))
    except EvalError as problem:
        return Preview(offer, problem=problem, whole=whole)
    return Preview(offer, dataset, tuple(_first_rows(dataset)), numbers, whole=whole)


def _sample(table: Table) -> Table:
    if table.n <= MOST_ROWS:
        return table
    columns = {name: sample(table, name, MOST_ROWS) for name in table.columns}
    rows = len(next(iter(columns.values())))
    return replace(table, columns=columns, source=replace(table.source, rows=rows))


def _numbers(tables: Mapping[str, ModelTables]) -> list[Number]:
    return [_number(name, found) for name, found in tables.items()]


def _number(name: str, tables: ModelTables) -> Number:
    if tables.scores is not None:
        return Number(name, ROC_AUC.name, value_of(ROC_AUC, tables.scores).value)
    if tables.numbers is not None:
        return Number(name, MAE.name, float(MAE(value_tables(tables.numbers)[MAE.needs])))
    decided = tables.labels or tables.argmax
    value = np.nan if decided is None else float(accuracy(decided.counts))
    return Number(name, "Accuracy", value)


def _first_rows(dataset: Dataset) -> list[Mapping[str, str]]:
    """Write what was true and what each model said in the first rows of the first model."""
    rows: list[dict[str, str]] = [{} for _ in range(_FIRST_ROWS)]
    for name, outcomes in dataset.models.items():
        for row, answers in zip(rows, _answers(outcomes, name), strict=False):
            row.update(answers)
    return [row for row in rows if row]


def _answers(
    outcomes: BinaryOutcomes | ClassOutcomes | NumericOutcomes, name: str
) -> list[dict[str, str]]:
    count = min(outcomes.n, _FIRST_ROWS)
    if isinstance(outcomes, NumericOutcomes):
        pairs = zip(outcomes.truth[:count], outcomes.prediction[:count], strict=True)
        return [{"truth": f"{truth:.6g}", name: f"{predicted:.6g}"} for truth, predicted in pairs]
    names = outcomes.classes
    return [
        {"truth": names[int(outcomes.truth[row])], name: _prediction_text(outcomes, row)}
        for row in range(count)
    ]


def _prediction_text(outcomes: BinaryOutcomes | ClassOutcomes, row: int) -> str:
    label = "" if outcomes.label is None else outcomes.classes[int(outcomes.label[row])]
    if isinstance(outcomes, BinaryOutcomes):
        score = "" if outcomes.score is None else f"{outcomes.score[row]:.4g}"
        return ", ".join(filter(None, (label, score)))
    if label or outcomes.probabilities is None:
        return label
    return outcomes.classes[int(np.nanargmax(outcomes.probabilities[row]))]
