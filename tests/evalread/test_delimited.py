import codecs

import pytest

from evalread.dataset import Choices, Table
from evalread.loading import read

from .files import csv, loaded, notice, refused


def cells(table: Table) -> dict[str, list[str | None]]:
    return {name: column.to_pylist() for name, column in table.columns.items()}


def table(text: str | bytes, name: str = "a.csv", **choices: str) -> Table:
    return read(name, text if isinstance(text, bytes) else text.encode(), Choices(**choices))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_every_separator_is_found(separator: str) -> None:
    text = "truth,score,text\n1,0.5,a\n0,0.25,b\n".replace(",", separator)
    found = table(text)
    assert found.source.separator == separator
    assert cells(found) == {"truth": ["1", "0"], "score": ["0.5", "0.25"], "text": ["a", "b"]}


def test_a_separator_inside_quotes_does_not_count() -> None:
    found = table('truth;text\n1;"a, b, c"\n0;"d, e"\n')
    assert found.source.separator == ";"
    assert cells(found)["text"] == ["a, b, c", "d, e"]


def test_every_cell_stays_as_it_is_written() -> None:
    found = table('a,b\n01,"1.50"\n 1e5 ,\n"x""y",NA\n"two\nlines",\n')
    assert cells(found) == {
        "a": ["01", " 1e5 ", 'x"y', "two\nlines"],
        "b": ["1.50", "", "NA", ""],
    }


@pytest.mark.parametrize(
    ("encoding", "mark", "told"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8", codecs.BOM_UTF8, "utf-8-sig"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "utf-32"),
        ("utf-16-le", b"", "utf-16-le"),
        ("utf-16-be", b"", "utf-16-be"),
        ("cp1252", b"", "cp1252"),
    ],
)
def test_every_encoding_is_found(encoding: str, mark: bytes, told: str) -> None:
    found = table(mark + "clase,pred\nAño,Pérdida\n".encode(encoding))
    assert found.source.encoding == told
    assert cells(found) == {"clase": ["Año"], "pred": ["Pérdida"]}


def test_a_chosen_encoding_is_used_and_a_wrong_one_refused() -> None:
    text = "truth,pred\nπ,π\n".encode("iso8859-7")
    assert cells(table(text, encoding="iso8859-7"))["truth"] == ["π"]
    assert refused(("a.csv", text), encoding="utf-8").code == "wrong-encoding"
    assert refused(("a.csv", text), encoding="nonsense").code == "unknown-encoding"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending_is_read(ending: str) -> None:
    assert cells(table(f"y,p{ending}1,0.5{ending}0,0.4")) == {"y": ["1", "0"], "p": ["0.5", "0.4"]}


@pytest.mark.parametrize(
    ("rows", "decimal", "thousands"),
    [
        ("1;0,5\n2;0,25\n", ",", None),
        ("1;1.234,5\n2;2,25\n", ",", "."),
        ("1;1 234,5\n2;2,25\n", ",", " "),
        ('1,"1,234.5"\n2,2.25\n', ".", ","),
        ('1,"1,234"\n2,2.25\n', ".", ","),
        ("1;0,435\n2;2,870\n", ",", None),
        ("1,1.234\n2,2.250\n", ".", None),
        ("1;1,250\n2;2,500\n", ",", None),
    ],
)
def test_number_marks_are_found_together(rows: str, decimal: str, thousands: str | None) -> None:
    separator = ";" if ";" in rows else ","
    found = table(f"y{separator}p\n{rows}")
    assert (found.source.decimal, found.source.thousands) == (decimal, thousands)


def test_a_ragged_line_is_named_with_its_counts_and_place() -> None:
    error = refused('id,text,truth,pred\n1,"two\nlines",a,a\n2,bad, slow, x,a,b\n')
    assert error.code == "ragged"
    assert error.message == (
        "Line 4 has 6 fields but the header has 4. "
        "A text value with a comma is probably not quoted."
    )


def test_the_first_of_many_ragged_lines_is_named() -> None:
    rows = "".join("1,0.5\n" if k % 1000 else "1,0.5,9\n" for k in range(1, 200_001))
    assert refused("y,p\n" + rows).message.startswith("Line 1001 has 3 fields")


def test_a_short_line_is_named() -> None:
    assert refused("a,b,c\n1,2,3\n1,2\n1,2,3\n").message.startswith("Line 3 has 2 fields")


@pytest.mark.parametrize("text", ['y,p\n1,0.5\n0,".4\n1,0.2\n', 'y,p\n1,0.5\n"0,0.4\n1,0.2\n'])
def test_a_quote_that_is_never_closed_is_named(text: str) -> None:
    assert refused(text).message == 'Line 3 opens a quote (") that is never closed.'


def test_repeated_headers_are_kept_with_their_place() -> None:
    found = table("id,prob,y,prob\n1,0.9,1,0.7\n")
    assert found.names == ("id", "prob (column 2)", "y", "prob (column 4)")
    assert "is repeated" in found.notices[0].message


def test_repeated_headers_never_clash_with_a_header_that_looks_like_one() -> None:
    assert len(set(table("p,p,p (column 1)\n1,2,3\n").names)) == 3


def test_headers_are_trimmed_and_blank_ones_called_by_their_place() -> None:
    assert table(" y , ,p\n1,2,3\n").names == ("y", "column 2", "p")


def test_a_file_without_header_is_told_by_its_numbers() -> None:
    found = table("1,0.9\n0,0.3\n")
    assert found.names == ("column 1", "column 2")
    assert found.n == 2


