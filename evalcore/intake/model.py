"""The values that pass through intake: what was read, which column is what, the checked data."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import Notice
from evalcore.fold_scores import FoldScores
from evalcore.intake.assignment import NOTHING, FoldRoles, ModelRoles, Roles
from evalcore.intake.choices import NO_CHOICES, NOISE, Choices, FeatureKind, Scale, Task
from evalcore.options import Options
from evalcore.outcomes import Clustering, Outcomes

__all__ = [
    "NOISE",
    "NOTHING",
    "NO_CHOICES",
    "Categories",
    "Choices",
    "Dataset",
    "FeatureKind",
    "FoldRoles",
    "ModelRoles",
    "Roles",
    "Scale",
    "Source",
    "Table",
    "Task",
]
NO_CLUSTERINGS: Mapping[str, Clustering] = MappingProxyType({})


@dataclass(frozen=True)
class Source:
    """What was read and how.

    `digest` is the SHA-256 of the bytes, in hexadecimal; `format` is "csv", "tsv", "parquet" ...;
    `tool` is the software that wrote the file, where its signature is known; `sheets` are all
    sheets of a workbook that have cells.
    """

    name: str
    format: str
    digest: str
    rows: int
    tool: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """The cells of a file, before any column has a meaning.

    Text formats keep every cell as text, exactly as written; typed formats keep their types. Of
    large text, columns of numbers too various to be labels are floats, which mean the same.
    Column names are unique: a repeated header is shown with its position, "prob (column 4)".
    `hints` are the roles that the file itself settles, by the tool that wrote it or by its format;
    `threshold` is the one at which that tool cut its labels, where it says so.
    """

    columns: Mapping[str, "pa.ChunkedArray"]
    source: Source
    notices: tuple[Notice, ...] = ()
    hints: Choices = NO_CHOICES
    threshold: float | None = None

    @property
    def n(self) -> int:
        """Number of data rows."""
        return self.source.rows

    @property
    def names(self) -> tuple[str, ...]:
        """Column names, in the file's order."""
        return tuple(self.columns)

    def cut(self, columns: Mapping[str, "pa.ChunkedArray"]) -> "Table":
        """Return the table with fewer rows: those of these columns."""
        rows = len(next(iter(columns.values())))
        return replace(self, columns=columns, source=replace(self.source, rows=rows))


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of names as codes: (n,) integers into `names`, -1 where the cell is blank."""

    names: tuple[str, ...]
    codes: NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A file whose columns have their roles and whose values are checked.

    Attributes:
        digest: Key for every cache: SHA-256 over the bytes and the roles.
        classes: Class names in the order of every matrix: for a binary task negative, positive;
            empty for regression.
        models: One checked `Outcomes` per model, by name, in the file's order; empty where the file
            holds clusterings or scores of folds.
        fold: The fold of each row of the file, if there is such a column.
        group: The slice of each row of the file, if there is such a column.
        clusterings: One checked `Clustering` per column of clusters; `Points`, `Distances` or
            `Categorical` where more than the clusters is known.
        true_class: The class of each row of the file, beside clusterings.
        fold_scores: What models scored fold by fold, where the file holds that and no rows.
        rows_streamed: Rows that count where the file is too large for `models` to hold them.
    """

    digest: str
    table: Table
    roles: Roles
    classes: tuple[str, ...]
    models: Mapping[str, Outcomes]
    notices: tuple[Notice, ...] = ()
    fold: Categories | None = None
    group: Categories | None = None
    clusterings: Mapping[str, Clustering] = field(default_factory=lambda: NO_CLUSTERINGS)
    true_class: Categories | None = None
    fold_scores: FoldScores | None = None
    rows_streamed: int = 0

    @property
    def threshold(self) -> float:
        """Where scores are cut until somebody chooses: where the tool did, else at one half."""
        return Options.threshold if self.roles.threshold is None else self.roles.threshold

    @property
    def rows_used(self) -> int:
        """Rows that any number rests on."""
        if self.fold_scores is not None:
            return self.table.n
        used = [part.n for many in (self.models, self.clusterings) for part in many.values()]
        return max(used, default=self.rows_streamed)
