"""How far predicted numbers lie from the true ones, in the unit of the target."""

from functools import partial

import numpy as np

from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio, scalar
from evalcore.outcomes import Floats, NumericOutcomes
from evalcore.resampling.interval import Interval
from evalcore.resampling.means import mean_interval, median_interval
from evalcore.tables.residuals import ResidualMoments

INFINITY = float("inf")

TOO_LARGE = "a square exceeds the largest number that a computer holds"

HYNDMAN = Source(
    "Hyndman and Koehler (2006), Another look at measures of forecast accuracy, "
    "International Journal of Forecasting 22(4)",
    "https://doi.org/10.1016/j.ijforecast.2006.03.001",
)
BLAND_ALTMAN = Source(
    "Bland and Altman (1999), Measuring agreement in method comparison studies, "
    "Statistical Methods in Medical Research 8(2)",
    "https://doi.org/10.1177/096228029900800204",
)
NO_ROWS = "there are no rows"


of_numbers = partial(
    Metric,
    family=Family.VALUES,
    needs=ResidualMoments,
    low=0,
    high=INFINITY,
    better=Better.LOWER,
    infinite_when=TOO_LARGE,
)
_error = partial(of_numbers, undefined_when=NO_ROWS, unit="unit")


def sse(table: ResidualMoments) -> Number:
    """Return the sum of squared errors.

    >>> sse(ResidualMoments.from_values(np.array([1.0, 2.0]), np.array([2.0, 4.0])))
    5.0
    """
    return table.error_ss + table.bias_ss


def mse(table: ResidualMoments) -> Number:
    """Return the mean squared error."""
    return ratio(sse(table), table.n)


MAE = _error(
    compute=lambda table: ratio(table.absolute_error, table.n),
    key="mae",
    name="Mean absolute error",
    summary="How far a prediction is off, on average.",
    formula=r"\frac{1}{n} \sum_i |f_i - y_i|",
    source=Source(
        "Willmott and Matsuura (2005), Advantages of the mean absolute error over the root mean "
        "square error in assessing average model performance, Climate Research 30",
        "https://doi.org/10.3354/cr030079",
    ),
    synonyms=("MAE", "mean absolute deviation", "L1 loss"),
)

MSE = _error(
    compute=mse,
    key="mse",
    name="Mean squared error",
    summary="The mean of the squared errors: one error of 10 weighs as much as 100 errors of 1.",
    formula=r"\frac{1}{n} \sum_i (f_i - y_i)^2",
    source=HYNDMAN,
    synonyms=("MSE", "L2 loss", "quadratic loss"),
    misleads="It is in squared units: take its root to compare it with the target.",
    unit="",
)

RMSE = _error(
    compute=lambda table: scalar(np.sqrt(mse(table))),
    key="rmse",
    name="Root mean squared error",
    summary="The size of a typical error, large errors weighing more.",
    formula=r"\sqrt{\frac{1}{n} \sum_i (f_i - y_i)^2}",
    source=HYNDMAN,
    synonyms=("RMSE", "root mean square deviation"),
    misleads="A few outliers can make most of it: compare it with the mean absolute error.",
)

SSE = _error(
    compute=sse,
    key="sse",
    name="Sum of squared errors",
    summary="The squared errors of all rows, added up.",
    formula=r"\sum_i (f_i - y_i)^2",
    source=HYNDMAN,
    interval=IntervalBy.NONE,
    synonyms=("SSE",),
    misleads="It grows with the number of rows.",
    unit="",
)


def _absolute(outcomes: NumericOutcomes) -> Floats:
    size: Floats = np.abs(outcomes.prediction - outcomes.truth)
    return size


def medae(outcomes: NumericOutcomes) -> float:
    """Return the median of the absolute errors, each counted as often as its row weighs.

    >>> medae(NumericOutcomes(truth=np.zeros(4), prediction=np.array([1.0, -2.0, 4.0, 9.0])))
    3.0
    """
    return median_interval(_absolute(outcomes), outcomes.weight).middle


MEDAE = _error(
    compute=medae,
    needs=NumericOutcomes,
    key="medae",
    name="Median absolute error",
    summary="Half of the predictions are off by less than this.",
    formula=r"\mathrm{median}_i \, |f_i - y_i|",
    source=HYNDMAN,
    interval=IntervalBy.CLOSED,
    ends=lambda outcomes, level: (
        median_interval(_absolute(outcomes), outcomes.weight, level).interval
    ),
    synonyms=("MedAE", "median absolute deviation"),
    misleads="It says nothing about the worse half.",
)


