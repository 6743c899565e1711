"""What all benchmarks share: fair timing, one line of result, the verdict."""

import gc
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Task = Callable[[], object]


@dataclass(frozen=True)
class Result:
    """How two ways compare: `ratio` must be at least `bar`, or at most where `at_most` is set."""

    name: str
    ours: float
    theirs: float
    bar: float
    peer: str
    at_most: bool = False

    @property
    def ratio(self) -> float:
        """Time of theirs in units of ours; the other way round where the bar is a ceiling."""
        return self.ours / self.theirs if self.at_most else self.theirs / self.ours

    @property
    def passed(self) -> bool:
        """Whether the bar is met."""
        return self.ratio <= self.bar if self.at_most else self.ratio >= self.bar

    def __str__(self) -> str:
        sign = "<=" if self.at_most else ">="
        verdict = "ok" if self.passed else "BELOW THE BAR"
        return (
            f"{self.name:<46} {_spoken(self.ours):>9} against {_spoken(self.theirs):>9} "
            f"({self.peer}): {self.ratio:,.4g}x, bar {sign} {self.bar:,g}x: {verdict}"
        )


def interleaved(ours: Task, theirs: Task, *, rounds: int = 5) -> tuple[float, float]:
    """Run both in turns and return the shortest time of each, in seconds.

    In turns, so that a busy moment of the machine falls on both; the shortest, since other work
    can only make a run longer. Both run once before, to load what they import.
    """
    ours(), theirs()
    best = [float("inf"), float("inf")]
    for _ in range(rounds):
        for place, task in enumerate((ours, theirs)):
            best[place] = min(best[place], timed(task))
    return best[0], best[1]


def timed(task: Task) -> float:
    """Return the seconds that one run takes, without garbage collection."""
    gc.collect()
    gc.disable()
    start = time.perf_counter()
    task()
    taken = time.perf_counter() - start
    gc.enable()
    return taken


def repeated(task: Task, times: int) -> Task:
    """Return a task that runs another many times, for tasks too short to time alone."""

    def run() -> None:
        for _ in range(times):
            task()

    return run


def predictions(n: int, seed: int = 0) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Return a truth of one positive in ten and n probabilities, nearly all distinct."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.1).astype(np.int8)
    return truth, 1 / (1 + np.exp(2 - rng.normal(size=n) - 1.5 * truth))


def finish(results: Iterable[Result]) -> None:
    """Print each result as it comes and leave with status 1 if one misses its bar."""
    passed = []
    for result in results:
        print(result, flush=True)
        passed.append(result.passed)
    sys.exit(not all(passed))


def _spoken(seconds: float) -> str:
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"
