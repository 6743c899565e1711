"""How close probabilities come to what happened, and whether they mean what they say."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from evalcore.intervals.closed import Interval, p_of_z
from evalcore.metrics import metric
from evalcore.metrics.metric import Better, Family, Metric, ratio, scalar
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.metrics.vocabulary import cite
from evalcore.outcomes import Floats, Number
from evalcore.tables.classes import ClassScores
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable

if TYPE_CHECKING:
    from evalcore.intervals.ranking import Losses


def _mean_loss(losses: Losses, **declaration: Any) -> Metric:
    """Declare the mean of a loss per row by the losses of a positive and of a negative row."""
    interval = metric.MeanLoss(losses)
    return Metric(
        family=Family.PROBABILITY,
        needs=ScoreTable,
        compute=lambda table: interval.mean_and_error(table)[0],
        interval=interval,
        better=Better.LOWER,
        **declaration,
    )


def _squared(probability: Floats) -> tuple[Floats, Floats]:
    return (1 - probability) ** 2, probability**2


def _logarithmic(probability: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore"):
        return -np.log(probability), -np.log1p(-probability)


BRIER = _mean_loss(_squared, key="brier")

LOG_LOSS = _mean_loss(
    _logarithmic,
    key="log_loss",
    over_classes=metric.OverClasses(
        lambda scores: scores.log_loss.mean,
        metric.StandardError(lambda scores: scores.log_loss.mean_and_error),
        ClassScores,
    ),
    high=np.inf,
    unit="nats",
)


def log_loss_clipped(epsilon: float, key: str = "") -> Metric:
    """Declare log loss with probabilities moved into [epsilon, 1 - epsilon]."""
    low, high = -float(np.log1p(-epsilon)), -float(np.log(epsilon))

    def losses(probability: Floats) -> tuple[Floats, Floats]:
        # 1 - epsilon is rounded where epsilon is tiny; the losses at both ends are exact.
        of_positive, of_negative = _logarithmic(probability)
        return np.clip(of_positive, low, high), np.clip(of_negative, low, high)

    return _mean_loss(
        losses,
        key=key or f"log_loss_clipped({epsilon:g})",
        name=f"Log loss, clipped at {epsilon:g}",
        summary=f"Log loss with every probability moved into [{epsilon:g}, 1 - {epsilon:g}].",
        formula=r"-\frac{1}{n} \sum_i \ln \min(\max(p_i(y_i), \varepsilon), 1 - \varepsilon)"
        rf", \; \varepsilon = {_power_of_ten(epsilon)}",
        low=low,
        high=high,
        source=cite("Good (1952)"),
        synonyms=("clipped cross-entropy",),
        parameters={"epsilon": float(epsilon)},
        fewest=10,
        misleads="Where a probability of 0 was wrong, the value depends on epsilon alone.",
        unit="nats",
    )


def _power_of_ten(value: float) -> str:
    r"""Write a small number as LaTeX does: "1e-15" would be read as a product with e.

    >>> _power_of_ten(1e-15), _power_of_ten(0.01), _power_of_ten(2.5e-7)
    ('10^{-15}', '0.01', '2.5 \\cdot 10^{-7}')
    """
    digits, _, exponent = f"{value:g}".partition("e")
    if not exponent:
        return digits
    power = f"10^{{{int(exponent)}}}"
    return power if digits == "1" else rf"{digits} \cdot {power}"


LOG_LOSS_CLIPPED = log_loss_clipped(1e-15, key="log_loss_clipped")


def brier_uncertainty(table: ScoreTable) -> float:
    """Return the Brier score of always giving the share of positives, pi (1 - pi)."""
    share = ratio(table.positives, table.n)
    return float(share * (1 - share))


def brier_skill_score(table: ScoreTable) -> tuple[float, float]:
    """Return the part of the base rate's Brier score that the model saves, and its error.

    The standard error is that of the ratio's first-order terms, summed over the rows.
    """
    score, ideal = float(BRIER(table)), brier_uncertainty(table)
    if not ideal > 0:
        return np.nan, np.nan
    skill = 1 - score / ideal
    share = table.positives / table.n
    influence = [
        ((loss - score) - (1 - skill) * (1 - 2 * share) * (truth - share)) / ideal
        for loss, truth in zip(_squared(table.threshold), (1, 0), strict=True)
    ]
    squares = sum(
        (rows * part**2).sum() for rows, part in zip(table.steps(), influence, strict=True)
    )
    return skill, float(np.sqrt(squares) / table.n)


BRIER_SKILL_SCORE = Metric(
    key="brier_skill_score",
    family=Family.PROBABILITY,
    needs=ScoreTable,
    compute=lambda table: brier_skill_score(table)[0],
    interval=metric.StandardError(brier_skill_score),
    low=-np.inf,
)

BRIER_UNCERTAINTY = Metric(
    key="brier_uncertainty",
    family=Family.PROBABILITY,
    needs=ScoreTable,
    compute=brier_uncertainty,
    high=0.25,
    better=Better.NEITHER,
    interval=metric.NoInterval("None: it follows from the share of positives, which has one."),
)


def ece(table: ReliabilityTable) -> Number:
    """Return the mean distance of the bins' probability from their share of positives.

    Bins weigh by their rows; arrays of shape (..., K) serve bootstrap draws.
    """
    gaps = np.abs(table.positives - table.probability_sum).sum(axis=-1)
    return ratio(gaps, table.n.sum(axis=-1))


def mce(table: ReliabilityTable) -> Number:
    """Return the largest distance of a bin's probability from its share of positives."""
    gaps = ratio(np.abs(table.positives - table.probability_sum), table.n)
    largest = np.where(table.n > 0, gaps, -np.inf).max(axis=-1)
    return scalar(np.where(largest >= 0, largest, np.nan))


