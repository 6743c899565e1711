"""Uploaded files in the memory of the server, within bounds, and the samples."""

import json
import os
import secrets
from argparse import Namespace
from collections.abc import Container, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from evalboard import arguments
from evalboard.starting import FILES_VARIABLE
from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from evalread.worker import client
from evalview import ASSETS
from evalview.course import typed
from pages.session import cache
from pages.session.cache import BoundedCache

SAMPLES = ASSETS / "samples"
SAMPLE_PREFIX = "sample-"
LIMIT_COUNT = 100
"""Uploads kept at once, however small: whoever is in the middle of work keeps theirs."""
IDLE_HOURS = 24
"""A working day and a night; unused uploads leave then."""

OF_ALL, OF_ADDRESS, OF_SESSION = 1 / 2, 3 / 8, 1 / 4
"""Shares of the server's memory for uploads: of all readers, since tables need as much again; of
one network address, which several may share; and of one reader."""

OF_LEFT = 1 / 64
"""Share of the memory for what a reader who has left keeps beside the file used last: small files
stay for a day, and large ones do not fill the memory of those who are there."""

IN_USE_SECONDS = 600
"""Files that were used within so many seconds are not taken from anyone but their own reader."""

Files = tuple[tuple[str, bytes], ...]


@dataclass(frozen=True)
class Sample:
    """A data set that comes with the product; `shows` says what it is good for."""

    key: str
    file: str
    title: str
    shows: str
    task: str
    rows: int

    @property
    def token(self) -> str:
        """What stands for the sample in an address."""
        return SAMPLE_PREFIX + self.key


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """Return the samples in the order in which they are offered."""
    index = json.loads((SAMPLES / "samples.json").read_text("utf-8"))
    return tuple(Sample(**entry) for entry in index)


def keep(files: Sequence[tuple[str, bytes]]) -> str:
    """Keep uploaded files and return the unguessable token under which they lie.

    Raises:
        EvalError: The files together are larger than the limit of one upload.
    """
    size = sum(len(data) for _, data in files)
    limit = int(st.get_option("server.maxUploadSize"))
    if size > limit * 2**20:
        raise EvalError(
            "too-large",
            f"{size / 2**20:,.0f} MB are more than the {limit} MB that can be uploaded at once. "
            "Keep only the columns with the truth and the predictions, or save as Parquet.",
        )
    token = secrets.token_urlsafe(16)
    with cache.BUDGET.lock:
        _make_room(size, *_owner())
        _uploads().put(token, tuple(files), size)
        _owners()[token] = _owner()
    return token


def _make_room(size: int, session: str, address: str) -> None:
    """Let uploads go that were unused for longest, for new ones of so many bytes.

    Raises:
        EvalError: "full": those that may go are not enough.
    """
    owners, whole = _owners(), cache.BUDGET.limit
    for token in owners.keys() - set(_uploads().kept()):
        owners.pop(token, None)
    own = [token for token in _uploads().kept() if owners.get(token, ("", ""))[0] == session]
    near = [token for token in _uploads().kept() if owners.get(token, ("", ""))[1] == address]
    if session:
        _shrink(own, OF_SESSION * whole - size, 0, "Your open files")
    if address:  # that of the reader's own machine is not told
        _shrink(near, OF_ADDRESS * whole - size, IN_USE_SECONDS, "Files from your network address")
    _shrink(_uploads().kept(), OF_ALL * whole - size, IN_USE_SECONDS, "Files that others use")


def _shrink(tokens: Sequence[Hashable], most: float, unused: float, whose: str) -> None:
    """Let the least used of some uploads go until the others have at most so many bytes.

    Raises:
        EvalError: "full": too many of them were used within `unused` seconds.
    """
    uploads = _uploads()
    left = sum(uploads.size_of(token) for token in tokens)
    for token in tokens:
        if left > most and uploads.unused_for(token) >= unused:
            left -= uploads.size_of(token)
            uploads.remove({token}.__contains__)
    if left > most:
        raise EvalError(
            "full",
            f"{whose} fill the memory that the server has for them. Remove data that you no longer "
            "need, or try again in some minutes.",
        )


def _owner() -> tuple[str, str]:
    """Return who uploads: a session, and the network address that it comes from."""
    session = cache.session()
    return session, (st.context.ip_address or "") if session else ""


def upload_refused(session: str, size: int) -> str | None:
    """Return why Streamlit may not take so many bytes more of a session; None where it may.

    It holds them from the first byte on until the page has run, under names that a client chooses.
    """
    held = _arriving()
    if held.get(session, 0) + size > OF_SESSION * cache.BUDGET.limit:
        return "Your uploads fill the memory that the server has for them. Reload the page."
    if _count_outside() + size > cache.BUDGET.limit:
        return "The server's memory is full. Try again in some minutes."
    return None


def release_uploads(file_ids: Iterable[str]) -> None:
    """Let Streamlit forget uploads that are kept here now: it would until the session ends."""
    if (held := _held()) and (session := cache.session()):
        for file_id in file_ids:
            held.remove_file(session, file_id)


def _held() -> MemoryUploadedFileManager | None:
    held = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return held if isinstance(held, MemoryUploadedFileManager) else None


