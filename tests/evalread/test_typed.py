"""Large text that is typed while it is parsed means what it would mean cell by cell."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from evalcore.errors import EvalError
from evalread.columns import as_labels, class_order, codes_in
from evalread.dataset import NO_CHOICES, Choices, Scale
from evalread.loading import load
from evalread.readers import delimited, read_cells
from evalread.readers.delimited import TEXT

SCORES = np.random.default_rng(3).random(200).tolist()
FEW_WORDS = pa.dictionary(pa.int8(), TEXT)
TRUTHS = [("no", "yes")[k % 2] for k in range(len(SCORES))]


@contextmanager
def typed_at_once() -> Iterator[None]:
    """Take every file for a large one, and few distinct numbers for too many to be labels."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LARGE", 1), ("SAMPLE", 1024), ("FEW", 30), ("SHOWN", 10)):
            patch.setattr(delimited, name, value)
        patch.setattr(delimited, "BLOCK", 512)
        yield


@pytest.fixture
def at_once() -> Iterator[None]:
    with typed_at_once():
        yield


def text_with(row: str, separator: str = ",", place: int = len(SCORES)) -> bytes:
    """Return a file of truth, score and label with one row of its own."""
    rows = [
        separator.join((truth, repr(score), ("no", "yes")[score > 0.5]))
        for truth, score in zip(TRUTHS, SCORES, strict=True)
    ]
    header = separator.join(("truth", "score", "called"))
    return "\n".join([header, *rows[:place], row, *rows[place:]]).encode()


def meaning(data: bytes, choices: Choices = NO_CHOICES) -> object:
    """Return all that a file is found to hold, in a form that can be compared."""
    try:
        dataset = load([("p.csv", data)], choices)
    except EvalError as error:
        return (error.code, error.message, error.rows, error.column)
    models = {
        name: {key: value.tolist() if isinstance(value, np.ndarray) else value
               for key, value in vars(outcomes).items()}
        for name, outcomes in dataset.models.items()
    }  # fmt: skip
    return (dataset.digest, dataset.roles, dataset.notices, dataset.classes, models)


def assert_both_ways_agree(data: bytes, choices: Choices = NO_CHOICES) -> None:
    by_cell = meaning(data, choices)
    with typed_at_once():
        assert meaning(data, choices) == by_cell


ODD_ROWS = (
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
    'yes,"1,5",no',
    "yes,1e400,no",
    "yes,0x1p3,no",
    "yes,high,no",
    "yes,[0.2 0.8],no",
    ",0.5,no",
    " yes,0.5,no ",
    'yes,"0.5",no',
    '"y,es",0.5,no',
    "Yes,0.5,no",
    "yes,0.5,",
    "yes,0.5",
    "yes,0.5,no,no",
    'yes,0.5,"no',
)


@pytest.mark.parametrize("row", ODD_ROWS)
def test_a_last_row_unlike_the_others_means_the_same_both_ways(row: str) -> None:
    assert_both_ways_agree(text_with(row))


@pytest.mark.parametrize(
    ("row", "separator", "choices"),
    [
        ("yes;0,5;no", ";", NO_CHOICES),
        ("yes;0.5;no", ";", Choices(decimal=",")),
        ("yes;0.5;no", ";", Choices(decimal=".", thousands="'")),
        ("yes;0.5;no", ";", Choices(separator=",")),
        ("yes,0.5,no", ",", Choices(encoding="cp1252", positive="no")),
        ("yes,0.5,no", ",", Choices(labels={"score": "score"})),
        ("yes,0.5,no", ",", Choices(truth="score", predictions={"": "score"})),
        ("yes,0.5,no", ",", Choices(scale=Scale.LOGIT, reverse=True)),
        ("yes,7,no", ",", Choices(truth="called", labels={"": "truth"}, group="score")),
    ],
)
def test_what_is_chosen_means_the_same_both_ways(
    row: str, separator: str, choices: Choices
) -> None:
    assert_both_ways_agree(text_with(row, separator), choices)


