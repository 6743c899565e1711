"""Limits of memory and time for reading, the messages where they are passed, and who stops it."""

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from pathlib import Path
from stat import S_ISBLK, S_ISCHR, S_ISREG
from types import FrameType

from evalcore.errors import EvalError
from evalread.notices import refusal

try:
    import resource
except ImportError:  # Windows has no such limits
    LIMITED = False
else:
    LIMITED = True

MEGABYTE = 2**20

MEMORY = 1500 * MEGABYTE
"""Bytes of memory: 1e7 rows of CSV (240 MB) take 620 MB, a bomb of 46 KB takes 5 GB and more."""

SECONDS, SECONDS_PER_MEGABYTE, SECONDS_AT_MOST = 6, 2, 120
"""Seconds of a processor: a workbook, the slowest format, takes 1 to 2 for each megabyte."""

RESULT, DONE, MEMORY_ENDED, TIME_ENDED, CRASHED = b"r", b"d", b"m", b"t", b"c"
"""What the process that reads says of a job: here is the result, or how it ended."""

_VARIABLES = {"memory": "EVALBOARD_READ_MB", "seconds": "EVALBOARD_READ_SECONDS"}


@dataclass(frozen=True)
class Limits:
    """What reading may take.

    Attributes:
        memory: Bytes of memory.
        seconds: Seconds of a processor, for files of any size; None for those that grow with it.
    """

    memory: int = MEMORY
    seconds: int | None = None

    def cpu(self, size: int) -> int:
        """Return the seconds of a processor that files of so many bytes may take.

        >>> Limits().cpu(1000), Limits().cpu(10 * 2**20), Limits().cpu(2**30)
        (6, 26, 120)
        """
        if self.seconds is not None:
            return self.seconds
        grown = SECONDS + SECONDS_PER_MEGABYTE * size // MEGABYTE
        return min(grown, SECONDS_AT_MOST)


def limits() -> Limits:
    """Return the limits that the environment sets, else those of every installation."""
    memory, seconds = (_number(name) for name in _VARIABLES.values())
    return Limits(MEMORY if memory is None else memory * MEGABYTE, seconds)


def _number(variable: str) -> int | None:
    """Return a positive whole number of the environment; None where there is none."""
    text = os.environ.get(variable, "").strip()
    return int(text) if text.isdecimal() and int(text) > 0 else None


MOST_DESCRIPTORS = 250
"""File descriptors in one message: the system takes at most 253."""


def ended(how: bytes, size: int) -> EvalError:
    """Return what is said of files of so many bytes whose reading ended without a result."""
    if how == MEMORY_ENDED:
        return too_much_memory()
    return too_slow(limits().cpu(size)) if how == TIME_ENDED else refusal("reader-crash")


def too_much_memory() -> EvalError:
    """Return what is said of a file that takes more memory than it may."""
    most = limits().memory // MEGABYTE
    return refusal("too-large/memory", most=most, variable=_VARIABLES["memory"])


def too_slow(seconds: int) -> EvalError:
    """Return what is said of a file that takes longer than it may."""
    return refusal("too-slow", seconds=seconds, variable=_VARIABLES["seconds"])


WAIT = 3
"""Seconds without a byte until a pipe is said to be waited for: longer than most programs take."""

_PART = 1 << 20
"""Bytes read at once from a pipe: more than one holds."""


