"""The command on addresses: the same numbers as on the rows as a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalboard.cli import main
from tests.evalread.engines.lying import as_bytes, as_database, as_folder, models


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(words)
    streams = capsys.readouterr()
    return code, streams.out or streams.err


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(said(capsys, *words, "--json")[1])


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "rows.parquet").write_bytes(as_bytes(models(400)))
    return str(tmp_path / "rows.parquet")


def test_numbers_are_those_of_the_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str
) -> None:
    there = as_json(capsys, "evaluate", as_database(models(400), tmp_path))["models"]
    here = as_json(capsys, "evaluate", file)["models"]
    assert there.keys() == here.keys()
    for name, model in here.items():
        alike(there[name]["metrics"], model["metrics"])
        alike(there[name]["confusion"], model["confusion"])


def alike(first: Any, second: Any) -> None:
    """Assert that two results of the command are the same, numbers up to rounding."""
    assert type(first) is type(second)
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        first, second = [*first.values()], [*second.values()]
    if isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            alike(one, other)
    elif isinstance(first, float):
        assert first == pytest.approx(second, rel=1e-6, abs=1e-12)
    else:
        assert first == second


def test_comparisons_are_those_of_the_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str
) -> None:
    words = ("--metric", "roc_auc")
    there = as_json(capsys, "compare", as_folder(models(400), tmp_path / "parts"), *words)
    here = as_json(capsys, "compare", file, *words)
    of_rows = [one for one in here["tests"] if one["name"] == "delong"]
    alike([one for one in there["tests"] if one["name"] == "delong"], of_rows)
    assert of_rows
    assert there["design"] == here["design"]


def test_check_passes_and_fails_on_a_source_of_the_settings_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    address = as_database(models(400), tmp_path)
    settings = f'[scores]\naddress = "{address}"\ntruth = "truth"\n'
    (tmp_path / "sources.toml").write_text(settings, "utf-8")
    words = ("check", "--source", "scores", "--require")
    assert said(capsys, *words, "roc_auc>=0.6")[0] == 0
    assert said(capsys, *words, "roc_auc>=0.99")[0] == 1


def test_counts_of_a_source_are_written_and_judged_like_its_rows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str
) -> None:
    written = str(tmp_path / "counts.parquet")
    assert said(capsys, "counts", as_database(models(400), tmp_path), "-o", written)[0] == 0
    there = as_json(capsys, "evaluate", written)["models"]
    for name, model in as_json(capsys, "evaluate", file)["models"].items():
        alike(there[name]["metrics"], model["metrics"])


def test_inspect_looks_at_a_sample(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, text = said(capsys, "inspect", as_database(models(400), tmp_path))
    assert code == 0
    assert "named like the truth" in text
    assert "400 of 400 rows" in text


@pytest.mark.parametrize(
    "words",
    [("evaluate",), ("evaluate", "a.csv", "--source", "b"), ("evaluate", "csv://a", "b.csv"),
     ("evaluate", "csv://a", "--source", "b")],
)  # fmt: skip
def test_either_files_or_one_source_is_named(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, text = said(capsys, *words)
    assert code == 2
    assert "source" in text.lower()
