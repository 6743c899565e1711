"""A metric over time: each period with its interval, and all rows up to it."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from evalcore.errors import EvalError
from evalcore.metrics.catalog import by_key
from evalcore.monitoring.periods import name_of
from evalcore.monitoring.results import OverTime, Track
from evalcore.text import counted
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.lines import color_of, interval_bars, light
from evalview.figures.theme import Scene, tint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalcore.metrics.metric import Estimate

MOST = 200
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
    first = max(0, len(made.start) - MOST)
    places = [p for p in range(first, len(made.start)) if isfinite(one.each[p].value)]
    level = next((e.level for e in one.each if e.level is not None), 0.95)
    says = theme.Words(
        over_time_title(scene, made, track),
        f"Dots: each {made.every} with its {level:.0%} interval. Line and band: all rows up to it, "
        "which holds at every look"
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
        annotation={
            "text": f"reference {text.number(made.reference.value)}",
            "bgcolor": scene.look.card,
        },
        annotation_position="top right",
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
