"""Long work: in pieces that report and stop, side by side, or only when it is asked for.

Two layers of threads get in each other's way and take several times as long.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import wraps
from threading import Event, Lock, Thread
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from evalcore.errors import EvalError

Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)

Held = TypeVar("Held")
Seen = TypeVar("Seen")
About = TypeVarTuple("About")


def once(
    read: Callable[[Held, *About], Seen],
) -> Callable[[Held, *About], Seen]:
    """Return a function of what is held, such as a table, that works each answer out once."""
    # What was read goes with what it was read of: nothing is kept once nobody holds that.
    memory: WeakKeyDictionary[Held, dict[tuple[*About], Seen]] = WeakKeyDictionary()

    @wraps(read)
    def look(held: Held, *about: *About) -> Seen:
        seen = memory.setdefault(held, {})
        if about not in seen:
            seen[about] = read(held, *about)
        return seen[about]

    return look


class OnDemand(Mapping[Key, Value]):
    """Values by key, each made once, when it is first asked for.

    What is made depends on its key alone, so that neither order nor thread matters.

    >>> lengths = OnDemand({"a": lambda: 1, "b": lambda: 1 / 0})
    >>> lengths["a"], "b" in lengths
    (1, True)
    """

    made: Callable[[Callable[[], Any]], Any] = staticmethod(lambda make: make())
    """Makes a value. A server sets one for all, which lets those who ask at once share the work."""

    def __init__(self, makers: Mapping[Key, Callable[[], Value]]) -> None:
        self._makers = makers
        self._made: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._made:
            self._made[key] = self.made(self._makers[key])
        return self._made[key]

    @property
    def ready(self) -> list[Value]:
        """The values that were asked for so far."""
        return list(self._made.values())

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __iter__(self) -> Iterator[Key]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


def limit_blas() -> Any:
    """Keep BLAS on one thread: of this thread, or of the process, as the library has it."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, user_api="blas")


class _Shared:
    """A limit for the process that holds as long as anyone is inside.

    Only the thread that set the limit may lift it, and whoever comes first need not be the last
    to go; so a thread of its own holds it meanwhile.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._last_out = Event()
        self._holder = Thread()

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                held, self._last_out = Event(), Event()
                self._holder = Thread(target=_hold, args=(held, self._last_out), daemon=True)
                self._holder.start()
                held.wait()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._last_out.set()
                self._holder.join()


def _hold(held: Event, last_out: Event) -> None:
    try:
        with limit_blas():
            held.set()
            last_out.wait()
    finally:
        held.set()


ONE_BLAS_THREAD = _Shared()
"""Enter it round work that is itself done by several threads."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Progress:
    """Who looks on.

    Attributes:
        progress: Called in the caller's thread with the share done, in (0, 1].
        cancel: Set it to stop the work, which then raises EvalError "cancelled".
    """

    progress: Callable[[float], None] | None = None
    cancel: Event | None = None

    def check(self) -> None:
        """Raise EvalError if the work is to stop."""
        if self.cancel is not None and self.cancel.is_set():
            raise EvalError("cancelled", "The computation was stopped before it finished.")

    def report(self, share: float) -> None:
        """Tell how much is done."""
        if self.progress is not None:
            self.progress(share)


NO_PROGRESS = Progress()


def in_order(
    work: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    costs: Sequence[int],
    progress: Progress,
) -> Generator[Result, None, None]:
    """Yield the result of each piece, in order, so that sums do not depend on the threads.

    `costs` are the sizes of the pieces, for the progress.
    """
    threads = os.cpu_count() or 1
    pool = ThreadPoolExecutor(threads, initializer=limit_blas)
    done = 0
    # The pool ends first: a thread that begins late would limit BLAS once more.
    with ONE_BLAS_THREAD:
        try:
            for cost, result in zip(costs, _ahead(pool, work, pieces, 2 * threads), strict=True):
                progress.check()
                yield result
                done += cost
                progress.report(done / sum(costs))
        finally:
            pool.shutdown(cancel_futures=True)


def _ahead(
    pool: ThreadPoolExecutor, work: Callable[[Piece], Result], pieces: Sequence[Piece], most: int
) -> Generator[Result, None, None]:
    """Yield the results in order, with at most so many pieces begun: an exit waits for those."""
    begun: deque[Future[Result]] = deque()
    for piece in pieces:
        begun.append(pool.submit(work, piece))
        if len(begun) >= most:
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()
