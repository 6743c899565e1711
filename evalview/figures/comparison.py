"""Models side by side: intervals, differences, resamples, and who beats whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import plotly.graph_objects as go

from evalcore.comparison.results import Comparison, Difference, Verdict
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Better, Estimate, Metric
from evalcore.outcomes import Floats
from evalcore.text import counted, p_equals
from evalview import text, words
from evalview.escape import plotly as safe
from evalview.figures import lines, theme
from evalview.figures.theme import Scene
from evalview.figures.view import Data, view_of
from evalview.text import MINUS, abbreviate, size

if TYPE_CHECKING:
    from evalcore.comparison.resampled import Distribution, ResampledValues

INTERVALS_SHOWN_AT_MOST = 60
"""More rows than this do not fit under each other."""


def draw_intervals(
    scene: Scene, metric: Metric, estimates: Mapping[str, Estimate], *, height: int = 0
) -> go.Figure:
    """Draw the estimates of one metric under each other, in the file's order.

    They are drawn further apart where a figure beside them has more than this `height`.
    """
    drawable = {name: value for name, value in estimates.items() if value.defined}
    says = theme.Words(title=f"{metric.name}: {better_side(metric)}", subtitle=_level(drawable))
    if not drawable:
        what = "infinite" if any(map(isinf, (e.value for e in estimates.values()))) else "undefined"
        why = f"{metric.name} is {what}: {next((e.why for e in estimates.values()), '')}."
        return theme.nothing_to_draw(says, scene.look, why)
    names = list(drawable)[:INTERVALS_SHOWN_AT_MOST]
    figure = theme.canvas(says, scene.look, height=max(height, intervals_room(len(names))))
    for row, name in enumerate(names):
        _add_estimate(figure, scene, name, drawable[name], row)
    labels = [safe(abbreviate(name, 20)) for name in names]
    figure.update_yaxes(tickvals=list(range(len(names))), ticktext=labels, showgrid=False)
    figure.update_yaxes(range=[len(names) - 0.5, -0.5])
    reach = reach_of([drawable[name] for name in names])
    figure.update_xaxes(showgrid=True, nticks=6, range=reach)
    figure.update_layout(showlegend=False)
    return figure


def intervals_room(rows: int) -> int:
    """Return how many pixels so many rows take."""
    return 60 + 34 * rows


def intervals_alt(metric: Metric, estimates: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{name} {text.with_interval(value)}" for name, value in estimates.items())
    return f"{metric.name} of each model with its interval: {listed}."


def reach_of(shown: Sequence[Estimate]) -> list[float]:
    """Return a range that holds every interval, with some room."""
    ends = [end for one in shown for end in (one.value, one.low, one.high) if end is not None]
    return _with_room(ends, 0.05)


def _with_room(ends: Sequence[float], flat: float) -> list[float]:
    """Return a range a little wider than its ends; by `flat` on each side where these are one."""
    room = 0.05 * (max(ends) - min(ends)) or flat
    return [min(ends) - room, max(ends) + room]


def _add_estimate(figure: go.Figure, scene: Scene, name: str, estimate: Estimate, row: int) -> None:
    says = f"<b>{safe(abbreviate(name, 60))}</b><br>{text.with_interval(estimate)}"
    style = scene.style(name)
    dot = Dot("value", estimate.value, estimate.low, estimate.high, style.color, style.symbol)
    add_dot(figure, row, dot, says)


class Dot(NamedTuple):
    """A value with its interval, and how it is drawn."""

    name: str
    value: float
    low: float | None
    high: float | None
    color: str
    symbol: str


def add_dot(figure: go.Figure, row: int, dot: Dot, says: str) -> None:
    """Add a dot in its row, on a bar as long as its interval."""
    hover = f"{says}<extra></extra>"
    if dot.low is not None and dot.high is not None:
        figure.add_scatter(
            x=[dot.low, dot.high],
            y=[row, row],
            mode="lines",
            name="interval",
            line={"color": dot.color, "width": 3},
            hovertemplate=hover,
        )
    figure.add_scatter(
        x=[dot.value],
        y=[row],
        mode="markers",
        name=dot.name,
        marker={"color": dot.color, "size": 11, "symbol": dot.symbol},
        hovertemplate=hover,
    )


def better_side(metric: Metric) -> str:
    """Return in which direction values are better."""
    return {
        Better.HIGHER: "further right is better",
        Better.LOWER: "further left is better",
        Better.NEITHER: "neither direction is better",
    }[metric.better]


def _level(estimates: Mapping[str, Estimate]) -> str:
    levels = {value.level for value in estimates.values() if value.level is not None}
    return f"Dot and {max(levels):.0%} interval" if levels else ""


DIFFERENCES_SHOWN_AT_MOST = 30
"""More pairs than this do not fit under each other."""

PAIR = 46
"""Pixels of a pair."""


def draw_differences(scene: Scene, made: Comparison, *, height: int | None = None) -> go.Figure:
    """Draw each pair as better minus worse, those with the best model first.

    A pair has a colour only where the verdict says that the difference is shown. As many are drawn
    as fit, where a figure beside it settles the height.
    """
    pairs = _pairs(made)
    most = DIFFERENCES_SHOWN_AT_MOST if height is None else height // PAIR
    shown = [gap for gap in pairs if isfinite(gap.difference)][:most]
    left_out = len(pairs) - len(shown)
    says = theme.Words(
        f"{made.metric_name}: first minus second", _differences_subtitle(made, left_out)
    )
    if not shown:
        return theme.nothing_to_draw(
            says, scene.look, "No two models have finite values to compare."
        )
    figure = theme.canvas(says, scene.look, height=height or differences_room(len(shown)))
    for row, gap in enumerate(shown):
        sure = made.verdict.between(gap.first, gap.second).better is not None
        _add_pair(figure, scene, gap, row, sure=sure)
    figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5})
    pairs_named = [
        f"<b>{safe(abbreviate(gap.second, 20))}</b><br>{MINUS} {safe(abbreviate(gap.first, 20))}"
        for gap in shown
    ]
    lay_rows(figure, pairs_named, (len(shown) - 0.5, -0.5), _differences_reach(shown), beside=True)
    return figure


def lay_rows(
    figure: go.Figure,
    names: Sequence[str],
    between: tuple[float, float],
    reach: Sequence[float],
    *,
    beside: bool = False,
) -> None:
    """Lay out rows whose names stand `beside` them, or are written inside by the caller.

    As ticks they are for the numbers as CSV, too.
    """
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=names,
        range=between,
        showgrid=False,
        showticklabels=beside,
        automargin=beside,
    )
    figure.update_xaxes(showgrid=True, nticks=6, range=reach)
    figure.update_layout(showlegend=False)
    if not beside:
        figure.update_layout(margin={"l": 16})


def differences_room(pairs: int) -> int:
    """Return how many pixels so many pairs take."""
    return 50 + PAIR * min(pairs, DIFFERENCES_SHOWN_AT_MOST)


def differences_alt(made: Comparison) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    pairs = _pairs(made)
    listed = "; ".join(
        f"{gap.second} minus {gap.first} {_differences_value(gap)}"
        for gap in pairs[:DIFFERENCES_SHOWN_AT_MOST]
    )
    told = words.told_apart(made)
    return f"Differences in {made.metric_name} with their intervals. {told}: {listed}."


def _pairs(made: Comparison) -> list[Difference]:
    """Return every difference as better minus worse, in order of merit."""
    order = made.order
    places = ((i, j) for i in range(len(order)) for j in range(i + 1, len(order)))
    found = (made.gap(order[i], order[j]) for i, j in places)
    return [gap for gap in found if gap is not None]


def _differences_subtitle(made: Comparison, more: int) -> str:
    side = "Left" if made.better is Better.LOWER else "Right"
    better = "" if made.better is Better.NEITHER else f"{side} of zero the first is better; "
    said = f"{better}bars: {made.level:.0%} intervals; in colour where the difference is shown"
    are = "is" if more == 1 else "are"
    return f"{said}; {counted(more, 'pair')} {are} not drawn" if more else said


def _differences_reach(shown: Sequence[Difference]) -> list[float]:
    """Return a range that holds zero and every interval, with some room."""
    ends = [0.0, *(gap.difference for gap in shown)]
    ends += [end for gap in shown for end in (gap.low, gap.high) if end is not None]
    return _with_room(ends, 1.0)


def _add_pair(figure: go.Figure, scene: Scene, gap: Difference, row: int, *, sure: bool) -> None:
    first, other = (safe(abbreviate(name, 22)) for name in (gap.second, gap.first))
    style = scene.style(gap.second)
    color = style.color if sure else scene.look.secondary
    dot = Dot("difference", gap.difference, gap.low, gap.high, color, style.symbol)
    add_dot(figure, row, dot, f"<b>{first}</b> {MINUS} {other}<br>{_differences_value(gap)}")


def _differences_value(gap: Difference) -> str:
    if not isfinite(gap.difference):
        return "undefined" if isnan(gap.difference) else "infinite"
    return _with_ends(gap.difference, gap.low, gap.high)


def _with_ends(value: float, low: float | None, high: float | None) -> str:
    """Return a number with the ends of its interval, if it has one."""
    if low is None or high is None or isnan(low):
        return text.difference(value)
    return text.with_ends(value, low, high, text.difference)


PAIRWISE_SHOWN_AT_MOST, WRITTEN_AT_MOST = 20, 7
"""More models than this have no room beside each other, or none for numbers in the cells."""


SIDE_BY_SIDE = 3
"""More names than this are turned upright: on a phone they would stand over each other."""


def draw_pairwise(scene: Scene, made: Comparison) -> go.Figure:
    """Draw models down against models across, blue where the row is shown to be better."""
    says = theme.Words(words.told_apart(made), _pairwise_subtitle(made))
    order = made.order[:PAIRWISE_SHOWN_AT_MOST]
    if len(order) < 2 or not made.primary:
        return theme.nothing_to_draw(says, scene.look, "No test tells these models apart.")
    few = len(order) <= SIDE_BY_SIDE  # else names stand upright below, which takes room
    height = 90 + 30 * max(len(order), 4) + 90 * (not few)
    figure = theme.canvas(says, scene.look, height=height)
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
    names, places = words.under_each_other(order), list(range(len(order)))
    across = [words.on_two_lines(name, 10) if few else safe(abbreviate(name, 16)) for name in order]
    figure.update_xaxes(tickvals=places, ticktext=across, tickangle=0 if few else 90)
    figure.update_yaxes(tickvals=places, ticktext=names, showgrid=False)
    figure.update_yaxes(range=[len(order) - 0.5, -0.5])
    return figure


def pairwise_alt(made: Comparison) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    order = made.order[:PAIRWISE_SHOWN_AT_MOST]
    ahead = made.verdict.is_ahead
    wins = (f"{one} beats {sum(ahead(one, other) for other in order)}" for one in order)
    return f"Pairs of models by {made.metric_name}. {words.told_apart(made)}. {'; '.join(wins)}."


def _pairwise_subtitle(made: Comparison) -> str:
    more = len(made.order) - PAIRWISE_SHOWN_AT_MOST
    shown = f"; the best {PAIRWISE_SHOWN_AT_MOST}" if more > 0 else ""
    return f"{made.metric_name}, row minus column. Blue: shown to be better, red: worse{shown}"


def _state(made: Comparison, one: str, other: str) -> float:
    if one == other:
        return float("nan")
    better = made.verdict.between(one, other).better
    return float(better == one) - float(better == other)


def _gap(made: Comparison, one: str, other: str) -> float:
    gap = made.gap(one, other)
    return float("nan") if gap is None else gap.difference


def _cell(made: Comparison, one: str, other: str) -> str:
    gap = made.gap(one, other)
    if gap is None or gap.difference != gap.difference:
        return ""
    return text.difference(gap.difference, sign=True)


def _said(made: Comparison, one: str, other: str) -> str:
    gap, tested = made.gap_and_test(one, other)
    if one == other or gap is None or tested is None:
        return ""
    p = "p undefined" if isnan(tested.p_adjusted) else p_equals(tested.p_adjusted)
    pair = f"{safe(abbreviate(one, 14))} – {safe(abbreviate(other, 14))}"
    return f"{pair}: {_cell(made, one, other)}, {p}"


def _colors(scene: Scene) -> list[list[float | str]]:
    look = scene.look
    weak = theme.tint(look.negative, look.card, 0.35)
    worse, better = (
        theme.tint(color, look.card, theme.WRITTEN_ON) for color in (look.positive, look.correct)
    )
    return [[0, worse], [0.33, worse], [0.34, weak], [0.66, weak], [0.67, better], [1, better]]


RIDGES_SHOWN_AT_MOST, BINS = 8, 60
"""More ridges than this do not fit under each other."""

HEIGHT = 0.56
"""Height of the tallest ridge, as a share of the room of one."""


def draw_ridges(
    scene: Scene,
    made: Sequence[Distribution],
    name: str,
    rope: float | None = None,
    verdict: Verdict | None = None,
) -> go.Figure:
    """Draw distributions under each other; `name` is that of the metric.

    Differences are drawn around zero, those up to `rope` in grey; the others have the colour of
    whoever is ahead where the verdict says that the difference is shown.
    """
    shown = [one for one in made if len(one.usable) > 1][:RIDGES_SHOWN_AT_MOST]
    says = theme.Words(ridges_title(made, name, rope), _ridges_subtitle(made, rope))
    if not shown:
        return theme.nothing_to_draw(says, scene.look, "No resample gave a value.")
    figure = theme.canvas(says, scene.look, height=60 + 88 * max(len(shown), 3))
    ends = _ridges_reach(shown, 0.0 if rope is not None else None)
    for row, one in enumerate(shown):
        sure = verdict is None or verdict.between(one.name, one.less).better is not None
        _add_ridge(figure, scene, one, row, _Frame(ends, rope, sure))
    if rope is not None:
        figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5})
    lay_rows(figure, [safe(_called(one)) for one in shown], (len(shown) - 0.72, -1.0), ends)
    return figure


def ridges_title(made: Sequence[Distribution], name: str, rope: float | None) -> str:
    """Return how often the best is ahead of the next, or what the resamples are of."""
    if rope is None or not made:
        return f"{name} of each model over resamples"
    first = made[0]
    ahead = first.chances(0.0).better
    pair = f"{abbreviate(first.name, 24)} is ahead of {abbreviate(first.less, 24)}"
    return f"{pair} in {text.whole_percent(ahead)} of the resamples"


def ridges_alt(made: Sequence[Distribution], name: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{_called(one)} {_ridges_value(one)}" for one in made[:RIDGES_SHOWN_AT_MOST]
    )
    return f"{name} over resamples, each with its interval: {listed}."


class _Frame(NamedTuple):
    """The ends of the axis, the rope, if there is one, and whether the difference is shown."""

    ends: tuple[float, float]
    rope: float | None
    sure: bool = True


def _ridges_subtitle(made: Sequence[Distribution], rope: float | None) -> str:
    level = f"{made[0].bootstrap.interval.level:.0%}" if made else ""
    if rope is None:
        return f"Dot: the value on all rows; bar: {level} interval"
    grey = f"; dark grey: up to {size(rope)} apart" if rope else ""
    side = "Left" if made and made[0].direction is Better.LOWER else "Right"
    return f"{side} of zero the first is better{grey}; in colour where the difference is shown"


def _ridges_reach(shown: Sequence[Distribution], hold: float | None) -> tuple[float, float]:
    """Return the ends of an axis that holds nearly all draws, every interval, and `hold`."""
    ends = [float(np.quantile(one.usable, share)) for one in shown for share in (0.001, 0.999)]
    ends += [one.observed for one in shown]
    ends += [float(e) for one in shown for e in _interval(one) if e == e]
    ends += [] if hold is None else [hold]
    room = 0.04 * (max(ends) - min(ends)) or 0.01
    return min(ends) - room, max(ends) + room


def _interval(one: Distribution) -> tuple[float, float]:
    interval = one.bootstrap.interval
    return float(interval.low), float(interval.high)


def _add_ridge(figure: go.Figure, scene: Scene, one: Distribution, row: int, frame: _Frame) -> None:
    ends = frame.ends
    density = one.density(*ends, BINS)
    edges = np.linspace(*ends, BINS + 1)
    x, rise = (edges[:-1] + edges[1:]) / 2, HEIGHT * density / (density.max() or 1.0)
    says = f"{_label(one)}<br>{safe(_ridges_value(one))}<extra></extra>"
    for low, high, color in _parts(scene, one, frame):
        _add_area(figure, _cut(x, rise, low, high), row, color, says)
    color = scene.style(one.name).color if frame.sure else scene.look.secondary
    low, high = _interval(one)
    if low == low:
        bar = {"color": color, "width": 4}
        figure.add_scatter(
            x=[low, high], y=[row, row], mode="lines", line=bar, name="interval", hovertemplate=says
        )
    dot = {"color": color, "size": 10, "symbol": scene.style(one.name).symbol}
    figure.add_scatter(
        x=[one.observed],
        y=[row],
        mode="markers",
        marker=dot,
        name="on the rows",
        hovertemplate=says,
    )
    figure.add_annotation(
        text=_label(one), x=0, xref="paper", xanchor="left", y=row - HEIGHT, yshift=12,
        showarrow=False, font={"size": 12}, bgcolor=scene.look.card, borderpad=1,
    )  # fmt: skip


def _parts(scene: Scene, one: Distribution, frame: _Frame) -> list[tuple[float, float, str]]:
    """Return the parts of a ridge and their colours."""
    ends, rope, sure = frame
    own = scene.style(one.name).color
    if rope is None:
        return [(*ends, own)]
    other, grey = scene.style(one.less).color, scene.look.secondary
    lower = one.direction is Better.LOWER
    left, right = (own, other) if lower else (other, own)
    if not sure:
        left = right = scene.look.negative
    return [(ends[0], -rope, left), (-rope, rope, grey), (rope, ends[1], right)]


def _cut(x: Floats, rise: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the part of an outline between two places, its ends between the points."""
    inner = (x > low) & (x < high)
    places = np.concatenate([[low], x[inner], [high]])
    return places, np.interp(places, x, rise, left=0.0, right=0.0)


