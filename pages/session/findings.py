"""What stands out in the results, computed once per data set and settings like these."""

from collections.abc import Mapping

import streamlit as st

from evalcore.curves.calibration import CalibrationCurve
from evalcore.errors import Notice
from evalcore.evaluation.leader import Leader, leader
from evalcore.evaluation.rankings import plain
from evalcore.evaluation.remarks import remarks
from evalcore.intake.model import Dataset, Task
from evalcore.metrics.catalog import by_key
from evalcore.metrics.regression_errors import mse
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.results import Estimates, ModelEvaluation, ModelTables
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from pages.session import computed

DAY = 24 * 3600

UNKNOWN = Estimate(float("nan"))

SKETCHED = 400
"""Rows of a score table from which a curve is drawn."""


def leading(dataset: Dataset) -> Leader | None:
    """Return the model that leads; None where nothing can be compared."""
    return _leading(dataset.digest, dataset)


def first_to_show(dataset: Dataset) -> str | None:
    """Return the model that leads, or whose predicted numbers err least; None where none does."""
    if dataset.roles.task is Task.REGRESSION:
        return _closest(dataset.digest, computed.tables(dataset))
    found = leading(dataset) if dataset.models else None
    return found and found.model


def own_number(dataset: Dataset, found: Leader | None, threshold: float) -> Estimate:
    """Return the number by which the leader leads, with its interval."""
    if found is None:
        return UNKNOWN
    if found.way is None:
        return computed.ranking(dataset, found.model)[found.metric]
    return computed.decisions(dataset, found.model, threshold)[found.way].metrics[found.metric]


def notices(dataset: Dataset, model: str, threshold: float) -> tuple[Notice, ...]:
    """Return what must be known before believing the numbers of a model."""
    made = ModelEvaluation(
        n=computed.tables(dataset)[model].n,
        decisions=computed.decisions(dataset, model, threshold),
        ranking=computed.ranking(dataset, model),
        probability=computed.probability(dataset, model),
        class_ranking=computed.class_ranking(dataset, model),
    )
    tables = computed.tables(dataset)[model]
    return tuple(remarks(model, tables, made, Options(threshold=threshold)))


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _leading(digest: str, _dataset: Dataset) -> Leader | None:
    return leader(_dataset, computed.tables(_dataset))


def plain_ranking(dataset: Dataset, key: str) -> Estimates:
    """Return a number of how well scores rank, without an interval, of each model that has some."""
    return _plain_ranking(dataset.digest, key, computed.tables(dataset))


def sketches(dataset: Dataset, threshold: float) -> Mapping[str, ScoreTable]:
    """Return the score table of each model that has one, thinned to what a picture can show.

    The counts at `threshold` are exact.
    """
    return _sketches(dataset.digest, threshold, computed.tables(dataset))


def calibrations(dataset: Dataset) -> Mapping[str, CalibrationCurve]:
    """Return the calibration curve of each model that gives probabilities."""
    return _calibrations(dataset.digest, computed.tables(dataset))


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _closest(digest: str, _tables: Mapping[str, ModelTables]) -> str | None:
    tables = {name: found.numbers for name, found in _tables.items() if found.numbers is not None}
    errors = {
        name: mse(ResidualMoments.from_values(told.truth, told.prediction, told.weight))
        for name, told in tables.items()
        if told.n
    }
    return min(errors, key=errors.__getitem__, default=None)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _plain_ranking(digest: str, key: str, _tables: Mapping[str, ModelTables]) -> Estimates:
    scores = {name: found.scores for name, found in _tables.items()}
    return {
        name: plain(by_key()[key], table) for name, table in scores.items() if table is not None
    }


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _sketches(
    digest: str, threshold: float, _tables: Mapping[str, ModelTables]
) -> Mapping[str, ScoreTable]:
    return {
        name: found.scores.thinned(SKETCHED, keep=(threshold,))
        for name, found in _tables.items()
        if found.scores is not None
    }


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _calibrations(
    digest: str, _tables: Mapping[str, ModelTables]
) -> Mapping[str, CalibrationCurve]:
    return {
        name: CalibrationCurve.from_table(ReliabilityTable.from_scores(found.scores))
        for name, found in _tables.items()
        if found.scores is not None and found.probability
    }
