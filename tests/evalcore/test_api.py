"""What `import evalcore` offers a person: names, numbers, and answers to bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sklearn.metrics as theirs
from sklearn.metrics import silhouette_score

import evalcore as ec

ROOT = Path(__file__).parents[2]
PUBLIC = [
    "read",
    "evaluate",
    "compare",
    "slices",
    "shift",
    "over_time",
    "counts",
    "add",
    "metric",
    "metrics",
    "estimate",
    "difference",
    "confusion_matrix",
    "roc_curve",
    "precision_recall_curve",
    "calibration_curve",
    "cost_curve",
    "decision_curve",
    "silhouette",
    "Options",
    "EvalError",
    "__version__",
]

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 300)
SCORE = np.clip(RNG.normal(0.35 + 0.3 * TRUTH, 0.2), 0.001, 0.999)
OTHER = np.clip(RNG.normal(0.4 + 0.2 * TRUTH, 0.2), 0.001, 0.999)
LABEL = (SCORE >= 0.5).astype(int)
AUC = theirs.roc_auc_score(TRUTH, SCORE)


def auc(truth: object, score: object = SCORE, **options: object) -> float:
    return ec.metric("roc_auc")(truth, score, **options)


def refused(match: str, *columns: object, key: str = "roc_auc", **options: object) -> ec.EvalError:
    with pytest.raises(ec.EvalError, match=match) as caught:
        ec.metric(key)(*columns, **options)
    return caught.value


def test_its_names_are_those_of_the_documentation_and_no_others() -> None:
    assert dir(ec) == sorted(PUBLIC)
    assert all(getattr(ec, name) is not None for name in PUBLIC)


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'accuracy'"):
        _ = ec.accuracy


def test_functions_stay_functions_though_modules_are_called_alike() -> None:
    import evalcore.compare
    import evalcore.evaluate
    import evalcore.metrics.catalog  # noqa: F401

    assert callable(ec.metrics)
    assert callable(ec.evaluate)
    assert callable(ec.compare)


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_import_is_quick_and_leaves_the_rest_for_later() -> None:
    code = (
        "import sys, time; begin = time.process_time(); import evalcore; "
        "print(time.process_time() - begin, *set('plotly streamlit pyarrow pandas scipy sklearn "
        "numpy'.split()) & set(sys.modules))"
    )
    seconds, *loaded = run(code).split()
    assert float(seconds) < 0.3
    assert not loaded


def test_a_metric_of_columns_takes_neither_readers_nor_an_interface() -> None:
    code = (
        "import sys, evalcore; evalcore.metric('roc_auc')([0, 1], [0.1, 0.2]); "
        "others = set('plotly streamlit pyarrow evalread pages evalboard'.split()); "
        "print(*others & set(sys.modules))"
    )
    assert run(code).split() == []


def test_strict_type_checkers_understand_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import evalcore as ec\n"
        "auc: float = ec.metric('roc_auc')([0, 1], [0.1, 0.2])\n"
        "made = ec.estimate('roc_auc', [0, 1], [0.1, 0.2], level=0.9)\n"
        "low: float | None = made.low\n"
        "p: float = ec.difference('roc_auc', [0, 1], [0.1, 0.2], [0.2, 0.1]).p_value\n"
        "names: list[str] = [metric.name for metric in ec.metrics()]\n"
        "area: float = ec.roc_curve([0, 1], [0.1, 0.2]).area\n"
        "summary: str = ec.compare('p.csv', options=ec.Options()).summary\n"
        "dataset = ec.read('p.csv', truth='y')\n"
        "models: list[str] = list(ec.evaluate(dataset).models)\n"
        "version: str = ec.__version__\n"
        "try:\n    ec.silhouette([[1.0]], [0])\nexcept ec.EvalError as error:\n"
        "    code: str = error.code\n"
        "wrong: int = ec.estimate('roc_auc', [0, 1], [0.1, 0.2]).method  # type: ignore\n"
    )
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("roc_auc", AUC),
        ("average_precision", theirs.average_precision_score(TRUTH, SCORE)),
        ("brier", theirs.brier_score_loss(TRUTH, SCORE)),
        ("log_loss", theirs.log_loss(TRUTH, SCORE)),
    ],
)
def test_scores_are_judged_as_scikit_learn_does(key: str, expected: float) -> None:
    assert ec.metric(key)(TRUTH, SCORE) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("key", "theirs_"),
    [
        ("accuracy", theirs.accuracy_score),
        ("f1", theirs.f1_score),
        ("recall", theirs.recall_score),
        ("mcc", theirs.matthews_corrcoef),
        ("f_beta(3)", lambda truth, said: theirs.fbeta_score(truth, said, beta=3)),
    ],
)
def test_labels_are_judged_as_scikit_learn_does(key: str, theirs_) -> None:
    assert ec.metric(key)(TRUTH, LABEL) == pytest.approx(theirs_(TRUTH, LABEL))


def test_several_classes_are_judged_as_scikit_learn_does() -> None:
    rng = np.random.default_rng(1)
    truth = rng.choice(["cat", "dog", "eel"], 200)
    chances = rng.dirichlet(np.ones(3), 200) + 2 * (truth[:, np.newaxis] == ["cat", "dog", "eel"])
    chances /= chances.sum(axis=1, keepdims=True)
    said = np.array(["cat", "dog", "eel"])[chances.argmax(axis=1)]
    kappa = theirs.cohen_kappa_score(truth, said)
    assert ec.metric("cohen_kappa")(truth, said) == pytest.approx(kappa)
    area = theirs.roc_auc_score(truth, chances, multi_class="ovr", average="macro")
    assert ec.metric("roc_auc_ovr_macro")(truth, chances) == pytest.approx(area)
    assert ec.metric("log_loss")(truth, chances) == pytest.approx(theirs.log_loss(truth, chances))


def test_columns_of_a_frame_of_probabilities_are_known_by_their_class() -> None:
    truth = ["cat", "dog", "eel"]
    frame = pd.DataFrame(np.eye(3), columns=["cat", "dog", "eel"])[["eel", "cat", "dog"]]
    assert ec.metric("top_k_accuracy(1)")(truth, frame) == 1


def test_predicted_numbers_are_judged_as_scikit_learn_does() -> None:
    truth, said = SCORE * 10, OTHER * 10
    expected = theirs.mean_squared_error(truth, said)
    assert ec.metric("mse")(truth, said) == pytest.approx(expected)
    assert ec.metric("r2")(truth, said) == pytest.approx(theirs.r2_score(truth, said))


def test_clusters_are_judged_as_scikit_learn_does() -> None:
    rng = np.random.default_rng(2)
    truth, found = rng.integers(0, 3, 80), rng.integers(0, 4, 80)
    features = rng.normal(size=(80, 2)) + truth[:, np.newaxis]
    ari = theirs.adjusted_rand_score(truth, found)
    assert ec.metric("adjusted_rand_index")(truth, found) == pytest.approx(ari)
    width = silhouette_score(features, truth)
    assert ec.metric("silhouette")(features, truth) == pytest.approx(width)
    assert ec.silhouette(features, truth).mean == pytest.approx(width)


def test_a_weight_counts_as_so_many_rows() -> None:
    times = np.arange(300) % 3
    repeated = auc(np.repeat(TRUTH, times), np.repeat(SCORE, times))
    assert auc(TRUTH, weights=times) == pytest.approx(repeated)
    assert ec.metric("accuracy")([1, 0, 1], [1, 1, 0], weights=[2, 1, 1]) == 0.5


def test_where_a_metric_is_undefined_it_is_nan_and_says_why() -> None:
    assert np.isnan(auc([0, 0, 0], [0.1, 0.2, 0.3]))
    made = ec.estimate("precision", [0, 1, 1], [0, 0, 0])
    assert np.isnan(made.value)
    assert made.why == "no row is called positive"


def test_swapped_arguments_are_refused() -> None:
    error = refused("seem to have changed places. The truth comes first", SCORE, TRUTH)
    assert error.code == "swapped"
    refused("two classes.*The truth comes first", SCORE, OTHER)
    refused("no labels. The truth comes first", SCORE, LABEL, key="accuracy")
    refused("score must be numbers.*The truth comes first", [0, 1], ["no", "yes"])


def test_decisions_are_no_scores_and_scores_no_decisions() -> None:
    refused("True and False, which are decisions", TRUTH, SCORE >= 0.5)
    refused("decide first, such as by `score >= 0.5`", TRUTH, SCORE, key="f1")


def test_a_missing_number_is_refused_by_its_row() -> None:
    error = refused("The score is missing in 2 rows", [0, 1, 1, 0], [0.1, np.nan, 0.3, np.nan])
    assert error.rows == (2, 4)
    refused("truth is missing in 1 row", [0, np.nan, 1.0], [0.1, 0.2, 0.3])


def test_an_infinite_number_is_refused_by_its_row() -> None:
    assert refused("infinite in 1 row", [0, 1, 1], [0.1, np.inf, 0.3]).rows == (2,)
    assert refused("infinite in 1 row", [0.0, -np.inf, 1], [1, 2, 3], key="mae").rows == (2,)


def test_none_is_refused_as_a_cell_and_as_a_column() -> None:
    assert refused("missing in 1 row", [0, None, 1], [0.1, 0.2, 0.3]).rows == (2,)
    refused("score must be a column of values, not None", [0, 1], None)


@pytest.mark.parametrize("key", ["roc_auc", "accuracy", "mae", "adjusted_rand_index"])
def test_columns_of_different_lengths_are_refused(key: str) -> None:
    refused("3.* 2|2.* 3", [0, 1, 1], [0, 1], key=key)


@pytest.mark.parametrize("key", ["roc_auc", "accuracy", "mae", "brier"])
def test_columns_without_rows_are_refused(key: str) -> None:
    assert refused("no row", [], [], key=key).code == "no-rows"
    assert refused("no row", [], [], key=key, positive="yes").code == "no-rows"


def test_three_classes_are_refused_where_two_are_due() -> None:
    error = refused("must hold two classes", ["a", "b", "c"], [0.1, 0.2, 0.3])
    assert error.code == "not-binary"
    advice = refused(
        "For one class against the rest", ["a", "b", "c"], ["a", "b", "b"], key="recall"
    )
    assert 'estimate("recall", truth == "a", prediction == "a")' in str(advice)
    truth, said = np.array(["a", "b", "c"]), np.array(["a", "b", "b"])
    assert ec.estimate("recall", truth == "a", said == "a").value == 1


def test_one_class_alone_is_understood_by_what_it_is_called() -> None:
    assert ec.metric("accuracy")([1, 1], [1, 0]) == 0.5
    assert ec.metric("recall")(["yes", "yes"], ["yes", "yes"]) == 1
    assert np.isnan(auc(["yes", "yes"], [0.1, 0.2]))


@pytest.mark.parametrize(
    ("coded", "positive"),
    [
        (TRUTH, 1),
        (TRUTH.astype(float), 1),
        (TRUTH.astype(bool), True),
        (2 * TRUTH - 1, 1),
        (np.where(TRUTH, "yes", "no"), "yes"),
        (np.where(TRUTH, "malignant", "benign"), "malignant"),
        (np.where(TRUTH, "1", "0").astype(object), "1"),
    ],
    ids=["0/1", "0.0/1.0", "booleans", "-1/1", "yes/no", "words", "text 0/1"],
)
def test_the_plain_positive_class_is_found_and_can_be_named(coded, positive: object) -> None:
    assert auc(coded) == pytest.approx(AUC)
    assert auc(list(coded)) == pytest.approx(AUC)
    assert auc(coded, positive=positive) == pytest.approx(AUC)


def test_which_of_one_and_two_is_positive_must_be_named() -> None:
    refused('Which of "1", "2" is the positive class', 2 - TRUTH, SCORE)
    assert auc(2 - TRUTH, positive=1) == pytest.approx(AUC)
    assert auc(1 + TRUTH, positive=2) == pytest.approx(AUC)


def test_a_positive_class_that_is_not_plain_must_be_named() -> None:
    animals = np.where(TRUTH, "dog", "cat")
    error = refused('Which of "cat", "dog" is the positive class', animals, SCORE)
    assert [offer.value for offer in error.offers] == ["cat", "dog"]
    assert auc(animals, positive="dog") == pytest.approx(AUC)
    assert auc(animals, positive="cat") == pytest.approx(1 - AUC)
    refused('no class "eel"; there are "cat" and "dog"', animals, SCORE, positive="eel")


def test_what_treats_both_classes_alike_asks_for_no_positive_one() -> None:
    assert ec.metric("accuracy")(["cat", "dog"], ["cat", "cat"]) == 0.5
    for key in ("accuracy", "mcc", "balanced_accuracy", "cohen_kappa"):
        one, other = (ec.metric(key)(TRUTH, LABEL, positive=of) for of in (0, 1))
        assert one == pytest.approx(other)


def test_a_two_in_the_place_of_zero_is_the_negative_class_as_in_files() -> None:
    frame = pd.DataFrame({"truth": 2 - TRUTH, "score": SCORE})
    assert ec.evaluate(frame).models["score"].ranking["roc_auc"].value == pytest.approx(AUC)


def test_unused_levels_of_a_categorical_are_no_classes() -> None:
    levels = ["no", "yes", "perhaps"]
    truth = pd.Categorical(np.where(TRUTH, "yes", "no"), categories=levels)
    assert auc(truth) == pytest.approx(AUC)
    assert auc(pd.Series(truth)) == pytest.approx(AUC)
    alone = pd.Categorical(["cat", "cat"], categories=["cat", "dog"])
    assert np.isnan(auc(alone, [0.1, 0.2], positive="dog"))


def test_decisions_may_be_booleans_beside_any_two_classes() -> None:
    expected = theirs.f1_score(TRUTH, LABEL)
    for truth in (TRUTH, TRUTH.astype(bool), 2 * TRUTH - 1, np.where(TRUTH, "yes", "no")):
        assert ec.metric("f1")(truth, SCORE >= 0.5) == pytest.approx(expected)
    assert ec.metric("f1")(TRUTH.astype(bool), LABEL) == pytest.approx(expected)


def test_labels_that_have_nothing_in_common_are_refused() -> None:
    refused("no label in common", ["a", "b"], ["x", "y"], key="accuracy")


def test_masked_arrays_are_taken_unless_a_cell_is_masked() -> None:
    assert auc(np.ma.array(TRUTH), np.ma.array(SCORE)) == pytest.approx(AUC)
    masked = np.ma.array(SCORE, mask=np.arange(300) == 4)
    assert refused("missing in 1 row", TRUTH, masked).rows == (5,)


def test_nullable_columns_are_taken_unless_a_cell_is_missing() -> None:
    truth, score = pd.Series(TRUTH, dtype="Int64"), pd.Series(SCORE, dtype="Float64")
    assert auc(truth, score) == pytest.approx(AUC)
    assert auc(truth.astype("boolean"), score) == pytest.approx(AUC)
    words = pd.Series(np.where(TRUTH, "yes", "no"), dtype="string")
    assert auc(words, score) == pytest.approx(AUC)
    score[7] = pd.NA
    assert refused("missing in 1 row", truth, score).rows == (8,)
    truth[2] = pd.NA
    assert refused("missing in 1 row", truth, SCORE).rows == (3,)


def test_columns_of_arrow_are_taken() -> None:
    words = pa.chunked_array([pa.array(np.where(TRUTH, "yes", "no"))])
    assert auc(words, pa.array(SCORE)) == pytest.approx(AUC)
    assert auc(words.dictionary_encode(), pa.chunked_array([SCORE])) == pytest.approx(AUC)
    assert refused("missing in 1 row", [0, 1], pa.array([0.1, None])).rows == (2,)


class Column:
    """A column of another library, which numpy knows how to read."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return self.values


