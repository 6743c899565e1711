"""What a report of 5 models x 1e6 rows takes: to make, to open, and to move its threshold.

    python benchmarks/report.py [--rows 1000000] [--models 5]

Runs the command on a CSV file, opens what it wrote in a Chromium from disk, drags the handle about,
and measures in the browser from the input event to the frame that shows it. Exits 1 if a bar is
missed. On a busy machine trust the seconds of the processor.
"""

import argparse
import os
import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import pandas as pd
from playwright.sync_api import CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dev import ROOT, find_chromium
from tests.browser.serving import CHROMIUM_ARGUMENTS, DESKTOP

BARS = {"making, s": 5.0, "size, MB": 1.0, "opening, s": 1.0, "step at the 95th, ms": 50.0}
DRAGS, STEPS, FRAME_MS = 8, 40, 16

WATCH = """(slider) => {
    window.painted = [];
    slider.addEventListener("input", (event) => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.painted.push(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
    }));
}"""


def predictions(rows: int, models: int, path: Path) -> None:
    """Write a CSV file of models with scores of six digits."""
    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.2
    scores = {
        f"model {k}": 1 / (1 + np.exp(1.2 - (1.2 + k / 10) * truth - rng.normal(0, 1, rows)))
        for k in range(models)
    }
    table = pd.DataFrame({"truth": np.where(truth, "fraud", "honest"), **scores})
    table.round(6).to_csv(path, index=False)


def made(file: Path, report: Path) -> tuple[float, float]:
    """Write the report; return the seconds on the clock and of the processor."""
    begun, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "evalboard", "report", str(file), "-o", str(report)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    seconds, after = perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, sum(getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime"))


def opened(page: Page, report: Path) -> float:
    """Open the report; return the seconds until its explorer is drawn."""
    begun = perf_counter()
    page.goto(report.as_uri())
    page.get_by_role("slider", name="Threshold").wait_for()
    return perf_counter() - begun


def dragged(page: Page, session: CDPSession) -> tuple[list[float], float]:
    """Drag the handle about; return the milliseconds of each step, and of work for it."""
    slider, rng = page.get_by_role("slider", name="Threshold"), np.random.default_rng(1)
    slider.evaluate(WATCH)
    slider.scroll_into_view_if_needed()
    at, before = slider.bounding_box(), busy(session)
    middle, left, width = at["y"] + at["height"] / 2, at["x"] + 11, at["width"] - 22
    page.mouse.move(left + width * float(slider.input_value()), middle)
    page.mouse.down()
    for start, end in pairwise(rng.uniform(0.05, 0.95, DRAGS + 1)):
        for place in np.linspace(start, end, STEPS):
            page.mouse.move(left + width * place, middle)
            page.wait_for_timeout(FRAME_MS)
    page.mouse.up()
    steps = page.evaluate("window.painted")
    return steps, 1000 * (busy(session) - before) / len(steps)


def busy(session: CDPSession) -> float:
    """Return for how many seconds the page has worked: scripts, style, layout."""
    found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return sum(found[f"{name}Duration"] for name in ("Script", "RecalcStyle", "Layout"))


def main() -> int:
    """Measure once, print each figure with its bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=5)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file, report = Path(folder) / "predictions.csv", Path(folder) / "report.html"
        predictions(asked.rows, asked.models, file)
        seconds, worked = made(file, report)
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        page = browser.new_page(viewport=DESKTOP)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        opening = opened(page, report)
        steps, work = dragged(page, session)
        size = report.stat().st_size / 1e6
    found = dict(zip(BARS, (seconds, size, opening, np.percentile(steps, 95)), strict=True))
    for name, value in found.items():
        print(
            f"{name:<22} {value:7.2f}  bar {BARS[name]:g}{'' if value < BARS[name] else '  MISSED'}"
        )
    print(f"processor for making   {worked:7.2f} s")
    print(f"median step            {np.median(steps):7.2f} ms of {len(steps)} steps")
    print(f"browser's work a step  {work:7.2f} ms of the clock")
    print(f"load of the machine    {os.getloadavg()[0]:7.2f} on {os.cpu_count()} processors")
    return int(any(value >= BARS[name] for name, value in found.items()))


if __name__ == "__main__":
    raise SystemExit(main())
