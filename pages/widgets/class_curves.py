"""The curves of several classes, each against all others, and their averages."""

from collections.abc import Iterable, Mapping

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.results import Estimates
from pages.escape import shorten
from pages.figures import precision_recall, roc
from pages.figures.scene import CURVES_AT_MOST
from pages.session import boxes, computed, findings
from pages.widgets import scenes
from pages.widgets.chart import chart

SHOWN = 5
"""Classes that are drawn before the reader picks."""


def class_curves(dataset: Dataset, model: str) -> None:
    """Let classes and averages be picked, and show their curves."""
    scores = computed.tables(dataset)[model].class_scores
    assert scores is not None
    ranked = computed.class_ranking(dataset, model)
    by_name = dict(zip(scores.classes, scores.one_vs_rest, strict=True))
    tables = {name: found for name in _picked(ranked) if (found := by_name[name]) is not None}
    areas, averages = (_of(ranked, tables, key) for key in ("roc_auc", "average_precision"))
    scene, (rocs, steps) = scenes.of_classes(dataset), findings.class_averages(dataset, model)
    kinds = _picked_averages(list(rocs))
    left, right = st.columns(2)
    with left:
        figure = roc.draw(scene, tables, areas, {kind: rocs[kind] for kind in kinds})
        chart(figure, roc.alt(scene, areas), key="roc")
    with right:
        figure = precision_recall.draw(
            scene, tables, averages, {kind: steps[kind] for kind in kinds}
        )
        chart(figure, precision_recall.alt(scene, averages), key="precision-recall")


def _picked(ranked: Mapping[str, Estimates]) -> list[str]:
    """Show all classes, the hardest to tell from the others first; return those picked."""
    areas = {name: found["roc_auc"] for name, found in ranked.items()}
    hardest = sorted(areas, key=lambda name: (not areas[name].defined, areas[name].value))
    labels = {name: shorten(name, 40) for name in hardest}
    boxes.pick_several("classes", labels, hardest[:SHOWN])
    picked: list[str] = st.multiselect(
        "Classes",
        hardest,
        max_selections=CURVES_AT_MOST,
        key="classes",
        format_func=labels.__getitem__,
    )
    return picked


def _picked_averages(kinds: list[str]) -> list[str]:
    picked: list[str] = st.pills(
        "Averages",
        kinds,
        selection_mode="multi",
        default=kinds[:1],
        key="averages",
        bind="query-params",
    )
    return picked


def _of(ranked: Mapping[str, Estimates], names: Iterable[str], key: str) -> Estimates:
    return {name: ranked[name][key] for name in names}
