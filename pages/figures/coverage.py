"""How often an interval holds the truth, from small predictions to large ones."""

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.error_groups import ErrorGroups
from evalcore.resampling.proportions import wilson
from pages.figures import theme, words
from pages.figures.bars import interval_bars
from pages.figures.clouds import color_of
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene


def draw(scene: Scene, groups: ErrorGroups, promised: float) -> go.Figure:
    """Draw the share held in each group, with its interval, and the promise as a line."""
    says = theme.Words(
        title=title(groups, promised),
        subtitle=f"{words.counted(len(groups.n), 'group')} of about equally many rows; bars are "
        f"Wilson intervals that hold together at 95%",
        x="predicted",
        y="share held",
    )
    if not len(groups.n):
        return theme.nothing_to_draw(says, scene.look, "No row has both ends of the interval.")
    figure = theme.canvas(says, scene.look)
    color, (low, high) = color_of(scene), ends(groups)
    figure.add_scatter(
        x=groups.low + (groups.high - groups.low) / 2,
        y=groups.bias,
        error_y=interval_bars(groups.bias, low, high, color),
        customdata=np.column_stack([groups.n, groups.low, groups.high]),
        mode="markers",
        marker={"size": 8, "color": color},
        hovertemplate="%{y:.1%} of %{customdata[0]:,} rows, predicted %{customdata[1]:,.4~g} to "
        "%{customdata[2]:,.4~g}<extra></extra>",
        showlegend=False,
    )
    line = {"color": scene.look.text, "width": 1.5, "dash": "4px,3px"}
    figure.add_hline(y=promised, line=line)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(range=[min(0.5, float(low.min())) - 0.02, 1.02], tickformat=".0%")
    return figure


def ends(groups: ErrorGroups) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the shares' intervals, which hold together at 95% (Bonferroni)."""
    level = 1 - 0.05 / max(1, len(groups.n))
    found = wilson(groups.bias * groups.n, groups.n, level)
    return np.asarray(found.low), np.asarray(found.high)


def title(groups: ErrorGroups, promised: float) -> str:
    """Return where the interval holds too little, if anywhere for sure."""
    if not len(groups.n):
        return "Nothing to judge"
    low, high = ends(groups)
    short = high < promised
    if not len(groups.n) or not (short.any() or (low > promised).any()):
        return "No group strays from the promise for sure"
    if not short.any():
        return "It holds more than it promises, and is wider than it need be"
    worst = int(np.argmin(np.where(short, groups.bias, 2.0)))
    share = words.percent(float(groups.bias[worst]))
    where = f"{size(float(groups.low[worst]))} to {size(float(groups.high[worst]))}"
    return f"Where {where} is predicted, it holds {share}"


def alt(groups: ErrorGroups, promised: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return (
        f"Share of truths within the interval in {words.counted(len(groups.n), 'group')} by "
        f"prediction. {title(groups, promised)}."
    )
