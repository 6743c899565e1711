"""How often a change is flagged over time where there is none, and how soon a drop is found.

    python benchmarks/monitoring.py                  all tables; takes about an hour of one core
    python benchmarks/monitoring.py --only stated    tables whose name begins so
    python benchmarks/monitoring.py --streams 200    fewer streams: a first impression

The tables are `stated` (a share against a stated value), `estimated` (against the rows before),
`metrics` (others than shares), `history` (of checks) and `drop` (how soon one of 5 points is seen).
Leaves with status 1 if more streams are flagged than 5% and three standard errors.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from evalboard.checks import signals
from evalcore.comparison.candidate import candidate
from evalcore.intervals.closed import wilson
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate
from evalcore.monitoring.boundaries import Spending, ratio
from evalcore.monitoring.streams import of_shares, stream_of
from evalcore.monitoring.watching import Plan, tuned, watch
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes, Outcomes
from evalcore.slices.measures import measure

CHANGE, ERROR = 0.05, 0.05
REFERENCE = 500
"""Rows before the first look, where no value is stated."""


def flagged(looks: int, rows: int, some: NDArray[Any], stated: float, streams: int) -> NDArray[Any]:
    """Return the look at which each of many streams is flagged, infinite where none is.

    `some` are (looks,) shares of rows that are right. Of looks of equal size against a stated
    share the limits are the same in every stream, so that many streams take little longer than one.
    """
    one = of_shares(np.zeros(1), np.array([float(rows)]))
    told = one.signal(one.sums[0], one.sums[0], CHANGE, stated)
    assert told is not None
    rng, at = np.random.default_rng(0), np.full(streams, np.inf)
    laws = [told.directed(sign) for sign in (1, -1)]
    ratios = [ratio(tuned(told), law) for law in laws]
    spending = [Spending(ERROR / 2, looks, by.slope) for by in ratios]
    value = np.zeros((2, streams))
    for look, share in enumerate(some):
        right = rng.binomial(rows, share, streams)
        z = (right - rows * stated) / sqrt(rows * stated * (1 - stated))
        for side, (law, by, own) in enumerate(zip(laws, ratios, spending, strict=True)):
            limit = own.next(by, law)
            value[side] = np.maximum(value[side] + own.cusum.steps((z, -z)[side], by), 0)
            at[np.isinf(at) & (value[side] >= limit)] = look
    return at


def estimated(looks: int, rows: int, share: float, seed: int) -> bool:
    """Return whether a stream of a share without a change is flagged against the rows before."""
    n = np.append(REFERENCE, np.full(looks, rows)).astype(float)
    right = np.random.default_rng(seed).binomial(n.astype(int), share).astype(float)
    return watch(of_shares(right, n).signals(1, CHANGE, None), Plan(looks)).at is not None


def _rows(key: str, n: int, seed: int) -> Outcomes:
    """Return rows of a usual model: a third positive, area 0.84; or predicted numbers."""
    rng = np.random.default_rng(seed)
    if key in ("mae", "rmse"):
        truth = rng.normal(size=n)
        return NumericOutcomes(truth=truth, prediction=truth + rng.normal(size=n))
    truth = (rng.random(n) < 1 / 3).astype(np.int8)
    score = 1 / (1 + np.exp(0.7 - rng.normal(1.4 * truth - 0.5, 1.0)))
    return BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score, probability=True)


def of_metric(key: str, looks: int, rows: int, seed: int) -> bool:
    """Return whether a stream of a metric without a change is flagged against the rows before."""
    n = REFERENCE + looks * rows
    made = candidate("m", _rows(key, n, seed), find(key), "threshold")
    assert made is not None
    codes = np.maximum(np.arange(n) - REFERENCE + rows, 0) // rows
    stream = stream_of(measure(made, Options()), codes, looks + 1)
    change = 0.08 if key in ("mae", "rmse") else CHANGE  # a tenth of it, where it has no bounds
    return watch(stream.signals(1, change, None), Plan(looks)).at is not None


def of_history(checks: int, rows: int, seed: int) -> bool:
    """Return whether a history of accuracies without a change is flagged."""
    made = []
    for k in np.random.default_rng(seed).binomial(rows, 0.9, checks + 1):
        ends = wilson(float(k), float(rows), 0.95)
        made.append(Estimate(k / rows, float(ends.low), float(ends.high), "wilson", 0.95))
    return watch(signals(made, CHANGE), Plan(checks)).at is not None


def fixed_test_rows(share: float, drop: float, power: float) -> float:
    """Return the rows of one two-sided test at 5% that finds the drop from a known share."""
    spread = sqrt(share * (1 - share)), sqrt((share - drop) * (1 - share + drop))
    reach = norm.isf(0.025) * spread[0] + norm.ppf(power) * spread[1]
    return float((reach / drop) ** 2)


def delays(looks: int, rows: int, share: float, before: int, streams: int) -> NDArray[Any]:
    """Return the rows from a drop by 5 points to its flag, of streams without a false alarm.

    In units of the rows of a fixed test that finds 90% of such drops.
    """
    some = np.where(np.arange(looks) < before, share, share - CHANGE)
    at = flagged(looks, rows, some, share, streams)
    late = (at[at >= before] + 1 - before) * rows
    return late / fixed_test_rows(share, CHANGE, 0.9)


SHARES = (
    *((1, 100, 0.9), (10, 50, 0.9), (10, 100, 0.9), (10, 300, 0.98)),
    *((100, 1, 0.9), (100, 20, 0.95), (100, 50, 0.9), (100, 500, 0.9)),
    *((1000, 1, 0.9), (1000, 10, 0.9), (1000, 10, 0.8), (1000, 50, 0.9), (1000, 100, 0.9)),
    *((1000, 300, 0.9), (1000, 500, 0.9)),
)
AGAINST_ROWS = ((10, 50, 0.9), (10, 100, 0.9), (100, 10, 0.9), (100, 50, 0.9), (1000, 10, 0.9))
METRICS = ("brier", "mae", "roc_auc", "f1", "mcc", "recall", "log_loss", "rmse")
DROPS = (
    *((10, 100, 0.9), (100, 10, 0.9), (100, 50, 0.9), (1000, 1, 0.9), (1000, 10, 0.9)),
    *((1000, 10, 0.8), (1000, 50, 0.9), (1000, 100, 0.9)),
)


def cases() -> Iterator[tuple[str, Callable[..., Any], int]]:
    """Yield each case: its name, whether a stream of a seed is flagged, and how many streams."""
    for looks, rows, share in AGAINST_ROWS:
        name = f"estimated: {looks:,} looks of {rows} rows after {REFERENCE}, {share} right"
        yield name, partial(estimated, looks, rows, share), 2000 if looks < 1000 else 500
    for looks, streams in ((10, 2000), (100, 500)):
        for key in METRICS:
            name = f"metrics: {key}, {looks} looks of 50 rows after {REFERENCE}"
            yield name, partial(of_metric, key, looks, 50), streams
    for checks, rows in ((10, 400), (100, 400), (100, 100)):
        yield f"history: {checks} checks of {rows} rows", partial(of_history, checks, rows), 2000


def told(name: str, found: float, streams: int) -> bool:
    """Print a rate with its standard error; return whether it is at most what is promised."""
    error = sqrt(ERROR * (1 - ERROR) / streams)
    print(f"{name:<60} {found:6.2%} ± {error:.2%} of {streams:,} streams", flush=True)
    return found <= ERROR + 3 * error


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--streams", type=int)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    good = []
    for looks, rows, share in SHARES:
        name = f"stated: {looks:,} looks of {rows} rows, {share} right"
        if name.startswith(given.only):
            streams = given.streams or 20_000
            at = flagged(looks, rows, np.full(looks, share), share, streams)
            good.append(told(name, float(np.isfinite(at).mean()), streams))
    with ProcessPoolExecutor(given.processes) as pool:
        for name, alarm, usual in cases():
            if name.startswith(given.only):
                streams = given.streams or usual
                found = list(pool.map(alarm, range(streams), chunksize=10))
                good.append(told(name, float(np.mean(found)), streams))
    for looks, rows, share in DROPS:
        for before in (0, int(looks * 0.3)):
            name = f"drop: {looks:,} looks of {rows} rows, {share} right, from look {before}"
            if name.startswith(given.only):
                late = delays(looks, rows, share, before, given.streams or 5000)
                ends = np.quantile(late, (0.5, 0.8), method="higher")
                print(
                    f"{name:<60} mean {late[np.isfinite(late)].mean():.2f}, median {ends[0]:.2f}, "
                    f"80% within {ends[1]:.2f}; never {np.isinf(late).mean():.1%}",
                    flush=True,
                )
    sys.exit(not all(good))


if __name__ == "__main__":
    main()
