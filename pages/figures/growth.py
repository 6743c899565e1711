"""Errors on training rows and on other rows, by the number of rows or by a dial of the model."""

import numpy as np
import plotly.graph_objects as go

from evalcore.lab.growth import Growth
from evalcore.outcomes import Floats
from pages.figures import theme, words
from pages.figures.scene import Scene

OTHER, SAME = "other rows", "training rows"


def draw(scene: Scene, says: theme.Words, made: Growth, *, band: str) -> go.Figure:
    """Draw mean errors; `band` says what lies round them: the middle 90% of the rounds."""
    told = theme.Words(says.title, f"{says.subtitle}; {band}", says.x, says.y)
    figure = theme.canvas(told, scene.look)
    for name, values, color in (
        (OTHER, made.test, scene.look.positive),
        (SAME, made.train, scene.look.correct),
    ):
        _add_band(figure, made.at, values, color)
        figure.add_scatter(
            x=made.at,
            y=values.mean(axis=0),
            mode="lines+markers",
            line={"color": color, "width": 2},
            name=name,
            hovertemplate=f"{name}: %{{y:.4~g}} at %{{x}}<extra></extra>",
        )
    room = 0.04 * float(made.at[-1] - made.at[0])
    figure.update_xaxes(range=[float(made.at[0]) - room, float(made.at[-1]) + room])
    figure.update_yaxes(nticks=6, rangemode="tozero")
    return figure


def alt(says: theme.Words, made: Growth) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    test, train = made.test.mean(axis=0), made.train.mean(axis=0)
    first, last = (f"{made.at[place]:g}" for place in (0, -1))
    return (
        f"{says.title}. {says.y} from {says.x} {first} to {last}: on other rows "
        f"{words.number(float(test[0]))} to {words.number(float(test[-1]))}, on training rows "
        f"{words.number(float(train[0]))} to {words.number(float(train[-1]))}."
    )


def _add_band(figure: go.Figure, at: Floats, values: Floats, color: str) -> None:
    low, high = np.quantile(values, (0.05, 0.95), axis=0)
    figure.add_scatter(
        x=np.concatenate([at, at[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        line={"width": 0},
        name="middle 90% of the rounds",
        fill="toself",
        fillcolor=color,
        opacity=0.15,
        hoverinfo="skip",
        showlegend=False,
    )
