"""What decisions cost: expected cost, cost and decision curves, predictive values."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Self

import numpy as np

from evalcore.curves.roc import RocCurve
from evalcore.errors import EvalError
from evalcore.intervals.closed import Interval, normal_quantile, of_two_rates, wald_interval
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Codes, Floats, Number, ReadOnly
from evalcore.tables.areas import rates
from evalcore.tables.classes import LossMoments, most_likely
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable

LARGEST = 1e12
"""Costs of this size and below can be added up over any number of cases."""


@dataclass(frozen=True)
class UnitCosts:
    """The cost of each of the four outcomes of a case, and the share of positive cases.

    Attributes:
        tn: Cost of a negative passed; below 0 it is a gain, as for the others.
        fp: Cost of a negative called positive.
        fn: Cost of a positive that is missed.
        tp: Cost of a positive called positive.
        prevalence: Share of the cases that are positive, in [0, 1]; it need not be that of the
            rows, since the rates of the rows are weighed by it.
    """

    tn: float
    fp: float
    fn: float
    tp: float
    prevalence: float

    def __post_init__(self) -> None:
        costs = (self.tn, self.fp, self.fn, self.tp)
        if not all(isfinite(cost) and abs(cost) <= LARGEST for cost in costs):
            raise EvalError("bad-costs", f"Costs must be numbers of {LARGEST:g} at most.")
        if not 0 <= self.prevalence <= 1:
            raise EvalError("bad-prevalence", "The share of positives must lie between 0 and 1.")

    @property
    def of_finding(self) -> float:
        """What finding all positives saves, per case."""
        return self.prevalence * (self.fn - self.tp)

    @property
    def of_flagging(self) -> float:
        """What flagging all negatives costs, per case."""
        return (1 - self.prevalence) * (self.fp - self.tn)

    @property
    def of_nothing(self) -> float:
        """What a case costs if nothing is flagged."""
        return self.prevalence * self.fn + (1 - self.prevalence) * self.tn

    @property
    def probability_cost(self) -> float:
        """Part of the avoidable cost that lies with the positives; NaN where none is avoidable.

        Source: Drummond and Holte (2006), Cost curves, Machine Learning 65.
        """
        whole = self.of_finding + self.of_flagging
        return self.of_finding / whole if whole else np.nan

    def expected(self, tpr: Number, fpr: Number) -> Number:
        """Return the mean cost of a case at these rates."""
        return self.of_nothing - self.of_finding * tpr + self.of_flagging * fpr


@dataclass(frozen=True)
class Choice:
    """A threshold with what it does; +inf flags nothing.

    Attributes:
        threshold: Rows with a score >= threshold are called positive.
        cost: Mean cost of a case.
        tpr: Share of the positives found.
        fpr: Share of the negatives flagged.
    """

    threshold: float
    cost: float
    tpr: float
    fpr: float


def cheapest(table: ScoreTable, unit_costs: UnitCosts) -> Choice:
    """Return the threshold of lowest expected cost, of equal ones the highest; NaN with one class.

    >>> table = ScoreTable.from_scores(np.array([1, 0, 1]), np.array([0.9, 0.6, 0.2]))
    >>> cheapest(table, UnitCosts(tn=0, fp=1, fn=10, tp=0, prevalence=0.5)).threshold
    0.2
    """
    if not (table.positives and table.negatives):
        return Choice(np.nan, np.nan, np.nan, np.nan)
    tpr, fpr = rates(table.tp), rates(table.fp)
    cost = np.asarray(unit_costs.expected(tpr, fpr))
    at = int(cost.argmin())
    threshold = float(table.threshold[at - 1]) if at else np.inf
    return Choice(threshold, float(cost[at]), float(tpr[at]), float(fpr[at]))


@dataclass(frozen=True, eq=False)
class Banded(ReadOnly):
    """A curve of m points with an interval, which holds at each of them by itself.

    Attributes:
        x: (m,) where the points lie.
        y: (m,) the curve; NaN where it is undefined.
        low: (m,) lower ends.
        high: (m,) upper ends.
        level: Confidence level.
    """

    x: Floats
    y: Floats
    low: Floats
    high: Floats
    level: float


def expected_cost(table: ScoreTable, unit_costs: UnitCosts, level: float = 0.95) -> Banded:
    """Return the mean cost of a case, for a known share of positives, at each of m thresholds.

    The thresholds fall from +inf, where nothing is flagged; NaN with one class.

    >>> table = ScoreTable.from_scores(np.array([1, 0]), np.array([0.9, 0.2]))
    >>> unit_costs = UnitCosts(tn=0, fp=1, fn=10, tp=0, prevalence=0.5)
    >>> expected_cost(table, unit_costs).y.tolist()
    [5.0, 0.0, 0.5]
    """
    cost = np.asarray(unit_costs.expected(rates(table.tp), rates(table.fp)), dtype=np.float64)
    factors = -unit_costs.of_finding, unit_costs.of_flagging
    around = of_two_rates(table.at(table.threshold), *factors, level)
    low, high = (unit_costs.of_nothing + end for end in (around.low, around.high))
    low, high = np.append(cost[:1], low), np.append(cost[:1], high)
    return Banded(np.append(np.inf, table.threshold), cost, low, high, level)


@dataclass(frozen=True, eq=False)
class CostCurve(ReadOnly):
    """The lowest normalised expected cost that any threshold reaches: a line with k corners.

    Attributes:
        probability_cost: (k,) from 0 to 1, the part of the avoidable cost that lies with positives.
        cost: (k,) expected cost over that of always being wrong; NaN with one class.

    Source: Drummond and Holte (2006), Cost curves, Machine Learning 65.
    """

    probability_cost: Floats
    cost: Floats

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Return the envelope of the lines of all thresholds, "all" and "nothing" among them.

        Each corner of the ROC curve's hull is a line; where two neighbours cross is a corner.
        """
        hull = RocCurve.hull_of(table)
        run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
        if not len(run) or not np.isfinite(run + rise).all():
            return cls(np.array([0.0, 1.0]), np.array([np.nan, np.nan]))
        x = np.concatenate([[0.0], run / (run + rise), [1.0]])
        corner = np.append(0, np.arange(len(hull.fpr)))
        y = normalised_cost(hull.tpr[corner], hull.fpr[corner], x)
        return cls(x, np.asarray(y))

    def at(self, probability_cost: float | Floats) -> float | Floats:
        """Return the lowest cost at shares within [0, 1]."""
        return np.interp(probability_cost, self.probability_cost, self.cost)


