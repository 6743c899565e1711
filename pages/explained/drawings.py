"""The Python that draws a figure: declared once for each, by the figure's key."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from pages.explained.drawing import Drawing
from pages.explained.drawings_between import BETWEEN
from pages.explained.drawings_of_choices import CALIBRATED, CHOICES, DECIDED
from pages.explained.drawings_of_clusters import CLUSTERS
from pages.explained.drawings_of_numbers import NUMBERS
from pages.explained.snippets import Place, imports, loading

_CONDENSE = "from evalcore.evaluate import condense"
_EACH_MODEL = """\
for name, tables in condense(dataset).items():
    if tables.scores is not None:
        {curve}
        figure.add_scatter(x={x}, y={y}, name=name{shape})
"""
_EACH_CLASS = """\
scores = condense(dataset)[MODEL].class_scores
for name, table in zip(scores.classes, scores.one_vs_rest):
    if table is not None:
        {curve}
        figure.add_scatter(x={x}, y={y}, name=name{shape})
"""
_STEPS = ', line_shape="vh"'


def _curve(needs: str, curve: str, x: str, y: str, shape: str = "") -> Mapping[str, str]:
    return {"needs": needs, "curve": curve, "x": x, "y": y, "shape": shape}


def _of_models(axes: tuple[str, str], made: Mapping[str, str]) -> Drawing:
    parts = {**made, "curve": made["curve"].replace("TABLE", "tables.scores")}
    needs = tuple(line for line in (made["needs"], _CONDENSE) if line)
    return Drawing(needs, _EACH_MODEL.format(**parts), *axes)


def _of_classes(axes: tuple[str, str], made: Mapping[str, str]) -> Drawing:
    parts = {**made, "curve": made["curve"].replace("TABLE", "table")}
    return Drawing((made["needs"], _CONDENSE), _EACH_CLASS.format(**parts), *axes)


_RATES = ("false positive rate", "true positive rate")
_PRECISION = ("recall", "precision")
_ROC = _curve(
    "from evalcore.curves.roc import RocCurve",
    "curve = RocCurve.from_table(TABLE)",
    "curve.fpr",
    "curve.tpr",
)
_PR = _curve(
    "from evalcore.curves.precision_recall import PrecisionRecallCurve",
    "curve = PrecisionRecallCurve.from_table(TABLE)",
    "curve.recall",
    "curve.precision",
    _STEPS,
)
_GAIN_NEEDS = "from evalcore.curves.gain import GainCurve"
_GAIN_CURVE = "curve = GainCurve.from_table(TABLE)"

DRAWINGS: Mapping[str, Drawing] = MappingProxyType(
    {
        "roc": _of_models(_RATES, _ROC),
        "roc.classes": _of_classes(_RATES, _ROC),
        "precision-recall": _of_models(_PRECISION, _PR),
        "precision-recall.classes": _of_classes(_PRECISION, _PR),
        "gain": _of_models(
            ("share flagged", "share of positives found"),
            _curve(_GAIN_NEEDS, _GAIN_CURVE, "curve.share", "curve.gain"),
        ),
        "lift": _of_models(
            ("share flagged", "lift"),
            _curve(_GAIN_NEEDS, _GAIN_CURVE, "curve.share[1:]", "curve.lift_at(curve.share[1:])"),
        ),
        "det": _of_models(
            ("false positive rate, normal deviate", "false negative rate, normal deviate"),
            _curve(
                "from scipy.stats import norm\n\n" + _ROC["needs"],
                _ROC["curve"],
                "norm.ppf(curve.fpr)",
                "norm.ppf(1 - curve.tpr)",
            ),
        ),
        "ks": Drawing(
            (_ROC["needs"], _CONDENSE),
            """\
curve = RocCurve.from_table(condense(dataset)[MODEL].scores)
figure.add_scatter(x=curve.threshold, y=1 - curve.fpr, name="negatives that score lower")
figure.add_scatter(x=curve.threshold, y=1 - curve.tpr, name="positives that score lower")
""",
            "threshold",
            "share of the class that scores lower",
        ),
        "metrics": Drawing(
            (_CONDENSE, "from evalcore.metrics.catalog import by_key"),
            """\
table = condense(dataset)[MODEL].scores
for key in ("precision", "recall", "f1"):
    values = by_key()[key](table.at(table.threshold))
    figure.add_scatter(x=table.threshold, y=values, name=key)
""",
            "threshold",
            "value",
        ),
        "matrix": Drawing(
            (
                "from evalcore.evaluate import condense, decide",
                "from evalcore.options import Options",
            ),
            """\
ways = decide(condense(dataset)[MODEL], Options(threshold=THRESHOLD))
made = ways.get(WAY, next(iter(ways.values())))
matrix = made.confusion
figure.add_heatmap(x=matrix.classes, y=matrix.classes, z=matrix.counts)
""",
            "prediction",
            "truth",
        ),
        **CHOICES,
        **DECIDED,
        **CALIBRATED,
        **BETWEEN,
        **NUMBERS,
        **CLUSTERS,
    }
)
"""By the key of the figure; ".classes" where several classes are drawn for one model."""

OF_TWO_CLASSES = ("gain", "lift", "ks", "det", "metrics", *CHOICES)


def drawing_code(key: str, place: Place) -> str:
    """Return the Python that draws a figure; "" where it is not known."""
    several = f"{key}.classes"
    drawing = DRAWINGS.get(several if place.classes > 2 and several in DRAWINGS else key)
    if drawing is None or (place.classes > 2 and key in OF_TWO_CLASSES):
        return ""
    looked_at = {
        "MODEL": place.model,
        "THRESHOLD": place.threshold,
        "WAY": place.way,
        "COSTS": place.costs,
        "PREVALENCE": place.prevalence,
        "SHARES": place.shares,
        "CLASS": place.label,
        "METRIC": place.metric,
    }
    lines = re.sub(rf"\b({'|'.join(looked_at)})\b", lambda w: repr(looked_at[w[0]]), drawing.lines)
    shown = [
        *imports(place, "import plotly.graph_objects as go", "", *drawing.needs),
        "",
        *loading(place),
        "figure = go.Figure()",
        *lines.splitlines(),
        f"figure.update_layout(xaxis_title={drawing.x!r}, yaxis_title={drawing.y!r})",
        "figure.show()",
    ]
    return "\n".join(shown) + "\n"