def _add_area(
    figure: go.Figure, part: tuple[Floats, Floats], row: int, color: str, says: str
) -> None:
    x, rise = part
    if x[-1] <= x[0] or not rise.any():
        return
    figure.add_scatter(
        x=lines.light(np.concatenate([x, x[::-1]])),
        y=lines.light(np.concatenate([row - rise, np.full(len(x), float(row))])),
        mode="lines",
        line={"width": 0, "color": color},
        fill="toself",
        opacity=0.55,
        hoveron="fills",
        name="outline of the resamples",
        hovertemplate=says,
    )


def _called(one: Distribution) -> str:
    return f"{one.name} minus {one.less}" if one.less else one.name


def _label(one: Distribution) -> str:
    first, other = (safe(abbreviate(name, 22)) for name in (one.name, one.less))
    return f"<b>{first}</b> {MINUS} {other}" if one.less else f"<b>{first}</b>"


def _ridges_value(one: Distribution) -> str:
    return _with_ends(one.observed, *_interval(one))


def _compared(data: Data | Comparison, metric: str | None, threshold: float | None) -> Comparison:
    from evalcore.compare import compare

    if isinstance(data, Comparison):
        return data
    view = view_of(data, None, threshold)
    return compare(view.dataset, view.options, metric=metric)


