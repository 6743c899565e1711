"""Files written whole or not at all."""

import os
import tempfile
from pathlib import Path

from evalcore.errors import EvalError


def written(target: Path, content: str | bytes) -> None:
    """Write a file whole or not at all: beside its place first, then into it.

    Raises:
        EvalError: "unwritable-file": it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
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
    if not target.parent.is_dir():
        raise EvalError("unwritable-file", f'There is no folder "{target.parent}" to write to.')
    if not os.access(target.parent, os.W_OK):
        raise EvalError("unwritable-file", f'The folder "{target.parent}" cannot be written to.')
