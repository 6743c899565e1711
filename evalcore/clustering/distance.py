"""Distances between points, in tiles, by any measure, and how a distance comes about."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, Self, get_args

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Categorical, Distances, Floats, Measurable, Places, Points, data_rows
from evalcore.tables.confusion import blocks
from evalcore.work import Progress

ToRun = Callable[[slice], Floats]
"""From fixed points to a run of points: their distances, one row per fixed point."""


Kind = Literal["euclidean", "manhattan", "minkowski", "cosine", "matching"]


@dataclass(frozen=True)
class Distance:
    """How to measure how far two points are apart.

    Attributes:
        kind: "euclidean", "manhattan", "minkowski" of order `p`, "cosine" (1 - cosine of the
            angle) or "matching" (the share of features that differ, for codes of categories).
        p: The order, from 1 to 32; infinite for the largest difference in any feature.
    """

    kind: Kind = "euclidean"
    p: float = 2.0

    def __post_init__(self) -> None:
        # Beyond 32 the powers of small differences vanish.
        if not (1 <= self.p <= 32 or self.p == np.inf):
            raise EvalError(
                "bad-order", "The order of a Minkowski distance must be from 1 to 32, or infinite."
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a distance in words.

        Raises:
            EvalError: "bad-distance", naming those that there are; "bad-order".

        >>> Distance.parse("manhattan").kind, Distance.parse("minkowski:3").p
        ('manhattan', 3.0)
        """
        kind, _, order = text.partition(":")
        for known in _NAMED:
            if text == known:
                return cls(known)
        if kind == "minkowski" and _ORDER.fullmatch(order):
            return cls("minkowski", float(order))
        raise EvalError(
            "bad-distance",
            f'There is no distance "{text}". There are: {", ".join(_NAMED)}, and minkowski:P with '
            "an order P, such as minkowski:3.",
        )


_NAMED: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "minkowski")
_ORDER = re.compile(r"\d+(\.\d+)?|inf")


EUCLIDEAN = Distance()
MATCHING = Distance("matching")


def fitting(points: Measurable, asked: str | None) -> Distance:
    """Return the distance that was asked for in words; None stands for the usual one.

    Raises:
        EvalError: "bad-distance": there is none of that name, or none can be chosen here.
    """
    usual = MATCHING if isinstance(points, Categorical) else EUCLIDEAN
    if asked is None:
        return usual
    wanted = Distance.parse(asked)
    if isinstance(points, Distances):
        raise EvalError(
            "bad-distance",
            f'The file gives the distances themselves, so "{asked}" cannot be measured. Leave the '
            "distance out, or name the columns as features.",
        )
    if isinstance(points, Categorical) and wanted != usual:
        raise EvalError(
            "bad-distance",
            f'The features are categories, between which "{asked}" has no meaning. Leave the '
            "distance out or choose matching, the share of features that differ; or name numeric "
            "columns as features.",
        )
    return wanted


@dataclass(frozen=True)
class Measure:
    """Distances among points that lie in a given order.

    Attributes:
        unit: What a distance of 1 stands for; tiles are in this unit, so that no square overflows.
        start: From the places of some points to the function that measures from them.
    """

    unit: float
    start: Callable[[Places], ToRun]


def measure(points: Measurable, order: Places, distance: Distance = EUCLIDEAN) -> Measure:
    """Return the distances among the points in `order`; places and runs count along it.

    Those of `Distances` are looked up, and those of `Categorical` are the share of features that
    differ, whatever `distance` says.

    Raises:
        EvalError: "zero-vector": a point at the origin has no direction.
    """
    if isinstance(points, Distances):
        return Measure(1.0, partial(_looked_up, points.matrix, order))
    if isinstance(points, Categorical):
        return Measure(1.0, partial(_direct, points.codes[order].astype(np.float64), "hamming"))
    features = points.features[order]
    kind = _plain(distance)
    if kind == "hamming":
        return Measure(1.0, partial(_direct, features, kind))
    unit = _unit(features)
    features /= unit
    if kind == "cosine":
        return Measure(1.0, partial(_cosine, _directions(features, points, order)))
    if kind == "euclidean":
        return Measure(unit, partial(_euclidean, features))
    if kind == "minkowski":
        return Measure(unit, partial(_minkowski, features, distance.p))
    return Measure(unit, partial(_direct, features, kind))


