"""A dashboard of its own for the tests, and the browser that looks at it."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from tempfile import TemporaryFile
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import ConsoleMessage, Page, Response, ViewportSize

from dev import ROOT
from evalview.course.lessons import lessons

UNWANTED = (
    # Parts of a window that are pages themselves: each context would start a process for them.
    *("InitialWebUI", "WebUIReloadButton", "PreloadTopChromeWebUI"),
    *("PreloadTopChromeWebUILessNavigations", "WebUIOmniboxPopup", "WebUIOmniboxFullPopup"),
    *("WebUIOmniboxAimPopup", "AimEnabled"),
    # What Playwright turns off: Chromium heeds the last such list only.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
)
CHROMIUM_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",
    f"--disable-features={','.join(UNWANTED)}",
)
FAILURE = "Failure "
"""Begins what the server's log has of a page that could not be shown."""

IDLE = '[data-testid="stApp"][data-test-script-state="notRunning"]'
DESKTOP: ViewportSize = {"width": 1440, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 844}

CANCER, DIGITS, NUMBERS, IRIS, SUBSCRIBERS = (
    f"?data=sample-{name}"
    for name in ("breast-cancer", "digits", "diabetes", "iris", "subscribers")
)
PAGES = {
    "costs": f"/costs{CANCER}&costs=0,1,10,0",
    "summary": f"/overview{CANCER}",
    "thresholds": f"/thresholds{CANCER}",
    "start": "/",
    "data": f"/data{CANCER}",
    "summary-of-classes": f"/overview{DIGITS}",
    "summary-of-numbers": f"/overview{NUMBERS}",
    "summary-of-clusters": f"/overview{IRIS}",
    "metrics-and-curves": f"/overview{CANCER}&numbers=true&curves=true",
    "thresholds-of-classes": f"/thresholds{DIGITS}",
    "confusion": f"/confusion{CANCER}&actual=malignant&called=benign",
    "errors": f"/errors{NUMBERS}",
    "slices": f"/slices{SUBSCRIBERS}",
    "rows": f"/rows{CANCER}",
    "calibration": f"/calibration{CANCER}",
    "comparison": f"/comparison{CANCER}",
    "later": f"/later{CANCER}&later=sample-breast-cancer",
    "report": f"/report{CANCER}",
    "over-time": "/over_time?data=sample-messages",
    "cross_validation": "/cross_validation?data=sample-folds",
    "leaderboard": f"/leaderboard{CANCER}",
    "silhouettes": f"/silhouettes{IRIS}",
    "agreement": f"/agreement{IRIS}",
    "clusterings": f"/clusterings{IRIS}",
    "grouping": f"/grouping{IRIS}",
    "lessons": "/lessons",
    **{key: f"/{key}" for key in lessons()},
    "lab": "/lab",
    "poll": "/poll",
    "planning": "/planning",
    "typing": "/typing",
    "examples": "/examples",
    "claims": "/claims",
    "glossary": "/glossary",
}
"""Every page, and where it has one for several kinds of data, each of those."""


def first_of(values: Iterable[Any]) -> list[ParameterSet]:
    """Parameters of which the first is tried always, the others with the slow tests."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks)
        for value, marks in zip(values, chain([()], repeat(pytest.mark.slow)), strict=False)
    ]


@contextmanager
def served(**environment: str) -> Iterator[str]:
    """Run the dashboard on a free port; yield its address. Tells in the end which pages failed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py"]
    options = [f"--server.port={port}", "--server.headless=true"]
    with TemporaryFile("w+", encoding="utf-8") as log:
        server = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/_stcore/health", server)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=10)
            log.seek(0)
            _, begins, rest = log.read().partition(FAILURE)
            if begins:
                print(begins, rest, sep="", file=sys.stderr)


def settle(page: Page) -> None:
    """Wait until the page has been drawn to its end, with nothing still to be filled in."""
    for _ in range(2):
        page.wait_for_selector(IDLE, timeout=120_000)
        page.wait_for_selector('[data-testid="stSkeleton"]', state="detached", timeout=120_000)
        page.wait_for_timeout(150)


def sees_every_figure(page: Page, keys: Sequence[str]) -> None:
    """Hold that each figure is drawn under a title, and that a phone need not scroll sideways."""
    for key in keys:
        page.locator(f".st-key-figure-{key} .js-plotly-plot .main-svg").first.wait_for()
        assert page.locator(f".st-key-figure-{key} .eb-figure-title").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def is_probe(url: str) -> bool:
    """Whether Streamlit's client only tries under which path its server lies."""
    return url.endswith(("/_stcore/health", "/_stcore/host-config"))


class Complaints:
    """What a browser complained about while a page was used."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"script error: {error}"))
        page.on("requestfailed", lambda request: self._failed(request.url, request.failure))
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not is_probe(message.location["url"]):
            self.found.append(f"console: {message.text}")

    def _failed(self, url: str, why: str | None) -> None:
        # Leaving a page aborts what was still on its way.
        if why != "net::ERR_ABORTED":
            self.found.append(f"request failed: {url} {why}")

    def _response(self, response: Response) -> None:
        if response.status >= 400 and not is_probe(response.url):
            self.found.append(f"{response.status}: {response.url}")

    def all(self) -> list[str]:
        """Return the complaints, and every box that says that something failed."""
        boxes = self.page.locator('[data-testid="stException"], .st-key-failure')
        return [*self.found, *(f"failure box: {text}" for text in boxes.all_inner_texts())]


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if server.poll() is not None:
            raise RuntimeError(f"The server stopped with exit code {server.returncode}.")
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(f"No answer from {url}.")
