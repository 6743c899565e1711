"""Files with slices, some of them weak, written in a line."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.candidate import candidate
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Outcomes
from evalcore.slices.measures import Measure, measure

QUICK = Options(resamples=200)


def measured(rows: Outcomes, key: str, options: Options = QUICK) -> Measure:
    scored = isinstance(rows, BinaryOutcomes) and rows.label is None
    one = candidate("m", rows, find(key), "threshold" if scored else "labels")
    assert one is not None
    return measure(one, options)


def binary(n: int, seed: int = 0, **known: Any) -> BinaryOutcomes:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n).astype(np.int8)
    score = np.round(1 / (1 + np.exp(-rng.normal(size=n) - truth + 0.5)), 3)
    return BinaryOutcomes(
        classes=("no", "yes"), truth=truth, score=score, probability=True, **known
    )


def planted(
    n: int, seed: int = 0, *, drop: float = 0.1
) -> tuple[BinaryOutcomes, dict[str, NDArray[Any]], NDArray[np.bool_]]:
    """Decisions of which a tenth is wrong, and more in 3% of the rows; 20 columns; these rows."""
    rng = np.random.default_rng(seed)
    columns: dict[str, NDArray[Any]] = {}
    for place in range(10):
        shares = rng.dirichlet(np.full(int(rng.integers(2, 9)), 3.0))
        drawn = rng.choice(len(shares), n, p=shares)
        columns[f"c{place}"] = np.array([f"v{value}" for value in range(9)])[drawn]
        columns[f"x{place}"] = rng.normal(size=n)
    regions = np.array(["west", "east", "north", "south", "middle"])
    columns["c0"] = regions[rng.choice(5, n, p=[0.15, 0.2, 0.2, 0.2, 0.25])]
    weak = (columns["c0"] == "west") & (columns["x1"] < np.quantile(columns["x1"], 0.2))
    truth = (rng.random(n) < 0.3).astype(np.int8)
    wrong = rng.random(n) < np.where(weak, 0.1 + drop, 0.1)
    label = np.where(wrong, 1 - truth, truth).astype(np.int8)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, label=label)
    return rows, columns, weak
