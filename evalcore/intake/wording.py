"""Small pieces of sentences for readers."""

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """Write a count with its noun.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def have(count: int) -> str:
    """Return "has" for one thing, "have" for more."""
    return "has" if count == 1 else "have"


def listed(names: Sequence[str], most: int = 12) -> str:
    """Write names in quotation marks, cut off after some.

    >>> listed(["a", "b", "c"], most=2)
    '"a", "b", …'
    """
    shown = ", ".join(f'"{shorten(name)}"' for name in names[:most])
    return shown + ", …" if len(names) > most else shown


def shorten(text: str, most: int = 60) -> str:
    """Cut a text from a file to a length that fits a sentence."""
    return text if len(text) <= most else text[: most - 1] + "…"
