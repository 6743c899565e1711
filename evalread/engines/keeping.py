"""Counts of sources, kept as files: who looks a second time does not wait again."""

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import evalcore
from evalcore.errors import EvalError
from evalcore.work import NO_PROGRESS, Progress
from evalread.counts.blocks import SCHEMA
from evalread.counts.files import as_bytes
from evalread.dataset import NO_CHOICES, Choices
from evalread.detection.predictions import no_such_column
from evalread.engines.connecting import Opened, fingerprint
from evalread.engines.sources import Origin
from evalread.writing import written

CACHE_VARIABLE = "EVALBOARD_CACHE"
"""Names the folder of kept counts, where it is not at its usual place."""

MOST_KEPT = 50
"""Files of counts that are kept; the ones that were used longest ago go first."""


@dataclass(frozen=True)
class Kept:
    """A file of counts of a source.

    Attributes:
        data: Its bytes.
        made: When it was made, in seconds since 1970; None where that was now.
    """

    data: bytes
    made: float | None = None


def counts_file(
    origin: Origin,
    choices: Choices = NO_CHOICES,
    *,
    pairs: bool = False,
    by: tuple[str, ...] = (),
    fresh: bool = False,
    progress: Progress = NO_PROGRESS,
) -> Kept:
    """Return a file of the counts of a source, from those that are kept or made anew.

    Counts of files are kept as long as no name, size or time of change differs. Those of a table
    on a server are, for so many seconds as its source says, or as long as the largest value of the
    column that its source names stays the same.

    Raises:
        EvalError: The source cannot be read or counted; the message says what to do.
    """
    key = repr((SCHEMA, evalcore.__version__, origin, choices, by))
    if origin.version is None and not fresh:
        found = _look_up(origin, key, fingerprint(origin), pairs=pairs)
        if found is not None:
            return found
    # Only who counts needs ibis, whose import takes a second.
    from evalread.engines.condensing import counted
    from evalread.engines.connecting import opened
    from evalread.engines.sampling import sampled

    with opened(origin) as table:
        stamp = table.stamp + _version(table)
        if origin.version is not None and not fresh:
            found = _look_up(origin, key, stamp, pairs=pairs)
            if found is not None:
                return found
        counts = counted(table, sampled(table, choices), pairs=pairs, by=by, progress=progress)
    data = as_bytes(counts)
    _keep(_path(key, stamp, pairs=pairs), data)
    return Kept(data)


def _version(table: Opened) -> str:
    """Return the largest value of the column that changes with the table, and the rows."""
    column = table.origin.version
    if column is None:
        return ""
    if column not in table.table.columns:
        raise no_such_column(column, table.table.columns)
    asked = table.table.aggregate(n=table.table.count(), last=table.table[column].max())
    return repr(table.ask(asked).to_pylist())


def _folder() -> Path:
    if told := os.environ.get(CACHE_VARIABLE):
        return Path(told)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "evalboard" / "counts"


def _path(key: str, stamp: str, *, pairs: bool) -> Path:
    name = hashlib.sha256(repr((key, stamp, pairs)).encode()).hexdigest()
    return _folder() / f"{name}.parquet"


def _look_up(origin: Origin, key: str, stamp: str, *, pairs: bool) -> Kept | None:
    """Return what is kept; where there are counts of pairs, they serve whoever needs none."""
    ages = origin.keep if not stamp else None
    for with_pairs in (True,) if pairs else (True, False):
        path = _path(key, stamp, pairs=with_pairs)
        with suppress(OSError):
            made = path.stat().st_mtime
            if ages is None or time.time() - made <= ages:
                return Kept(path.read_bytes(), made)
    return None


def _keep(path: Path, data: bytes) -> None:
    """Keep a file, and remove the oldest; where the folder takes none, nothing is kept."""
    with suppress(OSError, EvalError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written(path, data)
        kept = sorted(path.parent.glob("*.parquet"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST_KEPT]:
            old.unlink()
