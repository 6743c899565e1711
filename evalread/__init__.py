"""Reading: from files of predictions to a checked data set.

`load` goes the whole way; `read_all`, `detect` and `bind` are its three steps, and `read` reads
one file. Each is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalread.binding import bind
    from evalread.detection.roles import detect
    from evalread.loading import load, read, read_all

__all__ = ["bind", "detect", "load", "read", "read_all"]

_FROM = {
    "bind": "evalread.binding",
    "detect": "evalread.detection.roles",
    "load": "evalread.loading",
    "read": "evalread.loading",
    "read_all": "evalread.loading",
}


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_FROM[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
