"""What the server says beside its pages: headers, fonts, and nothing from elsewhere."""

import base64
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.browser.serving import served

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
    page.wait_for_selector("text=Or explore a sample")
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


@pytest.mark.parametrize(("host", "status"), [("localhost:80", 200), ("evil.example", 421)])
def test_only_its_own_names_are_answered(server: str, host: str, status: int) -> None:
    assert status_of(server, host=host) == status


def test_what_the_server_keeps_of_whom_is_told_to_nobody(server: str) -> None:
    assert status_of(f"{server}/_stcore/metrics") == 404


def test_pages_of_others_are_refused_and_nobody_outside_is_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        outside.settimeout(0.2)
        proxy = f"http://127.0.0.1:{outside.getsockname()[1]}"
        ways = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), proxy)
        with served(**ways) as address:
            host = urlsplit(address).netloc
            assert handshake(host, host, f"http://{host}") == 101
            assert handshake(host, host, "http://localhost:9") == 101
            assert handshake(host, host, "http://evil.example") == 403
            assert handshake(host, "evil.example", "http://evil.example") == 403
            assert status_of(f"{address}/data?data=sample-iris") == 200
        with pytest.raises(TimeoutError):
            outside.accept()


def status_of(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def handshake(address: str, host: str, origin: str) -> int:
    """Return the status with which a connection for messages is answered."""
    name, port = address.split(":")
    lines = (
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}",
        f"Origin: {origin}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: streamlit",
    )
    with socket.create_connection((name, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join((*lines, "", "")).encode())
        return int(connection.recv(4096).split()[1])
