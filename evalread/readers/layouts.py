"""ARFF, tables of Orange, and tables as programs print them, as text cells."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile
from typing import NamedTuple

from evalcore.errors import Notice
from evalread.dataset import Choices, Source, Table
from evalread.notices import notice, refusal
from evalread.readers.delimited import to_utf8
from evalread.readers.tables import header_only, table_from_columns
from evalread.rewriting import refuse_too_many_cells

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|\S++)\s+(?P<kind>.+)""", re.I
)
_CELL = re.compile(
    r"""(?:^|[,\t])[^\S\t]*+(?:('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")[^\S\t]*+(?=[,\t]|$)|([^,\t]*+))"""
)
"""A cell in quotes or without, and the mark before it. No two cells scan the same text."""

_ESCAPED = re.compile(r"\\(.)")


def looks_like_arff(text: bytes) -> bool:
    """Return whether text has ARFF's "@relation" or "@attribute" before anything but comments."""
    start = rb"(\xef\xbb\xbf)?(\s++|%[^\r\n]*+)*+@(relation|attribute)\b"
    return bool(re.match(start, text, re.IGNORECASE))


def read_arff(data: bytes, source: Source, choices: Choices) -> Table:
    """Read an ARFF file; "?" is missing.

    Raises:
        EvalError: "unreadable", "ragged" with the line, "too-large" or "header-only".
    """
    text, encoding = to_utf8(data, choices.encoding)
    lines = ((at, line.strip()) for at, line in enumerate(text.decode().splitlines(), start=1))
    # What a sparse row leaves out is 0, or the first label.
    names, zeros = [], []
    for at, line in takewhile(lambda one: not one[1].lower().startswith("@data"), lines):
        if line.lower().startswith("@attribute"):
            match = _ATTRIBUTE.match(line)
            if not match:
                raise refusal("unreadable/attribute", line=at)
            names.append(_bare(match["name"]))
            kind = match["kind"].strip()
            zeros.append(_arff_cells(kind[1:].rstrip("}"))[0] if kind.startswith("{") else "0")
    if not names:
        raise refusal("unreadable/arff")
    columns: list[list[str | None]] = [[] for _ in names]
    places = {str(place): place for place in range(len(names))}
    for at, line in lines:
        if not line or line.startswith("%"):
            continue
        if line.startswith("{"):
            refuse_too_many_cells(len(columns[0]) + 1, len(columns))
            row = _sparse(line, at, zeros, places)
        else:
            row = _dense(line, at, len(names))
        for cells, value in zip(columns, row, strict=True):
            cells.append(None if value == "?" else value)
    return table_from_columns(names, columns, replace(source, format="arff", encoding=encoding))


def _dense(line: str, at: int, width: int) -> list[str]:
    cells = _arff_cells(line)
    if len(cells) == width + 1 and re.fullmatch(r"\{.*\}", cells[-1]):
        cells.pop()  # the weight of an instance
    if len(cells) != width:
        raise refusal("ragged/attributes", line=at, values=len(cells), wanted=width)
    return cells


def _sparse(line: str, at: int, zeros: Sequence[str], places: Mapping[str, int]) -> list[str]:
    cells = list(zeros)
    for pair in filter(None, _arff_cells(line.strip("{} "))):
        place, _, value = pair.partition(" ")
        if place not in places:
            raise refusal("ragged/attribute", line=at)
        cells[places[place]] = _bare(value.strip())
    return cells


def _arff_cells(line: str) -> list[str]:
    return [_bare(quoted) if quoted else bare.strip() for quoted, bare in _CELL.findall(line)]


def _bare(text: str) -> str:
    """Take away the quotation marks, and the escapes inside them."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text


_TYPES = frozenset(
    ["continuous", "discrete", "string", "time", "basket", "c", "d", "s", "t", "b", "n", "numeric"]
) | {""}
_FLAGS = frozenset(["class", "meta", "ignore", "weight", "multiclass", "c", "m", "i", "w"])
_PREFIX = re.compile(r"(?P<flag>[mcwi]{0,1})(?P<kind>[CDSTN]?)#(?P<name>.+)")
_NUMBER = ("continuous", "c", "n", "numeric")


class _Told(NamedTuple):
    """What the header says of a column."""

    name: str
    flag: str
    kind: str


def plain_orange(table: Table) -> Table:
    """Return a table without Orange's type and flag rows, with the roles that they tell."""
    told, rows = _two_rows(table), 2
    if not told:
        told, rows = _prefixes(table), 0
    if not told:
        return table
    if table.n <= rows:
        raise header_only(len(table.columns))
    cells = table.columns.values()
    return replace(
        table,
        columns={one.name: column.slice(rows) for one, column in zip(told, cells, strict=True)},
        source=replace(table.source, tool="Orange", rows=table.n - rows),
        notices=(*table.notices, notice("tool/orange")),
        hints=_hints(told),
    )