def brier_reliability(table: ReliabilityTable) -> Number:
    """Return the mean squared distance of the bins' probability from their share of positives."""
    gaps = np.asarray(table.positives - table.probability_sum, dtype=np.float64)
    squares = np.where(table.n > 0, ratio(gaps**2, table.n), 0.0).sum(axis=-1)
    return ratio(squares, table.n.sum(axis=-1))


def brier_resolution(table: ReliabilityTable) -> Number:
    """Return the mean squared distance of the bins' share of positives from that of all rows."""
    total, positives = table.n.sum(axis=-1), table.positives.sum(axis=-1)
    base = np.asarray(ratio(positives, total))
    shift = table.positives - base[..., np.newaxis] * table.n
    squares = np.where(table.n > 0, ratio(shift**2, table.n), 0.0).sum(axis=-1)
    return ratio(squares, total)


_NOISES = 500
"""Draws for each truth that is tried: an end then errs by a few hundredths of the interval."""

_STEPS = 1024
"""An end is placed to one part in so many of the factors that are tried."""

_SAYS = (
    "The errors that a test at this level would not reject: the gaps of all bins are scaled "
    "up and down together, and rows are simulated from the resulting bins."
)


def plausible(
    of: Callable[[ReliabilityTable], Number],
    table: ReliabilityTable,
    level: float = 0.95,
    *,
    about_base: bool = False,
) -> Interval:
    """Return the values that a number of bins may truly have, as a test leaves them.

    Chance alone moves a mean distance up, so that percentiles of resamples lie too high. The
    truth is taken to have the observed gaps times a factor, from the probabilities, or from the
    share of all positives. Source: Bröcker and Smith (2007), for the factor of 0.
    """
    bins = _Gaps.of(table, about_base=about_base)
    value, tail = float(of(table)), (1 - level) / 2

    @cache
    def drawn(factor: float) -> Floats:
        return np.sort(np.asarray(of(bins.drawn(factor))))

    def excess(factor: float, share: float) -> float:
        return _quantile(drawn(factor), share) - value

    low = _root(lambda factor: excess(factor, 1 - tail), 1.0)
    most = 1.0
    while excess(most, tail) < 0 and most < 64:
        most *= 2
    high = _root(lambda factor: excess(factor, tail), most)
    ends = [float(of(bins.truth(factor))) for factor in (low, high)]
    return Interval(min(ends[0], value), max(ends[1], value), "test-inversion", level)


def _quantile(rising: Floats, share: float) -> float:
    """Return the quantile of type 7 of some rising values."""
    place = share * (len(rising) - 1)
    below = rising[int(place)]
    return float(below + (place % 1) * (rising[min(int(place) + 1, len(rising) - 1)] - below))


def _root(excess: Callable[[float], float], most: float) -> float:
    """Return where a rising function reaches 0, from 0 to `most`; 0 where it is above there.

    It is the middle of one of `_STEPS` equal steps. Tried is where the line through both ends
    reaches 0; an end that stays has its value halved, so that both close in (Illinois method).
    """
    low, high, below, above = 0, _STEPS, excess(0.0), excess(most)
    if below >= 0:
        return 0.0
    stayed = 0
    while high - low > 1:
        share = below / (below - above) if above > 0 else 1.0
        middle = min(max(round(low + (high - low) * share), low + 1), high - 1)
        here = excess(most * middle / _STEPS)
        if here < 0:
            low, below, above, stayed = middle, here, above / (2 if stayed > 0 else 1), 1
        else:
            high, above, below, stayed = middle, here, below / (2 if stayed < 0 else 1), -1
    return most * (low + high) / 2 / _STEPS


