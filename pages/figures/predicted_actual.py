"""What a model predicted against what was true, row by row."""

from math import isinf

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.error_groups import FittedLine
from evalcore.metrics.spec import Estimate
from evalcore.tables.cloud import Cloud
from pages.figures import theme, words
from pages.figures.clouds import add_cloud, color_of
from pages.figures.scene import Scene
from pages.figures.spoken import predictions_of

HOVER = "predicted %{x:,.4~g}<br>was %{y:,.4~g}"


def draw(scene: Scene, cloud: Cloud, half: Estimate, fitted: FittedLine | None = None) -> go.Figure:
    """Draw predictions to the right and truths upwards; on the diagonal both are equal.

    `half` is the median absolute error; `fitted` is drawn as a line where it is known.
    """
    says = theme.Words(
        title=title(scene, half, fitted),
        subtitle=subtitle(cloud, fitted),
        x="predicted",
        y="actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    add_cloud(figure, scene, cloud, HOVER)
    ends = _ends(cloud)
    line = {"color": scene.look.text, "width": 1.5, "dash": "4px,3px"}
    figure.add_trace(
        go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    )
    if fitted is not None and np.isfinite(fitted.slope):
        _add_fitted(figure, scene, fitted, ends)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def title(scene: Scene, half: Estimate, fitted: FittedLine | None = None) -> str:
    """Return what one sees, in words: of the line that fits best, where one is drawn."""
    if fitted is not None and np.isfinite(fitted.slope):
        return f"Actual numbers rise by {_slope(fitted.slope)} where predictions rise by 1"
    if not half.defined:
        return f"Actual values by {predictions_of(scene.who)}"
    return f"Half of the {predictions_of(scene.who)} are within {size(half.value)}"


def subtitle(cloud: Cloud, fitted: FittedLine | None = None) -> str:
    """Return what the lines are."""
    rows = words.counted(cloud.n, "row")
    if fitted is None or not np.isfinite(fitted.slope):
        return f"{rows}; on the line a prediction is exactly right"
    ends = words.ends_spoken(_slope(fitted.slope_low), _slope(fitted.slope_high))
    sure = f", 95% interval {ends}" if np.isfinite(fitted.slope_low) else ""
    return f"{rows}; dashed: exactly right; solid: the line that fits best{sure}"


def _slope(value: float) -> str:
    return f"{value:.2f}".replace("-", words.MINUS)


def _add_fitted(figure: go.Figure, scene: Scene, fitted: FittedLine, ends: list[float]) -> None:
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=[fitted.intercept + fitted.slope * end for end in ends],
            mode="lines",
            line={"color": color_of(scene), "width": 2.5},
            hovertemplate="of rows predicted %{x:,.4~g}, the mean is %{y:,.4~g}<extra></extra>",
            showlegend=False,
        )
    )


def size(value: float) -> str:
    """Return a size in the unit of the target, with as many digits as a reader can use.

    >>> size(39.3743), size(0.01234), size(12345.6)
    ('39.4', '0.0123', '12,346')
    """
    if isinf(value):
        return words.number(value)
    whole = 1000 <= abs(value) < 1e15
    return (f"{value:,.0f}" if whole else f"{value:.3g}").replace("-", words.MINUS)


def alt(scene: Scene, cloud: Cloud, half: Estimate) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = words.counted(cloud.n, "row")
    return f"Predicted against actual values of {rows}. {title(scene, half)}."


def _ends(cloud: Cloud) -> list[float]:
    """Return where the diagonal begins and ends: as far as both axes reach."""
    shown = cloud if cloud.density is None else cloud.density
    low = min(float(shown.x.min()), float(shown.y.min()))
    high = max(float(shown.x.max()), float(shown.y.max()))
    return [low, high]
