"""The rows of a file as rows of a lesson, as far as it says enough about them."""

import numpy as np

from evalcore.intake.model import Dataset
from evalcore.lab.material import Material
from evalcore.outcomes import Codes, Floats, NumericOutcomes, Outcomes, Points

FEWEST_ROWS = 20
NAME = "the rows of your file"


def train(dataset: Dataset | None) -> bool:
    """Whether there are features to train on, beside true classes."""
    found = None if dataset is None else points(dataset)
    if dataset is None or dataset.true_class is None or found is None:
        return False
    return int((dataset.true_class.codes[_places(found)] >= 0).sum()) >= FEWEST_ROWS


def split(dataset: Dataset | None) -> bool:
    """Whether there are rows to split, with or without features."""
    judged = None if dataset is None else _judged(dataset)
    return train(dataset) or (judged is not None and judged.n >= FEWEST_ROWS)


def material(dataset: Dataset) -> Material:
    """Return the rows; without any feature where they can be split but not trained on."""
    made = _with_features(dataset) if train(dataset) else _without(dataset)
    assert made is not None  # nobody can choose what is not offered
    return made


def _with_features(dataset: Dataset) -> Material | None:
    found, truth = points(dataset), dataset.true_class
    if found is None or truth is None:
        return None
    places = _places(found)
    kept = np.flatnonzero(truth.codes[places] >= 0)
    codes = truth.codes[places][kept].astype(np.float64)
    group = _groups(dataset, places[kept])
    return Material(NAME, _in_units(found.features[kept]), codes, truth.names, group)


def _without(dataset: Dataset) -> Material | None:
    judged = _judged(dataset)
    if judged is None:
        return None
    names = () if isinstance(judged, NumericOutcomes) else judged.classes
    truth = judged.truth.astype(np.float64)
    return Material(NAME, np.empty((judged.n, 0)), truth, names, _groups(dataset, _places(judged)))


def points(dataset: Dataset) -> Points | None:
    """Return the first points of a file whose features are known; None without any."""
    return next((one for one in dataset.clusterings.values() if isinstance(one, Points)), None)


def _judged(dataset: Dataset) -> Outcomes | None:
    return next(iter(dataset.models.values()), None)


def _in_units(features: Floats) -> Floats:
    """Return each feature in a power of two of its own: trees hold no number beyond 3e38."""
    _, exponent = np.frexp(np.abs(features).max(axis=0, initial=0.0))
    scaled: Floats = np.ldexp(features, -exponent)
    return scaled


def _groups(dataset: Dataset, places: Codes) -> Codes | None:
    return None if dataset.group is None else np.asarray(dataset.group.codes)[places]


def _places(found: Points | Outcomes) -> Codes:
    return np.arange(found.n) if found.rows is None else found.rows - 1
