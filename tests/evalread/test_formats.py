import gzip
import io
import json
import zipfile
from datetime import datetime
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest

from evalread import rewriting
from evalread.dataset import Dataset

from .files import File, csv, jsonl, loaded, notice, npy, npz, refused, xlsx, zipped

FRAME = pd.DataFrame({"y": [1, 0, 1], "p": [0.9, 0.25, 0.5]})


def scores(data: Dataset) -> list[float]:
    (model,) = data.models.values()
    return model.score.tolist()


def written(write: Any) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "text",
    [
        FRAME.to_json(orient=orient)
        for orient in ("records", "columns", "index", "split", "table", "values")
    ]
    + [
        json.dumps({"y": [1, 0, 1], "p": [0.9, 0.25, 0.5]}),
        json.dumps({"model": "rf", "predictions": FRAME.to_dict("records")}),
        json.dumps({"y": [1, 0, 1], "p": [0.9, 0.25, 0.5], "auc": 0.7, "classes": [0, 1]}),
        json.dumps([["y", "p"], [1, 0.9], [0, 0.25], [1, 0.5]]),
        FRAME.to_json(orient="records", lines=True),
        "\ufeff" + FRAME.to_json(orient="records"),
    ],
)
def test_every_shape_of_json_is_read(text: str) -> None:
    assert scores(loaded(("a.json", text.encode()))) == [0.9, 0.25, 0.5]


def test_json_lines_may_lack_a_field() -> None:
    data = loaded(jsonl({"y": 1, "p": 0.9}, {"y": 0}, {"y": 0, "p": None}, {"y": 0, "p": 0.5}))
    assert scores(data) == [0.9, 0.5]
    assert "2 of 4 rows have no score" in notice(data, "missing-score")


CUT_OFF = "Line {} is not valid JSON. The file is perhaps cut off. Save it again."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[{"y": 1},\n{"y": 0,',
            CUT_OFF.format(2),
        ),
        (
            '{"y": 1}\n{"y": 0}\n{"y"\n',
            CUT_OFF.format(3),
        ),
        (
            "[" * 100_000,
            "The JSON is nested too deeply to be a table. Write a list with one object per row.",
        ),
        (
            '[{"y": ' + "1" * 5000 + "}]",
            "The JSON holds a number of more than 4,300 digits. Write it as text.",
        ),
        ('{"a": {"b": 1}, "c": 2.5, "d": [1]}', None),
        ("[[1, 2], [3]]", "Row 2 has 1 values, the first 2."),
    ],
)
def test_broken_json_is_a_sentence(text: str, message: str | None) -> None:
    error = refused(("a.json", text.encode()))
    assert message in (None, error.message)


def test_an_old_workbook_is_named_as_such() -> None:
    error = refused(("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x81\xff" * 300))
    assert "old format" in error.message
    assert "Save it as .xlsx" in error.message


@pytest.mark.parametrize("files", [(), ((zipfile.ZipInfo(""), b"y,p\n1,0.9\n"),)])
def test_an_empty_zip_is_said_to_be_empty(files: tuple[Any, ...]) -> None:
    """An entry without a name is no file."""
    assert refused(zipped(*files)).message == "The zip file holds no file."


def test_parquet_and_feather_keep_their_types() -> None:
    table = pa.table(
        {
            "truth": pa.array(["cat", "dog", None, "cat"]).dictionary_encode(),
            "pred": pa.array(["cat", "cat", "dog", "cat"], pa.large_string()),
            "when": pa.array([0, 1, 2, 3], pa.timestamp("s")),
            "weight": pa.array([1, 2, 1, 1], pa.uint8()),
        }
    )
    for name, write in (("a.parquet", parquet.write_table), ("a.arrow", feather.write_feather)):
        data = loaded((name, written(lambda buffer, write=write: write(table, buffer))))
        (model,) = data.models.values()
        assert data.classes == ("cat", "dog")
        assert model.rows.tolist() == [1, 2, 4]
        assert model.weight.tolist() == [1, 2, 1]
        assert data.table.n == 4


