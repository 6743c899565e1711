"""Errors against a normal distribution: are the large ones larger than chance makes them?"""

import plotly.graph_objects as go

from evalcore.curves.errors import NormalQuantiles
from pages.figures import theme
from pages.figures.clouds import clear, color_of, light
from pages.figures.scene import Scene


def draw(scene: Scene, told: NormalQuantiles) -> go.Figure:
    """Draw the errors in order over those of a normal distribution of equal mean and spread."""
    says = theme.Words(
        title=title(scene, told),
        subtitle="On the line if errors are normal; the band holds each rank by itself at "
        f"{told.level:.0%}",
        x="error, if normal",
        y="error, as it is",
    )
    if not len(told.error):
        return theme.nothing_to_draw(says, scene.look, "The errors do not vary.")
    figure = theme.canvas(says, scene.look, height=380)
    x, color = light(told.expected), color_of(scene)
    _add_band(figure, scene, told)
    figure.add_scatter(
        x=x,
        y=light(told.error),
        mode="markers",
        marker={"size": 5, "color": color},
        hovertemplate="an error of %{y:+,.4~g}<br>%{x:+,.4~g} if normal<extra></extra>",
        showlegend=False,
    )
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def _add_band(figure: go.Figure, scene: Scene, told: NormalQuantiles) -> None:
    """Add where normal errors would lie, and the line on which they would lie exactly."""
    x, color = light(told.expected), color_of(scene)
    for at, end in enumerate((told.low, told.high)):
        figure.add_scatter(
            x=x,
            y=light(end),
            mode="lines",
            line={"width": 0},
            fill="tonexty" if at else None,
            fillcolor=clear(color, 0.16),
            hoverinfo="skip",
            showlegend=False,
        )
    ends = [told.expected[0], told.expected[-1]]
    figure.add_scatter(
        x=ends,
        y=ends,
        mode="lines",
        line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"},
        hoverinfo="skip",
        showlegend=False,
    )


def title(scene: Scene, told: NormalQuantiles) -> str:
    """Return whether the tails are heavier than those of a normal distribution."""
    if not len(told.error):
        return f"How the errors of {scene.who} are spread"
    low, high = told.error[0] < told.low[0], told.error[-1] > told.high[-1]
    if low or high:
        side = "on both sides" if low and high else ("below" if low else "above")
        return f"The largest errors {side} are larger than normal ones would be"
    if told.outside > 0.1 * len(told.error):
        return f"The errors of {scene.who} are not normal, but their largest are no larger"
    return f"The errors of {scene.who} look normal"


def alt(scene: Scene, told: NormalQuantiles) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Quantiles of the errors against normal ones. {title(scene, told)}."
