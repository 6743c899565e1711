"""The yes-or-no question behind a threshold: the file's own, or one class against the others."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evalcore.intake.model import Dataset
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes
from evalcore.results import ModelTables
from pages.session import computed

OTHERS, ELSE = "other", "something else"


@dataclass(frozen=True, eq=False)
class Question:
    """A yes-or-no question and how its models answer.

    Attributes:
        key: Names data and question, for caches.
        classes: The negative class and the positive one.
        tables: The count tables of each model that gives scores.
    """

    key: str
    classes: tuple[str, str]
    tables: Mapping[str, ModelTables]


def asked(dataset: Dataset, label: str | None = None) -> Question:
    """Return the question of a data set; among several classes that of the class `label`."""
    tables = computed.tables(dataset)
    if label is None:
        negative, positive = dataset.classes
        scored = {name: found for name, found in tables.items() if found.scores is not None}
        return Question(dataset.digest, (negative, positive), scored)
    classes = (ELSE if label == OTHERS else OTHERS, label)
    return Question(f"{dataset.digest}|{label}", classes, against_rest(tables, label, classes))


def scored_classes(dataset: Dataset) -> tuple[str, ...]:
    """Return the classes to which some model gives a probability."""
    tables = computed.tables(dataset)
    return tuple(name for name in dataset.classes if against_rest(tables, name, (OTHERS, name)))


def against_rest(
    tables: Mapping[str, ModelTables], label: str, classes: tuple[str, str]
) -> Mapping[str, ModelTables]:
    """Return the tables of a class against all others, by model; none where it has no score."""
    found = {}
    for name, whole in tables.items():
        if whole.class_scores is None:
            continue
        table = whole.class_scores.one_vs_rest[whole.class_scores.classes.index(label)]
        if table is not None:
            found[name] = ModelTables(n=whole.n, classes=classes, scores=table, probability=True)
    return found


def outcomes_of(dataset: Dataset, question: Question, model: str) -> BinaryOutcomes:
    """Return what a model says of the question, row by row; it must be among its models."""
    told = dataset.models[model]
    if isinstance(told, BinaryOutcomes):
        return told
    assert isinstance(told, ClassOutcomes)
    assert told.probabilities is not None
    code = told.classes.index(question.classes[1])
    return BinaryOutcomes(
        classes=question.classes,
        truth=(told.truth == code).astype(np.int8),
        score=told.probabilities[:, code],
        probability=True,
        weight=told.weight,
        rows=told.rows,
    )
