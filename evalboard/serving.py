"""The dashboard in the browser, on files given on the command line."""

import argparse
import json
import os
import secrets
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlencode

from evalboard import arguments
from evalboard.starting import FILES_VARIABLE
from evalcore.errors import EvalError
from evalread.dataset import Choices
from evalread.notices import refusal

FIRST_PORT, PORTS_TRIED = 8501, 100
"""Streamlit's own port, and how many are tried from there on: more servers than anyone runs."""

HEALTH_SECONDS = 60
"""How long to wait for the server before the browser is left closed: a slow disk, a first start."""


def serve(given: argparse.Namespace, counts: Path | None = None) -> int:
    """Run the dashboard until it is stopped; return the exit code.

    It opens on the files that are given, or on a file of counts in which their columns are settled.

    Raises:
        EvalError: A file cannot be read, as far as its first bytes tell; the port is taken; or the
            interface is not installed.
    """
    files = [_readable(path) for path in given.files] if counts is None else [counts]
    words = arguments.words_given(given) if counts is None else {}
    if arguments.choices(given) != Choices() and not files:
        raise EvalError("usage", "Options about files need a file. Name at least one.")
    if any(find_spec(name) is None for name in ("streamlit", "plotly")):
        raise EvalError(
            "no-interface",
            "The dashboard needs the packages streamlit and plotly: pip install streamlit plotly.",
        )
    from evalread.readers import refuse_at_a_glance

    refuse_at_a_glance(files, arguments.choices(given).encoding)
    with _free_port(given.host, given.port) as port:
        address = _address(given.host, port, _announced(files, words))
        print(f"Evalboard opens at {address} (stop it with Ctrl+C)", flush=True)
        if not given.no_browser and _has_screen():
            health = f"{_address(given.host, port)}_stcore/health"
            threading.Thread(target=_open_browser, args=(health, address), daemon=True).start()
        return _run(given.host, port)


def server_script() -> Path:
    """Return the server's script: beside the packages in a checkout, else inside the package."""
    root = Path(__file__).resolve().parents[1]
    installed = root / "pages" / "server" / "app.py"
    return installed if installed.is_file() else root / "app.py"


def _run(host: str, port: int) -> int:
    options = {
        "server.address": host,
        "server.port": port,
        "server.headless": "true",  # the browser is opened here, on the given files
        "logger.hideWelcomeMessage": "true",
    }
    words = ["run", str(server_script()), *(f"--{name}={value}" for name, value in options.items())]
    # Imported by name: the command knows the interface only where it starts it.
    streamlit, stopped = import_module("streamlit.web.cli"), import_module("click").Abort
    with suppress(stopped):  # by Ctrl+C, the way to end it
        streamlit.main(words, prog_name="streamlit", standalone_mode=False)
    return 0


def _announced(files: Sequence[Path], words: Mapping[str, object]) -> dict[str, str]:
    """Tell the server which files it is started on, and how to read them.

    Return what the address says of them.
    """
    os.environ.pop(FILES_VARIABLE, None)
    if not files:
        return {}
    token = secrets.token_urlsafe(16)
    told = {"token": token, "files": [str(file) for file in files], "words": dict(words)}
    os.environ[FILES_VARIABLE] = json.dumps(told)
    return {"open": token}


def _readable(path: str) -> Path:
    """Return a file's absolute path.

    Raises:
        EvalError: It is not there, or is no file, or may not be read.
    """
    file = Path(path)
    if not path:
        raise refusal("no-file/name")
    if not file.exists():
        raise EvalError("no-such-file", f'There is no file "{path}".')
    if file.is_dir():
        raise EvalError("no-such-file", f'"{path}" is a folder, not a file.')
    if not file.is_file():
        raise EvalError("no-such-file", f'"{path}" is a pipe or a device. Save its data as a file.')
    if not os.access(file, os.R_OK):
        raise EvalError("unreadable-file", f'"{path}" cannot be read: Permission denied.')
    return file.resolve()


@contextmanager
def _free_port(host: str, wanted: int | None) -> Iterator[int]:
    """Yield the port asked for, or the first free one, which no other Evalboard takes meanwhile.

    The server binds its port only seconds later. Until it ends, the UDP port of the same number,
    which it does not use, is held as the sign that the port is taken.
    """
    asked = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if wanted is None else [wanted]
    for port in asked:
        with ExitStack() as held:
            if _is_free(host, port, held):
                yield port
                return
    if wanted is not None:
        raise EvalError("port-taken", f"Port {wanted} of {host} is in use or may not be used.")
    raise EvalError("port-taken", f"No port from {asked[0]} to {asked[-1]} is free.")


def _is_free(host: str, port: int, held: ExitStack) -> bool:
    """Return whether a port is free; if so, its sign is held."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError:
        raise EvalError("bad-host", f'"{host}" is not an address of this machine.') from None
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # else a port that was just left counts as taken
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sign = held.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        try:
            sign.bind((host, port))
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _address(host: str, port: int, params: dict[str, str] | None = None) -> str:
    """Return the address for a browser on this machine.

    >>> _address("0.0.0.0", 8501), _address("::1", 80, {"open": "k"})
    ('http://localhost:8501/', 'http://[::1]:80/?open=k')
    """
    known = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1") else host
    named = f"[{known}]" if ":" in known else known
    return f"http://{named}:{port}/" + (f"?{urlencode(params)}" if params else "")


def _has_screen() -> bool:
    """Return whether a browser with a window can open; one without would take over the terminal."""
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open_browser(health: str, address: str) -> None:
    """Open the browser as soon as the server answers."""
    until = time.monotonic() + HEALTH_SECONDS
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(health, timeout=1):
                webbrowser.open(address)
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
