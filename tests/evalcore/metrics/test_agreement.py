"""Agreement metrics against R, exact arithmetic, scikit-learn and what must always hold."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.clustering.agreement import expected_information
from evalcore.metrics.catalog import AGREEMENT
from evalcore.metrics.clusters import chance
from evalcore.tables.contingency import Contingency

from ..golden import Golden, entries, frame, ids

METRIC = {metric.key: metric for metric in AGREEMENT}

KEY = {
    "rand": "rand_index",
    "adjusted_rand": "adjusted_rand_index",
    "fowlkes_mallows": "fowlkes_mallows",
    "mutual_information_nats": "mutual_information",
    "nmi_arithmetic": "nmi_arithmetic",
    "ami_arithmetic": "ami_arithmetic",
    "variation_of_information_nats": "variation_of_information",
    "homogeneity": "homogeneity",
    "completeness": "completeness",
    "v_measure": "v_measure",
    "purity": "purity",
    "inverse_purity": "inverse_purity",
    "best_match_accuracy": "best_match_accuracy",
}
"""Names of the same quantity in the entries and here."""

PAIRS = {
    "N11_together_both": "pairs_together",
    "N10_together_truth_only": "pairs_class_only",
    "N01_together_cluster_only": "pairs_cluster_only",
    "N00_apart_both": "pairs_apart",
}

groupings = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=40)


def table_of(truth: Any, cluster: Any) -> Contingency:
    """Count two sequences of labels of any kind."""
    classes, row = np.unique(list(truth), return_inverse=True)
    clusters, column = np.unique(list(cluster), return_inverse=True)
    return Contingency.from_codes(row, column, tuple(map(str, classes)), tuple(map(str, clusters)))


def golden_table(entry: Golden) -> Contingency:
    if "truth" in entry.params:
        return table_of(entry.params["truth"], entry.params["pred"])
    data = frame("iris_clusters.csv")
    return table_of(data[entry.params["reference"]], data[entry.params["clustering"]])


def picked(*quantities: str) -> list[Golden]:
    return [entry for entry in entries(id="clust.*") if entry.quantity in quantities]


SINGLE = picked(*KEY)


@pytest.mark.parametrize("entry", SINGLE, ids=ids(SINGLE))
def test_agreement_is_that_of_r(entry: Golden) -> None:
    entry.check(METRIC[KEY[entry.quantity]](golden_table(entry)))


COUNTS = picked("pair_counts")


@pytest.mark.parametrize("entry", COUNTS, ids=ids(COUNTS))
def test_pair_counts_are_those_of_r(entry: Golden) -> None:
    table = golden_table(entry)
    entry.check({name: METRIC[key](table) for name, key in PAIRS.items()})


SHARES = picked("pairwise_precision_recall_f1")


@pytest.mark.parametrize("entry", SHARES, ids=ids(SHARES))
def test_pair_precision_recall_and_f1_are_those_of_r(entry: Golden) -> None:
    table = golden_table(entry)
    entry.check({name: METRIC[f"pair_{name}"](table) for name in ("precision", "recall", "f1")})


EXPECTED = picked("expected_mutual_information_nats")


@pytest.mark.parametrize("entry", EXPECTED, ids=ids(EXPECTED))
def test_information_expected_by_chance_is_that_of_r(entry: Golden) -> None:
    entry.check(expected_information(golden_table(entry)))


TABLES = picked("contingency_truth_rows")


@pytest.mark.parametrize("entry", TABLES, ids=ids(TABLES))
def test_the_table_is_that_of_r(entry: Golden) -> None:
    table = golden_table(entry)
    entry.check({"matrix": table.counts.tolist()})


def test_every_metric_of_the_family_is_checked_against_r() -> None:
    pairs = {"pair_precision", "pair_recall", "pair_f1"}
    assert set(METRIC) == {*KEY.values(), *PAIRS.values(), *pairs}


def test_six_rows_worked_by_hand() -> None:
    table = table_of("xxxyyy", "112233")
    # Cells 2 1 0 / 0 1 2: two pairs together in both, six in class, three in cluster, 15 in all.
    assert METRIC["rand_index"](table) == pytest.approx((2 + 8) / 15)
    by_chance = Fraction(6 * 3, 15)
    adjusted = (2 - by_chance) / (Fraction(6 + 3, 2) - by_chance)
    assert METRIC["adjusted_rand_index"](table) == pytest.approx(float(adjusted))
    assert METRIC["pair_precision"](table) == pytest.approx(2 / 3)
    assert METRIC["pair_recall"](table) == pytest.approx(2 / 6)
    assert METRIC["purity"](table) == pytest.approx(5 / 6)
    assert METRIC["inverse_purity"](table) == pytest.approx(4 / 6)
    assert METRIC["best_match_accuracy"](table) == pytest.approx(4 / 6)
    # Two clusters tell the class for sure; the third, of a third of the rows, tells nothing.
    assert METRIC["mutual_information"](table) == pytest.approx(2 / 3 * math.log(2))
    assert METRIC["homogeneity"](table) == pytest.approx(2 / 3)
    assert METRIC["variation_of_information"](table) == pytest.approx(
        math.log(2) / 3 + math.log(3) - 2 / 3 * math.log(2)
    )


def test_information_expected_by_chance_is_the_mean_over_every_order_of_four_rows() -> None:
    # Of the 6 ways to deal 2 rows of 4 to a cluster, 2 tell all of a 2:2 class and 4 nothing.
    assert expected_information(table_of("xxyy", "1212")) == pytest.approx(math.log(2) / 3)


def test_adjusted_rand_index_is_a_fraction_worked_exactly() -> None:
    data = frame("iris_clusters.csv")
    value = METRIC["adjusted_rand_index"](table_of(data["truth"], data["kmeans_k3"]))
    assert value == pytest.approx(22587 / 30931, abs=1e-14)


def both_together() -> Contingency:
    return table_of("xxx", "111")


def both_alone() -> Contingency:
    return table_of("xyz", "123")


@pytest.mark.parametrize("table", [both_together(), both_alone()])
@pytest.mark.parametrize("key", ["adjusted_rand_index", "ami_arithmetic"])
def test_where_chance_leaves_no_room_nothing_is_adjusted(key: str, table: Contingency) -> None:
    assert math.isnan(METRIC[key](table))


def test_one_class_and_one_cluster_are_homogeneous_and_complete_but_share_no_information() -> None:
    table = both_together()
    assert [METRIC[key](table) for key in ("homogeneity", "completeness", "v_measure")] == [1, 1, 1]
    assert METRIC["mutual_information"](table) == 0
    assert math.isnan(METRIC["nmi_arithmetic"](table))


def test_all_singletons_have_no_pairs_in_a_cluster() -> None:
    table = table_of("xxyy", "1234")
    assert math.isnan(METRIC["pair_precision"](table))
    assert math.isnan(METRIC["fowlkes_mallows"](table))
    assert METRIC["pair_recall"](table) == 0
    assert METRIC["adjusted_rand_index"](table) == 0
    assert METRIC["ami_arithmetic"](table) == pytest.approx(0, abs=1e-12)


def test_without_rows_only_the_pair_counts_are_numbers() -> None:
    table = table_of([], [])
    defined = {key for key, metric in METRIC.items() if not math.isnan(metric(table))}
    assert defined == set(PAIRS.values())


def test_ten_thousand_clusters_on_either_side_take_no_large_table() -> None:
    rng = np.random.default_rng(0)
    truth = np.concatenate([np.arange(10_000), rng.integers(0, 10_000, 30_000)])
    table = table_of(truth, truth)
    for key, metric in METRIC.items():
        if METRIC[key].unit in ("share", "") and metric.high == 1:
            assert metric(table) == pytest.approx(1), key
    assert METRIC["adjusted_rand_index"](table_of(truth, rng.permutation(truth))) == pytest.approx(
        0, abs=0.01
    )


def test_a_billion_rows_give_the_numbers_of_the_same_shares_of_a_million() -> None:
    cells = np.array([4, 1, 2, 3])
    tables = [
        Contingency(
            ("x", "y"), ("1", "2"), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), cells * n
        )
        for n in (10**5, 10**8)
    ]
    for key, metric in METRIC.items():
        if metric.unit != "count":
            small, large = (metric(table) for table in tables)
            assert small == pytest.approx(large, rel=1e-4), key


@given(groupings)
def test_agreement_is_that_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn import metrics as theirs

    truth, cluster = zip(*rows, strict=True)
    table = table_of(truth, cluster)
    reference = {
        "rand_index": theirs.rand_score,
        "adjusted_rand_index": theirs.adjusted_rand_score,
        "fowlkes_mallows": theirs.fowlkes_mallows_score,
        "mutual_information": theirs.mutual_info_score,
        "nmi_arithmetic": theirs.normalized_mutual_info_score,
        "ami_arithmetic": theirs.adjusted_mutual_info_score,
        "homogeneity": theirs.homogeneity_score,
        "completeness": theirs.completeness_score,
        "v_measure": theirs.v_measure_score,
    }
    for key, function in reference.items():
        mine = METRIC[key](table)
        if not math.isnan(mine):
            assert mine == pytest.approx(function(truth, cluster), abs=1e-9), key


@given(groupings, st.permutations(range(4)), st.permutations(range(5)))
def test_renaming_classes_and_clusters_changes_nothing(
    rows: list[tuple[int, int]], classes: list[int], clusters: list[int]
) -> None:
    truth, cluster = zip(*rows, strict=True)
    renamed = table_of([classes[i] for i in truth], [clusters[i] for i in cluster])
    for key, metric in METRIC.items():
        assert metric(table_of(truth, cluster)) == pytest.approx(
            metric(renamed), abs=1e-12, nan_ok=True
        ), key


SWAPPED = {
    "homogeneity": "completeness",
    "purity": "inverse_purity",
    "pair_precision": "pair_recall",
    "pairs_class_only": "pairs_cluster_only",
}


@given(groupings)
def test_swapping_the_two_sides_swaps_what_has_a_side_and_nothing_else(
    rows: list[tuple[int, int]],
) -> None:
    truth, cluster = zip(*rows, strict=True)
    other = SWAPPED | {there: here for here, there in SWAPPED.items()}
    for key, metric in METRIC.items():
        swapped = METRIC[other.get(key, key)](table_of(cluster, truth))
        assert metric(table_of(truth, cluster)) == pytest.approx(swapped, abs=1e-12, nan_ok=True), (
            key
        )


@given(groupings)
def test_values_stay_in_the_declared_range(rows: list[tuple[int, int]]) -> None:
    table = table_of(*zip(*rows, strict=True))
    for key, metric in METRIC.items():
        value = metric(table)
        assert math.isnan(value) or metric.low - 1e-12 <= value <= metric.high, key


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30))
def test_a_clustering_agrees_fully_with_itself(cluster: list[int]) -> None:
    table = table_of(cluster, cluster)
    for key, metric in METRIC.items():
        if metric.high == 1:
            assert math.isnan(metric(table)) or metric(table) == pytest.approx(1), key
    assert METRIC["variation_of_information"](table) == 0


@given(groupings)
def test_v_measure_is_the_normalised_information_where_both_are_defined(
    rows: list[tuple[int, int]],
) -> None:
    table = table_of(*zip(*rows, strict=True))
    v, nmi = METRIC["v_measure"](table), METRIC["nmi_arithmetic"](table)
    assert v == pytest.approx(nmi, abs=1e-12) or math.isnan(v) or math.isnan(nmi)


def iris(clustering: str = "kmeans_k3") -> Contingency:
    data = frame("iris_clusters.csv")
    return table_of(data["truth"], data[clustering])


def test_chance_gives_adjusted_metrics_zero_on_average() -> None:
    for key in ("adjusted_rand_index", "ami_arithmetic"):
        by_chance = chance(METRIC[key], iris(), np.random.default_rng(1), draws=4000)
        assert by_chance.mean == pytest.approx(0, abs=0.002)
        assert by_chance.low < 0 < by_chance.high


def test_chance_gives_the_expected_information_on_average() -> None:
    by_chance = chance(METRIC["mutual_information"], iris(), np.random.default_rng(2), draws=4000)
    assert by_chance.mean == pytest.approx(expected_information(iris()), rel=0.05)


def test_a_good_clustering_beats_every_draw_in_every_metric_that_has_a_better() -> None:
    for metric in AGREEMENT:
        by_chance = chance(metric, iris(), np.random.default_rng(3), draws=199)
        assert by_chance.p_value == pytest.approx(1 / 200), metric.key


def test_p_values_of_random_clusterings_are_uniform() -> None:
    rng = np.random.default_rng(5)
    p = [
        chance(
            METRIC["rand_index"],
            table_of(rng.integers(0, 3, 60), rng.integers(0, 3, 60)),
            rng,
            draws=199,
        ).p_value
        for _ in range(300)
    ]
    assert np.mean(np.array(p) <= 0.1) == pytest.approx(0.1, abs=0.05)
    assert np.mean(np.array(p) <= 0.5) == pytest.approx(0.5, abs=0.08)


def test_chance_with_the_same_seed_is_the_same_and_with_many_clusters_too() -> None:
    rng = np.random.default_rng(6)
    table = table_of(rng.integers(0, 2000, 4000), rng.integers(0, 2000, 4000))
    first, second = (
        chance(METRIC["ami_arithmetic"], table, np.random.default_rng(7), draws=20)
        for _ in range(2)
    )
    assert first == second
    assert first.mean == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("table", [both_together(), table_of([], [])])
def test_chance_says_nothing_about_what_is_undefined(table: Contingency) -> None:
    metric = METRIC["adjusted_rand_index"]
    by_chance = chance(metric, table, np.random.default_rng(8), draws=10)
    assert math.isnan(by_chance.p_value)
    assert math.isnan(by_chance.mean)
