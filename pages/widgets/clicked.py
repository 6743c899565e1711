"""What opens below a table when one of its numbers is clicked: the number, explained."""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from evalcore.intake.model import Dataset
from evalcore.metrics.spec import Estimate, Family
from evalcore.options import Options
from evalcore.results import Estimates
from pages.escape import html, visible
from pages.figures import words
from pages.session import picked
from pages.session.behind import Part
from pages.widgets.explain import (
    Behind,
    behind_average,
    behind_calibration,
    behind_class,
    behind_clustering,
    explain,
    stands_behind,
)
from pages.widgets.metric_table import UNKNOWN, Picked
from pages.widgets.score_card import Card

Rows = Mapping[str, Estimates]
"""The numbers of a table, by row."""

GROUPS = {Family.RANKING: "ranking", Family.PROBABILITY: "probability", Family.VALUES: "values"}

SCRIPT = Path(__file__).resolve().parents[2] / "assets" / "sheet.js"
_SHEET = st.components.v2.component("sheet", js=SCRIPT.read_text("utf-8"))


def explain_model(dataset: Dataset, clicked: Picked | None, rows: Rows, way: str = "") -> None:
    """Explain a number of the table of all models."""
    if clicked is None:
        return
    found = _estimate(clicked, rows)
    where = GROUPS.get(clicked.metric.family, f"decisions.{way}")
    _open(clicked, found, stands_behind(dataset, clicked.row, where, clicked.metric, found))


def explain_clustering(dataset: Dataset, clicked: Picked | None, rows: Rows) -> None:
    """Explain a number of the table of all clusterings."""
    if clicked is not None:
        found = _estimate(clicked, rows)
        _open(clicked, found, behind_clustering(dataset, clicked.row, clicked.metric, found))


def explain_average(
    dataset: Dataset, clicked: Picked | None, rows: Rows, model: str, way: str
) -> None:
    """Explain a mean over classes of decisions made in one way."""
    if clicked is not None:
        found, part = _estimate(clicked, rows), Part(model, f"decisions.{way}", clicked.row)
        _open(clicked, found, behind_average(dataset, part, clicked.metric, found))


def explain_class(
    dataset: Dataset, clicked: Picked | None, rows: Rows, model: str, way: str
) -> None:
    """Explain a number of one class against all others."""
    if clicked is not None:
        where = GROUPS.get(clicked.metric.family, f"decisions.{way}")
        found, part = _estimate(clicked, rows), Part(model, where, clicked.row)
        _open(clicked, found, behind_class(dataset, part, clicked.metric, found))


def explain_calibration(
    dataset: Dataset, clicked: Picked | None, rows: Rows, model: str, options: Options
) -> None:
    """Explain a number of how true the probabilities of a class, or of the likeliest, are."""
    if clicked is not None:
        found, known = _estimate(clicked, rows), clicked.row in dataset.classes
        part = Part(model, "probability", clicked.row if known else "")
        _open(clicked, found, behind_calibration(dataset, part, clicked.metric, found, options))


def _estimate(clicked: Picked, rows: Rows) -> Estimate:
    return rows[clicked.row].get(clicked.metric.key, UNKNOWN)


def _open(clicked: Picked, found: Estimate, more: Behind) -> None:
    with st.container(border=True, key=f"clicked-{clicked.metric.key}"):
        st.button(
            "Close", type="tertiary", key=f"close-{clicked.table}",
            shortcut="Esc", on_click=picked.unselect, args=(clicked.table,),
        )  # fmt: skip
        st.html(
            f'<p class="eb-note">{html(visible(clicked.row))}</p><p class="eb-value">'
            f"<b>{html(words.number(found.value, words.decimals(found)))}</b>"
            f" <small>{html(words.interval(found))}</small></p>"
        )
        with st.container(key=f"sheet-{clicked.table}"):
            number = f"{clicked.row} {clicked.metric.key}"
            _SHEET(data={"table": clicked.table, "number": number}, key=f"giveway-{clicked.table}")
        explain(Card(clicked.metric, found), more)
