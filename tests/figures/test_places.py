"""Points counted place by place, against numpy's histogram."""

import numpy as np
import pytest

from pages.figures.layout import COLUMNS, LINES, Layout, crowds


def test_counts_are_those_of_a_histogram():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 500))
    silhouette = rng.uniform(-1, 1, 900)
    place = np.sort(rng.choice(900, 500, replace=False))
    found = crowds(Layout(place, x, y), silhouette)
    below = silhouette[place] < 0
    for counts, kept in ((found.counts, np.full(500, True)), (found.nearer, below)):
        ends = [[x.min(), x.max()], [y.min(), y.max()]]
        theirs, *_ = np.histogram2d(x[kept], y[kept], bins=(COLUMNS, LINES), range=ends)
        assert sorted(counts[counts > 0].tolist()) == sorted(theirs[theirs > 0].tolist())
    assert found.counts.sum() == 500
    assert (found.nearer <= found.counts).all()


@pytest.mark.parametrize("size", [0.0, 3.0, 1e308])
def test_places_lie_within_the_points_however_large_or_alike_they_are(size):
    x = np.array([-size, size, size])
    found = crowds(Layout(np.arange(3), x, x[::-1]), np.array([-0.5, np.nan, 0.5]))
    assert found.counts.sum() == 3
    assert found.nearer.sum() == 1
    assert np.abs(found.x).max() <= size
    assert np.isfinite(found.y).all()


def test_without_points_there_are_no_places():
    none = np.empty(0)
    assert not len(crowds(Layout(none.astype(int), none, none), none).counts)
