"""A cache keeps within its bounds, and makes a value once."""

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from pathlib import Path

import numpy as np
import pytest

from evalcore.work import OnDemand
from pages.session import cache as cache_module
from pages.session.cache import (
    BUDGET,
    BoundedCache,
    Budget,
    cached,
    clear,
    forget,
    part_of,
    size_of,
)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> BoundedCache[str]:
    return BoundedCache(limit_bytes=100, limit_count=3, idle_seconds=60, clock=clock)


def test_what_is_put_can_be_got_until_it_is_removed(cache: BoundedCache[str]) -> None:
    cache.put("a", "value", 10)
    assert cache.get("a") == "value"
    cache.remove(lambda key: key == "a")
    assert cache.get("a") is None
    assert cache.total == 0


def test_the_least_recently_used_leaves_when_the_bytes_are_full(cache: BoundedCache[str]) -> None:
    cache.put("a", "A", 50)
    cache.put("b", "B", 50)
    cache.get("a")
    cache.put("c", "C", 50)
    assert [cache.get(key) for key in "abc"] == ["A", None, "C"]
    assert cache.total == 100


def test_the_least_recently_used_leaves_when_the_places_are_full(cache: BoundedCache[str]) -> None:
    for key in "abcd":
        cache.put(key, key, 1)
    assert [cache.get(key) for key in "abcd"] == [None, "b", "c", "d"]


def test_a_value_above_the_limit_stays_alone(cache: BoundedCache[str]) -> None:
    cache.put("a", "A", 10)
    cache.put("big", "B", 1000)
    assert cache.get("a") is None
    assert cache.get("big") == "B"


def test_the_unused_leave_in_time_and_use_keeps_them(
    cache: BoundedCache[str], clock: Clock
) -> None:
    cache.put("a", "A", 1)
    cache.put("b", "B", 1)
    clock.now = 40
    cache.get("a")
    clock.now = 80
    assert cache.get("b") is None
    assert cache.get("a") == "A"


def test_putting_again_replaces(cache: BoundedCache[str]) -> None:
    cache.put("a", "old", 60)
    cache.put("a", "new", 30)
    assert cache.get("a") == "new"
    assert cache.total == 30


def test_several_threads_make_a_value_once(cache: BoundedCache[str]) -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        time.sleep(0.05)
        return "made"

    def ask() -> None:
        assert cache.get_or_make("a", make, len) == "made"

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_failure_is_told_and_the_next_may_try_again(cache: BoundedCache[str]) -> None:
    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get_or_make("a", fail, len)
    assert cache.get_or_make("a", lambda: "made", len) == "made"


def test_a_value_removed_while_it_is_made_is_given_but_not_kept(cache: BoundedCache[str]) -> None:
    def make() -> str:
        cache.remove(lambda key: key == "a")
        return "made"

    assert cache.get_or_make("a", make, len) == "made"
    assert cache.get("a") is None


class Left(BaseException):
    """What ends a script whose reader has left."""


class Endless:
    """Work that goes on until it is stopped, or told that it is done."""

    def __init__(self) -> None:
        self.begun = self.going = 0
        self.done = threading.Event()

    def __call__(self) -> str:
        self.begun += 1
        self.going += 1
        try:
            while not self.done.is_set():
                time.sleep(0.001)
        finally:
            self.going -= 1
        return "made"