def _two_rows(table: Table) -> list[_Told]:
    """Return what two rows of types and flags below the names say; nothing where there are none."""
    if table.n < 2:
        return []
    types, flags = (
        [str(column[row].as_py() or "").strip().lower() for column in table.columns.values()]
        for row in (0, 1)
    )
    # "c" and "d" may be labels as well: short forms count only in a file called .tab.
    short = table.source.name.lower().endswith(".tab")
    known = not {"continuous", "discrete", *("cd" if short else "")}.isdisjoint(types)
    if not (known and any(flags) and all(map(_is_type, types)) and all(map(_are_flags, flags))):
        return []
    return [_Told(*one) for one in zip(table.names, flags, types, strict=True)]


def _is_type(cell: str) -> bool:
    """Tell a type, or a list of values."""
    return " " in cell or cell in _TYPES


def _are_flags(cell: str) -> bool:
    """Tell flags and attributes such as "a=b"."""
    return all(word in _FLAGS or "=" in word[1:-1] for word in cell.split())


def _prefixes(table: Table) -> list[_Told]:
    """Return what prefixes such as "mD#" in the names say; nothing where there are none."""
    matches = [_PREFIX.fullmatch(name) for name in table.names]
    told = [
        _Told(match["name"], match["flag"], match["kind"].lower()) if match else _Told(name, "", "")
        for name, match in zip(table.names, matches, strict=True)
    ]
    unique = len({one.name for one in told}) == len(told)
    return told if unique and any(one.flag or one.kind for one in told) else []


def _hints(told: Sequence[_Told]) -> Choices:
    """Take the class column as truth, and "Model" with its "Model (class)" columns as models.

    Beside a class that is a number, the numbers among the metas are predictions of it.
    """
    names = [one.name for one in told]
    truths = [one for one in told if one.flag.split("=")[0] in ("class", "c")]
    truth = truths[0] if len(truths) == 1 else None
    probabilities: dict[str, dict[str, str]] = {}
    for name in names:
        model, _, of = re.sub(r"\)#\d+$", ")", name).rpartition(" (")
        if model in names and of.endswith(")"):
            probabilities.setdefault(model, {})[of[:-1]] = name
    folds = [name for name in names if name.lower() == "fold"]
    metas = [one.name for one in told if one.kind in _NUMBER and one.flag in ("meta", "m")]
    numeric = truth is not None and truth.kind in _NUMBER
    return Choices(
        truth=truth.name if truth else None,
        labels={model: model for model in probabilities} or None,
        predictions={name: name for name in metas if numeric and name not in folds} or None,
        probabilities=probabilities or None,
        fold=folds[0] if folds else None,
    )


_HEAD = 1 << 14
"""Bytes that show whether a table was printed: a hundred lines or so."""

_MOST_BYTES = 50_000_000
"""Bytes of a printed table; a larger file is not searched for frames."""

_DIGITS = re.compile(rb"(^|[\s,;])[-+]?\d")
_FOOTER = re.compile(rb"\(\d[\d,]* rows?( affected)?\)")
_WEKA_ROW = re.compile(rb"(?P<counts>[\d. \t]++)\|[ \t]*\w+ = (?P<of>.*)")
_NUMPY_MATRIX = re.compile(
    rb"\s*+(?:array\()?\[((?:\s*+(?:,\s*+)?\[[\d., \t]++\])++)\s*+\][ \t]*+\)?\s*+"
)
_MARK = re.compile(rb"""[,;\t|"]""")
_ALIGNED = re.compile(rb"\S {2,}\S|^ {2,}\S")
_WEKA = [b"inst#", b"actual", b"predicted", b"error"]


def plain_text(data: bytes) -> tuple[bytes, tuple[Notice, ...]]:
    r"""Return delimited text for a printed table, and what to say; anything else as it is.

    >>> plain_text(b"| y | p |\n|---|---|\n| 1 | 0 |\n")[0]
    b'y|p\n1|0\n'
    >>> plain_text(b"   y  pred\n0  1     0\n")[0], plain_text(b"y,p\n1,0\n")[0]
    (b'Unnamed: 0\ty\tpred\n0\t1\t0\n', b'y,p\n1,0\n')
    """
    head = data[:_HEAD]
    if len(data) < _HEAD and (matrix := _matrix(data)):
        return matrix, (notice("printed"),)
    begins = re.match(rb"(\xef\xbb\xbf)?[\s#|+=\w]", head)
    if len(data) > _MOST_BYTES or b"\0" in head or not begins:
        return data, ()
    if re.match(rb"\s*=== Run information", head):
        data = _predictions_of_weka(data)
    lines = [line for line in data[:_HEAD].splitlines() if line.strip()]
    if any(map(_is_rule, lines[:3])) and any(b"|" in line for line in lines[:3]):
        return _unframed(data), (notice("printed"),)
    if lines and re.match(rb"(\xef\xbb\xbf)?#", lines[0]):
        return _without_comments(data)
    # Most files are not aligned at all, which their first lines show.
    perhaps = not any(map(_MARK.search, lines)) and any(map(_ALIGNED.search, lines))
    aligned = _from_columns(data) if perhaps else None
    return (aligned, (notice("printed"),)) if aligned else (data, ())


