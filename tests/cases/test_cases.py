"""Small files that trip evaluation tools up, and one of each tool, through the command line.

`cases.json` says of each file what is reported to go wrong, and what is right. `file` is one file,
`files` are several; `read` is what has to be said of the reading. The tests of intake look at
`rows`.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from evalboard.cli import main
from tests.cases.files import CASES, FOLDER, called, paths
from tests.cases.told import ASIDE, COMPARED, SIMPLE, Told

BY_ID = {case["id"]: case for case in CASES}

Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Return a function that runs a command on a case's file: exit code and JSON."""

    def run(command: str, case: Mapping[str, Any], *words: str) -> tuple[int, Any]:
        quick = [] if command == "inspect" else ["--resamples", "200"]
        code = main([command, *map(str, paths(case)), "--json", *quick, *words])
        return code, json.loads(capsys.readouterr().out, parse_constant=refuse)

    return run


def refuse(token: str) -> None:
    raise ValueError(f"{token} is no JSON")


def settings(case: Mapping[str, Any]) -> list[str]:
    """Return the options that say what is asked, not which column is what."""
    asked = case.get("params") or {}
    words = []
    for name in ("positive", "threshold", "bins"):
        if asked.get(name) is not None:
            words += [f"--{name}", str(asked[name])]
    if asked.get("percent"):
        words += ["--score-scale", "percent"]
    sheet = (case.get("read") or {}).get("sheet")
    return words + (["--sheet", sheet] if sheet else [])


def roles(case: Mapping[str, Any]) -> list[str]:
    """Return the options that say which column is what."""
    columns, task = case["columns"], case["task"]
    if task.startswith("compare"):
        return models(case)
    words = [] if task == "any" else ["--task", task.removesuffix("_labels")]
    for name in ("truth", "weight", "id", "fold"):
        if name in columns:
            words += [f"--{name}", columns[name]]
    for model, own in columns.get("models", {"": columns}).items():
        words += predictions(case, own, model)
    for column in columns.get("features", []):
        words += ["--feature", column]
    return words + (["--cluster", columns["cluster"]] if "cluster" in columns else [])


def predictions(case: Mapping[str, Any], columns: Mapping[str, Any], model: str) -> list[str]:
    """Return the options that say which columns are one model's."""
    words = []
    if "pred" in columns:
        numbers = case["task"] == "regression"
        words += ["--prediction" if numbers else "--label", f"{model}={columns['pred']}"]
    if isinstance(columns.get("score"), str):
        words += ["--score", f"{model}={columns['score']}"]
    proba = columns.get("proba", {})
    named = proba if isinstance(proba, dict) else {class_of(name, case): name for name in proba}
    for of, column in named.items():
        words += ["--prob", f"{of}={column}"]
    return words


def models(case: Mapping[str, Any]) -> list[str]:
    """Return the options that say which column is which model's."""
    columns = case["columns"]
    words = ["--truth", columns["truth"]] if "truth" in columns else []
    kind = "--score" if "positive" in (case.get("params") or {}) else "--label"
    kind = "--fold-score" if case["task"] == "compare_cv" else kind
    for name in columns.get("models", []):
        words += [kind, f"{name}={name}"]
    if "fold" in columns:
        words += ["--fold", columns["fold"]]
    if "model" in columns:
        words += ["--model", columns["model"]]
        words += ["--fold-score", columns["metric"]]
        for key, option in (("n_train", "--train-size"), ("n_test", "--test-size")):
            words += [option, columns[key]] if key in columns else []
    return words


def class_of(column: str, case: Mapping[str, Any]) -> str:
    """Return the class that a probability column names."""
    longest_first = sorted(case["params"]["classes"], key=len, reverse=True)
    return next(name for name in longest_first if column == name or column.endswith(f"_{name}"))


@pytest.mark.parametrize("case", CASES, ids=called)
@pytest.mark.parametrize("told_roles", [True, False], ids=["roles given", "roles detected"])
def test_a_case_comes_out_right(case: Mapping[str, Any], told_roles: bool, ask: Ask):
    words = settings(case) + (roles(case) if told_roles else [])
    command = "compare" if case["task"].startswith("compare") else "evaluate"
    code, tree = ask(command, case, *words)
    if "expected_error" in case:
        check_error(case["expected_error"], code, tree)
    else:
        assert code == 0, tree
        check_answer(case, tree)


def check_error(expected: str, code: int, tree: Mapping[str, Any]) -> None:
    """Hold an error against the right one: the same numbers and the same quoted names."""
    assert (code, tree["schema"]) == (2, "evalboard.error/1")
    message = tree["error"]["message"]
    facts = [word for word in expected.replace("(", " ").split() if word[0].isdigit()]
    facts += [f'"{name}"' for name in expected.split('"')[1::2]]
    for fact in facts:
        assert fact.strip(".),:") in message


def check_answer(case: Mapping[str, Any], tree: Mapping[str, Any]) -> None:
    if case["task"].startswith("compare"):
        check_comparison(case, tree)
        return
    scored = case["task"] == "binary" and "score" in case["columns"]
    check_model(Told(tree, scored=scored), case["expected"])
    for model, expected in case["expected"].get("models", {}).items():
        check_model(Told(tree, scored=scored, model=model), expected)
    if "expected_warning" in case:
        assert Told(tree).warns(case["expected_warning"])


