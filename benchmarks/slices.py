"""How often the search for weak slices is right, and what it takes in time and memory.

python -m benchmarks.slices [files]      200 files each, which takes a quarter of an hour
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.candidate import candidate
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.predictions import Categories
from evalcore.results import DecisionRule
from evalcore.slices.columns import Column
from evalcore.slices.measures import Measure, measure
from evalcore.slices.results import against
from evalcore.slices.search import mask_of, overlap, search

ROWS, COLUMNS, SHARE, DROP = 20_000, 20, 0.03, 0.1

Columns = dict[str, NDArray[Any]]


def columns_of(rng: np.random.Generator, n: int, count: int) -> Columns:
    """Return half labels of 2 to 8 values, half numbers, that tell nothing."""
    made: Columns = {}
    for place in range(count // 2):
        shares = rng.dirichlet(np.full(int(rng.integers(2, 9)), 3.0))
        drawn = rng.choice(len(shares), n, p=shares)
        made[f"c{place}"] = np.array([f"v{value}" for value in range(9)])[drawn]
        made[f"x{place}"] = rng.normal(size=n) if place % 2 else rng.exponential(size=n)
    made["c0"] = np.array(["west", "east", "north", "south", "middle"])[
        rng.choice(5, n, p=[0.15, 0.2, 0.2, 0.2, 0.25])
    ]
    made["c1"] = np.array(list("abcde"))[rng.integers(0, 5, n)]
    return made


def one_value(made: Columns, rng: np.random.Generator) -> NDArray[np.bool_]:
    rare = rng.random(len(made["c0"])) < SHARE
    made["c0"] = np.where(rare, "rare", made["c0"])
    return rare


def two_values(made: Columns, rng: np.random.Generator) -> NDArray[np.bool_]:
    return (made["c0"] == "west") & (made["c1"] == "a")


def value_and_numbers(made: Columns, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Cut the numbers anywhere near a fifth, which is where bins are not."""
    share = rng.uniform(0.17, 0.23)
    return (made["c0"] == "west") & (made["x1"] < np.quantile(made["x1"], share))


def nowhere(made: Columns, rng: np.random.Generator) -> NDArray[np.bool_]:
    return np.zeros(len(made["c0"]), np.bool_)


def file(
    plant: Callable[[Columns, np.random.Generator], NDArray[np.bool_]], key: str, seed: int
) -> tuple[BinaryOutcomes, list[Column], NDArray[np.bool_]]:
    """Return decisions of which a tenth is wrong, and a fifth in the planted slice."""
    rng = np.random.default_rng(seed)
    made = columns_of(rng, ROWS, COLUMNS)
    weak = plant(made, rng)
    # Recall rests on the positives alone: the slice is of 3% of them where all rows are.
    truth = (rng.random(ROWS) < (0.8 if key == "recall" else 0.3)).astype(np.int8)
    wrong = rng.random(ROWS) < np.where(weak, 0.1 + DROP, 0.1)
    label = np.where(wrong, 1 - truth, truth).astype(np.int8)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, label=label)
    return rows, [Column.of(name, values) for name, values in made.items()], weak


def measured(rows: BinaryOutcomes, key: str) -> Measure:
    rule: DecisionRule = "labels" if rows.label is not None else "threshold"
    entered = candidate("model", rows, find(key), rule)
    assert entered is not None
    return measure(entered, Options())


def rates(files: int) -> None:
    print(
        f"{files} files of {ROWS:,} rows and {COLUMNS} columns; slice of {SHARE:.0%}, {DROP} worse"
    )
    print(
        f"{'planted':<20}{'metric':<10}{'it is confirmed':>16}{'another is':>12}{'looked at':>11}"
    )
    for plant in (one_value, two_values, value_and_numbers, nowhere):
        for key in ("accuracy", "recall"):
            own = others = 0
            for seed in range(files):
                rows, columns, weak = file(plant, key, seed)
                found = search(measured(rows, key), columns, seed=seed)
                told = [
                    mask_of(one.levels, columns)
                    for one in found.judged
                    if one.p_adjusted <= 0.05 and one.against.difference.value < 0
                ]
                near = [overlap(mask, weak) > 0.5 for mask in told]
                own += any(near)
                # A slice that shares rows with the planted one is weak as well.
                others += any(not (mask & weak).sum() > SHARE * mask.sum() * 1.5 for mask in told)
            print(
                f"{plant.__name__:<20}{key:<10}{own / files:>16.1%}{others / files:>12.1%}"
                f"{found.searched:>11,}",
                flush=True,
            )


def timed(what: str, work: Callable[[], object], limit: float) -> None:
    """Print seconds of the clock, and of the processors, which others do not disturb."""
    start, used = time.perf_counter(), time.process_time()
    work()
    took, spent = time.perf_counter() - start, time.process_time() - used
    print(f"{what:<46}{took:>8.2f} s{spent:>8.2f} s of processors (limit {limit:g} s)", flush=True)


def _chosen(one: Measure, mask: NDArray[np.bool_]) -> object:
    return against(*one.parts(mask))


def speed(n: int = 1_000_000, count: int = 30) -> None:
    rng = np.random.default_rng(0)
    raw: dict[str, Any] = columns_of(rng, n, count)
    for name in [name for name in raw if name[0] == "c"]:  # labels are codes in a file that is read
        names, codes = np.unique(raw[name], return_inverse=True)
        raw[name] = Categories(tuple(names.tolist()), codes)
    truth = (rng.random(n) < 0.3).astype(np.int8)
    score = np.clip(rng.normal(0.35 + 0.3 * truth, 0.2), 0.001, 0.999)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score, probability=True)
    measured(rows, "accuracy").whole()  # imports are no part of it
    columns: list[Column] = []

    def first() -> None:
        column, one = Column.of("c0", raw["c0"]), measured(rows, "accuracy")
        assert [against(*pair) for pair in one.each(column.codes, len(column.parts))]

    timed("slices of the first column", first, 1)
    timed("all columns cut", lambda: columns.extend(Column.of(*one) for one in raw.items()), 30)
    mask = columns[0].mask(1) & columns[1].mask(0)
    for key in ("accuracy", "roc_auc", "brier"):
        one = measured(rows, key)  # which is made once for all slices
        timed(f"a chosen slice by {key}", partial(_chosen, one, mask), 0.5)
        timed(f"search by {key}, singles and pairs of {count}", partial(search, one, columns), 30)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"most memory: {memory:.2f} GB (limit 2 GB)")


if __name__ == "__main__":
    speed()
    rates(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
