"""Tables of text cells: from rows or columns of values, ARFF, Orange's, and printed ones."""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from evalcore.errors import EvalError, Notice
from evalread.columns import refuse_too_many_cells
from evalread.dataset import Choices, Source, Table
from evalread.readers.delimited import to_utf8
from evalread.readers.tables import header_only, table_from_columns

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|\S++)\s+(?P<kind>.+)""", re.I
)
# A cell in quotes, with the blanks round it. No two cells scan the same text for its end.
_QUOTED = re.compile(
    r"""[^\S\t]*+('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")[^\S\t]*+(?:(?=[,\t])|$)"""
)
_MARK = re.compile("[,\t]|$")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True)
class _Attribute:
    name: str
    zero: str  # what a sparse row leaves out


def looks_like_arff(text: bytes) -> bool:
    """Tell whether text has ARFF's "@relation" or "@attribute" before anything but comments."""
    lines = (line.strip() for line in text.removeprefix(codecs.BOM_UTF8).splitlines())
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    return bool(re.match(rb"@(relation|attribute)\b", first, re.I))


def read_arff(data: bytes, source: Source, choices: Choices) -> Table:
    """Read an ARFF file; "?" is missing.

    Raises:
        EvalError: "unreadable", "ragged" with the line, "too-large" or "header-only".
    """
    text, encoding = to_utf8(data, choices.encoding)
    lines = iter(enumerate(text.decode().splitlines(), start=1))
    attributes = list(_attributes(lines))
    if not attributes:
        raise EvalError("unreadable", "The ARFF file declares no attribute. Save it again.")
    columns: list[list[str | None]] = [[] for _ in attributes]
    for at, line in lines:
        bare = line.strip()
        if not bare or bare.startswith("%"):
            continue
        if bare.startswith("{"):
            refuse_too_many_cells(len(columns[0]) + 1, len(columns))
        for cells, value in zip(columns, _row(bare, at, attributes), strict=True):
            cells.append(None if value == "?" else value)
    known = replace(source, format="arff", encoding=encoding)
    return table_from_columns([a.name for a in attributes], columns, known)


def _attributes(lines: Iterator[tuple[int, str]]) -> Iterator[_Attribute]:
    for at, line in lines:
        bare = line.strip()
        if bare.lower().startswith("@data"):
            return
        if not bare.lower().startswith("@attribute"):
            continue
        match = _ATTRIBUTE.match(bare)
        if not match:
            raise EvalError("unreadable", f"Line {at} of the ARFF file declares no attribute.")
        values = match["kind"].strip()
        first = _arff_cells(values[1:].rstrip("}"))[0] if values.startswith("{") else "0"
        yield _Attribute(_bare(match["name"]), first)


def _row(line: str, at: int, attributes: Sequence[_Attribute]) -> list[str]:
    if line.startswith("{"):
        return _sparse(line, at, attributes)
    cells = _arff_cells(line)
    if len(cells) == len(attributes) + 1 and re.fullmatch(r"\{.*\}", cells[-1]):
        cells.pop()  # the weight of an instance
    if len(cells) != len(attributes):
        raise EvalError(
            "ragged",
            f"Line {at} has {len(cells)} values, but {len(attributes)} attributes are declared.",
        )
    return cells


def _sparse(line: str, at: int, attributes: Sequence[_Attribute]) -> list[str]:
    cells = [attribute.zero for attribute in attributes]
    for pair in _arff_cells(line.strip("{} ")):
        place, _, value = pair.partition(" ")
        if not pair:
            continue
        if not place.isdecimal() or int(place) >= len(cells):
            raise EvalError("ragged", f"Line {at} names an attribute that is not declared.")
        cells[int(place)] = _bare(value.strip())
    return cells


def _arff_cells(line: str) -> list[str]:
    cells, at = [], 0
    while at <= len(line):
        quoted = _QUOTED.match(line, at)
        end = quoted.end() if quoted else _MARK.search(line, at).start()  # type: ignore[union-attr]
        cells.append(_bare(quoted[1]) if quoted else line[at:end].strip())
        at = end + 1
    return cells


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


@dataclass(frozen=True)
class _Header:
    """What the header says of each column."""

    names: Mapping[str, str]  # as in the table -> as meant
    flags: Mapping[str, str]
    kinds: Mapping[str, str]
    rows: int  # rows of the table that are header still


