"""What is evaluated and compared: predictions of all models, clusterings, or fold scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.options import Options
from evalcore.outcomes import NOISE, Clustering, Codes, Floats, Outcomes, frozen
from evalcore.text import nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class FoldScores:
    """Scores of M models on F folds of one or more data sets.

    Attributes:
        metric: What was scored: a key of the catalogue where it is known, else the column's name.
        models: The M model names.
        score: (M, F) numbers; NaN where a model has no score for the fold.
        fold: The F names of the folds; names repeat from one split, and data set, to the next.
        repeat: The F names of the splits that folds belong to; empty for a single split.
        dataset: The F names of the data sets; empty for a single one.
        n_train: (F,) training rows of each fold; None if not known.
        n_test: (F,) test rows of each fold; None if not known.
        others: What else the file scored on these folds.
    """

    metric: str
    models: tuple[str, ...]
    score: Floats
    fold: tuple[str, ...]
    repeat: tuple[str, ...] = ()
    dataset: tuple[str, ...] = ()
    n_train: Floats | None = None
    n_test: Floats | None = None
    others: tuple["FoldScores", ...] = ()

    def __post_init__(self) -> None:
        score = np.asarray(self.score, dtype=np.float64)
        if score.shape != (len(self.models), len(self.fold)):
            raise EvalError("wrong-shape", "There must be one score per model and fold.")
        object.__setattr__(self, "score", frozen(score))
        for name in ("repeat", "dataset"):
            if len(getattr(self, name)) not in (0, len(self.fold)):
                raise EvalError("wrong-length", f"There must be one {name} per fold.")
        if np.isinf(score).any():
            raise EvalError("infinite-score", "The score of a fold must be a finite number.")
        self._check_names()
        for name in ("n_train", "n_test"):
            self._check_sizes(name)

    def _check_names(self) -> None:
        seen: set[tuple[str, ...]] = set()
        for name in self.names:
            if name in seen:
                shown = ", ".join(part for part in name if part)
                raise EvalError("repeated-fold", f"Fold {shown} occurs more than once.")
            seen.add(name)

    def _check_sizes(self, name: str) -> None:
        sizes = getattr(self, name)
        if sizes is None:
            return
        sizes = np.asarray(sizes, dtype=np.float64)
        if sizes.shape != (len(self.fold),):
            raise EvalError("wrong-length", f"There must be one {name} per fold.")
        if not (np.isfinite(sizes) & (sizes > 0)).all():
            raise EvalError("bad-size", f"{name} must be above 0 in every fold.")
        object.__setattr__(self, name, frozen(sizes))

    @property
    def by_metric(self) -> dict[str, "FoldScores"]:
        """The scores by what was scored, these first."""
        found = {self.metric: self}
        for other in self.others:
            found.setdefault(other.metric, other)
        return found

    @property
    def names(self) -> list[tuple[str, str, str]]:
        """Data set, repeat and fold of each column of the scores, "" for what there is one of."""
        blank = ("",) * len(self.fold)
        parts = (self.dataset or blank, self.repeat or blank, self.fold)
        return list(zip(*parts, strict=True))


@dataclass(frozen=True, eq=False)
class Categories:
    """A column of names as codes: (n,) integers into `names`, -1 where the cell is blank."""

    names: tuple[str, ...]
    codes: NDArray[np.integer[Any]]

    def on(self, rows: Outcomes | Clustering) -> Codes:
        """Return the (n,) codes on the rows of a model or a clustering."""
        return self.codes if rows.rows is None else self.codes[rows.rows - 1]


@dataclass(frozen=True, eq=False)
class Dates:
    """A column of dates: (n,) of numpy's datetime64, NaT where the cell is blank.

    `zoned` is whether the times tell their time zone; they are those of UTC then.
    """

    column: str
    values: NDArray[np.datetime64]
    zoned: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions:
    """What is evaluated and compared: predictions with the truth, clusterings, or fold scores.

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
        pairs: Two models on the same rows, by their names, where `models` hold counts of each
            model by itself.
    """

    digest: str
    classes: tuple[str, ...]
    models: Mapping[str, Outcomes]
    notices: tuple[Notice, ...] = ()
    fold: Categories | None = None
    group: Categories | None = None
    clusterings: Mapping[str, Clustering] = field(default_factory=nothing)
    true_class: Categories | None = None
    fold_scores: FoldScores | None = None
    pairs: Mapping[tuple[str, str], "Predictions"] = field(default_factory=nothing)

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
    def columns(self) -> Mapping[str, Any]:
        """What rows may be sliced by, by name: a value for each row of the file.

        Labels are `Categories`, numbers floats (NaN where missing), dates numpy's datetime64.
        """
        return nothing()

    @property
    def free(self) -> tuple[str, ...]:
        """Those of these columns that play no role."""
        return ()

    def dates(self, column: str | None = None) -> Dates:
        """Return a column of dates: this one, that of this role, or the only one without a role.

        Raises:
            EvalError: "no-date": there is none. "two-dates": there are several. "not-dates": the
                column holds something else.
        """
        raise EvalError("no-date", "These data have no column of dates.")

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
        return max(used, default=0)
