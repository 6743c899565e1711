"""Tables of several models: a row per model and example, or models with rows of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.errors import EvalError, Offer
from evalcore.outcomes import Codes, Rows
from evalcore.work import once
from evalread.columns import Labels, as_labels, numbers_of, places_of
from evalread.dataset import Choices, Table
from evalread.detection.correct import marked_by_model
from evalread.detection.layout import holds_counts, together
from evalread.detection.predictions import no_such_column
from evalread.detection.profile import WORDS, plain, profile, profiles, speaks_of_prediction
from evalread.joining import Member, OtherTruthError, join
from evalread.notices import notice, refusal
from evalread.rewriting import overlay, with_columns, with_notice

OTHER_ROWS = ("no-key", "duplicate-id", "no-match", "truth-differs")
"""Codes of why tables cannot be matched: perhaps they are about other rows."""


def apart(table: Table, column: str, undo: Offer) -> Table:
    """Return a long table whose models share no rows; `undo` takes all for one model."""
    hints = replace(table.hints, model=column, own_rows=True)
    key = "own-rows/counts" if holds_counts(table) else "own-rows"
    return with_notice(replace(table, hints=hints), notice(key, column=column, offers=[undo]))


def asking(table: Table, column: str, problem: EvalError, undo: Offer) -> Table:
    """Return a long table with the question whether models share rows, for what is a problem."""
    own = Offer("Each model has its own rows", "own_rows", "yes")
    question = EvalError(
        problem.code,
        f"{problem.message} Choose whether each model has its own rows, or "
        f'{undo.label[:1].lower()}{undo.label[1:]} (--model "").',
        rows=problem.rows,
        column=problem.column,
        offers=(own, undo),
    )
    hints = replace(table.hints, model=column)
    return replace(table, hints=hints, question=question)


def held(places: Rows, owners: Codes) -> Rows:
    """Return the (k, m + 2) counts of how often each of k owners holds each of the m + 1 places.

    Place -1, a missing cell, comes first; rows without an owner, -1, are left out.

    >>> held(np.array([0, 1, 0, -1]), np.array([0, 0, 1, 1])).tolist()
    [[0, 1, 1], [1, 1, 0]]
    """
    size, many = int(places.max(initial=-1)) + 2, int(owners.max(initial=-1)) + 1
    known = owners >= 0
    cells = owners[known].astype(np.int64) * size + places[known] + 1
    counts: Rows = np.bincount(cells, minlength=many * size).reshape(many, size)
    return counts


def same_values(counts: Rows) -> bool:
    """Return whether all owners hold the same values as often, in whatever order; see `held`."""
    return len(counts) > 0 and bool((counts == counts[0]).all())


MOST_MODELS = 200
"""Models that are compared: all pairs of them are 19,900 comparisons."""

_MOST_OWN = 20
"""Models with rows of their own; a column of more names is about the rows, such as cars."""

_FEWEST_OWN = 10
"""Rows of each of them: with fewer no test keeps its level."""

_MOST_PAIRS = 2_000
"""Columns of models and of ids that are tried with each other; wider tables hold features."""

_MOST_KEYS = 50
"""Columns that may tell examples apart together; a table with more is one of features."""


def widen(
    table: Table, choices: Choices, find_truth: Callable[[Table], str | None] = lambda _: None
) -> Table:
    """Turn a long table into a wide one, if a column names the model of each row.

    Where no model was tested on the rows of another, the table stays long and its hints say so;
    where that is open, it holds the question. `find_truth` returns the column of the truth in a
    table where none is called so.

    Raises:
        EvalError: The chosen model column cannot be used; see `join`.
    """
    known = overlay(choices, table.hints)
    named = (name for name in table.names if plain(name) in WORDS.model)
    column = next(named, None) if known.model is None else known.model
    if column is None:
        return _asking_what_repeats(table, _called_truth(table, known))
    if not column or table.names == (column,):
        return table
    if not table.hints.correct and marked_by_model(table, known):
        return table
    if column not in table.columns:
        raise no_such_column(column, table.names, ", which would name the model of each row")
    looks = profile(table, column)
    others = (profile(table, name) for name in table.names if name != column)
    predicts = looks.distinct > 1 and any(looks.holds_only(other.labels) for other in others)
    if not known.model and (looks.lists or predicts or looks.distinct > MOST_MODELS):
        return table
    models = as_labels(table.columns[column], column)
    if 1 < len(models.names) <= MOST_MODELS:
        truth = _called_truth(table, known) or find_truth(with_columns(table, {}, drop=[column]))
        found = truth is not None or known.model
        return _by_model(_Long(table, column, models, truth), known) if found else table
    if not known.model:
        return table
    raise refusal("bad-model-column", column=column, models=len(models.names), most=MOST_MODELS)


def _asking_what_repeats(table: Table, truth: str | None) -> Table:
    """Return the table, with a question where each id has a row, and one truth, of each word."""
    rows = WORDS.fold | WORDS.repeat | WORDS.unit | WORDS.group | WORDS.attempt | WORDS.id
    free = [n for n in table.names if plain(n) not in rows and not speaks_of_prediction(n)]
    if not truth:
        return table
    columns = profiles(table)
    looks, known = [columns[name] for name in free], columns[truth].labels
    fit = [c for c in looks if 1 < c.distinct <= _MOST_OWN and not (c.numeric or c.moment)]
    fit = [column for column in fit if column.labels - known]
    if not 0 < len(fit) * len(_named_ids(table)) <= _MOST_PAIRS:
        return table
    for name in (column.name for column in fit):
        long = _Long(table, name, as_labels(table.columns[name], name), truth)
        for key in (key for key in long.ids if long.once(key) and same_values(long.counts(key))):
            told = [places_of(table.columns[column]) for column in (key, truth)]
            if together(told).max() == told[0].max():
                offers = [Offer(f'"{name}" names the models', "model", name)]
                asked = refusal("ambiguous/repeats", column=name, id=key, offers=offers)
                return replace(table, question=asked)
    return table


def _called_truth(table: Table, known: Choices) -> str | None:
    """Return the column of the truth: chosen, or with the surest name."""
    if known.truth in table.columns:
        return known.truth
    surest = WORDS.in_order["truth"]
    named = [name for name in table.names if plain(name) in WORDS.truth]
    return min(named, key=lambda name: surest.index(plain(name)), default=None)


@once
def _named_ids(table: Table) -> Sequence[str]:
    """Return the columns called like an id, and not like a fold."""
    named = [n for n in table.names if plain(n) in WORDS.id or plain(n).endswith("_id")]
    return [name for name in named if plain(name) not in WORDS.fold]


@dataclass(frozen=True, eq=False)
class _Long:
    """A table, the column that names the model of each row, and the column of the truth."""

    table: Table
    column: str
    models: Labels
    truth: str | None

    @property
    def ids(self) -> list[str]:
        """The columns named like an id, but folds and numbers of the file's rows."""
        own = [name for name in _named_ids(self.table) if name != self.column]
        return [name for name in own if not self.numbers_rows(name)]

    @property
    def named(self) -> Table:
        """The table, with a notice on rows that name no model."""
        blank = self.models.codes < 0
        if not blank.any():
            return self.table
        return with_notice(self.table, notice("missing-model", rows=blank, column=self.column))

    @cached_property
    def rows(self) -> list[Rows]:
        """The places of the rows of each model."""
        return [np.flatnonzero(self.models.codes == code) for code in range(len(self.models.names))]

    def counts(self, name: str) -> Rows:
        """Return how often each model holds each cell of a column; see `held`."""
        return held(places_of(self.table.columns[name]), self.models.codes)

    def once(self, name: str) -> bool:
        """Return whether no model has a value of a column twice."""
        return int(self.counts(name).max()) < 2

    def shared(self, name: str) -> bool:
        """Return whether two models have a value of a column in common."""
        return int((self.counts(name) > 0).sum(axis=0).max()) > 1

    @cached_property
    def same_truths(self) -> bool:
        """Whether all models have the same truths, in whatever order."""
        return self.truth is not None and same_values(self.counts(self.truth))

    def in_order(self, name: str) -> bool:
        """Return whether all models have the same values in a column, row for row."""
        places = places_of(self.table.columns[name])
        return all(np.array_equal(places[self.rows[0]], places[rows]) for rows in self.rows)

    def numbers_rows(self, name: str, *, of_each: bool = False) -> bool:
        """Return whether a column only numbers all rows, or those of each model, in any order."""
        if not profile(self.table, name).whole:
            return False
        try:
            values = numbers_of(self.table, name).values
        except EvalError:
            return False
        blocks = [values[rows] for rows in self.rows] if of_each else [values]
        return all(np.array_equal(np.sort(own), np.arange(len(own)) + own.min()) for own in blocks)