def test_a_byte_order_mark_inside_the_text_stays_a_part_of_its_cell(at_once: None) -> None:
    rows = text_with("yes,0.5,no").replace(b"\n", b"\n\xef\xbb\xbf")
    truths = read_cells("p.csv", rows).columns["truth"].to_pylist()
    assert truths[1:] == [f"\ufeff{truth}" for truth in [*TRUTHS[1:], "yes"]]


@pytest.mark.parametrize("zeros", [1, 150])
def test_labels_with_leading_zeros_stay_apart_both_ways(zeros: int) -> None:
    labels = ["01" if k >= 200 - zeros else "1" for k in range(199)] + ["0", "01"]
    rows = zip(labels, SCORES, strict=False)
    assert_both_ways_agree(("y,p\n" + "\n".join(f"{a},{b!r}" for a, b in rows)).encode())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["yes", "no", " no", "", "NA", "No", '"n,o"', "1", "01"]),
            st.one_of(
                st.floats(0, 1).map(repr),
                st.sampled_from(["", "NaN", "inf", "50%", "1,5", '"0.5"', " 1", "1e-5", "x"]),
            ),
            st.sampled_from(["yes", "no", "maybe", ""]),
        ),
        max_size=3,
    ),
    st.integers(0, len(SCORES)),
)
def test_cells_of_any_kind_anywhere_mean_the_same_both_ways(
    rows: list[tuple[str, str, str]], place: int
) -> None:
    odd = "\n".join(",".join(row) for row in rows)
    assert_both_ways_agree(text_with(odd, place=place))


def test_columns_get_the_type_that_their_sample_shows(at_once: None) -> None:
    rows = [f"{k},{k / 7!r},{k / 8:.3f},{k % 3},{k % 5 / 4}" for k in range(1000)]
    data = ("id,score,padded,class,grade\n" + "\n".join(rows) + "\n").encode()
    kinds = [column.type for column in read_cells("p.csv", data).columns.values()]
    assert kinds == [TEXT, pa.float64(), TEXT, FEW_WORDS, FEW_WORDS]


@pytest.mark.parametrize(("words", "codes"), [(127, pa.int8()), (128, pa.int32())])
def test_words_that_come_later_get_places_of_their_own(
    words: int, codes: pa.DataType, at_once: None
) -> None:
    """At the head, in the middle and at the end, all are alike."""
    few = ["a", "b"] * 1000
    many = few + [f"w{k}" for k in range(words - 2)] + few
    cells = [*many, *reversed(many)]
    (column,) = read_cells("p.csv", "\n".join(["word", *cells, ""]).encode()).columns.values()
    assert column.type == pa.dictionary(codes, TEXT)
    assert column.to_pylist() == cells
    labels = as_labels(column, "word")
    assert [labels.names[code] for code in labels.codes.tolist()] == cells
    assert codes_in(labels, class_order(labels.names)).tolist() == [
        sorted(set(cells)).index(cell) for cell in cells
    ]


@pytest.mark.parametrize(("row", "kind"), [("yes,1.50,no", pa.float64()), ("yes,1%,no", TEXT)])
def test_a_cell_that_does_not_fit_makes_its_file_text(
    row: str, kind: pa.DataType, at_once: None
) -> None:
    data = text_with(row, place=60)
    assert read_cells("p.csv", data).columns["score"].type == kind


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_few_rows_are_read_whatever_ends_them(ending: str, at_once: None) -> None:
    few = read_cells("p.csv", ending.join(["a,b", "1,2", "3,4"]).encode())
    assert [column.to_pylist() for column in few.columns.values()] == [["1", "3"], ["2", "4"]]


@pytest.mark.parametrize("written", ["0.50", "1e0", "1", "0.5", "1E-07"])
def test_the_first_rows_are_shown_as_they_are_written(written: str, at_once: None) -> None:
    first = read_cells("p.csv", text_with(f"yes,{written},no", place=5)).columns["score"][5]
    assert str(first.as_py()) == written


def test_a_file_is_large_from_a_size_that_people_wait_for() -> None:
    rows = text_with("yes,0.5,no").partition(b"\n")[2] + b"\n"
    data = load([("p.csv", b"truth,score,called\n" + rows * (delimited.LARGE // len(rows) + 1))])
    assert data.table.columns["truth"].type == FEW_WORDS
