"""A light start: what other packages import as they start, and no command needs, is left out."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path

READ_FILES = ("evaluate", "compare", "check", "inspect")
"""The commands that read files."""

LOOKED_AT = 64
"""Bytes at the start of a file that tell text from what holds typed columns: zero bytes do."""


def start_light(words: Sequence[str]) -> None:
    """Import pyarrow without pandas, which is a fifth of the time of a short run.

    Call it once, where a process has no other purpose than this command: pyarrow takes pandas for
    missing from then on. That is of no consequence for text; timestamps of typed columns, which it
    hands over as those of pandas, are left as they are.
    """
    if not words or words[0] not in READ_FILES:
        return
    files = [Path(word) for word in words[1:] if not word.startswith("-")]
    if all(_is_text(file) for file in files):
        with _missing("pandas"):
            import_module("pyarrow").scalar(0)  # looks for pandas, once


def _is_text(file: Path) -> bool:
    """Tell whether a file is text, as far as its first bytes say; a word that names none is."""
    try:
        with file.open("rb") as opened:
            return b"\0" not in opened.read(LOOKED_AT)
    except (OSError, ValueError):
        return True


@contextmanager
def _missing(name: str) -> Iterator[None]:
    """Let a module be one that is not installed."""
    finder = _FindsNothing(name)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _FindsNothing(MetaPathFinder):
    """Ends the search for one module."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self._name:
            raise ModuleNotFoundError(f"{fullname} is left out", name=fullname)
