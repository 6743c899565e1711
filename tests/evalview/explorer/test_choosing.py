"""What a person chooses in the explorer: curves, lines, metrics, goals, a threshold for each."""

import math

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from scipy.stats import norm

from evalcore.intervals.resamples import Plan
from evalcore.metrics.ranking import KS_STATISTIC
from evalcore.tables.areas import hull_corners
from evalcore.tables.scores import ScoreTable
from evalview import text
from evalview.explorer.band import Ties, roc_band
from evalview.explorer.payload import BAND_POINTS, OFFERED, Drawn, model_payload
from evalview.figures.theme import MODEL_STYLES, brighter
from evalview.text import shortest_threshold
from tests.evalview.explorer.conftest import Load
from tests.evalview.explorer.drawing import Drawing
from tests.evalview.explorer.examples import TABLES, explored, payload, random_table

pytestmark = pytest.mark.browser

FOREST, BOOSTING = random_table(1500, seed=4), random_table(1500, seed=5, shift=3.0)
TWO = {"forest": FOREST, "boosting": BOOSTING}
SAVED = ["PNG", "PNG for slides", "PNG for print", "SVG", "Data (CSV)"]
EVERYTHING = Drawn(**{name: tuple(keys) for name, keys in OFFERED.items()})


@pytest.fixture
def drawn(blank: Page) -> Drawing:
    return Drawing(blank)


def figures(drawn: Drawing) -> list[str | None]:
    return [one.get_attribute("data-figure") for one in drawn.page.locator(".figure").all()]


