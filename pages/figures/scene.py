"""What the figures of one page have in common."""

from collections.abc import Sequence
from dataclasses import dataclass

from pages.escape import shorten
from pages.figures.palette import LIGHT, Look, ModelStyle, model_style

POINTS_IN_ALL = 1800
"""Vertices that the curves of one figure share, so that its JSON stays under 64 KB."""

CURVES_AT_MOST = 20
"""More curves than this in one figure cannot be told apart."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Whose results are drawn, and in which words.

    Attributes:
        names: Models (or classes) in the file's order, which decides their colours.
        chosen: The one in front.
        called: How a sentence names it; its name if that is left out.
        positive: The class that is looked for, as it stands in a sentence.
        negative: The other one.
        threshold: Where the operating point is marked; None for nowhere.
        look: Light or dark.
        alike: How all are drawn, where they are parts of one model; None for each its own way.
    """

    names: tuple[str, ...]
    chosen: str | None = None
    called: str | None = None
    positive: str = "positive"
    negative: str = "negative"
    threshold: float | None = None
    look: Look = LIGHT
    alike: ModelStyle | None = None

    @property
    def who(self) -> str:
        """The one in front, as it stands in a sentence."""
        return self.called or self.chosen or ""

    @property
    def axis_positive(self) -> str:
        """The class that is looked for, short enough for an axis."""
        return shorten(self.positive, 14)

    @property
    def axis_negative(self) -> str:
        """The other class, short enough for an axis."""
        return shorten(self.negative, 14)

    def style(self, name: str) -> ModelStyle:
        """Return how this model is drawn wherever it appears."""
        return self.alike or model_style(self.names.index(name))

    def width(self, name: str) -> float:
        """Return the width of this model's line, in pixels."""
        if self.alike:
            return 1
        return 2.5 if name == self.chosen else 1.5

    def drawn(self, available: Sequence[str]) -> list[str]:
        """Return who is drawn, the chosen one last so that it lies on top."""
        others = [name for name in available if name != self.chosen]
        front = [self.chosen] if self.chosen in available else []
        return others[: CURVES_AT_MOST - len(front)] + [name for name in front if name]

    def vertices(self, curves: int) -> int:
        """Return how many vertices each curve may have."""
        return max(8, min(400, POINTS_IN_ALL // max(1, curves)))
