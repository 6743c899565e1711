"""Tests of several models on several data sets, by ranks."""

from dataclasses import dataclass
from functools import partial
from math import exp, lgamma

import numpy as np

from evalcore.comparison.spec import IDENTICAL, UNDEFINED, Design, Finding, StatisticalTest
from evalcore.metrics.metric import Source
from evalcore.outcomes import Floats, frozen

DEMSAR = Source(
    "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, "
    "Journal of Machine Learning Research 7",
    "https://www.jmlr.org/papers/v7/demsar06a.html",
)


@dataclass(frozen=True)
class RankGap:
    """How much better the second of two of M models ranks on N data sets, on average."""

    difference: float
    models: int
    datasets: int


@dataclass(frozen=True, eq=False)
class Blocks:
    """Scores of M models on N data sets, higher being better: (N, M), none missing."""

    scores: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", frozen(np.asarray(self.scores, dtype=np.float64)))

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


def friedman(blocks: Blocks) -> Finding:
    """Test whether all models have the same mean rank, corrected for ties.

    >>> round(friedman(Blocks(np.array([[3.0, 2, 1], [3, 1, 2], [3, 2, 1]]))).statistic, 6)
    4.666667
    """
    from scipy.special import chdtrc

    ranks = blocks.ranks
    n, models = ranks.shape
    spread = float(((ranks - (models + 1) / 2) ** 2).sum())
    if not spread:
        return Finding(1.0, 0.0, {"df": models - 1.0}, IDENTICAL)
    between = n**2 * float(((ranks.mean(axis=0) - (models + 1) / 2) ** 2).sum())
    statistic = (models - 1) * between / spread
    return Finding(float(chdtrc(models - 1, statistic)), statistic, {"df": models - 1.0})


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


def nemenyi(gap: RankGap) -> Finding:
    """Test two of many models by their mean ranks, allowing for all pairs of them."""
    from scipy.stats import studentized_range

    if not gap.difference:
        return Finding(1.0, 0.0)
    statistic = gap.difference / rank_error(gap.models, gap.datasets)
    p = studentized_range.sf(abs(statistic) * np.sqrt(2), gap.models, np.inf)
    return Finding(float(np.clip(p, 0, 1)), statistic)


def critical_difference(models: int, datasets: int, level: float = 0.95) -> float:
    """Return how far apart two mean ranks must be for Nemenyi's test to tell them apart.

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    quantile = studentized_range.ppf(level, models, np.inf) / np.sqrt(2)
    return float(quantile * rank_error(models, datasets))


_on_datasets = partial(StatisticalTest, designs=frozenset({Design.DATASETS}), models=3)

FRIEDMAN = _on_datasets(
    key="friedman",
    name="Friedman",
    needs=Blocks,
    compute=friedman,
    summary="Do all models rank equally well over the data sets?",
    assumes="Data sets are independent, and there are some 10 of them.",
    overall=True,
    source=Source(
        "Friedman (1937), The use of ranks to avoid the assumption of normality implicit in the "
        "analysis of variance, Journal of the American Statistical Association 32",
        "https://doi.org/10.1080/01621459.1937.10503522",
    ),
)
IMAN_DAVENPORT = _on_datasets(
    key="iman_davenport",
    name="Iman-Davenport F",
    needs=Blocks,
    compute=iman_davenport,
    summary="Do all models rank equally well over the data sets?",
    assumes="Data sets are independent.",
    overall=True,
    source=Source(
        "Iman and Davenport (1980), Approximations of the critical region of the Friedman "
        "statistic, Communications in Statistics 9(6)",
        "https://doi.org/10.1080/03610928008827904",
    ),
)
NEMENYI = _on_datasets(
    key="nemenyi",
    name="Nemenyi",
    needs=RankGap,
    compute=nemenyi,
    summary="Do two of many models rank equally well over the data sets?",
    assumes="Data sets are independent; it allows for all pairs of models.",
    adjusted=True,
    source=DEMSAR,
)
