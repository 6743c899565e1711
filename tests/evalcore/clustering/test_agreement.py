"""Two clusterings against each other."""

import numpy as np
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix

from evalcore.clustering.agreement import between
from evalcore.metrics.clusters import ADJUSTED_RAND_INDEX
from evalcore.outcomes import Clustering


def made(cluster, rows=None):
    cluster = np.asarray(cluster)
    names = tuple("abcdefgh"[: cluster.max() + 1])
    return Clustering(names=names, cluster=cluster, rows=rows)


def test_the_table_is_that_of_scikit_learn_whichever_comes_first():
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 3, 200), rng.integers(0, 5, 200)
    table = between(made(one), made(other))
    np.testing.assert_array_equal(table.counts, contingency_matrix(one, other))
    np.testing.assert_array_equal(between(made(other), made(one)).counts, table.counts.T)
    assert float(ADJUSTED_RAND_INDEX(table)) == np.float64(adjusted_rand_score(one, other))


def test_only_rows_that_both_group_are_counted():
    one = made([0, 1, -1, 1], np.array([1, 2, 4, 6]))
    other = made([0, 0, 1, 1, 1, 0, 1])
    table = between(one, other)
    assert table.n == 3
    assert table.counts.tolist() == [[1, 0], [2, 0]]
