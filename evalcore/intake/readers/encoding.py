"""Which encoding a text file is in: its byte order mark, UTF-8, UTF-16, then cp1252."""

import codecs
from dataclasses import dataclass

from evalcore.errors import EvalError
from evalcore.intake.readers.marks import Marks, marks_of

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
