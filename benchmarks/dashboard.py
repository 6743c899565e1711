"""How long a person waits: for the first page, for an upload to be judged, for another page.

    python benchmarks/dashboard.py [ROWS]     default: 1000000

Opens the dashboard in a Chromium, drops a Parquet file and a CSV file of two models, and goes from
page to page. A page counts as there when nothing on it is still to be filled in. Exits 1 where a
bar is missed.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from time import perf_counter

import pandas as pd
from explorer import predictions
from playwright.sync_api import Page, sync_playwright
from timing import timed

from dev import find_chromium
from evalcore.evaluation.condense import condense
from evalread.loading import load
from tests.browser.serving import CHROMIUM_ARGUMENTS, DESKTOP, IDLE, served

ROWS = 1_000_000
START_BAR, UPLOAD_BAR, SWITCH_BAR, CONDENSE_BAR = 4.0, 6.0, 0.5, 0.2
PAGES = ("Confusion matrix", "Thresholds", "What was read", "Overview")

Line = tuple[str, float, float]


def start() -> Iterator[Line]:
    """Time from the command to the first page, the second time round, with warm disk caches."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        for warm in (False, True):
            begun = perf_counter()
            with served() as address:
                page = browser.new_page(viewport=DESKTOP)
                page.goto(address)
                page.locator('input[type="file"]').wait_for(state="attached")
                complete(page)
                taken = perf_counter() - begun
                page.close()
            if warm:
                yield "start to first page, warm", taken, START_BAR
        browser.close()


def uploads(files: dict[str, bytes]) -> Iterator[Line]:
    """Time from the drop of each file to its complete overview, and from page to page."""
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        for name, data in files.items():
            page = browser.new_page(viewport=DESKTOP)
            page.set_default_timeout(120_000)
            page.goto(address)
            complete(page)
            yield f"drop {name} to overview", dropped(page, name, data), UPLOAD_BAR
            # Each page is judged as it is when one comes back to it: the first visit condenses.
            for label in PAGES:
                switched(page, label)
            slowest = max(switched(page, label) for label in PAGES)
            yield f"{name}: slowest page switch", slowest, SWITCH_BAR
            page.close()
        browser.close()


def dropped(page: Page, name: str, data: bytes) -> float:
    """Drop a file, written to disk since a large one cannot be handed over; return the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        begun = perf_counter()
        page.locator('input[type="file"]').set_input_files(path)
        page.wait_for_url("**/overview?**")
        complete(page)
        return perf_counter() - begun


def switched(page: Page, label: str) -> float:
    """Go to a page; return the seconds until it is there."""
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=label, exact=True)
    before = page.locator("h1").first.inner_text()
    begun = perf_counter()
    link.click()
    page.wait_for_function(
        "before => document.querySelector('h1')?.innerText !== before", arg=before
    )
    complete(page)
    return perf_counter() - begun


def complete(page: Page) -> None:
    """Wait until the page is drawn to its end; polled, since settling would add its own pauses."""
    page.wait_for_selector(IDLE)
    page.wait_for_selector('[data-testid="stSkeleton"]', state="detached")
    page.locator("h1").first.wait_for()


def condensing(data: bytes) -> Line:
    """Time the step from checked rows to count tables alone."""
    dataset = load([("payments.parquet", data)])
    return "condensing", min(timed(lambda: condense(dataset)) for _ in range(3)), CONDENSE_BAR


def lines(rows: int) -> Iterator[Line]:
    """Measure everything."""
    parquet = predictions(rows)
    csv = pd.read_parquet(BytesIO(parquet)).to_csv(index=False).encode()
    yield condensing(parquet)
    yield from start()
    yield from uploads({"payments.parquet": parquet, "payments.csv": csv})


def main() -> int:
    """Print a line for each; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="?", type=int, default=ROWS)
    met = []
    for name, seconds, bar in lines(parser.parse_args().rows):
        met.append(seconds < bar)
        print(f"{name:<40} {seconds:6.2f} s, bar {bar:g} s: {'ok' if met[-1] else 'MISSED'}")
        sys.stdout.flush()
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
