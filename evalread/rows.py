"""Rows a model can be judged on, rows that repeat, and how notices and errors name rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED, EvalError, Notice
from evalcore.outcomes import Codes, Floats, Rows
from evalcore.text import counted, have
from evalread.columns import Numbers, labels_of, places_of
from evalread.dataset import Roles, Table

Mask = NDArray[np.bool_]

LARGEST_TOTAL = 1e15
"""What weights may add up to: beyond 2**53 whole counts are no longer exact."""


LARGEST_NUMBER = 1e300
"""What predicted and true numbers must stay below."""


@dataclass(frozen=True, eq=False)
class Gap:
    """Where one of a model's columns has missing cells.

    Attributes:
        role: What is missing: "truth", "score", "label" ...
        column: The column's name.
        rows: (n,) True where the cell is missing.
        written: How missing cells are written -> how many there are.
    """

    role: str
    column: str
    rows: Mask
    written: Mapping[str, int]


def kept_rows(gaps: Iterable[Gap], model: str | None) -> tuple[Rows | None, tuple[Notice, ...]]:
    """Return the places of the complete rows (None if all are), and what to say about the others.

    Args:
        gaps: One per column of the model.
        model: The model's name where there are several, to be named in the notice.

    Raises:
        EvalError: "no-rows" if no row is complete.
    """
    holes = [gap for gap in gaps if gap.rows.any()]
    if not holes:
        return None, ()
    missing = np.logical_or.reduce([gap.rows for gap in holes])
    kept = np.flatnonzero(~missing)
    if not len(kept):
        roles = " and ".join(dict.fromkeys(gap.role for gap in holes))
        raise EvalError("no-rows", f"No row is complete: {roles} missing.", column=holes[0].column)
    return kept, (_left_out(holes, missing, model),)


def _left_out(holes: Sequence[Gap], missing: Mask, model: str | None) -> Notice:
    gone, n = int(missing.sum()), len(missing)
    of = f' for "{model}"' if model else ""
    if len(holes) == 1:
        what = f"{have(gone)} no {holes[0].role}{of} ({_written(holes[0].written)})"
    else:
        # A model has a probability column per class; a row lacks its probabilities once.
        roles = {gap.role: np.zeros(n, bool) for gap in holes}
        for gap in holes:
            roles[gap.role] |= gap.rows
        counts = {role: int(rows.sum()) for role, rows in roles.items()}
        each = (f"{count:,} {have(count)} no {role}" for role, count in counts.items())
        what = f"{'is' if gone == 1 else 'are'} left out{of} ({', '.join(each)})"
    used = n - gone
    rows = f"{counted(used, 'row')} {'is' if used == 1 else 'are'} used"
    return Notice(
        f"missing-{holes[0].role}" if len(holes) == 1 else "missing-values",
        f"{gone:,} of {counted(n, 'row')} {what}; {rows}.",
        rows=row_numbers(missing),
        column=holes[0].column,
    )


def _written(words: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in words.items())


def row_numbers(mask: Mask) -> tuple[int, ...]:
    """Return the data rows of a mask, 1 being the first, as many as a notice lists."""
    return tuple((np.flatnonzero(mask)[:ROWS_LISTED] + 1).tolist())


def row_list(mask: Mask) -> str:
    """Write a mask as "row 2", "rows 2 and 4" or "rows 2, 4, 7, ...".

    >>> row_list(np.array([False, True, False, True]))
    'rows 2 and 4'
    """
    rows = [f"{row:,}" for row in row_numbers(mask)]
    if len(rows) == 1:
        return f"row {rows[0]}"
    if len(rows) > 5:
        return f"rows {', '.join(rows[:5])}, …"
    return f"rows {', '.join(rows[:-1])} and {rows[-1]}"


def refuse_rows(bad: Mask, code: str, column: str, what: str, remedy: str) -> None:
    """Refuse a column with bad values in some rows, naming how many and which.

    Raises:
        EvalError: With the code, if any row is bad.
    """
    if bad.any():
        found = f"{counted(int(bad.sum()), what)} ({row_list(bad)})"
        message = f'Column "{column}" has {found}. {remedy}'
        raise EvalError(code, message, rows=row_numbers(bad), column=column)


def refuse_infinite(numbers: Numbers, column: str) -> None:
    """Refuse infinite values, naming their rows.

    Raises:
        EvalError: "infinite-score".
    """
    if np.isinf(numbers.span).any():
        remedy = "Remove the rows, or write finite numbers."
        refuse_rows(np.isinf(numbers.values), "infinite-score", column, "infinite value", remedy)


def refuse_huge(numbers: Numbers, column: str) -> None:
    """Refuse numbers so large that the difference of two of them is none, naming their rows.

    Raises:
        EvalError: "huge-number".
    """
    if np.fmax(*np.abs(numbers.span)) >= LARGEST_NUMBER:
        huge = np.abs(numbers.values) >= LARGEST_NUMBER
        remedy = (
            f"Numbers of {LARGEST_NUMBER:.0e} or more are too large to subtract. Divide all of "
            "them by one number."
        )
        refuse_rows(huge, "huge-number", column, "huge number", remedy)


def checked_weights(numbers: Numbers, column: str) -> Floats:
    """Return weights that are finite, 0 or more, and small enough to be added up.

    Raises:
        EvalError: "bad-weight", naming the rows where single ones are bad.
    """
    values = numbers.values
    for bad, what in (
        (values < 0, "negative"),
        (np.isnan(values), "missing"),
        (np.isinf(values), "infinite"),
    ):
        refuse_rows(bad, "bad-weight", column, f"{what} value", "Weights must be 0 or more.")
    with np.errstate(over="ignore"):
        total = values.sum()
    if total > LARGEST_TOTAL:
        raise EvalError(
            "bad-weight",
            f'The weights in column "{column}" add up to more than {LARGEST_TOTAL:.0e}, '
            "too much to count with. Divide them all by one number.",
            column=column,
        )
    return values


_MOST_CELLS = 2_000_000
"""Cells, or ids, among which repetitions are looked for, which takes about a second."""

_MANY = 0.05
"""Share of whole rows that repeat from which on it is reported: a few may do so by chance."""

_FEWEST_VALUES = 20
"""Distinct values that one column at least must have for equal rows to be suspicious."""


def repetitions(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that repeat; without an id, whole rows that do, if they are many."""
    if roles.id and table.n <= _MOST_CELLS:
        yield from _repeated_ids(table, roles)
    if not roles.id and table.n * len(table.columns) <= _MOST_CELLS:
        yield from _repeated_rows(table)


