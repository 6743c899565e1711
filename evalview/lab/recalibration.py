"""Probabilities that are made truer, each by what the rows of the other folds ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.evaluation.estimates import OF_PROBABILITIES, of_scores
from evalcore.intervals.closed import wald_interval
from evalcore.metrics.metric import Estimate, MeanLoss, Metric
from evalcore.metrics.probability import BRIER, LOG_LOSS
from evalcore.metrics.recalibration import METHODS
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats
from evalcore.results import Estimates
from evalcore.tables.classes import LossMoments
from evalcore.tables.scores import ScoreTable, by_code
from evalcore.work import NO_PROGRESS, in_order

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


def together(folds: Sequence[ScoreTable]) -> ScoreTable:
    """Return the table of the rows of all folds."""
    return _gathered([(fold, fold.threshold) for fold in folds])


def recalibrate(
    folds: Sequence[ScoreTable], options: Options, level: float | None = None
) -> Mapping[str, Recalibrated]:
    """Map the probabilities of each fold by what the other folds ask for; at least one fold.

    By each of `METHODS`; `level` is that of what is saved, by default as all others.
    """
    whole = together(folds)

    def mapped(fold: ScoreTable) -> dict[str, Floats]:
        others = whole - fold
        return {name: fit(others)(fold.threshold) for name, fit in METHODS.items()}

    sizes = [len(fold.threshold) for fold in folds]
    said = list(in_order(mapped, folds, sizes, NO_PROGRESS))
    return {
        name: _recalibrated(
            [(f, s[name]) for f, s in zip(folds, said, strict=True)], options, level
        )
        for name in METHODS
    }


def _recalibrated(
    pairs: Sequence[tuple[ScoreTable, Floats]], options: Options, level: float | None
) -> Recalibrated:
    """Judge the rows of each fold at other probabilities."""
    if not all(np.isfinite(said).all() for _, said in pairs):
        nothing = {key: Estimate(np.nan, why=NO_FIT) for key in JUDGED}
        return Recalibrated(None, nothing, {key: nothing[key] for key in JUDGED[:2]})
    table = _gathered(pairs)
    saved = {m.key: _saved(m, pairs, level or options.level) for m in (BRIER, LOG_LOSS)}
    return Recalibrated(table, judged(table, options), saved)


def judged(table: ScoreTable, options: Options) -> Estimates:
    """Return Brier score, log loss and ECE of a table of probabilities."""
    metrics = of_scores(table, options, OF_PROBABILITIES)
    return {key: metrics[key] for key in JUDGED}


def _gathered(pairs: Sequence[tuple[ScoreTable, Floats]]) -> ScoreTable:
    """Return the rows of some tables at other scores, in whichever order these are."""
    said = np.concatenate([said for _, said in pairs])
    steps = zip(*(table.steps() for table, _ in pairs), strict=True)
    positive, negative = map(np.concatenate, steps)
    held, lost = positive > 0, negative > 0
    truth = np.repeat(np.array([1, 0], dtype=np.int8), [held.sum(), lost.sum()])
    weight = np.concatenate([positive[held], negative[lost]]).astype(np.float64)
    # Rows that each count once are sorted several times as fast.
    weighed = None if (weight == 1).all() else weight
    return ScoreTable.from_scores(truth, np.concatenate([said[held], said[lost]]), weighed)


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