def test_columns_of_any_library_that_numpy_reads_are_taken() -> None:
    assert auc(Column(TRUTH), Column(SCORE)) == pytest.approx(AUC)


def test_a_table_is_no_column() -> None:
    frame = pd.DataFrame({"score": SCORE})
    refused("such as `scores", TRUTH, frame)
    refused(r'such as `frame\["', frame, SCORE)
    refused("the positive class, such as `scores", TRUTH, np.column_stack([1 - SCORE, SCORE]))


@pytest.mark.parametrize("wrong", ["yes", b"yes", 3, {"a": 1}, {1, 2}])
def test_what_is_no_column_is_refused(wrong: object) -> None:
    refused("one column of values|a column of values", wrong, SCORE)


def test_dates_and_lists_are_no_labels() -> None:
    days = pd.Series(pd.date_range("2020-01-01", periods=2))
    refused("holds dates", days, [0, 1], key="accuracy")
    refused("no labels|one column", [[1], [2]], [0, 1], key="accuracy")


def test_a_text_among_numbers_is_named() -> None:
    refused("it holds 'high'", [0, 1, 1], [0.1, "high", 0.2])


@pytest.mark.parametrize(
    ("weights", "said"),
    [([1, -1, 1], "0 or more"), ([1, np.nan, 1], "missing"), ([0, 0, 0], "Every weight is 0")],
)
def test_bad_weights_are_refused(weights: list[float], said: str) -> None:
    refused(said, [0, 1, 1], [0.1, 0.2, 0.3], weights=weights)


