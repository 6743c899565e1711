"""One thread for BLAS while pieces of work run side by side.

Two layers of threads get in each other's way and take several times as long.
"""

from threading import Event, Lock, Thread
from typing import Any


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
