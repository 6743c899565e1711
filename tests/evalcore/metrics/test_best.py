import math

from hypothesis import given
from hypothesis import strategies as st

from evalcore.metrics.best import Standing, standings
from evalcore.metrics.spec import Better, Estimate

BEST, UNCLEAR, BEHIND = Standing.BEST, Standing.UNCLEAR, Standing.BEHIND


def around(value, room=0.02):
    return Estimate(value, value - room, value + room, "bootstrap", 0.95)


def test_what_is_infinitely_bad_is_never_the_best():
    losses = {"a": Estimate(math.inf, why="x"), "b": Estimate(math.inf, why="x")}
    assert set(standings(losses, Better.LOWER).values()) == {BEHIND}
    found = standings({**losses, "c": Estimate(9.0, 8.0, 10.0)}, Better.LOWER)
    assert found == {"a": BEHIND, "b": BEHIND, "c": UNCLEAR}
    odds = {"a": Estimate(math.inf, why="x"), "b": Estimate(9.0, 8.0, 10.0)}
    assert standings(odds, Better.HIGHER)["a"] is UNCLEAR


def test_only_a_test_makes_a_value_the_best():
    estimates = {"a": around(0.8), "b": around(0.9), "c": around(0.7)}
    assert standings(estimates, Better.HIGHER) == {"a": BEHIND, "b": UNCLEAR, "c": BEHIND}
    surely = standings(estimates, Better.HIGHER, surely="b")
    assert surely == {"a": BEHIND, "b": BEST, "c": BEHIND}


def test_a_winner_on_the_same_rows_is_the_best_though_intervals_overlap():
    estimates = {"a": around(0.89), "b": around(0.9)}
    assert standings(estimates, Better.HIGHER, surely="b") == {"a": BEHIND, "b": BEST}


def test_a_winner_that_is_not_among_the_estimates_changes_nothing():
    estimates = {"a": around(0.2), "b": around(0.9)}
    assert standings(estimates, Better.HIGHER, surely="z") == {"a": BEHIND, "b": UNCLEAR}


def test_no_value_is_the_best_where_intervals_overlap():
    found = standings({"a": around(0.8), "b": around(0.83), "c": around(0.5)}, Better.HIGHER)
    assert found == {"a": UNCLEAR, "b": UNCLEAR, "c": BEHIND}


def test_lower_can_be_better():
    found = standings({"a": around(0.2), "b": around(0.4)}, Better.LOWER)
    assert found == {"a": UNCLEAR, "b": BEHIND}


def test_nothing_is_the_best_where_neither_direction_is_good():
    assert standings({"a": around(0.2)}, Better.NEITHER) == {"a": BEHIND}


def test_what_is_undefined_is_behind():
    found = standings(
        {"a": Estimate(float("nan"), why="one class"), "b": around(0.4)}, Better.HIGHER
    )
    assert found == {"a": BEHIND, "b": UNCLEAR}


def test_an_infinite_loss_is_behind_a_finite_one():
    found = standings({"a": Estimate(float("inf")), "b": around(0.4)}, Better.LOWER)
    assert found == {"a": BEHIND, "b": UNCLEAR}


def test_equal_values_without_intervals_share_the_place():
    assert set(standings({"a": Estimate(1.0), "b": Estimate(1.0)}, Better.HIGHER).values()) == {
        UNCLEAR
    }


def test_no_estimates_have_no_standings():
    assert standings({}, Better.HIGHER) == {}


@given(
    st.dictionaries(
        st.text(max_size=3),
        st.tuples(st.floats(-10, 10), st.floats(0, 3)).map(lambda pair: around(*pair)),
        min_size=1,
    ),
    st.sampled_from([Better.HIGHER, Better.LOWER]),
)
def test_the_best_value_is_always_among_those_that_may_be_the_best(estimates, better):
    found = standings(estimates, better)
    choose = max if better is Better.HIGHER else min
    best = choose(estimates, key=lambda name: estimates[name].value)
    assert found[best] is UNCLEAR
    assert BEST not in found.values()
