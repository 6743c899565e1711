"""How closely predictions follow the truth: variation accounted for, and correlations."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalcore.intervals.closed import ATANH, LOG_LOST, Interval, fisher_interval
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
from evalcore.metrics.regression import NO_SPREAD, of_numbers, sse
from evalcore.metrics.sources import cite
from evalcore.outcomes import Number
from evalcore.tables.residuals import Pairs, Ranks, ResidualMoments

_HEAVY = 6.0
"""Kurtosis of the Laplace distribution; above, few rows hold much of the variation of the truth."""

_ERRATIC = 0.1
"""Above so large a relative error of the truth's variance, intervals that rest on it are narrow."""


@dataclass(frozen=True)
class ByVariation(OnScale):
    """An interval that rests on how the truth varies, with a caveat where few rows decide that."""

    def _caveat(self, table: ResidualMoments, sample: Sample) -> str:
        drawn = sample.draws(TSS)
        if drawn is None or not table.truth_ss:
            return ""
        error = float(drawn.values.std()) / float(table.truth_ss)
        if error < _ERRATIC or 1 + float(table.n) * error**2 < _HEAVY:
            return ""
        return (
            "a few rows hold much of the variation of the truth: the interval is likely too narrow"
        )


_fit = partial(
    Metric,
    family=Family.VALUES,
    needs=ResidualMoments,
    low=-np.inf,
    interval=ByVariation(LOG_LOST),
    undefined_when=NO_SPREAD,
)


def _one_minus_share(part: Number, table: ResidualMoments) -> Number:
    """Return 1 - part / tss; NaN where the truth does not vary."""
    return scalar(1 - np.where(table.truth_ss, ratio(part, table.truth_ss), np.nan))


def r2(table: ResidualMoments) -> Number:
    """Return the share of the truth's variation that predictions account for."""
    return _one_minus_share(sse(table), table)


R2 = _fit(
    compute=r2,
    key="r2",
    name="R squared",
    summary="The share of the truth's variation that predictions account for: 0 is as good as "
    "always predicting the mean, below 0 worse.",
    formula=r"1 - \frac{\sum_i (f_i - y_i)^2}{\sum_i (y_i - \bar y)^2}",
    source=cite("Kvålseth (1985)"),
    synonyms=("coefficient of determination", "Nash-Sutcliffe efficiency"),
    misleads="It is not the squared correlation, and it falls if the truth varies less, with "
    "errors of the same size.",
)


def adjusted_r2(predictors: float, key: str = "") -> Metric:
    """Declare R squared with a penalty for the number of predictors in the model."""

    def compute(table: ResidualMoments) -> Number:
        left = table.n - predictors - 1
        penalty = np.where(left > 0, ratio(table.n - 1, left), np.nan)
        return scalar(1 - (1 - np.asarray(r2(table))) * penalty)

    return _fit(
        compute=compute,
        key=key or f"adjusted_r2({predictors:g})",
        name="Adjusted R squared",
        summary="R squared with a penalty for every predictor in the model.",
        formula=r"1 - (1 - R^2) \frac{n - 1}{n - p - 1}",
        source=cite("Ezekiel (1930)"),
        undefined_when="the number of predictors is not given, or too large for the rows, or "
        + NO_SPREAD,
        parameters={"predictors": float(predictors)},
        misleads="It is meant for the rows that the model was fitted to.",
    )


ADJUSTED_R2 = adjusted_r2(float("nan"), key="adjusted_r2")

EXPLAINED_VARIANCE = _fit(
    compute=lambda table: _one_minus_share(table.error_ss, table),
    key="explained_variance",
    summary="R squared as it would be if the bias were taken off every prediction.",
    formula=r"1 - \frac{\mathrm{Var}(f - y)}{\mathrm{Var}(y)}",
    source=cite("Kvålseth (1985)"),
    misleads="It does not see that all predictions are too high or too low.",
)


_sum = partial(
    of_numbers,
    better=Better.NEITHER,
    interval=DESCRIPTION,
    source=cite("Kvålseth (1985)"),
    misleads="Total = residual + explained holds for least squares with an intercept on its "
    "own training data; elsewhere the three do not add up. Some books swap the short names.",
)

TSS = _sum(
    compute=lambda table: table.truth_ss,
    key="tss",
    name="Total sum of squares",
    summary="How much the truth varies about its mean.",
    formula=r"\sum_i (y_i - \bar y)^2",
    synonyms=("TSS", "SST"),
)

