"""Predictions and the truth: checked once here, frozen, trusted everywhere else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.checks import (
    Codes as Codes,
    Floats as Floats,
    check_codes,
    check_distances,
    check_finite,
    check_weight,
    within_unit,
)
from evalcore.errors import EvalError, Notice
from evalcore.options import Options
from evalcore.text import Displayed, nothing

Number = float | Floats
"""A float, or an array of them: one per class, threshold or bootstrap draw."""

Places = NDArray[np.intp]
"""Where rows stand in an array, 0 being the first."""

Rows = NDArray[np.int64]
"""Data row numbers, 1 being the first."""


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array as a read-only view, so that a shared table cannot be changed."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def as_float64(value: Any) -> Number:
    """Return a number as a float, and an array as float64 that cannot be changed."""
    if type(value) is float:  # the usual case of a look-up, which should not wait for numpy
        return value
    array = np.asarray(value, dtype=np.float64)
    return frozen(array) if array.ndim else float(array)


class ReadOnly(Displayed):
    """A frozen dataclass whose arrays cannot be changed, so that whoever holds it may share it."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, frozen(value))


class _OfRows:
    """What is known of n rows: its arrays have a place for each of them, and cannot be changed."""

    def __post_init__(self) -> None:
        n = self.n
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                if len(array) != n:
                    raise EvalError("wrong-length", f"{name} has {len(array)} rows, not {n}.")
                object.__setattr__(self, name, frozen(array))

    @property
    def n(self) -> int:
        """Number of rows."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class _OfModel(_OfRows):
    """What one model predicted for n rows.

    Attributes:
        weight: (n,) finite floats >= 0; None where every row counts once.
        unit: (n,) codes from 0 on of what each row is drawn with, as rows of one patient are; None
            where each is drawn by itself.
        counted: Whether weights are numbers of rows, rather than how much each row matters.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
            Of items that were tried several times, that of the first row.
    """

    weight: Floats | None = None
    unit: Codes | None = None
    counted: bool = True
    rows: Rows | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_weight(self.weight)

    @property
    def total(self) -> float:
        """Number of rows, each as often as its weight says."""
        return float(self.n if self.weight is None else self.weight.sum())

    @property
    def scored(self) -> bool:
        """Whether the model scored each row, rather than giving labels or numbers only."""
        return False


class _OfTruth(_OfModel):
    """What one model predicted for n rows whose truth is known."""

    truth: NDArray[Any]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.truth)


@dataclass(frozen=True, eq=False, kw_only=True)
class BinaryOutcomes(_OfTruth):
    """One model's answers to a yes-or-no question, with n rows.

    Attributes:
        classes: Names of the negative and the positive class, in this order.
        truth: (n,) int8; 1 where the row is of the positive class.
        score: (n,) finite floats, higher = more positive; None if the model gave labels only.
        label: (n,) int8; 1 where the model's own label is positive; None if it gave none.
        probability: Whether `score` is a probability of the positive class, in [0, 1].
    """

    classes: tuple[str, str]
    truth: Codes
    score: Floats | None = None
    label: Codes | None = None
    probability: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_codes("truth", self.truth, 2)
        if self.label is not None:
            check_codes("label", self.label, 2)
        if self.score is not None:
            low, high = check_finite("score", self.score)
            if self.probability and (low < 0 or high > 1):
                raise EvalError("not-probability", "A probability must lie in [0, 1].")

    @property
    def scored(self) -> bool:
        """Whether there is a score for each row, rather than labels only."""
        return self.score is not None

    def against_rest(self, classes: tuple[str, str]) -> "BinaryOutcomes":
        """Return the outcomes as they are: of two classes, one is set against the other."""
        return self


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassOutcomes(_OfTruth):
    """One model's answers to a question with K classes, with n rows.

    Attributes:
        classes: The K class names, in the order of every matrix and table.
        truth: (n,) integer codes into `classes`.
        label: (n,) integer codes into `classes`, the model's own label; None if it gave none.
        probabilities: (n, K) floats in [0, 1]; a column of NaN where the model gives a class
            no probability at all; None if it gave labels only.
        confidence: (n,) floats in [0, 1], the probability of the model's own label; None if it
            gave none.
    """

    classes: tuple[str, ...]
    truth: Codes
    label: Codes | None = None
    probabilities: Floats | None = None
    confidence: Floats | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_codes("truth", self.truth, len(self.classes))
        if self.label is not None:
            check_codes("label", self.label, len(self.classes))
        if self.probabilities is not None and self.probabilities.shape[1:] != (len(self.classes),):
            raise EvalError("wrong-shape", "There must be one probability column per class.")
        for given in (self.probabilities, self.confidence):
            if given is not None and len(given) and not within_unit(given):
                raise EvalError("not-probability", "A probability must lie in [0, 1].")

    @property
    def scored(self) -> bool:
        """Whether there are probabilities of the classes, rather than labels only."""
        return self.probabilities is not None

    def against_rest(self, classes: tuple[str, str]) -> BinaryOutcomes:
        """Return the second of `classes` against all others, scored by its probability."""
        assert self.probabilities is not None
        code = self.classes.index(classes[1])
        return BinaryOutcomes(
            classes=classes,
            truth=(self.truth == code).astype(np.int8),
            score=self.probabilities[:, code],
            probability=True,
            weight=self.weight,
            unit=self.unit,
            rows=self.rows,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class NumericOutcomes(_OfTruth):
    """One model's predicted numbers, with n rows.

    Attributes:
        truth: (n,) finite floats, in the unit of the target.
        prediction: (n,) finite floats, in the same unit.
    """

    truth: Floats
    prediction: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        check_finite("truth", self.truth)
        check_finite("prediction", self.prediction)


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrectOutcomes(_OfModel):
    """Which of n items one model got right, whatever was asked and answered.

    Attributes:
        right: (n,) floats, whole and >= 0; how many tries of each item were right.
        tries: (n,) floats, whole and >= 1; how often each item was tried; None where once.
    """

    right: Floats
    tries: Floats | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        most = 1 if self.tries is None else self.tries
        wrong = (self.right < 0) | (self.right > most) | (self.right != np.floor(self.right))
        if wrong.any() or (self.tries is not None and (self.tries < 1).any()):
            raise EvalError("wrong-code", "Each item must have 0 or more right tries.")

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.right)

    @property
    def share(self) -> Floats:
        """(n,) the share of the tries of each item that were right."""
        return self.right if self.tries is None else self.right / self.tries


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustering(_OfRows):
    """Which cluster each of n points was put in.

    Attributes:
        names: The K cluster names, in the order of every table.
        cluster: (n,) integer codes into `names`; -1 where the point is noise, in no cluster.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
        count: (n,) how many points each row stands for; None where each is one.
    """

    names: tuple[str, ...]
    cluster: Codes
    rows: Rows | None = None
    count: Rows | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_codes("cluster", self.cluster, len(self.names), lowest=-1)

    @property
    def n(self) -> int:
        """Number of points, noise included; of counts, that of cells."""
        return len(self.cluster)

    @property
    def total(self) -> int:
        """Number of points, each row as many as it stands for."""
        return self.n if self.count is None else int(self.count.sum())

    @property
    def noise(self) -> NDArray[np.bool_]:
        """(n,) whether the point is in no cluster."""
        return self.cluster < 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Points(Clustering):
    """A clustering of n points whose d features are known.

    Attributes:
        features: (n, d) finite floats, small enough to be squared.
    """

    features: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.features.ndim != 2 or not self.features.shape[1]:
            raise EvalError("wrong-shape", "There must be at least one feature column.")
        check_finite("features", self.features, below=1e150)


@dataclass(frozen=True, eq=False, kw_only=True)
class Distances(Clustering):
    """A clustering of n points of which only the distances are known.

    Attributes:
        matrix: (n, n) finite floats >= 0, symmetric, 0 on the diagonal.
    """

    matrix: Floats

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.matrix.shape != (self.n, self.n):
            raise EvalError("wrong-shape", "A distance matrix has one row and column per point.")
        check_finite("matrix", self.matrix)
        check_distances(self.matrix)


@dataclass(frozen=True, eq=False, kw_only=True)
class Categorical(Clustering):
    """A clustering of n points of which d categories are known, such as colour and country.

    Attributes:
        codes: (n, d) integers; two points share a category where their codes are equal.
    """

    codes: Codes

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.codes.ndim != 2 or not self.codes.shape[1]:
            raise EvalError("wrong-shape", "There must be at least one feature column.")


Outcomes = BinaryOutcomes | ClassOutcomes | NumericOutcomes | CorrectOutcomes
Measurable = Points | Distances | Categorical
"""Clusterings whose points lie so and so far apart."""


def units(codes: Codes, weight: Floats | None = None, *, counted: bool = True) -> Codes | None:
    """Return what each row is drawn with, given the (n,) codes of its group, below 0 for none.

    None where each row is a group of its own, unless the weights of rows are not `counted`: then
    each is drawn with its weight as it is. Numbered as they appear, so that names do not matter.

    >>> units(np.array([7, 7, -1, 3])).tolist()
    [0, 0, 1, 2]
    """
    alone = np.flatnonzero(codes < 0)
    named = codes.astype(np.int64)
    named[alone] = -1 - np.arange(len(alone))
    _, first, unit = np.unique(named, return_index=True, return_inverse=True)
    if len(first) == len(codes) and (weight is None or counted):
        return None
    return np.argsort(np.argsort(first))[unit]


def data_rows(told: Outcomes | Clustering, places: Codes) -> Rows:
    """Return the data rows at these places, 1 being the first."""
    rows: Codes = places + 1 if told.rows is None else told.rows[places]
    return rows.astype(np.int64)


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


NOISE = "-1"
"""The label of points in no cluster, as DBSCAN, HDBSCAN and OPTICS write it."""


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
