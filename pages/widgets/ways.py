"""Ways of deciding side by side, never mixed."""

from collections.abc import Callable

import streamlit as st

from evalcore.evaluation.decided import labels_agree
from evalcore.intake.model import Dataset
from evalcore.results import Decisions
from pages.session import computed, current
from pages.widgets import sayings
from pages.widgets.headline import section


def side_by_side(dataset: Dataset, model: str, show: Callable[[str, Decisions], None]) -> None:
    """Show each way of deciding in a column; labels that agree in every row need none."""
    threshold = current.threshold(dataset, model)
    ways = dict(computed.decisions(dataset, model, threshold))
    agree = labels_agree(computed.tables(dataset)[model], threshold)
    if agree:
        del ways["labels"]
    for column, (way, made) in zip(st.columns(len(ways)), ways.items(), strict=True):
        with column:
            lead = "The file\u2019s own labels agree in every row." if agree else ""
            section(f"Decided by {sayings.of_way(way, threshold)}", lead)
            show(way, made)
