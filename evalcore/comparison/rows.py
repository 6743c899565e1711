"""Tests and intervals of models on rows.

Models are held against each other by which rows they have right, by areas under ROC curves, by
resamples of the rows, or by the losses of the rows. Of models on rows of their own, the
covariance is 0.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalcore.comparison import spec
from evalcore.comparison.folds import t_test
from evalcore.comparison.spec import UNDEFINED, Design, Finding, Situation, statistical_test
from evalcore.intervals.closed import Interval, normal_quantile, p_of_t, p_of_z, t_quantile, wilson
from evalcore.intervals.delong import PairedAreas, hanley_variance
from evalcore.intervals.resamples import percentile_bootstrap
from evalcore.metrics.metric import Better
from evalcore.outcomes import Floats, ReadOnly
from evalcore.tables.confusion import PairedTable, Rightness


def _one_try(situation: Situation) -> str:
    """Say why a test of right and wrong does not fit where items may be right in part."""
    if situation.tried:
        return "It needs one answer per item; here items were tried several times."
    return ""


_mcnemar = partial(
    statistical_test,
    objection=_one_try,
    designs=spec.ON_ROWS,
    metrics=("accuracy",),
    signed=False,
)


SAME_ROWS = "they are right on the same rows"


def _discordant(table: PairedTable) -> tuple[float, float, dict[str, Any]]:
    """Return the rows that only one model has right, and what to show beside a finding."""
    cells = table.rightness
    b, c = cells.only_first, cells.only_second
    note = "" if b + c else spec.IDENTICAL if table.identical else SAME_ROWS
    return b, c, {"details": {"b": b, "c": c}, "note": note}


def _exact(b: float, c: float) -> tuple[float, float]:
    """Return the two-sided binomial p value and the chance of exactly this split of b + c."""
    from scipy.special import bdtr

    fewer, total = round(min(b, c)), round(b + c)
    at_most = float(bdtr(fewer, total, 0.5))
    below = float(bdtr(fewer - 1, total, 0.5)) if fewer else 0.0
    return min(1.0, 2 * at_most), at_most - below


@_mcnemar()
def mcnemar_exact(table: PairedTable) -> Finding:
    """Test whether rows that one model alone has right are split evenly.

    >>> codes = np.repeat([0, 1], [8, 2])
    >>> table = PairedTable.from_codes(("a", "b"), (codes * 0, codes, 1 - codes))
    >>> round(mcnemar_exact(table).p_value, 6)
    0.109375
    """
    b, c, shown = _discordant(table)
    return Finding(_exact(b, c)[0] if b + c else 1.0, **shown)


@_mcnemar()
def mcnemar_mid_p(table: PairedTable) -> Finding:
    """Count the split that was observed only half, so that the test is not too timid."""
    b, c, shown = _discordant(table)
    if not b + c:
        return Finding(1.0, **shown)
    whole, observed = _exact(b, c)
    return Finding(1 - observed / 2 if b == c else whole - observed, **shown)


def _chi_squared(table: PairedTable, correction: float) -> Finding:
    from scipy.special import chdtrc

    b, c, shown = _discordant(table)
    statistic = max(abs(b - c) - correction, 0.0) ** 2 / (b + c) if b + c else 0.0
    return Finding(float(chdtrc(1, statistic)), statistic, **shown)


@_mcnemar()
def mcnemar_chi2(table: PairedTable) -> Finding:
    """Test the same by chi-squared, without continuity correction."""
    return _chi_squared(table, 0.0)


@_mcnemar()
def mcnemar_chi2_corrected(table: PairedTable) -> Finding:
    """Test the same by chi-squared, with Edwards's continuity correction."""
    return _chi_squared(table, 1.0)


@dataclass(frozen=True, eq=False)
class Correctness:
    """Which of M models are right on each of n rows: (n, M) ones and zeros, weighted if at all."""

    right: Floats
    weight: Floats | None = None


