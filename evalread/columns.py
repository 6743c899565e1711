"""A column seen as labels or as numbers, each exactly as written."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.inputs import label_text
from evalcore.outcomes import Floats, frozen
from evalcore.tables.confusion import NO_PREDICTION, blocks
from evalcore.text import shorten
from evalcore.work import once
from evalread.dataset import Source, Table
from evalread.notices import Mask, refusal


def places_of(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return the (n,) places of cells among the distinct ones; -1 where a cell is missing.

    >>> places_of(pa.chunked_array([["b", None], ["a", "b"]])).tolist()
    [0, -1, 1, 0]
    """
    whole = column.combine_chunks()  # dictionaries of many chunks take long to unify
    encoded = whole if pa.types.is_dictionary(whole.type) else pc.dictionary_encode(whole)
    places: NDArray[np.int64] = pc.fill_null(encoded.indices, -1).to_numpy().astype(np.int64)
    return places


MISSING_WORDS = ("", "nan", "na", "n/a", "#n/a", "null", "none", "?", ".")
"""What stands for "no number" in a column of numbers, in lower case."""

_NUMBER_CELL = r"^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|(?i:inf(inity)?|nan(\(\w*\))?))$"
"""What Arrow reads as a number."""

_NONE: Mapping[str, int] = MappingProxyType({})

LARGEST_TOTAL = 1e15
"""What weights may add up to: beyond 2**53 whole counts are no longer exact."""

SMALLEST_WEIGHT = 1e-100
"""What some weight must reach: squares of smaller ones would soon be 0."""

LARGEST_NUMBER = 1e300
"""What predicted and true numbers must stay below."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as numbers.

    Attributes:
        values: (n,) floats; NaN where the cell is missing; may hold infinities.
        missing: How each kind of missing cell is written -> how many there are.
        percent: Whether every number carries a percent sign; `values` are as written then (87%
            is 87).
        ends: The smallest and the largest number, where they are known already.
    """

    values: Floats
    missing: Mapping[str, int] = field(default_factory=lambda: _NONE)
    percent: bool = False
    ends: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest number; NaN where there is none."""
        if self.ends or not len(self.values):
            return self.ends or (np.nan, np.nan)
        return float(np.fmin.reduce(self.values)), float(np.fmax.reduce(self.values))

    def refuse_infinite(self, column: str, *, huge: bool = False) -> None:
        """Refuse infinite values, naming their rows; if `huge`, also those too large to subtract.

        Raises:
            EvalError: "infinite-score" or "huge-number".
        """
        low, high = self.span
        largest = max(-low, high)
        if largest == np.inf:
            raise refusal("infinite-score", rows=np.isinf(self.values), column=column)
        if huge and largest >= LARGEST_NUMBER:
            rows = np.abs(self.values) >= LARGEST_NUMBER
            raise refusal("huge-number", rows=rows, column=column, most=LARGEST_NUMBER)

    def weights(self, column: str) -> Floats:
        """Return weights that are finite, 0 or more, and of a size that adds up and squares.

        Raises:
            EvalError: "bad-weight", naming the rows where single ones are bad.
        """
        values = self.values
        kinds = {"negative": values < 0, "missing": np.isnan(values), "infinite": np.isinf(values)}
        for what, bad in kinds.items():
            if bad.any():
                raise refusal("bad-weight", rows=bad, column=column, what=what)
        with np.errstate(over="ignore"):
            total = values.sum()
        if total > LARGEST_TOTAL:
            raise refusal("bad-weight/total", column=column, most=LARGEST_TOTAL)
        if 0 < values.max(initial=0) < SMALLEST_WEIGHT:
            raise refusal("bad-weight/small", column=column, least=SMALLEST_WEIGHT)
        return values


def as_numbers(column: pa.ChunkedArray, name: str, source: Source) -> Numbers:
    """Read a column as numbers, with the number marks of its file.

    Raises:
        EvalError: "not-numeric" with the first row that holds no number, or "list-cells".
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        return as_numbers(column.cast(kind.value_type), name, source)
    if not is_text(kind):
        return _typed(column, name)
    if (source.decimal or ".") == "." and not source.thousands:
        with suppress(pa.ArrowInvalid):  # a cell is anything else
            values = np.asarray(column.cast(pa.float64()).to_numpy(), np.float64)
            return Numbers(values, _count_missing(column, np.isnan(values)))
    encoded = pc.dictionary_encode(column.combine_chunks())
    places = pc.fill_null(encoded.indices, -1).to_numpy()
    values, wrong, percent = placed_numbers(encoded.dictionary, places, source)
    if wrong.any():
        raise _not_numeric(column, wrong, int((wrong | ~np.isnan(values)).sum()), name)
    return Numbers(values, _count_missing(column, np.isnan(values)), bool(percent))


