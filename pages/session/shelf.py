"""A bounded place for values in the memory of the server."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

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
