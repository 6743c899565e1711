"""Clusterings judged by a chosen distance, laid out on a plane, and grouped again."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from evalcore.clustering.agreement import between
from evalcore.clustering.distance import Distance, fitting
from evalcore.clustering.points import ClusterTables, Silhouette, condense, silhouette
from evalcore.metrics.clusters import Chance, chance
from evalcore.metrics.metric import Metric
from evalcore.options import Options
from evalcore.outcomes import Clustering, Measurable, Points
from evalcore.tables.contingency import Contingency
from evalcore.work import Progress
from evalread.dataset import Dataset
from evalview.figures import layout
from evalview.lab.grouping import Gap, Method, gap_statistic, group
from pages.session import cache, computed, current

CLUSTER = "rows-of"
"""Key of the box that names a cluster; a parameter of the address too."""

DRAWS = ((10_000, 999), (1_000_000, 199), (math.inf, 99))
"""Cells of a table, and how often it is dealt again: large ones would take too long."""


def points(dataset: Dataset, name: str) -> Points | None:
    """Return the points of a clustering; None where their features are not known."""
    found = dataset.clusterings[name]
    return found if isinstance(found, Points) else None


def measurable(dataset: Dataset, name: str) -> Measurable | None:
    """Return a clustering whose points lie so and so far apart; None where nothing tells that."""
    found = dataset.clusterings[name]
    return found if isinstance(found, Measurable) else None


def judged(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> ClusterTables:
    """Return how the points of a clustering lie by a distance, of standardised features or not.

    The silhouette is that of every point where that has been measured.

    Raises:
        EvalError: A point has no direction for a cosine.
    """
    made = _tables(dataset, name, distance, scaled)
    whole = computed.requests().found(_key(dataset, name, distance, scaled))
    return made if whole is None else replace(made, silhouette=whole)


def _tables(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> ClusterTables:
    found = _features(dataset, name, scaled=False)
    if not scaled and fitting(found, distance) == fitting(found, None):
        usual = computed.clustering(dataset, name).tables
        assert usual is not None  # its points lie so and so far apart
        return usual
    return _judged(dataset, name, distance, scaled)


def measure_all(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> None:
    """Begin to measure the silhouette of every point."""
    found = _features(dataset, name, scaled)
    work = partial(_measure, found, fitting(found, distance))
    computed.requests().begin(_who(), _key(dataset, name, distance, scaled), work)


def measuring(
    dataset: Dataset, name: str, distance: str | None, scaled: bool
) -> computed.RequestProgress | None:
    """Return how far that is; None where it has not begun, is done, or was stopped."""
    return computed.requests().progress(_who(), _key(dataset, name, distance, scaled))


def stop_measuring(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> None:
    """Stop it; the estimate stands."""
    computed.requests().stop(_who(), _key(dataset, name, distance, scaled))


def _measure(found: Measurable, distance: Distance, progress: Progress) -> Silhouette:
    return silhouette(found, distance, progress=progress)


def _who() -> str:
    """Return the token of the data: it outlives a refresh, and only its owner's link holds it."""
    return current.view().data or ""


def _key(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> computed.Key:
    fits = fitting(_features(dataset, name, scaled=False), distance)
    return computed.exact_key(dataset, name, fits, scaled=scaled)


@cache.cached(entries=100)
def laid_out(dataset: Dataset, name: str, axes: str, scaled: bool) -> layout.Layout:
    """Return points on a plane; `axes` as `layout.by_axes` has it."""
    rng = np.random.default_rng(Options().seed)
    found = _features(dataset, name, scaled)
    return layout.by_axes(found, axes, dataset.roles.features, rng)


def partners(dataset: Dataset, name: str) -> tuple[str | None, ...]:
    """Return what a clustering can be held against: None for the true classes, or another one."""
    truth = () if dataset.true_class is None else (None,)
    return (*truth, *(other for other in dataset.clusterings if other != name))


@cache.cached(entries=100)
def agreement(dataset: Dataset, name: str, partner: str | None) -> Contingency:
    """Return the groups of the partner, or the true classes, against the clusters."""
    clustering = dataset.clusterings[name]
    if partner is not None:
        return between(dataset.clusterings[partner], clustering)
    truth = dataset.true_class
    assert truth is not None
    return between(Clustering(names=truth.names, cluster=truth.codes), clustering)


@cache.cached(entries=400)
def by_chance(dataset: Dataset, name: str, partner: str | None, metric: Metric) -> Chance:
    """Return what a metric of agreement would be by chance."""
    table = agreement(dataset, name, partner)
    cells = len(table.classes) * len(table.clusters)
    draws = next(times for most, times in DRAWS if cells <= most)
    return chance(metric, table, np.random.default_rng(Options().seed), draws=draws)


def scaled_points(dataset: Dataset, name: str, scaled: bool) -> Points:
    """Return the points of a clustering whose features are known, standardised or as given."""
    found = _features(dataset, name, scaled)
    assert isinstance(found, Points)
    return found


def take_cluster(chart: str, clustering: Clustering) -> None:
    """Pick the cluster of the point or bar that was clicked; for the chart's `on_select`."""
    found = st.session_state[chart].selection.points
    told = found[0].get("customdata") if found else None
    # A browser sends one row of an array of numbers as a mapping from their places.
    cells = list(told.values()) if isinstance(told, Mapping) else told
    row = cells[0] if isinstance(cells, list) and cells else cells
    if not isinstance(row, int | float):
        return
    rows = clustering.rows
    place = int(row) - 1 if rows is None else int(np.searchsorted(rows, int(row)))
    if 0 <= place < clustering.n and clustering.cluster[place] >= 0:
        st.session_state[CLUSTER] = clustering.names[clustering.cluster[place]]


def _features(dataset: Dataset, name: str, scaled: bool) -> Measurable:
    found = measurable(dataset, name)
    assert found is not None
    return layout.standardised(found) if scaled and isinstance(found, Points) else found


@cache.cached(entries=100)
def _judged(dataset: Dataset, name: str, distance: str | None, scaled: bool) -> ClusterTables:
    found = _features(dataset, name, scaled)
    return condense(found, fitting(found, distance), rng=np.random.default_rng(Options().seed))


@dataclass(frozen=True, eq=False)
class Grouped:
    """A grouping of one's own: the points in their new clusters, judged in the given units.

    The plane is that of most spread.
    """

    points: Points
    tables: ClusterTables
    bars: tuple[layout.ClusterBars, ...]
    plane: layout.Layout


@cache.cached(entries=50)
def grouped(dataset: Dataset, name: str, method: Method, scaled: bool) -> Grouped:
    """Return the points of a clustering, grouped again by a method.

    Raises:
        EvalError: The method cannot group so many points, or so few.
    """
    found = scaled_points(dataset, name, scaled)
    codes = group(found.features, method, seed=Options().seed)
    names = tuple(str(code) for code in range(int(codes.max(initial=-1)) + 1))
    made = Points(names=names, cluster=codes, rows=found.rows, features=found.features)
    tables = condense(made, rng=np.random.default_rng(Options().seed))
    plane = layout.by_spread(made, np.random.default_rng(Options().seed))
    return Grouped(made, tables, layout.silhouette_bars(made, tables.silhouette), plane)


@cache.cached(entries=50)
def gap(dataset: Dataset, name: str, scaled: bool) -> Gap:
    """Return how many clusters k-means finds in the points of a clustering."""
    features = scaled_points(dataset, name, scaled).features
    return gap_statistic(features, np.random.default_rng(Options().seed))
