"""What the search finds: pages, lessons, the glossary, and what the file holds."""

import pytest

from evalread.dataset import Dataset
from evalread.loading import load
from evalview.course.claims import claims
from evalview.course.examples import examples
from evalview.explained.concepts import concepts
from evalview.explained.lookup import entries
from pages.contents import CONTENTS
from pages.lessons.claims import CLAIM
from pages.widgets.bar import LISTED, LONGEST, Target, targets
from tests.pages.conftest import Opened, words

HOSTILE = "<img src=x onerror=alert(1)> **bold** [a](http://example.org)"


def found(dataset: Dataset | None = None) -> list[Target]:
    return list(targets([entry for entry in CONTENTS if entry.fits(dataset)], dataset))


def of_kind(kind: str, dataset: Dataset | None = None) -> list[str]:
    return [one.label for one in found(dataset) if one.kind == kind]


def test_metrics_concepts_and_tests_are_found_without_a_file() -> None:
    assert len(of_kind("metric")) == len(entries())
    assert len(of_kind("concept")) + len(of_kind("test")) == len(concepts())
    assert "ROC step by step" in of_kind("lesson")
    assert "McNemar’s test" in of_kind("test")


def test_every_target_has_a_key_and_a_page_of_its_own() -> None:
    keys = [one.key for one in found()]
    assert len(keys) == len(set(keys))
    assert {one.page for one in found()} <= {entry.name for entry in CONTENTS}


def test_models_and_classes_of_the_file_are_found() -> None:
    dataset = load([("f.csv", b"truth,a_score,b_score\nyes,0.9,0.4\nno,0.2,0.6\nyes,0.7,0.8\n")])
    assert of_kind("model", dataset) == ["a", "b"]
    assert sorted(of_kind("class", dataset)) == ["no", "yes"]


def test_columns_that_slices_use_are_found_but_not_their_values() -> None:
    rows = "".join(f"{k % 2},{0.2 + k % 2 / 2},H{k % 3},{k % 5}\n" for k in range(60))
    dataset = load([("f.csv", f"truth,a_score,hospital,ward\n{rows}".encode())])
    assert of_kind("column", dataset) == ["hospital", "ward"]
    (one,) = [each for each in found(dataset) if each.label == "hospital"]
    assert (one.page, one.params) == ("slices", {"by": "hospital"})
    assert not any("H1" in each.label + each.also for each in found(dataset))
    assert not of_kind("column")


@pytest.mark.parametrize(
    ("asked", "page"),
    [("net benefit", "costs"), ("decision curve", "costs"), ("Brier skill", "calibration")],
)
def test_figures_and_numbers_lead_to_the_page_that_shows_them(asked: str, page: str) -> None:
    rows = "".join(f"{k % 2},{0.2 + k % 2 / 2}\n" for k in range(60))
    dataset = load([("f.csv", f"truth,a_score\n{rows}".encode())])
    pages = [one.page for one in found(dataset) if asked in one.also.split(", ")]
    assert pages == [page]


def test_a_list_of_many_classes_ends_somewhere() -> None:
    lines = "".join(f"c{k % 300},c{(k + k % 7 // 6) % 300}\n" for k in range(1200))
    assert len(of_kind("class", load([("f.csv", b"truth,predicted\n" + lines.encode())]))) == LISTED


def test_names_are_plain_text_and_short() -> None:
    long = "x" * 200
    rows = f'"{HOSTILE}","{HOSTILE}"\n{long},{long}\n"{HOSTILE}",{long}\n'
    labels = of_kind("class", load([("f.csv", f"truth,predicted\n{rows}".encode())]))
    assert len(labels) == 2
    assert any(label.startswith("<img src=x") for label in labels)
    assert all(len(label) <= LONGEST for label in labels)


@pytest.mark.parametrize("page", ["overview", "overfitting", "glossary"])
def test_presenting_leaves_out_the_bar_and_stays_in_links(loaded: Opened, page: str) -> None:
    at = loaded(page, present="yes")
    assert not at.exception
    assert not at.warning
    assert '<p class="eb-bar">' not in words(at)
    links = at.sidebar.get("page_link")
    assert all("present=yes" in link.proto.query_string for link in links)
    assert at.query_params["present"] == "yes"


def test_presenting_a_lesson_needs_no_file(empty: Opened) -> None:
    at = empty("roc_steps", present="yes")
    assert not at.exception
    assert at.query_params["present"] == "yes"


def test_worked_examples_and_claims_are_found_and_lead_to_where_they_are_shown() -> None:
    found = {(one.kind, one.also): one for one in targets(CONTENTS, None)}
    pages = {entry.name for entry in CONTENTS}
    worked = {key: one for (kind, key), one in found.items() if kind == "example"}
    assert worked.keys() == examples().keys()
    assert worked["cancer-screening"].params["data"] == "sample-cancer-screening"
    assert all(one.page in pages for one in worked.values())
    met = {key: one for (kind, key), one in found.items() if kind == "claim"}
    assert met.keys() == claims().keys()
    assert all(one.params == {CLAIM: key} for key, one in met.items())
