"""A clustering as plain values for JSON."""

import numpy as np

from evalcore.command.serialise.common import Json, finite, group, numbers
from evalcore.results import Cluster, ClusteringEvaluation


def clustering(made: ClusteringEvaluation, *, samples: bool) -> Json:
    """Return every number of a clustering; with `samples` also the silhouette of each point."""
    said: Json = {
        "n": made.n,
        "n_noise": made.n_noise,
        "metrics": {name: group(part) for name, part in made.metrics.items()},
        "noise_as_cluster": group(made.noise_as_cluster),
        "clusters": [_cluster(one) for one in made.clusters],
        "contingency": _contingency(made),
    }
    return said | ({"samples": _samples(made)} if samples else {})


def _cluster(one: Cluster) -> Json:
    return {
        "cluster": one.name,
        "n": one.n,
        "silhouette": finite(one.silhouette),
        "within_ss": finite(one.within_ss),
        "spread": finite(one.spread),
        "centre": numbers(one.centre),
    }


def _contingency(made: ClusteringEvaluation) -> Json | None:
    """Return the true classes (rows) against the clusters (columns)."""
    table = made.contingency
    if table is None:
        return None
    return {
        "classes": list(table.classes),
        "clusters": list(table.clusters),
        "counts": table.counts.tolist(),
    }


def _samples(made: ClusteringEvaluation) -> list[Json]:
    """Return an entry per point; no cluster for noise, no value where there is none."""
    points = made.clustering
    rows = np.arange(1, points.n + 1) if points.rows is None else points.rows
    values = np.full(points.n, np.nan)
    nearest = np.full(points.n, -1)
    if made.tables is not None:
        values, nearest = made.tables.silhouette.values, made.tables.silhouette.nearest
    names = (*points.names, None)
    columns = (rows, points.cluster, values, nearest)
    return [
        {"row": row, "cluster": names[own], "silhouette": finite(value), "nearest": names[next_]}
        for row, own, value, next_ in zip(*(c.tolist() for c in columns), strict=True)
    ]
