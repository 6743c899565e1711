"""Models that cannot be told apart: runs of them, and letters that they share."""

from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase

from evalcore.comparison.results import Comparison


def alike(
    names: Sequence[str], pair: Callable[[int, int], bool], starts: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of two or more in which no two are told apart.

    `pair` says of two places whether they are alike; runs begin at the first `starts` places.

    >>> place = (0, 5, 6, 7)
    >>> alike("abcd", lambda one, other: place[other] - place[one] < 2)
    (('b', 'c'), ('c', 'd'))
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(names))[:starts]:
        end = start + 1
        while end < len(names) and all(pair(place, end) for place in range(start, end)):
            end += 1
        if end > start + 1 and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return tuple(tuple(names[start:end]) for start, end in runs)


def letters(made: Comparison) -> Mapping[str, str]:
    """Return the letters of each model: two with a letter in common cannot be told apart.

    Where only the best model was compared with the others, those that cannot be told from it have
    an "a" and the others none. Models without a value have none. Source: Piepho (2004), An
    algorithm for a letter-based representation of all-pairwise comparisons, Journal of
    Computational and Graphical Statistics 13(2).
    """
    order = [name for name in made.standing.order if made.models[name].defined]
    groups = [group for group in made.standing.groups if set(group) & set(order)]
    grouped = {name for group in groups for name in group}
    if _all_pairs(made):
        groups += [(name,) for name in order if name not in grouped]
    elif not groups and order:
        groups = [(order[0],)]
    groups.sort(key=lambda group: order.index(next(name for name in group if name in order)))
    named = {place: _letter(place) for place in range(len(groups))}
    return {
        name: "".join(named[at] for at, group in enumerate(groups) if name in group)
        for name in order
    }


def _all_pairs(made: Comparison) -> bool:
    models = len(made.models)
    return len(made.differences) == models * (models - 1) // 2


def _letter(place: int) -> str:
    """Return a to z, then a2, b2 and so on."""
    turns, at = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[at] + (str(turns + 1) if turns else "")
