"""Rows as points, or as shades where they are too many: what two figures of numbers share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.cloud import Cloud, Density, Trend
from pages.figures.palette import LIGHT, tint
from pages.figures.scene import Scene

Placed = Callable[[Floats], NDArray[Any]]
"""From values to where they are drawn, such as dates."""


def light(values: Floats) -> NDArray[np.floating[Any]]:
    """Return the values as float32, which halves what travels, unless they are too large for it."""
    reach = np.abs(values).max(initial=0.0, where=np.isfinite(values))
    return values.astype(np.float32) if reach < np.finfo(np.float32).max else values


def add_cloud(
    figure: go.Figure, scene: Scene, cloud: Cloud, hover: str, placed: Placed = light
) -> None:
    """Add all rows; `hover` is a plotly template over %{x} and %{y}."""
    if cloud.density is not None:
        _add_density(figure, scene, cloud.density, hover, placed)
        return
    color = color_of(scene)
    figure.add_trace(
        go.Scatter(
            x=placed(cloud.x),
            y=light(cloud.y),
            customdata=cloud.row.astype(np.int32),
            mode="markers",
            marker={
                "size": 6 if cloud.n > 300 else 8,
                "color": color,
                "opacity": 0.7 if scene.look is LIGHT else 0.8,
                "line": {"width": 1, "color": scene.look.card},
            },
            hovertemplate=f"{hover}<br>row %{{customdata:,}}<extra></extra>",
            showlegend=False,
        )
    )


def add_trend(figure: go.Figure, scene: Scene, trend: Trend, placed: Placed = light) -> None:
    """Add the band in which 8 of 10 rows lie, and its middle line."""
    ends = (trend.low, trend.high)
    edge = {"width": 1, "color": scene.look.text, "dash": "dot"}
    for at, end in enumerate(ends):
        figure.add_trace(
            go.Scatter(
                x=placed(trend.x),
                y=end,
                mode="lines",
                line=edge,
                fill="tonexty" if at else None,
                fillcolor=clear(color_of(scene), 0.12),
                hoverinfo="skip",
                showlegend=False,
            )
        )
    figure.add_trace(
        go.Scatter(
            x=placed(trend.x),
            y=trend.median,
            mode="lines",
            line={"width": 2.5, "color": scene.look.text},
            hovertemplate="half of the rows near here above %{y:.4~g}<extra></extra>",
            showlegend=False,
        )
    )


def _add_density(
    figure: go.Figure, scene: Scene, density: Density, hover: str, placed: Placed
) -> None:
    counts = density.counts.astype(np.float32)
    empty = counts == 0
    counts[empty] = np.nan
    color, base = color_of(scene), scene.look.card
    figure.add_trace(
        go.Heatmap(
            x=placed(density.x),
            y=light(density.y),
            # A few crowded cells would leave all others pale.
            z=np.log1p(counts),
            customdata=density.counts.astype(np.float64),
            colorscale=[[0, tint(color, base, 0.12)], [1, color]],
            showscale=False,
            hoverongaps=False,
            hovertemplate=f"{hover}<br>%{{customdata:,}} rows<extra></extra>",
        )
    )


def color_of(scene: Scene) -> str:
    """Return the colour of who is in front."""
    return scene.look.correct if scene.chosen is None else scene.style(scene.chosen).color


def clear(color: str, opacity: float) -> str:
    """Return a colour that lets through what lies below."""
    red, green, blue = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
