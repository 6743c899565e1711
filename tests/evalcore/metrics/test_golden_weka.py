"""Metrics of two classes against values from Weka."""

import numpy as np
import pytest

from evalcore.metrics import catalog, decisions
from evalcore.metrics.decisions import total_cost
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, breast_cancer, entries, frame, ids

METRIC = catalog.by_key()


def picked(*quantities: str) -> list[Golden]:
    found = entries(id="weka.breast_cancer_cv.*")
    return [entry for entry in found if entry.quantity in quantities]


def checks(found: list[Golden]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", found, ids=ids(found))


def labelled(entry: Golden, positive: str = "malignant") -> BinaryCounts:
    data, model = frame("breast_cancer_cv.csv"), entry.params["model"]
    truth, label = data["truth"] == positive, data[f"{model}_label"] == positive
    return ConfusionMatrix.from_codes(truth, label, ("no", "yes")).binary()


@checks(picked("total_cost"))
def test_total_cost_agrees_with_weka(entry: Golden) -> None:
    # Weka decides by the larger probability, and takes the negative class at one half.
    counts = ScoreTable.from_scores(*breast_cancer(entry.params["model"])).at(np.nextafter(0.5, 1))
    metric = total_cost([[0, entry.params["cost_fp"]], [entry.params["cost_fn"], 0]])
    assert metric.over_classes is not None
    entry.check(metric.over_classes(decisions.as_matrices(counts)))


@checks(picked("precision", "recall", "f1", "fpr"))
def test_metrics_of_either_class_agree_with_weka(entry: Golden) -> None:
    entry.check(METRIC[entry.quantity](labelled(entry, entry.params["class"])))


@checks(picked("accuracy", "cohen_kappa"))
def test_accuracy_and_kappa_agree_with_weka(entry: Golden) -> None:
    entry.check(METRIC[entry.quantity](labelled(entry)))


@checks(picked("auc", "auc_ovr_prevalence_weighted"))
def test_the_area_of_either_class_agrees_with_weka(entry: Golden) -> None:
    truth, score = breast_cancer(entry.params["model"])
    if entry.params.get("class") == "benign":
        score, truth = -score, 1 - truth
    entry.check(METRIC["roc_auc"](ScoreTable.from_scores(truth, score)))
