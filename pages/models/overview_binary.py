"""The overview of a yes-or-no question, part by part."""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from evalcore.metrics import catalog
from evalcore.results import Decisions, Estimates
from evalread.dataset import Dataset
from pages import figures
from pages.session import computed, current, findings
from pages.widgets import chart, comparing, explain, guard, inputs, progress, sentences
from pages.widgets.tables import SIDE_BY_SIDE, ranked_table

RANKING = ("roc_auc", "average_precision")
PROBABILITY = ("brier", "log_loss")
DECISION = ("recall", "precision", "specificity", "f1", "accuracy", "mcc")
COLUMNS = (*RANKING, "brier", "recall", "precision", "f1", "accuracy", "mcc", "specificity")
"""Of all models, as many as fit beside each other."""


finding = comparing.finding_of_models
"""What the page says first."""


remarks = comparing.remarks_on_model
"""What must be known before believing the numbers of a model."""


def numbers(dataset: Dataset, model: str) -> None:
    """Show what scores and decisions are worth; each way of deciding has a column of its own."""
    ranking, judged = computed.ranking(dataset, model), computed.probability(dataset, model)
    if ranking:
        guard.section("Its scores, whatever the threshold")
        at = current.threshold(dataset, model)
        anyhow = computed.decisions(dataset, model, at)["threshold"]
        groups = [
            explain.Group("ranking", ranking, RANKING),
            explain.Group("probability", judged, PROBABILITY),
        ]
        told = _facts(dataset, anyhow, ChainMap(ranking, judged, anyhow.metrics))
        explain.model_cards(dataset, model, groups, told, key="scores")

    progress.side_by_side(dataset, model, partial(decision, dataset, model))


def decision(
    dataset: Dataset,
    model: str,
    way: str,
    made: Decisions,
    keys: Sequence[str] = DECISION,
) -> None:
    """Show what decisions made in one way are worth."""
    group = explain.Group(f"decisions.{way}", made.metrics, keys)
    explain.model_cards(dataset, model, [group], _facts(dataset, made, made.metrics), key=way)


def pictures(dataset: Dataset, model: str) -> None:
    """Show ranking and calibration of all models, the chosen one in front."""
    known = findings.sketches(dataset, current.threshold(dataset, model))
    if not known:
        return
    scene, curves = chart.of_models(dataset, model), findings.calibrations(dataset)
    tables = {name: known[name] for name in scene.drawn(list(known))}
    areas, averages = (_sums(dataset, model, list(tables), key) for key in RANKING)
    with st.container(key="pictures"):
        left, middle, right = st.columns(3)
    with left:
        chart.show(figures.draw_roc(scene, tables, areas), figures.roc_alt(scene, areas), key="roc")
    with middle:
        figure = figures.draw_precision_recall(scene, tables, averages)
        chart.show(figure, figures.precision_recall_alt(scene, averages), key="precision-recall")
    with right:
        chart.show(
            figures.draw_calibration_curve(scene, curves),
            figures.calibration_curve_alt(scene, curves),
            key="calibration",
        )


def all_models(dataset: Dataset, model: str) -> None:
    """Show the numbers of all models under each other, decisions by one way only."""
    if len(dataset.models) == 1:
        return
    guard.section("All models")
    way = inputs.pick_way(
        list(computed.decisions(dataset, model, current.threshold(dataset, model)))
    )
    rows = progress.judged_one_by_one(dataset, lambda name: _of_model(dataset, name, way), way)
    known = {key for found in rows.values() for key in found}
    keys = [key for key in COLUMNS if key in known]
    metrics = [catalog.by_key()[key] for key in keys[:SIDE_BY_SIDE]]
    places = findings.places(dataset, way, current.options(dataset))
    clicked = ranked_table(rows, metrics, of="model", key="models", places=places)
    explain.explain_model(dataset, clicked, rows, way)


def _of_model(dataset: Dataset, name: str, way: str) -> Estimates:
    at = current.threshold(dataset, name)
    decided = _metrics(computed.decisions(dataset, name, at), way)
    found = ChainMap(computed.ranking(dataset, name), computed.probability(dataset, name), decided)
    return {key: found[key] for key in (*RANKING, *PROBABILITY, *DECISION) if key in found}


def _facts(dataset: Dataset, made: Decisions, known: Estimates) -> sentences.BinaryFacts:
    negative, positive = dataset.classes
    return sentences.BinaryFacts(positive, negative, made.confusion.binary(), known)


def _metrics(decisions: Mapping[str, Decisions], way: str) -> Estimates:
    return decisions[way].metrics if way in decisions else {}


def _sums(dataset: Dataset, model: str, names: Sequence[str], key: str) -> Estimates:
    """Return what sums up the curve of each model, that of the one in front with its interval."""
    plain = findings.plain_ranking(dataset, key)
    chosen = {model: computed.ranking(dataset, model)[key]} if model in names else {}
    return {name: plain[name] for name in names} | chosen
