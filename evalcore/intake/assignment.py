"""Which column plays which role, why, and how sure that is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from evalcore.intake.choices import NOISE, FeatureKind, Scale, Task

NOTHING: Mapping[str, str] = MappingProxyType({})


class Confidence(Enum):
    """How sure it is that a column has its role.

    SURE: the user or the tool that wrote the file says so, or a plain name and the values agree.
    LIKELY: a name says so, and the values allow it.
    GUESS: only a name says so, or only the values.
    """

    SURE = "sure"
    LIKELY = "likely"
    GUESS = "a guess"


@dataclass(frozen=True)
class Reason:
    """Why something was taken for what it is, and how sure that is."""

    text: str
    confidence: Confidence


CHOSEN = Reason("chosen", Confidence.SURE)
"""The user has said so."""


NO_REASONS: Mapping[str, Reason] = MappingProxyType({})


@dataclass(frozen=True)
class ModelRoles:
    """The columns that hold one model's answers.

    `probabilities` maps a class to its column. In a binary task `score` is the column about the
    positive class; where its only column is about the other class, that column stands in both
    places and its complement is used.
    """

    label: str | None = None
    score: str | None = None
    probabilities: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    prediction: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that have a role."""
        single = (self.label, self.score, self.prediction)
        return (*(c for c in single if c is not None), *self.probabilities.values())


@dataclass(frozen=True, kw_only=True)
class FoldRoles:
    """The columns of a file with one score per fold.

    Attributes:
        metric: What was scored, in the file's words.
        scores: Model -> the column of its scores; "" where another column names the models.
        named_by: Score column -> the column that names the model of each row; empty where a column
            holds the scores of one model.
        repeat: The split that a fold belongs to.
        dataset: The data set.
        train_size: Training rows of the fold.
        test_size: Test rows of the fold.
        others: What else was scored, and is left aside.
    """

    metric: str
    scores: Mapping[str, str]
    named_by: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    repeat: str | None = None
    dataset: str | None = None
    train_size: str | None = None
    test_size: str | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Roles:
    """Which column plays which role, and why.

    Attributes:
        truth: The column of true labels or numbers; "" where there is none.
        clusterings: Name -> the column of its cluster labels.
        features: The columns that clusters were made on.
        feature_kind: What these columns hold.
        noise: The cluster label of points in no cluster.
        folds: The other columns of a file with one score per fold; None for any other file.
        reasons: For each column that plays a role, why.
        positive_reason: Why this class is the positive one; None where there is none.
        threshold: Where the tool that wrote the file cut the scores of the positive class.
        order: The classes in their order, lowest first; empty where they have none of their own.
        merge_spellings: Whether labels that differ only in how they are written are one class.
    """

    task: Task
    truth: str
    models: Mapping[str, ModelRoles]
    fold: str | None = None
    weight: str | None = None
    group: str | None = None
    id: str | None = None
    clusterings: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    features: tuple[str, ...] = ()
    feature_kind: FeatureKind = FeatureKind.NUMBERS
    noise: str = NOISE
    folds: FoldRoles | None = None
    positive: str | None = None
    positive_reason: Reason | None = None
    threshold: float | None = None
    scale: Scale | None = None
    reverse: bool = False
    order: tuple[str, ...] = ()
    merge_spellings: bool = False
    reasons: Mapping[str, Reason] = field(default_factory=lambda: NO_REASONS)
