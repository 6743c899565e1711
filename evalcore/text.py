"""Numbers, counts, intervals, p values and lists as people read them, wherever any are shown.

All of it is plain text: who writes it into HTML, Markdown or a figure escapes it there.
"""

import math
from collections.abc import Callable, Sequence
from typing import Protocol

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
P_VALUES = ("_p", "_p_value")
"""How keys of metrics end that are p values."""


class Estimated(Protocol):
    """A value with the ends of its interval, None where it has no interval."""

    @property
    def value(self) -> float:
        """The number."""

    @property
    def low(self) -> float | None:
        """The lower end of its interval."""

    @property
    def high(self) -> float | None:
        """The upper end of its interval."""


def number(value: float, decimals: int = 3) -> str:
    """Return a number of so many decimals that never looks rounder than it is.

    For cards, tables and figures, where numbers under each other have the same decimals.

    >>> number(0.8944), number(1.0), number(0.99999), number(0.0), number(0.00001), number(12345.6)
    ('0.894', '1.000', '>0.999', '0.000', '<0.001', '12,346')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    if abs(value) >= 1e15:  # so many digits are not read, and a double holds no more
        return f"{value:.3g}".replace("-", MINUS)
    if abs(value) >= 1000:  # three decimals of thousands are noise
        return f"{value:,.0f}".replace("-", MINUS)
    return _fixed(value, decimals)


def _fixed(value: float, decimals: int) -> str:
    sign, size, step = (MINUS if value < 0 else ""), abs(value), 10.0**-decimals
    if 0 < size < step / 2:
        return f"{'>' if sign else '<'}{sign}{step:.{decimals}f}"
    if size < 1 and round(size, decimals) == 1:
        return f"{'<' if sign else '>'}{sign}{1 - step:.{decimals}f}"
    return f"{sign}{size:.{decimals}f}"


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
        return number(value)
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


def percent(share: float) -> str:
    """Return a share as a percentage that never looks rounder than it is.

    >>> percent(0.894), percent(1.0), percent(0.9999), percent(0.0001), percent(float("nan"))
    ('89.4%', '100%', '>99.9%', '<0.1%', 'undefined')
    """
    if math.isnan(share):
        return "undefined"
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.0005:
        return "<0.1%"
    return ">99.9%" if 0.9995 <= share < 1 else f"{share:.1%}"


def whole_percent(share: float) -> str:
    """Return a share as a percentage without decimals that never looks rounder than it is.

    >>> whole_percent(0.894), whole_percent(0.999), whole_percent(0.001)
    ('89%', '>99%', '<1%')
    """
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{share:.0%}"


def of_hundred(share: float) -> str:
    """Return a share as so many of a hundred, where "all" means just that.

    >>> of_hundred(0.849), of_hundred(0.9987), of_hundred(1.0), of_hundred(0.004)
    ('85 of 100', 'more than 99 of 100', 'all', 'fewer than 1 of 100')
    """
    if share == 1:
        return "all"
    if share > 0.99:
        return "more than 99 of 100"
    if 0 < share < 0.01:
        return "fewer than 1 of 100"
    return f"{share * 100:.0f} of 100"


def threshold(value: float) -> str:
    """Return a threshold with all its digits, so that it decides the same when it is typed in.

    >>> threshold(0.5), threshold(-0.123456), threshold(1e300), threshold(float("inf"))
    ('0.5', '−0.123456', '1e+300', '∞')
    """
    if math.isinf(value):
        return "∞"
    return repr(float(value)).removesuffix(".0").replace("-", MINUS)


def score(value: float) -> str:
    """Return a score, where nothing is decided by its last digits.

    >>> score(0.5), score(-0.123456)
    ('0.5', '−0.1235')
    """
    return threshold(float(f"{value:.4g}"))


def bound(value: float) -> str:
    """Return an end of a metric's range.

    >>> bound(1), bound(-1.0), bound(float("inf"))
    ('1', '−1', '∞')
    """
    return number(value) if math.isinf(value) else f"{value:.4g}".replace("-", MINUS)


def decimals(estimate: Estimated) -> int:
    """Return how many decimals tell value and interval from 0 and 1; fewer from 10 on.

    What five decimals cannot tell from 0 or 1 asks for none.

    >>> from evalcore.metrics.metric import Estimate
    >>> decimals(Estimate(0.9)), decimals(Estimate(0.9998, 0.9991, 1.0)), decimals(Estimate(54.99))
    (3, 4, 1)
    >>> decimals(Estimate(1e-17, 0.0, 1e-6))
    3
    """
    ends = (estimate.value, estimate.low, estimate.high)
    if 10 <= abs(estimate.value) < math.inf:
        return 1
    near = [min(abs(end), abs(end - 1)) for end in ends if end is not None and abs(end) < 2]
    smallest = min((distance for distance in near if distance >= 0.000005), default=1.0)
    return next((places for places in (3, 4) if smallest >= 10.0**-places / 2), 5)


def low_dash_high(low: str, high: str) -> str:
    """Return the ends of an interval as they stand on a card or in a table.

    >>> low_dash_high("0.400", "0.600")
    '0.400 – 0.600'
    """
    return f"{low} {EN_DASH} {high}"


def low_to_high(low: str, high: str) -> str:
    """Return the ends of an interval as they stand in a sentence.

    >>> low_to_high("0.400", "0.600")
    '0.400 to 0.600'
    """
    return f"{low} to {high}"


def interval(estimate: Estimated, join: Callable[[str, str], str] = low_dash_high) -> str:
    """Return the interval, or nothing where there is none.

    >>> from evalcore.metrics.metric import Estimate
    >>> interval(Estimate(0.5, low=0.4, high=0.6, method="wilson", level=0.95))
    '0.400 – 0.600'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    places = decimals(estimate)
    return join(number(estimate.low, places), number(estimate.high, places))


def with_interval(estimate: Estimated, join: Callable[[str, str], str] = low_to_high) -> str:
    """Return a number with its interval in brackets.

    >>> from evalcore.metrics.metric import Estimate
    >>> with_interval(Estimate(0.5, low=0.4, high=0.6, method="wilson", level=0.95))
    '0.500 (0.400 to 0.600)'
    """
    value, ends = number(estimate.value, decimals(estimate)), interval(estimate, join)
    return f"{value} ({ends})" if ends else value


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


def abbreviate(name: str, most: int) -> str:
    """Return a name of at most so many characters; an ellipsis stands for its middle.

    The end of a name, such as a version, is often what tells it from others.

    >>> abbreviate("gradient_boosting_v12", 12)
    'gradie…g_v12'
    """
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return name[: most - 1 - tail] + "…" + name[len(name) - tail :]


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
