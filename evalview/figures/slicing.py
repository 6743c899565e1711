"""Slices of the rows: how a model does in each, beside all rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING
from urllib.parse import quote

import plotly.graph_objects as go

from evalcore.metrics.catalog import find
from evalcore.text import counted
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.comparison import better_side, lay_rows, reach_of
from evalview.figures.lines import RULE
from evalview.figures.theme import Scene
from evalview.figures.view import Data, view_of

if TYPE_CHECKING:
    from evalcore.slices.results import Slice, Slices

SHOWN_AT_MOST = 24
"""More slices than this do not fit under each other."""

SLICE = 40
"""Pixels of a slice, whose rule stands above its interval."""


def draw_slices(scene: Scene, made: Slices) -> go.Figure:
    """Draw the value in each slice with its interval, worst first, and that of all rows as a line.

    A slice has the colour of the model only where it is confirmed to be worse than the rest.
    """
    metric, shown = find(made.metric), _shown(made)
    says = theme.Words(f"{metric.name} by slice: {better_side(metric)}", _subtitle(made))
    if not shown:
        return theme.nothing_to_draw(says, scene.look, "No slice has a finite value.")
    figure = theme.canvas(says, scene.look, height=60 + SLICE * len(shown))
    for confirmed in (False, True):
        _add(
            figure,
            scene,
            [(row, one) for row, one in enumerate(shown) if one.confirmed is confirmed],
        )
    for row, one in enumerate(shown):
        figure.add_annotation(
            text=safe(text.abbreviate(one.text, 44)), x=0, xref="paper", xanchor="left",
            y=row, yshift=13, showarrow=False, font={"size": 12, "color": scene.look.text},
            bgcolor=scene.look.card, borderpad=1,
        )  # fmt: skip
    estimates = [one.found.value for one in shown]
    if isfinite(made.overall.value):
        estimates.append(made.overall)
        figure.add_vline(
            x=made.overall.value,
            line={"color": scene.look.text, "width": 1.5, "dash": "dot"},
            annotation={"text": f"all rows {text.number(made.overall.value)}", "yshift": 4},
        )
    names = [safe(one.text) for one in shown]
    lay_rows(figure, names, (len(shown) - 0.5, -0.8), reach_of(estimates))
    return figure


def slices_alt(made: Slices) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{one.text} {text.with_interval(one.found.value)}{' (confirmed worse)' * one.confirmed}"
        for one in _shown(made)
    )
    name, overall = find(made.metric).name, text.with_interval(made.overall)
    return f"{name} of {made.model} is {overall} on all rows. By slice: {listed or 'none'}."


def _shown(made: Slices) -> list[Slice]:
    return [one for one in made.slices if isfinite(one.found.value.value)][:SHOWN_AT_MOST]


def _subtitle(made: Slices) -> str:
    said = f"Dot and {made.level:.0%} interval; in colour where confirmed to be worse than the rest"
    more = len(made.slices) - len(_shown(made))
    return f"{said}; {counted(more, 'slice')} not drawn" if more else said


def _add(figure: go.Figure, scene: Scene, placed: list[tuple[int, Slice]]) -> None:
    """Add slices that are all confirmed, or none of them, each in its row."""
    if not placed:
        return
    found = [one.found.value for _, one in placed]
    style = scene.style(placed[0][1].model)
    color = style.color if placed[0][1].confirmed else scene.look.secondary
    figure.add_scatter(
        x=[made.value for made in found],
        y=[row for row, _ in placed],
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [
                (made.value if made.high is None else made.high) - made.value for made in found
            ],
            "arrayminus": [
                made.value - (made.value if made.low is None else made.low) for made in found
            ],
            "color": color,
            "thickness": 3,
            "width": 0,
        },
        customdata=[quote(one.text) for _, one in placed],
        text=[_said(one) for _, one in placed],
        meta=RULE,
        mode="markers",
        name="confirmed" if placed[0][1].confirmed else "not confirmed",
        marker={"color": color, "size": 11, "symbol": style.symbol},
        hovertemplate="%{text}<extra></extra>",
    )


def _said(one: Slice) -> str:
    rest = text.number(one.found.rest.value)
    return (
        f"<b>{safe(text.abbreviate(one.text, 60))}</b><br>{text.with_interval(one.found.value)}, "
        f"{rest} in the rest<br>{counted(one.n, 'row')}"
    )


def slices(
    data: Data | Slices,
    *,
    by: str | Sequence[str] | None = None,
    metric: str | None = None,
    model: str | None = None,
    threshold: float | None = None,
) -> go.Figure:
    """Return the value in each slice with its interval, worst first; `by` names the columns."""
    from evalcore.files import slices as sliced
    from evalcore.slices.results import Slices

    if isinstance(data, Slices):
        return draw_slices(Scene(names=(data.model,)), data)
    view = view_of(data, model, threshold)
    asked = {"by": by, "metric": metric, "model": view.model}
    return slices(sliced(view.dataset, **asked, threshold=view.threshold))
