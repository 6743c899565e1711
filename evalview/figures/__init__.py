"""Figures for a notebook, and the drawing that they share with the pages.

`figures.roc(evaluation)` draws what the page draws, of a data set, an evaluation or a comparison.
Pages keep what they have computed: `figures.draw_roc(scene, ...)` only draws, and
`figures.roc_alt(...)` describes the figure for those who cannot see it. A module is imported when
a name of it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalview.figures.calibration import *  # noqa: F403
    from evalview.figures.clusters import *  # noqa: F403
    from evalview.figures.comparison import *  # noqa: F403
    from evalview.figures.confusion import *  # noqa: F403
    from evalview.figures.costs import *  # noqa: F403
    from evalview.figures.curves import *  # noqa: F403
    from evalview.figures.errors import *  # noqa: F403
    from evalview.figures.folds import *  # noqa: F403
    from evalview.figures.lessons import *  # noqa: F403
    from evalview.figures.numbers import *  # noqa: F403
    from evalview.figures.parts import *  # noqa: F403

ERRORS = ("error_curve", "error_histogram")

_FIGURES = {
    "calibration": ("calibration_curve", "recalibration", "reliability"),
    "clusters": ("cluster_map", "by_clusters", "silhouette", "gap_curve"),
    "comparison": ("intervals", "differences", "pairwise", "resampled", "resampled_differences"),
    "confusion": ("confusion_matrix", "cheapest_decisions", "contingency"),
    "costs": ("expected_cost", "cost_curve", "decision_curve", "optimum", "predictive_values"),
    "curves": ("roc", "precision_recall", "gain", "lift", "det", "ks", "metrics", "scores"),
    "errors": ("residuals", "error_groups", "coverage", "quantile_calibration"),
    "folds": ("fold_scores", "fold_mean", "fold_roc", "fold_areas", "ranks", "slopes"),
    "numbers": ("predicted_actual", "bland_altman", "normal_quantiles", *ERRORS),
    "parts": ("slices", "over_time"),
}
"""Where a figure X is: the function X for a notebook, `draw_X`, `X_title` and `X_alt`."""

_DRAWN = {
    "clusters": ("Judged",),
    "calibration": ("Reliability",),
    "comparison": ("ridges", "differences_room"),
    "confusion": ("Shown", "TRUE"),
    "costs": ("Marked",),
    "folds": ("Places",),
    "lessons": ("planned", "pooled", "rounds"),
    "parts": ("changes", "moved"),
}
"""What pages alone draw, and what they draw it from."""

_HOME = {
    name: module
    for table in (_FIGURES, _DRAWN)
    for module, names in table.items()
    for name in names
}


def __getattr__(name: str) -> Any:
    figure = name.removeprefix("draw_").removesuffix("_alt").removesuffix("_title")
    if figure not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[figure]}"), name)


def __dir__() -> list[str]:
    return sorted(name for names in _FIGURES.values() for name in names)
