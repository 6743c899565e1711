"""Choosing which of several classes is set against all others."""

from evalcore.intake.model import Dataset
from pages.escape import shorten
from pages.session.question import scored_classes
from pages.widgets.list_box import list_box


def pick_class(dataset: Dataset) -> str:
    """Show the classes to pick from, those that have a probability; return the one picked."""
    names = {name: shorten(name, 60) for name in scored_classes(dataset)}
    return list_box("Which class counts as positive", names, key="class", width=320)
