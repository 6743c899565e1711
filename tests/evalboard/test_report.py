"""The command `report`: what it writes, and what it refuses in a sentence."""

import os
from pathlib import Path

import pytest

from evalboard import reporting
from evalcore.errors import EvalError
from tests.evalboard.said import Run


def test_a_report_is_one_file_whose_policy_forbids_every_request(run: Run, file: Path):
    target = file.with_name("out.html")
    said = run("report", file, "-o", target, "--title", "Fraud in May")
    assert said.code == 0
    assert str(target) in said.out
    page = target.read_text("utf-8")
    assert "default-src 'none'" in page
    assert "<h1>Fraud in May</h1>" in page
    assert " src=" not in page
    assert [path.name for path in file.parent.iterdir() if "tmp" in path.name] == []


def test_the_ending_of_the_file_names_the_format(run: Run, file: Path):
    made = file.with_name("out.json")
    assert run("report", file, "-o", made).code == 0
    shown = run("report", file, "--format", "json", "-o", "-")
    assert shown.json["schema"] == "evalboard.evaluation/1"
    assert shown.json["comparison"]["schema"] == "evalboard.comparison/1"
    assert made.read_text("utf-8") == shown.out
    assert run("report", file, "-o", "-", "--format", "markdown").out.startswith("# Evaluation of")


def test_sections_are_those_that_are_named_in_their_order(run: Run, file: Path):
    said = run(
        "report", file, "-o", "-", "--format", "markdown", "--sections", "data,summary,groups"
    )
    heads = [line for line in said.out.splitlines() if line.startswith("## ")]
    assert heads == ["## Data and settings", "## Summary", "## Groups"]
    assert "The data have no groups of items" in said.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sections", "everything"], 'There is no section "everything"'),
        (["--min-cell", "0"], "1 row or more"),
        (["-o", "nowhere/report.html"], 'There is no folder "nowhere"'),
        (["-o", "."], '"." is a folder'),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(run: Run, file: Path, words: list[str], told: str):
    said = run("report", file, *words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.splitlines()) == 1


def test_a_file_that_cannot_be_replaced_stays_as_it_is(tmp_path: Path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("before", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(EvalError, match="No space left"):
        reporting.written(target, "after")
    assert target.read_text("utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_folder_that_cannot_be_written_is_refused_before_the_data_are_read(
    run: Run, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(os, "access", lambda *_: False)
    said = run("report", tmp_path / "no_such_file.csv", "-o", tmp_path / "report.html")
    assert said.code == 2
    assert "cannot be written to" in said.err


def test_the_cost_of_single_rows_is_a_choice(run: Run, file: Path):
    plain = run("report", file, "-o", "-", "--format", "markdown", "--sections", "rows").out
    asked = run(
        "report", file, "-o", "-", "--format", "markdown", "--sections", "rows", "--rows"
    ).out
    assert "gets most wrong" not in plain
    assert "gets most wrong" in asked
