"""Clusterings as text for people."""

from collections.abc import Iterator

import numpy as np

from evalcore.command.printing.common import metrics, number, short, table, visible, width
from evalcore.metrics.catalog import by_key
from evalcore.results import ClusteringEvaluation, Evaluation

_HEADLINE = (
    "silhouette",
    "calinski_harabasz",
    "davies_bouldin",
    "adjusted_rand_index",
    "v_measure",
)
_MOST = 30
"""More clusters, or classes, are left to the JSON."""


def clusterings(result: Evaluation) -> list[list[str]]:
    """Return the clusterings side by side, then every number of each."""
    made = result.clusterings
    parts = [_side_by_side(result)] if len(made) > 1 else []
    return parts + [[*_clustering(name, one, result.options.samples)] for name, one in made.items()]


def _side_by_side(result: Evaluation) -> list[str]:
    """Return the main metrics, a line per clustering."""
    flat = {
        name: {key: e for group in one.metrics.values() for key, e in group.items()}
        for name, one in result.clusterings.items()
    }
    shown = [key for key in _HEADLINE if any(key in group for group in flat.values())]
    head = ("", "clusters", "noise", *(by_key()[key].name for key in shown))
    rows = [
        (
            visible(name),
            number(len(one.clusters), "count"),
            number(one.n_noise, "count"),
            *(short(flat[name].get(key)) for key in shown),
        )
        for name, one in result.clusterings.items()
    ]
    return table([head, *rows])


def _clustering(name: str, made: ClusteringEvaluation, samples: bool) -> Iterator[str]:
    noise = f" · {made.n_noise:,} noise" if made.n_noise else ""
    title = f"{visible(name)} · {made.n:,} points · {len(made.clusters):,} clusters{noise}"
    yield from [title, "=" * width(title), *_clusters(made)]
    for heading, group in (
        ("How the points lie", made.points),
        ("With noise as a cluster of its own", made.noise_as_cluster),
        ("How clusters agree with the true classes", made.agreement),
    ):
        if group:
            yield from ["", heading, *metrics(group)]
    yield from _contingency(made)
    if samples:
        yield from _samples(made)


def _clusters(made: ClusteringEvaluation) -> list[str]:
    if len(made.clusters) > _MOST:
        return [f"  {len(made.clusters):,} clusters: they are in the JSON."]
    head = ("", "points", "silhouette", "spread")
    rows = [
        (
            f"cluster {visible(one.name)}",
            number(one.n, "count"),
            *("-" if np.isnan(v) else number(v) for v in (one.silhouette, one.spread)),
        )
        for one in made.clusters
    ]
    return table([head, *rows], "  ")


def _contingency(made: ClusteringEvaluation) -> Iterator[str]:
    counts = made.contingency
    if counts is None or max(len(counts.classes), len(counts.clusters)) > _MOST:
        return
    head = ("", *(f"cluster {visible(name)}" for name in counts.clusters))
    rows = [
        (f"is {visible(name)}", *(number(count, "count") for count in row))
        for name, row in zip(counts.classes, counts.counts.tolist(), strict=True)
    ]
    yield from ["", *table([head, *rows], "  ")]


def _samples(made: ClusteringEvaluation) -> Iterator[str]:
    """Return a line per point: its row, its cluster, its silhouette, the next cluster."""
    if made.tables is None:
        return
    points, silhouette = made.clustering, made.tables.silhouette
    names = (*(visible(name) for name in points.names), "-")
    rows = np.arange(1, points.n + 1) if points.rows is None else points.rows
    columns = (rows, points.cluster, silhouette.values, silhouette.nearest)
    lines = [
        (str(row), names[own], "-" if np.isnan(value) else number(value), names[nearest])
        for row, own, value, nearest in zip(*(c.tolist() for c in columns), strict=True)
    ]
    yield from ["", "Each point", *table([("row", "cluster", "silhouette", "next"), *lines], "  ")]
