"""Silhouettes against their definition, scikit-learn and R; of samples, categories, and as bars."""

import math
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.metrics import silhouette_samples
from threadpoolctl import threadpool_info

from evalcore.clustering import points as silhouette_clustering
from evalcore.clustering.distance import EUCLIDEAN, MATCHING, Distance, fitting, measure
from evalcore.clustering.points import (
    Separation,
    Silhouette,
    condense,
    estimated_silhouette,
    separation,
    silhouette,
)
from evalcore.errors import EvalError
from evalcore.outcomes import Categorical, Distances, Points
from evalcore.work import NO_PROGRESS, Progress, in_order
from tests.evalcore.clustering.examples import blobs, clustered, iris, points_of, reordered
from tests.evalcore.golden import FOLDER, Golden, entries, frame, ids

MANHATTAN = Distance("manhattan")
PLAIN = {"euclidean": EUCLIDEAN, "manhattan": MANHATTAN}


def picked(*quantities: str) -> list[Golden]:
    return [entry for entry in entries(id="clust.*") if entry.quantity in quantities]


MEANS = picked("silhouette_mean_euclidean", "silhouette_mean_manhattan")
CLUSTER_MEANS = picked("silhouette_cluster_means_euclidean", "silhouette_cluster_means_manhattan")
PER_POINT = [
    column for column in frame("silhouette_iris.csv").columns if column.startswith(("k", "h", "p"))
]


def of_golden(entry: Golden) -> Silhouette:
    return silhouette(iris(entry.params["clustering"]), PLAIN[entry.params["metric"]])


@pytest.mark.parametrize("entry", MEANS, ids=ids(MEANS))
def test_means_are_those_of_r(entry: Golden) -> None:
    entry.check(of_golden(entry).mean)


@pytest.mark.parametrize("entry", CLUSTER_MEANS, ids=ids(CLUSTER_MEANS))
def test_cluster_means_are_those_of_r(entry: Golden) -> None:
    entry.check(of_golden(entry).cluster_means.tolist())


@pytest.mark.parametrize("column", PER_POINT)
def test_every_iris_scores_as_in_r(column: str) -> None:
    clustering, metric = column.rsplit("_", 1)
    mine = silhouette(iris(clustering), PLAIN[metric]).values
    np.testing.assert_allclose(mine, frame("silhouette_iris.csv")[column], atol=1e-10)


def test_all_columns_of_the_file_are_checked() -> None:
    assert len(PER_POINT) == 26
    assert (FOLDER / "silhouette_iris.csv").exists()


def test_five_points_on_a_line_are_worked_by_hand() -> None:
    result = silhouette(points_of([0, 2, 10, 11, 13], [0, 0, 1, 1, 2]))
    # Point 0: a = 2, b = min((10 + 11) / 2, 13) = 10.5. Point 2: a = 1, b = min(9, 3) = 3.
    expected = [8.5 / 10.5, 6.5 / 8.5, 2 / 3, 1 / 2, 0]
    np.testing.assert_allclose(result.values, expected)
    assert result.nearest.tolist() == [1, 1, 2, 2, 1]
    assert result.cluster_sizes.tolist() == [2, 2, 1]
    np.testing.assert_allclose(
        result.cluster_means, [(8.5 / 10.5 + 6.5 / 8.5) / 2, (2 / 3 + 1 / 2) / 2, 0]
    )
    assert result.mean == pytest.approx(np.mean(expected))


def test_noise_is_left_out_and_counted() -> None:
    data = np.loadtxt(
        FOLDER.parent / "cases" / "76_dbscan_noise_label.csv", delimiter=",", skiprows=1
    )
    result = silhouette(points_of(data[:, :2], data[:, 2].astype(int)))
    assert result.mean == pytest.approx(0.953585491903682, abs=1e-12)
    assert (result.noise, result.scored) == (3, 6)
    assert np.isnan(result.values).tolist() == [False] * 6 + [True] * 3
    assert result.nearest[6:].tolist() == [-1] * 3


