"""Probabilities that are made truer, each by what the rows of the other folds ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evalcore.curves.roc import CalibrationCurve
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.evaluation.estimates import OF_PROBABILITIES, of_scores
from evalcore.intervals.closed import wald_interval
from evalcore.metrics.metric import Estimate, MeanLoss, Metric
from evalcore.metrics.probability import BRIER, LOG_LOSS
from evalcore.metrics.recalibration import METHODS
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Codes, Floats
from evalcore.results import Estimates
from evalcore.tables.classes import LossMoments
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable, by_code
from evalcore.work import NO_PROGRESS, in_order
from evalread.dataset import Dataset

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
    loss are than before, row by row. Where there are very many probabilities, neighbours were
    counted together before, which `moved` none of them farther than this.
    """

    table: ScoreTable | None
    estimates: Estimates
    saved: Estimates
    moved: float = 0.0


Folds = NDArray[np.int16]
"""The fold of each row, of at most `MOST_FOLDS`: so short numbers are put in order by counting."""


def fold_codes(truth: Codes, rng: np.random.Generator, folds: int = FOLDS) -> Folds:
    """Deal (n,) rows out to folds at random, each class evenly."""
    code = np.empty(len(truth), dtype=np.int16)
    for value in np.unique(truth):
        same = truth == value
        dealt = (np.arange(np.count_nonzero(same)) % folds).astype(code.dtype)
        rng.shuffle(dealt)
        code[same] = dealt
    return code


def fold_tables(
    truth: Codes, score: Floats, fold: Folds, weight: Floats | None = None
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
    folds, moved = _condensed(folds)
    whole = together(folds)

    def mapped(fold: ScoreTable) -> dict[str, Floats]:
        others = whole - fold
        return {name: fit(others)(fold.threshold) for name, fit in METHODS.items()}

    sizes = [len(fold.threshold) for fold in folds]
    said = list(in_order(mapped, folds, sizes, NO_PROGRESS))
    pairs = {name: [(f, s[name]) for f, s in zip(folds, said, strict=True)] for name in METHODS}
    made = {name: _recalibrated(pairs[name], options, level) for name in METHODS}
    return {name: replace(one, moved=moved) for name, one in made.items()}


MOST_SCORES = 1_000_000
"""More distinct probabilities are grouped."""

CELLS = 100_000
"""About so many groups are made of more than `MOST_SCORES` probabilities."""


def _condensed(folds: Sequence[ScoreTable]) -> tuple[Sequence[ScoreTable], float]:
    """Count neighbouring probabilities together, at their mean, where there are very many.

    Groups are the same for all folds. Returns how far a probability was moved at most, too.
    """
    if sum(len(fold.threshold) for fold in folds) <= MOST_SCORES:
        return folds, 0.0
    each = max(CELLS // len(folds), 3)
    lowest = np.unique(np.concatenate([_cuts(fold, each) for fold in folds]))[::-1]
    rows, sums, highest = np.zeros((3, len(lowest)))
    ends = [np.searchsorted(-fold.threshold, -lowest, side="right") for fold in folds]
    for fold, end in zip(folds, ends, strict=True):
        held = np.flatnonzero(np.diff(end, prepend=0))
        start = np.append(0, end[held])[:-1]
        count = np.add(*fold.steps())
        rows[held] += np.add.reduceat(count, start)
        sums[held] += np.add.reduceat(count * fold.threshold, start)
        highest[held] = np.maximum(highest[held], fold.threshold[start])
    mean = np.clip(sums / rows, lowest, highest)
    parts = []
    for fold, end in zip(folds, ends, strict=True):
        held = np.flatnonzero(np.diff(end, prepend=0))
        last = end[held] - 1
        parts.append(ScoreTable(mean[held], fold.tp[last], fold.fp[last]))
    return parts, float(np.maximum(highest - mean, mean - lowest).max())


def _cuts(table: ScoreTable, groups: int) -> Floats:
    """Return the lowest score of each of at most so many groups.

    A third of them hold equally many rows; the others are the narrower the nearer they are to an
    end, where single rows decide what is called impossible.
    """
    rank = (table.tp + table.fp).astype(np.float64)
    part = np.arange(1, groups // 3 + 1) / (groups // 3)
    n = max(rank[-1], 1.0)
    wanted = np.concatenate([part * n, n**part, n - n**part])
    places = np.minimum(np.searchsorted(rank, wanted), len(rank) - 1)
    cuts: Floats = table.threshold[np.unique(places)]
    return cuts


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
    return Estimate.of(moments.mean, wald_interval(*moments.mean_and_error, level))


TOGETHER = 1 - (1 - Options().level) / len(METHODS)
"""Level of the interval of what each method saves, so that all hold together (Bonferroni)."""


@dataclass(frozen=True, eq=False)
class Recalibrations:
    """What each way to recalibrate gives out of fold.

    Attributes:
        estimates: What is judged of the probabilities as they are, on the same rows, by key.
        methods: What each method gives, by key of `METHODS`.
        folds: How many folds there are.
        own: Whether these are the file's own.
        left_out: Rows of the file without a fold.
        curves: The bins of the probabilities as given, and as each method moves them.
    """

    estimates: Estimates
    methods: Mapping[str, Recalibrated]
    folds: int
    own: bool
    left_out: float
    curves: Mapping[str, CalibrationCurve]


GIVEN = "as given"
RECALIBRATED_BY = {
    "platt": "Platt scaling",
    "isotonic": "isotonic",
    "temperature": "temperature",
}
"""How the keys of `METHODS` are called."""


def by_every_method(
    dataset: Dataset,
    model: str,
    table: ScoreTable,
    told: BinaryOutcomes,
    options: Options,
    most: int | None = None,
) -> Recalibrations:
    """Return what every method makes of the probabilities of a model, of at most so many rows.

    `told` are its rows, of both classes; of several classes one against all others. `table` holds
    the same.
    """
    own, rng = own_folds(dataset, model), np.random.default_rng(options.seed)
    held = np.arange(told.n) if own is None else np.flatnonzero(own >= 0)
    rows = held if most is None or most >= len(held) else rng.choice(held, most, replace=False)
    assert told.score is not None
    truth, score = told.truth[rows], told.score[rows]
    weight = None if told.weight is None else told.weight[rows]
    folds = fold_tables(truth, score, fold_codes(truth, rng) if own is None else own[rows], weight)
    whole = table if len(rows) == told.n else ScoreTable.from_scores(truth, score, weight)
    methods = recalibrate(folds, options, TOGETHER)
    moved = {RECALIBRATED_BY[key]: one.table for key, one in methods.items()}
    return Recalibrations(
        judged(whole, options),
        methods,
        len(folds) if own is not None else FOLDS,
        own is not None,
        float(told.n - len(held)),
        {
            name: binned(table, options)
            for name, table in {GIVEN: whole, **moved}.items()
            if table is not None
        },
    )


def own_folds(dataset: Dataset, model: str) -> Folds | None:
    """Return the fold of each row that a model is judged on; None where there are no folds."""
    fold, rows = dataset.fold, dataset.models[model].rows
    if fold is None or not 2 <= len(fold.names) <= MOST_FOLDS:
        return None
    codes = (fold.codes if rows is None else fold.codes[rows - 1]).astype(np.int16)
    return codes if len(np.unique(codes[codes >= 0])) > 1 else None


def binned(table: ScoreTable, options: Options) -> CalibrationCurve:
    """Return the calibration curve of a table of probabilities."""
    bins = ReliabilityTable.from_scores(table, options.bins, options.binning)
    return CalibrationCurve.from_table(bins, options.level)
