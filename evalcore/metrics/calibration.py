"""Whether probabilities mean what they say: errors by bins, the calibration line, tests."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from evalcore.intervals.closed import p_of_z
from evalcore.metrics import metric
from evalcore.metrics.metric import Better, Family, Metric, ratio, scalar
from evalcore.metrics.recalibration import CalibrationLine
from evalcore.metrics.sources import cite
from evalcore.outcomes import Floats, Number
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable


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


_binned = partial(
    Metric,
    family=Family.PROBABILITY,
    needs=ReliabilityTable,
    interval=metric.BasicBootstrap(),
    better=Better.LOWER,
)

_BY_BINS = "It depends on the number of bins and how they are cut, and few rows a bin inflate it."

ECE = _binned(
    key="ece",
    name="Expected calibration error",
    compute=ece,
    summary="How far the probability of a bin is from the share of positives there, on average.",
    formula=r"\sum_b \frac{n_b}{n} \left| \bar{p}_b - \bar{y}_b \right|",
    source=cite("Naeini, Cooper and Hauskrecht (2015)"),
    synonyms=("ECE",),
    misleads=_BY_BINS,
)

MCE = _binned(
    key="mce",
    name="Maximum calibration error",
    compute=mce,
    summary="How far the probability of the worst bin is from the share of positives there.",
    formula=r"\max_b \left| \bar{p}_b - \bar{y}_b \right|",
    source=cite("Naeini, Cooper and Hauskrecht (2015)"),
    synonyms=("MCE",),
    misleads="The worst bin is often the emptiest one. " + _BY_BINS,
)

BRIER_RELIABILITY = _binned(
    key="brier_reliability",
    compute=brier_reliability,
    summary="The part of the Brier score due to probabilities that do not mean what they say.",
    formula=r"\sum_b \frac{n_b}{n} (\bar{p}_b - \bar{y}_b)^2",
    source=cite("Murphy (1973)"),
    synonyms=("calibration loss", "REL"),
    misleads="Reliability - resolution + uncertainty is the Brier score only where all rows of "
    "a bin have the same probability.",
)

BRIER_RESOLUTION = _binned(
    key="brier_resolution",
    compute=brier_resolution,
    summary="How far the bins' shares of positives differ from that of all rows.",
    formula=r"\sum_b \frac{n_b}{n} (\bar{y}_b - \bar{y})^2",
    high=0.25,
    better=Better.HIGHER,
    source=cite("Murphy (1973)"),
    synonyms=("RES", "sharpness of outcomes"),
    misleads=_BY_BINS,
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


_EXTREME = "a probability is exactly 0 or 1, or the truth holds only one class"
_NO_LINE = f"{_EXTREME}, or the probabilities tell the classes apart without error"

CALIBRATION_SLOPE = _of_line(
    lambda line: line.slope,
    key="calibration_slope",
    summary="1 is right; above 1 the probabilities are too timid, below 1 too extreme, and below 0 "
    "they run backwards.",
    formula=r"\hat{b}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
    source=cite("Cox (1958)"),
    undefined_when=_NO_LINE,
    synonyms=("Cox slope",),
    misleads="A slope of 1 does not mean calibrated: the curve may bend.",
)

CALIBRATION_INTERCEPT = _of_line(
    lambda line: line.intercept,
    key="calibration_intercept",
    summary="The log odds of what happens where the model says one half; right is 0 with slope 1.",
    formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + b \, \mathrm{logit}(p)",
    source=cite("Cox (1958)"),
    undefined_when=_NO_LINE,
    synonyms=("Cox intercept",),
    misleads="It is not calibration in the large, for which the slope is held at 1.",
)

CALIBRATION_IN_THE_LARGE = _of_line(
    lambda line: line.in_the_large,
    key="calibration_in_the_large",
    summary="Probabilities are too low on the whole (above 0) or too high (below 0), in log odds.",
    formula=r"\hat{a}: \; \mathrm{logit} P(y = 1) = a + \mathrm{logit}(p)",
    source=cite("Van Calster et al. (2016)"),
    undefined_when=_EXTREME,
    synonyms=("CITL", "mean calibration"),
    misleads="Errors of opposite sign cancel.",
)


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


_HL_UNDEFINED = "there are no rows, or a group expects no positive or no negative row"

_test = partial(Metric, family=Family.PROBABILITY, interval=metric.TEST)
_hosmer_lemeshow = partial(
    _test,
    needs=HosmerLemeshow,
    source=cite("Hosmer and Lemeshow (1980)"),
    undefined_when=_HL_UNDEFINED,
)
_spiegelhalter = partial(
    _test,
    needs=Spiegelhalter,
    source=cite("Spiegelhalter (1986)"),
    undefined_when="every probability is 0, 1 or one half",
)

HOSMER_LEMESHOW = _hosmer_lemeshow(
    key="hosmer_lemeshow",
    name="Hosmer-Lemeshow statistic",
    compute=lambda test: test.statistic,
    summary="How far observed counts lie from expected ones in ten groups of like probability.",
    formula=r"\sum_g \frac{(O_g - E_g)^2}{E_g (1 - E_g / n_g)}",
    high=np.inf,
    better=Better.LOWER,
    infinite_when="a group expects no row of a class but has some",
    synonyms=("HL test", "chi-squared goodness of fit"),
    misleads="With many rows it finds differences too small to matter.",
)

HOSMER_LEMESHOW_P = _hosmer_lemeshow(
    key="hosmer_lemeshow_p",
    name="Hosmer-Lemeshow p value",
    compute=lambda test: test.p_value(fitted=0),
    summary="How often calibrated probabilities would look this bad, on rows new to the model.",
    formula=r"P(\chi^2_{g} \ge X)",
    misleads="A large p value does not show calibration: there may be too few rows to see.",
)

HOSMER_LEMESHOW_P_FITTED = _hosmer_lemeshow(
    key="hosmer_lemeshow_p_fitted",
    name="Hosmer-Lemeshow p value, rows of the fit",
    compute=lambda test: test.p_value(fitted=2),
    summary="The same for the rows that the model was fitted on: two degrees of freedom less.",
    formula=r"P(\chi^2_{g - 2} \ge X)",
    undefined_when=_HL_UNDEFINED + ", or there are fewer than 3 groups",
    misleads="It is wrong for rows new to the model, where the other p value holds.",
)

SPIEGELHALTER_Z = _spiegelhalter(
    key="spiegelhalter_z",
    name="Spiegelhalter's z",
    compute=lambda test: test.z,
    summary="Far from 0: the Brier score is not what these probabilities would give if true.",
    formula=r"\frac{\sum_i (y_i - p_i)(1 - 2 p_i)}"
    r"{\sqrt{\sum_i (1 - 2 p_i)^2 p_i (1 - p_i)}}",
    low=-np.inf,
    high=np.inf,
    better=Better.NEITHER,
    infinite_when="an event of probability 0 happened and all probabilities are 0, 1 or one half",
)

SPIEGELHALTER_P = _spiegelhalter(
    key="spiegelhalter_p",
    name="Spiegelhalter's p value",
    compute=lambda test: test.p_value,
    summary="How often probabilities that are the true ones would give such a z, either way.",
    formula=r"2 \, \Phi(-|z|)",
)
