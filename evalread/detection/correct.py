"""Files that say of each item whether models were right: their roles, and the checked outcomes.

An item may be tried several times by a model (epochs, samples), in as many rows. What a column of
right and wrong, or of errors, proves about a truth and its prediction beside it stands below.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from evalcore.errors import Notice
from evalcore.outcomes import CorrectOutcomes, Floats, Rows
from evalcore.work import once
from evalread.columns import (
    MISSING_WORDS,
    Labels,
    as_labels,
    as_numbers,
    labels_in,
    labels_of,
    numbers_of,
    same_labels,
)
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
from evalread.detection.predictions import no_such_column
from evalread.detection.profile import (
    WORDS,
    Profile,
    View,
    lowered,
    plain,
    profiles,
    sample,
    speaks_of_prediction,
    truth_word,
)
from evalread.notices import Mask, as_role, notice, refusal
from evalread.rewriting import PREDICTIONS, carried_along

_PAIRS = (
    "1 0", "true false", "pass fail", "passed failed", "correct incorrect", "right wrong",
    "correct wrong", "success failure", "solved unsolved", "yes no", "y n", "c i",
)  # fmt: skip
_RIGHT, _WRONG = (frozenset(pair.split()[side] for pair in _PAIRS) for side in (0, 1))

_ITEM_NAME = re.compile(
    rf"(?:{'|'.join(sorted(WORDS.item))})s?(?:_?(?:id|idx|index|name|no|nr|number))?"
    "|(?:sample|example|case)_?id"
)

_MOST_MODELS, _MOST_CATEGORIES = 200, 50
"""More models are no list to compare, and more categories are ids."""

_BY_NAME = Reason("named like right or wrong, and holds two values", Confidence.SURE)
_BY_VALUES = Reason("holds right or wrong for each item, and no truth is named", Confidence.GUESS)
_OF_ITEM = Reason("names the items", Confidence.LIKELY)
_OF_MODEL = Reason("names the model of each row", Confidence.LIKELY)
_OF_GROUP = Reason("the same in all rows of an item, with few distinct values", Confidence.LIKELY)


def _marked(column: str, words: Iterable[str]) -> str | None:
    """Return the model of which a column's name says right or wrong; None where it says nothing.

    >>> [_marked(name, ["correct"]) for name in ("gpt_correct", "correct", "age")]
    ['gpt', '', None]
    """
    name = plain(column)
    for word in words:
        model = name.removeprefix(f"{word}_").removesuffix(f"_{word}")
        if model != name or name == word:
            return "" if name == word else model
    return None


@dataclass(frozen=True, eq=False)
class _File(View):
    """A table, as the search for right and wrong looks at it."""

    @cached_property
    def two_valued(self) -> list[str]:
        """The columns that hold right or wrong, and nothing else."""
        pairs = [frozenset(pair.split()) for pair in _PAIRS]
        lower = {n: {label.lower() for label in c.labels} for n, c in self.columns.items()}
        return [name for name, own in lower.items() if own and any(own <= two for two in pairs)]

    def marks(self, use: str) -> list[tuple[str, str]]:
        """Return those of them whose names say so by a word of this use, and their models."""
        words = WORDS.in_order[use]
        found = ((name, _marked(name, words)) for name in self.two_valued)
        return [(name, model) for name, model in found if model is not None]

    @cached_property
    def model(self) -> str | None:
        """The column that names the model of each row."""
        few = (c for c in self.columns.values() if c.distinct <= _MOST_MODELS)
        named = (c.name for c in few if c.plain in WORDS.model | WORDS.solver)
        return self.role("model", (name for name in named if name not in self.two_valued))

    @cached_property
    def item(self) -> str | None:
        """The column that names the items: of those called so the one with the most values."""
        taken = {self.model, *self.two_valued}
        fit = [c for n, c in self.columns.items() if n not in taken]
        called = [column for column in fit if _ITEM_NAME.fullmatch(column.plain)]
        named = called or [column for column in fit if column.plain in WORDS.id - WORDS.attempt]
        return self.role("id", (c.name for c in sorted(named, key=lambda c: -c.distinct)))

    @cached_property
    def names_items(self) -> bool:
        """Whether the items are called so, and not only by an id."""
        return self.item is not None and bool(_ITEM_NAME.fullmatch(plain(self.item)))

    @cached_property
    def group(self) -> str | None:
        """The column of the category of each item."""
        few = (c for c in self.columns.values() if 1 < c.distinct <= _MOST_CATEGORIES)
        named = (c.name for c in few if c.plain in WORDS.category)
        taken = {self.item, self.model, *self.two_valued}
        return self.role("group", (name for name in named if name not in taken))

    @cached_property
    def tells_more(self) -> bool:
        """Whether a column beside the marks tells what was predicted, of a truth or of a mark."""
        marks = {name for use in ("marked", "graded") for name, _ in self.marks(use)}
        others = [c for n, c in self.columns.items() if n not in marks and n != self.model]
        # Free text that is asked for and answered is no class: nearly every item has another.
        items = self.columns[self.item].distinct if self.item else self.table.n
        said = [c for c in others if c.numeric or c.distinct * 2 <= min(items, c.present)]
        spoken = {column.name for column in said if speaks_of_prediction(column.name)}
        if not spoken or any(c.plain in WORDS.sure_truth or truth_word(c.name) for c in said):
            return bool(spoken)
        # "correct" beside a confidence is no outcome that was predicted, as "passed" may be.
        outcome = any("correct" not in plain(name) for name in marks)
        proof = proven(self.table)
        proved = proof is not None and proof.truth in {column.name for column in said}
        return proved or (outcome and not spoken <= set(self.two_valued))

    def found(self) -> tuple[Mapping[str, str], Reason]:
        """Return model -> its column of right or wrong, and why; none where the file is another."""
        sure = self.marks("marked") or (self.marks("graded") if self.names_items else [])
        if not sure and self.names_items and not self.model:
            return self._bare(), _BY_VALUES
        named = {model: name for name, model in reversed(sure) if model}
        if len(named) > 1 and not self.model:
            return dict(reversed(named.items())), _BY_NAME
        first = sure[:1] if self.model or self.names_items else []
        return {model: name for name, model in first}, _BY_NAME

    def _bare(self) -> Mapping[str, str]:
        """Return the columns of models that only their values tell, beside named items."""
        beside = {self.item, self.group}
        others = [n for n in self.columns if n not in beside and plain(n) not in WORDS.attempt]
        opinions = any(WORDS.opinion.intersection(lowered(name)) for name in others)
        another = opinions or any(plain(name) in WORDS.truth for name in others)
        fit = len(others) > 1 and not another and {*others} <= {*self.two_valued}
        return {name: name for name in others} if fit else {}

    def all(self) -> tuple[Mapping[str, str], Reason]:
        """Return every column of right or wrong, where the file is chosen to hold that.

        Raises:
            EvalError: "no-right-or-wrong": no column holds that.
        """
        beside = (self.item, self.model, self.group)
        if found := {name: name for name in self.two_valued if name not in beside}:
            return found, _BY_VALUES
        raise refusal("no-right-or-wrong", names=self.table.names)


def correct_roles(table: Table, known: Choices) -> Roles | None:
    """Return the roles in a file of right and wrong per item; None for any other file.

    Raises:
        EvalError: "no-right-or-wrong" where it is chosen to be one, and no column holds that.
    """
    file = _File(table, known)
    if not known.correct and known.task is not Task.CORRECT:
        counts = holds_counts(table) and not file.model
        if known.task or known.truth or any(getattr(known, role) for role in PREDICTIONS):
            return None
        if file.tells_more or counts:
            return None
    found, reason = (known.correct, CHOSEN) if known.correct else file.found()
    if not found and known.task is Task.CORRECT:
        found, reason = file.all()
    if not found:
        return None
    models = {
        name or table.source.tool or "model": ModelRoles(correct=c) for name, c in found.items()
    }
    if file.model is not None:
        if file.model not in table.columns:
            raise no_such_column(file.model, table.names)
        models = of_each_model(models, labels_of(table, file.model).names)
    reasons = dict.fromkeys(found.values(), reason)
    reasons |= {file.item or "": _OF_ITEM, file.group or "": _OF_GROUP, file.model or "": _OF_MODEL}
    beside = (known.id, known.group, known.model, known.fold, known.weight, known.date)
    for chosen in (*(known.correct or {}).values(), *beside):
        reasons[chosen or ""] = _given(table, chosen)
    return Roles(
        task=Task.CORRECT,
        truth="",
        models=models,
        fold=known.fold or None,
        weight=known.weight or None,
        group=file.group,
        id=file.item,
        model=file.model,
        **carried_along(known),
        reasons={column: why for column, why in reasons.items() if column},
    )


def _given(table: Table, column: str | None) -> Reason:
    """Return why a column has its role that the user, or the tool, says."""
    hints, tool = table.hints, table.source.tool
    by_tool = tool and column in (*(hints.correct or {}).values(), hints.id, hints.model)
    return Reason(f"as {tool} writes it", Confidence.SURE) if by_tool else CHOSEN


def of_each_model(models: Mapping[str, ModelRoles], names: Sequence[str]) -> dict[str, ModelRoles]:
    """Return the columns of each model that a column names; of several, each has its own name."""
    single = len(models) == 1
    return {
        value if single else f"{value} {name}": replace(columns, of=value)
        for value in names
        for name, columns in models.items()
    }


def rows_of(table: Table, roles: Roles, model: str) -> Mask | None:
    """Return (n,) True for the rows of a model, where a column names the model of each row."""
    if roles.model is None:
        return None
    names = labels_of(table, roles.model)
    own: Mask = names.codes == names.names.index(roles.models[model].of)
    return own


def marked_by_model(table: Table, known: Choices) -> bool:
    """Return whether a column names the model of each row, and another says if it was right."""
    roles = correct_roles(table, known) if known.model != "" else None
    return roles is not None and roles.model is not None


def bind_correct(table: Table, roles: Roles) -> tuple[dict[str, CorrectOutcomes], list[Notice]]:
    """Return the checked outcomes of each model, with notices.

    Raises:
        EvalError: A column holds something else than right and wrong, or no item is left.
    """
    # Without a column that names the items each row is one.
    items = labels_of(table, roles.id).codes if roles.id else np.arange(table.n)
    _, first, item = np.unique(items[items >= 0], return_index=True, return_inverse=True)
    first = np.flatnonzero(items >= 0)[first]
    of_row = np.full(table.n, -1)
    of_row[items >= 0] = item
    weight = None
    if roles.weight:
        weight = numbers_of(table, roles.weight).weights(roles.weight)[first]
    columns = [model.correct for model in roles.models.values() if model.correct]
    guessed = [column for column in columns if roles.reasons[column] is _BY_VALUES]
    bound: dict[str, CorrectOutcomes] = {}
    notices, most = [], 0
    if guessed:
        offers = as_role(guessed[:4], "the truth", "truth")
        notices.append(notice("right-or-wrong", column=guessed[0], names=guessed, offers=offers))
    read = labels_in(table, [model.correct or "" for model in roles.models.values()])
    for (name, model), labels in zip(roles.models.items(), read, strict=True):
        column = model.correct or ""
        right, own = _right(labels, column), of_row >= 0
        if (of_model := rows_of(table, roles, name)) is not None:
            own &= of_model
        blank = np.isnan(right) & own
        if blank.any():
            key = "/wrong" if roles.missing is Missing.WRONG else "/chosen" if roles.missing else ""
            of = f' of "{name}"' if len(roles.models) > 1 else ""
            notices.append(notice(f"no-answer{key}", rows=blank, column=column, of=of))
        most = max(most, np.bincount(of_row[own]).max(initial=0))
        if roles.missing is Missing.WRONG:
            right = np.nan_to_num(right)
        rows = np.flatnonzero(own & np.isfinite(right))
        bound[name] = _outcomes(right[rows], of_row[rows], first, weight, model)
    if most > 1:
        notices.append(notice("tries", column=roles.id, items=len(first), most=most))
    return bound, notices


def _outcomes(
    right: Floats, item: Rows, first: Rows, weight: Floats | None, model: ModelRoles
) -> CorrectOutcomes:
    """Return the items that a model tried, from its tries; `first` is the first row of each item.

    Args:
        right: (tries,) 1 or 0.
        item: (tries,) the place of the item.
        first: (items,) the place of its first row.
        weight: (items,) what each item counts.
        model: The model's column, for what is said of it.
    """
    tries = np.bincount(item, minlength=len(first)).astype(np.float64)
    kept = tries > 0 if weight is None else (tries > 0) & (weight > 0)
    if not kept.any():
        raise refusal("no-rows/items", column=model.correct)
    return CorrectOutcomes(
        right=np.bincount(item, right, len(first)).astype(np.float64)[kept],
        tries=tries[kept] if tries.max() > 1 else None,
        weight=None if weight is None else weight[kept],
        rows=first[kept] + 1,
    )


def _right(labels: Labels, column: str) -> Floats:
    """Return (n,) 1 where a column says right and 0 where wrong; NaN where the cell is missing."""
    # A number may have decimals: "1.0".
    words = [re.sub(r"(?<=^[01])\.0*$", "", name.strip().lower()) for name in labels.names]
    strange = [word not in _RIGHT | _WRONG | {*MISSING_WORDS} for word in words]
    if any(strange):
        named = [name for name, bad in zip(labels.names, strange, strict=True) if bad]
        rows = np.array([*strange, False])[labels.codes]
        raise refusal("no-right-or-wrong/cells", rows=rows, column=column, names=named)
    values = [1.0 if word in _RIGHT else 0.0 if word in _WRONG else np.nan for word in words]
    marked: Floats = np.array([*values, np.nan])[labels.codes]
    return marked


_MOST_COLUMNS = 40
"""Columns in which a pair is looked for: 40 make 1,560 pairs."""

_ROWS = 200
"""Rows that a pair is tried on: nothing is alike in so many by chance."""

_FEWEST_ROWS = 8
"""Rows from which agreement with what is called correct is no chance: 1 in 256 by a coin."""

_ROUNDING = 0.02
"""Share of the residuals' spread that rounding explains, as of numbers with two digits."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Proof:
    """A truth and its prediction, as a third column proves them."""

    truth: str
    prediction: str
    by: str

    @property
    def reason(self) -> Reason:
        """Why they are read so."""
        return Reason(f'the column "{self.by}" proves it', Confidence.SURE)


