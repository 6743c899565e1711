import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.intervals.closed import normal_quantile
from evalcore.intervals.delong import (
    area_interval,
    delong_areas,
    delong_variance,
    hanley_variance,
    logit_interval,
    newcombe_interval,
)
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.made import score_table
from tests.evalcore.strategies import Scored, with_both_classes


def naive_covariance(first: Scored, second: Scored) -> float:
    """Compare every positive with every negative."""
    total = 0.0
    wins = []
    for data in (first, second):
        positive, negative = data.score[data.truth == 1], data.score[data.truth == 0]
        over = positive[:, None] > negative[None, :]
        tied = positive[:, None] == negative[None, :]
        wins.append(over + tied / 2)
    for axis in (0, 1):
        x, y = (win.mean(axis=axis) for win in wins)
        total += float(np.cov(x, y)[0, 1]) / len(x)
    return total


def test_the_variance_by_hand() -> None:
    # Placements of the positives: 1 and 1/2; of the negatives: 1/2 and 1.
    # Each pair has variance 1/8, over 2 rows: 1/16 + 1/16.
    assert delong_variance(score_table([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2])) == 0.125


@pytest.mark.parametrize("truth", [[], [1], [1, 1], [1, 0], [1, 0, 0]])
def test_fewer_than_two_rows_of_a_class_have_no_variance(truth: list[int]) -> None:
    assert np.isnan(delong_variance(score_table(truth, [0.3, 0.2, 0.1][: len(truth)])))


def test_one_class_alone_has_no_interval() -> None:
    interval = area_interval(score_table([1, 1], [0.1, 0.2]))
    assert np.isnan([interval.low, interval.high]).all()


def test_a_ranking_without_error_is_marked_and_keeps_its_doubt() -> None:
    interval = area_interval(score_table([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]))
    assert (interval.method, interval.degenerate, interval.high) == ("newcombe", True, 1)
    assert 0.3 < interval.low < 0.5
    turned = area_interval(score_table([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1]))
    assert (turned.low, turned.high) == (0, pytest.approx(1 - interval.low))


def test_a_constant_score_is_marked_and_keeps_its_doubt() -> None:
    interval = area_interval(score_table([0, 1] * 10, [0.5] * 20))
    assert (interval.method, interval.degenerate) == ("newcombe", True)
    assert interval.low == pytest.approx(1 - interval.high)
    assert 0.2 < interval.low < 0.3


@pytest.mark.parametrize("area", [0.0, 0.3, 0.5, 0.95, 1.0])
def test_newcombes_ends_lie_one_reach_of_their_own_variance_away(area: float) -> None:
    positives, negatives = 12, 30
    interval = newcombe_interval(area, (positives, negatives), 0.9)
    for end in (interval.low, interval.high):
        if 0 < end < 1:
            q1, q2 = end / (2 - end), 2 * end**2 / (1 + end)  # as Hanley and McNeil write it
            others = (positives + negatives) / 2 - 1
            variance = end * (1 - end) + others * (q1 - end**2) + others * (q2 - end**2)
            reach = normal_quantile(0.9) * np.sqrt(variance / positives / negatives)
            assert abs(end - area) == pytest.approx(reach, rel=1e-6)


@pytest.mark.parametrize("weight", [1e-6, 1e-9, 1e-300])
def test_with_less_than_a_row_no_area_is_ruled_out(weight: float) -> None:
    interval = newcombe_interval(0.7, (weight, 2 * weight))
    assert (interval.low, interval.high) == (pytest.approx(0, abs=1e-9), pytest.approx(1))


@given(with_both_classes(each=2), st.data())
def test_the_covariance_equals_that_of_all_pairs(data: Scored, draw: st.DataObject) -> None:
    data = data.repeated()
    other = draw.draw(st.permutations(data.score.tolist()))
    second = Scored(np.array(other), data.truth, data.weight)
    pair = delong_areas(data.truth, [data.score, second.score]).pair(0, 1)
    assert pair.variance_first == pytest.approx(naive_covariance(data, data), abs=1e-12)
    assert pair.variance_second == pytest.approx(naive_covariance(second, second), abs=1e-12)
    assert pair.covariance == pytest.approx(naive_covariance(data, second), abs=1e-12)
    ranked = ScoreTable.from_scores(data.truth, data.score)
    assert delong_variance(ranked) == pytest.approx(pair.variance_first, abs=1e-13)


