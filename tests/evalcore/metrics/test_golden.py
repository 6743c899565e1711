"""Every classification metric against values from R, Weka and exact arithmetic."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evalcore.metrics import catalog, decisions
from evalcore.metrics.decisions import best, f_beta, mean_cost
from evalcore.metrics.probability import log_loss_clipped
from evalcore.metrics.ranking import gain_at, lift_at, partial_roc_auc, sensitivity_at_specificity
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, frame, ids

BENIGN_MALIGNANT = ("benign", "malignant")

COUNT_KEYS = {
    key: key
    for key in [
        "accuracy",
        "no_information_rate",
        "cohen_kappa",
        "specificity",
        "npv",
        "precision",
        "recall",
        "f1",
        "prevalence",
        "detection_rate",
        "detection_prevalence",
        "balanced_accuracy",
        "mcc",
        "fpr",
        "fnr",
        "fdr",
        "for",
        "youden_j",
        "markedness",
        "g_mean",
        "lr_plus",
        "lr_minus",
        "diagnostic_odds_ratio",
        "error_rate",
    ]
} | {
    "sensitivity": "recall",
    "ppv": "precision",
    "accuracy_gt_nir_p_value": "accuracy_p_value",
    "fowlkes_mallows_binary": "fowlkes_mallows",
    "jaccard_csi": "jaccard",
}
"""The name of a quantity in the entries -> its key."""


def picked(pattern: str, *quantities: str) -> list[Golden]:
    return [entry for entry in entries(id=pattern) if entry.quantity in quantities]


def checks(found: list[Golden]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", found, ids=ids(found))


def codes(values: Any, classes: tuple[str, ...]) -> NDArray[np.int64]:
    return np.array([classes.index(value) for value in values])


def labelled(entry: Golden) -> BinaryCounts:
    """Counts of a breast cancer model's own labels, perhaps of one group of rows only."""
    data, model = frame("breast_cancer_cv.csv"), entry.params["model"]
    if "group" in entry.params:
        data = data[data[entry.params["group_column"]] == entry.params["group"]]
    truth, label = data["truth"] == "malignant", data[f"{model}_label"] == "malignant"
    return ConfusionMatrix.from_codes(truth, label, ("no", "yes")).binary()


def decided(entry: Golden) -> BinaryCounts:
    if "threshold" in entry.params:
        return scored(entry).at(entry.params["threshold"])
    return labelled(entry)


def scored(entry: Golden) -> ScoreTable:
    return ScoreTable.from_scores(*breast_cancer(entry.params["model"]))


def compute(key: str, table: Any) -> Any:
    return catalog.by_key()[key](table)


@checks(picked("confusion.breast_cancer_cv.*", *COUNT_KEYS))
def test_count_metrics_agree_with_caret_and_r(entry: Golden) -> None:
    entry.check(compute(COUNT_KEYS[entry.quantity], decided(entry)))


@checks(picked("confusion.breast_cancer_cv.*", "f_beta"))
def test_f_beta_agrees_with_mlmetrics(entry: Golden) -> None:
    entry.check(f_beta(entry.params["beta"])(decided(entry)))


CARET = {
    "Accuracy": "accuracy",
    "Kappa": "cohen_kappa",
    "Sensitivity": "recall",
    "Specificity": "specificity",
    "Precision": "precision",
    "F1": "f1",
    "Balanced Accuracy": "balanced_accuracy",
    "Prevalence": "prevalence",
    "Detection Prevalence": "detection_prevalence",
}


@checks(picked("confusion.breast_cancer_cv.*", "group_metrics"))
def test_metrics_of_a_group_of_rows_agree_with_caret(entry: Golden) -> None:
    counts = labelled(entry)
    entry.check({name: compute(key, counts) for name, key in CARET.items()})


ROCR = {
    "acc": "accuracy",
    "err": "error_rate",
    "tpr": "recall",
    "fpr": "fpr",
    "fnr": "fnr",
    "tnr": "specificity",
    "precision": "precision",
    "npv": "npv",
    "mcc_mat": "mcc",
    "f1": "f1",
    "f_alpha0.8_beta0.5": "f0_5",
    "rpp": "detection_prevalence",
    "tp": "tp",
    "fp": "fp",
    "fn": "fn",
    "tn": "tn",
}


