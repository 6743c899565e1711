"""Worked examples: a page that lists them, and an address of each that opens without a file."""

import re
from html import unescape
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from evalview import escape
from evalview.course.examples import examples
from pages.contents import CONTENTS
from pages.session import store
from tests.pages.conftest import Opened, open_page, words


def opened(key: str) -> AppTest:
    one = examples()[key]
    return open_page(one.page, **{name: list(texts) for name, texts in one.address.items()})


@pytest.mark.parametrize("key", list(examples()))
def test_a_worked_example_opens_from_its_address(key: str) -> None:
    at = opened(key)
    assert not at.exception
    assert not at.error
    assert not at.warning, "all that its address asks for is understood"
    entry = next(entry for entry in CONTENTS if entry.name == examples()[key].page)
    assert entry.answers


SAID = {
    "cancer-screening": ["9,560", "210"],
    "buyers": ["6,954", "412"],
    "rare-disease": ["0.977"],
    "rare-disease-test": ["classifier has the best value by 2 of 3 metrics"],
    "two-costs": ["7.82"],
    "ten-scored-rows": ["10 rows draw the ROC curve"],
    "accuracy-of-80": ["0.670 to 0.888", "0.789 to 0.811"],
    "rows-of-their-own": ["0.117 (−0.047 to 0.198)"],
    "ten-folds": ["0.031"],
    "four-numbers": ["0.949"],
    "tied-ranks": ["0.548"],
    "four-ranks": ["0.548"],
    "three-classes": ["0.589", "0.583"],
    "flowers": ["0.730"],
}
"""What a lesson draws in the browser, such as two points, is tested there."""


@pytest.mark.parametrize("key", SAID)
def test_the_page_of_a_worked_example_says_what_it_is_about(key: str) -> None:
    at = opened(key)
    frames = " ".join(str(table.value.to_dict()) for table in at.dataframe)
    for said in SAID[key]:
        assert said in words(at) + frames, (said, words(at)[:3000], frames[:3000])


def test_the_page_lists_every_worked_example_with_its_numbers(empty: Opened) -> None:
    at = empty("examples")
    assert not at.exception
    listed = re.findall(r'<h2><a href="([^"?]+)\?([^"]+)">', words(at))
    assert [(page, parse_qs(unescape(query))) for page, query in listed] == [
        (one.page, dict(one.address)) for one in examples().values()
    ]
    for one in examples().values():
        assert escape.html(one.name) in words(at)
    for said in ("0.9650 (0.9612 to 0.9684)", "3,910", "4,255", "3.7059", "0.8933", "3.2711"):
        assert said in words(at)


def test_the_start_page_offers_its_samples_only(empty: Opened) -> None:
    assert len(store.samples()) == 8
    assert not {sample.key for sample in store.samples()} & {
        key for key, one in examples().items() if one.file
    }
    links = [link.proto.label for link in empty("start").main.get("page_link")]
    assert links == [sample.title for sample in store.samples()]
