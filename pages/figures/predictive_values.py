"""How far an alert can be trusted where the class is rarer or more common."""

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.predictive_values import PredictiveValue
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.band import add_band
from pages.figures.clouds import light
from pages.figures.scene import Scene

TICKS = (0.001, 0.01, 0.1, 0.5, 0.9)


def draw(
    scene: Scene, alerts: PredictiveValue, rest: PredictiveValue, prevalence: float
) -> go.Figure:
    """Draw the share of alerts, and of what is left alone, that is right, by prevalence."""
    says = theme.Words(
        title=title(scene, alerts, prevalence),
        subtitle="Predictive values at the threshold in use, with 95% intervals",
        x=f"share of cases that are {scene.axis_positive} (logit scale)",
        y="share that is right",
    )
    parts = (
        (alerts, f"flagged, and {scene.axis_positive}", scene.look.positive),
        (rest, f"left alone, and {scene.axis_negative}", scene.look.secondary),
    )
    drawable = [part for part in parts if np.isfinite(part[0].value).all()]
    if not drawable:
        why = "Predictive values need rows of both classes."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    for value, _, color in drawable:
        ends = value.low, value.high
        add_band(figure, _logit(value.prevalence), ends, color=color, base=scene.look.card)
    for value, name, color in drawable:
        _add(figure, value, (name, color))
    if 0 < prevalence < 1:
        line = {"color": scene.look.text, "width": 1.5, "dash": "dot"}
        figure.add_vline(x=_logit(prevalence), line=line)
    figure.update_yaxes(range=[-0.01, 1.02], tickformat=".0%", nticks=6)
    places = [_logit(tick) for tick in TICKS]
    figure.update_xaxes(
        tickvals=places, ticktext=[f"{tick:.1%}".replace(".0", "") for tick in TICKS]
    )
    return figure


def title(scene: Scene, alerts: PredictiveValue, prevalence: float) -> str:
    """Return how many alerts are right here, in words."""
    if not np.isfinite(alerts.value).all() or not 0 < prevalence < 1:
        return "How far can an alert be trusted?"
    share = float(np.interp(_logit(prevalence), _logit(alerts.prevalence), alerts.value))
    where = words.percent(prevalence)
    return f"Where {where} are {scene.positive}, {words.percent(share)} of the alerts are right"


def alt(scene: Scene, alerts: PredictiveValue, prevalence: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Predictive values against the share of the class. {title(scene, alerts, prevalence)}."


def _add(figure: go.Figure, value: PredictiveValue, drawn: tuple[str, str]) -> None:
    name, color = drawn
    figure.add_scatter(
        x=light(_logit(value.prevalence)),
        y=light(value.value),
        customdata=light(value.prevalence),
        name=safe(name),
        mode="lines",
        line={"color": color, "width": 2.5},
        hovertemplate="where %{customdata:.2%} are of the class, %{y:.1%} are right<extra></extra>",
    )


def _logit(share: float | np.ndarray) -> float | np.ndarray:
    return np.log(share) - np.log1p(-np.asarray(share))
