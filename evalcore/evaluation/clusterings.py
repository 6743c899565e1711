"""Every number of a clustering: how its points lie, and how it agrees with the true classes."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.clustering.distance import fitting
from evalcore.clustering.points import (
    Centroids,
    ClusterTables,
    Separation,
    Silhouette,
    condense,
    usual_silhouette,
)
from evalcore.errors import Notice
from evalcore.metrics.catalog import AGREEMENT, POINTS
from evalcore.metrics.clusters import SILHOUETTE
from evalcore.metrics.metric import Estimate, Metric, Sample
from evalcore.options import Options
from evalcore.outcomes import Categorical, Clustering, Measurable
from evalcore.predictions import Categories, Predictions
from evalcore.results import Cluster, ClusteringEvaluation, Estimates
from evalcore.tables.contingency import Contingency
from evalcore.text import counted

_SAMPLED = "with so many points not every pair is computed, and extremes of a sample say little"
_NO_PLACES = "only distances between points are known; a centre needs their features"
_NO_MEANS = "the features are categories, which have no mean and so no centre"


def evaluate_clustering(dataset: Predictions, name: str, options: Options) -> ClusteringEvaluation:
    """Return every number of one clustering; points that are noise count in none of them.

    Raises EvalError "bad-distance", or "zero-vector" where a point has no direction for a cosine.
    """
    clustering, noise = dataset.clusterings[name], dataset.noise
    tables = _tables(clustering, options)
    contingency = _contingency(clustering, dataset.true_class)
    result = ClusteringEvaluation(
        n=clustering.total,
        clustering=clustering,
        tables=tables,
        contingency=contingency,
        clusters=tuple(_clusters(clustering, tables, dataset.features)),
        points=_of_points(clustering, tables, options.level),
        agreement=_estimates({m: m.estimate(contingency) for m in AGREEMENT if contingency}),
        noise_as_cluster=_noise_as_cluster(clustering, noise, options),
    )
    return replace(result, notices=tuple(cluster_remarks(name, result, noise)))


def with_silhouette(
    dataset: Predictions,
    name: str,
    result: ClusteringEvaluation,
    measured: Silhouette,
    options: Options,
) -> ClusteringEvaluation:
    """Return the numbers of a clustering with every point's silhouette in place of an estimate."""
    assert result.tables is not None  # its points lie so and so far apart
    tables, clustering = replace(result.tables, silhouette=measured), result.clustering
    whole = replace(
        result,
        tables=tables,
        clusters=tuple(_clusters(clustering, tables, dataset.features)),
        points=_of_points(clustering, tables, options.level),
    )
    return replace(whole, notices=tuple(cluster_remarks(name, whole, dataset.noise)))


def _rng(options: Options) -> np.random.Generator:
    return np.random.default_rng(options.seed)


def _tables(clustering: Clustering, options: Options) -> ClusterTables | None:
    if not isinstance(clustering, Measurable):
        return None
    return condense(clustering, fitting(clustering, options.distance), rng=_rng(options))


def _estimates(by_metric: dict[Metric, Estimate]) -> Estimates:
    return MappingProxyType({metric.key: value for metric, value in by_metric.items()})


def _of_points(clustering: Clustering, tables: ClusterTables | None, level: float) -> Estimates:
    if tables is None:
        return MappingProxyType({})
    by_type: dict[type, Any] = {
        type(table): table for table in (tables.silhouette, tables.centroids, tables.separation)
    }
    known = {m: m.estimate(by_type[m.needs], Sample(level)) for m in POINTS if m.needs in by_type}
    no_centre = _NO_MEANS if isinstance(clustering, Categorical) else _NO_PLACES
    reasons = {Centroids: no_centre, Separation: _SAMPLED}
    lost = {m: Estimate(np.nan, why=reasons[m.needs]) for m in POINTS if m not in known}
    return _estimates({metric: (known | lost)[metric] for metric in POINTS})


def _contingency(clustering: Clustering, truth: Categories | None) -> Contingency | None:
    """Count true classes in clusters; noise, and rows without a class, are left out."""
    if truth is None:
        return None
    groups = truth.on(clustering), clustering.cluster
    return Contingency.from_codes(*groups, truth.names, clustering.names, clustering.count)


def _clusters(
    clustering: Clustering, tables: ClusterTables | None, features: tuple[str, ...]
) -> Iterator[Cluster]:
    """Return what there is to say about each cluster, in the order of their names."""
    inside, count = ~clustering.noise, clustering.count
    held = None if count is None else count[inside]
    sizes = np.bincount(clustering.cluster[inside], held, len(clustering.names)).astype(np.int64)
    if tables is None:
        yield from map(Cluster, clustering.names, sizes.tolist())
        return
    centroids, means = tables.centroids, tables.silhouette.cluster_means
    if centroids is None:
        yield from map(Cluster, clustering.names, sizes.tolist(), means.tolist())
        return
    for place, (code, centre) in enumerate(
        zip(centroids.names.tolist(), centroids.centres.tolist(), strict=True)
    ):
        yield Cluster(
            name=clustering.names[code],
            n=int(sizes[code]),
            silhouette=float(means[code]),
            within_ss=float(centroids.within[place]),
            spread=float(centroids.spread[place]),
            centre=MappingProxyType(dict(zip(features, centre, strict=True))),
        )


def _noise_as_cluster(clustering: Clustering, noise: str, options: Options) -> Estimates:
    """Return the silhouette as programs give it that take noise for a cluster like any other."""
    if not (isinstance(clustering, Measurable) and clustering.noise.any()):
        return MappingProxyType({})
    code = len(clustering.names)
    as_cluster = replace(
        clustering,
        names=(*clustering.names, noise),
        cluster=np.where(clustering.noise, code, clustering.cluster),
    )
    distance = fitting(clustering, options.distance)
    judged = usual_silhouette(as_cluster, distance, rng=_rng(options))
    return _estimates({SILHOUETTE: SILHOUETTE.estimate(judged, Sample(options.level))})


def cluster_remarks(name: str, result: ClusteringEvaluation, noise: str) -> Iterator[Notice]:
    """Return the notices about one clustering, each of which names it."""
    if result.n_noise:
        yield Notice("noise", _about_noise(name, result, noise), "warning", rows=result.noise_rows)
    if result.points and not result.comparable:
        yield Notice(
            "incomparable",
            f'The points of "{name}" are in {counted(len(result.clusters), "cluster")}. The '
            "silhouette and other comparisons between clusters are undefined: they need at least "
            f"2 clusters, and fewer clusters than points (here {result.n - result.n_noise:,}).",
            "warning",
        )
    if result.tables is not None and result.tables.silhouette.method == "sample":
        yield Notice(
            "sampled",
            f'The silhouette of "{name}" is estimated from {result.tables.silhouette.scored:,} of '
            f"{result.n - result.n_noise:,} points, each compared with all points.",
        )


def _about_noise(name: str, result: ClusteringEvaluation, noise: str) -> str:
    says = (
        f'{result.n_noise:,} of {result.n:,} points of "{name}" are noise ({noise}), in no '
        "cluster; all numbers leave them out."
    )
    other = result.noise_as_cluster.get(SILHOUETTE.key)
    if other is None or not other.defined:
        return says
    return f"{says} With noise as a cluster of its own the silhouette would be {other.value:.3f}."
