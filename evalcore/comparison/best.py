"""What the best of several models would show on other rows: chosen by these, it looks too good."""

from dataclasses import dataclass

import numpy as np

from evalcore.metrics.metric import Better, Estimate
from evalcore.outcomes import Floats

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
