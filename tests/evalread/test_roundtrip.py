"""Tables written in any common way come back as they were."""

import csv as standard
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
from hypothesis import assume, given, strategies as st

from evalread.dataset import Choices
from evalread.loading import load, read

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
CELLS = st.one_of(TEXT, st.integers().map(str), st.floats(allow_nan=False).map(repr))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    width = draw(st.integers(2, 5))
    names = draw(st.lists(TEXT.map(str.strip), min_size=width, max_size=width, unique=True))
    assume(all(any(c.isalpha() for c in name) for name in names))
    assume(not any(name.startswith(("{", "[", "@", "sep=")) or "#" in name for name in names))
    row = st.lists(CELLS, min_size=width, max_size=width).filter(any)
    return names, draw(st.lists(row, min_size=1, max_size=12))


@given(
    tables(),
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([standard.QUOTE_ALL, standard.QUOTE_MINIMAL]),
)
def test_delimited_text_comes_back_cell_by_cell(
    table: tuple[list[str], list[list[str]]], separator: str, encoding: str, end: str, quoting: int
) -> None:
    names, rows = table
    buffer = io.StringIO()
    writer = standard.writer(buffer, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerows([names, *rows])
    # The separator is chosen: text of few rows may be read in more than one way.
    read_back = read("a.csv", buffer.getvalue().encode(encoding), Choices(separator=separator))
    assert read_back.names == tuple(names)
    cells = [column.to_pylist() for column in read_back.columns.values()]
    assert [list(row) for row in zip(*cells, strict=True)] == rows


@given(
    st.lists(
        st.tuples(st.sampled_from(["no", "yes", "a;b", 'say "x"']), st.floats(-5, 5)),
        min_size=2,
        max_size=40,
    ),
    st.sampled_from([(",", "."), (";", ","), (";", "."), ("\t", ","), ("|", ".")]),
)
def test_labels_and_scores_come_back_whatever_the_marks(
    rows: list[tuple[str, float]], marks: tuple[str, str]
) -> None:
    separator, decimal = marks
    labels, values = zip(*rows, strict=True)
    assume(len(set(labels)) == 2)
    buffer = io.StringIO()
    writer = standard.writer(buffer, delimiter=separator)
    writer.writerow(["truth", "score"])
    writer.writerows((label, f"{value:.9f}".replace(".", decimal)) for label, value in rows)
    data = load([("a.csv", buffer.getvalue().encode())])
    model = data.models["score"]
    assert [data.classes[code] for code in model.truth] == list(labels)
    assert model.score.tolist() == [float(f"{value:.9f}") for value in values]


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("ab"), st.floats(0, 1)),
        min_size=1,
        max_size=40,
    )
)
def test_text_and_parquet_give_the_same_data(rows: list[tuple[str, str, float]]) -> None:
    truth, said, score = zip(*rows, strict=True)
    table = pa.table({"truth": truth, "pred": said, "score": score})
    binary = io.BytesIO()
    parquet.write_table(table, binary)
    text = table.to_pandas().to_csv(index=False).encode()
    one, other = load([("a.csv", text)]), load([("a.parquet", binary.getvalue())])
    assert one.classes == other.classes
    assert one.roles.positive == other.roles.positive
    for name, model in one.models.items():
        assert np.array_equal(model.truth, other.models[name].truth)
        assert np.array_equal(model.label, other.models[name].label)
