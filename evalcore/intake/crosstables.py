"""Tables that sum up rows rather than hold them: told from predictions, so that none is judged."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice
from evalcore.intake.columns import labels_of, numbers_of
from evalcore.intake.model import Table
from evalcore.intake.numbers import as_numbers
from evalcore.intake.profile import Profile
from evalcore.intake.translate import said

_MOST_CLASSES = 1000
_TOTAL = frozenset({
    "total", "totals", "sum", "grand_total", "mean", "average", "avg",
    "gesamt", "summe", "mittelwert", "totaux", "moyenne", "totale", "media",
})  # fmt: skip


def refuse_confusion(table: Table, truth: Profile) -> None:
    """Refuse counts of every class against every class.

    Raises:
        EvalError: "confusion-matrix", saying how counts can be read.
    """
    others = [name for name in table.names if name != truth.name]
    if len(others) != table.n or not 1 < table.n <= _MOST_CLASSES or truth.labels != set(others):
        return
    if list(labels_of(table, truth.name).names) != others:
        return
    counts = np.array([numbers_of(table, name).values for name in others])
    if (counts >= 0).all() and (counts == np.floor(counts)).all() and counts.diagonal().any():
        raise EvalError(
            "confusion-matrix",
            f"This is a confusion matrix of {table.n} classes, not a row per example. Write a row "
            'for each pair of classes, with columns such as "truth", "prediction" and "count".',
        )


def without_total(table: Table) -> Table:
    """Leave out a last row that is called a total or a mean, and is one of the rows above."""
    if table.n < 3 or not any(_called_total(column) for column in table.columns.values()):
        return table
    if not any(_sums_up(table, name) for name in table.columns):
        return table
    last = next(c[-1].as_py() for c in table.columns.values() if _called_total(c))
    columns = {name: column.slice(0, table.n - 1) for name, column in table.columns.items()}
    told = f'The last row ("{last.strip()}") sums up the others, so that it was left out.'
    return said(table.cut(columns), Notice("total-row", told, rows=(table.n,)))


def _called_total(column: pa.ChunkedArray) -> bool:
    """Tell whether the last cell, and no other, is a word for a total."""
    last = column[-1].as_py()
    if not isinstance(last, str) or last.strip().lower().replace(" ", "_") not in _TOTAL:
        return False
    words = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
    return bool(pc.sum(pc.equal(words, last)).as_py() == 1)


def _sums_up(table: Table, name: str) -> bool:
    """Tell whether a column's last cell is the sum or mean of the others, or their number."""
    last = table.columns[name].slice(table.n - 1)
    try:
        total = as_numbers(last, name, table.source).values[0]
        if total == table.n - 1:
            return True
        above = as_numbers(table.columns[name].slice(0, table.n - 1), name, table.source).values
    except EvalError:
        return False
    totals = np.array([np.nansum(above), np.nanmean(above)]) if len(above) else np.array([])
    return bool(np.isclose(total, totals, rtol=1e-3, atol=0.0051).any() and not np.isnan(total))
