"""Questions to a class: one answer of each reader, within bounds, for some hours."""

import threading
from collections import OrderedDict

import pytest

from evalcore.errors import EvalError
from evalview.course import polls
from evalview.course.polls import Classes, Polls, Question

NUMBER = Question("Which threshold?", low=0, high=1)
CHOICE = Question("True or false?", ("True", "False"))


def test_each_reader_answers_once() -> None:
    made = Polls()
    key, _ = made.ask(NUMBER)
    made.answer(key, "a", 0.3)
    made.answer(key, "b", 0.5)
    made.answer(key, "a", 0.9)
    found = made.asked(key)
    assert found is not None
    assert list(found.answers) == [0.3, 0.5]
    assert made.answered(key, "a") == 0.3
    assert made.answered(key, "c") is None


@pytest.mark.parametrize(
    ("question", "value"),
    [(NUMBER, -0.1), (NUMBER, 1.1), (NUMBER, float("nan")), (CHOICE, 2), (CHOICE, 0.5)],
)
def test_what_is_no_answer_is_refused(question: Question, value: float) -> None:
    made = Polls()
    key, _ = made.ask(question)
    with pytest.raises(EvalError):
        made.answer(key, "a", value)
    assert made.asked(key).answers == ()


def test_only_the_teacher_closes_and_removes() -> None:
    made = Polls()
    key, teacher = made.ask(CHOICE)
    for stranger in ("", "x", "é"):
        made.close(key, stranger)
        made.remove(key, stranger)
    assert made.asked(key).open
    made.close(key, teacher)
    with pytest.raises(EvalError, match="no longer takes answers"):
        made.answer(key, "a", 1)
    made.remove(key, teacher)
    assert made.asked(key) is None


class _Removed(OrderedDict):
    """What has gone as soon as one has seen it, as where another thread removes it."""

    def get(self, key: str) -> object:
        return self.pop(key, None)


@pytest.mark.parametrize("change", ["close", "show"])
def test_who_changes_what_is_removed_meanwhile_changes_nothing(change: str) -> None:
    made = Polls()
    key, teacher = made.ask(CHOICE)
    made._kept = _Removed(made._kept)
    getattr(made, change)(key, teacher)
    assert made.asked(key) is None
    classes = Classes()
    key, teacher = classes.begin()
    classes._kept = _Removed(classes._kept)
    classes.show(key, teacher, "lesson")
    assert classes.shown(key) is None


def test_a_question_leaves_after_some_hours_and_the_oldest_when_there_are_many() -> None:
    now = [0.0]
    made = Polls(lambda: now[0])
    first, _ = made.ask(NUMBER)
    now[0] = polls.KEPT_SECONDS + 1
    assert made.asked(first) is None
    keys = [made.ask(NUMBER)[0] for _ in range(polls.MOST_POLLS + 1)]
    assert made.asked(keys[0]) is None
    assert made.asked(keys[1]) is not None


def test_no_more_readers_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polls, "MOST_READERS", 2)
    made = Polls()
    key, _ = made.ask(NUMBER)
    made.answer(key, "a", 0)
    made.answer(key, "b", 0)
    with pytest.raises(EvalError, match="have answered"):
        made.answer(key, "c", 0)


def test_many_threads_lose_no_answer() -> None:
    made = Polls()
    key, _ = made.ask(NUMBER)
    threads = [
        threading.Thread(target=lambda at=at: made.answer(key, f"r{at}", at / 300))
        for at in range(300)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made.asked(key).answers) == 300


@pytest.mark.parametrize(
    "given",
    [
        {"text": " "},
        {"text": "x" * 301},
        {"text": "x", "choices": ("a",)},
        {"text": "x", "choices": ("a", "a")},
        {"text": "x", "choices": ("a", "b" * 81)},
        {"text": "x", "low": 1.0, "high": 1.0},
        {"text": "x", "high": float("inf")},
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(given: dict[str, object]) -> None:
    with pytest.raises(EvalError):
        Question(**given)
