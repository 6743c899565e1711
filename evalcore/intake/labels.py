"""A column seen as labels: text, trimmed, as codes; and the classes several columns share."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.intake.numbers import MISSING_WORDS
from evalcore.outcomes import frozen
from evalcore.tables.blocks import blocks

MOST_LABELS = 10_000
"""A column with more distinct values than this holds no labels."""

SomeCodes = NDArray[np.int32 | np.int8]
"""int8 where a reader has counted few words already; -1 stands for a missing cell."""

_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d*)?|[+-]?\.\d+|[+-]?\d\.\d+[eE][+-]\d\d")


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
        counts = np.zeros(len(self.names) + 1, np.int64)
        for rows in blocks(len(self.codes)):
            # Counting the missing ones too, at place 0, is faster than picking out the others.
            counts += np.bincount(self.codes[rows] + np.intp(1), minlength=len(counts))
        return dict(zip(self.names, counts[1:].tolist(), strict=True))


def as_labels(column: pa.ChunkedArray, name: str) -> Labels:
    """Read a column as labels; only a blank cell is missing.

    Raises:
        EvalError: "too-many-labels", or "list-cells" for cells that are lists.
    """
    if pa.types.is_nested(column.type):
        raise EvalError("list-cells", f'Column "{name}" holds lists, not labels.', column=name)
    written, codes = _encoded(column)
    if len(written) > MOST_LABELS:
        raise EvalError(
            "too-many-labels",
            f'Column "{name}" has {len(written):,} different values; '
            f"at most {MOST_LABELS:,} labels are read.",
            column=name,
        )
    names = [text.strip() for text in written]
    changed = [old != new and new != "" for old, new in zip(written, names, strict=True)]
    trimmed = np.append(changed, False)[codes] if any(changed) else None
    null = column.null_count
    labels = Labels(tuple(names), codes, {"blank": null} if null else {}, trimmed)
    return drop_labels(merge_labels(labels, lambda text: text), lambda text: text == "")


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
    return ["" if _is_nan(value) else _text(value) for value in values], filled


def _is_nan(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="backslashreplace")
    return str(value)


def merge_labels(labels: Labels, rename: Callable[[str], str]) -> Labels:
    """Rename labels; those that get the same name become one."""
    places: dict[str, int] = {}
    moved = [places.setdefault(rename(name), len(places)) for name in labels.names]
    if tuple(places) == labels.names:
        return labels
    return Labels(tuple(places), _moved(labels.codes, moved), labels.missing, labels.trimmed)


def drop_labels(labels: Labels, is_missing: Callable[[str], bool]) -> Labels:
    """Turn labels into missing cells, counted by how they are written."""
    gone = [is_missing(name) for name in labels.names]
    if not any(gone):
        return labels
    missing = dict(labels.missing)
    for name, count in labels.counts.items():
        if is_missing(name):
            word = name or "blank"
            missing[word] = missing.get(word, 0) + count
    kept = [name for name, out in zip(labels.names, gone, strict=True) if not out]
    moves = np.where(gone, -1, np.cumsum(np.logical_not(gone)) - 1).tolist()
    return Labels(tuple(kept), _moved(labels.codes, moves), missing, labels.trimmed)


def same_by_value(columns: Sequence[Labels]) -> list[Labels]:
    """Compare labels by value where all of them are numbers: "1.0" beside "1" is one class.

    Words such as "NaN" are missing cells then. A leading zero makes a label text ("01").
    """
    numbers = [[name for name in c.names if name.lower() not in MISSING_WORDS] for c in columns]
    if not any(numbers) or not all(is_number(name) for names in numbers for name in names):
        return list(columns)
    present = [drop_labels(c, lambda name: name.lower() in MISSING_WORDS) for c in columns]
    return [merge_labels(c, plain_number) for c in present]


def same_labels(columns: Sequence[Labels]) -> list[Labels]:
    """Bring columns of labels to one spelling: numbers by value, true and false beside 1 and 0."""
    words = [says_true(column) for column in columns]
    if any(words) and not all(words):
        others = [c for c, word in zip(columns, words, strict=True) if not word]
        digits = {name for column in same_by_value(others) for name in column.names}
        if digits <= {"0", "1"}:
            columns = [
                merge_labels(c, lambda name: str(int(name.lower() == "true"))) if word else c
                for c, word in zip(columns, words, strict=True)
            ]
    return same_by_value(columns)


def says_true(labels: Labels) -> bool:
    """Tell whether all labels are true or false."""
    return bool(labels.names) and {name.lower() for name in labels.names} <= {"true", "false"}


def is_number(name: str) -> bool:
    """Tell whether a label is a number; with a leading zero ("01") it is text."""
    return _NUMBER.fullmatch(name) is not None


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


def plain_if_numbers(names: Sequence[str]) -> tuple[str, ...]:
    """Write class names in plain form where all of them are numbers."""
    if all(map(is_number, names)):
        return tuple(plain_number(name) for name in names)
    return tuple(names)


def class_order(names: Iterable[str]) -> tuple[str, ...]:
    """Put class names in order: by value where all are numbers, else by the alphabet."""
    distinct = sorted(set(names), key=lambda name: (name.casefold(), name))
    if all(map(is_number, distinct)):
        distinct.sort(key=Decimal)
    return tuple(distinct)


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