def test_weights_of_another_length_are_refused() -> None:
    refused("3 rows and weights 2", [0, 1, 1], [0.1, 0.2, 0.3], weights=[1, 1])


def test_what_is_no_probability_is_refused_where_one_is_due() -> None:
    error = refused("from -1 to 2", [0, 1, 1], [-1, 0.5, 2], key="brier")
    assert error.rows == (1, 3)
    assert auc([0, 1, 1], [-1, 0.5, 2]) == 1
    with pytest.raises(ec.EvalError, match=r"must lie in \[0, 1\]"):
        ec.calibration_curve([0, 1, 1], [-1, 0.5, 2])
    three = np.array([[0.5, 0.6, 1.2]] * 3)
    refused(r"must lie in \[0, 1\]", [0, 1, 2], three, key="roc_auc_ovr_macro")


def test_there_is_one_column_of_probabilities_per_class() -> None:
    refused("one column of probabilities per class", [0, 1, 2], np.eye(3)[:, :2], key="log_loss")
    named = pd.DataFrame(np.eye(3), columns=["A", "b", "c"])
    said = 'per class: columns "A", "b", "c", and the truth holds "a", "b", "c"'
    refused(said, ["a", "b", "c"], named, key="log_loss")


def test_an_unknown_metric_is_refused_with_its_neighbours() -> None:
    with pytest.raises(ec.EvalError, match="Did you mean roc_auc"):
        ec.metric("roc_acu")