@pytest.mark.parametrize(
    ("cluster", "noise"),
    [([0, 0, 0], 0), ([0, 1, 2], 0), ([-1, -1, -1], 3), ([0, 1, -1], 1), ([0, 0, -1], 1)],
    ids=["one cluster", "all singletons", "noise only", "singletons and noise", "one and noise"],
)
def test_without_clusters_to_compare_nothing_is_scored(cluster: list[int], noise: int) -> None:
    result = silhouette(points_of([1, 2, 3], cluster))
    assert math.isnan(result.mean)
    assert np.isnan(result.values).all()
    assert np.isnan(result.cluster_means).all()
    assert (result.scored, result.noise) == (0, noise)


def test_no_points_have_no_silhouette() -> None:
    assert math.isnan(silhouette(points_of(np.zeros((0, 2)), [])).mean)


def test_clusters_that_all_lie_in_one_place_score_zero() -> None:
    assert silhouette(points_of([7, 7, 7, 7], [0, 0, 1, 1])).values.tolist() == [0, 0, 0, 0]


def test_clusters_of_duplicates_are_perfect() -> None:
    features = np.repeat([[0.1, 1e6], [0.3, 1e6]], 600, axis=0)
    values = silhouette(points_of(features, np.repeat([0, 1], 600))).values
    assert values.tolist() == [1.0] * 1200


def test_a_constant_feature_changes_nothing() -> None:
    points = blobs(60, 3)
    wider = points_of(np.column_stack([points.features, np.full(60, 1e3)]), points.cluster)
    np.testing.assert_allclose(silhouette(points).values, silhouette(wider).values, atol=1e-12)


def test_names_without_points_have_no_mean() -> None:
    points = Points(names=("a", "empty", "b"), cluster=np.array([0, 0, 2, 2]), features=np.eye(4))
    result = silhouette(points)
    assert result.cluster_sizes.tolist() == [2, 0, 2]
    assert np.isnan(result.cluster_means).tolist() == [False, True, False]
    assert set(result.nearest.tolist()) == {0, 2}


@pytest.mark.slow
def test_ten_thousand_clusters_are_scored_like_a_few() -> None:
    pairs = np.repeat(np.arange(10_000), 2)
    features = pairs * 10.0 + np.tile([0.0, 1.0], 10_000)
    values = silhouette(points_of(features, pairs)).values
    # a = 1; the next cluster lies 9 and 10 away from the near point of a pair, 10 and 11 from the
    # far one.
    np.testing.assert_allclose(values[2:-2], 1 - 1 / 9.5)


