"""What other rows would show: how many it takes, how small a difference, and the best of many."""

from dataclasses import dataclass
from math import ceil, inf, isfinite, isnan, sqrt

import numpy as np

from evalcore.metrics.metric import Better, Estimate
from evalcore.outcomes import Floats

FEWEST = 10
"""With fewer rows, or fewer of either class where scores rank them, no test keeps its level."""

POWER = 0.8
"""Chance of showing a difference that is there: customary since Cohen (1988)."""


@dataclass(frozen=True)
class SampleSize:
    """What it takes to show a difference.

    Attributes:
        rows_now: Rows at hand; of models on rows of their own those of the one with fewer.
        rows_needed: Rows with which a difference as large as the observed one would be shown;
            None if there is none, or nothing tells how it varies.
        smallest_difference: The smallest difference that the rows at hand would have shown; None
            if nothing tells how it varies.
        power: Chance with which it would be shown.
        level: One minus the chance of showing any difference that is not there.
        pairs: Pairs of models that share this chance.
        each: Whether rows are counted for each model, which has rows of its own.
    """

    metric: str
    rows_now: float
    rows_needed: int | None
    smallest_difference: float | None
    power: float = POWER
    level: float = 0.95
    pairs: int = 1
    each: bool = False


def from_error(
    metric: str, difference: float, error: float, rows: float, level: float = 0.95
) -> SampleSize:
    """Return the sample size for a difference with this standard error on these rows.

    The error falls with the square root of the rows. Source: Chow, Shao, Wang and Lokhnygina
    (2017), Sample Size Calculations in Clinical Research, chapter 3.
    """
    if not error > 0 or isnan(difference):
        return SampleSize(metric, rows, None, None, level=level)
    reach = sum(_quantiles(level)) * error
    ratio = reach / difference if difference else inf
    needed = rows * ratio * ratio
    return SampleSize(metric, rows, ceil(needed) if isfinite(needed) else None, reach, level=level)


@dataclass(frozen=True)
class OwnRows:
    """The values of two models on rows of their own: variances of the values, and rows of each."""

    difference: float
    variances: tuple[float, float]
    rows: tuple[float, float]


def from_own_rows(metric: str, own: OwnRows, level: float = 0.95) -> SampleSize:
    """Return the sample size for two models that each have rows of their own.

    More rows are first taken for the model that has fewer, until both have as many.
    """
    fewer, more = sorted(zip(own.rows, own.variances, strict=True))
    error, reach = sqrt(sum(own.variances)), sum(_quantiles(level))
    if not error > 0 or isnan(own.difference):
        return SampleSize(metric, fewer[0], None, None, level=level, each=True)
    needed = inf
    if own.difference:
        allowed = (own.difference / reach) ** 2
        (n, variance), (other, other_variance) = fewer, more
        left = allowed - other_variance
        needed = n * variance / left if left > 0 else inf
        if needed > other:
            needed = (n * variance + other * other_variance) / allowed
    rows = ceil(needed) if isfinite(needed) else None
    return SampleSize(metric, fewer[0], rows, reach * error, level=level, each=True)


def from_discordance(
    only_first: float, only_second: float, rows: float, level: float = 0.95
) -> SampleSize:
    """Return the sample size for a difference of two accuracies on the same rows.

    Source: Connor (1987), Sample size for testing differences in proportions for the
    paired-sample design, Biometrics 43(1).
    """
    discordant, gap = (only_first + only_second) / rows, (only_second - only_first) / rows
    if not discordant:
        return SampleSize("accuracy", rows, None, None, level=level)
    needed = ceil(_rows(discordant, gap, level)) if gap else None
    smallest = _smallest(discordant, rows, level)
    return SampleSize("accuracy", rows, needed, smallest, level=level)


def _rows(discordant: float, gap: float, level: float) -> float:
    z, power = _quantiles(level)
    reach = z * sqrt(discordant) + power * sqrt(max(discordant - gap**2, 0.0))
    return (reach / gap) ** 2


def _smallest(discordant: float, rows: float, level: float) -> float | None:
    """Return the gap that takes just these rows; None if even the largest takes more."""
    z, power = _quantiles(level)
    # Solves _rows(gap) = rows: a quadratic equation in the gap.
    whole = rows + power**2
    root = discordant * power**2 * (rows - z**2 + power**2)
    if root < 0:
        return None
    gap = (sqrt(rows * discordant) * z + sqrt(root)) / whole
    return gap if gap <= discordant else None


def _quantiles(level: float) -> tuple[float, float]:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2)), float(ndtri(POWER))


LEADING = 20
"""Of more models those with the best values count: others hardly ever lead."""

DRAWS = 2000
"""The error of the mean of so many is 2% of the error of a value."""

TELLING = 0.1
"""A correction by less than so much of half the interval costs it less than 1% of its coverage."""


@dataclass(frozen=True)
class Corrected:
    """The value and interval of the best model, less what choosing it adds on average."""

    model: str
    value: float
    low: float | None
    high: float | None


def normal_deviations(covariance: Floats, seed: int = 0) -> Floats | None:
    """Return (DRAWS, M) normal deviations with an (M, M) covariance; None if it is not known."""
    if not np.isfinite(covariance).all():
        return None
    values, vectors = np.linalg.eigh(covariance)
    # The symmetric root is the only one: draws are the same whatever signs the vectors have.
    root: Floats = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    return np.random.default_rng(seed).normal(size=(DRAWS, len(values))) @ root


def optimism(values: Floats, deviations: Floats, better: Better) -> float:
    """Return by how much the best of M models looks better than it is, on average; 0 or more.

    Each of (B, M) deviations stands for other rows: on each the model that leads there is chosen,
    and held against its own (M,) value. The values are first drawn together until they are as far
    apart as the models themselves, without the chance that these rows add. NaN where nothing was
    drawn.

    Source: Tsamardinos, Greasidou and Borboudakis (2018), Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation, Machine Learning 107.
    """
    drawn = deviations[np.isfinite(deviations).all(axis=1)]
    if not len(drawn):
        return float("nan")
    sign = -1.0 if better is Better.LOWER else 1.0
    drawn = sign * (drawn - drawn.mean(axis=0))
    apart = values - values.mean()
    by_chance = float(np.square(drawn - drawn.mean(axis=1, keepdims=True)).sum(axis=1).mean())
    kept = 1 - by_chance / (float(apart @ apart) or np.inf)
    leaders = (sign * apart * max(kept, 0.0) ** 0.5 + drawn).argmax(axis=1)
    return max(float(drawn[np.arange(len(drawn)), leaders].mean()), 0.0)


def corrected(
    name: str, shown: Estimate, less: float, better: Better, bounds: tuple[float, float]
) -> Corrected | None:
    """Return the best model's value and interval less its optimism; None if that is nothing."""
    if shown.low is None or shown.high is None:
        return None
    if not less >= TELLING * (shown.high - shown.low) / 2 or not less:
        return None
    step = -less if better is Better.LOWER else less
    ends = (float(np.clip(end - step, *bounds)) for end in (shown.value, shown.low, shown.high))
    return Corrected(name, *ends)