def forget_left() -> None:
    """Let Streamlit forget the uploads of sessions whose reader has left."""
    for session in _arriving():
        if not is_here(session):
            runtime.get_instance().uploaded_file_mgr.remove_session_files(session)
            cache.BUDGET.dropped = True


def shrink_left(looked_at: Container[Hashable], unused: float) -> None:
    """Of the uploads of each reader who has left, keep the last used and a small share beside it.

    Those stay that another reader looks at, or that someone used in the last `unused` seconds.
    """
    with cache.BUDGET.lock:
        left: dict[str, list[Hashable]] = {}
        for token in _uploads().kept():
            session, _ = _owners().get(token, ("", ""))
            if session and token not in looked_at and not is_here(session):
                left.setdefault(session, []).append(token)
        for tokens in left.values():
            kept = _uploads().total
            with suppress(EvalError):  # too many were used just now: they go next time
                _shrink(tokens[:-1], OF_LEFT * cache.BUDGET.limit, unused, "")
            cache.BUDGET.dropped |= _uploads().total < kept


def is_here(session: str) -> bool:
    """Whether the reader of a session has not left."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def _arriving() -> dict[str, int]:
    """Return the bytes that Streamlit holds of each session."""
    held = _held()
    return {
        session: sum(len(file.data) for file in list(files.values()))
        for session, files in list(held.file_storage.items() if held else ())
    }


def _count_outside() -> int:
    return _uploads().total + sum(_arriving().values()) + client.memory()


cache.BUDGET.outside = _count_outside


def files(token: str) -> Files | None:
    """Return the files under a token, or None if there are none (any more)."""
    return _sample_files(token) or given().get(token) or _uploads().get(token)


def forget(token: str) -> None:
    """Remove the files under a token from the server, and what was noted of their rows."""
    given().pop(token, None)
    _uploads().remove(lambda key: key == token)
    _owners().pop(token, None)
    _noted().pop(token, None)


class Note(NamedTuple):
    """What a reader wrote beside a row of data: free text, and a short word to sort by."""

    note: str = ""
    tag: str = ""


MOST_NOTED, LONGEST_NOTE, LONGEST_TAG = 10_000, 500, 40
"""Rows of one file that have a note, and characters of a note and of a tag: more is no note."""

Noted = dict[tuple[str, int], Note]
"""Which rows have a note, by what tells readings of the file apart, and by the row's number."""


def notes(token: str) -> Noted:
    """Return the notes on the rows of the files under a token.

    Whoever has the address has the notes; those on a sample, whose address all know, are of the
    session alone.
    """
    if token.startswith(SAMPLE_PREFIX):
        own: Noted = st.session_state.setdefault("notes", {}).setdefault(token, {})
        return own
    return _noted().setdefault(token, {})


def note(token: str, of: str, row: int, written: Note) -> bool:
    """Keep what was written beside a row; False where too many rows have a note already."""
    kept, key = notes(token), (of, row)
    if not any(written):
        kept.pop(key, None)
    elif key in kept or len(kept) < MOST_NOTED:
        kept[key] = Note(written.note[:LONGEST_NOTE], written.tag[:LONGEST_TAG])
    return key in kept or not any(written)


def forget_notes() -> None:
    """Remove the notes on files that are no longer there."""
    for token in _noted().keys() - {*given(), *_uploads().kept()}:
        _noted().pop(token, None)


@lru_cache(maxsize=1)
def given() -> dict[str, Files]:
    """Return the files that the server was started on, by their token; read once, kept for good."""
    told = os.environ.get(FILES_VARIABLE)
    if not told:
        return {}
    asked = json.loads(told)
    paths = map(Path, asked["files"])
    return {asked["token"]: tuple((path.name, path.read_bytes()) for path in paths)}


def given_choices(token: str) -> Choices:
    """Return how the files under a token are to be read, where the command line has said it."""
    told = json.loads(os.environ.get(FILES_VARIABLE) or "{}")
    if told.get("token") != token or not told.get("words"):
        return NO_CHOICES
    return arguments.choices(Namespace(**told["words"]))


@lru_cache(maxsize=32)
def _sample_files(token: str) -> Files | None:
    """Return a sample, the file of a worked example, or a table that the token itself says."""
    if (told := typed.file(token)) is not None:
        return (told,)
    sample = next((SAMPLES / sample.file for sample in samples() if sample.token == token), None)
    if sample is None and token.startswith(SAMPLE_PREFIX):
        from evalview.course import examples  # Whoever opens a file of their own needs none.

        sample = examples.path(token.removeprefix(SAMPLE_PREFIX))
    return None if sample is None else ((sample.name, sample.read_bytes()),)


@st.cache_resource(show_spinner=False)
def _uploads() -> BoundedCache[Files]:
    return BoundedCache(limit_bytes=inf, limit_count=LIMIT_COUNT, idle_seconds=IDLE_HOURS * 3600)


@st.cache_resource(show_spinner=False)
def _noted() -> dict[str, Noted]:
    return {}


@st.cache_resource(show_spinner=False)
def _owners() -> dict[Hashable, tuple[str, str]]:
    return {}
