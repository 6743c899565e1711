"""Whether probabilities can be taken at their word, computed once per data set and settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from evalcore.curves.calibration import CalibrationCurve
from evalcore.dataset import Dataset
from evalcore.evaluation.calibration import (
    FOLDS,
    ClassCalibration,
    Recalibrated,
    fold_codes,
    fold_tables,
    judge_classes,
    judged,
    recalibrate,
)
from evalcore.evaluation.estimates import judge_probabilities
from evalcore.metrics.recalibration import METHODS
from evalcore.options import Options
from evalcore.results import Estimates, ModelTables
from evalcore.tables.scores import ScoreTable
from pages.figures.calibration import Reliability, binned, own_folds, reliability_of
from pages.session import computed
from pages.session.cache import cached
from pages.session.computed import Question, outcomes_of

TOGETHER = 1 - (1 - Options().level) / len(METHODS)
"""Level of the interval of what each method saves, so that all hold together (Bonferroni)."""


@dataclass(frozen=True, eq=False)
class Recalibrations:
    """What each way to recalibrate gives out of fold.

    Attributes:
        before: The probabilities as they are, on the same rows.
        estimates: What is judged of them, by key.
        methods: What each method gives, by key of `METHODS`.
        folds: How many folds there are.
        own: Whether these are the file's own.
        left_out: Rows of the file without a fold.
    """

    before: ScoreTable
    estimates: Estimates
    methods: Mapping[str, Recalibrated]
    folds: int
    own: bool
    left_out: float


def models(question: Question) -> Mapping[str, ModelTables]:
    """Return the models that give probabilities."""
    return {name: found for name, found in question.tables.items() if found.probability}


@cached(entries=200)
def estimates(question: Question, model: str, options: Options) -> Estimates:
    """Return every number of how true the probabilities of a model are."""
    return judge_probabilities(question.tables[model], options)


@cached(entries=100)
def reliability(question: Question, model: str, options: Options) -> Reliability:
    """Return what a model said, and what came of it."""
    table = question.tables[model].scores
    assert table is not None
    return reliability_of(table, options)


def curves(question: Question, options: Options) -> Mapping[str, CalibrationCurve]:
    """Return the calibration curve of every model that gives probabilities."""
    found = {name: told.scores for name, told in models(question).items()}
    return {name: binned(table, options) for name, table in found.items() if table is not None}


@cached(entries=100)
def of_classes(dataset: Dataset, model: str, options: Options) -> ClassCalibration:
    """Return how true the probability of each of several classes is."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    return judge_classes(scores, options)


@cached(entries=50)
def recalibrations(
    dataset: Dataset, question: Question, model: str, options: Options
) -> Recalibrations | None:
    """Return what recalibration gives; None without rows of both classes."""
    table = question.tables[model].scores
    if table is None or not (table.positives and table.negatives):
        return None
    told = outcomes_of(dataset, question, model)
    assert told.score is not None
    own = own_folds(dataset, model)
    codes = fold_codes(told.truth, np.random.default_rng(options.seed)) if own is None else own
    folds = fold_tables(told.truth, told.score, codes, told.weight)
    whole = reduce(add, folds)
    return Recalibrations(
        whole,
        judged(whole, options),
        {name: recalibrate(folds, name, options, TOGETHER) for name in METHODS},
        len(folds) if own is not None else FOLDS,
        own is not None,
        float((codes < 0).sum()),
    )
