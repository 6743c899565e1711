"""Tests of models on the same folds or data sets: t tests, 5x2 tests, signed ranks, mean ranks."""

from dataclasses import dataclass
from functools import partial
from math import exp, lgamma

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison import spec
from evalcore.comparison.spec import UNDEFINED, Design, Finding, Situation, statistical_test
from evalcore.intervals.closed import Interval, mean_interval, p_of_t, p_of_z, shared_rows_error
from evalcore.outcomes import Floats, ReadOnly

CONSTANT = "the difference is the same every time, so its variation is unknown"


@dataclass(frozen=True, eq=False)
class FoldDifferences(ReadOnly):
    """Score of the second model minus that of the first, on k folds or data sets.

    Attributes:
        values: (k,) differences.
        test_over_train: Test rows over training rows of a fold; 0 for data sets, which share none;
            NaN where it is not known.
        rope: Differences up to this size make no difference in practice.
    """

    values: Floats
    test_over_train: float = 0.0
    rope: float = 0.0

    @property
    def k(self) -> int:
        """Number of differences."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """Mean difference; NaN if there are none."""
        return float(self.values.mean()) if self.k else UNDEFINED

    @property
    def deviation(self) -> float:
        """Standard deviation; 0 where all are equal but for rounding, NaN with fewer than two."""
        if self.k < 2:
            return UNDEFINED
        largest = float(np.abs(self.values).max())
        spread = float(self.values.std(ddof=1))
        return spread if spread > 1e-12 * largest else 0.0

    @property
    def corrected_error(self) -> float:
        """Standard error of the mean, allowing for the training rows that folds share."""
        if not self.k:
            return UNDEFINED
        return shared_rows_error(self.deviation, self.k, self.test_over_train)


def corrected_interval(table: FoldDifferences, level: float = 0.95) -> Interval:
    """Return the interval that goes with the corrected resampled t test."""
    inflated = table.corrected_error * np.sqrt(table.k)
    return mean_interval(table.mean, inflated, table.k, level)


def t_test(
    mean: float, error: float, df: float, *, unknown: str, constant: str = CONSTANT
) -> Finding:
    """Test whether a mean difference with this standard error is 0.

    Notes: `unknown` where there is no error, `constant` where it is 0 and the mean is not.
    """
    details = {"df": df}
    if np.isnan(error):
        return Finding(UNDEFINED, details=details, note=unknown)
    if not error:
        same = not mean
        note = spec.IDENTICAL if same else constant
        return Finding(1.0 if same else UNDEFINED, 0.0 if same else UNDEFINED, details, note)
    t = mean / error
    return Finding(p_of_t(float(t), df), float(t), details)


def _student(table: FoldDifferences, error: float) -> Finding:
    return t_test(table.mean, error, table.k - 1.0, unknown=_unknown(table))


def _unknown(table: FoldDifferences) -> str:
    return "it needs two differences" if table.k < 2 else "the sizes of the folds are not known"


@statistical_test(designs=frozenset({Design.FOLDS, Design.DATASETS}))
def paired_t(table: FoldDifferences) -> Finding:
    """Test whether the mean difference is 0, as if the differences were independent."""
    return _student(table, table.deviation / np.sqrt(table.k) if table.k else UNDEFINED)


@statistical_test(designs=spec.ON_FOLDS)
def corrected_resampled_t(table: FoldDifferences) -> Finding:
    """Test whether the mean difference is 0, allowing for training rows that folds share."""
    return _student(table, table.corrected_error)


@statistical_test(designs=spec.ON_FOLDS)
def bayes_correlated_t(table: FoldDifferences) -> Finding:
    """Return how likely either model is better by more than the rope, or neither is.

    The mean difference has a t distribution with k - 1 degrees of freedom and the corrected
    standard error, which a flat prior gives. There is no p value.

    >>> table = FoldDifferences(np.array([0.01, 0.03, 0.02]), test_over_train=0.5, rope=0.01)
    >>> round(bayes_correlated_t(table).details["second_better"], 4)
    0.8062
    """
    from scipy.special import stdtr

    error, rope = table.corrected_error, table.rope
    note = "a probability of being better, not a p value"
    if np.isnan(error):
        return Finding(UNDEFINED, note=_unknown(table))
    if error:
        below, upto = (
            float(stdtr(table.k - 1, (end - table.mean) / error)) for end in (-rope, rope)
        )
    else:
        below, upto = float(table.mean < -rope), float(table.mean <= rope)
        note = CONSTANT if table.mean else spec.IDENTICAL
    shares = {"first_better": below, "practically_equal": upto - below, "second_better": 1 - upto}
    return Finding(UNDEFINED, details={**shares, "rope": rope}, note=note)


@dataclass(frozen=True, eq=False)
class FiveByTwo:
    """Differences of two models in five repeats of two folds: (5, 2), second model minus first."""

    values: Floats

    @property
    def variances(self) -> Floats:
        """(5,) sums of squares of each repeat about its mean."""
        squares: Floats = ((self.values - self.values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        return squares


def _five_by_two(situation: Situation) -> str:
    if (situation.repeats, situation.folds) == (5, 2):
        return ""
    return f"It needs five repeats of two folds, not {situation.repeats} of {situation.folds}."


def _flat(table: FiveByTwo) -> Finding:
    if table.values.any():
        return Finding(UNDEFINED, note=CONSTANT)
    return Finding(1.0, 0.0, note=spec.IDENTICAL)


@statistical_test(designs=frozenset({Design.REPEATED_FOLDS}), objection=_five_by_two)
def five_by_two_t(table: FiveByTwo) -> Finding:
    """Test the first difference against the variances within five repeats."""
    spread = float(np.sqrt(table.variances.mean()))
    if not spread:
        return _flat(table)
    t = float(table.values[0, 0]) / spread
    return Finding(p_of_t(t, 5), t, {"df": 5.0})


@statistical_test(designs=frozenset({Design.REPEATED_FOLDS}), signed=False, objection=_five_by_two)
def five_by_two_f(table: FiveByTwo) -> Finding:
    """Test all ten differences against the variances within five repeats."""
    from scipy.special import fdtrc

    spread = float(table.variances.sum())
    if not spread:
        return _flat(table)
    f = float((table.values**2).sum()) / (2 * spread)
    return Finding(float(fdtrc(10, 5, f)), f, {"df_between": 10.0, "df_within": 5.0})


MOST_EXACT = 50
"""Up to so many differences, the signed ranks have their exact distribution; of 50 the normal one,
which serves for more, differs by less than 0.004."""


@statistical_test(designs=frozenset({Design.FOLDS, Design.DATASETS}), signed=False)
def wilcoxon(table: FoldDifferences) -> Finding:
    """Test whether differences are as often and as far below 0 as above, by their ranks.

    Zeros are left out. Exact for up to `MOST_EXACT` others, ties included; above, normal with
    continuity correction.
    """
    values = _rounded(table.values)
    values = values[values != 0]
    if not len(values):
        return Finding(1.0 if table.k else UNDEFINED, 0.0, note=spec.IDENTICAL if table.k else "")
    doubled = _doubled_ranks(np.abs(values))
    above = int(doubled[values > 0].sum())
    details = {"n": float(len(values)), "rank_sum": above / 2}
    exact = len(values) <= MOST_EXACT
    p = _exact_p(doubled, above) if exact else _normal_p(doubled, above)
    return Finding(p, above / 2, details, "" if exact else "normal approximation")


def _rounded(values: Floats) -> Floats:
    """Round to nine digits of the largest, so that differences equal on paper are ties."""
    largest = np.abs(values).max(initial=0.0)
    return np.round(values / largest, 9) if largest else values


def _doubled_ranks(sizes: Floats) -> NDArray[np.int64]:
    """Return twice the ranks, which are whole numbers even where ties share their mean rank."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled: NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[place]
    return doubled


