"""How far predicted numbers lie from the true ones, and how closely they follow them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalcore.intervals.closed import (
    ATANH,
    LINEAR,
    LOG,
    LOG_LOST,
    Interval,
    fisher_interval,
    mean_interval,
    median_interval,
    normal_quantile,
)
from evalcore.metrics import metric
from evalcore.metrics.metric import (
    DESCRIPTION,
    Better,
    Closed,
    Family,
    Metric,
    OnScale,
    Sample,
    ratio,
    scalar,
)
from evalcore.outcomes import Floats, Number, NumericOutcomes
from evalcore.tables.residuals import Pairs, Ranks, ResidualMoments

of_numbers = partial(
    Metric,
    family=Family.VALUES,
    needs=ResidualMoments,
    interval=metric.OnScale(LOG),
    high=np.inf,
    better=Better.LOWER,
)
_error = partial(of_numbers, unit="unit")


def sse(table: ResidualMoments) -> Number:
    """Return the sum of squared errors."""
    return table.error_ss + table.bias_ss


def mse(table: ResidualMoments) -> Number:
    """Return the mean squared error."""
    return ratio(sse(table), table.n)


MAE = _error(compute=lambda table: ratio(table.absolute_error, table.n), key="mae")
MSE = _error(compute=mse, key="mse", unit="")
RMSE = _error(compute=lambda table: scalar(np.sqrt(mse(table))), key="rmse")
SSE = _error(compute=sse, key="sse", interval=metric.DESCRIPTION, unit="")


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
    interval=Closed(
        lambda outcomes, level: (
            median_interval(_absolute(outcomes), outcomes.weight, level).interval
        )
    ),
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
    interval=metric.NoInterval(
        "None: more rows could hold a larger error; resamples of these never do."
    ),
)


BIAS = _error(
    compute=lambda table: table.mean_error,
    key="bias",
    low=-np.inf,
    better=Better.NEITHER,
    interval=Closed(
        lambda table, level: mean_interval(table.mean_error, _sd(table), table.n, level)
    ),
)


def pinball(quantile: float, key: str = "") -> Metric:
    """Declare the loss of a prediction that is meant to be a quantile of the target."""

    def compute(table: ResidualMoments) -> Number:
        too_high = (ratio(table.absolute_error, table.n) + table.mean_error) / 2
        return scalar(np.maximum(too_high - quantile * table.mean_error, 0.0))

    return _error(
        compute=compute,
        key=key or f"pinball({quantile:g})",
        parameters={"quantile": float(quantile)},
    )


PINBALL = pinball(0.5, key="pinball")

_LIMIT = 1.959963984540054
"""Limits of agreement hold 95% of normal errors, whatever the level of their own intervals."""


def _sd(table: ResidualMoments) -> Number:
    variance = ratio(table.error_ss, table.n - 1)
    return scalar(np.sqrt(np.where(table.n > 1, variance, np.nan)))


_HEAVY = 6.0
"""Kurtosis of the Laplace distribution; above, few rows hold much of a variation."""

_ERRATIC = 0.1
"""Above so large a relative error of a variance, intervals that rest on it are narrow."""


_CLEARLY = 1.1
"""By so much a standard error exceeds that of normal errors before these are taken not to be."""


@dataclass(frozen=True)
class ByVariation(OnScale):
    """An interval that rests on how the truth varies, with a caveat where few rows decide that.

    `of` is the sum of squares of what varies, and `what` it is.
    """

    of: Callable[[ResidualMoments], Number] = lambda table: table.truth_ss
    what: str = "truth’s"

    def _caveat(self, table: ResidualMoments, sample: Sample) -> str:
        drawn = sample.draws(_sum(compute=self.of, key="", summary=self.what))
        if drawn is None or not self.of(table):
            return ""
        error = float(drawn.values.std()) / float(self.of(table))
        if error < _ERRATIC or 1 + float(table.n) * error**2 < _HEAVY:
            return ""
        return (
            f"a few rows hold much of the {self.what} variation: the interval is likely too narrow"
        )


@dataclass(frozen=True)
class OfLimit(ByVariation):
    """The interval of a limit of agreement, as wide as normal errors ask, or as these do.

    Source of the former: Bland and Altman (1999), Statistical Methods in Medical Research 8.
    """

    says = (
        "Student’s t with the standard error that normal errors would have, or with that of a "
        "bootstrap of the rows if that is larger by a tenth."
    )

    def _of_draws(
        self, metric: Metric, table: Any, value: float, draws: Floats, level: float
    ) -> Interval:
        drawn = super()._of_draws(metric, table, value, draws, level)
        # Standard error of mean + z sd under normal errors, as if it were a mean of n values.
        spread = _sd(table) * np.sqrt(1 + _LIMIT**2 * table.n / (2 * (table.n - 1)))
        normal = mean_interval(value, spread, table.n, level)
        wider = drawn.high - value > _CLEARLY * (normal.high - value)
        return drawn if wider else normal


def _limit(side: int, key: str) -> Metric:
    return _error(
        compute=lambda table: table.mean_error + side * _LIMIT * _sd(table),
        key=key,
        low=-np.inf,
        better=Better.NEITHER,
        interval=OfLimit(LINEAR, lambda table: table.error_ss, "errors’"),
    )


BLAND_ALTMAN_LOW = _limit(-1, "bland_altman_low")
BLAND_ALTMAN_HIGH = _limit(1, "bland_altman_high")


def mape_nonzero(table: ResidualMoments) -> Number:
    """Return the mean of |error| / |truth| over the rows whose truth is not 0."""
    return ratio(table.relative_error, table.nonzero)


MAPE = of_numbers(
    compute=lambda table: scalar(np.where(table.nonzero == table.n, mape_nonzero(table), np.nan)),
    key="mape",
)

MAPE_NONZERO = of_numbers(compute=mape_nonzero, key="mape_nonzero")
SMAPE = of_numbers(compute=lambda table: ratio(table.symmetric_error, table.n), key="smape", high=2)

WAPE = of_numbers(
    compute=lambda table: ratio(table.absolute_error, table.absolute_truth), key="wape"
)

MSLE = of_numbers(compute=lambda table: ratio(table.log_squared_error, table.n), key="msle")

RMSLE = of_numbers(
    compute=lambda table: scalar(np.sqrt(ratio(table.log_squared_error, table.n))), key="rmsle"
)

MALE = of_numbers(compute=lambda table: ratio(table.log_error, table.n), key="male")


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


RAE = of_numbers(compute=rae, needs=NumericOutcomes, key="rae", interval=Closed(_rae_interval))

RRSE = of_numbers(
    compute=lambda table: scalar(
        np.sqrt(np.where(table.truth_ss, ratio(sse(table), table.truth_ss), np.nan))
    ),
    key="rrse",
)


_fit = partial(
    Metric, family=Family.VALUES, needs=ResidualMoments, low=-np.inf, interval=ByVariation(LOG_LOST)
)


def _one_minus_share(part: Number, table: ResidualMoments) -> Number:
    """Return 1 - part / tss; NaN where the truth does not vary."""
    return scalar(1 - np.where(table.truth_ss, ratio(part, table.truth_ss), np.nan))


def r2(table: ResidualMoments) -> Number:
    """Return the share of the truth's variation that predictions account for."""
    return _one_minus_share(sse(table), table)


