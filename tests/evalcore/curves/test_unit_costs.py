import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.curves.costs import UnitCosts, cheapest
from evalcore.errors import EvalError
from evalcore.metrics.decisions import mean_cost
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import Scored, with_both_classes

PRICES = st.floats(-100, 100)
ROCR = entries(quantity="min_cost_threshold_fn5") + entries(quantity="min_cost_threshold_fn10")
PROC = entries(quantity="youden_weighted_best")


def table_of(data: Scored) -> ScoreTable:
    return ScoreTable.from_scores(data.truth, data.score, data.weight)


@st.composite
def unit_costs(draw: st.DrawFn) -> UnitCosts:
    return UnitCosts(*(draw(PRICES) for _ in range(4)), prevalence=draw(st.floats(0, 1)))


def test_expected_cost_by_hand() -> None:
    # Of 100 cases 25 are positive: 20 are found, 5 missed at 10 each; 15 false alarms at 1.
    assert UnitCosts(tn=0, fp=1, fn=10, tp=0, prevalence=0.25).expected(0.8, 0.2) == pytest.approx(
        (5 * 10 + 15 * 1) / 100
    )


def test_gains_count_below_zero() -> None:
    gains = UnitCosts(tn=0, fp=1, fn=0, tp=-5, prevalence=0.5)
    assert gains.expected(1.0, 0.0) == -2.5
    assert gains.of_finding == 2.5


@given(with_both_classes(), PRICES, PRICES, PRICES, PRICES)
def test_at_the_prevalence_of_the_rows_it_is_their_mean_cost(
    data: Scored, tn: float, fp: float, fn: float, tp: float
) -> None:
    table = table_of(data)
    chosen = cheapest(table, UnitCosts(tn, fp, fn, tp, table.positives / table.n))
    counts = table.at(chosen.threshold)
    cells = np.array([[counts.tn, counts.fp], [counts.fn, counts.tp]])
    theirs = mean_cost([[tn, fp], [fn, tp]])(ConfusionMatrix(("no", "yes"), cells))
    assert chosen.cost == pytest.approx(theirs, abs=1e-9)


@given(with_both_classes(), unit_costs())
def test_no_threshold_is_cheaper(data: Scored, unit_costs: UnitCosts) -> None:
    table = table_of(data)
    positives, negatives = data.truth == 1, data.truth == 0
    costs = [
        unit_costs.expected(
            np.average(data.score[positives] >= at, weights=data.weight[positives]),
            np.average(data.score[negatives] >= at, weights=data.weight[negatives]),
        )
        for at in [np.inf, *np.unique(data.score)]
    ]
    assert cheapest(table, unit_costs).cost == pytest.approx(min(costs), abs=1e-9)


@pytest.mark.parametrize("entry", ROCR, ids=ids(ROCR))
def test_the_cheapest_threshold_is_that_of_rocr(entry: Golden) -> None:
    truth, score = breast_cancer(entry.params["model"])
    fp, fn = entry.params["cost_fp"], entry.params["cost_fn"]
    found = cheapest(
        ScoreTable.from_scores(truth, score), UnitCosts(0, fp, fn, 0, float(truth.mean()))
    )
    mine: dict[str, float] = {"cost_per_instance": found.cost, "total_cost": found.cost * 569}
    if not isinstance(entry.value["cutoffs"], list):
        mine["cutoffs"] = found.threshold
    entry.check(mine)


@pytest.mark.parametrize("entry", PROC, ids=ids(PROC))
def test_at_another_prevalence_it_is_the_weighted_youden_of_proc(entry: Golden) -> None:
    truth, score = breast_cancer(entry.params["model"])
    unit_costs = UnitCosts(0, 1, entry.params["cost_fn_over_fp"], 0, entry.params["prevalence"])
    found = cheapest(ScoreTable.from_scores(truth, score), unit_costs)
    entry.check({"sensitivity": found.tpr, "specificity": 1 - found.fpr})


def test_one_class_has_no_cheapest_threshold() -> None:
    table = ScoreTable.from_scores(np.array([1, 1]), np.array([0.5, 0.7]))
    assert np.isnan(cheapest(table, UnitCosts(0, 1, 1, 0, 0.5)).threshold)


@pytest.mark.parametrize("wrong", [{"fn": np.inf}, {"fp": np.nan}, {"tp": 1e300}])
def test_costs_that_cannot_be_added_up_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(EvalError, match="Costs must be"):
        UnitCosts(**{"tn": 0, "fp": 1, "fn": 1, "tp": 0, "prevalence": 0.5, **wrong})


def test_a_prevalence_outside_0_to_1_is_refused() -> None:
    with pytest.raises(EvalError, match="share of positives"):
        UnitCosts(0, 1, 1, 0, 1.5)
