"""The Python that draws each figure, by the figure's key: a call of the function in `figures`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from pages.explained.snippets import Place, loading


class Drawing(NamedTuple):
    """How a figure is drawn.

    Attributes:
        function: The function of `figures`.
        looked_at: Which of its arguments say what is looked at.
        settled: Its other arguments, as Python.
    """

    function: str
    looked_at: tuple[str, ...] = ("model",)
    settled: str = ""


_MODEL_AT = ("model", "threshold")
_COMPARED = ("metric", "threshold")
_COSTED = ("model", "costs", "prevalence")

OF_TWO_CLASSES: Mapping[str, Drawing] = MappingProxyType(
    {
        "gain": Drawing("gain"),
        "lift": Drawing("lift"),
        "ks": Drawing("ks"),
        "det": Drawing("det"),
        "metrics": Drawing("metrics"),
        "expected-cost": Drawing("expected_cost", _COSTED),
        "cost-curve": Drawing("cost_curve", (*_COSTED, "threshold")),
        "optimum": Drawing("optimum", _COSTED),
        "decision": Drawing("decision_curve", ("model", "prevalence")),
        "predictive-values": Drawing("predictive_values", (*_MODEL_AT, "prevalence")),
    }
)
"""Figures that are drawn of two classes alone."""

DRAWINGS: Mapping[str, Drawing] = MappingProxyType(
    {
        "roc": Drawing("roc", _MODEL_AT),
        "precision-recall": Drawing("precision_recall", _MODEL_AT),
        "calibration": Drawing("calibration_curve", ("model", "label")),
        "reliability": Drawing("reliability", ("model", "label")),
        "recalibration": Drawing("recalibration", ("model", "label")),
        "matrix": Drawing("confusion_matrix", ("model", "rule", "threshold")),
        "decided-likeliest": Drawing(
            "cheapest_decisions", ("model", "costs", "shares"), "likeliest=True"
        ),
        "decided-cheapest": Drawing("cheapest_decisions", ("model", "costs", "shares")),
        "models": Drawing("intervals", _COMPARED),
        "differences": Drawing("differences", _COMPARED),
        "pairwise": Drawing("pairwise", _COMPARED),
        "resampled": Drawing("resampled", _COMPARED),
        "resampled-differences": Drawing("resampled_differences", _COMPARED),
        "folds": Drawing("fold_scores", _COMPARED),
        "folds-alone": Drawing("fold_mean", _COMPARED),
        "ranks": Drawing("ranks", _COMPARED),
        "slopes-fold": Drawing("slopes", _COMPARED),
        "slopes-data set": Drawing("slopes", _COMPARED),
        "fold-areas": Drawing("fold_areas"),
        "roc-folds": Drawing("fold_roc"),
        "predicted-actual": Drawing("predicted_actual"),
        "residuals": Drawing("residuals"),
        "bland-altman": Drawing("bland_altman"),
        "error-curve": Drawing("error_curve"),
        "error-groups": Drawing("error_groups"),
        "normal": Drawing("normal_quantiles"),
        "quantiles": Drawing("quantile_calibration"),
        "coverage": Drawing("coverage"),
        "silhouette": Drawing("silhouette"),
        "map": Drawing("cluster_map"),
        "contingency": Drawing("contingency"),
        "gap-curve": Drawing("gap_curve"),
        **{
            f"by-{metric}": Drawing("by_clusters", (), f"metric={metric!r}")
            for metric in ("silhouette", "within_ss", "calinski_harabasz", "davies_bouldin")
        },
        **OF_TWO_CLASSES,
    }
)
"""By the key of the figure."""


def drawing_code(key: str, place: Place) -> str:
    """Return the Python that draws a figure; "" where it is not known."""
    drawing = DRAWINGS.get(key)
    if drawing is None or (place.classes > 2 and key in OF_TWO_CLASSES):
        return ""
    looked_at = _looked_at(place)
    said = [f"{name}={looked_at[name]!r}" for name in drawing.looked_at if name in looked_at]
    arguments = ", ".join(["dataset", *said, *filter(None, [drawing.settled])])
    shown = [
        "import evalcore as ec",
        "from pages import figures",
        "",
        loading(place),
        f"figures.{drawing.function}({arguments}).show()",
    ]
    return "\n".join(shown) + "\n"


def _looked_at(place: Place) -> Mapping[str, object]:
    """Return what is looked at, by the name of the argument; what says nothing is left out."""
    several = place.classes > 2
    every: Mapping[str, object] = {
        "model": place.model,
        "threshold": place.threshold,
        "metric": place.metric,
        "rule": place.way or None,
        "label": place.label if several else None,
        "costs": place.costs or None,
        "prevalence": place.prevalence,
        "shares": place.shares,
    }
    return {name: value for name, value in every.items() if value is not None}
