"""A Minkowski distance feature by feature, and the points at distance 1 from the origin."""

from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats, ReadOnly


@dataclass(frozen=True, eq=False)
class MinkowskiTerms(ReadOnly):
    """Two points and what lies between them.

    Attributes:
        difference: (d,) absolute difference in each feature.
        share: (d,) share of each feature in the sum of powers; NaN where no feature differs. With
            an infinite order the largest differences share it all.
        distance: In the unit of the features.
    """

    difference: Floats
    share: Floats
    distance: float


def minkowski(first: Floats, second: Floats, order: float) -> MinkowskiTerms:
    """Return how far two points of (d,) features are apart by the Minkowski distance of an order.

    Source: Minkowski (1896), Geometrie der Zahlen.

    Raises:
        EvalError: "bad-order": an order below 1, which breaks the triangle inequality.

    >>> minkowski(np.array([0.0, 0.0]), np.array([3.0, 4.0]), order=2).distance
    5.0
    """
    if not order >= 1:
        raise EvalError("bad-order", "The order of a Minkowski distance must be 1 or more.")
    difference = np.abs(first - second)
    largest = float(difference.max(initial=0.0))
    if not largest:
        return MinkowskiTerms(difference, np.full(len(difference), np.nan), 0.0)
    # Of the largest difference, since powers of the differences themselves overflow.
    part = difference / largest
    power = (part == 1).astype(np.float64) if np.isinf(order) else part**order
    total = power.sum()
    return MinkowskiTerms(difference, power / total, float(largest * total ** (1 / order)))


def nearest(features: Floats, place: int, order: float) -> int:
    """Return the place of the point nearest to that at `place`, the first of equally near ones.

    `features` are (n, d) of two points or more, the order is 1 or more.

    >>> nearest(np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 3.0]]), 0, order=1)
    2
    >>> nearest(np.array([[0.0, 0.0], [2.0, 2.0], [0.0, 3.0]]), 0, order=np.inf)
    1
    """
    difference = np.abs(features - features[place])
    far = difference.max(axis=1)
    if not np.isinf(order):
        part = difference / np.where(far == 0, 1, far)[:, np.newaxis]
        far = far * (part**order).sum(axis=1) ** (1 / order)
    far[place] = np.inf
    return int(np.argmin(far))


def unit_circle(order: float, corners: int = 361) -> Floats:
    """Return (n, 2) points in the plane at distance 1 from the origin, all the way round.

    >>> unit_circle(1, corners=5).round(6).tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-0.0, -1.0], [1.0, -0.0]]
    """
    angle = np.linspace(0, 2 * np.pi, corners)
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    length = [minkowski(way, np.zeros(2), order).distance for way in ways]
    round_: Floats = ways / np.array(length)[:, np.newaxis]
    return round_
