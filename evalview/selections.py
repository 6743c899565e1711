"""Sets of rows, by rules that all of them meet.

A cell of a matrix, a bar, a bin, a box, a point and a slice are rules of few kinds: each kind is
written into the address, read back, named, and met by rows or not. A figure says in the `meta` of
its traces what its marks select.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.evaluation.condense import RULES, decide, some_rows
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Codes,
    CorrectOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Places,
    Rows,
    data_rows,
)
from evalcore.results import DecisionRule
from evalcore.slices.columns import Condition, Mask, Range
from evalread.columns import as_labels, numbers_of
from evalread.dataset import Dataset
from evalview import escape, sharing, text, words
from evalview.figures.lines import COLUMN
from evalview.text import size

if TYPE_CHECKING:
    from evalcore.comparison.candidate import Candidate

SCORE, ERROR, OFF, ORDER = "score", "error", "size of error", "row order"


PREDICTED, ACTUAL, MIDDLE = "predicted", "actual", "mean of predicted and actual"


TRUTH, CALLED, WRONG, ROWS = "truth", "called", "wrong", "rows"
"""What rules are about; a column of the file is called `column:` and its name."""


CLASSES = frozenset({TRUTH, CALLED, WRONG})


NUMBERS = frozenset({PREDICTED, ACTUAL, MIDDLE, ERROR, OFF})


OUTCOMES = CLASSES | NUMBERS | {SCORE}
"""What tells how a row came out, which figures of pages select rows by."""


MOST_ROWS = 300
"""Rows selected one by one at most: an address that every link carries must stay short."""


_RANGES = 40
"""Ranges in one text: two numbers of ten digits make fewer than `sharing.LONGEST` characters."""


@dataclass(frozen=True)
class Interval:
    """Rows of which a number lies between two ends; the upper one is left out if `below`."""

    of: str
    low: float = -inf
    high: float = inf
    below: bool = False

    def written(self) -> Iterator[str]:
        """Yield it as it stands in an address: what it is of, and both ends, empty for none."""
        ends = ("" if isinf(end) else repr(end) for end in (self.low, self.high))
        yield "within=" + ":".join([sharing.quoted(self.of), *ends, *(["below"] * self.below)])

    def holds(self, rows: _Answers) -> Mask:
        """Return (n,) whether each row meets it."""
        values = rows.numbers(self.of)
        under = np.less if self.below else np.less_equal
        return np.greater_equal(values, self.low) & under(values, self.high)

    def said(self, rows: _Answers) -> str:
        """Return it as it follows "12 rows"."""
        write = _moment if rows.is_moment(self.of) else size
        low, high = write(self.low), write(self.high)
        if isinf(self.high):
            ends = f"at least {low}"
        elif isinf(self.low):
            ends = f"{'below' if self.below else 'at most'} {high}"
        else:
            ends = low if low == high else text.low_to_high(low, high)
        if self.of == SCORE and rows.by.label is not None:
            return f"given a probability of {words.called(rows.by.label)} of {ends}"
        if self.of.startswith(COLUMN):
            return f"with “{_shown(self.of.removeprefix(COLUMN))}” {ends}"
        return f"{_SAID.get(self.of, self.of)} {ends}"


@dataclass(frozen=True)
class Label:
    """Rows of which something, such as the true class, is called so; "" where it is missing."""

    of: str
    label: str

    def written(self) -> Iterator[str]:
        """Yield it as it stands in an address."""
        yield f"{sharing.quoted(self.of)}={self.label}"

    def holds(self, rows: _Answers) -> Mask:
        """Return (n,) whether each row meets it."""
        names, codes = rows.labels(self.of)
        if self.label and self.label not in names:
            raise EvalError("no-such-label", "No row has that label.")
        return np.equal(codes, names.index(self.label) if self.label else -1)

    def said(self, rows: _Answers) -> str:
        """Return it as it follows "12 rows"; the true class stands in front of them instead."""
        if self.of == TRUTH:
            return ""
        if self.of in (CALLED, WRONG):
            done = "misclassified" if self.of == WRONG else f"called {words.called(self.label)}"
            return " ".join([done, *rows.decided()])
        is_there = f"= {_shown(self.label)}" if self.label else "missing"
        return f"with {_shown(self.of.removeprefix(COLUMN))} {is_there}"


@dataclass(frozen=True)
class Picked:
    """Data rows by their numbers, 1 being the first."""

    rows: tuple[int, ...]
    of: ClassVar[str] = ROWS

    def written(self) -> Iterator[str]:
        """Yield ranges as they stand in an address, in texts short enough for it."""
        ranges: list[list[int]] = []
        for row in self.rows:
            if ranges and row == ranges[-1][-1] + 1:
                ranges[-1][1:] = [row]
            else:
                ranges.append([row])
        told = ["-".join(map(str, ends)) for ends in ranges]
        for start in range(0, len(told), _RANGES):
            yield "rows=" + ",".join(told[start : start + _RANGES])

    def holds(self, rows: _Answers) -> Mask:
        """Return (n,) whether each row is one of them."""
        return np.isin(rows.numbers(ORDER), self.rows)

    def said(self, rows: _Answers) -> str:
        """Return it as it follows "12 rows"."""
        return "picked by hand"


Rule = Interval | Label | Picked


def of_slice(rule: Sequence[Condition]) -> tuple[Rule, ...]:
    """Return what the rows of a slice meet."""
    return tuple(map(_of_condition, rule))


def _of_condition(one: Condition) -> Rule:
    of, held = COLUMN + one.column, one.value
    if not isinstance(held, Range):
        return Label(of, held or "")
    unit = 1e6 if held.dated else 1.0  # of dates these are seconds, here microseconds
    low = -inf if held.low is None else held.low * unit
    return Interval(of, low, inf if held.high is None else held.high * unit, below=True)


@dataclass(frozen=True)
class Selection:
    """A set of rows: those of a model that meet every rule.

    Attributes:
        model: Whose answers the rules are about.
        rules: What all rows have in common.
        way: How the model decides, where that matters.
        threshold: The score from which on it calls a row positive, where it decides by one.
        label: The class of whose probability a score is, among several classes.
    """

    model: str
    rules: tuple[Rule, ...] = ()
    way: DecisionRule | None = None
    threshold: float | None = None
    label: str | None = None

    def of(self, *rules: Rule) -> Selection:
        """Return the rows that meet these rules, as the same model answers."""
        return replace(self, rules=rules)

    def cell(self, truth: str, called: str) -> Selection:
        """Return the rows of one cell of a confusion matrix."""
        return self.of(Label(TRUTH, truth), Label(CALLED, called))

    def mistakes(self) -> Selection:
        """Return the rows that are called what they are not."""
        return self.of(Label(WRONG, sharing.YES))

    def labelled(self, of: str) -> str | None:
        """Return what all rows are called in some respect; None where that is left open."""
        found = (rule.label for rule in self.rules if isinstance(rule, Label) and rule.of == of)
        return next(found, None)


@dataclass(frozen=True, eq=False)
class _Answers:
    """What rules may be about: the n answers of a model, and the cells of the file."""

    dataset: Dataset
    told: Outcomes
    by: Selection

    def numbers(self, of: str) -> Floats:
        """Return (n,) numbers of the rows."""
        if of == SCORE:
            return self._scores()
        if of == ORDER:
            return data_rows(self.told, np.arange(self.told.n)).astype(np.float64)
        if of.startswith(COLUMN):
            dates = self._dates(of)
            if dates is None:
                dates = numbers_of(self.dataset.table, self._column(of)).values
            return self._on_rows(dates)
        if isinstance(self.told, NumericOutcomes) and of in _OF_NUMBERS:
            return _OF_NUMBERS[of](self.told)
        raise EvalError("no-such-value", "The rows have no such column of numbers.")

    def labels(self, of: str) -> tuple[Sequence[str], Codes]:
        """Return names, and (n,) which of them each row is called; below 0 where it is missing."""
        if of.startswith(COLUMN):
            name = self._column(of)
            found = as_labels(self.dataset.table.columns[name], name)
            return found.names, self._on_rows(found.codes)
        told = self.told
        if not isinstance(told, BinaryOutcomes | ClassOutcomes) or of not in (TRUTH, CALLED, WRONG):
            raise EvalError("no-classes", "There are no classes.")
        if of == TRUTH:
            return told.classes, told.truth
        at = 0.5 if self.by.threshold is None else self.by.threshold
        decided = decide(told, self.by.way or "labels", at)
        if of == CALLED:
            return told.classes, decided
        return ("no", sharing.YES), np.not_equal(decided, told.truth).astype(np.int8)

    def is_moment(self, of: str) -> bool:
        """Whether the numbers are moments, in microseconds since 1970."""
        return of.startswith(COLUMN) and self._dates(of) is not None

    def decided(self) -> Iterator[str]:
        """Yield by which model rows are called something, and at which threshold."""
        if len(self.dataset.models) > 1:
            yield f"by {_shown(self.by.model)}"
        if self.by.way == "threshold" and self.by.threshold is not None:
            yield f"at {text.threshold(self.by.threshold)}"

    def _scores(self) -> Floats:
        told = self.told
        if isinstance(told, BinaryOutcomes) and told.score is not None:
            return told.score
        label = self.by.label or ""
        if (
            isinstance(told, ClassOutcomes)
            and told.probabilities is not None
            and label in told.classes
        ):
            return told.probabilities[:, told.classes.index(label)]
        raise EvalError("no-such-value", "The rows have no scores.")

    def _dates(self, of: str) -> Floats | None:
        return dates(self.dataset, self._column(of))

    def _column(self, of: str) -> str:
        name = of.removeprefix(COLUMN)
        if name not in self.dataset.table.columns:
            raise EvalError("no-such-column", "There is no such column.")
        return name

    def _on_rows(self, cells: NDArray[Any]) -> NDArray[Any]:
        return cells if self.told.rows is None else cells[self.told.rows - 1]


_OF_NUMBERS: Mapping[str, Callable[[NumericOutcomes], Floats]] = MappingProxyType(
    {
        PREDICTED: lambda told: told.prediction,
        ACTUAL: lambda told: told.truth,
        ERROR: lambda told: told.prediction - told.truth,
        OFF: lambda told: np.abs(told.prediction - told.truth),
        MIDDLE: lambda told: told.truth + (told.prediction - told.truth) / 2,
    }
)


def written(selection: Selection) -> tuple[str, ...]:
    """Return a selection as the values of a parameter.

    >>> cell = Label("truth", "ill"), Label("called", "well")
    >>> written(Selection("rf", cell, way="threshold", threshold=0.5))
    ('model=rf', 'decided=threshold', 'threshold=0.5', 'truth=ill', 'called=well')
    >>> written(Selection("rf", (Interval("score", 0.2, 0.3), Picked((1, 2, 3, 7)))))
    ('model=rf', 'within=score:0.2:0.3', 'rows=1-3,7')
    """
    threshold = None if selection.threshold is None else repr(selection.threshold)
    whose = (selection.model, selection.way, threshold, selection.label)
    said = [f"{key}={value}" for key, value in zip(_WHOSE, whose, strict=True) if value is not None]
    return (*said, *(part for rule in selection.rules for part in rule.written()))


_WHOSE = ("model", "decided", "threshold", "class")
_WAYS: Mapping[str, DecisionRule] = {way: way for way in RULES}


def read(texts: Sequence[str]) -> Selection | None:
    """Return the selection that values of a parameter write; None where one makes no sense."""
    whose: dict[str, str] = {}
    rules: list[Rule] = []
    rows: list[str] = []
    try:
        for key, value in (each.split("=", 1) for each in texts):
            if key in whose:
                return None
            if key in _WHOSE:
                whose[key] = value
            elif key == "rows":
                rows.append(value)
            else:
                rules.append(_interval(value) if key == "within" else _label(key, value))
        if rows:
            rules.append(Picked(tuple(_numbers(rows))))
        threshold = float(whose["threshold"]) if "threshold" in whose else None
        way = _WAYS[whose["decided"]] if "decided" in whose else None
        return Selection(whose["model"], tuple(rules), way, threshold, whose.get("class"))
    except (ValueError, KeyError):
        return None


def _interval(value: str) -> Interval:
    of, low, high, *below = value.split(":")
    if below not in ([], ["below"]):
        raise ValueError
    ends = float(low) if low else -inf, float(high) if high else inf
    return Interval(unquote(of), *ends, bool(below))


def _label(key: str, value: str) -> Label:
    of = unquote(key)
    if of not in (TRUTH, CALLED, WRONG) and not of.startswith(COLUMN):
        raise ValueError
    return Label(of, value)


def _numbers(parts: Sequence[str]) -> Iterator[int]:
    """Yield the rows of some texts; raises ValueError where they are too many."""
    left = MOST_ROWS
    for ends in (each.split("-") for part in parts for each in part.split(",")):
        first, last = int(ends[0]), int(ends[-1])
        left -= max(0, last + 1 - first)
        if left < 0:
            raise ValueError
        yield from range(first, last + 1)


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


def selected(dataset: Dataset, selection: Selection) -> Selected:
    """Return the rows of a selection; raises EvalError where the data do not have what it names."""
    answers = _answers(dataset, selection)
    told = answers.told
    kept = np.ones(told.n, bool) if told.weight is None else told.weight > 0
    for rule in selection.rules:
        kept &= rule.holds(answers)
    places = np.flatnonzero(kept)
    total = len(places) if told.weight is None else float(told.weight[places].sum())
    return Selected(places, data_rows(told, places), total)


def _answers(dataset: Dataset, selection: Selection) -> _Answers:
    if selection.model not in dataset.models:
        raise EvalError("no-such-model", "There is no such model.")
    return _Answers(dataset, dataset.models[selection.model], selection)


def values_of(dataset: Dataset, by: Selection, of: str) -> Floats:
    """Return the (n,) numbers of a model's rows that an interval of them is about."""
    return _answers(dataset, by).numbers(of)


