"""Every metric of K classes against values from R and Weka."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evalcore.metrics import catalog
from evalcore.metrics.metric import Metric
from evalcore.metrics.multiclass import AVERAGES, of_each_class, top_k_accuracy
from evalcore.tables.areas import roc_area
from evalcore.tables.classes import ClassScores, most_likely
from evalcore.tables.confusion import ConfusionMatrix
from tests.evalcore.golden import Golden, entries, frame, ids

CLASSES = ("setosa", "versicolor", "virginica")

METRIC = catalog.by_key()


def picked(pattern: str, *quantities: str) -> list[Golden]:
    return [entry for entry in entries(id=pattern) if entry.quantity in quantities]


def checks(found: list[Golden]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", found, ids=ids(found))


def over_classes(key: str, table: Any) -> float:
    function = METRIC[key].over_classes
    assert function is not None
    return float(function(table))


@cache
def probabilities(model: str) -> NDArray[np.float64]:
    columns = [f"{model}_prob_{name}" for name in CLASSES]
    return frame("iris_cv.csv")[columns].to_numpy(np.float64)


@cache
def truth() -> NDArray[np.int64]:
    return np.array([CLASSES.index(name) for name in frame("iris_cv.csv")["truth"]])


@cache
def labels(model: str) -> ConfusionMatrix:
    label = np.array([CLASSES.index(name) for name in frame("iris_cv.csv")[f"{model}_label"]])
    return ConfusionMatrix.from_codes(truth(), label, CLASSES)


@cache
def scores(model: str) -> ClassScores:
    return ClassScores.from_probabilities(truth(), probabilities(model), CLASSES)


def average(name: str, metric: Metric, table: ConfusionMatrix) -> Any:
    return AVERAGES[name](metric, table.one_vs_rest()).value


@checks(picked("confusion.iris_cv.*", "confusion_matrix_rows_truth"))
def test_the_matrix_has_the_truth_in_its_rows(entry: Golden) -> None:
    assert entry.value["rows"] == list(CLASSES)
    entry.check({"matrix": labels(entry.params["model"]).counts.tolist()})


WHOLE = {
    "accuracy": "accuracy",
    "no_information_rate": "no_information_rate",
    "accuracy_gt_nir_p_value": "accuracy_p_value",
    "cohen_kappa": "cohen_kappa",
    "balanced_accuracy_macro_recall": "balanced_accuracy",
    "mcc_multiclass": "mcc",
}


@checks(picked("confusion.iris_cv.*", *WHOLE) + picked("weka.iris_cv.*", "accuracy", "cohen_kappa"))
def test_metrics_of_the_whole_matrix_agree_with_caret_and_weka(entry: Golden) -> None:
    entry.check(over_classes(WHOLE[entry.quantity], labels(entry.params["model"]).counts))


BY_CLASS = {
    "Sensitivity": "recall",
    "Specificity": "specificity",
    "Pos Pred Value": "precision",
    "Neg Pred Value": "npv",
    "Precision": "precision",
    "Recall": "recall",
    "F1": "f1",
    "Prevalence": "prevalence",
    "Detection Rate": "detection_rate",
    "Detection Prevalence": "detection_prevalence",
    "Balanced Accuracy": "balanced_accuracy",
}


@checks(picked("confusion.iris_cv.*", "by_class"))
def test_metrics_of_each_class_agree_with_caret(entry: Golden) -> None:
    counts = labels(entry.params["model"]).one_vs_rest()
    columns = [METRIC[BY_CLASS[name]](counts) for name in entry.value["cols"]]
    entry.check({"matrix": np.transpose(columns).tolist()})


@checks(picked("weka.iris_cv.*", "precision", "recall", "f1", "fpr"))
def test_metrics_of_each_class_agree_with_weka(entry: Golden) -> None:
    counts = labels(entry.params["model"]).one_vs_rest()
    entry.check(METRIC[entry.quantity](counts)[CLASSES.index(entry.params["class"])])


AVERAGED = {
    f"{average}_{key}": (average, key)
    for average in ("macro", "weighted")
    for key in ("precision", "recall", "f1")
} | {"macro_f1_mean_of_f1": ("macro", "f1")}


@checks(picked("*.iris_cv.*", *AVERAGED))
def test_averages_over_classes_agree_with_caret_and_weka(entry: Golden) -> None:
    name, key = AVERAGED[entry.quantity]
    entry.check(average(name, METRIC[key], labels(entry.params["model"])))


@checks(list(picked("weka.breast_cancer_cv.*", *AVERAGED)))
def test_averages_over_two_classes_agree_with_weka(entry: Golden) -> None:
    data, (name, key) = frame("breast_cancer_cv.csv"), AVERAGED[entry.quantity]
    sides = [data[column] == "malignant" for column in ("truth", f"{entry.params['model']}_label")]
    table = ConfusionMatrix.from_codes(*sides, ("benign", "malignant"))
    entry.check(average(name, METRIC[key], table))


RANKED = {
    "auc_hand_till": "roc_auc_hand_till",
    "auc_ovr_macro": "roc_auc_ovr_macro",
    "auc_ovr_prevalence_weighted": "roc_auc_ovr_weighted",
    "auc_ovr_micro": "roc_auc_ovr_micro",
    "brier_multiclass_sum": "brier_multiclass",
}


@checks(picked("*.iris_cv.*", *RANKED))
def test_metrics_of_class_probabilities_agree_with_proc_and_weka(entry: Golden) -> None:
    entry.check(METRIC[RANKED[entry.quantity]](scores(entry.params["model"])))


@checks(picked("roc.iris_cv.*", "auc_one_vs_rest_per_class"))
def test_the_area_of_each_class_agrees_with_proc(entry: Golden) -> None:
    areas = of_each_class(roc_area, scores(entry.params["model"]))
    entry.check(dict(zip(CLASSES, areas, strict=True)))


@checks(picked("weka.iris_cv.*", "auc"))
def test_the_area_of_each_class_agrees_with_weka(entry: Golden) -> None:
    areas = of_each_class(roc_area, scores(entry.params["model"]))
    entry.check(areas[CLASSES.index(entry.params["class"])])


@checks(picked("confusion.iris_cv.*", "log_loss_multiclass"))
def test_log_loss_of_classes_agrees_with_mlmetrics_where_no_probability_is_zero(
    entry: Golden,
) -> None:
    value = over_classes("log_loss", scores(entry.params["model"]))
    given = probabilities(entry.params["model"])[np.arange(len(truth())), truth()]
    if (given > 0).all():
        entry.check(value)
    else:
        assert np.isinf(value)


@checks(picked("confusion.iris_cv.*", "top_k_accuracy"))
def test_top_k_accuracy_lies_between_both_ways_to_break_ties(entry: Golden) -> None:
    value = float(top_k_accuracy(entry.params["k"])(scores(entry.params["model"])))
    assert entry.value["pessimistic_ties"] <= value <= entry.value["optimistic_ties"]


@checks(picked("calib.iris_cv.*", "ece_top_label"))
def test_the_top_label_error_agrees_with_exact_bins(entry: Golden) -> None:
    table = scores(entry.params["model"]).reliability(entry.params["bins"])
    entry.check({"left_closed": METRIC["ece_top_label"](table)})


@checks(picked("calib.iris_cv.*", "ece_classwise"))
def test_the_classwise_error_agrees_with_exact_bins(entry: Golden) -> None:
    table = scores(entry.params["model"]).reliability(entry.params["bins"])
    entry.check({"mean": METRIC["ece_classwise"](table)})


@checks(picked("weka.iris_cv.*", "label_vs_argmax_differences"))
def test_the_first_of_tied_classes_is_decided_as_in_weka(entry: Golden) -> None:
    model = entry.params["model"]
    label = frame("iris_cv.csv")[f"{model}_label"]
    decided = np.array(CLASSES)[most_likely(probabilities(model))]
    entry.check((label != decided).sum())
