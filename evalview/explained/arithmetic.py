"""A number as arithmetic: terms, formulas worked out step by step, and sums of many terms.

It reads the LaTeX of our own declarations: sums, products, fractions, roots and maxima of numbers
and names. Whatever else a formula holds makes it no arithmetic.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evalcore.text import counted

_SUM, _PRODUCT, _WHOLE = 1, 2, 3
"""How tightly a term holds together."""


@dataclass(frozen=True)
class Number:
    """A number, which needs no further step."""

    value: float


@dataclass(frozen=True)
class Term:
    """An operation ("+", "*", "/", "frac", "sqrt", "max", "-", "^") on terms."""

    operation: str
    parts: "tuple[Number | Term, ...]"


Node = Number | Term


def write(node: Node) -> str:
    """Return a term in LaTeX, with brackets where it needs them."""
    if isinstance(node, Number):
        return _digits(node.value)
    return _WRITTEN[node.operation](node.parts)


def _digits(value: float) -> str:
    if math.isnan(value):
        return r"\text{undefined}"
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if abs(value) < 1e15 and (value.is_integer() or abs(value) >= 1e6):
        return f"{value:,.0f}".replace(",", "{,}")
    if "e" not in (text := f"{value:,.6g}"):
        return text.replace(",", "{,}")
    digits, exponent = text.split("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}"


def rounded(node: Node) -> bool:
    """Whether a number in a term is written with fewer digits than it has."""
    if isinstance(node, Number):
        value = node.value
        return math.isfinite(value) and not value.is_integer() and float(f"{value:.6g}") != value
    return any(map(rounded, node.parts))


def _binding(node: Node) -> int:
    if isinstance(node, Number):
        if node.value < 0:
            return _SUM
        return _PRODUCT if "10^" in _digits(node.value) else _WHOLE
    return {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}.get(node.operation, _WHOLE)


def _held(node: Node, tightly: int) -> str:
    written = write(node)
    return written if _binding(node) >= tightly else rf"\left({written}\right)"


def _written_sum(parts: Sequence[Node]) -> str:
    written = _held(parts[0], _PRODUCT) if not _leads(parts[0]) else write(parts[0])
    for part in parts[1:]:
        if isinstance(part, Term) and part.operation == "-":
            written += f" - {_held(part.parts[0], _PRODUCT)}"
        elif isinstance(part, Number) and part.value < 0:
            written += f" - {_digits(-part.value)}"
        else:
            written += f" + {_held(part, _PRODUCT)}"
    return written


def _leads(part: Node) -> bool:
    """Whether a sum may begin with it as it is: a minus sign in front needs no brackets."""
    return isinstance(part, Number) or part.operation == "-"


def _written_product(parts: Sequence[Node]) -> str:
    return r" \cdot ".join(_held(part, _PRODUCT) for part in parts)


_WRITTEN: Mapping[str, Callable[[Sequence[Node]], str]] = MappingProxyType(
    {
        "+": _written_sum,
        "-": lambda parts: f"-{_held(parts[0], _PRODUCT)}",
        "*": _written_product,
        "/": lambda parts: f"{_held(parts[0], _PRODUCT)} / {_held(parts[1], _WHOLE)}",
        "frac": lambda parts: rf"\frac{{{write(parts[0])}}}{{{write(parts[1])}}}",
        "sqrt": lambda parts: rf"\sqrt{{{write(parts[0])}}}",
        "max": lambda parts: rf"\max\left({', '.join(map(write, parts))}\right)",
        "^": lambda parts: rf"{_held(parts[0], _WHOLE)}^{{{write(parts[1])}}}",
    }
)


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


MOST, LAST = 6, 2
"""So many terms are shown, and so many of them from the end."""

Cell = float | str

Column = Sequence[Cell] | np.ndarray[tuple[int, ...], np.dtype[np.generic]]
Columns = dict[str, Column]
"""Terms by the heading of their column, (n,) each."""


@dataclass(frozen=True)
class Parts:
    """Terms of a number, as a table.

    Attributes:
        title: Which terms these are, and of how many.
        head: What each column holds.
        rows: The terms; texts among them are names of the file.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def shown(n: int, most: int = MOST) -> list[int]:
    """Return the places of the terms that are shown, of n.

    >>> shown(3), shown(100)
    ([0, 1, 2], [0, 1, 2, 3, 98, 99])
    """
    return list(range(n)) if n <= most else [*range(most - LAST), *range(n - LAST, n)]


def parts(
    noun: str, columns: Mapping[str, Column], most: int = MOST, of: int | None = None
) -> Parts:
    """Return the first and last terms of a number, from columns of equal length by their heading.

    `of` is how many terms there are, where the columns hold only those that are `shown`.

    >>> parts("step", {"gained": [1, 2, 3, 4], "precision": [1.0, 0.5, 0.4, 0.2]}, most=3).rows
    ((1, 1.0), ('…', '…'), (3, 0.4), (4, 0.2))
    """
    n = len(next(iter(columns.values()))) if of is None else of
    places = shown(n, most) if of is None else list(range(len(shown(n, most))))
    lines = list(zip(*(_cells(column, places) for column in columns.values()), strict=True))
    if n > most:
        gap = ("…",) * len(columns)
        title = f"The first {most - LAST} and the last {LAST} of {counted(n, noun)}"
        return Parts(title, tuple(columns), (*lines[:-LAST], gap, *lines[-LAST:]))
    title = f"All {counted(n, noun)}" if n > 1 else f"The only {noun}"
    return Parts(title, tuple(columns), tuple(lines))


def _cells(column: Column, places: list[int]) -> Sequence[Cell]:
    """Return the cells at some places; as plain numbers, and without a copy of a long column."""
    if isinstance(column, np.ndarray):
        cells: list[Cell] = column[places].tolist()
        return cells
    return [column[place] for place in places]


@dataclass(frozen=True)
class Working:
    """A number as arithmetic.

    Attributes:
        formula: LaTeX that `evalview.explained.arithmetic` can work out.
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
        return steps(self.formula, self.values)

    @property
    def result(self) -> float:
        """The value that the steps lead to."""
        return result(self.formula, self.values)

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
