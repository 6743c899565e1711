"""Rows that lessons train on and measure in the browser: those of samples, and some of a file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore.outcomes import Codes, Floats, ReadOnly
from evalview.course.lessons import Lesson, Setting

OWN = "your file"
"""What the rows of a file are called among those of samples."""
MOST_ROWS, MOST_FEATURES = 600, 30
"""More of a file is not sent: it would tell the same, later."""

_PATIENTS, _VISITS = 150, 4


@dataclass(frozen=True, eq=False)
class Material(ReadOnly):
    """Rows with features, and with a truth where a model can be trained on them.

    Attributes:
        features: (n, d) finite numbers.
        truth: (n,) codes into `classes`, or numbers where there are none.
        classes: Names of the classes; empty for a regression.
        names: The d names of the features.
        number: (n,) the numbers of the rows in their file, from 1.
        group: (n,) codes of what rows belong together, such as visits of one patient.
    """

    features: Floats
    truth: Floats
    classes: tuple[str, ...]
    names: tuple[str, ...]
    number: Codes
    group: Codes | None = None

    def sent(self) -> Mapping[str, Any]:
        """Return at most 600 rows, evenly spread, of at most 30 features, to six digits."""
        n = len(self.truth)
        kept = np.unique(np.linspace(0, n - 1, min(n, MOST_ROWS)).round().astype(np.int64))
        return {
            "features": [_short(row) for row in self.features[kept, :MOST_FEATURES]],
            "truth": _short(self.truth[kept]),
            "classes": self.classes,
            "names": self.names[:MOST_FEATURES],
            "number": self.number[kept].tolist(),
            "group": None if self.group is None else self.group[kept].tolist(),
        }


def _short(values: Floats) -> list[float]:
    return [float(f"{value:.6g}") for value in values.tolist()]


def _made(
    features: Floats, truth: Floats, names: list[str], classes: tuple[str, ...] = (),
    group: Codes | None = None,
) -> Material:  # fmt: skip
    number = np.arange(1, len(truth) + 1)
    return Material(features, truth.astype(np.float64), classes, tuple(names), number, group)


def _flowers() -> Material:
    from sklearn.datasets import load_iris

    made = load_iris()
    return _made(made.data, made.target, made.feature_names, tuple(map(str, made.target_names)))


def _tumours() -> Material:
    """Return the ten means of the measurements; their errors and extremes are left out."""
    from sklearn.datasets import load_breast_cancer

    made = load_breast_cancer()
    names = list(map(str, made.feature_names[:10]))
    return _made(made.data[:, :10], made.target, names, tuple(map(str, made.target_names)))


def _illness() -> Material:
    from sklearn.datasets import load_diabetes

    made = load_diabetes(scaled=False)
    return _made(made.data, made.target, made.feature_names)


def _patients() -> Material:
    """Return visits that look like their patient, whose illness hardly shows in them."""
    rng = np.random.default_rng(0)
    ill = (rng.random(_PATIENTS) < 0.4).astype(np.float64)
    centre = rng.normal(size=(_PATIENTS, 5)) + 0.4 * ill[:, np.newaxis]
    patient = np.repeat(np.arange(_PATIENTS), _VISITS)
    features = centre[patient] + rng.normal(scale=0.2, size=(len(patient), 5))
    names = [f"measurement {at}" for at in range(1, 6)]
    return _made(features, ill[patient], names, ("well", "ill"), patient)


SAMPLES: Mapping[str, Callable[[], Material]] = MappingProxyType(
    {"patients": _patients, "flowers": _flowers, "tumours": _tumours, "illness": _illness}
)
"""By the words with which lessons name them: the last three come with scikit-learn."""


@cache
def sent(name: str) -> Mapping[str, Any]:
    """Return rows of a sample as the browser takes them."""
    return SAMPLES[name]().sent()


def data(lesson: Lesson, own: Material | None = None) -> Mapping[str, Any]:
    """Return the rows of a lesson by what they are called, those of a file last."""
    found = {name: sent(name) for name in lesson.data}
    return found if own is None else {**found, OWN: own.sent()}


def suited(lesson: Lesson, own: Material | None) -> Lesson:
    """Return a lesson whose settings know the rows of a file, too."""
    if own is None:
        return lesson
    return replace(lesson, settings=tuple(_suited(one, own, lesson) for one in lesson.settings))


def _suited(setting: Setting, own: Material, lesson: Lesson) -> Setting:
    if setting.options and set(setting.options) == set(lesson.data):
        return replace(setting, options=(*setting.options, OWN))
    if setting.form != "row":
        return setting
    last = min(len(own.truth), MOST_ROWS)
    return replace(setting, start=(min(float(setting.start[0]), last),), high=last)
