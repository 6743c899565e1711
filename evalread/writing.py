"""Files written whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from evalcore.errors import EvalError


def written(target: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: beside its place first, then into it.

    What is there and no file, such as /dev/stdout or a pipe, is written to and not replaced.

    Raises:
        EvalError: "unwritable-file": it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        handle, beside = tempfile.mkstemp(dir=target.parent, prefix=".evalboard-", suffix=".tmp")
    except OSError as problem:
        raise unwritable(target, problem) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(beside).chmod(0o666 & ~_umask())
        Path(beside).replace(target)
    except OSError as problem:
        Path(beside).unlink(missing_ok=True)
        raise unwritable(target, problem) from None


@contextmanager
def alone(target: Path) -> Iterator[None]:
    """Wait until nobody else changes a file in this way, and keep others waiting meanwhile.

    A file beside it is locked, which the system undoes however a process ends; it is removed again.

    Raises:
        EvalError: "unwritable-file": nothing can be written there.
    """
    beside = target.with_name(f".{target.name}.lock")
    try:
        file = beside.open("wb")
        _lock(file)
        while not _is_at(file, beside):  # whoever held it has removed it
            file.close()
            file = beside.open("wb")
            _lock(file)
    except OSError as problem:
        raise unwritable(target, problem) from None
    with file:
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes no file that is open
                beside.unlink()


def _lock(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _umask() -> int:
    """Return which rights new files lack."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def unwritable(target: Path, problem: OSError) -> EvalError:
    """Return why a file or folder cannot be written."""
    why = problem.strerror or "the place is not valid"
    return EvalError("unwritable-file", f'"{target}" cannot be written: {why}.')


def check_writable(target: Path) -> None:
    """Refuse a place where nothing can be written, before large files are read.

    Raises:
        EvalError: "unwritable-file".
    """
    if target.is_dir():
        raise EvalError("unwritable-file", f'"{target}" is a folder. Name a file in it.')
    if target.exists() and not target.is_file():
        return
    if not target.parent.is_dir():
        raise EvalError("unwritable-file", f'There is no folder "{target.parent}" to write to.')
    if not os.access(target.parent, os.W_OK):
        raise EvalError("unwritable-file", f'The folder "{target.parent}" cannot be written to.')
