import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalread.columns import Labels, as_labels, class_order, labels_in, plain_number, same_by_value
from evalread.dataset import Source, Table


def labels(*cells: str | None) -> Labels:
    return as_labels(pa.chunked_array([pa.array(cells, pa.string())]), "y")


def cells(found: Labels) -> list[str | None]:
    return [found.names[code] if code >= 0 else None for code in found.codes]


def test_only_a_blank_cell_is_missing() -> None:
    found = labels("NA", "None", "", "nan", " ", None)
    assert cells(found) == ["NA", "None", None, "nan", None, None]
    assert found.missing == {"blank": 3}


def test_white_space_round_a_label_is_taken_off_and_marked() -> None:
    found = labels("cat", "dog ", "\tcat", "big dog")
    assert cells(found) == ["cat", "dog", "cat", "big dog"]
    assert found.trimmed is not None
    assert found.trimmed.tolist() == [False, True, True, False]


def test_leading_zeros_keep_labels_apart() -> None:
    assert same_by_value([labels("01", "1")])[0].names == ("01", "1")


def test_numbers_are_compared_by_value_across_columns() -> None:
    truth, said = same_by_value([labels("0", "1", "1"), labels("0.0", "1.0", "NaN")])
    assert cells(truth) == ["0", "1", "1"]
    assert cells(said) == ["0", "1", None]
    assert said.missing == {"NaN": 1}


def test_one_column_of_text_keeps_all_of_them_text() -> None:
    truth, said = same_by_value([labels("1", "x"), labels("1.0", "NaN")])
    assert truth.names == ("1", "x")
    assert said.names == ("1.0", "NaN")


def test_long_ids_are_not_rounded() -> None:
    long = ("1352171357891584011", "1352171357891584012")
    assert same_by_value([labels(*long)])[0].names == long


@pytest.mark.parametrize(
    ("array", "wanted"),
    [
        (pa.array([0.0, 1.0, np.nan, None]), ["0", "1", None, None]),
        (pa.array([0, 1, None], pa.int8()), ["0", "1", None]),
        (pa.array([True, False, None]), ["true", "false", None]),
        (pa.array(["a", None, "a"]).dictionary_encode(), ["a", None, "a"]),
        (pa.array([b"a", b"\xff"]), ["a", "\\xff"]),
        (pa.array([0.5, 1e20]), ["0.5", "1e+20"]),
    ],
)
def test_typed_columns_become_labels(array: pa.Array, wanted: list[str | None]) -> None:
    assert cells(as_labels(pa.chunked_array([array]), "y")) == wanted


def test_dictionaries_that_differ_between_chunks_are_brought_together() -> None:
    parts = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"]).dictionary_encode()]
    assert cells(as_labels(pa.chunked_array(parts), "y")) == ["a", "b", "b", "c"]


def test_too_many_labels_are_refused() -> None:
    with pytest.raises(EvalError, match="12,000 different values"):
        labels(*(f"x{k}" for k in range(12_000)))


def test_classes_are_in_order_of_value_or_of_the_alphabet() -> None:
    assert class_order(["10", "9", "-1"]) == ("-1", "9", "10")
    assert class_order(["b", "A", "a", "10"]) == ("10", "A", "a", "b")


@given(st.lists(st.text(max_size=5), max_size=30))
def test_labels_are_the_trimmed_cells(rows: list[str]) -> None:
    assert cells(labels(*rows)) == [row.strip() or None for row in rows]


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_the_plain_form_of_a_number_has_the_same_value(value) -> None:
    text = plain_number(f"{value:f}")
    assert float(text) == float(value)
    assert plain_number(text) == text


def test_labels_read_together_are_read_as_each_alone() -> None:
    written: dict[str, list[object]] = {
        "words": ["b", "a", "b", "c"],
        "others": ["c", "c", "a", "a"],
        "spaced": [" b", "b", "", "  "],
        "gaps": [None, "a", None, "b"],
        "none": [None, None, None, ""],
        "whole": [2, 1, 2, None],
        "more": [3, 3, 1, 2],
        "decimal": [0.5, None, float("nan"), 1.0],
        "marked": [True, False, None, True],
        "again": [False, False, True, True],
    }
    columns = {name: pa.chunked_array([pa.array(own)]) for name, own in written.items()}
    columns["parts"] = pa.chunked_array([["a", "d"], ["a", "b"]])
    columns["coded"] = columns["words"].dictionary_encode()
    source = Source("a.parquet", "parquet", "", 4)
    for names in (list(columns), list(columns)[::-1], ["words", "others", "words"], ["spaced"]):
        for name, read in zip(names, labels_in(Table(columns, source), names), strict=True):
            alone = as_labels(columns[name], name)
            assert (read.names, read.missing) == (alone.names, alone.missing)
            assert read.codes.tolist() == alone.codes.tolist()
            assert not read.codes.flags.writeable
            assert np.array_equal(read.trimmed, alone.trimmed)  # type: ignore[arg-type]
