"""A column as slices of the rows, and the rules of slices, which can be written and read back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.inputs import label_text
from evalcore.outcomes import Codes, Floats, Rows
from evalcore.predictions import Categories
from evalcore.text import counted, shorten

_QUOTED, _PLAIN = r'"(?:[^"\\]|\\.)*"', r"[^\s;=<>\"](?:[^;=<>\"]*[^\s;=<>\"])?"
_TEXT = rf"({_QUOTED}|{_PLAIN})"
_BETWEEN = re.compile(rf"(?:{_TEXT} <= )?{_TEXT} (<|>=) {_TEXT}")
_EQUAL, _MISSING = re.compile(rf"{_TEXT} = {_TEXT}"), re.compile(rf"{_TEXT} is missing")
_ONE = re.compile(rf"(?:{_QUOTED}|[^\";])+")


@dataclass(frozen=True)
class Range:
    """Numbers from `low`, which is included, to below `high`; None where there is no end.

    `dated` says that they are seconds since 1970, and are written as dates.
    """

    low: float | None
    high: float | None
    dated: bool = False

    @property
    def ends(self) -> tuple[Any, Any]:
        """Both ends as a person writes them: numbers, or dates as text."""
        written = _date if self.dated else _plain
        return written(self.low), written(self.high)


Value = str | Range | None
"""What a column holds in a slice: a label, numbers from one to another, or nothing at all."""


@dataclass(frozen=True)
class Condition:
    """One column and what it holds.

    >>> Condition("age", Range(18, 25)).text, Condition("a;b", "x = y").text
    ('18 <= age < 25', '"a;b" = "x = y"')
    """

    column: str
    value: Value

    @property
    def text(self) -> str:
        """The condition as it is written into an address."""
        name = _written(self.column)
        if self.value is None:
            return f"{name} is missing"
        if isinstance(self.value, str):
            return f"{name} = {_written(self.value)}"
        low, high = self.value.ends
        if high is None:
            return f"{name} >= {low}"
        return f"{name} < {high}" if low is None else f"{low} <= {name} < {high}"


Rule = tuple[Condition, ...]
"""All of these hold; no condition at all is every row."""


def text_of(rule: Rule) -> str:
    """Return a rule as it is written.

    >>> text_of((Condition("region", "west"), Condition("age", Range(None, 30))))
    'region = west; age < 30'
    """
    return "; ".join(condition.text for condition in rule)


def parse(text: str) -> Rule:
    """Return the rule that a text says.

    Raises:
        EvalError: "bad-rule": a part of it is no condition.

    >>> parse("region = west; 18 <= age < 25")[1].value
    Range(low=18.0, high=25.0, dated=False)
    """
    return tuple(_condition(part.strip()) for part in _ONE.findall(text) if part.strip())


def where_of(rule: Rule) -> dict[str, Any]:
    """Return the rule as JSON has it: a label, null for missing, or both ends of a range."""
    return {
        one.column: list(one.value.ends) if isinstance(one.value, Range) else one.value
        for one in rule
    }


def _condition(text: str) -> Condition:
    if found := _EQUAL.fullmatch(text):
        return Condition(_read(found[1]), _read(found[2]))
    if found := _BETWEEN.fullmatch(text):
        first, name, sign, last = found.groups()
        if first is not None and sign == ">=":
            raise _no_rule(text)
        low, high = (last, None) if sign == ">=" else (first, last)
        return Condition(_read(name), _range(low, high, text))
    if found := _MISSING.fullmatch(text):
        return Condition(_read(found[1]), None)
    raise _no_rule(text)


def _range(low: str | None, high: str | None, text: str) -> Range:
    given = [None if end is None else _read(end) for end in (low, high)]
    for read, dated in ((float, False), (_seconds, True)):
        try:
            first, last = (None if end is None else read(end) for end in given)
        except ValueError:
            continue
        return Range(first, last, dated)
    raise _no_rule(text)


def _seconds(date: str) -> float:
    return float(np.datetime64(date, "s").astype(np.int64))


def _no_rule(text: str) -> EvalError:
    return EvalError(
        "bad-rule",
        f'"{text[:60]}" is not a rule. Write "column = value", "column < 30", "18 <= column < 25" '
        'or "column is missing", with ";" between two of them.',
    )


def _written(text: str) -> str:
    """Return a name or a label, in quotation marks where it could be read as something else."""
    if re.fullmatch(_PLAIN, text) and not text.endswith(" is missing") and text.isprintable():
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL) if text[:1] == '"' else text


def _plain(number: float | None) -> float | int | None:
    if number is None or not float(number).is_integer() or abs(number) > 1e15:
        return number
    return int(number)


def _date(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return str(np.datetime64(int(seconds), "s")).removesuffix("T00:00:00")


BINS = 5
"""Bins of a column of numbers: fifths of the rows are large enough to be told from the rest."""

FEW_NUMBERS = 10
"""A column of so few distinct numbers, such as ratings, is sliced by each of them."""

MOST_VALUES = 50
"""Of a column with more values, the most frequent are slices; a page and a test hold no more."""

_SAMPLE = 100_000
"""Rows by which the ends of bins are chosen: their shares are then off by 0.2% at most."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Column:
    """A column of n rows as K parts that have no row in common, and the slices made of them.

    Attributes:
        codes: (n,) integers, the part that each row is in.
        parts: What each of the K parts holds; a last one that `others` speaks of holds values too
            rare to be slices.
        others: Distinct values in the last part; 0 where each value has a part of its own.
        ordered: Whether the first parts are numbers that rise, so that neighbours make slices.
    """

    name: str
    codes: Codes
    parts: tuple[Value, ...]
    others: int = 0
    ordered: bool = False

    @staticmethod
    def of(
        name: str, values: Any, *, bins: int | Sequence[float] = BINS, least: int = 30
    ) -> "Column":
        """Return (n,) values as a column: labels, numbers, dates, or `Categories`.

        Args:
            name: What it is called.
            values: NaN, None and NaT are missing, which is a slice of its own.
            bins: How many bins numbers are cut into, by quantiles, or the inner ends of them.
            least: Of a column with many labels, those in fewer rows are no slices.

        Raises:
            EvalError: "too-many-values": no label is in so many rows, as with ids. "not-values":
                a cell is no single value.
        """
        if isinstance(values, Categories):
            return _of_labels(name, values.names, values.codes, least)
        array = np.asarray(values)
        numbers = _numbers(array)
        if numbers is not None:
            return _of_numbers(name, numbers, bins, dated=array.dtype.kind == "M")
        names, codes = _factorized(name, array)
        return _of_labels(name, names, codes, least)

    def on(self, rows: Rows | None) -> Self:
        """Return the column on the rows of a model, 1 being the first; all if None."""
        return self if rows is None else replace(self, codes=self.codes[rows - 1])

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The slices, each as its first part and the one after its last: every part but others.

        Of numbers in order also the lowest parts together, and the highest, up to half of them.
        """
        count = len(self.parts) - bool(self.others)
        alone = [(part, part + 1) for part in range(count)]
        if not self.ordered:
            return tuple(alone)
        count -= self.parts[count - 1] is None
        sizes = range(2, count // 2 + 1)
        return (*alone, *((0, k) for k in sizes), *((count - k, count) for k in sizes))

    @cached_property
    def members(self) -> Floats:
        """(L, K) 1 where a part belongs to a slice, else 0."""
        found = np.zeros((len(self.spans), len(self.parts)))
        for row, (first, last) in zip(found, self.spans, strict=True):
            row[first:last] = 1
        return found

    def condition(self, level: int) -> Condition:
        """Return the condition of one of the slices."""
        first, last = self.spans[level]
        held = self.parts[first]
        if last - first > 1 and isinstance(held, Range):
            end = self.parts[last - 1]
            assert isinstance(end, Range)
            held = replace(held, high=end.high)
        return Condition(self.name, held)

    def mask(self, level: int) -> Mask:
        """Return (n,) whether each row is in one of the slices."""
        first, last = self.spans[level]
        if last - first == 1:
            return np.asarray(self.codes == first)
        return np.asarray((self.codes >= first) & (self.codes < last))


def crossed(first: Column, second: Column) -> NDArray[np.intp]:
    """Return (n,) codes of the part of the first and that of the second, together."""
    codes = first.codes.astype(np.intp)
    codes *= len(second.parts)
    codes += second.codes
    return codes


def chosen(rule: Rule, values: Mapping[str, Any]) -> Mask:
    """Return which rows a rule holds; `values` are the raw values of each column.

    Raises:
        EvalError: "no-such-column", or "bad-rule" for a range of labels.
    """
    masks = [_chosen(one, values) for one in rule]
    return np.logical_and.reduce(masks) if masks else np.asarray(True)


def _chosen(one: Condition, values: Mapping[str, Any]) -> Mask:
    if one.column not in values:
        raise EvalError(
            "no-such-column", f'There is no column "{shorten(one.column)}" to slice by.'
        )
    given, held = values[one.column], one.value
    numbers = None if isinstance(given, Categories) else _numbers(np.asarray(given))
    if isinstance(held, Range):
        if numbers is None:
            raise EvalError("bad-rule", f'"{shorten(one.column)}" holds labels, not numbers.')
        mask = ~np.isnan(numbers)
        if held.low is not None:
            mask &= numbers >= held.low
        return mask if held.high is None else np.asarray(mask & (numbers < held.high))
    if isinstance(given, Categories):
        names: Sequence[str] = given.names
        codes: Any = given.codes
    else:
        names, codes = _factorized(one.column, np.asarray(given))
    wanted = -1 if held is None else names.index(held) if held in names else -2
    return np.asarray(codes == wanted)


def _numbers(array: NDArray[Any]) -> Floats | None:
    """Return numbers, or dates as seconds since 1970, NaN where missing; None for labels."""
    if array.dtype.kind not in "mM":
        return array.astype(np.float64) if array.dtype.kind in "iuf" else None
    seconds = array.astype(f"{array.dtype.kind}8[s]").astype(np.int64).astype(np.float64)
    seconds[np.isnat(array)] = np.nan
    return seconds


def _factorized(name: str, array: NDArray[Any]) -> tuple[list[str], Codes]:
    """Return labels in order, and the code of each cell among them, -1 where it is missing."""
    import pandas as pd

    try:
        codes, cells = pd.factorize(array.astype(object))
    except TypeError:
        said = f'The cells of "{shorten(name)}" are not single values, so no slice is made.'
        raise EvalError("not-values", said, column=name) from None
    texts = [label_text(cell) for cell in cells]
    names = sorted({text for text in texts if text})
    places = {text: place for place, text in enumerate(names)}
    moved = np.array([*(places.get(text, -1) for text in texts), -1], np.int64)
    return names, moved[codes]


def _of_labels(name: str, names: Sequence[str], codes: Codes, least: int) -> Column:
    counts = np.bincount(codes + np.intp(1), minlength=len(names) + 1)
    missing, counts = int(counts[0]), counts[1:]
    kept = np.flatnonzero(counts)
    if len(kept) > MOST_VALUES:
        often = kept[counts[kept] >= max(least, 1)]
        if not len(often):
            raise EvalError(
                "too-many-values",
                f'"{shorten(name)}" has {len(kept):,} distinct values, none of them in '
                f"{counted(least, 'row')}, like an id: no slice by it is large enough.",
                column=name,
            )
        kept = np.sort(often[np.argsort(-counts[often], kind="stable")[:MOST_VALUES]])
    others = int(np.count_nonzero(counts)) - len(kept)
    parts: list[Value] = [names[int(place)] for place in kept]
    moves = np.full(len(names) + 1, len(parts) + bool(missing), np.int16)
    moves[kept] = np.arange(len(kept))
    if missing:
        moves[-1] = len(parts)
        parts.append(None)
    if others:
        parts.append("")
    return Column(name, moves[codes], tuple(parts), others)


def _of_numbers(
    name: str, values: Floats, bins: int | Sequence[float], *, dated: bool = False
) -> Column:
    missing = np.isnan(values)
    gaps = bool(missing.any())
    seen = np.sort(_sampled(values[~missing] if gaps else values))
    if isinstance(bins, int) and not dated and (few := _few(seen, values)) is not None:
        names = [label_text(number) for number in few.tolist()]
        codes = np.searchsorted(few, values)
        return _of_labels(name, names, np.where(missing, -1, codes), 0)
    edges = (
        _edges(seen, bins, dated) if isinstance(bins, int) else np.unique(np.asarray(bins, float))
    )
    codes = np.searchsorted(edges, values, side="right").astype(np.int16)
    ends = [None, *edges.tolist(), None]
    parts: list[Value] = [Range(low, high, dated) for low, high in pairwise(ends)]
    if gaps:
        codes[missing] = len(parts)
        parts.append(None)
    if missing.all():
        return Column(name, np.zeros(len(values), np.int16), (None,))
    return Column(name, codes, tuple(parts), ordered=True)


def _sampled(values: Floats) -> Floats:
    return values[:: max(len(values) // _SAMPLE, 1)]


def _few(seen: Floats, values: Floats) -> Floats | None:
    """Return the distinct numbers where they are few; None where they are many."""
    if not len(seen) or np.count_nonzero(seen[1:] != seen[:-1]) >= FEW_NUMBERS:
        return None
    distinct = np.unique(values[~np.isnan(values)])
    return distinct if len(distinct) <= FEW_NUMBERS else None


_OFF = 0.01
"""Share of the rows by which a rounded end of a bin may miss its quantile."""


def _edges(seen: Floats, bins: int, dated: bool) -> Floats:
    """Return the inner ends of bins of about as many rows each, rounded to few digits."""
    finite = seen[np.isfinite(seen)]
    if not len(finite):
        return np.zeros(0)
    wanted = np.arange(1, bins) / bins
    exact = np.quantile(finite, wanted, method="higher")
    rounded = [_rounded(end, finite, dated) for end in exact]
    edges: Floats = np.unique(rounded)
    inner: Floats = edges[(edges > finite[0]) & (edges <= finite[-1])]
    return inner


def _rounded(end: float, seen: Floats, dated: bool) -> float:
    """Return a number of as few digits, or a date, as leave nearly as many rows below it."""
    below = np.searchsorted(seen, end)
    shorter = [float(f"{end:.{digits}g}") for digits in range(1, 17)]
    for short in [end // _DAY * _DAY] if dated else shorter:
        if abs(np.searchsorted(seen, short) - below) <= _OFF * len(seen):
            return short
    return float(end)


_DAY = 86_400.0
"""Seconds of a day."""
