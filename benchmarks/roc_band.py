"""A band for the whole ROC curve: against resampling the rows with scikit-learn.

The loop over the rows would take many minutes, so a few of its resamples are timed and the time
is multiplied.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import roc_curve
from timing import Result, finish, interleaved, predictions

from evalcore.intervals.resamples import Plan
from evalcore.tables.scores import ScoreTable
from evalview.explorer.band import roc_band

ROWS = 100_000
RESAMPLES = 2000
TIMED = 5
GRID = np.linspace(0, 1, 201)


def measured() -> Iterator[Result]:
    truth, score = predictions(ROWS)
    table = ScoreTable.from_scores(truth, score)

    def ours() -> None:
        roc_band(table, np.random.default_rng(0), Plan(RESAMPLES))

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for _ in range(TIMED):
            rows = rng.integers(ROWS, size=ROWS)
            fpr, tpr, _ = roc_curve(truth[rows], score[rows])
            np.interp(GRID, fpr, tpr)

    quick, slow = interleaved(ours, theirs, rounds=5)
    yield Result(
        f"{RESAMPLES:,} resamples of a ROC curve",
        quick,
        slow / TIMED * RESAMPLES,
        400,
        f"scikit-learn, {TIMED} resamples timed",
    )


if __name__ == "__main__":
    finish(measured())
