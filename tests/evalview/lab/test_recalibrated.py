import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.special import expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from evalcore.metrics.recalibration import (
    HOTTEST,
    METHODS,
    CalibrationLine,
    isotonic,
    platt,
    sharpness,
    temperature,
)
from evalcore.options import Options
from evalcore.tables.scores import ScoreTable
from evalview.lab import recalibration
from evalview.lab.recalibration import fold_codes, fold_tables, judged, recalibrate, together

QUICK = Options(resamples=200)


def overconfident(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the truth and probabilities whose log odds are twice as large as they should be."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, 1.2, n)
    truth = (rng.random(n) < expit(odds)).astype(np.int8)
    return truth, np.asarray(expit(2 * odds))


def test_platt_is_unpenalised_logistic_regression() -> None:
    truth, score = overconfident(500)
    odds = logit(score)[:, np.newaxis]
    theirs = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(odds, truth)
    mine = platt(ScoreTable.from_scores(truth, score))(score)
    np.testing.assert_allclose(mine, theirs.predict_proba(odds)[:, 1], atol=1e-5)


def test_temperature_is_that_line_through_the_middle() -> None:
    truth, score = overconfident(500)
    odds = logit(score)[:, np.newaxis]
    line = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(odds, truth)
    mine = temperature(ScoreTable.from_scores(truth, score))(score)
    np.testing.assert_allclose(mine, line.predict_proba(odds)[:, 1], atol=1e-5)
    assert line.coef_[0, 0] == pytest.approx(0.5, abs=0.2)


def test_isotonic_is_that_of_scikit_learn_between_its_points_too() -> None:
    truth, score = overconfident(200)
    other = np.linspace(0, 1, 99)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(score, truth).predict(other)
    mine = isotonic(ScoreTable.from_scores(truth, score))(other)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_out_of_fold_by_rows() -> None:
    truth, score = overconfident(300)
    fold = fold_codes(truth, np.random.default_rng(0))
    made = recalibrate(fold_tables(truth, score, fold), QUICK)["isotonic"]
    said = np.empty(300)
    for k in range(5):
        fit = IsotonicRegression(out_of_bounds="clip").fit(score[fold != k], truth[fold != k])
        said[fold == k] = fit.predict(score[fold == k])
    after = brier_score_loss(truth, said)
    assert made.estimates["brier"].value == pytest.approx(after)
    gap = (score - truth) ** 2 - (said - truth) ** 2
    saved = made.saved["brier"]
    assert saved.value == pytest.approx(gap.mean())
    assert saved.high - saved.value == pytest.approx(1.959964 * gap.std(ddof=1) / 300**0.5)


def test_very_many_probabilities_in_groups_give_what_each_by_itself_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    truth, score = overconfident(40_000)
    folds = fold_tables(truth, score, fold_codes(truth, np.random.default_rng(0)))
    exact = recalibrate(folds, QUICK)
    monkeypatch.setattr(recalibration, "MOST_SCORES", 10_000)
    monkeypatch.setattr(recalibration, "CELLS", 5_000)
    for name, made in recalibrate(folds, QUICK).items():
        whole = made.table
        assert whole is not None
        assert len(whole.threshold) < 5_000 * 5
        assert (whole.positives, whole.negatives) == (truth.sum(), (1 - truth).sum())
        assert 0 < made.moved < 0.002
        assert exact[name].moved == 0
        # A step of the isotonic fit lies at the mean of its group, in whose width it may be off.
        near = 5e-4 if name == "isotonic" else 5e-6
        for key in ("brier", "log_loss"):
            mine, theirs = made.estimates[key], exact[name].estimates[key]
            assert mine.value == pytest.approx(theirs.value, abs=near)
        saved = made.saved["brier"]
        assert saved.value == pytest.approx(exact[name].saved["brier"].value, abs=near)


def test_no_probability_is_moved_farther_than_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    truth, score = overconfident(5_000)
    folds = fold_tables(truth, score, fold_codes(truth, np.random.default_rng(0)))
    monkeypatch.setattr(recalibration, "MOST_SCORES", 1_000)
    monkeypatch.setattr(recalibration, "CELLS", 400)
    monkeypatch.setattr(recalibration, "METHODS", {"as given": lambda _: lambda given: given})
    made = recalibrate(folds, QUICK)["as given"]
    assert made.table is not None
    given = np.repeat(made.table.threshold, np.diff(made.table.tp + made.table.fp, prepend=0))
    gaps = np.abs(given - np.sort(score)[::-1])
    assert gaps.max() == pytest.approx(made.moved, rel=1e-12)
    assert given.mean() == pytest.approx(score.mean(), rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_overconfident_probabilities_get_better(method: str) -> None:
    folds = fold_tables(*overconfident(4000), np.arange(4000) % 5)
    made = recalibrate(folds, QUICK)[method]
    assert made.saved["brier"].low > 0
    assert made.estimates["ece"].value < judged(together(folds), QUICK)["ece"].value / 2


def test_true_probabilities_are_not_made_better() -> None:
    rng = np.random.default_rng(1)
    p = rng.random(2000)
    truth = (rng.random(2000) < p).astype(np.int8)
    folds = fold_tables(truth, p, fold_codes(truth, rng))
    for method in METHODS:
        saved = recalibrate(folds, QUICK)[method].saved["brier"]
        assert saved.low < 0 < saved.high + 0.001


def test_no_fit_is_undefined_with_its_reason() -> None:
    apart = np.array([0.9, 0.8, 0.7, 0.3, 0.2, 0.1])
    truth = (apart > 0.5).astype(np.int8)
    folds = fold_tables(truth, apart, np.array([0, 1, 2, 0, 1, 2]))
    made = recalibrate(folds, QUICK)["platt"]
    assert made.table is None
    assert "without error" in made.estimates["brier"].why
    assert not made.saved["log_loss"].defined


def test_an_infinite_loss_has_no_difference() -> None:
    score, truth = np.array([0.0, 0.2, 0.6, 0.9]), np.array([1, 0, 1, 0], np.int8)
    made = recalibrate(fold_tables(truth, score, np.array([0, 0, 1, 1])), QUICK)["isotonic"]
    assert made.saved["log_loss"].why == "a loss is infinite"


def test_folds_hold_each_class_evenly_and_rows_without_one_are_left_out() -> None:
    truth = (np.arange(100) < 23).astype(np.int8)
    fold = fold_codes(truth, np.random.default_rng(0))
    assert set(np.bincount(fold[truth == 1]).tolist()) <= {4, 5}
    fold[:10] = -1
    assert sum(part.n for part in fold_tables(truth, np.linspace(0, 1, 100), fold)) == 90


def test_a_table_less_a_part_of_it_is_the_other_part() -> None:
    truth, score = overconfident(60)
    score = np.round(score, 1)
    one, two = fold_tables(truth, score, np.arange(60) % 2)
    rest = (one + two) - one
    np.testing.assert_array_equal(rest.threshold, two.threshold)
    np.testing.assert_array_equal(rest.tp, two.tp)
    np.testing.assert_array_equal(rest.fp, two.fp)


def test_log_odds_three_times_too_large_have_a_line_too() -> None:
    rng = np.random.default_rng(0)
    odds = rng.normal(0, 1.2, 1500)
    truth = (rng.random(1500) < expit(odds)).astype(np.int8)
    line = CalibrationLine.from_scores(ScoreTable.from_scores(truth, expit(3 * odds)))
    fitted = LogisticRegression(C=np.inf, tol=1e-10).fit(3 * odds[:, np.newaxis], truth)
    assert line.slope[0] == pytest.approx(fitted.coef_[0, 0], rel=1e-5)
    assert line.intercept[0] == pytest.approx(fitted.intercept_[0], abs=1e-5)


def test_a_temperature_stays_above_0_where_probabilities_run_backwards() -> None:
    truth, score = overconfident(500)
    backwards = 1 - score
    table = ScoreTable.from_scores(truth, backwards)
    assert sharpness(table)[0] < 0
    mapped = temperature(table)(backwards)
    np.testing.assert_allclose(logit(mapped), logit(backwards) / HOTTEST, rtol=1e-6)
    assert (np.diff(mapped[np.argsort(backwards)]) >= 0).all()
    assert np.abs(mapped - 0.5).max() < 0.01


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=2, max_size=30))
def test_neither_a_temperature_nor_a_rising_line_turns_an_order(rows: list) -> None:
    score, truth = (np.array(column) for column in zip(*rows, strict=True))
    table = ScoreTable.from_scores(truth.astype(np.int8), score)
    for fit in (temperature, isotonic):
        mapped = fit(table)(np.sort(score))
        assert np.isnan(mapped).all() or (np.diff(mapped) >= 0).all()
