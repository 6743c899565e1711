"""Numbers look in the browser as they look everywhere else; sentences say no more than is true."""

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page

from evalview import text
from evalview.figures import costs as figures

pytestmark = pytest.mark.browser
Load = Callable[..., Page]

SHARES = [0, 1, 1 / 3, 0.0004, 0.0005, 0.9994, 0.9995, 0.99951, 1e-9, 1 - 1e-12, 0.5, 0.8945]
HALVES = [odd / 2**power for power in range(1, 8) for odd in range(1, 2**power, 2)]
RANDOM = np.random.default_rng(0).random(500).tolist()
COUNTS = [0, 1, 999, 1000, 12345, 1e6, 123456789, 2.5, 0.25, 12.25, 1 / 3]


def test_shares_look_as_they_do_in_the_figures(module: Load) -> None:
    values = SHARES + HALVES + RANDOM
    shown = module("words").evaluate("(values) => values.map(number)", values)
    assert shown == [text.number(value) for value in values]
    shown = module("words").evaluate("(values) => values.map(percent)", values)
    assert shown == [text.percent(value) for value in values]


def test_counts_look_as_they_do_in_the_figures(module: Load) -> None:
    shown = module("words").evaluate("(values) => values.map(count)", COUNTS)
    assert shown == [text.count(value) for value in COUNTS]


def test_an_undefined_number_is_called_undefined(module: Load) -> None:
    assert module("words").evaluate("() => number(NaN)") == "undefined"


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [
        (551, 616, "9 of 10"),
        (616, 616, "all 616"),
        (0, 616, "none of 616"),
        (600, 616, "97 of 100"),
        (615, 616, "615 of 616"),
        (3, 616, "3 of 616"),
        (9, 10, "9 of 10"),
        (3, 7, "3 of 7"),
        (24, 25, "24 of 25"),
        (1, 5000, "1 of 5,000"),
    ],
)
def test_a_share_is_said_in_small_numbers_only_where_they_hide_nothing(
    part: int, whole: int, said: str, module: Load
) -> None:
    assert module("words").evaluate("([a, b]) => outOf(a, b)", [part, whole]) == said


HEADLINE = """([[tp, fp, fn, tn], positive]) => headline(
    { tp, fp, fn, tn }, { threshold: "0.34", model: "forest", positive })"""


@pytest.mark.parametrize(
    ("counts", "positive", "said"),
    [
        ((551, 570, 65, 2814), "fraud", "finds 9 of 10 fraud rows; 5 of 10 flagged are fraud"),
        (
            (9, 1, 0, 5),
            "1",
            "finds all 9 rows of class “1”; 9 of 10 flagged are of class “1”",
        ),
        (
            (9, 1, 0, 5),
            "class “8”",
            "finds all 9 rows of class “8”; 9 of 10 flagged are of class “8”",
        ),
        ((0, 0, 616, 90), "fraud", "flags nothing and misses all 616 fraud rows"),
        (
            (0, 7, 9, 0),
            "yes",
            "finds none of 9 rows of class “yes”; none of 7 flagged are of class “yes”",
        ),
        ((0, 7, 0, 90), "fraud", "flags 7 rows; there are no fraud rows"),
        ((4, 0, 0, 0), "<b>", "finds all 4 rows of class “<b>”; all 4 flagged are of class “<b>”"),
        (
            (0, 7, 9, 0),
            "churned = yes",
            "finds none of 9 rows with churned = yes; none of 7 flagged have churned = yes",
        ),
    ],
)
def test_the_headline_says_what_is_found_and_how_much_of_what_is_flagged_is_real(
    counts: tuple[int, ...], positive: str, said: str, module: Load
) -> None:
    assert module("words").evaluate(HEADLINE, [counts, positive]) == f"At 0.34, forest {said}"


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (
            (0.718, 0.829),
            "Of all fraud rows of this kind it would find 72% to 83% (95% interval). ",
        ),
        (
            (0.9951, 0.9994),
            "Of all fraud rows of this kind it would find about 100% (95% interval). ",
        ),
        ((), ""),
    ],
)
def test_below_the_headline_stands_how_sure_it_is(
    ends: tuple[float, ...], said: str, module: Load
) -> None:
    found = dict(zip(("low", "high"), ends, strict=False))
    data = {"classes": ["honest", "fraud"], "level": 0.95}
    shown = module("words").evaluate("([found, data]) => doubt(found, data)", [found, data])
    todo = "Lower the threshold to miss fewer, raise it for fewer false alarms."
    assert shown == said + todo


def test_cases_and_costs_of_a_day_look_as_they_do_on_the_tab_about_costs(module: Load) -> None:
    numbers = [0, 0.3, 0.5, 0.7, 1.5, 2.22, 2.5, 69.4, 1234.5, 1e6]
    assert module("words").evaluate("(values) => values.map(cases)", numbers) == [
        figures.cases(number) for number in numbers
    ]
    costs = [0, 0.3, 2.222, 9.99, 69.4, 1234.5, -3.5, -69.4]
    assert module("words").evaluate("(values) => values.map(money)", costs) == [
        figures.money(cost) for cost in costs
    ]


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ({}, "A day brings 500 alerts, 100 missed, cost 1,100"),
        (
            {"share": 0.01, "volume": 20000},
            "A day brings 4,120 alerts, 40 missed, cost 4,360",
        ),
        ({"fn": None}, "A day brings 500 alerts, 100 missed"),
        ({"tp": -1, "tn": 0.5}, "A day brings 500 alerts, 100 missed, cost 900"),
    ],
)
def test_a_day_by_hand(costs: dict[str, float | None], said: str, module: Load) -> None:
    counts = {"tp": 80, "fp": 20, "fn": 20, "tn": 80}
    given = {"tn": 0, "fp": 1, "fn": 10, "tp": 0, "share": None, "volume": 1000, **costs}
    shown = module("words").evaluate("([c, g]) => day(c, g)", [counts, given])
    assert shown == said
