"""Pages without a browser: the frame is run as Streamlit's `AppTest`, empty or with data."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.session import cache, store

FRAME = Path(__file__).resolve().parents[2] / "pages" / "frame.py"
Opened = Callable[..., AppTest]
OPEN = {"numbers": "true", "curves": "true"}
"""What the address of the Summary says when all that is folded away on it is open."""


@pytest.fixture(autouse=True, scope="session")
def _installed_components() -> Iterator[None]:
    """Every `AppTest` looks through all installed packages for components; once is enough."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


LOOPBACK = ("127.0.0.1", "::1", "localhost", "", None)
ASKED: list[str] = []
"""What was asked of other machines since these tests began; Python tells of every such call."""


def _listen(event: str, given: tuple[object, ...]) -> None:
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = given[0]
    elif event == "socket.connect" and isinstance(given[1], tuple):  # else one of this machine
        host = given[1][0]
    else:
        return
    if host not in LOOPBACK:
        ASKED.append(f"{event}: {host!r}")


@pytest.fixture(autouse=True, scope="session")
def _listening() -> None:
    sys.addaudithook(_listen)  # for good: a hook cannot be taken off


@pytest.fixture(autouse=True)
def _asks_nothing_outside() -> Iterator[None]:
    """No page asks anything of another machine, whichever test opens it."""
    ASKED.clear()
    yield
    assert ASKED == []


@pytest.fixture(autouse=True)
def _cached_results(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests share what the server has computed, except those that change how it computes."""
    changed = "monkeypatch" in request.fixturenames
    if changed:
        _forget_all()
    yield
    if changed:
        _forget_all()


def _forget_all() -> None:
    cache.clear()
    st.cache_resource.clear()


def go(at: AppTest, page: str) -> AppTest:
    """Go to the page with this address; `AppTest.switch_page` knows pages by their files only."""
    at._page_hash = calc_hash(page)
    return at.run()


def open_page(page: str = "start", **address: str | list[str]) -> AppTest:
    """Open a page by its address."""
    at = AppTest.from_file(FRAME, default_timeout=60)
    for name, value in address.items():
        at.query_params[name] = value
    return go(at, page)


@pytest.fixture
def empty() -> Opened:
    """Open a page by its address without any data: `empty("overview")`."""
    return open_page


@pytest.fixture
def loaded(empty: Opened) -> Opened:
    """Open a page with a sample: `loaded("overview", sample="breast_cancer", threshold="0.3")`."""

    def open_page(
        page: str = "overview", *, sample: str = "breast_cancer", **address: str
    ) -> AppTest:
        return empty(page, data=store.SAMPLE_PREFIX + sample.replace("_", "-"), **address)

    return open_page


@pytest.fixture
def uploaded(empty: Opened) -> Opened:
    """Open a page with a file of one's own: `uploaded("data", "name.csv", b"...")`."""

    def open_page(page: str, name: str, content: bytes, **address: str) -> AppTest:
        return empty(page, data=store.keep([(name, content)]), **address)

    return open_page


WHOLE = {"all-rows": "true"}
"""The address of a page whose table of rows is whole."""


def words(at: AppTest) -> str:
    """Return every text of a page that a reader may see; spaces that keep a line are spaces."""
    kinds = ("title", "header", "subheader", "markdown", "caption", "text", "error", "code", "html")
    said = "\n".join(element.value for kind in kinds for element in at.get(kind))
    return said.replace("\N{NO-BREAK SPACE}", " ")


def html(at: AppTest) -> str:
    """Return the HTML of a page; spaces that keep a line are spaces."""
    shown = (element.value for element in at.get("html") if "<style" not in element.value)
    return "\n".join(shown).replace("\N{NO-BREAK SPACE}", " ")


def grouped(rows: int = 120) -> bytes:
    """Return a file of two models whose rows belong to customers, in regions and on days."""
    rng = np.random.default_rng(0)
    customer, truth = np.arange(rows) // 2, rng.integers(0, 2, rows)
    columns = {
        "customer_id": [f"C{one:03}" for one in customer],
        "date": [f"2024-{1 + one % 12:02}-{1 + one % 28:02}" for one in range(rows)],
        "region": np.array(["West", "East", "North"])[rng.integers(0, 3, rows)],
        "truth": truth,
    }
    for name, noise in (("a", 0.5), ("b", 1.5)):
        columns[f"{name}_score"] = (1 / (1 + np.exp(-truth - noise * rng.normal(size=rows)))).round(
            4
        )
    return pd.DataFrame(columns).to_csv(index=False).encode()