@lru_cache(maxsize=1)
def _noise(bins: int) -> Floats:
    """Return (2, draws, bins) normal numbers, the same for all numbers of as many bins."""
    noise = np.random.default_rng(0).standard_normal((2, _NOISES, bins))
    # Draws side by side: sums over a few bins are then several times as fast.
    noise = np.ascontiguousarray(noise.swapaxes(1, 2)).swapaxes(1, 2)
    noise.flags.writeable = False
    return noise


class _Gaps(NamedTuple):
    """Bins with the gaps between what is observed and expected, and draws of their rows."""

    table: ReliabilityTable
    n: Floats
    expected: Floats
    gap: Floats
    times: Floats
    """(draws, bins) how many times as many rows are drawn as there are."""
    rows: Floats
    sums: Floats
    """(draws, bins) rows that are drawn, and the sums of their probabilities."""

    @classmethod
    def of(cls, table: ReliabilityTable, *, about_base: bool) -> Self:
        n = np.asarray(table.n, dtype=np.float64)
        share, said = (
            np.nan_to_num(np.asarray(ratio(part, n)))
            for part in (table.positives, table.probability_sum)
        )
        expected = np.full(len(n), table.positives.sum() / n.sum()) if about_base else said
        times = np.maximum(1 + _noise(len(n))[1] / np.sqrt(np.maximum(n, 1)), 0)
        sums = times * table.probability_sum
        return cls(table, n, expected, share - expected, times, times * n, sums)

    def truth(self, factor: float) -> ReliabilityTable:
        """Return the bins as they would be on average, with the gaps times a factor."""
        table = self.table
        return ReliabilityTable(table.edges, table.n, table.probability_sum, self._mean(factor))

    def _mean(self, factor: float) -> Floats:
        share: Floats = np.minimum(np.maximum(self.expected + factor * self.gap, 0), 1)
        return self.n * share

    def drawn(self, factor: float) -> ReliabilityTable:
        """Return what rows drawn from there would show."""
        n, mean = self.n, self._mean(factor)
        # Half a row of each class, so that a bin of one class alone may hold the other.
        share = (mean + 0.5) / (n + 1)
        positives = np.sqrt(n * share * (1 - share)) * _noise(len(n))[0]
        positives += mean
        np.minimum(np.maximum(positives, 0, out=positives), n, out=positives)
        positives *= self.times
        return ReliabilityTable(self.table.edges, self.rows, self.sums, positives)


def _over_bins(
    of: Callable[[ReliabilityTable], Number], *, about_base: bool = False, **declaration: Any
) -> Metric:
    """Declare a number of bins."""
    return Metric(
        **{
            "family": Family.PROBABILITY,
            "needs": ReliabilityTable,
            "compute": of,
            "interval": metric.Closed(
                lambda table, level: plausible(of, table, level, about_base=about_base), _SAYS
            ),
            "better": Better.LOWER,
            **declaration,
        }
    )


ECE = _over_bins(ece, key="ece")
MCE = _over_bins(mce, key="mce")
BRIER_RELIABILITY = _over_bins(brier_reliability, key="brier_reliability")

BRIER_RESOLUTION = _over_bins(
    brier_resolution, about_base=True, key="brier_resolution", high=0.25, better=Better.HIGHER
)


def _of_line(part: Callable[[CalibrationLine], tuple[float, float]], **declaration: Any) -> Metric:
    """Declare a coefficient by the function that gives it with its standard error."""
    return Metric(
        family=Family.PROBABILITY,
        needs=CalibrationLine,
        compute=lambda line: part(line)[0],
        low=-np.inf,
        high=np.inf,
        better=Better.NEITHER,
        interval=metric.StandardError(part),
        **declaration,
    )


CALIBRATION_SLOPE = _of_line(lambda line: line.slope, key="calibration_slope")
CALIBRATION_INTERCEPT = _of_line(lambda line: line.intercept, key="calibration_intercept")
CALIBRATION_IN_THE_LARGE = _of_line(lambda line: line.in_the_large, key="calibration_in_the_large")


_GROUPS = 10


