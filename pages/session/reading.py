"""From uploaded files to a data set: kept, read beside the page, recognised and checked once."""

import logging
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NoReturn

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalread.dataset import Choices, Dataset, Table
from evalread.rewriting import only_shaping
from evalread.worker import client
from evalview import sharing
from evalview.course import typed
from pages.session import cache, store

LIMIT_COUNT = 60
"""Tables kept at once, however small; bytes have a budget of the whole server."""

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
    _note_reader(token)
    key = (token, _plain(choices))
    return _readings().get_or_make(key, lambda: _read(token, files, choices), _reading_size)


def begin(token: str) -> None:
    """Begin to read the files under a token, so that whoever waits for it may leave."""
    _note_reader(token)
    asked = (token, store.given_choices(token))
    reader = threading.Thread(target=reading, args=asked, daemon=True)
    _readers()[token] = reader
    reader.start()


def busy(token: str, patience: float = 0) -> bool:
    """Return whether files are still being read, after waiting for at most `patience` seconds."""
    reader = _readers().get(token)
    if reader is None:
        return False
    reader.join(patience)
    if reader.is_alive():
        return True
    _readers().pop(token, None)
    return False


def forget(token: str) -> None:
    """Remove everything that was made of the files under a token, and stop reading them."""
    _readers().pop(token, None)
    set_aside(token)


def set_aside(token: str) -> None:
    """Remove everything that can be made again of the files under a token, and stop making it."""
    from pages.session import computed

    computed.requests().stop(token)
    for key in _readings().kept():
        found = _readings().get(key) if _is_of(key, token) else None
        if found is not None and found.dataset is not None:
            cache.forget(found.dataset.digest)
            computed.requests().forget(found.dataset.digest)
    for kept in (_readings(), _tables()):
        kept.remove(lambda key: _is_of(key, token))
    for _, job in [one for one in _jobs() if one[0] == token]:
        job.stop()


def tokens() -> set[str]:
    """Return the tokens of files of which something is made or kept that can be made again."""
    keys = (*_readings().kept(), *_tables().kept(), *_jobs())
    return {str(key[0]) for key in keys if isinstance(key, tuple)}


def _is_of(key: Hashable, token: str) -> bool:
    return isinstance(key, tuple) and key[0] == token


LOG = logging.getLogger("evalboard")

LEFT_SECONDS, TIDY_SECONDS = 30, 10
"""What can be made again is kept this long after its last reader has left, and checked this often:
a page that is loaded again comes back within seconds."""


def keep_tidy() -> NoReturn:
    """Give back to the system, again and again, what no reader is there for; never returns."""
    while True:
        time.sleep(TIDY_SECONDS)
        try:
            tidy(time.monotonic())
            store.forget_left()
            store.shrink_left(looked_at(), LEFT_SECONDS)
            store.forget_notes()
            cache.BUDGET.fit()  # for files that are being read, whose memory grows meanwhile
            cache.BUDGET.release()
        except Exception:
            LOG.exception("Unused memory was not given back; it is tried again.")


def tidy(now: float) -> None:
    """Remove what can be made again of files whose readers have left."""
    seen, here = _seen(), looked_at()
    for token in tokens():
        sessions = seen.setdefault(token, {})
        if token in here:
            sessions.update(dict.fromkeys(sessions, now))
        elif max(sessions.values(), default=now) < now - LEFT_SECONDS:
            set_aside(token)
            del seen[token]


def looked_at() -> set[Hashable]:
    """Return the tokens of files that a reader looks at who is still there."""
    seen = list(_seen().items())
    return {token for token, sessions in seen if any(map(store.is_here, list(sessions)))}


def _note_reader(token: str) -> None:
    """Note who looks at files: what is made of them is kept for as long."""
    _seen().setdefault(token, {})[cache.session()] = time.monotonic()


@st.cache_resource(show_spinner=False)
def _seen() -> dict[str, dict[str, float]]:
    """Return when which session last looked at the files under a token."""
    return {}


def gone() -> EvalError:
    """Return the sentence for a link whose data has been removed or has expired."""
    return EvalError(
        "data-gone",
        "This data is no longer here. Uploads are kept in memory only, for at most "
        f"{store.IDLE_HOURS} hours after their last use. Drop the file again.",
    )


def _read(token: str, files: store.Files, choices: Choices) -> Reading:
    """Read in a process of its own, which no file can make a burden to others."""
    key = (token, _plain(only_shaping(choices)))
    known = _tables().get(key)
    if not client.AVAILABLE or token.startswith((store.SAMPLE_PREFIX, *typed.PREFIXES)):
        return _read_here(key, files, choices, known)
    job = client.Job()
    with _jobs_of(token, job):
        try:
            size = _table_size(known) if known else 0
            table, dataset, problem = job.read(files, choices, known, size=size)
        except EvalError as ended:
            return Reading(known, problem=ended)
    if table is not None and known is None:
        _tables().put(key, table, _table_size(table))
    return Reading(known or table, dataset, problem)


def _read_here(
    key: tuple[str, Plain], files: store.Files, choices: Choices, table: Table | None
) -> Reading:
    """Read in this process: a sample, which takes no longer than to hand it over."""
    from evalread import loading

    if key[0].startswith(typed.ROWS) and not choices.truth:
        choices = replace(choices, truth=typed.TRUTH)  # as its first column says
    try:
        if table is None:
            table = loading.read_all(files, choices)
            _tables().put(key, table, _table_size(table))
        return Reading(table, loading.bound(table, choices))
    except EvalError as problem:
        return Reading(table, problem=problem)


@contextmanager
def _jobs_of(token: str, job: client.Job) -> Iterator[None]:
    """Let a job be found by its files, to be stopped, while it is under way."""
    jobs = _jobs()
    jobs.append((token, job))
    try:
        yield
    finally:
        jobs.remove((token, job))


@st.cache_resource(show_spinner=False)
def _jobs() -> list[tuple[str, client.Job]]:
    return []


def _plain(choices: Choices) -> Plain:
    params = sharing.choices_to_params(choices)
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
        limit_bytes=inf, limit_count=LIMIT_COUNT, idle_seconds=seconds, budget=cache.BUDGET
    )


def _table_size(table: Table) -> int:
    return sum(column.nbytes for column in table.columns.values())


def _reading_size(reading: Reading) -> int:
    """Return the bytes that a reading holds, with those of its table: both go, or neither."""
    arrays = _arrays(reading.dataset) if reading.dataset else ()
    table = _table_size(reading.table) if reading.table else 0
    return table + sum(array.nbytes for array in arrays)


def _arrays(dataset: Dataset) -> Iterator[np.ndarray]:
    for outcomes in dataset.models.values():
        yield from (value for value in vars(outcomes).values() if isinstance(value, np.ndarray))
    for categories in (dataset.fold, dataset.group):
        if categories is not None:
            yield categories.codes
