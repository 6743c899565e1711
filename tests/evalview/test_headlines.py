"""What is said first of clusterings."""

import numpy as np
import pytest

from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.loading import load
from evalview.headlines import Said, of_cluster_counts


def said(**clusterings: np.ndarray) -> Said:
    """Return what is said of clusterings of three groups of points, far apart."""
    rng = np.random.default_rng(0)
    points = np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0) + rng.normal(size=(60, 2))
    head = ",".join(["x", "y", *(f"cluster_{name}" for name in clusterings)])
    rows = zip(*points.T.round(3), *clusterings.values(), strict=True)
    lines = [head, *(",".join(map(str, row)) for row in rows)]
    made = evaluate(load([("a.csv", "\n".join(lines).encode())]), Options())
    return of_cluster_counts(made.clusterings)


GROUPS = np.repeat([0, 1, 2], 20)


def test_one_clustering_that_all_metrics_favour_is_named_with_its_clusters() -> None:
    headline, why = said(kmeans=GROUPS, ward=np.arange(60) // 15)
    assert headline == "All 3 metrics favour cluster_kmeans, 3 clusters"
    assert why.startswith("Silhouette is best for cluster_kmeans (")


def test_clusterings_of_one_number_of_clusters_are_not_told_apart_by_it() -> None:
    swapped = GROUPS.copy()
    swapped[[0, 59]] = [2, 0]
    assert said(a=GROUPS, b=swapped)[0] == "All 3 metrics favour cluster_a, 3 clusters"


@pytest.mark.parametrize("constant", [np.zeros(60, int), np.arange(60)])
def test_a_clustering_that_cannot_be_judged_is_not_compared(constant: np.ndarray) -> None:
    assert said(kmeans=GROUPS, other=constant)[0] == "Only cluster_kmeans can be judged"
