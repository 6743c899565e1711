"""Calibration of each of K classes, and of probabilities that were recalibrated out of fold.

Sources: Guo et al. (2017), On calibration of modern neural networks, ICML, for the class decided
for; Kull et al. (2019), Beyond temperature scaling, NeurIPS, for each class; Nixon et al. (2019),
Measuring calibration in deep learning, CVPR workshops, for bins of equal counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation.estimates import OF_PROBABILITIES, for_each_of, of_scores
from evalcore.intervals.closed import holm, wald_interval
from evalcore.metrics.metric import Estimate, MeanLoss, Metric
from evalcore.metrics.multiclass import ECE_CLASSWISE
from evalcore.metrics.probability import BRIER, ECE, LOG_LOSS, SPIEGELHALTER_P
from evalcore.metrics.recalibration import METHODS
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats
from evalcore.results import Estimates
from evalcore.tables.classes import ClassScores, LossMoments
from evalcore.tables.scores import ScoreTable, by_code


@dataclass(frozen=True, eq=False)
class ClassCalibration:
    """What the probabilities of K classes are worth.

    Those of the `top_label` are the largest of each row, right where that class is the true one.
    Of the `classes` against the others the largest calibration error comes first; a class without
    a probability is left out. Their `mean` error has no interval, since they share their rows.
    Spiegelhalter's p values, `p_top_label` among them, are adjusted for their number (Holm).
    """

    top_label: Estimates
    classes: Mapping[str, Estimates]
    mean: Estimate
    p_values: Mapping[str, float]
    p_top_label: float


def judge_classes(scores: ClassScores, options: Options) -> ClassCalibration:
    """Return how true the probabilities are, every number with its interval on demand."""
    tables = {
        name: table
        for name, table in zip(scores.classes, scores.one_vs_rest, strict=True)
        if table is not None
    }
    bounded = for_each_of(len(tables), options)
    by_class = {name: of_scores(table, bounded, OF_PROBABILITIES) for name, table in tables.items()}
    binned = scores.reliability(options.bins, options.binning)
    errors = {
        name: -1.0 if np.isnan(error := float(ECE(table))) else error
        for name, table in zip(scores.classes, binned.one_vs_rest, strict=True)
        if table is not None
    }
    worst = sorted(by_class, key=lambda name: -errors[name])
    top_label = of_scores(scores.top_label, options, OF_PROBABILITIES)
    tests = [by_class[name] for name in worst]
    p_top_label, *p_values = holm([each[SPIEGELHALTER_P.key].value for each in (top_label, *tests)])
    return ClassCalibration(
        top_label,
        MappingProxyType(dict(zip(worst, tests, strict=True))),
        ECE_CLASSWISE.estimate(binned),
        MappingProxyType(dict(zip(worst, p_values, strict=True))),
        p_top_label,
    )


FOLDS = 5
JUDGED = ("brier", "log_loss", "ece")
NO_FIT = (
    "there is no fit: the other folds hold one class only, or the probabilities tell their classes "
    "apart without error"
)
UNBOUNDED = "a loss is infinite"


@dataclass(frozen=True, eq=False)
class Recalibrated:
    """The probabilities of all folds, each mapped as the other folds ask for.

    The `table` is None where a fold has no fit; `saved` is how much lower Brier score and log
    loss are than before, row by row.
    """

    table: ScoreTable | None
    estimates: Estimates
    saved: Estimates


def fold_codes(truth: Codes, rng: np.random.Generator, folds: int = FOLDS) -> NDArray[np.int64]:
    """Deal (n,) rows out to folds at random, each class evenly."""
    code = np.empty(len(truth), dtype=np.int64)
    for value in np.unique(truth):
        places = np.flatnonzero(truth == value)
        code[rng.permutation(places)] = np.arange(len(places)) % folds
    return code


def fold_tables(
    truth: Codes, score: Floats, fold: NDArray[np.int64], weight: Floats | None = None
) -> tuple[ScoreTable, ...]:
    """Condense the truth and (n,) scores fold by fold; rows of a fold below 0 are left out."""
    return tuple(
        ScoreTable.from_scores(truth[rows], score[rows], None if weight is None else weight[rows])
        for _, rows in by_code(fold)
    )


def recalibrate(
    folds: Sequence[ScoreTable], method: str, options: Options, level: float | None = None
) -> Recalibrated:
    """Map the probabilities of each fold by what the other folds ask for; at least one fold.

    `method` is a key of `METHODS`; `level` is that of what is saved, by default as all others.
    """
    whole = reduce(add, folds)
    mapped = [METHODS[method](whole - fold)(fold.threshold) for fold in folds]
    if not all(np.isfinite(each).all() for each in mapped):
        nothing = {key: Estimate(np.nan, why=NO_FIT) for key in JUDGED}
        return Recalibrated(None, nothing, {key: nothing[key] for key in JUDGED[:2]})
    pairs = list(zip(folds, mapped, strict=True))
    table = reduce(add, (_at(*pair) for pair in pairs))
    saved = {m.key: _saved(m, pairs, level or options.level) for m in (BRIER, LOG_LOSS)}
    return Recalibrated(table, judged(table, options), saved)


def judged(table: ScoreTable, options: Options) -> Estimates:
    """Return Brier score, log loss and ECE of a table of probabilities."""
    metrics = of_scores(table, options, OF_PROBABILITIES)
    return {key: metrics[key] for key in JUDGED}


def _at(table: ScoreTable, probability: Floats) -> ScoreTable:
    """Return the rows of a table at other scores, in whichever order these are."""
    positive, negative = table.steps()
    truth = np.repeat(np.array([1, 0], dtype=np.int8), len(probability))
    weight = np.concatenate([positive, negative]).astype(np.float64)
    return ScoreTable.from_scores(truth, np.tile(probability, 2), weight)


def _saved(metric: Metric, pairs: Sequence[tuple[ScoreTable, Floats]], level: float) -> Estimate:
    """Return the mean of loss before minus loss after, with the interval of its error."""
    assert isinstance(metric.interval, MeanLoss)
    loss = metric.interval.losses
    moments = LossMoments(0.0, 0.0, 0.0)
    for fold, said in pairs:
        losses = zip(loss(fold.threshold), loss(said), fold.steps(), strict=True)
        for before, after, rows in losses:
            held = rows > 0
            if not np.isfinite(before[held] + after[held]).all():
                return Estimate(np.nan, why=UNBOUNDED)
            moments += LossMoments.of(before[held] - after[held], rows[held])
    ends = wald_interval(*moments.mean_and_error, level)
    if np.isnan(ends.low):
        return Estimate(moments.mean)
    return Estimate(moments.mean, float(ends.low), float(ends.high), ends.method, level)
