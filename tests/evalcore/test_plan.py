"""How many rows an evaluation takes."""

from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given, settings, strategies as st

import evalcore as ec
from evalcore.plan import Expected, plan, sentences

SHARE = Expected("accuracy", 0.8)
AREA = Expected("roc_auc", 0.8, share=0.3)
MEAN = Expected("mae", 3.0, deviation=2.0)


def test_rows_for_a_difference_of_two_shares_by_hand() -> None:
    # Connor (1987): 0.8 and 0.75, independent: 0.35 of the rows are right for just one of them.
    wanted = (1.959964 * sqrt(0.35) + 0.841621 * sqrt(0.35 - 0.0025)) ** 2 / 0.0025
    assert plan(SHARE, difference=0.05).rows_for_difference == int(wanted) + 1 == 1097


def test_rows_for_a_difference_of_two_means_by_hand() -> None:
    # Two means of deviation 2 that correlate at 0.5 differ with a deviation of 2 a row.
    wanted = ((1.959964 + 0.841621) * 2 / 0.4) ** 2
    made = plan(replace(MEAN, alike=0.5), difference=0.4)
    assert made.rows_for_difference == int(wanted) + 1 == 197


@pytest.mark.parametrize(
    ("value", "difference", "power", "rows"),
    [(0.75, 0.25, 0.9, 76.7), (0.8, 0.05, 0.8, 1093.7)],
)
def test_models_on_rows_of_their_own_agree_with_power_prop_test_of_r(
    value: float, difference: float, power: float, rows: float
) -> None:
    # R pools both shares for the test where McNemar's counts rows on which just one is right.
    made = plan(Expected("accuracy", value), difference=difference, power=power)
    assert made.rows_for_difference == pytest.approx(rows, rel=0.05)


def test_means_agree_with_power_t_test_of_r() -> None:
    # power.t.test(n = 20, delta = 1, sd = 1): power = 0.8689528. R's uses Student's t.
    made = plan(Expected("mae", 5.0, deviation=1.0), difference=1.0, power=0.8689528)
    assert made.rows_for_difference == pytest.approx(20, abs=1)


def test_the_interval_to_expect_is_that_of_the_estimate() -> None:
    truth = [1] * 100
    shown = ec.estimate("accuracy", [*truth, 0], [1] * 80 + [0] * 20 + [0])
    made = plan(Expected("accuracy", 81 / 101), rows=101)
    assert (made.low, made.high) == pytest.approx((shown.low, shown.high))


@given(
    expected=st.sampled_from([SHARE, AREA, MEAN]),
    difference=st.floats(0.01, 0.19),
    models=st.integers(2, 30),
    alike=st.floats(0, 0.95),
    within=st.floats(0, 1),
)
@settings(max_examples=60, deadline=None)
def test_rows_that_show_a_difference_are_the_fewest_that_do(
    expected: Expected, difference: float, models: int, alike: float, within: float
) -> None:
    asked = replace(expected, alike=alike, group_rows=5, within=within, models=models)
    rows = plan(asked, difference=difference).rows_for_difference
    assert rows is not None
    least = plan(asked, rows=rows).smallest_difference
    assert least is not None
    assert least <= difference * 1.001
    fewer = plan(asked, rows=rows - 1).smallest_difference
    assert fewer is None or fewer > difference * 0.999


@given(expected=st.sampled_from([SHARE, AREA, MEAN]), width=st.floats(0.01, 0.3))
@settings(max_examples=30, deadline=None)
def test_rows_for_a_width_are_the_fewest_that_reach_it(expected: Expected, width: float) -> None:
    rows = plan(expected, width=width).rows_for_width
    assert rows is not None
    made, wider = plan(expected, rows=rows), plan(expected, rows=max(rows - 1, 1))
    assert (made.high or 0) - (made.low or 0) <= width
    assert rows == 1 or (wider.high or 0) - (wider.low or 0) > width


def test_more_models_more_dependence_and_less_in_common_take_more_rows() -> None:
    def rows(expected: Expected, models: int = 2) -> int:
        return plan(replace(expected, models=models), difference=0.05).rows_for_difference or 0

    for one in (SHARE, AREA, MEAN):
        usual = rows(one)
        assert rows(one, 5) > usual
        assert rows(replace(one, group_rows=10, within=0.2)) == pytest.approx(2.8 * usual, rel=0.01)
        assert rows(replace(one, alike=0.5)) < usual


def test_groups_are_counted_and_few_of_them_flagged() -> None:
    said = sentences(plan(replace(SHARE, group_rows=10, within=0.1), rows=100))
    assert any("100 rows are 10 groups" in one for one in said)
    assert any("With fewer than 20 groups" in one for one in said)


def test_what_is_out_of_reach_is_said_to_be() -> None:
    assert plan(SHARE, difference=1e-8).rows_for_difference is None
    assert "more than 1,000,000,000 rows" in sentences(plan(SHARE, difference=1e-8))[0]
    assert plan(SHARE, rows=3).smallest_difference is None
    assert "no difference" in sentences(plan(SHARE, rows=3))[1]


@pytest.mark.parametrize(
    ("metric", "settings_", "says"),
    [
        ("f1", {}, "No plan is known"),
        ("nonsense", {}, "No plan is known"),
        ("roc_auc", {}, "share of rows that are positive"),
        ("mae", {}, "standard deviation"),
        ("accuracy", {"value": float("nan")}, "expected accuracy"),
        ("accuracy", {"value": 1.0}, "expected accuracy"),
        ("roc_auc", {"value": 0.4, "share": 0.5}, "expected roc_auc"),
        ("mae", {"value": 1e200, "deviation": 1.0}, "mean loss"),
        ("accuracy", {"share": 0.0}, "share of rows"),
        ("accuracy", {"alike": 1.0}, "correlation 1 never differ"),
        ("accuracy", {"within": 2.0}, "within a group"),
        ("accuracy", {"models": 1}, "number of models"),
        ("accuracy", {"group_rows": 0.5}, "rows in a group"),
    ],
)
def test_what_cannot_be_expected_is_refused(
    metric: str, settings_: dict[str, float], says: str
) -> None:
    with pytest.raises(ec.EvalError, match=says):
        Expected(metric, **{"value": 0.8, **settings_})


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"rows": 0},
        {"rows": float("inf")},
        {"width": 0},
        {"width": float("nan")},
        {"difference": -0.1},
        {"difference": 0.9},
        {"rows": 10, "level": 1.0},
        {"rows": 10, "power": 0.4},
    ],
)
def test_what_cannot_be_asked_is_refused(asked: dict[str, float]) -> None:
    with pytest.raises(ec.EvalError):
        plan(SHARE, **asked)
