"""A number worked out from its parts is the number that evalcore gives."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from evalcore.evaluate import evaluate_model
from evalcore.evaluation.clusterings import evaluate_clustering
from evalcore.evaluation.condense import condense
from evalcore.evaluation.estimates import estimate_values
from evalcore.metrics.catalog import AGREEMENT, METRICS, POINTS, by_key
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.options import Options
from evalcore.outcomes import NumericOutcomes
from evalcore.results import ModelTables
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.contingency import Contingency
from evalcore.tables.scores import ScoreTable
from evalread.loading import load
from evalview.explained.of_matrices import OF_CONTINGENCY, OF_MATRIX, of_average, of_class
from evalview.explained.of_scores import OF_CLASSES
from evalview.explained.workings import (
    OF_NUMBERS,
    OF_ROWS,
    OF_TABLE,
    of_clustering,
    of_decisions,
    of_tables,
)

SAMPLES = Path(__file__).resolve().parents[3] / "assets" / "samples"
LARGEST = ("purity", "inverse_purity", "best_match_accuracy")
BEST = ("best_f1", "best_youden", "best_mcc")


@cache
def sample(name: str):
    """Return the tables and the numbers of the first model of a sample."""
    file = SAMPLES / name
    tables = next(iter(condense(load([(name, file.read_bytes())])).values()))
    return tables, evaluate_model("model", tables, Options(resamples=100))


@cache
def scored():
    """Return the tables and the numbers of scores with ties, none of them 0 or 1."""
    rng = np.random.default_rng(5)
    truth = (rng.random(150) < 0.4).astype(np.int8)
    score = np.round(np.clip(rng.normal(0.35 + 0.25 * truth, 0.2), 0.02, 0.98), 2)
    table = ScoreTable.from_scores(truth, score)
    tables = ModelTables(n=150, classes=("no", "yes"), scores=table, probability=True)
    return tables, evaluate_model("model", tables, Options(resamples=100))


@cache
def clustered():
    """Return a clustering whose clusters overlap, with its true classes."""
    name = "iris.csv"
    dataset = load([(name, (SAMPLES / name).read_bytes())])
    return evaluate_clustering(dataset, next(iter(dataset.clusterings)), Options())


@pytest.mark.parametrize("key", [*OF_TABLE, *BEST])
def test_numbers_of_scores_are_made_of_pairs_counts_and_losses(key: str):
    tables, made = scored()
    estimate = {**made.ranking, **made.probability}[key]
    working = of_tables(by_key()[key], estimate, tables)
    assert working.result == pytest.approx(estimate.value, rel=1e-9)
    assert working.at == estimate.at or estimate.at is None


@pytest.mark.parametrize("key", OF_CLASSES)
def test_numbers_of_class_probabilities_are_made_of_losses(key: str):
    tables, made = sample("digits.csv")
    estimate = {**made.ranking, **made.probability}[key]
    working = of_tables(by_key()[key], estimate, tables)
    assert working.result == pytest.approx(estimate.value, rel=1e-9)


@pytest.mark.parametrize("key", OF_MATRIX)
def test_numbers_of_many_classes_are_made_of_the_matrix(key: str):
    decisions = sample("digits.csv")[1].decisions["argmax"]
    working = of_decisions(by_key()[key], decisions.confusion)
    assert working.result == pytest.approx(decisions.metrics[key].value, rel=1e-9)


@pytest.mark.parametrize("key", [*OF_NUMBERS, *OF_ROWS])
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


def test_the_numbers_of_a_class_and_of_averages_are_made_of_their_counts():
    made = sample("digits.csv")[1].decisions["argmax"]
    for code, name in enumerate(made.confusion.classes):
        working = of_class(by_key()["f1"], made.confusion, code)
        assert working.result == pytest.approx(made.per_class[name]["f1"].value, rel=1e-9)
    for average, found in made.averages.items():
        for key, estimate in found.items():
            working = of_average(by_key()[key], made.confusion, average)
            assert working.result == pytest.approx(estimate.value, rel=1e-9), (average, key)


@pytest.mark.parametrize("metric", [*POINTS, *AGREEMENT], ids=lambda m: f"{m.family.value}.{m.key}")
def test_every_number_of_a_clustering_is_made_of_clusters_pairs_or_cells(metric: Metric):
    made = clustered()
    estimate = made.metrics[metric.family.value][metric.key]
    assert of_clustering(metric, estimate, made).result == pytest.approx(estimate.value, rel=1e-9)


def test_the_largest_parts_and_the_pairs_are_worked_by_hand():
    codes = np.array([0, 0, 0, 0, 2]), np.array([0, 0, 1, 1, 1])
    table = Contingency.from_codes(*codes, ("x", "empty", "y"), ("one", "two"))
    lines = {key: OF_CONTINGENCY[key](table).parts.rows for key in LARGEST}
    assert lines["purity"] == (("one", "x", 2), ("two", "x", 2))
    assert lines["inverse_purity"] == (("x", "one", 2), ("empty", "one", 0), ("y", "two", 1))
    assert lines["best_match_accuracy"] == (("one", "x", 2), ("two", "y", 1))


def test_every_number_of_the_catalogue_is_worked_out():
    """All but the adjusted R squared, which a file of predictions does not define."""
    of_probabilities = {*OF_TABLE, *BEST, *OF_CLASSES}
    known = {
        Family.RANKING: of_probabilities,
        Family.PROBABILITY: of_probabilities,
        Family.VALUES: {*OF_NUMBERS, *OF_ROWS, "adjusted_r2"},
        Family.COUNTS: {m.key for m in METRICS if m.needs is BinaryCounts} | {*OF_MATRIX},
    }
    assert all(m.key in known[m.family] for m in METRICS if m.family in known)


def test_the_first_terms_of_a_sum_are_shown_with_how_many_there_are():
    tables, made = scored()
    shown = of_tables(by_key()["average_precision"], made.ranking["average_precision"], tables)
    steps = int((tables.scores.steps()[0] > 0).sum())
    assert shown.parts.title == f"The first 4 and the last 2 of {steps} steps"
    assert len(shown.parts.rows) == 7
    first = shown.parts.rows[0]
    assert first[0] == tables.scores.threshold[0]
    assert first[3] == pytest.approx(first[1] * first[2])


def test_the_bins_of_a_calibration_error_add_up_to_it():
    tables, made = scored()
    shown = of_tables(by_key()["ece"], made.probability["ece"], tables).parts
    total = sum(row[-1] for row in shown.rows)
    assert total / 150 == pytest.approx(made.probability["ece"].value, rel=1e-12)


def test_the_best_value_over_thresholds_names_its_threshold():
    tables, made = sample("breast_cancer.csv")
    working = of_tables(by_key()["best_f1"], made.ranking["best_f1"], tables)
    assert tables.scores.at(working.at) == tables.scores.at(made.ranking["best_f1"].at)
    assert working.at == 0.356


def test_what_is_undefined_has_no_working():
    tables, _ = sample("breast_cancer.csv")
    assert of_tables(by_key()["roc_auc"], Estimate(float("nan"), why="one class"), tables) is None