def _repeated_ids(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that stand in several rows: rows counted twice, or rows shared between folds."""
    places = places_of(table.columns[roles.id or ""])
    counts = np.bincount(places[places >= 0])
    repeated = (counts > 1)[places] & (places >= 0) if len(counts) else np.zeros(table.n, bool)
    if not repeated.any():
        return
    how_many = int((counts > 1).sum())
    ids = f"{counted(how_many, 'id')} {'stands' if how_many == 1 else 'stand'}"
    if roles.fold and _one_row_per_fold(places, labels_of(table, roles.fold).codes):
        message = f"{ids} in several folds: the same rows were predicted repeatedly."
    else:
        message = f"{ids} in several rows ({row_list(repeated)}); each row counts."
    yield Notice("repeated-id", message, "warning", rows=row_numbers(repeated), column=roles.id)


def _one_row_per_fold(ids: Codes, folds: Codes) -> bool:
    pairs = ids.astype(np.int64) * (int(folds.max()) + 2) + folds
    return len(np.unique(pairs)) == len(pairs)


def _repeated_rows(table: Table) -> Iterator[Notice]:
    """Report rows that are the same in every cell as one before."""
    again = _repeats(table)
    count = int(again.sum())
    if count < max(2, _MANY * table.n):
        return
    message = (
        f"{counted(count, 'row')} of {table.n:,} are the same in every cell as one before "
        f"({row_list(again)}); each row counts."
    )
    yield Notice("repeated-rows", message, "warning", rows=row_numbers(again))


def _repeats(table: Table) -> NDArray[np.bool_]:
    """Mark rows whose cells all equal those of an earlier row; none where cells tell too little."""
    never = np.zeros(table.n, bool)
    whole = np.zeros(table.n, np.int64)
    most, kinds = 0, whole
    for column in table.columns.values():
        if pa.types.is_nested(column.type):
            return never
        places = places_of(column)
        most = max(most, len(np.unique(places)))
        kinds, whole = np.unique(whole * (table.n + 1) + places, return_inverse=True)
        if len(kinds) == table.n:
            return never
    # Scores that repeat because they are rounded are shared by rows that differ, too.
    if most < max(_FEWEST_VALUES, len(kinds)):
        return never
    again = ~never
    again[np.unique(whole, return_index=True)[1]] = False
    return again
