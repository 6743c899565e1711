"""What a report says and shows: sections, words, checklists; text of files stays text."""

import re
from html import unescape
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest

from evalcore.errors import EvalError
from evalview import headlines, sentences
from evalview.report import about, blocks, contents, formats
from tests.evalview.report import made
from tests.pages.hostile import HOSTILE


@pytest.mark.parametrize("name", made.SAMPLES)
def test_a_report_of_a_sample_has_its_verdict_and_every_section_that_fits(name: str) -> None:
    told = made.sample(name)
    document = contents.document(told)
    page, text = formats.html(document), formats.markdown(document)
    assert document.verdict in unescape(page)
    assert len(page.encode()) < 1_000_000
    assert {one.key for one in document.sections} <= set(contents.usual(told.dataset))
    assert {"summary", "methods", "glossary", "data"} <= {one.key for one in document.sections}
    for section in document.sections:
        assert f"## {section.title}" in text
    assert told.dataset.table.source.digest in page


def test_the_verdict_is_that_of_the_dashboard() -> None:
    told = made.sample("breast_cancer")
    expected = sentences.verdict(told.found, told.others) or headlines.finding(told.found)
    assert told.headline == expected


HARMFUL = re.compile(r"<(img|b|i|script|a)\b[^>]*(onerror|javascript|example)", re.IGNORECASE)


@pytest.mark.parametrize(
    "name", ["hostile classes", "hostile pair", "hostile models", "right to left"]
)
def test_text_of_files_stays_text_in_html(name: str) -> None:
    page = made.page_of(made.of(dict(made.generated())[name]))
    body = page[page.index("<body>") :]
    assert not HARMFUL.search(body)
    assert "<b>bold" not in body
    assert body.count("</script>") == page.count("<script") - 0


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_files_stays_text_in_markdown(text: str) -> None:
    shown = formats.marked(text)
    for mark in "`*_[]<>|~$#&":
        assert not re.search(rf"(?<!\\){re.escape(mark)}", shown)
    assert "://" not in shown
    assert "www." not in shown
    assert not re.match(r"\d+[.)]\s|[-+]\s", shown)
    assert "\n" not in shown


def test_no_cell_begins_a_formula() -> None:
    told = made.of({"truth": ["=1+1", "+b"] * 30, "pred_a": ["=1+1", "+b"] * 30})
    page = made.page_of(told)
    assert not re.findall(r">[=+@][^<]*</t[hd]>", page)
    assert not re.findall(r"\| [=+@]", formats.markdown(contents.document(told)))


@pytest.mark.parametrize("key", ["card", "tripod", "stard"])
def test_reporting_tables_leave_open_what_the_file_cannot_tell(key: str) -> None:
    told = made.sample("breast_cancer")
    *_, table = about.checklist(told, key)
    open_ = [row for row in table.rows if row[-1].kind == "open"]
    assert 0 < len(open_) < len(table.rows)
    assert all(row[-1].line == [about.OPEN] for row in open_)
    assert len(table.rows) == len(about.checklists()[key].items)


def test_items_of_the_guidelines_are_complete() -> None:
    numbers = {key: [item[0] for item in one.items] for key, one in about.checklists().items()}
    assert sorted({int(re.sub(r"\D", "", n)) for n in numbers["tripod"]}) == list(range(1, 28))
    assert sorted({int(re.sub(r"\D", "", n)) for n in numbers["stard"]}) == list(range(1, 31))


def test_counts_of_the_cross_table_stand_in_the_reporting_table() -> None:
    told = made.sample("breast_cancer")
    *_, table = about.checklist(told, "stard")
    said = {row[0].line[0]: "".join(row[2].line) for row in table.rows}
    assert said["23"] == "165 found, 47 missed, 22 false alarms, 335 passed."


NOTE = "Seen by *me*.\n<b>Twice</b>, =1+1 and $x$"