def _by_model(long: _Long, known: Choices) -> Table:
    """Return the wide table of models on the same examples, else the long one with what it is."""
    table, column = long.named, long.column
    undo = Offer(f'"{column}" describes the rows', "model", "")
    if known.own_rows or holds_counts(table):
        return apart(table, column, undo)
    ids = [known.id] if known.id else long.ids
    matching = (n for n in ids if n not in table.columns or (long.once(n) and long.shared(n)))
    key = next(matching, None) or (known.id if known.id and long.shared(known.id) else None)
    unlike = not key and any(long.once(name) and not long.shared(name) for name in ids)
    try:
        if key or (not ids and long.truth and long.in_order(long.truth)):
            return _wide(long, key)
        if several := [] if unlike else _key_of_several(long):
            key = f"{' and '.join(several)} together"
            keyed = with_columns(long.table, {key: joined_cells(table, several, between="\x1f")})
            return with_columns(_wide(replace(long, table=keyed), key), {}, drop=[key])
    except OtherTruthError as problem:
        numbered = problem.key is None or long.numbers_rows(problem.key, of_each=True)
        if problem.alike or not numbered or long.same_truths:
            return asking(table, column, problem, undo)
    enough = all(len(rows) >= _FEWEST_OWN for rows in long.rows)
    if not (known.model or (enough and len(long.rows) <= _MOST_OWN)):
        return _left_long(long)
    if not unlike and (
        long.same_truths
        or any(long.shared(n) for n in ids if not long.numbers_rows(n, of_each=True))
    ):
        unsure = refusal("ambiguous/models", column=column, models=len(long.rows))
        return asking(table, column, unsure, undo)
    return apart(table, column, undo)


