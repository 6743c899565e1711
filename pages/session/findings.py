"""What stands out in the results, computed once per data set and settings like these."""

from collections.abc import Mapping

import streamlit as st

from evalcore.curves.averages import mean_precision_recall, mean_roc
from evalcore.curves.calibration import CalibrationCurve
from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.curves.roc import RocCurve
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
from evalcore.tables.classes import ClassScores
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


def class_averages(
    dataset: Dataset, model: str
) -> tuple[Mapping[str, RocCurve], Mapping[str, PrecisionRecallCurve]]:
    """Return the curves that stand for all of several classes, by their names."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    return _class_averages(dataset.digest, model, scores)


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
def _class_averages(
    digest: str, model: str, _scores: ClassScores
) -> tuple[Mapping[str, RocCurve], Mapping[str, PrecisionRecallCurve]]:
    rows = zip(_scores.one_vs_rest, _scores.support.tolist(), strict=True)
    tables, support = zip(*((t, n) for t, n in rows if t is not None), strict=True)
    weights = {"macro average": [1.0] * len(tables), "weighted average": support}
    micro = _scores.micro.thinned(SKETCHED)
    return (
        {name: mean_roc(tables, each) for name, each in weights.items()}
        | {"micro": RocCurve.from_table(micro)},
        {name: mean_precision_recall(tables, each) for name, each in weights.items()}
        | {"micro": PrecisionRecallCurve.from_table(micro)},
    )


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
