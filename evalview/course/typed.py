"""Tables that were typed, as data that stand in an address: counts, or some rows."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

COUNTS, ROWS = PREFIXES = "counts-", "rows-"
"""What the names of such data begin with.

After "counts-" there are counts, row by row, joined by "_", and names of classes, each after "~".
After "rows-" there are "s" for scores or "l" for labels, then rows joined by "_", each its truth
and what the model gave, joined by "~".
"""
TRUTH = "truth"
"""The first column of rows."""
FILES = {COUNTS: "typed counts.csv", ROWS: "typed rows.csv"}
MOST_CLASSES = 12
LARGEST = 10**12
"""The largest count: sums of 144 such cells are still exact."""
LONGEST_NAME = 30
MOST_ROWS = 40
"""Rows that a class fills in together; a file is better for more."""

_NAME = rf"[^~_\x00-\x1f]{{1,{LONGEST_NAME}}}"
_COUNTS = re.compile(rf"\d{{1,13}}(_\d{{1,13}}){{3,{MOST_CLASSES**2 - 1}}}(?P<names>(~{_NAME})*)")
_CELL = rf"[^~_\x00-\x1f]{{0,{LONGEST_NAME}}}"
_ROWS = re.compile(
    rf"(?P<kind>[sl])_(?P<rows>{_CELL}~{_CELL}(_{_CELL}~{_CELL}){{0,{MOST_ROWS - 1}}})"
)


def names(classes: int) -> list[str]:
    """Return what so many classes are called: positive and negative, or letters.

    >>> names(2), names(3)
    (['positive', 'negative'], ['A', 'B', 'C'])
    """
    return ["positive", "negative"] if classes == 2 else [chr(65 + at) for at in range(classes)]


def file(token: str) -> tuple[str, bytes] | None:
    r"""Return the name and content of the CSV that a name of data stands for; None for no other.

    Of counts, rows are true classes.

    >>> file("counts-9_2_1_95")
    ('typed counts.csv', b'actual\\predicted,positive,negative\npositive,9,2\nnegative,1,95\n')
    >>> file("counts-3_1_0_2~ill~well")[1]
    b'actual\\predicted,ill,well\nill,3,1\nwell,0,2\n'
    >>> file("rows-s_spam~0.9_ham~0.2")[1]
    b'truth,score\nspam,0.9\nham,0.2\n'
    >>> file("counts-1_2_3"), file("counts-0_0_0_0"), file("counts-1_2_3_x"), file("rows-s_1~2~3")
    (None, None, None, None)
    """
    for prefix, read in ((COUNTS, _counts), (ROWS, _rows)):
        if token.startswith(prefix) and (lines := read(token.removeprefix(prefix))) is not None:
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(lines)
            return FILES[prefix], out.getvalue().encode()
    return None


def _counts(told: str) -> list[Sequence[str]] | None:
    found = _COUNTS.fullmatch(told)
    if found is None:
        return None
    called = found["names"].split("~")[1:]
    cells = told.partition("~")[0].split("_")
    classes = round(len(cells) ** 0.5)
    called = called or names(classes)
    counts = [int(cell) for cell in cells]
    fits = classes**2 == len(cells) and len(set(called)) == len(called) == classes
    if not fits or not any(counts) or max(counts) > LARGEST:
        return None
    rows = (
        [name, *map(str, counts[at * classes : (at + 1) * classes])]
        for at, name in enumerate(called)
    )
    return [["actual\\predicted", *called], *rows]


def _rows(told: str) -> list[Sequence[str]] | None:
    found = _ROWS.fullmatch(told)
    if found is None:
        return None
    given = "score" if found["kind"] == "s" else "prediction"
    return [[TRUTH, given], *(row.split("~") for row in found["rows"].split("_"))]


def rows_token(rows: Iterable[tuple[str, str]], *, scores: bool) -> str:
    """Return the name of data that are rows of a truth and a score or a label.

    Marks that separate cells become spaces; no cell is longer than 30 letters.

    >>> rows_token([("spam", "0.9"), ("not_spam", "")], scores=True)
    'rows-s_spam~0.9_not spam~'
    """
    cells = (
        "~".join(re.sub(r"[~_\x00-\x1f]", " ", cell)[:LONGEST_NAME] for cell in row) for row in rows
    )
    return f"{ROWS}{'s' if scores else 'l'}_{'_'.join(cells)}"