def is_text(kind: pa.DataType) -> bool:
    """Return whether cells of a type are text."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _typed(column: pa.ChunkedArray, name: str) -> Numbers:
    kind = column.type
    if pa.types.is_nested(kind):
        raise _list_cells(column, name)
    if not is_numeric(kind):
        raise refusal("not-numeric/type", column=name, held=kind)
    # Casting to float64 before any arithmetic keeps small integer types from wrapping round.
    values = np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), np.float64)
    blank = column.null_count
    missing = {"blank": blank, "NaN": int(np.count_nonzero(np.isnan(values))) - blank}
    return Numbers(values, {word: count for word, count in missing.items() if count})


def is_numeric(kind: pa.DataType) -> bool:
    """Return whether cells of a type are numbers, or true and false."""
    plain = pa.types.is_primitive(kind) and not pa.types.is_temporal(kind)
    return bool(plain or pa.types.is_null(kind) or pa.types.is_decimal(kind))


def placed_numbers(
    cells: pa.Array, places: NDArray[Any], source: Source
) -> tuple[Floats, Mask, Mask]:
    """Return the cells of columns as numbers, which are none, and which columns are percentages.

    `cells` are distinct, `places` are (..., rows) into them, -1 where a cell is missing. Numbers
    are as written, NaN where there is none; a percent sign is right where every number has one.
    """
    read = _text_numbers if is_text(cells.type) else _typed_numbers
    values, strange, marked = (one[places] for one in read(cells, source))
    known = strange | ~np.isnan(values)
    percent = known.any(axis=-1) & (marked | ~known).all(axis=-1)
    return values, strange | (marked & ~percent[..., None]), percent


def _typed_numbers(cells: pa.Array, source: Source) -> tuple[Any, ...]:
    fine = is_numeric(cells.type)
    plain = cells.cast(pa.float64(), safe=False) if fine else pa.nulls(len(cells), pa.float64())
    none = np.zeros(len(cells) + 1, np.bool_)
    return np.append(plain.to_numpy(zero_copy_only=False), np.nan), none | (not fine), none


def _text_numbers(cells: pa.Array, source: Source) -> tuple[Any, ...]:
    text = pc.utf8_trim_whitespace(cells)
    missing = pc.is_in(pc.utf8_lower(text), value_set=pa.array(MISSING_WORDS, pa.string()))
    percent = pc.ends_with(text, "%")
    bare = pc.if_else(percent, pc.utf8_rtrim(text, " %\u00a0"), text)
    text = pc.if_else(missing, "nan", _plain_marks(bare, source))
    fits = pc.match_substring_regex(text, _NUMBER_CELL)
    values = pc.if_else(fits, text, "nan").cast(pa.float64())
    values, fits, percent = (c.to_numpy(zero_copy_only=False) for c in (values, fits, percent))
    return np.append(values, np.nan), np.append(~fits, False), np.append(percent, False)


def _plain_marks(text: Any, source: Source) -> Any:
    """Rewrite the file's number marks as a plain decimal point; what does not fit stays."""
    decimal, thousands = source.decimal or ".", source.thousands
    if thousands == " ":
        text = pc.replace_substring_regex(text, r"(\d)[ \x{00a0}\x{202f}](\d{3})", r"\1\2")
    elif thousands:
        mark = rf"\x{{{ord(thousands):x}}}"  # whatever it is, it stands for itself
        grouped = pc.match_substring_regex(text, rf"^[+-]?\d{{1,3}}({mark}\d{{3}})+(\D|$)")
        text = pc.if_else(grouped, pc.replace_substring(text, thousands, ""), text)
    if decimal == ".":
        return text
    # A point in a file of decimal commas is neither: marking it keeps it from being read as one.
    text = pc.replace_substring(text, ".", "\N{MIDDLE DOT}")
    return pc.replace_substring(text, decimal, ".")


def _count_missing(column: pa.ChunkedArray, missing: NDArray[np.bool_]) -> Mapping[str, int]:
    if not missing.any():
        return _NONE
    written = pc.value_counts(pc.utf8_trim_whitespace(pc.fill_null(column, "")).filter(missing))
    counts: dict[str, int] = {}
    for item in written.to_pylist():
        word = item["values"] or "blank"
        counts[word] = counts.get(word, 0) + item["counts"]
    return counts


