"""From a number about predicted numbers back to the sums over rows that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from evalcore.tables.residuals import ResidualMoments
from pages.explained.working import Working, share, text


def _squares(table: ResidualMoments) -> float:
    return float(table.error_ss + table.bias_ss)


_ERRORS, _SQUARED = "absolute errors, added up", "squared errors, added up"
_SPREAD = "squared distances of the truth from its mean, added up"


def _mean_squared(table: ResidualMoments) -> Working:
    return share(_SQUARED, "rows")(_squares(table), float(table.n))


def _relative_squared(table: ResidualMoments) -> Working:
    return share(_SQUARED, _SPREAD)(_squares(table), float(table.truth_ss))


def _left_over(table: ResidualMoments) -> Working:
    of = share("squared errors about their mean, added up", _SPREAD)
    return of(float(table.error_ss), float(table.truth_ss))


def _mean_log_squared(table: ResidualMoments) -> Working:
    of = share("squared errors of the logarithms, added up", "rows")
    return of(float(table.log_squared_error), float(table.n))


def _pearson(table: ResidualMoments) -> Working:
    products, of_truth, of_prediction = map(text, ("products", "truth", "prediction"))
    return Working(
        rf"\frac{{{products}}}{{\sqrt{{{of_truth} \cdot {of_prediction}}}}}",
        {
            products: float(table.product_ss),
            of_truth: float(table.truth_ss),
            of_prediction: float(table.prediction_ss),
        },
    )


OF_NUMBERS: Mapping[str, Callable[[ResidualMoments], Working]] = MappingProxyType(
    {
        "rmse": lambda table: _mean_squared(table).put_into(r"\sqrt{@}"),
        "mse": _mean_squared,
        "mae": lambda table: share(_ERRORS, "rows")(float(table.absolute_error), float(table.n)),
        "r2": lambda table: _relative_squared(table).put_into("1 - @"),
        "rrse": lambda table: _relative_squared(table).put_into(r"\sqrt{@}"),
        "bias": lambda table: share("errors, added up", "rows")(
            float(table.mean_error * table.n), float(table.n)
        ),
        "explained_variance": lambda table: _left_over(table).put_into("1 - @"),
        "mape": lambda table: share("relative errors, added up", "rows")(
            float(table.relative_error), float(table.n)
        ),
        "mape_nonzero": lambda table: share("relative errors, added up", "rows not 0")(
            float(table.relative_error), float(table.nonzero)
        ),
        "smape": lambda table: share("relative errors, added up", "rows")(
            float(table.symmetric_error), float(table.n)
        ),
        "wape": lambda table: share(_ERRORS, "sizes of the true values, added up")(
            float(table.absolute_error), float(table.absolute_truth)
        ),
        "msle": _mean_log_squared,
        "rmsle": lambda table: _mean_log_squared(table).put_into(r"\sqrt{@}"),
        "male": lambda table: share("errors of the logarithms, added up", "rows")(
            float(table.log_error), float(table.n)
        ),
        "pearson": _pearson,
    }
)