def test_notes_stand_beside_their_sections_in_every_format() -> None:
    told = made.of(
        made.scored(200), notes="Above", beside=(("summary", NOTE),), sections=("data", "summary")
    )
    document = contents.document(told)
    page, text = formats.html(document), formats.markdown(document)
    section = page[page.index('id="summary"') :]
    assert "Seen by *me*.<br>&lt;b&gt;Twice&lt;/b&gt;, =1+1 and $x$</p>" in section
    assert "Seen by \\*me\\*.  \n\\<b\\>Twice\\</b\\>, =1+1 and \\$x\\$" in text
    assert text.index("## Summary") < text.index("Seen by")
    assert made.json_of(told)["notes"] == {"": "Above", "summary": NOTE}


def test_a_note_brings_its_section_along() -> None:
    told = made.of(made.scored(200), beside=(("stard", "Checked."),))
    keys = [one.key for one in contents.document(told).sections]
    assert keys == [*contents.usual(told.dataset, rows=False), "stard"]


@pytest.mark.parametrize("name", ["hostile models", "hostile pair", "ten regressions"])
def test_pictures_of_markdown_are_files_of_their_own(name: str) -> None:
    document = contents.document(made.of(dict(made.generated())[name]))
    drawn = formats.pictures(document)
    text = formats.markdown(document, "a folder (1)_files")
    named = re.findall(r"!\[.*\]\(a%20folder%20%281%29_files/(.*?)\)", text)
    assert named == list(drawn)
    for svg in drawn.values():
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert {node.tag.partition("}")[2] for node in root.iter()} <= SHAPES
        assert not [
            key for node in root.iter() for key in node.attrib if "href" in key or key[:2] == "on"
        ]


SHAPES = {"svg", "style", "rect", "line", "text", "polyline", "circle", "title"}


def test_markdown_and_its_pictures_are_packed_into_one_file() -> None:
    document = contents.document(made.sample("breast_cancer"))
    held = ZipFile(BytesIO(formats.packed(document, "report")))
    names = held.namelist()
    assert names == ["report.md", "report_files/threshold.svg", "report_files/probabilities.svg"]
    text = held.read("report.md").decode()
    assert all(f"]({name})" in text for name in names[1:])


def test_columns_that_make_no_slices_are_refused_where_they_are_named() -> None:
    data = {**made.scored(100), "constant": ["a"] * 100}
    with pytest.raises(EvalError, match="has one value in all rows"):
        contents.document(made.of(data, by=("constant",)))
    shown = formats.markdown(contents.document(made.of(data, sections=("slices",))))
    assert "The data have no column without a role" in shown


def dots(told: made.Material, title: str) -> tuple[str, list[float]]:
    """Return what is said of a picture, and where its dots are, from left to right on its scale."""
    every = [block for one in contents.document(told).sections for block in one.blocks]
    (drawn,) = [one for one in every if isinstance(one, blocks.Drawing) and one.title == title]
    svg = ElementTree.fromstring(drawn.svg)
    return drawn.alt, [float(dot.attrib["cx"]) for dot in svg.iter("circle")]


def test_recall_of_each_class_is_drawn_for_each_model() -> None:
    truth = ["a"] * 10 + ["b"] * 10 + ["c"] * 10
    first = ["a"] * 10 + ["b"] * 9 + ["c"] + ["c"] * 8 + ["a"] * 2
    second = ["a"] * 9 + ["b"] + ["b"] * 5 + ["c"] * 5 + ["c"] * 10
    told = made.of({"truth": truth, "pred_x": first, "pred_y": second})
    alt, at = dots(told, "Recall of each class")
    assert alt.endswith("lowest for c with 0.800.")
    one, step = at[0], (at[0] - at[2]) / 0.1
    expected = {"a": (1.0, 0.9), "b": (0.9, 0.5), "c": (0.8, 1.0)}
    assert [1 - (one - x) / step for x in at] == pytest.approx(
        [recall for both in expected.values() for recall in both], abs=0.01
    )


def test_the_mean_silhouette_of_each_cluster_is_drawn() -> None:
    told = made.sample("iris")
    assert told.evaluation is not None
    alt, at = dots(told, "Mean silhouette of each cluster")
    means = [one.silhouette for one in told.evaluation.clusterings[told.leader].clusters]
    assert alt.endswith(f"({min(means):.3f}).")
    assert np.corrcoef(at, means)[0, 1] == pytest.approx(1, abs=1e-4)
