"""Reports opened in Chromium from disk: they work, and ask nobody for anything."""

import re
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from evalview import escape
from evalview.escape import JOINER
from evalview.report import blocks, contents, formats
from tests.browser.serving import PHONE, first_of
from tests.browser.test_access import AXE, FOUND
from tests.evalview.report import made

pytestmark = pytest.mark.browser

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a report of some material; whatever it asks for or complains of fails the test."""
    complaints: list[str] = []

    def show(told: Any, **context: Any) -> Page:
        path = tmp_path / "report.html"
        path.write_text(made.page_of(told), encoding="utf-8")
        page = browser.new_context(**context).new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda asked: _asked(asked.url, path, complaints))
        page.goto(path.as_uri())
        return page

    yield show
    assert complaints == []


def _asked(url: str, path: Path, complaints: list[str]) -> None:
    if not url.startswith(("data:", "blob:")) and url.split("#")[0] != path.as_uri():
        complaints.append(f"request: {url}")


def numbers_of(page: Page) -> list[tuple[str, str]]:
    found = page.evaluate(
        "[...document.querySelectorAll('[data-key]')].map((n) => [n.dataset.key, n.textContent])"
    )
    return [(key, shown) for key, shown in found]


def holds(page: Page, told: Any) -> None:
    """Hold that a report shows the JSON's numbers and fits the screen."""
    found, shown = made.json_of(told), numbers_of(page)
    assert shown
    assert [(k, said) for k, said in shown if not made.agrees(said, made.at(found, k))] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", first_of(made.SAMPLES))
def test_a_report_of_a_sample_opens_from_disk_and_says_what_the_json_says(
    opened: Open, name: str
) -> None:
    told = made.sample(name)
    holds(opened(told), told)


DATA = dict(made.generated())


@pytest.mark.parametrize(
    "name", first_of(["hostile models", *(n for n in DATA if n != "hostile models")])
)
def test_a_report_of_made_data_opens_from_disk_and_says_what_the_json_says(
    opened: Open, name: str
) -> None:
    told = made.of(DATA[name])
    holds(opened(told, viewport=PHONE, color_scheme="dark"), told)


def test_the_numbers_of_the_explorer_follow_the_handle(opened: Open) -> None:
    told = made.sample("breast_cancer")
    page = opened(told)
    recall = page.locator(".card").first.locator(".number")
    assert recall.inner_text() == "0.778"
    slider = page.get_by_role("slider", name="Threshold")
    slider.focus()
    slider.press("Home")
    assert recall.inner_text() == "1.000"
    table = told.merged[told.leader].table
    slider.press("End")
    counts = table.at(table.threshold[0])
    assert f"{counts.tp:g} of {counts.positives:g}" in page.locator(".cards").inner_text()


def test_the_cheapest_threshold_is_found_without_a_server(opened: Open) -> None:
    told = made.sample("breast_cancer")
    page = opened(told)
    page.get_by_label("Cost of a miss").fill("10")
    page.get_by_label("Cost of a miss").press("Enter")
    table = told.merged[told.leader].table
    held = table.at(table.threshold)
    best = table.threshold[(10 * held.fn + held.fp).argmin()]
    shown = page.get_by_role("button", name="cheapest").inner_text()
    assert float(shown.removeprefix("cheapest: ")) == best
    assert page.get_by_label("Type a threshold").input_value() == f"{best:g}"


def test_a_report_can_be_used_by_the_keyboard_alone_and_prints_open(opened: Open) -> None:
    page = opened(made.sample("breast_cancer"))
    summary = page.locator("#glossary summary")
    summary.focus()
    summary.press("Enter")
    assert page.locator("#glossary dd").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator("#methods dd").first.is_visible()
    assert not page.get_by_role("slider").is_visible()


def test_a_picture_of_the_explorer_can_be_saved(opened: Open) -> None:
    page = opened(made.sample("breast_cancer"))
    page.get_by_label("Save ROC").click()
    for kind in ("PNG", "SVG", "Data (CSV)"):
        with page.expect_download() as saved:
            page.locator('[data-figure="roc"]').get_by_role("button", name=kind, exact=True).click()
        assert Path(saved.value.path()).stat().st_size > 1000
        page.get_by_label("Save ROC").click()


EVERY_SECTION = (*contents.PARTS,)
KINDS = {
    "binary": lambda: made.of(made.sliced(600), sections=EVERY_SECTION, notes="Hm", by=("region",)),
    "classes": lambda: made.sample("digits"),
    "numbers": lambda: made.sample("diabetes"),
    "clusters": lambda: made.sample("iris"),
    "folds": lambda: made.sample("folds"),
    "hostile classes": lambda: made.of(DATA["hostile classes"], sections=EVERY_SECTION),
}


