import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalcore.tables.contingency import Contingency

codes = st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 4)), max_size=40)


def table_of(rows, classes=4, clusters=5):
    truth, cluster = np.array(rows, dtype=np.int64).reshape(-1, 2).T
    names = tuple(f"class {i}" for i in range(classes))
    return Contingency.from_codes(truth, cluster, names, tuple(map(str, range(clusters))))


def test_counts_and_sizes_are_worked_by_hand():
    table = table_of([(0, 0), (0, 0), (0, 2), (1, 2)], classes=2, clusters=3)
    assert table.counts.tolist() == [[2, 0, 1], [0, 0, 1]]
    assert (table.class_sizes.tolist(), table.cluster_sizes.tolist()) == ([3, 1], [2, 0, 2])
    assert table.n == 4


def test_rows_without_a_class_or_a_cluster_are_left_out():
    assert table_of([(0, -1), (-1, 0), (1, 1)]).n == 1


def test_the_table_holds_only_cells_with_rows():
    many = np.arange(10_000)
    names = tuple(map(str, many))
    table = Contingency.from_codes(many, many[::-1], names, names)
    assert len(table.cells) == 10_000
    assert (table.cells == 1).all()


def test_pairs_of_a_billion_rows_do_not_overflow():
    cells = np.array([4, 1, 2, 3]) * 10**8
    table = Contingency(
        ("a", "b"), ("c", "d"), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), cells
    )
    exact = [n * (n - 1) // 2 for n in map(int, [*cells, 5 * 10**8, 5 * 10**8, 6e8, 4e8, 1e9])]
    both, classes, clusters, total = sum(exact[:4]), sum(exact[4:6]), sum(exact[6:8]), exact[8]
    pairs = table.pairs()
    assert (pairs.tp, pairs.fn, pairs.fp) == (both, classes - both, clusters - both)
    assert pairs.tn == float(total - classes - clusters + both)


def test_tables_of_other_groups_do_not_add_up():
    with pytest.raises(EvalError, match="same groups"):
        table_of([], classes=2) + table_of([], classes=3)


@given(codes)
def test_pairs_are_those_that_counting_one_by_one_gives(rows):
    rows = [row for row in rows if min(row) >= 0]
    pairs = [
        (a[0] == b[0], a[1] == b[1]) for place, a in enumerate(rows) for b in rows[place + 1 :]
    ]
    counted = table_of(rows).pairs()
    assert counted.tp == pairs.count((True, True))
    assert counted.fn == pairs.count((True, False))
    assert counted.fp == pairs.count((False, True))
    assert counted.tn == pairs.count((False, False))


@given(codes, st.permutations(range(4)), st.permutations(range(5)), st.integers(0, 4))
def test_a_part_of_the_table_is_what_the_whole_holds_there(rows, classes, clusters, most):
    classes, clusters, table = classes[:most], clusters[:most], table_of(rows)
    part = table.among(classes, clusters)
    np.testing.assert_array_equal(part, table.counts[np.ix_(classes, clusters)])


@given(codes, codes)
def test_two_halves_add_up_to_the_whole(first, second):
    whole, sum_ = table_of(first + second), table_of(first) + table_of(second)
    np.testing.assert_array_equal(whole.counts, sum_.counts)
    np.testing.assert_array_equal(whole.cells, sum_.cells)


@given(codes, st.randoms())
def test_the_order_of_rows_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    np.testing.assert_array_equal(table_of(rows).counts, table_of(shuffled).counts)


def test_counting_by_sorting_gives_what_counting_in_place_gives():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 4, (500, 2))
    wide = table_of(rows * [1, 1], classes=4, clusters=10**6)
    assert wide.counts[:, :5].tolist() == table_of(rows).counts.tolist()
