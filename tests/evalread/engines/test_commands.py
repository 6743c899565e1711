"""The command on addresses: the same numbers as on the rows as a file."""

import json
import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from evalboard import serving
from evalboard.cli import main
from evalboard.starting import FILES_VARIABLE
from evalread.counts.files import read
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


@pytest.fixture
def by_region(tmp_path: Path) -> tuple[str, str]:
    """Return the address of rows with a column to slice by, and a file of the same rows."""
    region = pa.array(["north", "south", "<b>west</b>", None] * 100)
    table = models(400).append_column("region", region)
    (tmp_path / "regions.parquet").write_bytes(as_bytes(table))
    return as_database(table, tmp_path), str(tmp_path / "regions.parquet")


def test_slices_are_counted_where_the_rows_lie(
    capsys: pytest.CaptureFixture[str], by_region: tuple[str, str]
) -> None:
    there, here = (as_json(capsys, "slices", place, "--by", "region") for place in by_region)
    alike(there["slices"], here["slices"])
    assert {"region": "<b>west</b>"} in [one["where"] for one in here["slices"]]


def test_counts_of_a_source_keep_the_columns_to_slice_by(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, by_region: tuple[str, str]
) -> None:
    written = tmp_path / "counts.parquet"
    words = ("counts", by_region[0], "-o", str(written), "--by")
    code, text = said(capsys, *words, "regio")
    assert (code, written.exists()) == (2, False)
    assert '"region"' in text
    assert said(capsys, *words, "region")[0] == 0
    assert read(written.read_bytes()).by == ("region",)
    sliced = [
        as_json(capsys, "slices", place, "--by", "region") for place in (str(written), by_region[1])
    ]
    alike(sliced[0]["slices"], sliced[1]["slices"])


def test_slices_of_a_source_need_their_columns(
    capsys: pytest.CaptureFixture[str], by_region: tuple[str, str]
) -> None:
    code, text = said(capsys, "slices", by_region[0])
    assert code == 2
    assert "--by COL" in text


@pytest.mark.parametrize("named", [True, False])
def test_the_dashboard_opens_on_the_counts_of_a_source(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    address = as_database(models(400), tmp_path)
    (tmp_path / "sources.toml").write_text(f'["../a b"]\naddress = "{address}"\n', "utf-8")
    held: list[Any] = []

    def main_of_streamlit(words: list[str], **_: object) -> None:
        told = json.loads(os.environ[FILES_VARIABLE])
        (path,) = map(Path, told["files"])
        held.extend((path, read(path.read_bytes()), told["words"]))

    streamlit = SimpleNamespace(main=main_of_streamlit, Abort=OSError)
    monkeypatch.setattr(serving, "import_module", lambda name: streamlit)
    monkeypatch.setenv(FILES_VARIABLE, "")
    source = ("--source", "../a b") if named else (address,)
    assert said(capsys, *source, "--positive", "0", "--no-browser")[0] == 0
    path, counts, words = held
    assert path.name == ("a_b" if named else "scores") + ".counts.parquet"
    assert (counts.rows, counts.roles.positive, words) == (400, "0", {})
    assert not path.exists()


def test_counts_of_a_dashboard_that_is_ended_do_not_stay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[Path] = []

    def main_of_streamlit(words: list[str], **_: object) -> None:
        held.extend(map(Path, json.loads(os.environ[FILES_VARIABLE])["files"]))
        assert held[0].exists()
        os.kill(os.getpid(), signal.SIGTERM)

    streamlit = SimpleNamespace(main=main_of_streamlit, Abort=OSError)
    monkeypatch.setattr(serving, "import_module", lambda name: streamlit)
    monkeypatch.setenv(FILES_VARIABLE, "")
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit):
        said(capsys, as_database(models(400), tmp_path), "--no-browser")
    assert not held[0].parent.exists()
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        (("parquet:///nowhere/a*",), "/nowhere/a*"),
        (("csv:///a.csv", "b.csv"), "by itself"),
        (("--source", "scores"), "scores"),
        (("sqlite:///a.db",), "sqlite"),
    ],
)
def test_a_dashboard_of_a_source_that_cannot_be_counted_does_not_start(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], fragment: str
) -> None:
    code, text = said(capsys, *words, "--no-browser")
    assert code == 2
    assert fragment in text
    assert "opens at" not in text


def dated(n: int = 4000) -> pa.Table:
    """Return rows at any time of 90 days, of which fewer are right from day 60 on."""
    rng = np.random.default_rng(0)
    day = rng.integers(0, 90, n)
    truth = rng.integers(0, 2, n)
    right = rng.random(n) < np.where(day < 60, 0.9, 0.75)
    second = day * 86_400 + rng.integers(0, 86_400, n)
    return pa.table(
        {
            "seen": np.datetime64("2024-01-01T00:00:00") + second,
            "truth": truth,
            "pred": np.where(right, truth, 1 - truth),
        }
    )


@pytest.mark.parametrize("stored", [as_database, as_folder])
def test_a_metric_over_time_is_counted_by_day(
    stored: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = tmp_path / "rows.parquet"
    rows.write_bytes(as_bytes(dated()))
    (tmp_path / "there").mkdir()
    address = stored(dated(), tmp_path / "there")
    words = "--metric", "accuracy", "--every", "week"
    there = as_json(capsys, "over-time", address, *words)
    here = as_json(capsys, "over-time", str(rows), *words)
    assert there["change"]["since"] == here["change"]["since"]
    for key in ("date", "reference", "looks", "periods", "change"):
        alike(there[key], here[key])
    target = tmp_path / "made.counts.parquet"
    said(capsys, "counts", address, "--date", "seen", "-o", str(target))
    block = read(target.read_bytes()).blocks[0]
    cells = {(one["seen"].date(), one["truth"], one["pred"]) for one in dated().to_pylist()}
    assert block.cells == len(cells)
    assert as_json(capsys, "over-time", str(target), *words)["looks"] == here["looks"]


def test_over_time_asks_which_dates_are_meant(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = dated(500)
    address = as_database(rows.append_column("sent", rows["seen"]), tmp_path)
    assert as_json(capsys, "over-time", address)["error"]["code"] == "two-dates"
    assert as_json(capsys, "over-time", address, "--date", "sent")["date"] == "sent"
