"""What all users share, within one budget of memory: files, tables, and results made once."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial, update_wrapper
from inspect import signature
from math import inf
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from evalcore.work import OnDemand

P = ParamSpec("P")
V = TypeVar("V")

IDLE_SECONDS = 24 * 3600
"""Unused results leave after a day, as the files that they are made from do."""


@dataclass
class _Held(Generic[V]):
    value: V
    size: int
    used: float


LOOK_SECONDS = 0.05
"""Seconds between two looks at whether the reader for whom a script waits has gone on."""

RETURN_SECONDS = 2.0
"""A computation goes on for so long after its last reader has gone: a page that is drawn again asks
for the same again at once."""


class _Stopped(BaseException):
    """Ends a computation wherever it is: nothing that computes catches it."""


@dataclass(eq=False)
class _Computation(Generic[V]):
    """Work that is under way, or its outcome once that is there."""

    thread: threading.Thread = field(init=False)
    done: threading.Event = field(default_factory=threading.Event)
    waiting: int = 0
    removed: bool = False
    value: V = field(init=False)
    error: BaseException | None = None


class Computations(Generic[V]):
    """Work under way by its key: each done once, in a thread of its own, for all who wait for it.

    A script that waits ends when its reader leaves or goes on. Once all have gone, and nobody comes
    back within seconds, the work stops, between two steps of Python.
    """

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock
        self._under_way: dict[Hashable, _Computation[V]] = {}

    def join(
        self, key: Hashable, work: Callable[[], V], keep: Callable[[V], object] = lambda value: None
    ) -> _Computation[V]:
        """Return the work under way, begun if there is none; for `result`.

        `keep` is handed its value, unless that was removed meanwhile.
        """
        with self._lock:
            one = self._under_way.get(key)
            if one is None:
                one = _Computation()
                given = (key, one, work, keep)
                one.thread = threading.Thread(target=self._run, args=given, daemon=True)
                one.thread.start()
                self._under_way[key] = one
            one.waiting += 1
        return one

    def result(self, key: Hashable, one: _Computation[V]) -> V:
        """Return what work comes to, or raise what it raises, to one who has joined."""
        try:
            while not one.done.wait(LOOK_SECONDS):
                let_through()
        finally:
            self._leave(key, one)
        if one.error is not None:
            raise one.error
        return one.value

    def remove(self, matches: Callable[[Hashable], bool]) -> None:
        """Keep no value whose key matches; who waits for it is given it."""
        with self._lock:
            for key, one in self._under_way.items():
                one.removed |= matches(key)

    def _leave(self, key: Hashable, one: _Computation[V]) -> None:
        with self._lock:
            one.waiting -= 1
            left = not one.waiting and self._under_way.get(key) is one
        if left:
            self._stop_after(RETURN_SECONDS, key, one)

    def _stop_after(self, seconds: float, key: Hashable, one: _Computation[V]) -> None:
        timer = threading.Timer(seconds, self._stop, (key, one))
        timer.daemon = True
        timer.start()

    def _stop(self, key: Hashable, one: _Computation[V]) -> None:
        with self._lock:
            thread = one.thread.ident or 0
            if one.waiting or self._under_way.get(key) is not one:
                return
            if _imports(thread):
                self._stop_after(LOOK_SECONDS, key, one)
                return
            del self._under_way[key]
            stopped = ctypes.py_object(_Stopped)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), stopped)

    def _run(
        self,
        key: Hashable,
        one: _Computation[V],
        work: Callable[[], V],
        keep: Callable[[V], object],
    ) -> None:
        with suppress(_Stopped):
            try:
                one.value = work()
            except _Stopped:
                raise
            except BaseException as error:  # noqa: BLE001 (raised to all who wait)
                one.error = error
            with self._lock:
                if self._under_way.get(key) is not one:  # stopped, at its very end
                    return
                del self._under_way[key]  # from here on nobody can stop it
                if one.error is None and not one.removed:
                    keep(one.value)
            one.done.set()


def _imports(thread: int) -> bool:
    """Whether a thread imports a module: whoever waits for that too would be given half of it."""
    frame = sys._current_frames().get(thread)
    while frame is not None and "importlib._bootstrap" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None


def let_through() -> None:
    """End this run of a script if its reader has left or asks for something else."""
    if get_script_run_ctx(suppress_warning=True) is not None:
        _ = "any" in st.session_state  # Streamlit looks for that wherever the session is asked


def session() -> str:
    """Return which session of a reader a script runs for; "" where it runs for none."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None else context.session_id


_VALUES: Computations[Any] = Computations(threading.RLock())
"""Values of results that keep them themselves, once they are made."""