def _not_numeric(column: pa.ChunkedArray, wrong: Mask, present: int, name: str) -> EvalError:
    """Name the first cell that is no number, in the words of the file."""
    if holds_lists(column):
        return _list_cells(column, name)
    first = int(np.flatnonzero(wrong)[0])
    about = {"cell": shorten(column[first].as_py()), "first": first + 1, "present": present}
    return refusal("not-numeric", rows=wrong, column=name, **about)


def holds_lists(column: pa.ChunkedArray) -> bool:
    """Return whether the first present cell is a list, such as "[0.7 0.2 0.1]"."""
    if pa.types.is_nested(column.type):
        return True
    if pa.types.is_dictionary(column.type):
        return holds_lists(column.cast(column.type.value_type))
    if not is_text(column.type):
        return False
    first = column[0].as_py() if len(column) else None
    if not first:
        present = column.filter(pc.not_equal(column, ""))
        first = present[0].as_py() if len(present) else ""
    return is_list(first)


def is_list(cell: str) -> bool:
    """Return whether a cell of text is a list."""
    bare = cell.strip()
    return bare[:1] + bare[-1:] in ("[]", "()", "{}") and "\n" not in bare


def _list_cells(column: pa.ChunkedArray, name: str) -> EvalError:
    first: Any = column[0].as_py() or ""
    if isinstance(first, dict) or str(first).lstrip().startswith("{"):
        return refusal("list-cells/objects", column=name)
    cells = first.replace(",", " ").split() if isinstance(first, str) else first
    return refusal("list-cells/lists", column=name, items=len(cells))


MOST_LABELS = 10_000
"""Distinct values up to which a column may hold labels: a matrix of more has 10^8 cells."""

SomeCodes = NDArray[np.int32 | np.int8]
"""int8 where a reader has counted few words already; -1 stands for a missing cell."""

_NUMBER_LABEL = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d*)?|[+-]?\.\d+|[+-]?\d\.\d+[eE][+-]\d\d")


@dataclass(frozen=True, eq=False)
class Labels:
    """A column as labels.

    Attributes:
        names: The distinct labels, in the order in which they appear.
        codes: (n,) integers into `names`; -1 where the cell is missing.
        missing: How missing cells are written -> how many there are.
        trimmed: (n,) True where white space round the label was removed; None if nowhere.
    """

    names: tuple[str, ...]
    codes: SomeCodes
    missing: dict[str, int]
    trimmed: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", frozen(self.codes))

    @property
    def counts(self) -> dict[str, int]:
        """How many rows hold each label."""
        return dict(zip(self.names, self.tally, strict=True))

    @cached_property
    def tally(self) -> list[int]:
        """How many rows hold each of the names."""
        counts = np.zeros(len(self.names) + 1, np.int64)
        for rows in blocks(len(self.codes)):
            # Counting the missing ones too, at place 0, is faster than picking out the others.
            counts += np.bincount(self.codes[rows] + np.intp(1), minlength=len(counts))
        found: list[int] = counts[1:].tolist()
        return found


def as_labels(column: pa.ChunkedArray, name: str) -> Labels:
    """Read a column as labels; only a blank cell is missing.

    Raises:
        EvalError: "too-many-labels", or "list-cells" for cells that are lists.
    """
    if pa.types.is_nested(column.type):
        raise refusal("list-cells/labels", column=name)
    written, codes = _encoded(column)
    if len(written) > MOST_LABELS:
        raise refusal("too-many-labels", column=name, n=len(written), most=MOST_LABELS)
    return _labels(written, codes, column.null_count)


def _labels(written: Sequence[str], codes: SomeCodes, blank: int) -> Labels:
    """Return the labels that cells are written as, of which so many are blank."""
    changed = [text != text.strip() != "" for text in written]
    trimmed = np.append(changed, False)[codes] if any(changed) else None
    labels = Labels(tuple(written), codes, {"blank": blank} if blank else {}, trimmed)
    return renamed(labels, lambda text: text.strip() or None)


def _encoded(column: pa.ChunkedArray) -> tuple[list[str], SomeCodes]:
    """Return the distinct cells as text, and the place of each row's cell among them."""
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    column = column.unify_dictionaries()
    if not column.num_chunks:
        return [], np.zeros(0, np.int32)
    codes = pa.chunked_array([chunk.indices for chunk in column.chunks])
    if codes.type != pa.int8():
        codes = codes.cast(pa.int32())
    filled = (pc.fill_null(codes, -1) if codes.null_count else codes).to_numpy()
    values = column.chunk(0).dictionary.to_pylist()
    # A missing number in a typed column is no label of its own.
    return [text_of(value) for value in values], filled


def text_of(value: object) -> str:
    """Write a cell as a label; a missing one is ""."""
    if value is None or value != value:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="backslashreplace")
    # Of a text the white space round it is noticed later.
    return value if isinstance(value, str) else label_text(value)