@statistical_test(
    designs=spec.ON_ROWS,
    metrics=("accuracy",),
    models=3,
    overall=True,
    objection=_one_try,
)
def cochran_q(answers: Correctness) -> Finding:
    """Test whether all models are right equally often on the same rows."""
    from scipy.special import chdtrc

    weight = np.ones(len(answers.right)) if answers.weight is None else answers.weight
    columns, rows = weight @ answers.right, answers.right.sum(axis=1)
    models, total = len(columns), columns.sum()
    spread = models * total - float(weight @ rows**2)
    details = {"df": models - 1.0}
    if not spread:
        same = bool((answers.right == answers.right[:, :1]).all())
        return Finding(1.0, 0.0, details, SAME_ROWS if same else "")
    statistic = float((models - 1) * (models * (columns**2).sum() - total**2) / spread)
    return Finding(float(chdtrc(models - 1, statistic)), statistic, details)


def newcombe_paired(cells: Rightness, level: float = 0.95) -> Interval:
    """Return an interval for the second accuracy minus the first, within [-1, 1].

    Source: Newcombe (1998), Improved confidence intervals for the difference between binomial
    proportions based on paired data, Statistics in Medicine 17, method 10.
    """
    first, second = cells.both + cells.only_first, cells.both + cells.only_second
    return newcombe((first, cells.n), (second, cells.n), level, correlation=_correlation(cells))


def newcombe(
    first: tuple[float, float],
    second: tuple[float, float],
    level: float = 0.95,
    *,
    correlation: float = 0.0,
) -> Interval:
    """Return an interval for the second of two (right, rows) accuracies minus the first.

    `correlation` is that of being right, of models on the same rows.

    Source: Newcombe (1998), Interval estimation for the difference between independent
    proportions, Statistics in Medicine 17, method 10.
    """
    one, other = wilson(*first, level), wilson(*second, level)
    p, q = first[0] / (first[1] or np.nan), second[0] / (second[1] or np.nan)

    def reach(x: Any, y: Any) -> Any:
        return np.sqrt(np.maximum(x**2 - 2 * correlation * x * y + y**2, 0.0))

    low = (q - p) - reach(one.high - p, q - other.low)
    high = (q - p) + reach(p - one.low, other.high - q)
    return Interval(low, high, "newcombe", level)


def _correlation(cells: Rightness) -> float:
    """Return phi of being right, drawn towards 0 by a continuity correction if it is positive."""
    a, b, c, d = cells[:4]
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    if product > 0:
        product = max(product - cells.n / 2, 0.0)
    return product / np.sqrt(margins) if margins else 0.0


@dataclass(frozen=True)
class TwoProportions:
    """Rows that are right of all rows, for two models on different rows."""

    first: tuple[float, float]
    second: tuple[float, float]


@statistical_test(
    designs=frozenset({Design.INDEPENDENT}), metrics=("accuracy",), objection=_one_try
)
def two_proportion_z(table: TwoProportions) -> Finding:
    """Test whether two shares of different rows are the same, with the variance of both pooled."""
    (k, n), (j, m) = table.first, table.second
    share = (k + j) / (n + m)
    error = np.sqrt(share * (1 - share) * (1 / n + 1 / m))
    if not error:
        return Finding(1.0, 0.0, note="both are right on all rows, or on none")
    z = float((j / m - k / n) / error)
    return Finding(p_of_z(z), z)


@statistical_test(designs=spec.ON_ROWS | {Design.INDEPENDENT}, by_groups=True, metrics=("roc_auc",))
def delong(areas: PairedAreas) -> Finding:
    """Test whether two areas differ, from their variances and covariance.

    Where rows of a group depend on each other, by Student's t with the groups' degrees of freedom.
    """
    error = _error(areas)
    if np.isnan(error):
        few = not np.isfinite(areas.variance_of_difference)
        return Finding(UNDEFINED, note="it needs two rows of either class" if few else FLAT)
    if not error:
        return Finding(1.0, 0.0, note=spec.IDENTICAL)
    z = float(areas.difference / error)
    note = "" if areas.variance_of_difference else f"{FLAT}; the error is Hanley and McNeil's"
    p = p_of_t(z, areas.groups - 1) if areas.groups else p_of_z(z)
    return Finding(p, z, note=note)


