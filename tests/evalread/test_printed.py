import tracemalloc

import pytest
from hypothesis import given, strategies as st

from evalread.readers.layouts import plain_text

from .files import loaded, notice

CELL = st.text("abcxyz0123456789.-", min_size=1, max_size=6)


@given(st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=2, max_size=5))
def test_delimited_text_stays_as_it_is(rows: list[list[str]]) -> None:
    data = "\n".join(",".join(row) for row in rows).encode()
    assert plain_text(data) == (data, ())


@pytest.mark.parametrize(
    "frame",
    [
        "+---+---+\n| y | p |\n+---+---+\n| 1 | 0 |\n| 0 | 0 |\n+---+---+\n",
        " y | p \n---+---\n 1 | 0 \n 0 | 0 \n(2 rows)\n",
        "|y|p|\n|:--|--:|\n|1|0|\n|0|0|\n",
    ],
    ids=["MySQL", "PostgreSQL", "Markdown"],
)
def test_the_frame_of_a_table_is_left_out(frame: str) -> None:
    assert plain_text(frame.encode())[0] == b"y|p\n1|0\n0|0\n"
    assert "as printed by a program" in notice(loaded(frame), "printed")


def test_text_with_bytes_of_no_text_is_left_alone() -> None:
    data = "| y |\n|---|\n".encode("utf-16")
    assert plain_text(data)[0] is data


def test_a_comment_right_above_words_and_numbers_is_no_header() -> None:
    above, header = "# run 3, 2024\ny,p\nno,0.1\n", "# y,p\nno,0.1\nyes,0.9\n"
    assert plain_text(above.encode())[0] == b"y,p\nno,0.1\n"
    assert plain_text(header.encode())[0] == b"y,p\nno,0.1\nyes,0.9\n"


def test_the_digest_is_that_of_the_bytes_that_were_given() -> None:
    framed, plain = loaded("|y|p|\n|--|---|\n|1|0|\n|0|0|\n"), loaded("y|p\n1|0\n0|0\n")
    assert framed.table.source.digest != plain.table.source.digest
    assert framed.models["p"].truth.tolist() == plain.models["p"].truth.tolist()


def test_the_first_lines_show_that_one_long_column_is_no_printed_table() -> None:
    data = b"score\n" + b"0.125\n" * 300_000
    tracemalloc.start()
    try:
        assert plain_text(data)[0] is data
        assert tracemalloc.get_traced_memory()[1] < len(data)
    finally:
        tracemalloc.stop()
