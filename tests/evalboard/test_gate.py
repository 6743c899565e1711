"""A server answers requests for its own names and from its own pages, and no others."""

from typing import Any

import pytest

from evalboard.gate import Gate, own_names

NAMES = own_names("127.0.0.1", ["evals.example.org"])
UPLOAD = "/_stcore/upload_file/session/file"


class App:
    """What stands behind the gate; it remembers what it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[dict[str, Any]] = []
        self.error = error

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope)
        if self.error is not None:
            raise self.error
        await send({"type": "http.response.start", "status": 200, "headers": []})


def ask(
    app: App, host: str, origin: str = "", path: str = "/", kind: str = "http", **more: Any
) -> dict[str, Any]:
    """Return the first message of the answer."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", host.encode("latin-1"))]
    headers += [(b"origin", origin.encode("latin-1"))] if origin else []
    headers += [(b"content-length", str(more.pop("length")).encode())] if "length" in more else []
    scope = {"type": kind, "method": "GET", "path": path, "headers": headers, **more}
    gate = Gate(
        app,
        names=NAMES,
        refused=lambda session, size: f"{session} is full" if size > 100 else None,
        upload_limit=1000,
    )
    # Nothing in it waits; and a browser's tests keep an event loop of their own running.
    with pytest.raises(StopIteration):
        gate(scope, None, send).send(None)
    return sent[0]


OWN = [
    "localhost",
    "localhost:8501",
    "127.0.0.1:80",
    "[::1]:8501",
    "192.168.0.7",
    "LOCALHOST.",
    "Evals.Example.org:443",
]


@pytest.mark.parametrize("host", OWN)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_its_own_names_and_any_number_are_answered(host: str, kind: str) -> None:
    app = App()
    assert ask(app, host, kind=kind)["status"] == 200
    assert ask(app, host, origin=f"https://{host}", kind=kind)["status"] == 200


FOREIGN = [
    ("evil.example", ""),
    ("evil.example", "http://evil.example"),
    ("localhost.evil.example", ""),
    ("evil.example#localhost", ""),
    ("localhost@evil.example", ""),
    ("evil.example:80:80", ""),
    ("", ""),
    ("localhost:99999", ""),
    ("localhost:8501", "http://evil.example"),
    ("localhost:8501", "http://localhost.evil.example"),
    ("localhost:8501", "null"),
    ("localhost:8501", "file://"),
    ("localhost:8501", "http://10.0.0.1"),
    ("localhost:8501", "http://localhost@evil.example"),
    ("localhost:8501", "\xff"),
]


@pytest.mark.parametrize(("host", "origin"), FOREIGN)
def test_other_hosts_and_pages_of_others_are_refused_before_anything_else(
    host: str, origin: str
) -> None:
    app = App()
    assert ask(app, host, origin)["status"] in (403, 421)
    assert ask(app, host, origin, kind="websocket")["type"] == "websocket.close"
    assert app.asked == []


def test_a_page_under_another_of_its_names_asks_as_one_of_the_same_host() -> None:
    app = App()
    ask(app, "127.0.0.1:8501", "https://evals.example.org", kind="websocket")
    assert dict(app.asked[0]["headers"])[b"origin"] == b"https://127.0.0.1:8501"


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/base/_stcore/metrics"])
def test_what_the_server_keeps_of_whom_is_told_to_nobody(path: str) -> None:
    app = App()
    assert ask(app, "localhost", path=path)["status"] == 404
    assert app.asked == []


def test_an_upload_passes_as_long_as_there_is_room_for_it() -> None:
    app = App()
    assert ask(app, "localhost", path=UPLOAD, method="PUT", length=100)["status"] == 200
    assert ask(app, "localhost", path=UPLOAD, method="PUT", length=101)["status"] == 413
    assert ask(app, "localhost", path=UPLOAD, method="PUT")["status"] == 413
    assert len(app.asked) == 1


def test_a_full_disk_is_told_and_not_a_broken_connection() -> None:
    app = App(OSError(28, "No space left on device"))
    assert ask(app, "localhost", path=UPLOAD, method="PUT", length=9)["status"] == 507
    with pytest.raises(OSError, match="No space"):
        ask(app, "localhost", path="/")