def _matrix(data: bytes) -> bytes | None:
    r"""Return a table for a confusion matrix as Weka or NumPy print it; None for anything else.

    >>> _matrix(b"[[8 2]\n [1 9]]")
    b'0\t1\n8\t2\n1\t9\n'
    """
    lines = [line.strip() for line in data.splitlines() if line.strip()]
    if lines[:1] == [b"=== Confusion Matrix ==="]:
        del lines[0]
    if lines and lines[0].endswith(b"<-- classified as"):
        found = [_WEKA_ROW.fullmatch(line) for line in lines[1:]]
        read = [row for row in found if row]
        if len(read) < len(found):
            return None
        rows = [[b"actual\\predicted", *(row["of"].strip() for row in read)]]
        rows += [[row["of"].strip(), *row["counts"].split()] for row in read]
    elif printed := _NUMPY_MATRIX.fullmatch(data):
        rows = [re.findall(rb"[\d.]+", line) for line in re.findall(rb"\[[^]]+", printed[1])]
        rows = [[b"%d" % place for place in range(len(rows))], *rows]
    else:
        return None
    square = len(rows) > 2 and all(len(row) == len(rows[0]) for row in rows)
    return _tabbed(rows) if square else None


def _tabbed(rows: Sequence[Sequence[bytes]]) -> bytes:
    return b"".join(b"\t".join(row) + b"\n" for row in rows)


def _predictions_of_weka(data: bytes) -> bytes:
    """Return the predictions in the report of a run.

    Raises:
        EvalError: "report": there are none.
    """
    lines = data.partition(b"=== Predictions on ")[2].splitlines()
    table = dropwhile(lambda line: not line.lstrip().startswith(b"inst#"), lines)
    rows = list(takewhile(bytes.strip, table))
    if not rows:
        raise refusal("report")
    return b"\n".join(rows) + b"\n"


def _is_rule(line: bytes) -> bool:
    """Tell a line of a frame, such as "|---|:--|"."""
    return b"--" in line and not line.strip(b" \t:=+|-")


def _unframed(data: bytes) -> bytes:
    """Leave out the lines of a frame, and the bars at both ends of each row."""
    rows = []
    for line in data.splitlines():
        bare = line.strip()
        if bare and not _is_rule(bare) and not _FOOTER.fullmatch(bare):
            inner = bare.removeprefix(b"|").removesuffix(b"|")
            rows.append(b"|".join(cell.strip() for cell in inner.split(b"|")))
    return b"\n".join(rows) + b"\n"


def _without_comments(data: bytes) -> tuple[bytes, tuple[Notice, ...]]:
    """Leave out lines of comments; one above the rows with as many cells is their header."""
    lines = data.splitlines(keepends=True)
    end = next((k for k, line in enumerate(lines) if not line.lstrip().startswith(b"#")), 0)
    if not end:
        return data, ()
    header = lines[end - 1].lstrip(b"\xef\xbb\xbf").lstrip().lstrip(b"#").lstrip()
    alike = _printed_cells(header) == _printed_cells(lines[end])
    numbers = [bool(_DIGITS.search(line)) for line in lines[end : end + 2]]
    named = alike and numbers != [False, True]  # words above numbers are a header already
    kept = ([header] if named else []) + lines[end:]
    return b"".join(kept), (notice("comments"),) if end > named else ()


def _printed_cells(line: bytes) -> int:
    mark = next((mark for mark in (b"\t", b";", b",") if mark in line), None)
    return len(line.split(mark))


def _from_columns(data: bytes) -> bytes | None:
    """Return a table whose columns are aligned by spaces, as pandas, R and Weka print them."""
    rows = [line.split() for line in data.splitlines() if line.strip()]
    if rows and rows[0][0].startswith(b"==="):
        rows = rows[1:]
    if len(rows) < 2:
        return None
    header, *body = _one_header(rows)
    if header[:4] == _WEKA:  # it leaves a cell blank where the prediction is right
        right = len(header) - 1
        body = [
            [*row[:3], b"", *row[3:]] if len(row) == right and b"+" not in row else row
            for row in body
        ]
    if len(set(map(len, body))) > 1 or len(body[0]) - len(header) not in (0, 1):
        return None
    named = [b"Unnamed: 0", *header] if len(body[0]) > len(header) else header
    return _tabbed([named, *body])


def _one_header(rows: list[list[bytes]]) -> list[list[bytes]]:
    """Put what names the rows and what names the columns, on two lines in R and pandas, in one."""
    width = len(rows[-1])
    first, second = rows[:2]
    if sorted(map(len, (first, second))) != [1, width] or len(rows) < 4:
        return rows
    down, *across = second if len(first) == 1 else (second[0], *first)
    over = first[0] if len(first) == 1 else across.pop(0)
    return [[down + b"\\" + over, *across], *rows[2:]]
