"""What a user may settle about a file; everything else is detected."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

NOISE = "-1"
"""The label of points in no cluster, as DBSCAN, HDBSCAN and OPTICS write it."""


class Task(Enum):
    """The kind of question the models answer."""

    BINARY = "binary"
    MULTICLASS = "multiclass"
    REGRESSION = "regression"
    CLUSTERING = "clustering"
    FOLDS = "folds"


class Scale(Enum):
    """How a score is to be read.

    CONFIDENCE is the probability of the label the model gave, whichever that is.
    """

    PROBABILITY = "probability"
    PERCENT = "percent"
    LOGIT = "logit"
    SCORE = "score"
    CONFIDENCE = "confidence"


class FeatureKind(Enum):
    """What the columns of features hold.

    DISTANCES: A square matrix, the distance of each row to every row.
    """

    NUMBERS = "numbers"
    DISTANCES = "distances"
    CATEGORIES = "categories"


@dataclass(frozen=True)
class Choices:
    """What the user has settled; everything left at None is detected.

    An empty text for fold, weight, group or id says that no column has that role. Keys of the
    mappings are model names; `probabilities` maps a model to {class: column}; `fold_scores` holds
    columns of a file with one score per fold, and `noise` is a cluster label. `feature_kind` makes
    categories of features that are whole numbers, and numbers of what looks like distances. A model
    that has no name is keyed by "" (or by the column itself); an unnamed label, score and set of
    probabilities belong to one model, which is then called like its score column. `order` holds all
    classes, the lowest first; `merge_spellings` makes one class of labels that differ only in how
    they are written.
    """

    task: Task | None = None
    truth: str | None = None
    labels: Mapping[str, str] | None = None
    scores: Mapping[str, str] | None = None
    probabilities: Mapping[str, Mapping[str, str]] | None = None
    predictions: Mapping[str, str] | None = None
    clusterings: Mapping[str, str] | None = None
    features: tuple[str, ...] | None = None
    feature_kind: FeatureKind | None = None
    noise: str | None = None
    fold_scores: Mapping[str, str] | None = None
    repeat: str | None = None
    dataset: str | None = None
    train_size: str | None = None
    test_size: str | None = None
    fold: str | None = None
    weight: str | None = None
    group: str | None = None
    id: str | None = None
    model: str | None = None
    positive: str | None = None
    scale: Scale | None = None
    reverse: bool = False
    order: tuple[str, ...] | None = None
    merge_spellings: bool = False
    sheet: str | None = None
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    thousands: str | None = None


NO_CHOICES = Choices()
"""Everything is detected."""
