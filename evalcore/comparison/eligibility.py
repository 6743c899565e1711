"""Which tests the data permit, and why not the others."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.comparison.spec import ON_FOLDS, ON_ROWS, Design, Situation, StatisticalTest

_DESIGNS: Mapping[Design, str] = MappingProxyType(
    {
        Design.PAIRED_ROWS: "rows without folds",
        Design.FOLDS: "the folds of one split",
        Design.REPEATED_FOLDS: "the folds of repeated splits",
        Design.INDEPENDENT: "models that were each scored on rows of their own",
        Design.DATASETS: "several data sets",
    }
)


def why_not(test: StatisticalTest, situation: Situation) -> str:
    """Return a sentence that says why a test is not made, or "" if it is.

    >>> from evalcore.comparison.rows import COCHRAN_Q
    >>> why_not(COCHRAN_Q, Situation(Design.PAIRED_ROWS, "accuracy", models=2))
    'It compares 3 models or more; here are 2.'
    """
    return (
        _misfit(test, situation)
        or _other_metric(test, situation)
        or _too_few_models(test, situation)
        or test.objection(situation)
    )


def _misfit(test: StatisticalTest, situation: Situation) -> str:
    if test.designs >= ON_ROWS and not situation.has_rows:
        return "The file holds one score per fold, not one row per example."
    if situation.design in test.designs:
        return ""
    return _lacking(test, situation.design)


def _lacking(test: StatisticalTest, design: Design) -> str:
    """Say what data of this design lack for the test."""
    if test.designs == frozenset({Design.DATASETS}):
        return "It needs the scores of all models on several data sets."
    if test.designs == frozenset({Design.INDEPENDENT}):
        return "It is for models on rows of their own; here all are on the same."
    if design is Design.INDEPENDENT:
        return "It compares models on the same rows; here each has rows of its own."
    if design is Design.PAIRED_ROWS and test.designs & ON_FOLDS:
        return "The file has no fold column."
    if test.designs == frozenset({Design.REPEATED_FOLDS}):
        return "It needs splits that were repeated; here is one."
    if design is Design.REPEATED_FOLDS:
        return "Repeated splits use the same rows again, so it would be far too sure of itself."
    return f"It is not for {_DESIGNS[design]}."


def _other_metric(test: StatisticalTest, situation: Situation) -> str:
    if not test.metrics or situation.metric in test.metrics:
        return ""
    *some, last = test.metrics
    names = f"{', '.join(some)} or {last}" if some else last
    return f'It compares {names}; here "{situation.metric}" is compared.'


def _too_few_models(test: StatisticalTest, situation: Situation) -> str:
    if situation.models >= test.models:
        return ""
    return f"It compares {test.models} models or more; here are {situation.models}."
