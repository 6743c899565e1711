import numpy as np
import pytest

from evalcore.curves.costs import ClassCosts, least_costly, shares_of_rows
from evalcore.errors import EvalError
from evalcore.metrics.costs import mean_cost
from evalcore.outcomes import ClassOutcomes

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
