import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from evalview.lab.growth import WAYS, balanced, evened, learning_curve, repeated, validation_curve
from evalview.lab.splits import TEST, Plan, Splits
from evalview.lab.training import (
    ASIDE_ROWS,
    SAMPLES,
    SCHEMES,
    Learner,
    Lesson,
    Material,
    Trials,
    divided,
    ends,
    fitting,
    kinds,
    lesson,
    losses,
    rare_class,
    run,
    trained,
    weighed,
)

NEAREST = Learner("nearest neighbours", 1)


def dealt(key: str = "patients") -> Lesson:
    return lesson(SAMPLES[key](), np.random.default_rng(0))


def by_hand(role, loss, kind="k-fold") -> Trials:
    role = np.array(role, dtype=np.int16)
    return Trials(Splits(kind, role, np.zeros(len(role))), np.array(loss, dtype=float))


@pytest.mark.parametrize("key", SAMPLES)
def test_rows_for_use_and_rows_aside_share_neither_row_nor_group(key):
    whole, made = SAMPLES[key](), dealt(key)
    assert made.rows.n + made.aside.n == whole.n
    assert made.rows.n <= min(120, whole.n // 2)
    if whole.group is not None:
        assert not set(made.rows.group) & set(made.aside.group)


def test_a_group_of_most_rows_is_dealt_whole():
    rows = Material("one", np.zeros((9, 1)), np.zeros(9), ("a",), np.zeros(9, dtype=np.int64))
    assert lesson(rows, np.random.default_rng(0)).rows.n == 9


def test_errors_of_rounds_by_hand():
    made = by_hand([[0, 0, 1, 1], [1, 1, 0, 0]], [[1, 0, 0, 0], [0, 1, 1, 1]])
    assert made.tested.tolist() == [0.5, 1.0]
    assert made.trained.tolist() == [0.0, 0.5]
    assert made.error == 0.75
    # As many rows test as train: 1 / 2 + 1 times the variance 1 / 8.
    assert made.standard_error == pytest.approx(np.sqrt(1.5 / 8))


def test_rows_drawn_twice_count_twice_in_training_error_and_those_left_out_alike():
    made = by_hand([[2, 1, 0], [0, 3, 0]], [[1, 0, 1], [0, 1, 0]], kind="bootstrap")
    assert made.trained == pytest.approx([2 / 3, 1])
    assert made.error == pytest.approx((0 + 0.5) / 2)
    assert np.isnan(made.interval().low)


def test_one_hold_out_without_an_error_has_wilsons_interval():
    made = by_hand([[0, 0, 0, 1]], [[0, 0, 0, 0]])
    assert float(made.interval().high) == pytest.approx(3.8415 / (3 + 3.8415), abs=1e-4)


@pytest.mark.parametrize("kind", kinds(dealt("tumours").rows))
def test_k_fold_gives_what_cross_val_score_gives(kind):
    from sklearn.model_selection import cross_val_score

    rows, learner = dealt("tumours").rows, Learner(kind)
    made = run(rows, learner, divided(rows, "stratified k-fold", Plan(folds=4)))
    cuts = [(made.splits.train(k), made.splits.test(k)) for k in range(4)]
    model = trained(learner, rows)
    theirs = cross_val_score(model, rows.features, rows.truth, cv=cuts)
    assert 1 - made.tested == pytest.approx(theirs)


@given(st.integers(2, 12), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_every_scheme_that_divides_tests_each_row_once(folds, seed):
    rows = dealt().rows
    for scheme in fitting(rows, folds):
        splits = divided(rows, scheme, Plan(folds=folds, seed=seed))
        if "fold" in scheme or scheme == "leave-one-out":
            assert (splits.tested == 1).all()
        if scheme == "group k-fold":
            for role in splits.role:
                assert not set(rows.group[role == TEST]) & set(rows.group[role > 0])


def test_schemes_that_rows_do_not_allow_are_not_offered():
    assert "stratified k-fold" not in fitting(dealt("illness").rows, 5)
    assert "group k-fold" not in fitting(dealt("flowers").rows, 5)
    assert set(fitting(dealt().rows, 5)) == set(SCHEMES)
    few = Material("few", np.zeros((6, 1)), np.array([0.0, 0, 0, 0, 0, 1]), ("a", "b"))
    assert "stratified k-fold" not in fitting(few, 5)


def test_visits_of_one_patient_on_both_sides_hide_the_error_and_groups_show_it():
    made = dealt()
    errors = {
        scheme: run(made.rows, NEAREST, divided(made.rows, scheme, Plan())).error
        for scheme in ("k-fold", "group k-fold")
    }
    known = ends(made, NEAREST)
    assert known.resubstitution == 0
    assert errors["k-fold"] < 0.1 < 0.3 < errors["group k-fold"]
    assert errors["group k-fold"] == pytest.approx(known.aside, abs=0.1)


def test_no_information_is_the_loss_over_all_pairs():
    made = dealt("illness")
    predicted = trained(NEAREST, made.rows).predict(made.rows.features)
    pairs = np.abs(predicted[:, np.newaxis] - made.rows.truth).mean()
    assert ends(made, NEAREST).no_information == pytest.approx(pairs)


def test_the_weighed_errors_lie_between_those_they_weigh():
    made, known = dealt("tumours"), ends(dealt("tumours"), NEAREST)
    trials = run(made.rows, NEAREST, divided(made.rows, "bootstrap", Plan()))
    told = weighed(trials, known)
    assert known.resubstitution < told.point632 < told.point632_plus < trials.error


def test_training_rows_of_one_class_train_a_model_that_says_it():
    rows = Material("one", np.zeros((3, 2)), np.ones(3), ("a", "b"))
    assert losses(trained(Learner("linear"), rows), rows).tolist() == [0, 0, 0]


def test_more_rows_help_and_a_deep_tree_learns_its_rows_by_heart():
    made = dealt("tumours")
    curve = learning_curve(made, Learner("linear"), np.random.default_rng(0), rounds=5)
    assert curve.at[[0, -1]].tolist() == [10, 96]
    assert curve.test.mean(axis=0)[-1] < curve.test.mean(axis=0)[0]
    depths = validation_curve(made, Learner(), (1, 15))
    assert depths.train.mean(axis=0)[1] == 0 < depths.train.mean(axis=0)[0]


def test_the_validation_curve_is_scikit_learns():
    from sklearn.model_selection import cross_val_score

    rows = dealt("flowers")
    made = validation_curve(rows, Learner(), (2,), folds=5)
    splits = divided(rows.rows, "k-fold", Plan(folds=5))
    cuts = [(splits.train(k), splits.test(k)) for k in range(5)]
    model = trained(Learner(dial=2), rows.rows)
    theirs = cross_val_score(model, rows.rows.features, rows.rows.truth, cv=cuts)
    assert 1 - made.test[:, 0] == pytest.approx(theirs)


@pytest.mark.parametrize("way", WAYS)
def test_evening_out_draws_only_rows_that_are_there(way):
    truth = np.repeat([0.0, 1.0], [9, 3])
    rows = evened(truth, way, np.random.default_rng(0))
    counts = np.bincount(truth[rows].astype(int))
    expected = {WAYS[0]: [9, 3], WAYS[2]: [3, 3]}.get(way, [9, 9])
    assert counts.tolist() == expected
    if way != WAYS[2]:
        assert set(rows) == set(range(12))


def test_copies_made_before_splitting_promise_what_other_rows_do_not_hold():
    made = repeated(NEAREST, np.random.default_rng(0), rounds=3)
    assert {len(found) for found in made.values()} == {3}
    for right, wrong in zip(made[WAYS[1]], made[WAYS[3]], strict=True):
        assert right.shared == 0
        assert wrong.shared == pytest.approx(0.5, abs=0.02)
        assert wrong.folds.auc - wrong.aside.auc > 0.25
        assert abs(right.folds.auc - right.aside.auc) < 0.15


def test_rates_of_the_folds_are_scikit_learns():
    from sklearn.metrics import precision_score, recall_score, roc_auc_score
    from sklearn.model_selection import cross_val_predict

    dealt = lesson(rare_class(np.random.default_rng(0), 900), np.random.default_rng(1), 300)
    made = balanced(dealt, NEAREST, WAYS[0], np.random.default_rng(2))
    seed = int(np.random.default_rng(2).integers(2**31))
    splits = divided(dealt.rows, "stratified k-fold", Plan(folds=5, seed=seed))
    cuts = [(splits.train(k), splits.test(k)) for k in range(5)]
    model, truth = trained(NEAREST, dealt.rows), dealt.rows.truth
    score = cross_val_predict(model, dealt.rows.features, truth, cv=cuts, method="predict_proba")[
        :, 1
    ]
    assert made.folds.auc == pytest.approx(roc_auc_score(truth, score))
    assert made.folds.precision == pytest.approx(precision_score(truth, score >= 0.5))
    assert made.folds.recall == pytest.approx(recall_score(truth, score >= 0.5))


def test_no_more_rows_are_kept_aside_than_tell_more():
    rows = Material("many", np.zeros((20_000, 1)), np.arange(20_000.0))
    made = lesson(rows, np.random.default_rng(0))
    assert made.aside.n == ASIDE_ROWS
    assert not set(made.rows.truth) & set(made.aside.truth)
