"""Rows of groups: the area under the ROC curve and all count metrics, by draws of whole groups.

Against three seconds, which a reader waits for.
"""

from collections.abc import Iterator
from time import perf_counter

import numpy as np
from timing import Result, finish, predictions

from evalcore.evaluate import decide
from evalcore.evaluation.condense import tables_of
from evalcore.evaluation.estimates import rank
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes

ROWS, GROUPS, SECONDS = 1_000_000, 10_000, 3.0


def measured() -> Iterator[Result]:
    truth, score = predictions(ROWS)
    group = np.random.default_rng(1).integers(0, GROUPS, ROWS)
    rows = BinaryOutcomes(
        classes=("no", "yes"), truth=truth.astype(np.int8), score=score, unit=group
    )
    tables = tables_of(rows)
    start = perf_counter()
    area = rank(tables, Options())["roc_auc"]
    counted = decide(tables, Options())["threshold"].metrics
    took = perf_counter() - start
    assert area.method == "newcombe-groups"
    assert counted["f1"].method == "groups-t"
    name = f"AUC and {len(counted)} count metrics, {GROUPS:,} groups, 2,000 draws"
    yield Result(name, took, SECONDS, 1.0, "three seconds", at_most=True)


if __name__ == "__main__":
    finish(measured())
