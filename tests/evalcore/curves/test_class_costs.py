import numpy as np
import pytest

from evalcore.curves.class_costs import ClassCosts, least_costly
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
