"""Clusters as pictures: points on a plane, silhouettes, and numbers by how many clusters."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.evaluation.clusterings import evaluate_clustering
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Better, Metric
from evalcore.options import Options
from evalcore.outcomes import Clustering, Floats, Measurable, Places, Points
from evalview import text, words
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.layout import (
    CLUSTERS_AT_MOST,
    COLOURED_AT_MOST,
    ClusterBars,
    Layout,
    PlaneCounts,
    by_distances,
    by_spread,
    coloured,
    crowds,
    silhouette_bars,
)
from evalview.figures.lines import light
from evalview.figures.theme import Scene
from evalview.figures.view import NO_FIGURE, Data, view_of
from evalview.lab.grouping import Gap, gap_statistic
from evalview.text import abbreviate

LARGEST = 15
"""Pixels of the fullest place: two of them do not touch, on a phone neither."""

SMALLEST = 4


def add_crowds(figure: go.Figure, scene: Scene, told: PlaneCounts) -> None:
    """Add a dot for each place, by area its points, by colour the share nearer to another."""
    look, share = scene.look, told.nearer / told.counts
    size = np.maximum(LARGEST * np.sqrt(told.counts / told.counts.max()), SMALLEST)
    figure.add_scatter(
        x=light(told.x),
        y=light(told.y),
        # Text, since a number would be taken for the row that was clicked.
        customdata=[f"{a:,} of {b:,}" for a, b in zip(told.nearer, told.counts, strict=True)],
        mode="markers",
        marker={
            "size": light(size),
            "color": light(share),
            "cmin": 0,
            "cmax": 1,
            "colorscale": [[0, look.correct], [0.5, look.secondary], [1, look.positive]],
            "line": {"width": 0},
            "opacity": 1,
            "colorbar": {
                "orientation": "h",
                "y": -0.28,
                "yanchor": "top",
                "len": 0.6,
                "thickness": 8,
                "outlinewidth": 0,
                "tickvals": [0, 0.5, 1],
                "tickformat": ".0%",
                "title": {"text": "points nearer to another cluster", "side": "top"},
            },
        },
        hovertemplate="%{customdata} points here are nearer to another cluster<extra></extra>",
        showlegend=False,
    )


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
    return Mark.HOLLOW if len(told.clustering.names) <= COLOURED_AT_MOST else Mark.PLACE


def draw_cluster_map(scene: Scene, told: Mapped, front: str | None = None) -> go.Figure:
    """Draw every point; those nearer to another cluster are marked, those of `front` stand out.

    Where many are, and most clusters have no colour of their own, places are drawn instead.
    """
    says = theme.Words(
        title=cluster_map_title(told),
        subtitle=told.note,
        x=abbreviate(told.across, 40),
        y=abbreviate(told.upwards, 40),
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
            _cluster_map_add(figure, scene, told, group, behind=behind, hollow=mark is Mark.HOLLOW)
    if mark is Mark.RING:
        _add_rings(figure, scene, told)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def cluster_map_title(told: Mapped) -> str:
    """Return how many points are shown, in words."""
    shown, every = len(told.layout.place), told.clustering.n
    drawn = f"{shown:,} of " if shown < every else ""
    return f"{drawn}{text.counted(every, 'point')} {_mark(told).value}"


def cluster_map_alt(told: Mapped) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Points by {told.across} and {told.upwards}. {cluster_map_title(told)}."


@dataclass(frozen=True, eq=False)
class _Group:
    """Points that are drawn alike: `kept` tells which of the m."""

    name: str
    style: theme.ModelStyle
    kept: NDArray[np.bool_]


def _groups(scene: Scene, told: Mapped) -> Iterator[_Group]:
    """Return the largest clusters, then all others, then the points in none."""
    code = told.clustering.cluster[told.layout.place]
    own = coloured(told.clustering)
    for position, cluster in enumerate(own):
        name = told.clustering.names[cluster]
        yield _Group(name, theme.model_style(position, scene.look), code == cluster)
    others = theme.ModelStyle(scene.look.secondary, "solid", "circle")
    yield _Group("other clusters", others, (code >= 0) & ~np.isin(code, own))
    noise = theme.ModelStyle(scene.look.secondary, "solid", "x")
    yield _Group("in no cluster", noise, code < 0)


def _add_front(figure: go.Figure, scene: Scene, told: Mapped, front: str | None) -> None:
    """Draw the points of one cluster, if any, before all places."""
    if front in told.clustering.names:
        code = told.clustering.names.index(front)
        style = theme.ModelStyle(scene.look.text, "solid", "diamond")
        kept = told.clustering.cluster[told.layout.place] == code
        _cluster_map_add(figure, scene, told, _Group(front, style, kept), behind=False)


def _cluster_map_add(
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
        name=safe(abbreviate(name, 24)),
        marker={
            "size": 7,
            "color": style.color,
            "symbol": _symbols(style.symbol, below[at]) if hollow else style.symbol,
            "opacity": 0.25 if behind else 0.85,
            "line": {"width": edge[0], "color": edge[1]},
        },
        hovertemplate=f"<b>{safe(abbreviate(name, 40))}</b><br>silhouette %{{customdata[1]:.3f}}"
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


_NUMBER = re.compile(r"[\W_]*k?[\W_]*\d+$", re.IGNORECASE)


@dataclass(frozen=True)
class Judged:
    """A clustering: how many clusters it makes, and its value of a metric."""

    clusters: int
    value: float


def family(name: str) -> str:
    """Return a name without the number of clusters at its end.

    >>> family("kmeans_k3"), family("ward 4"), family("5"), family("dbscan")
    ('kmeans', 'ward', '', 'dbscan')
    """
    return _NUMBER.sub("", name)


def draw_by_clusters(scene: Scene, metric: Metric, judged: Mapping[str, Judged]) -> go.Figure:
    """Draw one point per clustering, joined within a family of names."""
    known = {name: one for name, one in judged.items() if one.value == one.value}
    says = theme.Words(
        title=by_clusters_title(metric, judged),
        subtitle=metric.summary,
        x="clusters",
        y=metric.name,
    )
    if not known:
        why = "This number needs the features of the points, and at least two clusters."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look, height=300)
    families = list(dict.fromkeys(family(name) for name in known))
    for position, group in enumerate(families):
        style = theme.model_style(position, scene.look)
        found = {n: one for n, one in known.items() if family(n) == group}
        _by_clusters_add(figure, group, style, found)
    figure.update_layout(showlegend=1 < len(families) <= 10)
    few = len({one.clusters for one in known.values()}) <= 8
    ticks = sorted({one.clusters for one in known.values()}) if few else None
    figure.update_xaxes(showgrid=True, tickformat=",d", nticks=8, tickvals=ticks)
    figure.update_yaxes(nticks=5)
    return figure


def by_clusters_title(metric: Metric, judged: Mapping[str, Judged]) -> str:
    """Return which clustering has the best value, where a direction is better."""
    known = {name: one for name, one in judged.items() if one.value == one.value}
    if metric.key == "within_ss":
        return f"{metric.name}: always falls; look for the elbow"
    if not known or metric.better is Better.NEITHER:
        return metric.name
    pick = max if metric.better is Better.HIGHER else min
    best = pick(known, key=lambda name: known[name].value)
    return f"{metric.name}: best for {best}, {text.significant(known[best].value)}"


def by_clusters_alt(metric: Metric, judged: Mapping[str, Judged]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{name}: {one.clusters:,} clusters, {text.number(one.value)}"
        for name, one in list(judged.items())[:12]
    )
    return f"{metric.name} by number of clusters. {by_clusters_title(metric, judged)}. {listed}."


def _by_clusters_add(
    figure: go.Figure, group: str, style: theme.ModelStyle, found: Mapping[str, Judged]
) -> None:
    ordered = sorted(found.items(), key=lambda item: item[1].clusters)
    for start in range(0, len(ordered), 20):
        # Joined in runs, so that names travel with few points at a time.
        run = ordered[start : start + 20]
        figure.add_scatter(
            x=[one.clusters for _, one in run],
            y=[one.value for _, one in run],
            text=[safe(abbreviate(name, 40)) for name, _ in run],
            mode="lines+markers",
            name=safe(abbreviate(group or "clusterings", 24)),
            showlegend=not start,
            line={"color": style.color, "dash": style.dash, "width": 2},
            marker={"size": 8, "symbol": style.symbol, "color": style.color},
            hovertemplate="<b>%{text}</b><br>%{x:,} clusters: %{y:,.4~g}<extra></extra>",
        )


HOVER = "silhouette %{x:.3f}<br>row %{customdata:,}"


def draw_silhouette(scene: Scene, clusters: Sequence[ClusterBars], mean: float) -> go.Figure:
    """Draw the clusters under each other; `mean` is the mean over all points."""
    says = theme.Words(
        title=silhouette_title(clusters),
        subtitle="A bar for each point: 1 deep inside its cluster, below 0 nearer to another; "
        "beside each cluster its points and their mean",
        x="silhouette",
    )
    if not clusters:
        why = "Silhouettes need at least two clusters, and the features of the points."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look, height=380 + 6 * len(clusters))
    starts = _starts(clusters)
    for start, cluster in zip(starts, clusters, strict=True):
        _add_cluster(figure, scene, cluster, start)
    _add_mean(figure, scene, mean)
    _name_clusters(figure, scene, clusters, starts)
    figure.update_layout(barmode="overlay", bargap=0, showlegend=False)
    lowest = min(float(cluster.values.min()) for cluster in clusters)
    figure.update_xaxes(range=[min(-0.05, lowest - 0.05), 1.0], showgrid=True, nticks=6)
    return figure


def silhouette_title(clusters: Sequence[ClusterBars]) -> str:
    """Return which cluster fits worst, in words."""
    if not any(cluster.scored for cluster in clusters):
        return "How well each point fits its cluster"
    worst = min((one for one in clusters if one.scored), key=lambda cluster: cluster.mean)
    name = words.named(abbreviate(worst.name, 30))
    noun = "point" if worst.scored == worst.n else "sampled point"
    wrong = f"{worst.negative:,} of its {text.counted(worst.scored, noun)} nearer to another"
    return f"Cluster {name} fits worst: mean {text.number(worst.mean)}, {wrong}"


def silhouette_alt(clusters: Sequence[ClusterBars]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{cluster.name}: {text.counted(cluster.n, 'point')}, mean {text.number(cluster.mean)}"
        for cluster in clusters
    )
    title = silhouette_title(clusters)
    return f"Silhouette of every point by cluster. {_nearer(clusters)}. {title}. {listed}."


def _nearer(clusters: Sequence[ClusterBars]) -> str:
    every = sum(cluster.scored for cluster in clusters)
    sampled = " sampled" if every < sum(cluster.n for cluster in clusters) else ""
    of = f" of these {len(clusters)} clusters" if len(clusters) >= CLUSTERS_AT_MOST else ""
    wrong = sum(cluster.negative for cluster in clusters)
    points = text.counted(every, f"{sampled} point".strip())
    return f"{wrong:,} of {points}{of} {'is' if wrong == 1 else 'are'} nearer to another cluster"


def _starts(clusters: Sequence[ClusterBars]) -> list[float]:
    """Return where each cluster begins, with a gap after the one before."""
    lengths = [len(cluster.values) for cluster in clusters]
    gap = max(1.0, 0.02 * sum(lengths))
    return [sum(lengths[:place]) + gap * place for place in range(len(lengths))]


def _add_cluster(figure: go.Figure, scene: Scene, cluster: ClusterBars, start: float) -> None:
    """Add the bars of a cluster, in the colour that its points have on the plane."""
    name = safe(abbreviate(cluster.name, 40))
    at = start + np.arange(len(cluster.values)) + 0.5
    own = None if cluster.color is None else theme.model_style(cluster.color, scene.look).color
    figure.add_trace(
        go.Bar(
            x=light(cluster.values),
            y=light(at),
            width=np.ones(len(at), dtype=np.float32),
            customdata=cluster.rows.astype(np.int32),
            orientation="h",
            marker={"color": own or scene.look.secondary, "line": {"width": 0}},
            hovertemplate=f"<b>{name}</b><br>{HOVER}<extra></extra>",
        )
    )


def _add_mean(figure: go.Figure, scene: Scene, mean: float) -> None:
    figure.add_vline(x=mean, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.add_annotation(
        text=f"mean {text.number(mean)}", x=mean, y=1, yref="paper", yanchor="bottom",
        showarrow=False, font={"size": 12},
    )  # fmt: skip
    figure.update_layout(margin={"t": figure.layout.margin.t + 14})


def _name_clusters(
    figure: go.Figure, scene: Scene, clusters: Sequence[ClusterBars], starts: Sequence[float]
) -> None:
    """Write the name of each cluster to the left of its bars, its size and mean to their right."""
    middles = [
        start + len(cluster.values) / 2 for start, cluster in zip(starts, clusters, strict=True)
    ]
    names = [safe(abbreviate(cluster.name, 14)) for cluster in clusters]
    end = starts[-1] + len(clusters[-1].values)
    figure.update_yaxes(tickvals=middles, ticktext=names, range=[end, 0], showgrid=False)
    few = len(clusters) <= words.FEW
    for middle, cluster in zip(middles, clusters, strict=True):
        told = (text.count(cluster.n), text.number(cluster.mean))
        figure.add_annotation(
            text=("<br>" if few else " · ").join(told), y=middle, x=1,
            xref="paper", xanchor="left", xshift=6, align="left", showarrow=False,
            font={"size": 12, "color": scene.look.secondary},
        )  # fmt: skip
    figure.update_layout(margin={"r": 56 if few else 96})


def draw_gap_curve(scene: Scene, told: Gap) -> go.Figure:
    """Draw the gap of each number of clusters with its standard error; the one found is ringed."""
    says = theme.Words(
        title=gap_curve_title(told),
        subtitle="Bars are standard errors; the first gap that the next does not clearly beat",
        x="clusters",
        y="gap",
    )
    figure = theme.canvas(says, scene.look, height=300)
    color = scene.look.correct
    figure.add_scatter(
        x=told.clusters,
        y=told.gap,
        error_y={"type": "data", "array": told.error, "color": color, "thickness": 1.2, "width": 0},
        mode="lines+markers",
        line={"color": color, "width": 2},
        marker={"size": 8, "color": color},
        hovertemplate="%{x} clusters: gap %{y:.3f}<extra></extra>",
        showlegend=False,
    )
    figure.add_scatter(
        x=[told.best],
        y=[told.gap[told.best - 1]],
        mode="markers",
        marker={
            "size": 15,
            "symbol": "circle-open",
            "color": scene.look.text,
            "line": {"width": 2},
        },
        hoverinfo="skip",
        showlegend=False,
    )
    figure.update_xaxes(tickformat=",d", dtick=1)
    figure.update_yaxes(nticks=5)
    return figure


def gap_curve_title(told: Gap) -> str:
    """Return how many clusters the statistic finds, in words."""
    if told.best == 1:
        return "The gap statistic finds no clusters: one group"
    return f"The gap statistic finds {text.counted(told.best, 'cluster')}"


def gap_curve_alt(told: Gap) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = ", ".join(text.number(float(value)) for value in told.gap)
    return f"Gap by number of clusters. {gap_curve_title(told)}. From 1 cluster on: {listed}."


def silhouette(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the silhouette of every point, cluster by cluster."""
    view = view_of(data, model)
    made = view.clustering
    if made.tables is None:
        raise EvalError(NO_FIGURE, "Without features the distances between points are unknown.")
    judged = made.tables.silhouette
    bars = silhouette_bars(made.clustering, judged)
    return draw_silhouette(view.scene, bars, judged.mean)


