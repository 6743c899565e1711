"""How the error changes with more rows to train on, and with a more complex model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.clusters.blas import ONE_BLAS_THREAD
from evalcore.errors import EvalError
from evalcore.lab.learner import Learner, losses, trained
from evalcore.lab.material import Lesson
from evalcore.lab.trials import run
from evalcore.outcomes import Floats, frozen
from evalcore.resampling.splits import Plan, Rows, split

FEWEST, STEPS = 10, 8
LARGEST = 0.8
"""Of all rows there is one set only, whose rounds would look certain."""


@dataclass(frozen=True, eq=False)
class Growth:
    """Errors along m settings.

    Attributes:
        at: (m,) the setting: training rows, or the dial of the model.
        train: (R, m) error on the rows trained on, in each of R rounds.
        test: (R, m) error on other rows.
    """

    at: Floats
    train: Floats
    test: Floats

    def __post_init__(self) -> None:
        for name in ("at", "train", "test"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def best(self) -> int:
        """The place of the lowest mean error on other rows, the first of equal ones."""
        return int(np.argmin(self.test.mean(axis=0)))


def learning_curve(
    lesson: Lesson, learner: Learner, rng: np.random.Generator, *, rounds: int = 20
) -> Growth:
    """Train on ever more of the rows, in an order drawn anew each round; test on those aside.

    Raises:
        EvalError: Fewer than 10 rows to train on, or none kept aside.
    """
    n = lesson.rows.n
    if n < FEWEST or not lesson.aside.n:
        raise EvalError("too-few-rows", f"A learning curve takes {2 * FEWEST} rows or more.")
    sizes = np.unique(np.linspace(FEWEST, max(FEWEST, LARGEST * n), STEPS).round().astype(np.int64))
    found = np.empty((2, rounds, len(sizes)))
    with ONE_BLAS_THREAD:
        for turn in range(rounds):
            order = rng.permutation(n)
            for place, size in enumerate(sizes):
                rows = lesson.rows.taken(order[:size])
                model = trained(learner, rows)
                found[0, turn, place] = losses(model, rows).mean()
                found[1, turn, place] = losses(model, lesson.aside).mean()
    return Growth(sizes.astype(np.float64), *found)


def validation_curve(
    lesson: Lesson, learner: Learner, dials: Sequence[int], *, folds: int = 10, seed: int = 0
) -> Growth:
    """Turn the dial of a model through its settings, each judged on the same folds.

    Raises:
        EvalError: There are fewer rows than folds.
    """
    splits = split("k-fold", Rows(lesson.rows.n), Plan(folds=folds, seed=seed))
    made = [run(lesson.rows, replace(learner, dial=dial), splits) for dial in dials]
    train, test = ([getattr(one, name) for one in made] for name in ("trained", "tested"))
    return Growth(np.array(dials, dtype=np.float64), np.transpose(train), np.transpose(test))
