"""A light start and a quick end: what other packages do at either, and no command needs.

A short run of a command is mostly start and end. Only for a process with no other purpose.
"""

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import NoReturn

FILES_VARIABLE = "EVALBOARD_FILES"
"""Tells the server, never the browser, which files it is started on, how, and by which token."""

READ_FILES = ("evaluate", "compare", "check", "inspect", "slices", "report")
"""The commands that read files."""

LOOKED_AT = 64
"""Bytes at the start of a file that tell text from what holds typed columns: zero bytes do."""

_OBJECTS = 200_000
"""New objects until cyclic garbage is looked for: more than a short run makes, nearly all of which
last as long as it does. With Python's own 700 it would look hundreds of times."""

_UNUSED_OF_NUMPY = ("f2py", "testing")
"""Parts of numpy that scipy imports as it copies all names of numpy, and never uses: a compiler of
Fortran, and helpers of tests."""


def start_light(words: Sequence[str]) -> None:
    """Keep what a command that reads files does not need from being imported.

    pyarrow takes pandas for missing from then on, whose import is a fifth of the time of a short
    run. That is of no consequence for text; timestamps of typed columns, which it hands over as
    those of pandas, are left as they are.
    """
    if not _reads_files(words):
        return
    gc.set_threshold(_OBJECTS)
    # Arrow's own allocator reserves a gigabyte at once, beside which no limit could be set.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    files = [Path(word) for word in words[1:] if word == "-" or not word.startswith("-")]
    if not _names_source(words) and all(_is_text(file) for file in files):
        with _missing("pandas"):
            import_module("pyarrow").scalar(0)  # looks for pandas, once
    numpy = import_module("numpy")
    for name in _UNUSED_OF_NUMPY:
        # An attribute is enough to keep numpy from importing the module; `import` still finds it.
        setattr(numpy, name, ModuleType(f"numpy.{name}"))


def end(words: Sequence[str], code: int) -> NoReturn:
    """End the process, whose output is written, with an exit code.

    A command that reads files leaves its memory to the operating system; to free object after
    object takes longer than to read a short file.
    """
    if _reads_files(words):
        os._exit(code)
    sys.exit(code)


def _reads_files(words: Sequence[str]) -> bool:
    return bool(words) and words[0] in READ_FILES


def _names_source(words: Sequence[str]) -> bool:
    """Tell whether data are asked of an engine, whose driver may need pandas."""
    return any("://" in word or word.partition("=")[0] == "--source" for word in words)


def _is_text(file: Path) -> bool:
    """Return whether a file is text, as far as its first bytes say; a word that names none is.

    A pipe is not looked at: what is read of it is gone.
    """
    try:
        if file == Path("-") or (file.exists() and not file.is_file()):
            return False
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


class _FindsNothing:
    """Ends the search for one module; has no base, since importing that takes 5 ms."""

    def __init__(self, name: str) -> None:
        self._name = name

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self._name:
            raise ModuleNotFoundError(f"{fullname} is left out", name=fullname)
