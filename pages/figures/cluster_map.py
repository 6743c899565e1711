"""The points of a clustering on a plane, each in the colour of its cluster."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.clusters.layout import Layout
from evalcore.clusters.places import crowds
from evalcore.outcomes import Clustering, Floats
from evalcore.tables.contingency import Places
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme, words
from pages.figures.clouds import light
from pages.figures.cluster_crowds import add_crowds
from pages.figures.scene import Scene

NAMED_AT_MOST = 10
"""Clusters with a colour of their own; the others share one."""

RINGED_AT_MOST = 300
"""More rings would hide the points: these are hollow then, or counted place by place."""


@dataclass(frozen=True, eq=False)
class Mapped:
    """What the plane shows.

    Attributes:
        layout: Where the points lie.
        clustering: Their clusters.
        silhouette: (n,) how well each point fits its cluster; NaN where that is not known.
        across: What the first axis stands for.
        upwards: What the second one stands for.
        note: What must be known to read it.
    """

    layout: Layout
    clustering: Clustering
    silhouette: Floats
    across: str
    upwards: str
    note: str = ""


class Mark(Enum):
    """How points that are nearer to another cluster are marked, in words for the title."""

    RING = "by cluster; ringed where another is nearer"
    HOLLOW = "by cluster; hollow where another is nearer"
    PLACE = "by place; red where another is nearer"


def _mark(told: Mapped) -> Mark:
    if int((told.silhouette[told.layout.place] < 0).sum()) <= RINGED_AT_MOST:
        return Mark.RING
    return Mark.HOLLOW if len(told.clustering.names) <= NAMED_AT_MOST else Mark.PLACE


def draw(scene: Scene, told: Mapped, front: str | None = None) -> go.Figure:
    """Draw every point; those nearer to another cluster are marked, those of `front` stand out.

    Where many are, and most clusters have no colour of their own, places are drawn instead.
    """
    says = theme.Words(
        title=title(told),
        subtitle=told.note,
        x=shorten(told.across, 40),
        y=shorten(told.upwards, 40),
    )
    if not len(told.layout.x):
        return theme.nothing_to_draw(says, scene.look, "There is no point to draw.")
    mark = _mark(told)
    figure = theme.canvas(says, scene.look, height=470 if mark is Mark.PLACE else 380)
    if mark is Mark.PLACE:
        add_crowds(figure, scene, crowds(told.layout, told.silhouette))
        _add_front(figure, scene, told, front)
    else:
        for group in _groups(scene, told):
            behind = front is not None and front != group.name
            _add(figure, scene, told, group, behind=behind, hollow=mark is Mark.HOLLOW)
    if mark is Mark.RING:
        _add_rings(figure, scene, told)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def title(told: Mapped) -> str:
    """Return how many points are shown, in words."""
    shown, every = len(told.layout.place), told.clustering.n
    drawn = f"{shown:,} of " if shown < every else ""
    return f"{drawn}{words.counted(every, 'point')} {_mark(told).value}"


def alt(told: Mapped) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Points by {told.across} and {told.upwards}. {title(told)}."


@dataclass(frozen=True, eq=False)
class _Group:
    """Points that are drawn alike: `kept` tells which of the m."""

    name: str
    style: palette.ModelStyle
    kept: NDArray[np.bool_]


def _groups(scene: Scene, told: Mapped) -> Iterator[_Group]:
    """Return the largest clusters, then all others, then the points in none."""
    code = told.clustering.cluster[told.layout.place]
    sizes = np.bincount(code[code >= 0], minlength=len(told.clustering.names))
    own = np.sort(np.argsort(-sizes, kind="stable")[:NAMED_AT_MOST]).tolist()
    for position, cluster in enumerate(own):
        name = told.clustering.names[cluster]
        yield _Group(name, palette.model_style(position), code == cluster)
    others = palette.ModelStyle(scene.look.secondary, "solid", "circle")
    yield _Group("other clusters", others, (code >= 0) & ~np.isin(code, own))
    noise = palette.ModelStyle(scene.look.secondary, "solid", "x")
    yield _Group("in no cluster", noise, code < 0)


def _add_front(figure: go.Figure, scene: Scene, told: Mapped, front: str | None) -> None:
    """Draw the points of one cluster, if any, before all places."""
    if front in told.clustering.names:
        code = told.clustering.names.index(front)
        style = palette.ModelStyle(scene.look.text, "solid", "diamond")
        kept = told.clustering.cluster[told.layout.place] == code
        _add(figure, scene, told, _Group(front, style, kept), behind=False)


def _add(
    figure: go.Figure,
    scene: Scene,
    told: Mapped,
    group: _Group,
    *,
    behind: bool,
    hollow: bool = False,
) -> None:
    below = hollow & (told.silhouette[told.layout.place] < 0)
    # The first point is that of the legend, which is full wherever one is.
    at = np.concatenate([np.flatnonzero(group.kept & ~below), np.flatnonzero(group.kept & below)])
    place, style, name = told.layout.place[at], group.style, group.name
    if not len(place):
        return
    edge = (1.5, style.color) if hollow else (0.5, scene.look.card)
    figure.add_scatter(
        x=light(told.layout.x[at]),
        y=light(told.layout.y[at]),
        customdata=_told(told, place),
        mode="markers",
        name=safe(shorten(name, 24)),
        marker={
            "size": 7,
            "color": style.color,
            "symbol": _symbols(style.symbol, below[at]) if hollow else style.symbol,
            "opacity": 0.25 if behind else 0.85,
            "line": {"width": edge[0], "color": edge[1]},
        },
        hovertemplate=f"<b>{safe(shorten(name, 40))}</b><br>silhouette %{{customdata[1]:.3f}}"
        "<br>row %{customdata[0]:,}<extra></extra>",
    )


def _symbols(symbol: str, hollow: NDArray[np.bool_]) -> list[str]:
    return [f"{symbol}-open" if empty else symbol for empty in hollow.tolist()]


def _add_rings(figure: go.Figure, scene: Scene, told: Mapped) -> None:
    """Ring the points that are nearer to another cluster."""
    kept = told.silhouette[told.layout.place] < 0
    if kept.any():
        figure.add_scatter(
            x=light(told.layout.x[kept]),
            y=light(told.layout.y[kept]),
            mode="markers",
            name="nearer to another",
            marker={
                "size": 11,
                "symbol": "circle-open",
                "line": {"width": 1.8},
                "color": scene.look.positive,
            },
            hoverinfo="skip",
        )


def _told(told: Mapped, place: Places) -> NDArray[np.floating[Any]]:
    """Return (m, 2) row number and silhouette; as float32 where that holds every row number."""
    rows = place + 1 if told.clustering.rows is None else told.clustering.rows[place]
    exact = np.float32 if int(rows.max()) < 1 << 24 else np.float64
    return np.column_stack([rows, told.silhouette[place]]).astype(exact)
