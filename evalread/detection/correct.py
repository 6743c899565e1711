"""Files that say of each item whether models were right: their roles, and the checked outcomes.

An item may be tried several times by a model (epochs, samples), in as many rows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice, Offer
from evalcore.outcomes import CorrectOutcomes, Floats, Rows
from evalcore.text import counted, have, listed
from evalread.columns import labels_of, numbers_of
from evalread.dataset import (
    CHOSEN,
    Choices,
    Confidence,
    Missing,
    ModelRoles,
    Reason,
    Roles,
    Table,
    Task,
)
from evalread.detection.layout import holds_counts
from evalread.detection.profile import (
    WORDS,
    Profile,
    lowered,
    plain,
    profiles,
    speaks_of_prediction,
    truth_word,
)
from evalread.detection.truth import proven
from evalread.rows import checked_weights, row_numbers

_PAIRS = (
    "1 0", "true false", "pass fail", "passed failed", "correct incorrect", "right wrong",
    "correct wrong", "success failure", "solved unsolved", "yes no", "y n", "c i",
)  # fmt: skip
_RIGHT, _WRONG = (frozenset(pair.split()[side] for pair in _PAIRS) for side in (0, 1))

_SURE = (
    "is_correct", "iscorrect", "correct", "correctness", "is_passed", "passed", "pass",
    "exact_match", "is_success", "success", "successful", "is_solved", "solved", "is_resolved",
    "resolved", "is_right",
)  # fmt: skip
"""Names that say right or wrong wherever items or models are named."""

_FAINT = ("acc", "accuracy", "em", "score", "result", "grade", "verdict", "status", "reward")
"""Names that say it only of models beside a named item."""

_ITEM_NAME = re.compile(
    rf"(?:{'|'.join(sorted(WORDS.item))})s?(?:_?(?:id|idx|index|name|no|nr|number))?"
    "|(?:sample|example|case)_?id"
)
_MODELS = WORDS.model | {"agent", "system", "llm", "solver", "participant"}

_MOST_MODELS, _MOST_CATEGORIES = 200, 50
"""More models are no list to compare, and more categories are ids."""

_BY_NAME = Reason("named like a mark for right or wrong, and holds two values", Confidence.SURE)
_BY_VALUES = Reason("holds right or wrong for each item, and no truth is named", Confidence.GUESS)
_OF_ITEM = Reason("names the items", Confidence.LIKELY)
_OF_MODEL = Reason("names the model of each row", Confidence.LIKELY)
_OF_GROUP = Reason("the same in all rows of an item, with few values", Confidence.LIKELY)

TASK_CODE = "no-right-or-wrong"


class _Mark(NamedTuple):
    """A column of right or wrong, and the model that its name tells."""

    column: str
    model: str
    sure: bool


def _mark(column: str) -> _Mark | None:
    """Return what a column's name says of right or wrong; None if nothing.

    >>> _mark("gpt_correct").model, _mark("passed").model, _mark("score_b").sure, _mark("age")
    ('gpt', '', False, None)
    """
    name = plain(column)
    for word in (*_SURE, *_FAINT):
        model = name.removeprefix(f"{word}_").removesuffix(f"_{word}")
        if model != name or name == word:
            return _Mark(column, "" if name == word else model, word in _SURE)
    return None


@dataclass(frozen=True, eq=False)
class _File:
    """A table, as the search for right and wrong looks at it."""

    table: Table
    columns: Mapping[str, Profile]
    known: Choices

    @cached_property
    def two_valued(self) -> list[str]:
        """The columns that hold right or wrong, and nothing else."""
        pairs = [frozenset(pair.split()) for pair in _PAIRS]
        labels = {
            name: {label.lower() for label in column.labels}
            for name, column in self.columns.items()
        }
        return [name for name, own in labels.items() if own and any(own <= two for two in pairs)]

    @cached_property
    def marks(self) -> list[_Mark]:
        """Those of them whose names say so."""
        return [mark for name in self.two_valued if (mark := _mark(name))]

    @cached_property
    def model(self) -> str | None:
        """The column that names the model of each row."""
        if self.known.model is not None:
            return self.known.model or None
        named = (name for name in self.columns if plain(name) in _MODELS)
        fit = (name for name in named if name not in self.two_valued)
        return next((n for n in fit if self.columns[n].distinct <= _MOST_MODELS), None)

    @cached_property
    def item(self) -> str | None:
        """The column that names the items: of those called so the one with the most values."""
        if self.known.id is not None:
            return self.known.id or None
        called = [name for name in self.columns if _ITEM_NAME.fullmatch(plain(name))]
        named = called or [n for n in self.columns if plain(n) in WORDS.id - WORDS.attempt]
        fit = [name for name in named if name not in (*self.two_valued, self.model)]
        return max(fit, key=lambda name: self.columns[name].distinct, default=None)

    @cached_property
    def names_items(self) -> bool:
        """Whether the items are called so, and not only by an id."""
        return self.item is not None and bool(_ITEM_NAME.fullmatch(plain(self.item)))

    @cached_property
    def group(self) -> str | None:
        """The column of the category of each item."""
        if self.known.group is not None:
            return self.known.group or None
        taken = {self.item, self.model, *self.two_valued}
        named = (n for n in self.columns if plain(n) in WORDS.category and n not in taken)
        return next((n for n in named if 1 < self.columns[n].distinct <= _MOST_CATEGORIES), None)

    @cached_property
    def tells_more(self) -> bool:
        """Whether a column beside the marks tells what was predicted, of a truth or of a mark."""
        marks = {mark.column for mark in self.marks}
        others = [c for n, c in self.columns.items() if n not in marks and n != self.model]
        # Free text that is asked for and answered is no class: nearly every item has another.
        items = self.columns[self.item].distinct if self.item else self.table.n
        said = [c for c in others if c.numeric or c.distinct * 2 <= min(items, c.present)]
        truth = any(c.plain in WORDS.sure_truth or truth_word(c.name) for c in said)
        names = {c.name for c in said}
        spoken = [name for name in names if speaks_of_prediction(name)]
        proof = proven(self.table) if spoken and not truth else None
        if spoken and (truth or (proof and proof.truth in names)):
            return True
        if not spoken:
            return False
        # "correct" beside a confidence is no outcome that was predicted, as "passed" may be.
        outcome = any("correct" not in plain(column) for column in marks)
        return outcome and not set(spoken) <= set(self.two_valued)


def _found(file: _File) -> dict[str, tuple[str, Reason]] | None:
    """Return model -> its column of right or wrong, and why; None where the file is another."""
    marks = [mark for mark in file.marks if mark.sure or file.names_items]
    sure = [mark for mark in marks if mark.sure] or marks
    if not sure and file.names_items and not file.model:
        return _bare(file)
    named = {mark.model: (mark.column, _BY_NAME) for mark in reversed(sure) if mark.model}
    if len(named) > 1 and not file.model:
        return dict(reversed(named.items()))
    if sure and (file.model or file.names_items):
        return {sure[0].model: (sure[0].column, _BY_NAME)}
    return None


def _bare(file: _File) -> dict[str, tuple[str, Reason]] | None:
    """Return the columns of models that only their values tell, beside named items."""
    beside = {file.item, file.group}
    others = [n for n in file.columns if n not in beside and plain(n) not in WORDS.attempt]
    words = {word for name in others for word in lowered(name)}
    another = any(plain(name) in WORDS.truth for name in others) or words & WORDS.opinion
    if len(others) < 2 or another or set(others) - set(file.two_valued):
        return None
    return {name: (name, _BY_VALUES) for name in others}


def correct_roles(table: Table, columns: Mapping[str, Profile], known: Choices) -> Roles | None:
    """Return the roles in a file of right and wrong per item; None for any other file.

    Raises:
        EvalError: "no-right-or-wrong" where it is chosen to be one, and no column holds that.
    """
    file = _File(table, columns, known)
    if known.correct:
        found = {name: (column, _given(table, column)) for name, column in known.correct.items()}
    elif known.task is Task.CORRECT:
        found = _found(file) or _all(file)
    elif _asked_otherwise(known) or file.tells_more or (holds_counts(table) and not file.model):
        return None
    else:
        found = _found(file) or {}
    if not found:
        return None
    unnamed, model = table.source.tool or "model", file.model
    models = {name or unnamed: ModelRoles(correct=c) for name, (c, _) in found.items()}
    if model is not None:
        models = of_each_model(models, labels_of(table, model).names)
    beside = {file.item: _OF_ITEM, file.group: _OF_GROUP, model: _OF_MODEL}
    chosen = (known.id, known.group, known.model, known.fold, known.weight)
    return Roles(
        task=Task.CORRECT,
        truth="",
        models=models,
        fold=known.fold or None,
        weight=known.weight or None,
        group=file.group,
        id=file.item,
        model=model,
        missing=known.missing,
        weight_kind=known.weight_kind,
        independent_rows=known.independent_rows,
        reasons={
            **dict(found.values()),
            **{name: reason for name, reason in beside.items() if name},
            **{column: _given(table, column) for column in chosen if column},
        },
    )


def of_each_model(models: Mapping[str, ModelRoles], names: Sequence[str]) -> dict[str, ModelRoles]:
    """Return the columns of each model that a column names; of several, each has its own name."""
    single = len(models) == 1
    return {
        value if single else f"{value} {name}": replace(columns, of=value)
        for value in names
        for name, columns in models.items()
    }


def _given(table: Table, column: str) -> Reason:
    """Return why a column has its role that the user, or the tool, says."""
    hints, tool = table.hints, table.source.tool
    by_tool = tool and column in (*(hints.correct or {}).values(), hints.id, hints.model)
    return Reason(f"as {tool} writes it", Confidence.SURE) if by_tool else CHOSEN


def marked_by_model(table: Table, known: Choices) -> bool:
    """Tell whether a column names the model of each row, and another says if it was right."""
    roles = correct_roles(table, profiles(table), known) if known.model != "" else None
    return roles is not None and roles.model is not None


def _asked_otherwise(known: Choices) -> bool:
    roles = (known.task, known.truth, known.labels, known.scores, known.predictions)
    return any((*roles, known.probabilities, known.clusterings, known.features, known.fold_scores))


def _all(file: _File) -> dict[str, tuple[str, Reason]]:
    """Return every column of right or wrong, where the file is chosen to hold that."""
    found = [name for name in file.two_valued if name not in (file.item, file.model, file.group)]
    if not found:
        raise EvalError(
            TASK_CODE,
            "No column says right or wrong of each item, such as 1 and 0, or pass and fail. The "
            f"columns are: {listed(file.table.names)}. Choose it (--correct [MODEL=]COL).",
        )
    return {name: (name, _BY_VALUES) for name in found}


@dataclass(frozen=True, eq=False)
class _Items:
    """The items of a file: (n,) which one a row is about, -1 for none, and the first row of each.

    Items are in the order of their first rows.
    """

    of_row: Rows
    first: Rows

    @classmethod
    def of(cls, table: Table, column: str | None) -> "_Items":
        """Return the items that a column names; without one each row is an item."""
        if column is None:
            return cls(np.arange(table.n), np.arange(table.n))
        codes = labels_of(table, column).codes.astype(np.int64)
        rows = np.flatnonzero(codes >= 0)
        _, first, which = np.unique(codes[rows], return_index=True, return_inverse=True)
        order = np.argsort(first)
        of_row = np.full(table.n, -1)
        of_row[rows] = np.argsort(order)[which]
        return cls(of_row, rows[first[order]])


def bind_correct(table: Table, roles: Roles) -> tuple[dict[str, CorrectOutcomes], list[Notice]]:
    """Return the checked outcomes of each model, with notices.

    Raises:
        EvalError: A column holds something else than right and wrong, or no item is left.
    """
    items = _Items.of(table, roles.id)
    weight = (
        checked_weights(numbers_of(table, roles.weight), roles.weight) if roles.weight else None
    )
    bound, notices = {}, [*_about(table, roles, items)]
    for name, model in roles.models.items():
        bound[name] = _bound(table, roles, model, items, weight)
        notices += _blank(table, roles, name)
    return bound, notices


def _bound(
    table: Table, roles: Roles, model: ModelRoles, items: _Items, weight: Floats | None
) -> CorrectOutcomes:
    right = _right(table, model.correct or "")
    known = _own_rows(table, roles, model) & (items.of_row >= 0)
    if roles.missing is Missing.WRONG:
        right = np.nan_to_num(right)
    places = np.flatnonzero(known & np.isfinite(right))
    count, which = len(items.first), items.of_row[places]
    tries = np.bincount(which, minlength=count).astype(np.float64)
    total: Floats = np.bincount(which, right[places], count).astype(np.float64)
    kept = tries > 0 if weight is None else (tries > 0) & (weight[items.first] > 0)
    if not kept.any():
        raise EvalError(
            "no-rows", f'No item has right or wrong in column "{model.correct}".',
            column=model.correct,
        )  # fmt: skip
    whole = count == table.n and bool(kept.all())
    return CorrectOutcomes(
        right=total[kept],
        tries=tries[kept] if tries.max() > 1 else None,
        weight=None if weight is None else weight[items.first][kept],
        rows=None if whole else items.first[kept] + 1,
    )


def _own_rows(table: Table, roles: Roles, model: ModelRoles) -> NDArray[np.bool_]:
    if roles.model is None or model.of is None:
        return np.ones(table.n, bool)
    names = labels_of(table, roles.model)
    return np.equal(names.codes, names.names.index(model.of))


def _right(table: Table, column: str) -> Floats:
    """Return (n,) 1 where a column says right and 0 where wrong; NaN where the cell is missing."""
    labels = labels_of(table, column)
    values = np.full(len(labels.names) + 1, np.nan)
    strange = []
    for place, name in enumerate(labels.names):
        word = _plain(name)
        if word in _RIGHT or word in _WRONG:
            values[place] = float(word in _RIGHT)
        elif word not in ("", "nan", "none", "null", "na", "n/a"):
            strange.append(name)
    if strange:
        raise EvalError(
            TASK_CODE,
            f'"{column}" holds {listed(strange, 4)}, which is neither right nor wrong. A mark is '
            "1 or 0, true or false, pass or fail, correct or incorrect, yes or no.",
            rows=row_numbers(np.isin(labels.codes, [labels.names.index(n) for n in strange])),
            column=column,
        )
    marked: Floats = values[labels.codes]
    return marked


def _plain(name: str) -> str:
    """Return a mark in small letters, a number without decimals: "1.0" as "1"."""
    return re.sub(r"(?<=^[01])\.0*$", "", name.strip().lower())


def _about(table: Table, roles: Roles, items: _Items) -> Iterator[Notice]:
    """Say that the reading is a guess, and how often items were tried."""
    guessed = [
        model.correct
        for model in roles.models.values()
        if model.correct and roles.reasons[model.correct] is _BY_VALUES
    ]
    if guessed:
        yield Notice(
            "right-or-wrong",
            f"No truth is named, so that {listed(guessed, 4)} were taken to say right (1) or wrong "
            "(0) of each item. If one of them is the truth, choose it (--truth COL).",
            "warning",
            column=guessed[0],
            offers=tuple(Offer(f'The truth is "{name}"', "truth", name) for name in guessed[:4]),
        )
    first = next(iter(roles.models.values()))
    rows = _own_rows(table, roles, first) & (items.of_row >= 0)
    tries = np.bincount(items.of_row[rows], minlength=len(items.first))
    if tries.max(initial=0) > 1:
        yield Notice(
            "tries",
            f'{counted(len(items.first), "item")} (column "{roles.id}") were tried up to '
            f"{tries.max()} times each by a model. Items are the unit: each counts by the share of "
            "its tries that were right.",
            column=roles.id,
        )


def _blank(table: Table, roles: Roles, name: str) -> Iterator[Notice]:
    """Say how many cells of a model are blank, and what becomes of them."""
    model = roles.models[name]
    column = model.correct or ""
    blank = np.isnan(_right(table, column)) & _own_rows(table, roles, model)
    if not blank.any():
        return
    wrong = roles.missing is Missing.WRONG
    count = int(blank.sum())
    of_model = f' of "{name}"' if len(roles.models) > 1 else ""
    offers = (
        Offer("Leave them out", "missing", Missing.LEFT_OUT.value)
        if wrong
        else Offer("Count them as wrong", "missing", Missing.WRONG.value)
    )
    yield Notice(
        "no-answer",
        f"{counted(count, 'try' if count == 1 else 'tries')}{of_model} {have(count)} neither right "
        f"nor wrong; they {'count as wrong' if wrong else 'are left out'}.",
        "info" if wrong or roles.missing else "warning",
        rows=row_numbers(blank),
        column=column,
        offers=(offers,),
    )
