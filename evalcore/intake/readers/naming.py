"""Column names as the rest of the program uses them: trimmed and unique."""

from collections import Counter
from collections.abc import Sequence

from evalcore.errors import EvalError, Notice

MOST_COLUMNS = 20_000
MOST_SPREAD = 20_000_000
"""Cells of a table whose file leaves most of them out; a small file may stand for very many."""


def unique_names(header: Sequence[str]) -> tuple[tuple[str, ...], tuple[Notice, ...]]:
    """Return trimmed, unique column names, and a notice for each repeated header.

    A repeated header is shown with its place, a blank one is called by it.

    >>> unique_names(["id", "p", "", "p"])[0]
    ('id', 'p (column 2)', 'column 3', 'p (column 4)')

    Raises:
        EvalError: "too-many-columns".
    """
    if len(header) > MOST_COLUMNS:
        raise EvalError(
            "too-many-columns",
            f"The file has {len(header):,} columns; at most {MOST_COLUMNS:,} are read.",
        )
    trimmed = [cell.strip() for cell in header]
    repeated = {name for name, count in Counter(trimmed).items() if count > 1 and name}
    taken = set(trimmed) - repeated
    names = []
    for place, name in enumerate(trimmed, start=1):
        shown = name
        if name in repeated or not name:
            shown = f"{name} (column {place})".strip() if name else f"column {place}"
            while shown in taken:
                shown += "'"
            taken.add(shown)
        names.append(shown)
    return tuple(names), tuple(_duplicate(name, trimmed) for name in sorted(repeated))


def refuse_too_many_cells(rows: int, columns: int) -> None:
    """Refuse to spread out what is short in the file and long in memory.

    Raises:
        EvalError: "too-large".
    """
    if rows * columns > MOST_SPREAD:
        raise EvalError(
            "too-large",
            f"Spread out, the file has {rows:,} rows of {columns:,} columns; at most "
            f"{MOST_SPREAD:,} cells are read so. Keep only the columns with the truth and the "
            "predictions.",
        )


def _duplicate(name: str, header: Sequence[str]) -> Notice:
    places = [str(place) for place, cell in enumerate(header, start=1) if cell == name]
    listed = f"{', '.join(places[:-1])} and {places[-1]}"
    return Notice(
        "duplicate-header",
        f'The header "{name}" is a duplicate: it stands above columns {listed}. '
        "All are kept and shown with their place.",
        severity="warning",
        column=name,
    )
