"""What is selected: the model, the way of deciding, and rows that were picked on some page.

Rows are selected by what they have in common, so that a cell of a matrix, a bar, a bin and a point
are one kind of thing: it has a name, stands in the address, and is the same on every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf
from typing import Any, Self, get_args
from urllib.parse import unquote

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.evaluation.condense import DecisionRule, decide
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Places,
    Rows,
    data_rows,
)
from evalread.columns import numbers_of
from evalread.dataset import Dataset, Task
from evalview import escape, text
from evalview.figures import words
from evalview.figures.numbers import size
from pages.session import computed, current, link
from pages.session.cache import cached

MODEL, WAY, THRESHOLD = "model_picked", "way_picked", "threshold_typed"


def show_model(name: str) -> None:
    """Let the picker show the model looked at, wherever it was chosen."""
    st.session_state[MODEL] = name


def take_model() -> None:
    """Choose the model that the picker shows; for its `on_change`."""
    if st.session_state[MODEL] is not None:
        current.set_model(st.session_state[MODEL])


def show_threshold(at: float) -> None:
    """Let the box for the threshold show the one in use."""
    st.session_state[THRESHOLD] = at


def take_threshold() -> None:
    """Decide at the threshold that was typed; for the `on_change` of its box."""
    dataset, at = current.dataset(), st.session_state[THRESHOLD]
    if dataset is not None and at is not None:
        own = current.view().own is not None
        current.explore(dataset, current.model(dataset), float(at), own=own)


def show_way(way: DecisionRule) -> None:
    """Let the picker show the way of deciding that leads."""
    st.session_state[WAY] = way


def take_way() -> None:
    """Decide in the way that the picker shows; for its `on_change`."""
    if st.session_state[WAY] is not None:
        current.change(replace(current.view(), way=st.session_state[WAY]))


def unselect(table: str) -> None:
    """Forget which cell of a table is selected; for a button's `on_click`."""
    st.session_state[table] = {"selection": {"rows": [], "columns": [], "cells": []}}


def model(dataset: Dataset, question: computed.Question) -> str:
    """Return the chosen model, or the first that has scores."""
    chosen = current.model(dataset)
    return chosen if chosen in question.tables else next(iter(question.tables))


SCORE, ERROR, OFF, COLUMN = "score", "error", "size of error", "column:"
PREDICTED, ACTUAL, ORDER = "predicted", "actual", "row order"
"""What an interval may be of; a column of the file is called `column:` and its name."""

MOST_ROWS = 300
"""Rows selected one by one at most: an address that every link carries must stay short."""


