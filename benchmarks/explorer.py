"""How soon the threshold explorer is painted: while the handle moves, and after it is let go.

    python benchmarks/explorer.py [ROWS ...] [--sessions 30]     default: 10000 1000000

Opens the dashboard in a Chromium, gives it a file of two models, shows all curves, drags the handle
and lets it go, and measures in the browser: from the input event to the frame that shows it, and
from the release until the server has drawn the rest of the page anew. Exits 1 if a bar is missed.

With --sessions so many readers have the page open; all but the one in the browser are connections
that choose another threshold every ten seconds or so, and the server draws their page anew.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from playwright.sync_api import Locator, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sessions import reading

from dev import find_chromium
from tests.browser.serving import CHROMIUM_ARGUMENTS, DESKTOP, served, settle

ROWS = (10_000, 1_000_000)
DRAGS, STEPS = 12, 40
FRAME_MS = 16
DRAG_BAR_MS, RELEASE_BAR_MS = 30, 150
BUSY_RELEASE_BAR_MS = 300
"""With other sessions open, at the 95th percentile."""

PAUSE_S = 10.0
"""How long another reader looks before choosing the next threshold, on average."""

WATCH = """(slider) => {
    window.painted = [];
    window.redrawn = [];
    const afterPaint = (done) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(null);
    });
    slider.addEventListener("input", (event) => {
        afterPaint(() => window.painted.push(performance.now() - event.timeStamp));
    });
    const app = document.querySelector('[data-testid="stApp"]');
    let released = null;
    slider.addEventListener("change", (event) => { released = event.timeStamp; });
    new MutationObserver(() => {
        if (app.dataset.testScriptState !== "notRunning" || released === null) return;
        const from = released;
        released = null;
        afterPaint(() => window.redrawn.push(performance.now() - from));
    }).observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""


def predictions(rows: int) -> bytes:
    """Return a Parquet file of two models with distinct scores."""
    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.15
    table = {"truth": np.where(truth, "fraud", "honest")}
    for name, shift in (("boosting", 3.0), ("forest", 2.2)):
        table[name] = 1 / (1 + np.exp(0.6 - shift * (truth - 0.5) - rng.normal(0, 1.3, rows)))
    file = BytesIO()
    pd.DataFrame(table).to_parquet(file, index=False)
    return file.getvalue()


@contextmanager
def explorer(rows: int) -> Iterator[tuple[Page, Locator]]:
    """Open the thresholds page with that many rows; give the page and the slider."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        page = browser.new_page(viewport=DESKTOP)
        page.set_default_timeout(120_000)
        page.goto(address)
        settle(page)
        file = {"name": "payments.parquet", "mimeType": "", "buffer": predictions(rows)}
        page.locator('input[type="file"]').set_input_files(file)
        page.wait_for_url("**/overview?**")
        settle(page)
        page.get_by_test_id("stSidebar").get_by_role("link", name="Thresholds").click()
        page.wait_for_url("**/thresholds?**")
        slider = page.get_by_role("slider", name="Threshold")
        slider.wait_for()
        settle(page)
        show_all_curves(page)
        yield page, slider


def show_all_curves(page: Page) -> None:
    """Show every curve that there is: more than most readers ever do."""
    curves = page.get_by_role("group", name="Curves").get_by_role("button")
    for curve in curves.all():
        if curve.get_attribute("aria-pressed") == "false":
            curve.click()
    settle(page)


def drag(page: Page, slider: Locator, places: np.ndarray) -> None:
    """Take the handle through the places, one a frame, and let it go."""
    at = slider.bounding_box()
    middle = at["y"] + at["height"] / 2
    page.mouse.move(at["x"] + 11 + (at["width"] - 22) * float(slider.input_value()), middle)
    page.mouse.down()
    for place in places:
        page.mouse.move(at["x"] + 11 + (at["width"] - 22) * place, middle)
        page.wait_for_timeout(FRAME_MS)
    page.mouse.up()
    settle(page)


def measure(rows: int, sessions: int) -> bool:
    """Print one line; return whether both bars are met."""
    with explorer(rows) as (page, slider), reading(page.url, sessions - 1, PAUSE_S) as chosen:
        if sessions > 1:
            page.wait_for_timeout(1000 * PAUSE_S)
        painted, redrawn = dragged_about(page, slider)
    dragged, released = np.percentile(painted, [50, 95]), np.percentile(redrawn, [50, 95])
    quiet = released[0] < RELEASE_BAR_MS
    met = dragged[1] < DRAG_BAR_MS and (
        released[1] < BUSY_RELEASE_BAR_MS if sessions > 1 else quiet
    )
    print(
        f"{rows:>9,} rows | {sessions} sessions, {chosen[0]} thresholds elsewhere"
        f" | drag step to painted {dragged[0]:5.1f} / {dragged[1]:5.1f} ms"
        f" | release to redrawn {released[0]:5.1f} / {released[1]:5.1f} ms"
        f" | {len(painted)} steps, {len(redrawn)} releases | {'met' if met else 'MISSED'}"
    )
    return met


def dragged_about(page: Page, slider: Locator) -> tuple[list[float], list[float]]:
    """Drag and let go; return the milliseconds of each step and of each release."""
    rng = np.random.default_rng(1)
    slider.evaluate(WATCH)
    for start, end in pairwise(rng.uniform(0.05, 0.95, DRAGS + 1)):
        drag(page, slider, np.linspace(start, end, STEPS))
    return page.evaluate("window.painted"), page.evaluate("window.redrawn")


def main() -> int:
    """Measure every size asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="*", type=int, default=list(ROWS))
    parser.add_argument("--sessions", type=int, default=1)
    asked, start = parser.parse_args(), perf_counter()
    print(
        "median / 95th percentile; bars: drag 30 ms at the 95th, release 150 ms at the median, "
        "300 ms at the 95th with other sessions"
    )
    met = [measure(rows, asked.sessions) for rows in asked.rows]
    print(f"{perf_counter() - start:.0f} s")
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
