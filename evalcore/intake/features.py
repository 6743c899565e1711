"""What is known of the points of a clustering: numbers, distances to all points, or categories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError, Notice, Offer
from evalcore.intake.columns import labels_of, numbers_of
from evalcore.intake.model import FeatureKind, Roles, Table
from evalcore.intake.profile import Profile, profile
from evalcore.intake.rows import Gap, refuse_infinite, row_list, row_numbers
from evalcore.intake.unused import unused
from evalcore.intake.wording import counted, listed
from evalcore.outcomes import Categorical, Clustering, Distances, Floats, Points, Rows

_FEWEST = 3
"""Rows of a matrix of distances; two rows of features are alike by chance."""

_FEWEST_BESIDE = 8
"""Rows of one beside other numbers, where there are several ways to be alike by chance."""

_OTHERS = 10
"""Columns of other numbers beside a square of distances, at most."""

_OFFERED = 60
"""Columns that an offer names; more would not fit an address."""

_AS_NUMBERS = Offer("Read as features", "feature_kind", FeatureKind.NUMBERS.value)


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all rows of a file.

    Attributes:
        gaps: One per column, where rows without it cannot be placed.
        on: From a clustering, and the places of its rows (None for all), to one with features.
        notices: What was made of them.
    """

    gaps: Sequence[Gap]
    on: Callable[[Clustering, Rows | None], Clustering]
    notices: Sequence[Notice] = ()


def distances_among(table: Table, columns: Sequence[Profile]) -> tuple[str, ...]:
    """Return the columns, one after the other, that are a square of distances; none elsewhere."""
    n, others = table.n, len(columns) - table.n
    if n < (_FEWEST_BESIDE if others else _FEWEST):
        return ()
    for start in range(min(others, _OTHERS) + 1):
        run = columns[start : start + n]
        names = tuple(column.name for column in run)
        if all(column.low >= 0 for column in run) and _are_distances(_matrix(table, names)):
            return names
    return ()


def kind_of_chosen(columns: Sequence[Profile]) -> FeatureKind:
    """Tell what columns of features hold that somebody has chosen.

    Raises:
        EvalError: "mixed-features" where they are both measures and words.
    """
    words = [column.name for column in columns if not column.mostly_numeric]
    measures = [column.name for column in columns if column.continuous]
    if words and measures:
        raise EvalError(
            "mixed-features",
            f"No one distance fits both words ({listed(words, 3)}) and measures "
            f"({listed(measures, 3)}). Choose features of one kind, or read all as categories.",
            column=words[0],
        )
    return FeatureKind.CATEGORIES if words else FeatureKind.NUMBERS


def categories_offered(table: Table, roles: Roles) -> tuple[Offer, ...]:
    """Offer the columns of words that play no role as features."""
    free = (profile(table, column) for column in unused(table, roles)[:_OFFERED])
    words = [c.name for c in free if c.labels and not c.mostly_numeric and not c.unique]
    if not words:
        return ()
    label = f"Take {listed(words, 3)} as features"
    return (Offer(label, "features", tuple(words)),)


def _matrix(table: Table, columns: Sequence[str]) -> Floats:
    return np.column_stack([numbers_of(table, column).values for column in columns])


def _are_distances(matrix: Floats) -> bool:
    """Tell whether a square is one of distances; missing cells do not speak against it."""
    if not np.any(matrix > 0) or np.any(matrix < 0) or np.any(matrix.diagonal() != 0):
        return False
    # Tools write distances with six digits or so.
    slack = 1e-6 * np.nanmax(matrix)
    return not np.any(np.abs(matrix - matrix.T) > slack)


def features_of(table: Table, roles: Roles) -> Features | None:
    """Return the features of a file; None where there are none.

    Raises:
        EvalError: "not-numeric" for a feature that holds text; "infinite-score";
            "missing-distance".
    """
    if not roles.features:
        return None
    if roles.feature_kind is FeatureKind.CATEGORIES:
        return _categories(table, roles.features)
    numbers = {column: numbers_of(table, column) for column in roles.features}
    for column, values in numbers.items():
        refuse_infinite(values, column)
    if roles.feature_kind is FeatureKind.DISTANCES:
        return _distances(_matrix(table, roles.features), roles.features)
    gaps = [Gap(f'"{c}"', c, np.isnan(n.values), n.missing) for c, n in numbers.items()]
    matrix = _matrix(table, roles.features)

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        return Points(**vars(clustering), features=matrix if places is None else matrix[places])

    return Features(gaps, on)


def _categories(table: Table, columns: Sequence[str]) -> Features:
    labels = {column: labels_of(table, column) for column in columns}
    gaps = [Gap(f'"{c}"', c, found.codes < 0, found.missing) for c, found in labels.items()]
    codes = np.column_stack([found.codes for found in labels.values()])

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        return Categorical(**vars(clustering), codes=codes if places is None else codes[places])

    message = (
        f"The distance of two rows is the share of {counted(len(columns), 'feature')} in which "
        "they differ (simple matching)."
    )
    return Features(gaps, on, [Notice("matching", message)])


def _distances(matrix: Floats, columns: Sequence[str]) -> Features:
    missing = np.isnan(matrix)
    if missing.any():
        rows = np.logical_or.reduce(missing, axis=1)
        count = int(missing.sum())
        raise EvalError(
            "missing-distance",
            f"{counted(count, 'distance')} {'is' if count == 1 else 'are'} missing "
            f"({row_list(rows)}). Fill them in, or leave out those rows and their columns.",
            rows=row_numbers(rows),
            column=columns[int(missing.any(axis=0).argmax())],
        )

    def on(clustering: Clustering, places: Rows | None) -> Clustering:
        kept = matrix if places is None else matrix[np.ix_(places, places)]
        return Distances(**vars(clustering), matrix=kept)

    message = (
        f"The {len(columns):,} columns of numbers are read as distances between the rows: there "
        "are as many as rows, with 0 on the diagonal and the same both ways."
    )
    return Features([], on, [Notice("distances", message, offers=(_AS_NUMBERS,))])
