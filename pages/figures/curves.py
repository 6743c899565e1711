"""Lines on a unit square: what ROC and precision-recall figures share."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from evalcore.outcomes import Floats
from evalcore.tables.confusion import Count
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures.scene import Scene

NAMED_UP_TO = 10
"""With more curves than this a list of their names covers the picture; hovering names each."""

QUARTERS = [0, 0.25, 0.5, 0.75, 1]


@dataclass(frozen=True, eq=False)
class Line:
    """One curve: (m,) positions and the threshold at each, and what hovering says.

    `hover` is a plotly template over %{x}, %{y} and %{customdata}, the threshold.
    """

    x: Floats
    y: Floats
    threshold: Floats
    hover: str
    shape: Literal["linear", "vh"] = "linear"


def unit_axes(figure: go.Figure) -> None:
    """Let both axes run from 0 to 1, with room for a line that lies on the edge."""
    ticks = {"tickvals": QUARTERS, "ticktext": [f"{tick:g}" for tick in QUARTERS]}
    figure.update_xaxes(range=[-0.01, 1.01], **ticks)
    figure.update_yaxes(range=[-0.01, 1.02], **ticks)


def leave_out_long_legend(figure: go.Figure, curves: int) -> None:
    """Leave out the names below the picture where there are too many to read."""
    if curves > NAMED_UP_TO:
        figure.update_layout(showlegend=False)


def add_line(figure: go.Figure, scene: Scene, name: str, line: Line) -> None:
    """Add one curve in the colour of its model; positions travel as float32."""
    style = scene.style(name)
    figure.add_trace(
        go.Scatter(
            x=line.x.astype(np.float32),
            y=line.y.astype(np.float32),
            customdata=line.threshold,
            name=safe(shorten(name, 28)),
            legendrank=scene.names.index(name) + 1,
            mode="lines",
            line={
                "color": style.color,
                "dash": style.dash,
                "width": scene.width(name),
                "shape": line.shape,
            },
            hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>{line.hover}<extra></extra>",
        )
    )


def add_operating_point(figure: go.Figure, scene: Scene, x: Count, y: Count) -> None:
    """Mark where the chosen model works at the current threshold; nowhere if undefined."""
    if scene.chosen is None or not (np.isfinite(x) and np.isfinite(y)):
        return
    ring = {"color": scene.look.text, "width": 2}
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            marker={"size": 13, "color": scene.look.card, "line": ring},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            marker={"size": 5, "color": scene.style(scene.chosen).color},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def add_reference(figure: go.Figure, scene: Scene, ends: tuple[float, float], note: str) -> None:
    """Add the thin dashed line of a model that knows nothing, from (0, a) to (1, b)."""
    figure.add_trace(
        go.Scatter(
            x=[0, 1],
            y=list(ends),
            mode="lines",
            line={"color": scene.look.secondary, "width": 1, "dash": "3px,3px"},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    if note:
        figure.add_annotation(
            text=safe(note), x=1, y=ends[1], xanchor="right", yanchor="bottom", showarrow=False,
            font={"size": 11, "color": scene.look.secondary},
        )  # fmt: skip
