"""How long a person waits: for the first page, for an upload to be judged, for another page.

    python benchmarks/dashboard.py [ROWS] [--distinct ROWS]     default: 1000000 and 10000000

Opens the dashboard in a Chromium, drops files, and goes from page to page. A page counts as there
when nothing on it is still to be filled in. Exits 1 where a bar is missed.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from time import perf_counter

import pandas as pd
from explorer import predictions
from playwright.sync_api import Browser, Page, sync_playwright
from timing import predictions as simulated, timed

from dev import ROOT, find_chromium
from evalcore.evaluation.condense import condense
from evalread.loading import load
from tests.browser.serving import CHROMIUM_ARGUMENTS, DESKTOP, IDLE, served

ROWS = 1_000_000
START_BAR, SWITCH_BAR, CONDENSE_BAR = 4.0, 0.5, 0.2
FIRST_BAR, WARM_BAR, LARGE_BAR = 3.0, 1.5, 6.0
"""Seconds from the drop of a file to its complete Summary: of a small file, the first that a server
sees and any later one; and of a million rows."""

DISTINCT, DISTINCT_BAR = 10_000_000, 10.0
"""Rows of a file in which no score comes twice, and seconds for its Summary and Probabilities."""

PAGES = ("Threshold", "Errors", "Probabilities", "Compare", "Data", "Summary")
SMALL = ROOT / "assets" / "samples" / "breast_cancer.csv"

Line = tuple[str, float, float]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_ARGUMENTS)
        )
        yield browser
        browser.close()


def start() -> Iterator[Line]:
    """Time from the command to the first page, the second time round, with warm disk caches."""
    with chromium() as browser:
        for warm in (False, True):
            begun = perf_counter()
            with served() as address:
                page = opened(browser, address)
                taken = perf_counter() - begun
                page.close()
            if warm:
                yield "start to first page, warm", taken, START_BAR


def uploads(files: dict[str, bytes]) -> Iterator[Line]:
    """Time from the drop of each file to its complete Summary, and from page to page."""
    small = SMALL.read_bytes()
    with served() as address, chromium() as browser:
        bars = [FIRST_BAR] + [WARM_BAR] * 3
        taken = [dropped(opened(browser, address), SMALL.name, small) for _ in bars]
        yield "drop 569 rows, the first of a server", taken[0], FIRST_BAR
        yield "drop 569 rows, best of three later ones", min(taken[1:]), WARM_BAR
        for name, data in files.items():
            page = opened(browser, address)
            yield f"drop {name} to Summary", dropped(page, name, data), LARGE_BAR
            pages = [label for label in PAGES if page.get_by_role("link", name=label).count()]
            # Each page is judged as it is when one comes back to it: the first visit condenses.
            for label in pages:
                switched(page, label)
            for label in pages:
                yield f"{name}: to {label}", switched(page, label), SWITCH_BAR
            page.close()


def distinct(rows: int) -> Iterator[Line]:
    """Time the drop of a file of distinct scores, the first visit of Probabilities, and a later."""
    truth, score = simulated(rows)
    held = BytesIO()
    pd.DataFrame({"truth": truth, "score": score}).to_parquet(held)
    with served() as address, chromium() as browser:
        page = opened(browser, address)
        named = f"{rows:,} distinct scores"
        yield f"drop {named} to Summary", dropped(page, "a.parquet", held.getvalue()), DISTINCT_BAR
        yield f"{named}: to Probabilities, first", switched(page, "Probabilities"), DISTINCT_BAR
        switched(page, "Summary")
        yield f"{named}: to Probabilities, again", switched(page, "Probabilities"), SWITCH_BAR


def opened(browser: Browser, address: str) -> Page:
    """Open the dashboard as a reader who has not been there before."""
    page = browser.new_page(viewport=DESKTOP)
    page.set_default_timeout(120_000)
    page.goto(address)
    page.locator('input[type="file"]').wait_for(state="attached")
    complete(page)
    return page


def dropped(page: Page, name: str, data: bytes) -> float:
    """Drop a file, written to disk since a large one cannot be handed over; return the seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        begun = perf_counter()
        page.locator('input[type="file"]').set_input_files(path)
        page.wait_for_url("**/overview?**")
        page.locator(".st-key-steps a").first.wait_for()
        complete(page)
        return perf_counter() - begun


TITLE = """() => [document, ...[...document.querySelectorAll("*")].map(one => one.shadowRoot)]
    .map(root => root?.querySelector("h1")?.innerText).find(text => text) ?? ''"""
"""The headline, which one page draws within a component."""


def switched(page: Page, label: str) -> float:
    """Go to a page; return the seconds until it is there."""
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=label, exact=True)
    before = page.evaluate(TITLE)
    begun = perf_counter()
    link.click()
    page.wait_for_function(f"before => !['', before].includes(({TITLE})())", arg=before)
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


def lines(rows: int, different: int) -> Iterator[Line]:
    """Measure everything."""
    parquet = predictions(rows)
    two = pd.read_parquet(BytesIO(parquet))[["truth", "boosting"]].to_csv(index=False).encode()
    yield condensing(parquet)
    yield from start()
    yield from uploads({"truth-and-score.csv": two, "two-models.parquet": parquet})
    yield from distinct(different)


def main() -> int:
    """Print a line for each; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", nargs="?", type=int, default=ROWS)
    parser.add_argument("--distinct", type=int, default=DISTINCT)
    given, met = parser.parse_args(), []
    for name, seconds, bar in lines(given.rows, given.distinct):
        met.append(seconds < bar)
        print(f"{name:<50} {seconds:6.2f} s, bar {bar:g} s: {'ok' if met[-1] else 'MISSED'}")
        sys.stdout.flush()
    return 0 if all(met) else 1


if __name__ == "__main__":
    raise SystemExit(main())
