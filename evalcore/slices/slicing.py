"""The rows of a data set in slices: those of columns that are named, or the weakest of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.comparison.candidates import entered
from evalcore.comparison.power import from_error
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import errors_of
from evalcore.intervals.closed import holm
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Places,
    data_rows,
)
from evalcore.predictions import Predictions
from evalcore.slices.columns import BINS, Column, crossed
from evalcore.slices.groups import gaps_of, side_by_side
from evalcore.slices.measures import Measure, measure
from evalcore.slices.results import Against, Gaps, Slice, Slices, against
from evalcore.slices.search import Judged, halves, mask_of, rule_of, search
from evalcore.text import counted, listed, p_equals, roughly, shorten, significant, so_often
from evalcore.work import NO_PROGRESS, Progress

MOST_CROSSED = 2
"""Columns of a rule: with three hardly any slice has rows enough, nor is it kept in mind."""

FOUND = (
    "found on one half of the rows (groups stay whole) and tested on the other; each value is that "
    "of the half that tested it; Holm over the slices tested, for both halves in turn"
)
LISTED = "every slice of the chosen columns, on all rows; Holm over the slices tested"


@dataclass(frozen=True)
class Asked:
    """What is asked of slices.

    Attributes:
        by: Columns whose slices are listed; None to search all that play no role.
        metric: Key of the metric; None for the share of right answers, or the mean absolute error.
        model: The model that slices are judged by; None for the one that leads.
        max_columns: Columns of a rule, 1 or 2.
        min_rows: Slices of fewer rows are not judged.
        bins: Column -> the inner ends of its bins, or how many there are.
    """

    by: tuple[str, ...] | None = None
    metric: str | None = None
    model: str | None = None
    max_columns: int = 2
    min_rows: int = 30
    bins: Mapping[str, int | Sequence[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= self.max_columns <= MOST_CROSSED:
            raise EvalError("usage", f"A slice is made of 1 or {MOST_CROSSED} columns.")
        if self.min_rows < 1:
            raise EvalError("usage", "A slice needs at least 1 row.")
        if self.by is not None and not self.by:
            raise EvalError("usage", "Name at least one column to slice by.")


def slices(
    dataset: Predictions, asked: Asked, options: Options, progress: Progress = NO_PROGRESS
) -> Slices:
    """Return the slices of the columns named, or the weakest of all columns without a role.

    Raises:
        EvalError: A column, metric or model cannot be used, or there is no column; "cancelled".
    """
    table = Sliced.of(dataset, asked, options)
    return table.searched(progress) if asked.by is None else table.listed(progress)


@dataclass(frozen=True, eq=False)
class Sliced:
    """The models of a data set by a metric, and the columns on all rows of the file."""

    measures: Mapping[str, Measure]
    model: str
    columns: tuple[Column, ...]
    asked: Asked
    options: Options
    notices: tuple[Notice, ...]
    _known: dict[tuple[str, int], tuple[Measure, Places]] = field(default_factory=dict)

    @classmethod
    def of(cls, dataset: Predictions, asked: Asked, options: Options) -> "Sliced":
        """Read the columns, and count nothing yet."""
        from evalcore.compare import to_judge

        measures = _measures(dataset, asked, options)
        model, why = to_judge(dataset, asked.model, measures)
        if model not in measures:
            raise EvalError("no-such-model", f'There is no model "{model}" with this metric.')
        columns, notices = _columns(dataset, asked)
        return cls(MappingProxyType(measures), model, columns, asked, options, (*why, *notices))

    @cached_property
    def main(self) -> Measure:
        """The model that slices are judged by."""
        return self.measures[self.model]

    @cached_property
    def on(self) -> Mapping[str, list[Column]]:
        """The columns on the rows of each model."""
        rows = {name: one.one.outcomes.rows for name, one in self.measures.items()}
        return {name: [one.on(own) for one in self.columns] for name, own in rows.items()}

    @cached_property
    def errors(self) -> Floats:
        """(n,) how wrong each row is, as often as it counts."""
        rows: Outcomes = self.main.one.outcomes
        of_classes = isinstance(rows, BinaryOutcomes | ClassOutcomes)
        wrong = errors_of(rows, _decided(self.main) if of_classes else None)
        return wrong if rows.weight is None else wrong * rows.weight

    def listed(self, progress: Progress = NO_PROGRESS) -> Slices:
        """Return every slice of the columns, and of two of them crossed."""
        pairs: list[tuple[int, ...]] = [(place,) for place in range(len(self.columns))]
        if self.asked.max_columns > 1:
            pairs += combinations(range(len(self.columns)), 2)
        found = []
        for done, places in enumerate(pairs):
            progress.check()
            found += self.of_columns(*places)
            progress.report((done + 1) / len(pairs))
        adjusted = holm([np.nan if one.few else one.found.p_value for one in found])
        judged = [replace(one, p_adjusted=p) for one, p in zip(found, adjusted, strict=True)]
        gaps = {column.name: self._gaps(column) for column in self.on[self.model]}
        return self._made(judged, len(found), LISTED, gaps)

    def of_columns(self, *places: int) -> list[Slice]:
        """Return the slices of a column, or of two crossed; none is adjusted or confirmed yet."""
        columns = {name: [self.on[name][place] for place in places] for name in self.measures}
        sizes = [len(column.parts) for column in columns[self.model]]
        size = int(np.prod(sizes))
        codes = {
            name: own[0].codes if len(own) == 1 else crossed(own[0], own[1])
            for name, own in columns.items()
        }
        judged = {
            name: [against(*parts) for parts in one.each(codes[name], size)]
            for name, one in self.measures.items()
        }
        weight, counted = self.main.one.outcomes.weight, self.main.one.outcomes.counted
        rows = np.bincount(codes[self.model], weight, size)
        counts = rows if counted else np.bincount(codes[self.model], minlength=size)
        wrong = np.bincount(codes[self.model], self.errors, size)
        found = []
        for code in np.flatnonzero(rows).tolist():
            parts = [int(part) for part in np.unravel_index(code, sizes)]
            own = list(zip(columns[self.model], parts, strict=True))
            if any(column.others and part == len(column.parts) - 1 for column, part in own):
                continue
            rule = tuple(column.condition(part) for column, part in own)
            models = {name: of[code] for name, of in judged.items()}
            made = self._slice(rule, float(rows[code]), float(wrong[code]), models)
            found.append(replace(made, few=bool(counts[code] < self.asked.min_rows)))
        return found

    def searched(self, progress: Progress = NO_PROGRESS) -> Slices:
        """Return the weakest slices of all columns and crossings."""
        if not self.main.sign:
            key = self.main.one.metric.key
            raise EvalError(
                "no-direction", f"{key} has no better direction: choose a metric that has one."
            )
        found = search(
            self.main,
            self.on[self.model],
            max_columns=self.asked.max_columns,
            least=self.asked.min_rows,
            seed=self.options.seed,
            progress=progress,
        )
        made = [self._found(one) for one in found.judged]
        return self._made(made, found.searched, FOUND, {})

    def _found(self, one: Judged) -> Slice:
        mask, outcomes = mask_of(one.levels, self.on[self.model]), self.main.one.outcomes
        rows = mask.sum() if outcomes.weight is None else outcomes.weight[mask].sum()
        models = {self.model: one.against}
        for name, columns in self.on.items():
            if name != self.model:
                # What one model gets wrong by chance others do as well: the same half judges them.
                own, there = self._judging(name, one.half)
                inside = mask_of(one.levels, columns)[there]
                models[name] = against(*own.parts(inside))
        wrong = float(self.errors[mask].sum())
        made = self._slice(rule_of(one.levels, self.columns), float(rows), wrong, models)
        same = tuple(rule_of(levels, self.columns) for levels in one.same)
        return replace(made, p_adjusted=one.p_adjusted, same=same)

    def _judging(self, name: str, half: int) -> tuple[Measure, Places]:
        """Return another model on the rows that judge what a half found, and where they are."""
        if (name, half) not in self._known:
            self._known[name, half] = self._judge(name, half)
        return self._known[name, half]

    def _judge(self, name: str, half: int) -> tuple[Measure, Places]:
        outcomes = self.main.one.outcomes
        judge = data_rows(outcomes, halves(outcomes, self.options.seed)[1 - half])
        own = self.measures[name].one.outcomes
        there = np.flatnonzero(np.isin(data_rows(own, np.arange(own.n)), judge))
        return self.measures[name].on(there), there

    def _slice(self, rule: Any, rows: float, wrong: float, models: Mapping[str, Against]) -> Slice:
        total = self.main.one.outcomes.total
        errors = float(self.errors.sum())
        return Slice(
            rule,
            rows,
            rows / total,
            wrong / errors if errors > 0 else np.nan,
            MappingProxyType(dict(models)),
            self.model,
        )

    def _made(
        self, judged: Sequence[Slice], searched: int, method: str, gaps: Mapping[str, Gaps]
    ) -> Slices:
        shown = [
            replace(
                one,
                confirmed=bool(one.p_adjusted <= 1 - self.options.level and self._worse(one) > 0),
            )
            for one in judged
        ]
        shown.sort(key=lambda one: (not one.confirmed, one.few, -self._worse(one)))
        confirmed = any(one.confirmed for one in shown)
        return Slices(
            metric=self.main.one.metric.key,
            model=self.model,
            overall=self.main.whole().estimate,
            columns=tuple(column.name for column in self.columns),
            slices=tuple(shown),
            searched=searched,
            method=method,
            gaps=MappingProxyType(dict(gaps)),
            level=self.options.level,
            seed=self.options.seed,
            nearest="" if confirmed else self._nearest(shown),
            notices=self.notices,
        )

    def _worse(self, one: Slice) -> float:
        """Return by how much a slice is worse than the rest; the least of all where unknown."""
        gap = one.found.difference.value * (self.main.sign or -1)
        return gap if np.isfinite(gap) else -np.inf

    def _nearest(self, judged: Sequence[Slice]) -> str:
        """Return which slice comes nearest to be confirmed, and what that would take."""
        known = [one for one in judged if self._worse(one) > 0 and one.found.error > 0]
        known = [one for one in known if not np.isnan(one.p_adjusted)]
        if not known:
            return "No slice is worse than the rest on the rows that test it."
        near = min(known, key=lambda one: (one.p_adjusted, one.found.p_value))
        made, number = near.found, sum(not np.isnan(one.p_adjusted) for one in judged)
        level = 1 - (1 - self.options.level) / number
        drawn = self.main.one.outcomes
        rows = drawn.total if drawn.unit is None else drawn.n
        size = from_error(
            self.main.one.metric.key, abs(made.difference.value), made.error, rows, level
        )
        said = (
            f"The nearest is {shorten(near.text)}, where the value is "
            f"{significant(self._worse(near))} worse than in the rest (adjusted "
            f"{p_equals(near.p_adjusted)})."
        )
        if size.smallest_difference is not None:
            least, files = significant(size.smallest_difference), counted(rows, "row")
            said += (
                f" A slice of this size that is {least} worse would show in "
                f"{so_often(size.power)} files of {files}"
            )
            said += (
                f"; the observed difference needs about {roughly(size.rows_needed)} rows."
                if size.rows_needed
                else "."
            )
        return said

    def _gaps(self, column: Column) -> Gaps:
        found = dict(gaps_of(self.main, column, self.options))
        rows = self.main.one.outcomes
        if isinstance(rows, BinaryOutcomes):
            decided = _decided(self.main)
            if decided is not None:
                found |= side_by_side(rows, decided, column, self.options).gaps
        return MappingProxyType(found)


def _measures(dataset: Predictions, asked: Asked, options: Options) -> dict[str, Measure]:
    """Return the models that give what the metric needs, by name."""
    if not dataset.models:
        what = "clusterings" if dataset.clusterings else "no rows of predictions"
        raise EvalError(
            "nothing-to-slice", f"Slices need rows with a truth; this file holds {what}."
        )
    metric = find(asked.metric or usual_metric(dataset))
    able = entered(dataset.models, metric, options)
    found = {name: measure(one, options) for name, one in able.items()}
    if not found:
        raise EvalError("not-sliceable", f"No model gives what {metric.name} needs.")
    return found


RARE = 0.1
"""Where the positive class has a smaller share of the rows, accuracy tells of the others alone."""


def usual_metric(dataset: Predictions) -> str:
    """Return the key of the metric that rows are usually sliced by: of one error, not of a rank."""
    every = tuple(dataset.models.values())
    if all(isinstance(rows, NumericOutcomes) for rows in every):
        return "mae"
    rare = (isinstance(one, BinaryOutcomes) and np.mean(one.truth) < RARE for one in every)
    return "recall" if all(rare) else "accuracy"


def _columns(dataset: Predictions, asked: Asked) -> tuple[tuple[Column, ...], tuple[Notice, ...]]:
    """Return the columns that make two slices or more, and why others are left out."""
    names = dataset.free if asked.by is None else asked.by
    found: list[Column] = []
    notices = []
    for name in names:
        try:
            column = column_of(dataset, name, asked)
        except EvalError as problem:
            if asked.by is not None:
                raise
            notices.append(Notice(problem.code, problem.message, column=name))
            continue
        twin = next((one for one in found if _says_the_same(one, column)), None)
        if twin is None:
            found.append(column)
        else:
            said = f'"{name}" splits the rows exactly as "{twin.name}" does, and is left out.'
            notices.append(Notice("same-slices", said, column=name))
    if not found:
        said = "There is no column to slice by: " + (
            "none splits the rows into two slices." if names else "each one has a role already."
        )
        raise EvalError("no-columns", said)
    return tuple(found), tuple(notices)


def column_of(dataset: Predictions, name: str, asked: Asked) -> Column:
    """Return a column as slices of the rows; refuses one that makes fewer than two."""
    if name not in dataset.columns:
        raise EvalError(
            "no-such-column",
            f'There is no column "{shorten(name)}" to slice by, but {listed([*dataset.columns])}.',
            column=name,
        )
    column = Column.of(
        name, dataset.columns[name], bins=asked.bins.get(name, BINS), least=asked.min_rows
    )
    if len(column.parts) < 2:
        held = "is missing in every row" if column.parts == (None,) else "has one value in all rows"
        raise EvalError("one-value", f'"{name}" {held}, so it makes no slices.', column=name)
    return column


def _says_the_same(first: Column, second: Column) -> bool:
    """Whether two columns part the rows alike, whatever they call the parts."""
    if len(first.parts) != len(second.parts):
        return False
    some = slice(None, None, max(len(first.codes) // 1000, 1))
    for rows in (some, slice(None)):
        pairs = first.codes[rows].astype(np.intp) * len(first.parts) + second.codes[rows]
        filled = np.flatnonzero(np.bincount(pairs, minlength=len(first.parts) ** 2))
        own, other = np.divmod(filled, len(first.parts))
        if len(np.unique(own)) < len(own) or len(np.unique(other)) < len(other):
            return False
    return True


def _decided(one: Measure) -> Any:
    try:
        return one.one.decision
    except EvalError:
        return None
