"""How far models are apart, pair by pair, and whether zero is among what may be true."""

from collections.abc import Sequence
from math import isfinite, isnan

import plotly.graph_objects as go

from evalcore.comparison.results import Comparison, Difference
from evalcore.metrics.spec import Better
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.words import MINUS, counted, ends_spoken

SHOWN_AT_MOST = 30
"""More pairs than this do not fit under each other."""

PAIR = 46
"""Pixels of a pair."""


def draw(scene: Scene, made: Comparison, *, height: int | None = None) -> go.Figure:
    """Draw each pair as better minus worse, those with the best model first.

    As many as fit, where a figure beside it settles the height.
    """
    pairs = _pairs(made)
    most = SHOWN_AT_MOST if height is None else height // PAIR
    shown = [gap for gap in pairs if isfinite(gap.difference)][:most]
    says = theme.Words(title(made, pairs), _subtitle(made, len(pairs) - len(shown)))
    if not shown:
        return theme.nothing_to_draw(
            says, scene.look, "No two models have finite values to compare."
        )
    figure = theme.canvas(says, scene.look, height=height or room(len(shown)))
    for row, gap in enumerate(shown):
        _add_pair(figure, scene, gap, row)
    figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5})
    pairs_named = [f"{safe(gap.second)} {MINUS} {safe(gap.first)}" for gap in shown]
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=pairs_named,  # for the numbers as CSV
        range=[len(shown) - 0.55, -0.75],
        showgrid=False,
        showticklabels=False,
        automargin=False,
    )
    figure.update_xaxes(showgrid=True, nticks=6, range=_reach(shown))
    figure.update_layout(showlegend=False, margin={"l": 16})
    return figure


def room(pairs: int) -> int:
    """Return how many pixels so many pairs take."""
    return 50 + PAIR * min(pairs, SHOWN_AT_MOST)


def title(made: Comparison, pairs: Sequence[Difference]) -> str:
    """Return how many pairs can be told apart, in words."""
    pairs = [gap for gap in pairs if isfinite(gap.difference)]
    sure = sum(_leaves_out_zero(gap) for gap in pairs)
    if not pairs:
        return "No difference to show"
    if len(pairs) == 1:
        return "The interval leaves out zero" if sure else "The interval includes zero"
    return f"{sure} of {len(pairs)} intervals leave out zero"


def alt(made: Comparison) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    pairs = _pairs(made)
    listed = "; ".join(
        f"{gap.second} minus {gap.first} {_value(gap)}" for gap in pairs[:SHOWN_AT_MOST]
    )
    return f"Differences in {made.metric_name} with their intervals: {listed}."


def _pairs(made: Comparison) -> list[Difference]:
    """Return every difference as better minus worse, in order of merit."""
    order = made.standing.order
    places = ((i, j) for i in range(len(order)) for j in range(i + 1, len(order)))
    found = (made.gap(order[i], order[j]) for i, j in places)
    return [gap for gap in found if gap is not None]


def _subtitle(made: Comparison, more: int) -> str:
    side = "left" if made.better is Better.LOWER else "right"
    said = (
        f"{made.level:.0%} intervals of the differences; {side} of zero the first named is better"
    )
    are = "is" if more == 1 else "are"
    return f"{said}; {counted(more, 'pair')} {are} not drawn" if more else said


def _reach(shown: Sequence[Difference]) -> list[float]:
    """Return a range that holds zero and every interval, with some room."""
    ends = [0.0, *(gap.difference for gap in shown)]
    ends += [end for gap in shown for end in (gap.low, gap.high) if end is not None]
    room = 0.05 * (max(ends) - min(ends)) or 1.0
    return [min(ends) - room, max(ends) + room]


def _leaves_out_zero(gap: Difference) -> bool:
    return gap.low is not None and gap.high is not None and (gap.low > 0 or gap.high < 0)


def _add_pair(figure: go.Figure, scene: Scene, gap: Difference, row: int) -> None:
    first, other = (safe(shorten(name, 22)) for name in (gap.second, gap.first))
    figure.add_annotation(
        text=f"<b>{first}</b> {MINUS} {other}", x=0, xref="paper", xanchor="left",
        y=row, yshift=15, showarrow=False, font={"size": 12},
        bgcolor=scene.look.card, borderpad=1,
    )  # fmt: skip
    style = scene.style(gap.second)
    color = style.color if _leaves_out_zero(gap) else scene.look.secondary
    says = f"<b>{first}</b> {MINUS} {other}<br>{_value(gap)}<extra></extra>"
    if gap.low is not None and gap.high is not None:
        figure.add_trace(
            go.Scatter(
                x=[gap.low, gap.high], y=[row, row], mode="lines", name="interval",
                line={"color": color, "width": 3}, hovertemplate=says,
            )
        )  # fmt: skip
    marker = {"color": color, "size": 11, "symbol": style.symbol}
    figure.add_trace(
        go.Scatter(
            x=[gap.difference],
            y=[row],
            mode="markers",
            name="difference",
            marker=marker,
            hovertemplate=says,
        )
    )


def _value(gap: Difference) -> str:
    if not isfinite(gap.difference):
        return "undefined" if isnan(gap.difference) else "infinite"
    if gap.low is None or gap.high is None:
        return size(gap.difference)
    return f"{size(gap.difference)} ({ends_spoken(size(gap.low), size(gap.high))})"
