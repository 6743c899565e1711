"""One metric of several models, each a dot with its interval."""

from collections.abc import Mapping, Sequence
from math import isinf

import plotly.graph_objects as go

from evalcore.metrics.spec import Better, Estimate, Metric
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.scene import Scene

SHOWN_AT_MOST = 60
"""More rows than this do not fit under each other."""


def draw(
    scene: Scene, metric: Metric, estimates: Mapping[str, Estimate], *, height: int = 0
) -> go.Figure:
    """Draw the estimates of one metric under each other, in the file's order.

    They are drawn further apart where a figure beside them has more than this `height`.
    """
    drawable = {name: value for name, value in estimates.items() if value.defined}
    says = theme.Words(title=f"{metric.name}: {_better(metric)}", subtitle=_level(drawable))
    if not drawable:
        what = "infinite" if any(map(isinf, (e.value for e in estimates.values()))) else "undefined"
        why = f"{metric.name} is {what}: {next((e.why for e in estimates.values()), '')}."
        return theme.nothing_to_draw(says, scene.look, why)
    names = list(drawable)[:SHOWN_AT_MOST]
    figure = theme.canvas(says, scene.look, height=max(height, room(len(names))))
    for row, name in enumerate(names):
        _add_estimate(figure, scene, name, drawable[name], row)
    labels = [safe(shorten(name, 20)) for name in names]
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=labels, showgrid=False)
    figure.update_yaxes(range=[len(names) - 0.5, -0.5])
    figure.update_xaxes(showgrid=True, nticks=6, range=_reach([drawable[name] for name in names]))
    figure.update_layout(showlegend=False)
    return figure


def room(rows: int) -> int:
    """Return how many pixels so many rows take."""
    return 60 + 34 * rows


def alt(metric: Metric, estimates: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{name} {words.with_interval(value)}" for name, value in estimates.items())
    return f"{metric.name} of each model with its interval: {listed}."


def _reach(shown: Sequence[Estimate]) -> list[float]:
    """Return a range that holds every interval, with some room."""
    ends = [end for one in shown for end in (one.value, one.low, one.high) if end is not None]
    room = 0.05 * (max(ends) - min(ends)) or 0.05
    return [min(ends) - room, max(ends) + room]


def _add_estimate(figure: go.Figure, scene: Scene, name: str, estimate: Estimate, row: int) -> None:
    style = scene.style(name)
    says = f"<b>{safe(shorten(name, 60))}</b><br>{words.with_interval(estimate)}<extra></extra>"
    if estimate.low is not None and estimate.high is not None:
        figure.add_trace(
            go.Scatter(
                x=[estimate.low, estimate.high],
                y=[row, row],
                mode="lines",
                name="interval",
                line={"color": style.color, "width": 3},
                hovertemplate=says,
            )
        )
    marker = {"color": style.color, "size": 11, "symbol": style.symbol}
    figure.add_trace(
        go.Scatter(
            x=[estimate.value],
            y=[row],
            mode="markers",
            name="value",
            marker=marker,
            hovertemplate=says,
        )
    )


def _better(metric: Metric) -> str:
    return {
        Better.HIGHER: "further right is better",
        Better.LOWER: "further left is better",
        Better.NEITHER: "neither direction is better",
    }[metric.better]


def _level(estimates: Mapping[str, Estimate]) -> str:
    levels = {value.level for value in estimates.values() if value.level is not None}
    return f"Dot and {max(levels):.0%} interval" if levels else ""
