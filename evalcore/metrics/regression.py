"""How far predicted numbers lie from the true ones, in the unit of the target or relative to it."""

from functools import partial

import numpy as np

from evalcore.intervals.closed import LOG, Interval, mean_interval, median_interval, normal_quantile
from evalcore.metrics import metric
from evalcore.metrics.metric import Better, Closed, Family, Metric, ratio, scalar
from evalcore.metrics.sources import cite
from evalcore.outcomes import Floats, Number, NumericOutcomes
from evalcore.tables.residuals import ResidualMoments

of_numbers = partial(
    Metric,
    family=Family.VALUES,
    needs=ResidualMoments,
    interval=metric.OnScale(LOG),
    high=np.inf,
    better=Better.LOWER,
    infinite_when="a square exceeds the largest number that a computer holds",
)
_error = partial(of_numbers, unit="unit", source=cite("Hyndman and Koehler (2006)"))


def sse(table: ResidualMoments) -> Number:
    """Return the sum of squared errors."""
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
    source=cite("Willmott and Matsuura (2005)"),
    synonyms=("MAE", "mean absolute deviation", "L1 loss"),
)

MSE = _error(
    compute=mse,
    key="mse",
    name="Mean squared error",
    summary="The mean of the squared errors: one error of 10 weighs as much as 100 errors of 1.",
    formula=r"\frac{1}{n} \sum_i (f_i - y_i)^2",
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
    synonyms=("RMSE", "root mean square deviation"),
    misleads="A few outliers can make most of it: compare it with the mean absolute error.",
)

SSE = _error(
    compute=sse,
    key="sse",
    name="Sum of squared errors",
    summary="The squared errors of all rows, added up.",
    formula=r"\sum_i (f_i - y_i)^2",
    interval=metric.DESCRIPTION,
    synonyms=("SSE",),
    misleads="It grows with the number of rows.",
    unit="",
)


def _absolute(outcomes: NumericOutcomes) -> Floats:
    size: Floats = np.abs(outcomes.prediction - outcomes.truth)
    return size


def medae(outcomes: NumericOutcomes) -> float:
    """Return the median of the absolute errors, each counted as often as its row weighs."""
    return median_interval(_absolute(outcomes), outcomes.weight).middle


MEDAE = _error(
    compute=medae,
    needs=NumericOutcomes,
    key="medae",
    name="Median absolute error",
    summary="Half of the predictions are off by less than this.",
    formula=r"\mathrm{median}_i \, |f_i - y_i|",
    interval=Closed(
        lambda outcomes, level: (
            median_interval(_absolute(outcomes), outcomes.weight, level).interval
        )
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
    interval=metric.NoInterval(
        "None: more rows would hold a larger one, resamples of these never do."
    ),
    synonyms=("maximum absolute error", "worst error"),
    misleads="It rests on one row and grows with the number of rows; no resample holds a larger "
    "error than these rows, so resampling cannot say how sure it is (Bickel and Freedman 1981).",
)


BIAS = _error(
    compute=lambda table: table.mean_error,
    key="bias",
    summary="The mean of prediction minus truth: above 0, predictions are too high on average.",
    formula=r"\frac{1}{n} \sum_i (f_i - y_i)",
    low=-np.inf,
    better=Better.NEITHER,
    interval=Closed(
        lambda table, level: mean_interval(table.mean_error, _sd(table), table.n, level)
    ),
    synonyms=("mean error", "mean bias error", "ME"),
    misleads="Errors up and down cancel: 0 does not mean that predictions are good.",
)


def pinball(quantile: float, key: str = "") -> Metric:
    """Declare the loss of a prediction that is meant to be a quantile of the target."""

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
        source=cite("Koenker and Bassett (1978)"),
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
        low=-np.inf,
        better=Better.NEITHER,
        source=cite("Bland and Altman (1999)"),
        undefined_when="there are fewer than two rows",
        interval=Closed(lambda table, level: _limit_interval(table, level, side)),
        synonyms=("Bland-Altman limit", "95% limit of agreement"),
        misleads="It takes errors to be normal and equally spread for small and large values.",
    )


BLAND_ALTMAN_LOW = _limit(-1, "bland_altman_low", "Lower limit of agreement", "below")
BLAND_ALTMAN_HIGH = _limit(1, "bland_altman_high", "Upper limit of agreement", "above")


NO_SPREAD = "all true values are the same"


def mape_nonzero(table: ResidualMoments) -> Number:
    """Return the mean of |error| / |truth| over the rows whose truth is not 0."""
    return ratio(table.relative_error, table.nonzero)


MAPE = of_numbers(
    compute=lambda table: scalar(np.where(table.nonzero == table.n, mape_nonzero(table), np.nan)),
    key="mape",
    name="Mean absolute percentage error",
    summary="How far a prediction is off, as a share of the truth, on average.",
    formula=r"\frac{1}{n} \sum_i \frac{|f_i - y_i|}{|y_i|}",
    source=cite("de Myttenaere, Golden, Le Grand and Rossi (2016)"),
    undefined_when="a true value is 0",
    synonyms=("MAPE", "mean absolute relative error"),
    misleads="It punishes predictions that are too high more than those that are too low.",
)

