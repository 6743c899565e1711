"""Figures: results in, a plotly figure out.

`figures.roc(...)` draws; `figures.roc_alt(...)` is the description for those who cannot see it.
A figure's module is imported when it is first used.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "calibration": (
        "calibration_curve",
        "calibration_curve_title",
        "calibration_curve_alt",
        "recalibration",
        "recalibration_alt",
        "Reliability",
        "reliability",
        "reliability_alt",
    ),
    "clusters": (
        "cluster_map",
        "cluster_map_alt",
        "Judged",
        "by_clusters",
        "by_clusters_alt",
        "silhouette",
        "silhouette_alt",
        "gap_curve",
        "gap_curve_title",
        "gap_curve_alt",
    ),
    "comparison": (
        "intervals",
        "intervals_alt",
        "differences",
        "differences_room",
        "differences_alt",
        "pairwise",
        "pairwise_alt",
        "ridges",
        "ridges_alt",
    ),
    "confusion": (
        "Shown",
        "confusion_matrix",
        "confusion_matrix_title",
        "confusion_matrix_alt",
        "TRUE",
        "contingency",
        "contingency_alt",
    ),
    "costs": (
        "Marked",
        "expected_cost",
        "expected_cost_alt",
        "cost_curve",
        "cost_curve_alt",
        "decision_curve",
        "decision_curve_alt",
        "optimum",
        "optimum_alt",
        "predictive_values",
        "predictive_values_alt",
    ),
    "curves": (
        "roc",
        "roc_title",
        "roc_alt",
        "precision_recall",
        "precision_recall_title",
        "precision_recall_alt",
        "scores",
        "scores_title",
        "scores_alt",
    ),
    "errors": (
        "residuals",
        "residuals_alt",
        "error_groups",
        "error_groups_alt",
        "coverage",
        "coverage_title",
        "coverage_alt",
        "quantile_calibration",
        "quantile_calibration_alt",
    ),
    "folds": (
        "fold_scores",
        "fold_scores_alt",
        "fold_roc",
        "fold_roc_alt",
        "ranks",
        "ranks_alt",
        "Places",
        "slopes",
        "slopes_alt",
    ),
    "lessons": (
        "growth",
        "growth_alt",
        "rounds",
        "rounds_alt",
        "split_roles",
        "split_roles_title",
        "split_roles_alt",
        "unit_circles",
        "unit_circle_alt",
    ),
    "numbers": (
        "predicted_actual",
        "predicted_actual_title",
        "predicted_actual_alt",
        "bland_altman",
        "bland_altman_alt",
        "normal_quantiles",
        "normal_quantiles_alt",
        "error_curve",
        "error_curve_alt",
    ),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
