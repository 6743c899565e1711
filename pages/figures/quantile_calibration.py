"""What share of the truths lies below each predicted quantile, against what it promises."""

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.quantiles import QuantileTable
from pages.figures import theme, words
from pages.figures.bars import interval_bars
from pages.figures.clouds import color_of
from pages.figures.curves import add_reference, unit_axes
from pages.figures.scene import Scene


def draw(scene: Scene, told: QuantileTable) -> go.Figure:
    """Draw a point per quantile with its interval; on the diagonal it keeps its promise."""
    says = theme.Words(
        title=title(scene, told),
        subtitle="On the line, quantiles keep their promise; bars are 95% intervals",
        x="promised share below",
        y="share below",
    )
    if not told.n or not len(told.level):
        return theme.nothing_to_draw(says, scene.look, "No row has every quantile.")
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    add_reference(figure, scene, (0, 1), "")
    color = color_of(scene)
    figure.add_scatter(
        x=told.level,
        y=told.share,
        error_y=interval_bars(told.share, told.low, told.high, color),
        customdata=np.column_stack([told.low, told.high, told.pinball]),
        mode="lines+markers",
        line={"color": color, "width": 2},
        marker={"size": 8, "color": color},
        hovertemplate="promised %{x:.1%}, it is %{y:.1%} (%{customdata[0]:.1%} to "
        "%{customdata[1]:.1%})<br>pinball loss %{customdata[2]:,.4~g}<extra></extra>",
        showlegend=False,
    )
    return figure


def title(scene: Scene, told: QuantileTable) -> str:
    """Return which quantile strays furthest, if any strays for sure."""
    if not told.n:
        return "Nothing to judge"
    strays = (told.level < told.low) | (told.level > told.high)
    if not strays.any():
        return f"The quantiles of {scene.who} keep their promise, as far as these rows can tell"
    worst = int(np.argmax(np.where(strays, np.abs(told.share - told.level), -1.0)))
    said, came = (words.percent(float(value[worst])) for value in (told.level, told.share))
    return f"Below the {said} quantile of {scene.who} lie {came}"


def alt(scene: Scene, told: QuantileTable) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    count = words.counted(len(told.level), "quantile")
    return f"Share below each of {count} against its promise. {title(scene, told)}."