def normalised_cost(tpr: Number, fpr: Number, probability_cost: Number) -> Number:
    """Return (1 - TPR) x + FPR (1 - x) for the share x of the cost that lies with positives."""
    return (1 - tpr) * probability_cost + fpr * (1 - probability_cost)


def cost_line(counts: BinaryCounts, level: float = 0.95, points: int = 51) -> Banded:
    """Return the normalised expected cost of one threshold: a straight line over shares x."""
    x = np.linspace(0, 1, points)
    around = of_two_rates(counts, -x, 1 - x, level)
    tpr = np.divide(counts.tp, counts.positives or np.nan)
    fpr = np.divide(counts.fp, counts.negatives or np.nan)
    cost = np.asarray(normalised_cost(tpr, fpr, x))
    return Banded(x, cost, np.asarray(x + around.low), np.asarray(x + around.high), level)


def least_costly(probabilities: Floats, costs: Floats) -> Codes:
    """Return (n,) codes of the class that is cheapest to decide for, of tied ones the first.

    `probabilities` are (n, K), a missing one being 0; `costs` are (K, K), row = truth, column =
    decision. Source: Elkan (2001), The foundations of cost-sensitive learning, IJCAI.
    """
    expected = np.where(np.isnan(probabilities), 0.0, probabilities) @ costs
    codes: Codes = expected.argmin(axis=1)
    return codes


def shares_of_rows(outcomes: BinaryOutcomes | ClassOutcomes) -> Floats:
    """Return the (K,) shares of the classes among the rows; NaN without rows."""
    rows = np.bincount(outcomes.truth, outcomes.weight, len(outcomes.classes))
    shares: Floats = rows / (rows.sum() or np.nan)
    return shares


