"""Clusterings: how many clusters are there?"""

from collections.abc import Mapping

import streamlit as st

from evalcore.metrics.catalog import by_key
from evalcore.results import ClusteringEvaluation
from evalcore.text import counted, joined, significant
from evalread.dataset import Dataset
from evalview import escape, figures
from evalview.figures.clusters import Judged
from pages.session import clusterings, computed, current
from pages.widgets import chart, guard


def page() -> None:
    """Show metrics by the number of clusters, and the gap statistic."""
    dataset = guard.need_dataset()
    top = guard.reserve("finding")
    made = judged(dataset)
    with top:
        guard.headline(*finding(made))
    pictures(dataset, made)
    if clusterings.points(dataset, current.model(dataset)) is not None:
        gap(dataset)


Made = Mapping[str, ClusteringEvaluation]
PICTURES = ("silhouette", "within_ss", "calinski_harabasz", "davies_bouldin")
HIGHER = ("silhouette", "calinski_harabasz")


def judged(dataset: Dataset) -> Made:
    """Return every clustering with its numbers."""
    with st.spinner(f"Judging {counted(len(dataset.clusterings), 'clustering')}"):
        return {name: computed.clustering(dataset, name) for name in dataset.clusterings}


def finding(made: Made) -> tuple[str, str]:
    """Return which clustering is best by each of three metrics."""
    best = {key: _best(made, key) for key in PICTURES if key != "within_ss"}
    known = {key: name for key, name in best.items() if name is not None}
    if not known:
        return "Nothing separates these clusterings", ""
    names = list(dict.fromkeys(known.values()))
    clusters = {len(made[name].clusters) for name in names}
    told = "; ".join(
        f"{by_key()[key].name} is best for {escape.visible(name)} "
        f"({significant(made[name].points[key].value)})"
        for key, name in known.items()
    )
    if sum(_value(one, "silhouette") == _value(one, "silhouette") for one in made.values()) == 1:
        return f"Only {escape.visible(names[0])} can be judged", f"{told}."
    if len(clusters) == 1:
        who = joined([by_key()[key].name for key in known]) if len(known) < 3 else "All metrics"
        favour = "favours" if len(known) == 1 else "favour"
        return f"{who} {favour} {counted(clusters.pop(), 'cluster')}", f"{told}."
    listed = " or ".join(f"{k:,}" for k in sorted(clusters))
    return f"{listed} clusters: the metrics disagree", f"{told}."


def pictures(dataset: Dataset, made: Made) -> None:
    """Show four numbers by how many clusters there are."""
    scene = chart.of_all(dataset)
    columns = st.columns(2)
    for place, key in enumerate(PICTURES):
        metric = by_key()[key]
        values = {name: Judged(len(one.clusters), _value(one, key)) for name, one in made.items()}
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


def _value(one: ClusteringEvaluation, key: str) -> float:
    found = one.points.get(key)
    return float("nan") if found is None else found.value


def _best(made: Made, key: str) -> str | None:
    known = {name: _value(one, key) for name, one in made.items()}
    known = {name: value for name, value in known.items() if value == value}
    if not known:
        return None
    pick = max if key in HIGHER else min
    return pick(known, key=lambda name: known[name])
