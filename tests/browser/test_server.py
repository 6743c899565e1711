"""What the server says beside its pages: headers, fonts, and nothing from elsewhere."""

import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

PATHS = ["/", "/_stcore/health", "/app/static/fonts/inter-latin-wght-normal.woff2", "/data"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_security_headers(server: str, path: str) -> None:
    with urllib.request.urlopen(server + path) as answer:
        headers = answer.headers
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "'unsafe-eval'" not in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in headers["Permissions-Policy"]


def test_the_start_page_can_be_asked_for_by_its_name(server: str) -> None:
    with urllib.request.urlopen(f"{server}/start?data=sample-iris&shown=a%2Fb") as answer:
        assert answer.url == f"{server}/?data=sample-iris&shown=a%2Fb"


def test_everything_a_page_loads_comes_from_its_own_server(page: Page, server: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server)
    page.wait_for_selector("text=Or look around in a sample")
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []


def test_the_first_page_has_the_projects_own_fonts_and_title(
    opened: Callable[[str], Page],
) -> None:
    page = opened("/")
    loaded = page.evaluate(
        "() => [...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"
    )
    families = {family.strip("\"'") for family in loaded}
    assert {"Inter", "Source Serif 4"} <= families
    assert page.locator('[data-testid="stAppDeployButton"], footer').count() == 0
    assert "Streamlit" not in page.inner_text("body")
    assert page.title() == "Open a file · Evalboard"
