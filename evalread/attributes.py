"""Columns as rows are sliced by them (labels, numbers or dates), and in the order they are read."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Offer
from evalcore.outcomes import Rows
from evalcore.predictions import Categories, Dates
from evalcore.text import listed, shorten
from evalcore.work import OnDemand, once
from evalread.columns import (
    MISSING_WORDS,
    MOST_LABELS,
    class_order,
    codes_in,
    is_text,
    labels_of,
    numbers_of,
)
from evalread.dataset import Dataset, Table
from evalread.detection.clusters import unused
from evalread.detection.profile import Profile, profiles
from evalread.notices import refusal

_ISO_DATE = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$"


def columns_of(dataset: Dataset) -> Mapping[str, Any]:
    """Return what rows may be sliced by: all columns but the truth and those of the models."""
    answers = {name for model in dataset.roles.models.values() for name in model.columns}
    known = (n for n in dataset.table.names if n not in {*answers, dataset.roles.truth})
    return OnDemand({name: partial(values_of, dataset.table, name) for name in known})


def free_in(dataset: Dataset) -> tuple[str, ...]:
    """Return those of these columns that play no role, or group the rows into slices."""
    roles = dataset.roles
    taken = {*roles.reasons} - {roles.group if roles.unit is None else None}
    return tuple(name for name in columns_of(dataset) if name not in taken)


def without_role(dataset: Dataset) -> list[str]:
    """Say which columns without a role tell rows apart for slices, or time, and which serve not."""
    left, seen = unused(dataset.table, dataset.roles), profiles(dataset.table)
    free = set(free_in(dataset)) if dataset.models else set()
    able = [name for name in left if name in free and _tells_apart(seen[name])]
    over_time = " and over time" if any(seen[name].moment for name in able) else ""
    rest = [name for name in left if name not in able]
    said = [(f"No role in the evaluation; for slices{over_time}", able), ("Not used", rest)]
    return [f"{head}: {listed(names)}" for head, names in said if names]


def _tells_apart(seen: Profile) -> bool:
    is_read = seen.numeric or seen.moment or seen.distinct <= MOST_LABELS
    return is_read and not (seen.constant or seen.lists)


def in_reading_order(dataset: Dataset, models: Collection[str]) -> list[str]:
    """Return all columns: truth, what these models say, then all others as in the file."""
    said = (one.columns for name, one in dataset.roles.models.items() if name in models)
    known = _known(dataset, chain.from_iterable(said))
    return [*known, *(name for name in dataset.table.names if name not in known)]


MOST_LOOKED_AT, LONGEST_LOOKED_AT = 50, 1000
"""Columns, and letters of a cell, among which words are looked for."""


def read_first(
    dataset: Dataset, models: Collection[str], places: Rows, *, labels: bool
) -> list[str]:
    """Return the columns that tell most of the rows at `places` (0 being the first).

    These are the truth, what models say, without the probabilities of many classes and, as asked,
    their `labels`, and the column with most letters among those that play no role.
    """
    said = [one for name, one in dataset.roles.models.items() if name in models]
    scores = chain.from_iterable((one.score, one.prediction, one.correct) for one in said)
    letters = dict.fromkeys(dataset.free[:MOST_LOOKED_AT], 0)
    for name in letters:
        cells = dataset.table.columns[name].take(pa.array(places)).to_pylist()
        letters[name] = sum(_letters(cell) for cell in cells if cell is not None)
    wordiest = max((name for name in letters if letters[name]), key=letters.__getitem__, default="")
    return _known(dataset, (*(one.label for one in said if labels), *scores, wordiest))


def _letters(held: object) -> int:
    return sum(map(str.isalpha, str(held)[:LONGEST_LOOKED_AT]))


def _known(dataset: Dataset, names: Iterable[str | None]) -> list[str]:
    """Return the truth and then these columns, each once, as far as the file has them."""
    some = dict.fromkeys(name for name in (dataset.roles.truth, *names) if name)
    return [name for name in some if name in dataset.table.columns]


def numbers_said(dataset: Dataset) -> frozenset[str]:
    """Return the columns of scores, predictions and probabilities of all models."""
    said = dataset.roles.models.values()
    columns = chain.from_iterable((m.score, m.prediction, *m.probabilities.values()) for m in said)
    return frozenset(name for name in columns if name is not None)


@once
def values_of(table: Table, name: str) -> Any:
    """Return a column as `Categories`, (n,) floats, or (n,) dates; what is missing is no value.

    Raises:
        EvalError: "too-many-values": it has too many labels, as ids have. "list-cells".
    """
    column = table.columns[name]
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return column.cast(pa.timestamp("s"), safe=False).to_numpy()
    if not pa.types.is_boolean(column.type):
        try:
            return numbers_of(table, name).values
        except EvalError:
            pass
    if (dates := _dates(column)) is not None:
        return dates
    try:
        labels = labels_of(table, name)
    except EvalError as problem:
        if problem.code != "too-many-labels":
            raise
        said = f'"{name}" has too many distinct values to slice by, as ids and free text have.'
        raise EvalError("too-many-values", said, column=name) from None
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names))


def dates_in(dataset: Dataset, column: str | None = None) -> Dates:
    """Return a column of dates; see `Predictions.dates`."""
    name = column or dataset.roles.date or _date_column(dataset)
    if name not in dataset.table.columns:
        raise refusal("no-such-column", column=name, role="", names=dataset.table.names)
    return Dates(name, moments(dataset.table, name), _in_zones(dataset.table, name))


def date_columns(dataset: Dataset) -> tuple[str, ...]:
    """Return the columns without a role that hold dates, as ISO 8601 or a typed format has them."""
    free = set(free_in(dataset))
    some = (name for name, one in profiles(dataset.table).items() if one.moment and name in free)
    return tuple(name for name in some if _are_dates(dataset.table, name))


def _are_dates(table: Table, name: str) -> bool:
    try:
        found = moments(table, name)
    except EvalError:
        return False
    return not bool(np.isnat(found).all())


def _date_column(dataset: Dataset) -> str:
    found = date_columns(dataset)
    if not found:
        raise refusal("no-date", names=dataset.table.names)
    if len(found) > 1:
        offers = [Offer(f'Take the dates of "{shorten(name)}"', "date", name) for name in found]
        raise refusal("two-dates", names=found, offers=offers)
    return found[0]


@once
def moments(table: Table, name: str) -> Any:
    """Return a column as (n,) numpy dates by second, in UTC where it tells its time zone.

    Raises:
        EvalError: "not-dates": a cell holds something else, or no day that there is.
    """
    import pandas as pd  # Whoever asks for no dates does without.

    column = table.columns[name]
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return column.cast(pa.timestamp("s"), safe=False).to_numpy()
    if not is_text(column.type):
        raise refusal("not-dates/type", column=name, held=str(column.type))
    cells = pc.fill_null(pc.utf8_trim_whitespace(column), "").combine_chunks().dictionary_encode()
    written = cells.dictionary.to_pylist()
    blank = np.array([text.lower() in MISSING_WORDS for text in written], np.bool_)
    texts = [text if _WRITTEN.fullmatch(text) else None for text in written]
    asked = pd.Series(texts, dtype=object)
    read = pd.to_datetime(asked, format="ISO8601", utc=True, errors="coerce")
    places = cells.indices.to_numpy()
    wrong = (read.isna().to_numpy() & ~blank)[places]
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        cell = shorten(written[places[first]], 30)
        raise refusal("not-dates", rows=wrong, column=name, first=first + 1, cell=cell)
    return read.dt.tz_localize(None).to_numpy("datetime64[s]")[places]


def _in_zones(table: Table, name: str) -> bool:
    """Whether times tell their zone, so that days are those of UTC."""
    kind = table.columns[name].type
    if pa.types.is_timestamp(kind):
        return kind.tz is not None
    if not is_text(kind):
        return False
    return bool(pc.any(pc.match_substring_regex(table.columns[name], _ZONED)).as_py())


_WRITTEN = re.compile(
    r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?)?"
)
_ZONED = r":\d{2}([.,]\d+)? ?(Z|[+-]\d{2}(:?\d{2})?)$"


def _dates(column: pa.ChunkedArray) -> Any:
    """Return text that is all dates, such as 2024-05-31, as dates; None for any other column."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    blank = pc.equal(pc.utf8_trim_whitespace(column), "")
    written = pc.if_else(blank, pa.scalar(None, column.type), column)
    fits = pc.match_substring_regex(written, _ISO_DATE)
    if written.null_count == len(written) or not pc.all(fits).as_py():
        return None
    try:
        return np.asarray(written.cast(pa.timestamp("s")).to_numpy())
    except pa.ArrowInvalid:  # such as the 31st of June
        return None
