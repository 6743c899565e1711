"""The process that reads: it imports once, and forks a child for each job, which it watches.

    python -m evalread.worker DESCRIPTOR

Forking is safe here and not in a server: nothing else runs in this process. A child that takes too
much is killed; so is one whose asker hangs up, so that a server that ends leaves nothing behind.
"""

import gc
import os
import resource
import selectors
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from evalcore.errors import EvalError
from evalread import loading
from evalread.worker import parcels
from evalread.worker.limits import (
    CRASHED,
    DONE,
    MEMORY_ENDED,
    MOST_DESCRIPTORS,
    RESULT,
    TIME_ENDED,
    limits,
    memory_used,
    most_of_system,
)

_NO_MEMORY = 3
"""The exit code of a child that was refused memory."""

_LOOK = 0.02
"""Seconds between two looks at the memory of children: one fills at most 60 MB meanwhile."""

_WAITING = 4
"""So many times the seconds of a processor may pass on the clock: others use processors, too."""

_SAMPLE = b"truth,score\n" + b"yes,0.9\nno,0.2\nyes,0.7\nno,0.4\n" * 10
"""Read once before the first job, so that what reading imports and begins is there."""


@dataclass(frozen=True)
class _Job:
    """A job under way: the child that does it, who asked, and until when it may take."""

    pid: int
    asked: socket.socket
    until: float


class _Nursery:
    """Forks children, hands each a job, watches them, and tells whoever asked how each ended."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._jobs: dict[int, _Job] = {}
        self._ready: tuple[int, socket.socket] | None = None
        self._woken, self._waker = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        for end in (control, self._woken):
            self._selector.register(end, selectors.EVENT_READ)
        for end in (self._woken, self._waker):
            end.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self) -> None:
        """Serve until nobody can ask any more."""
        while True:
            if not self._jobs:
                self._prepare()
            for key, _ in self._selector.select(_LOOK if self._jobs else None):
                if key.fileobj is self._control:
                    if not self._begin():
                        return self._end()
                elif key.fileobj is self._woken:
                    self._woken.recv(4096)
                else:
                    _kill(key.data)  # who asked has hung up
            self._watch()
            self._reap()

    def _prepare(self) -> None:
        """Fork a child for the next job, if none waits."""
        if self._ready is None:
            ours, theirs = socket.socketpair()
            pid = os.fork()
            if not pid:
                self._forget()
                ours.close()
                _work(theirs)
            theirs.close()
            self._ready = pid, ours

    def _forget(self) -> None:
        """Close in a child what belongs to others, who else would not notice its parent's end."""
        signal.set_wakeup_fd(-1)
        for one in (self._control, *(job.asked for job in self._jobs.values())):
            one.close()

    def _begin(self) -> bool:
        """Hand a job to a child; False where there are no more jobs."""
        said, descriptors, *_ = socket.recv_fds(self._control, 1, MOST_DESCRIPTORS)
        if not said:
            return False
        self._prepare()
        assert self._ready is not None
        pid, child = self._ready
        self._ready = None
        seconds = limits().cpu(sum(os.fstat(one).st_size for one in descriptors[1:]))
        with child, suppress(OSError):  # a child that is gone is noticed when it is reaped
            socket.send_fds(child, [bytes([seconds])], descriptors)
        for one in descriptors[1:]:
            os.close(one)
        asked = socket.socket(fileno=descriptors[0])
        self._jobs[pid] = _Job(pid, asked, time.monotonic() + _WAITING * seconds)
        self._selector.register(asked, selectors.EVENT_READ, pid)
        return True

    def _watch(self) -> None:
        """End jobs that take too much."""
        for job in list(self._jobs.values()):
            if memory_used(job.pid) > limits().memory:
                self._stop(job, MEMORY_ENDED)
            elif time.monotonic() > job.until:
                self._stop(job, TIME_ENDED)

    def _stop(self, job: _Job, why: bytes) -> None:
        _kill(job.pid)
        os.waitpid(job.pid, 0)
        self._tell(job, why)

    def _reap(self) -> None:
        """Tell how jobs ended that did so by themselves."""
        for job in list(self._jobs.values()):
            pid, status = os.waitpid(job.pid, os.WNOHANG)
            if pid:
                self._tell(job, _ended(status))
        if self._ready is not None and os.waitpid(self._ready[0], os.WNOHANG)[0]:
            self._ready[1].close()
            self._ready = None

    def _tell(self, job: _Job, how: bytes) -> None:
        del self._jobs[job.pid]
        self._selector.unregister(job.asked)
        with suppress(OSError):  # nobody waits any more
            job.asked.send(how)
        job.asked.close()

    def _end(self) -> None:
        for pid in self._jobs:
            _kill(pid)


def _kill(pid: int) -> None:
    # A child that has ended but was not reaped keeps its number: no other process can be hit.
    os.kill(pid, signal.SIGKILL)


def _ended(status: int) -> bytes:
    """Return how a child ended, from the system's status of it."""
    if os.WIFSIGNALED(status):
        return TIME_ENDED if os.WTERMSIG(status) == signal.SIGXCPU else CRASHED
    return {0: DONE, _NO_MEMORY: MEMORY_ENDED}.get(os.WEXITSTATUS(status), CRASHED)


def _work(parent: socket.socket) -> NoReturn:
    """Wait in a child for its job, do it and end, whatever happens."""
    code = 1
    try:
        loading.load([("sample.csv", _SAMPLE)])
        with parent:
            said, descriptors, *_ = socket.recv_fds(parent, 1, MOST_DESCRIPTORS)
        if not said:
            os._exit(0)  # there is no job any more
        asked, *descriptors = descriptors
        gc.disable()  # as in `held`
        _limit(said[0])
        given = parcels.unpack(descriptors)  # kept: the result may refer to its memory
        made = parcels.pack(_made(*given), limits().memory)
        with suppress(BrokenPipeError):  # who asked has hung up
            socket.send_fds(socket.socket(fileno=asked), [RESULT], made)
        code = 0
    except MemoryError:
        code = _NO_MEMORY
    except BaseException:  # noqa: BLE001 (told to whoever asked as a crash; the log says more)
        traceback.print_exc()
    finally:
        os._exit(code)


def _limit(seconds: int) -> None:
    """Limit this process from now on, and let the system end it before any other."""
    for kind, most in most_of_system(seconds).items():
        with suppress(OSError, ValueError):  # not every system limits both
            resource.setrlimit(kind, (most, most + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def _made(files: Any, table: Any, choices: Any) -> Any:
    """Return the cells of files, or those at hand, with what was bound of them or why not."""
    problem = dataset = None
    try:
        if table is None:
            table = loading.read_all([(name, bytes(data)) for name, data in files], choices)
        dataset = loading.bound(table, choices)
    except EvalError as refused:
        problem = refused
    return table, dataset, problem


def main() -> None:
    """Serve on the socket that the command names."""
    control = socket.socket(fileno=int(sys.argv[1]))
    loading.load([("sample.csv", _SAMPLE)])
    gc.collect()
    gc.freeze()
    _Nursery(control).run()


if __name__ == "__main__":
    main()
