"""Bytes of text as UTF-8: encoding, quotes and line ends."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError

_BLOCK = 1 << 18


@dataclass(frozen=True)
class Marks:
    """What was found in a text, in one pass over its bytes.

    Attributes:
        ascii: Whether every byte is below 128.
        zero: Whether a byte is 0.
        quotes: How many double quotes there are.
        ends: How many bytes end a line: line feeds and carriage returns.
    """

    ascii: bool = True
    zero: bool = False
    quotes: int = 0
    ends: int = 0

    def __add__(self, other: "Marks") -> "Marks":
        return Marks(
            self.ascii and other.ascii,
            self.zero or other.zero,
            self.quotes + other.quotes,
            self.ends + other.ends,
        )


def marks_of(text: bytes) -> Marks:
    """Look at every byte, in blocks that fit the processor's cache."""
    return sum(map(_of, _blocks(text)), Marks())


def _blocks(text: bytes) -> Iterator[NDArray[np.uint8]]:
    cells = np.frombuffer(text, np.uint8)
    return (cells[start : start + _BLOCK] for start in range(0, len(cells), _BLOCK))


def _of(block: NDArray[np.uint8]) -> Marks:
    quotes, feeds, returns = (int(np.count_nonzero(block == ord(mark))) for mark in '"\n\r')
    return Marks(
        ascii=int(block.max()) < 128,
        zero=int(block.min()) == 0,
        quotes=quotes,
        ends=feeds + returns,
    )


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHUNK = 1 << 20
_HEAD = 1 << 16
_CONTROL = bytes(sorted(set(range(32)) - set(b"\t\n\v\f\r\x1a\x1b")))


@dataclass(frozen=True)
class Decoded:
    """A file's text.

    Attributes:
        text: As UTF-8, without a byte order mark.
        encoding: What it was in.
        marks: What stands in it.
    """

    text: bytes
    encoding: str
    marks: Marks


def to_utf8(data: bytes, encoding: str | None) -> Decoded:
    """Return the file's text.

    Raises:
        EvalError: "not-text" for binary data, "wrong-encoding" where the encoding does not fit.
    """
    marks = marks_of(data)
    used = encoding or _detect(data, marks)
    text = data
    if used not in ("utf-8", "utf-8-sig"):
        text = _transcode(data, used)
        marks = marks_of(text)
    if text.startswith(codecs.BOM_UTF8):
        text = text[len(codecs.BOM_UTF8) :]
    found_by_reading = encoding is None and used == "utf-8"
    if used.startswith("utf-8") and not (found_by_reading or _is_utf8(text, marks)):
        raise _wrong_encoding(used)
    _refuse_binary(text, marks)
    return Decoded(text, used, marks)


def _detect(data: bytes, marks: Marks) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:_HEAD]
    if b"\0" in head:
        return _unmarked_utf16(head)
    return "utf-8" if _is_utf8(data, marks) else "cp1252"


def _unmarked_utf16(head: bytes) -> str:
    """Tell UTF-16 by where its zero bytes stand: Latin text has one in every other place."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.4 * len(head) / 2 and even == 0:
        return "utf-16-le"
    if even > 0.4 * len(head) / 2 and odd == 0:
        return "utf-16-be"
    raise _not_text()


def _is_utf8(data: bytes, marks: Marks) -> bool:
    if marks.ascii:
        return True
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    view = memoryview(data)
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(view[start : start + _CHUNK], final=start + _CHUNK >= len(data))
    except UnicodeDecodeError:
        return False
    return True


def _transcode(data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except LookupError:
        raise EvalError("unknown-encoding", f'There is no encoding "{encoding}".') from None
    except UnicodeError:
        raise _wrong_encoding(encoding) from None


def _refuse_binary(text: bytes, marks: Marks) -> None:
    head = text[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROL))
    if marks.zero or controls > 0.005 * len(head):
        raise _not_text()


def _not_text() -> EvalError:
    return EvalError(
        "not-text",
        "The file is not a table of text: it holds binary data, in no format that is known here. "
        "Save it as CSV or Parquet.",
    )


def _wrong_encoding(encoding: str) -> EvalError:
    return EvalError(
        "wrong-encoding",
        f"The file is not written in {encoding}. Save it as UTF-8, or name its encoding.",
    )


def refuse_open_quote(text: bytes, quotes: int, separator: str) -> None:
    """Refuse text in which a quoted cell does not end where a cell may end.

    Only an odd number of quotes makes it look for one: some tools write a quote inside a cell.

    Raises:
        EvalError: "open-quote", naming the line.
    """
    if quotes % 2 == 0:
        return
    for cell in _quoted_cells(separator.encode()).finditer(text):
        if cell["end"] is None:
            line = line_at(text, cell.start("quote"))
            raise EvalError("open-quote", f'Line {line} opens a quote (") that is never closed.')


def _quoted_cells(separator: bytes) -> re.Pattern[bytes]:
    """Return a pattern of cells that begin with a quote; they have no `end` where it is missing."""
    bound = b"[\r\n" + re.escape(separator) + b"]"
    inside = rb'[^"]*+(?:""[^"]*+)*+'
    return re.compile(
        rb"(?:\A|(?<=" + bound + rb'))(?P<quote>")' + inside + rb'(?P<end>"(?=' + bound + rb"|\Z))?"
    )


def line_at(text: bytes, place: int) -> int:
    """Return the line on which a byte stands, 1 being the first."""
    return max(text.count(mark, 0, place) for mark in (b"\n", b"\r")) + 1
