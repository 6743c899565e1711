"""Names at the axes of a figure, on two lines where they are long."""

from collections.abc import Sequence
from textwrap import wrap

from pages.escape import plotly as safe
from pages.escape import shorten


def on_two_lines(name: str, width: int = 13) -> str:
    """Return a name, escaped, on two lines at most, each about `width` letters wide.

    >>> on_two_lines("logistic regression"), on_two_lines("rf")
    ('logistic<br>regression', 'rf')
    """
    lines = wrap(shorten(name.replace("_", " "), 2 * width), width) or [""]
    return "<br>".join(map(safe, lines[:2]))


FEW = 8
"""With more names under each other, each has one line only."""


def under_each_other(names: Sequence[str]) -> list[str]:
    """Return names, escaped, for rows under each other."""
    few = len(names) <= FEW
    return [on_two_lines(name) if few else safe(shorten(name, 18)) for name in names]