@checks(picked("curve.*", "at_cutoffs"))
def test_count_metrics_at_many_thresholds_agree_with_rocr(entry: Golden) -> None:
    counts = scored(entry).at(np.array(entry.value["cutoff"], dtype=np.float64))
    entry.check({name: list(compute(key, counts)) for name, key in ROCR.items()})


@checks(picked("curve.*", "at_cutoffs"))
def test_mean_costs_at_many_thresholds_agree_with_rocr(entry: Golden) -> None:
    counts = scored(entry).at(np.array(entry.value["cutoff"], dtype=np.float64))
    cells = decisions.as_matrices(counts)
    for name, price in (("cost_fp1_fn5", 5), ("cost_fp1_fn1", 1)):
        metric = mean_cost([[0, 1], [price, 0]])
        assert metric.over_classes is not None
        entry.check({name: list(metric.over_classes(cells))})


OF_SCORES = {
    "auc": "roc_auc",
    "average_precision": "average_precision",
    "pr_auc_trapezoid_flat_start": "pr_auc_trapezoid",
    "gini_2auc_1": "gini",
    "somers_dxy": "gini",
    "ks_statistic": "ks_statistic",
    "ks_two_sided_D": "ks_statistic",
    "brier": "brier",
    "brier_skill_score": "brier_skill_score",
}


@checks([e for e in picked("*breast_cancer_cv*", *OF_SCORES) if "class" not in e.params])
def test_metrics_of_scores_agree_with_r(entry: Golden) -> None:
    entry.check(compute(OF_SCORES[entry.quantity], scored(entry)))


@checks(picked("curve.breast_cancer_cv.*", "log_loss"))
def test_clipped_log_loss_agrees_with_mlmetrics(entry: Golden) -> None:
    entry.check(log_loss_clipped(entry.params["eps"])(scored(entry)))


@checks(list(picked("roc.*", "partial_auc_spec_0.9_mcclish", "partial_auc_spec_0.8_mcclish")))
def test_partial_areas_agree_with_proc(entry: Golden) -> None:
    entry.check(partial_roc_auc(entry.params["fpr_max"])(scored(entry)))


@checks(picked("roc.*", "sensitivity_at_specificity_interpolated"))
def test_sensitivity_at_a_specificity_agrees_with_proc(entry: Golden) -> None:
    entry.check(sensitivity_at_specificity(entry.params["specificity"])(scored(entry)))


@checks(picked("roc.*", "youden_best"))
def test_the_best_youden_and_its_threshold_agree_with_proc(entry: Golden) -> None:
    best = catalog.by_key()["best_youden"].estimate(scored(entry))
    entry.check({"youden_j": best.value, "lowest_positive_score": best.at})


@checks(picked("curve.*", "best_threshold_f1", "best_threshold_mcc"))
def test_the_best_f1_and_mcc_and_their_thresholds_agree_with_rocr(entry: Golden) -> None:
    best = catalog.by_key()[entry.quantity.replace("threshold_", "")].estimate(scored(entry))
    value, threshold = best.value, best.at
    entry.check({"value": value})
    allowed = np.atleast_1d(np.array(entry.value["cutoffs"], dtype=np.float64))
    assert np.isclose(allowed, threshold, atol=1e-9).any()


@checks(picked("curve.*", "cumulative_gain_deciles"))
def test_gain_and_lift_agree_with_a_gains_table(entry: Golden) -> None:
    table, shares = scored(entry), entry.value["fraction"]
    entry.check(
        {
            "gain": [gain_at(share)(table) for share in shares],
            "lift": [lift_at(share)(table) for share in shares],
        }
    )


@checks(picked("curve.*", "best_threshold_accuracy"))
def test_the_best_accuracy_agrees_with_rocr(entry: Golden) -> None:
    entry.check({"value": best(catalog.by_key()["accuracy"])(scored(entry))})


@checks(picked("confusion.breast_cancer_cv.*", "accuracy_per_fold"))
def test_accuracy_fold_by_fold_agrees_with_r(entry: Golden) -> None:
    data = frame("breast_cancer_cv.csv")
    right = data["truth"] == data[f"{entry.params['model']}_label"]
    parts = [right[data["fold"] == fold] for fold in range(1, 11)]
    counts = [BinaryCounts(tp=part.sum(), fp=(~part).sum(), fn=0, tn=0) for part in parts]
    entry.check([compute("accuracy", count) for count in counts])
