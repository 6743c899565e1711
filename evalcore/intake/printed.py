"""Tables as programs print them, to be pasted: frames, aligned columns, comments above."""

import re
from collections.abc import Sequence

from evalcore.errors import Notice

_HEAD = 1 << 14
_MOST_BYTES = 50_000_000

_RULE = re.compile(rb"[ \t]*[|+]?[ :=+|-]*-{2,}[ :=+|-]*")
_FOOTER = re.compile(rb"\(\d[\d,]* rows?( affected)?\)")
_MARKS = (b",", b";", b"\t", b"|", b'"')
_WEKA = [b"inst#", b"actual", b"predicted", b"error"]
_TOLD = Notice(
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
    if (
        len(data) > _MOST_BYTES
        or b"\0" in head
        or not re.match(rb"(\xef\xbb\xbf)?[\s#|+=\w]", head)
    ):
        return data, ()
    lines = [line for line in head.splitlines() if line.strip()]
    if any(map(_RULE.fullmatch, lines[:3])) and any(b"|" in line for line in lines[:3]):
        return _unframed(data), (_TOLD,)
    if lines and lines[0].lstrip(b"\xef\xbb\xbf").startswith(b"#"):
        return _without_comments(data)
    if not any(mark in line for line in lines for mark in _MARKS):
        aligned = _from_columns(data)
        return (aligned, (_TOLD,)) if aligned is not None else (data, ())
    return data, ()


def _unframed(data: bytes) -> bytes:
    """Leave out the lines of a frame, and the bars at both ends of each row."""
    rows = []
    for line in data.splitlines():
        bare = line.strip()
        if bare and not _RULE.fullmatch(bare) and not _FOOTER.fullmatch(bare):
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
    named = _cells(header) == _cells(lines[end]) and not _heads(lines[end : end + 2])
    kept = ([header] if named else []) + lines[end:]
    return b"".join(kept), (_COMMENTS,) if end > named else ()


def _heads(lines: Sequence[bytes]) -> bool:
    """Tell whether the first of two lines is a header: words only, with numbers below."""
    numbers = [bool(re.search(rb"(^|[\s,;])[-+]?\d", line)) for line in lines]
    return numbers == [False, True]


def _cells(line: bytes) -> int:
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
    header, body = rows[0], rows[1:]
    if header[:4] == _WEKA:
        body = [_weka(row, len(header)) for row in body]
    if len(set(map(len, body))) > 1 or len(body[0]) - len(header) not in (0, 1):
        return None
    named = [b"Unnamed: 0", *header] if len(body[0]) > len(header) else header
    return b"".join(b"\t".join(row) + b"\n" for row in (named, *body))


def _weka(row: Sequence[bytes], width: int) -> list[bytes]:
    """Fill the column that Weka leaves blank where the prediction is right."""
    blank = len(row) == width - 1 and b"+" not in row
    return [*row[:3], b"", *row[3:]] if blank else list(row)
