"""How long a reader of lessons waits: for a lesson, for what a control does, for a step of a drag.

    python benchmarks/lessons.py [KEY ...]     default: every lesson

Opens each lesson in a Chromium whose server is warm, by its address and by the link of the lesson
before; then moves each control and drags each handle. A lesson is open when its
picture is painted.
Exits 1 where a bar is missed.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from dashboard import Line, chromium
from playwright.sync_api import Locator, Page

from evalview.course.lessons import Lesson, lessons
from tests.browser.serving import served, settle

OPEN_BAR, CONTROL_BAR, DRAG_BAR = 1.0, 0.15, 0.03
"""Seconds to the lesson; to what a control does; to each step of a drag, the 95th percentile."""
OPENINGS = 3
STEPS = 24
"""Steps of one drag, a frame each."""
FRAME_MS = 17

WATCH = """() => {
    const painted = (done) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now());
        channel.port2.postMessage(null);
    });
    const all = function* (root) {
        for (const node of root.querySelectorAll("*")) {
            yield node;
            if (node.shadowRoot) yield* all(node.shadowRoot);
        }
    };
    const pictures = ".stage :is(svg, table), .js-plotly-plot .main-svg, .figure svg";
    const waits = '[data-testid="stSkeleton"], [data-testid="stSpinner"], .stProgress';
    const state = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
    const there = (title) => {
        if (document.title !== title || document.querySelector(waits)) return false;
        const drawn = [...all(document)].filter((node) => node.matches(pictures));
        return drawn.some((node) => node.getBoundingClientRect().height > 50);
    };
    // The first frame that shows pictures, with the script of the page at its end.
    window.evOpened = (title) => new Promise((done) => {
        const look = () => there(title) && state() === "notRunning" ? painted(done)
            : requestAnimationFrame(look);
        look();
    });
    window.evSteps = [];
    for (const kind of ["input", "pointermove", "keydown", "click"]) {
        window.addEventListener(kind, (event) => painted((at) => {
            window.evSteps.push([kind, at - event.timeStamp, event.timeStamp]);
        }), true);
    }
    // From a change of a choice to the frame in which a headline says something else.
    const shown = () => [...document.querySelectorAll("h1, h2")]
        .map((node) => node.textContent).join("|");
    window.evAnswered = () => new Promise((done) => {
        const before = shown(), from = performance.now();
        const look = () => shown() !== before ? painted((at) => done(at - window.evFrom))
            : performance.now() - from > 3000 ? done(null) : requestAnimationFrame(look);
        look();
    });
    for (const kind of ["pointerup", "keydown"]) {
        window.addEventListener(kind, (event) => { window.evFrom = event.timeStamp; }, true);
    }
}"""


def opened(page: Page, address: str, one: Lesson) -> float:
    """Return the seconds from the navigation to an address until the lesson is painted."""
    page.goto(f"{address}/{one.key}", wait_until="commit")
    return _seen(page, one) / 1000


def followed(page: Page, address: str, before: Lesson, one: Lesson) -> float:
    """Return the seconds from a click on the link to a lesson until it is painted."""
    page.goto(f"{address}/{before.key}")
    settle(page)
    link = page.locator(".st-key-next-lesson").get_by_role("link", name=f"Next: {one.title}")
    link.click()
    until = _seen(page, one)
    clicks = [at for kind, _, at in page.evaluate("window.evSteps") if kind == "click"]
    return (until - clicks[-1]) / 1000


def _seen(page: Page, one: Lesson) -> float:
    """Return the milliseconds since the page was asked for, once the lesson is painted."""
    title = f"{one.title} · Evalboard"
    return float(page.evaluate("(title) => window.evOpened(title)", title))


def drags(page: Page) -> list[float]:
    """Drag each slider and each handle of a stage; return the seconds of each step."""
    stage = page.locator(".explorer")
    handles = stage.locator("input[type=range], .handle").all()
    return [step for handle in handles if handle.is_visible() for step in _dragged(page, handle)]


def _dragged(page: Page, handle: Locator) -> list[float]:
    handle.scroll_into_view_if_needed()
    at = handle.bounding_box()
    if at is None:
        return []
    is_slider = handle.evaluate("(node) => node.tagName") == "INPUT"
    middle = at["y"] + at["height"] / 2
    reach = at["width"] * 0.45 if is_slider else 40
    start = at["x"] + at["width"] / 2
    page.evaluate("() => { window.evSteps.length = 0; }")
    page.mouse.move(start, middle)
    page.mouse.down()
    for share in np.sin(np.linspace(0, 2 * np.pi, STEPS)):
        page.mouse.move(start + reach * share, middle + (0 if is_slider else 20 * share))
        page.wait_for_timeout(FRAME_MS)
    page.mouse.up()
    page.wait_for_timeout(50)
    wanted = "input" if is_slider else "pointermove"
    return [took / 1000 for kind, took, _ in page.evaluate("window.evSteps") if kind == wanted]


def controls(page: Page) -> Iterator[tuple[str, float]]:
    """Press each button, and move each slider by a key; yield the seconds until it is painted."""
    stage = page.locator(".explorer")
    for at in range(stage.locator("button, input[type=range]").count()):
        one = stage.locator("button, input[type=range]").nth(at)
        if not one.is_visible() or one.is_disabled():
            continue
        name = one.get_attribute("aria-label") or one.inner_text()
        is_button = one.evaluate("(node) => node.tagName") == "BUTTON"
        page.evaluate("() => { window.evSteps.length = 0; }")
        if is_button:
            one.click()
        else:
            one.press("PageUp")
        page.wait_for_timeout(60)
        told = page.evaluate("window.evSteps")
        yield name, max((took for kind, took, _ in told if kind != "pointermove"), default=0) / 1000


def answers(page: Page) -> Iterator[tuple[str, float]]:
    """Change each choice that the server answers; yield the seconds to the first change."""
    for box in page.locator('.st-key-choices [data-testid="stNumberInput"]').all():
        if not box.is_visible():  # a choice before it may have taken it away
            continue
        name, number = box.inner_text().splitlines()[0], box.locator("input")
        key = "ArrowDown" if number.input_value() == number.get_attribute("max") else "ArrowUp"
        yield from _answered(page, name, partial(number.press, key))
    for box in page.locator('.st-key-choices [role="slider"]').all():
        yield from _answered(page, "slider", partial(box.press, "ArrowRight"))
    for box in page.locator('.st-key-choices [data-testid="stCheckbox"] label').all():
        yield from _answered(page, box.inner_text(), box.click)


def _answered(page: Page, name: str, act: Callable[[], Any]) -> Iterator[tuple[str, float]]:
    page.evaluate("() => { window.evPending = window.evAnswered(); }")
    act()
    took = page.evaluate("() => window.evPending")
    if took is not None:
        yield name, took / 1000
    settle(page)


def measured(page: Page, address: str, before: Lesson | None, one: Lesson) -> Iterator[Line]:
    """Yield what a reader of one lesson waits for."""
    opened(page, address, one)  # the first reader's wait: caches are cold
    yield f"{one.key}: by address", _median(opened(page, address, one) for _ in range(3)), OPEN_BAR
    if before is not None:
        waits = (followed(page, address, before, one) for _ in range(OPENINGS))
        yield f"{one.key}: by link", _median(waits), OPEN_BAR
    page.goto(f"{address}/{one.key}")
    settle(page)
    if steps := drags(page):
        yield f"{one.key}: step of a drag", float(np.quantile(steps, 0.95)), DRAG_BAR
    for name, took in chain(controls(page), answers(page)):
        if took > CONTROL_BAR / 2:
            print(f"  {one.key}: {name!r} {took:.3f} s")
        yield f"{one.key}: {name}", took, CONTROL_BAR


def _median(waits: Iterator[float]) -> float:
    return float(np.median(list(waits)))


def worst(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a lesson, of its controls only the slowest."""
    one = [line for line in lines if line[2] == CONTROL_BAR]
    rest = [line for line in lines if line[2] != CONTROL_BAR]
    return [*rest, max(one, key=lambda line: line[1])] if one else rest


def main() -> int:
    """Print a line for each lesson and bar; return 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("keys", nargs="*", choices=[*lessons(), []], metavar="KEY")
    asked = parser.parse_args()
    order, missed = list(lessons().values()), 0
    with served() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.emulate_media(reduced_motion="reduce")
        page.add_init_script(f"({WATCH})()")
        page.goto(address)
        settle(page)
        for before, one in zip([None, *order], order, strict=False):
            if asked.keys and one.key not in asked.keys:
                continue
            for name, took, bar in worst(list(measured(page, address, before, one))):
                missed += took > bar
                says = "ok" if took <= bar else "MISSED"
                print(f"{name:<60} {took:7.3f} s of {bar:g}: {says}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
