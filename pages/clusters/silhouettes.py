"""Silhouettes: which points would fit another cluster better?"""

from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from evalcore.clustering.points import ClusterTables
from evalcore.errors import Notice
from evalcore.outcomes import Measurable, data_rows
from evalcore.slices.rows import largest
from evalcore.text import counted
from evalread.dataset import Dataset, FeatureKind
from evalview import figures, text, words
from evalview.escape import file_name, visible
from evalview.figures import clusters, layout
from evalview.figures.layout import KEPT, NEIGHBOURS, PLANES, SPREAD, axis_words
from pages.session import clusterings, computed
from pages.session.clusterings import CLUSTER
from pages.widgets import chart, guard, inputs, notices, progress, tables
from pages.widgets.rows import rows_table


def page() -> None:
    """Show the silhouettes of a clustering, its map, its clusters and its points."""
    dataset = guard.need_dataset()
    top, choices = guard.top_and_choices()
    with choices:
        name = inputs.pick_model(dataset)
        asked = ask(dataset)
    points = clusterings.measurable(dataset, name)
    assert points is not None  # the page is listed only where features or distances are known
    with st.spinner(f"Measuring the distances of {points.n:,} points"):
        tables = clusterings.judged(dataset, name, asked.distance, asked.scaled)
    with top:
        guard.headline(*finding(dataset, name, tables))
    offer(dataset, points, name, asked)
    told = remarks(dataset, name, tables)
    notices.warnings(told)
    pictures(dataset, points, name, asked)
    guard.section("Its clusters")
    clusters_table(dataset, points, name, asked)
    guard.section("The points", "Those that fit worst come first.")
    rows(dataset, points, name, asked)
    notices.remarks(told)


DISTANCES = {
    "euclidean": "Euclidean",
    "manhattan": "Manhattan",
    "minkowski:3": "Minkowski, p = 3",
    "minkowski:inf": "Chebyshev",
    "cosine": "cosine",
}
MEASURED = {
    FeatureKind.NUMBERS: "",
    FeatureKind.DISTANCES: "The distances are those of the file. ",
    FeatureKind.CATEGORIES: "The distance of two points is the share of their features that "
    "differ. ",
}
DOWNLOADED = 10_000
"""Points that are listed at most."""
PLANES_AT_MOST = 30
SILHOUETTE_EVERY = "all clusters"


@dataclass(frozen=True)
class Asked:
    """How the points are looked at.

    Attributes:
        distance: What `evalcore` calls the distance; None where there is but one.
        scaled: Whether every feature is standardised first.
        axes: What the plane is made of.
    """

    distance: str | None
    scaled: bool
    axes: str


def ask(dataset: Dataset) -> Asked:
    """Show the distances and planes to pick from, and whether features are standardised."""
    if dataset.roles.feature_kind is not FeatureKind.NUMBERS:
        return Asked(None, False, _plane([KEPT, NEIGHBOURS], width=300))
    picked = inputs.list_box("Distance", DISTANCES, key="distance", width=170)
    scaled = inputs.pick_scaled()
    pairs = islice(combinations(dataset.roles.features, 2), PLANES_AT_MOST)
    planes = [layout.plane(*pair) for pair in pairs]
    return Asked(picked, scaled, _plane([SPREAD, NEIGHBOURS, *planes]))


def _plane(planes: list[str], width: int = 200) -> str:
    labels = {axes: PLANES.get(axes, visible(axes)) for axes in planes}
    return inputs.list_box("Points by", labels, key="axes", width=width)


def finding(dataset: Dataset, name: str, tables: ClusterTables) -> tuple[str, str]:
    """Return how many points lie nearer to another cluster, and the mean silhouette."""
    told = tables.silhouette
    if not told.scored:
        return f"Nothing to compare in {words.spoken(dataset, name)}", ""
    wrong = int((told.values < 0).sum())
    sampled = " of a sample" if told.method == "sample" else ""
    interval = told.interval()
    low, high = (text.number(float(end)) for end in (interval.low, interval.high))
    ends = f" ({text.low_to_high(low, high)})" if sampled else ""
    verb = "is" if wrong == 1 else "are"
    return (
        f"{wrong:,} of {counted(told.scored, 'point')}{sampled} of {words.spoken(dataset, name)} "
        f"{verb} nearer to another cluster",
        f"Mean silhouette {text.number(told.mean)}{ends}: 1 is far from other clusters, 0 on the "
        f"border. {MEASURED[dataset.roles.feature_kind]}"
        "Click a bar or a point to see the rows of its cluster.",
    )


