"""Tables in other shapes than a row per example: long tables, settings, totals, matrices."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Notice, Offer
from evalcore.outcomes import Floats
from evalcore.text import counted, listed
from evalread.columns import (
    MISSING_WORDS,
    Labels,
    as_labels,
    as_numbers,
    is_number,
    labels_of,
    numbers_of,
    places_of,
    plain_number,
)
from evalread.dataset import Choices, Table
from evalread.detection.predictions import no_such_column
from evalread.detection.profile import (
    COUNT,
    DATASET,
    FOLD,
    ID,
    MODEL,
    PREDICTION,
    TRUTH,
    WEIGHT,
    pieces,
    plain,
    profile,
    speaks_of_prediction,
)
from evalread.joining import Member, join
from evalread.rows import row_numbers
from evalread.signatures import with_columns, with_notice

_MOST_CLASSES = 1000
"""Classes of a confusion matrix that somebody wrote out; a larger square is something else."""

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
_TRUTH_OR_PREDICTION = PREDICTION | {
    "true",
    "truth",
    "actual",
    "target",
    "gold",
    "observed",
    "reference",
}
_CLASS_HEADER = re.compile(r"(?P<kind>[^\W_]+)[\s_.:/=]+(?P<of>.+)")


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
    """Return the number of classes, the cells and the diagonal of a square of classes."""
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
    match = _CLASS_HEADER.fullmatch(name.strip())
    bare = match["of"] if match and match["kind"].lower() in _TRUTH_OR_PREDICTION else name.strip()
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
    message = f'The last row ("{last.strip()}") sums up the others, so that it was left out.'
    return with_notice(table.cut(columns), Notice("total-row", message, rows=(table.n,)))


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
    message = f"{rows} and {'was' if one else 'were'} left out: {listed(list(found), 4)}."
    notice = Notice("summary-rows", message, rows=row_numbers(summed))
    return with_notice(
        table.cut({name: c.filter(kept) for name, c in table.columns.items()}), notice
    )


def _sums_up_folds(name: str) -> bool:
    return {word.lower() for word in pieces(name)} <= _SUMMARY


MOST_MODELS = 200
"""Models that are compared: all pairs of them are 19,900 comparisons."""


def widen(table: Table, choices: Choices) -> Table:
    """Turn a long table into a wide one, if a column names the model of each row.

    Raises:
        EvalError: The chosen model column cannot be used; see `join`.
    """
    if choices.model == "":
        return table
    column = choices.model or table.hints.model or _model_column(table)
    if column is None:
        return table
    if column not in table.columns:
        raise no_such_column(column, table.names, ", which would name the model of each row")
    models = as_labels(table.columns[column], column)
    if not 1 < len(models.names) <= MOST_MODELS:
        raise EvalError(
            "bad-model-column",
            f'"{column}" names {len(models.names):,} models; 2 to {MOST_MODELS} can be compared.',
            column=column,
        )
    members = [_member(table, models, code, column) for code in range(len(models.names))]
    wide = join(members, choices.id or table.hints.id or _id(table, models, column))
    notice = Notice(
        "long",
        f'The column "{column}" names {len(models.names)} models; each row now holds what all of '
        "them say about one example.",
        column=column,
    )
    by_place = [notice for notice in wide.notices if notice.code == "matched-by-position"]
    kept = [notice for notice in wide.notices if notice not in by_place]
    return replace(wide, notices=(*kept, notice))


def _member(table: Table, models: Labels, code: int, column: str) -> Member:
    rows = pa.array(np.flatnonzero(models.codes == code))
    cells = {n: c.take(rows) for n, c in table.columns.items() if n != column}
    source = replace(table.source, rows=len(rows))
    return Member(models.names[code], replace(table, columns=cells, source=source))


def _model_column(table: Table) -> str | None:
    """Find a column named like a model under which the same examples stand for each value."""
    if not any(plain(name) in TRUTH for name in table.names):
        return None
    for name in table.names:
        if plain(name) in MODEL and _same_examples(table, name):
            return name
    return None


def _same_examples(table: Table, column: str) -> bool:
    """Tell whether every model has the same truth, in order or by id."""
    try:
        models = as_labels(table.columns[column], column)
    except EvalError:
        return False
    if not 1 < len(models.names) <= MOST_MODELS:
        return False
    counts = set(models.counts.values())
    if keys := _ids(table, column):
        return any(_once_each(table.columns[key], models) for key in keys)
    truth = places_of(table.columns[next(n for n in table.names if plain(n) in TRUTH)])
    blocks = [truth[models.codes == code] for code in range(len(models.names))]
    return len(counts) == 1 and all(np.array_equal(blocks[0], block) for block in blocks[1:])


def _once_each(column: pa.ChunkedArray, models: Labels) -> bool:
    """Tell whether each model has each id once at most, and models share ids."""
    ids = places_of(column)
    pairs = ids * len(models.names) + models.codes
    return len(np.unique(pairs)) == len(pairs) > len(np.unique(ids))


def _ids(table: Table, model: str) -> list[str]:
    """Return the columns that may tell examples apart: named like an id, and not a fold."""
    named = [n for n in table.names if plain(n) in ID or plain(n).endswith("_id")]
    return [name for name in named if plain(name) not in FOLD and name != model]


def _id(table: Table, models: Labels, model: str) -> str | None:
    """Return the id that each model has once; else the first column that is called like one."""
    keys = _ids(table, model)
    return next((key for key in keys if _once_each(table.columns[key], models)), (*keys, None)[0])


def with_one_model_column(table: Table, said: Sequence[str]) -> Table:
    """Return the table with columns that together name a model as one, "A and B".

    Each text is a column, or several with commas between.
    """
    several = [
        part for text in said for part in ([text] if text in table.columns else _parts(text))
    ]
    for name in several:
        if name not in table.columns:
            raise no_such_column(name, table.names)
    if not several:
        return table
    model = " and ".join(several)
    joined = {model: joined_cells(table, several, between=" ")}
    together = with_columns(table, joined, drop=several)
    return replace(together, hints=replace(table.hints, model=model))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def settings_as_models(
    table: Table, settings: Sequence[str], rows: Sequence[str], shown: Callable[[str], str]
) -> Table:
    """Make each of several stacked settings of one method a model of its own.

    Args:
        table: The stacked table.
        settings: Columns that tell the settings apart.
        rows: Columns that together tell the examples of one setting apart.
        shown: How a setting's column is called in the model's name.
    """
    several = [name for name in settings if len(table.columns[name].unique()) > 1]
    if not several or not rows:
        return table
    model, key = " and ".join(several), " and ".join(rows)
    named = {model: joined_cells(table, several, shown, between=", ")}
    keys = {} if key in table.columns else {key: joined_cells(table, rows, between=" ")}
    with_models = with_columns(table, {**named, **keys}, drop=several)
    return replace(with_models, hints=Choices(model=model, id=key))


def joined_cells(
    table: Table,
    names: Sequence[str],
    shown: Callable[[str], str] = lambda _: "",
    *,
    between: str,
) -> pa.ChunkedArray:
    """Write the cells of several columns one after the other, each after how it is called."""
    cells = [pc.fill_null(table.columns[name].cast(pa.string()), "") for name in names]
    parts = [
        pc.binary_join_element_wise(shown(name), column, "")
        for name, column in zip(names, cells, strict=True)
    ]
    return pc.binary_join_element_wise(*parts, between) if len(parts) > 1 else parts[0]
