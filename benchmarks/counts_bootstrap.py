"""Five metrics with bootstrap intervals: against resampling the rows with scikit-learn.

The loop over the rows would take many minutes, so a few of its resamples are timed and the time
is multiplied.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)
from timing import Result, finish, interleaved, predictions

from evalcore.intervals.resamples import Plan, draw_shares, percentile_bootstrap
from evalcore.metrics.catalog import by_key
from evalcore.tables.confusion import ConfusionMatrix

ROWS = 1_000_000
RESAMPLES = 2000
TIMED = 2
METRICS = ("accuracy", "precision", "recall", "f1", "mcc")


def measured() -> Iterator[Result]:
    truth, score = predictions(ROWS)
    label = (score >= 0.5).astype(np.int8)
    matrix = ConfusionMatrix.from_codes(truth, label, ("no", "yes"))
    metrics = [by_key()[key] for key in METRICS]

    def ours() -> None:
        [draws] = draw_shares(matrix, np.random.default_rng(0), Plan(RESAMPLES))
        for metric in metrics:
            percentile_bootstrap(np.asarray(metric(draws.binary())), 0.95)

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for _ in range(TIMED):
            rows = rng.integers(ROWS, size=ROWS)
            for metric in (
                accuracy_score,
                precision_score,
                recall_score,
                f1_score,
                matthews_corrcoef,
            ):
                metric(truth[rows], label[rows])

    quick, slow = interleaved(ours, theirs, rounds=3)
    yield Result(
        f"{RESAMPLES:,} resamples of five metrics",
        quick,
        slow / TIMED * RESAMPLES,
        100_000,
        f"scikit-learn, {TIMED} resamples timed",
    )


if __name__ == "__main__":
    finish(measured())
