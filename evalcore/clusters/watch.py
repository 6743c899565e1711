"""Long work in pieces: several at once, reported as they end, and stopped on request."""

import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event
from typing import TypeVar

from evalcore.clusters.blas import ONE_BLAS_THREAD, limit_blas
from evalcore.errors import EvalError

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Watch:
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
            raise EvalError("cancelled", "The computation was stopped before it was done.")

    def report(self, share: float) -> None:
        """Tell how much is done."""
        if self.progress is not None:
            self.progress(share)


UNWATCHED = Watch()


def in_order(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], costs: Sequence[int], watch: Watch
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
                watch.check()
                yield result
                done += cost
                watch.report(done / sum(costs))
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
