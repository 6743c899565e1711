import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import numpy as np  # noqa: F401 - brings its BLAS
import pytest
from threadpoolctl import threadpool_info

from evalcore.work import NO_PROGRESS, Progress, in_order


def blas_threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_results_come_in_the_order_of_their_pieces() -> None:
    assert list(in_order(lambda piece: piece**2, range(50), [1] * 50, NO_PROGRESS)) == [
        piece**2 for piece in range(50)
    ]


def test_progress_is_the_share_of_the_costs() -> None:
    seen: list[float] = []
    list(in_order(str, range(3), [3, 2, 1], Progress(seen.append)))
    assert seen == pytest.approx([3 / 6, 5 / 6, 1])


@pytest.mark.skipif(blas_threads() == {1}, reason="BLAS has one thread only, as it is")
def test_blas_stays_on_one_thread_until_the_last_one_is_done() -> None:
    before = blas_threads()
    both_in = threading.Barrier(2, timeout=30)
    first_out = threading.Event()

    def enter() -> Generator[int, None, None]:
        work = in_order(lambda _: both_in.wait(), [0], [1], NO_PROGRESS)
        next(work)
        return work

    def first() -> None:
        enter().close()

    def second() -> set[int]:
        work = enter()
        first_out.wait(30)
        inside = blas_threads()
        work.close()
        return inside

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(first), pool.submit(second)
        one.result()
        first_out.set()
        assert other.result() == {1}
    assert blas_threads() == before


def test_an_error_of_the_onlooker_ends_the_work_at_once() -> None:
    done: list[int] = []

    def fail(_: float) -> None:
        raise KeyError("the page is gone")

    before = blas_threads()
    with pytest.raises(KeyError):
        list(in_order(done.append, range(10_000), [1] * 10_000, Progress(fail)))
    assert len(done) < 10_000
    assert blas_threads() == before