R2 = _fit(compute=r2, key="r2")


def adjusted_r2(predictors: float, key: str = "") -> Metric:
    """Declare R squared with a penalty for the number of predictors in the model."""

    def compute(table: ResidualMoments) -> Number:
        left = table.n - predictors - 1
        penalty = np.where(left > 0, ratio(table.n - 1, left), np.nan)
        return scalar(1 - (1 - np.asarray(r2(table))) * penalty)

    return _fit(
        compute=compute,
        key=key or f"adjusted_r2({predictors:g})",
        parameters={"predictors": float(predictors)},
    )


ADJUSTED_R2 = adjusted_r2(float("nan"), key="adjusted_r2")

EXPLAINED_VARIANCE = _fit(
    compute=lambda table: _one_minus_share(table.error_ss, table), key="explained_variance"
)


_sum = partial(of_numbers, better=Better.NEITHER, interval=DESCRIPTION)

TSS = _sum(compute=lambda table: table.truth_ss, key="tss")
RSS = _sum(compute=sse, key="rss", better=Better.LOWER)
ESS = _sum(compute=lambda table: table.prediction_ss + table.bias_ss, key="ess")


def pearson(table: ResidualMoments) -> Number:
    """Return the linear correlation of truth and prediction."""
    scale = np.sqrt(table.truth_ss * table.prediction_ss)
    return scalar(np.clip(np.where(scale, ratio(table.product_ss, scale), np.nan), -1, 1))


def _correlation(error: Callable[[Any, float], float], **declaration: Any) -> Metric:
    """Declare a correlation, given its standard error for a table and a value, after atanh."""
    compute = declaration["compute"]

    def ends(table: Any, level: float) -> Interval:
        return fisher_interval(compute(table), lambda value: error(table, value), level)

    return Metric(
        family=Family.VALUES,
        low=-1,
        interval=Closed(ends, "Fisher’s method for a correlation, without resampling."),
        **declaration,
    )


def _over_rows(variance: float, n: float, lost: int) -> float:
    return float(np.sqrt(variance / (n - lost))) if n > lost else np.nan


_linear = partial(
    Metric, family=Family.VALUES, needs=ResidualMoments, low=-1, interval=ByVariation(ATANH)
)

PEARSON = _linear(compute=pearson, key="pearson")


def concordance(table: ResidualMoments) -> Number:
    """Return Lin's concordance correlation coefficient."""
    spread = table.truth_ss + table.prediction_ss + table.bias_ss
    return ratio(2 * table.product_ss, spread)


CONCORDANCE = _linear(compute=concordance, key="concordance_correlation")


SPEARMAN = _correlation(
    lambda ranks, value: _over_rows(1 + value**2 / 2, ranks.n, 3),
    compute=lambda ranks: float(pearson(ranks.moments)),
    needs=Ranks,
    key="spearman",
)


def tau_a(pairs: Pairs) -> Number:
    """Return concordant minus discordant pairs over all pairs."""
    return ratio(pairs.concordant - pairs.discordant, pairs.total)


def tau_b(pairs: Pairs) -> Number:
    """Return concordant minus discordant pairs over those that either orders."""
    # Sums of weights may exceed their total by what was rounded.
    ordered = (pairs.total - tied for tied in (pairs.tied_truth, pairs.tied_prediction))
    scale = np.sqrt(np.prod([np.where(rest > 0, rest, np.nan) for rest in ordered], axis=0))
    return scalar(np.clip(ratio(pairs.concordant - pairs.discordant, scale), -1, 1))


def _kendall(letter: str, compute: Callable[[Pairs], Number]) -> Metric:
    return _correlation(
        lambda ranks, _: _over_rows(0.437, ranks.n, 4),
        compute=lambda ranks: compute(ranks.pairs),
        needs=Ranks,
        key=f"kendall_tau_{letter}",
    )


KENDALL_TAU_A = _kendall("a", tau_a)
KENDALL_TAU_B = _kendall("b", tau_b)
