"""The hostile files of tests/cases, as far as intake decides about them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalcore.outcomes import BinaryOutcomes, NumericOutcomes
from evalread.dataset import Choices, Dataset, Task
from evalread.loading import load

from .files import refused

CASES = Path(__file__).parents[1] / "cases"
LAST_REPORTED = 100
"""Cases up to here are taken from reports; files of tools are looked at in test_tools.py."""
READ = json.loads((CASES / "cases.json").read_text(encoding="utf-8"))
ALL = [case for case in READ if int(case["id"]) <= LAST_REPORTED]
LATER = {"clustering", "compare_cv"}
BY_EVALUATION = {
    "only one class", "constant", "below 0.5", "disagree", "identical", "zero", "degenerate",
    "6 of 8",
}  # fmt: skip
"""Words of notices that rest on numbers, not on cells."""

CODES = {
    "24": "infinite-score", "26": "bad-weight", "49": "empty", "50": "header-only",
    "53": "ragged", "58": "not-numeric", "61": "list-cells",
}  # fmt: skip


def file(case: dict[str, Any]) -> tuple[str, bytes]:
    return case["file"], (CASES / case["file"]).read_bytes()


def given(case: dict[str, Any]) -> Choices:
    """Return the roles of a case as a user would choose them."""
    columns, params = case["columns"], case.get("params") or {}
    score = columns.get("score")
    numeric = case["task"].startswith("regression")
    label = columns.get("pred")
    return Choices(
        task=Task.REGRESSION if numeric else None,
        truth=columns.get("truth"),
        labels={"": label} if label and not numeric else None,
        predictions={"": label} if label and numeric else None,
        scores={"": score} if isinstance(score, str) else None,
        weight=columns.get("weight"),
        id=columns.get("id"),
        positive=None if params.get("positive") is None else str(params["positive"]),
    )


def chosen(case: dict[str, Any]) -> list[Choices]:
    return [Choices(positive=given(case).positive), given(case)]


RIGHT = [c for c in ALL if "expected_error" not in c and c["task"] not in LATER]
WRONG = [c for c in ALL if "expected_error" in c]


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["file"])
def test_a_file_that_cannot_be_used_is_refused_in_the_right_words(case: dict[str, Any]) -> None:
    error = refused(file(case))
    assert error.code == CODES[case["id"]]
    assert error.message.startswith(case["expected_error"])


@pytest.mark.parametrize("way", [0, 1], ids=["detected", "given"])
@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case["file"])
def test_a_file_is_read_as_it_should_be(case: dict[str, Any], way: int) -> None:
    data = load([file(case)], chosen(case)[way])
    columns, expected = case["columns"], case["expected"]
    if "truth" in columns:
        assert data.roles.truth == columns["truth"]
    _check_columns(data, columns)
    if "n" in expected:
        assert _rows(data) == expected["n"]
    if "labels" in expected:
        assert sorted(data.classes) == sorted(str(label) for label in expected["labels"])
    if "confusion" in expected:
        assert (
            _confusion(data, [str(label) for label in expected["labels"]])
            == (expected["confusion"])
        )
    word = case.get("expected_warning")
    if word and word not in BY_EVALUATION:
        assert any(word in notice.message for notice in data.notices)


def _check_columns(data: Dataset, columns: dict[str, Any]) -> None:
    models = list(data.roles.models.values())
    if "score" in columns:
        wanted = columns["score"] if isinstance(columns["score"], list) else [columns["score"]]
        assert [model.score for model in models] == wanted
    if "pred" in columns:
        assert [model.prediction or model.label for model in models] == [columns["pred"]]
    if "proba" in columns:
        assert sorted(models[0].probabilities.values()) == sorted(columns["proba"])
    if "weight" in columns:
        assert data.roles.weight == columns["weight"]


def _rows(data: Dataset) -> int:
    model = next(iter(data.models.values()))
    return model.n if model.weight is None else int(model.weight.sum())


def _confusion(data: Dataset, labels: list[str]) -> list[list[int]]:
    model = next(iter(data.models.values()))
    assert not isinstance(model, NumericOutcomes)
    counts = np.zeros((len(data.classes), len(data.classes)), int)
    np.add.at(counts, (model.truth, model.label), 1)
    order = [data.classes.index(label) for label in labels]
    return counts[np.ix_(order, order)].tolist()


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case["file"])
def test_a_binary_file_has_its_positive_class(case: dict[str, Any]) -> None:
    wanted = (case.get("params") or {}).get("positive")
    data = load([file(case)])
    if wanted is not None and all(isinstance(m, BinaryOutcomes) for m in data.models.values()):
        assert data.roles.positive == str(wanted)


def test_confidence_of_the_predicted_label_is_turned_round() -> None:
    case = next(case for case in ALL if case["id"] == "100")
    (model,) = load([file(case)]).models.values()
    assert model.score == pytest.approx([0.91, 0.62, 0.12, 0.45, 0.73])


GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize(
    ("name", "task", "models", "columns"),
    [
        ("breast_cancer_cv.csv", Task.BINARY, ["logreg", "rf", "knn"], 2),
        ("iris_cv.csv", Task.MULTICLASS, ["logreg", "rf", "knn"], 4),
        ("diabetes_reg_cv.csv", Task.REGRESSION, ["linreg", "rf", "knn"], 1),
    ],
)
def test_several_models_with_folds_and_groups_are_told_apart(
    name: str, task: Task, models: list[str], columns: int
) -> None:
    data = load([(name, (GOLDEN / name).read_bytes())])
    assert (data.roles.task, data.roles.truth, data.roles.fold) == (task, "truth", "fold")
    assert list(data.models) == models
    assert all(len(set(model.columns)) == columns for model in data.roles.models.values())
    assert data.fold is not None
    assert data.fold.names == tuple(str(fold) for fold in range(1, 11))
    assert data.notices == ()