def test_estimates_are_those_of_an_evaluation() -> None:
    frame = pd.DataFrame({"truth": TRUTH, "score": SCORE})
    model = ec.evaluate(frame, resamples=500).models["score"]
    for key in ("roc_auc", "average_precision", "ks_statistic"):
        assert ec.estimate(key, TRUTH, SCORE, resamples=500) == model.ranking[key]
    for key in ("brier", "ece", "calibration_slope"):
        assert ec.estimate(key, TRUTH, SCORE, resamples=500) == model.probability[key]
    for key in ("accuracy", "f1", "recall"):
        found = ec.estimate(key, TRUTH, LABEL, resamples=500)
        assert found == model.decisions["threshold"].metrics[key]


def test_estimates_have_their_method_and_level() -> None:
    made = ec.estimate("roc_auc", TRUTH, SCORE, level=0.9)
    assert (made.method, made.level) == ("newcombe-delong", 0.9)
    assert made.low is not None
    assert made.low < made.value
    with pytest.raises(ec.EvalError, match="confidence level"):
        ec.estimate("roc_auc", TRUTH, SCORE, level=95)


def test_a_metric_with_a_setting_has_an_interval_too() -> None:
    made = ec.estimate("f_beta(3)", TRUTH, LABEL)
    assert made.low is not None


