"""Text for people, and what it makes of text from files."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from evalboard import serialise
from evalboard.arguments import parser
from evalboard.printing import visible
from tests.evalboard.said import Run


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


@pytest.mark.parametrize(
    ("sample", "heading", "key"),
    [("breast-cancer", "ROC AUC", "roc_auc"), ("diabetes", "Root mean squared error", "rmse")],
)
def test_models_side_by_side_have_an_interval_below_each_number(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: str, heading: str, key: str
):
    monkeypatch.chdir(tmp_path)
    assert run("sample", sample).code == 0
    (written,) = tmp_path.iterdir()
    lines = run("evaluate", written).out.splitlines()
    head = next(place for place, line in enumerate(lines) if line.strip().startswith(heading))
    at = lines[head].index(heading)
    told = run("evaluate", written, "--json").json["models"]
    for place, (name, model) in enumerate(told.items()):
        value, ends = (
            re.split(" {2,}", line[at:])[0] for line in lines[head + 1 + 2 * place :][:2]
        )
        made = next(group[key] for group in model["metrics"].values() if key in group)
        low, high = map(float, ends.split(" to "))
        assert lines[head + 1 + 2 * place].startswith(name)
        assert float(value) == pytest.approx(made["value"], rel=1e-2)
        assert (low, high) == pytest.approx((made["low"], made["high"]), rel=1e-2)


def test_who_looks_on_sees_how_much_is_done_on_a_line_that_is_gone_at_the_end(
    run: Run, file: Path, monkeypatch: pytest.MonkeyPatch
):
    plain = run("evaluate", file, "--json")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    seen = run("evaluate", file, "--json")
    assert (plain.err, seen.out) == ("", plain.out)
    *shares, blank, end = seen.err.split("\r")
    assert shares == ["", "50% of the models", "100% of the models"]
    assert (blank.strip(), end) == ("", "")
    assert len(blank) > len(shares[-1])


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


def test_the_page_on_the_command_line_names_every_option_and_command():
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    commands = parser()._subparsers._group_actions[0].choices
    for name, command in commands.items():
        assert f"evalboard {name}" in page
        for action in command._actions:
            for option in action.option_strings:
                assert option in ("-h", "--help") or f"{option}" in page, option


VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
NESTED = st.recursive(VALUES | st.text(), lambda of: st.lists(of) | st.dictionaries(st.text(), of))


@given(NESTED)
def test_json_is_written_as_the_standard_library_indents_it(value: object) -> None:
    assert serialise.text(value) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["evaluate", "x.csv", "--treshold", "0.3"], "--threshold"),
        (["check", "x.csv", "--requires=f1>0"], "--require"),
        (["x.csv", "--prt", "1"], "--port"),
        (["evalute", "x.csv"], "evaluate"),
        (["sample", "ten_rows"], "ten-rows"),
    ],
)
def test_what_is_misspelt_leads_to_what_is_meant(run: Run, words: list[str], meant: str):
    said = run(*words)
    assert (said.code, said.out) == (2, "")
    assert f"Did you mean {meant}?" in said.err


def test_a_sample_is_written_and_never_over_a_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    assert "breast-cancer" in run("sample").out
    assert run("sample", "ten-rows").code == 0
    written = tmp_path / "ten_rows.csv"
    assert run("evaluate", written).code == 0
    before = written.read_bytes()
    assert run("sample", "ten-rows").code == 2
    assert written.read_bytes() == before
    assert run("sample", "cancer-screening").code == 0
    assert "healthy,healthy,9560" in (tmp_path / "cancer_screening.csv").read_text("utf-8")
    names = [one["name"] for one in run("sample", "--json").json["samples"]]
    assert len(names) == len(set(names)) == 19


def test_statistics_have_the_sign_of_the_differences_above_them(run: Run) -> None:
    said = run("compare", "assets/samples/breast_cancer.csv").out
    differences, tests = said.split("Differences")[1].split("Tests")[:2]
    for pair in ("logistic regression minus naive bayes", "random forest minus naive bayes"):
        above = next(line for line in differences.splitlines() if pair in line)
        below = [line for line in tests.splitlines() if pair in line and "delong" in line]
        assert [("-" in one.split(pair)[1].split()[0]) for one in [above, *below]] == [False, False]


def test_boosting_is_a_model_as_its_neighbours_are(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(200) < 0.4
    scores = [np.clip(0.3 + 0.3 * truth + rng.normal(0, 0.15, 200), 0, 1) for _ in range(2)]
    frame = {"churned": np.where(truth, "yes", "no"), "logistic": scores[0], "boosting": scores[1]}
    pd.DataFrame(frame).round(4).to_csv(tmp_path / "f.csv", index=False)
    assert set(run("evaluate", tmp_path / "f.csv", "--json").json["models"]) == {
        "logistic",
        "boosting",
    }


def test_p_values_and_rows_that_weights_make_fractional_are_written_for_people(
    run: Run, tmp_path: Path
):
    path = tmp_path / "weighted.csv"
    rows = [f"{k % 2},{k % 2},{0.1 + k % 3}" for k in range(3000)]
    path.write_text("\n".join(["truth,pred,weight", *rows]), "utf-8")
    said = run("evaluate", path).out
    assert " · 3,300 rows" in said
    (line,) = {one for one in said.splitlines() if one.startswith("  p value of accuracy")}
    assert "  <0.001" in line


def test_an_infinite_number_of_weighted_rows_leaves_no_warning_of_numpy(
    run: Run, tmp_path: Path, recwarn: pytest.WarningsRecorder
):
    path = tmp_path / "weighted.csv"
    rows = ["1,0.9,0.5", "1,0.8,0.5", "0,0.1,0.5", "0,0.6,0.5", "1,0.7,0.5"]
    rows += [f"{k % 2},{0.2 + 0.6 * (k % 2)},1e-16" for k in range(95)]
    path.write_text("\n".join(["truth,score,weight", *rows]), "utf-8")
    assert run("evaluate", path).code == 0
    assert [str(one.message) for one in recwarn if one.category is RuntimeWarning] == []
