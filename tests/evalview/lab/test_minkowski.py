import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from evalcore.errors import EvalError
from evalview.lab import steps as lab

points = arrays(np.float64, 4, elements=st.floats(-1e6, 1e6))
orders = st.one_of(st.floats(1, 40), st.just(np.inf))


def test_three_distances_by_hand():
    first, second = np.array([1.0, 2.0, 5.0]), np.array([4.0, 2.0, 1.0])
    assert lab.minkowski(first, second, 1).distance == 7
    assert lab.minkowski(first, second, 2).distance == pytest.approx(5)
    assert lab.minkowski(first, second, np.inf).distance == 4
    assert lab.minkowski(first, second, 2).difference.tolist() == [3, 0, 4]
    assert lab.minkowski(first, second, 2).share == pytest.approx([9 / 25, 0, 16 / 25])
    assert lab.minkowski(first, second, np.inf).share.tolist() == [0, 0, 1]


@given(points, points, orders)
def test_the_distance_is_scipys(first, second, order):
    from scipy.spatial.distance import chebyshev, minkowski

    far = chebyshev(first, second)
    # Of the largest difference: scipy's powers overflow, or vanish.
    theirs = far * minkowski((first - second) / far, np.zeros(4), order) if far else 0.0
    made = lab.minkowski(first, second, order)
    assert made.distance == pytest.approx(theirs if np.isfinite(order) else far)
    assert lab.minkowski(second, first, order).distance == made.distance


@given(points, points, st.floats(1, 20), st.floats(0, 20))
def test_a_higher_order_is_never_further(first, second, order, more):
    near, far = (
        lab.minkowski(first, second, order + more).distance,
        lab.minkowski(first, second, order).distance,
    )
    assert near <= far * (1 + 1e-12)


@given(points, points, points, orders)
def test_no_way_round_is_shorter(first, second, third, order):
    straight = lab.minkowski(first, third, order).distance
    round_ = (
        lab.minkowski(first, second, order).distance + lab.minkowski(second, third, order).distance
    )
    assert straight <= round_ * (1 + 1e-9)


def test_equal_points_are_not_apart_and_no_feature_has_a_share():
    made = lab.minkowski(np.ones(2), np.ones(2), 3)
    assert made.distance == 0
    assert np.isnan(made.share).all()


def test_orders_below_one_are_refused():
    with pytest.raises(EvalError, match="1 or more"):
        lab.minkowski(np.zeros(2), np.ones(2), 0.5)
