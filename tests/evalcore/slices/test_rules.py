"""Rules are written into an address and read back as they were."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalcore.predictions import Categories
from evalcore.slices.columns import Column, Condition, Range, chosen, parse, text_of, where_of

numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(min_size=1)
ranges = st.one_of(
    st.builds(Range, numbers, st.none()),
    st.builds(Range, st.none(), numbers),
    st.builds(Range, numbers, numbers),
)
conditions = st.builds(Condition, names, st.one_of(st.none(), st.text(), ranges))


@given(st.lists(conditions, max_size=3))
def test_any_rule_is_read_back_as_it_was_written(some: list[Condition]):
    assert parse(text_of(tuple(some))) == tuple(some)


def test_dates_are_written_as_dates():
    day = float(np.datetime64("2024-05-31", "s").astype(np.int64))
    rule = (Condition("when", Range(None, day, dated=True)),)
    assert text_of(rule) == "when < 2024-05-31"
    assert parse(text_of(rule)) == rule
    assert where_of(rule) == {"when": [None, "2024-05-31"]}


@pytest.mark.parametrize("text", ["region", "= west", "1 <= age >= 2", "age < old", "a = b = c"])
def test_what_is_no_rule_is_refused_with_the_ways_to_write_one(text: str):
    with pytest.raises(EvalError, match="18 <= column < 25"):
        parse(text)


def test_a_rule_read_back_holds_the_rows_that_its_slice_held():
    rng = np.random.default_rng(0)
    raw = {
        "age": np.where(rng.random(400) < 0.1, np.nan, rng.integers(16, 90, 400)),
        "when": np.datetime64("2024-01-01") + rng.integers(0, 300, 400),
        "stars": rng.integers(1, 6, 400),
        "region": Categories(("a; b", "west"), rng.integers(-1, 2, 400)),
        "word": np.array(["x", None, "y = z"], object)[rng.integers(0, 3, 400)],
    }
    for name, values in raw.items():
        column = Column.of(name, values)
        for level in range(len(column.spans)):
            rule = parse(text_of((column.condition(level),)))
            assert np.array_equal(chosen(rule, raw), column.mask(level)), text_of(rule)


def test_a_rule_about_no_column_or_about_ranges_of_labels_is_refused():
    raw = {"region": Categories(("west",), np.zeros(3, np.int64))}
    with pytest.raises(EvalError, match="no column"):
        chosen(parse("age < 3"), raw)
    with pytest.raises(EvalError, match="labels, not numbers"):
        chosen(parse("region < 3"), raw)
