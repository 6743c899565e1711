"""Small files that would become large, or be read for ever: one sentence, soon."""

import gzip
import io
import random
import time
import zipfile
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from evalread import rewriting

from .files import File, loaded, refused, xlsx, zipped
from .test_fuzz import FILES, assert_answered, outcome

BLANKS = b" \t \n\r\n \t"


def npy(header: str, cells: bytes = b"") -> File:
    text = header.encode().ljust(118) + b"\n"
    return "a.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + cells


def shaped(shape: str, kind: str = "<f8", cells: bytes = b"") -> File:
    return npy(f"{{'descr':'{kind}','fortran_order':False,'shape':{shape}}}", cells)


def feather(table: pa.Table, **options: str) -> File:
    with io.BytesIO() as buffer:
        pa.feather.write_feather(table, buffer, **options)
        return "a.feather", buffer.getvalue()


def parquet(table: pa.Table) -> File:
    with io.BytesIO() as buffer:
        pa.parquet.write_table(table, buffer)
        return "a.parquet", buffer.getvalue()


def book(part: str, content: bytes) -> File:
    """Return a workbook of which one part is another one."""
    with io.BytesIO() as buffer:
        with (
            zipfile.ZipFile(io.BytesIO(xlsx(s=[["y", "p"], [1, 0.5], [0, 0.25]])[1])) as made,
            zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name in made.namelist():
                archive.writestr(name, content if name == part else made.read(name))
        return "a.xlsx", buffer.getvalue()


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewriting, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr("evalread.readers.columnar.MOST_BYTES", 1_000_000)


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("packing", ["zstd", "lz4", "uncompressed"])
def test_feather_is_refused_by_the_sizes_that_it_declares(packing: str) -> None:
    table = pa.table({"y": np.zeros(100_000), "p": np.zeros(100_000)})
    assert refused(feather(table, compression=packing)).code == "too-large"
    few = pa.table({"y": np.arange(1000) % 2, "p": np.linspace(0, 1, 1000)})
    assert loaded(feather(few, compression=packing)).table.n == 1000
    words = few.append_column("w", pa.array(["a", "b"] * 500).dictionary_encode())
    assert loaded(feather(words, compression=packing)).table.n == 1000


@pytest.mark.usefixtures("limited")
def test_feather_of_rows_without_bytes_is_refused() -> None:
    assert refused(feather(pa.table({"y": pa.nulls(1_000_000)}))).code == "too-large"


@pytest.mark.usefixtures("limited")
def test_parquet_is_refused_by_the_cells_that_it_declares() -> None:
    file = parquet(pa.table({"y": np.zeros(1_000_000)}))
    assert len(file[1]) < 20_000
    assert refused(file).code == "too-large"


@pytest.mark.usefixtures("limited")
def test_a_long_text_in_every_row_is_counted_before_it_is_held() -> None:
    scores = pa.array(np.linspace(0, 1, 1000))
    long = pa.table({"y": ["0" * 5000, "1" * 5000] * 500, "p": scores})
    assert refused(parquet(long)).code == "too-large"
    short = pa.table({"y": ["0" * 50, "1" * 50] * 500, "p": scores})
    assert loaded(parquet(short)).table.n == 1000


@pytest.mark.parametrize(
    ("file", "code"),
    [
        (shaped("(1000000000000, 0)"), "too-large"),
        (shaped("(1000000000, 1000000000)"), "too-large"),
        (shaped(f"({'1,' * 70})", cells=bytes(8)), "unreadable"),
        (shaped("(-1,)"), "unreadable"),
        (shaped("(2,)", "<U2", b"\xff" * 16), "unreadable"),
        (shaped("(2,)", "<U1", b"\x00\xd8\x00\x00" * 2), "unreadable"),
        (shaped("(4, 0)"), "header-only"),
        (shaped("()", cells=bytes(8)), "no-table"),
        (npy("[" * 100), "unreadable"),
    ],
    ids=range(9),
)
def test_a_broken_array_gives_one_sentence(file: File, code: str) -> None:
    assert refused(file).code == code
    assert refused(("a.npz", zipped(("y.npy", file[1]))[1])).code == code


@pytest.mark.usefixtures("limited")
def test_arrays_are_refused_by_what_their_cells_become() -> None:
    assert refused(shaped("(200000,)", "|i1", bytes(200_000))).code == "too-large"
    small = shaped("(70000,)", "|i1", bytes(70_000))[1]
    assert refused(zipped(("a.npy", small), ("b.npy", small))).code == "too-large"


@pytest.mark.parametrize("pack", [lambda data: ("a.csv.gz", gzip.compress(data)),
                                  lambda data: zipped(("a.csv", data))])  # fmt: skip
def test_zeros_are_refused_by_how_well_they_pack(pack: Callable[[bytes], File]) -> None:
    assert "300 times" in refused(pack(bytes(60_000_000))).message


def test_a_workbook_of_nothing_but_formats_is_refused() -> None:
    formats = b"<styleSheet>" + b'<xf numFmtId="0"/>' * 600_000 + b"</styleSheet>"
    assert "formats" in refused(book("xl/styles.xml", formats)).message


def test_a_workbook_of_more_rows_than_excel_has_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evalread.readers.columnar._MOST_ROWS", 1000)
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rows = b'<worksheet xmlns="%s"><sheetData>%s</sheetData></worksheet>'
    file = book("xl/worksheets/sheet1.xml", rows % (space, b"<row/>" * 1001))
    assert "rows, the most that Excel allows" in refused(file).message


REPEATED: list[tuple[bytes, bytes, bytes]] = [
    (b"", b"\n", b""),
    (b"", BLANKS, b"x"),
    (b"%\n", b"\n% ", b""),
    (b"@relation a\n@attribute x numeric\n@data\n", b"'", b"x"),
    (b"@relation a\n@attribute x numeric\n@data\n'", b" \t", b"x"),
    (b"@relation a\n@attribute x numeric\n@data\n", b"'a ,'", b"x"),
    (b"@relation a\n@attribute 'x", b"\\'", b"x"),
    (b"a\tb\ncontinuous\tdiscrete\n", b"a=b ", b"\t\n1\t2\n"),
    (b"a,b\ncontinuous,d\nhttp://x/?", b"a=b&", b"!,c\n1,2\n"),
    (b"y,p\n", b'"', b"x\n"),
    (b"y,p\n", b'1,"a""', b"\n"),
    (b"y,p\n", b"1,0.5\n", b"1,2,3\n"),
    (b'y,p\n1,"', b"\n", b'",3\n'),
    (b"|", b"-", b"x|\n|1|\n"),
    (b"| y | p |\n|", b"--|", b"x\n"),
    (b"", b"a b ", b" <-- classified as\n"),
    (b" a b <-- classified as\n", b" 1 2 | a = L      \n", b"x"),
    (b"=== Run information ===\n=== Predictions on x\n inst#", b" \n x", b"x"),
    (b"[[1 2]", b"  ", b"x"),
    (b"[[1 2]", b",[1 2]", b"x"),
    (b'{"a": 1}', b"\n", b"x"),
    (b'{"a": ', b"}  ", b"\n{"),
    (b"", b'{"a": 1}\n', b"x"),
    (b"", b"[", b"]"),
    (b'{"y": "', b"\\u0041", b'"}'),
    (b'y_true,probabilities\n1,"', b"[", b'"\n'),
    (b'y_true,probabilities\n1,"[', b"0.1,", b'0.2]"\n'),
    (b"y_true,probabilities\n1,(2,", b"1 ", b"x\n"),
    (b"", b"a (", b"),b\n1,2\n"),
    (b"", b"_", b",b\n1,2\n"),
    (b"y,p\n1,", b"1", b"x\n2,3\n"),
    (b"y,p\n1,", b"1,000.", b"x\n2,3\n"),
    (b"id  p\n", b"  ", b"x\n1   2\n"),
    (b"#", b" #\n#", b"y,p\n1,0.5\n"),
]


LONG = 0.2
"""Seconds that can be told from noise."""

MOST = 1 << 19
"""Bytes at which a reader that has not taken as long is quick enough."""


def seconds(place: int, size: int) -> float:
    """Return the processor's time for a file of about so many bytes."""
    head, part, tail = REPEATED[place]
    start = time.process_time()
    for name in ("a.csv", "a.tab"):
        assert_answered(outcome(name, head + part * (size // len(part)) + tail))
    return time.process_time() - start


@pytest.mark.parametrize("place", range(len(REPEATED)))
def test_eight_times_the_bytes_take_no_more_than_three_doublings(place: int) -> None:
    size = 1 << 13
    while (once := seconds(place, size)) < LONG and size < MOST:
        size *= 2
    if once >= LONG:
        # A doubling may take 2.5 times as long. One alone may also step over a cache of the
        # processor or the longest field of a fast reader; three in a row show the growth.
        # What else the machine does can only add to a time: one good try is proof.
        tries = (seconds(place, 8 * size) / seconds(place, size) for _ in range(4))
        assert any(ratio < 2.5**3 for ratio in tries)


KINDS = {
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([5, 10], pa.int32()), [0.5, 1.0]),
    "words in runs": pa.RunEndEncodedArray.from_arrays(pa.array([5, 10], pa.int32()), ["a", "b"]),
    "union": pa.UnionArray.from_sparse(pa.array([0] * 10, pa.int8()), [pa.array([1] * 10)]),
    "nothing": pa.nulls(10),
    "bytes": pa.array([b"\xff"] * 10),
    "lists": pa.DictionaryArray.from_arrays(pa.array([0, 1] * 5, pa.int8()), [[0.1], [0.2]]),
    "half": pa.array(np.linspace(0, 1, 10, dtype=np.float16)),
    "struct": pa.array([{"a": 1}] * 10),
    "map": pa.array([[("a", 1)]] * 10, pa.map_(pa.string(), pa.int64())),
    "intervals": pa.array([(1, 2, 3)] * 10, pa.month_day_nano_interval()),
    "uuid": pa.array([b"0" * 16] * 10, pa.uuid()),
}


@pytest.mark.parametrize("name", ["note", "y_pred", "y_true"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_any_type_is_read_or_refused(kind: str, name: str) -> None:
    known = {"y_true": [0, 1] * 5, "y_pred": np.linspace(0, 1, 10)}
    assert_answered(outcome(*feather(pa.table({**known, name: KINDS[kind]}))))


MUTATED = 20_000


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Return a file with some of its bytes set, cut out, doubled or repeated many times."""
    data = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        start = chance.randint(0, len(data))
        part = data[start : start + chance.randint(1, 64)]
        new = chance.choice(
            [b"", part * 2, part * chance.randint(2, 2000), chance.randbytes(4), bytes(8),
             chance.choice([b'"', b"'", b"[", b"{", b"\xff", b"1e999", b",", b"\n", b"#"])]
        )  # fmt: skip
        data[start : start + len(part)] = new
    return bytes(data)


@pytest.mark.slow
def test_no_mutated_file_ends_in_anything_but_an_answer_or_takes_long() -> None:
    chance = random.Random(15)
    longest = 0.0
    for _ in range(MUTATED):
        name, content = chance.choice(FILES)
        start = time.process_time()
        assert_answered(outcome(name, mutated(content, chance)))
        longest = max(longest, time.process_time() - start)
    assert longest < 5
