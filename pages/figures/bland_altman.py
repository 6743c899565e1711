"""Differences of prediction and truth against their mean, with the limits of agreement."""

import plotly.graph_objects as go

from evalcore.metrics.spec import Estimate
from evalcore.results import Estimates
from evalcore.tables.cloud import Cloud
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.clouds import add_cloud, clear, color_of
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene

HOVER = "mean of both %{x:,.4~g}<br>off by %{y:+,.4~g}"
LINES = (
    ("bland_altman_high", "upper limit"),
    ("bias", "mean"),
    ("bland_altman_low", "lower limit"),
)


def draw(scene: Scene, cloud: Cloud, found: Estimates) -> go.Figure:
    """Draw rows to the right by the mean of prediction and truth, upwards by their difference."""
    says = theme.Words(
        title=title(scene, found),
        subtitle="Bland and Altman's limits of agreement, each with its interval",
        x="mean of predicted and actual",
        y="predicted minus actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    add_cloud(figure, scene, cloud, HOVER)
    for key, name in LINES:
        if found[key].defined:
            _add_limit(figure, scene, found[key], name)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def title(scene: Scene, found: Estimates) -> str:
    """Return between which errors 95 of 100 lie, if these are normal."""
    low, high = found["bland_altman_low"], found["bland_altman_high"]
    if not (low.defined and high.defined):
        return f"Do {scene.who} and the truth agree?"
    return f"19 of 20 errors of {scene.who} lie from {size(low.value)} to {size(high.value)}"


def alt(scene: Scene, cloud: Cloud, found: Estimates) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = words.counted(cloud.n, "row")
    return f"Differences of {rows} against their means. {title(scene, found)}, if they are normal."


def _add_limit(figure: go.Figure, scene: Scene, limit: Estimate, name: str) -> None:
    color = color_of(scene)
    if limit.low is not None and limit.high is not None:
        figure.add_hrect(y0=limit.low, y1=limit.high, line_width=0, fillcolor=clear(color, 0.14))
    dash = "solid" if name == "mean" else "5px,4px"
    figure.add_hline(y=limit.value, line={"color": scene.look.text, "width": 1.5, "dash": dash})
    figure.add_annotation(
        x=1, xref="paper", y=limit.value, xanchor="right", yanchor="bottom", showarrow=False,
        text=safe(f"{name} {size(limit.value)}"),
        bgcolor=scene.look.card, opacity=0.85,
    )  # fmt: skip