def shared(key: Hashable, make: Callable[[], V]) -> V:
    """Return what is made, once for all readers who ask for it at the same time.

    The key may hold the id of anything that `make` refers to.
    """
    if get_script_run_ctx(suppress_warning=True) is None:  # part of another computation
        return make()
    made: V = _VALUES.result(key, _VALUES.join(key, make))
    return made


OnDemand.made = staticmethod(lambda make: shared(id(make), make))


MEGABYTE = 2**20
MEMORY_MB = 4096
"""Megabytes that a server keeps for all its readers: files, tables, and what was computed."""
MEMORY_VARIABLE = "EVALBOARD_MEMORY_MB"


class Budget:
    """One budget of bytes for several caches: of all they keep, the least recently used leaves.

    `outside` counts what the budget covers and no cache holds.
    """

    def __init__(self, limit: float, outside: Callable[[], int] = lambda: 0) -> None:
        self.limit = limit
        self.outside = outside
        self.lock = threading.RLock()
        self.dropped = False
        self._caches: list[BoundedCache[Any]] = []

    def join(self, cache: BoundedCache[Any]) -> None:
        """Count what a cache keeps from now on."""
        self._caches.append(cache)

    @property
    def total(self) -> int:
        """Bytes in use."""
        with self.lock:
            return sum(cache.total for cache in self._caches) + self.outside()

    def fit(self) -> None:
        """Drop what was unused for longest until the rest fits; what was used last stays."""
        with self.lock:
            while self.total > self.limit:
                spare = [cache for cache in self._caches if cache.oldest is not None]
                if sum(len(cache) for cache in spare) < 2:
                    return
                min(spare, key=lambda cache: cache.oldest or 0).drop_oldest()

    def release(self) -> None:
        """Give memory that was dropped back to the system."""
        if self.dropped:
            self.dropped = False
            gc.collect()
            give_back()


