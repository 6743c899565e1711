"""Which rows a slice holds, as a short rule that can be written, read back and used on any rows."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.errors import EvalError

_QUOTED, _PLAIN = r'"(?:[^"\\]|\\.)*"', r"[^\s;=<>\"](?:[^;=<>\"]*[^\s;=<>\"])?"
_TEXT = rf"({_QUOTED}|{_PLAIN})"
_BETWEEN = re.compile(rf"(?:{_TEXT} <= )?{_TEXT} (<|>=) {_TEXT}")
_EQUAL, _MISSING = re.compile(rf"{_TEXT} = {_TEXT}"), re.compile(rf"{_TEXT} is missing")
_ONE = re.compile(rf"(?:{_QUOTED}|[^\";])+")


@dataclass(frozen=True)
class Range:
    """Numbers from `low`, which is included, to below `high`; None where there is no end.

    `dated` says that they are seconds since 1970, and are written as dates.
    """

    low: float | None
    high: float | None
    dated: bool = False

    @property
    def ends(self) -> tuple[Any, Any]:
        """Both ends as a person writes them: numbers, or dates as text."""
        written = _date if self.dated else _plain
        return written(self.low), written(self.high)


Value = str | Range | None
"""What a column holds in a slice: a label, numbers from one to another, or nothing at all."""


@dataclass(frozen=True)
class Condition:
    """One column and what it holds.

    >>> Condition("age", Range(18, 25)).text, Condition("a;b", "x = y").text
    ('18 <= age < 25', '"a;b" = "x = y"')
    """

    column: str
    value: Value

    @property
    def text(self) -> str:
        """The condition as it is written into an address."""
        name = _written(self.column)
        if self.value is None:
            return f"{name} is missing"
        if isinstance(self.value, str):
            return f"{name} = {_written(self.value)}"
        low, high = self.value.ends
        if high is None:
            return f"{name} >= {low}"
        return f"{name} < {high}" if low is None else f"{low} <= {name} < {high}"


Rule = tuple[Condition, ...]
"""All of these hold; no condition at all is every row."""


def text_of(rule: Rule) -> str:
    """Return a rule as it is written.

    >>> text_of((Condition("region", "west"), Condition("age", Range(None, 30))))
    'region = west; age < 30'
    """
    return "; ".join(condition.text for condition in rule)


def parse(text: str) -> Rule:
    """Return the rule that a text says.

    Raises:
        EvalError: "bad-rule": a part of it is no condition.

    >>> parse("region = west; 18 <= age < 25")[1].value
    Range(low=18.0, high=25.0, dated=False)
    """
    return tuple(_condition(part.strip()) for part in _ONE.findall(text) if part.strip())


def where_of(rule: Rule) -> dict[str, Any]:
    """Return the rule as JSON has it: a label, null for missing, or both ends of a range."""
    return {
        one.column: list(one.value.ends) if isinstance(one.value, Range) else one.value
        for one in rule
    }


def _condition(text: str) -> Condition:
    if found := _EQUAL.fullmatch(text):
        return Condition(_read(found[1]), _read(found[2]))
    if found := _BETWEEN.fullmatch(text):
        first, name, sign, last = found.groups()
        if first is not None and sign == ">=":
            raise _no_rule(text)
        low, high = (last, None) if sign == ">=" else (first, last)
        return Condition(_read(name), _range(low, high, text))
    if found := _MISSING.fullmatch(text):
        return Condition(_read(found[1]), None)
    raise _no_rule(text)


def _range(low: str | None, high: str | None, text: str) -> Range:
    given = [None if end is None else _read(end) for end in (low, high)]
    for read, dated in ((float, False), (_seconds, True)):
        try:
            first, last = (None if end is None else read(end) for end in given)
        except ValueError:
            continue
        return Range(first, last, dated)
    raise _no_rule(text)


def _seconds(date: str) -> float:
    return float(np.datetime64(date, "s").astype(np.int64))


def _no_rule(text: str) -> EvalError:
    return EvalError(
        "bad-rule",
        f'"{text[:60]}" is not a rule. Write "column = value", "column < 30", "18 <= column < 25" '
        'or "column is missing", with ";" between two of them.',
    )


def _written(text: str) -> str:
    """Return a name or a label, in quotation marks where it could be read as something else."""
    if re.fullmatch(_PLAIN, text) and not text.endswith(" is missing") and text.isprintable():
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL) if text[:1] == '"' else text


def _plain(number: float | None) -> float | int | None:
    if number is None or not float(number).is_integer() or abs(number) > 1e15:
        return number
    return int(number)


def _date(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return str(np.datetime64(int(seconds), "s")).removesuffix("T00:00:00")
