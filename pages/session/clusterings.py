"""Clusterings judged by a distance of one's choice, and laid out on a plane."""

import numpy as np
import streamlit as st

from evalcore.clusters import layout
from evalcore.clusters.condense import ClusterTables, condense
from evalcore.clusters.distance import Distance
from evalcore.clusters.layout import Layout
from evalcore.intake.model import Dataset
from evalcore.options import Options
from evalcore.outcomes import Clustering, Points

DAY = 24 * 3600

CLUSTER = "cluster"
"""Key of the box that names a cluster; a parameter of the address too."""

SPREAD, NEIGHBOURS = "most spread (PCA)", "neighbourhoods (t-SNE)"


def points(dataset: Dataset, name: str) -> Points | None:
    """Return the points of a clustering; None where their features are not known."""
    found = dataset.clusterings[name]
    return found if isinstance(found, Points) else None


def judged(dataset: Dataset, name: str, distance: str, scaled: bool) -> ClusterTables:
    """Return how the points of a clustering lie by a distance, of standardised features or not.

    Raises:
        EvalError: A point has no direction for a cosine.
    """
    return _judged(dataset.digest, name, distance, scaled, dataset)


def laid_out(dataset: Dataset, name: str, axes: str, scaled: bool) -> Layout:
    """Return points on a plane; `axes` is `SPREAD`, `NEIGHBOURS`, or two features.

    Raises:
        EvalError: There are too few points for neighbourhoods.
    """
    return _laid_out(dataset.digest, name, axes, scaled, dataset)


def plane(across: str, upwards: str) -> str:
    """Return how two features are named as axes."""
    return f"{across}\N{MULTIPLICATION SIGN}{upwards}"


def take_cluster(chart: str, clustering: Clustering) -> None:
    """Pick the cluster of the point or bar that was clicked; for the chart's `on_select`."""
    found = st.session_state[chart].selection.points
    told = found[0].get("customdata") if found else None
    row = told[0] if isinstance(told, list) and told else told
    if not isinstance(row, int | float):
        return
    rows = clustering.rows
    place = int(row) - 1 if rows is None else int(np.searchsorted(rows, int(row)))
    if 0 <= place < clustering.n and clustering.cluster[place] >= 0:
        st.session_state[CLUSTER] = clustering.names[clustering.cluster[place]]


def _features(dataset: Dataset, name: str, scaled: bool) -> Points:
    found = points(dataset, name)
    assert found is not None
    return layout.standardised(found) if scaled else found


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _judged(
    digest: str, name: str, distance: str, scaled: bool, _dataset: Dataset
) -> ClusterTables:
    rng = np.random.default_rng(Options().seed)
    return condense(_features(_dataset, name, scaled), Distance.parse(distance), rng=rng)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _laid_out(digest: str, name: str, axes: str, scaled: bool, _dataset: Dataset) -> Layout:
    rng = np.random.default_rng(Options().seed)
    found = _features(_dataset, name, scaled)
    if axes == SPREAD:
        return layout.by_spread(found, rng)
    if axes == NEIGHBOURS:
        return layout.by_neighbours(found, rng)
    features = _dataset.roles.features
    named = {plane(a, b): (i, j) for i, a in enumerate(features) for j, b in enumerate(features)}
    return layout.by_features(found, *named[axes], rng)
