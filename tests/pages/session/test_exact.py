"""Silhouettes of every point on request: one at a time, stopped at once, kept when done."""

import threading
import time
import traceback
from collections.abc import Callable

import numpy as np
import pytest

from evalcore.clustering.points import Silhouette, silhouette
from evalcore.errors import EvalError
from evalcore.work import Progress
from pages.session.computed import RequestProgress, Requests, Work
from tests.evalcore.clustering.examples import blobs

KEY = ("digest", "k3")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def small(progress: Progress) -> Silhouette:
    return silhouette(blobs(200, 3), progress=progress)


def held(gate: threading.Event) -> Work:
    """Work that goes on until it is stopped or let go."""

    def work(progress: Progress) -> Silhouette:
        progress.report(0.5)
        while not gate.wait(0.005):
            progress.check()
        return small(progress)

    return work


@pytest.fixture
def gate() -> threading.Event:
    return threading.Event()


def test_a_result_is_that_of_every_point_and_found_by_all() -> None:
    requests = Requests()
    requests.begin("me", KEY, small)
    until(lambda: requests.found(KEY) is not None)
    until(lambda: requests.progress("me", KEY) is None)
    found = requests.found(KEY)
    assert found is not None
    np.testing.assert_array_equal(found.values, silhouette(blobs(200, 3)).values)


def test_what_has_failed_is_told_alike_to_each_reader() -> None:
    def fails(progress: Progress) -> None:
        raise EvalError("no-points", "There are no points.")

    requests = Requests()
    requests.begin("me", KEY, fails)
    until(lambda: requests.progress("me", KEY) is None)
    told = []
    for _ in range(3):
        with pytest.raises(EvalError, match="There are no points") as refused:
            requests.found(KEY)
        told.append([frame.name for frame in traceback.extract_tb(refused.value.__traceback__)])
    assert told[0][-1] == "fails"
    assert told[0] == told[1] == told[2]


def test_stopping_forgets_the_request_and_lets_it_begin_anew(gate: threading.Event) -> None:
    requests = Requests()
    requests.begin("me", KEY, held(gate))
    told = requests.progress("me", KEY)
    assert told is not None
    until(lambda: told.share == 0.5)
    requests.stop("me", KEY)
    assert requests.progress("me", KEY) is None
    requests.begin("me", KEY, small)
    until(lambda: requests.found(KEY) is not None)
    assert not gate.is_set()


def test_stopping_ones_own_leaves_those_of_others(gate: threading.Event) -> None:
    requests = Requests()
    requests.begin("me", KEY, held(gate))
    requests.begin("you", KEY, held(gate))
    requests.begin("you", ("other",), held(gate))
    requests.stop("you")
    assert requests.progress("you", KEY) is None
    assert requests.progress("me", KEY) is not None
    gate.set()
    until(lambda: requests.found(KEY) is not None)
    assert requests.found(("other",)) is None


def test_only_one_is_measured_at_a_time(gate: threading.Event) -> None:
    requests = Requests()
    requests.begin("me", KEY, held(gate))
    first = requests.progress("me", KEY)
    assert first is not None
    until(lambda: first.started is not None)
    requests.begin("you", ("other",), small)
    second = requests.progress("you", ("other",))
    assert second is not None
    assert (second.started, second.seconds_left(0)) == (None, None)
    gate.set()
    until(lambda: requests.found(("other",)) is not None)


def test_what_is_left_is_told_from_what_is_done() -> None:
    assert RequestProgress(share=0.25, started=100).seconds_left(now=110) == pytest.approx(30)
    assert RequestProgress(share=0.001, started=100).seconds_left(now=110) is None
