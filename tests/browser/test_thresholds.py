"""The threshold, chosen in the browser: it reaches the server, the address and the other pages."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.serving import DESKTOP, PHONE, settle
from tests.browser.test_data import HOSTILE, dropped, predictions

SAMPLE = "data=sample-breast-cancer"
Opened = Callable[[str], Page]


LINES = """numbers => numbers.map(one =>
    Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))"""


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Threshold")


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Type a threshold")


def headline(page: Page) -> str:
    return page.locator(".explorer h1").inner_text()


def cells(page: Page) -> list[str]:
    return page.locator(".explorer .cell-number").all_inner_texts()


def asked(url: str) -> str | None:
    """The threshold in an address."""
    return parse_qs(urlsplit(url).query).get("threshold", [None])[0]


def open_explorer(opened: Opened, rest: str = "") -> Page:
    page = opened(f"/thresholds?{SAMPLE}{rest}")
    expect(page.locator(".explorer .cell-number").first).to_have_text(re.compile(r"\d"))
    return page


def drag(page: Page, share: float, *, release: bool = True) -> None:
    """Take the handle to a share of the slider's length."""
    at = slider(page).bounding_box()
    middle = at["y"] + at["height"] / 2
    here = float(slider(page).input_value())
    page.mouse.move(at["x"] + at["width"] * here, middle)
    page.mouse.down()
    for step in range(1, 9):
        place = here + (share - here) * step / 8
        page.mouse.move(at["x"] + at["width"] * place, middle)
    if release:
        page.mouse.up()
        page.wait_for_url(lambda url: abs(float(asked(url) or "inf") - share) < 0.02)
        settle(page)


def test_a_drag_moves_the_page_at_once_and_the_address_when_let_go(opened: Opened) -> None:
    page = open_explorer(opened)
    before, said = cells(page), headline(page)
    drag(page, 0.2, release=False)
    assert cells(page) != before
    assert headline(page) != said
    assert asked(page.url) is None
    moved = cells(page)
    page.mouse.up()
    page.wait_for_url(lambda url: abs(float(asked(url) or "inf") - 0.2) < 0.02)
    settle(page)
    assert cells(page) == moved


@pytest.mark.slow
def test_arrow_keys_reach_the_address(opened: Opened) -> None:
    page = open_explorer(opened)
    slider(page).focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    page.wait_for_url("**threshold=**")
    assert 0.4 < float(asked(page.url)) < 0.5


@pytest.mark.slow
def test_a_typed_threshold_reaches_the_address_as_typed(opened: Opened) -> None:
    page = open_explorer(opened)
    box(page).fill("0.25")
    box(page).press("Enter")
    page.wait_for_url("**threshold=0.25")
    expect(page.locator(".explorer")).to_have_class("explorer")


@pytest.mark.slow
def test_a_preset_survives_a_refresh(opened: Opened) -> None:
    page = open_explorer(opened)
    page.get_by_role("button", name="keep a goal").click()
    page.get_by_role("button", name="recall ≥ 90%").click()
    page.wait_for_url("**threshold=**")
    settle(page)
    said, counts = headline(page), cells(page)
    page.reload()
    settle(page)
    assert headline(page) == said
    assert cells(page) == counts
    page.get_by_role("button", name="keep a goal").click()
    button = page.get_by_role("button", name="recall ≥ 90%")
    expect(button).to_have_attribute("aria-pressed", "true")


