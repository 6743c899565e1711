"""Lessons that take rows: those of samples, and those of the file that is open."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalview.course.rows import MOST_FEATURES, MOST_ROWS, OWN, SAMPLES, sent
from tests.pages.conftest import Opened


def payload_of(at: AppTest) -> dict[str, Any]:
    """Return what the browser is sent to draw a lesson."""
    assert not at.exception
    [drawn] = [
        one.proto for one in at.get("bidi_component") if "lesson" in one.proto.component_name
    ]
    return json.loads(drawn.json)


@pytest.mark.parametrize("page", ["splitting", "overfitting"])
def test_rows_of_samples_are_sent_whole(page: str, empty: Opened) -> None:
    found = payload_of(empty(page))["data"]
    assert set(found) == set(SAMPLES)
    sizes = {name: len(rows["truth"]) for name, rows in found.items()}
    assert sizes == {"patients": 600, "flowers": 150, "tumours": 569, "illness": 442}
    for rows in found.values():
        assert {len(row) for row in rows["features"]} == {len(rows["names"])}
        assert not rows["classes"] or set(rows["truth"]) == set(range(len(rows["classes"])))


def test_rows_of_the_file_can_be_trained_on(loaded: Opened) -> None:
    found = payload_of(loaded("splitting", sample="iris"))
    [rows] = [one for one in found["settings"] if one["key"] == "rows"]
    assert OWN in rows["options"]
    own = found["data"][OWN]
    assert (len(own["truth"]), own["classes"]) == (150, ["setosa", "versicolor", "virginica"])
    assert own["names"] == ["sepal_length", "sepal_width", "petal_length", "petal_width"]


@pytest.mark.parametrize("page", ["splitting", "overfitting"])
def test_a_file_without_features_is_not_offered(page: str, loaded: Opened) -> None:
    found = payload_of(loaded(page, sample="breast_cancer"))
    assert OWN not in found["data"]
    at = loaded(page, sample="breast_cancer", at=f"rows~{OWN}")
    assert "not understood or not available" in at.warning[0].value


def test_a_state_of_the_rows_of_a_file_is_kept_in_the_address(loaded: Opened) -> None:
    at = loaded("splitting", sample="iris", at=f"rows~{OWN}")
    assert payload_of(at)["at"] == f"rows~{OWN}"
    assert not at.warning


@pytest.mark.parametrize("size", ["e148", "e-300"])
def test_features_of_any_size_are_sent_as_finite_numbers(uploaded: Opened, size: str) -> None:
    lines = [f"{k}.5{size},{k % 3},{'pq'[k % 2]},{'ab'[k > 20]}" for k in range(40)]
    content = "\n".join(["x,y,class,cluster", *lines]).encode()
    own = payload_of(uploaded("splitting", "f.csv", content))["data"][OWN]
    assert all(0 <= value <= 1 for row in own["features"] for value in row)


def test_rows_and_features_of_a_large_file_are_thinned_out_evenly(uploaded: Opened) -> None:
    wide = [f"f{at}" for at in range(40)]
    lines = [f"{k % 2},{','.join(str(k * at % 97) for at in range(40))}" for k in range(2000)]
    content = "\n".join([",".join(["cluster", *wide]), *lines]).encode()
    found = payload_of(uploaded("distances", "f.csv", content))
    own = found["data"][OWN]
    assert (len(own["number"]), own["number"][0], own["number"][-1]) == (MOST_ROWS, 1, 2000)
    assert len(own["names"]) == MOST_FEATURES
    highs = {one["key"]: one["high"] for one in found["settings"] if one["form"] == "row"}
    assert highs == {"first": MOST_ROWS, "second": MOST_ROWS}


def test_two_rows_of_a_file_begin_and_end_with_its_rows(loaded: Opened) -> None:
    found = payload_of(loaded("distances", sample="two-points", at="order~3~first~1~second~2"))
    assert found["data"][OWN]["features"] == [[1, 2], [3, 5]]
    highs = {one["high"] for one in found["settings"] if one["form"] == "row"}
    assert highs == {2}
    assert found["at"] == "order~3~first~1~second~2"


def test_numbers_are_sent_to_six_digits() -> None:
    values = [value for row in sent("patients")["features"] for value in row]
    assert all(value == float(f"{value:.6g}") for value in values)


def test_a_lesson_without_rows_is_sent_none(empty: Opened) -> None:
    assert payload_of(empty("densities"))["data"] == {}


@pytest.mark.parametrize(
    ("page", "asked", "state"),
    [
        ("distances", {"minkowski": "∞", "first-row": "7"}, "order~∞~first~7"),
        ("distances", {"standardise": "true"}, "standardise~yes"),
        ("splitting", {"scheme": "group k-fold", "folds": "5"}, "scheme~group k-fold~folds~5"),
        ("splitting", {"trained": "nearest neighbours", "neighbours": "3"}, ""),
        ("overfitting", {"trained": "decision tree", "depth": "3"}, "model~decision tree~dial~3"),
        ("overfitting", {"trained": "linear", "seed": "99999"}, ""),
    ],
)
def test_an_old_address_leads_to_what_it_meant_and_the_rest_is_left_out_without_a_word(
    page: str, asked: dict[str, str], state: str, empty: Opened
) -> None:
    at = empty(page, **asked)
    assert not at.exception
    assert not at.warning
    assert payload_of(at)["at"] == state
    assert at.query_params.get("at", "") == state
    assert not asked.keys() & at.query_params.keys()


def test_what_an_address_says_now_comes_before_what_it_said_once(empty: Opened) -> None:
    at = empty("distances", at="order~5", minkowski="3")
    assert payload_of(at)["at"] == "order~5"
    assert empty("distances", scheme="k-fold").warning  # never a parameter of this one
