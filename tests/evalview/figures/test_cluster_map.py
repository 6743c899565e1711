"""The map of clusters: rings while they are few, then hollow points, then places."""

import numpy as np
import pytest

from evalcore.outcomes import Clustering
from evalview import figures
from evalview.figures.clusters import RINGED_AT_MOST, Mapped
from evalview.figures.layout import COLOURED_AT_MOST, Layout
from evalview.figures.theme import Scene

SCENE = Scene(names=("k",))
N = 900


def mapped(clusters: int, wrong: int) -> Mapped:
    x, y = np.random.default_rng(0).normal(size=(2, N))
    names = tuple(f"<b>{k}</b>" for k in range(clusters))
    silhouette = np.where(np.arange(N) < wrong, -0.5, 0.5)
    cluster = Clustering(names=names, cluster=np.arange(N) % clusters)
    return Mapped(Layout(np.arange(N), x, y), cluster, silhouette, "across", "upwards")


def test_few_points_nearer_to_another_cluster_are_ringed():
    told = mapped(3, RINGED_AT_MOST)
    *_, rings = figures.draw_cluster_map(SCENE, told).data
    assert len(rings.x) == RINGED_AT_MOST
    assert "ringed" in figures.cluster_map_alt(told)


def test_many_are_hollow_in_the_colour_of_their_cluster():
    told = mapped(3, 600)
    drawn = figures.draw_cluster_map(SCENE, told).data
    assert len(drawn) == 3
    hollow = [symbol.endswith("-open") for group in drawn for symbol in group.marker.symbol]
    assert sum(hollow) == 600
    assert not hollow[0]  # the legend's mark is the first point's
    assert "hollow" in figures.cluster_map_alt(told)


@pytest.mark.parametrize(("front", "traces"), [(None, 1), ("<b>7</b>", 2), ("unknown", 1)])
def test_many_in_more_clusters_than_colours_are_counted_by_place(front, traces):
    told = mapped(COLOURED_AT_MOST + 50, 600)
    places, *picked = figures.draw_cluster_map(SCENE, told, front).data
    assert 1 + len(picked) == traces
    counts = np.array([text.split(" of ") for text in places.customdata], dtype=int)
    assert counts.sum(axis=0).tolist() == [600, N]
    np.testing.assert_allclose(places.marker.color, counts[:, 0] / counts[:, 1], rtol=1e-6)
    assert all("<b>" not in trace.name for trace in picked)
