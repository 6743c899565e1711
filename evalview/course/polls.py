"""Questions to a class, what its readers answer, and which answers its teacher has shown.

All of it is kept in memory, for some hours, within bounds.
"""

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Generic, TypeVar

from evalcore.errors import EvalError

MOST_POLLS, MOST_READERS = 200, 2_000
"""Questions that are kept, and readers of one: together some 40 MB at most."""
KEPT_SECONDS = 8 * 3600
"""A day of teaching; a question leaves so long after it was asked."""
LONGEST_QUESTION, LONGEST_CHOICE, MOST_CHOICES, LONGEST_ANSWER = 300, 80, 8, 600
"""Letters and choices that a phone shows without scrolling far."""


@dataclass(frozen=True)
class Question:
    """A question to a class.

    Attributes:
        text: What is asked.
        choices: Answers to pick from; () where the answer is a number.
        low: The least number.
        high: The largest.
        right: What is right, which the class sees once its teacher shows it; "" for nothing.
    """

    text: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    right: str = ""

    def __post_init__(self) -> None:
        if not 0 < len(self.text.strip()) <= LONGEST_QUESTION:
            raise EvalError("poll", f"A question has 1 to {LONGEST_QUESTION} characters.")
        if len(self.right) > LONGEST_ANSWER:
            raise EvalError("poll", f"The right answer has at most {LONGEST_ANSWER} characters.")
        if self.choices:
            self._check_choices()
        elif not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise EvalError("poll", "The largest number must be above the least.")

    def _check_choices(self) -> None:
        if not 2 <= len(self.choices) <= MOST_CHOICES or len(set(self.choices)) < len(self.choices):
            raise EvalError("poll", f"Give 2 to {MOST_CHOICES} different answers, one per line.")
        if max(map(len, self.choices)) > LONGEST_CHOICE:
            raise EvalError("poll", f"An answer has at most {LONGEST_CHOICE} characters.")


@dataclass(eq=False)
class _Kept:
    """What a teacher began at a moment, and alone may change."""

    teacher: str
    began: float


@dataclass(eq=False)
class _Poll(_Kept):
    question: Question
    open: bool = True
    shown: bool = False
    answers: dict[str, float] = field(default_factory=dict)


@dataclass(eq=False)
class _Class(_Kept):
    shown: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Asked:
    """A question under way.

    Attributes:
        question: The question.
        open: Whether answers are still taken.
        shown: Whether its teacher shows what is right.
        answers: One per reader, in the order in which they came: numbers, or places of choices.
    """

    question: Question
    open: bool
    shown: bool
    answers: Sequence[float]


K = TypeVar("K", bound=_Kept)


class _Room(Generic[K]):
    """What teachers began, by a short key that their class has.

    Safe to share between threads. `clock` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._kept: OrderedDict[str, K] = OrderedDict()

    def is_teacher(self, key: str, teacher: str) -> bool:
        """Return whether somebody began what has this key."""
        return self._own(key, teacher) is not None

    def _own(self, key: str, teacher: str) -> K | None:
        """Return what has this key, to who began it: another thread may remove it meanwhile."""
        kept = self._kept.get(key)
        is_own = kept and secrets.compare_digest(kept.teacher.encode(), teacher.encode())
        return kept if is_own else None

    def _begin(self, make: Callable[[str, float], K]) -> tuple[str, str]:
        key, teacher = secrets.token_hex(4), secrets.token_urlsafe(16)
        with self._lock:
            self._tidy()
            if len(self._kept) >= MOST_POLLS:
                self._kept.popitem(last=False)
            self._kept[key] = make(teacher, self._clock())
        return key, teacher

    def _tidy(self) -> None:
        oldest = self._clock() - KEPT_SECONDS
        while self._kept and next(iter(self._kept.values())).began < oldest:
            self._kept.popitem(last=False)


class Classes(_Room[_Class]):
    """Classes that see the answers of lessons once their teacher shows them."""

    def begin(self) -> tuple[str, str]:
        """Begin a class; return its key, and what proves that one is its teacher."""
        return self._begin(_Class)

    def shown(self, key: str) -> frozenset[str] | None:
        """Return the lessons whose answers a class sees; None where there is no such class."""
        with self._lock:
            self._tidy()
            kept = self._kept.get(key)
            return None if kept is None else frozenset(kept.shown)

    def show(self, key: str, teacher: str, lesson: str, *, wanted: bool = True) -> None:
        """Show the answer of a lesson, or hide it again; nothing unless by the teacher."""
        with self._lock:
            if (own := self._own(key, teacher)) is not None:
                (own.shown.add if wanted else own.shown.discard)(lesson)


class Polls(_Room[_Poll]):
    """Questions; only their teacher closes or removes them, or shows what is right."""

    def ask(self, question: Question) -> tuple[str, str]:
        """Ask a question; return its key, and what proves that one is its teacher."""
        return self._begin(lambda teacher, now: _Poll(teacher, now, question))

    def asked(self, key: str) -> Asked | None:
        """Return a question with its answers; None where there is none (any more)."""
        with self._lock:
            self._tidy()
            poll = self._kept.get(key)
            if poll is None:
                return None
            return Asked(poll.question, poll.open, poll.shown, tuple(poll.answers.values()))

    def answered(self, key: str, reader: str) -> float | None:
        """Return what a reader has answered; None before that."""
        poll = self._kept.get(key)
        return None if poll is None else poll.answers.get(reader)

    def answer(self, key: str, reader: str, value: float) -> None:
        """Take the answer of a reader, the first of each.

        Raises:
            EvalError: There is no such question, it is closed, has too many readers, or the answer
                is none.
        """
        with self._lock:
            self._tidy()
            poll = self._kept.get(key)
            if poll is None or not poll.open:
                raise EvalError("poll-closed", "This question no longer takes answers.")
            if not _fits(poll.question, value):
                raise EvalError("poll", "This is not an answer to the question.")
            if reader not in poll.answers and len(poll.answers) >= MOST_READERS:
                raise EvalError("poll-full", f"{MOST_READERS:,} readers have answered already.")
            poll.answers.setdefault(reader, float(value))

    def close(self, key: str, teacher: str) -> None:
        """Stop taking answers; nothing unless by the teacher."""
        if (poll := self._own(key, teacher)) is not None:
            poll.open = False

    def show(self, key: str, teacher: str) -> None:
        """Show the right answer, and take no more answers; nothing unless by the teacher."""
        if (poll := self._own(key, teacher)) is not None:
            poll.open, poll.shown = False, True

    def remove(self, key: str, teacher: str) -> None:
        """Remove a question with its answers; nothing unless by the teacher."""
        with self._lock:
            if self.is_teacher(key, teacher):
                del self._kept[key]


def _fits(question: Question, value: float) -> bool:
    if question.choices:
        return value in range(len(question.choices))
    return isfinite(value) and question.low <= value <= question.high
