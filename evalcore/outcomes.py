"""Predictions and the truth: checked once here, frozen, trusted everywhere else."""

from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED, EvalError
from evalcore.text import Displayed

Floats = NDArray[np.float64]
Codes = NDArray[np.integer[Any]]

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


def gives_probabilities(rows: Outcomes) -> TypeGuard[BinaryOutcomes | ClassOutcomes]:
    """Whether a model gives each row the probability of its classes."""
    of_classes = isinstance(rows, BinaryOutcomes | ClassOutcomes) and rows.scored
    return of_classes and getattr(rows, "probability", True)


def data_rows(told: Outcomes | Clustering, places: Codes) -> Rows:
    """Return the data rows at these places, 1 being the first."""
    rows: Codes = places + 1 if told.rows is None else told.rows[places]
    return rows.astype(np.int64)


NOISE = "-1"
"""The label of points in no cluster, as DBSCAN, HDBSCAN and OPTICS write it."""


def check_codes(name: str, codes: Codes, classes: int, *, lowest: int = 0) -> None:
    """Refuse codes outside the range."""
    low, high = _span(codes) if len(codes) else (lowest, classes - 1)
    if low < lowest or high >= classes:
        raise EvalError("wrong-code", f"{name} holds codes outside {lowest}..{classes - 1}.")


def _span(values: NDArray[Any]) -> tuple[Any, Any]:
    """Return the smallest and the largest value; NaN if there is any."""
    # The methods of arrays take twice as long for short ones.
    return np.minimum.reduce(values, axis=None), np.maximum.reduce(values, axis=None)


def check_finite(name: str, values: Floats, *, below: float = np.inf) -> tuple[float, float]:
    """Refuse values that are not finite, or too large, by their rows; return their span.

    The span of no values is NaN.
    """
    low, high = _span(values) if values.size else (np.nan, np.nan)
    if -below < low and high < below:
        return low, high
    good = np.abs(values) < below
    bad = np.flatnonzero(~good.all(axis=tuple(range(1, values.ndim))))
    if len(bad):
        said = f"{name} must be finite numbers{f' below {below:g}' if below < np.inf else ''}."
        raise EvalError(f"not-finite-{name}", said, rows=_numbers(bad))
    return low, high


def check_distances(matrix: Floats) -> None:
    """Refuse what is no matrix of distances."""
    # Tools write distances with six digits or so; halves of a matrix may differ in the last one.
    slack = 1e-6 * matrix.max(initial=0.0)
    wrong = ((np.abs(matrix - matrix.T) > slack) | (matrix < 0)).any(axis=1)
    bad = np.flatnonzero(wrong | (matrix.diagonal() != 0))
    if len(bad):
        raise EvalError(
            "not-distances",
            "Distances must be 0 or more, 0 from a point to itself, and symmetric.",
            rows=_numbers(bad),
        )


def within_unit(values: Floats) -> bool:
    """Return whether all values lie in [0, 1]."""
    # NaN marks "no probability column for this class" and passes; comparisons with it are False.
    low, high = (by.reduce(values, axis=None) for by in (np.fmin, np.fmax))
    return not (low < 0 or high > 1)


def check_weight(weight: Floats | None) -> None:
    """Refuse weights that are not finite, or negative."""
    if weight is None:
        return
    bad = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))
    if len(bad):
        raise EvalError("bad-weight", "Weights must be 0 or more.", rows=_numbers(bad))


def _numbers(places: NDArray[np.intp]) -> list[int]:
    """Return the numbers of rows as a person counts them, as many as an error lists."""
    return [int(place) + 1 for place in places[:ROWS_LISTED]]
