"""How the error changes with rows and complexity, and what balancing a rare class does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Floats, frozen
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from evalcore.work import ONE_BLAS_THREAD
from evalview.lab.splits import Plan, Rows, split
from evalview.lab.training import (
    Learner,
    Lesson,
    Material,
    lesson,
    losses,
    rare_class,
    run,
    trained,
)

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
    """Train on ever more of the rows, in an order drawn again each round; test on those aside.

    Raises:
        EvalError: Fewer than 10 rows to train on, or none kept aside.
    """
    n = lesson.rows.n
    if n < FEWEST or not lesson.aside.n:
        raise EvalError("too-few-rows", f"A learning curve needs at least {2 * FEWEST} rows.")
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


WAYS = ("as they are", "over-sampled", "under-sampled", "over-sampled before the split")
"""What is done to the training rows; the last, before splitting, is the mistake."""


@dataclass(frozen=True)
class Rates:
    """How well the second class is found; NaN where undefined."""

    precision: float
    recall: float
    auc: float


@dataclass(frozen=True)
class Balanced:
    """What comes of one of the `WAYS`.

    Attributes:
        way: What was done.
        folds: What k-fold cross-validation finds, its test rows merged.
        aside: What the model trained on all rows so treated does on the rows kept aside.
        shared: Share of test rows whose copy trained the model that judged them.
    """

    way: str
    folds: Rates
    aside: Rates
    shared: float


def evened(truth: Floats, way: str, rng: np.random.Generator) -> Codes:
    """Return which of (n,) rows of two classes, 0 and 1, to train on, each as often as it stands.

    >>> truth = np.array([0.0, 0, 0, 1])
    >>> [len(evened(truth, way, np.random.default_rng(0))) for way in WAYS]
    [4, 6, 2, 6]
    """
    every = np.arange(len(truth))
    few, many = sorted((np.flatnonzero(truth == code) for code in (1, 0)), key=len)
    if way == "as they are" or not len(few):
        return every
    if way == "under-sampled":
        return np.sort(np.concatenate([few, rng.choice(many, len(few), replace=False)]))
    return np.concatenate([every, rng.choice(few, len(many) - len(few))])


def balanced(
    dealt: Lesson, learner: Learner, way: str, rng: np.random.Generator, *, folds: int = 5
) -> Balanced:
    """Cross-validate a model of two classes whose rows were evened out in one of the `WAYS`.

    Raises:
        EvalError: A class has fewer rows than there are folds.
    """
    early = way == WAYS[-1]
    origin = evened(dealt.rows.truth, way, rng) if early else np.arange(dealt.rows.n)
    rows = dealt.rows.taken(origin)
    plan = Rows(rows.n, stratum=rows.truth.astype(np.int64))
    splits = split("stratified k-fold", plan, Plan(folds=folds, seed=int(rng.integers(2**31))))
    score, shared = np.empty(rows.n), 0
    for place in range(folds):
        train, test = splits.train(place), splits.test(place)
        if not early:
            train = train[evened(rows.truth[train], way, rng)]
        score[test] = _scores(learner, rows.taken(train), rows.taken(test))
        shared += int(np.isin(origin[test], origin[train]).sum())
    whole = dealt.rows.taken(evened(dealt.rows.truth, way, rng))
    aside = _scores(learner, whole, dealt.aside)
    found = _rates(rows.truth, score), _rates(dealt.aside.truth, aside)
    return Balanced(way, *found, shared / rows.n)


def repeated(
    learner: Learner, rng: np.random.Generator, *, rows: int = 600, rounds: int = 10
) -> Mapping[str, tuple[Balanced, ...]]:
    """Return what comes of each of the `WAYS`, on simulated rows with a rare class.

    Each round draws rows of its own, so that rounds are independent.
    """
    made: dict[str, list[Balanced]] = {way: [] for way in WAYS}
    with ONE_BLAS_THREAD:
        for _ in range(rounds):
            drawn = lesson(rare_class(rng), rng, rows)
            for way in WAYS:
                made[way].append(balanced(drawn, learner, way, rng))
    return {way: tuple(found) for way, found in made.items()}


def _scores(learner: Learner, train: Material, test: Material) -> Floats:
    made: Floats = trained(learner, train).predict_proba(test.features)[:, 1]
    return made


def _rates(truth: Floats, score: Floats) -> Rates:
    alert, real = score >= 0.5, truth == 1
    hits = float((alert & real).sum())
    table = ScoreTable.from_scores(real.astype(np.int64), score)
    return Rates(_share(hits, alert.sum()), _share(hits, real.sum()), roc_area(table))


def _share(part: float, whole: float) -> float:
    return part / float(whole) if whole else float("nan")