def test_a_truncated_parquet_file_says_so() -> None:
    whole = written(lambda buffer: FRAME.to_parquet(buffer))
    for cut in (5, len(whole) // 2, len(whole) - 1):
        assert refused(("a.parquet", whole[:cut])).code == "unreadable"


def test_a_parquet_file_without_rows_says_so() -> None:
    empty = written(lambda buffer: FRAME.iloc[:0].to_parquet(buffer))
    assert refused(("a.parquet", empty)).code == "header-only"


def test_the_likely_sheet_is_read_without_the_blanks_round_it() -> None:
    data = loaded(
        xlsx(
            notes=[["Made by", "me"]],
            predictions=[[], [None, "y", "p"], [None, 1, 0.9], [None, 0, 0.25], [None, None, None]],
        )
    )
    assert data.table.source.sheet == "predictions"
    assert scores(data) == [0.9, 0.25]
    assert '"notes"' in notice(data, "sheet")


def test_a_title_above_the_table_is_left_out() -> None:
    data = loaded(xlsx(s=[["My results"], [], ["truth", "pred"], ["a", "a"], ["b", None]]))
    assert data.table.n == 2


def test_texts_that_cells_share_are_read_without_how_they_are_pronounced() -> None:
    """Excel writes texts so; openpyxl writes them into their cells."""
    _, plain = xlsx(s=[["y", "p"], ["c0", "c1"], ["c1", "c0"]])
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = [
        f'<sst xmlns="{space}"><si><t>truth</t></si>',
        '<si><r><t>pre</t></r> <r><t>d</t></r><rPh sb="0" eb="1"><t>kana</t></rPh></si>',
        '<si><t xml:space="preserve">a_x005F_1</t></si><si><t>b</t></si></sst>',
    ]
    rows = "".join(
        f'<row><c t="s"><v>{first}</v></c><c t="s"><v>{second}</v></c></row>'
        for first, second in ((0, 1), (2, 3), (3, 2))
    )
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    named = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}" /></Types>'
    changed = {"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": "".join(parts)}
    with io.BytesIO() as buffer:
        with (
            zipfile.ZipFile(io.BytesIO(plain)) as made,
            zipfile.ZipFile(buffer, "w") as archive,
        ):
            for name in {*made.namelist(), *changed}:
                content = changed.get(name) or made.read(name).decode()
                archive.writestr(name, content.replace("</Types>", named))
        data = loaded(("book.xlsx", buffer.getvalue()))
    assert data.table.names == ("truth", "pred")
    assert data.classes == ("a_1", "b")


def test_a_sheet_can_be_chosen_by_name() -> None:
    file = xlsx(one=[["y", "p"], [1, 0.5], [0, 0.1]], two=[["y", "p"], [1, 0.75], [0, 0.2]])
    assert scores(loaded(file, sheet="two")) == [0.75, 0.2]
    assert '"one", "two"' in refused(file, sheet="three").message


def test_labels_that_excel_made_dates_are_named_by_their_cells() -> None:
    rows = [["truth", "pred"], ["1-2", datetime(2024, 2, 1)], ["3", "3"]]
    assert "(B2)" in refused(xlsx(s=rows)).message
    assert refused(xlsx(s=rows)).rows == (1,)


def test_excel_booleans_and_numbers_are_labels() -> None:
    data = loaded(xlsx(s=[["truth", "pred"], [True, True], [False, True]]))
    assert data.classes == ("false", "true")
    assert loaded(xlsx(s=[["truth", "pred"], [1, 1.0], [0, 1]])).classes == ("0", "1")


def test_a_damaged_workbook_is_a_sentence() -> None:
    name, data = xlsx(s=[["y", "p"], [1, 0.5]])
    for damaged in (data[:-30], data[:200] + b"\0" * 50 + data[250:]):
        assert refused((name, damaged)).code in ("unreadable", "nested")


ARFF = """% a comment
@RELATION results
@ATTRIBUTE y {no,'yes sir'}
@attribute "the score" numeric
@DATA
no,0.25
'yes sir',0.75
% another
?,0.5
"""


