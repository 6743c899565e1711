"""What the overview says first and last where the question has classes."""

from collections.abc import Sequence

from evalcore.errors import Notice
from evalcore.intake.model import Dataset
from pages.session import current, findings
from pages.widgets import sayings


def finding(dataset: Dataset) -> tuple[str, str]:
    """Return which model leads, and by how much."""
    leader = findings.leading(dataset)
    at = current.threshold(dataset, leader and leader.model)
    own = findings.own_number(dataset, leader, at)
    return sayings.leading(leader), sayings.closest(leader, own)


def remarks(dataset: Dataset, model: str) -> Sequence[Notice]:
    """Return what must be known before believing the numbers of a model."""
    return findings.notices(dataset, model, current.threshold(dataset, model))
