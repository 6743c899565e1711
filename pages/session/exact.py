"""Silhouettes of every point, on request: measured beside the pages, one request at a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

import streamlit as st

from evalcore.clusters.distance import Distance
from evalcore.clusters.silhouette import Silhouette
from evalcore.clusters.watch import Watch
from evalcore.errors import EvalError
from evalcore.intake.model import Dataset
from pages.session.shelf import Shelf

Key = tuple[str, ...]
Work = Callable[[Watch], Silhouette]

LIMIT_BYTES = 500_000_000
LIMIT_COUNT = 50
IDLE_SECONDS = 24 * 3600


@dataclass
class Progress:
    """How far a request is.

    Attributes:
        share: What is done, in [0, 1].
        started: When the work began, in seconds; None while others are measured first.
        cancel: Set to stop it.
    """

    share: float = 0.0
    started: float | None = None
    cancel: Event = field(default_factory=Event)

    def seconds_left(self, now: float) -> float | None:
        """Return how long it will take yet; None before that can be told."""
        if self.started is None or self.share < 0.02:
            return None
        return (now - self.started) * (1 - self.share) / self.share

    def begin(self) -> None:
        """Note that its turn has come."""
        self.started = time.monotonic()

    def reach(self, share: float) -> None:
        """Note how much is done."""
        self.share = share


class Requests:
    """Requests by the data that they are about and by who asks; results by the data alone.

    A thread of its own does the work, so no page waits; only one works at a time, so that pages
    stay quick. Stopping forgets the request and leaves results alone. Safe to share.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._turn = Lock()
        self._running: dict[tuple[str, Key], Progress] = {}
        self._found: Shelf[Silhouette] = Shelf(
            limit_bytes=LIMIT_BYTES, limit_count=LIMIT_COUNT, idle_seconds=IDLE_SECONDS
        )

    def found(self, key: Key) -> Silhouette | None:
        """Return the result; None where there is none (yet)."""
        return self._found.get(key)

    def progress(self, who: str, key: Key) -> Progress | None:
        """Return how far a request is; None where none is being worked on."""
        with self._lock:
            return self._running.get((who, key))

    def begin(self, who: str, key: Key, work: Work) -> None:
        """Begin to measure, unless that has begun."""
        with self._lock:
            if (who, key) in self._running:
                return
            told = self._running[who, key] = Progress()
        Thread(target=self._run, args=(who, key, work, told), daemon=True).start()

    def stop(self, who: str, key: Key | None = None) -> None:
        """Stop a request of someone, or all of them."""
        with self._lock:
            for asked in [a for a in self._running if a[0] == who and key in (None, a[1])]:
                self._running.pop(asked).cancel.set()

    def _run(self, who: str, key: Key, work: Work, told: Progress) -> None:
        watch = Watch(told.reach, told.cancel)
        try:
            with self._turn:
                watch.check()
                if self._found.get(key) is None:
                    told.begin()
                    made = work(watch)
                    self._found.put(key, made, made.values.nbytes + made.nearest.nbytes)
        except EvalError:
            return  # stopped: the estimate stands
        finally:
            with self._lock:
                if self._running.get((who, key)) is told:
                    del self._running[who, key]


def key(dataset: Dataset, name: str, distance: Distance, *, scaled: bool) -> Key:
    """Return what a result is about: points, a distance, and whether features are standardised."""
    return (dataset.digest, name, repr(distance), str(scaled))


@st.cache_resource(show_spinner=False)
def requests() -> Requests:
    """Return the requests of all users."""
    return Requests()
