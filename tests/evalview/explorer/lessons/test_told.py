"""What lessons say: claims hold wherever controls stand, formulas are right, symbols explained."""

import math
import re
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import pytest
from playwright.sync_api import Page

from evalview.course import rows
from evalview.course.lessons import Lesson, Setting, lessons
from evalview.explained.concepts import symbols_of
from tests.evalview.explorer.lessons.staging import NUMBERS, Load, start

pytestmark = pytest.mark.browser

DRAWN = [one for one in lessons().values() if one.stage]


def named(one: Lesson) -> str:
    return one.key


def places(setting: Setting) -> list[Any]:
    """Return values over the range of a setting: both ends, what lies between, every option."""
    low, high = setting.low, setting.high
    if setting.options:
        return list(setting.options)
    if setting.form == "words":
        return []
    if setting.is_list:
        many = len(setting.start)
        turned = [setting.start[at] for at in range(many - 1, -1, -1)]
        return [[low] * many, [high] * many, turned]
    middle = (low * high) ** 0.5 if low > 0 else (low + high) / 2
    step = setting.step or (1 if setting.form == "count" else 0)
    between = low + round((middle - low) / step) * step if step else middle
    seeds = [1, 2, 3, 4] if setting.key in ("seed", "deal") else []
    return [low, high, between, *seeds]


def walked(one: Lesson, fixed: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield states in which some settings are fixed and each other one goes over its range."""
    yield start(one, **fixed)
    for setting in one.settings:
        if setting.key not in fixed:
            for value in places(setting):
                yield start(one, **fixed) | {setting.key: value}


def read(one: Lesson, target: str) -> dict[str, Any]:
    """Return the settings that a state names, as the browser reads them."""
    parts, kinds = target.split("~"), {setting.key: setting for setting in one.settings}
    found: dict[str, Any] = {}
    for key, text in zip(parts[::2], parts[1::2], strict=False):
        setting = kinds[key]
        numbers = [float(value) for value in text.split("_")] if not setting.options else []
        found[key] = text if setting.options else numbers if setting.is_list else numbers[0]
    return found


# Symbols

LETTERS = """(lines) => lines.flatMap((line) => formula(line).nodes).flatMap((math) =>
    [...math.querySelectorAll("mi")].map((one) => one.textContent)
        .filter((text) => /^\\p{L}\\p{M}?$|^\\p{Lu}\\p{Lu}+$/u.test(text)))"""
"""The letters and abbreviations of formulas that stand for something."""


@pytest.mark.parametrize("one", lessons().values(), ids=named)
def test_every_symbol_of_a_formula_is_explained_below_it(one: Lesson, module: Load) -> None:
    page = module("formula")
    legend = symbols_of(one.key, one.formula)
    assert set(page.evaluate(LETTERS, list(one.formula))) <= set(
        page.evaluate(LETTERS, list(legend))
    )
    assert all(meaning and meaning[-1] != "." for meaning in legend.values())


# Formulas

MARKS = {"×": "*", "^": "**", "[": "((", "//": ")/(", "]": "))", "√(": "sqrt(", "½": "0.5*"}
KNOWN = {"sqrt": math.sqrt, "max": max, "min": min, "Φ": NormalDist().cdf}
PIECE = r"\[|//|\]|√\(|\{[^}]*\}|[×^½+\-*/(),]|\d*\.?\d+|max|min|Φ|\s+"


def valued(text: str, numbers: dict[str, Any]) -> float | None:
    """Return the value of a part of a formula that has numbers only; None for any other."""
    if re.sub(PIECE, "", text) or "{" not in text:
        return None
    written = re.sub(
        PIECE,
        lambda found: (
            f"({numbers[re.split('[:,%]', found[0][1:-1])[0]]!r})"
            if found[0].startswith("{")
            else MARKS.get(found[0], found[0])
        ),
        text,
    )
    try:
        return float(eval(written, {"__builtins__": {}}, KNOWN))  # the formula of a lesson
    except (ArithmeticError, TypeError, NameError, ValueError, SyntaxError):
        return None  # undefined, or text such as an infinite order


def chains(line: str) -> Iterator[list[str]]:
    """Yield the parts of a formula that are said to be equal."""
    depth, pieces = 0, [""]
    for sign in line:
        depth += (sign in "[(") - (sign in "])")
        if depth == 0 and sign in ",;":
            pieces.append("")
        else:
            pieces[-1] += sign
    yield from (re.split(r"\s=\s(?![^\[]*\])", piece) for piece in pieces)


@pytest.mark.parametrize("one", DRAWN, ids=named)
def test_what_a_formula_calls_equal_is_equal_wherever_controls_stand(
    one: Lesson, module: Load
) -> None:
    states = list(walked(one, {}))
    asked = [states, one.show, rows.data(one)]
    compared = 0
    for state, numbers in zip(states, module(one.stage).evaluate(NUMBERS, asked), strict=True):
        known = {k: math.nan if v == "NaN" else v for k, v in numbers.items()}
        for parts in (chain for line in one.formula for chain in chains(line)):
            values = [value for part in parts if (value := valued(part, known)) is not None]
            defined = [value for value in values if not math.isnan(value)]
            compared += len(defined) > 1
            for value in defined:
                assert value == pytest.approx(defined[-1], rel=1e-6, abs=1e-9), (parts, state)
    assert compared or not any("= [{" in line for line in one.formula)


# What to notice

HELD = """([states, show, data, claim, start]) => {
    const told = (state) => ({ ...state, ...numbers(state, new Set(show), data) });
    const holds = new Function("now", "more", `with (now) with (more) return (${claim});`);
    const begun = told(start);
    return states.filter((state) =>
        holds(told(state), { start: begun, at: (part) => told({ ...state, ...part }) }) !== true);
}"""


@pytest.mark.parametrize("one", DRAWN, ids=named)
def test_what_is_to_be_noticed_is_so_wherever_other_controls_stand(
    one: Lesson, module: Load
) -> None:
    page: Page = module(one.stage)
    for notice in one.notice:
        if notice.claim:
            states = list(walked(one, read(one, notice.target)))
            asked = [states, one.show, rows.data(one), notice.claim, start(one)]
            assert page.evaluate(HELD, asked) == [], notice.text


@pytest.mark.parametrize("one", DRAWN, ids=named)
def test_what_a_state_shows_is_claimed_and_its_numbers_are_defined(
    one: Lesson, module: Load
) -> None:
    for notice in one.notice:
        assert notice.claim or not notice.target, notice.text
        if asked := re.findall(r"\{(\w+)", notice.text):
            state = start(one, **read(one, notice.target))
            shown = [[state], one.show, rows.data(one)]
            [numbers] = module(one.stage).evaluate(NUMBERS, shown)
            assert all(math.isfinite(numbers[name]) for name in asked), notice.text
