"""A number worked out from its parts is the number that evalcore gives."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from evalcore.evaluate import evaluate_model
from evalcore.evaluation.condense import condense
from evalcore.evaluation.values import estimate_values
from evalcore.intake import load
from evalcore.metrics.catalog import by_key
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes
from evalcore.results import ModelTables
from pages.explained.of_matrices import OF_MATRIX
from pages.explained.of_numbers import OF_NUMBERS
from pages.explained.of_scores import OF_CLASSES, OF_SCORES
from pages.explained.workings import of_decisions, of_tables

SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "samples"
BEST = ("best_f1", "best_youden", "best_mcc")


@cache
def sample(name: str):
    """Return the tables and the numbers of the first model of a sample."""
    file = SAMPLES / name
    tables = next(iter(condense(load([(name, file.read_bytes())])).values()))
    return tables, evaluate_model("model", tables, Options(resamples=100))


@pytest.mark.parametrize("key", [*OF_SCORES, *BEST])
def test_numbers_of_scores_are_made_of_pairs_counts_and_losses(key: str):
    tables, made = sample("breast_cancer.csv")
    estimate = {**made.ranking, **made.probability}[key]
    working = of_tables(by_key()[key], estimate, tables)
    assert working.result == pytest.approx(estimate.value, rel=1e-9)


@pytest.mark.parametrize("key", OF_CLASSES)
def test_numbers_of_class_probabilities_are_made_of_losses(key: str):
    tables, made = sample("digits.csv")
    working = of_tables(by_key()[key], made.probability[key], tables)
    assert working.result == pytest.approx(made.probability[key].value, rel=1e-9)


@pytest.mark.parametrize("key", OF_MATRIX)
def test_numbers_of_many_classes_are_made_of_the_matrix(key: str):
    decisions = sample("digits.csv")[1].decisions["argmax"]
    working = of_decisions(by_key()[key], decisions.confusion)
    assert working.result == pytest.approx(decisions.metrics[key].value, rel=1e-9)


@pytest.mark.parametrize("key", OF_NUMBERS)
def test_numbers_of_predicted_numbers_are_made_of_sums(key: str):
    rng = np.random.default_rng(3)
    truth = rng.normal(40, 9, 80)
    outcomes = NumericOutcomes(
        truth=truth, prediction=truth + rng.normal(2, 4, 80), weight=rng.uniform(0, 2, 80)
    )
    estimate = estimate_values(outcomes, Options(resamples=100), [by_key()[key]])[key]
    tables = ModelTables(n=float(outcomes.weight.sum()), classes=(), numbers=outcomes)
    working = of_tables(by_key()[key], estimate, tables)
    assert working.result == pytest.approx(estimate.value, rel=1e-9)


def test_the_best_value_over_thresholds_names_its_threshold():
    tables, made = sample("breast_cancer.csv")
    working = of_tables(by_key()["best_f1"], made.ranking["best_f1"], tables)
    assert working.at == made.ranking["best_f1"].at


def test_what_is_undefined_has_no_working():
    tables, _ = sample("breast_cancer.csv")
    assert of_tables(by_key()["roc_auc"], Estimate(float("nan"), why="one class"), tables) is None


def test_a_number_that_is_more_than_arithmetic_has_no_working():
    tables, made = sample("breast_cancer.csv")
    assert of_tables(by_key()["ece"], made.probability["ece"], tables) is None
    binary, many = (sample(n)[1] for n in ("breast_cancer.csv", "digits.csv"))
    p_value = by_key()["accuracy_p_value"]
    assert of_decisions(p_value, binary.decisions["labels"].confusion) is None
    assert of_decisions(p_value, many.decisions["labels"].confusion) is None
