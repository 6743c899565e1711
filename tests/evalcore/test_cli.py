"""The command line: codes, strict JSON, text for people, and never a traceback."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evalcore.arguments import parser
from evalcore.checks import Requirement
from evalcore.cli import main
from evalcore.errors import EvalError
from evalcore.metrics.catalog import METRICS
from evalcore.printing import visible

ROWS = "y,rf_score,gb_score\n1,0.9,0.2\n0,0.2,0.6\n1,0.7,0.4\n0,0.6,0.5\n1,0.4,0.7\n0,0.1,0.3\n"


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out, parse_constant=refuse)


def refuse(token: str) -> None:
    raise ValueError(f"{token} is no JSON")


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str | Path) -> Said:
        code = main([str(word) for word in words])
        return Said(code, *capsys.readouterr())

    return command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_evaluate_prints_the_contract(run: Run, file: Path):
    said = run("evaluate", file, "--json")
    tree = said.json
    assert (said.code, said.err) == (0, "")
    assert tree["schema"] == "evalboard.evaluation/1"
    assert set(tree) >= {"source", "task", "classes", "positive", "roles", "notices", "models"}
    assert tree["source"] | {"sha256": ""} == {
        "name": "rows.csv",
        "format": "csv",
        "tool": None,
        "encoding": "utf-8",
        "separator": ",",
        "decimal": ".",
        "sheet": None,
        "sha256": "",
        "rows": 6,
        "rows_used": 6,
    } | {key: tree["source"][key] for key in ("encoding", "separator", "decimal")}
    assert tree["roles"]["models"]["rf"] == {
        "label": None,
        "score": "rf_score",
        "probabilities": {},
        "prediction": None,
    }
    model = tree["models"]["rf"]
    assert model["confusion"]["threshold"] == {
        "classes": ["0", "1"],
        "counts": [[2, 1], [1, 2]],
    }
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


def test_metrics_prints_every_declaration(run: Run):
    tree = run("metrics", "--json").json
    assert [metric["key"] for metric in tree["metrics"]] == [metric.key for metric in METRICS]
    assert run("metrics").out.count("\n") == len(METRICS) + 1


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


UNUSABLE = [
    (["evaluate", "nowhere.csv"], "no-such-file", "nowhere.csv"),
    (["evaluate", "."], "no-such-file", "folder"),
    (["evaluate", "a\0b"], "unreadable-file", "cannot be read"),
    (["evaluate", "{file}", "--truth", "z"], None, "z"),
    (["evaluate", "{file}", "--level", "2"], "bad-level", "between 0 and 1"),
    (["evaluate", "{file}", "--resamples", "1"], "bad-resamples", "100"),
    (["evaluate", "{file}", "--bins", "0"], "bad-bins", "one bin"),
    (["evaluate", "{file}", "--threshold", "x"], "usage", "threshold"),
    (["evaluate", "{file}", "--nonsense"], "usage", "nonsense"),
    (["evaluate", "{file}", "--noise", "-1"], "not-yet", "--noise"),
    (["evaluate", "{file}", "--distance", "cosine"], "not-yet", "--distance"),
    (["evaluate"], "usage", "FILE"),
    (["nonsense"], "usage", "nonsense"),
    (["check", "{file}"], "usage", "--require"),
    (["check", "{file}", "--require", "recal>=1"], "unknown-metric", "recall"),
    (["check", "{file}", "--require", "z:recall>=1"], "no-such-number", 'no model "z"'),
    (["check", "{file}", "--require", "rmse>=1"], "no-such-number", "does not give"),
]


@pytest.mark.parametrize(("words", "code", "fragment"), UNUSABLE)
def test_what_cannot_be_used_is_a_sentence_and_code_two(
    words: list[str], code: str | None, fragment: str, run: Run, file: Path
):
    asked = [word.replace("{file}", str(file)) for word in words]
    said = run(*asked)
    assert (said.code, said.out) == (2, "")
    assert fragment in said.err
    assert "Traceback" not in said.err
    told = run(*asked, "--json")
    assert (told.code, told.err) == (2, "")
    assert told.json["schema"] == "evalboard.error/1"
    assert fragment in told.json["error"]["message"]
    assert code in (None, told.json["error"]["code"])


def test_the_rows_of_an_error_are_counted_from_one(run: Run, file: Path):
    file.write_text("y,p\n1,0.9\n0,inf\n1,0.7\n0,-inf\n", encoding="utf-8")
    error = run("evaluate", file, "--json").json["error"]
    assert (error["rows"], error["column"]) == ([2, 4], "p")


def test_text_is_for_people(run: Run, file: Path):
    said = run("evaluate", file)
    assert said.code == 0
    assert "ROC AUC" in said.out
    assert "called 1" in said.out
    assert "mappingproxy" not in said.out
    assert all(line == line.rstrip() for line in said.out.splitlines())


def test_text_of_many_classes_and_of_numbers(run: Run, tmp_path: Path):
    path = tmp_path / "many.csv"
    names = [f"class{number:02}" for number in range(20)]
    lines = [f"{name},{name}" for name in names * 3]
    path.write_text("\n".join(["truth,pred", *lines]), encoding="utf-8")
    assert "20 classes" in run("evaluate", path).out
    path.write_text("y,prediction\n1.5,1\n2.5,2.25\n7.75,8\n", encoding="utf-8")
    assert "Mean absolute error" in run("evaluate", path).out


HOSTILE = ["\x1b[31mred", "<img src=x onerror=alert(1)>", "=HYPERLINK(1)", "a\u202eb", "$x$"]


def test_hostile_labels_are_spelled_out_and_never_reach_the_screen_raw(run: Run, tmp_path: Path):
    path = tmp_path / "labels.csv"
    lines = [f'"{label}","{label}"' for label in HOSTILE]
    path.write_text("\n".join(["truth,pred", *lines]), encoding="utf-8")
    out = run("evaluate", path).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "called \\x1b[31mred" in out
    assert "<img src=x onerror=alert(1)>" in out
    classes = run("evaluate", path, "--json").json["classes"]
    assert "\x1b[31mred" in classes


def test_visible_text_keeps_what_can_be_read():
    assert visible("Pérdida 日本 a b") == "Pérdida 日本 a b"
    assert visible("a\nb\tc\u2067") == "a\\nb\\tc\\u2067"


def python(*words: str, **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "evalcore", *words]
    return subprocess.run(command, capture_output=True, timeout=120, check=False, **kwargs)


def test_the_program_speaks_on_a_screen_that_knows_ascii_only(tmp_path: Path):
    path = tmp_path / "labels.csv"
    path.write_text("truth,pred\nPérdida,Pérdida\nAño,Pérdida\n", encoding="utf-8")
    done = python("evaluate", str(path), env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert done.returncode == 0, done.stderr
    assert b"P\\xe9rdida" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(file: Path):
    command = f'"{sys.executable}" -m evalcore evaluate "{file}" | head -n 1'
    done = subprocess.run(command, shell=True, capture_output=True, timeout=120, check=False)
    assert b"Traceback" not in done.stderr
    assert b"BrokenPipe" not in done.stderr


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
    assert "Not for these data" in said.out


def test_one_model_cannot_be_compared(run: Run, file: Path):
    said = run("compare", file, "--score", "rf_score")
    assert (said.code, said.out) == (2, "")
    assert len(said.err) > 20


def test_the_page_on_the_command_line_names_every_option_and_command():
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    commands = parser()._subparsers._group_actions[0].choices
    for name, command in commands.items():
        assert f"evalcore {name}" in page
        for action in command._actions:
            for option in action.option_strings:
                assert option in ("-h", "--help") or f"{option}" in page, option