def remarks(dataset: Dataset, name: str, tables: ClusterTables) -> tuple[Notice, ...]:
    """Return what must be known; where every point has been measured, nothing is estimated."""
    told = computed.clustering(dataset, name).notices
    exact = tables.silhouette.method == "exact"
    return tuple(notice for notice in told if not (exact and notice.code == "sampled"))


def pictures(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> None:
    """Show the silhouettes beside the points on a plane."""
    told, scene = _judged(dataset, name, asked).silhouette, chart.of_all(dataset, name)
    bars = layout.silhouette_bars(points, told)
    left, right = st.columns(2)
    with left:
        figure = figures.draw_silhouette(scene, bars, told.mean)
        _clickable(figure, figures.silhouette_alt(bars), points, key="silhouette")
    with right:
        picked = st.session_state.get(CLUSTER)
        mapped = _mapped(dataset, points, name, asked)
        figure = figures.draw_cluster_map(scene, mapped, picked if picked in points.names else None)
        _clickable(figure, figures.cluster_map_alt(mapped), points, key="map")


def clusters_table(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> None:
    """Show size and fit of every cluster."""
    told = _judged(dataset, name, asked).silhouette
    negative = np.bincount(
        points.cluster[(told.values < 0) & (points.cluster >= 0)], minlength=len(points.names)
    )
    table = pd.DataFrame(
        {
            "cluster": [visible(one) for one in points.names],
            "points": told.cluster_sizes,
            "mean silhouette": told.cluster_means,
            "nearer to another": negative,
        }
    )
    if told.method == "sample":
        scored = points.cluster[np.isfinite(told.values)]
        table.insert(2, "sampled", np.bincount(scored, minlength=len(points.names)))
    tables.show(
        table,
        hide_index=True,
        column_config={"mean silhouette": st.column_config.NumberColumn(format="%.3f")},
        key="clusters",
        alt="The clusters with their sizes and mean silhouettes",
    )


def rows(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> None:
    """Show the rows of the picked cluster, or of all, those that fit worst first."""
    told = _judged(dataset, name, asked).silhouette
    shown = {"": SILHOUETTE_EVERY, **{cluster: visible(cluster) for cluster in points.names}}
    picked = inputs.list_box("Rows of", shown, key=CLUSTER, width=320)
    kept = np.isfinite(told.values)
    if picked in points.names:
        kept &= points.cluster == points.names.index(picked)
    places = np.flatnonzero(kept)
    places = places[largest(-told.values[places], DOWNLOADED)]
    nearest = [points.names[code] for code in told.nearest[places]]
    rows_table(
        dataset,
        (name,),
        data_rows(points, places),
        key="points",
        called=file_name("silhouettes", name, ending="csv"),
        values={"silhouette": told.values[places], "nearest other cluster": nearest},
    )


def _judged(dataset: Dataset, name: str, asked: Asked) -> ClusterTables:
    return clusterings.judged(dataset, name, asked.distance, asked.scaled)


def _mapped(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> clusters.Mapped:
    with st.spinner("Placing the points"):
        made = clusterings.laid_out(dataset, name, asked.axes, asked.scaled)
    across, upwards = axis_words(asked.axes, made.shares)
    note = "Only short distances are meaningful here" if asked.axes == NEIGHBOURS else ""
    values = _judged(dataset, name, asked).silhouette.values
    return clusters.Mapped(made, points, values, across, upwards, note)


def _clickable(figure: go.Figure, alt: str, points: Measurable, *, key: str) -> None:
    chart.show(figure, alt, key=key, on_click=lambda: clusterings.take_cluster(key, points))


def offer(dataset: Dataset, points: Measurable, name: str, asked: Asked) -> None:
    """Offer to measure every point, or show how far that is; nothing where it is done."""
    args = (dataset, name, asked.distance, asked.scaled)
    if clusterings.judged(*args).silhouette.method == "exact":
        return
    if clusterings.measuring(*args) is not None:
        told, stop = (
            partial(clusterings.measuring, *args),
            partial(clusterings.stop_measuring, *args),
        )
        progress.of_request(told, stop, "of the distances measured", key="stop-measuring")
        return
    in_any = int((points.cluster >= 0).sum())
    st.button(
        f"Measure all {counted(in_any, 'point')} exactly",
        key="measure-all",
        on_click=clusterings.measure_all,
        args=args,
        help=f"{in_any * (in_any - 1) / 2:,.0f} distances. It goes on while you look at other "
        "pages, and can be stopped.",
    )
