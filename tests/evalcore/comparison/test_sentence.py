"""The headline in a table of situations: right in direction, interval and strength."""

from dataclasses import replace

import numpy as np
import pytest

from evalcore.compare import conclude
from evalcore.comparison.candidate import candidate
from evalcore.comparison.candidates import Candidates
from evalcore.comparison.from_folds import from_folds
from evalcore.comparison.from_rows import from_rows
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, NumericOutcomes
from evalcore.predictions import FoldScores


def rows(key, models, *, shared=True, rope=0.01):
    """Compare models on rows, given their outcomes by name."""
    metric = find(key)
    entered = tuple(candidate(name, o, metric, "labels") for name, o in models.items())
    candidates = Candidates(metric, entered, shared, None, ())
    return conclude(from_rows(candidates, Options(resamples=500), rope=rope))


def folds(scores, metric="accuracy", **others):
    """Compare models on folds, given their scores by name."""
    k = len(next(iter(scores.values())))
    made = FoldScores(
        metric=metric,
        models=tuple(scores),
        score=np.array(list(scores.values()), dtype=float),
        fold=others.pop("fold", tuple(map(str, range(k)))),
        **others,
    )
    return conclude(from_folds(made))


def labels(wrong, n=200):
    """Return a model that is wrong on some of n rows, given their places."""
    truth = np.arange(n, dtype=np.int64) % 2
    label = truth.copy()
    label[wrong] = 1 - label[wrong]
    return BinaryOutcomes(
        classes=("no", "yes"), truth=truth.astype(np.int8), label=label.astype(np.int8)
    )


