import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalread.columns import as_numbers, numbers_of, read_numbers
from evalread.dataset import Source, Table


def numbers(*cells: str | None, decimal: str = ".", thousands: str | None = None):
    source = Source("a", "csv", "", len(cells), decimal=decimal, thousands=thousands)
    return as_numbers(pa.chunked_array([pa.array(cells, pa.string())]), "score", source)


def test_numbers_are_read_exactly() -> None:
    cells = ("0.1", "1e-300", "-0.0", "1E5", "+3", ".5", "2.", "123456789012345678")
    assert numbers(*cells).values.tolist() == [float(cell) for cell in cells]


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_comes_back_bit_for_bit(values: list[float]) -> None:
    read = numbers(*(repr(value) for value in values)).values
    assert read.tobytes() == np.array(values).tobytes()


@given(st.lists(st.floats(-1e9, 1e9), min_size=1))
def test_marks_of_any_kind_give_the_same_numbers(values: list[float]) -> None:
    plain = [f"{value:,.6f}" for value in values]
    swapped = [text.translate(str.maketrans(",.", ".,")) for text in plain]
    wanted = [float(text.replace(",", "")) for text in plain]
    assert numbers(*plain, thousands=",").values.tolist() == wanted
    assert numbers(*swapped, decimal=",", thousands=".").values.tolist() == wanted


def test_missing_cells_are_counted_as_they_are_written() -> None:
    found = numbers("0.5", "", "NaN", "n/a", " ", None, "NA", "?")
    assert found.missing == {"blank": 3, "NaN": 1, "n/a": 1, "NA": 1, "?": 1}
    assert np.isnan(found.values).tolist() == [False] + [True] * 7


def test_percent_signs_are_taken_off_where_every_number_has_one() -> None:
    found = numbers("87%", "12 %", "", "64.5%")
    assert found.percent
    assert found.values[[0, 1, 3]].tolist() == [87, 12, 64.5]


def test_percent_signs_on_some_numbers_only_are_an_error() -> None:
    with pytest.raises(EvalError, match=r'row 1 holds "87%" \(1 of 2 values\)'):
        numbers("87%", "0.5")


@pytest.mark.parametrize(
    "cell", ["error: timeout", "1_000", "0x10", "1,5", "--1", "1e", "٣", "1 2"]
)
def test_a_cell_that_is_no_number_is_named_with_its_row(cell: str) -> None:
    with pytest.raises(EvalError) as caught:
        numbers("0.5", "", cell, "0.25")
    assert caught.value.message == (
        f'Column "score" is not numeric: row 3 holds "{cell}" (1 of 3 values).'
    )
    assert caught.value.rows == (3,)
    assert caught.value.column == "score"


def test_a_point_in_a_file_of_decimal_commas_is_no_number() -> None:
    with pytest.raises(EvalError, match=r'holds "0\.5"'):
        numbers("0,25", "0.5", decimal=",")


def test_cells_that_are_lists_are_told() -> None:
    with pytest.raises(EvalError, match=r"holds lists \(3 numbers per cell\)"):
        numbers("[0.7 0.2 0.1]", "[0.1 0.8 0.1]")


@pytest.mark.parametrize(
    ("array", "wanted"),
    [
        (pa.array([240, 250, None], pa.uint8()), [240.0, 250.0, np.nan]),
        (pa.array([True, False]), [1.0, 0.0]),
        (pa.array([0.5, np.nan], pa.float32()), [0.5, np.nan]),
        (pa.array([None, None]), [np.nan, np.nan]),
        (pa.array(["1", "2"]).dictionary_encode(), [1.0, 2.0]),
        (pa.array(["1.50"]).cast(pa.decimal128(5, 2)), [1.5]),
        (pa.array(["1"], pa.large_string()), [1.0]),
    ],
)
def test_typed_columns_become_floats(array: pa.Array, wanted: list[float]) -> None:
    read = as_numbers(pa.chunked_array([array]), "a", Source("a", "parquet", "", len(array)))
    assert np.array_equal(read.values, wanted, equal_nan=True)
    assert sum(read.missing.values()) == int(np.isnan(wanted).sum())


def test_dates_and_lists_are_no_numbers() -> None:
    source = Source("a", "parquet", "", 1)
    for array in (pa.array([0], pa.timestamp("s")), pa.array([[0.5, 0.5]])):
        with pytest.raises(EvalError):
            as_numbers(pa.chunked_array([array]), "a", source)


def test_columns_read_together_are_read_as_each_alone() -> None:
    cells = {
        "plain": ["1", "2.5", "-3e2"],
        "missing": ["1", "", "3"],
        "signs": ["50%", "20%", "1%"],
        "infinite": ["inf", "1", "2"],
        "words": ["a", "1", "2"],
        "other": ["0.1", "0.2", "0.3"],
    }
    columns = {name: pa.chunked_array([pa.array(own)]) for name, own in cells.items()}
    columns["typed"] = pa.chunked_array([[1, 2], [3]])
    columns["gaps"] = pa.chunked_array([pa.array([1.0, None, np.nan])])
    source = Source("a.csv", "csv", "", 3)
    for names in (["plain", "other"], list(cells), ["plain", "missing"], list(columns)):
        table = Table(columns, source)
        read_numbers(table, names)
        for name in set(columns) - {"words"}:
            read, alone = numbers_of(table, name), as_numbers(columns[name], name, source)
            assert np.array_equal(read.values, alone.values, equal_nan=True)
            assert (read.missing, read.percent) == (alone.missing, alone.percent)
            assert np.array_equal(read.span, alone.span, equal_nan=True)
            assert not read.values.flags.writeable
        with pytest.raises(EvalError, match='"words"'):
            numbers_of(table, "words")