def _scene_of_models(made: Comparison) -> Scene:
    return Scene(names=tuple(made.models))


def intervals(
    data: Data | Comparison, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return the value of each model with its interval."""
    made = _compared(data, metric, threshold)
    known = by_key()[made.metric]
    return draw_intervals(_scene_of_models(made), known, made.models)


def differences(
    data: Data | Comparison, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return the difference of each pair of models with its interval."""
    made = _compared(data, metric, threshold)
    return draw_differences(_scene_of_models(made), made)


def pairwise(
    data: Data | Comparison, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return which model is shown to be better than which."""
    made = _compared(data, metric, threshold)
    return draw_pairwise(_scene_of_models(made), made)


MOST_RESAMPLED = 6
"""Models whose values over resamples are drawn; more ridges than that leave each too flat."""


def resampled(
    data: Data, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return the value of each model over resamples, the best first."""
    from evalcore.comparison.resampled import distribution

    made, draws, places = _resampled(data, metric, threshold)
    shown = [distribution(draws, place) for place in places]
    return draw_ridges(_scene_of_models(made), shown, made.metric_name)


def resampled_differences(
    data: Data, *, metric: str | None = None, threshold: float | None = None
) -> go.Figure:
    """Return the difference of the best model to each other one over resamples."""
    from evalcore.comparison.resampled import distribution

    made, draws, places = _resampled(data, metric, threshold)
    best, *others = places or [0]
    shown = [distribution(draws, best, other) for other in others]
    return draw_ridges(_scene_of_models(made), shown, made.metric_name, made.rope, made.verdict)


def _resampled(
    data: Data, metric: str | None, threshold: float | None
) -> tuple[Comparison, ResampledValues, list[int]]:
    from evalcore.compare import compare
    from evalcore.comparison.candidates import choose_candidates
    from evalcore.comparison.resampled import ResampledValues

    view = view_of(data, None, threshold)
    draws = ResampledValues(choose_candidates(view.dataset, metric, view.options), view.options)
    made = compare(view.dataset, view.options, metric=metric, resampled=draws)
    names = [one.name for one in draws.candidates.models]
    places = [names.index(name) for name in made.order]
    able = [
        p for p in places if draws.can_resample(p) and isfinite(draws.candidates.models[p].value)
    ]
    return made, draws, able[:MOST_RESAMPLED]
