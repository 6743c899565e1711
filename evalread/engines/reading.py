"""Sources as data: counted where they lie, or looked at on a sample."""

import hashlib
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from evalcore.errors import EvalError
from evalcore.work import NO_PROGRESS, Progress
from evalread.binding import bind
from evalread.dataset import NO_CHOICES, Choices, Dataset, Table
from evalread.engines.keeping import counts_file
from evalread.engines.sources import Origin, large_file
from evalread.loading import load
from evalread.notices import notice


def dataset_of(
    origin: Origin,
    choices: Choices = NO_CHOICES,
    *,
    pairs: bool = False,
    by: tuple[str, ...] = (),
    fresh: bool = False,
    progress: Progress = NO_PROGRESS,
) -> Dataset:
    """Return the data set of a source, counted where it lies; it holds counts, and no rows.

    Args:
        origin: The source.
        choices: What is settled about its columns, beside what its settings say.
        pairs: Whether models are also counted in pairs, as paired comparisons need.
        by: Columns to slice by.
        fresh: Whether it is counted anew, whatever is kept.
        progress: Who looks on.

    Raises:
        EvalError: The source cannot be read or counted; the message says what to do.
    """
    count = partial(counts_file, origin, choices, pairs=pairs, by=by, progress=progress)
    kept = count(fresh=fresh)
    try:
        dataset = load([(origin.name, kept.data)])
    except EvalError:
        if kept.made is None:
            raise
        # What was kept is damaged.
        kept = count(fresh=True)
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
        dataset = dataset_of(origin, choices, progress=progress)
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