def plain_orange(table: Table) -> Table:
    """Return a table without Orange's type and flag rows, with the roles that they tell."""
    header = _three_rows(table) or _prefixes(table)
    if header is None:
        return table
    if table.n <= header.rows:
        raise header_only(len(table.columns))
    columns = {header.names[n]: c.slice(header.rows) for n, c in table.columns.items()}
    flags = {header.names[name]: flag.lower() for name, flag in header.flags.items()}
    kinds = {header.names[name]: kind.lower() for name, kind in header.kinds.items()}
    notice = Notice("tool", "Orange table: the class column is the truth, the metas predictions.")
    return replace(
        table,
        columns=columns,
        source=replace(table.source, tool="Orange", rows=table.n - header.rows),
        notices=(*table.notices, notice),
        hints=_hints(columns, flags, kinds),
    )


def _three_rows(table: Table) -> _Header | None:
    if table.n < 2:
        return None
    types, flags = (
        {name: str(column[row].as_py() or "").strip() for name, column in table.columns.items()}
        for row in (0, 1)
    )
    typed = any(types.values()) and all(map(_is_type, types.values()))
    flagged = any(flags.values()) and all(map(_are_flags, flags.values()))
    # "c" and "d" may be labels as well: short forms count only in a file called .tab.
    short = table.source.name.lower().endswith(".tab")
    words = {"continuous", "discrete"} | ({"c", "d"} if short else set())
    known = any(cell.lower() in words for cell in types.values())
    if not (typed and flagged and known):
        return None
    return _Header({name: name for name in table.names}, flags, types, 2)


def _is_type(cell: str) -> bool:
    """Tell a type, or a list of values."""
    return " " in cell or cell.lower() in _TYPES


def _are_flags(cell: str) -> bool:
    """Tell flags and attributes such as "a=b"."""
    return all(word in _FLAGS or "=" in word[1:-1] for word in cell.lower().split())


def _prefixes(table: Table) -> _Header | None:
    found = {name: _PREFIX.fullmatch(name) for name in table.names}
    if not any(match and (match["flag"] or match["kind"]) for match in found.values()):
        return None
    names = {name: match["name"] if match else name for name, match in found.items()}
    if len(set(names.values())) < len(names):
        return None
    flags, kinds = (
        {name: match[part] if match else "" for name, match in found.items()}
        for part in ("flag", "kind")
    )
    return _Header(names, flags, kinds, 0)


def _hints(
    columns: Mapping[str, object], flags: Mapping[str, str], kinds: Mapping[str, str]
) -> Choices:
    """Take the class column as truth, and "Model" with its "Model (class)" columns as models.

    Beside a class that is a number, the numbers among the metas are predictions of it.
    """
    truths = [name for name, flag in flags.items() if flag.split("=")[0] in ("class", "c")]
    probabilities: dict[str, dict[str, str]] = {}
    for name in columns:
        model, _, of = re.sub(r"\)#\d+$", ")", name).rpartition(" (")
        if model in columns and of.endswith(")"):
            probabilities.setdefault(model, {})[of[:-1]] = name
    numbers = [name for name in columns if kinds[name] in _NUMBER]
    metas = [name for name in numbers if flags[name] in ("meta", "m")]
    numeric = len(truths) == 1 and truths[0] in numbers
    folds = [name for name in columns if name.lower() == "fold"]
    return Choices(
        truth=truths[0] if len(truths) == 1 else None,
        labels={model: model for model in probabilities} or None,
        predictions={name: name for name in metas if name.lower() != "fold"} or None
        if numeric
        else None,
        probabilities=probabilities or None,
        fold=folds[0] if folds else None,
    )


_HEAD = 1 << 14
"""Bytes that show whether a table was printed: a hundred lines or so."""

_MOST_BYTES = 50_000_000
"""Bytes of a printed table; a larger file is not searched for frames."""

_FOOTER = re.compile(rb"\(\d[\d,]* rows?( affected)?\)")
_WEKA_ROW = re.compile(rb"(?P<counts>[\d. \t]++)\|[ \t]*\w+ = (?P<of>.*)")
_NUMPY_MATRIX = re.compile(
    rb"\s*+(?:array\()?\[((?:\s*+(?:,\s*+)?\[[\d., \t]++\])++)\s*+\][ \t]*+\)?\s*+"
)
_MARKS = (b",", b";", b"\t", b"|", b'"')
_WEKA = [b"inst#", b"actual", b"predicted", b"error"]
_PRINTED = Notice(
    "printed", "The file is a table as a program prints it; what frames it was left out."
)
_COMMENTS = Notice("comments", 'Lines above the table that begin with "#" were left out.')


