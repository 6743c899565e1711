"""Places on a plane: how many points lie there, and how many of them fit another cluster better."""

import numpy as np
import plotly.graph_objects as go

from evalcore.clusters.places import Crowds
from pages.figures.clouds import light
from pages.figures.scene import Scene

LARGEST = 15
"""Pixels of the fullest place: two of them do not touch, on a phone neither."""

SMALLEST = 4


def add_crowds(figure: go.Figure, scene: Scene, told: Crowds) -> None:
    """Add a dot for each place, by area its points, by colour the share nearer to another."""
    look, share = scene.look, told.nearer / told.counts
    size = np.maximum(LARGEST * np.sqrt(told.counts / told.counts.max()), SMALLEST)
    figure.add_scatter(
        x=light(told.x),
        y=light(told.y),
        # Text, since a number would be taken for the row that was clicked.
        customdata=[f"{a:,} of {b:,}" for a, b in zip(told.nearer, told.counts, strict=True)],
        mode="markers",
        marker={
            "size": light(size),
            "color": light(share),
            "cmin": 0,
            "cmax": 1,
            "colorscale": [[0, look.correct], [0.5, look.secondary], [1, look.positive]],
            "line": {"width": 0},
            "opacity": 1,
            "colorbar": {
                "orientation": "h",
                "y": -0.28,
                "yanchor": "top",
                "len": 0.6,
                "thickness": 8,
                "outlinewidth": 0,
                "tickvals": [0, 0.5, 1],
                "tickformat": ".0%",
                "title": {"text": "points nearer to another cluster", "side": "top"},
            },
        },
        hovertemplate="%{customdata} points here are nearer to another cluster<extra></extra>",
        showlegend=False,
    )
