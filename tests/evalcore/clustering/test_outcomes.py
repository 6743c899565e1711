import numpy as np
import pytest

from evalcore.errors import EvalError
from evalcore.outcomes import Clustering, Distances, Points

GOOD = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.5], [2.0, 1.5, 0.0]])
CODES = np.array([0, 1, -1])


def distances(matrix: np.ndarray) -> Distances:
    return Distances(names=("a", "b"), cluster=CODES, matrix=matrix)


def test_a_code_below_zero_is_noise() -> None:
    clustering = Clustering(names=("a", "b"), cluster=CODES)
    assert clustering.noise.tolist() == [False, False, True]
    assert clustering.n == 3


@pytest.mark.parametrize("cluster", [[0, 2], [0, -2]])
def test_codes_without_a_name_are_refused(cluster: list[int]) -> None:
    with pytest.raises(EvalError, match=r"outside -1\.\.1"):
        Clustering(names=("a", "b"), cluster=np.array(cluster))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e200])
def test_features_that_cannot_be_squared_are_refused_with_their_rows(bad: float) -> None:
    with pytest.raises(EvalError, match="finite numbers below") as caught:
        Points(names=("a", "b"), cluster=CODES, features=np.array([[0, 1], [1, bad], [bad, bad]]))
    assert caught.value.rows == (2, 3)


def test_features_need_a_row_per_point_and_a_column() -> None:
    with pytest.raises(EvalError, match="2 rows, not 3"):
        Points(names=("a", "b"), cluster=CODES, features=np.zeros((2, 2)))
    with pytest.raises(EvalError, match="at least one feature"):
        Points(names=("a", "b"), cluster=CODES, features=np.zeros((3, 0)))


def test_distances_that_differ_in_their_last_digit_are_taken() -> None:
    matrix = GOOD.copy()
    matrix[0, 1] += 1e-7
    assert distances(matrix).n == 3


@pytest.mark.parametrize(
    ("cell", "value", "rows"),
    [((0, 1), 1.1, (1, 2)), ((1, 1), 0.5, (2,)), ((0, 2), -2.0, (1, 3))],
    ids=["uneven", "not zero to itself", "negative"],
)
def test_what_is_no_distance_is_refused_with_its_rows(
    cell: tuple[int, int], value: float, rows: tuple[int, ...]
) -> None:
    matrix = GOOD.copy()
    matrix[cell] = value
    with pytest.raises(EvalError, match="and symmetric") as caught:
        distances(matrix)
    assert caught.value.rows == rows


def test_a_matrix_that_is_not_square_is_refused() -> None:
    with pytest.raises(EvalError, match="one row and column per point"):
        distances(GOOD[:, :2])


def test_arrays_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        distances(GOOD.copy()).matrix[0, 1] = 5
