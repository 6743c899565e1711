"""Which model is better, on the command line."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

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


def test_shares_of_better_and_equal_name_their_models(run: Run, tmp_path: Path):
    scores, lead = tmp_path / "folds.csv", (0.1, 0.12, 0.09, 0.11, 0.1)
    lines = [f"{k},low,{0.7 + k / 100}\n{k},high,{0.7 + k / 100 + lead[k]}\n" for k in range(5)]
    scores.write_text("fold,model,auc\n" + "".join(lines))
    found = re.search(r"low better (\S+); practically equal (\S+); high better (\S+);",
                      run("compare", scores).out)  # fmt: skip
    assert found is not None
    assert float(found[1]) < 0.01 < 0.99 < float(found[3])


def test_one_model_cannot_be_compared(run: Run, file: Path):
    said = run("compare", file, "--score", "rf_score")
    assert (said.code, said.out) == (2, "")
    assert len(said.err) > 20


@pytest.mark.parametrize(
    ("words", "costs", "thresholds"),
    [
        (["--cost", "1:0=5", "--cost", "0:1=1"], (1 / 6, 3 / 6), '"rf" 0.4, "gb" 0.2)'),
        (["--cost", "1:0=1", "--cost", "0:1=100"], (1 / 6, 2 / 6), '"rf" 0.7, "gb" 0.7)'),
        (["--cost", "1:1=5", "--cost", "0:1=5"], (0, 0), '"rf" 0.9, "gb" 0.7)'),  # flags nothing
        (["--cost", "1:0=5", "--cost", "0:1=1", "--threshold", "0.5"], (6 / 6, 12 / 6), None),
        # By hand: rf misses none and flags a third of the negatives at 0.4, gb all at 0.2.
        (["--cost", "1:0=5", "--cost", "0:1=1", "--prevalence", "0.4"], (0.2, 0.6), None),
    ],
)
def test_costs_compare_models_each_at_its_cheapest_threshold(
    run: Run, file: Path, words: list[str], costs: tuple[float, float], thresholds: str | None
):
    tree = run("compare", file, *words, "--json").json
    assert tree["metric"] == "mean_cost"
    values = [tree["models"][name]["mean_cost"]["value"] for name in ("rf", "gb")]
    assert values == pytest.approx(costs)
    if thresholds:
        assert thresholds in " ".join(one["message"] for one in tree["notices"])


def test_costs_are_compared_by_scores_where_there_are_labels_too(run: Run, tmp_path: Path):
    path = tmp_path / "both.csv"
    rows = "1,.8,0,.7,0\n1,.6,0,.3,0\n0,.4,1,.5,1\n0,.2,1,.1,1\n0,.1,0,.2,0\n"
    path.write_text("y,a_score,a_pred,b_score,b_pred\n" + rows, "utf-8")
    tree = run("compare", path, "--cost", "1:0=5", "--cost", "0:1=1", "--json").json
    values = [tree["models"][name]["mean_cost"]["value"] for name in ("a", "b")]
    assert values == pytest.approx([0, 1 / 5])  # by hand: b flags one negative from 0.3 on


def test_costs_are_compared_row_by_row_as_scipy_does(run: Run, tmp_path: Path):
    rng = np.random.default_rng(3)
    truth = rng.random(400) < 0.3
    scores = [np.round(rng.normal(0.4 + by * truth, 0.2), 3) for by in (0.2, 0.15)]
    lines = [f"{y:d},{a},{b}" for y, a, b in zip(truth, *scores, strict=True)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["y,a_score,b_score", *lines]), encoding="utf-8")
    words = ("--cost", "1:0=4", "--cost", "0:1=1", "--threshold", "0.5")
    tree = run("compare", path, *words, "--json").json
    one, other = (np.where(truth, 4 * (s < 0.5), s >= 0.5) for s in scores)
    theirs = stats.ttest_rel(other, one)
    (gap,) = tree["differences"]
    assert gap["difference"] == pytest.approx(np.mean(other - one))
    low, high = theirs.confidence_interval()
    assert (gap["low"], gap["high"]) == pytest.approx((low, high), abs=0.02)


def test_costs_need_classes_and_known_metrics(run: Run, file: Path, tmp_path: Path):
    said = run("compare", file, "--cost", "yes:no=5")
    assert (said.code, said.out) == (2, "")
    assert "such as 1:0=10" in said.err
    path = tmp_path / "numbers.csv"
    path.write_text("truth,a_pred,b_pred\n1.5,1.2,1.1\n2.5,2.2,2.4\n3.5,3.1,3.9\n", "utf-8")
    said = run("compare", path, "--cost", "yes:no=5")
    assert said.code == 2
    assert "--cost is about decisions between classes" in said.err