def max_error(outcomes: NumericOutcomes) -> float:
    """Return the largest absolute error among the rows that count."""
    size = _absolute(outcomes)
    if outcomes.weight is not None:
        size = size[outcomes.weight > 0]
    return float(size.max()) if len(size) else float("nan")


MAX_ERROR = _error(
    compute=max_error,
    needs=NumericOutcomes,
    key="max_error",
    name="Largest error",
    summary="How far the worst prediction is off.",
    formula=r"\max_i |f_i - y_i|",
    source=HYNDMAN,
    interval=IntervalBy.NONE,
    synonyms=("maximum absolute error", "worst error"),
    misleads="It rests on one row and grows with the number of rows; no resample holds a larger "
    "error than these rows, so resampling cannot say how sure it is (Bickel and Freedman 1981).",
)


def _bias_interval(table: ResidualMoments, level: float) -> Interval:
    return mean_interval(table.mean_error, _sd(table), table.n, level)


BIAS = _error(
    compute=lambda table: table.mean_error,
    key="bias",
    name="Bias",
    summary="The mean of prediction minus truth: above 0, predictions are too high on average.",
    formula=r"\frac{1}{n} \sum_i (f_i - y_i)",
    low=-INFINITY,
    better=Better.NEITHER,
    source=HYNDMAN,
    interval=IntervalBy.CLOSED,
    ends=_bias_interval,
    synonyms=("mean error", "mean bias error", "ME"),
    misleads="Errors up and down cancel: 0 does not mean that predictions are good.",
)


def pinball(quantile: float, key: str = "") -> Metric:
    """Declare the loss of a prediction that is meant to be a quantile of the target.

    >>> table = ResidualMoments.from_values(np.array([0.0, 0.0]), np.array([1.0, -2.0]))
    >>> round(pinball(0.9)(table), 12)
    0.95
    """

    def compute(table: ResidualMoments) -> Number:
        too_high = (ratio(table.absolute_error, table.n) + table.mean_error) / 2
        return scalar(np.maximum(too_high - quantile * table.mean_error, 0.0))

    return _error(
        compute=compute,
        key=key or f"pinball({quantile:g})",
        name=f"Pinball loss ({quantile:g} quantile)",
        summary=f"What a prediction of the {quantile:g} quantile costs: a unit too low costs "
        f"{quantile:g}, a unit too high {1 - quantile:g}.",
        formula=r"\frac{1}{n} \sum_i \max(q (y_i - f_i), (q - 1)(y_i - f_i))",
        source=Source(
            "Koenker and Bassett (1978), Regression quantiles, Econometrica 46(1)",
            "https://doi.org/10.2307/1913643",
        ),
        synonyms=("quantile loss", "check loss"),
        parameters={"quantile": float(quantile)},
        misleads="Values for different quantiles do not compare.",
    )


PINBALL = pinball(0.5, key="pinball")

_LIMIT = 1.959963984540054
"""Limits of agreement hold 95% of normal errors, whatever the level of their own intervals."""


def _sd(table: ResidualMoments) -> Number:
    variance = ratio(table.error_ss, table.n - 1)
    return scalar(np.sqrt(np.where(table.n > 1, variance, np.nan)))


def _limit_interval(table: ResidualMoments, level: float, side: int) -> Interval:
    # Standard error of mean + z sd under normal errors, as if it were a mean of n values.
    spread = _sd(table) * np.sqrt(1 + _LIMIT**2 * table.n / (2 * (table.n - 1)))
    return mean_interval(table.mean_error + side * _LIMIT * _sd(table), spread, table.n, level)


def _limit(side: int, key: str, name: str, word: str) -> Metric:
    return _error(
        compute=lambda table: table.mean_error + side * _LIMIT * _sd(table),
        key=key,
        name=name,
        summary=f"Of 40 normal errors, about one is {word} this: a limit of agreement.",
        formula=rf"\bar e {'+' if side > 0 else '-'} 1.96 \, s_e",
        low=-INFINITY,
        better=Better.NEITHER,
        source=BLAND_ALTMAN,
        undefined_when="there are fewer than two rows",
        interval=IntervalBy.CLOSED,
        ends=lambda table, level: _limit_interval(table, level, side),
        synonyms=("Bland-Altman limit", "95% limit of agreement"),
        misleads="It takes errors to be normal and equally spread for small and large values.",
    )


BLAND_ALTMAN_LOW = _limit(-1, "bland_altman_low", "Lower limit of agreement", "below")
BLAND_ALTMAN_HIGH = _limit(1, "bland_altman_high", "Upper limit of agreement", "above")
