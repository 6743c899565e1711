"""Sources as data: counted where they lie, their counts kept, or looked at on a sample."""

import hashlib
import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import evalcore
from evalcore.errors import EvalError
from evalcore.work import NO_PROGRESS, Progress
from evalread.binding import bind
from evalread.counts.blocks import SCHEMA
from evalread.counts.files import as_bytes
from evalread.dataset import NO_CHOICES, Choices, Dataset, Table
from evalread.detection.predictions import no_such_column
from evalread.engines.connecting import Opened, fingerprint
from evalread.engines.sources import Origin, large_file
from evalread.loading import load
from evalread.notices import notice
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


@dataclass(frozen=True)
class Asked:
    """What is counted of a source.

    Attributes:
        choices: What is settled about its columns, beside what its settings say.
        pairs: Whether models are also counted in pairs, as paired comparisons need.
        by: Columns to slice by.
        fresh: Whether it is counted anew, whatever is kept.
    """

    choices: Choices = NO_CHOICES
    pairs: bool = False
    by: tuple[str, ...] = ()
    fresh: bool = False


USUAL = Asked()


def counts_file(origin: Origin, asked: Asked = USUAL, progress: Progress = NO_PROGRESS) -> Kept:
    """Return a file of the counts of a source, from those that are kept or made anew.

    Counts of files are kept as long as no name, size or time of change differs. Those of a table
    on a server are, for so many seconds as its source says, or as long as the largest value of the
    column that its source names stays the same.

    Raises:
        EvalError: The source cannot be read or counted; the message says what to do.
    """
    choices, pairs, by = asked.choices, asked.pairs, asked.by
    key = repr((SCHEMA, evalcore.__version__, origin, choices, by))
    if origin.version is None and not asked.fresh:
        found = _look_up(origin, key, fingerprint(origin), pairs=pairs)
        if found is not None:
            return found
    # Only who counts needs ibis, whose import takes a second.
    from evalread.engines.condensing import counted
    from evalread.engines.connecting import opened
    from evalread.engines.sampling import sampled

    with opened(origin) as table:
        stamp = table.stamp + _version(table)
        if origin.version is not None and not asked.fresh:
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


def dataset_of(origin: Origin, asked: Asked = USUAL, progress: Progress = NO_PROGRESS) -> Dataset:
    """Return the data set of a source, counted where it lies; it holds counts, and no rows.

    Raises:
        EvalError: The source cannot be read or counted; the message says what to do.
    """
    kept = counts_file(origin, asked, progress)
    try:
        dataset = load([(origin.name, kept.data)])
    except EvalError:
        if kept.made is None:
            raise
        # What was kept is damaged.
        kept = counts_file(origin, replace(asked, fresh=True), progress)
        dataset = load([(origin.name, kept.data)])
    about: dict[str, Any] = {"source": origin.name, "title": origin.engine.title}
    if kept.made is not None and not origin.engine.files and origin.version is None:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(kept.made))
        said = notice("counted-there/kept", when=when, keep=origin.keep, **about)
    else:
        said = notice("counted-there", count=_rows(dataset), **about)
    return replace(dataset, notices=(said, *dataset.notices))


_READ_WHOLE = ("no-engine", "source-rows", "counts-weights", "counts-name", "list-cells")
"""What is said of a large file that is read like any other instead of being counted."""


def large(
    path: Path, choices: Choices = NO_CHOICES, progress: Progress = NO_PROGRESS
) -> Dataset | None:
    """Return the data set of a large Parquet file, counted where it lies; None for any other.

    None also where counts do not say all that is needed, or no engine is installed: such a file
    is to be read whole.

    Raises:
        EvalError: The file cannot be used; the message says what to do.
    """
    origin = large_file(path)
    if origin is None:
        return None
    try:
        dataset = dataset_of(origin, Asked(choices), progress)
    except EvalError as problem:
        if problem.code in _READ_WHOLE:
            return None
        raise
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    source = replace(dataset.table.source, digest=digest)
    return replace(dataset, table=replace(dataset.table, source=source))


def _rows(dataset: Dataset) -> int:
    counts = dataset.table.counted
    return 0 if counts is None else int(counts.rows)


def looked_at(origin: Origin, progress: Progress = NO_PROGRESS) -> tuple[Table, int]:
    """Return some rows of a source, whatever its columns are, and how many rows it has.

    Raises:
        EvalError: The source cannot be read.
    """
    from evalread.engines.connecting import opened
    from evalread.engines.sampling import recognised, rows_of

    with opened(origin) as table:
        rows = rows_of(table, progress)
        return recognised(table, rows, progress), rows


def sample_of(origin: Origin, choices: Choices = NO_CHOICES) -> Dataset:
    """Return a data set of some rows of a source, with the roles that counting it would use.

    Raises:
        EvalError: The source cannot be read, or its columns cannot be used.
    """
    from evalread.engines.connecting import opened
    from evalread.engines.sampling import sampled

    with opened(origin) as table:
        found = sampled(table, choices)
    dataset = bind(found.table, found.roles)
    said = notice("sampled", n=found.table.n, all=found.rows, source=origin.name)
    return replace(dataset, notices=(said, *dataset.notices))