def _plain(distance: Distance) -> str:
    """Return the name by which scipy knows the distance, the simplest one for an order."""
    simple = {"manhattan": "cityblock", "matching": "hamming"}
    if distance.kind == "minkowski":
        return {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev"}.get(
            distance.p, "minkowski"
        )
    return simple.get(distance.kind, distance.kind)


def _unit(features: Floats) -> float:
    """Return the power of two below the largest feature: dividing by it rounds nothing."""
    return float(2.0 ** (np.frexp(np.abs(features).max(initial=0.0))[1] - 1))


def _directions(features: Floats, points: Points, order: Places) -> Floats:
    length = np.sqrt(np.einsum("ij,ij->i", features, features))
    lost = order[length == 0]
    if len(lost):
        raise EvalError(
            "zero-vector",
            f"{len(lost)} points have 0 in every feature, so no direction for a cosine; choose "
            "another distance, or leave them out.",
            rows=data_rows(points, lost).tolist(),
        )
    directions: Floats = features / length[:, np.newaxis]
    return directions


def _euclidean(features: Floats, rows: Places) -> ToRun:
    """Measure by one matrix product: |x - y|^2 = |x|^2 - 2 xy + |y|^2.

    The origin is put amid the rows, so that near points lose no digits.
    """
    own = features[rows]
    centre = own.mean(axis=0)
    left = _beside(own - centre, squares_first=True)

    def to(run: slice) -> Floats:
        right = _beside(features[run] - centre, squares_first=False)
        right[:, :-2] *= -2
        tile: Floats = left @ right.T
        # Rounding may leave the square of a small distance below 0.
        np.abs(tile, out=tile)
        return np.sqrt(tile, out=tile)

    return to


def _beside(values: Floats, *, squares_first: bool) -> Floats:
    """Return (n, d) values with two more columns: their squared lengths, and ones."""
    n, d = values.shape
    wide = np.ones((n, d + 2))
    wide[:, :d] = values
    wide[:, d if squares_first else d + 1] = np.einsum("ij,ij->i", values, values)
    return wide


def _cosine(directions: Floats, rows: Places) -> ToRun:
    own = directions[rows]

    def to(run: slice) -> Floats:
        tile: Floats = own @ directions[run].T
        np.subtract(1, tile, out=tile)
        return np.abs(tile, out=tile)

    return to


def _minkowski(features: Floats, p: float, rows: Places) -> ToRun:
    own = features[rows]

    def to(run: slice) -> Floats:
        tile = np.zeros((len(rows), run.stop - run.start))
        for mine, theirs in zip(own.T, features[run].T, strict=True):
            apart = np.abs(np.subtract.outer(mine, theirs))
            tile += np.power(apart, p, out=apart)
        return np.power(tile, 1 / p, out=tile)

    return to


def _direct(features: Floats, name: str, rows: Places) -> ToRun:
    from scipy.spatial.distance import cdist

    return lambda run: cdist(features[rows], features[run], name)


def _looked_up(matrix: Floats, order: Places, rows: Places) -> ToRun:
    return lambda run: matrix[np.ix_(order[rows], order[run])]


SIDE = 512
"""Points on the longer side of a tile: 2 MB in float64, which a processor keeps at hand."""


def triangle(n: int) -> list[list[slice]]:
    """Return for each run of n places that run and those after it: every pair of places once."""
    cuts = list(blocks(n, SIDE))
    return [cuts[place:] for place in range(len(cuts))]


def places(run: slice) -> Places:
    """Return the places in a run."""
    return np.arange(run.start, run.stop)


def tiles(
    measure: Measure, rows: Places, columns: Iterable[slice], progress: Progress
) -> Iterator[tuple[slice, Floats]]:
    """Yield each run of columns with its distances from the rows, exactly 0 to itself."""
    to = measure.start(rows)
    for run in columns:
        progress.check()
        tile = to(run)
        here = np.flatnonzero((rows >= run.start) & (rows < run.stop))
        tile[here, rows[here] - run.start] = 0
        yield run, tile
