"""The places at distance 1 of the middle, by the order of a Minkowski distance."""

import numpy as np
import plotly.graph_objects as go

from evalcore.clusters.apart import unit_circle
from pages.figures import theme
from pages.figures.scene import Scene

NAMED = {1.0: "Manhattan", 2.0: "Euclidean", np.inf: "Chebyshev"}
DASHES = ("dot", "dash", "dashdot")


def draw(scene: Scene, order: float) -> go.Figure:
    """Draw the circle of an order on those of the named distances."""
    says = theme.Words(
        title=title(order),
        subtitle="In a plane of two features, from the middle",
        x="first feature",
        y="second feature",
    )
    figure = theme.canvas(says, scene.look, height=440)
    for (known, name), dash in zip(NAMED.items(), DASHES, strict=True):
        _add(figure, known, name, {"color": scene.look.secondary, "width": 1.5, "dash": dash})
    _add(figure, order, written(order), {"color": scene.look.positive, "width": 3})
    figure.update_xaxes(range=[-1.15, 1.15], tickvals=[-1, 0, 1])
    figure.update_yaxes(range=[-1.15, 1.15], tickvals=[-1, 0, 1], scaleanchor="x")
    return figure


def title(order: float) -> str:
    """Return what the picture shows, in words."""
    shapes = {1.0: "a square on its corner", 2.0: "a circle", np.inf: "a square"}
    shape = shapes.get(order, "between circle and square" if order > 2 else "a rounded diamond")
    return f"At distance 1 by {written(order)}: {shape}"


def alt(order: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{title(order)}. For comparison Manhattan, Euclidean and Chebyshev."


def written(order: float) -> str:
    """Return the order as it is written."""
    return "p = ∞" if np.isinf(order) else f"p = {order:g}"


def _add(figure: go.Figure, order: float, name: str, line: dict[str, object]) -> None:
    around = unit_circle(order)
    figure.add_scatter(
        x=around[:, 0], y=around[:, 1], mode="lines", line=line, name=name, hoverinfo="name"
    )
