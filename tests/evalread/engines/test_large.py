"""A Parquet file too large to be held is counted, and gives the numbers of the file as a whole."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from evalboard.cli import main
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.options import Options
from evalread.counts.files import write
from evalread.counts.making import counts_of
from evalread.dataset import NO_CHOICES, Choices, Missing, Scale
from evalread.engines import connecting, sources
from evalread.engines.reading import large
from evalread.loading import load

ROWS = 300
RNG = np.random.default_rng(5)
YES = RNG.random(ROWS) < 0.3
SCORE = np.round(np.clip(RNG.normal(0.4 + 0.3 * YES, 0.2), 0, 1), 3)
TEXT = np.where(YES, "yes", "no")
OTHER = np.array(["a", "b", "c"] * 100)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LARGE_ROWS", 100)


def written(folder: Path, columns: Mapping[str, Any]) -> Path:
    path = folder / "large [1].parquet"  # no pattern
    parquet.write_table(pa.table(dict(columns)), path)
    return path


FILES: Mapping[str, tuple[Mapping[str, Any], Choices]] = {
    "numbers": ({"y": YES.astype(np.int8), "score": SCORE.astype(np.float32)}, NO_CHOICES),
    "dictionary": ({"y": pa.array(TEXT).dictionary_encode(), "score": SCORE}, NO_CHOICES),
    "true and false": ({"truth": YES, "pred": SCORE > 0.5, "score": SCORE}, NO_CHOICES),
    "two models": (
        {"truth": TEXT, "score_A": SCORE, "score_B": 1 - SCORE, "label_A": TEXT[::-1]},
        NO_CHOICES,
    ),
    "missing cells": (
        {
            "y": TEXT,
            "score": [None if k in (4, 200) or k > 250 else s for k, s in enumerate(SCORE)],
        },
        NO_CHOICES,
    ),
    "the other class": ({"truth": TEXT, "prob_no": SCORE}, Choices(positive="yes")),
    "log-odds": ({"y": YES.astype(int), "score": SCORE * 8 - 4}, Choices(scale=Scale.LOGIT)),
    "low scores": ({"y": YES.astype(int), "score": SCORE}, Choices(reverse=True)),
    "folds, weights, ids": (
        {
            "id": np.arange(ROWS),
            "truth": TEXT,
            "score": SCORE,
            "fold": np.arange(ROWS) // 60,
            "weight": np.arange(ROWS) % 3,
        },
        NO_CHOICES,
    ),
    "an ignored column": (
        {"y": YES.astype(int), "score": SCORE, "score_B": 1 - SCORE},
        Choices(ignore=("score_B",)),
    ),
    "a label that counts as another": (
        {"truth": OTHER, "pred": ["a", "b", "a"] * 100},
        Choices(merge_labels={"c": "a"}),
    ),
    "a label that is left out": (
        {"truth": OTHER, "pred": ["a", "b", "a"] * 100},
        Choices(ignore_labels=("c",)),
    ),
    "blank predictions that count as wrong": (
        {"truth": ["a", "b"] * 150, "pred": ["a", None, "b"] * 100},
        Choices(missing=Missing.WRONG),
    ),
    "a class that comes late": (
        {"truth": ["a", "b"] * 149 + ["c", "c"], "pred": ["a", "b", "c"] * 100},
        NO_CHOICES,
    ),
    "probabilities of classes": (
        {"y": OTHER, **{f"prob_{of}": np.where(of == OTHER, 0.5, 0.25) for of in "abc"}},
        NO_CHOICES,
    ),
    "predicted numbers": ({"y": SCORE, "prediction": SCORE[::-1]}, NO_CHOICES),
}


@pytest.mark.parametrize("name", FILES)
def test_every_number_is_that_of_the_file_read_as_a_whole(name: str, tmp_path: Path) -> None:
    columns, choices = FILES[name]
    path = written(tmp_path, columns)
    counted, whole = large(path, choices), load([(path.name, path.read_bytes())], choices)
    assert counted is not None
    assert counted.table.counted is not None
    assert counted.classes == whole.classes
    assert counted.roles.positive == whole.roles.positive
    assert counted.table.source.digest == whole.table.source.digest
    options = Options(resamples=100)
    ours, theirs = (evaluate(data, options).models for data in (counted, whole))
    assert ours.keys() == theirs.keys()
    for model, one in ours.items():
        other = theirs[model]
        assert one.n == other.n
        for source, estimates in one.metrics.items():
            assert estimates.keys() == other.metrics[source].keys()
            for key, estimate in estimates.items():
                value = float(other.metrics[source][key].value)
                assert float(estimate.value) == pytest.approx(
                    value, rel=1e-9, abs=1e-12, nan_ok=True
                )


@pytest.mark.parametrize(
    "columns",
    [
        {"y": TEXT, "model": ["A", "B"] * 150, "score": SCORE},
        {"y": YES.astype(int), "score": SCORE, "weight": SCORE + 0.5},
        {"y": YES[:100].astype(int), "score": SCORE[:100]},
        {"truth": TEXT, "Score": SCORE, "score": 1 - SCORE},  # DuckDB calls one of them score_1
        {"truth": TEXT, "": SCORE},
        {"truth": TEXT, "score": [{"forest": value} for value in SCORE]},
    ],
)
def test_other_files_are_read_as_a_whole(columns: Mapping[str, Any], tmp_path: Path) -> None:
    assert large(written(tmp_path, columns)) is None


def test_a_large_file_is_read_as_a_whole_where_no_engine_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, {"y": TEXT, "score": SCORE})
    monkeypatch.setattr(connecting, "find_spec", lambda name: None)
    assert large(path) is None


def test_text_damaged_files_and_counts_are_left_to_the_readers(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(b"y,score\n1,0.5\n0,0.25\n")
    assert large(path) is None
    path.write_bytes(b"PAR1 and nothing more")
    assert large(path) is None
    rows = written(tmp_path, {"y": TEXT, "score": SCORE})
    write(counts_of(load([(rows.name, rows.read_bytes())])), tmp_path / "counts.parquet")
    assert large(tmp_path / "counts.parquet") is None


def test_what_cannot_be_used_is_not_said_of_rows_that_nobody_can_find(tmp_path: Path) -> None:
    score = SCORE.copy()
    score[200] = np.inf
    with pytest.raises(EvalError) as caught:
        large(written(tmp_path, {"y": TEXT, "score": score}))
    assert (caught.value.code, caught.value.rows) == ("infinite-score", ())
    assert "Rows are those of the counts" in caught.value.message


def test_a_doubt_about_probabilities_tells_the_rows_and_not_their_counts(tmp_path: Path) -> None:
    each = {f"prob_{of}": np.where(of == OTHER, 0.5, 0.3) for of in "abc"}
    counted = large(written(tmp_path, {"y": OTHER, **each}))
    assert counted is not None
    said = {notice.code: notice.message for notice in counted.notices}["not-sum-1"]
    assert said.startswith("In 300 of 300 rows the probabilities do not sum to 1; they")


def test_the_commands_count_a_large_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(written(tmp_path, {"y": TEXT, "score": SCORE}))
    assert main(["evaluate", path, "--resamples", "100", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["source"]["name"], told["source"]["rows"]) == ("large [1].parquet", 300)
    assert "counted-there" in [notice["code"] for notice in told["notices"]]
    assert main(["check", path, "--require", "roc_auc>=0.6"]) == 0
