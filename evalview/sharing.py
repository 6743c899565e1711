"""The address of a view for others: who can open it, and the code by which a camera does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from socket import AF_INET, SOCK_DGRAM, socket
from urllib.parse import urlencode, urlsplit, urlunsplit

from evalview import escape


@dataclass(frozen=True)
class Reach:
    """Who can open a view.

    Attributes:
        address: Of its page, with all that is chosen there.
        host: The name or number by which the server is reached.
        port: As the address has it; "" where it has none.
        alone: Whether only this computer can reach it.
    """

    address: str
    host: str
    port: str
    alone: bool

    @property
    def told(self) -> str:
        """Who can open it, and what to do where nobody else can, as Markdown."""
        at = f" at port {self.port}" if self.port else ""
        if self.alone:
            port = f" --port {self.port}" if self.port else ""
            return (
                f"This address works **only on this computer**: the server answers nobody else{at}."
                f" To let others in, start it with `evalboard FILE --host 0.0.0.0{port}`, and share"
                " the view from there."
            )
        return (
            f"For whoever reaches **{escape.markdown(self.host)}**{at}, such as in the same "
            "network. It opens the same data with all that is chosen, while this server runs; data "
            "that nobody uses are removed after a day. There is no password: who has the address "
            "sees the data."
        )


def reach(page: str, chosen: Mapping[str, Sequence[str]], listens: str) -> Reach:
    """Return who can open a page as the reader's browser knows it, with what is chosen on it.

    Where the reader is at the server's own computer, which `listens` at an address for others too,
    they are given the number by which others reach that.

    >>> reach("http://localhost:8501/costs", {"data": ["a b"]}, "127.0.0.1").address
    'http://localhost:8501/costs?data=a+b'
    """
    parts = urlsplit(page)
    host, port = parts.hostname or "", f"{parts.port or ''}"
    if _is_loopback(host) and not _is_loopback(listens):
        host = _own_number() or host
    place = ":".join(filter(None, (f"[{host}]" if ":" in host else host, port)))
    asked = urlencode(chosen, doseq=True)
    address = urlunsplit((parts.scheme, place, parts.path, asked, ""))
    return Reach(address, host, port, alone=_is_loopback(host))


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _own_number() -> str:
    """Return the number of this computer in its network; "" without one. Nothing is sent."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # of a range that is kept for examples
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def code(address: str) -> str | None:
    """Return an address as a QR code, the address of an SVG picture; None where it is too long.

    Dark on light with the margin that cameras need, also where the page is dark.
    """
    import segno

    try:
        made = segno.make(address, micro=False)
    except segno.DataOverflowError:
        return None
    return made.svg_data_uri(scale=8, border=4, dark="#000000", light="#ffffff")
