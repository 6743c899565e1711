"""The command `report`: what it writes, and what it refuses in a sentence."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from evalboard import reporting
from evalcore.errors import EvalError
from evalview.report import material
from tests.evalboard.said import Run
from tests.evalview.report import made


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


def explored(page: str) -> Any:
    """Return what the explorer of a report is fed with."""
    block = re.search(r'id="explored">(.*?)</script>', page, re.DOTALL)
    assert block
    return json.loads(block.group(1))


def test_costs_that_are_given_stand_in_the_report_with_the_threshold_they_lead_to(
    run: Run, file: Path
):
    target, first = file.with_name("out.html"), run("evaluate", file, "--json").json
    no, yes = first["classes"]
    costs = ["--cost", f"{yes}:{no}=10", "--cost", f"{no}:{yes}=2", "--volume", "300"]
    assert run("report", file, "-o", target, *costs, "--prevalence", "0.1").code == 0
    told = explored(target.read_text("utf-8"))["costs"]
    assert [told[key] for key in ("tn", "fp", "fn", "tp")] == [0, 2, 10, 0]
    assert (told["share"], told["volume"]) == (0.1, 300)
    assert len(told["cheapest"]) == len(first["models"])
    at = told["cheapest"][0]["threshold"]
    costs += ["--prevalence", "0.1", "--threshold", at]
    assert run("report", file, "-o", target, *costs).code == 0
    page = target.read_text("utf-8")
    assert explored(page)["costs"]["cheapest"][0]["threshold"] == at
    where = "is cheapest where a miss costs 5 times a false alarm, and 10.0% are "
    assert f", the threshold in use, {at}, {where}" in page
    assert "Judged without the costs: by these, each at its cheapest threshold, " in page
    without = run("report", file, "-o", "-", "--volume", "300")
    assert without.code != 0


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
    assert "The data have no items in groups" in said.out


def test_a_checklist_counts_who_the_rows_belong_to(run: Run, tmp_path: Path):
    # Six patients with two rows each; two of them are positive.
    rows = [(one // 2, int(one < 4), 0.1 + 0.07 * (11 - one)) for one in range(12)]
    file = tmp_path / "visits.csv"
    file.write_text("patient_id,truth,score\n" + "".join(f"P{a},{b},{c:.2f}\n" for a, b, c in rows))
    said = run(
        "report",
        str(file),
        "--sections",
        "tripod",
        "--group",
        "patient_id",
        "-o",
        "-",
        "--format",
        "markdown",
    )
    cells = {line.split(" | ")[0]: line for line in said.out.splitlines() if line.startswith("| ")}
    units = "these are rows of 6 different “patient\\_id” (4 for class “0” and 2 for class “1”)"
    assert units in cells["| 21"]
    assert "Calibration slope undefined" in cells["| 23a"]
    assert "Calibration slope" in cells["| 12e"]


def test_weak_slices_are_in_a_report_where_they_are_found_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, target = tmp_path / "sliced.csv", tmp_path / "out.md"
    file.write_bytes(made.csv(made.sliced(600)))

    def told(*words: str) -> tuple[str, bool]:
        said = run("report", file, "-o", target, *words)
        assert said.code == 0
        return said.out, "\n## Slices\n" in target.read_text("utf-8")

    assert told()[1]
    assert not told("--no-slices")[1]
    assert not told("--sections", "summary")[1]
    assert told("--sections", "summary", "--slices")[1]
    monkeypatch.setattr(material, "MOST_CELLS", 10)
    said, has_slices = told()
    assert not has_slices
    assert "It has no slices, which take a while with 600 rows and 3 columns" in said
    said, has_slices = told("--slices")
    assert has_slices
    assert "It has no slices" not in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--sections", "everything"], 'There is no section "everything"'),
        (["--min-cell", "0"], "1 row or more"),
        (["-o", "nowhere/report.html"], 'There is no folder "nowhere"'),
        (["-o", "."], '"." is a folder'),
        (["--note", "no section"], "--note SECTION=TEXT"),
        (["--note", "everything=x"], 'There is no section "everything"'),
        (["--note", "data=x", "--note", "data=y"], "one --note SECTION=TEXT for a section"),
        (["--by", "nothing"], 'There is no column "nothing"'),
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


def test_markdown_has_its_pictures_in_a_folder_beside_it(run: Run, file: Path):
    target = file.with_name("my report.md")
    assert run("report", file, "-o", target).code == 0
    folder = file.with_name("my report_files")
    named = re.findall(r"\(my%20report_files/(.*?)\)", target.read_text("utf-8"))
    assert sorted(path.name for path in folder.iterdir()) == sorted(named)
    assert "threshold.svg" in named
    assert run("report", file, "-o", "-", "--format", "markdown").out.count("![") == 0


def test_where_markdown_cannot_be_written_no_pictures_stay(run: Run, file: Path, monkeypatch):
    target, replace = file.with_name("out.md"), Path.replace

    def full(path: Path, to: Path) -> Path:
        if to == target:
            raise OSError(28, "No space left on device")
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", full)
    said = run("report", file, "-o", target)
    assert said.code == 2
    assert "No space left" in said.err
    assert not target.exists()
    assert not file.with_name("out_files").exists()


def test_a_folder_of_pictures_that_is_a_file_is_refused(run: Run, file: Path):
    file.with_name("out_files").write_text("mine", "utf-8")
    said = run("report", file, "-o", file.with_name("out.md"))
    assert said.code == 2
    assert 'out_files" cannot be written' in said.err
    assert file.with_name("out_files").read_text("utf-8") == "mine"
    assert not file.with_name("out.md").exists()


def test_columns_and_notes_bring_their_sections(run: Run, tmp_path: Path):
    file = tmp_path / "sliced.csv"
    file.write_bytes(made.csv(made.sliced(600)))
    said = run(
        "report", file, "-o", "-", "--format", "markdown", "--by", "region", "--note", "data=Hm"
    )
    assert "| region \\= west |" in said.out or "| region = west |" in said.out
    assert "## Data and settings\n\nHm" in said.out
