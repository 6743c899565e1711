import numpy as np

from evalcore.clustering.silhouette import silhouette, silhouette_bars
from evalcore.outcomes import Points


def clustered(cluster, features, names=("a", "b"), rows=None):
    points = Points(
        names=names, cluster=np.array(cluster), features=np.array(features, float), rows=rows
    )
    return points, silhouette(points)


def test_points_fall_within_their_cluster_and_keep_their_rows():
    points, judged = clustered(
        [0, 0, 1, 1, 0], [[0], [1], [10], [11], [9]], rows=np.array([3, 5, 7, 9, 11])
    )
    first, second = silhouette_bars(points, judged)
    assert (first.name, first.n, second.n) == ("a", 3, 2)
    assert first.rows.tolist()[-1] == 11, "the point at 9 is nearer to the other cluster"
    assert first.negative == 1
    for bars in (first, second):
        assert (np.diff(bars.values) <= 0).all()
        np.testing.assert_allclose(
            judged.values[np.isin(points.rows, bars.rows)].sum(), bars.values.sum()
        )


def test_noise_has_no_bar():
    points, judged = clustered([0, -1, 1, 1, 0], [[0], [5], [10], [11], [1]])
    assert sum(len(bars.values) for bars in silhouette_bars(points, judged)) == 4


def test_large_clusters_are_thinned_and_small_ones_left_out_but_counts_stay_whole():
    cluster = np.repeat([0, 1, 2], [50, 40, 3])
    features = cluster[:, np.newaxis] * 10.0 + np.linspace(0, 1, 93)[:, np.newaxis]
    points, judged = clustered(cluster, features, ("a", "b", "c"))
    bars = silhouette_bars(points, judged, bars=30, clusters=2)
    assert [one.name for one in bars] == ["a", "b"]
    assert [one.n for one in bars] == [50, 40]
    assert sum(len(one.values) for one in bars) <= 31


def test_one_cluster_has_no_bars():
    points, judged = clustered([0, 0, 0], [[0], [1], [2]], ("a",))
    assert silhouette_bars(points, judged) == ()
