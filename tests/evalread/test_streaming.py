"""A file that is condensed batch by batch gives the numbers of the file read as a whole."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from evalboard.cli import main
from evalcore.errors import EvalError
from evalcore.evaluate import evaluate
from evalcore.evaluation import condense
from evalcore.options import Options
from evalcore.results import Evaluation
from evalcore.tables.scores import area_in_doubt
from evalread.dataset import NO_CHOICES, Choices, Missing, Scale
from evalread.loading import load
from evalread.readers import columnar
from evalread.streaming import condense_file, evaluate_file

ROWS = 300
QUICK = Options(resamples=100)
RNG = np.random.default_rng(5)
YES = RNG.random(ROWS) < 0.3
SCORE = np.round(np.clip(RNG.normal(0.4 + 0.3 * YES, 0.2), 0, 1), 3)
TEXT = np.where(YES, "yes", "no")


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "LARGE_ROWS", 100)
    monkeypatch.setattr(columnar, "BATCH_ROWS", 64)


def written(folder: Path, columns: Mapping[str, Any]) -> Path:
    path = folder / "large.parquet"
    parquet.write_table(pa.table(dict(columns)), path, row_group_size=90)
    return path


def streamed(path: Path, choices: Choices = NO_CHOICES) -> Evaluation:
    assert condense_file(path, choices) is not None
    return evaluate_file(path, QUICK, choices)


def whole(path: Path, choices: Choices = NO_CHOICES) -> Evaluation:
    return evaluate(load([(path.name, path.read_bytes())], choices), QUICK)


def numbers(evaluation: Evaluation) -> Mapping[str, str]:
    """Return all that is said of each model; as text, since what is undefined equals nothing."""
    models = evaluation.models.items()
    return {
        name: repr(spelt_out((one.n, one.metrics, one.folds, one.notices))) for name, one in models
    }


def spelt_out(value: Any) -> Any:
    """Return the numbers in mappings, lists and results, made now if they were not yet."""
    if isinstance(value, Mapping):
        return {key: spelt_out(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [spelt_out(one) for one in value]
    if is_dataclass(value):
        return {field.name: spelt_out(getattr(value, field.name)) for field in fields(value)}
    return value


def codes(evaluation: Evaluation) -> set[str]:
    return {notice.code for notice in evaluation.notices}


FILES: Mapping[str, tuple[Mapping[str, Any], Choices]] = {
    "numbers": ({"y": YES.astype(np.int8), "score": SCORE.astype(np.float32)}, NO_CHOICES),
    "dictionary": ({"y": pa.array(TEXT).dictionary_encode(), "score": SCORE}, NO_CHOICES),
    "true and false": ({"truth": YES, "pred": SCORE > 0.5, "score": SCORE}, NO_CHOICES),
    "two models": (
        {"truth": TEXT, "score_A": SCORE, "score_B": 1 - SCORE, "label_A": TEXT[::-1]},
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
        {"truth": ["a", "b", "c"] * 100, "pred": ["a", "b", "a"] * 100},
        Choices(merge_labels={"c": "a"}),
    ),
    "a class that comes late": (
        {"truth": ["a", "b"] * 149 + ["c", "c"], "pred": ["a", "b", "c"] * 100},
        NO_CHOICES,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_every_number_is_that_of_the_file_read_as_a_whole(name: str, tmp_path: Path) -> None:
    columns, choices = FILES[name]
    path = written(tmp_path, columns)
    parts, once = streamed(path, choices), whole(path, choices)
    assert parts.models.keys() == once.models.keys()
    assert numbers(parts) == numbers(once)
    assert parts.dataset.classes == once.dataset.classes
    assert parts.dataset.roles.positive == once.dataset.roles.positive
    assert parts.dataset.rows_used == once.dataset.rows_used
    assert parts.dataset.table.source == once.dataset.table.source
    # Whole rows that repeat are looked for only where all rows are held, which a notice says.
    # Rows without weight are among those that are left out, since only these are counted.
    apart = {"streamed"} | ({"missing-values"} if parts.dataset.roles.weight else set())
    assert codes(parts) - apart == codes(once) - {"repeated-rows"}


def test_rows_left_out_are_counted_and_listed_over_all_batches(tmp_path: Path) -> None:
    score = [None if k in (4, 200) or k > 250 else value for k, value in enumerate(SCORE)]
    path = written(tmp_path, {"y": TEXT, "score": score, "label": TEXT, "other_score": SCORE})
    parts, once = streamed(path), whole(path)
    assert numbers(parts) == numbers(once)
    (told,) = [notice for notice in parts.notices if notice.code == "missing-values"]
    assert told.message.startswith("51 of 300 rows have no truth, score or label")
    assert told.rows[:4] == (5, 201, 252, 253)
    assert len(told.rows) == 51


def test_a_model_without_any_row_is_an_error(tmp_path: Path) -> None:
    nothing = pa.array([None] * ROWS, pa.float64())
    path = written(tmp_path, {"y": TEXT, "score": nothing})
    with pytest.raises(EvalError, match="No row of") as caught:
        evaluate_file(path, QUICK, Choices(truth="y", scores={"": "score"}))
    assert caught.value.code == "no-rows"


def test_many_scores_are_grouped_and_the_reader_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(condense, "MOST_SCORES", 50)
    monkeypatch.setattr(condense, "MOST_GROUPS", 100)
    path = written(tmp_path, {"y": TEXT, "score": SCORE, "fold": np.arange(ROWS) % 3})
    found = condense_file(path)
    assert found is not None
    (tables,) = found.tables.values()
    assert tables.scores is not None
    assert len(tables.scores.threshold) <= 100
    assert all(part.grouped for part in tables.folds.values())
    parts, once = streamed(path), whole(path)
    decided = [repr(one.models["score"].decisions["threshold"].metrics) for one in (parts, once)]
    assert decided[0] == decided[1]
    areas = [one.models["score"].ranking["roc_auc"].value for one in (parts, once)]
    assert abs(areas[0] - areas[1]) <= area_in_doubt(tables.scores)
    (told,) = [notice for notice in parts.notices if notice.code == "grouped-scores"]
    assert "were counted at the lowest of them" in told.message


def test_an_error_in_a_later_batch_names_its_rows(tmp_path: Path) -> None:
    score = SCORE.copy()
    score[200] = np.inf
    path = written(tmp_path, {"y": TEXT, "score": score})
    with pytest.raises(EvalError) as caught:
        evaluate_file(path, QUICK)
    assert caught.value.rows == (201,)
    assert caught.value.message.startswith("In rows 193 to 256, counted from 1: Column")
    assert "(row 9)" in caught.value.message


def test_what_holds_for_some_batches_only_is_said_of_them(tmp_path: Path) -> None:
    score = SCORE.copy()
    score[70] = 3.0
    hard = (SCORE > 0.5).astype(float)
    hard[250] = 0.25
    path = written(tmp_path, {"y": TEXT, "score_A": score, "score_B": hard})
    parts = streamed(path)
    (told,) = [notice for notice in parts.notices if notice.code == "outside-unit"]
    assert told.message.startswith('In rows 65 to 128: Column "score_A" has values outside')
    assert "hard-labels" not in codes(parts)
    assert not parts.models["A"].probability["brier"].defined
    assert parts.models["B"].probability["brier"].defined


def test_a_probability_that_stops_being_one_is_not_turned_around_by_halves(tmp_path: Path) -> None:
    score = SCORE.copy()
    score[250] = 3.0
    path = written(tmp_path, {"truth": TEXT, "prob_no": score})
    for turned in (Choices(positive="yes"), Choices(reverse=True)):
        with pytest.raises(EvalError, match="in some parts of the file only") as caught:
            evaluate_file(path, QUICK, turned)
        assert caught.value.code == "not-probability"


@pytest.mark.parametrize(
    "columns",
    [
        {"y": SCORE, "prediction": SCORE[::-1]},
        {"y": ["a", "b", "c"] * 100, **{f"prob_{of}": [1 / 3] * ROWS for of in "abc"}},
        {"y": TEXT, "model": ["A", "B"] * 150, "score": SCORE},
        {"y": YES[:100].astype(int), "score": SCORE[:100]},
    ],
)
def test_other_files_are_read_as_a_whole(columns: Mapping[str, Any], tmp_path: Path) -> None:
    path = written(tmp_path, columns)
    assert condense_file(path) is None
    assert evaluate_file(path, QUICK).models


def test_text_and_damaged_files_are_left_to_the_readers(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(b"y,score\n1,0.5\n0,0.25\n")
    assert evaluate_file(path, QUICK).dataset.rows_used == 2
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(EvalError) as caught:
        evaluate_file(path, QUICK)
    assert caught.value.code == "unreadable"


def test_the_command_line_streams_a_large_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, {"y": TEXT, "score": SCORE})
    assert main(["evaluate", str(path), "--resamples", "100"]) == 0
    said = capsys.readouterr().out
    assert "300 rows · 1 model · binary" in said
    assert "too many to hold in memory" in said


def test_rows_of_an_ignored_label_are_left_out_of_every_batch(tmp_path: Path) -> None:
    columns = {"truth": ["a", "b", "c"] * 100, "pred": ["a", "b", "a"] * 100}
    choices = Choices(ignore_labels=("c",))
    path = written(tmp_path, columns)
    assert numbers(streamed(path, choices)) == numbers(whole(path, choices))


def test_a_blank_prediction_that_counts_as_wrong_needs_the_file_as_a_whole(tmp_path: Path) -> None:
    path = written(tmp_path, {"truth": ["a", "b"] * 150, "pred": ["a", None, "b"] * 100})
    assert condense_file(path, Choices(missing=Missing.WRONG)) is None
    assert condense_file(path) is not None
