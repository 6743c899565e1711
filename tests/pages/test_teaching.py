"""The syllabus for teachers: every link of it opens the view that it promises."""

import re
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from evalread.dataset import NO_CHOICES
from evalview.course.claims import claims
from evalview.course.examples import examples
from pages import contents
from pages.session import reading
from tests.pages.conftest import open_page, words

SYLLABUS = (Path(__file__).resolve().parents[2] / "docs/teaching.md").read_text("utf-8")
LINKS = re.findall(r"\]\(http://localhost:8501/([^)\s]*)\)", SYLLABUS)
PAGES = {entry.name: entry for entry in contents.CONTENTS}


def test_the_syllabus_has_twelve_lectures_each_with_links() -> None:
    lectures = re.split(r"^## (?=\d+\.)", SYLLABUS, flags=re.MULTILINE)[1:]
    assert [int(one.split(".")[0]) for one in lectures] == list(range(1, 13))
    assert all(one.count("](http://localhost:8501/") >= 4 for one in lectures)
    assert SYLLABUS.count("](http") == len(LINKS), "no link is written in another way"


def test_the_syllabus_has_every_worked_example() -> None:
    def parts(page: str, address: dict[str, list[str]]) -> str:
        return f"{page}?{sorted(address.items())}"

    shown = {parts(link.partition("?")[0], parse_qs(link.partition("?")[2])) for link in LINKS}
    wanted = {parts(one.page, {k: list(v) for k, v in one.address.items()}): one.key
              for one in examples().values()}  # fmt: skip
    assert [key for at, key in wanted.items() if at not in shown] == []


def test_the_syllabus_names_claims_that_are_there() -> None:
    named = {key for link in LINKS for key in parse_qs(link.partition("?")[2]).get("claim", [])}
    assert len(named) >= 20
    assert named <= set(claims())


@pytest.mark.parametrize("link", sorted(set(LINKS)))
def test_a_link_of_the_syllabus_opens_its_page(link: str) -> None:
    name, _, query = link.partition("?")
    at = open_page(name, **parse_qs(query))
    assert not at.exception
    assert not at.error
    assert not at.warning, "all that it asks for is understood"
    entry, asked = PAGES[name], parse_qs(query)
    data = asked.get("data", [""])[0]
    dataset = reading.reading(data, NO_CHOICES).dataset if data else None
    assert entry.fits(dataset), "the page has something to show of these data"
    assert contents.shown(entry, dataset) is entry, "no other page has taken its place"
    assert "Nothing to show here" not in words(at)
    assert at.query_params.get("at") == asked.get("at", [None])[0], "the state is kept"
    for key in (*asked.get("claim", []), *asked.get("metric", [])):
        picked = at.radio(key="claim" if "claim" in asked else "metric_picked")
        assert picked.value == key
