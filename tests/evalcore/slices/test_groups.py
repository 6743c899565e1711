"""Groups side by side: equal to fairlearn, by hand, and covered by their intervals."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fairlearn import metrics as fair
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_score, recall_score, roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import StandardScaler

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes
from evalcore.slices.columns import Column
from evalcore.slices.groups import IN, REST, evened, gaps_of, part, side_by_side
from tests.evalcore.slices.made import QUICK, measured

Data = tuple[np.ndarray, np.ndarray, np.ndarray]


def _predicted(features: Any, truth: Any, attribute: Any) -> Data:
    scaled = StandardScaler().fit_transform(features)
    model = LogisticRegression(max_iter=500)
    score = cross_val_predict(model, scaled, truth, cv=5, method="predict_proba")[:, 1]
    return truth, score, np.asarray(attribute)


def _diabetes() -> Data:
    features, target = load_diabetes(return_X_y=True, scaled=False)
    sex = np.where(features[:, 1] == 1, "one", "other")
    return _predicted(features, (target > np.median(target)).astype(int), sex)


def _breast_cancer() -> Data:
    features, truth = load_breast_cancer(return_X_y=True)
    texture = np.digitize(features[:, 1], np.quantile(features[:, 1], [1 / 3, 2 / 3]))
    return _predicted(features[:, 4:8], truth, np.array(["fine", "middle", "coarse"])[texture])


def _wine() -> Data:
    features, kind = load_wine(return_X_y=True)
    alcohol = np.digitize(features[:, 0], [12.5, 13, 13.5]).astype(str)
    return _predicted(features[:, 1:4], (kind == 1).astype(int), alcohol)


SETS: dict[str, Callable[[], Data]] = {
    "diabetes": _diabetes,
    "breast cancer": _breast_cancer,
    "wine": _wine,
}


def _rows(truth: Any, score: Any, **known: Any) -> BinaryOutcomes:
    return BinaryOutcomes(
        classes=("no", "yes"), truth=truth.astype(np.int8), score=score, probability=True, **known
    )


@pytest.mark.parametrize("name", SETS)
def test_gaps_and_rates_are_those_of_fairlearn(name: str):
    truth, score, group = SETS[name]()
    called = (score >= 0.5).astype(int)
    made = side_by_side(_rows(truth, score), called, Column.of("g", group), QUICK)
    theirs = {"y_true": truth, "y_pred": called, "sensitive_features": group}
    for kind in ("difference", "ratio"):
        for ours in ("demographic_parity", "equalized_odds", "equal_opportunity"):
            function = getattr(fair, f"{ours}_{kind}")
            assert made.gaps[f"{ours}_{kind}"].value == pytest.approx(function(**theirs)), ours
    rates = {
        "selection_rate": fair.selection_rate,
        "recall": recall_score,
        "fpr": fair.false_positive_rate,
        "precision": precision_score,
    }
    frame = fair.MetricFrame(metrics=rates, **theirs)
    for one in made.groups:
        for rate in rates:
            expected = frame.by_group.loc[one.condition.value, rate]
            assert one.rates[rate].value == pytest.approx(expected)
    assert made.gaps["predictive_parity_difference"].value == pytest.approx(
        frame.difference()["precision"]
    )
    of_recall = gaps_of(measured(_rows(truth, score), "recall"), Column.of("g", group), QUICK)
    assert of_recall["largest_difference"].value == pytest.approx(frame.difference()["recall"])
    assert of_recall["smallest_ratio"].value == pytest.approx(frame.ratio()["recall"])


def test_gaps_worked_by_hand():
    # Of group a 3 of 4 are called positive and 2 of 2 positives found; of b 1 of 4 and 1 of 2.
    truth = np.array([1, 1, 0, 0, 1, 1, 0, 0])
    called = np.array([1, 1, 1, 0, 1, 0, 0, 0])
    column = Column.of("g", np.repeat(["a", "b"], 4))
    made = side_by_side(_rows(truth, called * 0.8 + 0.1), called, column, QUICK)
    values = {name: one.value for name, one in made.gaps.items()}
    assert values["demographic_parity_difference"] == pytest.approx(0.5)
    assert values["demographic_parity_ratio"] == pytest.approx(1 / 3)
    assert values["equal_opportunity_difference"] == pytest.approx(0.5)
    assert values["equalized_odds_difference"] == pytest.approx(0.5)
    assert values["equalized_odds_ratio"] == 0.0
    # Probabilities 0.9, 0.9, 0.9, 0.1 of group a against a half that is positive.
    assert made.groups[0].rates["calibration"].value == pytest.approx(0.7 - 0.5)


def test_a_group_without_positives_takes_no_part_in_a_gap_of_recalls():
    truth = np.array([1, 1, 0, 0, 1, 0, 0, 0])
    called = np.array([1, 0, 1, 0, 1, 0, 0, 0])
    column = Column.of("g", np.repeat(["a", "b", "c", "d"], 2))
    made = side_by_side(_rows(truth, called * 0.8 + 0.1), called, column, QUICK)
    assert made.gaps["equal_opportunity_difference"].value == 0.5  # a one half, c all
    assert "no row is positive" in made.groups[1].rates["recall"].why
    alone = side_by_side(
        _rows(truth[:4], called[:4] * 0.8), called[:4], column.on(np.arange(1, 5)), QUICK
    )
    assert "fewer than two groups" in alone.gaps["equal_opportunity_difference"].why


def test_thresholds_per_group_even_the_rate_and_say_what_that_costs():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 2000)
    group = rng.choice(["a", "b"], 2000)
    score = np.clip(0.3 * truth + 0.15 * (group == "a") + 0.4 * rng.random(2000), 0, 1)
    rows, column = _rows(truth, score), Column.of("g", group)
    for rate in ("selection_rate", "recall", "fpr"):
        made = evened(rows, column, rate, QUICK)
        before, after = ([one.value for one in side.values()] for side in (made.before, made.after))
        assert np.ptp(after) < 0.01 < np.ptp(before)
        for name, at in made.thresholds.items():
            own = group == name.removeprefix("g = ")
            picked = own & (truth == {"recall": 1, "fpr": 0}.get(rate, truth))
            assert made.after[name].value == pytest.approx(np.mean(score[picked] >= at))
        moved = np.array([made.thresholds[f"g = {name}"] for name in group])
        assert made.changed == np.count_nonzero((score >= moved) != (score >= 0.5))
        assert made.accuracy_after.value == pytest.approx(np.mean((score >= moved) == truth))
        assert "chosen on these rows" in made.note


def test_thresholds_take_scores_and_a_rate():
    labels = BinaryOutcomes(
        classes=("no", "yes"), truth=np.array([0, 1], np.int8), label=np.array([0, 1], np.int8)
    )
    column = Column.of("g", np.array(["a", "b"]))
    with pytest.raises(EvalError, match="need scores"):
        evened(labels, column, "recall", QUICK)
    with pytest.raises(EvalError, match="precision"):
        evened(_rows(np.array([0, 1]), np.array([0.1, 0.9])), column, "precision", QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("rates", [(0.3, 0.3, 0.3), (0.2, 0.3, 0.5), (0.3, 0.32)])
def test_intervals_of_gaps_hold_them(rates: tuple[float, ...]):
    rng = np.random.default_rng(1)
    true = {"difference": max(rates) - min(rates), "ratio": min(rates) / max(rates)}
    held = dict.fromkeys(true, 0)
    files = 200
    for _ in range(files):
        group = rng.integers(0, len(rates), 900)
        called = (rng.random(900) < np.array(rates)[group]).astype(int)
        truth = rng.integers(0, 2, 900)
        made = side_by_side(
            _rows(truth, called * 1.0),
            called,
            Column.of("g", group.astype(str)),
            Options(resamples=500),
        )
        for kind, gap in true.items():
            one = made.gaps[f"demographic_parity_{kind}"]
            held[kind] += one.low <= gap <= one.high
    assert min(held.values()) >= 0.92 * files, held


def test_a_slice_and_the_rest_are_scored_apart_and_evened_by_recall():
    rng = np.random.default_rng(0)
    truth = (rng.random(400) < 0.5).astype(np.int8)
    inside = rng.random(400) < 0.4
    score = np.clip(0.3 * truth + 0.7 * rng.random(400) - 0.2 * inside, 0, 1)
    rows = BinaryOutcomes(classes=("no", "yes"), truth=truth, score=score, probability=True)
    made = part(rows, inside, QUICK)
    for name, mask in ((IN, inside), (REST, ~inside)):
        assert made.areas[name].value == pytest.approx(roc_auc_score(truth[mask], score[mask]))
        counts = made.tables[name].at(0.5)
        assert counts.tp == np.sum((score[mask] >= 0.5) & (truth[mask] == 1))
    target = np.mean(score[truth == 1] >= 0.5)
    assert made.evened.target == pytest.approx(target)
    for after in made.evened.after.values():
        assert after.value == pytest.approx(target, abs=0.02)
