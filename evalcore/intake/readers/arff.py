"""ARFF, as Weka and OpenML write it, dense or sparse."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evalcore.errors import EvalError
from evalcore.intake.model import Choices, Source, Table
from evalcore.intake.readers.cells import table_from_columns
from evalcore.intake.readers.encoding import to_utf8
from evalcore.intake.readers.naming import refuse_too_many_cells

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(?P<kind>.+)""", re.I
)
_CELL = re.compile(r"""\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,\t]*?)\s*(?:[,\t]|$)""")
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True)
class _Attribute:
    name: str
    zero: str  # what a sparse row leaves out


def looks_like_arff(text: bytes) -> bool:
    """Tell whether text has ARFF's "@relation" or "@attribute" before anything but comments."""
    return bool(re.match(rb"(\xef\xbb\xbf)?(\s*%[^\n]*\n|\s)*@(relation|attribute)\b", text, re.I))


def read_arff(data: bytes, source: Source, choices: Choices) -> Table:
    """Read an ARFF file; "?" is missing.

    Raises:
        EvalError: "unreadable", "ragged" with the line, "too-large" or "header-only".
    """
    decoded = to_utf8(data, choices.encoding)
    lines = iter(enumerate(decoded.text.decode().splitlines(), start=1))
    attributes = list(_attributes(lines))
    if not attributes:
        raise EvalError("unreadable", "The ARFF file declares no attribute.")
    columns: list[list[str | None]] = [[] for _ in attributes]
    for at, line in lines:
        bare = line.strip()
        if not bare or bare.startswith("%"):
            continue
        if bare.startswith("{"):
            refuse_too_many_cells(len(columns[0]) + 1, len(columns))
        for cells, value in zip(columns, _row(bare, at, attributes), strict=True):
            cells.append(None if value == "?" else value)
    known = replace(source, format="arff", encoding=decoded.encoding)
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
        first = _cells(values[1:].rstrip("}"))[0] if values.startswith("{") else "0"
        yield _Attribute(_bare(match["name"]), first)


def _row(line: str, at: int, attributes: Sequence[_Attribute]) -> list[str]:
    if line.startswith("{"):
        return _sparse(line, at, attributes)
    cells = _cells(line)
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
    for pair in _cells(line.strip("{} ")):
        place, _, value = pair.partition(" ")
        if not pair:
            continue
        if not place.isdecimal() or int(place) >= len(cells):
            raise EvalError("ragged", f"Line {at} names an attribute that is not declared.")
        cells[int(place)] = _bare(value.strip())
    return cells


def _cells(line: str) -> list[str]:
    if "'" not in line and '"' not in line:
        return [cell.strip() for cell in re.split("[,\t]", line)]
    cells, at = [], 0
    while at <= len(line):
        match = _CELL.match(line, at)
        if not match or (match.end() == at and at < len(line)):
            return [line]
        cells.append(_bare(match[1]))
        if match.end() == len(line) and not line[match.start() : match.end()].endswith((",", "\t")):
            break
        at = match.end()
    return cells


def _bare(text: str) -> str:
    """Take away the quotation marks, and the escapes inside them."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text
