"""Silhouettes of every point: against scikit-learn, in time and in memory.

Memory is the peak of a process of its own above what it held before (Linux only).
"""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from timing import Result, finish, interleaved

from evalcore.clustering.distance import Distance
from evalcore.clustering.points import silhouette
from evalcore.outcomes import Points

POINTS = 20_000
MANY_POINTS = 50_000
CLUSTERS = 8
FEATURES = 10
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Memory:
    """What two ways need beside the data: ours at most `bar` of theirs."""

    name: str
    ours: float
    theirs: float
    bar: float

    @property
    def passed(self) -> bool:
        """Whether the bar is met."""
        return self.ours <= self.bar * self.theirs

    def __str__(self) -> str:
        verdict = "ok" if self.passed else "ABOVE THE BAR"
        return (
            f"{self.name:<46} {self.ours:6.0f} MB against {self.theirs:6.0f} MB (scikit-learn): "
            f"{self.ours / self.theirs:.3f}, bar <= {self.bar:.3f}: {verdict}"
        )


def clusters(n: int) -> Points:
    rng = np.random.default_rng(0)
    cluster = rng.integers(CLUSTERS, size=n)
    features = rng.normal(size=(n, FEATURES)) + 3 * rng.normal(size=(CLUSTERS, FEATURES))[cluster]
    return Points(names=tuple(map(str, range(CLUSTERS))), cluster=cluster, features=features)


def by_scikit_learn(points: Points) -> None:
    from sklearn.metrics import silhouette_samples

    silhouette_samples(points.features, points.cluster)


def measured() -> Iterator[Result | Memory]:
    points = clusters(POINTS)
    for precision, bar in (("float32", 12), ("float64", 5)):
        distance = Distance(precision=precision)
        times = interleaved(
            lambda: silhouette(points, distance),  # noqa: B023
            lambda: by_scikit_learn(points),
        )
        yield Result(f"{POINTS:,} silhouettes in {precision}", *times, bar, "scikit-learn")
    if STATUS.exists():
        ours, theirs = (_in_own_process(who) for who in ("ours", "theirs"))
        yield Memory(f"{MANY_POINTS:,} silhouettes, memory", ours, theirs, 1 / 8)


def _in_own_process(who: str) -> float:
    command = [sys.executable, __file__, who]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _peak(who: str) -> float:
    """Return how many MB one run takes at most."""
    task = silhouette if who == "ours" else by_scikit_learn
    task(clusters(1000))
    points = clusters(MANY_POINTS)
    before = _kilobytes("VmRSS")
    task(points)
    return (_kilobytes("VmHWM") - before) / 1024


def _kilobytes(field: str) -> int:
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(_peak(sys.argv[1]))
    else:
        finish(measured())
