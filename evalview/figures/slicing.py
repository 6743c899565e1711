"""Slices of the rows, each beside all rows; and two files apart, the later beside the earlier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np
import plotly.graph_objects as go

from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Floats
from evalcore.text import counted
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.comparison import Dot, add_dot, better_side, lay_rows, reach_of
from evalview.figures.lines import RULE, ScoreHistogram, clear, color_of, light
from evalview.figures.theme import Scene
from evalview.figures.view import Data, view_of

if TYPE_CHECKING:
    from evalcore.slices.judging import Against
    from evalcore.slices.results import Slice, Slices
    from evalcore.slices.shift import Moved, Shift

SHOWN_AT_MOST = 24
"""More slices than this do not fit under each other."""

SLICE = 42
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
    estimates = [one.found.value for one in shown]
    if isfinite(made.overall.value):
        estimates.append(made.overall)
        figure.add_vline(
            x=made.overall.value,
            line={"color": scene.look.text, "width": 1.5, "dash": "dot"},
            annotation={"text": f"all rows {text.number(made.overall.value)}", "yshift": 4},
        )
    _name_rows(figure, scene, [one.text for one in shown], reach_of(estimates))
    return figure


def _name_rows(
    figure: go.Figure, scene: Scene, names: Sequence[str], reach: Sequence[float]
) -> None:
    """Write the name of each row above its interval."""
    for row, name in enumerate(names):
        figure.add_annotation(
            text=safe(text.abbreviate(name, 44)), x=0, xref="paper", xanchor="left",
            y=row, yshift=17, showarrow=False, font={"size": 12, "color": scene.look.text},
            bgcolor=scene.look.card, borderpad=1,
        )  # fmt: skip
    lay_rows(figure, [safe(name) for name in names], (len(names) - 0.5, -0.8), reach)


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


def draw_changes(scene: Scene, made: Shift, named: Mapping[str, str]) -> go.Figure:
    """Draw each number of a later file minus that of the earlier one, with its interval.

    A number has the colour of the model only where its change is shown, as the adjusted p says.
    `named` has what keys are called; others have the name of their metric.
    """
    shown, kind = _changes(made), "expected" if made.assumed else "later"
    colored = "" if made.assumed else "; in colour where the change is shown"
    says = theme.Words(f"{kind.capitalize()} minus earlier", f"{_ends(shown)}{colored}")
    if not shown:
        return theme.nothing_to_draw(says, scene.look, "No number has a value in both files.")
    figure = theme.canvas(says, scene.look, height=60 + SLICE * len(shown))
    style, names = scene.style(made.model), [named.get(key) or find(key).name for key in shown]
    for row, (name, (key, one)) in enumerate(zip(names, shown.items(), strict=True)):
        gap, sure = one.difference, made.p_adjusted.get(key, 1.0) <= 1 - made.level
        color = style.color if sure else scene.look.secondary
        ends = f"{text.number(one.rest.value)} earlier, {text.number(one.value.value)} {kind}"
        told = f"<b>{safe(text.abbreviate(name, 60))}</b><br>{text.with_interval(gap)}<br>{ends}"
        add_dot(figure, row, Dot("difference", gap.value, gap.low, gap.high, color, "circle"), told)
    figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5})
    reach = reach_of([*(one.difference for one in shown.values()), Estimate(0.0)])
    _name_rows(figure, scene, names, reach)
    return figure


def changes_alt(made: Shift, named: Mapping[str, str]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{named.get(key) or find(key).name} {text.with_interval(one.difference)}"
        for key, one in _changes(made).items()
    )
    return f"Later minus earlier, {made.model}, with intervals: {listed or 'none'}."


def _changes(made: Shift) -> dict[str, Against]:
    every = {**made.metrics, **made.truth}
    finite = (key for key, one in every.items() if isfinite(one.difference.value))
    return {key: every[key] for key in list(finite)[:SHOWN_AT_MOST]}


def _ends(shown: Mapping[str, Against]) -> str:
    levels = {one.difference.level for one in shown.values()} - {None}
    return f"Dot and {max(filter(None, levels)):.0%} interval" if levels else "Dot: the difference"


def draw_moved(scene: Scene, moved: Moved) -> go.Figure:
    """Draw which share of the rows of either file has which scores, or predicted numbers."""
    how = "Shares of the rows of each file, in equal bins"
    says = theme.Words(moved_title(scene, moved), how, moved.of, "share of rows")
    if not len(moved.table.threshold):
        return theme.nothing_to_draw(says, scene.look, f"There are no {moved.of}.")
    figure, counts = theme.canvas(says, scene.look), ScoreHistogram.from_table(moved.table)
    _add_shares(figure, "earlier", scene.look.secondary, counts.edges, counts.negatives)
    _add_shares(figure, "later", color_of(scene), counts.edges, counts.positives)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero", nticks=5)
    return figure


def moved_title(scene: Scene, moved: Moved) -> str:
    """Return which of the two files tends to have the higher values, where that is shown."""
    low, high = moved.above.low, moved.above.high
    if low is None or high is None or low <= 0.5 <= high:
        return f"{moved.of.capitalize()} of {scene.who}, earlier and later"
    return f"Later {moved.of} of {scene.who} tend to be {'higher' if low > 0.5 else 'lower'}"


def moved_alt(scene: Scene, moved: Moved) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    far, above = (text.with_interval(one) for one in (moved.distance, moved.above))
    return (
        f"{moved_title(scene, moved)}. The distributions differ by up to {far}; a later value "
        f"is above an earlier one with probability {above}."
    )


def _add_shares(figure: go.Figure, name: str, color: str, edges: Floats, counts: Floats) -> None:
    share = counts / max(float(counts.sum()), 1.0)
    figure.add_scatter(
        x=light(edges),
        y=light(np.append(share, share[-1])),
        customdata=np.append(edges[1:], edges[-1]),
        name=name,
        mode="lines",
        line={"color": color, "width": 2, "shape": "hv"},
        fill="tozeroy",
        fillcolor=clear(color, 0.15),
        hovertemplate=(
            f"<b>{name}</b><br>%{{y:.1%}} of the rows from %{{x:.4~g}} to %{{customdata:.4~g}}"
            "<extra></extra>"
        ),
    )