@once
def proven(table: Table) -> Proof | None:
    """Return the truth and the prediction that another column proves; None where none does.

    A residual is the truth minus its prediction, an error their distance, and what is called
    correct says where they are equal.
    """
    columns = profiles(table).values()
    residuals = {column.name for column in columns if _is_residual(column)}
    numbers = (c for c in columns if c.numeric and c.name not in residuals)
    measured = [column.name for column in numbers if not (column.constant or column.counting)]
    labelled = [column.name for column in columns if column.labels]
    for by in columns:
        if by.name in residuals:
            found = _differ(table, by, measured)
        else:
            found = _agree(table, by, labelled)
        pairs = {pair for one in found if (pair := _truth_first(one, by))}
        if len(pairs) == 1:
            return Proof(*pairs.pop(), by.name)
    return None


_RESIDUAL = WORDS.residual | WORDS.difference


def _is_residual(column: Profile) -> bool:
    return column.continuous and not _RESIDUAL.isdisjoint((column.words[0], column.words[-1]))


def _absolute(residual: Profile) -> bool:
    return not WORDS.absolute.isdisjoint(residual.words)


def _differ(table: Table, residual: Profile, names: Sequence[str]) -> Iterator[Pair]:
    """Yield the pairs of numbers whose difference is the residual in every row."""
    if len(names) > _MOST_COLUMNS:
        return
    gaps, *columns = (
        as_numbers(sample(table, name)[:_ROWS], name, table.source).values
        for name in (residual.name, *names)
    )
    of = np.abs if _absolute(residual) else np.asarray
    with np.errstate(invalid="ignore"):  # an infinite number proves nothing
        near = _ROUNDING * float(np.nanstd(gaps))
        for (one, first), (other, second) in permutations(zip(names, columns, strict=True), 2):
            if (np.abs(of(first - second) - gaps) <= near).all():
                yield one, other


