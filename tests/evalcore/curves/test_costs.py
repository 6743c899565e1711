import numpy as np
import pytest
from hypothesis import given

from evalcore.curves.costs import CostCurve, CostLine, ExpectedCost, normalised_cost
from evalcore.intervals.closed import of_two_rates
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.costs import UnitCosts, cheapest
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import TIED, Scored, with_both_classes

ENVELOPES = entries(quantity="cost_curve_lower_envelope") + entries(
    quantity="cost_curve_rocr_ecost"
)
STAKES = UnitCosts(tn=0, fp=1, fn=10, tp=-2, prevalence=0.2)


def table_of(data: Scored) -> ScoreTable:
    return ScoreTable.from_scores(data.truth, data.score, data.weight)


@pytest.mark.parametrize("entry", ENVELOPES, ids=ids(ENVELOPES))
def test_the_cost_curve_is_that_of_independent_software(entry: Golden) -> None:
    curve = CostCurve.from_table(ScoreTable.from_scores(*breast_cancer(entry.params["model"])))
    x = np.array(entry.value["pcf_plus"])
    entry.check({"normalized_expected_cost": np.asarray(curve.at(x)).tolist()})


@given(with_both_classes(TIED))
def test_no_line_of_a_threshold_passes_below_the_cost_curve(data: Scored) -> None:
    table = table_of(data)
    x = np.linspace(0, 1, 21)
    below = np.asarray(CostCurve.from_table(table).at(x))
    for at in [np.inf, *table.threshold]:
        counts = table.at(at)
        line = normalised_cost(counts.tp / table.positives, counts.fp / table.negatives, x)
        assert (below <= line + 1e-12).all()


@given(with_both_classes(TIED))
def test_the_lowest_expected_cost_lies_on_the_cost_curve(data: Scored) -> None:
    table = table_of(data)
    regret = cheapest(table, STAKES).cost - STAKES.expected(1.0, 0.0)
    whole = STAKES.of_finding + STAKES.of_flagging
    height = CostCurve.from_table(table).at(STAKES.probability_cost)
    assert regret == pytest.approx(height * whole, abs=1e-9)


def test_the_band_of_expected_cost_holds_the_true_cost() -> None:
    held = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        truth = (np.arange(60) < 20).astype(np.int8)
        table = ScoreTable.from_scores(truth, rng.normal(1.2 * truth))
        counts = table.at(0.6)
        ends = of_two_rates(counts, -STAKES.of_finding, STAKES.of_flagging)
        true = STAKES.expected(*upper(np.array([0.6 - 1.2, 0.6]))) - STAKES.of_nothing
        held.append(ends.low <= true <= ends.high)
    assert 0.91 <= np.mean(held) <= 0.99


def upper(z: Floats) -> Floats:
    from scipy.stats import norm

    tail: Floats = norm.sf(z)
    return tail


@given(with_both_classes())
def test_the_band_holds_the_curve(data: Scored) -> None:
    curve = ExpectedCost.from_table(table_of(data), STAKES)
    assert (curve.low <= curve.cost + 1e-9).all()
    assert (curve.cost <= curve.high + 1e-9).all()
    assert curve.low[0] == curve.high[0] == STAKES.of_nothing


def test_one_class_has_no_curve() -> None:
    table = ScoreTable.from_scores(np.array([1, 1]), np.array([0.5, 0.7]))
    assert np.isnan(ExpectedCost.from_table(table, STAKES).cost).all()
    assert np.isnan(CostCurve.from_table(table).cost).all()
    assert np.isnan(CostLine.of(table.at(0.6)).cost).all()


def test_the_line_of_a_threshold_runs_from_false_alarms_to_misses() -> None:
    line = CostLine.of(BinaryCounts(tp=8, fp=3, fn=2, tn=7))
    assert (line.cost[0], line.cost[-1]) == pytest.approx((0.3, 0.2))
    assert (line.low <= line.cost).all()
    assert (line.cost <= line.high).all()
