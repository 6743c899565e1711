"""Checked predictions beside the truth, for one model or several, or clusterings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import Notice, Offer
from evalcore.options import Options
from evalcore.outcomes import Clustering, FoldScores, Outcomes

NOISE = "-1"
"""The label of points in no cluster, as DBSCAN, HDBSCAN and OPTICS write it."""

NO_CLUSTERINGS: Mapping[str, Clustering] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of names as codes: (n,) integers into `names`, -1 where the cell is blank."""

    names: tuple[str, ...]
    codes: NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """What is evaluated and compared: predictions beside the truth, clusterings, or fold scores.

    Attributes:
        digest: Key for every cache: SHA-256 over the bytes and the roles.
        classes: Class names in the order of every matrix: for a binary task negative, positive;
            empty for regression.
        models: One checked `Outcomes` per model, by name, in the file's order; empty where there
            are clusterings or scores of folds.
        fold: The fold of each row, if known.
        group: The group of each row, if known.
        clusterings: One checked `Clustering` by name; `Points`, `Distances` or `Categorical` where
            more than the clusters is known.
        true_class: The class of each row, beside clusterings.
        fold_scores: What models scored fold by fold, where that is known and no rows.
        feature_offers: Columns of words to be taken as features, beside clusterings without any.
        rows_streamed: Rows that count where they are too many for `models` to hold them.
    """

    digest: str
    classes: tuple[str, ...]
    models: Mapping[str, Outcomes]
    notices: tuple[Notice, ...] = ()
    fold: Categories | None = None
    group: Categories | None = None
    clusterings: Mapping[str, Clustering] = field(default_factory=lambda: NO_CLUSTERINGS)
    true_class: Categories | None = None
    fold_scores: FoldScores | None = None
    feature_offers: tuple[Offer, ...] = ()
    rows_streamed: int = 0

    @property
    def name(self) -> str:
        """What the data are called."""
        return "data"

    @property
    def rows(self) -> int:
        """Rows in all, those that are left out included."""
        return self._most

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that clusters were made on."""
        return ()

    @property
    def noise(self) -> str:
        """The label of points in no cluster."""
        return NOISE

    @property
    def threshold(self) -> float:
        """Where scores are cut until somebody chooses."""
        return Options.threshold

    @property
    def rows_used(self) -> int:
        """Rows that any number rests on."""
        return self.rows if self.fold_scores is not None else self._most

    @property
    def _most(self) -> int:
        used = [part.n for many in (self.models, self.clusterings) for part in many.values()]
        return max(used, default=self.rows_streamed)
