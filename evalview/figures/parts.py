"""Parts of the rows: slices beside all rows, a later file beside an earlier, period by period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
import plotly.graph_objects as go

from evalcore.errors import EvalError
from evalcore.metrics.catalog import by_key, find
from evalcore.metrics.metric import Estimate
from evalcore.monitoring.results import OverTime, Track, name_of
from evalcore.outcomes import Floats
from evalcore.text import counted
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.comparison import Dot, add_dot, better_side, lay_rows, reach_of
from evalview.figures.lines import RULE, ScoreHistogram, clear, color_of, interval_bars, light
from evalview.figures.theme import Scene, tint
from evalview.figures.view import Data, view_of
from evalview.words import on_two_lines

if TYPE_CHECKING:
    from evalcore.slices.results import Against, Slice, Slices
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
    figure = theme.canvas(says, scene.look, height=80 + SLICE * len(shown))
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
            annotation_text=f"all rows {text.number(made.overall.value)}",
            annotation_position="top right",
        )
    _name_rows(figure, scene, [one.text for one in shown], reach_of(estimates))
    figure.update_yaxes(range=[len(shown) - 0.5, -1.25])  # with room for the words of the line
    return figure


def _name_rows(
    figure: go.Figure, scene: Scene, names: Sequence[str], reach: Sequence[float]
) -> None:
    """Write the name of each row close above its interval, and a line between rows."""
    for row, name in enumerate(names):
        if row:
            figure.add_hline(y=row - 0.64, line={"color": scene.look.line, "width": 1})
        figure.add_annotation(
            text=safe(text.abbreviate(name, 44)), x=0, xref="paper", xanchor="left",
            y=row, yanchor="bottom", yshift=4, showarrow=False, bgcolor=scene.look.card,
            font={"size": 12, "color": scene.look.text}, borderpad=1,
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
    found = sliced(view.dataset, by=by, metric=metric, model=view.model, threshold=view.threshold)
    return slices(found)


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
    beside = [on_two_lines(name, 18) for name in names]
    lay_rows(figure, beside, (len(names) - 0.5, -0.5), reach, beside=True)
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


PERIODS_AT_MOST = 200
"""More periods than this are no wider than their dots: the last ones are drawn."""

_NAMES = {
    "prevalence": "Share of positives",
    "score": "Mean score",
    "truth": "Mean of the truth",
    "prediction": "Mean prediction",
}


def track_name(track: Track) -> str:
    """Return what a track is called: the name of its metric, or of what else is followed."""
    return _NAMES.get(track.key) or by_key()[track.key].name


def over_time_title(scene: Scene, made: OverTime, track: Track | None = None) -> str:
    """Return what is drawn, and of whom where it is about a model."""
    one = made.metric if track is None else track
    of = "" if one.key in ("prevalence", "truth") else f" of {scene.who}"
    return f"{track_name(one)}{of} by {made.every}"


def draw_over_time(scene: Scene, made: OverTime, track: Track | None = None) -> go.Figure:
    """Draw a track by period: dots with their own intervals, and the band that holds at every look.

    Of the metric, which is drawn without a `track`, the reference is a line, and the periods of a
    change that is flagged have the colour of the model.
    """
    one = made.metric if track is None else track
    first = max(0, len(made.start) - PERIODS_AT_MOST)
    places = [p for p in range(first, len(made.start)) if isfinite(one.each[p].value)]
    level = next((e.level for e in one.each if e.level is not None), 0.95)
    says = theme.Words(
        over_time_title(scene, made, track),
        f"Dots: each {made.every} with its {level:.0%} interval. Line and band: all rows up to it, "
        "which holds at every look"
        + (f"; dotted: the reference, {text.number(made.reference.value)}" if track is None else "")
        + (f"; {counted(first, 'earlier period')} not drawn" if first else ""),
    )
    if not places:
        return theme.nothing_to_draw(says, scene.look, f"No {made.every} has a value.")
    figure = theme.canvas(says, scene.look)
    color = color_of(scene)
    _add_running(figure, scene, made, one.running, range(first, len(made.start)))
    changed = _changed(made) if track is None else set()
    for name, some, ink in (
        ("single periods", [p for p in places if p not in changed], scene.look.secondary),
        ("changed", [p for p in places if p in changed], color),
    ):
        _add_dots(figure, made, one, (name, some, ink))
    if track is None:
        _mark(figure, scene, made, first)
    figure.update_layout(showlegend=False)
    return figure


def _changed(made: OverTime) -> set[int]:
    change = made.change
    return set() if change is None else set(range(change.since, change.flagged + 1))


def _numbers(some: Sequence[float | None], other: Sequence[float]) -> Any:
    return np.array([b if a is None else a for a, b in zip(some, other, strict=True)], float)


def _add_running(
    figure: go.Figure, scene: Scene, made: OverTime, running: Sequence[Estimate], places: range
) -> None:
    """Add the value of all rows up to each period, and the band of its confidence sequence."""
    some = [running[place] for place in places]
    dates = [made.start[place] for place in places]
    value = [one.value for one in some]
    held = [
        (d, one.low, one.high) for d, one in zip(dates, some, strict=True) if one.low is not None
    ]
    base = scene.look.card
    for at in (1, 2):
        figure.add_scatter(
            x=[one[0] for one in held],
            y=light(np.array([one[at] for one in held], float)),
            mode="lines",
            line={"width": 0},
            fill="tonexty" if at == 2 else None,
            fillcolor=tint(color_of(scene), base, 0.16),
            hoverinfo="skip",
            name="low" if at == 1 else "high",
        )
    figure.add_scatter(
        x=dates,
        y=light(np.array(value, float)),
        mode="lines",
        line={"color": color_of(scene), "width": 1.5},
        text=[text.with_interval(one) for one in some],
        name="all rows up to here",
        hovertemplate="All rows up to here: %{text}<extra></extra>",
    )


def _add_dots(
    figure: go.Figure, made: OverTime, track: Track, drawn: tuple[str, list[int], str]
) -> None:
    name, places, color = drawn
    some = [track.each[place] for place in places]
    value = np.array([one.value for one in some], float)
    ends = (
        _numbers([getattr(one, end) for one in some], value.tolist()) for end in ("low", "high")
    )
    low, high = (light(end) for end in ends)
    said = [
        f"<b>{safe(name_of(made.start[place], made.every))}</b><br>{text.with_interval(one)}<br>"
        f"{counted(made.rows[place], 'row')}"
        for place, one in zip(places, some, strict=True)
    ]
    figure.add_scatter(
        x=[made.start[place] for place in places],
        y=light(value),
        error_y=interval_bars(light(value), low, high, color),
        mode="markers",
        marker={"color": color, "size": 6},
        text=said,
        name=name,
        hovertemplate="%{text}<extra></extra>",
    )


def _mark(figure: go.Figure, scene: Scene, made: OverTime, first: int) -> None:
    """Mark the reference and where a change begins."""
    figure.add_hline(
        y=made.reference.value,
        line={"color": scene.look.text, "width": 1.2, "dash": "dot"},
    )
    if made.change is not None and made.change.since >= first:
        day = made.start[made.change.since]
        figure.add_vline(x=day, line={"color": color_of(scene), "width": 1.2, "dash": "dash"})
        late = 2 * made.change.since > first + len(made.start)
        figure.add_annotation(
            x=day, y=1, yref="paper", yanchor="top", showarrow=False,
            xanchor="right" if late else "left", xshift=-6 if late else 6,
            text=f"since {safe(day)}", font={"color": color_of(scene), "size": 12},
            bgcolor=scene.look.card,
        )  # fmt: skip


def over_time_alt(made: OverTime, track: Track | None = None) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    one = made.metric if track is None else track
    known = [p for p in range(len(made.start)) if isfinite(one.each[p].value)]
    if not known:
        return f"{track_name(one)} by {made.every}: no period has a value."
    least, most = (pick(known, key=lambda p: one.each[p].value) for pick in (min, max))
    said = (
        f"{track_name(one)} by {made.every}, from {made.start[0]} to {made.start[-1]}: lowest "
        f"{text.with_interval(one.each[least])} in {name_of(made.start[least], made.every)}, "
        f"highest {text.with_interval(one.each[most])} in "
        f"{name_of(made.start[most], made.every)}."
    )
    return f"{said} {made.verdict}" if track is None else said


def over_time(data: OverTime | Any, **asked: Any) -> go.Figure:
    """Return a metric by day, week or month; `asked` is what `evalcore.over_time` takes."""
    from evalcore.files import over_time as followed

    made = data if isinstance(data, OverTime) else followed(data, **asked)
    if not isinstance(made, OverTime):
        raise EvalError("no-figure", "There is nothing to follow over time.")
    return draw_over_time(Scene(names=(made.model,)), made)
