"""The intervals and quantiles that a file states round its predictions."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.curves.error_groups import ErrorGroups
from evalcore.curves.quantiles import Coverage, QuantileTable
from evalcore.intake.columns import numbers_of
from evalcore.intake.model import Dataset
from evalcore.intake.quantiles import Bounds, Ends, stated
from evalcore.outcomes import Floats
from pages.session import errors

DAY = 24 * 3600


@dataclass(frozen=True, eq=False)
class Stated:
    """What a model states of one interval, and what came true.

    Attributes:
        lower: The column of the lower ends.
        upper: That of the upper ones.
        said: Whether the file says which share it should hold.
        coverage: How often the interval holds the truth.
        groups: The same in tenths of the rows by prediction: `bias` is the share that is held.
    """

    lower: str
    upper: str
    said: bool
    coverage: Coverage
    groups: ErrorGroups


def found(dataset: Dataset) -> Mapping[str, Bounds]:
    """Return the columns round the predictions of each model that has any."""
    return stated(dataset.table.names, dataset.roles)


def asks_level(dataset: Dataset) -> bool:
    """Tell whether an interval is stated without the share that it should hold."""
    return any(end.promised is None for one in found(dataset).values() for end in one.ends)


def quantiles(dataset: Dataset, model: str, promised: float) -> QuantileTable:
    """Return each stated quantile of a model against what came true."""
    return _quantiles(dataset.digest, model, promised, dataset)


def intervals(dataset: Dataset, model: str, promised: float) -> tuple[Stated, ...]:
    """Return the intervals that a model states, the widest first; `promised` where none is said."""
    return _intervals(dataset.digest, model, promised, dataset)


def _levels(said: Bounds, promised: float) -> dict[float, str]:
    """Return level -> column, ends of intervals taken for the quantiles that they are."""
    levels = {}
    for end in said.ends:
        share = promised if end.promised is None else end.promised
        levels |= {(1 - share) / 2: end.lower, (1 + share) / 2: end.upper}
    return {**said.quantiles} or levels


def _pairs(said: Bounds, promised: float) -> list[Ends]:
    """Return each interval with the share it promises, the widest first."""
    levels = sorted(said.quantiles.items())
    pairs = [
        Ends(below, above, round(high - low, 9))
        for low, below in levels
        for high, above in levels
        if low < 0.5 and abs(low + high - 1) < 1e-9
    ]
    pairs += said.ends
    return sorted(pairs, key=lambda one: -(one.promised or promised))


def _values(dataset: Dataset, model: str, columns: tuple[str, ...]) -> list[Floats]:
    """Return truth, prediction, weight and columns on the rows that have all of them."""
    told = errors.outcomes(dataset, model)
    places = slice(None) if told.rows is None else told.rows - 1
    said = [numbers_of(dataset.table, column).values[places] for column in columns]
    weight = np.ones(told.n) if told.weight is None else told.weight
    every = [told.truth, told.prediction, weight, *said]
    kept = np.isfinite(every).all(axis=0)
    return [values[kept] for values in every]


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _quantiles(digest: str, model: str, promised: float, _dataset: Dataset) -> QuantileTable:
    levels = _levels(found(_dataset)[model], promised)
    truth, _, weight, *said = _values(_dataset, model, tuple(levels.values()))
    return QuantileTable.from_values(truth, dict(zip(levels, said, strict=True)), weight)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _intervals(digest: str, model: str, promised: float, _dataset: Dataset) -> tuple[Stated, ...]:
    made = []
    for one in _pairs(found(_dataset)[model], promised):
        truth, prediction, weight, low, high = _values(_dataset, model, (one.lower, one.upper))
        held = ((low <= truth) & (truth <= high)).astype(np.float64)
        coverage = Coverage.from_values(truth, (low, high), one.promised or promised, weight)
        groups = ErrorGroups.from_values(prediction, held, weight)
        made.append(Stated(one.lower, one.upper, one.promised is not None, coverage, groups))
    return tuple(made)
