import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evalcore.resampling.grouped import Resamples
from evalcore.resampling.ordered_bootstrap import drawn_medians, drawn_rank_correlations

few = arrays(np.float64, 9, elements=st.integers(-3, 3))


def draws(n, weight=None, times=20):
    return Resamples.of(n, weight, np.random.default_rng(0), times)


def rows_of(made):
    """The rows of each draw, one after the other."""
    row = np.arange(len(made.group)) if made.row is None else made.row
    return [np.repeat(row, times[made.group].astype(int)) for times in made.times]


@given(few)
def test_medians_are_those_of_the_rows_drawn(values):
    made = draws(9)
    theirs = [np.median(values[rows]) for rows in rows_of(made)]
    assert drawn_medians(values, made) == pytest.approx(theirs)


@pytest.mark.filterwarnings("ignore:An input array is constant")
@given(few, few)
def test_correlations_of_ranks_are_scipys(truth, prediction):
    from scipy.stats import spearmanr

    made = draws(9)
    theirs = [spearmanr(truth[rows], prediction[rows]).statistic for rows in rows_of(made)]
    found = drawn_rank_correlations(truth, prediction, made)
    assert found == pytest.approx(theirs, nan_ok=True)


def test_a_weight_of_two_is_a_row_twice():
    values = np.array([5.0, 1.0, 7.0])
    made = draws(3, weight=np.array([2.0, 1.0, 0.0]))
    theirs = [np.median(values[rows]) for rows in rows_of(made)]
    assert drawn_medians(values, made).tolist() == theirs
    assert 7.0 not in theirs