def _agree(table: Table, correct: Profile, names: Sequence[str]) -> Iterator[Pair]:
    """Yield the pairs of labels that are equal just where a column called correct says so."""
    words = (*correct.words, "".join(correct.words))
    if correct.distinct != 2 or table.n < _FEWEST_ROWS or WORDS.correct.isdisjoint(words):
        return
    names = [name for name in names if name != correct.name]
    if len(names) > _MOST_COLUMNS:
        return
    right, *columns = (as_labels(sample(table, n)[:_ROWS], n) for n in (correct.name, *names))
    said = np.isin(right.codes, [k for k, n in enumerate(right.names) if n.lower() in WORDS.right])
    if said.all() or not said.any():
        return
    for (one, first), (other, second) in combinations(zip(names, columns, strict=True), 2):
        # A missing cell equals nothing.
        alike = same_labels([first, second])
        cells = [np.array([*of.names, k], object)[of.codes] for k, of in enumerate(alike)]
        if ((cells[0] == cells[1]) == said).all():
            yield one, other


def _truth_first(pair: Pair, by: Profile) -> Pair | None:
    """Put the truth first, where names or the sign of a residual tell which of two it is."""
    called = [plain(name) in WORDS.truth or truth_word(name) for name in pair]
    for is_truth in ([not speaks_of_prediction(name) for name in pair], called):
        if is_truth[0] != is_truth[1]:
            return pair if is_truth[0] else pair[::-1]
    signed = not _absolute(by) and not WORDS.residual.isdisjoint(by.words)
    return pair if signed and _is_residual(by) else None
