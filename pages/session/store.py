"""Uploaded files and computed values in the memory of the server, within bounds."""

import json
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

import streamlit as st

from evalcore.errors import EvalError

V = TypeVar("V")


@dataclass
class _Held(Generic[V]):
    value: V
    size: int
    used: float


class Shelf(Generic[V]):
    """Keeps values by key; the least recently used leave first, the unused leave in time.

    Safe to share between threads. `clock` gives seconds.
    """

    def __init__(
        self,
        *,
        limit_bytes: int,
        limit_count: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit_bytes = limit_bytes
        self._limit_count = limit_count
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._held: OrderedDict[Hashable, _Held[V]] = OrderedDict()
        self._lock = threading.RLock()
        self._making: dict[Hashable, threading.Lock] = {}

    def put(self, key: Hashable, value: V, size: int) -> None:
        """Keep a value of `size` bytes; it stays even alone above the limit."""
        with self._lock:
            self._held[key] = _Held(value, size, self._clock())
            self._held.move_to_end(key)
            self._tidy()

    def get(self, key: Hashable) -> V | None:
        """Return the value and count that as a use; None if it is not (or no longer) there."""
        with self._lock:
            self._tidy()
            held = self._held.get(key)
            if held is None:
                return None
            held.used = self._clock()
            self._held.move_to_end(key)
            return held.value

    def get_or_make(self, key: Hashable, make: Callable[[], V], size: Callable[[V], int]) -> V:
        """Return the value, made at most once even if several threads ask at the same time."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                value = self.get(key)
                if value is None:
                    value = make()
                    self.put(key, value, size(value))
                return value
        finally:
            with self._lock:
                self._making.pop(key, None)

    def remove(self, matches: Callable[[Hashable], bool]) -> None:
        """Forget every value whose key matches."""
        with self._lock:
            for key in [key for key in self._held if matches(key)]:
                del self._held[key]

    @property
    def total(self) -> int:
        """Bytes held."""
        with self._lock:
            return sum(held.size for held in self._held.values())

    def _tidy(self) -> None:
        # Use moves a key to the end, so the first is always the one unused for longest.
        oldest = self._clock() - self._idle_seconds
        while self._held and next(iter(self._held.values())).used < oldest:
            self._held.popitem(last=False)
        while len(self._held) > 1 and self._over():
            self._held.popitem(last=False)

    def _over(self) -> bool:
        return len(self._held) > self._limit_count or self.total > self._limit_bytes


SAMPLES = Path(__file__).resolve().parents[2] / "assets" / "samples"
SAMPLE_PREFIX = "sample-"
LIMIT_BYTES = 1_000_000_000
LIMIT_COUNT = 100
IDLE_HOURS = 24

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
    _uploads().put(token, tuple(files), size)
    return token


def files(token: str) -> Files | None:
    """Return the files under a token, or None if there are none (any more)."""
    return _sample_files(token) or _uploads().get(token)


def forget(token: str) -> None:
    """Remove the files under a token from the server."""
    _uploads().remove(lambda key: key == token)


@lru_cache(maxsize=16)
def _sample_files(token: str) -> Files | None:
    sample = next((sample for sample in samples() if sample.token == token), None)
    return ((sample.file, (SAMPLES / sample.file).read_bytes()),) if sample else None


@st.cache_resource(show_spinner=False)
def _uploads() -> Shelf[Files]:
    return Shelf(limit_bytes=LIMIT_BYTES, limit_count=LIMIT_COUNT, idle_seconds=IDLE_HOURS * 3600)
