"""The overview and the comparison of right and wrong per item: accuracy, and nothing of classes."""

import pytest

from evalcore.evaluation.estimates import items_interval
from evalread.loading import load
from evalview.text import number
from tests.pages.conftest import OPEN, Opened, words

ROWS = [
    f"q{i},{epoch},{'maths' if i % 2 else 'code'},{model},{int((i * k + epoch) % 3 > 0)}"
    for i in range(20)
    for epoch in range(2)
    for k, model in enumerate(("alpha", "beta"), 1)
]
TRIED = "\n".join(["question,epoch,topic,model,correct", *ROWS, ""]).encode()
MARKS = (f"i{i},{i % 2},{int(i % 3 > 0)}" for i in range(30))
ONCE = "\n".join(["item,a_correct,b_correct", *MARKS, ""]).encode()
ALONE = "\n".join(["task_id,passed", *(f"t{i},{int(i % 4 > 0)}" for i in range(20)), ""]).encode()


def test_the_overview_shows_the_accuracy_of_each_model_and_group(uploaded: Opened) -> None:
    at = uploaded("overview", "tried.csv", TRIED, **OPEN)
    assert not at.exception
    said = words(at)
    tables = "".join(
        t.proto.arrow_data.styler.display_values.decode(errors="replace") for t in at.dataframe
    )
    data = load([("tried.csv", TRIED)])
    for outcomes in data.models.values():
        ends = items_interval(outcomes)
        assert number(float(ends.low)) in tables
    assert "By topic" in said
    assert "maths" in said
    assert "up to 2 times" in said
    cards = [one.value for one in at.get("html") if 'class="eb-number"' in one.value]
    assert [card.count("Accuracy") for card in cards] == [1]


def test_one_model_alone_is_told_in_a_sentence(uploaded: Opened) -> None:
    at = uploaded("overview", "alone.csv", ALONE, **OPEN)
    assert not at.exception
    assert "The model is right on 15 of 20 items" in words(at)


@pytest.mark.parametrize(
    "page", ["data", "comparison", "bootstrap", "leaderboard", "glossary", "confusion", "start"]
)
@pytest.mark.parametrize("content", [TRIED, ONCE], ids=["tried", "once"])
def test_every_other_page_copes_with_it(uploaded: Opened, page: str, content: bytes) -> None:
    at = uploaded(page, "items.csv", content)
    assert not at.exception
    if page == "comparison":
        assert ("Paired t (items)" in words(at)) == (content is TRIED)


def test_a_column_of_marks_is_chosen_on_the_page(uploaded: Opened) -> None:
    at = uploaded("data", "once.csv", ONCE)
    assert "Right or wrong of a" in words(at)
    assert {box.label for box in at.selectbox} >= {"Correct"}
