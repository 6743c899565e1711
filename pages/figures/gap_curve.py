"""The gap statistic: how much tighter k-means packs these points than points without clusters."""

import plotly.graph_objects as go

from evalcore.lab.gap import Gap
from pages.figures import theme, words
from pages.figures.scene import Scene


def draw(scene: Scene, told: Gap) -> go.Figure:
    """Draw the gap of each number of clusters with its standard error; the one found is ringed."""
    says = theme.Words(
        title=title(told),
        subtitle="Bars are standard errors; the first gap that the next does not clearly beat",
        x="clusters",
        y="gap",
    )
    figure = theme.canvas(says, scene.look, height=300)
    color = scene.look.correct
    figure.add_scatter(
        x=told.clusters,
        y=told.gap,
        error_y={"type": "data", "array": told.error, "color": color, "thickness": 1.2, "width": 0},
        mode="lines+markers",
        line={"color": color, "width": 2},
        marker={"size": 8, "color": color},
        hovertemplate="%{x} clusters: gap %{y:.3f}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        x=[told.best],
        y=[told.gap[told.best - 1]],
        mode="markers",
        marker={
            "size": 15,
            "symbol": "circle-open",
            "color": scene.look.text,
            "line": {"width": 2},
        },
        hoverinfo="skip",
        showlegend=False,
    )
    figure.update_xaxes(tickformat=",d", dtick=1)
    figure.update_yaxes(nticks=5)
    return figure


def title(told: Gap) -> str:
    """Return how many clusters the statistic finds, in words."""
    if told.best == 1:
        return "The gap statistic finds no clusters: one group"
    return f"The gap statistic finds {words.counted(told.best, 'cluster')}"


def alt(told: Gap) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = ", ".join(words.number(float(value)) for value in told.gap)
    return f"Gap by number of clusters. {title(told)}. From 1 cluster on: {listed}."
