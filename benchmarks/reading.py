"""Read large files: CSV against pandas' `read_csv`, Parquet in bounded memory, and wide tables.

Each run is a process of its own, so that its peak of memory is its own. Processes make the files,
too, in a temporary folder, since a peak is inherited. The sizes of the table in README.md are
`--rows 10000000 --parquet-rows 50000000`.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from timing import Result, finish, predictions

ROUNDS = 5
PARQUET_PART = 1_000_000
DTYPES = {"truth": "category", "score_A": "float64", "score_B": "float64", "label_A": "category"}


@dataclass(frozen=True)
class Run:
    """What one process took."""

    seconds: float
    peak: float  # megabytes


@dataclass(frozen=True)
class Peak:
    """The memory of one process, which must stay below `bar` megabytes."""

    name: str
    run: Run
    bar: float

    @property
    def passed(self) -> bool:
        """Whether the bar is met."""
        return self.run.peak <= self.bar

    def __str__(self) -> str:
        verdict = "ok" if self.passed else "ABOVE THE BAR"
        return (
            f"{self.name:<46} peak {self.run.peak:,.0f} MB in {self.run.seconds:.3g} s, "
            f"bar {self.bar:,.0f} MB: {verdict}"
        )


def write_csv(path: Path, rows: int) -> None:
    """Write truth, two scores of six digits, and a label."""
    truth, first = predictions(rows)
    _, second = predictions(rows, seed=1)
    columns = {
        "truth": _words(truth.astype(np.bool_)),
        "score_A": np.round(first, 6),
        "score_B": np.round(second, 6),
        "label_A": _words(first >= 0.5),
    }
    options = pa.csv.WriteOptions(include_header=True, quoting_style="none", quoting_header="none")
    pa.csv.write_csv(pa.table(columns), path, options)


def _words(yes: np.ndarray) -> pa.Array:
    words = pa.DictionaryArray.from_arrays(pa.array(yes.astype(np.int8)), ["no", "yes"])
    return words.cast(pa.string())


def write_parquet(path: Path, rows: int) -> None:
    """Write truth and a score of which all values are distinct, in row groups."""
    schema = pa.schema([("truth", pa.int8()), ("score", pa.float64())])
    with pa.parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, PARQUET_PART):
            truth, score = predictions(min(PARQUET_PART, rows - start), seed=start)
            writer.write_table(pa.table([truth, score], schema))


def ours(path: Path, _: int) -> None:
    """Read and condense, as the command line does."""
    from evalcore.evaluation.condense import condense
    from evalread.loading import load

    condense(load([(path.name, path.read_bytes())]))


def pandas_from_file(path: Path, _: int) -> None:
    """Read a file with the types of its columns; pandas uses all cores."""
    import pandas as pd

    pd.read_csv(path, dtype=DTYPES)


def pandas_from_memory(path: Path, _: int) -> None:
    """Read the same from bytes, as an upload arrives."""
    import io

    import pandas as pd

    pd.read_csv(io.BytesIO(path.read_bytes()), dtype=DTYPES)


WIDE_ROWS, WIDE_COLUMNS, WIDE_BAR = 50, 20_000, 5.0
"""Rows and columns of a wide table, and the seconds of a processor for finding its roles."""


def _truth(rng: np.random.Generator) -> np.ndarray:
    return (rng.random(WIDE_ROWS) < 0.4).astype(np.int8)


def _noisy(rng: np.random.Generator, truth: np.ndarray) -> np.ndarray:
    return np.round(np.clip(0.3 + 0.3 * truth + rng.normal(0, 0.2, WIDE_ROWS), 0.001, 0.999), 3)


Cells = Callable[[np.random.Generator, np.ndarray], np.ndarray]
WIDE: dict[str, tuple[str, str, Cells]] = {
    "scores": ("label", "model_{}_prob", _noisy),
    "long names": ("label", "a_long_name_of_a_model_with_number_{}_and_more_score", _noisy),
    "labels": ("label", "pred_{}", lambda rng, truth: truth ^ (rng.random(WIDE_ROWS) < 0.2)),
    "clusters": ("true_class", "cluster_{}", lambda rng, _: rng.integers(0, 4, WIDE_ROWS)),
    "right or wrong": ("id", "correct_{}", lambda rng, _: rng.random(WIDE_ROWS) < 0.7),
    "predicted numbers": ("target", "pred_{}", lambda rng, _: rng.normal(size=WIDE_ROWS).round(3)),
}
"""Kinds of wide tables: the name of the first column, those of the others, and their cells."""


@dataclass(frozen=True)
class Wide:
    """What finding the roles of a wide table took, in seconds of a processor."""

    name: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the bar is met."""
        return self.seconds <= WIDE_BAR

    def __str__(self) -> str:
        verdict = "ok" if self.passed else "ABOVE THE BAR"
        return f"{self.name:<46} {self.seconds:.3g} s of a processor, bar {WIDE_BAR:g} s: {verdict}"