@given(with_both_classes(each=2), st.sampled_from([0.5, 0.95, 0.999]))
def test_no_interval_leaves_the_range_or_misses_the_area(data: Scored, level: float) -> None:
    ranked = ScoreTable.from_scores(data.truth, data.score, data.weight)
    interval = area_interval(ranked, level)
    assert 0 <= interval.low <= roc_area(ranked) <= interval.high <= 1


@given(with_both_classes(each=2))
def test_a_row_of_weight_two_counts_as_two_rows(data: Scored) -> None:
    twice = data.repeated()
    weighted = delong_areas(data.truth, [data.score, -data.score], data.weight).pair(0, 1)
    plain = delong_areas(twice.truth, [twice.score, -twice.score]).pair(0, 1)
    assert weighted.covariance == pytest.approx(plain.covariance, abs=1e-12)
    assert weighted.variance_first == pytest.approx(plain.variance_first, abs=1e-12)


@given(with_both_classes(each=2))
def test_rows_of_weight_zero_count_as_no_rows(data: Scored) -> None:
    score, truth = np.append(data.score, [0.3, 0.7]), np.append(data.truth, [1, 0])
    weight = np.append(data.weight, [0.0, 0.0])
    padded = delong_areas(truth, [score, score], weight).pair(0, 1)
    assert padded == delong_areas(data.truth, [data.score, data.score], data.weight).pair(0, 1)


def test_a_model_beside_itself_differs_by_nothing() -> None:
    truth, score = breast_cancer("rf")
    pair = delong_areas(truth, [score, score]).pair(0, 1)
    assert pair.difference == 0
    assert pair.variance_of_difference == 0


@pytest.mark.parametrize("golden", found := entries(quantity="auc_se_delong"), ids=ids(found))
def test_the_standard_error_equals_procs(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    golden.check(np.sqrt(delong_variance(ranked)))


@pytest.mark.parametrize(
    "golden", found := entries(quantity="auc_se_hanley_mcneil"), ids=ids(found)
)
def test_the_error_from_area_and_class_sizes_is_that_of_first_principles(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    rows = float(ranked.negatives), float(ranked.positives)
    golden.check(np.sqrt(hanley_variance(roc_area(ranked), rows)))


@pytest.mark.parametrize("golden", found := entries(quantity="auc_ci_delong_0*"), ids=ids(found))
def test_one_reach_of_the_error_away_are_the_ends_of_procs_interval(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    reach = normal_quantile(golden.params["conf_level"]) * np.sqrt(delong_variance(ranked))
    area = roc_area(ranked)
    golden.check([area - reach, min(area + reach, 1.0)])  # which pROC cuts at 1


@pytest.mark.parametrize("golden", found := entries(quantity="auc_ci_delong_logit"), ids=ids(found))
def test_the_interval_on_the_logit_scale_is_the_golden_one(golden: Golden) -> None:
    ranked = ScoreTable.from_scores(*breast_cancer(golden.params["model"]))
    interval = logit_interval(roc_area(ranked), delong_variance(ranked))
    golden.check([interval.low, interval.high])


@pytest.mark.parametrize("golden", found := entries(quantity="delong_covariance"), ids=ids(found))
def test_the_covariance_equals_procs(golden: Golden) -> None:
    truth, first = breast_cancer(golden.params["A"])
    _, second = breast_cancer(golden.params["B"])
    golden.check(delong_areas(truth, [first, second]).pair(0, 1).covariance)


@pytest.mark.parametrize("golden", found := entries(quantity="delong_paired_test"), ids=ids(found))
def test_the_paired_difference_equals_procs(golden: Golden) -> None:
    truth, first = breast_cancer(golden.params["A"])
    _, second = breast_cancer(golden.params["B"])
    pair = delong_areas(truth, [first, second]).pair(0, 1)
    z = -pair.difference / np.sqrt(pair.variance_of_difference)
    golden.check({"auc_A": pair.first, "auc_B": pair.second, "diff": -pair.difference, "z": z})
