"""Groups of about equal size."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalcore.tables.groups import equal_groups

VALUES = st.lists(st.integers(-3, 8).map(float), max_size=40).map(np.array)


@given(VALUES, st.integers(1, 12))
def test_groups_rise_with_the_values_and_none_is_empty(by, groups):
    found = equal_groups(by, groups)
    ordered = found[np.argsort(by, kind="stable")]
    assert (np.diff(ordered) >= 0).all()
    assert sorted(set(found.tolist())) == list(range(found.max(initial=-1) + 1))
    assert found.max(initial=-1) < groups
    for value in set(by.tolist()):
        assert len(set(found[by == value].tolist())) == 1


@given(VALUES, st.integers(1, 12), st.integers(1, 4))
def test_equal_weights_change_nothing(by, groups, weight):
    even = equal_groups(by, groups, np.full(len(by), float(weight)))
    np.testing.assert_array_equal(even, equal_groups(by, groups))


@given(VALUES, st.data())
def test_a_weight_is_so_many_rows(by, data):
    times = data.draw(st.lists(st.integers(1, 3), min_size=len(by), max_size=len(by)))
    weighted = equal_groups(by, 4, np.array(times, dtype=np.float64))
    repeated = equal_groups(np.repeat(by, times), 4)
    np.testing.assert_array_equal(np.repeat(weighted, times), repeated)


def test_different_values_make_groups_of_equal_size():
    by = np.random.default_rng(0).permutation(1000).astype(np.float64)
    assert np.bincount(equal_groups(by, 10)).tolist() == [100] * 10
