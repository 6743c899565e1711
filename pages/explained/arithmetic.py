"""A formula of counts, worked out step by step as one would on paper.

It reads the LaTeX of our own declarations: sums, products, fractions, roots and maxima of numbers
and names. Whatever else a formula holds makes it no arithmetic.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pages.explained.terms import Node, Number, Term, rounded, write

Values = Mapping[str, float]
"""What each name in a formula stands for; a name is written as it is in the formula."""


class NotArithmeticError(ValueError):
    """The formula holds more than names, numbers and arithmetic."""


class Step(NamedTuple):
    """One form of a formula: its LaTeX, and whether a number in it is rounded."""

    latex: str
    rounded: bool


def steps(formula: str, values: Values) -> tuple[Step, ...]:
    r"""Return the formula with its numbers, then each simpler form down to the result.

    Raises NotArithmeticError where it is none.

    >>> [step.latex for step in steps(r"\frac{TP}{TP + FN}", {"TP": 165, "FN": 5})]
    ['\\frac{165}{165 + 5}', '\\frac{165}{170}', '0.970588']
    """
    node = parse(formula, values)
    forms = [node]
    while isinstance(node, Term):
        node = _simpler(node)
        forms.append(node)
    return tuple(Step(write(form), rounded(form)) for form in forms)


def result(formula: str, values: Values) -> float:
    """Return the value of a formula; NaN where it is 0/0."""
    node = parse(formula, values)
    while isinstance(node, Term):
        node = _simpler(node)
    return node.value


def parse(formula: str, values: Values) -> Node:
    """Read a formula, with numbers in the place of names."""
    reader = _Reader(_tokens(formula, values), values)
    node = reader.sum()
    if reader.next:
        raise NotArithmeticError(formula)
    return node


def _tokens(formula: str, values: Values) -> list[str]:
    if formula in values:
        return [formula]
    names = "|".join(map(re.escape, sorted(values, key=len, reverse=True))) or "(?!)"
    plain = re.sub(r"\\left|\\right|\\[,;]", "", formula)
    marks = r"\\t?frac|\\sqrt|\\max|\\cdot|\d+(?:\.\d+)?|[-+/(){},^]"
    pattern = re.compile(rf"\s*({names}|{marks})")
    tokens, place = [], 0
    while plain[place:].strip():
        match = pattern.match(plain, place)
        if match is None:
            raise NotArithmeticError(formula)
        tokens.append(match[1])
        place = match.end()
    return tokens


class _Reader:
    """Reads tokens from left to right, one function for each level of binding."""

    def __init__(self, tokens: Sequence[str], values: Values) -> None:
        self.tokens, self.values, self.place = [*tokens, ""], values, 0

    @property
    def next(self) -> str:
        return self.tokens[self.place]

    def take(self, wanted: str = "") -> str:
        token = self.next
        if wanted and token != wanted:
            raise NotArithmeticError(f"{token or 'the end'} stands where {wanted} should.")
        self.place += 1
        return token

    def sum(self) -> Node:
        parts = [self.signed(self.take() if self.next == "-" else "")]
        while self.next in ("+", "-"):
            parts.append(self.signed(self.take()))
        return parts[0] if len(parts) == 1 else Term("+", tuple(parts))

    def signed(self, sign: str) -> Node:
        part = self.product()
        return _negative(part) if sign == "-" else part

    def product(self) -> Node:
        parts = [self.power()]
        while self.next and self.next not in ("+", "-", ")", "}", ","):
            if self.next == "/":
                self.take()
                parts[-1] = Term("/", (parts[-1], self.power()))
                continue
            if self.next == r"\cdot":
                self.take()
            parts.append(self.power())
        return parts[0] if len(parts) == 1 else Term("*", tuple(parts))

    def power(self) -> Node:
        base = self.atom()
        if self.next != "^":
            return base
        self.take()
        return Term("^", (base, self.atom()))

    def atom(self) -> Node:
        token = self.take()
        if token in self.values:
            return Number(float(self.values[token]))
        if token in (r"\frac", r"\tfrac"):
            return Term("frac", (self.within("{", "}"), self.within("{", "}")))
        if token == r"\sqrt":
            return Term("sqrt", (self.within("{", "}"),))
        if token == r"\max":
            return self.largest()
        if token in ("(", "{"):
            self.place -= 1
            return self.within(token, ")" if token == "(" else "}")
        if token[:1].isdigit():
            return Number(float(token))
        raise NotArithmeticError(f"{token or 'The end'} is no number.")

    def within(self, opening: str, closing: str) -> Node:
        self.take(opening)
        node = self.sum()
        self.take(closing)
        return node

    def largest(self) -> Node:
        self.take("(")
        parts = [self.sum()]
        while self.next == ",":
            self.take()
            parts.append(self.sum())
        self.take(")")
        return Term("max", tuple(parts))


def _negative(node: Node) -> Node:
    return Number(-node.value) if isinstance(node, Number) else Term("-", (node,))


def _simpler(term: Term) -> Node:
    """Work out every operation on plain numbers, once."""
    if term.operation == "-" and isinstance(term.parts[0], Term):
        return _negative(_simpler(term.parts[0]))
    if all(isinstance(part, Number) for part in term.parts):
        numbers = [part.value for part in term.parts if isinstance(part, Number)]
        return Number(_OPERATIONS[term.operation](numbers))
    parts = tuple(_simpler(part) if isinstance(part, Term) else part for part in term.parts)
    return Term(term.operation, parts)


def _divided(numbers: Sequence[float]) -> float:
    above, below = numbers
    if below:
        return above / below
    return math.copysign(math.inf, above) if above and not math.isnan(above) else math.nan


_OPERATIONS: Mapping[str, Callable[[Sequence[float]], float]] = MappingProxyType(
    {
        "+": math.fsum,
        "*": math.prod,
        "/": _divided,
        "frac": _divided,
        "sqrt": lambda numbers: math.sqrt(numbers[0]),
        "max": max,
        "^": lambda numbers: numbers[0] ** numbers[1],
    }
)
