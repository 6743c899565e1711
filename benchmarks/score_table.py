"""Sort the scores once, then ask anything: against scikit-learn, which sorts for every question."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import (
    average_precision_score,
    confusion_matrix,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)
from timing import Result, finish, interleaved, predictions, repeated

from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.scores import ScoreTable

ROWS = 1_000_000
LOOK_UPS = 1000


def measured() -> Iterator[Result]:
    truth, score = predictions(ROWS)

    def ours() -> tuple[float, float]:
        table = ScoreTable.from_scores(truth, score)
        return roc_area(table), average_precision(table)

    def theirs() -> tuple[float, float]:
        roc_curve(truth, score)
        precision_recall_curve(truth, score)
        return float(roc_auc_score(truth, score)), float(average_precision_score(truth, score))

    assert np.allclose(ours(), theirs(), rtol=1e-12)
    times = interleaved(ours, theirs, rounds=9)
    yield Result("score table, ROC AUC, average precision", *times, 20, "4 calls of scikit-learn")

    table = ScoreTable.from_scores(truth, score)
    look_ups, matrix = interleaved(
        repeated(lambda: table.at(0.37), LOOK_UPS),
        lambda: confusion_matrix(truth, score >= 0.37),
        rounds=9,
    )
    yield Result(
        "one threshold", look_ups / LOOK_UPS, matrix, 10_000, "scikit-learn's confusion_matrix"
    )


if __name__ == "__main__":
    finish(measured())
