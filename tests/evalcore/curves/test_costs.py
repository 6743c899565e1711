"""Expected costs, cost curves, decision curves, and costs of several classes."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.curves.costs import (
    ClassCosts,
    CostCurve,
    DecisionCurve,
    UnitCosts,
    cheapest,
    cost_line,
    expected_cost,
    least_costly,
    normalised_cost,
    predictive_values,
    shares_of_rows,
)
from evalcore.errors import EvalError
from evalcore.intervals.closed import of_two_rates
from evalcore.metrics.decisions import mean_cost
from evalcore.outcomes import ClassOutcomes, Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.strategies import PROBABILITIES, TIED, Scored, with_both_classes

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
    curve = expected_cost(table_of(data), STAKES)
    assert (curve.low <= curve.y + 1e-9).all()
    assert (curve.y <= curve.high + 1e-9).all()
    assert curve.low[0] == curve.high[0] == STAKES.of_nothing


def test_one_class_has_no_curve() -> None:
    table = ScoreTable.from_scores(np.array([1, 1]), np.array([0.5, 0.7]))
    assert np.isnan(expected_cost(table, STAKES).y).all()
    assert np.isnan(CostCurve.from_table(table).cost).all()
    assert np.isnan(cost_line(table.at(0.6)).y).all()


def test_the_line_of_a_threshold_runs_from_false_alarms_to_misses() -> None:
    line = cost_line(BinaryCounts(tp=8, fp=3, fn=2, tn=7))
    assert (line.y[0], line.y[-1]) == pytest.approx((0.3, 0.2))
    assert (line.low <= line.y).all()
    assert (line.y <= line.high).all()


COSTS = np.array([[0.0, 1, 1], [2, 0, 4], [20, 5, 0]])


def outcomes(n: int = 300, seed: int = 0, weight: bool = False) -> ClassOutcomes:
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet([1, 1, 1], n)
    truth = np.array([rng.choice(3, p=row) for row in probabilities])
    return ClassOutcomes(
        classes=("a", "b", "c"),
        truth=truth,
        probabilities=probabilities,
        weight=rng.integers(1, 4, n).astype(float) if weight else None,
    )


def test_the_cheapest_class_by_hand() -> None:
    # Calling a: 2 * 0.3 + 20 * 0.1 = 2.6; b: 0.6 + 0.5 = 1.1; c: 0.6 + 1.2 = 1.8.
    assert least_costly(np.array([[0.6, 0.3, 0.1]]), COSTS).tolist() == [1]


def test_with_equal_costs_it_is_the_likeliest_class() -> None:
    found = ClassCosts.of(outcomes(), 1 - np.eye(3))
    assert found.changed == found.saved == 0
    np.testing.assert_array_equal(found.likeliest.confusion.counts, found.cheapest.confusion.counts)


@pytest.mark.parametrize("weight", [False, True])
def test_costs_are_those_of_the_matrices(weight: bool) -> None:
    found = ClassCosts.of(outcomes(weight=weight), COSTS)
    for decided in (found.likeliest, found.cheapest):
        assert decided.cost == pytest.approx(mean_cost(COSTS)(decided.confusion))
    assert found.saved == pytest.approx(found.likeliest.cost - found.cheapest.cost)
    assert found.saved_interval.low < found.saved < found.saved_interval.high


def test_probabilities_that_are_true_save_by_weighing_costs() -> None:
    assert ClassCosts.of(outcomes(3000), COSTS).saved_interval.low > 0


def test_a_missing_probability_counts_as_none() -> None:
    assert least_costly(np.array([[0.9, np.nan, 0.1]]), 1 - np.eye(3)).tolist() == [0]


def test_labels_alone_cannot_be_weighed() -> None:
    alone = ClassOutcomes(classes=("a", "b"), truth=np.array([0]), label=np.array([1]))
    with pytest.raises(EvalError, match="probability for each class"):
        ClassCosts.of(alone, 1 - np.eye(2))


def test_shares_by_hand() -> None:
    # Of a one row of two is called b, which costs 1; both rows of b are right. With one a in ten
    # the mean is 0.1 * 1/2; its error is 0.1 * sqrt(1/4 + 1/4) / sqrt(2).
    told = ClassOutcomes(
        classes=("a", "b"),
        truth=np.array([0, 0, 1, 1]),
        probabilities=np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.1, 0.9]]),
    )
    found = ClassCosts.of(told, 1 - np.eye(2), np.array([10.0, 90.0])).likeliest
    assert found.cost == pytest.approx(0.05)
    assert found.interval.high - found.cost == pytest.approx(1.959964 * 0.1 * np.sqrt(0.25))


def test_a_class_becomes_the_cheapest_where_it_is_common_enough() -> None:
    told = ClassOutcomes(
        classes=("a", "b"),
        truth=np.array([0, 1, 0, 1]),
        probabilities=np.array([[0.7, 0.3]] * 4),
    )
    # The odds of 7 to 3 are multiplied by those of the shares: 7/27 for a share of a of 0.1.
    rare = ClassCosts.of(told, 1 - np.eye(2), np.array([1.0, 9.0]))
    assert rare.changed == 1
    assert rare.cheapest.cost == pytest.approx(0.1)
    assert ClassCosts.of(told, 1 - np.eye(2), np.array([0.31, 0.69])).changed == 0
    assert ClassCosts.of(told, 1 - np.eye(2), np.array([0.29, 0.71])).changed == 1


@pytest.mark.parametrize("weight", [False, True])
def test_the_shares_of_the_rows_change_no_mean(weight: bool) -> None:
    told = outcomes(weight=weight)
    plain, same = (ClassCosts.of(told, COSTS, s) for s in (None, 7 * shares_of_rows(told)))
    assert same.changed == pytest.approx(plain.changed)
    assert same.saved == pytest.approx(plain.saved)
    assert same.cheapest.cost == pytest.approx(plain.cheapest.cost)
    # Within classes the rows vary less than at large.
    assert same.cheapest.interval.high <= plain.cheapest.interval.high * 1.01


def test_shares_give_what_rows_drawn_by_them_would() -> None:
    told, shares = outcomes(4000), np.array([0.7, 0.2, 0.1])
    rng = np.random.default_rng(5)
    truth = told.truth
    weight = (shares / shares_of_rows(told))[truth]
    rows = rng.choice(len(truth), size=200_000, p=weight / weight.sum())
    assert told.probabilities is not None
    drawn = ClassOutcomes(
        classes=told.classes, truth=truth[rows], probabilities=told.probabilities[rows]
    )
    theirs = ClassCosts.of(drawn, COSTS)
    mine = ClassCosts.of(told, COSTS, shares)
    assert mine.likeliest.cost == pytest.approx(theirs.likeliest.cost, rel=0.02)
    # Probabilities moved to the shares save more there than those of the rows at hand.
    assert mine.saved > theirs.saved


def test_the_interval_covers_the_cost_of_all_rows_to_come() -> None:
    told, shares = outcomes(20_000, seed=9), np.array([0.6, 0.3, 0.1])
    true = ClassCosts.of(told, COSTS, shares).likeliest.cost
    covered = 0
    for start in range(0, 20_000, 100):
        part = slice(start, start + 100)
        assert told.probabilities is not None
        few = ClassOutcomes(
            classes=told.classes, truth=told.truth[part], probabilities=told.probabilities[part]
        )
        ends = ClassCosts.of(few, COSTS, shares).likeliest.interval
        covered += ends.low <= true <= ends.high
    assert 180 <= covered <= 198


def test_a_share_of_a_class_without_rows_leaves_the_mean_undefined() -> None:
    told = outcomes(50)
    some = ClassOutcomes(
        classes=told.classes,
        truth=np.minimum(told.truth, 1),
        probabilities=told.probabilities,
    )
    assert np.isnan(ClassCosts.of(some, COSTS, np.array([1.0, 1, 1])).saved)
    assert np.isfinite(ClassCosts.of(some, COSTS, np.array([1.0, 1, 0])).saved)


@pytest.mark.parametrize("shares", [[0.0, 0, 0], [1, -1, 1], [1, np.nan, 1]])
def test_shares_that_are_none_are_refused(shares: list[float]) -> None:
    with pytest.raises(EvalError, match="Shares of classes"):
        ClassCosts.of(outcomes(), COSTS, np.array(shares))


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
    alerts, rest = predictive_values(counts, share)
    assert alerts.y[0] == pytest.approx(8 / 107)
    assert rest.y[0] == pytest.approx(891 / 893)


def test_at_the_prevalence_of_the_rows_they_are_those_of_the_rows() -> None:
    counts = BinaryCounts(tp=30, fp=12, fn=10, tn=48)
    share = np.array([0.4])
    alerts, rest = predictive_values(counts, share)
    assert alerts.y[0] == pytest.approx(30 / 42)
    assert rest.y[0] == pytest.approx(48 / 58)
    assert alerts.low[0] < alerts.y[0] < alerts.high[0]
    assert rest.low[0] < rest.y[0] < rest.high[0]


def test_the_interval_of_the_logit_by_hand() -> None:
    counts = BinaryCounts(tp=30, fp=12, fn=10, tn=48)
    alerts, _ = predictive_values(counts, np.array([0.5]))
    error = np.sqrt(10 / 40 / 30 + 48 / 60 / 12)
    middle = np.log((30 / 40) / (12 / 60))
    low, high = 1 / (1 + np.exp(-(middle + np.array([-1, 1]) * 1.959964 * error)))
    assert (alerts.low[0], alerts.high[0]) == pytest.approx((low, high), abs=1e-6)


def test_nothing_flagged_has_no_predictive_value() -> None:
    counts = BinaryCounts(tp=0, fp=0, fn=10, tn=20)
    alerts, rest = predictive_values(counts, np.array([0.5]))
    assert np.isnan([alerts.y[0], alerts.low[0]]).all()
    assert rest.y[0] == 0.5
