"""A confusion matrix from codes: against scikit-learn on the labels as text."""

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import confusion_matrix
from timing import Result, finish, interleaved

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


if __name__ == "__main__":
    finish(measured())