def test_the_threshold_goes_with_the_reader_to_other_pages_and_back(opened: Opened) -> None:
    page = open_explorer(opened)
    drag(page, 0.8)
    threshold, counts = asked(page.url), cells(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Data", exact=True).click()
    page.wait_for_url("**/data?**")
    settle(page)
    assert asked(page.url) == threshold
    page.get_by_test_id("stSidebar").get_by_role("link", name="Threshold").click()
    page.wait_for_url("**/thresholds?**")
    settle(page)
    assert asked(page.url) == threshold
    assert cells(page) == counts


@pytest.mark.slow
def test_a_deep_link_opens_at_its_threshold_and_model(opened: Opened) -> None:
    page = open_explorer(opened, "&threshold=0.25&shown=random%20forest")
    assert headline(page).startswith("At 0.25, random forest")
    assert asked(page.url) == "0.25"


def test_a_click_on_a_curve_moves_the_threshold(opened: Opened) -> None:
    page = open_explorer(opened)
    plot = page.locator(".explorer .plot").first
    plot.scroll_into_view_if_needed()
    at = plot.bounding_box()
    page.mouse.click(at["x"] + 0.13 * at["width"], at["y"] + 0.5 * at["height"])
    page.wait_for_url("**threshold=**")
    assert float(asked(page.url)) > 0.5


@pytest.mark.slow
def test_a_model_chosen_in_the_legend_reaches_the_address(opened: Opened) -> None:
    page = open_explorer(opened)
    page.get_by_role("button", name="naive bayes").click()
    page.wait_for_url("**shown=naive*bayes**")
    settle(page)
    assert "naive bayes" in headline(page)
    assert asked(page.url) is None


@pytest.mark.slow
def test_the_browsers_back_button_takes_the_handle_back(opened: Opened) -> None:
    page = open_explorer(opened, "&threshold=0.25")
    said = headline(page)
    page.get_by_role("button", name="best F1").click()
    page.wait_for_url(lambda url: "threshold=0.25" not in url)
    settle(page)
    assert headline(page) != said
    page.go_back()
    settle(page)
    assert headline(page) == said


@pytest.mark.slow
def test_two_quick_drags_end_where_the_second_ended(opened: Opened) -> None:
    page = open_explorer(opened)
    drag(page, 0.9, release=False)
    page.mouse.up()
    drag(page, 0.3)
    assert abs(float(slider(page).input_value()) - float(asked(page.url))) < 1e-9


def test_numbers_at_rest_are_those_of_the_list_below(opened: Opened) -> None:
    page = open_explorer(opened, "&threshold=0.25")
    for card in page.locator(".explorer .card").all():
        name = card.locator(".note").first.inner_text()
        shown = [card.locator(part).inner_text() for part in (".number", ".interval")]
        row = page.locator(".eb-metric-list tr").filter(
            has=page.get_by_role("rowheader", name=name, exact=True)
        )
        assert row.locator("td").first.inner_text() == " ".join(shown)


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE)
def test_names_from_a_file_are_text(hostile: str, page: Page, server: str) -> None:
    dropped(page, server, "x.csv", predictions(positive=hostile, score=f"model {hostile}"))
    page.get_by_test_id("stSidebar").get_by_role("link", name="Threshold").click()
    page.wait_for_url("**/thresholds?**")
    settle(page)
    assert page.locator(".explorer img, .explorer a").count() == 0
    assert hostile in page.locator(".explorer").inner_text()