@dataclass(frozen=True, eq=False)
class Decided:
    """One way of deciding: its confusion matrix and the mean cost of a row."""

    confusion: ConfusionMatrix
    cost: float
    interval: Interval


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """What two ways of deciding cost on the same rows.

    Attributes:
        likeliest: Deciding for the likeliest class.
        cheapest: Deciding for the class of lowest expected cost.
        saved: What the second saves per row.
        saved_interval: Its interval, from the differences row by row.
        changed: Share of the rows that are decided otherwise.
    """

    likeliest: Decided
    cheapest: Decided
    saved: float
    saved_interval: Interval
    changed: float

    @classmethod
    def of(
        cls,
        outcomes: ClassOutcomes,
        costs: Floats,
        shares: Sequence[float] | Floats | None = None,
        level: float = 0.95,
    ) -> Self:
        """Decide every row both ways; `costs` are (K, K), row = truth, column = decision.

        `shares` are those of the (K,) classes where decisions are made, in proportion; None for
        those of the rows. The mean of each class then counts by its share, and the cheapest class
        is that of the probabilities moved to the shares: rows of a class are taken to look there
        as they do here. Source: Saerens, Latinne and Decaestecker (2002), Adjusting the outputs
        of a classifier to new a priori probabilities, Neural Computation 14(1).

        Raises EvalError where the model gives no probabilities, or shares are not 0 or more.
        """
        if outcomes.probabilities is None:
            raise EvalError("labels-only", "Weighing costs needs a probability for each class.")
        told = None if shares is None else _checked(shares)
        weighed = costs if told is None else costs * _moved(outcomes, told)[:, np.newaxis]
        first = most_likely(outcomes.probabilities)
        second = least_costly(outcomes.probabilities, weighed)
        mean = MeanCost(outcomes, told, level)
        saved, ends = mean.of(costs[outcomes.truth, first] - costs[outcomes.truth, second])
        changed, _ = mean.of((first != second).astype(np.float64))
        one, other = (mean.decided(codes, costs) for codes in (first, second))
        return cls(one, other, saved, ends, changed)


def _checked(shares: Sequence[float] | Floats) -> Floats:
    """Return shares that add up to 1."""
    given = np.asarray(shares, dtype=np.float64)
    if not (np.isfinite(given) & (given >= 0)).all() or not given.any():
        raise EvalError("bad-shares", "Shares of classes must be 0 or more, and not all of them 0.")
    added: Floats = given / given.sum()
    return added


def _moved(outcomes: ClassOutcomes, shares: Floats) -> Floats:
    """Return how many times as common each class is where decisions are made; 1 if unknown."""
    here = shares_of_rows(outcomes)
    times = np.divide(shares, here, out=np.ones(len(here)), where=here > 0)
    return np.where(shares > 0, times, 0.0)


@dataclass(frozen=True, eq=False)
class MeanCost:
    """How losses of rows make the mean of a case, given (K,) shares of the classes that add to 1.

    The mean is undefined where a class has a share and no rows.
    """

    outcomes: BinaryOutcomes | ClassOutcomes
    shares: Floats | None
    level: float

    def of(self, loss: Floats) -> tuple[float, Interval]:
        """Return the mean of (n,) losses and its interval."""
        truth, weight = self.outcomes.truth, self.outcomes.weight
        if self.shares is None:
            mean, error = LossMoments.of(loss, weight).mean_and_error
            return mean, wald_interval(mean, error, self.level)
        used = np.flatnonzero(self.shares)
        rows = [np.flatnonzero(truth == code) for code in used]
        parts = [LossMoments.of(loss[at], None if weight is None else weight[at]) for at in rows]
        means, errors = np.array([part.mean_and_error for part in parts]).T
        mean, error = self.shares[used] @ means, np.hypot.reduce(self.shares[used] * errors)
        return float(mean), wald_interval(float(mean), float(error), self.level)

    def decided(self, codes: Codes, costs: Floats) -> Decided:
        """Return what (n,) decisions cost."""
        told = self.outcomes
        matrix = ConfusionMatrix.from_codes(told.truth, codes, told.classes, told.weight)
        return Decided(matrix, *self.of(costs[told.truth, codes]))


