"""Labels of a file in a real browser: what is read is what was written, and nothing more."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from dev import ROOT
from evalview.escape import JOINER, visible
from tests.browser.serving import settle
from tests.pages.hostile import HIDDEN, HOSTILE

LABELS = [*HOSTILE, *(text for text in HIDDEN if not "\ud800" <= text[1] <= "\udfff")]
SCRIPT = """
import json, sys
sys.path.insert(0, ROOT)
import streamlit as st
from evalview.escape import html, markdown, plotly
from evalview.figures.theme import LIGHT
from evalview.figures.theme import Words, canvas

for place, label in enumerate(LABELS):
    with st.container(key=f"label-{place}"):
        st.markdown(markdown(label))
        st.button(markdown(label), key=f"button-{place}")
        st.pills("pick", [0], format_func=lambda _: markdown(label), key=f"pick-{place}")
        st.html(f'<p class="mine" title="{html(label)}">{html(label)}</p>')
        figure = canvas(Words(label), LIGHT, height=40)
        figure.add_scatter(x=[1], y=[1], name=plotly(label), showlegend=True)
        st.plotly_chart(figure, theme=None, key=f"figure-{place}")
"""


@pytest.fixture(scope="module")
def labels_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page with every label in every kind of element."""
    script = tmp_path_factory.mktemp("labels") / "labels.py"
    script.write_text(f"ROOT, LABELS = {str(ROOT)!r}, {LABELS!r}\n{SCRIPT}", encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [
        f"--server.port={port}",
        "--server.headless=true",
        "--server.address=127.0.0.1",
        "--browser.gatherUsageStats=false",
    ]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", Path(script).name, *options],
        cwd=script.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=10)


def test_every_label_is_read_as_it_was_written(labels_page: str, page: Page) -> None:
    page.goto(labels_page)
    settle(page)
    page.wait_for_selector(f".st-key-figure-{len(LABELS) - 1} .gtitle")
    for place, label in enumerate(LABELS):
        box = page.locator(f".st-key-label-{place}")
        expected = read(visible(label))
        kinds = {
            "markdown": box.locator('[data-testid="stMarkdown"]').first,
            "button": box.locator(f".st-key-button-{place} button"),
            "segment": box.locator(f".st-key-pick-{place} button"),
            "html": box.locator("p.mine"),
            "title": box.locator(".gtitle"),
            "legend": box.locator(".legendtext"),
        }
        for kind, element in kinds.items():
            assert read(element.text_content() or "") == expected, kind
    assert (
        page.locator('[class*="st-key-label-"] :is(img, a, em, strong, code, h1, li)').count() == 0
    )
    assert page.locator('[class*="st-key-label-"] :is(.katex, blockquote, table)').count() == 0


def read(text: str) -> str:
    """Return text as it looks: joiners take no room, runs of spaces look like one."""
    return " ".join(text.replace(JOINER, "").split())


def _wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    raise TimeoutError(f"No answer from {url}.")
