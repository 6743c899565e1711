"""The lessons: their index, each page, its state in the address, and the way to the next."""

import pytest

from evalview.course.lessons import lessons
from tests.pages.conftest import Opened, words

DRAWN = [one.key for one in lessons().values() if one.stage]


def links(at: object) -> list[str]:
    return [link.proto.label for link in at.get("page_link")]


def test_the_index_has_a_card_for_each_lesson_in_order(empty: Opened) -> None:
    at = empty("lessons")
    assert not at.exception
    titles = [f"{number}. {one.title}" for number, one in enumerate(lessons().values(), 1)]
    assert [label for label in links(at) if label[:1].isdigit()] == titles
    assert all(one.question in words(at) for one in lessons().values())


@pytest.mark.parametrize("key", lessons())
def test_every_lesson_opens_and_leads_to_its_neighbours(key: str, empty: Opened) -> None:
    at = empty(key)
    assert not at.exception
    order = list(lessons())
    after = order[order.index(key) + 1 : order.index(key) + 2]
    assert [f"Next: {lessons()[name].title} →" for name in after] == [
        label for label in links(at) if label.startswith("Next")
    ]
    assert "All lessons" in links(at)


@pytest.mark.parametrize("key", DRAWN)
def test_a_lesson_shows_its_sources_and_the_way_to_real_data(key: str, loaded: Opened) -> None:
    at = loaded(key)
    one = lessons()[key]
    assert all(source.url in words(at) for source in one.sources)
    assert {f"On real data: {way.text}" for way in one.see} <= set(links(at))


@pytest.mark.parametrize("state", ["distance~99", "<b>", "distance~1~distance~2", "x" * 2000])
def test_a_state_that_cannot_be_is_told_and_left_out(state: str, empty: Opened) -> None:
    at = empty("densities", at=state)
    assert not at.exception
    assert "The link asks for at" in at.warning[0].value
    assert "at" not in at.query_params


def test_a_state_stays_in_the_address(empty: Opened) -> None:
    at = empty("densities", at="distance~2~prevalence~0.05")
    assert not at.warning
    assert at.query_params["at"] == "distance~2~prevalence~0.05"
