"""Group the points: would another method group the points otherwise?"""

from dataclasses import dataclass

import streamlit as st

from evalcore.outcomes import Points
from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import escape, figures, text
from evalview.figures import layout
from evalview.figures.clusters import Mapped
from evalview.figures.layout import axis_words
from evalview.lab.grouping import MOST_POINTS, Linkage, Method, with_clustering
from pages import contents
from pages.session import clusterings, current
from pages.widgets import chart, guard, inputs


def page() -> None:
    """Show the points as another method groups them, and the way to keep that."""
    dataset = guard.need_dataset()
    name = current.model(dataset)
    points = clusterings.points(dataset, name)
    assert points is not None  # the page is listed only where features are known
    top = guard.reserve("finding")
    asked = ask()
    with st.spinner(f"Grouping {points.n:,} points"):
        made = clusterings.grouped(dataset, name, asked.method, asked.scaled)
    with top:
        guard.headline(*finding(made, asked.method))
    keep(dataset, points, made, asked.method)
    picture(dataset, made)


KINDS = tuple(MOST_POINTS)
LINKAGES: tuple[Linkage, ...] = ("ward", "average", "complete", "single")
MOST = 100
"""More clusters cannot be told apart by colour or by eye."""


@dataclass(frozen=True)
class Asked:
    """What is asked for: the method, and whether features are standardised first."""

    method: Method
    scaled: bool


def ask() -> Asked:
    """Show the methods with their settings."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox("Method", KINDS, key="method", bind="query-params", width=200)
        if kind == "DBSCAN":
            reach = st.number_input(
                "Reach", min_value=1e-9, value=0.5, format="%.3g", key="reach",
                bind="query-params", width=140,
                help="How far a neighbourhood reaches, in the unit of the features"
            )  # fmt: skip
            near = inputs.whole_number("Neighbours", (1, 1000), 5, key="neighbours", width=140,
                about="Points within reach needed to make a point the core of a cluster"
            )  # fmt: skip
            method = Method(kind, reach=float(reach), neighbours=near)
        else:
            clusters = inputs.whole_number("Clusters", (1, MOST), 3, key="clusters", width=140)
            linkage = (
                st.selectbox("Linkage", LINKAGES, key="linkage", bind="query-params", width=160)
                if kind == "agglomerative"
                else LINKAGES[0]
            )
            method = Method(kind, clusters=clusters, linkage=linkage)
        scaled = inputs.pick_scaled()
    return Asked(method, scaled)


def finding(made: clusterings.Grouped, method: Method) -> tuple[str, str]:
    """Return how many clusters there are, and how well apart."""
    noise = int((made.points.cluster < 0).sum())
    found = counted(len(made.points.names), "cluster")
    aside = f"; {counted(noise, 'point')} in none" if noise else ""
    mean = made.tables.silhouette.mean
    apart = f"Mean silhouette {text.number(mean)}. " if mean == mean else ""
    lead = f"{apart}It is not saved until you keep it as another clustering."
    return f"{method.name} makes {found}{aside}", lead


def keep(dataset: Dataset, points: Points, made: clusterings.Grouped, method: Method) -> None:
    """Offer to keep the grouping as one more clustering of the file."""
    if st.button("Keep as a clustering", type="primary", key="keep-grouping"):
        data, choices, name = with_clustering(dataset, points, made.points.cluster, method.name)
        stem = current.file_names()[0].rsplit(".", 1)[0].removesuffix(" with clusters")
        if current.open_derived([(f"{stem} with clusters.csv", data)], choices, name):
            kept = f"Kept as “{escape.visible(name)}”, another clustering"
            st.toast(escape.markdown(f"{kept}; Undo removes it."), duration="long")
            st.switch_page(contents.page("silhouettes"), query_params=current.address())
        st.rerun()  # to tell why it was refused


def picture(dataset: Dataset, made: clusterings.Grouped) -> None:
    """Show the silhouettes beside the points on a plane."""
    told, scene = made.tables.silhouette, chart.of_all(dataset)
    left, right = st.columns(2)
    with left:
        figure = figures.draw_silhouette(scene, made.bars, told.mean)
        chart.show(figure, figures.silhouette_alt(made.bars), key="silhouette")
    with right:
        words = axis_words(layout.SPREAD, made.plane.shares)
        mapped = Mapped(made.plane, made.points, told.values, *words)
        chart.show(
            figures.draw_cluster_map(scene, mapped), figures.cluster_map_alt(mapped), key="map"
        )
