"""Numbers, counts, p values and lists as people read them, on the command line and in pages.

All of it is plain text: who writes it into HTML, Markdown or a figure escapes it there.
"""

import math
from collections.abc import Sequence

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def not_finite(value: float) -> str:
    """Return what stands in the place of a number that is undefined or infinite."""
    if math.isnan(value):
        return "undefined"
    return "∞" if value > 0 else MINUS + "∞"


def significant(value: float, digits: int = 3) -> str:
    """Return a number of so many digits; three decimals below 1, or as many as it needs.

    For sentences and for text in a terminal, in plain characters. Below 1 it has two digits at
    least, and is never rounded to a perfect 1.

    >>> significant(0.0213), significant(54.4534), significant(12345.6), significant(-0.000087)
    ('0.021', '54.5', '12,346', '-0.000087')
    >>> significant(54.4534, 4), significant(154.4534), significant(0.0)
    ('54.45', '154', '0.000')
    >>> significant(0.99997), significant(1.2e-9)
    ('0.99997', '1.2e-09')
    """
    if not math.isfinite(value):
        return not_finite(value)
    value, size = value + 0.0, abs(value)  # no minus before zero
    if size >= 10.0 ** (digits - 1):
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.{digits}g}"
    if 0 < size < 1e-6:  # more zeros than that are not counted
        return f"{value:.1e}"
    return f"{value:.{_places(size)}f}"


def _places(size: float) -> int:
    """Return how many decimals show two digits of a number below 1, and tell it from 1."""
    if 0 < size < 0.00995:  # from there on three decimals show two digits
        return 1 - math.floor(math.log10(size))
    if size >= 0.9995:  # three decimals would make it 1
        return -math.floor(math.log10(1 - size))
    return 3


def signed(value: float) -> str:
    """Return a difference as it stands in a sentence, with its sign.

    >>> signed(0.0213), signed(-0.0213), signed(0.0)
    ('+0.021', '-0.021', '0.000')
    """
    return f"+{significant(value)}" if value > 0 else significant(value)


def p_value(p: float) -> str:
    """Return a p value: two digits, and no more than that it is small below 0.001.

    >>> p_value(0.00001), p_value(0.0312), p_value(0.5), p_value(1.0), p_value(float("nan"))
    ('<0.001', '0.031', '0.5', '1', '–')
    """
    if math.isnan(p):
        return EN_DASH
    return "<0.001" if p < 0.001 else f"{p:.2g}"


def p_equals(p: float) -> str:
    """Return a p value as it stands in a sentence.

    >>> p_equals(0.0312), p_equals(0.00001)
    ('p = 0.031', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p_value(p)}"


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
    """Return names from a file in quotation marks, cut off after some.

    >>> listed(["a", "b", "c"], most=2)
    '"a", "b", …'
    """
    shown = ", ".join(f'"{shorten(name)}"' for name in names[:most])
    return shown + ", …" if len(names) > most else shown


def joined(names: Sequence[str], most: int = 3) -> str:
    """Return at most so many names as a sentence lists them, and how many more there are.

    >>> joined(["a"]), joined(["a", "b", "c"]), joined(["a", "b", "c", "d", "e"])
    ('a', 'a, b and c', 'a, b, c and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shorten(text: str, most: int = 60) -> str:
    """Return a text from a file cut to a length that fits a sentence.

    >>> shorten("a long remark", 7)
    'a long…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


_PROPER = (
    "Bayesian", "Brier", "Cohen", "DeLong", "Fowlkes", "Gini", "Jaccard", "Kendall", "Kolmogorov",
    "Matthews", "McNemar", "Nemenyi", "Pearson", "Spearman", "Wilcoxon", "Youden",
)  # fmt: skip


def within_sentence(name: str) -> str:
    """Return the name of a metric or test as it stands within a sentence.

    >>> within_sentence("Balanced accuracy"), within_sentence("ROC AUC")
    ('balanced accuracy', 'ROC AUC')
    >>> within_sentence("Brier score")
    'Brier score'
    """
    if not name[1:2].islower() or name.startswith(_PROPER):
        return name
    return name[:1].lower() + name[1:]
