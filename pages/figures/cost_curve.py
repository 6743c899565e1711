"""Cost curves: which model is cheapest under which costs and which share of positives."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.costs import CostCurve, CostLine
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.band import add_band
from pages.figures.clouds import light
from pages.figures.curves import fit_legend, unit_axes
from pages.figures.scene import Scene
from pages.figures.spoken import at_start


def draw(scene: Scene, curves: Mapping[str, CostCurve], line: CostLine, at: float) -> go.Figure:
    """Draw the curve of each model, the line of the chosen one's threshold, and where we are.

    `at` is the part of the avoidable cost that lies with the positives; NaN where none does.
    """
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.cost).all()]
    says = theme.Words(
        title=title(scene, curves, at),
        subtitle="Each model at its best; dashed: the threshold in use, with its 95% interval",
        x=f"part of the cost that lies with {scene.axis_positive}",
        y="cost, as part of the worst",
    )
    if not drawable:
        why = "A cost curve needs rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    _add_trivial(figure, scene)
    _add_line(figure, scene, line)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _add(figure, scene, name, curves[name])
    if np.isfinite(at):
        figure.add_vline(x=at, line={"color": scene.look.text, "width": 1.5, "dash": "dot"})
    _zoom(figure, [curves[name] for name in names])
    return figure


def title(scene: Scene, curves: Mapping[str, CostCurve], at: float) -> str:
    """Return which model is cheapest here, each at its best threshold."""
    costs = {name: float(curve.at(at)) for name, curve in curves.items()}
    known = {name: cost for name, cost in costs.items() if np.isfinite(cost)}
    if not known or not np.isfinite(at):
        return "Which model is cheapest under which costs?"
    best = min(known, key=known.__getitem__)
    spared = words.percent(max(0.0, 1 - known[best] / max(min(at, 1 - at), 1e-300)))
    if len(known) == 1:
        who = at_start(scene.who if best == scene.chosen else best)
        return f"{who} avoids {spared} of what deciding blindly costs"
    return f"With these costs {best} avoids most: {spared} of what deciding blindly costs"


def alt(scene: Scene, curves: Mapping[str, CostCurve], at: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Cost curves of {words.counted(len(curves), 'model')}. {title(scene, curves, at)}."


def _add(figure: go.Figure, scene: Scene, name: str, curve: CostCurve) -> None:
    style = scene.style(name)
    kept = np.unique(
        np.linspace(0, len(curve.cost) - 1, scene.vertices(len(scene.names))).astype(int)
    )
    figure.add_scatter(
        x=light(curve.probability_cost[kept]),
        y=light(curve.cost[kept]),
        name=safe(shorten(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines",
        line={"color": style.color, "dash": style.dash, "width": scene.width(name)},
        hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>at best %{{y:.1%}} of the worst cost, "
        "where %{x:.1%} of it lies with the class<extra></extra>",
    )


def _add_trivial(figure: go.Figure, scene: Scene) -> None:
    figure.add_scatter(
        x=[0, 0.5, 1],
        y=[0, 0.5, 0],
        mode="lines",
        line={"color": scene.look.secondary, "width": 1, "dash": "3px,3px"},
        hovertemplate="flagging nothing, or everything<extra></extra>",
        name="nothing or everything",
        showlegend=False,
    )


def _add_line(figure: go.Figure, scene: Scene, line: CostLine) -> None:
    if scene.chosen is None or not np.isfinite(line.cost).all():
        return
    color = scene.style(scene.chosen).color
    ends = (line.low, line.high)
    add_band(figure, line.probability_cost, ends, color=color, base=scene.look.card)
    figure.add_scatter(
        x=light(line.probability_cost),
        y=light(line.cost),
        mode="lines",
        line={"color": color, "width": 1.5, "dash": "dash"},
        hovertemplate="at the threshold in use: %{y:.1%} of the worst cost<extra></extra>",
        showlegend=False,
    )


def _zoom(figure: go.Figure, curves: list[CostCurve]) -> None:
    """Cut the empty top off, so that good models can be told apart."""
    top = max(float(curve.cost.max()) for curve in curves)
    reach = min(0.52, max(0.05, 2.5 * top))
    figure.update_yaxes(
        range=[-0.02 * reach, reach], tickvals=None, ticktext=None, tickformat=".0%", nticks=6
    )
    figure.update_xaxes(tickformat=".0%", ticktext=["0%", "25%", "50%", "75%", "100%"])
