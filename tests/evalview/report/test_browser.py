"""Reports opened in Chromium from disk: they work, and ask nobody for anything."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.serving import PHONE, first_of
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