def test_whole_groups_are_drawn_where_rows_belong_together() -> None:
    patient = np.repeat(np.arange(60), 5)
    # Rows of one patient are the same: 60 rows five times over say no more than 60.
    truth, said = TRUTH[:60].repeat(5), LABEL[:60].repeat(5)
    alone = ec.estimate("f1", TRUTH[:60], LABEL[:60])
    grouped = ec.estimate("f1", truth, said, groups=patient)
    assert grouped.method == "groups-t"
    assert grouped.value == alone.value
    width = grouped.high - grouped.low
    assert width == pytest.approx(alone.high - alone.low, rel=0.15)


def test_groups_are_never_left_aside() -> None:
    with pytest.raises(ec.EvalError, match="takes no groups"):
        ec.estimate("adjusted_rand_index", [0, 1], [0, 1], groups=[0, 1])
    with pytest.raises(ec.EvalError, match="one of groups for each"):
        ec.estimate("roc_auc", TRUTH, SCORE, groups=[1, 2])
    with pytest.raises(ec.EvalError, match="one group"):
        ec.estimate("ece", TRUTH, SCORE, groups=[1] * len(TRUTH))


def test_two_models_are_compared_as_in_a_comparison() -> None:
    frame = pd.DataFrame({"truth": TRUTH, "a_score": SCORE, "b_score": OTHER})
    [gap] = ec.compare(frame, metric="roc_auc").differences
    found = ec.difference("roc_auc", TRUTH, SCORE, OTHER)
    assert (found.value, found.low, found.high) == (gap.difference, gap.low, gap.high)
    assert (found.method, found.test) == ("delong", "delong")
    assert found.value == pytest.approx(found.second - found.first)
    assert 0 <= found.p_value < 0.05


def test_two_models_are_compared_by_labels() -> None:
    found = ec.difference("accuracy", TRUTH, LABEL, OTHER >= 0.5)
    assert found.test == "mcnemar_mid_p"
    assert found.low < found.value < found.high


