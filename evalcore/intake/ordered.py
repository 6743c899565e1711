"""Classes that have an order of their own, such as low, medium, high."""

import re
from collections.abc import Sequence

from evalcore.errors import EvalError
from evalcore.intake.wording import listed

_SCALES = tuple(
    tuple(scale.split(", "))
    for scale in (
        "none, trace, very low, low, below average, medium, average, above average, high, "
        "very high, extreme",
        "none, minimal, mild, moderate, severe, very severe, critical",
        "none, minor, moderate, major, critical, catastrophic",
        "never, rarely, seldom, sometimes, often, usually, always",
        "very poor, poor, bad, fair, ok, average, good, very good, excellent, outstanding",
        "strongly disagree, disagree, neutral, agree, strongly agree",
        "very negative, negative, neutral, mixed, positive, very positive",
        "xxs, xs, s, m, l, xl, xxl, xxxl",
        "tiny, small, medium, large, huge",
        "short, medium, long",
        "low, med, mid, middle, high",
        "low, moderate, medium, elevated, high, critical",
        "cold, cool, warm, hot",
        "very easy, easy, medium, hard, very hard",
        "bronze, silver, gold, platinum, diamond",
        "first, second, third, fourth, fifth",
        "niedrig, mittel, hoch",
        "bajo, medio, alto",
        "faible, moyen, fort",
    )
)
"""Words of well-known scales, the lowest first."""

_NUMBERED = re.compile(r"(\D*)(\d+)(.*)")


def own_order(classes: Sequence[str]) -> tuple[str, ...] | None:
    """Return three or more classes in the order their names tell, lowest first; None if none.

    >>> own_order(["high", "low", "medium"]), own_order(["stage 10", "stage 2", "stage 9"])
    (('low', 'medium', 'high'), ('stage 2', 'stage 9', 'stage 10'))
    >>> own_order(["cat", "dog", "cow"])
    """
    if len(classes) < 3:
        return None
    return _by_scale(classes) or _by_number(classes)


def _by_scale(classes: Sequence[str]) -> tuple[str, ...] | None:
    words = {name: " ".join(re.split(r"[\s_-]+", name.casefold().strip())) for name in classes}
    for scale in _SCALES:
        if set(words.values()) <= set(scale):
            return tuple(sorted(classes, key=lambda name: scale.index(words[name])))
    return None


def _by_number(classes: Sequence[str]) -> tuple[str, ...] | None:
    found = [_NUMBERED.fullmatch(name) for name in classes]
    matches = [match for match in found if match is not None]
    alike = {match[1].casefold() for match in matches}
    numbers = {int(match[2]) for match in matches}
    if len(alike) > 1 or len(numbers) < len(classes):
        return None
    pairs = zip((int(match[2]) for match in matches), classes, strict=True)
    return tuple(name for _, name in sorted(pairs))


def in_order(classes: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return the classes in a chosen order.

    Raises:
        EvalError: "bad-order" if the order does not name each class once.
    """
    if sorted(classes) != sorted(order):
        raise EvalError(
            "bad-order",
            f"An order must name every class once. The classes are {listed(classes)}; "
            f"the order names {listed(order)}.",
        )
    return tuple(order)
