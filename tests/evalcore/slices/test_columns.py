"""Columns of every kind become parts that have no row in common and are all rows together."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalcore.errors import EvalError
from evalcore.slices.columns import MOST_VALUES, Column, Range, crossed
from tests.evalcore.slices.made import binary, measured


def test_numbers_are_cut_into_fifths_with_the_lower_end_included():
    column = Column.of("age", np.arange(100.0))
    assert [part.ends for part in column.parts if isinstance(part, Range)] == [
        (None, 20), (20, 40), (40, 60), (60, 80), (80, None),
    ]  # fmt: skip
    assert np.bincount(column.codes).tolist() == [20] * 5
    assert column.condition(5).text == "age < 40"  # two fifths together are a slice, too


def test_ends_of_bins_are_the_readers_where_given():
    column = Column.of("age", np.array([17.0, 18.0, 24.9, 25.0, np.nan]), bins=[25, 18])
    assert column.codes.tolist() == [0, 1, 1, 2, 3]
    assert column.parts[1:] == (Range(18.0, 25.0), Range(25.0, None), None)


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        (np.array([1, 2, 2, 5]), ("1", "2", "5")),
        (np.array([True, False]), ("false", "true")),
        (np.array(["b", "a", "", None], object), ("a", "b", None)),
        (np.full(5, np.nan), (None,)),
        (np.full(5, 3.0), ("3",)),
        (np.array([None] * 3, object), (None,)),
    ],
)
def test_labels_and_few_numbers_are_slices_each(values: Any, parts: tuple[object, ...]):
    assert Column.of("c", values).parts == parts


def test_ids_are_refused_and_of_many_labels_the_frequent_ones_are_slices():
    with pytest.raises(EvalError, match="1,000 distinct values, none of them in 30 rows"):
        Column.of("id", np.array([f"u{place}" for place in range(1000)]))
    values = np.array(["often"] * 40 + [f"u{place}" for place in range(100)])
    column = Column.of("city", values)
    assert column.parts[:-1] == ("often",)
    assert (column.others, len(column.spans)) == (100, 1)
    assert len(Column.of("n", np.repeat([f"v{k}" for k in range(99)], 50)).spans) == MOST_VALUES


def test_cells_that_are_lists_are_refused():
    cells = np.empty(2, object)
    cells[:] = [[1], [2]]
    with pytest.raises(EvalError, match="not single values"):
        Column.of("c", cells)


values = st.one_of(
    st.lists(st.floats(width=32), min_size=1, max_size=60).map(np.array),
    st.lists(st.sampled_from(["a", "b", "", None, "<b>"]), min_size=1, max_size=60).map(
        lambda cells: np.array(cells, object)
    ),
)


@settings(max_examples=60, deadline=None)
@given(values, st.integers(0, 10**6), st.booleans())
def test_the_slices_of_a_column_add_up_to_all_rows(cells: Any, seed: int, weighted: bool):
    n = len(cells)
    rng = np.random.default_rng(seed)
    weight = rng.integers(0, 4, n).astype(float) + 1 if weighted else None
    column, other = Column.of("c", cells), Column.of("d", rng.integers(0, 3, n))
    assert (column.codes >= 0).all()
    assert column.codes.max() < len(column.parts)
    for key in ("accuracy", "roc_auc", "brier"):
        terms = measured(binary(n, seed, weight=weight), key).terms
        whole = terms.sums(np.zeros(n, np.int8), 1)[0]
        alone = terms.sums(column.codes, len(column.parts)).sum(axis=0)
        pairs = terms.sums(crossed(column, other), len(column.parts) * len(other.parts))
        if key == "brier":
            np.testing.assert_allclose(alone, whole, rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(pairs.sum(axis=0), whole, rtol=1e-9, atol=1e-9)
        else:
            assert np.array_equal(alone, whole)
            assert np.array_equal(pairs.sum(axis=0), whole)