def renamed(labels: Labels, rename: Callable[[str], str | None]) -> Labels:
    """Return labels with other names; those with the same become one, None is a missing cell."""
    places: dict[str, int] = {}
    renamed = map(rename, labels.names)
    moves = [-1 if new is None else places.setdefault(new, len(places)) for new in renamed]
    if tuple(places) == labels.names:
        return labels
    missing = dict(labels.missing)
    for name, count, move in zip(labels.names, labels.tally, moves, strict=True):
        if move < 0:
            word = name.strip() or "blank"
            missing[word] = missing.get(word, 0) + count
    return Labels(tuple(places), _moved(labels.codes, moves), missing, labels.trimmed)


def same_by_value(columns: Sequence[Labels]) -> list[Labels]:
    """Compare labels by value where all of them are numbers: "1.0" beside "1" is one class.

    Words such as "NaN" are missing cells then. A leading zero makes a label text ("01").
    """
    names = {name for column in columns for name in column.names}
    numbers = [name for name in names if name.lower() not in MISSING_WORDS]
    if not numbers or not all(map(is_number, numbers)):
        return list(columns)
    plain = {name: plain_number(name) for name in numbers}
    return [renamed(column, plain.get) for column in columns]


def same_labels(columns: Sequence[Labels]) -> list[Labels]:
    """Bring columns of labels to one spelling: numbers by value, true and false beside 1 and 0."""
    words = [says_true(column) for column in columns]
    if any(words) and not all(words):
        others = [c for c, word in zip(columns, words, strict=True) if not word]
        digits = {name for column in same_by_value(others) for name in column.names}
        if digits <= {"0", "1"}:
            columns = [
                renamed(c, lambda name: str(int(name.lower() == "true"))) if word else c
                for c, word in zip(columns, words, strict=True)
            ]
    return same_by_value(columns)


def says_true(labels: Labels) -> bool:
    """Return whether all labels are true or false."""
    return bool(labels.names) and {*map(str.lower, labels.names)} <= {"true", "false"}


def is_number(name: str) -> bool:
    """Return whether a label is a number; with a leading zero ("01") it is text."""
    return _NUMBER_LABEL.fullmatch(name) is not None


def plain_number(text: str) -> str:
    """Write a number in its shortest plain form.

    >>> plain_number("1.0"), plain_number("-.50"), plain_number("10"), plain_number("2.0e+01")
    ('1', '-0.5', '10', '20')
    """
    value = Decimal(text)
    if value == 0:
        return "0"
    written = f"{value:f}"
    return written.rstrip("0").rstrip(".") if "." in written else written


_plain = lru_cache(50_000)(lambda name: plain_number(name) if is_number(name) else "")


def by_value(names: frozenset[str]) -> frozenset[str]:
    """Return labels in plain form where all of them are numbers; see `same_by_value`."""
    plain = frozenset(_plain(name) for name in names if name.lower() not in MISSING_WORDS)
    return plain if plain and "" not in plain else names


def plain_if_numbers(names: Sequence[str]) -> tuple[str, ...]:
    """Write class names in plain form where all of them are numbers."""
    return tuple(map(plain_number if all(map(is_number, names)) else str, names))


def class_order(names: Iterable[str]) -> tuple[str, ...]:
    """Put class names in order: by value where all are numbers, else by the alphabet."""
    distinct = sorted(set(names), key=lambda name: (name.casefold(), name))
    if all(map(is_number, distinct)):
        distinct.sort(key=Decimal)
    return tuple(distinct)


