"""A metric over time at the command line: the text, the JSON, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from tests.evalboard.said import Run


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    """Rows of 20 weeks; from week 13 on a fifth more are wrong."""
    rng = np.random.default_rng(0)
    day = np.sort(rng.integers(0, 140, 3000))
    truth = rng.integers(0, 2, 3000)
    right = rng.random(3000) < np.where(day < 84, 0.9, 0.75)
    said = np.where(right, truth, 1 - truth)
    start = np.datetime64("2024-01-01")
    lines = [f"{start + d},{t},{p},seen" for d, t, p in zip(day, truth, said, strict=True)]
    path = tmp_path / "dated.csv"
    path.write_text("\n".join(["when,truth,pred,note", *lines]), "utf-8")
    return path


def test_the_json_holds_what_the_documentation_says(run: Run, dated: Path):
    tree = run("over-time", dated, "--metric", "accuracy", "--json").json
    assert tree["schema"] == "evalboard.over-time/1"
    assert (tree["date"], tree["every"], tree["metric"]) == ("when", "week", "accuracy")
    assert tree["plan"] == {"looks": 1000, "error": 0.05, "change": 0.05}
    assert len(tree["periods"]) == 20
    assert tree["looks"] == 20 - tree["reference_periods"]
    one = tree["periods"][-1]
    assert one["start"] == "2024-05-13"
    assert one["accuracy"]["low"] <= one["accuracy"]["value"] <= one["accuracy"]["high"]
    assert one["accuracy"]["running"]["method"] == "beta-mixture"
    assert {"prevalence", "cusum_up", "limit_up", "cusum_down", "limit_down"} <= one.keys()
    change = tree["change"]
    assert (change["direction"], change["worse"]) == ("lower", True)
    assert change["since"] == "2024-03-25"
    assert tree["said"].startswith("Since the week of 2024-03-25 accuracy is lower than the ref")


def test_the_text_marks_the_change_and_the_reference(run: Run, dated: Path):
    said = run("over-time", dated, "--metric", "accuracy", "--every", "month").out
    assert "2024-01" in said
    assert "reference" in said
    assert "Since 2024-03 accuracy is lower" in said
    assert "flagged" in said
    legend = said.split("\n\n")[3].splitlines()
    meant = dict(line.split("  ", 1) for line in legend)
    assert meant["accuracy"].strip() == "of the rows of this month alone, with its interval"
    columns = {"accuracy", "all up to here", "holds at every look", "prevalence"}
    assert {*meant} == {*columns, "reference", "changed", "flagged"}


def test_a_stated_reference_without_a_change(run: Run, dated: Path):
    before = "\n".join(dated.read_text("utf-8").splitlines()[:1500])
    dated.write_text(before, "utf-8")
    words = ["--reference", "0.91", "--change", "0.05", "--looks", "50", "--date", "when"]
    said = run("over-time", dated, *words, "--metric", "accuracy")
    assert said.code == 0
    assert "No change of accuracy is flagged in" in said.out
    assert "looks (up to 50 are allowed for)" in said.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--date", "note"], "not-dates"),
        (["--date", "nothing"], "no-such-column"),
        (["--every", "year"], "usage"),
        (["--looks", "0"], "bad-looks"),
        (["--first", "30"], "short-reference"),
        (["--reference", "0.9", "--first", "3"], "usage"),
        (["--metric", "ece"], "not-monitored"),
    ],
)
def test_what_cannot_be_followed_is_refused(words: list[str], code: str, run: Run, dated: Path):
    said = run("over-time", dated, *words, "--json")
    assert said.code == 2
    assert said.json["error"]["code"] == code


def test_a_file_without_dates_leads_to_the_option(run: Run, file: Path):
    said = run("over-time", file)
    assert said.code == 2
    assert "--date COL" in said.err
