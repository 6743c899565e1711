"""Which of two classes is the positive one, and why."""

from collections.abc import Mapping, Sequence

from evalcore.intake.words import NEGATIVE, POSITIVE


def choose_positive(
    classes: Sequence[str], counts: Mapping[str, int], named: Sequence[str]
) -> tuple[str, str]:
    """Return the positive class of two and the reason.

    Args:
        classes: The two classes, in order.
        counts: How many rows of the truth are of each class.
        named: The classes that score columns are named after.

    >>> choose_positive(["no", "yes"], {"no": 3, "yes": 5}, [])
    ('yes', 'the word says so')
    """
    if len(set(named)) == 1 and named[0] in classes:
        return named[0], "named in the score column"
    first, second = classes
    for word in POSITIVE:
        meant = [name for name in classes if name.casefold() == word]
        if len(meant) == 1:
            return meant[0], "the word says so" if not word.isdigit() else "of 0 and 1, 1 is meant"
    for name, other in ((first, second), (second, first)):
        if name.casefold() in NEGATIVE and other.casefold() not in NEGATIVE:
            return other, f'"{name}" is the ordinary case'
    if counts.get(first, 0) != counts.get(second, 0):
        rare = min(classes, key=lambda name: counts.get(name, 0))
        return rare, "the rarer class"
    return second, "both are equally frequent; the second in order"


def other_class(only: str, positive: str | None) -> str:
    """Name the class that a truth with one class does not hold."""
    if positive is not None and positive != only:
        return positive
    pairs = (("0", "1"), ("false", "true"), ("no", "yes"), ("negative", "positive"))
    for pair in pairs:
        if only in pair:
            return pair[1 - pair.index(only)]
    return f"not {only}"