def test_arff_is_read_with_its_quotes_comments_and_missing_cells() -> None:
    data = loaded(("a.arff", ARFF.encode()))
    assert data.classes == ("no", "yes sir")
    assert scores(data) == [0.25, 0.75]
    assert "1 of 3 rows has no truth" in notice(data, "missing-truth")


def test_sparse_arff_fills_in_zero_and_the_first_label() -> None:
    text = "@relation r\n@attribute y {no,yes}\n@attribute p numeric\n@data\n{1 0.25}\n{0 yes}\n"
    data = loaded(("a.arff", text.encode()))
    assert scores(data) == [0.25, 0.0]
    assert [data.classes[code] for code in data.models["p"].truth] == ["no", "yes"]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ("no,0.25,1\n", "ragged"),
        ("{7 1}\n", "ragged"),
        ("{" + "7" * 5000 + " 1}\n", "ragged"),
        ("{x}\n", "ragged"),
        ("", "header-only"),
    ],
)
def test_broken_arff_names_the_line(rows: str, code: str) -> None:
    text = "@relation r\n@attribute y {no,yes}\n@attribute p numeric\n@data\n"
    assert refused(("a.arff", (text + rows).encode())).code == code


def test_short_type_words_are_labels_outside_a_tab_file() -> None:
    assert loaded("truth,pred\nc,d\nc,c\nd,d\n").table.n == 3


def test_arrays_with_class_names_are_matched_by_them() -> None:
    proba = [[0.25, 0.75], [0.875, 0.125]]
    data = loaded(npz(y_true=["b", "a"], y_proba=proba, classes=["a", "b"]))
    assert scores(data) == [0.75, 0.125]


def test_arrays_without_class_names_are_taken_in_sorted_order_and_that_is_said() -> None:
    data = loaded(npz(y_true=["a", "c", "b"], y_proba=np.eye(3)))
    (model,) = data.models.values()
    assert model.probabilities[1].tolist() == [0, 1, 0]
    assert "sorted order" in notice(data, "class-order")


def test_one_hot_truth_is_decoded() -> None:
    data = loaded(npz(y_true=np.eye(3)[[2, 0, 1]], y_pred=[2, 0, 2]))
    (model,) = data.models.values()
    assert model.truth.tolist() == [2, 0, 1]
    assert 'read as "y_true"' in notice(data, "one-hot")


def test_a_one_hot_truth_of_named_classes_is_decoded_beside_its_probabilities() -> None:
    arrays = {"y": np.eye(3)[[2, 0, 1]], "y_pred": ["c", "a", "c"], "y_proba": np.eye(3)}
    data = loaded(npz(**arrays, classes=["a", "b", "c"]))
    assert data.roles.truth == "y"
    (model,) = data.models.values()
    assert [data.classes[code] for code in model.truth] == ["c", "a", "b"]


def test_single_arrays_are_called_like_their_files() -> None:
    data = loaded(
        npy(np.array([0, 1, 1]), "y_true.npy"), npy(np.array([[0.1], [0.5], [0.8]]), "s.npy")
    )
    assert data.roles.truth == "y_true"
    assert scores(data) == [0.1, 0.5, 0.8]


@pytest.mark.parametrize("dtype", ["<f2", ">f4", ">f8", "|u1", ">i8", "?", "<U3", "|S3"])
def test_arrays_of_every_plain_type_are_read(dtype: str) -> None:
    data = loaded(npz(y_true=np.array([0, 1, 1]), y_pred=np.array([0, 1, 0]).astype(dtype)))
    assert next(iter(data.models.values())).n == 3


def test_pickled_objects_are_never_loaded() -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return (print, ("unpickled",))

    array = np.array([Bomb()], dtype=object)
    assert refused(npy(array, "a.npy", pickled=True)).code == "pickled"


def test_arrays_of_different_lengths_and_kinds_are_refused() -> None:
    assert refused(npz(y_true=[0, 1], y_score=[0.5])).code == "wrong-shape"
    assert refused(npz(y_true=[0, 1], y_score=[1j, 2j])).code == "unreadable"
    assert refused(npz(classes=["a"])).code == "no-table"
    assert refused(npz(y_true=np.zeros(0), y_score=np.zeros(0))).code == "header-only"


