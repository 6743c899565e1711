"""Intervals of areas by DeLong's variance: against the R package pROC, which is timed by R itself.

Without `Rscript` and pROC there is nothing to compare with, and the script says so.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from timing import Result, Task, finish, predictions, timed

from evalcore.intervals.delong import area_interval, delong_areas
from evalcore.tables.scores import ScoreTable

ROWS = 1_000_000
ROUNDS = 2
RUNS = 3

PROC = """
suppressMessages(library(pROC))
rows <- as.integer(commandArgs(TRUE)[2])
read <- function(part) readBin(file.path(commandArgs(TRUE)[1], part), "double", rows)
truth <- read("truth"); first <- read("first"); second <- read("second")
best <- function(task) min(replicate(RUNS, system.time(task())[["elapsed"]]))
curve <- function(score) roc(truth, score, levels = c(0, 1), direction = "<", quiet = TRUE)
single <- best(function() ci.auc(curve(first), method = "delong"))
paired <- best(function() roc.test(curve(first), curve(second), method = "delong"))
cat(single, paired)
""".replace("RUNS", str(RUNS))


def measured() -> Iterator[Result]:
    truth, first = predictions(ROWS)
    second = first + np.random.default_rng(1).normal(size=ROWS) / 10
    tasks = (
        lambda: area_interval(ScoreTable.from_scores(truth, first)),
        lambda: delong_areas(truth, [first, second]).pair(0, 1),
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, values in (("truth", truth), ("first", first), ("second", second)):
            values.astype(np.float64).tofile(Path(folder) / name)
        rounds = [(*map(_best, tasks), *_by_proc(folder)) for _ in range(ROUNDS)]
    single, paired, their_single, their_paired = np.min(rounds, axis=0)
    yield Result("interval of one area", single, their_single, 8, "pROC ci.auc")
    yield Result("two areas with covariance", paired, their_paired, 8, "pROC roc.test")


def _best(task: Task) -> float:
    return min(timed(task) for _ in range(RUNS))


def _by_proc(folder: str) -> list[float]:
    command = ["Rscript", "--vanilla", "-e", PROC, folder, str(ROWS)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(seconds) for seconds in run.stdout.split()]


def _there() -> bool:
    try:
        command = ["Rscript", "--vanilla", "-e", "library(pROC)"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    if _there():
        finish(measured())
    print("skipped: Rscript with the package pROC is not installed")