def test_a_phone_needs_no_sideways_scrolling_and_keeps_the_threshold_in_reach(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{server}/thresholds?{SAMPLE}")
    settle(page)
    expect(slider(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    lines = page.locator(".explorer .card .number").evaluate_all(LINES)
    assert lines == [1] * 5
    at = slider(page).bounding_box()
    assert PHONE["height"] - 150 < at["y"] < PHONE["height"]
    page.mouse.move(200, 300)
    page.mouse.wheel(0, 500)
    expect(page.get_by_test_id("stMain")).to_have_js_property("scrollTop", 500)
    assert slider(page).bounding_box()["y"] == pytest.approx(at["y"], abs=2)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_theme(scheme: str, new_page: Callable[..., Page], server: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto(f"{server}/thresholds?{SAMPLE}")
    settle(page)
    card = page.locator(".explorer .card").first
    expect(card).to_be_visible()
    color = card.evaluate("node => getComputedStyle(node).backgroundColor")
    bar = page.locator(".explorer .bars .positive").first
    red = bar.evaluate("node => getComputedStyle(node).fill")
    assert (color, red) == {
        "light": ("rgb(255, 255, 255)", "rgb(200, 50, 74)"),
        "dark": ("rgb(25, 31, 40)", "rgb(255, 107, 126)"),
    }[scheme]


@pytest.mark.slow
def test_tables_travel_once(opened: Opened, page: Page) -> None:
    received: list[int] = []
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda text: received.append(len(text))),
    )
    open_explorer(opened)
    drag(page, 0.2)
    first = sum(received)
    received.clear()
    drag(page, 0.7)
    assert sum(received) < first / 2


@pytest.mark.slow
def test_a_threshold_of_its_own_reaches_the_address_and_the_other_pages(opened: Opened) -> None:
    page = open_explorer(opened, "&threshold=0.25")
    page.get_by_label("separate threshold per model").check()
    page.get_by_role("button", name="naive bayes").click()
    box(page).fill("0.7")
    box(page).press("Enter")
    page.wait_for_url("**own-threshold=naive*bayes%3D0.7**")
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Summary").click()
    page.wait_for_url("**/overview?**own-threshold=**")
    settle(page)
    expect(page.get_by_role("heading", name="Decided by the threshold 0.7")).to_be_visible()
    page.get_by_text("logistic regression", exact=True).first.click()
    expect(page.get_by_role("heading", name="Decided by the threshold 0.25")).to_be_visible()


@pytest.mark.slow
def test_curves_that_are_chosen_survive_a_refresh_and_another_page(opened: Opened) -> None:
    page = open_explorer(opened)
    page.get_by_role("button", name="curves and lines").click()
    page.get_by_role("button", name="lift", exact=True).click()
    page.wait_for_url("**curves=roc%2Cprecision-recall%2Clift**")
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Summary").click()
    page.wait_for_url("**/overview?**")
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Threshold").click()
    page.wait_for_url("**/thresholds?**curves=**")
    settle(page)
    expect(page.locator('.figure[data-figure="lift"]')).to_be_visible()
    page.reload()
    settle(page)
    expect(page.locator('.figure[data-figure="lift"]')).to_be_visible()


def test_from_an_upload_two_clicks_lead_to_the_threshold_for_given_costs(
    page: Page, server: str
) -> None:
    dropped(page, server, "x.csv", predictions())
    page.get_by_test_id("stSidebar").get_by_role("link", name="Threshold").click()
    page.wait_for_url("**/thresholds?**")
    page.get_by_label("Cost of a miss").click()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    page.wait_for_url("**costs=0%2C1%2C10%2C0**threshold=**")
    settle(page)
    cheapest = page.get_by_role("button", name="cheapest")
    expect(cheapest).to_have_attribute("aria-pressed", "true")
    said, day = cheapest.inner_text(), page.locator(".explorer .day").inner_text()
    page.get_by_role("link", name="Costs").click()
    page.wait_for_url("**/costs?**costs=0%2C1%2C10%2C0**")
    settle(page)
    shown = page.locator(".eb-headline").inner_text()
    assert shown.endswith(f" is {said.removeprefix('cheapest: ')}")
    heading = page.get_by_role("heading", name="In a day with").inner_text()
    assert heading.partition(": ")[2].replace("\N{NO-BREAK SPACE}", " ") in day
    page.get_by_test_id("stSidebar").get_by_role("link", name="Summary").click()
    page.wait_for_url("**/overview?**costs=0%2C1%2C10%2C0**")
    settle(page)
    page.reload()
    settle(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Threshold").click()
    page.wait_for_url("**/thresholds?**costs=0%2C1%2C10%2C0**")
    settle(page)
    expect(page.get_by_label("Cost of a miss")).to_have_value("10")
    expect(page.get_by_role("button", name="cheapest")).to_have_text(said)


ON_ONE_LINE = """numbers => numbers.map(one => {
    const [style, text] = [getComputedStyle(one), document.createRange()];
    text.selectNodeContents(one);
    const card = one.closest(".card, td").getBoundingClientRect();
    const { left, right, height } = text.getBoundingClientRect();
    const line = one.currentCSSZoom * parseFloat(style.fontSize);
    return left >= card.left && right <= card.right && height < 1.6 * line;
})"""


@pytest.mark.parametrize("presented", ["", "&present=yes"], ids=["page", "presented"])
def test_a_number_is_on_one_line_in_its_card_however_wide_the_window_is(
    opened: Opened, presented: str
) -> None:
    for threshold in ("0.5", "0.9999999", "2"):
        page = open_explorer(opened, f"{presented}&threshold={threshold}")
        for width in (320, 390, 768, 1000, 1280, 1366, 1400, 1920, 2560):
            page.set_viewport_size({"width": width, "height": 800})
            found = page.locator(".card .number, .cell-number").evaluate_all(ON_ONE_LINE)
            assert len(found) == 9
            assert all(found), (width, threshold)
        page.set_viewport_size(DESKTOP)


def test_what_can_be_said_of_costs_is_seen_as_a_box(opened: Opened) -> None:
    cost = open_explorer(opened).get_by_role("textbox", name="Cost of a miss")
    expect(cost).to_have_value("")
    for side in ("top", "right", "bottom", "left"):
        expect(cost).to_have_css(f"border-{side}-style", "solid")
