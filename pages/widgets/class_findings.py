"""What the overview says first and last where the question has classes."""

from collections.abc import Sequence

from evalcore.errors import EvalError, Notice
from evalcore.intake.model import Dataset
from pages.figures.spoken import spoken
from pages.session import computed, current, findings
from pages.widgets import comparison_words, sayings


def finding(dataset: Dataset) -> tuple[str, str]:
    """Return which model is better, and how sure that is; of a single one how good it is."""
    if len(dataset.models) == 1:
        (model,) = dataset.models
        own = findings.own_number(dataset, model, current.threshold(dataset, model))
        return sayings.alone(spoken(dataset, model), own, computed.tables(dataset)[model])
    found = findings.leading(dataset, current.options(dataset))
    if isinstance(found, EvalError):
        return "No two models can be compared", found.message
    said, evidence = comparison_words.finding(found)
    return said, " ".join(filter(None, [evidence, comparison_words.conditions(found)]))


def remarks(dataset: Dataset, model: str) -> Sequence[Notice]:
    """Return what must be known before believing the numbers of a model."""
    return findings.notices(dataset, model, current.threshold(dataset, model))
