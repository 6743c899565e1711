"""The overview in a real browser: cards, pictures, explanations; every width and both modes."""

import csv
import io
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, settle

Opening = Callable[[str], Page]
OPEN = "&numbers=true&curves=true"
BINARY = f"/overview?data=sample-breast-cancer{OPEN}"
CLASSES = f"/overview?data=sample-digits{OPEN}"
MODELS = ("<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "$x$", "a -> b", "_i_")


def hostile_file() -> bytes:
    """Return a file whose classes and models are named like markup."""
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["truth", *(f"{name}_score" for name in MODELS)])
    for row in range(60):
        yes = row % 3 == 0
        label = "<b>yes</b>" if yes else ":red[no]"
        table.writerow([label, *(0.5 + (0.2 if yes else -0.2) + row / 999 for _ in MODELS)])
    return text.getvalue().encode()


def picture(page: Page, key: str):
    return page.locator(f".st-key-figure-{key} .js-plotly-plot")


def test_pictures_are_drawn_with_their_words_above(opened: Opening) -> None:
    page = opened(BINARY)
    for key in ("roc", "precision-recall", "calibration"):
        picture(page, key).locator(".legendtext").first.wait_for()
        assert page.locator(f".st-key-figure-{key} .eb-figure-title").inner_text()
    assert page.locator(".modebar").count() == 0


def test_hovering_a_curve_speaks_in_words(opened: Opening) -> None:
    page = opened(BINARY)
    plot = picture(page, "roc")
    plot.scroll_into_view_if_needed()
    box = plot.locator(".nsewdrag").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 8)
    page.locator(".st-key-figure-roc .hoverlayer .hovertext").first.wait_for()
    said = plot.locator(".hoverlayer").text_content()
    assert "of malignant found" in said
    assert "of benign flagged" in said


def test_a_number_opens_into_its_formula_with_live_counts(opened: Opening) -> None:
    page = opened(BINARY)
    page.locator(".st-key-card-threshold-recall").get_by_text("Explain").click()
    opened_box = page.locator('[data-testid="stPopoverBody"]')
    opened_box.locator(".katex").nth(1).wait_for()
    for words in ("165", "Altman and Bland", "evaluate(dataset"):
        expect(opened_box).to_contain_text(words)


@pytest.mark.slow
def test_explanations_open_by_keyboard(opened: Opening) -> None:
    page = opened(BINARY)
    page.locator(".st-key-card-threshold-recall button").focus()
    page.keyboard.press("Enter")
    page.locator('[data-testid="stPopoverBody"] .katex').first.wait_for()


@pytest.mark.slow
def test_a_picked_model_is_kept_over_a_refresh(opened: Opening) -> None:
    page = opened(BINARY)
    page.get_by_role("combobox", name="Model").click()
    page.get_by_role("option", name="naive bayes").click()
    page.wait_for_url("**shown=naive*bayes**")
    settle(page)
    title = page.locator(".st-key-figure-roc .eb-figure-title").inner_text()
    assert title.startswith("naive bayes")
    page.reload()
    settle(page)
    assert page.locator(".st-key-figure-roc .eb-figure-title").inner_text() == title


@pytest.mark.slow
def test_names_that_look_like_markup_are_read_as_text(page: Page, server: str) -> None:
    page.goto(server)
    settle(page)
    page.locator('input[type="file"]').set_input_files(
        {"name": "f.csv", "mimeType": "text/csv", "buffer": hostile_file()}
    )
    page.wait_for_url("**/overview?**")
    settle(page)
    for folded in ("All metrics", "Curves"):
        page.locator("summary", has_text=folded).click()
        settle(page)
    picture(page, "roc").locator(".legendtext").first.wait_for()
    main = page.locator('[data-testid="stMain"]')
    assert "rows of class “<b>yes</b>” found" in main.inner_text().replace("\n", " ")
    assert main.locator("img[src=x], b:has-text('yes'), a[href^='javascript']").count() == 0
    legend = picture(page, "roc").locator(".legendtext").all_text_contents()
    assert len(legend) == len(MODELS)
    assert legend[0].startswith("<img")


def test_long_names_of_classes_leave_room_for_those_of_models(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(server)
    settle(page)
    classes = [f"customers who {done} within ninety days" for done in ("left", "stayed", "wrote")]
    rows = [",".join([one, one, classes[0]]) for one in classes * 9]
    content = "\n".join(["truth,gradient boosting_label,random forest_label", *rows])
    page.locator('input[type="file"]').set_input_files(
        {"name": "f.csv", "mimeType": "text/csv", "buffer": content.encode()}
    )
    page.wait_for_url("**/overview?**")
    settle(page)
    name = page.locator(".eb-summary tbody th").first.bounding_box()
    note = page.locator(".eb-summary tbody td small").first
    assert name is not None
    assert name["width"] > 100
    expect(note).to_have_text(re.compile(r"^\(customers who"))


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "address"), [("dark", BINARY), ("light", CLASSES)])
def test_a_phone_shows_everything_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, mode: str, address: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme=mode)
    page.goto(server + address)
    settle(page)
    picture(page, "roc").locator(".legendtext").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    cards = page.locator('[class*="st-key-card-scores"]')
    first, second, third = (cards.nth(place).bounding_box() for place in range(3))
    assert first["y"] == pytest.approx(second["y"], abs=1), "two by two"
    assert third["y"] > first["y"]
    assert first["x"] < second["x"]


@pytest.mark.parametrize(
    ("mode", "card"), first_of([("dark", "rgb(25, 31, 40)"), ("light", "rgb(255, 255, 255)")])
)
def test_pictures_have_the_colours_of_the_mode(
    new_page: Callable[..., Page], server: str, mode: str, card: str
) -> None:
    page = new_page(color_scheme=mode)
    page.goto(server + BINARY)
    settle(page)
    ground = picture(page, "roc").locator(".main-svg").first
    assert ground.evaluate("node => getComputedStyle(node).backgroundColor") == card


@pytest.mark.slow
def test_cards_of_a_row_are_equally_high(opened: Opening) -> None:
    cards = opened(BINARY).locator('[class*="st-key-card-scores"]')
    heights = {round(cards.nth(place).bounding_box()["height"]) for place in range(cards.count())}
    assert len(heights) == 1


def test_a_number_clicked_in_a_table_is_explained_within_the_window(opened: Opening) -> None:
    page = opened(BINARY)
    page.set_viewport_size(PHONE)
    table = page.locator('[data-testid="stDataFrame"]').first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 55)
    sheet = page.locator('[class*="st-key-clicked-"]')
    expect(sheet.locator(".katex").first).to_be_in_viewport()
    edges = "([table, sheet]) => [table.getBoundingClientRect(), sheet.getBoundingClientRect()]"
    apart = f"both => {{ const [t, s] = ({edges})(both); return t.bottom <= s.top; }}"
    page.wait_for_function(apart, arg=[table.element_handle(), sheet.element_handle()])
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)


@pytest.mark.parametrize("mode", first_of(["light", "dark"]))
def test_the_first_screen_fits_a_phone_and_a_projector(
    new_page: Callable[..., Page], server: str, mode: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme=mode)
    page.goto(f"{server}/overview?data=sample-breast-cancer")
    settle(page)
    page.locator(".eb-misses img").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".st-key-steps a").first).to_be_in_viewport()
    icons = page.locator(".eb-misses img")
    assert icons.first.get_attribute("alt") == "malignant: 47 missed, 165 found."
    assert icons.first.evaluate("image => image.naturalWidth") > 0
