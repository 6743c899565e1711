"""Clusterings: how many clusters are there?"""

import streamlit as st

from evalcore.metrics.catalog import by_key
from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import figures
from evalview.figures.clusters import Judged
from evalview.headlines import BY_CLUSTERS, Clusterings, number_of, of_cluster_counts
from pages.session import clusterings, computed, current
from pages.widgets import chart, guard


def page() -> None:
    """Show metrics by the number of clusters, and the gap statistic."""
    dataset = guard.need_dataset()
    top = guard.reserve("finding")
    made = judged(dataset)
    with top:
        guard.headline(*of_cluster_counts(made))
    pictures(dataset, made)
    if clusterings.points(dataset, current.model(dataset)) is not None:
        gap(dataset)


def judged(dataset: Dataset) -> Clusterings:
    """Return every clustering with its numbers."""
    with st.spinner(f"Judging {counted(len(dataset.clusterings), 'clustering')}"):
        return {name: computed.clustering(dataset, name) for name in dataset.clusterings}


def pictures(dataset: Dataset, made: Clusterings) -> None:
    """Show four numbers by how many clusters there are."""
    scene = chart.of_all(dataset)
    columns = st.columns(2)
    for place, key in enumerate(BY_CLUSTERS):
        metric = by_key()[key]
        values = {
            name: Judged(len(one.clusters), number_of(one, key)) for name, one in made.items()
        }
        with columns[place % 2]:
            figure = figures.draw_by_clusters(scene, metric, values)
            chart.show(figure, figures.by_clusters_alt(metric, values), key=f"by-{key}")


def gap(dataset: Dataset) -> None:
    """Offer the gap statistic, which takes a while, and show it once it has been asked for."""
    guard.section(
        "Are there clusters at all?",
        "The gap statistic compares k-means on these points with k-means on points that have no "
        "clusters, for 1 to 8 clusters.",
    )
    scaled = st.toggle(
        "Standardise features", key="standardise", bind="query-params",
        help="Each feature minus its mean, divided by its standard deviation."
    )  # fmt: skip
    asked = st.toggle("Compute it (takes a few seconds)", key="gap", bind="query-params")
    if not asked:
        return
    with st.spinner("Grouping points without clusters, 20 times"):
        told = clusterings.gap(dataset, current.model(dataset), scaled)
    scene = chart.of_all(dataset)
    chart.show(figures.draw_gap_curve(scene, told), figures.gap_curve_alt(told), key="gap-curve")
