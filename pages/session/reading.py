"""From uploaded files to a data set: kept, read beside the page, recognised and checked once."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalread.dataset import Choices, Dataset, Table
from pages.session import cache, link, store

LIMIT_BYTES = 1_000_000_000
LIMIT_COUNT = 60

Plain = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, eq=False)
class Reading:
    """What became of some files.

    Attributes:
        table: The cells; None if the files cannot be read as a table.
        dataset: The checked data; None if the columns do not allow it.
        problem: What stands in the way; None if nothing does.
    """

    table: Table | None = None
    dataset: Dataset | None = None
    problem: EvalError | None = None


def reading(token: str, choices: Choices) -> Reading:
    """Return what became of the files under a token, read with these choices."""
    files = store.files(token)
    if files is None:
        return Reading(problem=gone())
    key = (token, _plain(choices))
    return _readings().get_or_make(key, lambda: _read(token, files, choices), _reading_size)


def begin(token: str) -> None:
    """Begin to read the files under a token, so that whoever waits for it may leave."""
    asked = (token, store.given_choices(token))
    reader = threading.Thread(target=reading, args=asked, daemon=True)
    _readers()[token] = reader
    reader.start()


def busy(token: str, patience: float = 0) -> bool:
    """Tell whether files are still being read, after waiting for at most `patience` seconds."""
    reader = _readers().get(token)
    if reader is None:
        return False
    reader.join(patience)
    if reader.is_alive():
        return True
    _readers().pop(token, None)
    return False


def forget(token: str) -> None:
    """Remove everything that was read from the files under a token."""
    for kept in (_readings(), _tables()):
        kept.remove(lambda key: isinstance(key, tuple) and key[0] == token)


def gone() -> EvalError:
    """Return the sentence for a link whose data has been removed or has expired."""
    return EvalError(
        "data-gone",
        "This data is no longer here. Uploads are kept in memory only, for "
        f"{store.IDLE_HOURS} hours after their last use. Drop the file again.",
    )


def _read(token: str, files: store.Files, choices: Choices) -> Reading:
    from evalread import loading

    table = None
    try:
        table = _table(token, files, choices)
        return Reading(table, loading.bound(table, choices))
    except EvalError as problem:
        return Reading(table, problem=problem)


def _table(token: str, files: store.Files, choices: Choices) -> Table:
    """Return the cells; another choice of columns does not read the file again."""
    from evalread import loading

    key = (token, _plain(link.only_shaping(choices)))
    return _tables().get_or_make(key, lambda: loading.read_all(files, choices), _table_size)


def _plain(choices: Choices) -> Plain:
    params = link.choices_to_params(choices)
    return tuple((name, tuple(texts)) for name, texts in params.items())


@st.cache_resource(show_spinner=False)
def _readers() -> dict[str, threading.Thread]:
    return {}


@st.cache_resource(show_spinner=False)
def _readings() -> cache.BoundedCache[Reading]:
    return _bounded()


@st.cache_resource(show_spinner=False)
def _tables() -> cache.BoundedCache[Table]:
    return _bounded()


def _bounded() -> cache.BoundedCache[Any]:
    seconds = store.IDLE_HOURS * 3600
    return cache.BoundedCache(
        limit_bytes=LIMIT_BYTES, limit_count=LIMIT_COUNT, idle_seconds=seconds
    )


def _table_size(table: Table) -> int:
    return sum(column.nbytes for column in table.columns.values())


def _reading_size(reading: Reading) -> int:
    return sum(array.nbytes for array in _arrays(reading.dataset)) if reading.dataset else 0


def _arrays(dataset: Dataset) -> Iterator[np.ndarray]:
    for outcomes in dataset.models.values():
        yield from (value for value in vars(outcomes).values() if isinstance(value, np.ndarray))
    for categories in (dataset.fold, dataset.group):
        if categories is not None:
            yield categories.codes
