"""A confusion matrix from codes, against scikit-learn on text; all numbers of 1,000 classes."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import confusion_matrix
from timing import Result, finish, interleaved, timed

from evalcore.evaluation.decisions import decisions
from evalcore.options import Options
from evalcore.tables.confusion import ConfusionMatrix

ROWS = 1_000_000


def measured() -> Iterator[Result]:
    for classes in (2, 100):
        rng = np.random.default_rng(0)
        names = np.array([f"class {code}" for code in range(classes)])
        truth, decision = rng.integers(classes, size=(2, ROWS))
        text = names[truth], names[decision]
        times = interleaved(
            lambda: ConfusionMatrix.from_codes(truth, decision, tuple(names)),  # noqa: B023
            lambda: confusion_matrix(*text),  # noqa: B023
            rounds=3,
        )
        yield Result(f"matrix of {classes} classes", *times, 100, "scikit-learn on text labels")
    yield Result("every number of 1,000 classes, from codes", _thousand(), 1.0, 1, "one second")


def _thousand() -> float:
    rng = np.random.default_rng(0)
    truth = rng.integers(1000, size=ROWS)
    decision = np.where(rng.random(ROWS) < 0.7, truth, (truth + rng.geometric(0.05, ROWS)) % 1000)
    names = tuple(map(str, range(1000)))

    def judged() -> None:
        decisions(ConfusionMatrix.from_codes(truth, decision, names), Options())

    return min(timed(judged) for _ in range(3))


if __name__ == "__main__":
    finish(measured())
