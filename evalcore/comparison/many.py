"""Several models on several data sets or folds: rank tests, adjusted p values, odd folds."""

from dataclasses import dataclass
from functools import partial
from math import exp, lgamma

import numpy as np

from evalcore.comparison.spec import IDENTICAL, UNDEFINED, Design, Finding, StatisticalTest
from evalcore.metrics.metric import Better, Source
from evalcore.outcomes import Floats, FoldScores, frozen


@dataclass(frozen=True)
class FoldMean:
    """The scores of a model over its folds.

    Attributes:
        mean: Their mean; NaN without any.
        deviation: Their standard deviation; NaN with fewer than two.
        folds: How many there are.
        won: On how many no other model scores better.
    """

    mean: float
    deviation: float
    folds: int
    won: int

    @property
    def error(self) -> float:
        """Standard error of the mean, if folds were independent."""
        return self.deviation / self.folds**0.5 if self.folds else np.nan


def fold_means(scores: FoldScores, better: Better) -> dict[str, FoldMean]:
    """Return what each model scored over its folds, by its name.

    >>> values = np.array([[0.5, 0.7], [0.6, 0.6]])
    >>> scores = FoldScores(metric="f1", models=("A", "B"), score=values, fold=("1", "2"))
    >>> made = fold_means(scores, Better.HIGHER)["A"]
    >>> round(made.mean, 6), round(made.deviation, 6), round(made.error, 6), made.won
    (0.6, 0.141421, 0.1, 1)
    """
    signed = -scores.score if better is Better.LOWER else scores.score
    best = np.fmax.reduce(signed, axis=0)
    pairs = zip(scores.models, scores.score, signed, strict=True)
    return {
        name: _mean(own[np.isfinite(own)], int((sign == best).sum())) for name, own, sign in pairs
    }


def _mean(known: Floats, won: int) -> FoldMean:
    k = len(known)
    return FoldMean(
        float(known.mean()) if k else np.nan,
        float(known.std(ddof=1)) if k > 1 else np.nan,
        k,
        won,
    )


FEWEST = 5
"""With fewer folds nothing tells which one is odd."""

LEVEL = 0.01
"""Chance of calling any fold odd where all are alike and about normal."""


@dataclass(frozen=True)
class OddFold:
    """A fold unlike the others: its place, its mean over the models, and the median of all."""

    place: int
    mean: float
    median: float


def odd_folds(scores: FoldScores) -> tuple[OddFold, ...]:
    """Return the folds whose mean over the models lies far from that of the other folds.

    Each is held against the others by a t test, allowing for their number. Source: Grubbs (1969),
    Procedures for detecting outlying observations in samples, Technometrics 11(1).

    >>> values = np.array([[0.80, 0.81, 0.82, 0.83, 0.84, 0.20]])
    >>> made = odd_folds(FoldScores(metric="f1", models=("A",), score=values, fold=tuple("abcdef")))
    >>> [odd.place for odd in made]
    [5]
    """
    known = np.isfinite(scores.score).all(axis=0)
    places = np.flatnonzero(known)
    if len(places) < FEWEST:
        return ()
    means = scores.score[:, places].mean(axis=0)
    odd = np.flatnonzero(_p_values(means) * len(means) < LEVEL)
    median = float(np.median(means))
    return tuple(OddFold(int(places[k]), float(means[k]), median) for k in odd)


def _p_values(values: Floats) -> Floats:
    """Return for each of k values the p value of its being like the others."""
    from scipy.special import stdtr

    k = len(values)
    others = (values.sum() - values) / (k - 1)
    squares = (values**2).sum() - values**2 - (k - 1) * others**2
    # Where the others are all equal, nothing tells how far is far.
    known = squares > 1e-12 * np.maximum(values**2, others**2)
    error = np.sqrt(np.where(known, squares, np.inf) / (k - 2) * (1 + 1 / (k - 1)))
    p: Floats = 2 * stdtr(k - 2, -np.abs(values - others) / error)
    return p


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
