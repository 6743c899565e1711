"""Orange's tables: three header rows, or one with prefixes such as "mS#"."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from evalcore.errors import Notice
from evalcore.intake.model import Choices, Table
from evalcore.intake.readers.delimited import header_only

_TYPES = re.compile(
    r"(continuous|discrete|string|time|basket|c|d|s|t|b|n|numeric|.*\S \S.*|)", re.I
)
_FLAGS = re.compile(r"(class|meta|ignore|weight|multiclass|c|m|i|w|\S+=\S+|\s|)+", re.I)
_PREFIX = re.compile(r"(?P<flag>[mcwi]{0,1})(?P<kind>[CDSTN]?)#(?P<name>.+)")
_NUMBER = ("continuous", "c", "n", "numeric")
_MODEL_CLASS = re.compile(r"(?P<model>.+) \((?P<of>.+)\)(#\d+)?")


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
    typed = any(types.values()) and all(_TYPES.fullmatch(cell) for cell in types.values())
    flagged = any(flags.values()) and all(_FLAGS.fullmatch(cell) for cell in flags.values())
    # "c" and "d" may be labels as well: short forms count only in a file called .tab.
    short = table.source.name.lower().endswith(".tab")
    words = {"continuous", "discrete"} | ({"c", "d"} if short else set())
    known = any(cell.lower() in words for cell in types.values())
    if not (typed and flagged and known):
        return None
    return _Header({name: name for name in table.names}, flags, types, 2)


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
        match = _MODEL_CLASS.fullmatch(name)
        if match and match["model"] in columns:
            probabilities.setdefault(match["model"], {})[match["of"]] = name
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
