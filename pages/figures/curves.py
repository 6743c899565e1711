"""Lines on a unit square: what ROC and precision-recall figures share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from evalcore.metrics.spec import Estimate
from evalcore.outcomes import Floats, Number
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import words
from pages.figures.scene import Scene

NAMED_UP_TO = 10
"""With more curves than this a list of their names covers the picture; hovering names each."""

ROOM_FOR, LINE = 4, 18
"""So many names have room below a picture on a phone; each further one takes a line."""

AVERAGE_DASHES = ("solid", "dash", "dot")

NOTE = 0.12
"""So much of the height has room for a note below a line."""

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


def fit_legend(figure: go.Figure, curves: int) -> None:
    """Make room for the names below the picture; leave them out where there are too many."""
    if curves > NAMED_UP_TO:
        figure.update_layout(showlegend=False)
    elif curves > ROOM_FOR:
        figure.update_layout(height=figure.layout.height + LINE * (curves - ROOM_FOR))


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


def add_averages(figure: go.Figure, scene: Scene, lines: Mapping[str, Line]) -> None:
    """Add the curves that stand for all classes, dark and dashed, each by its name."""
    for dash, (name, line) in zip(AVERAGE_DASHES, lines.items(), strict=False):
        figure.add_trace(
            go.Scatter(
                x=line.x.astype(np.float32),
                y=line.y.astype(np.float32),
                name=safe(name),
                legendrank=len(scene.names) + 1,
                mode="lines",
                line={"color": scene.look.text, "dash": dash, "width": 2, "shape": line.shape},
                hovertemplate=f"<b>{safe(name)}</b><br>{line.hover}<extra></extra>",
            )
        )


def hardest(scene: Scene, found: Mapping[str, Estimate], named: str = "") -> str:
    """Return the class with the lowest number, and that number; "" where one model is in front."""
    defined = {name: estimate.value for name, estimate in found.items() if estimate.defined}
    if scene.chosen is not None or not defined:
        return ""
    worst = min(defined, key=lambda name: defined[name])
    value = words.number(found[worst].value, words.decimals(found[worst]))
    return f"{words.named(worst)}, {named}{value}"


def listed(found: Mapping[str, Estimate]) -> str:
    """Return the number of each curve with its interval, for those who cannot see them."""
    return "; ".join(f"{name} {words.with_interval(value)}" for name, value in found.items())


def add_operating_point(figure: go.Figure, scene: Scene, x: Number, y: Number) -> None:
    """Mark where the chosen model works at the current threshold; nowhere if undefined."""
    if scene.chosen is None or not (np.isfinite(x) and np.isfinite(y)):
        return
    ring = {"color": scene.look.text, "width": 2}
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            cliponaxis=False,
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
            cliponaxis=False,
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
        # Curves fall towards the right, and none runs below such a model for long.
        room = "top" if ends[0] > NOTE else "bottom"
        figure.add_annotation(
            text=safe(note), x=0, y=ends[0], xanchor="left", yanchor=room, showarrow=False,
            font={"size": 11, "color": scene.look.secondary},
        )  # fmt: skip