class HosmerLemeshow(NamedTuple):
    """Rows in g groups of like probability, each (g,) floats, and the test on them."""

    rows: Floats
    positives: Floats
    expected: Floats
    """Sum of the probabilities of a group."""
    expected_other: Floats
    """Sum of the probabilities of the other class."""

    @classmethod
    def from_scores(cls, table: ScoreTable) -> Self:
        """Cut at the quantiles of type 7, groups being (a, b], the first closed; equal ones merge.

        Source: Hosmer and Lemeshow (1980), Communications in Statistics 9(10).
        """
        positive, negative = (steps[::-1].astype(np.float64) for steps in table.steps())
        score, count = table.threshold[::-1], positive + negative
        group = np.searchsorted(_inner_edges(score, count), score)
        sums = (count, positive, score * count, (1 - score) * count)
        groups = np.stack([np.bincount(group, summed) for summed in sums])
        return cls(*groups[:, groups[0] > 0])

    @property
    def terms(self) -> Floats:
        """(g,) parts of the statistic; infinite where rows are that were not expected at all."""
        gap = (self.positives - self.expected) ** 2
        return np.asarray(ratio(gap, self.expected)) + ratio(gap, self.expected_other)

    @property
    def statistic(self) -> float:
        """Observed against expected rows; NaN where a group expects no row of a class."""
        return float(self.terms.sum())

    def p_value(self, *, fitted: int) -> float:
        """Return the p value; `fitted` parameters were fitted to the same rows."""
        from scipy.special import chdtrc

        freedom = len(self.rows) - fitted
        return float(chdtrc(freedom, self.statistic)) if freedom > 0 else np.nan


def _inner_edges(score: Floats, count: Floats) -> Floats:
    """Return the distinct quantiles of type 7 between the groups, from rising scores."""
    cumulative = np.cumsum(count)
    place = (cumulative[-1] - 1) * np.arange(1, _GROUPS) / _GROUPS
    below, above = (
        score[np.minimum(cumulative.searchsorted(order, side="right"), len(score) - 1)]
        for order in (np.floor(place), np.ceil(place))
    )
    edges = np.unique(below + (place - np.floor(place)) * (above - below))
    # The first group is closed, so an edge at the lowest score merges with it.
    inner: Floats = edges[edges > score[0]]
    return inner


class Spiegelhalter(NamedTuple):
    """The test that the probabilities are the true ones.

    It rests on the sum of (y - p)(1 - 2p) over the rows, and on its variance if p is true.
    Source: Spiegelhalter (1986), Statistics in Medicine 5.
    """

    surplus: float
    variance: float

    @classmethod
    def from_scores(cls, table: ScoreTable) -> Self:
        """Hold the Brier score against the one that the probabilities promise."""
        positive, negative = (steps.astype(np.float64) for steps in table.steps())
        p, rows = table.threshold, positive + negative
        surplus = ((positive - rows * p) * (1 - 2 * p)).sum()
        return cls(float(surplus), float((rows * (1 - 2 * p) ** 2 * p * (1 - p)).sum()))

    @property
    def z(self) -> float:
        """The statistic; NaN without variance."""
        return float(ratio(self.surplus, np.sqrt(self.variance)))

    @property
    def p_value(self) -> float:
        """Two-sided p value."""
        return p_of_z(self.z)


_FEWEST_EXPECTED = 5
"""With fewer expected rows of a class in a group, chi-squared is a poor guide (Cochran 1954)."""


class _GroupTest(metric.NoInterval):
    """No interval, but a caveat where groups are expected to hold few rows of a class."""

    def _note(self, table: HosmerLemeshow) -> str:
        least = np.minimum(table.expected, table.expected_other)
        few = np.count_nonzero(least < _FEWEST_EXPECTED)
        return (
            f"in {few} of {len(least)} groups fewer than {_FEWEST_EXPECTED} rows of a class are "
            "expected, so the p value is only rough"
            if few
            else ""
        )


_test = partial(Metric, family=Family.PROBABILITY, interval=metric.TEST)
_hosmer_lemeshow = partial(_test, interval=_GroupTest(metric.TEST.says), needs=HosmerLemeshow)
_spiegelhalter = partial(_test, needs=Spiegelhalter)

HOSMER_LEMESHOW = _hosmer_lemeshow(
    key="hosmer_lemeshow", compute=lambda test: test.statistic, high=np.inf, better=Better.LOWER
)

HOSMER_LEMESHOW_P = _hosmer_lemeshow(
    key="hosmer_lemeshow_p",
    compute=lambda test: test.p_value(fitted=0),
    better=Better.NEITHER,
    unit="p",
)

HOSMER_LEMESHOW_P_FITTED = _hosmer_lemeshow(
    key="hosmer_lemeshow_p_fitted",
    compute=lambda test: test.p_value(fitted=2),
    better=Better.NEITHER,
    unit="p",
)

SPIEGELHALTER_Z = _spiegelhalter(
    key="spiegelhalter_z",
    compute=lambda test: test.z,
    low=-np.inf,
    high=np.inf,
    better=Better.NEITHER,
)

SPIEGELHALTER_P = _spiegelhalter(
    key="spiegelhalter_p", compute=lambda test: test.p_value, better=Better.NEITHER, unit="p"
)