@pytest.mark.parametrize(
    ("name", "mode"), first_of([(name, mode) for name in KINDS for mode in ("light", "dark")])
)
def test_axe_finds_nothing_in_a_report_with_all_that_is_folded_open(
    opened: Open, name: str, mode: str
) -> None:
    page = opened(KINDS[name](), color_scheme=mode)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE)
    found = page.evaluate(FOUND)
    assert not found, "\n\n".join("\n".join(one) for one in found)


COPIED = """addEventListener("copy", ({ clipboardData: data }) => {
    window.copied = { plain: data.getData("text/plain"), html: data.getData("text/html") };
})"""


def copies(page: Page, name: str) -> list[dict[str, str]]:
    """Press every button of a format by the keyboard; return what is copied by each."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(COPIED)
    found = []
    for button in page.get_by_role("button", name=re.compile(f"^{name}:")).all():
        button.press("Enter")
        found.append(page.evaluate("window.copied"))
    return found


def tables_of(told: made.Material) -> list[blocks.Table]:
    parts = contents.document(told).sections
    return [one for part in parts for one in part.blocks if isinstance(one, blocks.Table)]


HOSTILE_DATA = ["hostile classes", "hostile models", "right to left"]


@pytest.mark.parametrize("name", first_of(HOSTILE_DATA))
def test_tables_are_copied_as_the_markdown_of_the_report(opened: Open, name: str) -> None:
    told = made.of(DATA[name])
    found = [one["plain"] for one in copies(opened(told), "Markdown")]
    whole = formats.markdown(contents.document(told))
    assert len(found) == len(tables_of(told))
    assert [one for one in found if f"\n{one}\n" not in whole] == []


@pytest.mark.parametrize("name", first_of(HOSTILE_DATA))
def test_tables_are_copied_as_latex_that_sets_their_text(opened: Open, name: str) -> None:
    told = made.of(DATA[name])
    found = [one["plain"] for one in copies(opened(told), "LaTeX")]
    tables = tables_of(told)
    assert len(found) == len(tables)
    for one, table in zip(found, tables, strict=True):
        lines = one.split("\n")
        inside = lines[lines.index("\\hline") :]
        cells = [line[:-3].split(" & ") for line in inside if line.endswith(" \\\\")]
        said = [[spoken(cell) for cell in row] for row in cells]
        rows = [*([list(table.head)] if any(table.head) else []), *map(texts_of, table.rows)]
        assert said == [[cell.strip() for cell in row] for row in rows]


def texts_of(row: Sequence[blocks.Cell]) -> list[str]:
    return [blocks.plain(cell.line) for cell in row]


SPOKEN = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textasciigrave{}": "`",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\char34{}": '"',
    "$-$": "−",
    r"$\geq$": "≥",
    r"$\leq$": "≤",
    r"$\langle$": "⟨",
    r"$\rangle$": "⟩",
    "{[}": "[",
    "{]}": "]",
    "{*}": "*",
    "-{}": "-",
    ",{}": ",",
    "'{}": "'",
    **{f"\\{mark}": mark for mark in "{}$&#_%"},
}
LATEX = re.compile("|".join(map(re.escape, sorted(SPOKEN, key=len, reverse=True))))


def spoken(latex: str) -> str:
    """Return what LaTeX sets; a mark that means something to it may only stand as a known word."""
    assert not re.search(r"[\\{}$&#_%~^<>|\"`]|\[|\]|\*", LATEX.sub("", latex)), latex
    return LATEX.sub(lambda found: SPOKEN[found.group()], latex)


class _Cells(HTMLParser):
    """Collects the tags of HTML, and the text of each of its cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


@pytest.mark.parametrize("name", first_of(HOSTILE_DATA))
def test_tables_are_copied_for_word_as_cells_of_text(opened: Open, name: str) -> None:
    told = made.of(DATA[name])
    for one, table in zip(copies(opened(told), "Word"), tables_of(told), strict=True):
        parser = _Cells()
        parser.feed(one["html"])
        head = list(table.head) if any(table.head) else []
        cells = [*head, *(cell for row in table.rows for cell in texts_of(row))]
        assert [cell.replace(JOINER, "") for cell in parser.cells] == [c.strip() for c in cells]
        assert parser.tags <= {"table", "caption", "tr", "td", "th"}
        assert parser.names <= {"style"}
        for text in (*parser.cells, *re.split(r"[\t\n]", one["plain"])):
            assert escape.cell(text) == text  # no spreadsheet takes it for a formula


def test_where_no_script_runs_curves_stand_in_the_place_of_the_explorer(opened: Open) -> None:
    page = opened(made.sample("breast_cancer"), java_script_enabled=False)
    picture = page.locator("#explorer figure svg")
    assert picture.is_visible()
    assert "ROC curves of 3 models" in str(picture.get_attribute("aria-label"))
    assert not page.locator(".copy").count()
