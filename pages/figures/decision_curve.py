"""Decision curves: from which probabilities on it pays to act as a model says."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.decision import DecisionCurve
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.band import add_band
from pages.figures.clouds import light
from pages.figures.curves import fit_legend
from pages.figures.scene import Scene


def draw(scene: Scene, curves: Mapping[str, DecisionCurve]) -> go.Figure:
    """Draw one curve per model, the chosen one with its band, beside acting on all and on none."""
    drawable = [name for name, curve in curves.items() if np.isfinite(curve.net_benefit).all()]
    says = theme.Words(
        title=title(scene, curves),
        subtitle="Net benefit, with its 95% interval; fine dashes: acting on all or none (at 0)",
        x=f"probability of {scene.axis_positive} from which one acts",
        y="net benefit, in cases found per case",
    )
    if not drawable:
        why = "A decision curve needs probabilities, and rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    _add_all(figure, scene, curves[names[-1]])
    for name in names:
        _add(figure, scene, name, curves[name])
    top = max(float(curves[name].net_benefit.max()) for name in names)
    room = max(top, 0.01)
    figure.update_yaxes(range=[-0.25 * room, 1.1 * room], nticks=6)
    figure.update_xaxes(range=[0, 1], tickformat=".0%", nticks=6)
    return figure


def title(scene: Scene, curves: Mapping[str, DecisionCurve]) -> str:
    """Return from which probabilities the chosen model is worth more than no model."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not np.isfinite(curve.net_benefit).all():
        return "When does acting on the probabilities pay?"
    useful = curve.useful
    if useful is None:
        return f"Acting as {scene.who} says never beats acting on all or on none"
    low, high = (words.whole_percent(end) for end in useful)
    return f"On these rows, acting as {scene.who} says pays at least between {low} and {high}"


def alt(scene: Scene, curves: Mapping[str, DecisionCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Decision curves of {words.counted(len(curves), 'model')}. {title(scene, curves)}."


def _add(figure: go.Figure, scene: Scene, name: str, curve: DecisionCurve) -> None:
    style = scene.style(name)
    if name == scene.chosen:
        look = {"color": style.color, "base": scene.look.card}
        add_band(figure, curve.probability, (curve.low, curve.high), **look)
    figure.add_scatter(
        x=light(curve.probability),
        y=light(curve.net_benefit),
        name=safe(shorten(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines",
        line={"color": style.color, "dash": style.dash, "width": scene.width(name)},
        hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>acting from %{{x:.0%}} on is worth "
        "%{y:.3f} found per case<extra></extra>",
    )


def _add_all(figure: go.Figure, scene: Scene, curve: DecisionCurve) -> None:
    zero = np.zeros(len(curve.probability))
    for y, says in ((curve.treat_all, "acting on every case"), (zero, "acting on none")):
        figure.add_scatter(
            x=light(curve.probability),
            y=light(y),
            mode="lines",
            line={"color": scene.look.secondary, "width": 1.5, "dash": "3px,3px"},
            hovertemplate=f"{says}: %{{y:.3f}}<extra></extra>",
            showlegend=False,
        )
