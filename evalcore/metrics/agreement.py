"""How far a clustering agrees with classes or with another clustering, and what chance gives."""

from dataclasses import dataclass

import numpy as np

from evalcore.clusters.permutation import permuted
from evalcore.metrics.information import (
    AMI_ARITHMETIC,
    COMPLETENESS,
    HOMOGENEITY,
    MUTUAL_INFORMATION,
    NMI_ARITHMETIC,
    V_MEASURE,
    VARIATION_OF_INFORMATION,
)
from evalcore.metrics.pairs import (
    ADJUSTED_RAND_INDEX,
    FOWLKES_MALLOWS_PAIRS,
    PAIR_F1,
    PAIR_PRECISION,
    PAIR_RECALL,
    PAIRS_APART,
    PAIRS_CLASS_ONLY,
    PAIRS_CLUSTER_ONLY,
    PAIRS_TOGETHER,
    RAND_INDEX,
)
from evalcore.metrics.purity import BEST_MATCH_ACCURACY, INVERSE_PURITY, PURITY
from evalcore.metrics.spec import Better, Metric
from evalcore.outcomes import Floats
from evalcore.tables.contingency import Contingency

AGREEMENT = (
    ADJUSTED_RAND_INDEX,
    AMI_ARITHMETIC,
    BEST_MATCH_ACCURACY,
    RAND_INDEX,
    FOWLKES_MALLOWS_PAIRS,
    V_MEASURE,
    HOMOGENEITY,
    COMPLETENESS,
    NMI_ARITHMETIC,
    MUTUAL_INFORMATION,
    VARIATION_OF_INFORMATION,
    PURITY,
    INVERSE_PURITY,
    PAIR_PRECISION,
    PAIR_RECALL,
    PAIR_F1,
    PAIRS_TOGETHER,
    PAIRS_CLASS_ONLY,
    PAIRS_CLUSTER_ONLY,
    PAIRS_APART,
)
"""Metrics of a `Contingency`, in reading order; renaming or reordering groups changes none."""

_ROUNDING = 1e-12
"""Values that differ by less, for their size, count as equal."""


@dataclass(frozen=True)
class Chance:
    """What an agreement would be if the rows were dealt to the clusters at random.

    Attributes:
        mean: Mean over the draws.
        low: Lower end of the range that holds a share `level` of the draws.
        high: Upper end of it.
        level: That share.
        p_value: How often chance does as well as the data or better, the data counted as a draw;
            NaN where the agreement is undefined.
        draws: Number of draws.
    """

    mean: float
    low: float
    high: float
    level: float
    p_value: float
    draws: int


def chance(
    metric: Metric,
    table: Contingency,
    rng: np.random.Generator,
    *,
    draws: int = 1000,
    level: float = 0.95,
) -> Chance:
    """Compare a metric of agreement with its values on tables that chance gives, sizes kept.

    Draws without a value count as worse than the data and are left out of mean and range.
    Source: Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical
    Applications in Genetics and Molecular Biology 9(1).

    >>> codes = np.repeat([0, 1], 50)
    >>> table = Contingency.from_codes(codes, codes, ("x", "y"), ("1", "2"))
    >>> chance(ADJUSTED_RAND_INDEX, table, np.random.default_rng(0), draws=999).p_value
    0.001
    """
    parts = [np.atleast_1d(metric(part)) for part in permuted(table, draws, rng)]
    values = np.concatenate(parts).astype(np.float64)
    finite = values[np.isfinite(values)]
    ends = (1 - level) / 2, (1 + level) / 2
    low, high = np.quantile(finite, ends) if len(finite) else (np.nan, np.nan)
    return Chance(
        mean=float(finite.mean()) if len(finite) else np.nan,
        low=float(low),
        high=float(high),
        level=level,
        p_value=_p_value(float(metric(table)), values, metric.better),
        draws=draws,
    )


def _p_value(observed: float, values: Floats, better: Better) -> float:
    if np.isnan(observed):
        return np.nan
    sign = -1 if better is Better.LOWER else 1
    slack = _ROUNDING * max(1.0, abs(observed))
    as_good = np.count_nonzero(sign * values >= sign * observed - slack)
    return float((1 + as_good) / (1 + len(values)))
