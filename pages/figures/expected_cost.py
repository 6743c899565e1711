"""What a case costs at each threshold."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.costs import ExpectedCost
from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval
from evalcore.tables.costs import Choice
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.band import add_band
from pages.figures.clouds import light
from pages.figures.curves import fit_legend
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.spoken import at_start

NO_INTERVAL = Interval(np.nan, np.nan, "", 0.95)


@dataclass(frozen=True)
class Marked:
    """What is marked on the chosen model's curve.

    Attributes:
        best: The cheapest threshold.
        sure: The interval of that threshold.
    """

    best: Choice
    sure: Interval = NO_INTERVAL


def draw(scene: Scene, curves: Mapping[str, ExpectedCost], marked: Marked) -> go.Figure:
    """Draw one step line per model; the chosen one with its band and its lowest point."""
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.cost).all()]
    says = theme.Words(
        title=title(scene, marked),
        subtitle=_subtitle(scene, curves),
        x="threshold",
        y="mean cost of a case",
    )
    if not drawable:
        why = "Costs at a threshold need rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    reach = _reach([curves[name] for name in drawable], scene, marked)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _add(figure, scene, name, _extended(curves[name], reach))
    _mark(figure, scene, marked)
    figure.update_xaxes(range=list(reach), nticks=6)
    figure.update_yaxes(nticks=6, range=_heights([curves[name] for name in names]))
    return figure


def title(scene: Scene, marked: Marked) -> str:
    """Return where the chosen model is cheapest, in words."""
    best = marked.best
    if np.isnan(best.threshold):
        return "What does a case cost at each threshold?"
    if np.isinf(best.threshold):
        return f"Flagging nothing is cheapest with {scene.who}"
    at = words.threshold(best.threshold)
    return f"{at_start(scene.who)} costs least at {at}: {size(best.cost)} a case"


def alt(scene: Scene, curves: Mapping[str, ExpectedCost], marked: Marked) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    models = words.counted(len(curves), "model")
    return f"Mean cost of a case against the threshold for {models}. {title(scene, marked)}."


def _subtitle(scene: Scene, curves: Mapping[str, ExpectedCost]) -> str:
    curve = curves.get(scene.chosen or "")
    if curve is None:
        return "Expected cost"
    return f"Expected cost; the band is a {curve.level:.0%} interval at each threshold by itself"


def _extended(curve: ExpectedCost, reach: tuple[float, float]) -> ExpectedCost:
    """Return the curve from one end of the axis to the other."""
    right = max(reach[1], float(curve.threshold[1]) if len(curve.threshold) > 1 else reach[1])
    left = min(reach[0], float(curve.threshold[-1]))
    threshold = np.concatenate([[right], curve.threshold[1:], [left]])
    ends = (np.append(values, values[-1]) for values in (curve.cost, curve.low, curve.high))
    return ExpectedCost(threshold, *ends, curve.level)


def _add(figure: go.Figure, scene: Scene, name: str, curve: ExpectedCost) -> None:
    style = scene.style(name)
    if name == scene.chosen:
        look = {"color": style.color, "base": scene.look.card, "shape": "hv"}
        add_band(figure, curve.threshold, (curve.low, curve.high), **look)
    figure.add_scatter(
        x=light(curve.threshold),
        y=light(curve.cost),
        name=safe(shorten(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines",
        line={
            "color": style.color, "dash": style.dash, "width": scene.width(name), "shape": "hv"
        },
        hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>at %{{x:.4~g}}: %{{y:,.4~g}} a case"
        "<extra></extra>",
    )  # fmt: skip


def _mark(figure: go.Figure, scene: Scene, marked: Marked) -> None:
    """Mark the lowest point, the interval of its threshold, and the threshold in use."""
    best, sure = marked.best, marked.sure
    if scene.threshold is not None and np.isfinite(scene.threshold):
        line = {"color": scene.look.text, "width": 1.5, "dash": "dot"}
        figure.add_vline(x=scene.threshold, line=line)
    if not np.isfinite(best.threshold) or scene.chosen is None:
        return
    color = scene.style(scene.chosen).color
    if np.isfinite(sure.low) and np.isfinite(sure.high):
        figure.add_scatter(
            x=[sure.low, sure.high], y=[best.cost] * 2, mode="lines", opacity=0.6,
            line={"color": color, "width": 5}, hoverinfo="skip", showlegend=False,
        )  # fmt: skip
    figure.add_scatter(
        x=[best.threshold],
        y=[best.cost],
        mode="markers",
        marker={"size": 11, "color": color, "line": {"color": scene.look.card, "width": 2}},
        hovertemplate="cheapest: %{y:,.4~g} a case at %{x:.4~g}<extra></extra>",
        showlegend=False,
    )


def _reach(curves: list[ExpectedCost], scene: Scene, marked: Marked) -> tuple[float, float]:
    """Return the ends of the axis: 0 and 1 for what lies there, else all but far scores."""
    points = np.concatenate([curve.threshold[1:] for curve in curves])
    if points.min() >= 0 and points.max() <= 1:
        return -0.01, 1.01
    return _trimmed(points, [scene.threshold, marked.best.threshold])


def _heights(curves: list[ExpectedCost]) -> list[float]:
    """Return a range that shows where costs are low; flagging all or nothing may be above it."""
    low, best = (min(float(getattr(c, end).min()) for c in curves) for end in ("low", "cost"))
    top = max(float(curve.cost.max()) for curve in curves)
    room = (top - low) / 25 or 1.0
    return [low - room, best + max(0.45 * (top - best), 3 * (best - low)) + room]


def _trimmed(points: Floats, shown: list[float | None]) -> tuple[float, float]:
    kept = [value for value in shown if value is not None and np.isfinite(value)]
    low, high = np.quantile(points, [0.01, 0.99], method="nearest")
    low, high = min([low, *kept]), max([high, *kept])
    # Half of each, since the difference of two huge scores may overflow.
    room = 0.06 * (high / 2 - low / 2) or max(0.5, abs(low) / 1000)
    return float(low - room), float(high + room)