def _wide(long: _Long, key: str | None) -> Table:
    """Return the table with a row per example, matched by a key or by their order."""
    table, column, names = long.named, long.column, long.models.names
    left = [column] if key else [column, *(n for n in table.names if long.numbers_rows(n))]
    members = []
    for name, rows in zip(names, long.rows, strict=True):
        cells = {n: c.take(pa.array(rows)) for n, c in table.columns.items() if n not in left}
        own = table.cut(cells)
        members.append(Member(name, replace(own, source=replace(own.source, name=name))))
    wide = join(members, key)
    kept = [one for one in wide.notices if one.code != "matched-by-position"]
    notices = (*kept, notice("long", column=column, models=len(names)))
    return replace(wide, source=replace(wide.source, name=table.source.name), notices=notices)


def _key_of_several(long: _Long) -> list[str]:
    """Return columns that hold the same for every model and together tell its rows apart."""
    if len(long.table.names) > _MOST_KEYS or len({len(rows) for rows in long.rows}) > 1:
        return []
    found: list[str] = []
    so_far = np.zeros(long.table.n, np.int64)
    for name in (n for n in long.table.names if n != long.column and not speaks_of_prediction(n)):
        if not same_values(long.counts(name)):
            continue
        finer = together([so_far, places_of(long.table.columns[name])])
        if finer.max() > so_far.max():
            found.append(name)
            so_far = finer
        counts = held(so_far, long.models.codes)
        if counts.max() < 2:
            return found if same_values(counts) else []
    return []


def _left_long(long: _Long) -> Table:
    """Return the table as it is, with the offer to take the column for that of the models."""
    if len(long.models.names) > _MOST_OWN:
        return long.table
    models = len(long.models.names)
    said = notice("model-column", column=long.column, models=models, fewest=_FEWEST_OWN)
    return with_notice(long.table, said)


def with_one_model_column(table: Table, said: Sequence[str]) -> Table:
    """Return the table with columns that together name a model as one, "A and B".

    Each text is a column, or several with commas between.
    """
    parts = ([one] if one in table.columns else map(str.strip, one.split(",")) for one in said)
    several = [*filter(None, chain.from_iterable(parts))]
    for name in several:
        if name not in table.columns:
            raise no_such_column(name, table.names)
    if not several:
        return table
    model = " and ".join(several)
    joined = {model: joined_cells(table, several, between=" ")}
    named = with_columns(table, joined, drop=several)
    return replace(named, hints=replace(table.hints, model=model))


def settings_as_models(
    table: Table, settings: Sequence[str], rows: Sequence[str], shown: Callable[[str], str]
) -> Table:
    """Make each of several stacked settings of one method a model of its own.

    Args:
        table: The stacked table.
        settings: Columns that tell the settings apart.
        rows: Columns that together tell the examples of one setting apart.
        shown: How a setting's column is called in the model's name.
    """
    # A column of row names tells all rows apart, and no settings.
    most = min(MOST_MODELS, table.n - 1)
    several = [name for name in settings if 1 < len(table.columns[name].unique()) <= most]
    if not several or not rows:
        return table
    model, key = " and ".join(several), " and ".join(rows)
    named = {model: joined_cells(table, several, shown, between=", ")}
    keys = {} if key in table.columns else {key: joined_cells(table, rows, between=" ")}
    with_models = with_columns(table, {**named, **keys}, drop=several)
    return replace(with_models, hints=Choices(model=model, id=key))


def joined_cells(
    table: Table,
    names: Sequence[str],
    shown: Callable[[str], str] = lambda _: "",
    *,
    between: str,
) -> pa.ChunkedArray:
    """Write the cells of several columns one after the other, each after how it is called."""
    parts = [
        pc.binary_join_element_wise(
            shown(name), pc.fill_null(table.columns[name].cast(pa.string()), ""), ""
        )
        for name in names
    ]
    return pc.binary_join_element_wise(*parts, between) if len(parts) > 1 else parts[0]
