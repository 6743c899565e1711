"""Letters, mean ranks and means: what the pages between models show."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.compare import conclude
from evalcore.comparison.candidates import fold_means
from evalcore.comparison.from_folds import from_folds, ranked
from evalcore.metrics.metric import Better
from evalcore.predictions import FoldScores


def scores_of(score, metric="accuracy", **others):
    score = np.asarray(score, dtype=float)
    return FoldScores(
        metric=metric,
        models=tuple("ABCDEFGHIJ"[: len(score)]),
        score=score,
        fold=tuple(str(k + 1) for k in range(score.shape[1])),
        **others,
    )


def made(shifts, folds=12, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    easy = rng.normal(0.7, 0.05, folds)
    return scores_of([easy + shift + noise * rng.normal(size=folds) for shift in shifts])


@pytest.mark.parametrize("seed", range(4))
def test_two_models_share_a_letter_just_where_no_test_tells_them_apart(seed):
    found = conclude(from_folds(made([0, 0.005, 0.015, 0.02, 0.06], seed=seed)))
    shown = found.verdict.letters
    names = list(shown)
    for one in names:
        assert shown[one]
        for other in names[names.index(one) + 1 :]:
            run = names[names.index(one) : names.index(other) + 1]
            pairs = [(a, b) for k, a in enumerate(run) for b in run[k + 1 :]]
            apart = any(found.verdict.is_ahead(a, b) for a, b in pairs)
            assert bool(set(shown[one]) & set(shown[other])) is not apart


def test_letters_of_clear_cut_models_are_all_different():
    shown = conclude(from_folds(made([0, 0.1, 0.2], noise=0.002))).verdict.letters
    assert shown == {"C": "a", "B": "b", "A": "c"}


def test_identical_models_share_their_letter():
    score = [[0.7, 0.8, 0.6, 0.9], [0.7, 0.8, 0.6, 0.9]]
    assert conclude(from_folds(scores_of(score))).verdict.letters == {"A": "a", "B": "a"}


@pytest.mark.parametrize(
    ("shifts", "shown"),
    [
        ([0, 0.3, 0.3, 0.1], {"B": "a", "C": "a", "D": "", "A": ""}),
        ([0, 0.3, 0.2, 0.1], {"B": "a", "C": "", "D": "", "A": ""}),
    ],
)
def test_of_very_many_models_those_like_the_best_share_its_letter(shifts, shown, monkeypatch):
    monkeypatch.setattr(import_module("evalcore.compare"), "MOST_MODELS", 3)
    assert conclude(from_folds(made(shifts, noise=0.002))).verdict.letters == shown


def test_ranks_by_hand_with_a_tie():
    found = ranked(scores_of([[0.9, 0.5, 0.7], [0.8, 0.5, 0.6], [0.7, 0.9, 0.5]]))
    assert found.order == ("A", "B", "C")
    assert found.mean_ranks == pytest.approx([(1 + 2.5 + 1) / 3, 2.1666667, 7 / 3])
    assert found.places == {"1": (1, 2, 3), "2": (2.5, 2.5, 1), "3": (1, 2, 3)}
    assert (found.n, found.unit) == (3, "folds")


def test_of_an_error_the_lowest_ranks_first():
    found = ranked(scores_of([[3.0, 4.0], [1.0, 2.0]], metric="rmse"))
    assert found.order == ("B", "A")


def test_the_critical_difference_is_demsars():
    # Demsar (2006), table 5: four models need 2.569 of the standard error; on 14 data sets 1.25.
    found = ranked(scores_of(np.random.default_rng(0).random((4, 14))))
    assert found.critical_difference == pytest.approx(2.569 * np.sqrt(4 * 5 / (6 * 14)), abs=0.002)


def test_folds_come_in_the_order_of_their_numbers():
    assert list(ranked(scores_of(np.random.default_rng(0).random((2, 12)))).places)[-3:] == [
        "10",
        "11",
        "12",
    ]


@given(st.integers(2, 6), st.integers(2, 9), st.integers(0, 99))
def test_mean_ranks_have_a_fixed_mean_and_groups_hold_what_is_near(models, folds, seed):
    found = ranked(scores_of(np.random.default_rng(seed).random((models, folds))))
    assert np.mean(found.mean_ranks) == pytest.approx((models + 1) / 2)
    place = dict(zip(found.order, found.mean_ranks, strict=True))
    together = [{*group} for group in found.groups]
    for one in found.order:
        for other in found.order:
            near = abs(place[one] - place[other]) < found.critical_difference
            assert near is (one == other or any({one, other} <= group for group in together))


def test_means_leave_out_what_is_missing_and_folds_are_won_tied_or_lost():
    found = fold_means(scores_of([[0.5, 0.7, np.nan], [0.5, 0.9, 0.4]]), Better.HIGHER)
    assert (found["A"].mean, found["A"].folds) == (pytest.approx(0.6), 2)
    assert (found["A"].won, found["A"].tied, found["A"].lost) == (0, 1, 1)
    assert (found["B"].mean, found["B"].folds) == (pytest.approx(0.6), 3)
    assert (found["B"].won, found["B"].tied, found["B"].lost) == (2, 1, 0)
    lower = fold_means(scores_of([[0.5, 0.7]] * 1), Better.LOWER)
    assert (lower["A"].won, lower["A"].tied) == (2, 0)
    nothing = fold_means(scores_of([[np.nan], [0.4]]), Better.HIGHER)["A"]
    assert np.isnan([nothing.mean, nothing.deviation, nothing.error]).all()