def _exact_p(doubled: NDArray[np.int64], above: int) -> float:
    """Let every rank be above or below 0 with chance one half."""
    chance = np.ones(1)
    for rank in doubled:
        step = np.zeros(rank + 1)
        step[[0, rank]] = 0.5
        chance = np.convolve(chance, step)
    tail = min(chance[: above + 1].sum(), chance[above:].sum())
    return min(1.0, float(2 * tail))


def _normal_p(doubled: NDArray[np.int64], above: int) -> float:
    ranks = doubled / 2
    distance = abs(above / 2 - ranks.sum() / 2)
    z = max(distance - 0.5, 0.0) / np.sqrt((ranks**2).sum() / 4)
    return min(1.0, p_of_z(float(z)))


_on_datasets = partial(statistical_test, designs=frozenset({Design.DATASETS}), models=3)


@dataclass(frozen=True)
class RankGap:
    """How much better the second of two of M models ranks on N data sets, on average."""

    difference: float
    models: int
    datasets: int


@dataclass(frozen=True, eq=False)
class Blocks(ReadOnly):
    """Scores of M models on N data sets, higher being better: (N, M), none missing."""

    scores: Floats

    @property
    def ranks(self) -> Floats:
        """(N, M) rank of each model on each data set, 1 the best, ties sharing their mean."""
        above = (self.scores[:, np.newaxis, :] > self.scores[:, :, np.newaxis]).sum(axis=2)
        beside = (self.scores[:, np.newaxis, :] == self.scores[:, :, np.newaxis]).sum(axis=2)
        ranks: Floats = above + (beside + 1) / 2
        return ranks

    @property
    def mean_ranks(self) -> Floats:
        """(M,) mean rank of each model."""
        means: Floats = self.ranks.mean(axis=0)
        return means

    def gap(self, first: int, second: int) -> RankGap:
        """Return how much better the second of two models ranks."""
        ranks, (datasets, models) = self.mean_ranks, self.scores.shape
        return RankGap(float(ranks[first] - ranks[second]), models, datasets)


