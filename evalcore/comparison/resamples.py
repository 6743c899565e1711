"""Two models by areas under ROC curves, by resamples of their rows, or by their losses.

Of models on rows of their own, the covariance is 0.
"""

from dataclasses import dataclass

import numpy as np

from evalcore.comparison.folds import t_test
from evalcore.comparison.spec import IDENTICAL, ON_ROWS, UNDEFINED, Design, Finding, StatisticalTest
from evalcore.intervals.bootstrap import percentile_bootstrap
from evalcore.intervals.closed import Interval, normal_quantile
from evalcore.intervals.delong import PairedAreas, hanley_variance
from evalcore.metrics.metric import Better, Source
from evalcore.outcomes import Floats, ReadOnly


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


@dataclass(frozen=True, eq=False)
class ResampledDifferences(ReadOnly):
    """Value of the second model minus that of the first: observed, and over (B,) resamples.

    Attributes:
        observed: The difference on the rows themselves.
        values: (B,) differences; NaN where a resample gave either model no value.
        better: Which direction is good, for the chance of being better.
        method: How the resamples were made.
    """

    observed: float
    values: Floats
    better: Better = Better.HIGHER
    method: str = "bootstrap-percentile"

    @property
    def usable(self) -> Floats:
        """The differences that are numbers."""
        return self.values[np.isfinite(self.values)]

    @property
    def error(self) -> float:
        """Standard deviation of the differences; NaN with fewer than two."""
        usable = self.usable
        return float(usable.std(ddof=1)) if len(usable) > 1 else UNDEFINED

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval between the outer percentiles."""
        made = percentile_bootstrap(self.values, level).interval
        return Interval(made.low, made.high, self.method, level, made.degenerate)


def paired_bootstrap(draws: ResampledDifferences) -> Finding:
    """Test by how many resamples fall on either side of no difference.

    Where none falls on the other side, so that their number limits p, by the normal tail of their
    spread: many pairs need smaller p values than resamples can give.

    >>> paired_bootstrap(ResampledDifferences(0.1, np.linspace(-0.01, 0.29, 99))).p_value
    0.1
    """
    usable = draws.usable
    details = {"resamples": float(len(usable))}
    if np.isinf(draws.observed):
        return Finding(UNDEFINED, details=details, note="one of the two is infinite")
    if not len(usable) or np.isnan(draws.observed):
        return Finding(UNDEFINED, details=details, note="no resample gave both models a value")
    if not draws.observed and not usable.any():
        return Finding(1.0, 0.0, details, IDENTICAL)
    below, above = int((usable <= 0).sum()), int((usable >= 0).sum())
    # The data themselves count as one more resample, so that p is never 0.
    p = min(1.0, 2 * (min(below, above) + 1) / (len(usable) + 1))
    wins = float(((usable > 0) + (usable == 0) / 2).mean())
    details["second_better"] = 1 - wins if draws.better is Better.LOWER else wins
    if not min(below, above) and draws.error > 0:
        return Finding(min(p, _normal_tail(draws)), draws.observed, details, ONE_SIDED)
    return Finding(p, draws.observed, details)


ONE_SIDED = "no resample falls on the other side: p by the normal tail"


def _normal_tail(draws: ResampledDifferences) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(draws.observed) / draws.error))


PAIRED_BOOTSTRAP = StatisticalTest(
    key="paired_bootstrap",
    name="Paired bootstrap",
    needs=ResampledDifferences,
    compute=paired_bootstrap,
    summary="Would other rows of this kind show the same model ahead?",
    assumes="Rows are independent, and there are enough of them to stand for all others.",
    designs=ON_ROWS,
    source=Source(
        "Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 15",
        "https://doi.org/10.1201/9780429246593",
    ),
)


@dataclass(frozen=True)
class LossDifferences:
    """Loss of the second model minus that of the first, summed up over n rows."""

    n: float
    mean: float
    deviation: float

    @classmethod
    def of(cls, first: Floats, second: Floats, weight: Floats | None = None) -> "LossDifferences":
        """Sum up (n,) losses of each row, each row `weight` times.

        >>> LossDifferences.of(np.array([1.0, 2.0]), np.array([2.0, 5.0]))
        LossDifferences(n=2.0, mean=2.0, deviation=1.4142135623730951)
        """
        with np.errstate(invalid="ignore"):  # of two infinite losses
            gaps = second - first
        count = np.ones(len(gaps)) if weight is None else weight
        n = float(count.sum())
        if not n > 1 or not np.isfinite(gaps).all():
            return cls(n, UNDEFINED, UNDEFINED)
        mean = float(count @ gaps) / n
        return cls(n, mean, float(np.sqrt(count @ (gaps - mean) ** 2 / (n - 1))))


def diebold_mariano(table: LossDifferences) -> Finding:
    """Test whether the mean loss is the same, for predictions one step ahead or without order.

    With the correction for small samples it is the paired t test of the losses.

    >>> round(diebold_mariano(LossDifferences(16.0, 0.5, 1.0)).statistic, 6)
    2.0
    """
    return t_test(
        table.mean,
        table.deviation / np.sqrt(table.n),
        table.n - 1,
        unknown="it takes two rows with finite losses",
        constant="the loss differs by the same amount in every row",
    )


DIEBOLD_MARIANO = StatisticalTest(
    key="diebold_mariano",
    name="Diebold-Mariano",
    needs=LossDifferences,
    compute=diebold_mariano,
    summary="Is the mean loss of a row the same for both models?",
    assumes="Rows are independent: for a series, that predictions look one step ahead.",
    designs=ON_ROWS,
    metrics=("rmse", "mse", "mae", "brier", "log_loss"),
    source=Source(
        "Harvey, Leybourne and Newbold (1997), Testing the equality of prediction mean squared "
        "errors, International Journal of Forecasting 13(2)",
        "https://doi.org/10.1016/S0169-2070(96)00719-4",
    ),
)
