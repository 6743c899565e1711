"""Results that all users share: each made once per data set and plain arguments, within bounds."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from math import inf
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
V = TypeVar("V")

IDLE_SECONDS = 24 * 3600
"""Unused results leave after a day, as the files that they are made from do."""


@dataclass
class _Held(Generic[V]):
    value: V
    size: int
    used: float


@dataclass
class _Making:
    """A value on its way: whoever asks meanwhile waits for the lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    waiting: int = 0
    removed: bool = False


class BoundedCache(Generic[V]):
    """Keeps values by key; the least recently used leave first, the unused leave in time.

    Safe to share between threads. `clock` gives seconds.
    """

    def __init__(
        self,
        *,
        limit_bytes: float,
        limit_count: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit_bytes = limit_bytes
        self._limit_count = limit_count
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._held: OrderedDict[Hashable, _Held[V]] = OrderedDict()
        self._total = 0
        self._lock = threading.RLock()
        self._making: dict[Hashable, _Making] = {}

    def put(self, key: Hashable, value: V, size: int) -> None:
        """Keep a value of `size` bytes; it stays even alone above the limit."""
        with self._lock:
            self._drop(key)
            self._held[key] = _Held(value, size, self._clock())
            self._total += size
            self._tidy()

    def get(self, key: Hashable) -> V | None:
        """Return the value and count that as a use; None if it is not (or no longer) there."""
        held = self._use(key)
        return None if held is None else held.value

    def get_or_make(self, key: Hashable, make: Callable[[], V], size: Callable[[V], int]) -> V:
        """Return the value, made at most once even if several threads ask at the same time.

        Whoever asked is given a value that was removed while it was made, but it is not kept.
        """
        with self._lock:
            making = self._making.setdefault(key, _Making())
            making.waiting += 1
        try:
            with making.lock:
                held = self._use(key)
                if held is not None:
                    return held.value
                value = make()
                with self._lock:
                    if not making.removed:
                        self.put(key, value, size(value))
                return value
        finally:
            with self._lock:
                making.waiting -= 1
                if not making.waiting:
                    del self._making[key]

    def remove(self, matches: Callable[[Hashable], bool]) -> None:
        """Forget every value whose key matches."""
        with self._lock:
            for key in [key for key in self._held if matches(key)]:
                self._drop(key)
            for key, making in self._making.items():
                making.removed |= matches(key)

    @property
    def total(self) -> int:
        """Bytes held."""
        return self._total

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
        self._total -= 0 if held is None else held.size

    def _tidy(self) -> None:
        # Use moves a key to the end, so the first is always the one unused for longest.
        oldest = self._clock() - self._idle_seconds
        while self._held and next(iter(self._held.values())).used < oldest:
            self._drop(next(iter(self._held)))
        while len(self._held) > 1 and self._over():
            self._drop(next(iter(self._held)))

    def _over(self) -> bool:
        return len(self._held) > self._limit_count or self._total > self._limit_bytes


_CACHES: list[BoundedCache[Any]] = []
"""What each cached function has made."""


def cached(entries: int) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Return a decorator: a function's last results are kept, at most so many.

    An argument that has a `digest`, such as a data set, counts by that: hashing the data would be
    slow. All others are plain values. Two readers who ask at the same time wait for one
    computation; one that fails is not kept.
    """

    def decorate(function: Callable[P, V]) -> Callable[P, V]:
        made: BoundedCache[V] = BoundedCache(
            limit_bytes=inf, limit_count=entries, idle_seconds=IDLE_SECONDS
        )
        _CACHES.append(made)
        parameters = signature(function)

        @wraps(function)
        def remembered(*given: P.args, **named: P.kwargs) -> V:
            bound = parameters.bind(*given, **named)
            bound.apply_defaults()
            key = tuple(getattr(value, "digest", value) for value in bound.arguments.values())
            return made.get_or_make(key, lambda: function(*given, **named), _size)

        return remembered

    return decorate


def part_of(digest: str, part: object) -> str:
    """Return the digest of a part of a data set: it is forgotten with the whole."""
    return f"{digest}{_PART}{part}"


def forget(digest: str) -> None:
    """Drop every result about a data set, and about its parts."""
    for made in _CACHES:
        made.remove(lambda key: isinstance(key, tuple) and any(_is_of(digest, one) for one in key))


def clear() -> None:
    """Drop every result."""
    for made in _CACHES:
        made.remove(lambda key: True)


_PART = "|"
"""What no digest of a data set contains, which is hexadecimal."""


def _is_of(digest: str, value: object) -> bool:
    return isinstance(value, str) and value.partition(_PART)[0] == digest


def _size(value: object) -> int:
    """Return the bytes that a result counts for: none so far, only numbers of results are limited.

    One budget of bytes for all functions belongs here and in `BoundedCache`.
    """
    return 0
