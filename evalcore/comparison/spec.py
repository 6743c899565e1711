"""How a statistical test is declared, and which tests the data permit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from evalcore.metrics.catalog import by_key
from evalcore.metrics.vocabulary import Source, cite, entries
from evalcore.text import nothing, within_sentence

UNDEFINED = float("nan")

BACKWARDS = "all scores run backwards"
"""The doubt where low scores go with the positive class, whatever the model."""

IDENTICAL = "identical"
"""The note of a finding about two models that the data cannot tell apart in any way."""


class Design(Enum):
    """How the data were collected, which settles what may be tested."""

    PAIRED_ROWS = "paired-rows"
    FOLDS = "folds"
    REPEATED_FOLDS = "repeated-folds"
    INDEPENDENT = "independent"
    DATASETS = "datasets"


ON_ROWS = frozenset({Design.PAIRED_ROWS, Design.FOLDS})
ON_FOLDS = frozenset({Design.FOLDS, Design.REPEATED_FOLDS})


@dataclass(frozen=True)
class Situation:
    """What there is to compare with.

    Attributes:
        has_rows: Whether there are rows of predictions, not only scores of folds.
        repeats: Times that the data were split again.
        folds: Parts of each split; 0 where rows have no fold.
        datasets: Data sets that the models were scored on.
        tried: Whether items were tried several times each, so that one may be right in part.
        groups: Groups in which rows depend on each other; 0 where all rows are independent.
    """

    design: Design
    metric: str
    models: int
    has_rows: bool = True
    repeats: int = 1
    folds: int = 0
    datasets: int = 1
    tried: bool = False
    groups: int = 0


@dataclass(frozen=True)
class Finding:
    """What a test found.

    Attributes:
        p_value: Chance of data at least as far apart if the models were equally good; NaN where
            there is none, for the reason in `note`.
        statistic: What the test computes, positive where the second model has the higher value
            if it has a sign; NaN for a test without one.
        details: Numbers worth showing beside it, by name.
        note: "identical", or what to know about it; "" otherwise.
    """

    p_value: float
    statistic: float = UNDEFINED
    details: Mapping[str, float] = field(default_factory=nothing)
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class StatisticalTest:
    """A test: its function and what there is to say about it.

    Attributes:
        needs: The type of the table that `compute` takes.
        summary: What it asks, one sentence, plain words.
        assumes: What must hold for its p value to be right, one sentence.
        metrics: The keys of the metrics that it can compare; empty if any.
        models: The fewest models that it makes sense for.
        overall: Whether it is about all models at once, not about pairs.
        by_groups: Whether it allows for rows of a group that depend on each other.
        adjusted: Whether its p values allow for the number of pairs already.
        signed: Whether its statistic has a sign that turns with the order of the two models.
        instead_of: Key of the test that asks the same in other designs, and that alone is listed
            where neither fits; "" if there is none.
        objection: What else speaks against it in a situation; "" if nothing.
    """

    key: str
    name: str
    needs: type
    compute: Callable[..., Finding]
    summary: str
    assumes: str
    designs: frozenset[Design]
    source: Source
    metrics: tuple[str, ...] = ()
    models: int = 2
    overall: bool = False
    by_groups: bool = False
    adjusted: bool = False
    signed: bool = True
    instead_of: str = ""
    objection: Callable[[Situation], str] = lambda _: ""

    def __call__(self, table: Any) -> Finding:
        """Return what the test finds in a table of the type that it needs."""
        return self.compute(table)


WORDED: Mapping[str, Mapping[str, Any]] = {
    key: dict(line.split(": ", 1) for line in lines)
    for key, *lines in entries(__file__, "tests.txt")
}
"""The texts about each test by its key, in reading order."""


def statistical_test(**declaration: Any) -> Callable[[Callable[..., Finding]], StatisticalTest]:
    """Return a decorator that declares a test, with the other fields of a `StatisticalTest`.

    The test has the key that is the function's name, the texts of `tests.txt` under that key, and
    needs the table that the function takes.
    """

    def declare(compute: Callable[..., Finding]) -> StatisticalTest:
        key, needs = compute.__name__, next(iter(compute.__annotations__.values()))
        told = {**WORDED[key], "source": cite(WORDED[key]["source"]), **declaration}
        return StatisticalTest(key=key, needs=needs, compute=compute, **told)

    return declare


def why_not(test: StatisticalTest, situation: Situation) -> str:
    """Return a sentence that says why a test is not made, or "" if it is.

    >>> from evalcore.comparison.rows import cochran_q
    >>> why_not(cochran_q, Situation(Design.PAIRED_ROWS, "accuracy", models=2))
    'It compares 3 models or more; here there are 2.'
    """
    if test.designs >= ON_ROWS and not situation.has_rows:
        return "The file holds one score per fold, not one row per example."
    if situation.design not in test.designs:
        return _lacking(test, situation.design)
    of_rows = test.designs & {Design.PAIRED_ROWS, Design.INDEPENDENT}
    if situation.groups and of_rows and not test.by_groups:
        return f"It assumes independent rows; here they belong to {situation.groups:,} groups."
    if test.metrics and situation.metric not in test.metrics:
        *names, last = map(_called, test.metrics)
        listed = " or ".join(filter(None, (", ".join(names), last)))
        return f"It compares {listed}, not {_called(situation.metric)}."
    if situation.models < test.models:
        return f"It compares {test.models} models or more; here there are {situation.models}."
    return test.objection(situation)


def _called(metric: str) -> str:
    """Return what a metric is called in a sentence; one of the file's own by its name."""
    known = by_key().get(metric)
    return f'"{metric}"' if known is None else within_sentence(known.name)


def _lacking(test: StatisticalTest, design: Design) -> str:
    """Say what data of this design lack for the test."""
    if test.designs == frozenset({Design.DATASETS}):
        return "It needs the scores of all models on several data sets."
    if test.designs == frozenset({Design.INDEPENDENT}):
        return "It is for models on rows of their own; here all share the same rows."
    if design is Design.INDEPENDENT:
        return "It compares models on the same rows; here each has rows of its own."
    if design is Design.PAIRED_ROWS and test.designs & ON_FOLDS:
        return "The file has no fold column."
    if test.designs == frozenset({Design.REPEATED_FOLDS}):
        return "It needs repeated splits; here there is one."
    if design is Design.REPEATED_FOLDS:
        return "Repeated splits reuse the same rows, so it would be far too confident."
    return "It is not for several data sets."