@lru_cache(maxsize=1)
def settle_memory(modules: int) -> None:
    """Take what was imported out of the garbage collector, which would stall every rerun.

    It stands here and not in the script, all of whose names a function that is kept would keep.
    """
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Return memory that nothing uses to the system, as far as the system can take it."""
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


def _memory() -> int:
    text = os.environ.get(MEMORY_VARIABLE, "").strip()
    return (int(text) if text.isdecimal() and int(text) > 0 else MEMORY_MB) * MEGABYTE


BUDGET = Budget(_memory())
"""The budget of this server."""


class BoundedCache(Generic[V]):
    """Keeps values by key; the least recently used leave first, the unused leave in time.

    Safe to share between threads. `clock` gives seconds. With a `budget`
    it shares its bytes with others.
    """

    def __init__(
        self,
        *,
        limit_bytes: float,
        limit_count: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
        budget: Budget | None = None,
    ) -> None:
        self._limit_bytes = limit_bytes
        self._limit_count = limit_count
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._held: OrderedDict[Hashable, _Held[V]] = OrderedDict()
        self._total = 0
        self._budget = budget
        self._lock = threading.RLock() if budget is None else budget.lock
        self._making: Computations[tuple[V, int]] = Computations(self._lock)
        if budget is not None:
            budget.join(self)

    def put(self, key: Hashable, value: V, size: int) -> None:
        """Keep a value of `size` bytes; it stays even alone above the limit."""
        with self._lock:
            self._drop(key)
            self._held[key] = _Held(value, size, self._clock())
            self._total += size
            self._tidy()
            if self._budget is not None:
                self._budget.fit()

    def get(self, key: Hashable) -> V | None:
        """Return the value and count that as a use; None if it is not (or no longer) there."""
        held = self._use(key)
        return None if held is None else held.value

    def get_or_make(self, key: Hashable, make: Callable[[], V], size: Callable[[V], int]) -> V:
        """Return the value, made once even if several threads ask at the same time.

        Whoever asked is given a value that was removed while it was made, but it is not kept.
        """
        with self._lock:
            held = self._use(key)
            if held is not None:
                return held.value
            making = self._making.join(key, lambda: _sized(make(), size), partial(self._keep, key))
        return self._making.result(key, making)[0]

    def _keep(self, key: Hashable, made: tuple[V, int]) -> None:
        self.put(key, *made)

    def remove(self, matches: Callable[[Hashable], bool]) -> None:
        """Forget every value whose key matches."""
        with self._lock:
            for key in [key for key in self._held if matches(key)]:
                self._drop(key)
            self._making.remove(matches)

    @property
    def total(self) -> int:
        """Bytes held."""
        return self._total

    def __len__(self) -> int:
        return len(self._held)

    @property
    def oldest(self) -> float | None:
        """When the value was used that was unused for longest; None where there is none."""
        return next((held.used for held in self._held.values()), None)

    def drop_oldest(self) -> None:
        """Forget the value that was unused for longest."""
        with self._lock:
            self._drop(next(iter(self._held)))

    def kept(self) -> list[Hashable]:
        """Return the keys, the one unused for longest first."""
        with self._lock:
            return list(self._held)

    def size_of(self, key: Hashable) -> int:
        """Return the bytes that a value counts for; 0 where it is not there."""
        held = self._held.get(key)
        return 0 if held is None else held.size

    def unused_for(self, key: Hashable) -> float:
        """Return for how many seconds a value was not used."""
        held = self._held.get(key)
        return 0 if held is None else self._clock() - held.used

    def _use(self, key: Hashable) -> _Held[V] | None:
        with self._lock:
            self._tidy()
            held = self._held.get(key)
            if held is not None:
                held.used = self._clock()
                self._held.move_to_end(key)
            return held

    def _drop(self, key: Hashable) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._total -= held.size
            if self._budget is not None:
                self._budget.dropped = True

    def _tidy(self) -> None:
        # Use moves a key to the end, so the first is always the one unused for longest.
        oldest = self._clock() - self._idle_seconds
        while self._held and next(iter(self._held.values())).used < oldest:
            self._drop(next(iter(self._held)))
        while len(self._held) > 1 and self._over():
            self._drop(next(iter(self._held)))

    def _over(self) -> bool:
        return len(self._held) > self._limit_count or self._total > self._limit_bytes


def _sized(value: V, size: Callable[[V], int]) -> tuple[V, int]:
    return value, size(value)


_CACHES: list[BoundedCache[Any]] = []
"""What each cached function has made."""


class Remembered(Generic[P, V]):
    """A function whose last results are kept, at most so many.

    An argument that has a `digest`, such as a data set, counts by that: hashing the data would be
    slow. All others are plain values. Two readers who ask at the same time wait for one
    computation; one that fails is not kept.
    """

    def __init__(self, function: Callable[P, V], entries: int) -> None:
        self._function, self._parameters = function, signature(function)
        self._made: BoundedCache[V] = BoundedCache(
            limit_bytes=inf, limit_count=entries, idle_seconds=IDLE_SECONDS, budget=BUDGET
        )
        _CACHES.append(self._made)
        update_wrapper(self, function)

    def __call__(self, *given: P.args, **named: P.kwargs) -> V:
        """Return the result, made if it is not there."""
        make = partial(self._function, *given, **named)
        return self._made.get_or_make(self._key(*given, **named), make, size_of)

    def has(self, *given: P.args, **named: P.kwargs) -> bool:
        """Whether the result is there, so that a call returns at once."""
        return self._key(*given, **named) in self._made.kept()

    def _key(self, *given: P.args, **named: P.kwargs) -> Hashable:
        bound = self._parameters.bind(*given, **named)
        bound.apply_defaults()
        return tuple(getattr(value, "digest", value) for value in bound.arguments.values())


def cached(entries: int) -> Callable[[Callable[P, V]], Remembered[P, V]]:
    """Return a decorator: a function's last results are kept, at most so many."""
    return partial(Remembered, entries=entries)


def part_of(digest: str, part: object) -> str:
    """Return the digest of a part of a data set: it is forgotten with the whole."""
    return f"{digest}{_PART}{part}"


def forget(digest: str) -> None:
    """Drop every result about a data set, and about its parts."""
    for made in _CACHES:
        made.remove(lambda key: isinstance(key, tuple) and any(is_of(digest, one) for one in key))


def clear() -> None:
    """Drop every result."""
    for made in _CACHES:
        made.remove(lambda key: True)


_PART = "|"
"""What no digest of a data set contains, which is hexadecimal."""


def is_of(digest: str, value: object) -> bool:
    """Whether a value is the digest of a data set, or of a part of it."""
    return isinstance(value, str) and value.partition(_PART)[0] == digest


PARTS_COUNTED = 20_000
"""Parts of a result that are looked at for its size: more would take longer than to make it."""


def size_of(value: object) -> int:
    """Return about how many bytes a result counts for: those of its arrays, each once."""
    left, seen, size = [value], set[int](), 0
    while left and len(seen) < PARTS_COUNTED:
        part = left.pop()
        if id(part) in seen or hasattr(part, "table"):  # a data set counts by itself
            continue
        seen.add(id(part))
        if isinstance(part, np.ndarray):
            size += part.nbytes
        elif isinstance(part, OnDemand):
            left.extend(part.ready)  # to look at the others would make them
        elif isinstance(part, Mapping):
            left.extend(part.values())
        elif isinstance(part, list | tuple):
            left.extend(part)
        elif hasattr(part, "__dict__"):
            left.extend(vars(part).values())
    return size + _OF_ANY


_OF_ANY = 1024
"""Bytes of a result beside its arrays: numbers, names and the objects that hold them."""