@dataclass(frozen=True, eq=False)
class DecisionCurve(ReadOnly):
    """Net benefit at each of g probabilities from which on one would act.

    Whoever acts from the probability p on holds a false alarm to cost p / (1 - p) of what finding
    a positive is worth. The unit is a positive found, per case.

    Attributes:
        probability: (g,) rising, within [0, 1).
        net_benefit: (g,) of acting on the rows whose probability is that high; NaN with one class.
        low: (g,) lower ends.
        high: (g,) upper ends.
        treat_all: (g,) of acting on every case; acting on none is worth 0.
        level: Confidence level, at each probability by itself, for a known share of positives.

    Source: Vickers and Elkin (2006), Medical Decision Making 26(6).
    """

    probability: Floats
    net_benefit: Floats
    low: Floats
    high: Floats
    treat_all: Floats
    level: float

    @classmethod
    def from_table(
        cls, table: ScoreTable, probability: Floats, prevalence: float, level: float = 0.95
    ) -> Self:
        """Return the curve of a table of probabilities, with this share of positives.

        >>> table = ScoreTable.from_scores(np.array([1, 0, 0, 1]), np.array([0.9, 0.6, 0.2, 0.1]))
        >>> curve = DecisionCurve.from_table(table, np.array([0.5]), 0.5)
        >>> curve.net_benefit.tolist(), curve.treat_all.tolist()
        ([0.0], [0.0])
        """
        counts = table.at(probability)
        odds = probability / (1 - probability)
        factors = (prevalence, -(1 - prevalence) * odds)
        around = of_two_rates(counts, *factors, level)
        benefit = factors[0] * counts.tp / (table.positives or np.nan) + factors[1] * counts.fp / (
            table.negatives or np.nan
        )
        return cls(
            probability,
            np.asarray(benefit, dtype=np.float64),
            np.asarray(around.low),
            np.asarray(around.high),
            prevalence - (1 - prevalence) * odds,
            level,
        )

    @property
    def useful(self) -> tuple[float, float] | None:
        """Ends of the longest run of probabilities at which it beats acting on all and on none."""
        # A model that is as good as acting on all differs from that by rounding errors.
        pays = self.net_benefit - np.maximum(self.treat_all, 0.0) > 1e-12
        edges = np.flatnonzero(np.diff(np.concatenate([[False], pays, [False]])))
        if not len(edges):
            return None
        starts, stops = edges[::2], edges[1::2]
        run = int((stops - starts).argmax())
        return float(self.probability[starts[run]]), float(self.probability[stops[run] - 1])


def predictive_values(
    counts: BinaryCounts, prevalence: Floats, level: float = 0.95
) -> tuple[Banded, Banded]:
    """Return the positive and the negative predictive value at each of g shares of positives.

    By Bayes' rule from both rates; NaN where no row was called so, or with one class. The interval
    is that of the likelihood ratio, on the logit scale; where a count is 0, half a row is added to
    each for it. Source: Mercaldo, Lau and Zhou (2007), Statistics in Medicine 26.

    >>> alerts, rest = predictive_values(BinaryCounts(tp=80, fp=10, fn=20, tn=90), np.array([0.5]))
    >>> alerts.y.round(4).tolist(), rest.y.round(4).tolist()
    ([0.8889], [0.8182])
    """
    alerts = _share_right((counts.tp, counts.fn, counts.fp, counts.tn), prevalence, level)
    rest = _share_right((counts.tn, counts.fp, counts.fn, counts.tp), 1 - prevalence, level)
    return Banded(prevalence, *alerts, level), Banded(prevalence, *rest, level)


def _share_right(
    calls: tuple[Number, Number, Number, Number], share: Floats, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return the share of calls that are right, and the ends of its interval.

    `calls` are the rows called so and not so, of the class that is meant and of the other one.
    """
    from scipy.special import expit, logit

    cells = np.array(calls, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        hit, slip = cells[0] / (cells[0] + cells[1]), cells[2] / (cells[2] + cells[3])
        value = share * hit / (share * hit + (1 - share) * slip)
    filled = cells + 0.5 if (cells == 0).any() else cells
    yes, no = filled[0] + filled[1], filled[2] + filled[3]
    ratio = np.log(filled[0] / yes) - np.log(filled[2] / no)
    error = np.sqrt(1 / filled[0] - 1 / yes + 1 / filled[2] - 1 / no)
    reach = normal_quantile(level) * error
    ends = (expit(logit(share) + ratio + sign * reach) for sign in (-1, 1))
    low, high = (np.where(np.isfinite(value), end, np.nan) for end in ends)
    return value, low, high
