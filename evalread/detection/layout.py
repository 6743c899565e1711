"""Tables in other shapes than a row per example: counts, confusion matrices, totals.

Rows may stand for many examples; a matrix is read as a row with its count for each pair of classes.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice, Offer
from evalcore.inputs import usual_positive
from evalcore.outcomes import Floats, Rows
from evalread.columns import (
    LARGEST_TOTAL,
    MISSING_WORDS,
    as_numbers,
    is_number,
    labels_of,
    places_of,
    plain_number,
)
from evalread.dataset import Choices, Confidence, Reason, Roles, Table
from evalread.detection.profile import WORDS, lowered, plain, profile, speaks_of_prediction
from evalread.notices import notice, refusal
from evalread.rewriting import text, with_notice

_MOST_CLASSES = 1000
"""Classes of a confusion matrix that somebody wrote out; a larger square is something else."""

_MARGINS = 10
"""Rows of sums, averages and rates below a matrix; else a class in the rows is one in a column,
and a table with far more rows is none."""

_ACTUAL = {word for name in WORDS.sure_truth for word in (name, *name.split("_"))}
_ACTUAL -= WORDS.prediction | WORDS.label | WORDS.filler | {"value", "answer", "correct", "valor"}
_ACTUAL |= {"real", "act"}
"""Words, and whole names, for what is true."""

_ROWS_TRUE = {**dict.fromkeys(WORDS.of_true, True), **dict.fromkeys(WORDS.of_predicted, False)}
"""Measures beside each row -> whether rows are the truth."""

_ASIDE = WORDS.total | WORDS.count | WORDS.weight | _ROWS_TRUE.keys() | WORDS.aside
"""What is written beside a matrix; but for totals it is a class where both sides have it."""

_CLASS_HEADERS = (
    r"(?P<kind>[^\W_]+)[\s_.:/=]+(?P<of>.+)",
    r"(?P<of>.+?)[\s_.:/=]+[(\[]?(?P<kind>[^\W_]+)[)\]]?",
)
"""A class after or before what its side is: "pred_cat", "cat (actual)"."""

_CELL = re.compile(r"(?:n_|num_)?(t|f)(?:rue|alse)?_?(n|p)(?:eg|os|egatives?|ositives?)?(?:_..)?")
_CELLS = ("tn", "fp", "fn", "tp")
_ASKED = ("rows", "columns")
"""What the sides of a matrix are called where nothing says which of them is the truth."""

_ABOUT_HEADER = ("no-header", "duplicate-header")
_PLACE = re.compile(r" \(column \d+\)'*$")
_BLANK_HEADER = re.compile(r"column \d+'*")

_Told = bool | None
"""Whether it is said that something is the truth (True), or predicted (False)."""


@dataclass(frozen=True, eq=False)
class _Matrix:
    """How often each class of the rows met each class of the columns, called as the axes say.

    There is a matrix of cells for each row of `beside`, the columns that tell several matrices
    apart, such as models. `rows_true` is None where nothing says which side is the truth; of
    `four` numbers the file names no class.
    """

    axes: tuple[str, str]
    rows_true: _Told
    sides: tuple[Sequence[str], Sequence[str]]
    cells: Floats
    beside: Mapping[str, pa.ChunkedArray] = field(default_factory=dict)
    four: bool = False

    @property
    def agreed(self) -> NDArray[np.bool_]:
        """Where a class meets itself."""
        rows, columns = (np.array([*map(_key, side)]) for side in self.sides)
        agreed: NDArray[np.bool_] = rows[:, None] == columns
        return agreed

    @property
    def whole(self) -> bool:
        """Whether all cells are whole numbers."""
        return bool((self.cells == np.floor(self.cells)).all())

    @property
    def hundred(self) -> bool:
        """Whether all rows, all columns or all cells add up to 100."""
        sums = [self.cells.sum(axis=axis) for axis in (1, 2, (1, 2))]
        return any(bool((abs(total - 100) < 1).all()) for total in sums)

    @property
    def shares(self) -> bool:
        """Whether the cells are shares, or percentages, of a row, a column or all."""
        small = bool((self.cells <= 1).all()) and not (self.four and self.whole)
        return small or (not self.whole and self.hundred)

    def __str__(self) -> str:
        classes = {_key(name) for side in self.sides for name in side}
        several = f"{len(self.cells)} matrices" if len(self.cells) > 1 else "a confusion matrix"
        return f"{several} of {len(classes)} classes"


def counts_of_matrix(table: Table, model: str | None = None) -> Table:
    """Return a row with its count for each pair of classes of a confusion matrix; else the table.

    `model` is the column that was chosen to name the model of each row, if there are several.
    Its columns are called as the file calls what is true and what is predicted; "rows" and
    "columns" where it does not say which is which.
    """
    found = _found(table, model)
    if found is None or found.shares:
        return table
    # A class without any example is still known by its place on the diagonal.
    kept = np.argwhere((found.cells > 0) | found.agreed).T
    columns = {name: column.take(pa.array(kept[0])) for name, column in found.beside.items()}
    for name, classes, codes in zip(found.axes, found.sides, kept[1:], strict=True):
        columns[name] = text([classes[code] for code in codes])
    counts = found.cells[tuple(kept)]
    columns["n"] = pa.chunked_array([counts.astype(np.int64) if found.whole else counts])
    true, predicted = found.axes[:: -1 if found.rows_true is False else 1]
    hints = Choices(
        truth=true,
        labels={"model" if found.rows_true is None else "": predicted},
        weight="n",
        positive="positive" if {*found.sides[0]} == {"negative", "positive"} else None,
    )
    kept_notices = tuple(one for one in table.notices if one.code not in _ABOUT_HEADER)
    matrix = f"{str(found)[0].upper()}{str(found)[1:]}"
    key = "matrix/hundred" if found.hundred else "matrix"
    said = notice(key, matrix=matrix, total=found.cells.sum())
    return replace(table.cut(columns), hints=hints, notices=(*kept_notices, said))


def was_matrix(table: Table) -> bool:
    """Return whether the rows were made of a confusion matrix."""
    return any(one.code == "matrix" for one in table.notices)


def matrix_hints(table: Table, choices: Choices) -> Choices:
    """Return the roles that a file settles; either side of a matrix may be chosen as the truth.

    Raises:
        EvalError: "confusion-matrix" where nothing says which side of a matrix is the truth.
    """
    hints = table.hints
    if not was_matrix(table):
        return hints
    sides = {str(hints.truth), *(hints.labels or {}).values()}
    if choices.truth in sides:
        (other,) = sides - {choices.truth}
        return replace(hints, truth=choices.truth, labels=dict.fromkeys(hints.labels or (), other))
    if choices.truth is None and sides == {*_ASKED}:
        names = list(dict.fromkeys(n for side in _ASKED for n in labels_of(table, side).names))
        offers = [Offer(f"The {side} are the truth", "truth", side) for side in _ASKED]
        raise refusal("confusion-matrix/sides", count=len(names), names=names, offers=offers)
    return hints


def refuse_shares(table: Table, *, truth_known: bool) -> None:
    """Refuse shares of every class against every class, and counts of nobody knows what.

    Shares may be probabilities as well: they pass where columns are called predictions, or where
    somebody says which one is the truth.

    Raises:
        EvalError: "confusion-matrix", saying what is needed.
    """
    found = _found(table)
    first, *others = table.names
    if found is None:
        if {*_CELLS} <= {*map(_cell, table.names)}:
            raise _of_no_model(table)
        return
    perhaps = not found.four and bool((found.cells <= 1).all())
    if perhaps and (truth_known or any(map(speaks_of_prediction, others))):
        return
    key = "confusion-matrix/perhaps" if perhaps else "confusion-matrix/shares"
    raise refusal(key, matrix=found, first=first)


def _of_no_model(table: Table) -> EvalError:
    """Return the error for rows of four numbers that nothing tells apart, or that are no counts."""
    if table.n <= 1:
        return refusal("confusion-matrix/cells")
    named = [n for n in table.names if _distinct([table.columns[n]])]
    texts = [name for name in named if not profile(table, name).numeric]
    offers = [Offer(f'"{name}" names the models', "model", name) for name in texts[:3]]
    return refusal("confusion-matrix/models", offers=offers)


def _found(table: Table, model: str | None = None) -> _Matrix | None:
    """Return the matrix that a table is, if it is one."""
    found = _four_numbers(table, model) or _matrix(table) or _matrix_without_names(table)
    # Counts are no less than 0, and add up.
    fits = found and ((found.cells >= 0) & (found.cells <= LARGEST_TOTAL)).all()
    return found if fits else None


def _four_numbers(table: Table, model: str | None) -> _Matrix | None:
    """Return the matrices of columns, or of rows, that are called TN, FP, FN and TP.

    Several rows need a column that tells them apart; several columns of numbers are models.
    """
    table = _turned(table)
    told = {_cell(name): column for name, column in table.columns.items()}
    named = WORDS.model | WORDS.fold | WORDS.group | WORDS.dataset | {model}
    beside = {n: c for n, c in table.columns.items() if table.n > 1 and {n, plain(n)} & named}
    if not told.keys() >= {*_CELLS} or (table.n > 1 and not _distinct([*beside.values()])):
        return None
    try:
        values = [as_numbers(told[name], name, table.source).values for name in _CELLS]
    except EvalError:
        return None
    cells = np.array(values).T.reshape(-1, 2, 2)
    sides = (("negative", "positive"),) * 2
    matrix = _Matrix(("truth", "prediction"), True, sides, cells, beside, four=True)
    return matrix if cells.any() else None


def _turned(table: Table) -> Table:
    """Return a table whose rows are called TN, FP, ... with them as columns, a row for each model.

    Its models are called as the columns were.
    """
    first, *others = table.names
    if not 3 <= table.n <= _MOST_CLASSES or not 0 < len(others) <= _MOST_CLASSES:
        return table
    # Without a header the first of the rows is taken for one.
    named = [_cell(str(name)) for name in (first, *table.columns[first].to_pylist())]
    if not {*_CELLS} <= {*named}:
        return table
    rows = zip(*((name, *table.columns[name].to_pylist()) for name in others), strict=True)
    told = {name: text([*map(str, cells)]) for name, cells in zip(named, rows, strict=True)}
    return table.cut({**told, "model": text(others)})


def _cell(name: str) -> str:
    """Return "tn" for "TN", "True Negatives", "false_positive" and the like; else nothing.

    >>> _cell("True Negatives"), _cell("FP"), _cell("fnr")
    ('tn', 'fp', '')
    """
    match = _CELL.fullmatch(plain(name))
    return match[1] + match[2] if match else ""


def together(places: Iterable[Rows]) -> Rows:
    """Return for each row the number of its combination of places, of which -1 is one, too.

    >>> together([np.array([0, 0, 1]), np.array([-1, 3, 3])]).tolist()
    [0, 1, 2]
    """
    numbers: Rows = np.zeros(1, np.int64)
    for one in places:
        numbers = np.unique(numbers * (one.max(initial=0) + 2) + one, return_inverse=True)[1]
    return numbers


def _distinct(columns: Sequence[pa.ChunkedArray]) -> bool:
    """Return whether there are columns, and no two rows are alike in all of them."""
    rows = len(columns[0]) if columns else 0
    return rows > 0 and int(together(map(places_of, columns)).max()) + 1 == rows


def _matrix(table: Table) -> _Matrix | None:
    """Return the matrix of numbers between classes that both its rows and its columns name."""
    first, *others = table.names
    fits = 1 < table.n <= _MOST_CLASSES and len(others) <= _MOST_CLASSES
    if not fits or table.n > 2 * len(others) + _MARGINS or profile(table, first).lists:
        return None
    corner, table = _with_one_header(table)
    first, *others = table.names
    labels = labels_of(table, first)
    named = [*labels.names, ""]
    named = [named[code] for code in labels.codes.tolist()]
    # "n" above a column is the size of each row, unless a row is called so, too.
    both = {*map(plain, named)} & {*map(plain, others)} - WORDS.total
    (rows, true, rows_true), (columns, predicted, columns_true) = (
        _side(names, _ASIDE - both) for names in (named, others)
    )
    keys = [*map(_key, true)], [*map(_key, predicted)]
    shared, most = len({*keys[0]} & {*keys[1]}), max(map(len, keys))
    twice = any(len({*side}) < len(side) for side in keys)
    if shared < 2 or most - shared > max(1, shared // 4) or twice:
        return None
    cells = _cells_of(table, columns, pa.array([named.index(name) for name in rows]))
    beside = {_ROWS_TRUE.get(name) for name in {*map(plain, others)} - both}
    told = {rows_true, None if columns_true is None else not columns_true, *beside}
    matrix = _Matrix(*_axes(corner, told), (true, predicted), cells)
    met = (cells * matrix.agreed).any() or (matrix.rows_true is not None and not matrix.shares)
    return matrix if met else None


def _axes(corner: str, told: set[_Told]) -> tuple[tuple[str, str], _Told]:
    r"""Return what rows and columns are called, and whether rows are the truth, if that is told.

    >>> _axes("True \\ Predicted", set()), _axes("Predicted", set()), _axes("species", {None})
    ((('True', 'Predicted'), True), (('Predicted', 'truth'), False), (('rows', 'columns'), None))
    >>> _axes("Predicted → / Actual ↓", {True})
    (('Actual', 'Predicted'), True)
    """
    parts = re.split(r"[\\/|]", corner)
    called = [part.strip(" \t→↓") for part in parts[:: -1 if "↓" in parts[-1] else 1]]
    means = [*map(_means_truth, called)]
    if means in ([True], [False], [True, False], [False, True]):
        told = {*told, means[0]}
    else:
        called = []
    if len(told - {None}) != 1:
        return _ASKED, None
    rows_true = True in told
    usual = ["truth", "prediction"][:: 1 if rows_true else -1]
    first, second = called + usual[len(called) :]
    return (first, second), rows_true


def _matrix_without_names(table: Table) -> _Matrix | None:
    """Return the matrix of whole numbers whose columns are called after classes, its rows not.

    The classes are then numbers or words for yes and no, or each class met itself most often.
    """
    top = [str(cells[0].as_py()) for cells in table.columns.values()] if table.n else []
    counts_up = sorted(top) in ([str(k + start) for k in range(len(top))] for start in (0, 1))
    if counts_up and any(one.code == "no-header" for one in table.notices):
        table = _below(table, top)
    if not 1 < table.n == len(table.names) <= _MOST_CLASSES:
        return None
    columns = [profile(table, name) for name in table.names]
    _, classes, _ = _side(table.names)
    spoken = any(speaks_of_prediction(name) or plain(name) in WORDS.truth for name in classes)
    counts = all(column.whole for column in columns) and any(column.high > 1 for column in columns)
    if spoken or not counts:
        return None
    found = _matrix(replace(table, columns={"": text(classes), **table.columns}))
    if found is None or found.cells[0].trace() * table.n <= found.cells.sum():
        return None  # no class meets itself more often than any other
    most = [found.cells[0].argmax(axis=axis).tolist() for axis in (0, 1)]
    likely = usual_positive(classes) if table.n == 2 else most == 2 * [[*range(table.n)]]
    return found if likely or all(map(is_number, classes)) else None


def _below(table: Table, names: Sequence[str], left: int = 0) -> Table:
    """Return the rows below the first, with other names of columns, some left out on the left."""
    below = [column.slice(1) for column in [*table.columns.values()][left:]]
    return table.cut(dict(zip(names, below, strict=True)))


def _cells_of(table: Table, names: Sequence[str], rows: pa.Array) -> Floats:
    """Return (1, rows, columns) numbers, blank cells 0; -1 where a column holds none."""
    cells = np.full((1, len(rows), len(names)), -1.0)
    for place, name in enumerate(names):
        with suppress(EvalError):
            numbers = as_numbers(table.columns[name].take(rows), name, table.source)
            values = np.nan_to_num(numbers.values, posinf=-1)
            cells[0, :, place] = values / 100 if numbers.percent else values
    return cells


def _side(names: Sequence[str], aside: Collection[str] = ()) -> tuple[list[str], list[str], _Told]:
    """Return the names of one side of a matrix, margins left aside, and the classes they are about.

    "pred_cat" is about "cat". The third value tells whether the names say that this side is the
    truth; None where they do not.
    """
    kept = [name for name in names if plain(name) not in aside]
    for header in _CLASS_HEADERS:
        found = [match for name in kept if (match := re.fullmatch(header, name.strip()))]
        told = {_means_truth(match["kind"]) for match in found}
        if len(found) == len(kept) and told in ({True}, {False}):
            return kept, [match["of"] for match in found], told.pop()
    return kept, [name.strip() for name in kept], None


def _key(name: str) -> str:
    return plain_number(name) if is_number(name) else name.casefold()


def _with_one_header(table: Table) -> tuple[str, Table]:
    r"""Return a matrix's corner, "actual\predicted", and the table with one header if it has two.

    The first of the two says "predicted" above the classes, or the second "actual" above the rows.
    """
    tops = [str(column[0].as_py() or "").strip() for column in table.columns.values()]
    first, *_ = table.names
    if tops[0] and not any(tops[1:]):
        return f"{tops[0]}\\{first}", _below(table, table.names)
    over = {_PLACE.sub("", name) for name in table.names if not _BLANK_HEADER.fullmatch(name)}
    said = {_means_truth(name) for name in over}
    start = next((k for k, top in enumerate(tops) if top and _means_truth(top) is None), 0)
    if len(over) != 1 or said == {None} or not start or not all(tops[start:]):
        return first, table
    beside = [str(c) for column in [*table.columns.values()][:start] for c in column.to_pylist()]
    usual = "predicted" if said == {True} else "actual"
    down = next((cell.strip() for cell in beside if _means_truth(cell) is not None), usual)
    return f"{down}\\{min(over)}", _below(table, ["", *tops[start:]], start - 1)


def _means_truth(name: str) -> _Told:
    """Return whether a name speaks of what is true (True) or of what is predicted (False)."""
    true = not _ACTUAL.isdisjoint((plain(name), *lowered(name)))
    predicted = not WORDS.prediction.isdisjoint(lowered(name))
    return true if true != predicted else None


COUNTS = Reason(
    "whole numbers named like a count; no two rows agree in all other columns", Confidence.LIKELY
)

_MOST_LEVELS = 50
"""Distinct labels beside counts; a column with more, or of scores, has to repeat its values."""


def with_counts(table: Table) -> Table:
    """Return the table with the hint that a column counts the examples each row stands for.

    Whole numbers that are called a count are one where no two rows are alike in all other columns,
    and these repeat their values: a table of counts has each combination once.
    """
    named = sorted(name for name in table.names if plain(name) in WORDS.count | WORDS.amount)
    whole = (column for name in named if (column := profile(table, name)).whole)
    # Numbers of the rows are no counts.
    may_be = (c.name for c in whole if c.low >= 0 and not (c.counting and c.low <= 1))
    counts = next(may_be, None)
    weighed = table.hints.weight is not None or any(plain(n) in WORDS.weight for n in table.names)
    if counts is None or weighed:
        return table
    beside = [profile(table, name) for name in table.names if name != counts]
    repeated = [column for column in beside if column.distinct < column.present]
    beside = repeated if len(repeated) > 1 else beside  # what tells every row apart is an id
    few = [bool(c.labels) and c.distinct <= _MOST_LEVELS and not c.continuous for c in beside]
    # A third more rows than scores: each score stands with both classes, or nearly so.
    repeat = [3 * column.distinct <= 2 * column.present for column in beside]
    grid = prod(column.distinct for column in beside) == table.n
    named_so = plain(counts) in WORDS.count
    # Beside a truth and predictions alone it is no feature: one score with both classes will do.
    others = [name for name in table.names if name != counts and plain(name) not in WORDS.id]
    alone = all(plain(name) in WORDS.truth or speaks_of_prediction(name) for name in others)
    bare = named_so and alone and len(repeated) > 1
    if len(beside) < 2 or not (bare or all(np.logical_or(few, repeat))):
        asked = named_so and len(beside) > 1 and alone
        said = notice("counts-unused/alone", column=counts)
        return with_notice(table, said) if asked else table
    if (grid or named_so) and _distinct([table.columns[column.name] for column in beside]):
        return replace(table, hints=replace(table.hints, weight=counts))
    unused = all(few) and named_so
    return with_notice(table, notice("counts-unused", column=counts)) if unused else table


def holds_counts(table: Table) -> bool:
    """Return whether rows stand for as many examples as a column of the file says."""
    return table.hints.weight is not None and table.source.tool is None


def without_total(table: Table) -> Table:
    """Leave out a last row that is called a total or a mean, and is one of the rows above."""
    called = table.columns[table.names[0]]
    last = called[-1].as_py() if table.n > 2 else None
    if not isinstance(last, str) or last.strip().lower().replace(" ", "_") not in WORDS.total:
        return table
    found = [_sums_up(table, name) for name in table.names[1:]]
    twice = pc.sum(pc.equal(called.cast(pa.string()), last)).as_py() > 1
    if twice or True not in found or False in found:
        return table
    columns = {name: column.slice(0, table.n - 1) for name, column in table.columns.items()}
    return with_notice(table.cut(columns), notice("total-row", rows=(table.n,), said=last.strip()))


def _sums_up(table: Table, name: str) -> bool | None:
    """Return whether a last cell is the sum or mean of the others; None if it is blank or an id."""
    column = table.columns[name]
    last = column[-1].as_py()
    if plain(name) in WORDS.id or last is None or str(last).strip().lower() in MISSING_WORDS:
        return None
    try:
        above = as_numbers(column.slice(0, table.n - 1), name, table.source).values
        total = as_numbers(column.slice(table.n - 1), name, table.source).values[0]
    except EvalError:
        return False
    above = above[np.isfinite(above)]
    totals = (above.sum(), above.mean()) if len(above) else ()
    return bool(np.isclose(total, totals, rtol=1e-3, atol=0.0051).any())


_MOST_CELLS = 2_000_000
"""Cells, or ids, among which repetitions are looked for, which takes about a second."""

_MANY = 0.05
"""Share of whole rows that repeat from which on it is reported: a few may do so by chance."""

_FEWEST_VALUES = 20
"""Distinct values that one column at least must have for equal rows to be suspicious."""


def repetitions(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that repeat; without an id, whole rows that do, if they are many."""
    if roles.id and table.n <= _MOST_CELLS:
        yield from _repeated_ids(table, roles)
    if not roles.id and table.n * len(table.columns) <= _MOST_CELLS:
        yield from _repeated_rows(table)


