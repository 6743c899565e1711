"""Claims met in print, to guess before an example settles them; and examples worked by hand."""

from collections.abc import Mapping
from itertools import zip_longest
from urllib.parse import urlencode

import streamlit as st

from evalcore.metrics.metric import Estimate
from evalview import text
from evalview.course import examples
from evalview.course.claims import Claim, claims
from evalview.course.examples import Example
from evalview.escape import html, markdown
from pages import contents
from pages.session import link
from pages.widgets import guard, tables

CLAIM, GUESSES = "claim", "guesses"


def page(which: str = "claims") -> None:
    """Show claims met in print, or worked examples."""
    (show_examples if which == "examples" else show_claims)()


def show_claims() -> None:
    """Show the claims beside the one picked, which is guessed before it is settled."""
    guesses: dict[str, bool] = st.session_state.setdefault(GUESSES, {})
    guard.headline(
        "Found in print: true or false?",
        f"{len(claims())} claims from books and lecture notes, some of them true. Guess first; a "
        "small example, computed live, then settles each.",
    )
    with st.container(key="glossary"):
        left, right = st.columns([5, 8], gap="large")
    with left:
        said = score(guesses)
        chosen = pick(guesses)
        if said:
            st.caption(said)
            st.button("Start again", type="tertiary", on_click=guesses.clear)
    with right, st.container(key="glossary-detail"):
        show(claims()[chosen], guesses)


def score(guesses: Mapping[str, bool]) -> str:
    """Return how many guesses were right; "" before the first.

    >>> score({"f1-is-jaccard": False, "f1-ignores-negatives": False})
    '1 of 2 guesses right.'
    """
    right = sum(claims()[key].answer is guess for key, guess in guesses.items())
    return f"{right} of {len(guesses)} guesses right." if guesses else ""


def pick(guesses: Mapping[str, bool]) -> str:
    """Show the claims to pick from, a mark before those guessed; return the key of one."""
    known = {key: one.text for key, one in claims().items()}
    link.pick(CLAIM, known, next(iter(known)))
    with st.container(key="glossary-list"):
        picked: str = st.radio(
            "Claims",
            list(known),
            key=CLAIM,
            format_func=lambda key: _label(claims()[key], guesses.get(key)),
            label_visibility="collapsed",
            width="stretch",
        )
    return picked


def _label(one: Claim, guess: bool | None) -> str:
    mark = "" if guess is None else "✓ " if guess is one.answer else "✗ "
    return mark + markdown(one.text)


def show(one: Claim, guesses: dict[str, bool]) -> None:
    """Show a claim with its two answers or, once one was guessed, with what settles it."""
    st.html(f'<p class="eb-note">{html(one.about)}</p><h2 class="eb-claim">{html(one.text)}</h2>')
    guess = guesses.get(one.key)
    if guess is None:
        with st.container(horizontal=True):
            for answer, label in ((True, "True"), (False, "False")):
                st.button(label, on_click=guesses.update, args=({one.key: answer},))
        return
    verdict = "True" if one.answer else "False"
    told = "as you guessed" if guess is one.answer else "you guessed otherwise"
    st.html(
        f'<p class="eb-meaning"><b>{verdict}</b>, {told}. {html(one.because)}</p>'
        f'<p class="eb-note">{html(one.data)}</p>'
    )
    tables.text_table(one.rows(), alt=f"What settles it: {one.data}")
    with st.container(horizontal=True):
        entry = next(entry for entry in contents.CONTENTS if entry.name == one.page)
        address = {name: list(texts) for name, texts in one.address.items()}
        st.page_link(entry.page, label=f"See it: {contents.called(entry)}", query_params=address)
        if left := [key for key in claims() if key not in guesses]:
            st.button("Next claim", on_click=_go_to, args=(_after(one.key, left),))


def _after(key: str, left: list[str]) -> str:
    """Return the first claim after one that was not guessed yet, from the beginning at the end."""
    order = list(claims())
    return next((other for other in left if order.index(other) > order.index(key)), left[0])


def _go_to(key: str) -> None:
    st.session_state[CLAIM] = key


def show_examples() -> None:
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