def content(source: str | Path | int, waits: Callable[[str], None] = lambda said: None) -> bytes:
    """Return the bytes of a file or pipe, or of standard input (0), within the limit of memory.

    `waits` is told, in another thread, where nothing has come for a while.

    Raises:
        EvalError: "no-file/name", "no-file/device", or "too-large": it exceeds the limit.
        OSError: It cannot be read.
    """
    if not str(source):
        raise refusal("no-file/name")
    found = os.fstat(source) if isinstance(source, int) else Path(source).stat()
    is_file = S_ISREG(found.st_mode)
    name = "standard input" if source == 0 else f'"{source}"'
    late = threading.Timer(WAIT, waits, [f"Waiting for data from {name} (Ctrl+C stops it)."])
    late.daemon = True
    if not is_file:
        late.start()  # even opening a pipe waits for who writes to it
    try:
        with open(source, "rb", buffering=0, closefd=source != 0) as file:
            kind = os.fstat(file.fileno()).st_mode
            if S_ISBLK(kind) or (S_ISCHR(kind) and not file.isatty()):
                raise refusal("no-file/device", name=f"{name[0].upper()}{name[1:]}")
            if is_file and os.fstat(file.fileno()).st_size <= limits().memory:
                return file.read()
            held = BytesIO()
            while part := file.read(_PART):
                late.cancel()
                held.write(part)
                if is_file or held.tell() > limits().memory:
                    raise too_much_memory()
            return held.getvalue()
    finally:
        late.cancel()


def memory_used(process: int) -> int:
    """Return the bytes of memory that a process uses; 0 where the system does not tell."""
    return _pages(process, 1)


def children_of(process: int) -> tuple[int, ...]:
    """Return the numbers of a process's children; none where the system does not tell."""
    try:
        told = Path(f"/proc/{process}/task/{process}/children").read_text("ascii")
    except OSError:
        return ()
    return tuple(map(int, told.split()))


def _pages(process: int, field: int) -> int:
    try:
        told = Path(f"/proc/{process}/statm").read_text("ascii")
    except OSError:
        return 0
    return int(told.split()[field]) * os.sysconf("SC_PAGE_SIZE")


def most_of_system(seconds: int) -> Mapping[int, int]:
    """Return what the system is to hold this process to from now on: resource -> how much."""
    return {
        # What one step asks for at once, between two looks, fails right there.
        resource.RLIMIT_DATA: _pages(os.getpid(), 5) + 2 * limits().memory,
        resource.RLIMIT_CPU: ceil(time.process_time() + seconds),
    }


_LOOK = 0.05
"""Seconds between two looks at the memory: reading fills at most 150 MB meanwhile."""

_GRACE = 2
"""Seconds until a process that cannot be interrupted, in a library's own code, is ended."""


@contextmanager
def held(size: int, end: Callable[[EvalError], None]) -> Iterator[None]:
    """Hold the block, in the main thread, to the limits of reading files of so many bytes.

    `end` is called in another thread where the block cannot be interrupted, to end the process.

    Raises:
        EvalError: The block took too much memory, or too long.
    """
    if not LIMITED or threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch(limits().cpu(size), end)
    handler = signal.signal(signal.SIGXCPU, watch.interrupt)
    most = most_of_system(watch.seconds)
    before = {kind: resource.getrlimit(kind) for kind in most}
    for kind, (_, hard) in before.items():
        soft = most[kind] if hard == resource.RLIM_INFINITY else min(most[kind], hard)
        resource.setrlimit(kind, (soft, hard))
    watch.start()
    gc.disable()  # what is read stays: looking for what may go takes a tenth of the time
    try:
        yield
    except MemoryError:
        raise too_much_memory() from None
    finally:
        gc.freeze()  # nor is it looked for afterwards
        gc.enable()
        watch.done.set()
        for kind, soft_and_hard in before.items():
            resource.setrlimit(kind, soft_and_hard)
        signal.signal(signal.SIGXCPU, handler)


class _Watch(threading.Thread):
    """Looks at the memory and the time of this process, and interrupts it."""

    def __init__(self, seconds: int, end: Callable[[EvalError], None]) -> None:
        super().__init__(daemon=True)
        self.done, self.seconds = threading.Event(), seconds
        self._end, self._problem = end, too_slow(seconds)
        self._until = time.process_time() + seconds

    def run(self) -> None:
        """Interrupt the main thread once too much is taken; end the process if that fails."""
        while not self.done.wait(_LOOK):
            if memory_used(os.getpid()) > limits().memory:
                self._problem = too_much_memory()
            elif time.process_time() < self._until:
                continue
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGXCPU)
            if not self.done.wait(_GRACE):
                self._end(self._problem)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Stop the block with what is to be said."""
        if not self.done.is_set():
            raise self._problem
