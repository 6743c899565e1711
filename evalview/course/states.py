"""The state of a lesson as the text of an address: key~value~key~value, lists joined by "_"."""

import re
from collections.abc import Mapping

from evalview.course.lessons import Lesson, Setting
from evalview.course.typed import LONGEST_NAME, MOST_CLASSES

LONGEST = 1000
"""Characters of a state; no lesson needs as many."""
SQUARES = {classes**2 for classes in range(2, MOST_CLASSES + 1)}

_WORDS = re.compile(rf"[^_]{{1,{LONGEST_NAME}}}(_[^_]{{1,{LONGEST_NAME}}}){{1,{MOST_CLASSES - 1}}}")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def is_state(lesson: Lesson, text: str) -> bool:
    """Return whether a text says a state that the lesson can be in.

    >>> from evalview.course.lessons import lessons
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

    >>> from evalview.course.lessons import lessons
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
