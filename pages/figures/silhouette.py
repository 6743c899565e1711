"""The silhouette plot as Rousseeuw drew it: a bar for each point, sorted within its cluster."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.clusters.bars import CLUSTERS_AT_MOST, ClusterBars
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.scene import Scene

HOVER = "silhouette %{x:.3f}<br>row %{customdata:,}"


def draw(scene: Scene, clusters: Sequence[ClusterBars], mean: float) -> go.Figure:
    """Draw the clusters under each other; `mean` is the mean over all points."""
    says = theme.Words(
        title=title(clusters),
        subtitle="A bar for each point: 1 deep inside its cluster, below 0 nearer to another; "
        "beside each cluster its points and their mean",
        x="silhouette",
    )
    if not clusters:
        why = "Silhouettes need two clusters or more, and the features of the points."
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


def title(clusters: Sequence[ClusterBars]) -> str:
    """Return which cluster fits worst, in words."""
    if not any(cluster.scored for cluster in clusters):
        return "How well each point fits its cluster"
    worst = min((one for one in clusters if one.scored), key=lambda cluster: cluster.mean)
    name = words.named(shorten(worst.name, 30))
    noun = "point" if worst.scored == worst.n else "sampled point"
    wrong = f"{worst.negative:,} of its {words.counted(worst.scored, noun)} nearer to another"
    return f"Cluster {name} fits worst: mean {words.number(worst.mean)}, {wrong}"


def alt(clusters: Sequence[ClusterBars]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(
        f"{cluster.name}: {words.counted(cluster.n, 'point')}, mean {words.number(cluster.mean)}"
        for cluster in clusters
    )
    return (
        f"Silhouette of every point by cluster. {_nearer(clusters)}. {title(clusters)}. {listed}."
    )


def _nearer(clusters: Sequence[ClusterBars]) -> str:
    every = sum(cluster.scored for cluster in clusters)
    sampled = " sampled" if every < sum(cluster.n for cluster in clusters) else ""
    of = f" of these {len(clusters)} clusters" if len(clusters) >= CLUSTERS_AT_MOST else ""
    wrong = sum(cluster.negative for cluster in clusters)
    points = words.counted(every, f"{sampled} point".strip())
    return f"{wrong:,} of {points}{of} {'is' if wrong == 1 else 'are'} nearer to another cluster"


def _starts(clusters: Sequence[ClusterBars]) -> list[float]:
    """Return where each cluster begins, with a gap after the one before."""
    lengths = [len(cluster.values) for cluster in clusters]
    gap = max(1.0, 0.02 * sum(lengths))
    return [sum(lengths[:place]) + gap * place for place in range(len(lengths))]


def _add_cluster(figure: go.Figure, scene: Scene, cluster: ClusterBars, start: float) -> None:
    """Add the bars of a cluster, those below zero in the colour of errors."""
    name = safe(shorten(cluster.name, 40))
    at = start + np.arange(len(cluster.values)) + 0.5
    below = cluster.values < 0
    for shown, color in ((~below, scene.look.correct), (below, scene.look.positive)):
        if shown.any():
            figure.add_trace(
                go.Bar(
                    x=cluster.values[shown].astype(np.float32),
                    y=at[shown].astype(np.float32),
                    width=np.ones(int(shown.sum()), dtype=np.float32),
                    customdata=cluster.rows[shown].astype(np.int32),
                    orientation="h",
                    marker={"color": color, "line": {"width": 0}},
                    hovertemplate=f"<b>{name}</b><br>{HOVER}<extra></extra>",
                )
            )


def _add_mean(figure: go.Figure, scene: Scene, mean: float) -> None:
    figure.add_vline(x=mean, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.add_annotation(
        text=f"mean {words.number(mean)}", x=mean, y=1, yref="paper", yanchor="bottom",
        showarrow=False, font={"size": 12},
    )  # fmt: skip
    figure.update_layout(margin={"t": figure.layout.margin.t + 14})


def _name_clusters(
    figure: go.Figure, scene: Scene, clusters: Sequence[ClusterBars], starts: Sequence[float]
) -> None:
    """Write the name of each cluster to its left, its size and mean into its bars."""
    middles = [
        start + len(cluster.values) / 2 for start, cluster in zip(starts, clusters, strict=True)
    ]
    names = [safe(shorten(cluster.name, 14)) for cluster in clusters]
    end = starts[-1] + len(clusters[-1].values)
    figure.update_yaxes(tickvals=middles, ticktext=names, range=[end, 0], showgrid=False)
    for middle, cluster in zip(middles, clusters, strict=True):
        figure.add_annotation(
            text=f"{words.count(cluster.n)} · {words.number(cluster.mean)}", y=middle, x=1,
            xref="paper", xanchor="right", showarrow=False, bgcolor=scene.look.card, borderpad=2,
            font={"size": 12, "color": scene.look.secondary},
        )  # fmt: skip
