"""ROC AUC and average precision with bootstrap intervals: against resampling with scikit-learn.

The loop over the rows would take many minutes, so a few of its resamples are timed and the time
is multiplied. The time must also hardly grow with the number of rows.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score
from timing import Result, Task, finish, interleaved, predictions

from evalcore.intervals.ranking import draw_ranking
from evalcore.intervals.resamples import DRAWN_AREAS, Plan
from evalcore.tables.scores import ScoreTable

ROWS = 1_000_000
RESAMPLES = 2000
TIMED = 2


def measured() -> Iterator[Result]:
    truth, score = predictions(ROWS)

    def theirs() -> None:
        rng = np.random.default_rng(0)
        for _ in range(TIMED):
            rows = rng.integers(ROWS, size=ROWS)
            roc_auc_score(truth[rows], score[rows])
            average_precision_score(truth[rows], score[rows])

    quick, slow = interleaved(_bootstrap(ROWS), theirs, rounds=3)
    yield Result(
        f"{RESAMPLES:,} resamples of both areas",
        quick,
        slow / TIMED * RESAMPLES,
        1500,
        f"scikit-learn, {TIMED} resamples timed",
    )
    times = interleaved(_bootstrap(ROWS), _bootstrap(10_000), rounds=7)
    yield Result("a million rows", *times, 2, "ten thousand rows", at_most=True)


def _bootstrap(rows: int) -> Task:
    table = ScoreTable.from_scores(*predictions(rows))

    def both() -> None:
        drawn = draw_ranking(table, Plan(RESAMPLES))
        areas = DRAWN_AREAS["roc_auc"](drawn.tp, drawn.fp)
        assert np.isfinite(areas).all()
        assert drawn.average_precision.failed == 0

    return both


if __name__ == "__main__":
    finish(measured())