def test_whole_numbers_as_class_names_are_a_header() -> None:
    assert table("0,1\n0.2,0.8\n0.6,0.4\n").names == ("0", "1")


def test_lines_above_the_header_are_left_out_and_counted() -> None:
    data = loaded("My results\n\ny_true,y_pred\n1,1\n0,1\n")
    assert data.table.n == 2
    assert notice(data, "title-lines") == "Left out above the header: 1 line."


def test_excel_tells_its_separator() -> None:
    found = table("sep=;\ny;p\n1;0,5\n0;0,4\n")
    assert found.names == ("y", "p")


def test_row_names_without_a_header_cell_are_a_column() -> None:
    assert table('"y" "p"\n"1" 0 0.5\n"2" 1 0.7\n').names == ("column 1", "y", "p")


def test_a_separator_at_the_end_of_each_row_is_a_blank_column() -> None:
    assert table("y,p\n1,0.5,\n0,0.4,\n").names == ("y", "p", "column 3")


def test_blank_lines_are_no_rows() -> None:
    assert table("y,p\n\n1,0.5\n\n\n0,0.4\n\n").n == 2


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"y,p\n", "header-only"),
        (b"y,p", "header-only"),
        (b"y,p\n1,0.5\x00\n", "not-text"),
        (bytes(range(256)) * 4, "not-text"),
        (b"PAR1 not parquet at all PAR1", "unreadable"),
    ],
)
def test_files_without_a_table_are_refused(data: bytes, code: str) -> None:
    assert refused(("a.csv", data)).code == code


def test_an_empty_file_says_so() -> None:
    assert refused(("a.csv", b"")).message == "The file is empty (0 bytes)."


def test_a_header_without_rows_says_how_many_columns_there_are() -> None:
    wanted = "The file has a header (3 columns) but no data rows."
    assert refused("y_true,y_pred,score\n").message == wanted


@pytest.mark.slow
def test_ten_thousand_columns_are_read_and_too_many_refused() -> None:
    names = ["y_true", "y_score", *(f"x{k}" for k in range(9_998))]
    data = loaded(",".join(names) + "\n" + "\n".join(",".join(["1"] * 10_000) for _ in range(3)))
    assert data.roles.truth == "y_true"
    assert refused(",".join(["x"] * 20_001) + "\n1\n").code == "too-many-columns"


def test_a_file_of_one_endless_line_is_refused_at_once() -> None:
    error = refused(("a.csv", b"1," * 9_000_000))
    assert error.code == "long-line"
    assert error.message.startswith("The first line does not end within 17 MB.")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('y,"p\n1,0.5\n0,0.4\n', 1),
        ('y,p\n1,".5', 2),
        ('y,t,p\n1,"abc",0.5\n0,"def,0.4\n1,"x",0.3\n', 3),
        ('y,t,p\n1,"a\nb",0.5\n0,"c""d",0.5\n1,"e,0.4\n1,"x",0.3\n', 5),
        ('y;t;p\r\n1;"a";0,5\r\n0;"b;0,4\r\n', 3),
    ],
)
def test_an_open_quote_is_named_wherever_it_stands(text: str, line: int) -> None:
    error = refused(text)
    assert error.message == f'Line {line} opens a quote (") that is never closed.'


def test_a_quote_inside_a_cell_is_part_of_it() -> None:
    assert cells(table('y,t,p\n1,5" pipe,0.5\n0,x,0.4\n'))["t"] == ['5" pipe', "x"]


def test_a_row_longer_than_a_block_is_read() -> None:
    text = "y_true,y_score,text\n1,0.5," + "x" * 2_500_000 + "\n0,0.4,z\n"
    assert loaded(text).table.n == 2


def test_a_file_of_several_gigabytes_is_refused_by_its_size() -> None:
    class Huge(bytes):
        def __len__(self) -> int:
            return 6_000_000_000

    assert refused(("a.csv", Huge(b"y"))).message.startswith("The file has 6,000 MB")


def test_the_separator_and_the_marks_can_be_chosen() -> None:
    found = table("y;p\n1;1,5\n0;2,5\n", separator=";", decimal=".", thousands=",")
    assert (found.source.separator, found.source.decimal) == (";", ".")
    assert refused(csv("y,p\n1,2\n"), separator="::").code == "bad-separator"


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        (["pos", "neg", "pos", "neg", "pos"], ("column 1",)),
        (["pos,0.93", "neg,0.2", "pos,0.8", "neg,0.1", "pos,0.7"], ("column 1", "column 2")),
        (["yes,no", "no,no", "yes,yes", "no,no", "yes,yes"], ("column 1", "column 2")),
        (["spam,ham", "0.2,0.8", "0.9,0.1"], ("spam", "ham")),
        (["truth,2019", "yes,0.8", "no,0.1"], ("truth", "2019")),
        (["truth,label", "yes,no", "no,no"] * 3, ("truth", "label")),
        (["truth,label", "truth,no", "no,no", "no,yes"], ("truth", "label")),
    ],
)
def test_a_first_row_of_words_that_are_common_below_is_no_header(
    rows: list[str], names: tuple[str, ...]
) -> None:
    assert table("\n".join(rows).encode()).names == names


def test_a_title_that_a_spreadsheet_filled_up_with_blank_cells_is_left_out() -> None:
    found = table(b"Report of Q3,,\n,,\ntruth,a,b\nyes,0.8,0.9\nno,0.1,0.3\n")
    assert found.names == ("truth", "a", "b")
