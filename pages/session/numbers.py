"""How predicted numbers err, and stated intervals, computed once per data set and model."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats, NumericOutcomes
from evalcore.tables.residuals import ResidualMoments
from evalread.dataset import Dataset
from evalread.detection.profile import profile
from evalread.detection.scores import Bounds, prediction_bounds
from evalview import selections
from evalview.figures import errors, lines
from evalview.figures.errors import PREDICTED, Against
from evalview.figures.numbers import FittedLine
from evalview.lab.quantiles import QuantileTable
from pages.session import computed
from pages.session.cache import cached

COLUMNS_TRIED = 200
"""Columns of a wide file that are offered to look at errors by."""

ACTUAL = Against(selections.ACTUAL, "the true number")
ORDER = Against(selections.ORDER, "the order of the rows in the file")
OWN = (PREDICTED, ACTUAL, ORDER)

T = TypeVar("T")


def outcomes(dataset: Dataset, model: str) -> NumericOutcomes:
    """Return the checked numbers of a model."""
    found = dataset.models[model]
    assert isinstance(found, NumericOutcomes)
    return found


@cached(entries=400)
def of_errors(dataset: Dataset, model: str, make: Callable[[Floats, Floats | None], T]) -> T:
    """Return what the errors of a model and the weights of its rows make, such as a curve."""
    told = outcomes(dataset, model)
    return make(told.prediction - told.truth, told.weight)


@cached(entries=100)
def line(dataset: Dataset, model: str) -> FittedLine:
    """Return the least-squares line of truth on prediction."""
    return FittedLine.from_moments(ResidualMoments.of(outcomes(dataset, model)))


@cached(entries=100)
def halfway(dataset: Dataset, model: str) -> lines.Scatter:
    """Return the mean of truth and prediction beside their difference."""
    told = outcomes(dataset, model)
    middle = told.truth + (told.prediction - told.truth) / 2
    return lines.Scatter.from_values(middle, told.prediction - told.truth, told.rows)


@cached(entries=100)
def against_truth(dataset: Dataset, model: str) -> lines.Scatter:
    """Return predicted numbers beside the true ones."""
    numbers = computed.tables(dataset)[model].numbers
    assert numbers is not None
    return lines.Scatter.from_values(numbers.prediction, numbers.truth, numbers.rows)


@cached(entries=100)
def residuals(dataset: Dataset, model: str) -> tuple[lines.Scatter, lines.Trend]:
    """Return predicted numbers beside their errors, and how these are spread."""
    numbers = computed.tables(dataset)[model].numbers
    assert numbers is not None
    error = numbers.prediction - numbers.truth
    return (
        lines.Scatter.from_values(numbers.prediction, error, numbers.rows),
        lines.Trend.from_values(numbers.prediction, error),
    )


def offered(dataset: Dataset) -> tuple[Against, ...]:
    """Return what errors can be looked at by: the numbers themselves, and columns of the file."""
    return (*OWN, *_columns(dataset))


@cached(entries=100)
def against(dataset: Dataset, model: str, by: Against) -> errors.Errors:
    """Return the errors from small to large values of something; rows without it are left out."""
    told = outcomes(dataset, model)
    try:
        values = selections.values_of(dataset, selections.Selection(model), by.of)
    except EvalError:  # what is no number, in a row beyond the sample, is missing
        values = np.full(told.n, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    whole = len(known) == len(values)
    kept = slice(None) if whole else known
    error, x = (told.prediction - told.truth)[kept], values[kept]
    rows = np.arange(1, told.n + 1) if told.rows is None else told.rows
    weight = None if told.weight is None else told.weight[kept]
    left_out = len(values) - len(x)
    return errors.Errors.from_values(by, x, error, rows[kept], weight, left_out)


@cached(entries=24)
def _columns(dataset: Dataset) -> tuple[Against, ...]:
    """Return the columns of numbers and of dates that play no role of their own."""
    roles = dataset.roles
    taken = {roles.truth, roles.weight}
    taken |= {name for model in roles.models.values() for name in model.columns}
    free = [name for name in dataset.table.names if name not in taken][:COLUMNS_TRIED]
    found = []
    for name in free:
        seen = profile(dataset.table, name)
        if seen.numeric and not seen.constant:
            found.append(Against(name, f"the column “{name}”", column=True))
        elif seen.moment or (not seen.numeric and selections.dates(dataset, name) is not None):
            found.append(Against(name, f"the column “{name}”", column=True, dates=True))
    return tuple(found)


def found(dataset: Dataset) -> Mapping[str, Bounds]:
    """Return the columns round the predictions of each model that has any."""
    return prediction_bounds(dataset.table.names, dataset.roles)


def asks_level(dataset: Dataset) -> bool:
    """Return whether an interval is stated without the share that it should hold."""
    return any(end.promised is None for one in found(dataset).values() for end in one.ends)


@cached(entries=100)
def quantiles(dataset: Dataset, model: str, promised: float) -> QuantileTable:
    """Return each stated quantile of a model against what came true."""
    return errors.quantile_table(dataset, model, promised)


@cached(entries=100)
def intervals(dataset: Dataset, model: str, promised: float) -> tuple[errors.Stated, ...]:
    """Return the intervals that a model states, the widest first; `promised` where none is said."""
    return errors.stated_intervals(dataset, model, promised)