def name(dataset: Dataset, selection: Selection) -> str:
    """Return what a selection is called: "47 malignant rows called benign"."""
    total, answers = selected(dataset, selection).total, _answers(dataset, selection)
    truth = selection.labelled(TRUTH)
    if truth is None:
        said = f"{text.count(total)} {'row' if total == 1 else 'rows'}"
    else:
        said = words.counted_rows(dataset.roles.truth or "", truth, total)
    rules = " and ".join(filter(None, (rule.said(answers) for rule in selection.rules)))
    said_by_model = {rule.of for rule in selection.rules} & {SCORE, *NUMBERS}
    whose = len(dataset.models) > 1 and said_by_model
    return " ".join(filter(None, [said, rules, f"({_shown(selection.model)})" if whose else ""]))


def _shown(name: str) -> str:
    return escape.visible(text.abbreviate(name, _LONGEST))


_LONGEST = 28
"""Characters of a class, a model or a column in the name of a selection."""


_SAID = {ERROR: "off by", OFF: "off by", ORDER: "with row number", SCORE: "scored"}


def _moment(value: float) -> str:
    return "" if isinf(value) else str(np.datetime64(int(value), "us").astype("datetime64[m]"))


def are_among(dataset: Dataset, told: Outcomes, rows: Rows) -> Mask:
    """Return (n,) whether each row of a model is one of some rows of the data."""
    marked = np.zeros(dataset.table.n + 1, dtype=bool)
    marked[rows] = True
    return marked[data_rows(told, np.arange(told.n))]


