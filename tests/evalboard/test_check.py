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
    with pytest.raises(EvalError, match="no requirement"):
        Requirement.parse(text)


def test_a_model_name_may_hold_a_colon():
    made = Requirement.parse("a:b:roc_auc>0.5")
    assert (made.model, made.metric) == ("a:b", "roc_auc")
