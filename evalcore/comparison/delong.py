"""Two areas under ROC curves: DeLong's test and the interval that goes with it.

Of models on rows of their own, the covariance is 0.
"""

import numpy as np

from evalcore.comparison.spec import (
    IDENTICAL,
    ON_ROWS,
    UNDEFINED,
    Design,
    Finding,
    StatisticalTest,
)
from evalcore.metrics.spec import Source
from evalcore.resampling.area_intervals import hanley_variance
from evalcore.resampling.delong import PairedAreas
from evalcore.resampling.interval import Interval, normal_quantile


def delong(areas: PairedAreas) -> Finding:
    """Test whether two areas differ, from their variances and covariance.

    >>> round(delong(PairedAreas(0.8, 0.9, 0.002, 0.001, 0.0007)).statistic, 6)
    2.5
    """
    from scipy.special import ndtr

    error = _error(areas)
    if np.isnan(error):
        few = not np.isfinite(areas.variance_of_difference)
        return Finding(UNDEFINED, note="it takes two rows of either class" if few else FLAT)
    if not error:
        return Finding(1.0, 0.0, note=IDENTICAL)
    z = float(areas.difference / error)
    note = "" if areas.variance_of_difference else f"{FLAT}; the error is Hanley and McNeil's"
    return Finding(float(2 * ndtr(-abs(z))), z, note=note)


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
    reach = normal_quantile(level) * error
    low, high = np.clip([areas.difference - reach, areas.difference + reach], -1, 1)
    flat = areas.variance_of_difference == 0
    method = "hanley-mcneil" if flat and error else "delong"
    return Interval(low, high, method, level, degenerate=bool(flat))


DELONG = StatisticalTest(
    key="delong",
    name="DeLong",
    needs=PairedAreas,
    compute=delong,
    summary="Do both models put positive rows before negative ones equally often?",
    assumes="Rows are independent, with some 10 of either class; models were not chosen for "
    "their area on these rows.",
    designs=ON_ROWS | {Design.INDEPENDENT},
    metrics=("roc_auc",),
    source=Source(
        "DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more "
        "correlated receiver operating characteristic curves, Biometrics 44(3)",
        "https://doi.org/10.2307/2531595",
    ),
)