MAPE_NONZERO = of_numbers(
    compute=mape_nonzero,
    key="mape_nonzero",
    name="Mean absolute percentage error, non-zero rows",
    summary="The mean absolute percentage error of the rows whose truth is not 0.",
    formula=r"\frac{1}{|\{i : y_i \neq 0\}|} \sum_{y_i \neq 0} \frac{|f_i - y_i|}{|y_i|}",
    source=cite("de Myttenaere, Golden, Le Grand and Rossi (2016)"),
    undefined_when="every true value is 0",
    synonyms=("MAPE without zeros",),
    misleads="Errors in the rows left out do not count at all.",
)

SMAPE = of_numbers(
    compute=lambda table: ratio(table.symmetric_error, table.n),
    key="smape",
    name="Symmetric mean absolute percentage error",
    summary="How far a prediction is off, as a share of the mean of truth and prediction.",
    formula=r"\frac{1}{n} \sum_i \frac{2 |f_i - y_i|}{|y_i| + |f_i|}",
    high=2,
    source=cite("Makridakis (1993)"),
    synonyms=("sMAPE",),
    misleads="It runs from 0 to 2; some halve it. A row with truth and prediction 0 adds 0, and "
    "one where only one of them is 0 adds 2, however small the other.",
)

WAPE = of_numbers(
    compute=lambda table: ratio(table.absolute_error, table.absolute_truth),
    key="wape",
    name="Weighted absolute percentage error",
    summary="All absolute errors together, as a share of all true values together.",
    formula=r"\frac{\sum_i |f_i - y_i|}{\sum_i |y_i|}",
    source=cite("Kolassa and Schütz (2007)"),
    undefined_when="every value is 0",
    infinite_when="every true value is 0, but not every prediction",
    synonyms=("WAPE", "MAD/mean ratio", "weighted MAPE"),
    misleads="Rows with large true values decide it.",
)

_logarithmic = partial(
    of_numbers,
    source=cite("scikit-learn user guide"),
    undefined_when="a truth or a prediction is -1 or less, which has no logarithm here",
    misleads="The 1 that is added ties it to the unit: thousands of euros give another value.",
)

MSLE = _logarithmic(
    compute=lambda table: ratio(table.log_squared_error, table.n),
    key="msle",
    name="Mean squared logarithmic error",
    summary="The mean squared difference of the logarithms of 1 + truth and 1 + prediction.",
    formula=r"\frac{1}{n} \sum_i (\log(1 + y_i) - \log(1 + f_i))^2",
    synonyms=("MSLE",),
)

RMSLE = _logarithmic(
    compute=lambda table: scalar(np.sqrt(ratio(table.log_squared_error, table.n))),
    key="rmsle",
    name="Root mean squared logarithmic error",
    summary="The size of a typical error in the logarithm: about the relative error, if small.",
    formula=r"\sqrt{\frac{1}{n} \sum_i (\log(1 + y_i) - \log(1 + f_i))^2}",
    synonyms=("RMSLE",),
)

MALE = _logarithmic(
    compute=lambda table: ratio(table.log_error, table.n),
    key="male",
    name="Mean absolute logarithmic error",
    summary="The mean distance of the logarithms of 1 + truth and 1 + prediction.",
    formula=r"\frac{1}{n} \sum_i |\log(1 + y_i) - \log(1 + f_i)|",
    source=cite("Tofallis (2015)"),
    synonyms=("MALE", "mean absolute log error"),
)


def rae(outcomes: NumericOutcomes) -> float:
    """Return the sum of absolute errors over that of predicting the mean of the truth."""
    table = ResidualMoments.of(outcomes)
    gaps = np.abs(outcomes.truth - table.mean_truth)
    spread = gaps.sum() if outcomes.weight is None else gaps @ outcomes.weight
    return float(table.absolute_error / spread) if table.truth_ss > 0 else float("nan")


def _rae_interval(outcomes: NumericOutcomes, level: float) -> Interval:
    """Return a normal interval by the delta method, from how much each row moves the ratio."""
    value, table = rae(outcomes), ResidualMoments.of(outcomes)
    weight = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    gap = outcomes.truth - table.mean_truth
    # A row moves the ratio by its error, by its distance from the mean, and by moving the mean.
    through_mean = gap * (weight @ np.sign(gap)) / table.n
    influence = np.abs(outcomes.prediction - outcomes.truth)
    influence -= value * (np.abs(gap) - through_mean)
    influence /= weight @ np.abs(gap)
    reach = normal_quantile(level) * float(np.sqrt(weight @ influence**2))
    return Interval(max(value - reach, 0.0), value + reach, "wald", level, degenerate=not reach)


_relative = partial(
    of_numbers,
    source=cite("Witten, Frank, Hall and Pal (2016)"),
    undefined_when=NO_SPREAD,
    misleads="The mean is that of these rows, which no model could know beforehand.",
)

RAE = _relative(
    compute=rae,
    needs=NumericOutcomes,
    key="rae",
    name="Relative absolute error",
    summary="The absolute errors as a share of those of always predicting the mean.",
    formula=r"\frac{\sum_i |f_i - y_i|}{\sum_i |y_i - \bar y|}",
    interval=Closed(_rae_interval),
    synonyms=("RAE",),
)

RRSE = _relative(
    compute=lambda table: scalar(
        np.sqrt(np.where(table.truth_ss, ratio(sse(table), table.truth_ss), np.nan))
    ),
    key="rrse",
    name="Root relative squared error",
    summary="The root mean squared error as a share of that of always predicting the mean.",
    formula=r"\sqrt{\frac{\sum_i (f_i - y_i)^2}{\sum_i (y_i - \bar y)^2}}",
    synonyms=("RRSE",),
)
