"""How much is done, on one line of a terminal that is gone when the answer comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from evalcore.clusters.watch import UNWATCHED, Watch

_WIDTH = 20


@contextmanager
def shown_on(stream: TextIO) -> Iterator[Watch]:
    """Yield what shows the work's progress; nothing is written where nobody looks on.

    >>> import io
    >>> with shown_on(io.StringIO()) as watch:
    ...     watch.report(0.5)
    """
    if not stream.isatty():
        yield UNWATCHED
        return
    try:
        yield Watch(lambda share: _write(stream, f"\r{share:.0%} of the models"))
    finally:
        _write(stream, f"\r{'':{_WIDTH}}\r")


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()
