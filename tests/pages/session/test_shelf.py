"""The shelf keeps within its bounds, and makes a value once."""

import threading
import time

import pytest

from pages.session.store import Shelf


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shelf(clock: Clock) -> Shelf[str]:
    return Shelf(limit_bytes=100, limit_count=3, idle_seconds=60, clock=clock)


def test_what_is_put_can_be_got_until_it_is_removed(shelf: Shelf[str]) -> None:
    shelf.put("a", "value", 10)
    assert shelf.get("a") == "value"
    shelf.remove(lambda key: key == "a")
    assert shelf.get("a") is None
    assert shelf.total == 0


def test_the_least_recently_used_leaves_when_the_bytes_are_full(shelf: Shelf[str]) -> None:
    shelf.put("a", "A", 50)
    shelf.put("b", "B", 50)
    shelf.get("a")
    shelf.put("c", "C", 50)
    assert [shelf.get(key) for key in "abc"] == ["A", None, "C"]
    assert shelf.total == 100


def test_the_least_recently_used_leaves_when_the_places_are_full(shelf: Shelf[str]) -> None:
    for key in "abcd":
        shelf.put(key, key, 1)
    assert [shelf.get(key) for key in "abcd"] == [None, "b", "c", "d"]


def test_a_value_above_the_limit_stays_alone(shelf: Shelf[str]) -> None:
    shelf.put("a", "A", 10)
    shelf.put("big", "B", 1000)
    assert shelf.get("a") is None
    assert shelf.get("big") == "B"


def test_the_unused_leave_in_time_and_use_keeps_them(shelf: Shelf[str], clock: Clock) -> None:
    shelf.put("a", "A", 1)
    shelf.put("b", "B", 1)
    clock.now = 40
    shelf.get("a")
    clock.now = 80
    assert shelf.get("b") is None
    assert shelf.get("a") == "A"


def test_putting_again_replaces(shelf: Shelf[str]) -> None:
    shelf.put("a", "old", 60)
    shelf.put("a", "new", 30)
    assert shelf.get("a") == "new"
    assert shelf.total == 30


def test_several_threads_make_a_value_once(shelf: Shelf[str]) -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        time.sleep(0.05)
        return "made"

    def ask() -> None:
        assert shelf.get_or_make("a", make, len) == "made"

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_failure_is_told_and_the_next_may_try_again(shelf: Shelf[str]) -> None:
    def fail() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        shelf.get_or_make("a", fail, len)
    assert shelf.get_or_make("a", lambda: "made", len) == "made"
