"""How far off a model is in each tenth of the rows: its bias, and the size of its errors."""

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.error_groups import ErrorGroups
from pages.figures import theme, words
from pages.figures.against import Errors
from pages.figures.bars import interval_bars
from pages.figures.clouds import color_of
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.spoken import at_start

FEWEST = 10
"""Rows of a group from which its interval says something."""


def draw(scene: Scene, errors: Errors) -> go.Figure:
    """Draw mean error and mean size of the error of each group, from small to large values."""
    groups, by = errors.groups, errors.by
    says = theme.Words(
        title=title(scene, errors), subtitle=subtitle(groups), x=by.axis, y="mean error"
    )
    if not len(groups.n):
        return theme.nothing_to_draw(says, scene.look, "There is no row to draw.")
    figure = theme.canvas(says, scene.look, height=380)
    middle = groups.low + (groups.high - groups.low) / 2
    told = np.column_stack(
        [groups.n, groups.bias_low, groups.bias_high, groups.mae_low, groups.mae_high]
    )
    ends = [by.positions(groups.low), by.positions(groups.high)]
    for name, value, low, high, color, ends_at, symbol in (
        ("size of the error (mean absolute error)", groups.mae, groups.mae_low, groups.mae_high,
         scene.look.secondary, (3, 4), "square"),
        ("error with its sign (bias)", groups.bias, groups.bias_low, groups.bias_high,
         color_of(scene), (1, 2), "circle"),
    ):  # fmt: skip
        figure.add_scatter(
            x=by.positions(middle),
            y=value,
            customdata=[[*row, str(a), str(b)] for row, a, b in zip(told, *ends, strict=True)],
            error_y=interval_bars(value, low, high, color),
            mode="lines+markers",
            line={"color": color, "width": 1.5},
            marker={"size": 8, "symbol": symbol, "color": color},
            name=name,
            hovertemplate=f"<b>{name}</b> %{{y:,.4~g}} (%{{customdata[{ends_at[0]}]:,.4~g}} to "
            f"%{{customdata[{ends_at[1]}]:,.4~g}})<br>%{{customdata[0]:,}} rows from "
            "%{customdata[5]} to %{customdata[6]}<extra></extra>",
        )
    figure.add_hline(y=0, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def title(scene: Scene, errors: Errors) -> str:
    """Return where a model says too much or too little, as far as that is sure."""
    groups = errors.groups
    if len(groups.n) < 2:
        return f"How far off {scene.who} is, by {errors.by.spoken}"
    first, last = _side(groups, 0), _side(groups, -1)
    if first and last and first != last:
        return f"{at_start(scene.who)} says {first} at the low end, {last} at the high end"
    sure = sum(bool(_side(groups, k)) for k in range(len(groups.n)))
    if not sure:
        return f"No group shows that {scene.who} leans to one side"
    worst = int(np.nanargmax(np.where([bool(_side(groups, k)) for k in range(len(groups.n))],
                                      np.abs(groups.bias), -1.0)))  # fmt: skip
    where = f"from {_end(errors, groups.low[worst])} to {_end(errors, groups.high[worst])}"
    by = f"{size(abs(float(groups.bias[worst])))} {_side(groups, worst)}"
    return f"{at_start(scene.who)} says {by} {where}"


def subtitle(groups: ErrorGroups) -> str:
    """Return how the groups are made and what the bars are."""
    together = 1 - (1 - groups.level) * 10
    parts = f"{words.counted(len(groups.n), 'group')} of about equally many rows"
    return f"{parts}; above zero it says too much; all bars hold together at {together:.0%}"


def alt(scene: Scene, errors: Errors) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Mean errors in groups by {errors.by.spoken}. {title(scene, errors)}."


def _side(groups: ErrorGroups, at: int) -> str:
    """Return to which side a group leans for sure; "" if to none."""
    if groups.n[at] < FEWEST:
        return ""
    if groups.bias_low[at] > 0:
        return "too much"
    return "too little" if groups.bias_high[at] < 0 else ""


def _end(errors: Errors, value: float) -> str:
    if errors.by.dates:
        return str(np.datetime64(int(value), "us").astype("datetime64[D]"))
    return size(float(value))
