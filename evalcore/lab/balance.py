"""Evening out a rare class before training, and the mistake of doing it before splitting."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evalcore.clusters.blas import ONE_BLAS_THREAD
from evalcore.lab.learner import Learner, trained
from evalcore.lab.material import Lesson, Material, lesson, rare_class
from evalcore.outcomes import Codes, Floats
from evalcore.resampling.splits import Plan, Rows, split
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable

WAYS = ("as they are", "over-sampled", "under-sampled", "over-sampled too early")
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
    found = _rates(score, rows.truth), _rates(aside, dealt.aside.truth)
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


def _rates(score: Floats, truth: Floats) -> Rates:
    alert, real = score >= 0.5, truth == 1
    hits = float((alert & real).sum())
    table = ScoreTable.from_scores(score, real.astype(np.int64))
    return Rates(_share(hits, alert.sum()), _share(hits, real.sum()), roc_area(table))


def _share(part: float, whole: float) -> float:
    return part / float(whole) if whole else float("nan")
