"""Large text that is typed while it is parsed means what it would mean cell by cell."""

import numpy as np
import pyarrow as pa
import pytest

from evalcore.errors import EvalError
from evalcore.intake import load
from evalcore.intake.readers import read_cells, typed
from evalcore.outcomes import BinaryOutcomes

ROWS = 400
HEADER = "truth,score,called\n"


def text_with(last: str) -> bytes:
    """Return a file whose last row is given, and whose other rows suggest numbers and words."""
    rng = np.random.default_rng(3)
    rows = [
        f"{('no', 'yes')[k % 2]},{score!r},{('no', 'yes')[score > 0.5]}"
        for k, score in enumerate(rng.random(ROWS).tolist())
    ]
    return (HEADER + "\n".join([*rows, last]) + "\n").encode()


def both_ways(data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return what is read from a file cell by cell, and typed at once."""
    told: list[object] = []
    for large in (1 << 30, 1):
        monkeypatch.setattr(typed, "LARGE", large)
        monkeypatch.setattr(typed, "PIECE", 4096)
        try:
            dataset = load([("p.csv", data)])
        except EvalError as error:
            told.append((error.code, error.message, error.rows))
            continue
        model = next(iter(dataset.models.values()))
        assert isinstance(model, BinaryOutcomes)
        assert model.score is not None
        rows = None if model.rows is None else model.rows.tolist()
        label = None if model.label is None else model.label.tolist()
        told.append(
            (
                model.truth.tolist(),
                model.score.tolist(),
                label,
                rows,
                dataset.notices,
                dataset.classes,
            )
        )
    return told


@pytest.mark.parametrize(
    "last",
    [
        "yes,0.25,no",
        "yes,,no",
        'yes,"",no',
        "yes,nan,no",
        "yes,NA,no",
        "yes,inf,no",
        "yes,12%,no",
        "yes, 0.5 ,no",
        "yes,+0.5,no",
        "yes,.5,no",
        "yes,1e400,no",
        "yes,0x1p3,no",
        "yes,high,no",
        ",0.5,no",
        " yes,0.5,no ",
        'yes,"0.5",no',
        '"y,es",0.5,no',
        "Yes,0.5,no",
        "yes,0.5,",
        "yes,0.5",
        'yes,0.5,"no',
    ],
)
def test_a_last_row_that_differs_means_the_same_both_ways(
    last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_cell, at_once = both_ways(text_with(last), monkeypatch)
    assert at_once == by_cell


def test_columns_get_the_type_that_their_sample_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed, "LARGE", 1)
    rows = [f"{k},{k / 7!r},0{k},{k % 3},{k % 5 / 4}" for k in range(1000)]
    data = ("id,score,code,class,grade\n" + "\n".join(rows) + "\n").encode()
    kinds = [column.type for column in read_cells("p.csv", data).columns.values()]
    assert kinds == [pa.int64(), pa.float64(), typed.TEXT, typed.WORDS, typed.WORDS]


def test_a_few_rows_and_decimal_commas_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed, "LARGE", 1)
    few = read_cells("p.csv", b"a,b\n1,2\n")
    assert [column.to_pylist() for column in few.columns.values()] == [["1"], ["2"]]
    rows = "\n".join(f"{k};{k},5" for k in range(200))
    comma = read_cells("p.csv", f"id;score\n{rows}\n".encode())
    assert comma.columns["score"][7].as_py() == 7.5
