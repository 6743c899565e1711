"""A column seen as numbers: exact, with what is missing counted by how it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.intake.model import Source
from evalcore.intake.wording import counted, shorten
from evalcore.outcomes import Floats, frozen

MISSING_WORDS = ("", "nan", "na", "n/a", "#n/a", "null", "none", "?", ".")
"""What stands for "no number" in a column of numbers, in lower case."""

_NUMBER = r"^[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?)$"
_LIST = r"^\s*(\[.*\]|\(.*\)|\{.*\})\s*$"
_NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column as numbers.

    Attributes:
        values: (n,) floats; NaN where the cell is missing; may hold infinities.
        missing: How each kind of missing cell is written -> how many there are.
        percent: Whether every number carries a percent sign; `values` are as written then (87%
            is 87).
    """

    values: Floats
    missing: Mapping[str, int] = field(default_factory=lambda: _NONE)
    percent: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", frozen(self.values))

    @cached_property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest number; NaN where there is none."""
        if not len(self.values):
            return np.nan, np.nan
        return float(np.fmin.reduce(self.values)), float(np.fmax.reduce(self.values))


def as_numbers(column: pa.ChunkedArray, name: str, source: Source) -> Numbers:
    """Read a column as numbers, with the number marks of its file.

    Raises:
        EvalError: "not-numeric" with the first row that holds no number, or "list-cells".
    """
    kind = column.type
    if pa.types.is_dictionary(kind):
        return as_numbers(column.cast(kind.value_type), name, source)
    if not _is_text(kind):
        return _typed(column, name)
    if (source.decimal or ".") == "." and not source.thousands:
        plain = _cast(column)
        if plain is not None:
            return Numbers(plain, _count_missing(column, np.isnan(plain)))
    return _written(column, name, source)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _typed(column: pa.ChunkedArray, name: str) -> Numbers:
    kind = column.type
    if pa.types.is_nested(kind):
        raise _list_cells(column, name)
    if pa.types.is_boolean(kind):
        column = column.cast(pa.uint8())
    elif pa.types.is_null(kind):
        return Numbers(np.full(len(column), np.nan), {"blank": len(column)} if len(column) else {})
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise EvalError(
            "not-numeric", f'Column "{name}" is not numeric: it holds {kind}.', column=name
        )
    # Casting to float64 before any arithmetic keeps small integer types from wrapping round.
    blank = column.null_count
    values = _float64(column.cast(pa.float64(), safe=False))
    missing = {"blank": blank, "NaN": int(np.count_nonzero(np.isnan(values))) - blank}
    return Numbers(values, {word: count for word, count in missing.items() if count})


def _cast(text: pa.ChunkedArray) -> Floats | None:
    """Read text cells as numbers at once; None if one of them is anything else."""
    try:
        return _float64(text.cast(pa.float64()))
    except pa.ArrowInvalid:
        return None


def _float64(column: pa.ChunkedArray) -> Floats:
    values: Floats = np.asarray(column.to_numpy(), dtype=np.float64)
    return values


def _written(column: pa.ChunkedArray, name: str, source: Source) -> Numbers:
    """Read cells with blanks, percent signs, or marks other than a plain decimal point."""
    text = pc.utf8_trim_whitespace(column)
    missing = pc.fill_null(
        pc.is_in(pc.utf8_lower(text), value_set=pa.array(MISSING_WORDS, pa.string())), True
    )
    text = pc.if_else(missing, pa.scalar(None, pa.string()), text)
    signs = pc.ends_with(text, "%")
    percent = bool(pc.all(signs).as_py()) and text.null_count < len(text)
    if percent:
        text = pc.utf8_rtrim(text, " %\u00a0")
    plain = _plain_marks(text, source)
    values = _cast(plain)
    if values is None:
        raise _not_numeric(column, plain, name)
    return Numbers(values, _count_missing(column, np.isnan(values)), percent)


def _plain_marks(text: pa.ChunkedArray, source: Source) -> pa.ChunkedArray:
    """Rewrite the file's number marks as a plain decimal point; what does not fit stays."""
    decimal, thousands = source.decimal or ".", source.thousands
    if thousands == " ":
        text = pc.replace_substring_regex(text, r"(\d)[ \x{00a0}\x{202f}](\d{3})", r"\1\2")
    elif thousands:
        grouped = pc.match_substring_regex(text, rf"^[+-]?\d{{1,3}}(\{thousands}\d{{3}})+(\D|$)")
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


def _wrong_cells(plain: pa.ChunkedArray) -> NDArray[np.bool_]:
    wrong = pc.invert(pc.fill_null(pc.match_substring_regex(plain, _NUMBER), True))
    mask: NDArray[np.bool_] = wrong.to_numpy()
    return mask


def _not_numeric(column: pa.ChunkedArray, plain: pa.ChunkedArray, name: str) -> EvalError:
    """Name the first cell that is no number, in the words of the file."""
    if holds_lists(column):
        return _list_cells(column, name)
    rows = np.flatnonzero(_wrong_cells(plain)) + 1
    cell = shorten(column[int(rows[0]) - 1].as_py())
    present = len(plain) - plain.null_count
    return EvalError(
        "not-numeric",
        f'Column "{name}" is not numeric: row {rows[0]} holds "{cell}" '
        f"({len(rows):,} of {present:,} values).",
        rows=rows.tolist(),
        column=name,
    )


def holds_lists(column: pa.ChunkedArray) -> bool:
    """Tell whether the first present cell is a list, such as "[0.7 0.2 0.1]"."""
    if pa.types.is_nested(column.type):
        return True
    if pa.types.is_dictionary(column.type):
        return holds_lists(column.cast(column.type.value_type))
    if not _is_text(column.type):
        return False
    present = column.filter(pc.not_equal(column, ""))
    return len(present) > 0 and bool(pc.match_substring_regex(present[:1], _LIST)[0].as_py())


def _list_cells(column: pa.ChunkedArray, name: str) -> EvalError:
    first: Any = column[0].as_py() or ""
    if isinstance(first, dict) or str(first).lstrip().startswith("{"):
        held, order = "objects", ""
    else:
        items = len(first) if not isinstance(first, str) else len(first.replace(",", " ").split())
        held = f"lists ({counted(items, 'number')} per cell)"
        order = "; the class order is not in the file"
    return EvalError(
        "list-cells",
        f'Column "{name}" holds {held}. Split it into one column per class{order}.',
        column=name,
    )