def test_two_models_are_compared_over_groups_and_over_folds() -> None:
    group = np.arange(300) // 5
    grouped = ec.difference("roc_auc", TRUTH, SCORE, OTHER, groups=group)
    assert (grouped.method, grouped.test) == ("obuchowski", "delong")
    folded = ec.difference("roc_auc", TRUTH, SCORE, OTHER, folds=np.arange(300) % 5)
    assert folded.value == pytest.approx(grouped.value, abs=0.05)
    assert folded.test not in ("", "delong")
    with pytest.raises(ec.EvalError, match="not both"):
        ec.difference("roc_auc", TRUTH, SCORE, OTHER, groups=group, folds=group)
    with pytest.raises(ec.EvalError, match="2 to 200 folds"):
        ec.difference("roc_auc", TRUTH, SCORE, OTHER, folds=np.zeros(300))


def test_a_difference_over_groups_says_where_rows_are_too_few() -> None:
    few = slice(12)
    found = ec.difference("roc_auc", TRUTH[few], SCORE[few], OTHER[few], groups=np.arange(12) // 3)
    assert "too few" in found.note


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ec.EvalError, match="cannot be compared"):
        ec.difference("ece", TRUTH, SCORE, OTHER)


def test_curves_are_those_of_scikit_learn() -> None:
    fpr, tpr, _ = theirs.roc_curve(TRUTH, SCORE, drop_intermediate=False)
    curve = ec.roc_curve(TRUTH, SCORE)
    np.testing.assert_allclose(curve.fpr, fpr)
    np.testing.assert_allclose(curve.tpr, tpr)
    precision, recall, _ = theirs.precision_recall_curve(TRUTH, SCORE)
    mine = ec.precision_recall_curve(TRUTH, SCORE)
    np.testing.assert_allclose(mine.precision, precision[:-1][::-1])
    np.testing.assert_allclose(mine.recall, recall[:-1][::-1])
    matrix = ec.confusion_matrix(TRUTH, LABEL)
    assert matrix.classes == ("0", "1")
    assert matrix.counts.tolist() == theirs.confusion_matrix(TRUTH, LABEL).tolist()


def test_calibration_costs_and_net_benefit_have_curves() -> None:
    bins = ec.calibration_curve(TRUTH, SCORE, bins=5)
    assert bins.n.sum() == 300
    assert ec.cost_curve(TRUTH, SCORE).cost.max() <= 0.5
    curve = ec.decision_curve(TRUTH, SCORE, thresholds=[0.2, 0.5])
    counts = ec.confusion_matrix(TRUTH, SCORE >= 0.5).counts
    assert curve.net_benefit[1] == pytest.approx((counts[1, 1] - counts[0, 1]) / 300)
    with pytest.raises(ec.EvalError, match="between 0 and 1"):
        ec.decision_curve(TRUTH, SCORE, thresholds=[1.0])


def test_data_are_read_from_whatever_holds_them(tmp_path: Path) -> None:
    text = b"y,p\nno,0.2\nyes,0.9\nno,0.4\nyes,0.7\n"
    path = tmp_path / "p.csv"
    path.write_bytes(text)
    with path.open("rb") as file:
        for source in (text, path, str(path), file, pd.read_csv(path)):
            data = ec.read(source, truth="y", score="p")
            assert (data.roles.truth, list(data.models), data.classes) == (
                "y",
                ["p"],
                ("no", "yes"),
            )


def test_roles_are_called_as_on_the_command_line() -> None:
    frame = pd.DataFrame({"y": TRUTH, "a": SCORE, "b": OTHER})
    data = ec.read(frame, truth="y", score={"first": "a", "second": "b"}, positive=0)
    assert list(data.models) == ["first", "second"]
    assert data.classes == ("1", "0")
    with pytest.raises(ec.EvalError, match='no role or option "truht"'):
        ec.read(frame, truht="y")
    with pytest.raises(ec.EvalError, match='"odds" cannot be chosen for score-scale'):
        ec.read(frame, score_scale="odds")


def test_what_holds_no_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ec.EvalError, match="no such file"):
        ec.read(tmp_path / "none.csv")
    with pytest.raises(ec.EvalError, match="not from a int"):
        ec.read(3)


def test_options_and_roles_go_to_an_evaluation_together() -> None:
    frame = pd.DataFrame({"y": TRUTH, "p": SCORE})
    found = ec.evaluate(frame, truth="y", score="p", threshold=0.4, resamples=200)
    assert found.options == ec.Options(threshold=0.4, resamples=200)
    with pytest.raises(ec.EvalError, match="read already: truth"):
        ec.evaluate(found.dataset, truth="y")


def two_columns(truth: object, score: object) -> pd.DataFrame:
    return pd.DataFrame({"truth": truth, "p": score})


