"""The lesson "ROC step by step": which rows it goes through, and what it says without a curve."""

import json

import pytest

from tests.pages.conftest import Opened, words
from tests.pages.test_costs import BAD


def test_a_sample_says_that_it_is_one(loaded: Opened) -> None:
    at = loaded("roc_steps")
    assert not at.exception
    assert "50 rows draw the ROC curve, one score at a time" in words(at)
    assert "These are 50 of 569 rows, drawn at random" in words(at)
    assert "the ROC AUC of all is 0.954" in words(at)


def test_without_a_file_it_opens_with_ten_rows_of_its_own(empty: Opened) -> None:
    at = empty("roc_steps")
    assert not at.exception
    assert "10 rows draw the ROC curve, one score at a time" in words(at)
    assert "Ten messages, spam or ham. From the highest score down" in words(at)


@pytest.mark.parametrize(("step", "pairs"), [("0", 0), ("3", 2), ("8", 14)])
def test_the_area_is_that_of_the_step(empty: Opened, step: str, pairs: float) -> None:
    """By hand: two spam messages come first, and the third message is ham."""
    at = empty("roc_steps", step=step)
    below = next(one for one in at.get("bidi_component") if "below" in one.proto.component_name)
    numbers = json.loads(below.proto.json)["numbers"]
    assert (numbers["ranked"], numbers["auc"]) == (pairs, pairs / 25)


def test_beside_a_file_without_scores_it_opens_with_rows_of_its_own(loaded: Opened) -> None:
    at = loaded("roc_steps", sample="diabetes")
    assert not at.exception
    assert "Ten messages, spam or ham, not your file." in words(at)
    assert "diabetes.csv" not in words(at)


def test_all_rows_of_a_small_file_are_gone_through(uploaded: Opened) -> None:
    at = uploaded("roc_steps", "f.csv", BAD["three rows"].encode(), step="2")
    assert not at.exception
    assert "3 rows draw the ROC curve, one score at a time" in words(at)
    assert "drawn at random" not in words(at)
    assert not at.get("button_group")


def test_a_class_is_set_against_all_others(loaded: Opened) -> None:
    at = loaded("roc_steps", sample="digits", **{"class": "8", "most": "200"})
    assert not at.exception
    assert "a row that is class “8” takes the curve up" in words(at)
    assert "These are 200 of 1,797 rows" in words(at)


@pytest.mark.parametrize("name", BAD)
def test_odd_files_leave_the_page_whole(uploaded: Opened, name: str) -> None:
    at = uploaded("roc_steps", "f.csv", BAD[name].encode(), step="x", most="9")
    assert not at.exception
    assert words(at)


def test_one_class_makes_no_curve_and_the_page_says_so(uploaded: Opened) -> None:
    at = uploaded("roc_steps", "f.csv", BAD["one class"].encode())
    assert "A ROC curve needs rows of both classes" in words(at)
    assert "All 3 rows are class “yes”" in words(at)
