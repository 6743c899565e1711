"""What a person does with the explorer, and what they then see; without a server."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dev import ROOT
from evalcore.curves.roc import (
    threshold_finding,
    threshold_flagging,
    threshold_flagging_rows,
    threshold_precise,
)
from evalcore.metrics.decisions import BEST_F1, BEST_YOUDEN, F1, PRECISION, RECALL
from evalcore.metrics.metric import Estimate
from evalcore.tables.scores import ScoreTable
from evalview import text
from evalview.explorer.payload import METRICS, USUAL, Drawn
from evalview.figures.theme import model_style
from evalview.text import shortest_threshold
from tests.evalview.explorer.drawing import Drawing
from tests.evalview.explorer.examples import TABLES, explored, payload, random_table

pytestmark = pytest.mark.browser

FOREST, BOOSTING = random_table(1500, seed=4), random_table(1500, seed=5, shift=3.0)
TWO = {"forest": FOREST, "boosting": BOOSTING}
SHORT = [shortest_threshold(FOREST, score) for score in FOREST.threshold]
HOSTILE = "<img src=x onerror=alert(1)>[x](javascript:alert(1)) $x$ :red[x] =HYPERLINK(1)"


@pytest.fixture
def drawn(blank: Page) -> Drawing:
    return Drawing(blank)


def cells(table: ScoreTable, threshold: float) -> list[str]:
    counts = table.at(threshold)
    return [text.count(value) for value in (counts.tp, counts.fn, counts.fp, counts.tn)]


def numbers(table: ScoreTable, threshold: float) -> list[str]:
    return [text.number(metric(table.at(threshold))) for metric in (RECALL, PRECISION, F1)]


def test_it_shows_the_numbers_of_the_threshold(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=0.34))
    assert drawn.cells() == cells(FOREST, 0.34)
    shown = drawn.numbers()
    assert [shown[0], shown[1], shown[3]] == numbers(FOREST, 0.34)
    expect(drawn.headline).to_contain_text("At 0.34, forest finds")
    expect(drawn.box).to_have_value("0.34")


def test_dragging_moves_everything_and_speaks_when_let_go(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    at = drawn.slider.bounding_box()
    middle = at["y"] + at["height"] / 2
    drawn.page.mouse.move(at["x"] + at["width"] / 2, middle)
    drawn.page.mouse.down()
    seen = []
    for step in range(1, 6):
        drawn.page.mouse.move(at["x"] + at["width"] * (0.5 + 0.06 * step), middle)
        seen.append(drawn.cells())
    assert len({tuple(each) for each in seen}) == 5
    assert drawn.said == []
    drawn.page.mouse.up()
    [choice] = drawn.said
    assert choice["model"] == "forest"
    assert choice["threshold"] in SHORT
    assert abs(choice["threshold"] - 0.8) < 0.01
    assert drawn.cells() == seen[-1] == cells(FOREST, choice["threshold"])


def test_arrow_keys_step_from_score_to_score_and_speak_after_a_pause(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=0.5))
    drawn.slider.focus()
    above = FOREST.threshold[FOREST.threshold > 0.5]
    for key in ("ArrowRight", "ArrowUp", "ArrowRight", "ArrowLeft"):
        drawn.page.keyboard.press(key)
        drawn.page.clock.run_for(200)
    assert drawn.page.evaluate("window.said") == []
    drawn.page.clock.run_for(100)
    [choice] = drawn.page.evaluate("window.said")
    assert (choice["model"], choice["threshold"]) == (
        "forest",
        shortest_threshold(FOREST, above[-3]),
    )


@pytest.mark.parametrize(("key", "row"), [("End", 0), ("Home", -1)])
def test_end_and_home_lead_to_the_highest_and_the_lowest_score(
    key: str, row: int, drawn: Drawing
) -> None:
    drawn.show(payload(TWO))
    drawn.slider.focus()
    drawn.page.keyboard.press(key)
    assert drawn.said[-1]["threshold"] == shortest_threshold(FOREST, FOREST.threshold[row])
    assert drawn.cells() == cells(FOREST, FOREST.threshold[row])
    assert drawn.slider.get_attribute("aria-valuetext") == drawn.headline.inner_text()


@pytest.mark.parametrize(("typed", "meant"), [("0.3", 0.3), ("0,3", 0.3), ("−1", -1), ("7", 7)])
def test_a_typed_threshold_is_taken_as_it_is(typed: str, meant: float, drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.box.fill(typed)
    drawn.box.press("Enter")
    assert drawn.said == [{"model": "forest", "threshold": meant}]
    assert drawn.cells() == cells(FOREST, meant)


@pytest.mark.parametrize("typed", ["", "abc", "1e999", "0.5x"])
def test_what_is_not_a_number_changes_nothing(typed: str, drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.box.fill(typed)
    drawn.box.press("Enter")
    assert drawn.said == []
    expect(drawn.box).to_have_value("0.5")


def test_a_typed_threshold_waits_for_the_server_where_the_table_was_thinned(drawn: Drawing) -> None:
    table = TABLES["thinned"]
    drawn.show(payload({"forest": table}))
    drawn.box.fill("0.3")
    drawn.box.press("Enter")
    expect(drawn.page.locator(".explorer")).to_have_class("explorer settling")
    drawn.show(payload({"forest": table}, threshold=0.3))
    expect(drawn.page.locator(".explorer")).to_have_class("explorer")
    assert drawn.cells() == cells(table, 0.3)


def test_without_a_server_a_typed_threshold_goes_to_the_next_score_that_is_known(
    drawn: Drawing,
) -> None:
    table = TABLES["thinned"]
    data = payload({"forest": table})
    drawn.show(data, alone=True)
    drawn.box.fill("0.3")
    drawn.box.press("Enter")
    sent = table.thinned(2000).threshold
    reached = sent[sent >= 0.3][-1]
    assert drawn.cells() == cells(table, reached)


PRESETS = {
    "best F1": BEST_F1.estimate(FOREST).at,
    "Youden": BEST_YOUDEN.estimate(FOREST).at,
    "recall ≥ 90%": threshold_finding(FOREST, 0.9),
    "precision ≥ 90%": threshold_precise(FOREST, 0.9),
    "flag 5%": threshold_flagging(FOREST, 0.05),
    "flag 100 rows": threshold_flagging_rows(FOREST, 100),
}


@pytest.mark.parametrize("label", PRESETS)
def test_a_preset_sets_the_threshold_and_stays_pressed(label: str, drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    button = drawn.page.get_by_role("button", name=label)
    button.click()
    assert drawn.said == [
        {"model": "forest", "threshold": shortest_threshold(FOREST, PRESETS[label])}
    ]
    assert button.get_attribute("aria-pressed") == "true"
    assert drawn.cells() == cells(FOREST, PRESETS[label])


def test_a_preset_that_does_not_exist_cannot_be_pressed(drawn: Drawing) -> None:
    drawn.show(payload({"model": TABLES["negatives only"]}, threshold=0))
    button = drawn.page.get_by_role("button", name="recall ≥ 90%")
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(button).to_have_attribute("title", re.compile("undefined here"))


@pytest.mark.parametrize("position", [0, 1])
def test_a_click_on_a_curve_sets_the_threshold_of_the_nearest_point(
    position: int, drawn: Drawing
) -> None:
    drawn.show(payload({"forest": FOREST}))
    marker = drawn.page.locator(".marker.chosen").nth(position)
    drawn.page.get_by_role("button", name="flag 5%").click()
    there = marker.bounding_box()
    [flag] = drawn.said
    drawn.page.get_by_role("button", name="best F1").click()
    drawn.page.mouse.click(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2)
    reached = drawn.said[-1]["threshold"]
    assert reached in SHORT
    rows = np.searchsorted(-FOREST.threshold, [-reached, -flag["threshold"]])
    assert abs(rows[0] - rows[1]) < 25


def test_a_click_far_from_any_curve_changes_nothing(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    at = drawn.page.locator(".plot").first.bounding_box()
    drawn.page.mouse.click(at["x"] + 0.9 * at["width"], at["y"] + 0.85 * at["height"])
    assert drawn.said == []


def test_pointing_at_a_curve_says_in_words_what_is_there(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=0.4))
    marker = drawn.page.locator(".marker.chosen").first.bounding_box()
    drawn.page.mouse.move(marker["x"] + marker["width"] / 2, marker["y"] + marker["height"] / 2)
    tip = drawn.page.locator(".figure .tip").first
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("of fraud rows, flags")


def test_pointing_at_the_histogram_says_how_many_rows_stand_there(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    at = drawn.page.locator(".histogram").bounding_box()
    drawn.page.mouse.move(at["x"] + 0.31 * at["width"], at["y"] + 50)
    inside = FOREST.at(0.3)
    above = FOREST.at(0.32)
    expect(drawn.page.locator(".histogram .tip")).to_have_text(
        f"Scores 0.3 to 0.32: {text.count(inside.tp - above.tp)} fraud rows, "
        f"{text.count(inside.fp - above.fp)} honest rows"
    )


def test_a_bar_tells_between_which_scores_its_rows_lie(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    bars = drawn.page.locator(".bins button")
    drawn.page.locator(".bins [data-bin='15']").click()
    assert drawn.page.evaluate("said.at(-1).rows") == [0.3, 0.32, True]
    bars.last.focus()
    expect(drawn.page.locator(".histogram .tip")).to_contain_text("to 1: ")
    bars.last.press("ArrowLeft")
    expect(bars.nth(-2)).to_be_focused()
    bars.nth(-2).press("ArrowRight")
    bars.last.press("Enter")
    assert drawn.page.evaluate("said.at(-1).rows.at(-1)") is False
    assert drawn.page.locator(".bins [tabindex='0']").count() == 1


def test_choosing_another_model_shows_its_numbers_at_the_same_threshold(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=0.34))
    drawn.page.get_by_role("button", name="boosting").click()
    assert drawn.said == [{"model": "boosting", "threshold": 0.34}]
    assert drawn.cells() == cells(BOOSTING, 0.34)
    expect(drawn.headline).to_contain_text("boosting finds")
    chosen = drawn.page.get_by_role("button", name="boosting")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(chosen).to_be_focused()


def test_a_late_answer_does_not_pull_the_handle_back(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.slider.focus()
    for key in ("End", "Home"):
        drawn.page.keyboard.press(key)
        drawn.page.clock.run_for(300)
    first, second = (choice["threshold"] for choice in drawn.said)
    for answer in (first, second):
        drawn.show(payload(TWO, threshold=answer))
        assert drawn.cells() == cells(FOREST, second)


def test_a_threshold_that_the_server_changed_is_followed(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.page.get_by_role("button", name="flag 5%").click()
    drawn.show(payload(TWO, threshold=drawn.said[-1]["threshold"]))
    drawn.show(payload(TWO, threshold=0.5))
    assert drawn.cells() == cells(FOREST, 0.5)
    expect(drawn.box).to_have_value("0.5")


def test_an_interval_from_the_server_stands_at_its_threshold_and_a_formula_elsewhere(
    drawn: Drawing,
) -> None:
    data = payload({"forest": FOREST}, threshold=0.3)
    data["at"][0]["intervals"] = {"f1": [0.125, 0.875]}
    drawn.show(data)
    interval = drawn.page.locator(".card .interval").nth(3)
    expect(interval).to_have_text("0.125 – 0.875")
    drawn.page.get_by_role("button", name="flag 5%").click()
    expect(interval).not_to_have_text("0.125 – 0.875")


def test_what_stands_behind_a_number_is_shown_for_one_card_or_for_all(drawn: Drawing) -> None:
    drawn.show(payload(TWO, drawn=USUAL))
    behind = drawn.page.locator(".card .behind")
    seen = "all => all.map((one) => one.checkVisibility({ opacityProperty: true }))"
    assert behind.evaluate_all(seen) == [False] * 5
    drawn.page.locator(".card").nth(1).focus()
    assert behind.evaluate_all(seen) == [False, True, False, False, False]
    drawn.page.get_by_label("intervals and counts").check()
    assert behind.evaluate_all(seen) == [True] * 5
    assert drawn.answers[-1]["drawn"]["lines"] == ["band", "intervals"]


def test_goals_and_the_choice_of_curves_can_be_folded_away(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    for name, group in (("keep a goal", "Goals"), ("curves and lines", "Curves")):
        shown = drawn.page.get_by_role("group", name=group)
        expect(shown).to_be_visible()
        drawn.page.get_by_role("button", name=name).click()
        expect(shown).to_be_hidden()


def test_new_data_replace_the_old_whatever_was_chosen(drawn: Drawing) -> None:
    drawn.show(payload(TWO))
    drawn.page.get_by_role("button", name="boosting").click()
    drawn.show(payload({"other": TABLES["tied scores"]}, key="other"))
    assert drawn.cells() == cells(TABLES["tied scores"], 0.5)
    assert drawn.page.locator(".legend .name").all_inner_texts() == ["other"]


def test_undefined_is_said_with_its_reason_and_never_as_a_number(drawn: Drawing) -> None:
    drawn.show(payload(TWO, threshold=7))
    card = drawn.page.locator(".card").nth(1)
    expect(card.locator(".number")).to_have_text("undefined")
    expect(card.locator(".number")).to_have_attribute(
        "title", f"Undefined: {PRECISION.undefined_when}"
    )
    assert "NaN" not in drawn.page.locator("body").inner_text()


@pytest.mark.parametrize("name", TABLES)
def test_every_kind_of_table_can_be_shown_and_stepped_through(name: str, drawn: Drawing) -> None:
    table = TABLES[name]
    drawn.show(payload({"model": table}, threshold=float(table.threshold[0])))
    drawn.slider.focus()
    for _ in range(3):
        drawn.page.keyboard.press("ArrowLeft")
    reached = table.thinned(2000).threshold[min(3, len(table.threshold) - 1)]
    if "thinned" not in name and len(table.threshold) > 1:
        assert drawn.cells() == cells(table, reached)
    text = drawn.page.locator("body").inner_text()
    assert not any(wrong in text for wrong in ("NaN", "Infinity", "null", "[object"))


def test_a_table_without_rows_is_shown_as_such(drawn: Drawing) -> None:
    nothing = ScoreTable.from_scores(np.array([], dtype=np.int8), np.array([]))
    drawn.show(payload({"model": nothing}))
    assert drawn.cells() == ["0"] * 4
    assert drawn.numbers() == ["undefined"] * 5
    assert "NaN" not in drawn.page.locator("body").inner_text()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("negatives only", "There are no fraud rows, so there is nothing to find."),
        ("positives only", "There are no honest rows, so no alarm can be false."),
    ],
)
def test_a_curve_that_cannot_be_drawn_says_why(name: str, why: str, drawn: Drawing) -> None:
    drawn.show(payload({"model": TABLES[name]}))
    expect(drawn.page.locator(".figure").first).to_contain_text(why)
    expect(drawn.page.locator(".plot").first).to_be_hidden()


def test_names_are_text_whatever_they_hold(drawn: Drawing) -> None:
    drawn.show(payload({HOSTILE: FOREST}, classes=(HOSTILE, HOSTILE + "!")))
    assert drawn.page.locator("img, a, script:not([type])").count() == 0
    expect(drawn.page.locator(".legend .name")).to_have_text(HOSTILE)
    expect(drawn.headline).to_contain_text(HOSTILE)


def test_ten_models_and_long_names_fit_a_phone(drawn: Drawing) -> None:
    drawn.page.set_viewport_size({"width": 390, "height": 844})
    many = {f"{'a_very_long_model_name_' * 3}{at}": random_table(60, seed=at) for at in range(10)}
    drawn.show(payload(many, classes=("w" * 80, "x" * 80)))
    wide = drawn.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390


def test_the_threshold_stays_in_reach_on_a_phone(drawn: Drawing) -> None:
    drawn.page.set_viewport_size({"width": 390, "height": 844})
    drawn.show(payload(TWO))
    for down in (0, 300, 700):
        drawn.page.evaluate("(down) => window.scrollTo(0, down)", down)
        at = drawn.slider.bounding_box()
        assert 600 < at["y"] < 844


def test_the_example_of_the_documentation_is_a_page_with_an_explorer(blank: Page) -> None:
    text = (ROOT / "docs" / "explorer.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    given = {
        "key": "example",
        "models": [explored("forest", FOREST)],
        "tables": [FOREST],
        "decided": [{F1.key: Estimate(0.5)}],
        "thresholds": [0.34],
        "styles_of_metrics": [model_style(at) for at in range(len(METRICS))],
    }
    exec(example, given)
    blank.set_content(given["page"])
    expect(blank.get_by_role("heading", level=1)).to_contain_text("At 0.34, forest finds")
    assert blank.locator(".cell-number").all_inner_texts() == cells(FOREST, 0.34)


@pytest.mark.parametrize("width", [360, 700, 1030, 1200])
def test_nothing_moves_while_the_handle_is_dragged(width: int, drawn: Drawing) -> None:
    drawn.page.set_viewport_size({"width": width, "height": 1400})
    drawn.show(payload(TWO, drawn=Drawn(("roc",)), of=(0, 1, 10, 0), classes=("honest", "y = 1")))
    drawn.slider.focus()
    places = """() => [".scores", ".control", ".cards", ".legend", ".figures"].map((part) =>
        document.querySelector(part).getBoundingClientRect().top + window.scrollY)"""
    before = drawn.page.evaluate(places)
    drawn.page.keyboard.press("End")
    for _ in range(21):
        assert drawn.page.evaluate(places) == before
        drawn.page.keyboard.press("PageDown")


def test_the_payload_may_come_from_a_file(drawn: Drawing) -> None:
    drawn.show(json.loads(json.dumps(payload(TWO))), alone=True)
    drawn.page.get_by_role("button", name="flag 5%").click()
    expect(drawn.headline).to_contain_text("forest finds")
