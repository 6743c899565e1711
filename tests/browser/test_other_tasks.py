"""Numbers, clusterings and folds in a real browser: pictures, choices kept, every width."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import PHONE, first_of, settle

Opening = Callable[[str], Page]
NUMBERS = "/overview?data=sample-diabetes&curves=true"
CLUSTERS = "/overview?data=sample-iris&curves=true"
COMPARED = "/comparison?data=sample-breast-cancer"
FOLDS = "/cross_validation?data=sample-folds"


def picture(page: Page, key: str):
    return page.locator(f".st-key-figure-{key} .js-plotly-plot")


@pytest.mark.parametrize(
    ("address", "keys"),
    first_of(
        [
            (NUMBERS, ("predicted-actual", "residuals")),
            (CLUSTERS, ("silhouette", "contingency")),
            (COMPARED, ("models", "differences")),
            (FOLDS, ("folds", "differences")),
        ]
    ),
)
def test_pictures_are_drawn_with_their_words_above(
    opened: Opening, address: str, keys: tuple[str, ...]
) -> None:
    page = opened(address)
    for key in keys:
        picture(page, key).locator(".main-svg").first.wait_for()
        assert page.locator(f".st-key-figure-{key} .eb-figure-title").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "results"),
    [
        ("How far will the disease go?", "overview"),
        ("Which flowers belong together?", "overview"),
        ("Which model wins over the folds?", "cross_validation"),
    ],
)
def test_a_sample_opens_on_its_results(opened: Opening, title: str, results: str) -> None:
    page = opened("/")
    page.get_by_role("link", name=title).click()
    page.wait_for_url(f"**/{results}?**")
    settle(page)
    expect(page.locator("h1.eb-headline")).to_be_visible()


def test_a_picked_metric_is_kept_over_a_refresh_and_left_on_the_way_back(opened: Opening) -> None:
    page = opened("/comparison?data=sample-diabetes")
    usual = page.locator("h1.eb-headline").inner_text()
    page.locator(".st-key-metric").get_by_role("combobox").click()
    page.get_by_role("option", name="Mean absolute error").click()
    page.wait_for_url("**metric=mae**")
    settle(page)
    said = page.locator("h1.eb-headline").inner_text()
    assert "mean absolute error" in said.lower()
    page.reload()
    settle(page)
    assert page.locator("h1.eb-headline").inner_text() == said
    page.go_back()
    expect(page.locator("h1.eb-headline")).to_have_text(usual)


@pytest.mark.slow
def test_a_clustering_is_picked_and_kept_in_the_address(opened: Opening) -> None:
    page = opened(CLUSTERS)
    page.get_by_role("combobox", name="Clustering").click()
    page.get_by_role("option", name="single_k3").click()
    page.wait_for_url("**shown=single_k3**")
    settle(page)
    title = page.locator(".st-key-figure-silhouette .eb-figure-title")
    said = "Cluster “0” fits worst: mean 0.345, 15 of its 98 points nearer to another"
    expect(title).to_have_text(said)


@pytest.mark.slow
def test_hovering_a_prediction_names_its_row(opened: Opening) -> None:
    page = opened(NUMBERS)
    plot = picture(page, "predicted-actual")
    plot.scroll_into_view_if_needed()
    box = plot.locator(".nsewdrag").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.72)
    plot.locator(".hoverlayer .hovertext").first.wait_for()
    assert "row" in plot.locator(".hoverlayer").text_content()


@pytest.mark.parametrize("mode", first_of(["light", "dark"]))
@pytest.mark.parametrize("address", first_of([CLUSTERS, NUMBERS, COMPARED, FOLDS]))
def test_a_phone_shows_everything_without_sideways_scrolling(
    new_page: Callable[..., Page], server: str, address: str, mode: str
) -> None:
    page = new_page(viewport=PHONE, color_scheme=mode)
    page.goto(server + address)
    settle(page)
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


ERRORS = "/errors?data=sample-diabetes"


def test_a_point_of_a_cloud_a_group_and_a_line_round_points_select_rows(
    page: Page, opened: Opening
) -> None:
    told = page.context.new_cdp_session(page)
    told.send("Performance.enable", {"timeDomain": "threadTicks"})
    opened(ERRORS)
    spent = {one["name"]: one["value"] for one in told.send("Performance.getMetrics")["metrics"]}
    # Ten times as long, if a rule of style is tried on every point of a cloud after each change.
    assert spent["RecalcStyleDuration"] < 2 * spent["ScriptDuration"]
    chip = page.locator(".st-key-selected")

    def middle(key: str, place: int) -> tuple[float, float]:
        point = page.locator(f".st-key-figure-{key} .scatterlayer .point").nth(place)
        point.scroll_into_view_if_needed()
        box = point.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(key: str, place: int) -> None:
        page.mouse.move(*middle(key, place))
        page.locator(f".st-key-figure-{key} .hoverlayer .hovertext").first.wait_for()
        page.mouse.click(*middle(key, place))

    bar = page.locator(".st-key-figure-error-histogram .barlayer .point path").nth(20)
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(chip).to_contain_text("rows off by")
    settle(page)
    click("residuals", 100)
    expect(chip).to_contain_text("1 row picked by hand")
    settle(page)
    click("error-groups", 3)
    expect(chip).to_contain_text("44 rows predicted 119 to 134 (linear regression)")
    settle(page)
    page.get_by_text("lasso", exact=True).click()
    settle(page)
    x, y = middle("predicted-actual", 100)
    page.mouse.move(x - 20, y - 20)
    page.mouse.down()
    for corner in ((x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20), (x - 20, y - 20)):
        page.mouse.move(*corner, steps=4)
    page.mouse.up()
    expect(chip).to_contain_text("picked by hand")
    assert "rows%3D" in page.url
