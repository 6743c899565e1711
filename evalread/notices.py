"""Notices and refusals about a file, whose sentences stand in `notices.txt`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED, EvalError, Notice, Offer
from evalcore.outcomes import Floats, Rows
from evalcore.text import counted, listed, shorten

Mask = NDArray[np.bool_]
"""(n,) True for the rows that are meant."""


def paragraphs(name: str, parts: int) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield for each paragraph of a file of data the parts of its first line, and its fields."""
    for block in Path(__file__).with_name(name).read_text("utf-8").split("\n\n"):
        first, *lines = block.strip().splitlines()
        if len(said := first.split(" | ")) == parts:
            fields = (line.strip().partition(": ") for line in lines)
            yield said, {field: value for field, _, value in fields}


def row_numbers(mask: Mask) -> tuple[int, ...]:
    """Return the data rows of a mask, 1 being the first, as many as a notice lists."""
    return tuple((np.flatnonzero(mask)[:ROWS_LISTED] + 1).tolist())


def row_list(mask: Mask) -> str:
    """Write a mask as "row 2", "rows 2 and 4" or "rows 2, 4, 7, ...".

    >>> row_list(np.array([False, True, False, True]))
    'rows 2 and 4'
    """
    rows = [f"{row:,}" for row in row_numbers(mask)]
    if len(rows) == 1:
        return f"row {rows[0]}"
    if len(rows) > 5:
        return f"rows {', '.join(rows[:5])}, …"
    return f"rows {', '.join(rows[:-1])} and {rows[-1]}"


class _Filled(Formatter):
    """Writes counts with their nouns, and names in quotation marks, as `notices.txt` has it."""

    def format_field(self, value: Any, spec: str) -> str:
        if "|" in spec:
            count = len(value) if isinstance(value, Sized) else value
            return spec.split("|")[0 if count == 1 else 1]
        if isinstance(value, list | tuple):
            return listed(value, int(spec or 12))
        if len(spec) > 1 and spec.replace(" ", "").isalpha():
            return counted(value, spec)
        return format(value, spec)


fill = _Filled().format
"""Fills the words of a sentence in: `fill("{n:row}", n=2)` is "2 rows"."""


@dataclass(frozen=True)
class _Saying:
    sentence: str
    warning: bool
    offer: list[str]  # label, choice and value; empty where there is none


@cache
def sayings() -> Mapping[str, _Saying]:
    """Return the sentences of `notices.txt` by code."""
    found = {}
    for (key, sentence), fields in paragraphs("notices.txt", 2):
        offer = [part.strip() for part in fields["offer"].split("|")] if fields else []
        found[key.removesuffix("!")] = _Saying(sentence, key.endswith("!"), offer)
    return found


def notice(
    key: str,
    *,
    rows: Mask | Sequence[int] = (),
    each: Floats | None = None,
    column: str | None = None,
    offers: Iterable[Offer] = (),
    **words: Any,
) -> Notice:
    """Return the notice of a key of `notices.txt`, with the words of its sentence filled in.

    `rows` are those that it is about, `column` is the one that it is about; where rows are cells of
    counts, `each` is how many rows each stands for. What the file offers comes before further
    `offers`.
    """
    saying = sayings()[key]
    if isinstance(rows, np.ndarray):
        listed = row_list(rows) if rows.any() else ""
        words = {"n": _number(rows, each), "rows": listed, **words}
        rows = row_numbers(rows) if each is None else ()
    words["column"] = column
    if saying.offer:
        label, choice, value = (fill(part, **words) for part in saying.offer)
        offers = (Offer(label, choice, value), *offers)
    severity: Literal["info", "warning"] = "warning" if saying.warning else "info"
    code, message = key.partition("/")[0], fill(saying.sentence, **words)
    return Notice(code, message, severity, tuple(rows), column, tuple(offers))


def _number(rows: Mask | Rows, each: Floats | None) -> float:
    """Return how many rows a mask, or their places, are, each as many as it stands for."""
    if each is not None:
        found = float(each[rows].sum())
        return int(found) if found == int(found) else found
    return int(rows.sum()) if rows.dtype == np.bool_ else len(rows)


def refusal(key: str, **about: Any) -> EvalError:
    """Return the error of a key of `notices.txt`; it is about the same as a `notice`."""
    said = notice(key, **about)
    return EvalError(
        said.code, said.message, rows=said.rows, column=said.column, offers=said.offers
    )


def as_role(names: Iterable[str], what: str, choice: str) -> tuple[Offer, ...]:
    """Offer each of some columns for a role."""
    return tuple(Offer(f'"{shorten(name)}" is {what}', choice, name) for name in names)


@dataclass(frozen=True, eq=False)
class Gap:
    """Where one of a model's columns has missing cells.

    Attributes:
        role: What is missing: "truth", "score", "label" ...
        column: The column's name.
        rows: (n,) True where the cell is missing.
        written: How missing cells are written -> how many there are.
    """

    role: str
    column: str
    rows: Mask
    written: Mapping[str, int]

    def within(self, own: Rows | None) -> "Gap":
        """Return the gap in some of the rows; how it is written is known of all of them only."""
        if own is None or not self.rows.any():
            return self
        rows = np.zeros_like(self.rows)
        rows[own] = self.rows[own]
        return self if rows.sum() == self.rows.sum() else replace(self, rows=rows, written={})


def kept_rows(
    gaps: Iterable[Gap], model: str | None, own: Rows | None = None, each: Floats | None = None
) -> tuple[Rows | None, tuple[Notice, ...]]:
    """Return the places of the complete rows (None if all are), and what to say about the others.

    Args:
        gaps: One per column of the model.
        model: The model's name where there are several, to be named in the notice.
        own: The places of the rows that the model has; None for all.
        each: (n,) how many rows each stands for; None where each is one.

    Raises:
        EvalError: "no-rows" if no row is complete.
    """
    holes = [gap for gap in (one.within(own) for one in gaps) if gap.rows.any()]
    if not holes:
        return own, ()
    missing = np.logical_or.reduce([gap.rows for gap in holes])
    kept = np.flatnonzero(~missing) if own is None else own[~missing[own]]
    if not len(kept):
        roles = " and ".join(dict.fromkeys(gap.role for gap in holes))
        raise refusal("no-rows/incomplete", column=holes[0].column, roles=roles)
    return kept, (_left_out(holes, missing, model, _number(kept, each), each),)


def _left_out(
    holes: Sequence[Gap], missing: Mask, model: str | None, used: float, each: Floats | None
) -> Notice:
    first, of = holes[0], f' for "{model}"' if model else ""
    about: dict[str, Any] = {"rows": missing, "each": each, "column": first.column, "of": of}
    about |= {"used": used, "all": used + _number(missing, each)}
    if len(holes) == 1:
        words = ", ".join(f"{count:,} {word}" for word, count in first.written.items())
        written = f" ({words})" if words and each is None else ""
        said = notice("missing-values/one", role=first.role, written=written, **about)
        return replace(said, code=f"missing-{first.role.split()[0]}")
    # A model has a probability column per class; a row lacks its probabilities once.
    roles: dict[str, Mask] = {}
    for gap in holes:
        roles[gap.role] = gap.rows | roles.get(gap.role, False)
    counts = {role: _number(rows, each) for role, rows in roles.items()}
    lacking = (fill("{n:,} {n:has|have} no {role}", n=n, role=role) for role, n in counts.items())
    return notice("missing-values", lacking=", ".join(lacking), **about)
