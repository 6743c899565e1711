"""What share of the rows each model gets right to within so much: the REC curve."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.errors import ErrorCurve
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.clouds import light
from pages.figures.curves import fit_legend
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.spoken import predictions_of

HARD = 0.9


def draw(scene: Scene, curves: Mapping[str, ErrorCurve]) -> go.Figure:
    """Draw one rising step line per model; the further left, the closer its predictions."""
    drawable = [name for name, curve in curves.items() if len(curve.off)]
    says = theme.Words(
        title=title(scene, curves),
        subtitle="REC curve: the further to the left, the smaller the errors",
        x="off by at most",
        y="share of rows",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _add(figure, scene, name, curves[name])
    figure.update_xaxes(showgrid=True, nticks=6, range=[0, _reach(curves, drawable)])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%", nticks=6)
    return figure


def title(scene: Scene, curves: Mapping[str, ErrorCurve]) -> str:
    """Return how far off nine of ten predictions are at most."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.off):
        return "How many predictions are close enough?"
    at = int(np.searchsorted(curve.share, HARD))
    whose = predictions_of(scene.who)
    return f"9 of 10 {whose} are within {size(float(curve.off[at]))}"


def alt(scene: Scene, curves: Mapping[str, ErrorCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Errors of {words.counted(len(curves), 'model')}, cumulated. {title(scene, curves)}."


def _add(figure: go.Figure, scene: Scene, name: str, curve: ErrorCurve) -> None:
    style = scene.style(name)
    kept = _thinned(len(curve.off), scene.vertices(len(scene.names)))
    figure.add_scatter(
        x=np.append(np.float32(0), light(curve.off[kept])),
        y=np.append(np.float32(curve.share_within(0)), curve.share[kept].astype(np.float32)),
        name=safe(shorten(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines",
        line={
            "color": style.color, "dash": style.dash, "width": scene.width(name), "shape": "hv"
        },
        hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>%{{y:.1%}} of the rows are off by at "
        "most %{x:,.4~g}<extra></extra>",
    )  # fmt: skip


def _thinned(m: int, most: int) -> np.ndarray:
    return np.unique(np.linspace(0, m - 1, min(m, most)).astype(int))


def _reach(curves: Mapping[str, ErrorCurve], drawn: list[str]) -> float:
    """Return how far the axis reaches: to where the last of the curves has 99 of 100 rows."""
    reach = max(
        float(curves[name].off[int(np.searchsorted(curves[name].share, 0.99))]) for name in drawn
    )
    return reach * 1.02 or 1.0