FLAT = "the ranks of these rows show no variation"


def _error(areas: PairedAreas) -> float:
    """Return the standard error of the difference.

    Where these rows show no variation, as with one ranking free of errors and one without any
    order, that of two models on rows of their own, both with the mean of the areas.
    """
    error = float(np.sqrt(areas.variance_of_difference))
    if error or not areas.difference:
        return error
    return float(np.sqrt(2 * hanley_variance((areas.first + areas.second) / 2, areas.rows)))


def delong_difference(areas: PairedAreas, level: float = 0.95) -> Interval:
    """Return an interval for the second area minus the first, within [-1, 1]."""
    error = _error(areas)
    quantile = t_quantile(level, areas.groups - 1) if areas.groups else normal_quantile(level)
    reach = quantile * error
    low, high = np.clip([areas.difference - reach, areas.difference + reach], -1, 1)
    flat = areas.variance_of_difference == 0
    method = "hanley-mcneil" if flat and error else "obuchowski" if areas.groups else "delong"
    return Interval(low, high, method, level, degenerate=bool(flat))


@dataclass(frozen=True, eq=False)
class ResampledDifferences(ReadOnly):
    """Value of the second model minus that of the first: observed, and over (B,) resamples.

    It is NaN where a resample gave either model no value.
    """

    observed: float
    values: Floats
    better: Better = Better.HIGHER
    method: str = "bootstrap-percentile"

    @property
    def usable(self) -> Floats:
        """The differences that are numbers."""
        return self.values[np.isfinite(self.values)]

    @property
    def error(self) -> float:
        """Standard deviation of the differences; NaN with fewer than two."""
        usable = self.usable
        return float(usable.std(ddof=1)) if len(usable) > 1 else UNDEFINED

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval between the outer percentiles."""
        ends = percentile_bootstrap(self.values, level).interval
        return Interval(ends.low, ends.high, self.method, level, ends.degenerate)


@statistical_test(designs=spec.ON_ROWS)
def paired_bootstrap(draws: ResampledDifferences) -> Finding:
    """Test by how many resamples fall on either side of no difference.

    Where none falls on the other side, so that their number limits p, by the normal tail of their
    spread: many pairs need smaller p values than resamples can give.
    """
    usable = draws.usable
    details = {"resamples": float(len(usable))}
    if np.isinf(draws.observed):
        return Finding(UNDEFINED, details=details, note="one of the two is infinite")
    if not len(usable) or np.isnan(draws.observed):
        return Finding(UNDEFINED, details=details, note="no resample gave both models a value")
    if not draws.observed and not usable.any():
        return Finding(1.0, 0.0, details, spec.IDENTICAL)
    below, above = int((usable <= 0).sum()), int((usable >= 0).sum())
    # The data themselves count as one more resample, so that p is never 0.
    p = min(1.0, 2 * (min(below, above) + 1) / (len(usable) + 1))
    wins = float(((usable > 0) + (usable == 0) / 2).mean())
    details["second_better"] = 1 - wins if draws.better is Better.LOWER else wins
    if not min(below, above) and draws.error > 0:
        tail = p_of_z(draws.observed / draws.error)
        return Finding(min(p, tail), draws.observed, details, ONE_SIDED)
    return Finding(p, draws.observed, details)


@dataclass(frozen=True, eq=False)
class GroupDifferences(ResampledDifferences):
    """The same over draws of whole groups of rows, of which there are so many."""

    groups: int = 0

    @property
    def error(self) -> float:
        """Standard error: the spread of draws with replacement falls short by one group."""
        few = self.groups / (self.groups - 1) if self.groups > 1 else UNDEFINED
        return super().error * float(np.sqrt(few))

    def interval(self, level: float = 0.95) -> Interval:
        """Return Student's interval."""
        reach = t_quantile(level, self.groups - 1) * self.error
        low, high = self.observed - reach, self.observed + reach
        return Interval(low, high, "groups-t", level, degenerate=reach == 0)