@_on_datasets(overall=True)
def friedman(blocks: Blocks) -> Finding:
    """Test whether all models have the same mean rank, corrected for ties."""
    from scipy.special import chdtrc

    ranks = blocks.ranks
    n, models = ranks.shape
    spread = float(((ranks - (models + 1) / 2) ** 2).sum())
    if not spread:
        return Finding(1.0, 0.0, {"df": models - 1.0}, spec.IDENTICAL)
    between = n**2 * float(((ranks.mean(axis=0) - (models + 1) / 2) ** 2).sum())
    statistic = (models - 1) * between / spread
    return Finding(float(chdtrc(models - 1, statistic)), statistic, {"df": models - 1.0})


@_on_datasets(overall=True)
def iman_davenport(blocks: Blocks) -> Finding:
    """Return Friedman's test on the scale of F, which is less timid."""
    from scipy.special import fdtrc

    n, models = blocks.scores.shape
    chi2 = friedman(blocks)
    df = {"df_between": models - 1.0, "df_within": (models - 1.0) * (n - 1)}
    if chi2.note or n < 2:
        return Finding(chi2.p_value if chi2.note else UNDEFINED, 0.0, df, chi2.note)
    left = n * (models - 1) - chi2.statistic
    if left <= 1e-9 * chi2.statistic:
        # One order of M! on each of N - 1 data sets after the first: the chance of that.
        chance = exp(-(n - 1) * lgamma(models + 1))
        return Finding(chance, float("inf"), df, "all data sets rank the models alike")
    f = (n - 1) * chi2.statistic / left
    return Finding(float(fdtrc(df["df_between"], df["df_within"], f)), f, df)


def rank_error(models: int, datasets: int) -> float:
    """Return the standard error of the difference of two mean ranks, without ties."""
    return float(np.sqrt(models * (models + 1) / (6 * datasets)))


@_on_datasets(adjusted=True)
def nemenyi(gap: RankGap) -> Finding:
    """Test two of many models by their mean ranks, allowing for all pairs of them."""
    from scipy.stats import studentized_range

    if not gap.difference:
        return Finding(1.0, 0.0)
    statistic = gap.difference / rank_error(gap.models, gap.datasets)
    p = studentized_range.sf(abs(statistic) * np.sqrt(2), gap.models, np.inf)
    return Finding(float(np.clip(p, 0, 1)), statistic)


def critical_difference(models: int, datasets: int, level: float = 0.95) -> float:
    """Return how far apart two mean ranks must be for Nemenyi's test to tell them apart."""
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(level, models, np.inf) / np.sqrt(2)
    return float(quantile * rank_error(models, datasets))
