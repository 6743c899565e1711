"""Clusterings of categories: the share of features that differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import silhouette_samples

from evalcore.clustering.distance import MATCHING, fitting, measure
from evalcore.clustering.separation import Separation, condense, separation
from evalcore.clustering.silhouette import silhouette
from evalcore.errors import EvalError
from evalcore.outcomes import Categorical, Distances
from tests.evalcore.clustering.examples import points_of


def categories(codes: object, cluster: object) -> Categorical:
    cluster = np.asarray(cluster)
    names = tuple(map(str, range(int(cluster.max()) + 1)))
    return Categorical(names=names, cluster=cluster, codes=np.asarray(codes))


def test_the_silhouette_counts_features_that_differ() -> None:
    # To its own cluster 1/2; to the other 1/2 and 1, mean 3/4: (3/4 - 1/2) / (3/4) = 1/3.
    made = categories([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1])
    np.testing.assert_allclose(silhouette(made).values, 1 / 3)
    assert separation(made) == Separation(0.5, 0.5)
    assert condense(made, rng=np.random.default_rng(0)).centroids is None


@given(st.data())
def test_silhouettes_of_categories_are_those_of_scikit_learn(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 15))
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    codes, cluster = rng.integers(0, 3, (n, 3)), np.arange(n) % 2
    matrix = squareform(pdist(codes, "hamming"))
    known = silhouette_samples(matrix, cluster, metric="precomputed")
    np.testing.assert_allclose(silhouette(categories(codes, cluster)).values, known, atol=1e-12)


@given(st.permutations(range(4)))
def test_what_categories_are_called_does_not_matter(names: list[int]) -> None:
    codes = np.random.default_rng(0).integers(0, 4, (12, 2))
    cluster = np.arange(12) % 3
    other = categories(np.array(names)[codes], cluster)
    np.testing.assert_array_equal(
        silhouette(categories(codes, cluster)).values, silhouette(other).values
    )


def test_numbers_can_be_matched_too() -> None:
    points = points_of([[1.0, 5], [1, 6], [2, 6]], [0, 0, 1])
    apart = measure(points, np.arange(3), fitting(points, "matching")).start(np.arange(3))
    np.testing.assert_allclose(apart(slice(0, 3))[0], [0, 0.5, 1])


def test_distances_without_a_meaning_are_refused_with_the_remedy() -> None:
    known = categories([[0], [1]], [0, 1])
    assert fitting(known, None) == fitting(known, "matching") == MATCHING
    with pytest.raises(EvalError, match="choose matching"):
        fitting(known, "manhattan")
    given_as = Distances(names=("a",), cluster=np.zeros(2, int), matrix=np.zeros((2, 2)))
    with pytest.raises(EvalError, match="gives the distances themselves"):
        fitting(given_as, "euclidean")
    with pytest.raises(EvalError, match="at least one feature"):
        categories(np.zeros((2, 0), int), [0, 1])
