"""What a look at very many rows takes where they lie: Parquet counted by DuckDB.

    python benchmarks/scale.py [--rows 50000000] [--models 1 3] [--folder DIR] [--keep]
                               [--against sc://HOST:15002]

Makes rows of a truth and three models' scores with six decimals as a folder of Parquet files, by
DuckDB itself, and runs the command on their address, each time in a process of its own: the first
look at one model and at all three, and a second look, which finds the counts kept. Reports seconds
by the clock and of processors, and the most memory that the process held. Five hundred million rows
take about 6 GB of disk in the folder, which is emptied at the end.

With the address of a Spark server that sees the folder, only the two engines' counts are compared,
cell for cell, with the time that each took.

Exits 1 if a bar is missed; bars are those of 5e7 rows, or of 5e8 where there are more than 1e8, on
two processors that do nothing else.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import duckdb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

MANY = 100_000_000
"""More rows than this have the bars of 5e8."""

BARS = {False: {1: 12.0, 3: 36.0}, True: {1: 60.0, 3: 150.0}}
"""Many -> models -> seconds of the first look."""

SECOND_LOOK, MEMORY = 3.0, 2000.0
"""Seconds of a second look, and megabytes of any."""

PART = 25_000_000
"""Rows of a file."""

BYTES = 14
"""Bytes of a row on disk, at most."""

COLUMNS = "abc"


def made(rows: int, folder: Path) -> None:
    """Write the rows; two classes, one in ten positive, and three models of falling worth."""
    free = shutil.disk_usage(folder).free
    if free < 2 * rows * BYTES:
        sys.exit(f"{2 * rows * BYTES / 1e9:.0f} GB of disk are needed; {free / 1e9:.0f} are free.")
    scores = ", ".join(
        f"round(1 / (1 + exp(2 - {1.6 - k / 5} * y - ln((u{k} + 3e-8) / (1 - u{k})))), 6)::FLOAT "
        f"AS score_{name}"
        for k, name in enumerate(COLUMNS)
    )
    uniform = ", ".join(
        f"(hash(i * {2 * k + 3} + {k}) % 16777216) / 16777216.0 AS u{k}" for k in range(3)
    )
    with duckdb.connect(config={"memory_limit": "1GB", "preserve_insertion_order": False}) as db:
        for start in range(0, rows, PART):
            drawn = f"SELECT (hash(i) % 10 = 0)::INT AS y, {uniform} FROM range({start}, "
            drawn += f"{min(start + PART, rows)}) t(i)"
            path = folder / f"part-{start // PART:03}.parquet"
            db.execute(f"COPY (SELECT y AS truth, {scores} FROM ({drawn})) TO '{path}'")


@dataclass(frozen=True)
class Look:
    """What one run of the command took: seconds, seconds of processors, megabytes, and its AUCs."""

    seconds: float
    processors: float
    megabytes: float
    areas: tuple[float, ...]


_WATCHED = """
import json, resource, subprocess, sys
run = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(run.stderr)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
print(run.stdout)
sys.exit(run.returncode)
"""
"""Runs a command in a process whose only child it is, so that its memory is told by itself."""


def looked(folder: Path, models: int, cache: Path) -> Look:
    """Run the command on the rows, and return what it took."""
    words = [sys.executable, "-m", "evalboard", "evaluate", f"parquet://{folder}", "--json"]
    words += ["--truth", "truth"]
    words += [word for name in COLUMNS[:models] for word in ("--score", f"{name}=score_{name}")]
    begun = perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", _WATCHED, *words],
        cwd=ROOT,
        env={**os.environ, "EVALBOARD_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = perf_counter() - begun
    used, _, said = run.stdout.partition("\n")
    processors, megabytes = json.loads(used)
    found = json.loads(said)["models"].values()
    areas = tuple(one["metrics"]["ranking"]["roc_auc"]["value"] for one in found)
    return Look(seconds, processors, megabytes, areas)


def measured(rows: int, models: list[int], folder: Path) -> Iterator[tuple[str, float, float]]:
    """Print and yield each figure with its bar."""
    for count in models:
        with TemporaryDirectory() as cache:
            for which in ("first", "second"):
                look = looked(folder, count, Path(cache))
                what = f"{which} look, {count} model{'s' if count > 1 else ''}"
                areas = ", ".join(f"{area:.5f}" for area in look.areas)
                print(
                    f"{what:<26} {look.seconds:7.2f} s  {look.processors:7.2f} s of processors  "
                    f"{look.megabytes:6.0f} MB  ROC AUC {areas}",
                    flush=True,
                )
                first = BARS[rows > MANY].get(count, float("inf"))
                yield f"{what}, s", look.seconds, first if which == "first" else SECOND_LOOK
                yield f"{what}, MB", look.megabytes, MEMORY


def compared(models: list[int], folder: Path, server: str) -> Iterator[tuple[str, float, float]]:
    """Print what DuckDB and Spark took to count, and yield in how many blocks they differ."""
    from evalread.dataset import Choices
    from evalread.engines.condensing import counted
    from evalread.engines.connecting import opened
    from evalread.engines.sampling import sampled
    from evalread.engines.sources import origin

    for count in models:
        asked = Choices(truth="truth", scores={name: f"score_{name}" for name in COLUMNS[:count]})
        found = []
        for address in (f"parquet://{folder}", f"{server}?parquet={folder}"):
            begun = perf_counter()
            with opened(origin(address)) as table:
                found.append(counted(table, sampled(table, asked), pairs=count > 1))
            blocks = ", ".join(
                f"{'+'.join(b.models)} {b.cells:,} cells {dict(b.digits)}" for b in found[-1].blocks
            )
            print(
                f"{table.origin.engine.title} {perf_counter() - begun:.1f} s: {blocks}", flush=True
            )
        here, there = (one.blocks for one in found)
        apart = len(here) != len(there) or sum(
            one.digits != two.digits or not one.table.equals(two.table)
            for one, two in zip(here, there, strict=True)
        )
        print(
            f"{len(here)} blocks, of which {int(apart)} differ between DuckDB and Spark", flush=True
        )
        yield f"blocks that differ, {count} models", apart, 0


def main() -> int:
    """Make the rows, look at them, and say which bars are missed."""
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("--rows", type=float, default=5e7)
    asked.add_argument("--models", type=int, nargs="+", default=[1, 3])
    asked.add_argument("--folder", type=Path, help="where the rows are made (default: a new one)")
    asked.add_argument("--keep", action="store_true", help="leave the rows there, for the next run")
    asked.add_argument("--against", help="the address of a Spark server to compare counts with")
    given = asked.parse_args()
    rows = int(given.rows)
    with TemporaryDirectory(prefix="evalboard-scale-") as own:
        folder = given.folder or Path(own)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            if not any(folder.glob("part-*.parquet")):
                begun = perf_counter()
                made(rows, folder)
                size = sum(path.stat().st_size for path in folder.glob("part-*.parquet")) / 1e9
                print(f"{rows:,} rows made in {perf_counter() - begun:.0f} s: {size:.2f} GB")
            figures = list(
                compared(given.models, folder, given.against)
                if given.against
                else measured(rows, given.models, folder)
            )
        finally:
            for path in folder.glob("part-*.parquet") if not given.keep else ():
                path.unlink()
    missed = [f"{what}: {value:.2f}, bar {bar:g}" for what, value, bar in figures if value > bar]
    print("\n".join(["Missed:", *missed]) if missed else "Every bar is met.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
