"""Ways of deciding side by side, never mixed."""

from collections.abc import Callable

import streamlit as st

from evalcore.evaluation.decided import labels_agree
from evalcore.intake.model import Dataset
from evalcore.results import Decisions, ModelTables
from pages.figures.words import count, counted
from pages.session import computed, current
from pages.widgets import sayings
from pages.widgets.headline import section


def side_by_side(dataset: Dataset, model: str, show: Callable[[str, Decisions], None]) -> None:
    """Show each way of deciding in a column; labels that agree in every row need none."""
    threshold = current.threshold(dataset, model)
    ways = dict(computed.decisions(dataset, model, threshold))
    agree = labels_agree(computed.tables(dataset)[model], threshold)
    leads = _leads(computed.tables(dataset)[model], threshold)
    if agree:
        del ways["labels"]
    for column, (way, made) in zip(st.columns(len(ways)), ways.items(), strict=True):
        with column:
            lead = "The file\u2019s own labels agree in every row." if agree else leads.get(way, "")
            section(f"Decided by {sayings.of_way(way, threshold)}", lead)
            show(way, made)


def _leads(tables: ModelTables, threshold: float) -> dict[str, str]:
    """Return how many of the labels of the file its threshold changes, below both ways."""
    labels = tables.labels_by_score
    if labels is None:
        return {}
    counts = labels.at(threshold)
    changed = f"{count(float(counts.fp + counts.fn))} of {counted(labels.n, 'label')}"
    return {"labels": "As they stand in the file.", "threshold": f"That changes {changed}."}
