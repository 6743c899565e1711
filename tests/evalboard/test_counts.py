"""Numbers from counts are those from the rows: every one of `evaluate` and `compare`."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from evalboard import serialise
from evalcore.compare import compare
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.counts.files import as_bytes
from evalread.counts.making import counts_of
from evalread.dataset import Choices, Dataset, Task
from evalread.loading import load

from ..cases.files import CASES, called, contents
from .said import Run

SAMPLES = Path("assets/samples")
FILES = {
    path.name: [(path.name, path.read_bytes())]
    for path in [*SAMPLES.glob("*.csv"), *SAMPLES.glob("worked/*.csv")]
    if "folds" not in path.name
}
OF_CASES = {
    called(case): contents(case)
    for case in CASES
    if "expected_error" not in case and case["task"] != "compare_cv"
}
FILES |= OF_CASES
"""Every file that is not refused and does not hold scores of folds, which have no counts."""

OPTIONS = Options(resamples=100)
OF_RESAMPLES = {"low", "high", "p_value", "p_adjusted", "second_better", "note", "summary"}
"""What resamples may change, which are drawn row by row where rows are and cell by cell here."""

OF_FEATURES = {"points", "noise_as_cluster", "silhouette", "within_ss", "spread", "centre"}
"""What only the places of single points tell."""

OF_FILE = {"source", "roles", "notices"}


def numbers(data: Dataset) -> dict[str, Any]:
    """Return every number of the data set as the command writes it; what is refused by its code."""
    made: dict[str, Callable[[], Any]] = {
        "evaluate": lambda: serialise.evaluation(evaluate(data, OPTIONS)),
        "compare": lambda: serialise.comparison(compare(data, OPTIONS)),
    }
    found = {}
    for name, make in made.items():
        try:
            found[name] = json.loads(serialise.text(make()))
        except EvalError as error:
            found[name] = error.code
    return found


def differences(one: Any, other: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the place of each number or word that differs by more than rounding."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in {**one, **other}:
            if key not in OF_FILE:
                yield from differences(one.get(key), other.get(key), (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, (*path, str(place)))
    elif isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12):
            yield path
    elif one != other:
        yield path


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if at % 3 and name in OF_CASES else ())
        for at, name in enumerate(FILES)
    ],
)
def test_numbers_from_counts_are_those_from_the_rows(name: str) -> None:
    data = load(FILES[name])
    counts = counts_of(data)
    found = load([("counts.csv", as_bytes(counts, "csv"))])
    assert counts.rows == sum_of_weights(data)
    apart = list(differences(numbers(data), numbers(found)))
    apart = [path for path in apart if not OF_FEATURES & {*path}]
    if counts.blocks[0].cells < data.rows:
        apart = [path for path in apart if path[-1] not in OF_RESAMPLES]
    assert apart == []


def sum_of_weights(data: Dataset) -> float:
    """Return how many rows, or items that were tried, a data set has."""
    if data.roles.task is Task.CORRECT and data.roles.id:
        return len(set(data.table.columns[data.roles.id].to_pylist()) - {None})
    if data.roles.weight is None:
        return data.rows
    return sum(float(cell) for cell in data.table.columns[data.roles.weight].to_pylist())


def test_what_resamples_say_of_counts_is_near_what_they_say_of_rows() -> None:
    rows = load(FILES["rows_of_their_own.csv"])
    half = load([("r.csv", REPEATED.encode())])
    for data in (rows, half):
        found = load([("c.parquet", as_bytes(counts_of(data)))], Choices())
        one, other = (serialise.comparison(compare(d, Options())) for d in (data, found))
        for test, again in zip(one["tests"], other["tests"], strict=True):
            assert test["p_value"] == pytest.approx(again["p_value"], abs=0.03)
        for gap, again in zip(one["differences"], other["differences"], strict=True):
            assert gap["difference"] == pytest.approx(again["difference"])
            width = gap["high"] - gap["low"]
            assert gap["low"] == pytest.approx(again["low"], abs=width / 10)
            assert gap["high"] == pytest.approx(again["high"], abs=width / 10)


REPEATED = "y,pred_a,pred_b\n" + "".join(
    f"{k % 10},{k % 10 + (k % 7) / 2},{k % 10 - (k % 3) / 4}\n" for k in range(1000)
)
"""Numbers of two models in 210 cells of about five rows each."""


def test_the_command_writes_counts_that_other_commands_read(run: Run, tmp_path: Path) -> None:
    made = tmp_path / "c.parquet"
    said = run("counts", SAMPLES / "breast_cancer.csv", "-o", made, "--json")
    assert said.json == {
        "schema": "evalboard.counted/1",
        "file": str(made),
        "rows": 569,
        "blocks": [
            {
                "models": ["logistic regression", "random forest", "naive bayes"],
                "cells": 569,
                "single": 569,
                "digits": {},
            }
        ],
    }
    shown = run("evaluate", made, "--json").json
    of_rows = run("evaluate", SAMPLES / "breast_cancer.csv", "--json").json
    assert shown["models"] == of_rows["models"]
    assert (shown["source"]["rows"], shown["source"]["rows_used"]) == (569, 569)
    assert "569 rows" in run("inspect", made).out
    assert "no rows to list" in run("rows", made).err


def test_a_file_of_counts_that_holds_single_rows_says_so(run: Run, tmp_path: Path) -> None:
    rows, made = tmp_path / "rows.csv", tmp_path / "c.csv"
    lines = [f"{k % 2},{(k * 7 % 40) / 40},P{k // 2}" for k in range(40)]
    rows.write_text("\n".join(["truth,score,patient", *lines]))
    told = run("counts", rows, "-o", made, "--group", "patient").err
    assert "40 of 40 cells are a single row" in told
    assert '("truth", "score", "patient")' in told
    assert 'its cell in "patient"' in told
    alone = run("counts", rows, "-o", made, "--ignore", "patient").err
    assert ("a single row" in alone, "patient" in alone) == (True, False)
    rows.write_text("truth,label\n" + "1,1\n0,0\n1,0\n" * 9 + "0,1\n")
    assert run("counts", rows, "-o", made).err == ""


def test_the_command_adds_up_files_of_counts(run: Run, tmp_path: Path) -> None:
    one, twice = tmp_path / "one.csv", tmp_path / "twice.csv"
    run("counts", SAMPLES / "ten_rows.csv", "-o", one)
    assert "counts of 20 rows" in run("counts", one, one, "-o", twice).out
    assert run("evaluate", twice, "--json").json["source"]["rows"] == 20
    other = tmp_path / "other.csv"
    run("counts", SAMPLES / "iris.csv", "-o", other)
    refused = run("counts", one, other, "-o", tmp_path / "both.csv", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (2, "counts-differ")
    assert not (tmp_path / "both.csv").exists()


def test_counts_keep_columns_to_slice_by(run: Run, tmp_path: Path) -> None:
    rows, made = tmp_path / "rows.csv", tmp_path / "counts.parquet"
    lines = (f"{k % 2},{k % 3 // 2},{'north' if k % 5 else 'south'}\n" for k in range(300))
    rows.write_text("truth,label,region\n" + "".join(lines))
    run("counts", rows, "-o", made, "--by", "region")
    of_counts, of_rows = (
        run("slices", file, "--by", "region", "--json").json for file in (made, rows)
    )
    assert len(of_rows["slices"]) == 2
    assert list(differences(of_counts["slices"], of_rows["slices"])) == []
    assert run("counts", rows, "-o", made, "--by", "place").code == 2
