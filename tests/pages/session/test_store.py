"""Uploads are found by their token alone; samples by their names; nothing by a path."""

import pytest

from evalcore.errors import EvalError
from evalread.dataset import NO_CHOICES, Choices
from pages.session import reading, store

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
