"""Words around numbers and lists, as people read them."""

from collections.abc import Sequence


def count(value: float) -> str:
    """Return a count of rows, with decimals only where weights make it fractional.

    >>> count(2814.0), count(2.5), count(12345.678)
    ('2,814', '2.5', '12,345.68')
    """
    rows = float(value)
    return f"{rows:,.0f}" if rows.is_integer() else f"{rows:,.2f}".rstrip("0").rstrip(".")


def counted(value: float, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "row"), counted(1200, "row"), counted(2, "class")
    ('1 row', '1,200 rows', '2 classes')
    """
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{count(value)} {noun if value == 1 else plural}"


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
