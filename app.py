"""The server: the dashboard of `pages/frame.py` behind security headers.

Start it with `evalboard`, with `streamlit run app.py`, or with `uvicorn app:app`.
"""

import base64
import ctypes
import hashlib
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import evalview
import pages
from evalboard.gate import Gate, own_names
from evalboard.starting import FILES_VARIABLE
from evalview.explorer import source

# The server is to answer soon: what takes long to import is imported where it is used.

ARENA_MAX = -8
"""Number of a setting of glibc's `mallopt`: how many heaps the threads of a process may have."""


def share_one_heap() -> None:
    """Let all threads take memory from one heap, where the system has that setting.

    Each would have one of its own, and keep what lies between its last results: 100 MB after a
    minute of large files. They take memory one after the other anyway, as Python lets one run.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if mallopt is not None:
        mallopt(ARENA_MAX, 1)


share_one_heap()

if os.environ.get(FILES_VARIABLE):  # Now: a file that cannot be read is told before anyone looks.
    from evalread.worker import client
    from pages.session import store

    store.given()
    client.start()


def streamlits_page() -> str:
    """Return the page into which Streamlit's scripts draw."""
    return (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")


def inline_scripts() -> list[str]:
    """Return, as sources of a policy, the scripts of Streamlit's own page and of a report."""
    scripts = re.findall(r"<script>(.*?)</script>", streamlits_page(), flags=re.DOTALL)
    # The preview of a report takes over the policy of the page that it is shown on.
    scripts += [source.of_report(with_explorer=one) for one in (True, False)]
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts]
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' blob: {' '.join(inline_scripts())}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' ws: wss:",
            "frame-src 'self' data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
        )
    ),
    # The address of a view holds the key to its data.
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; touch the answer's headers only."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


FIRST_ELEMENTS = (
    "BidiComponent",
    "Button",
    "ButtonGroup",
    "FileUploader",
    "Html",
    "NumberInput",
    "PageLink",
    "Selectbox",
    "Spinner",
)
"""Kinds of elements that a page begins with."""


def early_modules(page: str) -> list[str]:
    """Return the modules of `FIRST_ELEMENTS`, and those they import, that a page does not name.

    Streamlit loads them one after the other, each when such an element is first met.
    """
    folder = Path(st.__file__).parent / "static" / "static" / "js"
    named = [path.name for kind in FIRST_ELEMENTS for path in folder.glob(f"{kind}.*.js")]
    for name in named:  # which grows meanwhile
        for imported in re.findall(r"""(?:from|import)[`"']\./([^`"']+)""", _read(folder / name)):
            if imported not in named and imported not in page:
                named.append(imported)
    return named


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


PRESENTED = b' class="opens-presenting"'


def is_presented(scope: Scope) -> bool:
    """Return whether an address presents: the page then stays hidden until all is in its place."""
    return b"present=yes" in scope["query_string"].split(b"&")


class EarlyStyles:
    """Puts our style sheets into Streamlit's own page, so that its first paint is in its place.

    The elements that a page begins with are asked for at once, too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        sheets = sorted((evalview.ASSETS / "css").glob("*.css"))
        texts = "\n".join(sheet.read_text("utf-8") for sheet in sheets)
        links = "\n".join(
            f'<link rel="modulepreload" crossorigin href="./static/js/{name}">'
            for name in early_modules(streamlits_page())
        )
        # In the body, so that they come after the styles that Streamlit puts into the head.
        self.styles = f">{links}<style>\n{texts}</style>".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; where the answer is a page, add the styles."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        wants_page = "text/html" in Headers(scope=scope).get("accept", "")
        if not wants_page:
            await self.app(scope, receive, send)
            return
        # What is compressed cannot be added to; the page is small.
        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        opening = b"<body" + (PRESENTED if is_presented(scope) else b"")
        start: Message = {}
        body = b""

        async def styled(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            headers = MutableHeaders(scope=start)
            if headers.get("content-type", "").startswith("text/html"):
                body = body.replace(b"<body>", opening + self.styles, 1)
                headers["content-length"] = str(len(body))
            await send(start)
            await send({"type": "http.response.body", "body": body})

        await self.app({**scope, "headers": plain}, receive, styled)


def to_start(request: Request) -> RedirectResponse:
    """Lead "/start" to the start page, which Streamlit knows by the bare address alone."""
    # Relative, so that it holds below any path under which a proxy serves the dashboard.
    return RedirectResponse(f".?{request.url.query}" if request.url.query else ".")


def show_failure(error: Exception) -> bool:
    """Show a card for an error that nothing caught; True tells Streamlit that it was shown."""
    from pages.widgets import guard

    return guard.show_failure(error)


def upload_refused(session: str, size: int) -> str | None:
    """Return why a session may not upload so many bytes more; None where it may."""
    from pages.session import store

    return store.upload_refused(session, size)


SHOWN_FIRST = ("pages.widgets.bar", "pages.start", "pages.session.findings")
"""What the first page shows, and then what it takes to judge a file that is dropped there."""


def work_beside() -> None:
    """Import what the first page needs, while the browser still loads its part; then tidy up."""
    for name in SHOWN_FIRST:
        import_module(name)
    from evalread.worker import client
    from pages.session import reading

    client.start()  # Last: it imports as much again, and is needed when a file is dropped.
    reading.keep_tidy()


Thread(target=work_beside, daemon=True).start()

SCRIPT = Path(pages.__file__).resolve().with_name("frame.py")

# Streamlit would add the folder of the script for each run and take it out again, and whoever
# looks for a module at that moment, for another reader, would miss the place where it lies.
sys.path.append(str(SCRIPT.parent))

app = st.App(
    SCRIPT,
    routes=[
        Route("/start", to_start),
        Mount("/app/static/fonts", StaticFiles(directory=evalview.ASSETS / "fonts")),
    ],
    middleware=[
        Middleware(SecurityHeaders),
        Middleware(EarlyStyles),
        Middleware(
            Gate,
            names=own_names(st.get_option("server.address"), st.get_option("server.allowedHosts")),
            refused=upload_refused,
            upload_limit=st.get_option("server.maxUploadSize") * 2**20,
        ),
    ],
    on_script_error=show_failure,
)
