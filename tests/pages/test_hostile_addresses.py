"""Whatever an address asks for, its page opens: at worst it says what it left out."""

import random

import pytest

from evalview import sharing
from pages import contents
from pages.session import store
from tests.pages.conftest import Opened, words
from tests.pages.hostile import HIDDEN, HOSTILE

VALUES = (
    *HOSTILE,
    # Half of a pair, which UTF-8 cannot write, comes in no address.
    *(text for text in HIDDEN if not any("\ud800" <= mark <= "\udfff" for mark in text)),
    "\N{GRINNING FACE}",
    "\N{FULLWIDTH EQUALS SIGN}1",
    *("", " ", ",", "=", ":", "::=", "a=b", "=x", "x=", "a:b=c", "a,b", "0,0,0,0", "1,2,3,4,5"),
    *("x", "d", "-1", "0", "nan", "-inf", "1e999", "9" * 400, "a" * 5000, "../..", "true", "yes"),
    *("model", "truth", "accuracy", "row_id", "class", "1", "0.5", "utf-7", "idna", "rot13"),
)
OF_PAGES = (
    *("metric", "metrics", "bins", "binning", "costs", "prevalence", "volume", "curves", "lines"),
    *("cells", "actual", "called", "find", "about", "step", "most", "standardise", "minkowski"),
    *("first-row", "interval", "rope_f1", "open", "seed", "model", "unheard-of"),
)
KNOWN = [
    ("data", {"data": "sample-folds", "model": "x"}),
    ("data", {"data": "sample-diabetes", "thousands": "\N{GRINNING FACE}"}),
    ("data", {"data": "sample-iris", "separator": "\N{GRINNING FACE}"}),
    ("data", {"data": "sample-iris", "encoding": "\0"}),
    ("overview", {"data": "\N{GRINNING FACE}"}),
]
TRIED, ALWAYS = 300, 40


def addresses() -> list[tuple[str, dict[str, str]]]:
    """Return pages with one to three parameters; the same ones every time."""
    chance = random.Random(15)
    pages = [entry.name for entry in contents.CONTENTS]
    tokens = [sample.token for sample in store.samples()]
    found = []
    for _ in range(TRIED - len(KNOWN)):
        names = chance.sample([*sorted(sharing.OWN), *OF_PAGES], chance.randint(1, 3))
        asked = {"data": chance.choice(tokens)} | {name: chance.choice(VALUES) for name in names}
        found.append((chance.choice(pages), asked))
    return [*KNOWN, *found]


TESTS = [
    pytest.param(page, asked, marks=() if at < ALWAYS else pytest.mark.slow, id=f"{at}-{page}")
    for at, (page, asked) in enumerate(addresses())
]


@pytest.mark.parametrize(("page", "asked"), TESTS)
def test_a_page_opens_whatever_its_address_asks_for(
    page: str, asked: dict[str, str], empty: Opened
) -> None:
    at = empty(page, **asked)
    assert not at.exception, asked
    assert words(at)
