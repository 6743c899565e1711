"""Evaluate a file of many models by the command line: seconds by the clock, and memory.

The command is a process of its own, whose reading, start and writing count, as do the processes
that it begins; seconds of processors tell how much of the clock's was other work.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BAR = 20.0
"""Seconds by the clock, of two processors, for 500 models of a thousand rows."""


def write(path: Path, models: int, rows: int) -> None:
    """Write a truth of two classes and the scores of many models, of six digits."""
    rng = np.random.default_rng(0)
    truth = rng.random(rows) < 0.3
    scores = [1 / (1 + np.exp(1 - rng.normal(size=rows) - 1.5 * truth)) for _ in range(models)]
    names = ",".join(["label", *(f"score_m{place:03d}" for place in range(models))])
    columns = np.column_stack([truth, *scores])
    digits = ["%d", *("%.6f" for _ in scores)]
    np.savetxt(path, columns, fmt=digits, delimiter=",", header=names, comments="")


def main() -> None:
    """Print what a file takes; leave with status 1 where it is above the bar, of 500 or fewer."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--models", type=int, default=500)
    asked.add_argument("--rows", type=int, default=1000)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "models.csv")
        write(path, given.models, given.rows)
        command = [sys.executable, "-m", "evalboard", "evaluate", "--json", str(path)]
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    verdict = "ok" if seconds <= BAR * max(given.models / 500, 1) else "ABOVE THE BAR"
    print(
        f"{given.models:,} models of {given.rows:,} rows: {seconds:.1f} s, "
        f"{busy:.1f} s of processors ({used.ru_stime:.1f} s of them the system's), "
        f"{peak:,.0f} MB in one process; "
        f"bar {BAR:g} s for up to 500: {verdict}"
    )
    sys.exit(verdict != "ok")


if __name__ == "__main__":
    main()
