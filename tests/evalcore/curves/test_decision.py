import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.curves.costs import DecisionCurve, PredictiveValue
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from tests.evalcore.strategies import PROBABILITIES, Scored, with_both_classes


def test_net_benefit_by_hand() -> None:
    # At 1/4, acting on the first 3 rows finds 2 and errs once: 2/5 - 1/5 * (1/3).
    table = ScoreTable.from_scores(
        np.array([1, 0, 1, 0, 0], np.int8), np.array([0.9, 0.8, 0.3, 0.2, 0.1])
    )
    curve = DecisionCurve.from_table(table, np.array([0.25]), 0.4)
    assert curve.net_benefit[0] == pytest.approx(2 / 5 - 1 / 15)
    assert curve.treat_all[0] == pytest.approx(2 / 5 - 3 / 5 / 3)
    assert curve.useful == (0.25, 0.25)


@given(with_both_classes(PROBABILITIES), st.floats(0.01, 0.95))
def test_net_benefit_is_the_formula_of_vickers_and_elkin(data: Scored, at: float) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    n = data.weight.sum()
    found = data.weight[(data.score >= at) & (data.truth == 1)].sum()
    wrong = data.weight[(data.score >= at) & (data.truth == 0)].sum()
    curve = DecisionCurve.from_table(table, np.array([at]), table.positives / n)
    assert curve.net_benefit[0] == pytest.approx(found / n - wrong / n * at / (1 - at), abs=1e-9)
    assert curve.low[0] <= curve.net_benefit[0] + 1e-9
    assert curve.net_benefit[0] <= curve.high[0] + 1e-9


def test_the_longest_run_of_use_is_told() -> None:
    ends = np.array([0.1, 0.2, 0.3, 0.4])
    benefit = np.array([0.2, -0.1, 0.1, 0.1])
    curve = DecisionCurve(ends, benefit, benefit, benefit, np.zeros(4), 0.95)
    assert curve.useful == (0.3, 0.4)
    never = DecisionCurve(ends, benefit, benefit, benefit, np.ones(4), 0.95)
    assert never.useful is None


def test_from_a_probability_of_zero_on_everything_is_treated() -> None:
    table = ScoreTable.from_scores(np.array([1, 0], np.int8), np.array([0.9, 0.2]))
    curve = DecisionCurve.from_table(table, np.array([0.0]), 0.3)
    assert curve.net_benefit.tolist() == curve.treat_all.tolist() == [0.3]


def test_one_class_has_no_decision_curve() -> None:
    table = ScoreTable.from_scores(np.array([1, 1], np.int8), np.array([0.9, 0.2]))
    assert np.isnan(DecisionCurve.from_table(table, np.array([0.5]), 0.3).net_benefit).all()


def test_predictive_values_by_hand() -> None:
    # Of 1,000 cases 10 are positive: 8 found, 99 false alarms; 891 left alone rightly, 2 not.
    counts = BinaryCounts(tp=80, fp=10, fn=20, tn=90)
    share = np.array([0.01])
    assert PredictiveValue.of_alerts(counts, share).value[0] == pytest.approx(8 / 107)
    assert PredictiveValue.of_rest(counts, share).value[0] == pytest.approx(891 / 893)


def test_at_the_prevalence_of_the_rows_they_are_those_of_the_rows() -> None:
    counts = BinaryCounts(tp=30, fp=12, fn=10, tn=48)
    share = np.array([0.4])
    alerts, rest = PredictiveValue.of_alerts(counts, share), PredictiveValue.of_rest(counts, share)
    assert alerts.value[0] == pytest.approx(30 / 42)
    assert rest.value[0] == pytest.approx(48 / 58)
    assert alerts.low[0] < alerts.value[0] < alerts.high[0]
    assert rest.low[0] < rest.value[0] < rest.high[0]


def test_the_interval_of_the_logit_by_hand() -> None:
    counts = BinaryCounts(tp=30, fp=12, fn=10, tn=48)
    alerts = PredictiveValue.of_alerts(counts, np.array([0.5]))
    error = np.sqrt(10 / 40 / 30 + 48 / 60 / 12)
    middle = np.log((30 / 40) / (12 / 60))
    low, high = 1 / (1 + np.exp(-(middle + np.array([-1, 1]) * 1.959964 * error)))
    assert (alerts.low[0], alerts.high[0]) == pytest.approx((low, high), abs=1e-6)


def test_nothing_flagged_has_no_predictive_value() -> None:
    counts = BinaryCounts(tp=0, fp=0, fn=10, tn=20)
    assert np.isnan(PredictiveValue.of_alerts(counts, np.array([0.5])).value[0])
    assert np.isnan(PredictiveValue.of_alerts(counts, np.array([0.5])).low[0])
    assert PredictiveValue.of_rest(counts, np.array([0.5])).value[0] == 0.5
