"""Points of a clustering grouped anew, and how many clusters a method finds in them."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.clusters import layout
from evalcore.clusters.bars import ClusterBars, silhouette_bars
from evalcore.clusters.condense import ClusterTables, condense
from evalcore.clusters.layout import Layout
from evalcore.intake.model import Dataset
from evalcore.lab.gap import Gap, gap_statistic
from evalcore.lab.grouping import Method, group
from evalcore.options import Options
from evalcore.outcomes import Points
from pages.session.clusterings import DAY, scaled_points


@dataclass(frozen=True, eq=False)
class Grouped:
    """A grouping of one's own: the points in their new clusters, judged in the given units.

    The plane is that of most spread.
    """

    points: Points
    tables: ClusterTables
    bars: tuple[ClusterBars, ...]
    plane: Layout


def grouped(dataset: Dataset, name: str, method: Method, scaled: bool) -> Grouped:
    """Return the points of a clustering, grouped anew by a method.

    Raises:
        EvalError: The method cannot group so many points, or so few.
    """
    return _grouped(dataset.digest, name, method, scaled, dataset)


def gap(dataset: Dataset, name: str, scaled: bool) -> Gap:
    """Return how many clusters k-means finds in the points of a clustering."""
    return _gap(dataset.digest, name, scaled, dataset)


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def _grouped(digest: str, name: str, method: Method, scaled: bool, _dataset: Dataset) -> Grouped:
    found = scaled_points(_dataset, name, scaled)
    codes = group(found.features, method, seed=Options().seed)
    names = tuple(str(code) for code in range(int(codes.max(initial=-1)) + 1))
    made = Points(names=names, cluster=codes, rows=found.rows, features=found.features)
    tables = condense(made, rng=np.random.default_rng(Options().seed))
    plane = layout.by_spread(made, np.random.default_rng(Options().seed))
    return Grouped(made, tables, silhouette_bars(made, tables.silhouette), plane)


@st.cache_resource(max_entries=50, ttl=DAY, show_spinner=False)
def _gap(digest: str, name: str, scaled: bool, _dataset: Dataset) -> Gap:
    features = scaled_points(_dataset, name, scaled).features
    return gap_statistic(features, np.random.default_rng(Options().seed))