@pytest.mark.parametrize("k", [2, 7, 150])
def test_both_ways_to_sum_agree_with_scikit_learn(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    points = blobs(1300, k, seed=k)
    theirs = silhouette_samples(points.features, points.cluster)
    np.testing.assert_allclose(silhouette(points).values, theirs, atol=1e-12)
    monkeypatch.setattr(silhouette_clustering, "_LARGEST", 1000)
    np.testing.assert_allclose(silhouette(points).values, theirs, atol=1e-12)


DISTANCES = {
    "euclidean": (Distance(), {}),
    "cityblock": (Distance("manhattan"), {}),
    "minkowski": (Distance("minkowski", p=3), {"p": 3}),
    "minkowski 1.5": (Distance("minkowski", p=1.5), {"p": 1.5}),
    "minkowski 1": (Distance("minkowski", p=1), {"p": 1}),
    "minkowski 2": (Distance("minkowski", p=2), {"p": 2}),
    "chebyshev": (Distance("minkowski", p=np.inf), {}),
    "cosine": (Distance("cosine"), {}),
    "hamming": (Distance("matching"), {}),
}


@pytest.mark.parametrize("name", DISTANCES)
def test_every_distance_agrees_with_scikit_learn(name: str) -> None:
    distance, order = DISTANCES[name]
    points = blobs(700, 4)
    if name == "hamming":
        points = points_of(np.rint(points.features), points.cluster)
    theirs = silhouette_samples(points.features, points.cluster, metric=name.split()[0], **order)
    np.testing.assert_allclose(silhouette(points, distance).values, theirs, atol=1e-12)


def test_known_distances_give_what_their_points_give() -> None:
    points = blobs(600, 3)
    cluster = np.where(np.arange(600) % 50 == 0, -1, points.cluster)
    matrix = cdist(points.features, points.features)
    known = Distances(names=points.names, cluster=cluster, matrix=matrix)
    features = Points(names=points.names, cluster=cluster, features=points.features)
    np.testing.assert_allclose(silhouette(known).values, silhouette(features).values, atol=1e-12)


def test_points_far_from_the_origin_lose_no_digits() -> None:
    points = blobs(600, 3)
    grid = np.rint(points.features * 1024) / 1024
    near = silhouette(points_of(grid, points.cluster)).values
    far = silhouette(points_of(grid + 2.0**40, points.cluster)).values
    np.testing.assert_allclose(far, near, atol=1e-12)


@pytest.mark.parametrize("scale", [2.0**-400, 2.0**400])
def test_features_of_any_size_are_measured_without_overflow(scale: float) -> None:
    points = blobs(100, 3)
    scaled = points_of(points.features * scale, points.cluster)
    assert silhouette(scaled).values.tolist() == silhouette(points).values.tolist()


def test_a_point_at_the_origin_has_no_cosine() -> None:
    points = points_of([[1, 0], [0, 0], [0, 1], [1, 1]], [0, 0, 1, 1])
    with pytest.raises(EvalError, match="no direction") as caught:
        silhouette(points, Distance("cosine"))
    assert caught.value.rows == (2,)


@pytest.mark.parametrize("p", [0.5, 0, -1, math.nan, 33])
def test_an_order_that_is_no_distance_is_refused(p: float) -> None:
    with pytest.raises(EvalError, match="from 1 to 32"):
        Distance("minkowski", p=p)


@given(clustered())
def test_values_are_those_of_the_definition(points: Points) -> None:
    result = silhouette(points)
    assume(result.scored)
    apart = cdist(points.features, points.features)
    for place in np.flatnonzero(~points.noise):
        mine = points.cluster == points.cluster[place]
        others = [
            apart[place, points.cluster == code].mean()
            for code in set(points.cluster[~mine & ~points.noise].tolist())
        ]
        if mine.sum() == 1:
            expected = 0.0
        else:
            a, b = apart[place, mine].sum() / (mine.sum() - 1), min(others)
            expected = (b - a) / max(a, b) if max(a, b) else 0.0
        assert result.values[place] == pytest.approx(expected, abs=1e-7)


@given(clustered(), st.randoms())
def test_the_order_of_points_and_of_names_changes_nothing(points: Points, random) -> None:
    order = np.array(random.sample(range(points.n), points.n))
    renaming = np.array([*random.sample(range(4), 4), -1])
    moved = reordered(points, order)
    moved = points_of(moved.features, renaming[moved.cluster])
    np.testing.assert_allclose(
        silhouette(moved).values, silhouette(points).values[order], atol=1e-7
    )


@given(clustered())
def test_values_lie_between_minus_one_and_one(points: Points) -> None:
    values = silhouette(points).values
    assert ((np.abs(values) <= 1) | np.isnan(values)).all()


def test_threads_change_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    points = blobs(3000, 5)
    several = silhouette(points).values
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert silhouette(points).values.tolist() == several.tolist()


@pytest.fixture
def small_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.clustering.points._FEWEST", 400)
    monkeypatch.setattr("evalcore.clustering.points._BUDGET", 0)


@pytest.mark.usefixtures("small_sample")
def test_a_sample_scores_its_points_as_all_points_do() -> None:
    points = blobs(3000, 200)
    exact = silhouette(points)
    sampled = estimated_silhouette(points, rng=np.random.default_rng(1))
    seen = ~np.isnan(sampled.values)
    assert (sampled.method, sampled.scored, seen.sum()) == ("sample", 400, 400)
    np.testing.assert_allclose(sampled.values[seen], exact.values[seen], atol=1e-12)
    assert sampled.nearest[seen].tolist() == exact.nearest[seen].tolist()
    assert sampled.mean == pytest.approx(sampled.values[seen].mean())


@pytest.mark.slow
@pytest.mark.usefixtures("small_sample")
def test_the_estimate_is_unbiased_and_its_interval_covers() -> None:
    points = blobs(1500, 100)
    exact = silhouette(points).mean
    estimates = [
        estimated_silhouette(points, rng=np.random.default_rng(seed)) for seed in range(100)
    ]
    means = np.array([estimate.mean for estimate in estimates])
    assert abs(means.mean() - exact) < 4 * means.std() / 10
    inside = [e.interval(0.9).low <= exact <= e.interval(0.9).high for e in estimates]
    assert 80 <= sum(inside) <= 98
    assert means.std() == pytest.approx(estimates[0].standard_error, rel=0.25)


def test_a_small_clustering_is_judged_whole_even_when_a_sample_is_asked_for() -> None:
    result = estimated_silhouette(blobs(300, 3), rng=np.random.default_rng(0))
    assert (result.method, result.standard_error) == ("exact", 0)


def test_what_is_exact_has_no_interval() -> None:
    assert math.isnan(silhouette(blobs(100, 3)).interval().low)


def test_progress_rises_to_the_end() -> None:
    seen: list[float] = []
    silhouette(blobs(3000, 5), progress=Progress(seen.append))
    assert seen == sorted(seen)
    assert len(seen) == 6
    assert seen[-1] == 1


def test_a_set_event_stops_the_work() -> None:
    cancel = threading.Event()
    shares: list[float] = []

    def look(share: float) -> None:
        shares.append(share)
        cancel.set()

    with pytest.raises(EvalError, match="stopped") as caught:
        silhouette(blobs(5000, 5), progress=Progress(look, cancel))
    assert caught.value.code == "cancelled"
    assert len(shares) == 1


def test_blas_gets_its_threads_back_after_work_that_failed() -> None:
    from threadpoolctl import threadpool_info

    before = threadpool_info()
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(EvalError):
        silhouette(blobs(600, 5), progress=Progress(cancel=cancel))
    assert threadpool_info() == before


def test_results_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        silhouette(blobs(50, 3)).values[0] = 1


def blas_threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_results_come_in_the_order_of_their_pieces() -> None:
    assert list(in_order(lambda piece: piece**2, range(50), [1] * 50, NO_PROGRESS)) == [
        piece**2 for piece in range(50)
    ]


def test_progress_is_the_share_of_the_costs() -> None:
    seen: list[float] = []
    list(in_order(str, range(3), [3, 2, 1], Progress(seen.append)))
    assert seen == pytest.approx([3 / 6, 5 / 6, 1])


@pytest.mark.skipif(blas_threads() == {1}, reason="BLAS has one thread only, as it is")
def test_blas_stays_on_one_thread_until_the_last_one_is_done() -> None:
    before = blas_threads()
    both_in = threading.Barrier(2, timeout=30)
    first_out = threading.Event()

    def enter() -> Generator[int, None, None]:
        work = in_order(lambda _: both_in.wait(), [0], [1], NO_PROGRESS)
        next(work)
        return work

    def first() -> None:
        enter().close()

    def second() -> set[int]:
        work = enter()
        first_out.wait(30)
        inside = blas_threads()
        work.close()
        return inside

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.submit(first), pool.submit(second)
        one.result()
        first_out.set()
        assert other.result() == {1}
    assert blas_threads() == before


def test_an_error_of_the_onlooker_ends_the_work_at_once() -> None:
    done: list[int] = []

    def fail(_: float) -> None:
        raise KeyError("the page is gone")

    before = blas_threads()
    with pytest.raises(KeyError):
        list(in_order(done.append, range(10_000), [1] * 10_000, Progress(fail)))
    assert len(done) < 10_000
    assert blas_threads() == before


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