def _repeated_ids(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that stand in several rows: rows counted twice, or rows shared between folds."""
    ids = places_of(table.columns[roles.id or ""])
    known = ids >= 0
    if roles.model:  # the same id may stand for a row of each model
        ids = np.where(
            known, together([ids, labels_of(table, roles.model).codes.astype(np.int64)]), -1
        )
    counts = np.bincount(ids[known], minlength=1)
    repeated = known & (counts > 1)[ids]
    if repeated.any():
        folds = [labels_of(table, roles.fold).codes.astype(np.int64)] if roles.fold else []
        once = folds and len(np.unique(together([ids, *folds]))) == table.n
        key = "repeated-id/folds" if once else "repeated-id"
        yield notice(key, rows=repeated, column=roles.id, ids=int((counts > 1).sum()))


def _repeated_rows(table: Table) -> Iterator[Notice]:
    """Report rows that are the same in every cell as one before, if cells tell enough for that."""
    whole = np.zeros(table.n, np.int64)
    most = kinds = 0
    for column in table.columns.values():
        if pa.types.is_nested(column.type):
            return
        places = places_of(column)
        most = max(most, len(np.unique(places)))
        whole = together([whole, places])
        kinds = int(whole.max(initial=-1)) + 1
        if kinds == table.n:
            return
    # Scores that repeat because they are rounded are shared by rows that differ, too.
    if most >= max(_FEWEST_VALUES, kinds):
        again = np.ones(table.n, np.bool_)
        again[np.unique(whole, return_index=True)[1]] = False
        if again.sum() >= max(2, _MANY * table.n):
            yield notice("repeated-rows", rows=again, all=table.n)
