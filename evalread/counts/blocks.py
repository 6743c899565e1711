"""What a file of counts holds: the columns of a data set grouped, each group with its size.

A block is one GROUP BY. Where few combinations of all columns occur, one block holds them all and
says as much as the rows. Else there is a block for each model and one for each pair of models,
whose numbers are condensed to some significant digits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.outcomes import Floats
from evalread.dataset import Confidence, ModelRoles, Reason, Roles, Task, WeightKind

SCHEMA = "evalboard.counts/1"
"""What a file of counts says that it is."""

COUNTS_KEY = b"evalboard.counts"
"""What the metadata of a Parquet file of counts are called."""

COUNT = "n"
"""The column of how many rows each cell stands for."""

MOST_CELLS = 1_000_000
"""Cells of a block that are kept as they are; one of more is condensed."""

MOST_ALONE = 2_200_000
"""The same where there is one model: its scores of six decimals, with two classes, fit."""

DIGITS = (6, 5, 4, 3, 2, 1)
"""Significant digits that a model's numbers are condensed to: the first with few enough cells."""

PAIR_DIGITS = (3, 2, 1)
"""The same for the numbers of two models side by side."""

MOST_DIGITS = 15
"""More digits are not told apart by floating-point numbers."""

LOWEST, HIGHEST = -8, 15
"""Magnitudes that have a step of their own."""

_POWERS = np.array([float(f"1e{power}") for power in range(LOWEST, HIGHEST + 2)])
"""Bounds of the magnitudes: numbers below the second have the step of the first, and those from
the last one on are kept as they are."""

OF_FILE = Reason("as the file of counts says", Confidence.SURE)
"""Why a column plays a role that only a file of counts has."""

NO_DIGITS: Mapping[str, int] = MappingProxyType({})


def condensed(values: Floats, digits: int) -> Floats:
    """Return each number as the largest decimal of so many significant digits that is no larger.

    So `x >= t` says the same as before for every threshold t of so many digits. Numbers below 1e-7
    are taken in steps of 10**-(digits + 7), and those from 1e16 on, infinite and missing ones stay
    as they are. Only comparisons, products, quotients and floor are used, so that every engine
    finds the same.

    >>> condensed(np.array([0.123456, 0.29, -0.0512, 1234.5, 0.1, np.nan]), 2).tolist()
    [0.12, 0.29, -0.052, 1200.0, 0.1, nan]
    """
    if not 1 <= digits <= MOST_DIGITS:
        raise ValueError(f"digits must be 1 to {MOST_DIGITS}")
    found: Floats = np.array(values, np.float64)
    size = np.abs(found)
    within = np.flatnonzero(size < _POWERS[-1])  # nor are those that are missing
    x = found[within]
    magnitude = np.maximum(np.searchsorted(_POWERS, size[within], side="right") - 1, 0) + LOWEST
    places = digits - 1 - magnitude
    # Powers of ten up to 10**22 are exact, and so one rounding is all that a step takes.
    up = np.array([float(f"1e{max(p, 0)}") for p in range(-15, 23)])[places + 15]
    down = np.array([float(f"1e{max(-p, 0)}") for p in range(-15, 23)])[places + 15]
    k = np.floor(x * up / down)
    k = np.where((k + 1) / up * down <= x, k + 1, k)
    k = np.where(k / up * down > x, k - 1, k)
    found[within] = k / up * down + 0.0  # there is no negative zero
    return found


