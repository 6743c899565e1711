"""A number has one interval, wherever it is shown."""

from functools import cache
from pathlib import Path

import pytest

from evalcore.compare import compare
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalcore.results import Evaluation
from evalread.dataset import Dataset
from evalread.loading import load

ROOT = Path(__file__).parents[3]
OPTIONS = Options(resamples=200)


@cache
def sample(name: str) -> tuple[Dataset, Evaluation]:
    data = load([(name, (ROOT / f"assets/samples/{name}.csv").read_bytes())])
    return data, evaluate(data, OPTIONS)


@pytest.mark.parametrize(
    ("name", "group", "metric"),
    [
        *(("breast_cancer", "labels", key) for key in ("accuracy", "f1", "mcc", "recall")),
        *(("breast_cancer", "ranking", key) for key in ("roc_auc", "average_precision", "best_f1")),
        *(("breast_cancer", "probability", key) for key in ("brier", "log_loss")),
        *(("digits", "labels", key) for key in ("accuracy", "balanced_accuracy", "mcc")),
        ("digits", "ranking", "roc_auc_ovr_macro"),
        *(("diabetes", "values", key) for key in ("rmse", "mae", "r2", "pearson", "spearman")),
    ],
)
def test_a_comparison_shows_the_interval_of_the_evaluation(
    name: str, group: str, metric: str
) -> None:
    data, evaluation = sample(name)
    compared = compare(data, OPTIONS, metric=metric).models
    assert len(compared) > 1
    for model, found in compared.items():
        assert found == evaluation.models[model].metrics[group][metric], model


def test_a_comparison_by_the_mean_over_classes_shows_its_interval() -> None:
    data, evaluation = sample("digits")
    for model, found in compare(data, OPTIONS, metric="f1").models.items():
        assert found == evaluation.models[model].decisions["labels"].averages["macro"]["f1"]


@pytest.mark.parametrize("metric", ["precision", "recall", "f1"])
def test_micro_averages_are_the_accuracy_with_its_interval(metric: str) -> None:
    _, evaluation = sample("digits")
    for model in evaluation.models.values():
        made = model.decisions["labels"]
        accuracy, micro = made.metrics["accuracy"], made.averages["micro"][metric]
        assert (micro.value, micro.low, micro.high) == (
            accuracy.value,
            accuracy.low,
            accuracy.high,
        )
        assert micro.method == accuracy.method == "wilson"
