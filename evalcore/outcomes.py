"""What models said beside what was true: checked once here, frozen, trusted everywhere else."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.checking import Codes as Codes
from evalcore.checking import Floats as Floats
from evalcore.checking import check_codes, check_distances, check_finite, check_weight, within_unit
from evalcore.errors import EvalError

Number = float | Floats
"""A float, or an array of them: one per class, threshold or bootstrap draw."""

Places = NDArray[np.intp]
"""Where rows stand in an array, 0 being the first."""

Rows = NDArray[np.int64]
"""Data row numbers, 1 being the first."""


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array as a read-only view, so that a shared table cannot be changed."""
    view = array.view()
    view.flags.writeable = False
    return view


class ReadOnly:
    """A frozen dataclass whose arrays cannot be changed, so that whoever holds it may share it."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, frozen(value))


class _OfRows:
    """What one model said of n rows whose truth is known."""

    truth: NDArray[Any]

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.truth)


@dataclass(frozen=True, eq=False, kw_only=True)
class BinaryOutcomes(_OfRows):
    """One model's answers to a yes-or-no question, with n rows.

    Attributes:
        classes: Names of the negative and the positive class, in this order.
        truth: (n,) int8; 1 where the row is of the positive class.
        score: (n,) finite floats, higher = more positive; None if the model gave labels only.
        label: (n,) int8; 1 where the model's own label is positive; None if it gave none.
        probability: Whether `score` is a probability of the positive class, in [0, 1].
        weight: (n,) finite floats >= 0; None where every row counts once.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
    """

    classes: tuple[str, str]
    truth: Codes
    score: Floats | None = None
    label: Codes | None = None
    probability: bool = False
    weight: Floats | None = None
    rows: Rows | None = None

    def __post_init__(self) -> None:
        _check(self, len(self.truth), ("truth", "score", "label", "weight", "rows"))
        check_codes("truth", self.truth, 2)
        if self.label is not None:
            check_codes("label", self.label, 2)
        if self.score is not None:
            check_finite("score", self.score)
            if self.probability and len(self.score) and not within_unit(self.score):
                raise EvalError("not-probability", "A probability must lie in [0, 1].")
        check_weight(self.weight)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClassOutcomes(_OfRows):
    """One model's answers to a question with K classes, with n rows.

    Attributes:
        classes: The K class names, in the order of every matrix and table.
        truth: (n,) integer codes into `classes`.
        label: (n,) integer codes into `classes`, the model's own label; None if it gave none.
        probabilities: (n, K) floats in [0, 1]; a column of NaN where the model gives a class
            no probability at all; None if it gave labels only.
        weight: (n,) finite floats >= 0; None where every row counts once.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
    """

    classes: tuple[str, ...]
    truth: Codes
    label: Codes | None = None
    probabilities: Floats | None = None
    weight: Floats | None = None
    rows: Rows | None = None

    def __post_init__(self) -> None:
        _check(self, len(self.truth), ("truth", "label", "probabilities", "weight", "rows"))
        check_codes("truth", self.truth, len(self.classes))
        if self.label is not None:
            check_codes("label", self.label, len(self.classes))
        if self.probabilities is not None:
            if self.probabilities.shape[1:] != (len(self.classes),):
                raise EvalError("wrong-shape", "There must be one probability column per class.")
            if len(self.probabilities) and not within_unit(self.probabilities):
                raise EvalError("not-probability", "A probability must lie in [0, 1].")
        check_weight(self.weight)


@dataclass(frozen=True, eq=False, kw_only=True)
class NumericOutcomes(_OfRows):
    """One model's predicted numbers, with n rows.

    Attributes:
        truth: (n,) finite floats, in the unit of the target.
        prediction: (n,) finite floats, in the same unit.
        weight: (n,) finite floats >= 0; None where every row counts once.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
    """

    truth: Floats
    prediction: Floats
    weight: Floats | None = None
    rows: Rows | None = None

    def __post_init__(self) -> None:
        _check(self, len(self.truth), ("truth", "prediction", "weight", "rows"))
        check_finite("truth", self.truth)
        check_finite("prediction", self.prediction)
        check_weight(self.weight)


@dataclass(frozen=True, eq=False, kw_only=True)
class Clustering:
    """Which cluster each of n points was put in.

    Attributes:
        names: The K cluster names, in the order of every table.
        cluster: (n,) integer codes into `names`; -1 where the point is noise, in no cluster.
        rows: (n,) data row numbers, 1 being the first; None where every row of the file is used.
    """

    names: tuple[str, ...]
    cluster: Codes
    rows: Rows | None = None

    def __post_init__(self) -> None:
        _check(self, self.n, ("cluster", "rows"))
        check_codes("cluster", self.cluster, len(self.names), lowest=-1)

    @property
    def n(self) -> int:
        """Number of points, noise included."""
        return len(self.cluster)

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
        _check(self, self.n, ("features",))
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
        _check(self, self.n, ("matrix",))
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
        _check(self, self.n, ("codes",))
        if self.codes.ndim != 2 or not self.codes.shape[1]:
            raise EvalError("wrong-shape", "There must be at least one feature column.")


Outcomes = BinaryOutcomes | ClassOutcomes | NumericOutcomes
Measurable = Points | Distances | Categorical
"""Clusterings whose points lie so and so far apart."""


def data_rows(told: Outcomes | Clustering, places: Codes) -> Rows:
    """Return the data rows at these places, 1 being the first."""
    rows: Codes = places + 1 if told.rows is None else told.rows[places]
    return rows.astype(np.int64)


def _check(outcomes: Outcomes | Clustering, n: int, names: tuple[str, ...]) -> None:
    """Freeze every array and check that all have n rows."""
    for name in names:
        array = getattr(outcomes, name)
        if array is None:
            continue
        if len(array) != n:
            raise EvalError("wrong-length", f"{name} has {len(array)} rows, not {n}.")
        object.__setattr__(outcomes, name, frozen(array))
