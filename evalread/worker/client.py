"""Reading in another process, as whoever waits for it sees it."""

import atexit
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import cast

from evalcore.errors import EvalError
from evalread.dataset import Choices, Dataset, Table
from evalread.notices import refusal
from evalread.worker import limits, parcels

AT_ONCE = max(2, os.cpu_count() or 1)
"""Files that are read at the same time: one on each processor; others wait for their turn."""

AVAILABLE = hasattr(os, "fork") and hasattr(socket, "send_fds")
"""Whether this system has what it takes; Windows has not."""

_TURN = 0.05
"""Seconds between two looks while a job waits, for its turn or its end: was it stopped?"""

_ENDING = 5
"""Seconds that the process may take to end by itself; it takes that of importing at most."""

_SETTINGS = {
    # BLAS would start threads, which a fork loses; reading multiplies no matrices.
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Arrow's own allocator reserves a gigabyte at once, so that no limit could be set on that.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}

Files = Sequence[tuple[str, bytes]]
Made = tuple[Table | None, Dataset | None, EvalError | None]


class Job:
    """Reading that is under way, or waits for its turn; it can be stopped at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.stopped = False

    def stop(self) -> None:
        """End the reading, which then raises EvalError "cancelled"."""
        with self._lock:
            self.stopped = True
            if self._socket is not None:
                with suppress(OSError):  # it has ended by itself
                    self._socket.shutdown(socket.SHUT_RDWR)

    def read(
        self, files: Files, choices: Choices, table: Table | None = None, *, size: int = 0
    ) -> Made:
        """Return the cells of files, the data set bound of them, and why there is none.

        With a `table` of `size` bytes the files are not read again.

        Raises:
            EvalError: The reading took too much memory or time, broke down, or was stopped.
        """
        size = size or sum(len(data) for _, data in files)
        bare = () if table else [(name, pickle.PickleBuffer(data)) for name, data in files]
        try:
            while not self._takes_turn():
                time.sleep(_TURN)
                self._refuse_stopped()
            said, descriptors = self._ask(parcels.pack((bare, table, choices)))
        finally:
            _IN_TURN.discard(self)
        if said == limits.RESULT:
            return cast(Made, parcels.unpack(descriptors))
        self._refuse_stopped()
        raise limits.ended(said, size)

    def _takes_turn(self) -> bool:
        # No semaphore: the thread may be stopped anywhere, and what that has taken would be lost.
        with _TAKING:
            if len(_IN_TURN) < AT_ONCE:
                _IN_TURN.add(self)
        return self in _IN_TURN

    def _refuse_stopped(self) -> None:
        if self.stopped:
            raise refusal("cancelled")

    def _ask(self, descriptors: Sequence[int]) -> tuple[bytes, Sequence[int]]:
        """Return what is said of a job, and the descriptor of its result."""
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with self._lock:
                    self._socket = ours
                self._refuse_stopped()
                _reader().send([theirs.fileno(), *descriptors])
            finally:
                theirs.close()
                os.close(descriptors[0])
            said, found = _answer(ours)
            with self._lock:
                self._socket = None
        return said, found


def _answer(ours: socket.socket) -> tuple[bytes, Sequence[int]]:
    """Wait for what is said of a job; in turns, so that the thread that waits can be stopped."""
    ours.settimeout(_TURN)
    while True:
        with suppress(TimeoutError):
            said, found, *_ = socket.recv_fds(ours, 1, limits.MOST_DESCRIPTORS)
            return said, found


_IN_TURN: set[Job] = set()
_TAKING = threading.Lock()


class _Reader:
    """The process that reads, begun again whenever it has ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Begin it, so that it is warm when it is needed."""
        with self._lock:
            self._started()

    def send(self, descriptors: Sequence[int]) -> None:
        """Hand over a job."""
        with self._lock:
            for _ in range(2):  # the first time it may turn out to have ended
                try:
                    socket.send_fds(self._started(), [b"j"], descriptors)
                    return
                except OSError:
                    self._end()
            raise refusal("reader-crash")

    def memory(self) -> int:
        """Return the bytes that it and its children use; what it shares with these counts once."""
        process = self._process
        if process is None:
            return 0
        own = limits.memory_used(process.pid)
        children = map(limits.memory_used, limits.children_of(process.pid))
        return own + sum(max(used - own, 0) for used in children)

    def end(self) -> None:
        """End it, and every job under way."""
        with self._lock:
            self._end()

    def _started(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair()
            with theirs:
                self._process = _process(theirs.fileno())
        return self._control

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()  # it ends its children, and itself
        if self._process is not None:
            try:
                self._process.wait(_ENDING)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._control = self._process = None


def _process(descriptor: int) -> subprocess.Popen[bytes]:
    """Begin a process that reads: one of its own session, which Ctrl+C does not reach."""
    here = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        # Without -P, a module in the folder of the user's files could take the place of another.
        [sys.executable, "-P", "-W", "ignore", "-m", "evalread.worker", str(descriptor)],
        env={**os.environ, **_SETTINGS, "PYTHONPATH": paths},
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


@cache
def _reader() -> _Reader:
    atexit.register(end)
    return _Reader()


def start() -> None:
    """Begin the process that reads, so that it is warm when it is needed."""
    if AVAILABLE:
        _reader().start()


def memory() -> int:
    """Return the bytes that reading uses now, in all its processes."""
    return _reader().memory()


def end() -> None:
    """End the process that reads, and all that it reads; the next job begins another."""
    _reader().end()