RSS = _sum(
    compute=sse,
    key="rss",
    name="Residual sum of squares",
    summary="What predictions leave unexplained: the squared errors, added up.",
    formula=r"\sum_i (y_i - f_i)^2",
    better=Better.LOWER,
    synonyms=("RSS", "SSR", "error sum of squares", "SSE"),
)

ESS = _sum(
    compute=lambda table: table.prediction_ss + table.bias_ss,
    key="ess",
    name="Explained sum of squares",
    summary="How much predictions vary about the mean of the truth.",
    formula=r"\sum_i (f_i - \bar y)^2",
    synonyms=("ESS", "regression sum of squares"),
)


_NO_VARIATION = "all true values or all predictions are the same"


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
        **{
            "undefined_when": _NO_VARIATION,
            **declaration,
        },
    )


def _over_rows(variance: float, n: float, lost: int) -> float:
    return float(np.sqrt(variance / (n - lost))) if n > lost else np.nan


_linear = partial(
    Metric,
    family=Family.VALUES,
    needs=ResidualMoments,
    low=-1,
    interval=ByVariation(ATANH),
)

PEARSON = _linear(
    compute=pearson,
    key="pearson",
    name="Pearson correlation",
    summary="How closely truth and prediction follow a straight line, whichever it is.",
    formula=r"\frac{\sum_i (y_i - \bar y)(f_i - \bar f)}"
    r"{\sqrt{\sum_i (y_i - \bar y)^2 \sum_i (f_i - \bar f)^2}}",
    source=cite("Pearson (1895)"),
    undefined_when=_NO_VARIATION,
    synonyms=("r", "linear correlation"),
    misleads="Predictions that are all ten times too high correlate perfectly.",
)


def concordance(table: ResidualMoments) -> Number:
    """Return Lin's concordance correlation coefficient."""
    spread = table.truth_ss + table.prediction_ss + table.bias_ss
    return ratio(2 * table.product_ss, spread)


CONCORDANCE = _linear(
    compute=concordance,
    key="concordance_correlation",
    summary="How closely predictions follow the line where they equal the truth.",
    formula=r"\frac{2 \sum_i (y_i - \bar y)(f_i - \bar f)}"
    r"{\sum_i (y_i - \bar y)^2 + \sum_i (f_i - \bar f)^2 + n (\bar y - \bar f)^2}",
    source=cite("Lin (1989)"),
    undefined_when="truth and predictions are all the same value",
    synonyms=("CCC", "Lin's concordance"),
    misleads="Like every correlation it rises with the spread of the truth.",
)


SPEARMAN = _correlation(
    lambda ranks, value: _over_rows(1 + value**2 / 2, ranks.n, 3),
    compute=lambda ranks: float(pearson(ranks.moments)),
    needs=Ranks,
    key="spearman",
    name="Spearman correlation",
    summary="How well predictions put the rows in the order of the truth: Pearson's of the ranks.",
    formula=r"r(\mathrm{rank}(y), \mathrm{rank}(f))",
    source=cite("Bonett and Wright (2000)"),
    synonyms=("rank correlation", "rho"),
    misleads="It says nothing about the size of errors.",
)


def tau_a(pairs: Pairs) -> Number:
    """Return concordant minus discordant pairs over all pairs."""
    return ratio(pairs.concordant - pairs.discordant, pairs.total)


def tau_b(pairs: Pairs) -> Number:
    """Return concordant minus discordant pairs over those that either orders."""
    scale = np.sqrt((pairs.total - pairs.tied_truth) * (pairs.total - pairs.tied_prediction))
    return scalar(np.clip(ratio(pairs.concordant - pairs.discordant, scale), -1, 1))


def _kendall(letter: str, compute: Callable[[Pairs], Number], **declaration: Any) -> Metric:
    return _correlation(
        lambda ranks, _: _over_rows(0.437, ranks.n, 4),
        compute=lambda ranks: compute(ranks.pairs),
        needs=Ranks,
        key=f"kendall_tau_{letter}",
        name=f"Kendall's tau-{letter}",
        misleads="It is smaller than Spearman's for the same data: do not compare the two.",
        **declaration,
    )


KENDALL_TAU_A = _kendall(
    "a",
    tau_a,
    summary="Of all pairs of rows, how many more predictions order rightly than wrongly.",
    formula=r"\frac{C - D}{n (n - 1) / 2}",
    source=cite("Kendall (1938)"),
    undefined_when="there are fewer than two rows",
)

KENDALL_TAU_B = _kendall(
    "b",
    tau_b,
    summary="As tau-a, but with equal values taken out of what can be reached.",
    formula=r"\frac{C - D}{\sqrt{(C + D + T_y)(C + D + T_f)}}",
    source=cite("Kendall (1945)"),
)
