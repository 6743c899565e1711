"""The command `report`: one file that stays alive, for people without Python, data or network."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from evalboard import serialise
from evalboard.arguments import FORMATS
from evalcore.errors import EvalError
from evalcore.text import counted, plain
from evalread.writing import check_writable, unwritable, written

if TYPE_CHECKING:
    from evalcore.options import Options
    from evalread.dataset import Dataset
    from evalview.report.material import Material, Wishes


def report(
    given: argparse.Namespace, asked: Callable[[argparse.Namespace], tuple[Dataset, Options]]
) -> str:
    """Write the report that is asked for; return a sentence about it, or its text for "-".

    Raises:
        EvalError: The data cannot be read or evaluated, or the file cannot be written.
    """
    if find_spec("plotly") is None:
        raise EvalError("no-interface", "A report needs the package plotly: pip install plotly.")
    # The one place where the command draws: a report is made of what pages show, and evalboard
    # stays free of it until one is asked for.
    from evalview.report import contents, formats
    from evalview.report.material import Wishes, gather

    if given.min_cell < 1:
        raise EvalError("usage", "The smallest cell must hold 1 row or more.")
    wanted = tuple(key.strip() for key in (given.sections or "").split(",") if key.strip())
    wanted += ("slices",) if wanted and given.slices else ()
    beside = _beside(given.note)
    contents.known([key for key, _ in beside])
    kind = given.format or _format_of(given.output)
    target = Path(given.output or f"report.{FORMATS[kind]}")
    if given.output != "-":
        check_writable(target)
    wishes = Wishes(
        title=given.title or "",
        notes=given.notes or "",
        beside=beside,
        sections=contents.known(wanted),
        by=tuple(dict.fromkeys(given.by or ())),
        slices=given.slices,
        min_cell=given.min_cell,
        rows=given.rows,
        date=datetime.now(UTC).date().isoformat(),
        version=version("evalboard"),
    )
    dataset, options = asked(given)
    told = gather(dataset, options, _priced(wishes, given, dataset))
    pictures: Mapping[str, str] = {}
    if kind == "json":
        text = f"{serialise.text(as_json(told))}\n"
    elif kind == "markdown" and given.output != "-":
        document, folder = contents.document(told), f"{target.stem}_files"
        pictures = formats.pictures(document)
        text = formats.markdown(document, folder)
    else:
        text = getattr(formats, kind)(contents.document(told))
    if given.output == "-":
        return text.removesuffix("\n")
    with _pictures(target.with_name(f"{target.stem}_files"), pictures):
        written(target, text)
    said = f"{told.headline[0]}. The report is {target} ({len(text.encode()) / 1e6:.2g} MB)."
    return f"{said}{_left_out(told)}"


def _left_out(told: Material) -> str:
    """Say that there are no slices where finding them takes long, and how to get them."""
    free, rows = len(told.dataset.free), told.dataset.rows_used
    unasked = told.wishes.slices is None and not told.wishes.sections
    if told.has_slices or not unasked or not free or not told.dataset.models:
        return ""
    size = f"{counted(rows, 'row')} and {counted(free, 'column')} without a role"
    return f" It has no slices, which take a while with {size}; --slices adds them."


def _priced(wishes: Wishes, given: argparse.Namespace, dataset: Dataset) -> Wishes:
    """Return wishes with what is said of costs.

    Raises:
        EvalError: A cost names no two classes, or a number is out of its range.
    """
    from evalboard.further import costs, with_costs

    if not with_costs(given, dataset):
        return wishes
    prices = costs(given.cost, dataset.classes)
    return wishes.priced(prices.ravel().tolist(), given.prevalence, given.volume)


def _beside(said: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the notes beside sections, each with the key of its section.

    Raises:
        EvalError: "usage": a note names no section, or one that has a note already.
    """
    found: dict[str, str] = {}
    for one in said:
        key, is_told, note = one.partition("=")
        if not is_told or key.strip() in found:
            raise EvalError("usage", f'Write one --note SECTION=TEXT for a section, not "{one}".')
        found[key.strip()] = note.strip()
    return tuple(found.items())


def _format_of(output: str | None) -> str:
    """Return the format that the ending of a file names, HTML for any other."""
    ending = Path(output or "").suffix.removeprefix(".").casefold()
    return next((name for name, own in FORMATS.items() if own == ending), "html")


@contextmanager
def _pictures(folder: Path, pictures: Mapping[str, str]) -> Iterator[None]:
    """Write the pictures of a report into a folder beside it, which goes again if that fails.

    Raises:
        EvalError: "unwritable-file": the folder cannot be made, or a picture not be written.
    """
    is_new = bool(pictures) and not folder.exists()
    try:
        if pictures:
            try:
                folder.mkdir(exist_ok=True)
            except OSError as problem:
                raise unwritable(folder, problem) from None
        for name, svg in pictures.items():
            written(folder / name, svg)
        yield
    except EvalError:
        if is_new:
            rmtree(folder, ignore_errors=True)
        raise


def as_json(told: Material) -> dict[str, Any]:
    """Return the JSON of `evaluate`, and that of `compare` under "comparison", as a report has it.

    Slices that the report has stand under "slices", notes of its author under "notes". Unless rows
    may be shown, cells that hold too few are null, numbers have as many digits as a reader sees,
    and nothing lists rows.
    """
    from evalcore.comparison.results import Comparison
    from evalview.report.private import contingency_of, evaluation_of, notices

    found: dict[str, Any] = {}
    if told.evaluation is not None:
        found = serialise.evaluation(evaluation_of(told))
        for name, made in found["clusterings"].items() if not told.wishes.rows else ():
            if made["contingency"] is not None:
                made["contingency"]["counts"] = plain(contingency_of(told, name))
    if isinstance(told.found, Comparison):
        known = replace(told.found, notices=notices(told, told.found.notices))
        compared = serialise.comparison(known)
        found = found | {"comparison": compared} if found else {"comparison": compared}
    if (sliced := told.slices) is not None:
        found["slices"] = serialise.slices(sliced)
    if notes := {
        **({"": told.wishes.notes} if told.wishes.notes else {}),
        **dict(told.wishes.beside),
    }:
        found["notes"] = notes
    return found if told.wishes.rows else _without_rows(found, told.wishes.fewest)


DIGITS = 4
"""Digits of numbers: as many as a report shows where it shows most."""

EXACT = ("threshold", "counts", "level", "low_edge", "seed")
"""Keys below which numbers stay as they are: thresholds decide, counts are whole."""


def _without_rows(value: Any, fewest: int, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {name: _without_rows(held, fewest, name) for name, held in value.items()}
    if key == "rows" and isinstance(value, Sequence) and not isinstance(value, str):
        return []
    if isinstance(value, list):
        return [_without_rows(one, fewest, key) for one in value]
    if isinstance(value, float) and key not in EXACT:
        return float(f"{value:.{DIGITS}g}")
    return value
