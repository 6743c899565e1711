"""Terms of numbers and operations, and how they are written."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

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
