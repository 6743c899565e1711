"""Tables that textbooks print, against exact arithmetic."""

import numpy as np
import pytest

from evalcore.metrics import catalog, decisions
from evalcore.metrics.decisions import f_beta, mean_cost, total_cost
from evalcore.metrics.multiclass import AVERAGES
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from tests.evalcore.golden import Golden, entries, ids

METRIC = catalog.by_key()


def checks(found: list[Golden]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", found, ids=ids(found))


def over_classes(key: str, table: ConfusionMatrix) -> float:
    function = METRIC[key].over_classes
    assert function is not None
    return float(function(table.counts))


TEXTBOOK = {
    "sensitivity": "recall",
    "f_0.5": "f0_5",
    "f_2": "f2",
    "kappa": "cohen_kappa",
}
TEXTBOOK |= {
    key: key
    for key in [
        "accuracy",
        "error_rate",
        "specificity",
        "precision",
        "npv",
        "fpr",
        "fnr",
        "prevalence",
        "detection_rate",
        "detection_prevalence",
        "no_information_rate",
        "balanced_accuracy",
        "f1",
        "mcc",
        "youden_j",
        "g_mean",
        "jaccard",
        "diagnostic_odds_ratio",
    ]
}


@checks([e for e in entries(id="textbook.*") if "tp" in e.params])
def test_textbook_tables_agree_with_exact_arithmetic(entry: Golden) -> None:
    counts = BinaryCounts(*(entry.params[name] for name in ("tp", "fp", "fn", "tn")))
    entry.check({name: METRIC[key](counts) for name, key in TEXTBOOK.items()})
    swapped = ConfusionMatrix(("no", "yes"), decisions.as_matrices(counts)).one_vs_rest()
    entry.check(
        {
            "precision_negative_class": METRIC["precision"](swapped)[0],
            "recall_negative_class": METRIC["recall"](swapped)[0],
            "f1_negative_class": METRIC["f1"](swapped)[0],
            "macro_f1": AVERAGES["macro"](METRIC["f1"], swapped).value,
            "weighted_f1": AVERAGES["weighted"](METRIC["f1"], swapped).value,
        }
    )


@checks(list(entries(id="textbook.c.*")))
def test_textbook_costs_agree_with_exact_arithmetic(entry: Golden) -> None:
    table = ConfusionMatrix(("+", "-"), np.array(entry.params["confusion"]))
    costs = entry.params["cost_matrix"]
    entry.check(
        {
            "total_cost": total_cost(costs)(table),
            "cost_per_instance": mean_cost(costs)(table),
            "accuracy": over_classes("accuracy", table),
            "kappa": over_classes("cohen_kappa", table),
        }
    )


@checks(list(entries(id="textbook.i.*")))
def test_ten_textbook_rows_of_three_classes_agree_with_exact_arithmetic(entry: Golden) -> None:
    actual, called = (np.array(entry.params[name]) for name in ("truth", "pred"))
    table = ConfusionMatrix.from_codes(actual, called, ("0", "1", "2"))
    averages = {
        f"{name}_{key}": AVERAGES[name](METRIC[key], table.one_vs_rest()).value
        for name in ("macro", "micro", "weighted")
        for key in ("precision", "recall", "f1")
    }
    wholes = {"accuracy": "accuracy", "kappa": "cohen_kappa", "mcc": "mcc"}
    wholes = {name: over_classes(key, table) for name, key in wholes.items()}
    entry.check({"confusion_rows_truth": table.counts.tolist(), **averages, **wholes})
    rest = table.one_vs_rest()
    keys = {"precision": "precision", "recall": "recall", "f1": "f1", "specificity": "specificity"}
    keys["balanced_accuracy_ovr"] = "balanced_accuracy"
    for place, name in enumerate(table.classes):
        made = {said: METRIC[key](rest)[place] for said, key in keys.items()}
        entry.check({"per_class": {name: made}})


@checks(list(entries(id="textbook.g")))
def test_ten_textbook_scores_with_ties_agree_with_exact_arithmetic(entry: Golden) -> None:
    scored = ScoreTable.from_scores(
        np.array(entry.params["labels"]), np.array(entry.params["scores"])
    )
    entry.check(
        {
            "auc_trapezoid": METRIC["roc_auc"](scored),
            "average_precision": METRIC["average_precision"](scored),
            "youden_max": METRIC["best_youden"](scored),
        }
    )


def with_rates(precision: float, recall: float) -> BinaryCounts:
    """Counts of 10 found positives that have these rates."""
    return BinaryCounts(tp=10, fp=10 / precision - 10, fn=10 / recall - 10, tn=0)


@checks(list(entries(id="textbook.claim.fbeta")))
def test_beta_above_one_weighs_recall(entry: Golden) -> None:
    pairs = {"P=3/10,R=8/10": (0.3, 0.8), "P=8/10,R=3/10": (0.8, 0.3)}
    betas = {"beta=1/2": 0.5, "beta=1": 1, "beta=2": 2}
    entry.check(
        {
            name: {said: f_beta(beta)(with_rates(*pair)) for said, beta in betas.items()}
            for name, pair in pairs.items()
        }
    )


@checks(list(entries(id="textbook.k")))
def test_f1_is_the_harmonic_mean_and_fowlkes_mallows_the_geometric_one(entry: Golden) -> None:
    counts = [with_rates(pair["precision"], pair["recall"]) for pair in entry.value]
    entry.check(
        [
            {"f1": METRIC["f1"](some), "geometric_mean": METRIC["fowlkes_mallows"](some)}
            for some in counts
        ]
    )


@checks(list(entries(id="textbook.claim.majority")))
def test_calling_all_rows_the_majority_reaches_its_share_and_no_more(entry: Golden) -> None:
    counts = BinaryCounts(tp=0, fp=0, fn=entry.params["minority"], tn=entry.params["majority"])
    entry.check(
        {
            "accuracy": METRIC["no_information_rate"](counts),
            "minority_share": METRIC["prevalence"](counts),
        }
    )
