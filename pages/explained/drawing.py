"""What is said about how a figure is drawn."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Drawing:
    """How a figure is drawn with evalcore and plotly.

    Attributes:
        needs: The lines that import what it needs.
        lines: The lines that add to `figure`; MODEL, THRESHOLD, WAY, COSTS, PREVALENCE,
            SHARES, CLASS and METRIC stand for what is looked at.
        x: The horizontal axis.
        y: The vertical axis.
    """

    needs: tuple[str, ...]
    lines: str
    x: str = ""
    y: str = ""