RESULTS = {
    "estimate": lambda: ec.estimate("roc_auc", TRUTH, SCORE),
    "difference": lambda: ec.difference("roc_auc", TRUTH, SCORE, OTHER),
    "roc": lambda: ec.roc_curve(TRUTH, SCORE),
    "calibration": lambda: ec.calibration_curve(TRUTH, SCORE),
    "matrix": lambda: ec.confusion_matrix(TRUTH, LABEL),
    "silhouette": lambda: ec.silhouette(SCORE[:, np.newaxis], TRUTH),
    "evaluation": lambda: ec.evaluate(pd.DataFrame({"truth": TRUTH, "p": SCORE}), resamples=200),
    "comparison": lambda: ec.compare(
        pd.DataFrame({"truth": TRUTH, "a_score": SCORE, "b_score": OTHER}), resamples=200
    ),
    "metric": lambda: ec.metric("roc_auc"),
    "slices": lambda: ec.slices(
        pd.DataFrame({"truth": TRUTH, "p": SCORE, "side": np.arange(300) % 2}), by="side"
    ),
    "shift": lambda: ec.shift(two_columns(TRUTH, SCORE), two_columns(TRUTH, OTHER)),
}


def test_two_periods_are_compared_as_each_is_evaluated_alone(tmp_path: Path) -> None:
    first, second = two_columns(TRUTH, SCORE), two_columns(TRUTH[:200], OTHER[:200])
    made = ec.shift(first, second, metric="roc_auc", model="p")
    gap = made.metrics["roc_auc"]
    assert gap.rest.value == pytest.approx(AUC)
    assert gap.value.value == pytest.approx(theirs.roc_auc_score(TRUTH[:200], OTHER[:200]))
    second.assign(more="x").to_csv(tmp_path / "later.csv", index=False, sep=";")
    read = ec.read(first)
    assert ec.shift(read, tmp_path / "later.csv", metric=["roc_auc"]).metrics == made.metrics
    assert ec.shift(read, ec.read(second), metric=["roc_auc"]).metrics == made.metrics
    other = {"truth": "y", "score": "p", "positive": "0"}
    turned = ec.shift(
        first.rename(columns={"truth": "y"}), second.rename(columns={"truth": "y"}), **other
    )
    assert turned.metrics["roc_auc"].rest.value == pytest.approx(1 - AUC)


def test_a_period_without_labels_is_expected_from_its_probabilities() -> None:
    bare = pd.DataFrame({"p": [0.9, 0.8, 0.3]})
    made = ec.shift(two_columns(TRUTH, SCORE), bare, metric="accuracy", threshold=0.5)
    assert made.metrics["accuracy"].value.value == pytest.approx((0.9 + 0.8 + 0.7) / 3)
    assert made.assumed
    with pytest.raises(ec.EvalError, match="no column"):
        ec.shift(two_columns(TRUTH, SCORE), bare.rename(columns={"p": "q"}))


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_itself(name: str) -> None:
    result = RESULTS[name]()
    assert len(repr(result).splitlines()) < 30
    assert "array(" not in repr(result)
    html = result._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") < 30
    json.dumps(result.to_dict())
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame)


def test_text_in_a_table_is_escaped() -> None:
    html = ec.confusion_matrix(["<b>", "a"], ["<b>", "<b>"])._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_an_estimate_reads_as_its_number_with_the_interval() -> None:
    made = ec.estimate("accuracy", [0, 1, 1], [0, 1, 0])
    assert repr(made) == "Estimate(value=0.667, low=0.208, high=0.939, method=wilson, level=0.950)"
    undefined = ec.estimate("precision", [0, 1], [0, 0])
    assert "undefined" in repr(undefined)
    assert "no row is called positive" in repr(undefined)


def test_the_catalogue_says_what_each_metric_is() -> None:
    keys = [metric.key for metric in ec.metrics()]
    assert keys[:4] == ["accuracy", "balanced_accuracy", "precision", "recall"]
    found = ec.metric("f_beta(3)")
    assert (found.key, found.low, found.high, found.better.value) == ("f_beta(3)", 0, 1, "higher")
    assert found.source.text


THREE = RNG.integers(0, 3, 300)
COLUMNS = {
    "counts": (TRUTH, LABEL),
    "ranking": (TRUTH, SCORE),
    "probability": (TRUTH, SCORE),
    "values": (5 * SCORE, 5 * OTHER),
    "points": (RNG.normal(size=(300, 2)) + THREE[:, np.newaxis], THREE),
    "agreement": (THREE, RNG.integers(0, 4, 300)),
}
CHANCES = RNG.dirichlet(np.ones(3), 300)