@dataclass(frozen=True)
class Interval:
    """Rows of which something lies between two ends, both included."""

    of: str
    low: float = -inf
    high: float = inf

    def holds(self, values: Floats) -> NDArray[np.bool_]:
        """Return whether each of (n,) values lies between the ends."""
        return np.greater_equal(values, self.low) & np.less_equal(values, self.high)

    @property
    def written(self) -> str:
        """As it stands in an address: what it is of, and both ends, empty where it has none."""
        low, high = ("" if isinf(end) else repr(end) for end in (self.low, self.high))
        return f"{link.quoted(self.of)}:{low}:{high}"

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Return the interval that an address writes; None where it cannot be understood."""
        of, *ends = written.split(":")
        try:
            low, high = (float(end) if end else None for end in ends)
        except ValueError:
            return None
        return cls(unquote(of), -inf if low is None else low, inf if high is None else high)


@dataclass(frozen=True)
class Selection:
    """A set of rows: those of a model that meet every condition that is not left open.

    Attributes:
        model: Whose answers the conditions are about.
        way: How it decides, where that matters.
        threshold: The score from which on it calls a row positive, where it decides by one.
        truth: The true class.
        called: The class that was decided.
        wrong: Whether the class decided must be another than the true one.
        label: The class of whose probability a score is, among several classes.
        within: What must lie between two ends.
        rows: Numbers of data rows, 1 being the first.
    """

    model: str
    way: DecisionRule | None = None
    threshold: float | None = None
    truth: str | None = None
    called: str | None = None
    wrong: bool = False
    label: str | None = None
    within: tuple[Interval, ...] = ()
    rows: tuple[int, ...] = ()


def written(selection: Selection) -> tuple[str, ...]:
    """Return a selection as the values of a parameter.

    >>> written(Selection("rf", way="threshold", threshold=0.5, truth="ill", called="well"))
    ('model=rf', 'decided=threshold', 'threshold=0.5', 'truth=ill', 'called=well')
    >>> written(Selection("rf", within=(Interval("score", 0.2, 0.3),), rows=(1, 2, 3, 7)))
    ('model=rf', 'within=score:0.2:0.3', 'rows=1-3,7')
    """
    threshold = None if selection.threshold is None else repr(selection.threshold)
    pairs = {
        "model": selection.model,
        "decided": selection.way,
        "threshold": threshold,
        "truth": selection.truth,
        "called": selection.called,
        "wrong": link.YES if selection.wrong else None,
        "class": selection.label,
    }
    said = [f"{key}={value}" for key, value in pairs.items() if value is not None]
    said += [f"within={interval.written}" for interval in selection.within]
    said += [f"rows={part}" for part in _parts(selection.rows)]
    return tuple(said)


def read(texts: Sequence[str]) -> Selection | None:
    """Return the selection that values of a parameter write; None where one makes no sense."""
    found: dict[str, list[str]] = {}
    for each in texts:
        key, _, value = each.partition("=")
        found.setdefault(key, []).append(value)
    within = [Interval.read(value) for value in found.pop("within", ())]
    ranges, several = found.pop("rows", []), [key for key, values in found.items() if values[1:]]
    single = {_FIELDS.get(key): values[0] for key, values in found.items()}
    if several or None in within or None in single or "model" not in single:
        return None
    try:
        return _made(single, tuple(filter(None, within)), tuple(_numbers(ranges)))
    except ValueError:
        return None


_FIELDS = {
    "model": "model",
    "decided": "way",
    "threshold": "threshold",
    "truth": "truth",
    "called": "called",
    "wrong": "wrong",
    "class": "label",
}


def _made(
    single: Mapping[Any, Any], within: tuple[Interval, ...], rows: tuple[int, ...]
) -> Selection:
    fields = dict(single)
    if "threshold" in fields:
        fields["threshold"] = float(fields["threshold"])
    if fields.get("way") not in (None, *get_args(DecisionRule)) or len(rows) > MOST_ROWS:
        raise ValueError
    return Selection(**{**fields, "wrong": "wrong" in fields}, within=within, rows=rows)


def _parts(rows: Sequence[int]) -> Iterator[str]:
    """Yield rising numbers as ranges, in texts short enough for an address."""
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and row == ranges[-1][-1] + 1:
            ranges[-1][1:] = [row]
        else:
            ranges.append([row])
    told = ["-".join(map(str, ends)) for ends in ranges]
    for start in range(0, len(told), _RANGES):
        yield ",".join(told[start : start + _RANGES])


_RANGES = 40
"""Ranges in one text: two numbers of ten digits each make fewer than `link.LONGEST` characters."""


def _numbers(parts: Sequence[str]) -> Iterator[int]:
    """Yield the rows of some texts, one more at most than may be selected."""
    left = MOST_ROWS + 1
    for ends in (each.split("-") for part in parts for each in part.split(",")):
        first, last = int(ends[0]), int(ends[-1])
        yield from range(first, min(last + 1, first + left))
        left -= max(0, last + 1 - first)
        if left <= 0:
            return


@dataclass(frozen=True, eq=False)
class Selected:
    """The rows of a selection.

    Attributes:
        places: Where they stand in the answers of the model.
        rows: Their numbers, rising, 1 being the first.
        total: How many they are, or the sum of their weights.
    """

    places: Places
    rows: Rows
    total: float


@cached(entries=100)
def selected(dataset: Dataset, selection: Selection) -> Selected:
    """Return the rows of a selection; raises EvalError where the data do not have what it names."""
    if selection.model not in dataset.models:
        raise EvalError("no-such-model", "There is no such model.")
    outcomes = dataset.models[selection.model]
    kept = np.ones(outcomes.n, bool) if outcomes.weight is None else outcomes.weight > 0
    for condition in _conditions(dataset, outcomes, selection):
        kept &= condition
    places = np.flatnonzero(kept)
    total = len(places) if outcomes.weight is None else float(outcomes.weight[places].sum())
    return Selected(places, data_rows(outcomes, places), total)


def _conditions(
    dataset: Dataset, outcomes: Outcomes, selection: Selection
) -> Iterator[NDArray[np.bool_]]:
    """Yield whether each row meets a condition, for each of the conditions."""
    if selection.truth is not None or selection.called is not None or selection.wrong:
        yield from _of_classes(outcomes, selection)
    for interval in selection.within:
        yield interval.holds(_values(dataset, outcomes, interval.of, selection.label))
    if selection.rows:
        yield np.isin(data_rows(outcomes, np.arange(outcomes.n)), selection.rows)


def _of_classes(outcomes: Outcomes, selection: Selection) -> Iterator[NDArray[np.bool_]]:
    if not isinstance(outcomes, BinaryOutcomes | ClassOutcomes):
        raise EvalError("no-classes", "There are no classes.")
    if selection.truth is not None:
        yield np.equal(outcomes.truth, _code(outcomes, selection.truth))
    if selection.called is None and not selection.wrong:
        return
    at = 0.5 if selection.threshold is None else selection.threshold
    called = decide(outcomes, selection.way or "labels", at)
    if selection.called is not None:
        yield np.equal(called, _code(outcomes, selection.called))
    if selection.wrong:
        yield np.not_equal(called, outcomes.truth)


def _code(outcomes: BinaryOutcomes | ClassOutcomes, label: str) -> int:
    if label not in outcomes.classes:
        raise EvalError("no-such-class", "There is no such class.")
    return outcomes.classes.index(label)


def _values(dataset: Dataset, outcomes: Outcomes, of: str, label: str | None) -> Floats:
    """Return the (n,) values that an interval is about."""
    if of == SCORE:
        return _scores(outcomes, label)
    if of == ORDER:
        return data_rows(outcomes, np.arange(outcomes.n)).astype(np.float64)
    if of.startswith(COLUMN):
        return _cells(dataset, outcomes, of.removeprefix(COLUMN))
    if isinstance(outcomes, NumericOutcomes):
        error = outcomes.prediction - outcomes.truth
        own = {PREDICTED: outcomes.prediction, ACTUAL: outcomes.truth, ERROR: error}
        if of == OFF:
            return np.abs(error)
        if of in own:
            return own[of]
    raise EvalError("no-such-value", "The rows have no such value.")


def _scores(outcomes: Outcomes, label: str | None) -> Floats:
    if isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None:
        return outcomes.score
    if isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None:
        return outcomes.probabilities[:, _code(outcomes, label or "")]
    raise EvalError("no-such-value", "The rows have no score.")


def _cells(dataset: Dataset, outcomes: Outcomes, name: str) -> Floats:
    """Return the numbers, or the moments, that a column of the file holds."""
    from pages.session import numbers

    if name not in dataset.table.columns:
        raise EvalError("no-such-column", "There is no such column.")
    dates = numbers.dates(dataset, name)
    every = numbers_of(dataset.table, name).values if dates is None else dates
    return every if outcomes.rows is None else every[outcomes.rows - 1]


def name(dataset: Dataset, selection: Selection) -> str:
    """Return what a selection is called: "47 malignant rows called benign"."""
    total = selected(dataset, selection).total
    kind = " picked" if selection.rows else ""
    if selection.truth is None:
        said = f"{text.count(total)}{kind} {'row' if total == 1 else 'rows'}"
    else:
        said = words.counted_rows(dataset.roles.truth or "", selection.truth, total)
    between = [_between(dataset, interval, selection.label) for interval in selection.within]
    return " ".join([said, *_decision(dataset, selection), *between, *_whose(dataset, selection)])


def _decision(dataset: Dataset, selection: Selection) -> Iterator[str]:
    """Yield what the rows were called, by which model, and at which threshold."""
    if selection.called is not None:
        yield f"called {words.called(selection.called)}"
    elif selection.wrong:
        yield "misclassified"
    else:
        return
    if len(dataset.models) > 1:
        yield f"by {_shown(selection.model)}"
    if selection.way == "threshold" and selection.threshold is not None:
        yield f"at {text.threshold(selection.threshold)}"


def _whose(dataset: Dataset, selection: Selection) -> Iterator[str]:
    decided = selection.called is not None or selection.wrong
    if len(dataset.models) > 1 and selection.within and not decided:
        yield f"({_shown(selection.model)})"


def _shown(name: str) -> str:
    return escape.visible(text.abbreviate(name, _LONGEST))


_LONGEST = 28
"""Characters of a class, a model or a column in the name of a selection."""

_SAID = {ERROR: "off by", OFF: "off by", ORDER: "with row number", SCORE: "scored"}


def _between(dataset: Dataset, interval: Interval, label: str | None) -> str:
    write = _moment if _is_moment(dataset, interval.of) else size
    low, high = (write(end) for end in (interval.low, interval.high))
    if isinf(interval.high):
        ends = f"at least {low}"
    elif isinf(interval.low):
        ends = f"at most {high}"
    else:
        ends = low if low == high else text.low_to_high(low, high)
    if interval.of == SCORE and label is not None:
        return f"given a probability of {words.called(label)} of {ends}"
    of = interval.of.removeprefix(COLUMN)
    if of != interval.of:
        return f"with “{_shown(of)}” {ends}"
    return f"{_SAID.get(of, of)} {ends}"


def _is_moment(dataset: Dataset, of: str) -> bool:
    from pages.session import numbers

    return of.startswith(COLUMN) and numbers.dates(dataset, of.removeprefix(COLUMN)) is not None


def _moment(value: float) -> str:
    return "" if isinf(value) else str(np.datetime64(int(value), "us").astype("datetime64[m]"))


def fits(dataset: Dataset, texts: Sequence[str]) -> bool:
    """Whether the data have what an address selects."""
    chosen = read(texts)
    try:
        return chosen is not None and bool(selected(dataset, chosen))
    except EvalError:
        return False


def chosen(dataset: Dataset) -> Selection | None:
    """Return the selection that holds on every page; None where all rows are looked at."""
    texts = current.view().selected
    return read(texts) if texts and fits(dataset, texts) else None


def choose(selection: Selection | None) -> None:
    """Select rows for every page, or none."""
    current.change(replace(current.view(), selected=written(selection) if selection else ()))


def clear() -> None:
    """Look at all rows again; for a button's `on_click`."""
    choose(None)


