"""The lessons: their index, each page, its state in the address, and the way to the next."""

from urllib.parse import parse_qs

import pytest

from evalview.course.lessons import lessons
from pages.lessons import typing
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


def test_typed_classes_have_their_names_on_every_page(empty: Opened) -> None:
    at = empty("confusion", data="counts-90_210_140_9560~ill~<b>well</b>")
    assert not at.exception
    assert not at.error
    assert "ill" in words(at)
    assert "<b>well" not in words(at)


@pytest.mark.parametrize("kind", typing.KINDS)
def test_rows_that_are_typed_are_data_on_every_page(kind: str, empty: Opened) -> None:
    at = empty("typing", typed=typing.BEGUN[kind])
    assert not at.exception
    assert not at.error
    assert "Accuracy" in words(at)
    ways = [link.proto for link in at.get("page_link") if "data=rows-" in link.proto.query_string]
    assert ("ROC step by step" in [way.label for way in ways]) == (kind == "s")
    told = parse_qs(ways[0].query_string)["data"][0]
    shown = empty("overview", data=told)
    assert not shown.exception
    assert "9 rows" in words(shown)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("s_a~x_b~0.2_a~0.9", "is not numeric: row 1 holds"),
        ("s_a~0.1_a~0.2", "undefined"),
        ("s_a~_b~0.2_a~0.9_~0.3", "2 of 4 rows are left out"),
        ("l_a~a_b~_a~b_b~b", "1 of 4 rows"),
        ("l_1~1_1~1_1~1", "1.000"),
        ("s_a~_b~_a~", "No row has both a truth and a score"),
        ("s_a~0.5", "undefined"),
        ("s_a~3_b~2_c~1", "two classes apart, and the truth has 3"),
        ("s_a~a_b~b", "No score is a number, so they are read as labels."),
        ("s_a~-1_b~-2_a~0.5", "has values outside [0, 1]"),
        ("s_a~1e12_b~2_a~3", "it ranks the rows but is not a probability"),
        ("s_a~inf_b~0.2", "has 1 infinite value (row 1). Remove the rows"),
        ("s_a~0_b~0_a~0", "undefined"),
        ("l_a~1_b~0", "no label in common"),
        ("l_1.5~2_2.5~2_3~3.1", "R squared"),
    ],
)
def test_bad_rows_are_told_plainly(rows: str, said: str, empty: Opened) -> None:
    at = empty("typing", typed=rows)
    assert not at.exception
    told = "\n".join((words(at), *(one.value for one in (*at.error, *at.warning))))
    assert said in told.translate({ord("\\"): None, 0x2060: None})


@pytest.mark.parametrize("rows", ["x_1~1", "s_1~2~3", "s_", "<b>", "s_" + "_".join(["a~1"] * 41)])
def test_rows_of_an_address_that_are_none_are_told(rows: str, empty: Opened) -> None:
    at = empty("typing", typed=rows)
    assert not at.exception
    assert "The link asks for typed" in at.warning[0].value


@pytest.mark.parametrize(
    "cells",
    [
        "",
        "0_0_0_0",
        "1_2_3_4~a",
        "1_2_3_4~a~a",
        "1_2_3_4~a~",
        "1_2_3",
        "1_2_3_x",
        "1_2_3_-4",
        "1_2_3_10000000000000",
        "1_" * 300 + "1",
    ],
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


def test_a_course_suggests_names_near_those_that_it_does_not_know(empty: Opened) -> None:
    at = empty("lessons", course="roc,matrix,nonsense")
    (said,) = [one.value for one in at.warning]
    assert "Did you mean roc_steps?" in said.replace("\\", "")
    assert "nonsense" in said
