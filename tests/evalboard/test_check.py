"""Requirements that a job holds a model against."""

from pathlib import Path

import pytest

from evalboard.checks import Requirement
from evalcore.errors import EvalError
from tests.evalboard.said import Run


@pytest.mark.parametrize(
    ("requirement", "code"),
    [
        ("roc_auc>=0.5", 1),
        ("rf:roc_auc>=0.5", 0),
        ("rf:roc_auc>=0.9", 1),
        ("rf:threshold.accuracy > 0.6", 0),
        ("brier<=0.5", 0),
        ("rf:calibration_slope>=0", 0),
        ("rf:tp<3", 0),
    ],
)
def test_check_leaves_with_one_where_a_requirement_fails(
    requirement: str, code: int, run: Run, file: Path
):
    assert run("check", file, "--require", requirement).code == code


def test_check_tells_each_number_with_its_interval(run: Run, file: Path):
    words = ["--require", "rf:roc_auc>=0.5", "--require", "gb:roc_auc>=0.5"]
    tree = run("check", file, "--json", *words).json
    assert tree["schema"] == "evalboard.check/1"
    assert tree["passed"] is False
    assert [outcome["passed"] for outcome in tree["requirements"]] == [True, False]
    assert tree["requirements"][0]["low"] <= tree["requirements"][0]["value"]
    text = run("check", file, *words).out
    assert "passed" in text
    assert "FAILED" in text


def test_an_undefined_number_meets_no_requirement(run: Run, file: Path):
    words = ["--threshold", "2", "--require"]
    assert run("check", file, *words, "precision>=0").code == 1
    assert run("check", file, *words, "precision<=1").code == 1


@pytest.mark.parametrize("text", ["roc_auc", "roc_auc>=x", "roc_auc=>1", ">=1", "", "roc_auc>=nan"])
def test_what_is_no_requirement_is_refused(text: str):
    with pytest.raises(EvalError, match="is not a requirement"):
        Requirement.parse(text)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("F1>=0.1", "f1"), ("ROC AUC>=0.8", "roc_auc"), ("auc>0.8", "roc_auc"), ("acuracy>0", "acc")],
)
def test_a_name_that_is_no_key_leads_to_the_key(said: str, meant: str):
    with pytest.raises(EvalError, match=f"Did you mean {meant}"):
        Requirement.parse(said)


def test_a_key_with_a_setting_or_with_costs_is_required_like_any_other(run: Run, file: Path):
    words = ["--json", "--score", "rf_score", "--require", "f_beta(3)>=0.1"]
    words += ["--require", "threshold.f_beta(0.5)>0.7", "--require", "partial_roc_auc(0.5)>0.1"]
    words += ["--require", "mean_cost<5", "--cost", "1:0=10"]
    f3, f_half, area, cost = run("check", file, *words).json["requirements"]
    # Two positives found, one missed, one false alarm: F is 2/3 whatever beta is.
    assert (f3["value"], f3["low"] < 2 / 3 < f3["high"]) == (pytest.approx(2 / 3), True)
    assert (f_half["value"], f_half["passed"]) == (pytest.approx(2 / 3), False)
    assert (area["group"], area["passed"]) == ("ranking", True)
    assert (cost["metric"], cost["value"]) == ("mean_cost", pytest.approx(10 / 6))
    said = run("check", file, "--require", "total_cost<1")
    assert (said.code, "--cost" in said.err) == (2, True)


def test_a_setting_keeps_to_the_groups_of_rows(run: Run, tmp_path: Path):
    path = tmp_path / "grouped.csv"
    rows = [f"{k % 2},{(k % 2 + k % 3) % 2},p{k // 6}" for k in range(60)]
    path.write_text("\n".join(["truth,label,patient", *rows]), encoding="utf-8")
    words = ["--json", "--require", "f_beta(1)>0", "--require", "f1>0"]
    own, f1 = run("check", path, "--group", "patient", *words).json["requirements"]
    same = ("value", "low", "high", "method")
    assert {key: own[key] for key in same} == pytest.approx({key: f1[key] for key in same})


def test_a_model_name_may_hold_a_colon():
    made = Requirement.parse("a:b:roc_auc>0.5")
    assert (made.model, made.metric) == ("a:b", "roc_auc")


OF_THREE = "truth,label\n" + "a,a\n" * 3 + "a,b\n" + "b,b\n" * 2 + "c: [d]=1,c: [d]=1\nc: [d]=1,a\n"
"""By hand: recall 3/4, 1 and 1/2; precision 3/4, 2/3 and 1."""


@pytest.mark.parametrize(
    ("requirement", "value", "group"),
    [
        ("macro.recall>=0.7", (3 / 4 + 1 + 1 / 2) / 3, "labels.macro"),
        ("labels.micro.precision>=0.7", 6 / 8, "labels.micro"),
        ("weighted.recall>=0.7", 6 / 8, "labels.weighted"),
        ("recall[a]>=0.7", 3 / 4, "labels[a]"),
        ("model:labels.recall[c: [d]=1] >= 0.4", 1 / 2, "labels[c: [d]=1]"),
    ],
)
def test_a_requirement_names_an_average_or_a_class(
    requirement: str, value: float, group: str, run: Run, tmp_path: Path
):
    file = tmp_path / "three.csv"
    file.write_text(OF_THREE)
    name = run("evaluate", file, "--json").json["models"].keys()
    words = ["--require", requirement.replace("model", *name), "--history", tmp_path / "h.csv"]
    for _ in range(2):
        (found,) = run("check", file, *words, "--json").json["requirements"]
        assert found["value"] == pytest.approx(value)
        assert (found["group"], found["passed"]) == (group, True)


@pytest.mark.parametrize(
    ("requirement", "said"),
    [
        ("recall>=0.7", "macro.recall, micro.recall, weighted.recall, recall[a], recall[b]"),
        ("macro.accuracy>=0.7", "It gives: labels.accuracy."),
        ("recall[e]>=0.7", "The classes are: a, b and c: [d]=1."),
        ("f1_macro>=0.7", 'Write "macro.f1>=0.7".'),
        ("rmse<1", "It gives: accuracy, "),
    ],
)
def test_a_requirement_about_no_number_says_what_can_be_required(
    requirement: str, said: str, run: Run, tmp_path: Path
):
    file = tmp_path / "three.csv"
    file.write_text(OF_THREE)
    refused = run("check", file, "--require", requirement)
    assert refused.code == 2
    assert said in refused.err
