"""Questions to a class, and what its readers answer: in memory, for some hours, within bounds."""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite

from evalcore.errors import EvalError

MOST_POLLS, MOST_READERS = 200, 2_000
"""Questions that are kept, and readers of one: together some 40 MB at most."""
KEPT_SECONDS = 8 * 3600
"""A day of teaching; a question leaves so long after it was asked."""
LONGEST_QUESTION, LONGEST_CHOICE, MOST_CHOICES = 300, 80, 8
"""Letters and choices that a phone shows without scrolling far."""


@dataclass(frozen=True)
class Question:
    """A question to a class.

    Attributes:
        text: What is asked.
        choices: Answers to pick from; () where the answer is a number.
        low: The least number.
        high: The largest.
    """

    text: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < len(self.text.strip()) <= LONGEST_QUESTION:
            raise EvalError("poll", f"A question has 1 to {LONGEST_QUESTION} letters.")
        if self.choices:
            self._check_choices()
        elif not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise EvalError("poll", "The largest number must be above the least.")

    def _check_choices(self) -> None:
        if not 2 <= len(self.choices) <= MOST_CHOICES or len(set(self.choices)) < len(self.choices):
            raise EvalError("poll", f"Give 2 to {MOST_CHOICES} different answers, one a line.")
        if max(map(len, self.choices)) > LONGEST_CHOICE:
            raise EvalError("poll", f"An answer has at most {LONGEST_CHOICE} letters.")


@dataclass(eq=False)
class _Poll:
    question: Question
    teacher: str
    asked: float
    open: bool = True
    answers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A question under way.

    Attributes:
        question: The question.
        open: Whether answers are still taken.
        answers: One per reader, in the order in which they came: numbers, or places of choices.
    """

    question: Question
    open: bool
    answers: Sequence[float]


class Polls:
    """Questions by a short key, which the class has; only their teacher closes or removes them.

    Safe to share between threads. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._polls: OrderedDict[str, _Poll] = OrderedDict()

    def ask(self, question: Question) -> tuple[str, str]:
        """Ask a question; return its key, and what proves that one is its teacher."""
        key, teacher = secrets.token_hex(4), secrets.token_urlsafe(16)
        with self._lock:
            self._tidy()
            if len(self._polls) >= MOST_POLLS:
                self._polls.popitem(last=False)
            self._polls[key] = _Poll(question, teacher, self._clock())
        return key, teacher

    def asked(self, key: str) -> Asked | None:
        """Return a question with its answers; None where there is none (any more)."""
        with self._lock:
            self._tidy()
            poll = self._polls.get(key)
            return poll and Asked(poll.question, poll.open, tuple(poll.answers.values()))

    def is_teacher(self, key: str, teacher: str) -> bool:
        """Tell whether somebody asked the question."""
        poll = self._polls.get(key)
        return poll is not None and secrets.compare_digest(poll.teacher.encode(), teacher.encode())

    def answered(self, key: str, reader: str) -> float | None:
        """Return what a reader has answered; None before that."""
        poll = self._polls.get(key)
        return None if poll is None else poll.answers.get(reader)

    def answer(self, key: str, reader: str, value: float) -> None:
        """Take the answer of a reader, the first of each.

        Raises:
            EvalError: There is no such question, it is closed, has too many readers, or the answer
                is none.
        """
        with self._lock:
            self._tidy()
            poll = self._polls.get(key)
            if poll is None or not poll.open:
                raise EvalError("poll-closed", "This question takes no answers any more.")
            if not _fits(poll.question, value):
                raise EvalError("poll", "This is no answer to the question.")
            if reader not in poll.answers and len(poll.answers) >= MOST_READERS:
                raise EvalError("poll-full", f"{MOST_READERS:,} readers have answered already.")
            poll.answers.setdefault(reader, float(value))

    def close(self, key: str, teacher: str) -> None:
        """Take no more answers; nothing unless by the teacher."""
        if self.is_teacher(key, teacher):
            self._polls[key].open = False

    def remove(self, key: str, teacher: str) -> None:
        """Remove a question with its answers; nothing unless by the teacher."""
        with self._lock:
            if self.is_teacher(key, teacher):
                del self._polls[key]

    def _tidy(self) -> None:
        oldest = self._clock() - KEPT_SECONDS
        while self._polls and next(iter(self._polls.values())).asked < oldest:
            self._polls.popitem(last=False)


def _fits(question: Question, value: float) -> bool:
    if question.choices:
        return value in range(len(question.choices))
    return isfinite(value) and question.low <= value <= question.high
