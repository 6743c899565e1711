"""Choosing what models are compared by."""

from collections.abc import Mapping, Sequence

from evalcore.contests.contest import usual_metric
from evalcore.intake.model import Dataset, Task
from evalcore.metrics import catalog
from pages.escape import shorten, visible
from pages.widgets.list_box import list_box

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
    Task.REGRESSION: (
        "rmse",
        "mae",
        "r2",
        "bias",
        "medae",
        "mape_nonzero",
        "pearson",
        "spearman",
        "kendall_tau_b",
    ),
}
"""Metrics to compare by, in the order in which they are offered."""


def offered(dataset: Dataset) -> list[str]:
    """Return what models can be compared by, the usual one first."""
    if dataset.fold_scores is not None:
        return list(dataset.fold_scores.by_metric)
    usual = usual_metric(dataset)
    return [usual, *(key for key in OFFERED[dataset.roles.task] if key != usual)]


def called(key: str) -> str:
    """Return the name of a metric, or what the file calls it."""
    known = catalog.by_key().get(key)
    return visible(shorten(key, 40)) if known is None else known.name


def pick_metric(dataset: Dataset) -> str:
    """Show the metrics to pick from; return the key of the one picked."""
    keys = offered(dataset)
    if len(keys) == 1:
        return keys[0]
    label = "Judged by" if len(dataset.models) == 1 else "Compared by"
    return list_box(label, {key: called(key) for key in keys}, key="metric", width=300)
