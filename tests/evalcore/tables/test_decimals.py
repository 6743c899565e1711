import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evalcore.outcomes import Codes, Floats
from evalcore.tables.confusion import Counts
from evalcore.tables.scores import Decimals, ordered_by_each


def repeated(values: list[float], times: int = 40) -> Floats:
    return np.repeat(np.array(values), times)


def by_hand(truth: Codes, score: Floats, count: Counts) -> list[tuple[float, float, float]]:
    """Distinct scores, falling, with the counts at or above each: a loop over them."""
    return [
        (at, count[(score >= at) & (truth == 1)].sum(), count[(score >= at) & (truth == 0)].sum())
        for at in np.unique(score)[::-1].tolist()
    ]


def test_scores_are_counted_by_hand() -> None:
    score, truth = np.array([0.3, 0.1, 0.3, 0.2, 0.3, 0.1]), np.array([1, 0, 0, 1, 1, 0])
    decimals = Decimals.of(score)
    assert decimals == Decimals(unit=10.0, lowest=1, number=3)
    counts = decimals.counts((truth,), score, None)
    assert counts is not None
    assert counts.tolist() == [[2, 0, 1], [0, 1, 2]]
    assert decimals.scores(np.array([0, 2])).tolist() == [0.1, 0.3]


@pytest.mark.parametrize(
    ("values", "unit", "lowest", "number"),
    [
        ([0.25, 0.5], 100, 25, 26),
        ([-0.2, 0.1], 10, -2, 4),
        ([0.0, -0.0, 3.0], 1, 0, 4),
        ([1e15, 1e15 + 1], 1, 10**15, 2),
        ([0.000001, 0.000002], 1e6, 1, 2),
    ],
)
def test_the_coarsest_steps_are_found(
    values: list[float], unit: float, lowest: int, number: int
) -> None:
    assert Decimals.of(repeated(values)) == Decimals(unit, lowest, number)


@pytest.mark.parametrize(
    "values",
    [
        [1 / 3, 2 / 3],  # no decimals
        [0.1 + 0.2, 0.3],  # 0.30000000000000004
        [0.0, 1e6],  # more steps than half the rows
        [1e300, -1e300],
        [5e-324, 1.0],
        [2.0**53, 2.0**53 + 2],  # beyond what counts exactly
        [],
    ],
)
def test_other_scores_are_left_to_a_sort(values: list[float]) -> None:
    assert Decimals.of(repeated(values)) is None


def test_a_score_between_two_steps_that_the_sample_missed_is_found() -> None:
    score = repeated([0.1, 0.2], 40_000)
    truth = np.arange(len(score)) % 2
    score[7] = 0.15
    decimals = Decimals.of(score)
    assert decimals is not None
    assert decimals.counts((truth,), score, None) is None
    (steps,) = ordered_by_each((truth,), score)
    assert steps.threshold.tolist() == [0.2, 0.15, 0.1]


def test_codes_of_one_byte_count_over_many_steps() -> None:
    score = np.arange(1000.0).repeat(2)
    truth = np.tile(np.array([0, 1], np.int8), 1000)
    by_truth, by_label = ordered_by_each((truth, 1 - truth), score)
    assert by_truth.tp.tolist() == by_label.fp.tolist() == list(range(1, 1001))


GRID = st.sampled_from([-0.03, -0.0, 0.0, 0.01, 0.02, 0.05, 0.1])
ROWS = st.lists(
    st.tuples(GRID, st.integers(0, 1), st.integers(0, 1), st.sampled_from([1.0, 2.0, 0.5])),
    min_size=40,
    max_size=60,
)


@given(ROWS, st.booleans())
def test_counting_agrees_with_a_loop(
    rows: list[tuple[float, int, int, float]], weighted: bool
) -> None:
    score, truth, label, weight = (np.array(column) for column in zip(*rows, strict=True))
    truth, label = truth.astype(np.int8), label.astype(np.int8)
    assert Decimals.of(score) is not None
    count: NDArray[np.float64] = weight if weighted else np.ones(len(score))
    found = ordered_by_each((truth, label), score, weight if weighted else None)
    for steps, side in zip(found, (truth, label), strict=True):
        made = [column.tolist() for column in (steps.threshold, steps.tp, steps.fp)]
        assert list(zip(*made, strict=True)) == by_hand(side, score, count)
        assert not np.signbit(steps.threshold[steps.threshold == 0]).any()
