"""How much of the variation of the truth predictions account for."""

from functools import partial

import numpy as np

from evalcore.metrics.regression_errors import INFINITY, NO_ROWS, TOO_LARGE, of_numbers, sse
from evalcore.metrics.regression_relative import NO_SPREAD
from evalcore.metrics.spec import Better, IntervalBy, Metric, Number, Source, ratio, scalar
from evalcore.tables.residuals import ResidualMoments

KVALSETH = Source(
    "Kvålseth (1985), Cautionary note about R2, The American Statistician 39(4)",
    "https://doi.org/10.1080/00031305.1985.10479448",
)


_fit = partial(
    of_numbers,
    low=-INFINITY,
    high=1,
    better=Better.HIGHER,
    undefined_when=NO_SPREAD,
    infinite_when="",
)


def _one_minus_share(part: Number, table: ResidualMoments) -> Number:
    """Return 1 - part / tss; NaN where the truth does not vary."""
    return scalar(1 - np.where(table.truth_ss, ratio(part, table.truth_ss), np.nan))


def r2(table: ResidualMoments) -> Number:
    """Return the share of the truth's variation that predictions account for.

    >>> r2(ResidualMoments.from_values(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])))
    0.5
    """
    return _one_minus_share(sse(table), table)


R2 = _fit(
    compute=r2,
    key="r2",
    name="R squared",
    summary="The share of the truth's variation that predictions account for: 0 is as good as "
    "always predicting the mean, below 0 worse.",
    formula=r"1 - \frac{\sum_i (f_i - y_i)^2}{\sum_i (y_i - \bar y)^2}",
    source=KVALSETH,
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
        source=Source("Ezekiel (1930), Methods of Correlation Analysis, Wiley"),
        undefined_when="the number of predictors is not given, or too large for the rows, or "
        + NO_SPREAD,
        parameters={"predictors": float(predictors)},
        misleads="It is meant for the rows that the model was fitted to.",
    )


ADJUSTED_R2 = adjusted_r2(float("nan"), key="adjusted_r2")

EXPLAINED_VARIANCE = _fit(
    compute=lambda table: _one_minus_share(table.error_ss, table),
    key="explained_variance",
    name="Explained variance",
    summary="R squared as it would be if the bias were taken off every prediction.",
    formula=r"1 - \frac{\mathrm{Var}(f - y)}{\mathrm{Var}(y)}",
    source=KVALSETH,
    misleads="It does not see that all predictions are too high or too low.",
)


_sum = partial(
    _fit,
    low=0,
    high=INFINITY,
    better=Better.NEITHER,
    interval=IntervalBy.NONE,
    source=KVALSETH,
    infinite_when=TOO_LARGE,
    undefined_when=NO_ROWS,
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