def wide_tables(folder: Path) -> Iterator[Wide]:
    """Inspect tables of many columns by the command line, start and writing among it."""
    for kind, (first, name, cells) in WIDE.items():
        rng = np.random.default_rng(0)
        truth = _truth(rng)
        of_first = {"id": np.arange(WIDE_ROWS), "target": rng.normal(size=WIDE_ROWS).round(3)}
        columns = {first: of_first.get(first, truth)}
        columns |= {name.format(k): cells(rng, truth) for k in range(WIDE_COLUMNS - 1)}
        for ending, write in (("csv", pa.csv.write_csv), ("parquet", pa.parquet.write_table)):
            path = folder / f"wide.{ending}"
            write(pa.table(columns), path)
            before = _used_by_children()
            command = [sys.executable, "-m", "evalboard", "inspect", str(path), "--json"]
            subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
            what = f"{WIDE_COLUMNS:,} columns of {kind}, {ending}"
            yield Wide(what, _used_by_children() - before)


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def streamed(path: Path, _: int) -> None:
    """Evaluate on the command line."""
    from evalboard.cli import main

    assert main(["evaluate", str(path), "--json"]) == 0


PEERS = (pandas_from_memory, pandas_from_file)
TASKS = {task.__name__: task for task in (ours, *PEERS, streamed, write_csv, write_parquet)}


def run(task: Callable[[Path, int], None], path: Path, rows: int = 0) -> Run:
    """Run a task in a process of its own; what it imports is loaded before the clock starts."""
    words = [sys.executable, __file__, "--task", task.__name__, str(path), "--rows", str(rows)]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stderr.split()
    return Run(float(said[-2]), float(said[-1]))


def measured(folder: Path, rows: int, parquet_rows: int) -> Iterator[Result | Peak | Wide]:
    yield from wide_tables(folder)
    text = folder / "predictions.csv"
    run(write_csv, text, rows)
    tasks = (ours, *PEERS)
    runs: dict[Callable[[Path, int], None], list[Run]] = {task: [] for task in tasks}
    for _ in range(ROUNDS):
        for task in tasks:
            runs[task].append(run(task, text))
    best = {task: min(made.seconds for made in runs[task]) for task in tasks}
    what = f"CSV of {rows:,} rows, read and condensed"
    for task, peer in zip(PEERS, ("bytes, one core", "file, all cores"), strict=True):
        yield Result(what, best[ours], best[task], 1.5, f"read_csv of {peer}", at_most=True)
    yield Peak(what, max(runs[ours], key=lambda made: made.peak), 1500)
    text.unlink()
    binary = folder / "predictions.parquet"
    run(write_parquet, binary, parquet_rows)
    yield Peak(f"Parquet of {parquet_rows:,} rows, evaluated", run(streamed, binary), 600)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rows", type=int, default=2_000_000)
    asked.add_argument("--parquet-rows", type=int, default=12_000_000)
    asked.add_argument("--task", nargs=2, metavar=("NAME", "FILE"), help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.task:
        _timed(TASKS[given.task[0]], Path(given.task[1]), given.rows)
        return
    with tempfile.TemporaryDirectory() as folder:
        finish(measured(Path(folder), given.rows, given.parquet_rows))


def _timed(task: Callable[[Path, int], None], path: Path, rows: int) -> None:
    import pandas  # noqa: F401

    import evalboard.cli  # noqa: F401

    start = time.perf_counter()
    task(path, rows)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(seconds, peak, file=sys.stderr)


if __name__ == "__main__":
    main()