def restricted(dataset: Dataset, rows: Rows) -> Mapping[str, Outcomes]:
    """Return the answers of each model on these rows of the data; models without any left out."""
    kept = {
        name: np.flatnonzero(are_among(dataset, told, rows))
        for name, told in dataset.models.items()
    }
    return {
        name: some_rows(dataset.models[name], places)
        for name, places in kept.items()
        if len(places)
    }


def dates(dataset: Dataset, name: str) -> Floats | None:
    """Return a column of dates in microseconds since 1970; None if it holds anything else."""
    column = dataset.table.columns[name]
    try:
        moments = column.cast(pa.timestamp("us")).cast(pa.int64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return np.asarray(moments.to_numpy(), dtype=np.float64)


def surest_first(outcomes: BinaryOutcomes | ClassOutcomes, places: Places, called: int) -> Places:
    """Return the places in the order of how strongly the model spoke for class `called`.

    Without a score or a probability of that class they stay as they are.
    """
    strength: Floats | None = None
    if isinstance(outcomes, ClassOutcomes):
        if outcomes.probabilities is not None:
            strength = outcomes.probabilities[places, called]
    elif outcomes.score is not None:
        strength = outcomes.score[places] * (1 if called == 1 else -1)
    return places if strength is None else places[np.argsort(-strength, kind="stable")]


FARTHEST = 200
"""Predicted numbers nearly always differ: so many rows are given, as many as a person may read."""


def disagreeing_rows(one: Candidate, other: Candidate, thresholds: tuple[float, float]) -> Rows:
    """Return the data rows, 1 being the first, on which two models on the same rows disagree.

    Classes that differ, decided by scores at the `thresholds` where there are scores, those with
    the largest difference of scores first. Of predicted numbers the rows that differ most.
    """
    distance = _distance(one.outcomes, other.outcomes)
    order = np.argsort(-distance, kind="stable")
    if isinstance(one.outcomes, NumericOutcomes):
        order = order[:FARTHEST]
        return data_rows(one.outcomes, order[distance[order] > 0])
    first, second = (
        _decision(model.outcomes, at) for model, at in zip((one, other), thresholds, strict=True)
    )
    return data_rows(one.outcomes, order[(first != second)[order]])


def _decision(outcomes: Outcomes, threshold: float) -> Codes | Floats:
    if isinstance(outcomes, CorrectOutcomes):
        return outcomes.share
    from evalcore.comparison.candidate import can_decide

    assert not isinstance(outcomes, NumericOutcomes)
    rules: tuple[DecisionRule, ...] = ("threshold", "labels", "argmax")
    return decide(outcomes, next(r for r in rules if can_decide(outcomes, r)), threshold)


def _distance(first: Outcomes, second: Outcomes) -> Floats:
    """Return (n,) differences of predicted numbers or scores; zeros where there are none."""
    name = "prediction" if isinstance(first, NumericOutcomes) else "score"
    name = "share" if isinstance(first, CorrectOutcomes) else name
    one, other = getattr(first, name, None), getattr(second, name, None)
    return np.zeros(first.n) if one is None or other is None else np.abs(one - other)
