"""A number as arithmetic, with the names that its formula speaks of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pages.explained import arithmetic
from pages.explained.arithmetic import Step


@dataclass(frozen=True)
class Working:
    """A number as arithmetic.

    Attributes:
        formula: LaTeX that `pages.explained.arithmetic` can work out.
        values: What its names stand for.
        at: The threshold, where the number belongs to one that it found itself; None otherwise.
    """

    formula: str
    values: Mapping[str, float]
    at: float | None = None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The formula with its numbers, then every simpler form."""
        return arithmetic.steps(self.formula, self.values)

    @property
    def result(self) -> float:
        """The value that the steps lead to."""
        return arithmetic.result(self.formula, self.values)

    def put_into(self, pattern: str) -> "Working":
        """Return the working of a larger formula, "@" being where this one stands in it.

        >>> share("hits", "rows")(1, 4).put_into("1 - @").result
        0.75
        """
        return Working(pattern.replace("@", self.formula), self.values, self.at)


def text(words: str) -> str:
    """Return words as they stand in a formula."""
    return rf"\text{{{words}}}"


def share(part: str, whole: str) -> Callable[[float, float], Working]:
    """Return what makes the working of part / whole, named in words, from the two numbers."""
    above, below = text(part), text(whole)
    formula = rf"\frac{{{above}}}{{{below}}}"
    return lambda k, n: Working(formula, {above: float(k), below: float(n)})