def check_model(told: Told, expected: Mapping[str, Any]) -> None:
    for key, right in expected.items():
        if key not in ASIDE:
            assert same(answer(told, key, expected), right), key


SAID = {"sep": "separator"}
"""What a case calls a fact about the reading, where that is not its key."""


@pytest.mark.parametrize("case", CASES, ids=called)
def test_what_was_read_is_said_and_why(case: Mapping[str, Any], ask: Ask):
    code, tree = ask("inspect", case)
    if "expected_error" in case:
        check_error(case["expected_error"], code, tree)
        return
    assert code == 0, tree
    for key, right in (case.get("read") or {}).items():
        if key != "skip_blank":
            assert tree["source"][SAID.get(key, key)] == right, key
    assert all(tree["reasons"].values())
    assert tree["reasons"].keys() == tree["confidence"].keys()


def check_comparison(case: Mapping[str, Any], tree: Mapping[str, Any]) -> None:
    tests = {test["name"]: test for test in tree["tests"]}
    for key, right in case["expected"].items():
        if key not in ASIDE:
            assert same(COMPARED[key](tree, tests), right), key
    if "expected_warning" in case:
        messages = [notice["message"] for notice in tree["notices"]]
        assert any(case["expected_warning"] in message for message in messages)


def answer(told: Told, key: str, expected: Mapping[str, Any]) -> Any:
    if key in SIMPLE:
        return SIMPLE[key](told, expected)
    if key in ("tp", "fp", "fn", "tn"):
        return told.count(key)
    if isinstance(expected[key], list):
        return told.per_class(key, expected["labels"])
    return told.value(key)


def same(mine: Any, right: Any) -> bool:
    if isinstance(right, list):
        return len(mine) == len(right) and all(map(same, mine, right))
    if isinstance(right, float) and mine is not None:
        return bool(mine == pytest.approx(right, rel=1e-9, abs=1e-9))
    return bool(mine == right)


def test_every_file_is_a_case():
    found = {
        path for path in FOLDER.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    }
    files = found - {FOLDER / "cases.json", *FOLDER.glob("*.py")}
    assert files == {path for case in CASES for path in paths(case)}


def test_a_low_score_may_mean_positive_but_is_never_turned_in_silence(ask: Ask):
    case = BY_ID["14"]
    _, tree = ask("evaluate", case, "--positive", "1", "--reverse-score")
    told = Told(tree)
    assert told.value("roc_auc") == case["expected"]["roc_auc_after_user_reverses"]
    right = case["expected"]["average_precision_after_reverse"]
    assert told.value("average_precision") == pytest.approx(right)
    assert not told.warns("below 0.5")


def test_labels_and_threshold_stand_side_by_side(ask: Ask):
    case = BY_ID["16"]
    _, tree = ask("evaluate", case, *settings(case))
    for way, part in (("labels", "from_label_column"), ("threshold", "from_score_at_0_5")):
        for key, right in case["expected"][part].items():
            made = next(iter(tree["models"].values()))["metrics"][way][key]["value"]
            assert made == pytest.approx(right), (way, key)
    message = Told(tree).notice("labels-disagree")["message"]
    low, high = case["expected"]["threshold_consistent_with_labels"]
    assert f"on {case['expected']['n_rows_disagree']} of 10 rows" in message
    assert f"above {low} and up to {high}" in message


def test_log_odds_become_probabilities_only_when_asked(ask: Ask):
    case = BY_ID["18"]
    _, tree = ask("evaluate", case, "--score-scale", "logit")
    for key, right in case["expected"]["after_explicit_sigmoid"].items():
        assert Told(tree).value(key) == pytest.approx(right)


def test_empty_bins_are_left_out(ask: Ask):
    case = BY_ID["31"]
    _, tree = ask("evaluate", case, *settings(case))
    curve = Told(tree).model["curves"]["calibration"]
    for place, right in enumerate(case["expected"]["bins"]):
        assert curve["low"][place] == right["bin"] / 10
        assert curve["n"][place] == right["n"]
        assert curve["mean_probability"][place] == pytest.approx(right["mean_pred"])
        assert curve["share_positive"][place] == pytest.approx(right["frac_pos"])


def test_columns_with_one_header_are_two_models(ask: Ask):
    case = BY_ID["54"]
    _, tree = ask("evaluate", case, *settings(case))
    for column in (2, 4):
        told = Told(tree, model=f"prob (column {column})")
        assert told.value("roc_auc") == case["expected"][f"roc_auc_column_{column}"]


def test_the_largest_probability_decides_among_many_classes(ask: Ask):
    case = BY_ID["72"]
    _, tree = ask("evaluate", case)
    told, right = Told(tree), case["expected"]["argmax"]
    assert told.confusion(right["labels"]) == right["confusion"]
    assert told.value("accuracy") == right["accuracy"]
    made = told.model["per_class"]["argmax"]["S"]
    assert {key: made[key]["value"] for key in ("tp", "fp")} == case["expected"]["argmax_S"]


def test_an_interval_without_variation_is_called_degenerate(ask: Ask):
    case = BY_ID["92"]
    _, tree = ask("evaluate", case, *settings(case))
    made = Told(tree).model["metrics"]["ranking"]["average_precision"]
    # Percentiles of resamples are [1, 1], which says more than these rows know.
    assert case["expected"]["bootstrap_percentile_ci"] == [1, 1]
    assert made["low"] < 0.6
    assert made["high"] == 1
    assert "degenerate" in made["note"]