def plain_text(data: bytes) -> tuple[bytes, tuple[Notice, ...]]:
    r"""Return delimited text for a printed table, and what to say; anything else as it is.

    >>> plain_text(b"| y | p |\n|---|---|\n| 1 | 0 |\n")[0]
    b'y|p\n1|0\n'
    >>> plain_text(b"   y  pred\n0  1     0\n")[0], plain_text(b"y,p\n1,0\n")[0]
    (b'Unnamed: 0\ty\tpred\n0\t1\t0\n', b'y,p\n1,0\n')
    """
    head = data[:_HEAD]
    if len(data) < _HEAD and (matrix := _matrix(data)):
        return matrix, (_PRINTED,)
    if (
        len(data) > _MOST_BYTES
        or b"\0" in head
        or not re.match(rb"(\xef\xbb\xbf)?[\s#|+=\w]", head)
    ):
        return data, ()
    if re.match(rb"\s*=== Run information", head):
        data = _predictions_of_weka(data)
        head = data[:_HEAD]
    lines = [line for line in head.splitlines() if line.strip()]
    if any(map(_is_rule, lines[:3])) and any(b"|" in line for line in lines[:3]):
        return _unframed(data), (_PRINTED,)
    if lines and lines[0].lstrip(b"\xef\xbb\xbf").startswith(b"#"):
        return _without_comments(data)
    if not any(mark in line for line in lines for mark in _MARKS):
        aligned = _from_columns(data)
        return (aligned, (_PRINTED,)) if aligned is not None else (data, ())
    return data, ()


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
    return b"".join(b"\t".join(row) + b"\n" for row in rows) if square else None


def _predictions_of_weka(data: bytes) -> bytes:
    """Return the predictions in the report of a run.

    Raises:
        EvalError: "report": there are none.
    """
    lines = data.partition(b"=== Predictions on ")[2].splitlines()
    table = dropwhile(lambda line: not line.lstrip().startswith(b"inst#"), lines)
    rows = list(takewhile(bytes.strip, table))
    if not rows:
        raise EvalError(
            "report",
            "This is Weka's report of a run, without its predictions. Let Weka print them: in the "
            'Explorer by "More options...", "Output predictions"; in the command line by '
            "-classifications CSV.",
        )
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
    named = _printed_cells(header) == _printed_cells(lines[end]) and not _heads(
        lines[end : end + 2]
    )
    kept = ([header] if named else []) + lines[end:]
    return b"".join(kept), (_COMMENTS,) if end > named else ()


def _heads(lines: Sequence[bytes]) -> bool:
    """Tell whether the first of two lines is a header: words only, with numbers below."""
    numbers = [bool(re.search(rb"(^|[\s,;])[-+]?\d", line)) for line in lines]
    return numbers == [False, True]


def _printed_cells(line: bytes) -> int:
    mark = next((mark for mark in (b"\t", b";", b",") if mark in line), None)
    return len(line.split(mark))


def _from_columns(data: bytes) -> bytes | None:
    """Return a table whose columns are aligned by spaces, as pandas, R and Weka print them."""
    # Most files are not aligned at all, which their first lines show.
    if not any(re.search(rb"\S {2,}\S|^ {2,}\S", line) for line in data[:_HEAD].splitlines()):
        return None
    rows = [line.split() for line in data.splitlines() if line.strip()]
    if rows and rows[0][0].startswith(b"==="):
        rows = rows[1:]
    if len(rows) < 2:
        return None
    header, *body = _one_header(rows)
    if header[:4] == _WEKA:
        body = [_weka(row, len(header)) for row in body]
    if len(set(map(len, body))) > 1 or len(body[0]) - len(header) not in (0, 1):
        return None
    named = [b"Unnamed: 0", *header] if len(body[0]) > len(header) else header
    return b"".join(b"\t".join(row) + b"\n" for row in (named, *body))


def _one_header(rows: list[list[bytes]]) -> list[list[bytes]]:
    """Put what names the rows and what names the columns, on two lines in R and pandas, in one."""
    width = len(rows[-1])
    first, second = rows[:2]
    if sorted(map(len, (first, second))) != [1, width] or len(rows) < 4:
        return rows
    down, *across = second if len(first) == 1 else (second[0], *first)
    over = first[0] if len(first) == 1 else across.pop(0)
    return [[down + b"\\" + over, *across], *rows[2:]]


def _weka(row: Sequence[bytes], width: int) -> list[bytes]:
    """Fill the column that Weka leaves blank where the prediction is right."""
    blank = len(row) == width - 1 and b"+" not in row
    return [*row[:3], b"", *row[3:]] if blank else list(row)