class Script:
    """A script that waits for a value, until it has it or its reader leaves."""

    def __init__(self, cache: BoundedCache[str], work: Callable[[], str]) -> None:
        self.has_left = False
        self.got: object = None
        self._ask = partial(cache.get_or_make, "a", work, len)
        self.thread = threading.Thread(target=self._run)
        self.thread.scripted = self  # type: ignore[attr-defined]
        self.thread.start()

    def _run(self) -> None:
        try:
            self.got = self._ask()
        except Left:
            self.got = Left

    def leave(self) -> None:
        self.has_left = True
        self.thread.join()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let scripts notice at once that their reader has left, and work stop soon after."""

    def let_through() -> None:
        script = getattr(threading.current_thread(), "scripted", None)  # None: the test itself
        if script is not None and script.has_left:
            raise Left

    monkeypatch.setattr(cache_module, "let_through", let_through)
    monkeypatch.setattr(cache_module, "LOOK_SECONDS", 0.002)
    monkeypatch.setattr(cache_module, "RETURN_SECONDS", 0.05)


@pytest.mark.usefixtures("quick")
def test_work_stops_when_its_only_reader_has_left(cache: BoundedCache[str]) -> None:
    work = Endless()
    script = Script(cache, work)
    until(lambda: work.going == 1)
    script.leave()
    until(lambda: work.going == 0)
    assert script.got is Left
    assert cache.get("a") is None
    # And whoever asks again is given the whole.
    work.done.set()
    assert cache.get_or_make("a", work, len) == "made"
    assert work.begun == 2


@pytest.mark.usefixtures("quick")
def test_work_is_not_stopped_amid_an_import_of_which_others_would_be_given_half(
    cache: BoundedCache[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "import time\nfor _ in range(300):\n    time.sleep(0.001)\nwhole = True\n"
    (tmp_path / "slow_to_import.py").write_text(body, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    work = Endless()

    def imported() -> str:
        import_module("slow_to_import")
        return work()

    script = Script(cache, imported)
    until(lambda: "slow_to_import" in sys.modules)
    script.leave()
    # As a page does that needs the module at the same time; a statement, which `import_module` is
    # not, is given what there is once the import has ended.
    exec("from slow_to_import import whole", {})
    until(lambda: work.begun == 1 and work.going == 0)
    assert cache.get("a") is None


@pytest.mark.usefixtures("quick")
def test_work_goes_on_for_a_second_reader_when_the_first_leaves(cache: BoundedCache[str]) -> None:
    work = Endless()
    first, second = Script(cache, work), Script(cache, work)
    until(lambda: work.going == 1)
    first.leave()
    time.sleep(0.2)
    assert work.going == 1
    work.done.set()
    second.thread.join()
    assert (first.got, second.got, work.begun) == (Left, "made", 1)


@pytest.mark.usefixtures("quick")
def test_a_reader_who_comes_back_at_once_finds_the_work_where_it_was(
    cache: BoundedCache[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "RETURN_SECONDS", 0.5)
    work = Endless()
    script = Script(cache, work)
    until(lambda: work.going == 1)
    script.leave()
    again = Script(cache, work)
    time.sleep(0.7)
    work.done.set()
    again.thread.join()
    assert (again.got, work.begun) == ("made", 1)


@dataclass(frozen=True, eq=False)
class Data:
    """Stands for a data set: two of one digest hold the same."""

    digest: str


class Work:
    """A cached function that counts how often it works."""

    def __init__(self, entries: int = 10) -> None:
        self.done: list[tuple[str, float]] = []

        @cached(entries=entries)
        def work(data: Data, threshold: float = 0.5) -> tuple[str, float] | None:
            time.sleep(0.01)
            if threshold < 0:
                raise ValueError("no")
            self.done.append((data.digest, threshold))
            return None if threshold > 1 else (data.digest, threshold)

        self.ask = work


def test_a_cached_function_tells_whether_a_result_is_there_without_making_it() -> None:
    work = Work()
    assert not work.ask.has(Data("a"))
    assert work.done == []
    work.ask(Data("a"))
    assert work.ask.has(threshold=0.5, data=Data("a"))
    assert not work.ask.has(Data("a"), 0.25)
    forget("a")
    assert not work.ask.has(Data("a"))


def test_a_result_is_made_once_per_digest_and_arguments_however_these_are_given() -> None:
    work = Work()
    first = work.ask(Data("a"))
    assert first == ("a", 0.5)
    assert work.ask(Data("a"), 0.5) is first
    assert work.ask(threshold=0.5, data=Data("a")) is first
    assert work.ask(Data("a"), 0.25) == ("a", 0.25)
    assert work.ask(Data("b")) == ("b", 0.5)
    assert len(work.done) == 3


def test_a_result_of_none_is_kept_too() -> None:
    work = Work()
    assert [work.ask(Data("a"), 2.0) for _ in range(3)] == [None, None, None]
    assert len(work.done) == 1


def test_two_functions_keep_their_own_results() -> None:
    one, other = Work(), Work()
    one.ask(Data("a"))
    other.ask(Data("a"))
    assert (len(one.done), len(other.done)) == (1, 1)


def test_only_the_last_results_are_kept() -> None:
    work = Work(entries=2)
    for digest in "abcba":
        work.ask(Data(digest))
    assert [digest for digest, _ in work.done] == ["a", "b", "c", "a"]


def test_forgetting_a_data_set_drops_what_is_about_it_and_its_parts_alone() -> None:
    work = Work()
    about = [Data("a"), Data(part_of("a", "class 1")), Data("ab"), Data("b")]
    for data in about:
        work.ask(data)
    forget("a")
    work.done.clear()
    for data in about:
        work.ask(data)
    assert [digest for digest, _ in work.done] == ["a", part_of("a", "class 1")]


def test_clearing_drops_every_result() -> None:
    work = Work()
    work.ask(Data("a"))
    clear()
    work.ask(Data("a"))
    assert len(work.done) == 2


def test_readers_at_the_same_time_wait_for_one_computation() -> None:
    work = Work()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: work.ask(Data("a")), range(40)))
    assert len(work.done) == 1
    assert all(one is found[0] for one in found)


def test_readers_of_different_data_do_not_wait_for_each_other() -> None:
    both = threading.Barrier(2, timeout=20)

    @cached(entries=10)
    def meet(data: Data) -> int:
        return both.wait()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(meet, (Data("a"), Data("b")))) == [0, 1]


def test_a_failure_is_not_kept() -> None:
    work = Work()
    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            work.ask(Data("a"), -1.0)
    assert work.done == []


def test_an_argument_that_is_not_plain_is_refused() -> None:
    @cached(entries=10)
    def of_list(values: list[int]) -> int:
        return sum(values)

    with pytest.raises(TypeError, match="unhashable"):
        of_list([1, 2])


def test_caches_that_share_a_budget_drop_what_was_unused_for_longest(clock: Clock) -> None:
    budget = Budget(100)
    first, second = (
        BoundedCache(limit_bytes=inf, limit_count=9, idle_seconds=60, clock=clock, budget=budget)
        for _ in range(2)
    )
    first.put("a", "A", 40)
    clock.now += 1
    second.put("b", "B", 40)
    clock.now += 1
    first.get("a")
    clock.now += 1
    first.put("c", "C", 40)
    assert (first.get("a"), second.get("b"), first.get("c")) == ("A", None, "C")
    assert budget.total == 80


def test_what_lies_outside_of_the_caches_counts_too(clock: Clock) -> None:
    budget = Budget(100, outside=lambda: 50)
    made = BoundedCache(limit_bytes=inf, limit_count=9, idle_seconds=60, clock=clock, budget=budget)
    made.put("a", "A", 40)
    made.put("b", "B", 40)
    assert (made.get("a"), made.get("b")) == (None, "B")


def test_results_count_for_the_bytes_of_their_arrays() -> None:
    array = np.zeros(10_000)

    @cached(entries=2)
    def twice(name: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        return {name: (array, array)}

    before = BUDGET.total
    twice("a")
    assert 80_000 <= BUDGET.total - before < 90_000
    clear()


def test_what_nobody_asked_for_is_not_made_to_be_measured() -> None:
    made: list[str] = []

    def numbers(name: str) -> np.ndarray:
        made.append(name)
        return np.zeros(1000)

    values = OnDemand({name: partial(numbers, name) for name in "abc"})
    nothing = size_of(values)
    assert not made
    assert len(values["b"]) == 1000
    assert size_of(values) == nothing + 8000
    assert made == ["b"]
