"""The JSON of evaluate, inspect and metrics keeps its contract."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore.metrics.catalog import METRICS
from tests.evalboard.said import Run


def test_evaluate_says_what_was_read(run: Run, file: Path):
    tree = run("evaluate", file, "--json").json
    assert tree["schema"] == "evalboard.evaluation/1"
    assert set(tree) >= {"source", "task", "classes", "positive", "roles", "notices", "models"}
    source = tree["source"]
    assert len(source.pop("sha256")) == 64
    assert source == {
        "name": "rows.csv",
        "format": "csv",
        "tool": None,
        "encoding": "utf-8",
        "separator": ",",
        "decimal": ".",
        "thousands": None,
        "sheet": None,
        "rows": 6,
        "rows_used": 6,
    }
    assert tree["roles"]["models"]["rf"] == {
        "label": None,
        "score": "rf_score",
        "probabilities": {},
        "prediction": None,
    }


def test_evaluate_prints_each_model_by_the_contract(run: Run, file: Path):
    said = run("evaluate", file, "--json")
    assert (said.code, said.err) == (0, "")
    model = said.json["models"]["rf"]
    assert model["confusion"]["threshold"] == {"classes": ["0", "1"], "counts": [[2, 1], [1, 2]]}
    assert set(model["metrics"]) == {"threshold", "ranking", "probability"}
    accuracy = model["metrics"]["threshold"]["accuracy"]
    assert set(accuracy) == {"value", "low", "high", "method", "level"}
    assert model["threshold"] == 0.5
    assert model["curves"]["roc"]["threshold"][0] is None
    assert set(model["per_class"]["threshold"]) == {"0", "1"}
    assert set(model["averages"]["threshold"]) == {"macro", "micro", "weighted"}


def test_undefined_and_infinite_values_have_a_reason(run: Run, file: Path):
    metrics = run("evaluate", file, "--json", "--threshold", "2").json["models"]["rf"]["metrics"]
    assert metrics["threshold"]["precision"] == {
        "value": None,
        "undefined": "No row is called positive.",
    }
    file.write_text("y,p\n1,0.0\n0,0.5\n", encoding="utf-8")
    metrics = run("evaluate", file, "--json").json["models"]["p"]["metrics"]
    assert metrics["probability"]["log_loss"]["infinite"] == "+"
    assert metrics["probability"]["log_loss"]["value"] is None


def test_a_best_value_has_its_threshold_and_a_setting_its_number(run: Run, file: Path):
    ranking = run("evaluate", file, "--json").json["models"]["rf"]["metrics"]["ranking"]
    assert ranking["best_f1"]["threshold"] in (0.4, 0.7, 0.9)
    assert ranking["lift_at"]["parameters"] == {"share": 0.1}


@pytest.mark.parametrize(
    ("words", "part", "right"),
    [
        (["--score", "gb_score"], ["models"], {"gb_score"}),
        (["--score", "mine=rf_score"], ["models"], {"mine"}),
        (["--score", "rf_score", "--score", "gb_score"], ["models"], {"rf_score", "gb_score"}),
        (["--positive", "0"], ["positive"], "0"),
        (["--level", "0.9"], ["models", "rf", "metrics", "ranking", "roc_auc", "level"], 0.9),
        (["--threshold", "0.65"], ["models", "rf", "threshold"], 0.65),
    ],
)
def test_options_settle_what_they_name(
    words: list[str], part: list[str], right: Any, run: Run, file: Path
):
    tree = run("evaluate", file, "--json", *words).json
    for step in part:
        tree = tree[step]
    assert (set(tree) if isinstance(right, set) else tree) == right


def test_probabilities_are_given_class_by_class(run: Run, tmp_path: Path):
    path = tmp_path / "three.csv"
    path.write_text("t,x,y,z\na,0.6,0.3,0.1\nb,0.2,0.5,0.3\nc,0.1,0.1,0.8\n", encoding="utf-8")
    words = ["--truth", "t", "--prob", "m:a=x", "--prob", "m:b=y", "--prob", "m:c=z"]
    tree = run("evaluate", path, "--json", *words).json
    assert tree["models"]["m"]["metrics"]["argmax"]["accuracy"]["value"] == 1


def test_bins_and_binning_reach_the_calibration_curve(run: Run, file: Path):
    words = ["--bins", "2", "--binning", "quantile"]
    curve = run("evaluate", file, "--json", *words).json["models"]["rf"]["curves"]["calibration"]
    assert curve["n"] == [3, 3]


def test_inspect_tells_the_roles_and_their_reasons_and_no_metric(run: Run, file: Path):
    tree = run("inspect", file, "--json").json
    assert tree["schema"] == "evalboard.inspection/1"
    assert set(tree["reasons"]) >= {"y", "rf_score", "gb_score"}
    assert tree["columns"] == ["y", "rf_score", "gb_score"]
    assert "models" not in tree
    text = run("inspect", file).out
    assert "truth" in text
    assert "score of rf" in text


def test_inspect_names_the_columns_without_a_role(run: Run, file: Path):
    file.write_text("y,rf_score,mtry\n1,0.9,9\n0,0.2,9\n", encoding="utf-8")
    assert run("inspect", file, "--json").json["unused"] == ["mtry"]
    assert 'Not used: "mtry"' in run("inspect", file).out


def test_inspect_tells_columns_that_serve_slices_and_time_from_those_that_serve_nothing(
    run: Run, file: Path
):
    days = [f"2024-01-{day:02},{'EW'[day % 2]},x,{day % 2},0.{day}" for day in range(1, 29)]
    file.write_text("\n".join(["date,region,made,y,rf_score", *days]), encoding="utf-8")
    text = run("inspect", file).out
    assert 'No role in the evaluation; for slices and over time: "date", "region"' in text
    assert 'Not used: "made"' in text
    assert run("inspect", file, "--json").json["unused"] == ["date", "region", "made"]


def test_inspect_names_the_columns_round_a_prediction(run: Run, file: Path):
    header = "y,m,m_lower,m_upper,m_q05,m_q50,m_q95"
    rows = "".join(f"{k}.5,{k},{k - 1},{k + 1},{k - 2},{k},{k + 2}\n" for k in range(20))
    file.write_text(f"{header}\n{rows}", encoding="utf-8")
    text = run("inspect", file, "--prediction", "m=m", "--truth", "y").out
    text = " ".join(text.split())
    assert "lower end of m m_lower named" in text
    assert "5% quantile of m m_q05 named" in text
    assert "of the prediction (likely)" in text


def test_metrics_prints_every_declaration(run: Run):
    tree = run("metrics", "--json").json
    assert [metric["key"] for metric in tree["metrics"]] == [metric.key for metric in METRICS]
    assert run("metrics").out.count("\n") == len(METRICS) + 3


def test_a_metric_is_shown_whole_by_its_key(run: Run):
    said = run("metrics", "f_beta(3)", "total_cost").out
    assert said.startswith("F3 score (f_beta(3))")
    assert r"\frac{10 TP}{10 TP + FP + 9 FN}" in said
    assert "Elkan (2001)" in said
    one = run("metrics", "mcc", "--json").json["metrics"]
    assert [metric["key"] for metric in one] == ["mcc"]
    assert "Did you mean roc_auc?" in run("metrics", "auc").err


def test_each_class_has_a_line_with_intervals(run: Run, tmp_path: Path):
    path = tmp_path / "three.csv"
    path.write_text("truth,pred\n" + "a,a\na,b\nb,b\nc,c\n" * 5, encoding="utf-8")
    lines = [line.split() for line in run("evaluate", path).out.splitlines()]
    # Of the ten rows that are called b five are b, and all five b are found: 5 / 10, 5 / 5.
    (of_b,) = [line for line in lines if line[:2] == ["b", "5"] and len(line) > 8]
    assert (of_b[2], of_b[6]) == ("0.500", "1")
    path.write_text("truth,pred\n" + "yes,yes\nno,no\nno,yes\n" * 5, encoding="utf-8")
    assert "by class" in run("evaluate", path).out


def test_weighted_kappa_says_that_it_counts_by_the_alphabet(run: Run, tmp_path: Path):
    path = tmp_path / "graded.csv"
    path.write_text("truth,pred\n" + "x,x\ny,z\nz,z\n" * 5, encoding="utf-8")
    assert "in alphabetical order; --order" in run("evaluate", path).out
    ordered = run("evaluate", path, "--order", "y", "--order", "x", "--order", "z").out
    assert "alphabetical order" not in ordered
    path.write_text("truth,pred\n" + "1,1\n2,3\n3,3\n" * 5, encoding="utf-8")
    assert "alphabetical order" not in run("evaluate", path).out


def test_costs_are_metrics_like_any_other(run: Run, file: Path):
    # rf_score at 0.5 is right on 4 rows, misses one of three and flags one of three negatives.
    words = ["--score", "rf_score", "--cost", "1:0=10", "--cost", "0:1=1"]
    made = run("evaluate", file, "--json", *words).json["models"]["rf_score"]["metrics"]
    group = made["threshold"]
    assert group["total_cost"]["value"] == 11
    assert group["mean_cost"]["value"] == pytest.approx(11 / 6)
    assert group["mean_cost"]["low"] < 11 / 6 < group["mean_cost"]["high"]
    # Two right of three in each class, positives weighing 10: (20 + 2) / (30 + 3).
    assert group["weighted_accuracy"]["value"] == pytest.approx(22 / 33)
    more = ["--prevalence", "0.1", "--volume", "1000"]
    there = run("evaluate", file, "--json", *words, *more).json["models"]["rf_score"]["metrics"]
    mean = 0.1 * 10 / 3 + 0.9 * 1 / 3
    assert there["threshold"]["mean_cost"]["value"] == pytest.approx(mean)
    assert there["threshold"]["total_cost"]["value"] == pytest.approx(1000 * mean)
    plain = run("evaluate", file, "--json", "--score", "rf_score").json["models"]["rf_score"]
    assert "mean_cost" not in plain["metrics"]["threshold"]


@pytest.mark.parametrize("more", [[], ["--volume", "1000"], ["--prevalence", "0.1"]])
@pytest.mark.parametrize("rows", [1, 4])
def test_a_total_cost_has_the_interval_of_the_mean(
    run: Run, tmp_path: Path, rows: int, more: list[str]
):
    """Also where several rows of one patient depend on each other."""
    rng, path = np.random.default_rng(3), tmp_path / "patients.csv"
    truth = np.repeat(rng.random(60) < 0.4, rows)
    score = np.round(1 / (1 + np.exp(1 - 2 * truth - rng.normal(size=len(truth)))), 3)
    patient = np.arange(len(truth)) // rows
    pd.DataFrame({"patient": patient, "truth": truth.astype(int), "score": score}).to_csv(path)
    words = ["--truth", "truth", "--score", "score", "--cost", "1:0=20", "--cost", "0:1=1"]
    grouped = ["--group", "patient"] if rows > 1 else []
    made = run("evaluate", path, "--json", *words, *grouped, *more).json["models"]
    found = next(iter(made.values()))["metrics"]["threshold"]
    mean, total = found["mean_cost"], found["total_cost"]
    cases = 1000 if "--volume" in more else len(truth)
    for end in ("value", "low", "high"):
        assert total[end] == pytest.approx(cases * mean[end])


@pytest.mark.parametrize(
    "words",
    [
        ("--cost", "1:maybe=3"),
        ("--cost", "1:0=much"),
        ("--volume", "10"),
        ("--cost", "1:0=3", "--prevalence", "2"),
        ("--cost", "1:0=3", "--volume", "-1"),
    ],
)
def test_costs_that_cannot_be_used_are_refused(run: Run, file: Path, words: tuple[str, ...]):
    said = run("evaluate", file, *words)
    assert (said.code, said.out) == (2, "")
    assert "--" in said.err


def test_costs_of_three_classes_are_those_of_each_cell(run: Run, tmp_path: Path):
    path = tmp_path / "three.csv"
    path.write_text("truth,pred\n" + "a,a\na,b\nb,b\nc,b\n" * 5, encoding="utf-8")
    words = ["--cost", "a:b=2", "--cost", "c:b=7"]
    made = run("evaluate", path, "--json", *words).json["models"]
    (model,) = made.values()
    assert model["metrics"]["labels"]["total_cost"]["value"] == 5 * 2 + 5 * 7
    assert "weighted_accuracy" not in model["metrics"]["labels"]
