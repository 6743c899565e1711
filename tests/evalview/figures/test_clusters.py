"""Figures of clusterings."""

import numpy as np

from evalcore.clustering.points import condense
from evalcore.outcomes import Points
from evalcore.tables.contingency import Contingency
from evalview import figures
from evalview.figures.clusters import Mapped
from evalview.figures.layout import COLOURED_AT_MOST, ClusterBars, by_spread, silhouette_bars
from evalview.figures.theme import Scene
from evalview.lab.grouping import gap_statistic

SCENE = Scene(names=("k3",), chosen="k3")
CLUSTERS = (
    ClusterBars("0", 3, 0.2, 1, np.array([0.5, 0.3, -0.2]), np.array([4, 1, 9]), 3),
    ClusterBars("1", 2, 0.6, 0, np.array([0.7, 0.5]), np.array([2, 3]), 2),
)


def test_bars_of_a_cluster_have_the_colour_of_its_points():
    rng = np.random.default_rng(0)
    code = np.repeat(np.arange(14), [9, 1, *[5] * 12])
    names = tuple(f"c{k}" for k in range(14))
    points = Points(names=names, cluster=code, features=rng.normal(size=(len(code), 2)))
    told = condense(points, rng=rng).silhouette
    bars = figures.draw_silhouette(SCENE, silhouette_bars(points, told), told.mean).data
    mapped = Mapped(by_spread(points, rng), points, told.values, "across", "upwards")
    drawn = figures.draw_cluster_map(SCENE, mapped).data
    of_points = {dots.name: dots.marker.color for dots in drawn}
    of_bars = {name: one.marker.color for name, one in zip(names, bars, strict=True)}
    own = of_bars.keys() & of_points.keys()
    assert len(own) == COLOURED_AT_MOST
    assert "c1" not in own
    assert all(of_bars[name] == of_points[name] for name in own)
    assert len({of_bars[name] for name in own}) == COLOURED_AT_MOST
    assert {of_bars[name] for name in names if name not in own} == {of_points["other clusters"]}


def test_clusters_do_not_overlap_and_the_mean_is_marked():
    figure = figures.draw_silhouette(SCENE, CLUSTERS, 0.36)
    at = np.concatenate([bars.y for bars in figure.data])
    assert (np.diff(np.sort(at)) >= 1).all()
    assert figure.layout.shapes[0].x0 == 0.36
    assert figure.layout.title.text == (
        "Cluster “0” fits worst: mean 0.200, 1 of its 3 points nearer to another"
    )


def test_clusters_stand_in_the_order_of_the_classes_they_are_matched_with():
    table = Contingency.from_codes(
        np.array([0, 0, 1, 1, 1]), np.array([1, 1, 0, 0, 1]), ("x", "y"), ("c0", "c1")
    )
    figure = figures.draw_contingency(SCENE, table, np.array([1, 0]))
    assert figure.layout.xaxis.ticktext == ("c1", "c0")
    assert [list(row) for row in figure.data[0].text] == [["2", "0"], ["1", "2"]]
    assert figure.layout.title.text == "4 of 5 points lie in the cluster of their class"


def test_many_clusters_leave_the_largest():
    codes = np.arange(60).repeat(np.arange(1, 61))
    names = tuple(map(str, range(60)))
    figure = figures.draw_contingency(
        SCENE, Contingency.from_codes(codes, codes, names, names), np.arange(60)
    )
    assert figure.data[0].z.shape == (16, 16)
    assert figure.layout.yaxis.ticktext[-1] == "59"


def test_clusters_that_no_full_table_could_hold_are_drawn():
    codes = np.arange(10**6)
    names = tuple(map(str, codes.tolist()))
    table = Contingency(names, names, codes, codes ^ 1, np.ones(10**6, dtype=np.int64))
    figure = figures.draw_contingency(SCENE, table, codes ^ 1)
    assert figure.layout.xaxis.ticktext[:4] == ("1", "0", "3", "2")
    np.testing.assert_array_equal(figure.data[0].z, np.eye(16))


def test_the_gap_found_is_ringed_and_named():
    points = np.array([[0.0, 0], [0, 1], [9, 9], [9, 8]] * 6)
    points = points + np.random.default_rng(0).normal(scale=0.1, size=points.shape)
    told = gap_statistic(points, np.random.default_rng(0), most=4, draws=4)
    figure = figures.draw_gap_curve(Scene(names=("a",)), told)
    assert figure.data[1].x[0] == told.best
    assert figures.gap_curve_title(told) in figures.gap_curve_alt(told)
