"""Worked examples: small data to work out by hand, each with the numbers to expect."""

from itertools import zip_longest
from urllib.parse import urlencode

import streamlit as st

from evalcore.metrics.metric import Estimate
from evalview import text
from evalview.course import examples
from evalview.course.examples import Example
from evalview.escape import html
from pages.widgets import guard, tables


def page() -> None:
    """Show every worked example: what it shows, where it opens, and the numbers to expect."""
    guard.headline(
        "Small examples to work out by hand",
        "Each opens from a permanent link, without a file. The expected numbers are computed here "
        "from the same rows; brackets: 95% intervals.",
    )
    # One piece of HTML: cards that come one by one would move those below them.
    cards = "".join(map(card, examples.examples().values()))
    st.html(f'<div class="eb-examples">{cards}</div>')


def card(one: Example) -> str:
    """Return a worked example as HTML; its name is the link to the page that shows it."""
    address = f"{one.page}?{urlencode(one.address, doseq=True)}"
    table = tables.text_table_html(rows(one), alt=f"Expected numbers: {one.name}")
    return (
        f'<section id="{html(one.key)}"><h2><a href="{html(address)}">{html(one.name)}</a></h2>'
        f"<p>{html(one.shows)}</p>{table}</section>"
    )


def rows(one: Example) -> list[dict[str, str]]:
    """Return the rows of the table: what a number is called, and its value in each column.

    A number of all models, as their difference, stands in the first column of them.
    """
    found = examples.numbers(one.key)
    most = max(found.values(), key=len)
    columns = ("value",) if len(most) == 1 else tuple(most)
    return [
        {"number": called} | dict(zip_longest(columns, map(written, values.values()), fillvalue=""))
        for called, values in found.items()
    ]


def written(found: Estimate) -> str:
    """Return a number in four decimals, the digits that can be checked by hand, and its interval.

    >>> written(Estimate(0.97675)), written(Estimate(0.8, 0.7112, 0.8666))
    ('0.9768', '0.8000 (0.7112 to 0.8666)')
    """
    if found.low is None or found.high is None:
        return text.number(found.value, 4)
    ends = text.low_to_high(text.number(found.low, 4), text.number(found.high, 4))
    return f"{text.number(found.value, 4)} ({ends})"
