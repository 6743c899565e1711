"""A file dropped in a real browser: read, kept over a refresh, shared by its link, removed."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, served, settle

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "$x$",
    ":red[x]",
    '=HYPERLINK("https://example.org","x")',
)
ROWS = 60


def predictions(positive: str = "fraud", negative: str = "honest", score: str = "model") -> bytes:
    """Return a CSV file with a truth and a score, most of the time in agreement."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["truth", score])
    for row in range(ROWS):
        yes = row % 3 == 0
        table.writerow([positive if yes else negative, 0.5 + (0.3 if yes else -0.3) + row / 1000])
    return text.getvalue().encode()


def drop(page: Page, name: str, content: bytes) -> None:
    """Give a file to the drop zone of the first page."""
    page.locator('input[type="file"]').set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def dropped(page: Page, server: str, name: str, content: bytes) -> Page:
    """Open the first page, drop a file, and wait for what follows."""
    page.goto(server)
    settle(page)
    drop(page, name, content)
    page.wait_for_url("**/overview?**")
    settle(page)
    return page


def bar(page: Page) -> str:
    return page.locator(".eb-bar").inner_text()


def test_a_dropped_file_is_shown_at_once_with_what_was_assumed(page: Page, server: str) -> None:
    dropped(page, server, "payments.csv", predictions())
    for text in ("payments.csv", "fraud"):
        assert text in bar(page)
    expect(page.locator("h1.eb-headline + .eb-lead, .eb-lead").first).to_contain_text("60 rows")
    assert "data=" in page.url


def test_a_refresh_loses_nothing(page: Page, server: str) -> None:
    dropped(page, server, "payments.csv", predictions())
    page.get_by_role("link", name="Data", exact=True).click()
    page.wait_for_url("**/data?**")
    settle(page)
    page.locator('[data-testid="stRadio"]').get_by_text("honest").click()
    page.wait_for_url("**positive=honest**")
    page.reload()
    settle(page)
    assert "looking for: honest" in " ".join(bar(page).split())
    assert page.get_by_role("radio", name="honest").is_checked()


@pytest.mark.slow
def test_the_link_opens_the_same_view_for_someone_else(
    page: Page, new_page: Callable[..., Page], server: str
) -> None:
    dropped(page, server, "payments.csv", predictions())
    other = new_page()
    other.goto(page.url)
    settle(other)
    assert bar(other) == bar(page)


@pytest.mark.slow
def test_the_back_button_returns_to_the_last_choice(opened: Callable[[str], Page]) -> None:
    page = opened("/data?data=sample-breast-cancer")
    page.locator('[data-testid="stRadio"]').get_by_text("benign").click()
    page.wait_for_url("**positive=benign**")
    settle(page)
    page.go_back()
    expect(page.locator(".eb-bar")).to_contain_text("malignant")


def test_removed_data_are_gone_for_everyone(page: Page, server: str) -> None:
    link = dropped(page, server, "payments.csv", predictions()).url
    page.get_by_role("link", name="Open a file").click()
    page.get_by_role("button", name="Delete now").click()
    page.wait_for_url(server + "/")
    page.goto(link)
    settle(page)
    expect(page.get_by_text("no longer here")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.csv", b"", "The file is empty"),
        ("header.csv", b"truth,score\n", "no data rows"),
        ("noise.parquet", b"PAR1" + bytes(range(256)), "noise.parquet"),
    ],
)
def test_a_wrong_file_gets_a_sentence_and_the_data_before_it_stay(
    page: Page, server: str, name: str, content: bytes, sentence: str
) -> None:
    dropped(page, server, "payments.csv", predictions())
    page.get_by_role("link", name="Open a file").click()
    settle(page)
    drop(page, name, content)
    expect(page.locator('[data-testid="stAlert"]')).to_be_visible()
    settle(page)
    assert "Traceback" not in page.inner_text("body")
    page.get_by_role("link", name="Summary").click()
    page.wait_for_url("**/overview?**")
    assert "payments.csv" in bar(page)


@pytest.mark.parametrize("text", first_of(HOSTILE))
def test_hostile_names_are_plain_text_everywhere(page: Page, server: str, text: str) -> None:
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    name = text.replace("/", "") + ".csv"
    dropped(page, server, name, predictions(positive=text, score=text))
    for title in ("Summary", "Data", "Errors", "Threshold"):
        page.get_by_test_id("stSidebar").get_by_role("link", name=title, exact=True).click()
        expect(page).to_have_title(re.compile(f"^{title}.* · Evalboard"))
        settle(page)
        assert text in bar(page)
        assert page.locator('img[src="x"]').count() == 0
        # A name may be part of the address of a view, but no link leads elsewhere.
        assert page.evaluate("[...document.links].every(link => link.host === location.host)")
        assert page.locator("[data-testid=stMain] .katex").count() == 0


@pytest.mark.slow
def test_deep_links_work_on_a_server_that_nobody_has_used(page: Page) -> None:
    with served() as cold:
        page.goto(f"{cold}/data?data=sample-breast-cancer&positive=benign")
        settle(page)
        assert "benign" in bar(page)
        assert page.locator('[data-testid="stDialog"]').count() == 0


@pytest.mark.parametrize("path", first_of(["/", "/data?data=sample-breast-cancer", "/data"]))
@pytest.mark.parametrize("scheme", first_of(["light", "dark"]))
def test_a_phone_needs_no_sideways_scrolling(
    new_page: Callable[..., Page], server: str, path: str, scheme: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme=scheme)
    page.goto(server + path)
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    main = '[data-testid="stMain"]'
    assert page.evaluate(f"document.querySelector('{main}').scrollWidth") <= PHONE["width"]


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "colour"), [("light", "251, 250, 247"), ("dark", "17, 21, 27")])
def test_the_colours_follow_the_reader(
    new_page: Callable[..., Page], server: str, scheme: str, colour: str
) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(server)
    settle(page)
    found = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert found == f"rgb({colour})"


@pytest.mark.parametrize("by", first_of(["keys", "button"]))
def test_a_pasted_table_leads_to_its_results(page: Page, server: str, by: str) -> None:
    page.goto(server)
    settle(page)
    page.get_by_text("Or paste a table").click()
    page.get_by_label("Cells copied out of a spreadsheet").click()
    page.keyboard.insert_text("truth,score\n" + "0,0.2\n1,0.7\n0,0.4\n1,0.9\n" * 20)
    if by == "keys":
        page.keyboard.press("Control+Enter")
    else:
        page.get_by_role("button", name="Read this text").click()
    page.wait_for_url("**/overview?**")
    expect(page.locator(".eb-headline").first).to_be_visible()
