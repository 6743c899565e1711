import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.model_selection import StratifiedKFold

from evalcore.errors import EvalError
from evalview.lab.splits import KINDS, TEST, UNUSED, Plan, Rows, split

STRATUM = np.repeat([0, 1], [24, 12])
GROUP = np.arange(36) // 3
ROWS = Rows(36, STRATUM, GROUP)


@pytest.mark.parametrize("kind", KINDS)
def test_every_split_has_rows_that_train_and_rows_that_test(kind):
    made = split(kind, ROWS, Plan(folds=4))
    assert made.role.shape[1] == 36
    for place in range(len(made.role)):
        train, test = made.train(place), made.test(place)
        assert len(train)
        assert len(test)
        assert not set(train) & set(test)


@pytest.mark.parametrize("kind", ["k-fold", "stratified k-fold", "group k-fold", "leave-one-out"])
def test_every_row_tests_once_in_each_repeat(kind):
    made = split(kind, ROWS, Plan(folds=4, repeats=2))
    assert (made.tested == 2).all()
    assert np.bincount(made.repeat).tolist() == [len(made.role) // 2] * 2
    assert not (made.role == UNUSED).any()


def test_stratified_folds_hold_each_class_in_its_share():
    made = split("stratified k-fold", ROWS, Plan(folds=4))
    for place in range(4):
        assert np.bincount(STRATUM[made.test(place)]).tolist() == [6, 3]
    held = split("stratified hold-out", ROWS, Plan(test_share=0.25))
    assert np.bincount(STRATUM[held.test(0)]).tolist() == [6, 3]


def test_stratified_folds_are_those_of_scikit_learn():
    made = split("stratified k-fold", ROWS, Plan(folds=4, seed=3))
    seed = int(np.random.default_rng([3, 0]).integers(2**31))
    theirs = StratifiedKFold(4, shuffle=True, random_state=seed).split(STRATUM, STRATUM)
    for place, (_, test) in enumerate(theirs):
        assert made.test(place).tolist() == test.tolist()


def test_groups_are_never_torn_apart():
    made = split("group k-fold", ROWS, Plan(folds=4))
    for place in range(4):
        assert not set(GROUP[made.train(place)]) & set(GROUP[made.test(place)])


def test_a_bootstrap_sample_has_as_many_rows_and_leaves_out_a_third_or_so():
    made = split("bootstrap", Rows(2000), Plan(repeats=5))
    for place in range(5):
        assert len(made.train(place)) == 2000
        assert len(made.test(place)) / 2000 == pytest.approx(np.exp(-1), abs=0.04)


def test_a_hold_out_can_be_repeated():
    made = split("hold-out", Rows(20), Plan(test_share=0.2, repeats=3))
    assert [(made.role[k] == TEST).sum() for k in range(3)] == [4, 4, 4]
    assert len(np.unique(made.role, axis=0)) == 3


@given(st.integers(2, 40), st.integers(0, 5))
def test_the_same_seed_gives_the_same_split(n, seed):
    one, other = (split("bootstrap", Rows(n), Plan(seed=seed, repeats=2)) for _ in range(2))
    np.testing.assert_array_equal(one.role, other.role)


@pytest.mark.parametrize(
    ("kind", "rows", "plan", "code"),
    [
        ("jackknife", ROWS, Plan(), "no-such-split"),
        ("k-fold", Rows(1), Plan(), "too-few-rows"),
        ("k-fold", Rows(5), Plan(folds=6), "too-few-rows"),
        ("stratified k-fold", Rows(9), Plan(folds=3), "no-strata"),
        ("group k-fold", Rows(9), Plan(folds=3), "no-strata"),
        ("leave-one-out", Rows(50_000), Plan(), "too-many-splits"),
    ],
)
def test_what_cannot_be_divided_is_an_error_in_a_sentence(kind, rows, plan, code):
    with pytest.raises(EvalError) as caught:
        split(kind, rows, plan)
    assert caught.value.code == code