@pytest.mark.parametrize(
    "metric", ec.metrics(), ids=lambda metric: f"{metric.family.name}-{metric.key}"
)
def test_every_metric_of_the_catalogue_takes_columns(metric) -> None:
    by_classes = "ovr" in metric.key or metric.key in (
        "roc_auc_hand_till",
        "brier_multiclass",
        "top_k_accuracy",
        "ece_top_label",
        "ece_classwise",
    )
    columns = (THREE, CHANCES) if by_classes else COLUMNS[metric.family.value]
    value = metric(*columns)
    assert metric.low <= value <= metric.high or metric.key == "adjusted_r2"
    if metric.family is ec.metric(metric.key).family:
        made = ec.estimate(metric.key, *columns, resamples=100)
        assert made.value == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("F1", "f1"), ("ROC AUC", "roc_auc"), ("auc", "roc_auc"), ("f_betta(2)", "f_beta(...)")],
)
def test_a_name_that_is_no_key_leads_to_the_key(said: str, meant: str) -> None:
    for ask in (ec.metric, lambda key: ec.estimate(key, [0, 1], [0, 1])):
        with pytest.raises(ec.EvalError) as caught:
            ask(said)
        assert caught.value.message.endswith(f"Did you mean {meant}?")
    with pytest.raises(ec.EvalError) as caught:
        ec.difference("xyzq", [0, 1], [0, 1], [0, 1])
    assert caught.value.message == 'There is no metric "xyzq".'


def test_arguments_in_the_wrong_order_show_the_right_call() -> None:
    truth, score = [0, 1, 1, 0], np.array([0.1, 0.8, 0.4, 0.5])
    calls: list[tuple[str, Any]] = [
        ('estimate("roc_auc", truth, score)', lambda: ec.estimate(truth, score, "roc_auc")),
        ('estimate("roc_auc", truth, score)', lambda: ec.estimate(score, truth, "roc_auc")),
        ('difference("roc_auc", truth, first, second)', lambda: ec.compare(truth, score)),
        ('estimate("roc_auc", truth, score)', lambda: ec.evaluate(truth, score)),
    ]
    for shown, call in calls:
        with pytest.raises(ec.EvalError) as caught:
            call()
        assert shown in caught.value.message


def test_columns_with_one_index_in_two_orders_are_not_paired_silently() -> None:
    truth = pd.Series([0, 1, 1, 0, 1, 0], index=list("abcdef"))
    score = pd.Series([0.1, 0.8, 0.4, 0.5, 0.9, 0.2], index=list("abcdef"))
    apart = score.sort_values()
    groups = pd.Series([1, 1, 2, 2, 3, 3], index=list("fedcba"))
    calls: list[Any] = [
        lambda: ec.metric("roc_auc")(truth, apart),
        lambda: ec.estimate("accuracy", truth, apart > 0.5),
        lambda: ec.difference("roc_auc", truth, score, apart),
        lambda: ec.estimate("rmse", truth, apart),
        lambda: ec.estimate("roc_auc", truth, score, groups=groups),
        lambda: ec.estimate("roc_auc", truth, score, weights=groups),
        lambda: ec.roc_curve(truth, apart),
    ]
    for call in calls:
        with pytest.raises(ec.EvalError, match="reset_index") as caught:
            call()
        assert caught.value.code == "other-order"
    wanted = ec.metric("roc_auc")(truth, score)
    assert ec.metric("roc_auc")(truth, apart.loc[truth.index]) == wanted
    # Other labels, labels that repeat, and no index are paired by position, as ever.
    by_position = ec.metric("roc_auc")(truth.tolist(), apart.tolist())
    for other in (apart.reset_index(drop=True), apart.set_axis(list("aabbcc")), apart.to_numpy()):
        assert ec.metric("roc_auc")(truth, other) == by_position


def test_weighted_kappa_counts_by_the_order_that_a_categorical_declares() -> None:
    truth, said = ["bad", "ok", "good", "bad"] * 5, ["bad", "ok", "ok", "good"] * 5
    graded = pd.Categorical(truth, categories=["bad", "ok", "good"], ordered=True)
    numbers = {"bad": 0, "ok": 1, "good": 2}
    wanted = ec.estimate(
        "weighted_kappa_linear", [numbers[t] for t in truth], [numbers[s] for s in said]
    )
    found = ec.estimate("weighted_kappa_linear", graded, said)
    assert (found.value, found.note) == (wanted.value, wanted.note)
    by_alphabet = ec.estimate("weighted_kappa_linear", truth, said)
    assert by_alphabet.value != wanted.value
    assert "alphabetical order" in by_alphabet.note
