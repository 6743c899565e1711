"""The limits of reading in a process that reads for itself, such as the command line."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from types import FrameType

from evalcore.errors import EvalError
from evalread.worker.limits import limits, memory_used, reserved, too_much_memory, too_slow

try:
    import resource
except ImportError:  # Windows has no such limits
    LIMITED = False
else:
    LIMITED = True

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
    before = {kind: resource.getrlimit(kind) for kind in watch.most}
    for kind, most in watch.most.items():
        _set_soft(kind, most, before[kind][1])
    watch.start()
    try:
        yield
    except MemoryError:
        raise too_much_memory() from None
    finally:
        watch.done.set()
        for kind, soft_and_hard in before.items():
            resource.setrlimit(kind, soft_and_hard)
        signal.signal(signal.SIGXCPU, handler)


def _set_soft(kind: int, most: int, hard: int) -> None:
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (allowed, hard))


class _Watch(threading.Thread):
    """Looks at the memory and the time of this process, and interrupts it."""

    def __init__(self, seconds: int, end: Callable[[EvalError], None]) -> None:
        super().__init__(daemon=True)
        self.done = threading.Event()
        self._end = end
        self._problem = too_slow(seconds)
        self._until = time.process_time() + seconds
        self.most = {
            # What one step asks for at once, between two looks, fails right there.
            resource.RLIMIT_DATA: reserved() + 2 * limits().memory,
            resource.RLIMIT_CPU: ceil(self._until),
        }

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
