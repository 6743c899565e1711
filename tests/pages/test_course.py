"""The lessons: their index, each page, its state in the address, and the way to the next."""

import pytest

from evalview.course.lessons import lessons
from tests.pages.conftest import Opened, words


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


@pytest.mark.parametrize("key", lessons())
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


@pytest.mark.parametrize("page", ["overview", "confusion", "costs", "report"])
@pytest.mark.parametrize(
    "cells", ["90_210_140_9560", "0_260_0_10923", "1000000000000_0_0_1", "5_1_0_2_7_1_0_1_9"]
)
def test_counts_in_an_address_are_data(page: str, cells: str, empty: Opened) -> None:
    at = empty(page, data=f"counts-{cells}")
    assert not at.exception
    assert not at.error
    assert at.query_params["data"] == f"counts-{cells}"


@pytest.mark.parametrize(
    "cells",
    ["", "0_0_0_0", "1_2_3", "1_2_3_x", "1_2_3_-4", "1_2_3_10000000000000", "1_" * 300 + "1"],
)
def test_counts_that_are_no_matrix_are_told(cells: str, empty: Opened) -> None:
    at = empty("overview", data=f"counts-{cells}")
    assert not at.exception
    assert at.error or "No predictions yet" in words(at)


def test_a_course_orders_pages_and_leads_through_them(empty: Opened) -> None:
    course = "rare,lab,glossary"
    at = empty("lessons", course=course)
    assert not at.exception
    assert [label for label in links(at) if label[:1].isdigit()] == [
        f"1. {lessons()['rare'].title}", "2. Lab", "3. Glossary"
    ]  # fmt: skip
    at = empty("lab", course=course)
    assert {f"← {lessons()['rare'].title}", "This course", "Next: Glossary →"} <= set(links(at))
    (after,) = [link for link in at.get("page_link") if link.proto.label == "Next: Glossary →"]
    assert f"course={course}" in after.proto.query_string.replace("%2C", ",")


def test_what_a_course_names_and_is_not_there_is_told(empty: Opened) -> None:
    at = empty("lessons", course="rare,<b>x</b>,rare,lessons")
    assert not at.exception
    assert "The link asks for course" in at.warning[0].value
    assert [label for label in links(at) if label[:1].isdigit()] == [
        f"1. {lessons()['rare'].title}"
    ]


def test_a_course_is_put_together_in_the_order_picked(empty: Opened) -> None:
    at = empty("lessons")
    at.multiselect(key="course_made").set_value(["lab", "rare"]).run()
    (made,) = [link for link in at.get("page_link") if link.proto.label == "Open this course"]
    assert "course=lab" in made.proto.query_string


@pytest.mark.parametrize("teach", ["", "yes"])
def test_a_teacher_has_the_way_to_ask_the_class(teach: str, empty: Opened) -> None:
    at = empty("densities", **({"teach": teach} if teach else {}))
    assert ("Ask the class" in links(at)) == bool(teach)
    assert not at.warning
