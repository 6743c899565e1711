"""Tables that sum up rows rather than hold them: told from predictions, so that none is judged."""

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice, Offer
from evalcore.intake.columns import labels_of, numbers_of
from evalcore.intake.labels import is_number, plain_number
from evalcore.intake.model import Table
from evalcore.intake.modelnames import speaks_of_prediction
from evalcore.intake.numbers import MISSING_WORDS, as_numbers
from evalcore.intake.profile import profile
from evalcore.intake.rows import row_numbers
from evalcore.intake.translate import said
from evalcore.intake.wording import counted, listed
from evalcore.intake.words import COUNT, DATASET, FOLD, ID, PREDICTION, WEIGHT, pieces, plain
from evalcore.outcomes import Floats

_MOST_CLASSES = 1000
_TOTAL = frozenset({
    "total", "totals", "sum", "grand_total", "all", "mean", "average", "avg",
    "gesamt", "summe", "mittelwert", "totaux", "moyenne", "totale", "media",
})  # fmt: skip
_SUMMARY = frozenset({
    "mean", "average", "avg", "median", "min", "max", "std", "sd", "stdev", "stddev", "dev",
    "deviation", "standard", "var", "variance", "se", "sem", "error", "overall", "pooled",
    "mittelwert", "moyenne", "media",
})  # fmt: skip
_SIZES = COUNT | WEIGHT | {"support"}
_SIDES = PREDICTION | {"true", "truth", "actual", "target", "gold", "observed", "reference"}
_SIDE = re.compile(r"(?P<side>[^\W_]+)[\s_.:/=]+(?P<of>.+)")


def refuse_confusion(table: Table, *, truth_known: bool) -> None:
    """Refuse counts or shares of every class against every class.

    Shares may be probabilities as well: they pass where columns are called predictions, or where
    somebody says which one is the truth.

    Raises:
        EvalError: "confusion-matrix", saying how counts can be read.
    """
    found = _matrix(table)
    if found is None:
        return
    classes, cells, agreed = found
    if (cells < 0).any() or not agreed.any():
        return
    shares = bool((cells <= 1).all())
    first, *others = table.names
    if shares and (truth_known or any(map(speaks_of_prediction, others))):
        return
    perhaps = " If each row is one example, choose the column of the truth." if shares else ""
    raise EvalError(
        "confusion-matrix",
        f"This {'seems to be' if shares else 'is'} a confusion matrix of {classes} classes, not a "
        'row per example. Write a row for each pair of classes, with columns such as "truth", '
        f'"prediction" and "count".{perhaps}',
        offers=[Offer(f'"{first}" is the truth', "truth", first)] if shares else [],
    )


def _matrix(table: Table) -> tuple[int, Floats, Floats] | None:
    """Return how many classes name rows and columns alike, the cells, and those of agreement."""
    first, *others = table.names
    fits = 1 < table.n <= _MOST_CLASSES and len(others) <= _MOST_CLASSES
    if not fits or profile(table, first).lists:
        return None
    labels = labels_of(table, first)
    rows = _places([labels.names[code] if code >= 0 else "" for code in labels.codes.tolist()])
    # "n" above a column is the size of each row, unless a row is called so, too.
    others = [name for name in others if plain(name) not in _SIZES - rows.keys()]
    columns = _places(others)
    shared = [name for name in rows if name in columns]
    most = max(len(rows), len(columns))
    if len(shared) < 2 or most - len(shared) > max(1, len(shared) // 4):
        return None
    if not all(profile(table, others[place]).numeric for place in columns.values()):
        return None
    numbers = [numbers_of(table, others[place]) for place in columns.values()]
    values = np.array([one.values / (100 if one.percent else 1) for one in numbers])
    cells = np.nan_to_num(values[:, list(rows.values())])
    across, down = list(columns), list(rows)
    agreed = cells[[across.index(name) for name in shared], [down.index(name) for name in shared]]
    return len({*rows, *columns}), cells, agreed


def _places(names: Sequence[str]) -> dict[str, int]:
    """Return class -> place, margins left aside; nothing where a class stands there twice."""
    found = {k: _class_of(name) for k, name in enumerate(names) if plain(name) not in _TOTAL}
    places = {name: place for place, name in found.items()}
    return places if len(places) == len(found) else {}


def _class_of(name: str) -> str:
    """Return the class that a row or column is named after: "cat" of "pred_cat"."""
    match = _SIDE.fullmatch(name.strip())
    bare = match["of"] if match and match["side"].lower() in _SIDES else name.strip()
    return plain_number(bare) if is_number(bare) else bare.casefold()


def without_total(table: Table) -> Table:
    """Leave out a last row that is called a total or a mean, and is one of the rows above."""
    if table.n < 3 or not _called_total(table.columns[table.names[0]]):
        return table
    found = [_sums_up(table, name) for name in table.names[1:]]
    if True not in found or False in found:
        return table
    last = table.columns[table.names[0]][-1].as_py()
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


def _sums_up(table: Table, name: str) -> bool | None:
    """Tell whether a last cell is the sum or mean of the others; None if it is blank or an id."""
    column = table.columns[name]
    last = column[-1].as_py()
    if plain(name) in ID or last is None or str(last).strip().lower() in MISSING_WORDS:
        return None
    try:
        above = as_numbers(column.slice(0, table.n - 1), name, table.source).values
        total = as_numbers(column.slice(table.n - 1), name, table.source).values[0]
    except EvalError:
        return False
    above = above[np.isfinite(above)]
    totals = (above.sum(), above.mean()) if len(above) else ()
    return bool(np.isclose(total, totals, rtol=1e-3, atol=0.0051).any())


def without_summaries(table: Table, fold: str | None) -> Table:
    """Leave out the rows of a table of folds that are called a mean, a deviation or the like."""
    named = [name for name in table.names if name == fold or plain(name) in FOLD | DATASET]
    summed = np.zeros(table.n, bool)
    found: dict[str, None] = {}
    for name in named:
        labels = labels_of(table, name)
        codes = [code for code, label in enumerate(labels.names) if _sums_up_folds(label)]
        summed |= np.isin(labels.codes, codes)
        found |= dict.fromkeys(labels.names[code] for code in codes)
    if not found or summed.all():
        return table
    kept = pa.array(~summed)
    one = summed.sum() == 1
    rows = f"{counted(int(summed.sum()), 'row')} {'sums' if one else 'sum'} up the others"
    told = f"{rows} and {'was' if one else 'were'} left out: {listed(list(found), 4)}."
    notice = Notice("summary-rows", told, rows=row_numbers(summed))
    return said(table.cut({name: c.filter(kept) for name, c in table.columns.items()}), notice)


def _sums_up_folds(name: str) -> bool:
    return {word.lower() for word in pieces(name)} <= _SUMMARY