def cluster_map(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the points on the plane of most spread, in the colours of their clusters."""
    view = view_of(data, model)
    made = view.clustering
    points, tables = made.clustering, made.tables
    if tables is None or not isinstance(points, Measurable):
        raise EvalError(NO_FIGURE, "Without features the points cannot be placed.")
    plane, noun = _plane(points, view.options)
    shares = [f" ({share:.0%} of the spread)" for share in (*plane.shares, 0.0)[:2]]
    across, upwards = shares if plane.shares else ("", "")
    mapped = Mapped(
        plane, points, tables.silhouette.values, f"first {noun}{across}", f"second {noun}{upwards}"
    )
    return draw_cluster_map(view.scene, mapped)


def _plane(points: Measurable, options: Options) -> tuple[Layout, str]:
    rng = np.random.default_rng(options.seed)
    if isinstance(points, Points):
        return by_spread(points, rng), "component"
    return by_distances(points, rng), "axis"


def by_clusters(data: Data, *, metric: str = "silhouette") -> go.Figure:
    """Return a metric of every clustering by how many clusters it has."""
    view = view_of(data)
    made = {
        name: evaluate_clustering(view.dataset, name, view.options)
        for name in view.dataset.clusterings
    }
    judged = {
        name: Judged(
            len(one.clusters), one.points[metric].value if metric in one.points else np.nan
        )
        for name, one in made.items()
    }
    return draw_by_clusters(replace(view.scene, chosen=None), by_key()[metric], judged)


def gap_curve(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the gap statistic of k-means for one to eight clusters; this takes some seconds."""
    view = view_of(data, model)
    points = view.clustering.clustering
    if not isinstance(points, Points):
        raise EvalError(NO_FIGURE, "Without features the points cannot be grouped.")
    made = gap_statistic(points.features, np.random.default_rng(view.options.seed))
    return draw_gap_curve(replace(view.scene, chosen=None), made)
