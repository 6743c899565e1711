"""The Summary of a yes-or-no question, part by part."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.metrics import catalog
from evalcore.results import Decisions, Estimates
from evalcore.tables.confusion import BinaryCounts
from evalcore.text import count
from evalread.dataset import Dataset
from evalview import figures, headlines, sentences, words
from evalview.explained import cards
from pages.session import computed, current, findings
from pages.widgets import chart, comparing, explain, guard, progress, summary

RANKING = ("roc_auc", "average_precision")
PROBABILITY = ("brier", "log_loss")
DECISION = ("recall", "precision", "specificity", "f1", "accuracy", "mcc")
COLUMNS = (*RANKING, "brier", "recall", "precision", "f1", "accuracy", "mcc", "specificity")
"""Of all models, as many as fit beside each other."""

PICTURES = "Curves"

remarks = comparing.remarks_on_model
"""What must be known before trusting the numbers of a model."""


def alone(dataset: Dataset) -> tuple[str, str]:
    """Return what the only model finds, and whether chance explains how well it ranks."""
    (model,) = dataset.models
    own = findings.own_number(dataset, model, current.threshold(dataset, model))
    way = current.way(computed.ways(dataset, model))
    made = summary.decided(dataset, model, way)
    who, area = words.spoken(dataset, model), computed.ranking(dataset, model).get("roc_auc")
    tables = computed.tables(dataset)[model]
    if not made.metrics["recall"].defined:
        return sentences.alone(who, own, tables)
    sought = words.rows_of(dataset.roles.truth, dataset.classes[1])
    return headlines.of_decisions(who, sought, made, area, tables)


def told(dataset: Dataset, model: str, names: Sequence[str], way: str) -> summary.Told:
    """Return what models find, how many of their alarms are right, and how well they rank."""
    decided = {name: summary.decided(dataset, name, way) for name in names}
    areas = findings.plain_ranking(dataset, "roc_auc")
    counts = {name: one.confusion.binary() for name, one in decided.items()}
    shares = {
        "finds": {
            name: cards.Share(one.metrics["recall"], float(counts[name].positives))
            for name, one in decided.items()
        },
        "alarms right": {
            name: cards.Share(one.metrics["precision"], float(counts[name].predicted_positive))
            for name, one in decided.items()
        },
    }
    if areas:
        shares["pairs ranked right"] = {
            name: cards.Share(areas.get(name), float(one.positives * one.negatives))
            for name, one in counts.items()
        }
    unit, columns = cards.out_of_hundred(shares)
    chosen = summary.decided(dataset, model, way)
    own = chosen.confusion.binary()
    truth, (negative, positive) = dataset.roles.truth, dataset.classes
    sought, others = words.rows_of(truth, positive), words.rows_of(truth, negative)
    return summary.Told(
        columns=columns,
        unit=unit,
        said=_said(words.spoken(dataset, model), own, chosen.metrics, sought, others),
        dots=(
            cards.Dots(
                words.class_of(truth, positive), float(own.tp), float(own.fn), "found", "missed"
            ),
            cards.Dots(
                words.class_of(truth, negative),
                float(own.tn),
                float(own.fp),
                "passed",
                "falsely flagged",
            ),
        ),
        steps=(summary.Step("thresholds", "Choose a threshold"), *summary.to_rows(dataset, model)),
    )


def _said(who: str, counts: BinaryCounts, found: Estimates, sought: str, others: str) -> str:
    """Say how many rows a model misses, and how many it flags by mistake."""
    parts = []
    if counts.positives:
        lost = cards.missed(float(counts.positives), found["recall"])
        parts.append(f"misses {lost} of {count(float(counts.positives))} {sought}")
    if counts.negatives:
        alarmed = cards.missed(float(counts.negatives), found["specificity"])
        parts.append(
            f"raises {alarmed} false alarms among {count(float(counts.negatives))} {others}"
        )
    return f"{words.at_start(who)} {' and '.join(parts)}."


def numbers(dataset: Dataset, model: str) -> None:
    """Show what scores and decisions are worth; each way of deciding has a column of its own."""
    ranking, judged = computed.ranking(dataset, model), computed.probability(dataset, model)
    if ranking:
        guard.section("At any threshold")
        at = current.threshold(dataset, model)
        anyhow = computed.decisions(dataset, model, at)["threshold"]
        groups = [
            explain.Group("ranking", ranking, RANKING),
            explain.Group("probability", judged, PROBABILITY),
        ]
        told = explain.facts_of(dataset, anyhow, ranking, judged, anyhow.metrics)
        explain.model_cards(dataset, model, groups, told, key="scores")

    def decision(way: str, made: Decisions) -> None:
        explain.decided_cards(dataset, model, way, made, DECISION)

    progress.as_decided(dataset, model, decision)


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
    way = current.way(computed.ways(dataset, model))
    rows = progress.judged_one_by_one(dataset, partial(progress.judged, dataset, way, COLUMNS), way)
    metrics = [catalog.by_key()[key] for key in COLUMNS]
    explain.all_models(dataset, rows, metrics, way=way)


def _sums(dataset: Dataset, model: str, names: Sequence[str], key: str) -> Estimates:
    """Return what sums up the curve of each model, that of the one in front with its interval."""
    plain = findings.plain_ranking(dataset, key)
    chosen = {model: computed.ranking(dataset, model)[key]} if model in names else {}
    return {name: plain[name] for name in names} | chosen
