"""Which model is better, on the command line."""

from pathlib import Path

import pytest

from tests.evalboard.said import Run


def test_compare_prints_the_contract(run: Run, file: Path):
    tree = run("compare", file, "--json", "--seed", "1").json
    assert tree["schema"] == "evalboard.comparison/1"
    assert (tree["n"], tree["design"], tree["metric"]) == (6, "paired-rows", "roc_auc")
    assert set(tree["models"]) == {"rf", "gb"}
    (gap,) = tree["differences"]
    second_minus_first = [
        tree["models"][gap[side]]["roc_auc"]["value"] for side in ("second", "first")
    ]
    assert gap["difference"] == pytest.approx(second_minus_first[0] - second_minus_first[1])
    tests = {test["name"]: test for test in tree["tests"]}
    assert set(tests["delong"]) >= {"first", "second", "statistic", "p_value", "p_adjusted"}
    assert {refusal["name"] for refusal in tree["not_applicable"]} >= {"corrected_resampled_t"}


def test_compare_by_another_metric_in_words(run: Run, file: Path):
    said = run("compare", file, "--metric", "accuracy")
    assert said.code == 0
    assert "Accuracy on 6 rows" in said.out
    assert "mcnemar_exact" in said.out
    assert "further tests not applicable; --explain" in said.out
    assert "corrected_resampled_t" not in said.out
    explained = run("compare", file, "--metric", "accuracy", "--explain").out
    assert "The file has no fold column." in explained
    assert "corrected_resampled_t" in explained


def test_the_table_of_differences_has_the_sign_of_the_sentence_above_it(run: Run, file: Path):
    said = run("compare", file, "--metric", "roc_auc").out
    assert "rf is ahead by 0.444 in ROC AUC" in said
    assert "rf minus gb  0.444  -0.370 to 1" in said


def test_one_model_cannot_be_compared(run: Run, file: Path):
    said = run("compare", file, "--score", "rf_score")
    assert (said.code, said.out) == (2, "")
    assert len(said.err) > 20