def test_curves_come_and_go_by_their_buttons_and_the_choice_is_told(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    assert figures(drawn) == ["roc", "precision-recall", None]
    for name in ("lift", "ROC"):
        drawn.page.get_by_role("button", name=name, exact=True).click()
    assert figures(drawn) == ["precision-recall", "lift", None]
    assert drawn.answers[-1]["drawn"]["curves"] == ["precision-recall", "lift"]
    button = drawn.page.get_by_role("button", name="lift", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).not_to_be_focused()


def test_the_code_of_a_curve_is_offered_as_soon_as_the_server_has_sent_it(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.page.get_by_role("button", name="lift", exact=True).click()
    menu = drawn.page.locator('[data-figure="lift"] .menu')
    menu.locator("summary").click()
    expect(menu.get_by_role("button")).to_have_text(SAVED)
    answer = payload(TWO, drawn=Drawn(("roc", "precision-recall", "lift"), ()))
    drawn.show(answer | {"code": {"lift": "draw()"}})
    expect(menu.get_by_role("button")).to_have_text([*SAVED, "Python"])


def test_tables_that_are_not_here_are_asked_for(drawn: Drawing) -> None:
    fed = payload(TWO)
    without = {key: value for key, value in fed.items() if key != "models"}
    drawn.show(without)
    assert drawn.answers == [{"holds": None}]
    drawn.show(fed)
    drawn.show(without | {"thresholds": [0.25, 0.25]})
    expect(drawn.box).to_have_value("0.25")
    assert drawn.answers == [{"holds": None}]


def test_buttons_keep_the_focus_so_that_the_keyboard_can_go_on(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    button = drawn.page.get_by_role("button", name="lift", exact=True)
    button.focus()
    for pressed in ("true", "false", "true"):
        drawn.page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", pressed)
        expect(button).to_be_focused()


def test_lines_are_offered_only_for_the_curves_that_are_shown(drawn: Drawing) -> None:
    drawn.show(payload(TWO, drawn=Drawn(("precision-recall",), ())))
    offered = drawn.page.get_by_role("group", name="Also drawn").get_by_role("button")
    assert offered.all_inner_texts() == ["equal F1"]
    offered.click()
    assert drawn.page.locator(".extra").count() == 4


@pytest.mark.parametrize("name", TABLES)
def test_everything_can_be_drawn_from_every_kind_of_table(name: str, drawn: Drawing) -> None:
    table = TABLES[name]
    drawn.show(payload({"model": table}, threshold=float(table.threshold[0]), drawn=EVERYTHING))
    assert figures(drawn) == [*OFFERED["curves"], None]
    places = drawn.page.eval_on_selector_all(
        "path", "all => all.map((one) => one.getAttribute('d'))"
    )
    assert not any("NaN" in place or "Infinity" in place for place in places)
    text = drawn.page.locator("body").inner_text()
    assert not any(
        wrong in text for wrong in ("NaN", "Infinity", "null", "undefined of", "[object")
    )


@pytest.mark.parametrize(("name", "missing"), [("negatives only", 6), ("positives only", 3)])
def test_curves_that_cannot_be_drawn_say_why_and_the_others_are_drawn(
    name: str, missing: int, drawn: Drawing
) -> None:
    drawn.show(payload({"model": TABLES[name]}, drawn=EVERYTHING))
    reasons = drawn.page.locator(".missing:not(:empty)")
    assert reasons.count() == missing
    assert all(reason.startswith("There are no") for reason in reasons.all_inner_texts())
    assert drawn.page.locator(".plot:visible").count() == 7 - missing


@pytest.mark.parametrize(
    ("goal", "number", "expected"),
    [
        ("recall ≥", "75", lambda table: table.tp >= 0.75 * table.positives),
        ("precision ≥", "60", lambda table: table.tp / (table.tp + table.fp) >= 0.6),
        ("flag", "12", lambda table: (table.tp + table.fp) / table.n <= 0.12),
        ("flag", "250", lambda table: table.tp + table.fp <= 250),
    ],
    ids=["recall", "precision", "share", "rows"],
)
def test_a_goal_can_be_changed_and_is_then_kept(
    goal: str, number: str, expected: object, drawn: Drawing
) -> None:
    drawn.show(payload(TWO))
    unit = " rows" if number == "250" else "%"
    box = drawn.page.get_by_role("textbox", name=f"{goal} how many{unit}", exact=True)
    box.fill(number)
    box.press("Enter")
    kept = FOREST.threshold[expected(FOREST)]
    reached = kept.max() if goal == "recall ≥" else kept.min()
    assert drawn.said[-1]["threshold"] == shortest_threshold(FOREST, reached)
    button = drawn.page.get_by_role("button", name=f"{goal} {number}{unit}")
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_goal_is_kept_in_a_thinned_table_too(drawn: Drawing) -> None:
    table = TABLES["thinned"]
    drawn.show(payload({"forest": table}))
    box = drawn.page.get_by_role("textbox", name="recall ≥ how many%")
    box.fill("77")
    box.press("Enter")
    reached = table.at(drawn.said[-1]["threshold"])
    assert 0.77 <= reached.tp / table.positives < 0.77 + 2 / 2000


@pytest.mark.parametrize("typed", ["", "many", "-3", "101"])
def test_a_goal_that_nothing_reaches_cannot_be_pressed(typed: str, drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.page.get_by_role("textbox", name="precision ≥ how many%").fill(typed)
    expect(drawn.page.locator(".goal button").nth(1)).to_be_disabled()


def test_each_model_may_keep_a_threshold_of_its_own(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=0.5))
    drawn.page.get_by_label("separate threshold per model").check()
    drawn.box.fill("0.3")
    drawn.box.press("Enter")
    drawn.page.get_by_role("button", name="boosting").click()
    expect(drawn.box).to_have_value("0.5")
    assert drawn.answers[-1] | {"drawn": None} == {
        "model": "boosting", "threshold": 0.5, "own": True, "drawn": None, "holds": "example",
    }  # fmt: skip
    drawn.page.get_by_role("button", name="forest").click()
    expect(drawn.box).to_have_value("0.3")
    assert drawn.page.locator(".at").all_inner_texts() == [" at 0.3", " at 0.5"]
    drawn.page.get_by_label("separate threshold per model").uncheck()
    drawn.page.get_by_role("button", name="boosting").click()
    expect(drawn.box).to_have_value("0.3")


def test_what_the_server_says_of_own_thresholds_is_shown(drawn: Drawing) -> None:
    drawn.show(payload(TWO, own=[0.25, 0.75]))
    assert drawn.page.locator(".at").all_inner_texts() == [" at 0.25", " at 0.75"]
    drawn.page.get_by_role("button", name="boosting").click()
    counts = BOOSTING.at(0.75)
    assert drawn.cells() == [
        text.count(value) for value in (counts.tp, counts.fn, counts.fp, counts.tn)
    ]


def test_models_on_different_scales_are_warned_of_while_they_share_a_threshold(
    drawn: Drawing,
) -> None:
    drawn.show(payload({"forest": FOREST, "svm": TABLES["logits"]}))
    told = drawn.page.locator(".scales")
    expect(told).to_contain_text("svm scores from")
    expect(told).to_contain_text("one threshold for all models is not meaningful")
    drawn.page.get_by_label("separate threshold per model").check()
    expect(told).to_have_text("")


def test_ties_that_matter_are_boxes_with_the_best_and_the_worst_area(drawn: Drawing) -> None:
    table = TABLES["tied scores"]
    ties = Ties.of(table)
    drawn.show(payload({"forest": table}))
    assert drawn.page.locator(".tied").count() == len(ties.boxes) == 3
    said = drawn.page.locator('[data-figure="roc"] .about')
    expect(said).to_contain_text("100% of rows share a score with a row of the other class")
    expect(said).to_contain_text(
        f"AUC between {text.number(ties.low)} and {text.number(ties.high)}"
    )
    drawn.show(payload({"forest": FOREST}, key="other"))
    assert drawn.page.locator(".tied").count() == 0


def test_few_rows_have_a_tick_each_and_many_have_none(drawn: Drawing) -> None:
    drawn.show(payload({"few": random_table(40)}))
    assert drawn.page.locator(".rug").count() == 40
    drawn.show(payload(TWO, key="other"))
    assert drawn.page.locator(".rug").count() == 0


def test_the_band_travels_small_and_holds_its_curve() -> None:
    band = roc_band(FOREST, np.random.default_rng(0), Plan(resamples=200))
    model = model_payload(explored("forest", FOREST, band=band), 0.95)["band"]
    assert len(model["low"]) == len(model["high"]) == BAND_POINTS
    assert (np.array(model["low"]) <= np.array(model["high"])).all()
    assert model["resamples"] == 200


def test_the_hull_is_that_of_evalcore(module: Load) -> None:
    table = TABLES["distinct scores"]
    x, y = np.append(0, table.fp) / table.negatives, np.append(0, table.tp) / table.positives
    corners = module("curves").evaluate("(all) => hull(all)", np.column_stack([x, y]).tolist())
    at = hull_corners(table)
    assert np.allclose(corners, np.column_stack([x[at], y[at]]))


def test_the_normal_quantile_is_that_of_scipy(module: Load) -> None:
    rates = np.concatenate([np.linspace(0.001, 0.999, 401), [1e-9, 1e-6, 1 - 1e-6]])
    found = module("curves").evaluate("(rates) => rates.map(probit)", rates.tolist())
    assert np.allclose(found, norm.ppf(rates), rtol=1e-12, atol=1e-12)


def test_the_gap_between_the_distributions_is_the_ks_statistic(drawn: Drawing) -> None:
    drawn.show(payload(TWO, drawn=Drawn(("ks",), ())))
    said = drawn.page.locator('[data-figure="ks"] .note').first
    expect(said).to_contain_text(f"KS {text.percent(float(KS_STATISTIC(FOREST)))}")


@pytest.mark.parametrize(
    ("slope", "point", "ends"),
    [
        (1, [0.25, 0.5], [[0, 0.25], [0.75, 1]]),
        (4, [0.25, 0.5], [[0.125, 0], [0.375, 1]]),
        (0, [0.25, 0.5], [[0, 0.5], [1, 0.5]]),
    ],
)
def test_the_line_of_equal_cost_ends_at_the_frame(
    slope: float, point: list[float], ends: list[list[float]], module: Load
) -> None:
    assert module("curves").evaluate("([p, s]) => across(p, s)", [point, slope]) == ends


def test_the_line_of_equal_cost_follows_the_costs_given(drawn: Drawing) -> None:
    lines = Drawn(("roc",), ("cost",))
    share = FOREST.positives / FOREST.n
    miss = 4 * (1 - share) / share
    drawn.show(payload(TWO, drawn=lines, of=(0, 1, miss, 0)))
    figure = drawn.page.locator('[data-figure="roc"]')
    segment = figure.locator(".extra")
    ends = [float(segment.get_attribute(name)) for name in ("x1", "y1", "x2", "y2")]
    width, height = drawn.page.evaluate("() => [310, 270]")
    rise, run = (ends[1] - ends[3]) / height, (ends[2] - ends[0]) / width
    assert rise / run == pytest.approx(0.25, rel=0.01)
    expect(figure).to_contain_text("the same cost as here")
    drawn.show(payload(TWO, drawn=lines, of=(0, 1, 0, 0)))
    expect(segment).to_have_count(0)
    expect(drawn.page.locator('[data-figure="roc"]')).to_contain_text(
        "finding a case saves nothing"
    )


def test_what_is_typed_about_costs_is_told_and_the_answer_followed(drawn: Drawing) -> None:
    drawn.show(payload(TWO, of=(0, 1, math.nan, 0)))
    cheapest = drawn.page.get_by_role("button", name="cheapest")
    expect(cheapest).to_have_count(0)
    box = drawn.page.get_by_label("Cost of a miss")
    box.fill("10")
    box.press("Enter")
    (answer,) = drawn.answers
    assert answer["said"] == {"fn": 10, "fp": 1, "share": None, "volume": 1000}
    told = payload(TWO, of=(0, 1, 10, 0))
    at = told["costs"]["cheapest"][0]["threshold"]
    drawn.show(payload(TWO, of=(0, 1, 10, 0), threshold=at))
    expect(cheapest).to_have_attribute("aria-pressed", "true")
    expect(cheapest).to_have_text(f"cheapest: {at}")
    expect(drawn.box).to_have_value(str(at))
    expect(drawn.page.locator(".day")).to_contain_text("A day brings")
    box.fill("many")
    box.press("Enter")
    expect(box).to_have_value("10")
    assert len(drawn.answers) == 1


def test_of_several_classes_nothing_is_asked_about_costs(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    expect(drawn.page.get_by_role("textbox", name="Cost of a miss")).to_have_count(0)


def test_metrics_against_the_threshold_can_be_chosen(drawn: Drawing) -> None:
    drawn.show(payload(TWO, drawn=Drawn(("metrics",), (), ("recall",))))
    lines = drawn.page.locator('[data-figure="metrics"] .line')
    assert lines.count() == 1
    drawn.page.get_by_role("button", name="Matthews correlation").click()
    drawn.page.get_by_role("button", name="Precision", exact=True).click()
    assert lines.count() == 3
    # No formula gives an interval for the correlation.
    assert drawn.page.locator('[data-figure="metrics"] .band:not([d=""])').count() == 2
    for name in ("Precision", "Recall", "Matthews correlation"):
        drawn.page.get_by_role("button", name=name, exact=True).click()
    expect(drawn.page.locator('[data-figure="metrics"]')).to_contain_text("Choose a metric under")


def test_between_two_scores_a_metric_stays_as_it_is(module: Load) -> None:
    falling = [[0.9, 0.2], [0.5, 0.6], [0.1, 1.0]]
    corners = module("curves").evaluate("(all) => held(all)", falling)
    assert corners == [[0.9, 0.2], [0.5, 0.2], [0.5, 0.6], [0.1, 0.6], [0.1, 1.0]]


def test_a_click_on_a_metric_sets_the_threshold_below_it(drawn: Drawing) -> None:
    drawn.show(payload(TWO, drawn=Drawn(("metrics",), (), ("recall",))))
    at = drawn.page.locator('[data-figure="metrics"] .plot').bounding_box()
    inside = (36 + 0.4 * 310) / 358
    recall = FOREST.at(0.4).tp / FOREST.positives
    drawn.page.mouse.click(
        at["x"] + inside * at["width"], at["y"] + (8 + (1 - recall) * 270) / 300 * at["height"]
    )
    low, high = np.quantile(FOREST.threshold, [0, 1])
    assert abs(drawn.said[-1]["threshold"] - (low + 0.4 * (high - low))) < 0.02


def test_cells_of_a_spreadsheet_are_never_formulas(module: Load) -> None:
    rows = [["=1+1", "+1", "-x", "@a", " =b", 'say "a", b', "plain"], [-1.5, 2, 1e300, 0.1]]
    assert module("saving").evaluate("(rows) => csvOf(rows)", rows) == (
        '\'=1+1,\'+1,\'-x,\'@a,\' =b,"say ""a"", b",plain\r\n-1.5,2,1e+300,0.1\r\n'
    )


def test_names_of_files_are_names_of_files(module: Load) -> None:
    named = module("saving").evaluate(
        "(names) => names.map(fileName)",
        ["../../a b", "ROC", "é/ü", "", "x" * 99, "CON", "a" * 59 + " b", "\U00010400" * 99],
    )
    assert named == [
        *("a-b", "roc", "é-ü", "figure", "x" * 60, "figure-con", "a" * 59),
        "\U00010428" * 60,
    ]


def test_a_table_without_rows_says_what_cannot_be_drawn(drawn: Drawing) -> None:
    nothing = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    drawn.show(payload({"model": nothing}, drawn=EVERYTHING))
    assert drawn.page.locator(".missing:not(:empty)").count() == 7


@pytest.mark.parametrize(
    ("dark", "paper"),
    [
        ("#191f28", "#ffffff"),
        ("rgb(233, 235, 238)", "#1b2330"),
        *((brighter(style.color).lower(), style.color.lower()) for style in MODEL_STYLES),
        ("#283850", "#d9e9ff"),  # a tint: as light as it was dark
        ("rgba(0, 0, 0, 0)", None),
        ("none", None),
    ],
)
def test_on_paper_dark_colours_become_those_of_light_mode(
    dark: str, paper: str | None, module: Load
) -> None:
    page = module("paper")
    found = page.evaluate("(dark) => { const it = channels(dark); return it && inked(it); }", dark)
    assert found == (None if paper is None else page.evaluate("(text) => channels(text)", paper))
