"""What may be asked of an evaluation, beside the data."""

from dataclasses import dataclass
from typing import Literal

from evalcore.errors import EvalError


@dataclass(frozen=True)
class Options:
    """Settings of an evaluation; all of them plain, so that they can key a cache.

    Attributes:
        threshold: A row is called positive when its score >= threshold.
        own_thresholds: (model, threshold) of each model that has one of its own.
        level: Confidence level of every interval, in (0, 1).
        resamples: Bootstrap draws, at least 100.
        seed: Seed of the bootstrap.
        bins: Number of calibration bins, at least 1.
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
        if not 0 < self.level < 1:
            raise EvalError("bad-level", "The confidence level must lie between 0 and 1.")
        if self.resamples < 100:
            raise EvalError("bad-resamples", "At least 100 resamples are needed.")
        if self.bins < 1:
            raise EvalError("bad-bins", "At least one bin is needed.")

    def threshold_of(self, model: str) -> float:
        """Return the threshold of a model.

        >>> options = Options(0.5, (("forest", 0.3),))
        >>> options.threshold_of("forest"), options.threshold_of("boosting")
        (0.3, 0.5)
        """
        return dict(self.own_thresholds).get(model, self.threshold)