def scored(noise, n=400, seed=0, positives=0.3):
    """Return a model whose scores are the truth with noise; more noise, worse model."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < positives).astype(np.int8)
    return BinaryOutcomes(
        classes=("no", "yes"), truth=truth, score=truth + noise * rng.normal(size=n)
    )


def sure(least, n=100, wrong=1):
    """Return a model that gives the truth all but a probability of `least`; of some rows that."""
    truth = (np.arange(n) % 2).astype(np.int8)
    score = np.where(truth == 1, 0.98 - least, 0.02 + least)
    score[:wrong] = 1 - least
    return BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score, probability=True)


def backwards(noise):
    forwards = scored(noise)
    return replace(forwards, score=-forwards.score)


def numbers(noise, n=300, seed=0):
    truth = np.random.default_rng(0).normal(size=n)
    return NumericOutcomes(
        truth=truth, prediction=truth + noise * np.random.default_rng(seed + 1).normal(size=n)
    )


NOISE = np.random.default_rng(4).normal(scale=0.01, size=10)
EASY = np.random.default_rng(5).normal(0.8, 0.05, size=10)

SITUATIONS = {
    "a clear winner by scores": (
        lambda: rows("roc_auc", {"A": scored(2.0), "B": scored(0.5)}),
        ["B ranks better than A: ROC AUC +0.", "(95% CI 0.", "DeLong p < 0.001."],
        ["probably", "cannot"],
    ),
    "a clear winner that stands first in the file": (
        lambda: rows("roc_auc", {"A": scored(0.5), "B": scored(2.0)}),
        ["A ranks better than B: ROC AUC +0.", "DeLong p < 0.001."],
        ["-0."],
    ),
    "a winner that is only probable": (
        lambda: rows("accuracy", {"A": labels(range(22)), "B": labels(range(14, 26))}),
        ["B is probably right more often than A: accuracy +0.0", "McNemar (mid-p) p = 0.0"],
        ["cannot"],
    ),
    "a difference that may be chance": (
        lambda: rows("accuracy", {"A": labels(range(12)), "B": labels(range(6, 20))}),
        ["A and B are too close to call: accuracy +0.010 for A (95% CI",
         "A true difference of 0.", " would show in 8 of 10 such files."],
        ["better", "probably"],
    ),
    "models that are identical": (
        lambda: rows("accuracy", {"A": labels(range(9)), "B": labels(range(9))}),
        ["A and B are identical on all 200 rows."],
        ["better", "p ="],
    ),
    "models that are wrong on the same number of other rows": (
        lambda: rows("accuracy", {"A": labels(range(9)), "B": labels(range(9, 18))}),
        ["A and B are too close to call: accuracy 0.000", "p = "],
        ["identical", "for A"],
    ),
    "too few rows": (
        lambda: rows("accuracy", {"A": labels([0, 1, 2, 3, 4], 6), "B": labels([], 6)}),
        ["Nothing can be concluded: 6 rows are too few. B is ahead by 0.833 in accuracy."],
        ["better"],
    ),
    "too few rows of one class": (
        lambda: rows("roc_auc", {"A": scored(2.0, positives=0.01),
                                 "B": scored(0.1, positives=0.01)}),
        ['Nothing can be concluded: 4 rows of "yes" are too few. B is ahead by 0.'],
        ["better"],
    ),
    "a metric without a value": (
        lambda: rows("roc_auc", {"A": scored(1, positives=0), "B": scored(2, positives=0)}),
        ["Nothing can be concluded: ROC AUC has no value (the truth holds only one class)."],
        ["better"],
    ),
    "an error, of which less is better": (
        lambda: rows("rmse", {"A": numbers(2.0), "B": numbers(0.5, seed=7)}),
        ["B predicts closer than A: root mean squared error -1.", "(95% CI -1.",
         "Diebold-Mariano p < 0.001."],
        ["+"],
    ),
    "a difference that is real but too small to matter": (
        lambda: rows("rmse", {"A": numbers(0.100), "B": numbers(0.090)}, rope=0.05),
        ["B predicts closer than A", "The difference is real, but below 0.05."],
        ["cannot"],
    ),
    "the best of three, ahead of one": (
        lambda: rows("accuracy", {"A": labels(range(60)), "B": labels(range(20)),
                                  "C": labels(range(10, 32))}),
        ["B and C are too close to call on accuracy (0.900 and 0.890)",
         "B is clearly better than A."],
        [],
    ),
    "three that cannot be told apart": (
        lambda: rows("accuracy", {"A": labels(range(20)), "B": labels(range(19)),
                                  "C": labels(range(10, 32))}),
        ["B, A and C are too close to call on accuracy (0.905, 0.900 and 0.890)."],
        ["better than"],
    ),
    "the best of three, ahead of both": (
        lambda: rows("accuracy", {"A": labels(range(60)), "B": labels(range(5)),
                                  "C": labels(range(50))}),
        ["B is right more often than both others: against the next, C, accuracy +0.225",
         "(adjusted for all pairs)."],
        [],
    ),
    "models on rows of their own": (
        lambda: rows("accuracy", {"A": labels(range(60)), "B": labels(range(40), 500)},
                     shared=False),
        ["B is right more often than A", "two-proportion z p < 0.001."],
        [],
    ),
    "folds that settle it": (
        lambda: folds({"A": EASY, "B": EASY + 0.03 + NOISE}),
        ["B is right more often than A: accuracy +0.02", "corrected resampled t p"],
        ["probably"],
    ),
    "folds that do not": (
        lambda: folds({"A": EASY, "B": EASY + 0.006 + NOISE}),
        ["B and A are too close to call: accuracy +0.00", " for B (95% CI -0.0"],
        ["would show in"],
    ),
    "folds on which models are identical": (
        lambda: folds({"A": EASY, "B": EASY}),
        ["A and B are identical on all 10 folds."],
        ["p ="],
    ),
    "a difference that is the same on all folds": (
        lambda: folds({"A": EASY, "B": EASY + 0.125}),
        ["Nothing can be concluded: the difference is the same every time",
         "B is ahead by 0.125 in accuracy."],
        ["better"],
    ),
    "two folds": (
        lambda: folds({"A": [0.5, 0.6], "B": [0.8, 0.9]}),
        ["Nothing can be concluded: 2 folds are too few. B is ahead by 0.300 in accuracy."],
        ["better"],
    ),
    "one model is infinite": (
        lambda: rows("log_loss", {"A": sure(0.02), "B": sure(0.0)}),
        ["A has a log loss of", "the log loss of B is infinite, since a row was given"],
        ["Nothing", "better", "inf "],
    ),
    "one of three models is infinite": (
        lambda: rows("log_loss", {"A": sure(0.02), "B": sure(0.0), "C": sure(0.2)}),
        ["A gives truer probabilities than C: log loss -", "the log loss of B is infinite"],
        ["against the next"],
    ),
    "every model is infinite": (
        lambda: rows("log_loss", {"A": sure(0.0), "B": sure(0.0, wrong=2)}),
        ["Nothing can be concluded: the log loss of A and B is infinite"],
        [],
    ),
    "all scores run backwards": (
        lambda: rows("roc_auc", {"A": backwards(0.5), "B": backwards(1.0)}),
        ["All scores run backwards: no ROC AUC is above 0.", "Choose the other class"],
        ["best", "ahead", "better"],
    ),
    "one of two runs backwards": (
        lambda: rows("roc_auc", {"A": backwards(0.5), "B": scored(0.5)}),
        ["B ranks better than A"],
        ["All scores"],
    ),
    "folds of an error": (
        lambda: folds({"A": EASY + 0.03 + NOISE, "B": EASY}, metric="RMSE"),
        ["B predicts closer than A: root mean squared error -0.02"],
        [],
    ),
    "folds of an unknown score": (
        lambda: folds({"A": EASY, "B": EASY + 0.05 + NOISE}, metric="my_score"),
        ["B does better than A: my_score +0.04"],
        [],
    ),
    "several data sets": (
        lambda: folds(
            {"A": EASY, "B": EASY + 0.05 + NOISE, "C": EASY + 0.2, "D": EASY - 0.1},
            fold=("1",) * 10, dataset=tuple("abcdefghij"),
        ),
        ["C and B are too close to call on accuracy", "C is clearly better than A and D."],
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_headline_is_right(situation):
    make, said, unsaid = SITUATIONS[situation]
    summary = make().summary

    for words in said:
        assert words in summary, summary
    for words in unsaid:
        assert words not in summary, summary


def test_the_headline_of_models_exchanged_names_the_same_winner():
    models = {"A": scored(2.0), "B": scored(0.5)}
    one, other = (rows("roc_auc", dict(order)) for order in
                  (models.items(), reversed(models.items())))  # fmt: skip

    assert one.summary == other.summary
