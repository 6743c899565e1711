"""The options of an evaluation, besides the data."""

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from evalcore.errors import EvalError


@dataclass(frozen=True)
class Options:
    """Settings of an evaluation; all of them plain, so that they can key a cache.

    Attributes:
        threshold: A row is called positive when its score >= threshold.
        own_thresholds: (model, threshold) of each model that has one of its own.
        level: Confidence level of every interval, above 0 and up to 0.9999.
        resamples: Bootstrap draws, from 100 to 1,000,000.
        seed: Seed of the bootstrap, 0 or more.
        bins: Number of calibration bins, from 1 to 1,000.
        binning: Bins of equal width, or of equal counts.
        distance: How far points are apart: "euclidean", "manhattan", "minkowski:P", "cosine" or
            "matching"; None for the usual one of numbers, or of categories.
        samples: Whether to add one entry per row where a metric has one.
    """

    threshold: float = 0.5
    own_thresholds: tuple[tuple[str, float], ...] = ()
    level: float = 0.95
    resamples: int = 2000
    seed: int = 0
    bins: int = 10
    binning: Literal["uniform", "quantile"] = "uniform"
    distance: str | None = None
    samples: bool = False

    def __post_init__(self) -> None:
        for at in (self.threshold, *(own for _, own in self.own_thresholds)):
            if not isfinite(at):
                raise EvalError("bad-threshold", f"A threshold must be a number, not {at}.")
        if not 0 < self.level <= 0.9999:
            raise EvalError("bad-level", "The confidence level must lie between 0 and 0.9999.")
        if not 100 <= self.resamples <= 1_000_000:
            raise EvalError("bad-resamples", "Choose from 100 to 1,000,000 resamples.")
        if self.seed < 0:
            raise EvalError("bad-seed", "The seed must be 0 or more.")
        if not 1 <= self.bins <= 1000:
            raise EvalError("bad-bins", "Choose from 1 to 1,000 bins.")

    def threshold_of(self, model: str) -> float:
        """Return the threshold of a model.

        >>> options = Options(0.5, (("forest", 0.3),))
        >>> options.threshold_of("forest"), options.threshold_of("boosting")
        (0.3, 0.5)
        """
        return dict(self.own_thresholds).get(model, self.threshold)
