"""Choosing what models are compared by."""

from collections.abc import Mapping, Sequence

import streamlit as st

from evalcore.contests.contest import usual_metric
from evalcore.intake.model import Dataset, Task
from evalcore.metrics import catalog

OFFERED: Mapping[Task, Sequence[str]] = {
    Task.BINARY: (
        "roc_auc",
        "average_precision",
        "accuracy",
        "balanced_accuracy",
        "recall",
        "precision",
        "specificity",
        "f1",
        "mcc",
        "cohen_kappa",
        "brier",
        "log_loss",
    ),
    Task.MULTICLASS: (
        "accuracy",
        "balanced_accuracy",
        "f1",
        "recall",
        "precision",
        "mcc",
        "cohen_kappa",
        "roc_auc_ovr_macro",
        "roc_auc_hand_till",
    ),
    Task.REGRESSION: ("rmse", "mae", "r2", "bias", "medae", "mape_nonzero", "pearson", "spearman"),
}
"""Metrics to compare by, in the order in which they are offered."""


def pick_metric(dataset: Dataset) -> str:
    """Show the metrics to pick from; return the key of the one picked."""
    usual = usual_metric(dataset)
    offered = [usual, *(key for key in OFFERED[dataset.roles.task] if key != usual)]
    picked: str = st.selectbox(
        "Compared by",
        offered,
        key="metric",
        bind="query-params",
        format_func=lambda key: catalog.by_key()[key].name,
        width=320,
    )
    return picked
