"""Which data can fill which page."""

from evalcore.contests.foldwise import MOST_FOLDS
from evalcore.intake.model import Dataset, Task
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Measurable, Points
from pages.session import stated

CLASSES = (Task.BINARY, Task.MULTICLASS)
JUDGED = (*CLASSES, Task.REGRESSION, Task.CLUSTERING)


def is_judged(dataset: Dataset) -> bool:
    """Whether rows or points are judged one by one, rather than scores of folds."""
    return dataset.roles.task in JUDGED


def has_classes(dataset: Dataset) -> bool:
    """Whether classes are predicted."""
    return dataset.roles.task in CLASSES


def has_numbers(dataset: Dataset) -> bool:
    """Whether numbers are predicted."""
    return dataset.roles.task is Task.REGRESSION


def has_points(dataset: Dataset) -> bool:
    """Whether there are clusters of points whose features are known."""
    return any(isinstance(found, Points) for found in dataset.clusterings.values())


def has_measurable(dataset: Dataset) -> bool:
    """Whether there are clusters of points that lie so and so far apart."""
    return any(isinstance(found, Measurable) for found in dataset.clusterings.values())


def has_groups(dataset: Dataset) -> bool:
    """Whether a clustering can be held against classes or another clustering."""
    others = len(dataset.clusterings) + (dataset.true_class is not None)
    return bool(dataset.clusterings) and others > 1


def has_clusterings(dataset: Dataset) -> bool:
    """Whether there are clusterings to choose from."""
    return len(dataset.clusterings) > 1


def has_stated(dataset: Dataset) -> bool:
    """Whether quantiles or intervals are stated beside predicted numbers."""
    return dataset.roles.task is Task.REGRESSION and bool(stated.found(dataset))


def has_rivals(dataset: Dataset) -> bool:
    """Whether there are models to compare, by rows or by folds."""
    scored = dataset.fold_scores
    return len(dataset.models if scored is None else scored.models) > 1


def has_judged_rivals(dataset: Dataset) -> bool:
    """Whether there are models to compare by rows."""
    return len(dataset.models) > 1


def has_folds(dataset: Dataset) -> bool:
    """Whether there are models judged on few enough folds."""
    folded = dataset.fold is not None and 2 <= len(dataset.fold.names) <= MOST_FOLDS
    scored = dataset.fold_scores is not None and has_rivals(dataset)
    return scored or (folded and bool(dataset.models))


def has_scores(dataset: Dataset) -> bool:
    """Whether a model scores rows, for a yes-or-no question or for classes."""
    return has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
        for outcomes in dataset.models.values()
    )


def has_probabilities(dataset: Dataset) -> bool:
    """Whether a model gives probabilities."""
    return has_class_scores(dataset) or any(
        isinstance(outcomes, BinaryOutcomes) and outcomes.probability
        for outcomes in dataset.models.values()
    )


def has_class_scores(dataset: Dataset) -> bool:
    """Whether a model gives the probability of each of several classes."""
    return any(
        isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None
        for outcomes in dataset.models.values()
    )
