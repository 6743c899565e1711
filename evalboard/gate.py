"""What a server answers at all: requests for its own hosts, from its own pages, within its memory.

Stands before everything else, so that what is refused costs nothing and reaches no one: asked from
a foreign page, Streamlit would look up its own address outside, and wait for it.
"""

import ipaddress
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

HOSTS_VARIABLE = "EVALBOARD_HOSTS"
"""Names under which the server is reached, separated by commas, such as "evals.example.org"."""

CLOSED = ("_stcore/metrics",)
"""Paths that are nobody's business: what the server keeps of whom."""

UPLOADS = "/_stcore/upload_file/"

UNKNOWN_HOST = (
    "This server does not accept requests under this name. Its operator can add the "
    f"name to {HOSTS_VARIABLE}."
)
FOREIGN_PAGE = "The request comes from a page of another host and was refused."
NO_DISK = "The server has no room for the upload on its disk. Try again in some minutes."


def own_names(address: str, others: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of a server that listens at an address; numbers are always its own.

    A page of another host can make a browser ask for a name that leads here, never for a number.

    >>> sorted(own_names("127.0.0.1", ["Evals.example.org"]) - {socket.gethostname().lower()})
    ['127.0.0.1', 'evals.example.org', 'localhost']
    """
    told = os.environ.get(HOSTS_VARIABLE, "").split(",")
    names = ("localhost", socket.gethostname(), address, *others, *told)
    return frozenset(name.strip().lower().rstrip(".") for name in names if name.strip())


class Gate:
    """Refuses what is not for this server.

    `names` are those of the server. `refused` says why a session may not upload so many bytes
    more, or nothing; `upload_limit` is what an upload without a length is counted for.
    """

    def __init__(
        self,
        app: App,
        *,
        names: frozenset[str],
        refused: Callable[[str, int], str | None],
        upload_limit: int,
    ) -> None:
        self._app = app
        self._names = names
        self._refused = refused
        self._upload_limit = upload_limit
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on what may pass; answer anything else in a sentence."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = dict(scope["headers"])
        host, origin = (headers.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        if not self._is_own(_split(f"//{host}")):
            return await _refuse(scope, send, 421, UNKNOWN_HOST)
        if origin and not self._is_same(origin, host):
            return await _refuse(scope, send, 403, FOREIGN_PAGE)
        if scope["path"].strip("/").endswith(CLOSED):
            return await _refuse(scope, send, 404, "There is nothing here.")
        if origin:
            # A page of one of the other names: what comes next would look for that name outside.
            scope = {**scope, "headers": _with_origin(scope["headers"], f"{_scheme(origin)}{host}")}
        if scope["type"] == "http" and scope["method"] == "PUT" and UPLOADS in scope["path"]:
            return await self._upload(scope, receive, send, headers.get(b"content-length", b""))
        return await self._app(scope, receive, send)

    def _is_own(self, asked: SplitResult | None) -> bool:
        name = "" if asked is None else (asked.hostname or "").rstrip(".")
        return name in self._names or _is_number(name)

    def _is_same(self, origin: str, host: str) -> bool:
        """Whether a page is one of this server: of the host that is asked, or another name."""
        page = _split(origin)
        if page is None or page.scheme not in ("http", "https"):
            return False
        named = (page.hostname or "").rstrip(".") in self._names
        return page.netloc.lower() == host.lower() or named

    async def _upload(self, scope: Message, receive: Receive, send: Send, length: bytes) -> None:
        """Pass an upload on if there is room for it beside those that are under way."""
        session = scope["path"].partition(UPLOADS)[2].partition("/")[0]
        size = int(length) if length.isdigit() else self._upload_limit
        why = self._refused(session, size + self._under_way.total())
        if why is not None:
            return await _refuse(scope, send, 413, why)
        answered = False

        async def noting(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        self._under_way[session] += size
        try:
            await self._app(scope, receive, noting)
        except OSError:
            if answered:
                raise
            await _refuse(scope, send, 507, NO_DISK)
        finally:
            self._under_way[session] -= size


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address; None where it is none."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # looked at, a port that is no number is an error
    except ValueError:
        return None
    plain = parts.username is None and not (parts.path or parts.query or parts.fragment)
    return parts if plain else None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _scheme(origin: str) -> str:
    return origin[: origin.index("//") + 2]


def _with_origin(headers: Iterable[tuple[bytes, bytes]], origin: str) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in headers if name != b"origin"]
    return [*kept, (b"origin", origin.encode("latin-1"))]


async def _refuse(scope: Message, send: Send, status: int, why: str) -> None:
    """Answer in a sentence; a connection for messages is closed before it is open."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
        return
    body = why.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
