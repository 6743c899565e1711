"""Errors without a unit: as a share of the truth, or on the scale of logarithms."""

import numpy as np

from evalcore.metrics.regression_errors import NO_ROWS, of_numbers, sse
from evalcore.metrics.spec import IntervalBy, Number, Source, ratio, scalar
from evalcore.outcomes import NumericOutcomes
from evalcore.resampling.interval import Interval, normal_quantile
from evalcore.tables.residuals import ResidualMoments

MYTTENAERE = Source(
    "de Myttenaere, Golden, Le Grand and Rossi (2016), Mean absolute percentage error for "
    "regression models, Neurocomputing 192",
    "https://doi.org/10.1016/j.neucom.2015.12.114",
)
WITTEN = Source(
    "Witten, Frank, Hall and Pal (2016), Data Mining, 4th edition, 5.9",
    "https://doi.org/10.1016/C2015-0-02071-8",
)
LOGARITHM = "a truth or a prediction is -1 or less, which has no logarithm here"
NO_SPREAD = "all true values are the same"


def mape(table: ResidualMoments) -> Number:
    """Return the mean of |error| / |truth|; NaN if any truth is 0.

    >>> mape(ResidualMoments.from_values(np.array([2.0, 4.0]), np.array([3.0, 4.0])))
    0.25
    """
    return scalar(np.where(table.nonzero == table.n, mape_nonzero(table), np.nan))


def mape_nonzero(table: ResidualMoments) -> Number:
    """Return the mean of |error| / |truth| over the rows whose truth is not 0."""
    return ratio(table.relative_error, table.nonzero)


MAPE = of_numbers(
    compute=mape,
    key="mape",
    name="Mean absolute percentage error",
    summary="How far a prediction is off, as a share of the truth, on average.",
    formula=r"\frac{1}{n} \sum_i \frac{|f_i - y_i|}{|y_i|}",
    source=MYTTENAERE,
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
    source=MYTTENAERE,
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
    source=Source(
        "Makridakis (1993), Accuracy measures: theoretical and practical concerns, "
        "International Journal of Forecasting 9(4)",
        "https://doi.org/10.1016/0169-2070(93)90079-3",
    ),
    undefined_when=NO_ROWS,
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
    source=Source(
        "Kolassa and Schütz (2007), Advantages of the MAD/mean ratio over the MAPE, Foresight 6"
    ),
    undefined_when="every value is 0",
    infinite_when="every true value is 0, but not every prediction",
    synonyms=("WAPE", "MAD/mean ratio", "weighted MAPE"),
    misleads="Rows with large true values decide it.",
)

MSLE = of_numbers(
    compute=lambda table: ratio(table.log_squared_error, table.n),
    key="msle",
    name="Mean squared logarithmic error",
    summary="The mean squared difference of the logarithms of 1 + truth and 1 + prediction.",
    formula=r"\frac{1}{n} \sum_i (\log(1 + y_i) - \log(1 + f_i))^2",
    source=Source(
        "scikit-learn user guide, Mean squared logarithmic error",
        "https://scikit-learn.org/stable/modules/model_evaluation.html"
        "#mean-squared-logarithmic-error",
    ),
    undefined_when=LOGARITHM,
    synonyms=("MSLE",),
    misleads="The 1 that is added ties it to the unit: thousands of euros give another value.",
)

RMSLE = of_numbers(
    compute=lambda table: scalar(np.sqrt(ratio(table.log_squared_error, table.n))),
    key="rmsle",
    name="Root mean squared logarithmic error",
    summary="The size of a typical error in the logarithm: about the relative error, if small.",
    formula=r"\sqrt{\frac{1}{n} \sum_i (\log(1 + y_i) - \log(1 + f_i))^2}",
    source=MSLE.source,
    undefined_when=LOGARITHM,
    synonyms=("RMSLE",),
    misleads=MSLE.misleads,
)

MALE = of_numbers(
    compute=lambda table: ratio(table.log_error, table.n),
    key="male",
    name="Mean absolute logarithmic error",
    summary="The mean distance of the logarithms of 1 + truth and 1 + prediction.",
    formula=r"\frac{1}{n} \sum_i |\log(1 + y_i) - \log(1 + f_i)|",
    source=Source(
        "Tofallis (2015), A better measure of relative prediction accuracy for model selection "
        "and model estimation, Journal of the Operational Research Society 66(8)",
        "https://doi.org/10.1057/jors.2014.103",
    ),
    undefined_when=LOGARITHM,
    synonyms=("MALE", "mean absolute log error"),
    misleads=MSLE.misleads,
)


def rae(outcomes: NumericOutcomes) -> float:
    """Return the sum of absolute errors over that of predicting the mean of the truth.

    >>> rae(NumericOutcomes(truth=np.array([1.0, 3.0]), prediction=np.array([2.0, 3.0])))
    0.5
    """
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


RAE = of_numbers(
    compute=rae,
    needs=NumericOutcomes,
    key="rae",
    name="Relative absolute error",
    summary="The absolute errors as a share of those of always predicting the mean.",
    formula=r"\frac{\sum_i |f_i - y_i|}{\sum_i |y_i - \bar y|}",
    source=WITTEN,
    interval=IntervalBy.CLOSED,
    ends=_rae_interval,
    undefined_when=NO_SPREAD,
    synonyms=("RAE",),
    misleads="The mean is that of these rows, which no model could know beforehand.",
)

RRSE = of_numbers(
    compute=lambda table: scalar(
        np.sqrt(np.where(table.truth_ss, ratio(sse(table), table.truth_ss), np.nan))
    ),
    key="rrse",
    name="Root relative squared error",
    summary="The root mean squared error as a share of that of always predicting the mean.",
    formula=r"\sqrt{\frac{\sum_i (f_i - y_i)^2}{\sum_i (y_i - \bar y)^2}}",
    source=WITTEN,
    undefined_when=NO_SPREAD,
    synonyms=("RRSE",),
    misleads=RAE.misleads,
)
