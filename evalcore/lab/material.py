"""Rows to train on and rows kept aside, which tell what an estimate from the first is worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from evalcore.outcomes import Codes, Floats, frozen

LESSON_ROWS = 120
"""Rows that a lesson trains on: few, so that chance shows and leave-one-out takes a second."""

ASIDE_ROWS = 6_000
"""More are not kept aside: they would tell the same, later."""

_PATIENTS, _VISITS = 330, 4


@dataclass(frozen=True, eq=False)
class Material:
    """Rows with features and truth.

    Attributes:
        name: What the rows are, for people.
        features: (n, d) finite numbers.
        truth: (n,) codes into `classes`, or numbers where there are none.
        classes: Names of the classes; empty for a regression.
        group: (n,) codes of what rows belong together, a patient say.
    """

    name: str
    features: Floats
    truth: Floats
    classes: tuple[str, ...] = ()
    group: Codes | None = None

    def __post_init__(self) -> None:
        for name in ("features", "truth"):
            object.__setattr__(self, name, frozen(getattr(self, name)))

    @property
    def n(self) -> int:
        """How many rows there are."""
        return len(self.truth)

    def taken(self, rows: Codes) -> "Material":
        """Return some of the rows, in this order."""
        group = None if self.group is None else self.group[rows]
        return replace(self, features=self.features[rows], truth=self.truth[rows], group=group)


@dataclass(frozen=True)
class Lesson:
    """The rows that may be used, and the rest, which stand for all rows to come."""

    rows: Material
    aside: Material


def lesson(material: Material, rng: np.random.Generator, at_most: int = LESSON_ROWS) -> Lesson:
    """Deal rows at random: at most so many, and half of them, for use; others aside.

    Rows of one group stay together; classes lie beside each other in the order of their codes.
    """
    own = np.arange(material.n) if material.group is None else material.group
    _, code, size = np.unique(own, return_inverse=True, return_counts=True)
    order = rng.permutation(len(size))
    enough = np.cumsum(size[order]) <= min(at_most, max(material.n // 2, 2))
    enough[:1] = True
    used = np.isin(code, order[enough])
    rows = np.flatnonzero(used)
    keys = (material.truth[rows], own[rows])
    rows = rows[np.lexsort(keys if material.group is not None else keys[::-1])]
    rest = np.flatnonzero(~used)
    if len(rest) > ASIDE_ROWS:
        rest = np.sort(rng.choice(rest, ASIDE_ROWS, replace=False))
    return Lesson(material.taken(rows), material.taken(rest))


def _iris() -> Material:
    from sklearn.datasets import load_iris

    made = load_iris()
    return Material("flowers (iris)", made.data, made.target, tuple(map(str, made.target_names)))


def _breast_cancer() -> Material:
    from sklearn.datasets import load_breast_cancer

    made = load_breast_cancer()
    names = tuple(map(str, made.target_names))
    return Material("tumours (breast cancer)", made.data, made.target, names)


def _diabetes() -> Material:
    from sklearn.datasets import load_diabetes

    made = load_diabetes()
    return Material("progress of an illness (diabetes)", made.data, made.target)


def _patients() -> Material:
    """Return visits that look like their patient, whose illness hardly shows in them."""
    rng = np.random.default_rng(0)
    ill = rng.random(_PATIENTS) < 0.4
    centre = rng.normal(size=(_PATIENTS, 5)) + 0.4 * ill[:, np.newaxis]
    patient = np.repeat(np.arange(_PATIENTS), _VISITS)
    features = centre[patient] + rng.normal(scale=0.2, size=(len(patient), 5))
    return Material(
        "four visits of each patient (simulated)",
        features,
        ill[patient].astype(np.float64),
        ("well", "ill"),
        patient,
    )


def rare_class(rng: np.random.Generator, n: int = 6_000) -> Material:
    """Return rows of two clouds that overlap, one row in twelve in the second."""
    rare = rng.random(n) < 1 / 12
    features = rng.normal(size=(n, 4)) + 0.8 * rare[:, np.newaxis]
    return Material("a rare class (simulated)", features, rare.astype(float), ("common", "rare"))


SAMPLES: Mapping[str, Callable[[], Material]] = MappingProxyType(
    {
        "tumours": _breast_cancer,
        "flowers": _iris,
        "patients": _patients,
        "illness": _diabetes,
    }
)
"""Rows to learn on, by key, each made when it is asked for."""
