"""Search, keys and the mode to present, in a real browser."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, settle

DATA = "data=sample-breast-cancer"
SLIDE = {"width": 1280, "height": 720}
HEADLINE = ".eb-headline"


def first_key(page: Page, key: str) -> None:
    """Press a key once there is what hears it, which draws the button too."""
    page.locator("button.search").wait_for()
    page.keyboard.press(key)


def search(page: Page, asked: str) -> None:
    first_key(page, "Control+k")
    page.get_by_role("combobox", name="Search").fill(asked)


def test_a_search_goes_to_a_metric_by_keys_alone(opened: Callable[[str], Page]) -> None:
    page = opened(f"/data?{DATA}")
    search(page, "sensitivity")
    options = page.locator('dialog [role="option"]')
    expect(options.first).to_contain_text("Recall")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary?**metric=recall**")
    expect(page.locator(".eb-term")).to_have_text("Recall")


def test_a_search_knows_lessons_concepts_and_models(opened: Callable[[str], Page]) -> None:
    page = opened(f"/data?{DATA}")
    first = page.locator('dialog [role="option"]').first
    search(page, "roc step")
    expect(first).to_contain_text("ROC step by step")
    for asked, found in (("l infinity", "Minkowski distance"), ("naive", "naive bayes")):
        page.get_by_role("combobox", name="Search").fill(asked)
        expect(first).to_contain_text(found)
    page.get_by_role("combobox", name="Search").fill("zzzz")
    expect(page.get_by_text("Nothing has this name.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Search")).to_be_hidden()


def test_hostile_labels_are_text_in_the_list(
    new_page: Callable[..., Page], server: str, tmp_path: Path
) -> None:
    label = "<img src=x onerror=alert(1)>"
    file = tmp_path / "f.csv"
    file.write_text(f"truth,predicted\n{label},{label}\nb,b\n{label},b\n" * 3)
    page = new_page()
    page.goto(server)
    settle(page)
    page.locator("input[type=file]").first.set_input_files(file)
    page.wait_for_url("**data=**")
    settle(page)
    search(page, "img src")
    option = page.locator('dialog [role="option"]').first
    expect(option).to_contain_text(label)
    assert option.locator("img").count() == 0


def test_a_sheet_of_keys_opens_and_sections_have_numbers(opened: Callable[[str], Page]) -> None:
    page = opened(f"/data?{DATA}")
    first_key(page, "?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    page.wait_for_url("**/thresholds?**")


def test_keys_typed_into_a_box_are_left_to_it(opened: Callable[[str], Page]) -> None:
    page = opened(f"/glossary?{DATA}")
    box = page.get_by_placeholder("Name or synonym")
    box.click()
    page.keyboard.type("pp?")
    expect(box).to_have_value("pp?")
    assert "present" not in page.url


def test_presenting_shows_one_figure_beside_its_controls(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=SLIDE)
    page.goto(f"{server}/costs?{DATA}&costs=0,1,10,0")
    settle(page)
    page.locator(HEADLINE).wait_for()
    first_key(page, "p")
    page.wait_for_url("**present=yes**")
    settle(page)
    shown = page.locator(".slide-shown")
    expect(shown).to_have_count(1)
    expect(page.locator('[data-testid="stSidebar"]')).to_be_hidden()
    expect(page.locator(HEADLINE)).to_be_in_viewport(ratio=1)
    for part in (shown, page.locator('[data-testid="stNumberInput"]').first):
        expect(part).to_be_in_viewport(ratio=1)
    corners = page.locator('button[data-variant="segmented_control"]').evaluate_all(
        "choices => choices.map(choice => getComputedStyle(choice).borderRadius)"
    )
    assert corners == ["8px"] * 3, "no band torn into lines"
    first = shown.get_attribute("class")
    page.keyboard.press("ArrowRight")
    expect(shown).not_to_have_class(first or "")
    settle(page)
    expect(shown.locator("svg text").first).to_be_visible()
    sizes = shown.locator("svg text").evaluate_all(
        "texts => texts.map(text => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert min(sizes) >= 18
    page.keyboard.press("Escape")
    expect(page.locator('[data-testid="stSidebar"]')).to_be_visible()
    assert "present" not in page.url


def test_the_roc_lesson_fits_a_screen_with_and_without_a_file(
    new_page: Callable[..., Page], server: str
) -> None:
    for address in ("", f"?{DATA}", "?present=yes"):
        page = new_page(viewport=SLIDE)
        page.goto(f"{server}/roc_steps{address}")
        settle(page)
        for part in (".lesson svg.plot", ".lesson .player", ".lesson .says", HEADLINE):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        if "present" in address:
            expect(page.locator(".lesson .listed")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("path", "figure"),
    first_of(
        [
            (f"/overview?{DATA}&curves=true", "roc"),
            (f"/confusion?{DATA}", "matrix"),
            ("/slices?data=sample-subscribers", "slices"),
            (f"/calibration?{DATA}", "reliability"),
            ("/errors?data=sample-diabetes", ""),
            ("/silhouettes?data=sample-iris", ""),
            ("/over_time?data=sample-messages", ""),
            ("/cross_validation?data=sample-folds", ""),
        ]
    ),
)
@pytest.mark.parametrize("height", [720, 900])
def test_a_figure_that_is_presented_fills_the_screen_below_its_title(
    new_page: Callable[..., Page], server: str, path: str, figure: str, height: int
) -> None:
    page = new_page(viewport={"width": 1400, "height": height})
    page.goto(f"{server}{path}&present=yes")
    settle(page)
    shown = page.locator(".slide-shown")
    shown.wait_for()
    if figure == "roc":
        # The counts and the sentence on them come first.
        for part in (".eb-summary", ".eb-misses p", ".eb-misses figure"):
            expect(shown.locator(part).first).to_be_in_viewport(ratio=1)
        page.keyboard.press("ArrowRight")
    drawn = page.locator(f"[class*=st-key-figure-{figure}].slide-shown .main-svg").first
    drawn.wait_for()
    settle(page)
    plot, frame = drawn.bounding_box(), shown.bounding_box()
    below = shown.locator(".eb-figure-subtitle").bounding_box()
    assert plot
    assert frame
    assert below
    assert 0 <= plot["y"] - (below["y"] + below["height"]) < 30
    assert 0 <= frame["y"] + frame["height"] - (plot["y"] + plot["height"]) < 30


def test_a_phone_shows_a_presented_page_as_any_other(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/overview?{DATA}&present=yes")
    settle(page)
    assert page.locator(".presenting, .slide-shown").count() == 0
    expect(page.locator('[data-testid="stExpandSidebarButton"]')).to_be_visible()
    expect(page.locator(".eb-summary")).to_be_visible()


@pytest.mark.parametrize("sample", first_of(["iris", "breast-cancer", "digits", "diabetes"]))
def test_the_counts_of_the_summary_have_room_on_one_screen(
    new_page: Callable[..., Page], server: str, sample: str
) -> None:
    page = new_page(viewport=SLIDE)
    page.goto(f"{server}/overview?data=sample-{sample}&present=yes")
    settle(page)
    shown = page.locator(".slide-shown")
    parts = shown.locator(".eb-summary, .eb-misses p, .eb-misses figure")
    parts.first.wait_for()
    for part in parts.all():
        expect(part).to_be_in_viewport(ratio=1)
    assert shown.evaluate("one => one.scrollHeight <= one.clientHeight")


def test_no_frame_is_drawn_round_a_page_that_has_the_focus(opened: Callable[[str], Page]) -> None:
    page = opened(f"/glossary?{DATA}")
    main = page.get_by_test_id("stMain")
    main.focus()
    first_key(page, "q")
    expect(main).to_be_focused()
    assert main.evaluate(
        """main => [main.matches(":focus-visible"), getComputedStyle(main).outlineStyle,
            getComputedStyle(main, "::before").boxShadow]"""
    ) == [True, "none", "none"]
    page.keyboard.press("Tab")
    focused = page.locator(":focus-visible:not([data-testid='stMain'])")
    expect(focused).not_to_have_css("outline-style", "none")


BINARY, OF_CLASSES = f"{DATA}&costs=0,1,10,0", "data=sample-digits"
SCREENS = ((1280, 720), (1366, 768), (1920, 1080))


@pytest.mark.parametrize(
    ("address", "screen"),
    first_of([(BINARY, SCREENS[0]), *product([BINARY, OF_CLASSES], SCREENS)]),
)
def test_presenting_a_threshold_shows_headline_slider_and_one_figure_together(
    new_page: Callable[..., Page], server: str, address: str, screen: tuple[int, int]
) -> None:
    width, height = screen
    page = new_page(viewport={"width": width, "height": height})
    page.goto(f"{server}/thresholds?{address}&present=yes")
    settle(page)
    shown = page.locator(".explorer .figure:visible")
    count = page.locator("p.count")
    expect(count).to_contain_text(re.compile("1 of [35]"))
    sizes = page.locator(".explorer :is(button, .note, .axis):visible").evaluate_all(
        "parts => parts.map(part => 1.4 * parseFloat(getComputedStyle(part).fontSize))"
    )
    assert min(sizes) >= 18
    titles = []
    for at in (1, 2, 3):
        expect(count).to_contain_text(f"{at} of ")
        expect(shown).to_have_count(1)
        titles.append(shown.locator("h2").inner_text())
        for part in (page.locator(".explorer .headline"), page.get_by_role("slider").first, shown):
            expect(part).to_be_in_viewport(ratio=1)
        for card in page.locator(".explorer .card").all():
            expect(card).to_be_in_viewport(ratio=1)
        page.keyboard.press("ArrowRight")
    assert len(set(titles)) == len(titles)


def test_metrics_that_are_presented_are_named(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(viewport=SLIDE)
    page.goto(f"{server}/thresholds?{DATA}&curves=roc,metrics&present=yes")
    settle(page)
    metrics = page.locator(".explorer .chooser")
    expect(page.locator("p.count")).to_contain_text("1 of 3")
    expect(metrics).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(metrics.get_by_role("button", name="Recall", exact=True)).to_be_in_viewport(ratio=1)
    expect(metrics.get_by_role("button", name="ROC", exact=True)).to_be_hidden()


def test_presenting_begins_at_the_top_of_a_page_and_arrows_still_move_the_slider(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=SLIDE)
    page.goto(f"{server}/thresholds?{DATA}")
    settle(page)
    page.locator('[data-testid="stMain"]').evaluate("main => main.scrollTo(0, 600)")
    first_key(page, "p")
    page.wait_for_url("**present=yes**")
    settle(page)
    expect(page.locator(".explorer .headline")).to_be_in_viewport(ratio=1)
    slider, count = page.get_by_role("slider").first, page.locator("p.count")
    before = slider.input_value()
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    expect(count).to_contain_text("1 of 3")
    page.keyboard.press("Escape")
    expect(page.locator(".explorer .figure:visible")).to_have_count(3)
    expect(count).to_have_text("")
