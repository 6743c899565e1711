"""What models scored fold by fold, when the file holds one score per fold and no rows."""

from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats, frozen


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
