"""What each round of each scheme gives, beside what is known from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.outcomes import Floats
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.clouds import light
from pages.figures.scene import Scene

DOTS_AT_MOST = 120


@dataclass(frozen=True, eq=False)
class Rounds:
    """The rounds of one scheme.

    Attributes:
        value: (S,) what each round gives; NaN where nothing.
        middle: The estimate.
        low: Lower end of its interval; NaN for none.
        high: Upper end.
    """

    value: Floats
    middle: float
    low: float = np.nan
    high: float = np.nan


def draw(
    scene: Scene,
    says: theme.Words,
    made: Mapping[str, Rounds],
    known: Mapping[str, float],
    *,
    height: int | None = None,
) -> go.Figure:
    """Draw a line of dots per scheme, and an upright line for each number known from elsewhere.

    Names are plain text.
    """
    drawn = {name: one for name, one in made.items() if np.isfinite(one.middle)}
    if not drawn:
        return theme.nothing_to_draw(says, scene.look, "No round has a value.")
    figure = theme.canvas(says, scene.look, height=height or 130 + 42 * len(drawn))
    for row, (name, one) in enumerate(drawn.items()):
        _add_rounds(figure, scene, safe(name), one, row)
    lines = zip(known.items(), (scene.look.positive, scene.look.secondary), strict=False)
    for (name, value), color in lines:
        if np.isfinite(value):
            _add_known(figure, name, value, color, len(drawn))
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[safe(name) for name in drawn],
        showgrid=False,
        range=[len(drawn) - 0.5, -0.5],
    )
    figure.update_xaxes(showgrid=True, nticks=6)
    return figure


def alt(says: theme.Words, made: Mapping[str, Rounds], known: Mapping[str, float]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = [f"{name} {words.number(one.middle)}" for name, one in made.items()]
    listed += [f"{name} {words.number(value)}" for name, value in known.items()]
    return f"{says.title}. {says.x}: {'; '.join(listed)}."


def _add_rounds(figure: go.Figure, scene: Scene, name: str, one: Rounds, row: int) -> None:
    color, value = scene.look.correct, one.value[np.isfinite(one.value)]
    # Rounds with one row each are right or wrong: their dots would say nothing.
    if len(np.unique(value)) > 2 or len(value) <= 20:
        spread = row + 0.5 * (np.arange(len(value)) * 0.618034 % 1 - 0.5)
        figure.add_scatter(
            x=light(value[:DOTS_AT_MOST]),
            y=light(spread[:DOTS_AT_MOST]),
            mode="markers",
            name=f"{name}, rounds",
            marker={"color": color, "size": 6, "opacity": 0.7},
            hovertemplate=f"{name}, a round: %{{x:.4~g}}<extra></extra>",
            showlegend=False,
        )
    if np.isfinite(one.low) and np.isfinite(one.high):
        figure.add_scatter(
            x=[one.low, one.high],
            y=[row, row],
            mode="lines",
            name=f"{name}, interval",
            line={"color": color, "width": 3},
            hoverinfo="skip",
            showlegend=False,
        )
    figure.add_scatter(
        x=[one.middle],
        y=[row],
        mode="markers",
        name=name,
        marker={"color": scene.look.text, "size": 11, "symbol": "diamond"},
        hovertemplate=f"<b>{name}</b>: %{{x:.4~g}}<extra></extra>",
        showlegend=False,
    )


def _add_known(figure: go.Figure, name: str, value: float, color: str, rows: int) -> None:
    figure.add_scatter(
        x=[value, value],
        y=[-0.5, rows - 0.5],
        mode="lines",
        line={"color": color, "width": 2, "dash": "dash"},
        name=name,
        hovertemplate=f"{name}: %{{x:.4~g}}<extra></extra>",
    )