def classes_of(columns: Iterable[Labels], named: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the classes of columns of labels and further ones, in order; no answer comes last."""
    names = {*(name for labels in columns for name in labels.names), *named}
    classes = class_order(plain_if_numbers([name for name in names if name != NO_PREDICTION]))
    return (*classes, NO_PREDICTION) if NO_PREDICTION in names else classes


def codes_in(labels: Labels, classes: Sequence[str]) -> SomeCodes:
    """Return each row's code in `classes`; -1 where the cell is missing."""
    places = {name: place for place, name in enumerate(classes)}
    moves = [places[name] for name in labels.names]
    return labels.codes if moves == list(range(len(moves))) else _moved(labels.codes, moves)


def _moved(codes: SomeCodes, moves: Sequence[int]) -> SomeCodes:
    """Return what each code becomes; -1 stays."""
    small = codes.dtype == np.int8 and max(moves, default=0) <= np.iinfo(np.int8).max
    to = np.array([*moves, -1], np.int8 if small else np.int32)
    found: SomeCodes = np.empty(len(codes), to.dtype)
    for rows in blocks(len(codes)):
        found[rows] = to[codes[rows]]
    return found


SHORT = 10_000
"""Rows up to which columns are read together: to read one takes longer than its cells do."""


@once
def _numbers_known(table: Table) -> dict[str, Numbers]:
    """Return the columns of a table that were read as numbers so far."""
    return {}


def numbers_of(table: Table, name: str) -> Numbers:
    """Return a column of a table as numbers, which is read once; see `as_numbers`."""
    known = _numbers_known(table)
    if name not in known:
        known[name] = as_numbers(table.columns[name], name, table.source)
    return known[name]


def read_numbers(table: Table, names: Iterable[str]) -> None:
    """Read short columns at once for `numbers_of`, but those that lack a number somewhere."""
    known, source = _numbers_known(table), table.source
    plain = (source.decimal or ".") == "." and not source.thousands
    for kind, some in _alike(table, (name for name in names if name not in known)).items():
        if not (plain if is_text(kind) else is_numeric(kind)):
            continue
        cells = [chunk for name in some for chunk in table.columns[name].chunks]
        with suppress(pa.ArrowInvalid):  # a cell is no number, which its own column says
            values = pa.chunked_array(cells, kind).cast(pa.float64(), safe=is_text(kind)).to_numpy()
            rows = frozen(np.asarray(values, np.float64)).reshape(len(some), -1)
            ends = zip(rows.min(axis=1).tolist(), rows.max(axis=1).tolist(), strict=True)
            for name, row, pair in zip(some, rows, ends, strict=True):
                if pair[0] == pair[0]:  # a missing cell makes both NaN
                    known[name] = Numbers(row, ends=pair)


def _alike(table: Table, names: Iterable[str]) -> Mapping[pa.DataType, list[str]]:
    """Group columns by their type; none where they are too long to be read together."""
    found: dict[pa.DataType, list[str]] = {}
    for name in dict.fromkeys(names) if 0 < table.n <= SHORT else ():
        found.setdefault(table.columns[name].type, []).append(name)
    return found


@once
def _labels_known(table: Table) -> dict[str, Labels]:
    """Return the columns of a table that were read as labels so far."""
    return {}


def labels_of(table: Table, name: str) -> Labels:
    """Return a column of a table as labels, which is read once; see `as_labels`."""
    return labels_in(table, [name])[0]


def labels_in(table: Table, names: Sequence[str]) -> list[Labels]:
    """Return columns of a table as labels, each of which is read once; see `as_labels`."""
    known = _labels_known(table)
    for kind, some in _alike(table, (name for name in names if name not in known)).items():
        if len(some) > 1 and (is_text(kind) or pa.types.is_primitive(kind)):
            columns = [table.columns[name] for name in some]
            known |= zip(some, _labels_together(columns), strict=True)
    for name in names:
        if name not in known:
            known[name] = as_labels(table.columns[name], name)
    return [known[name] for name in names]


def _labels_together(columns: Sequence[pa.ChunkedArray]) -> Iterator[Labels]:
    """Yield columns of one type and length as labels."""
    cells, places = distinct_cells(columns)
    written = [text_of(cell) for cell in cells.to_pylist()]
    # Places are set apart by their columns: each first appears where its label does in its column.
    base = np.arange(len(columns))[:, None] * len(written)
    apart = pa.array((places + base).ravel(), mask=(places < 0).ravel())
    encoded = pc.dictionary_encode(apart)
    appear = encoded.dictionary.to_numpy()
    ends = np.searchsorted(appear // max(1, len(written)), np.arange(len(columns) + 1))
    codes = pc.fill_null(encoded.indices, -1).to_numpy().reshape(places.shape)
    codes = np.where(codes < 0, -1, codes - ends[:-1, None]).astype(np.int32)
    called = [written[place] for place in (appear % max(1, len(written))).tolist()]
    for column, own, (start, end) in zip(columns, codes, pairwise(ends.tolist()), strict=True):
        yield _labels(called[start:end], own, column.null_count)


def distinct_cells(columns: Sequence[pa.ChunkedArray]) -> tuple[pa.Array, NDArray[np.int32]]:
    """Return the distinct cells of columns of one type and length, and each cell's place in them.

    Places are (columns, rows), -1 where a cell is missing.
    """
    cells = pa.chunked_array([chunk for one in columns for chunk in one.chunks] or [[]])
    if pa.types.is_null(cells.type):
        cells = cells.cast(pa.string())
    encoded = pc.dictionary_encode(cells.combine_chunks())
    places = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    return encoded.dictionary, places.reshape(len(columns), -1)
