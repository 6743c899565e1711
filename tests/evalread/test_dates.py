"""Columns of dates: what is read as one, in whose time, and what is refused."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalcore.errors import EvalError
from evalread.attributes import date_columns
from evalread.dataset import Choices, Dataset
from evalread.loading import load

HEAD = "truth,m_score,when"


def rows(cells: list[str], **choices: str) -> Dataset:
    lines = [f"{'yes' if k % 2 else 'no'},0.{k % 9},{cell}" for k, cell in enumerate(cells)]
    return load([("rows.csv", "\n".join([HEAD, *lines]).encode())], Choices(**choices))


def parquet(column: pa.Array) -> Dataset:
    n = len(column)
    table = pa.table({"truth": [0, 1] * (n // 2), "m_score": np.linspace(0, 1, n), "at": column})
    file = io.BytesIO()
    pq.write_table(table, file)
    return load([("rows.parquet", file.getvalue())], Choices())


@pytest.mark.parametrize(
    ("cell", "read", "zoned"),
    [
        ("2024-05-31", "2024-05-31T00:00:00", False),
        ("2024-05-31 12:30", "2024-05-31T12:30:00", False),
        ("2024-05-31T12:30:15.123", "2024-05-31T12:30:15", False),
        ("2024-05-31T23:30:00Z", "2024-05-31T23:30:00", True),
        ("2024-05-31T23:30:00-02:00", "2024-06-01T01:30:00", True),
        ("1969-12-31", "1969-12-31T00:00:00", False),
    ],
)
def test_dates_as_iso_8601_writes_them(cell: str, read: str, zoned: bool) -> None:
    found = rows([cell, cell, "", "2024-06-01"]).dates()
    assert found.column == "when"
    assert str(found.values[0]) == read
    assert np.isnat(found.values[2])
    assert found.zoned is zoned


@pytest.mark.parametrize(
    "column",
    [
        pa.array(pd.to_datetime(["2024-05-31"] * 4).date),
        pa.array(pd.to_datetime(["2024-05-31 10:00"] * 4), pa.timestamp("ns")),
        pa.array(
            pd.to_datetime(["2024-05-31 10:00"] * 4, utc=True), pa.timestamp("us", "Asia/Tokyo")
        ),
    ],
)
def test_typed_dates_of_parquet(column: pa.Array) -> None:
    found = parquet(column).dates()
    assert str(found.values[0].astype("datetime64[D]")) == "2024-05-31"
    assert found.zoned is (getattr(column.type, "tz", None) is not None)


@pytest.mark.parametrize(
    ("column", "read"),
    [
        (pa.array([10**7] * 4, pa.date32()), "29349-01-26"),
        (pa.array([-(10**14)] * 4, pa.timestamp("ms")), "-1199-02-15 14:13:20.000"),
        (
            pa.array([253402300740] * 4, pa.timestamp("s", "Asia/Kathmandu")),
            "10000-01-01 05:44:00.000+0545",
        ),
        (pa.array([0] * 4, pa.timestamp("s", "Mars/Olympus")), "1970-01-01 00:00:00.000Z"),
        (pa.array([0] * 4, pa.timestamp("ns", "+25:00")), "1970-01-01 00:00:00.000000000Z"),
    ],
)
def test_typed_dates_that_python_cannot_hold_are_text(column: pa.Array, read: str) -> None:
    assert parquet(column).table.columns["at"].to_pylist()[0] == read


@pytest.mark.parametrize(
    "cell", ["31.05.2024", "05/31/24", "2024-06-31", "May 31", "12:30", "20240531"]
)
def test_what_can_mean_two_days_or_none_is_no_date(cell: str) -> None:
    made = rows(["2024-05-31", cell, "2024-06-01", "2024-06-02"])
    assert date_columns(made) == ()
    with pytest.raises(EvalError) as refused:
        made.dates("when")
    assert refused.value.code == "not-dates"
    assert (refused.value.rows, refused.value.column) == ((2,), "when")
    assert cell in refused.value.message


def test_numbers_are_no_dates() -> None:
    with pytest.raises(EvalError, match="holds no date in 4 rows"):
        rows(["1", "2", "3", "4"]).dates("when")


def test_the_chosen_column_has_the_role_and_no_other() -> None:
    cells = ["2024-05-31", "2024-06-01", "2024-06-02", "2024-06-03"]
    made = rows(cells, date="when")
    assert made.roles.date == "when"
    assert "when" in made.roles.reasons
    assert "when" not in made.free
    assert made.digest != rows(cells).digest


def test_many_different_times_are_read() -> None:
    times = pd.date_range("2024-01-01", periods=200_000, freq="s").strftime("%Y-%m-%d %H:%M:%S")
    frame = pd.DataFrame({"truth": np.arange(200_000) % 2, "m_score": 0.5, "when": times})
    frame.loc[::2, "m_score"] = 0.4
    made = load([("rows.csv", frame.to_csv(index=False).encode())], Choices())
    assert len(np.unique(made.dates("when").values)) == 200_000
