"""Lessons as data: one text file each, drawn by a stage or leading to a page of its own.

The state of a lesson is text of an address: key~value~key~value, lists joined by "_".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qs

from evalcore.metrics.vocabulary import Source, cite
from evalview.course.typed import LONGEST_NAME, MOST_CLASSES
from evalview.text import paragraph

HERE = Path(__file__).parent / "lessons"

PARTS = (
    "Counting right and wrong",
    "Ranking and thresholds",
    "Fitting and testing",
    "How sure",
    "Comparing models",
    "Numbers and clusters",
)
"""The parts of the course, in order."""


@dataclass(frozen=True)
class Setting:
    """Something that a reader of a lesson can move.

    Attributes:
        key: What the stage and the address call it.
        start: The values it begins with: one, unless it is a list, such as the cells of a matrix.
        low: The least value; `high` the largest.
        high: The largest value.
        step: From one value of its slider to the next; 0 where steps are shares of the value.
        options: The words that it is one of; () for numbers.
        label: What its slider or its buttons say; "" where the stage draws what moves it.
        form: How its value is written: "number", "percent" or "count"; "row" for a place among the
            rows; "words" for names that are typed, joined by "_".
        is_square: Whether its list is a square table, which may become larger or smaller; other
            lists keep their length.
    """

    key: str
    start: tuple[float | str, ...]
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    options: tuple[str, ...] = ()
    label: str = ""
    form: str = "number"
    is_square: bool = False

    @property
    def is_list(self) -> bool:
        """Whether it has several values."""
        return len(self.start) > 1


@dataclass(frozen=True)
class Link:
    """A way on: what is there, and an address, a state of the lesson, or what a word means."""

    text: str
    target: str = ""

    @property
    def page(self) -> str:
        """The page of the dashboard that it leads to."""
        return self.target.partition("?")[0]

    @property
    def params(self) -> Mapping[str, Sequence[str]]:
        """What the address says beside the page."""
        return parse_qs(self.target.partition("?")[2], keep_blank_values=True)


@dataclass(frozen=True)
class Notice:
    """Something to notice.

    Attributes:
        text: What it is; numbers of the stage in braces are those of the state that shows it.
        target: The state that shows it; "" for none: then it is so in every state.
        claim: What of it can be tested: a condition in JavaScript on the settings and the numbers
            of the stage; `start` has those that the lesson begins with, `at({...})` those of this
            state with other settings. It holds wherever settings stand that `target` does not name.
    """

    text: str
    target: str = ""
    claim: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes:
        key: Its address, and the name of its file.
        title: Its name.
        question: What it answers.
        order: Its place in the course.
        part: The part of the course.
        stage: The module that draws it; "" for a page of its own.
        show: What the stage shows of all that it can.
        data: The rows of samples that it needs, by their names in `rows.SAMPLES`.
        settings: What can be moved.
        words: Words that a reader may not know, each as its target what it means.
        notice: What to notice.
        check: A question.
        choices: Answers to it that a class picks from.
        answer: What is right.
        formula: Lines of formulas, with the names of the stage's numbers in braces.
        sources: Where it comes from.
        see: Where the same is seen on real data.
        concepts: Keys of the glossary's concepts and numbers that it is about.
        formerly: Parameters of addresses of earlier versions -> the setting that each has become;
            "" where there is nothing like it any more.
    """

    key: str
    title: str
    question: str
    order: int
    part: str
    stage: str = ""
    show: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    words: tuple[Link, ...] = ()
    notice: tuple[Notice, ...] = ()
    check: str = ""
    choices: tuple[str, ...] = ()
    answer: str = ""
    formula: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    see: tuple[Link, ...] = ()
    concepts: tuple[str, ...] = ()
    formerly: Mapping[str, str] = field(default_factory=dict, hash=False)


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return every lesson by its key, in the order of the course."""
    read = [_lesson(path) for path in HERE.glob("*.txt")]
    ordered = sorted(read, key=lambda one: (PARTS.index(one.part), one.order, one.key))
    return MappingProxyType({one.key: one for one in ordered})


def _lesson(path: Path) -> Lesson:
    head, *sections = re.split(r"^\[(?=\w+\]$)", path.read_text("utf-8").strip(), flags=re.M)
    title, said, _ = paragraph(head)
    parts = dict(_section(part) for part in sections)
    return Lesson(
        key=path.stem,
        title=title,
        question=said["question"],
        order=int(said["order"]),
        part=said["part"],
        stage=said.get("stage", ""),
        show=tuple(said.get("show", "").split()),
        data=tuple(said.get("data", "").split()),
        settings=tuple(map(_setting, parts.get("settings", ()))),
        words=tuple(map(_link, parts.get("words", ()))),
        notice=tuple(Notice(*line.split(" | ", 2)) for line in parts.get("notice", ())),
        check=" ".join(parts.get("check", ())),
        choices=tuple(parts.get("choices", ())),
        answer=" ".join(parts.get("answer", ())),
        formula=tuple(parts.get("formula", ())),
        sources=tuple(map(_source, parts.get("sources", ()))),
        see=tuple(map(_link, parts.get("see", ()))),
        concepts=tuple(said["concepts"].split(", ")) if "concepts" in said else (),
        formerly=MappingProxyType(dict(_former(one) for one in said.get("formerly", "").split())),
    )


def _section(text: str) -> tuple[str, list[str]]:
    name, _, body = text.partition("]\n")
    return name, [line for line in body.splitlines() if line]


def _link(line: str) -> Link:
    text, _, target = line.partition(" | ")
    return Link(text, target)


def _former(text: str) -> tuple[str, str]:
    name, _, key = text.partition("=")
    return name, key


def _source(line: str) -> Source:
    """Read a reference with its address, or the beginning of one that metrics have, too."""
    text, _, url = line.partition(" | ")
    return Source(text, url) if url else cite(text)


_NUMBERS = re.compile(
    r"(?P<square>square )?(?P<start>.+?) from (?P<low>\S+) to (?P<high>\S+)"
    r"(?: by (?P<step>\S+))?",
    re.DOTALL,
)


def _setting(line: str) -> Setting:
    """Read what can be moved: "key = 1 from 0 to 4 by 0.1 | label | form", or words.

    Those are "key = one of one, other | label", or "key = words" where they are typed.
    """
    said, *words = line.split(" | ")
    key, _, value = said.partition(" = ")
    label, form = [*words, "", ""][:2]
    if value == "words":
        return Setting(key, ("",), form=value)
    told = _NUMBERS.fullmatch(value)
    if told is None:
        start, _, options = value.partition(" of ")
        return Setting(key, (start,), options=tuple(options.split(", ")), label=label)
    step = told["step"] or "0"
    return Setting(
        key,
        tuple(map(float, told["start"].split())),
        float(told["low"]),
        float(told["high"]),
        0.0 if step == "shares" else float(step),
        label=label,
        form=form or "number",
        is_square=told["square"] is not None,
    )


LONGEST = 1000
"""Characters of a state; no lesson needs as many."""
SQUARES = {classes**2 for classes in range(2, MOST_CLASSES + 1)}

_WORDS = re.compile(rf"[^_]{{1,{LONGEST_NAME}}}(_[^_]{{1,{LONGEST_NAME}}}){{1,{MOST_CLASSES - 1}}}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def is_state(lesson: Lesson, text: str) -> bool:
    """Return whether a text says a state that the lesson can be in.

    >>> one = lessons()["densities"]
    >>> [is_state(one, text) for text in ("distance~2", "distance~99", "<b>~1", "distance")]
    [True, False, False, False]
    """
    parts = text.split("~")
    if len(text) > LONGEST or len(parts) % 2:
        return False
    known = {one.key: one for one in lesson.settings}
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    unique = len({key for key, _ in pairs}) == len(pairs)
    return unique and all(key in known and _fits(known[key], value) for key, value in pairs)


_NOW = {"true": "yes", "false": "no"}
"""How switches of earlier versions are said now."""


def from_former(lesson: Lesson, asked: Mapping[str, str]) -> str:
    """Return the state that parameters of an earlier version meant, without what there is no more.

    >>> from_former(lessons()["distances"], {"minkowski": "3", "standardise": "true"})
    'order~3~standardise~yes'
    """
    known = {one.key: one for one in lesson.settings}
    meant = {lesson.formerly[name]: _NOW.get(text, text) for name, text in asked.items()}
    fits = (key for key, value in meant.items() if key in known and _fits(known[key], value))
    return "~".join(f"{key}~{meant[key]}" for key in fits)


def _fits(setting: Setting, text: str) -> bool:
    if setting.options:
        return text in setting.options
    if setting.form == "words":
        return _WORDS.fullmatch(text) is not None
    values = text.split("_")
    if len(values) not in (SQUARES if setting.is_square else {len(setting.start)}):
        return False
    return all(
        _NUMBER.fullmatch(value) and setting.low <= float(value) <= setting.high for value in values
    )
