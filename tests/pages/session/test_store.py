"""Uploads are found by their token alone; samples by their names; nothing by a path."""

import gc
import sys
import time
import weakref

import pytest

from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from evalread.worker import client
from pages.session import cache, reading, store
from tests.pages.conftest import Opened, go

FILE = ("a.csv", b"truth,score\n1,0.9\n0,0.2\n1,0.7\n")


def test_what_is_kept_is_found_by_its_token_until_it_is_forgotten() -> None:
    token = store.keep([FILE])
    assert store.files(token) == (FILE,)
    store.forget(token)
    assert store.files(token) is None


def test_the_same_file_twice_has_two_tokens() -> None:
    assert store.keep([FILE]) != store.keep([FILE])


@pytest.mark.parametrize("token", ["", "sample-", "sample-../samples.json", "../a.csv", "\0"])
def test_no_token_is_a_path(token: str) -> None:
    assert store.files(token) is None


def test_every_sample_that_is_offered_is_there() -> None:
    assert store.samples()
    for sample in store.samples():
        ((name, content),) = store.files(sample.token) or ()
        assert name == sample.file
        assert content.count(b"\n") == sample.rows + 1


def test_more_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.st, "get_option", lambda name: 0)
    with pytest.raises(EvalError, match="can be uploaded at once"):
        store.keep([FILE])


def test_a_reading_is_made_once_and_forgotten_with_its_files() -> None:
    token = store.keep([FILE])
    first = reading.reading(token, NO_CHOICES)
    assert first.dataset is not None
    assert reading.reading(token, NO_CHOICES) is first
    reading.forget(token)
    assert reading.reading(token, NO_CHOICES) is not first


def test_another_role_does_not_read_the_cells_again() -> None:
    token = store.keep([FILE])
    plain = reading.reading(token, NO_CHOICES)
    turned = reading.reading(token, Choices(positive="0"))
    assert turned.table is plain.table
    assert turned.dataset is not None
    assert turned.dataset.roles.positive == "0"


def test_choices_that_do_not_fit_leave_the_cells_readable() -> None:
    found = reading.reading(store.keep([FILE]), Choices(truth="no such column"))
    assert found.dataset is None
    assert found.table is not None
    assert found.problem is not None
    assert found.problem.code == "no-such-column"


def test_data_that_are_gone_are_a_sentence() -> None:
    found = reading.reading("no such token", NO_CHOICES)
    assert found.problem is not None
    assert "no longer here" in found.problem.message


ROWS = b"truth,score\n" + b"yes,0.75\nno,0.25\n" * 50_000


def test_what_is_deleted_is_gone_from_every_cache(uploaded: Opened) -> None:
    data = bytearray(ROWS)  # a copy of its own, whose users can be counted
    content = bytes(data)
    users = sys.getrefcount(content)
    at = uploaded("overview", "a.csv", content)
    token = at.session_state["view"].data
    found = reading.reading(token, NO_CHOICES)
    turned = reading.reading(token, Choices(positive="no"))
    held = [weakref.ref(one) for one in (found, found.table, found.dataset, turned.dataset)]
    del found, turned
    go(at, "start")
    next(button for button in at.button if button.label == "Delete now").click().run()
    gc.collect()
    assert store.files(token) is None
    assert [one() for one in held] == [None] * 4
    assert sys.getrefcount(content) == users


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server with memory for few files, which one reader may fill by a quarter."""
    monkeypatch.setattr(cache.BUDGET, "limit", 1000.0)
    monkeypatch.setattr(client, "memory", lambda: 0)
    monkeypatch.setattr(store, "_owner", lambda: ("reader", "10.0.0.1"))


def keep(size: int) -> str:
    return store.keep([("a.csv", b"x" * size)])


@pytest.mark.usefixtures("small")
def test_of_one_readers_uploads_the_least_used_goes_first() -> None:
    first, second = keep(120), keep(120)
    store.files(first)
    third = keep(120)
    assert store.files(second) is None
    assert store.files(first) is not None
    assert store.files(third) is not None


@pytest.mark.usefixtures("small")
def test_an_upload_beyond_a_readers_share_is_refused_in_a_sentence() -> None:
    with pytest.raises(EvalError, match="Your open files fill the memory") as told:
        keep(251)
    assert told.value.code == "full"


@pytest.mark.usefixtures("small")
def test_files_in_use_are_not_taken_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for number in range(2):
        monkeypatch.setattr(store, "_owner", lambda at=number: (f"reader {at}", f"10.0.0.{at}"))
        kept.append(keep(240))
    monkeypatch.setattr(store, "_owner", lambda: ("one more", "10.0.0.9"))
    with pytest.raises(EvalError, match="Files that others use fill the memory"):
        keep(100)
    monkeypatch.setattr(store, "IN_USE_SECONDS", 0)
    keep(100)
    assert [store.files(token) is None for token in kept] == [True, False]


@pytest.mark.usefixtures("small")
def test_readers_of_one_network_address_share_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(200)
    monkeypatch.setattr(store, "_owner", lambda: ("another", "10.0.0.1"))
    with pytest.raises(EvalError, match="Files from your network address"):
        keep(200)


@pytest.mark.usefixtures("small")
def test_who_leaves_keeps_the_last_file_and_a_small_share_beside_it() -> None:
    large, one, other, last = (keep(size) for size in (90, 10, 5, 100))
    store.shrink_left(set(), unused=60)
    assert store.files(large), "a file that was used just now stays"
    for token in (one, other, last):
        store.files(token)  # so that the large one is the least used
    store.shrink_left(set(), unused=0)
    assert [store.files(token) is None for token in (large, one, other, last)] == [1, 0, 0, 0]
    assert cache.BUDGET.dropped, "its memory goes back to the system"


@pytest.mark.usefixtures("small")
def test_a_file_that_another_reader_looks_at_stays_when_its_owner_leaves() -> None:
    shared, old, last = keep(90), keep(80), keep(60)
    store.shrink_left({shared}, unused=0)
    assert [store.files(token) is None for token in (shared, old, last)] == [0, 1, 0]


@pytest.mark.usefixtures("small")
def test_who_is_there_keeps_all_files(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [keep(80), keep(80)]
    monkeypatch.setattr(store, "is_here", lambda session: session == "reader")
    store.shrink_left(set(), unused=0)
    assert all(map(store.files, kept))


def test_what_can_be_made_anew_goes_when_its_reader_has_left() -> None:
    token = store.keep([FILE])
    reading.reading(token, NO_CHOICES)
    now = time.monotonic()
    reading.tidy(now)
    assert token in reading.tokens()
    reading.tidy(now + reading.LEFT_SECONDS + 1)
    assert token not in reading.tokens()
    assert reading.reading(token, NO_CHOICES).dataset is not None


@pytest.mark.skipif(not client.AVAILABLE, reason="this system cannot fork")
def test_reading_stops_when_its_reader_has_left() -> None:
    token = store.keep([("long.jsonl", b'{"truth": 1, "score": 0.75}\n' * 3_000_000)])
    reading.begin(token)
    while token not in reading.tokens():
        assert reading.busy(token)
        time.sleep(0.01)
    reading.tidy(time.monotonic() + reading.LEFT_SECONDS + 1)
    reading.busy(token, patience=60)
    assert token not in reading.tokens()
    assert store.files(token) is not None
    store.forget(token)
