"""Tables of counts that were typed, as data that stand in an address."""

import re

PREFIX = "counts-"
"""What the name of such data begins with, before the counts, row by row, joined by "_"."""
FILE = "typed counts.csv"
MOST_CLASSES = 12
LARGEST = 10**12
"""The largest count: sums of 144 such cells are still exact."""

_TOKEN = re.compile(rf"{PREFIX}\d{{1,13}}(_\d{{1,13}}){{3,{MOST_CLASSES**2 - 1}}}")


def names(classes: int) -> list[str]:
    """Return what so many classes are called: positive and negative, or letters.

    >>> names(2), names(3)
    (['positive', 'negative'], ['A', 'B', 'C'])
    """
    return ["positive", "negative"] if classes == 2 else [chr(65 + at) for at in range(classes)]


def table(token: str) -> bytes | None:
    r"""Return the matrix that a name stands for as CSV, rows true; None where it stands for none.

    >>> table("counts-90_210_140_9560")
    b'actual\\predicted,positive,negative\npositive,90,210\nnegative,140,9560\n'
    >>> table("counts-1_2_3"), table("counts-0_0_0_0"), table("counts-1_2_3_x")
    (None, None, None)
    """
    if not _TOKEN.fullmatch(token):
        return None
    cells = token.removeprefix(PREFIX).split("_")
    classes = round(len(cells) ** 0.5)
    counts = [int(cell) for cell in cells]
    if classes**2 != len(cells) or not any(counts) or max(counts) > LARGEST:
        return None
    called = names(classes)
    lines = [["actual\\predicted", *called]]
    lines += [
        [name, *map(str, counts[at * classes : (at + 1) * classes])]
        for at, name in enumerate(called)
    ]
    return ("\n".join(map(",".join, lines)) + "\n").encode()
