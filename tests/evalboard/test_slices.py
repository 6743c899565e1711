"""Slices at the command line: the text, the JSON, and what cannot be asked."""

from pathlib import Path

import pytest

from evalboard.printing import number
from tests.evalboard.said import Run


@pytest.fixture
def regions(tmp_path: Path) -> Path:
    lines = ["truth,label,region,age"]
    for place in range(400):
        region = ("west", "east", "north", "south")[place % 4]
        wrong = place % 12 == 0 or place % 20 == 3
        truth = place // 4 % 2
        lines.append(f"{truth},{1 - truth if wrong else truth},{region},{18 + place % 61}")
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    lines = ["truth,first_score,second_score,region,age"]
    for place in range(400):
        truth, region = place // 4 % 2, ("west", "east", "north", "south")[place % 4]
        weak = (place * 7 % 100) / 100
        lines.append(f"{truth},{weak},{0.5 * truth + 0.5 * weak},{region},{18 + place % 61}")
    path = tmp_path / "two.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_model_that_leads_is_judged_and_what_else_can_be_asked_is_said(run: Run, two: Path):
    said = run("slices", two)
    assert '"second" is judged: it leads by ROC AUC.' in said.out
    assert '--judge MODEL judges another one: "first".' in said.out
    assert '--by COL lists every slice of a column: "region", "age".' in said.out
    assert run("slices", two, "--json").json["model"] == "second"
    assert run("compare", two).out.startswith("second ranks better")
    assert run("rows", two, "--json").json["model"] == "second"
    assert '"second" is judged: it leads by ROC AUC.' in run("rows", two).out
    (told,) = run("rows", two, "--json").json["notices"]
    assert (told["code"], told["severity"]) == ("judged-model", "info")
    named = run("slices", two, "--judge", "first", "--by", "region")
    assert "leads" not in named.out
    assert '--judge MODEL judges another one: "second".' in named.out
    assert "--by COL" not in named.out


def test_of_one_model_and_a_named_column_nothing_else_is_offered(run: Run, regions: Path):
    assert "--judge" not in run("slices", regions, "--by", "region").out
    assert '--by COL lists every slice of a column: "region", "age".' in run("slices", regions).out


def test_slices_as_json_hold_what_the_contract_says(run: Run, regions: Path):
    tree = run("slices", regions, "--by", "region", "--metric", "recall", "--json").json
    assert tree["schema"] == "evalboard.slices/1"
    assert (tree["metric"], tree["columns"], tree["searched"]) == ("recall", ["region"], 4)
    assert {"value", "low", "high"} <= tree["overall"].keys()
    first = tree["slices"][0]
    assert first["where"] == {"region": "west"}
    assert first["n"] == 100
    for key in (
        "share", "value", "low", "high", "difference", "difference_low", "difference_high",
        "p_value", "p_adjusted", "confirmed", "models",
    ):  # fmt: skip
        assert key in first, key
    gaps = tree["gaps"]["region"]
    for key in (
        "largest_difference", "smallest_ratio", "demographic_parity_difference",
        "equalized_odds_difference",
    ):  # fmt: skip
        assert {"value", "low", "high"} <= gaps[key].keys(), key
    assert gaps["largest_difference"]["value"] == pytest.approx(
        max(one["value"] for one in tree["slices"]) - min(one["value"] for one in tree["slices"])
    )


def test_a_named_column_says_how_far_its_groups_are_apart(run: Run, regions: Path):
    gaps = run("slices", regions, "--by", "region", "--json").json["gaps"]["region"]
    said = run("slices", regions, "--by", "region").out
    part = said.partition("Between the groups of region")[2]
    assert gaps
    for key, one in gaps.items():
        words = f"  {key} ".replace("_", " ")
        (line,) = (line for line in part.splitlines() if line.startswith(words))
        assert f" {number(one['value'])} " in line
    assert (
        "Did you mean detection_prevalence"
        in run("slices", regions, "--metric", "selection_rate").err
    )


def test_bins_are_written_with_both_ends_and_null_where_there_is_none(run: Run, regions: Path):
    tree = run("slices", regions, "--by", "age", "--json").json
    ends = sorted((one["where"]["age"] for one in tree["slices"]), key=str)
    assert [None, 29] in ends
    assert all(len(pair) == 2 for pair in ends)


def test_all_columns_without_a_role_are_searched(run: Run, regions: Path):
    tree = run("slices", regions, "--json").json
    assert tree["columns"] == ["region", "age"]
    assert tree["method"].startswith(
        "found on one half of the rows (groups stay whole) and tested on the other"
    )
    assert tree["gaps"] == {}


def test_slices_as_text_are_a_table_and_a_sentence(run: Run, regions: Path):
    text = run("slices", regions, "--by", "region").out
    assert "region = west" in text
    assert "all rows" in text
    assert "confirmed" in text


def test_confirmed_slices_come_first_and_each_part_worst_first(run: Run, regions: Path):
    tree = run("slices", regions, "--by", "region", "--by", "age", "--json").json
    order = [(not one["confirmed"], one["few"], one["difference"]) for one in tree["slices"]]
    assert order == sorted(order)


@pytest.mark.parametrize(
    "words",
    [("--by", "nope"), ("--metric", "nonsense"), ("--max-columns", "3"), ("--min-rows", "0")],
)
def test_what_cannot_be_sliced_is_refused_in_a_sentence(
    words: tuple[str, ...], run: Run, regions: Path
):
    left = run("slices", regions, *words)
    assert left.code == 2
    assert left.err.strip()
    assert "Traceback" not in left.err