def test_a_header_that_promises_more_than_there_is_is_refused() -> None:
    name, data = npy(np.arange(4.0), "a.npy")
    assert refused((name, data.replace(b"(4,)", b"(9,)"))).code == "unreadable"
    assert refused((name, data[:-3])).code == "unreadable"


CSV = csv("y,p\n1,0.9\n0,0.25\n1,0.5\n")


@pytest.mark.parametrize(
    "file",
    [
        ("a.csv.gz", gzip.compress(CSV[1])),
        zipped(CSV),
        zipped(("__MACOSX/._a.csv", b"\0"), ("dir/a.csv", CSV[1]), ("dir/.DS_Store", b"\0")),
        zipped(xlsx(s=[["y", "p"], [1, 0.9], [0, 0.25], [1, 0.5]])),
    ],
)
def test_packed_files_are_unpacked(file: File) -> None:
    assert scores(loaded(file)) == [0.9, 0.25, 0.5]


def test_bombs_are_refused_before_they_go_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "MOST_BYTES", 50_000_000)
    zeros = b"0" * 1_000_000
    with io.BytesIO() as buffer:
        with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1) as stream:
            for _ in range(60):
                stream.write(zeros)
        assert refused(("a.gz", buffer.getvalue())).code == "too-large"
    with io.BytesIO() as buffer:
        with (
            zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("a.csv", "w", force_zip64=True) as stream,
        ):
            for _ in range(60):
                stream.write(zeros)
        assert refused(("a.zip", buffer.getvalue())).code == "too-large"


def corner() -> File:
    """Return a workbook of a few bytes whose last cell is the last there can be."""
    book = openpyxl.Workbook()
    book.active.append(["y", "p"])
    book.active.cell(1_048_576, 16_384, 1)
    return "corner.xlsx", written(book.save)


SPARK_HEADER = "label,rawPrediction,probability,prediction\n"
SHORT_AND_LONG = [
    corner(),
    ("a.json", json.dumps([{f"k{row}": 1} for row in range(5000)]).encode()),
    csv(SPARK_HEADER + '1,"[1]","(9999,[1],[0.5])",1\n' * 2500),
    (
        "a.arff",
        b"@relation r\n"
        + b"".join(b"@attribute a%d numeric\n" % k for k in range(1000))
        + b"@data\n"
        + b"{0 1}\n" * 20_100,
    ),
    jsonl(
        *(
            {"y": "a", "predicted_y": "a", "predicted_y_probs": [{"label": f"c{k}", "prob": 1}]}
            for k in range(5000)
        )
    ),
]
"""Files of up to some hundred kilobytes that stand for more than twenty million cells."""


@pytest.mark.parametrize(
    "file", SHORT_AND_LONG, ids=["xlsx", "records", "sparse", "arff", "labels"]
)
def test_what_is_short_in_the_file_and_long_in_memory_is_refused(file: File) -> None:
    error = refused(file)
    assert error.code == "too-large"
    assert "20,000,000 cells" in error.message


def test_a_zip_that_lies_about_its_size_is_refused() -> None:
    name, data = zipped(("a.csv", b"y,p\n" + b"1,0.5\n" * 1000))
    size = (4 + 6000).to_bytes(4, "little")
    assert refused((name, data.replace(size, (10).to_bytes(4, "little")))).code in (
        "unreadable",
        "header-only",
    )


def test_archives_inside_archives_and_too_many_files_are_refused() -> None:
    assert refused(zipped(zipped(CSV))).code == "nested"
    assert refused(zipped(*((f"{k}.csv", CSV[1]) for k in range(60)))).code == "too-many-files"
    assert refused(zipped()).code in ("empty", "not-text", "unreadable")


def test_a_file_name_is_never_a_path() -> None:
    data = loaded(zipped(("../../etc/passwd.csv", CSV[1])))
    assert data.table.source.name == "passwd.csv"