@statistical_test(
    designs=spec.ON_ROWS | {Design.INDEPENDENT},
    by_groups=True,
    instead_of="paired_bootstrap",
    objection=lambda s: "" if s.groups else "It is for rows that belong to groups.",
)
def paired_t_groups(draws: GroupDifferences) -> Finding:
    """Test by the standard error over draws of groups; each group that differs counts once."""
    if not draws.observed and not draws.usable.any():
        return Finding(1.0, 0.0, note=spec.IDENTICAL)
    return t_test(
        draws.observed,
        draws.error,
        draws.groups - 1,
        unknown="it needs two groups, and a value for both models",
        constant="the models differ by the same amount in every draw of the groups",
    )


@statistical_test(designs=frozenset({Design.INDEPENDENT}), instead_of="paired_bootstrap")
def independent_bootstrap(draws: ResampledDifferences) -> Finding:
    """Test as the paired bootstrap does, where the rows of each model are drawn by themselves."""
    return paired_bootstrap(draws)


ONE_SIDED = "no resample favours the other model: p from the normal tail"


@dataclass(frozen=True)
class LossDifferences:
    """Loss of the second model minus that of the first, summed up over n rows.

    `scale` is what the metric's difference is multiplied by to give that of the mean losses: 1 for
    a mean, and for the root of one the sum of both roots.
    """

    n: float
    mean: float
    deviation: float
    scale: float = 1.0

    @property
    def error(self) -> float:
        """Standard error of the difference of the metric."""
        return self.deviation / np.sqrt(self.n) / self.scale if self.scale > 0 else UNDEFINED

    def interval(self, level: float = 0.95) -> Interval:
        """Return Student's interval of the difference of the metric, with which the test agrees."""
        observed = self.mean / self.scale if self.scale > 0 else UNDEFINED
        reach = t_quantile(level, self.n - 1) * self.error
        return Interval(observed - reach, observed + reach, "paired-t", level, not reach)

    def tested(self, *, unknown: str, constant: str) -> Finding:
        """Return the paired t test of the losses, with its notes as `t_test` has them."""
        error = self.deviation / np.sqrt(self.n)
        return t_test(self.mean, error, self.n - 1, unknown=unknown, constant=constant)

    @classmethod
    def of(cls, first: Floats, second: Floats, weight: Floats | None = None) -> "LossDifferences":
        """Sum up (n,) losses of each row, each row `weight` times."""
        with np.errstate(invalid="ignore"):  # of two infinite losses
            gaps = second - first
        count = np.ones(len(gaps)) if weight is None else weight
        n = float(count.sum())
        if not n > 1 or not np.isfinite(gaps).all():
            return cls(n, UNDEFINED, UNDEFINED)
        mean = float(count @ gaps) / n
        return cls(n, mean, float(np.sqrt(count @ (gaps - mean) ** 2 / (n - 1))))


@statistical_test(designs=spec.ON_ROWS, metrics=("rmse", "mse", "mae", "brier", "log_loss"))
def diebold_mariano(table: LossDifferences) -> Finding:
    """Test whether the mean loss is the same, for predictions one step ahead or without order.

    With the correction for small samples it is the paired t test of the losses.
    """
    return table.tested(
        unknown="it needs two rows with finite losses",
        constant="the loss differs by the same amount in every row",
    )


class ItemDifferences(LossDifferences):
    """The same for the share of tries that are right, over n items tried several times."""


@statistical_test(
    designs=spec.ON_ROWS,
    metrics=("accuracy",),
    instead_of="mcnemar_mid_p",
    objection=lambda s: "" if s.tried else "It compares items that were tried several times each.",
)
def paired_t_items(table: ItemDifferences) -> Finding:
    """Test whether the mean share is the same, the tries of an item taken together."""
    return table.tested(
        unknown="it needs two items", constant="the share differs by the same amount in every item"
    )