@dataclass(frozen=True, eq=False)
class Block:
    """One GROUP BY of the data: the cells that occur, and how many rows each stands for.

    Attributes:
        models: The models, or clusterings, whose columns are among the keys.
        table: The keys, named and written as in the data (truth, columns of the models, fold,
            group, and columns to slice by; null where a cell is missing), and `COUNT`: int64, or
            float64 where weights are fractions.
        digits: Column -> significant digits that it was `condensed` to; exact if it is not named.
    """

    models: tuple[str, ...]
    table: pa.Table
    digits: Mapping[str, int] = field(default_factory=lambda: NO_DIGITS)

    @property
    def cells(self) -> int:
        """Number of cells."""
        return int(self.table.num_rows)

    @property
    def single(self) -> int:
        """Cells that stand for one row each, and so hold that row as the keys tell it."""
        return int(pc.sum(pc.equal(self.table[COUNT], 1)).as_py() or 0)

    @property
    def rows(self) -> float:
        """Rows that the cells stand for."""
        return float(pc.sum(self.table[COUNT]).as_py() or 0)

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns beside the counts."""
        return tuple(name for name in self.table.column_names if name != COUNT)


@dataclass(frozen=True, eq=False)
class Counts:
    """Everything that a file of counts holds.

    Attributes:
        roles: Which column of the blocks plays which role; `counted_roles` makes them.
        blocks: One that holds all models; or one for each model, in their order, and one for each
            pair of them.
        by: The columns to slice by, which play no role.
        source: What was counted, such as the name of a file.
        digest: Its SHA-256, or another fingerprint.
        weight: The column whose sums the counts are; "" where each row counts once.
    """

    roles: Roles
    blocks: tuple[Block, ...]
    by: tuple[str, ...] = ()
    source: str = ""
    digest: str = ""
    weight: str = ""

    @property
    def rows(self) -> float:
        """Rows that were counted, each as often as its weight says."""
        return self.blocks[0].rows

    @property
    def names(self) -> tuple[str, ...]:
        """The models or clusterings, in their order."""
        return (*self.roles.models, *self.roles.clusterings)

    @property
    def joint(self) -> bool:
        """Whether one block holds all models."""
        return len(self.blocks) == 1

    def block(self, *models: str) -> Block | None:
        """Return the block of these models and no others."""
        return next((one for one in self.blocks if {*one.models} == {*models}), None)


def counted_roles(roles: Roles) -> Roles:
    """Return the roles of columns that rows had, as they are in blocks.

    The count takes the place of a weight; ids and features are of single rows.
    """
    gone = {roles.id, roles.weight, *roles.features}
    return replace(
        roles,
        weight=COUNT,
        weight_kind=WeightKind.COUNTS,
        id=None,
        features=(),
        reasons={**{n: why for n, why in roles.reasons.items() if n not in gone}, COUNT: OF_FILE},
        evidence=(),
    )


def keys_of(
    roles: Roles, models: Iterable[str] | None = None, by: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the columns that a block of some models (None for all) is grouped by, each once."""
    own: list[str] = []
    for name in (*roles.models, *roles.clusterings) if models is None else models:
        known = roles.models.get(name)
        own += [roles.clusterings[name]] if known is None else known.columns
    beside = (roles.fold, roles.group, roles.date, roles.model)
    keys = (roles.truth, *own, *(name or "" for name in beside), *by)
    return tuple(dict.fromkeys(name for name in keys if name))


def most_cells(roles: Roles) -> int:
    """Return how many cells of a block are kept as they are."""
    return MOST_ALONE if len(roles.models) + len(roles.clusterings) == 1 else MOST_CELLS


def numbers_among(roles: Roles, models: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of these models that hold numbers, which can be condensed."""
    of_models = [roles.models[name] for name in models if name in roles.models]
    found = [name for one in of_models for name in _numbers_of(one)]
    if roles.task is Task.REGRESSION:
        found.insert(0, roles.truth)
    return tuple(dict.fromkeys(found))


def _numbers_of(model: ModelRoles) -> tuple[str, ...]:
    single = (model.score, model.prediction)
    return (*(name for name in single if name is not None), *model.probabilities.values())


def stacked(tables: Sequence[pa.Table]) -> pa.Table:
    """Return tables one below the other; a column that is text in one of them is text in all."""
    made = []
    for table in tables:
        for place, name in enumerate(table.column_names):
            kinds = {one.schema.field(name).type for one in tables if name in one.column_names}
            if pa.string() in kinds and len(kinds) > 1:
                table = table.set_column(place, name, table[name].cast(pa.string()))
        made.append(table)
    return pa.concat_tables(made, promote_options="permissive")
