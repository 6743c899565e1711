"""Who is shown to be better than whom: one cell per pair of models, in order of merit."""

import numpy as np
import plotly.graph_objects as go

from evalcore.comparison.results import Comparison
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme
from pages.figures.names import under_each_other
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.words import counted

SHOWN_AT_MOST, WRITTEN_AT_MOST = 20, 7
"""More models than this have no room beside each other, or none for numbers in the cells."""


def draw(scene: Scene, made: Comparison) -> go.Figure:
    """Draw models down against models across, blue where the row is shown to be better."""
    says = theme.Words(title(made), _subtitle(made), x="against, numbered as the rows")
    order = made.standing.order[:SHOWN_AT_MOST]
    if len(order) < 2 or not made.primary:
        return theme.nothing_to_draw(says, scene.look, "No test tells these models apart.")
    figure = theme.canvas(says, scene.look, height=90 + 30 * max(len(order), 4))
    states = [[_state(made, one, other) for other in order] for one in order]
    written = len(order) <= WRITTEN_AT_MOST
    figure.add_trace(
        go.Heatmap(
            z=np.array(states, dtype=np.float32),
            customdata=np.array([[_gap(made, one, other) for other in order] for one in order]),
            name="difference, row minus column",
            text=[[_cell(made, one, other) if written else "" for other in order] for one in order],
            hovertext=[[_said(made, one, other) for other in order] for one in order],
            texttemplate="%{text}",
            textfont={"color": scene.look.text},
            colorscale=_colors(scene),
            zmin=-1,
            zmax=1,
            xgap=3,
            ygap=3,
            showscale=False,
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    names, places = under_each_other(order), list(range(len(order)))
    across = places if len(places) <= 10 else places[4::5]
    figure.update_xaxes(tickvals=across, ticktext=[str(place + 1) for place in across])
    down = [f"{name}  {place + 1}" for place, name in enumerate(names)]
    figure.update_yaxes(tickvals=places, ticktext=down, showgrid=False)
    figure.update_yaxes(range=[len(order) - 0.5, -0.5])
    return figure


def title(made: Comparison) -> str:
    """Return how many pairs can be told apart, in words."""
    order = made.standing.order
    pairs = [(a, b) for k, a in enumerate(order) for b in order[k + 1 :] if made.gap(a, b)]
    sure = sum(made.is_ahead(a, b) or made.is_ahead(b, a) for a, b in pairs)
    return f"{sure:,} of {counted(len(pairs), 'pair')} can be told apart"


def alt(made: Comparison) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    order = made.standing.order[:SHOWN_AT_MOST]
    wins = (f"{one} beats {sum(made.is_ahead(one, other) for other in order)}" for one in order)
    return f"Pairs of models by {made.metric_name}. {title(made)}. {'; '.join(wins)}."


def _subtitle(made: Comparison) -> str:
    more = len(made.standing.order) - SHOWN_AT_MOST
    shown = f"; the best {SHOWN_AT_MOST}" if more > 0 else ""
    return f"{made.metric_name}. Blue cell: the row is shown to be better, red: worse{shown}"


def _state(made: Comparison, one: str, other: str) -> float:
    if one == other:
        return float("nan")
    return float(made.is_ahead(one, other)) - float(made.is_ahead(other, one))


def _gap(made: Comparison, one: str, other: str) -> float:
    gap = made.gap(one, other)
    return float("nan") if gap is None else gap.difference


def _cell(made: Comparison, one: str, other: str) -> str:
    gap = made.gap(one, other)
    if gap is None or gap.difference != gap.difference:
        return ""
    return f"+{size(gap.difference)}" if gap.difference > 0 else size(gap.difference)


def _said(made: Comparison, one: str, other: str) -> str:
    gap, tested = made.gap(one, other), made.tested(made.primary, one, other)
    if one == other or gap is None or tested is None:
        return ""
    p = "p undefined" if tested.p_adjusted != tested.p_adjusted else f"p {tested.p_adjusted:.2g}"
    pair = f"{safe(shorten(one, 14))} – {safe(shorten(other, 14))}"
    return f"{pair}: {_cell(made, one, other)}, {p}"


def _colors(scene: Scene) -> list[list[float | str]]:
    look = scene.look
    weak = palette.tint(look.negative, look.card, 0.35)
    worse, better = (
        palette.tint(color, look.card, palette.WRITTEN_ON)
        for color in (look.positive, look.correct)
    )
    return [[0, worse], [0.33, worse], [0.34, weak], [0.66, weak], [0.67, better], [1, better]]
