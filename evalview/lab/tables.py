"""Tables to train on: the target, and the columns that can be features of a model."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Codes, Floats, ReadOnly
from evalcore.text import counted
from evalread.columns import as_labels, as_numbers, same_by_value
from evalread.dataset import Table
from evalread.detection.profile import WORDS, Profile, profile
from evalview.text import abbreviate

FEWEST_ROWS = 10
"""With fewer rows a model learns nothing, and an estimate of it says nothing."""
MOST_CLASSES = 50
"""A target of more classes mostly names rows, or is a number; models of it would take hours."""
MOST_CATEGORIES = 50
"""A text column of more distinct values is mostly free text or names rows."""
MOST_CELLS = 5_000_000
"""Rows times columns: a forest of ten folds then takes minutes, not hours."""
LARGEST = 1e100
"""Squares of larger numbers, which scaling needs, are near the largest float."""

TARGETS = WORDS.truth | {"species", "diagnosis", "churn", "churned", "survived", "price", "default"}
"""Words in the name of a column that is mostly the one to predict."""

Aim = Literal["classes", "numbers"]


@dataclass(frozen=True)
class Left:
    """A column that is no feature, and why."""

    column: str
    why: str


@dataclass(frozen=True, eq=False)
class TrainingTable(ReadOnly):
    """Rows to train on.

    Attributes:
        name: What the rows are, for people.
        target: The column that is predicted.
        columns: Names of the features, numbers before categories.
        numbers: (n, a) features that are numbers; NaN where a cell is missing.
        categories: (n, b) codes of features that are categories; -1 where a cell is missing.
        levels: Names of the categories of each such feature.
        truth: (n,) codes into `classes`, or numbers where there are none.
        classes: Names of the classes; empty where numbers are predicted.
        row: (n,) which row of the table each is, from 1.
        group: (n,) codes of what rows belong together; None without.
        left: Columns that are no features.
        no_target: How many rows were left out, whose target is missing.
    """

    name: str
    target: str
    columns: tuple[str, ...]
    numbers: Floats
    categories: Codes
    levels: tuple[tuple[str, ...], ...]
    truth: Floats
    classes: tuple[str, ...]
    row: Codes
    group: Codes | None = None
    left: tuple[Left, ...] = ()
    no_target: int = 0

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    @property
    def features(self) -> Floats:
        """(n, a + b) numbers, then codes of categories, for scikit-learn."""
        return np.hstack([self.numbers, self.categories.astype(np.float64)])


def _bundled(name: str, target: str, load: str) -> Callable[[], TrainingTable]:
    def make() -> TrainingTable:
        from sklearn import datasets

        made = getattr(datasets, load)()
        names = getattr(made, "target_names", ()) if load != "load_diabetes" else ()
        return TrainingTable(
            name,
            target,
            tuple(map(str, made.feature_names)),
            made.data.astype(np.float64),
            np.zeros((len(made.target), 0), np.int64),
            (),
            made.target.astype(np.float64),
            tuple(map(str, names)),
            np.arange(1, len(made.target) + 1),
        )

    return make


BUNDLED: Mapping[str, Callable[[], TrainingTable]] = MappingProxyType(
    {
        "iris": _bundled("iris", "species", "load_iris"),
        "breast-cancer": _bundled("breast cancer", "diagnosis", "load_breast_cancer"),
        "wine": _bundled("wine", "cultivar", "load_wine"),
        "digits": _bundled("digits", "digit", "load_digits"),
        "diabetes": _bundled("diabetes", "progression", "load_diabetes"),
    }
)
"""Tables that come with scikit-learn, by key."""


def aims(table: Table, target: str) -> tuple[Aim, ...]:
    """Return what a column can be predicted as, the more likely first."""
    seen = profile(table, target)
    if not seen.numeric:
        return ("classes",)
    return ("numbers", "classes") if seen.continuous else ("classes", "numbers")


def training_table(
    table: Table, target: str, aim: Aim, *, group: str | None = None, without: Collection[str] = ()
) -> TrainingTable:
    """Return the rows of a file that has been read, to predict one of its columns.

    Columns `without` which to train, ids, dates, lists, free text and constants are no features.

    Raises:
        EvalError: The target or the features do not allow any training; the reader is told why.
    """
    if table.n * len(table.columns) > MOST_CELLS:
        raise EvalError(
            "lab-too-large",
            f"{table.n:,} rows of {len(table.columns):,} columns are too many to train on here: "
            f"at most {MOST_CELLS:,} cells. Keep a random part of the rows.",
        )
    truth, classes = _target(table, target, aim)
    kept = np.flatnonzero(np.isfinite(truth))
    _refuse_few(target, truth[kept], classes)
    numbers, categories, left = _features(table, kept, {target, group or target, *without})
    if not numbers and not categories:
        told = "; ".join(f"{abbreviate(one.column, 40)}: {one.why}" for one in left[:5])
        why = told or "The table has no column besides the one to predict."
        raise EvalError("lab-no-features", f"No column is left to predict from. {why}")
    blank = np.zeros((len(kept), 0))
    return TrainingTable(
        table.source.name,
        target,
        (*numbers, *categories),
        np.column_stack([blank, *numbers.values()]),
        np.column_stack([blank, *(codes for _, codes in categories.values())]).astype(np.int64),
        tuple(names for names, _ in categories.values()),
        truth[kept],
        classes,
        kept + 1,
        None if group is None else _group(table, group)[kept],
        tuple(left),
        table.n - len(kept),
    )


def _target(table: Table, target: str, aim: Aim) -> tuple[Floats, tuple[str, ...]]:
    """Return the target as numbers or codes, NaN where it is missing, and the names of classes."""
    column = table.columns[target]
    if aim == "numbers":
        values = as_numbers(column, target, table.source).values
        if _beyond(values):
            raise EvalError(
                "lab-target",
                f'"{target}" holds infinite numbers, or numbers beyond 1e100: no model can be '
                "trained to predict them.",
                column=target,
            )
        return values, ()
    distinct = profile(table, target).distinct
    if distinct > MOST_CLASSES:
        raise _many_classes(target, distinct)
    labels = same_by_value([as_labels(column, target)])[0]
    if len(labels.names) > MOST_CLASSES:
        raise _many_classes(target, len(labels.names))
    order = sorted(range(len(labels.names)), key=lambda at: labels.names[at])
    place = np.append(np.argsort(order).astype(np.float64), np.nan)  # the last: a missing one
    return place[labels.codes], tuple(labels.names[at] for at in order)


def _many_classes(target: str, n: int) -> EvalError:
    return EvalError(
        "lab-target",
        f'"{target}" has {n:,} distinct values, and a target has at most {MOST_CLASSES} classes. '
        "Pick a column of classes, or predict it as a number if it is one.",
        column=target,
    )


def _refuse_few(target: str, truth: Floats, classes: Sequence[str]) -> None:
    if len(truth) < FEWEST_ROWS:
        raise EvalError(
            "lab-rows",
            f'"{target}" has a value in {counted(len(truth), "row")}, which is too few: training '
            f"and testing need at least {FEWEST_ROWS}.",
        )
    if len(np.unique(truth)) < 2:
        what = f'the class "{abbreviate(classes[int(truth[0])], 40)}"' if classes else "the same"
        raise EvalError(
            "lab-target",
            f'"{target}" is {what} in every row: there is nothing to learn. Pick another column.',
            column=target,
        )


def _features(
    table: Table, kept: Codes, without: Collection[str]
) -> tuple[dict[str, Floats], dict[str, tuple[tuple[str, ...], Codes]], list[Left]]:
    """Return numbers by column, categories with their names by column, and the columns left."""
    numbers: dict[str, Floats] = {}
    categories: dict[str, tuple[tuple[str, ...], Codes]] = {}
    left = []
    for name in (name for name in table.names if name not in without):
        seen = profile(table, name)
        if (why := _unfit(seen)) is not None:
            left.append(Left(name, why))
        elif seen.numeric:
            _add_number(table, name, kept, numbers, left)
        else:
            labels = as_labels(table.columns[name], name)
            categories[name] = labels.names, np.asarray(labels.codes, np.int64)[kept]
    return numbers, categories, left


def _add_number(
    table: Table, name: str, kept: Codes, numbers: dict[str, Floats], left: list[Left]
) -> None:
    try:  # a profile looks at some of the rows only
        values = as_numbers(table.columns[name], name, table.source).values[kept]
    except EvalError as problem:
        left.append(Left(name, problem.message))
        return
    if _beyond(values):
        left.append(Left(name, "infinite numbers, or numbers beyond 1e100"))
    else:
        numbers[name] = values


def _beyond(values: Floats) -> bool:
    return bool((np.abs(values[~np.isnan(values)]) > LARGEST).any())


def _unfit(seen: Profile) -> str | None:
    """Return why a column is no feature; None where it is one."""
    if seen.lists:
        return "lists"
    if seen.moment:
        return "dates or times"
    if seen.distinct == 0:
        return "every cell is missing"
    if seen.constant:
        return "the same in every row"
    if seen.counting or (seen.unique and not WORDS.id.isdisjoint((seen.plain, *seen.words))):
        return "names the rows"
    if seen.numeric:
        return None
    if seen.mostly_numeric:
        return "numbers mixed with text"
    if seen.unique or seen.distinct > MOST_CATEGORIES:
        return f"text of {seen.distinct:,} distinct values"
    return None


def _group(table: Table, group: str) -> Codes:
    """Return which group each row belongs to; a row without one is a group of its own."""
    labels = as_labels(table.columns[group], group)
    codes = np.asarray(labels.codes, np.int64)
    alone = codes < 0
    codes = np.where(alone, len(labels.names) + np.cumsum(alone), codes)
    return np.unique(codes, return_inverse=True)[1]
