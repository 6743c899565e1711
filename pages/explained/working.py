"""A number as arithmetic, with the names that its formula speaks of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from pages.explained import arithmetic
from pages.explained.arithmetic import Step
from pages.explained.parts import Parts


@dataclass(frozen=True)
class Working:
    """A number as arithmetic.

    Attributes:
        formula: LaTeX that `pages.explained.arithmetic` can work out.
        values: What its names stand for.
        at: The threshold, where the number belongs to one that it found itself; None otherwise.
        parts: The terms that a value of the formula adds up; None where it is made of none.
    """

    formula: str
    values: Mapping[str, float]
    at: float | None = None
    parts: Parts | None = None

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
        return replace(self, formula=pattern.replace("@", self.formula))

    def of_parts(self, parts: Parts) -> "Working":
        """Return the working with the terms that it adds up."""
        return replace(self, parts=parts)


def text(words: str) -> str:
    """Return words as they stand in a formula."""
    return rf"\text{{{words}}}"


def share(part: str, whole: str) -> Callable[[float, float], Working]:
    """Return what makes the working of part / whole, named in words, from the two numbers."""
    above, below = text(part), text(whole)
    formula = rf"\frac{{{above}}}{{{below}}}"
    return lambda k, n: Working(formula, {above: float(k), below: float(n)})


def known(formula: str, value: float) -> Working:
    """Return the working of a number that no arithmetic on counts gives, such as a p value.

    >>> known(r"P(X > 3)", 0.25).result
    0.25
    """
    return Working(formula, {formula: float(value)})
