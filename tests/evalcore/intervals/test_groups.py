"""Groups of rows that are drawn whole: by hand, against rows alone, and as a property."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import evalcore as ec
from evalcore.intervals.delong import Groups, delong_areas
from evalcore.outcomes import units

RNG = np.random.default_rng(5)
PATIENT = np.repeat(np.arange(40), 10)
EFFECT = RNG.normal(size=40)[PATIENT]
TRUTH = (RNG.normal(size=400) + EFFECT > 0.5).astype(int)
SCORE = 2 * TRUTH + EFFECT + RNG.normal(size=400)
SAID = (SCORE > 1).astype(int)


def test_the_interval_of_a_share_is_worked_out_by_hand():
    groups = Groups.of(np.repeat([0, 1, 2, 3], 5))
    made = groups.interval(0.8, 0.1, (0.0, 1.0), 20, 0.95)
    # log(0.8 / 0.2) plus and minus t with 3 degrees of freedom, 3.1824, times 0.1 / (0.8 * 0.2).
    ends = 1 / (1 + np.exp(-(np.log(4) + np.array([-1, 1]) * 3.182446 * 0.1 / 0.16)))
    assert [made.low, made.high] == pytest.approx(ends.tolist(), abs=1e-6)


def test_groups_that_show_no_variation_count_as_one_row_each():
    groups = Groups.of(np.repeat(np.arange(10), 3))
    made = groups.interval(1.0, 0.0, (0.0, 1.0), 30, 0.95)
    fewer = 10 * (1.959964 / 2.262157) ** 2
    assert made.low == pytest.approx(fewer / (fewer + 1.959964**2), abs=1e-5)
    assert (made.high, made.degenerate) == (1.0, True)


def test_groups_of_one_row_are_the_rows():
    assert units(np.arange(5)) is None
    areas = delong_areas(TRUTH, [SCORE]).pair(0, 0)
    each = delong_areas(TRUTH, [SCORE], None, np.arange(400)).pair(0, 0)
    assert each.variance_first == pytest.approx(areas.variance_first, rel=0.01)


def test_the_variance_of_an_area_over_groups_is_that_of_sums_by_group():
    # Obuchowski (1997): two positives and two negatives in two groups, one of each in either.
    truth, score = np.array([1, 0, 1, 0]), np.array([0.9, 0.6, 0.5, 0.2])
    areas = delong_areas(truth, [score], None, np.array([0, 0, 1, 1])).pair(0, 0)
    # Placements less the area of 0.75: 0.25, -0.25 of either class; halves of them by group are
    # 0.125 - 0.125 = 0 where a group holds the good positive and the bad negative.
    assert areas.variance_first == pytest.approx(0.0)
    other = delong_areas(truth, [score], None, np.array([0, 1, 1, 0])).pair(0, 0)
    assert other.variance_first == pytest.approx(2 * (0.25**2 + 0.25**2))


@pytest.mark.parametrize("key", ["accuracy", "f1", "mcc", "recall"])
def test_intervals_of_decisions_widen_where_patients_differ(key):
    alone, grouped = (ec.estimate(key, TRUTH, SAID, groups=groups) for groups in (None, PATIENT))
    assert alone.value == grouped.value
    assert grouped.low < alone.low < alone.high < grouped.high


@pytest.mark.parametrize("key", ["roc_auc", "average_precision", "ks_statistic", "gini"])
def test_intervals_of_rankings_rest_on_groups(key):
    grouped = ec.estimate(key, TRUTH, SCORE, groups=PATIENT)
    again = ec.estimate(key, TRUTH, SCORE, groups=[f"p{k}" for k in PATIENT])
    assert (grouped.low, grouped.high) == (again.low, again.high)
    assert grouped.low < grouped.value < grouped.high


@settings(max_examples=15)
@given(scale=st.floats(1e-6, 1e6))
def test_importance_weights_have_intervals_at_any_scale(scale):
    weight = np.random.default_rng(3).lognormal(size=400) + 0.001
    for key, said in (("accuracy", SAID), ("roc_auc", SCORE)):
        one, other = (
            ec.estimate(key, TRUTH, said, weights=weight * by, resamples=100) for by in (1.0, scale)
        )
        assert other.low == pytest.approx(one.low, abs=1e-6)
        assert other.high == pytest.approx(one.high, abs=1e-6)


def test_whole_weights_are_counts_of_rows():
    twice = ec.estimate("accuracy", TRUTH, SAID, weights=np.full(400, 2))
    written_out = ec.estimate("accuracy", np.tile(TRUTH, 2), np.tile(SAID, 2))
    assert (twice.low, twice.high) == (written_out.low, written_out.high)


def test_equal_fractional_weights_tell_as_much_as_none():
    equal = ec.estimate("accuracy", TRUTH, SAID, weights=np.full(400, 0.3))
    alone = ec.estimate("accuracy", TRUTH, SAID)
    assert equal.high - equal.low == pytest.approx(alone.high - alone.low, rel=0.08)


def test_a_difference_by_groups_is_a_t_test_over_draws_of_them():
    found = ec.difference("accuracy", TRUTH, SAID, (SCORE > 1.5).astype(int), groups=PATIENT)
    assert (found.test, found.method) == ("paired_t_groups", "groups-t")
    assert (found.low < 0 < found.high) == (found.p_value > 0.05)


def test_one_group_is_refused_by_name():
    with pytest.raises(ec.EvalError, match="one group"):
        ec.difference("accuracy", TRUTH, SAID, SAID, groups=np.zeros(400))


def test_groups_that_hold_one_class_each_have_finite_intervals():
    classes = TRUTH * 20 + np.arange(400) % 20
    made = ec.estimate("roc_auc", TRUTH, SCORE, groups=classes)
    assert 0 < made.low < made.value < made.high < 1


@pytest.mark.slow
def test_intervals_by_patient_cover_the_truth():
    rng, hits = np.random.default_rng(0), 0
    for _ in range(300):
        effect = rng.normal(size=40)[PATIENT]
        truth = (rng.normal(size=400) + effect > 0.7).astype(int)
        score = 2 * truth + rng.normal(size=40)[PATIENT] + rng.normal(size=400)
        made = ec.estimate("roc_auc", truth, score, groups=PATIENT)
        hits += made.low < 0.8413 < made.high
    assert hits / 300 > 0.92
