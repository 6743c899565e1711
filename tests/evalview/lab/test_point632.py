import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalview.lab.splits import Plan, Rows, errors_632, left_out_error, split

SHARE = st.floats(0, 1)


def test_without_overfitting_both_are_the_same():
    made = errors_632(train=0.2, left_out=0.2, no_information=0.5)
    assert made.overfitting == 0
    assert made.point632 == pytest.approx(0.2)
    assert made.point632_plus == pytest.approx(0.2)


def test_a_model_no_better_than_guessing_on_rows_left_out_gets_their_error_in_full():
    made = errors_632(train=0.0, left_out=0.5, no_information=0.5)
    assert made.point632 == pytest.approx(0.632 * 0.5, abs=1e-4)
    assert made.point632_plus == pytest.approx(0.5)


def test_an_error_beyond_guessing_counts_as_guessing():
    made = errors_632(train=0.0, left_out=0.7, no_information=0.5)
    assert (made.overfitting, made.point632_plus) == (1, 0.5)


@given(SHARE, SHARE, SHARE)
def test_the_estimate_lies_between_the_errors_that_it_weighs(train, left_out, guessing):
    made = errors_632(train, left_out, guessing)
    ends = sorted((train, left_out))
    assert ends[0] - 1e-12 <= made.point632 <= ends[1] + 1e-12
    assert 0 <= made.overfitting <= 1
    assert min(train, min(left_out, guessing)) - 1e-12 <= made.point632_plus <= ends[1] + 1e-12


def test_each_row_left_out_counts_alike_however_often():
    splits = split("bootstrap", Rows(30), Plan(repeats=40))
    losses = np.tile(np.arange(30.0), (40, 1))
    assert left_out_error(splits, losses) == pytest.approx(14.5)


def test_rows_that_trained_do_not_count():
    splits = split("bootstrap", Rows(30), Plan(repeats=40))
    losses = np.where(splits.role == 0, 0.25, np.nan)
    assert left_out_error(splits, losses) == pytest.approx(0.25)


def test_samples_that_leave_nothing_out_have_no_error():
    splits = split("leave-one-out", Rows(2), Plan())
    with pytest.raises(EvalError, match="No row was left out"):
        left_out_error(
            type(splits)("bootstrap", splits.role * 0 + 1, splits.repeat), np.ones((2, 2))
        )


def test_a_nearest_neighbour_on_noise_is_known_to_guess():
    rng = np.random.default_rng(0)
    x, truth = rng.normal(size=60), rng.integers(2, size=60)
    splits = split("bootstrap", Rows(60), Plan(repeats=30))
    losses = np.empty((30, 60))
    for place in range(30):
        train = splits.train(place)
        nearest = train[np.abs(x[:, np.newaxis] - x[train]).argmin(axis=1)]
        losses[place] = truth[nearest] != truth
    out = left_out_error(splits, losses)
    dealt_at_random = 2 * truth.mean() * (1 - truth.mean())
    made = errors_632(0.0, out, dealt_at_random)
    assert made.point632 < 0.4
    assert abs(made.point632_plus - 0.5) < abs(made.point632 - 0.5)
