"""How many rows show a difference, and how small a difference the rows at hand would have shown."""

from dataclasses import dataclass
from math import ceil, inf, isfinite, isnan, sqrt

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
