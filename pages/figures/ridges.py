"""What resamples come to, one ridge per model or per difference, with its interval below."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from evalcore.contests.distributions import Distribution
from evalcore.metrics.spec import Better
from evalcore.outcomes import Floats
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.clouds import light
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene
from pages.figures.words import MINUS, ends_spoken

SHOWN_AT_MOST, BINS = 8, 60
"""More ridges than this do not fit under each other."""

HEIGHT = 0.56
"""Height of the tallest ridge, as a share of the room of one."""


def draw(
    scene: Scene, made: Sequence[Distribution], name: str, rope: float | None = None
) -> go.Figure:
    """Draw distributions under each other; `name` is that of the metric.

    Differences are drawn around zero, in the colour of whoever is ahead; within `rope` in grey.
    """
    shown = [one for one in made if len(one.usable) > 1][:SHOWN_AT_MOST]
    says = theme.Words(title(made, name, rope), _subtitle(made, rope))
    if not shown:
        return theme.nothing_to_draw(says, scene.look, "No resample gave a value.")
    figure = theme.canvas(says, scene.look, height=60 + 88 * max(len(shown), 3))
    ends = _reach(shown, 0.0 if rope is not None else None)
    for row, one in enumerate(shown):
        _add_ridge(figure, scene, one, row, _Frame(ends, rope))
    if rope is not None:
        figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5})
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=[safe(_called(one)) for one in shown],
        range=[len(shown) - 0.72, -1.0],
        showgrid=False,
        showticklabels=False,
        automargin=False,
    )
    figure.update_xaxes(showgrid=True, nticks=6, range=list(ends))
    figure.update_layout(showlegend=False, margin={"l": 16})
    return figure


def title(made: Sequence[Distribution], name: str, rope: float | None) -> str:
    """Return how often the best is ahead of the next, or what the resamples are of."""
    if rope is None or not made:
        return f"{name} of each model over resamples of the rows"
    first = made[0]
    ahead = first.chances(0.0).better
    pair = f"{shorten(first.name, 24)} is ahead of {shorten(first.less, 24)}"
    return f"{pair} in {words.whole_percent(ahead)} of the resamples"


def alt(made: Sequence[Distribution], name: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{_called(one)} {_value(one)}" for one in made[:SHOWN_AT_MOST])
    return f"{name} over resamples of the rows, each with its interval: {listed}."


class _Frame(NamedTuple):
    """The ends of the axis, and the rope, if there is one."""

    ends: tuple[float, float]
    rope: float | None


def _subtitle(made: Sequence[Distribution], rope: float | None) -> str:
    level = f"{made[0].bootstrap.interval.level:.0%}" if made else ""
    if rope is None:
        return f"Dot: the rows themselves; bar: {level} interval"
    grey = f"; grey: up to {size(rope)} apart" if rope else ""
    side = "Left" if made and made[0].direction is Better.LOWER else "Right"
    return f"{side} of zero the first named is better{grey}; bar: {level} interval"


def _reach(shown: Sequence[Distribution], hold: float | None) -> tuple[float, float]:
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
    ends, rope = frame
    density = one.density(*ends, BINS)
    edges = np.linspace(*ends, BINS + 1)
    x, rise = (edges[:-1] + edges[1:]) / 2, HEIGHT * density / (density.max() or 1.0)
    says = f"{_hover(one)}<extra></extra>"
    for low, high, color in _parts(scene, one, ends, rope):
        _add_area(figure, _cut(x, rise, low, high), row, color, says)
    color = scene.style(one.name).color
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


def _parts(
    scene: Scene, one: Distribution, ends: tuple[float, float], rope: float | None
) -> list[tuple[float, float, str]]:
    """Return the parts of a ridge and their colours."""
    own = scene.style(one.name).color
    if rope is None:
        return [(*ends, own)]
    other, grey = scene.style(one.less).color, scene.look.secondary
    lower = one.direction is Better.LOWER
    left, right = (own, other) if lower else (other, own)
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
        x=light(np.concatenate([x, x[::-1]])),
        y=light(np.concatenate([row - rise, np.full(len(x), float(row))])),
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
    first, other = (safe(shorten(name, 22)) for name in (one.name, one.less))
    return f"<b>{first}</b> {MINUS} {other}" if one.less else f"<b>{first}</b>"


def _hover(one: Distribution) -> str:
    return f"{_label(one)}<br>{safe(_value(one))}"


def _value(one: Distribution) -> str:
    low, high = _interval(one)
    if low != low:
        return size(one.observed)
    return f"{size(one.observed)} ({ends_spoken(size(low), size(high))})"