def rows(dataset: Dataset) -> Rows | None:
    """Return the numbers of the rows that are selected; None where all are looked at."""
    picked = chosen(dataset)
    return None if picked is None else selected(dataset, picked).rows


def among(dataset: Dataset, model: str) -> NDArray[np.bool_] | None:
    """Return whether each row of a model is selected, by whichever model; None where all are."""
    picked = rows(dataset)
    if picked is None:
        return None
    marked = np.zeros(dataset.table.n + 1, dtype=bool)
    marked[picked] = True
    outcomes = dataset.models[model]
    return marked[data_rows(outcomes, np.arange(outcomes.n))]


WORST = 0.05
"""Of predicted numbers, the share of the rows with the largest errors that count as misses."""


def misses(dataset: Dataset, model: str) -> Selection | None:
    """Return the rows that a model fails on: missed positives, wrong classes, the largest errors.

    None where it fails on none, or where nothing is predicted row by row.
    """
    for selection in _failing(dataset, model):
        if len(selected(dataset, selection).rows):
            return selection
    return None


def _failing(dataset: Dataset, model: str) -> Iterator[Selection]:
    outcomes = dataset.models.get(model)
    if isinstance(outcomes, NumericOutcomes) and outcomes.n:
        off = np.abs(outcomes.prediction - outcomes.truth)
        least = float(np.quantile(off, 1 - WORST, method="higher"))
        if least > 0:
            yield Selection(model, within=(Interval(OFF, least),))
    if isinstance(outcomes, BinaryOutcomes | ClassOutcomes):
        at = current.threshold(dataset, model)
        way = current.way(list(computed.decisions(dataset, model, at)))
        by = Selection(model, way=way, threshold=at if way == "threshold" else None)
        if dataset.roles.task is Task.BINARY:
            negative, positive = outcomes.classes
            yield replace(by, truth=positive, called=negative)
        yield replace(by, wrong=True)


def address(selection: Selection) -> dict[str, list[str]]:
    """Return the view as parameters for a link to a page, which then selects these rows."""
    return {**current.address(), link.SELECT: list(written(selection))}


def page_of_rows(dataset: Dataset) -> str:
    """Return the address of the page that lists the rows of a selection."""
    return "errors" if dataset.roles.task is Task.REGRESSION else "confusion"
