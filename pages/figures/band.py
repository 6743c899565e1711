"""A band between two lines."""

import plotly.graph_objects as go

from evalcore.outcomes import Floats
from pages.figures.clouds import light
from pages.figures.palette import tint


def add_band(
    figure: go.Figure,
    x: Floats,
    ends: tuple[Floats, Floats],
    *,
    color: str,
    base: str,
    shape: str = "linear",
) -> None:
    """Add what lies between the (m,) lower and upper ends, in a light shade of a colour."""
    for at, y in enumerate(ends):
        figure.add_scatter(
            x=light(x),
            y=light(y),
            mode="lines",
            line={"width": 0, "shape": shape},
            fill="tonexty" if at else None,
            fillcolor=tint(color, base, 0.18),
            hoverinfo="skip",
            showlegend=False,
        )
    # Plotly lists the names below filled areas in reverse.
    figure.update_layout(legend_traceorder="normal")
