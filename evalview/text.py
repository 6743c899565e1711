"""Numbers, shares and intervals as cards, tables and figures of the dashboard show them.

`text` of the dashboard has all of its formats: counts and p values are those of the command line
too. All of it is plain text: who writes it into HTML, Markdown or a figure escapes it there.
"""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from evalcore.tables.scores import ScoreTable
from evalcore.text import (
    EN_DASH,
    MINUS as MINUS,
    count as count,
    counted as counted,
    not_finite,
    p_value as p_value,
    rounded_down,
    signed,
    significant as significant,
)


class Paragraph(NamedTuple):
    """A paragraph of a file of data: its first line, its fields, and what it says besides.

    Lines such as "page: costs" are fields; values of a repeated name are joined by line ends.
    """

    head: str
    fields: dict[str, str]
    text: str


def paragraphs(path: Path) -> Iterator[Paragraph]:
    """Yield the paragraphs of a file of data; the first one only says what they are."""
    for part in path.read_text("utf-8").strip().split("\n\n")[1:]:
        yield paragraph(part)


def paragraph(part: str) -> Paragraph:
    r"""Return the parts of a paragraph.

    >>> paragraph("Costs\npage: costs\nshown: a\nshown: b\nWhat errors cost.")
    Paragraph(head='Costs', fields={'page': 'costs', 'shown': 'a\nb'}, text='What errors cost.')
    """
    head, *lines = part.strip().splitlines()
    fields: dict[str, str] = {}
    rest = []
    for line in lines:
        if field := re.fullmatch(r"([a-z_]+): (.*)", line):
            name, value = field.groups()
            fields[name] = f"{fields[name]}\n{value}" if name in fields else value
        else:
            rest.append(line)
    return Paragraph(head, fields, "\n".join(rest))


def against_chance(area: "Estimated") -> str:
    """Return what to add to an area under the ROC curve that is not shown to be above 0.5.

    >>> from evalcore.metrics.metric import Estimate
    >>> against_chance(Estimate(0.43, 0.12, 0.74)), against_chance(Estimate(0.43, 0.38, 0.48))
    (', which chance may explain', ', worse than chance')
    """
    if area.low is None or area.high is None or area.low > 0.5:
        return ""
    return ", worse than chance" if area.high < 0.5 else ", which chance may explain"


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
    if not math.isfinite(value):
        return not_finite(value)
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


def hundredths(share: float) -> str:
    """Return a share in hundredths; with a digit more where 0.765 beside it would look like 77.

    >>> hundredths(0.894), hundredths(0.999), hundredths(0.7648), hundredths(0.7651)
    ('89', '>99', '76.5', '77')
    """
    if 0 < share < 0.01 or 0.99 < share < 1:
        return whole_percent(share).rstrip("%")
    whole, finer = f"{share * 100:.0f}", f"{share * 100:.1f}"
    misread = finer.endswith(".5") and int(whole) != math.floor(float(finer) + 0.5)
    return finer if misread else whole


def tenths(share: float) -> str:
    """Return a share in hundredths with a digit more that never looks rounder than it is.

    >>> tenths(0.835), tenths(0.9), tenths(1.0), tenths(0.0001)
    ('83.5', '90.0', '100', '<0.1')
    """
    return percent(share).rstrip("%")


def of_hundred(share: float, of: float = math.inf) -> str:
    """Return a share of so many as a number of a hundred; of fewer than that as the real number.

    "All" means just that.

    >>> of_hundred(0.849), of_hundred(0.9987), of_hundred(1.0), of_hundred(0.004)
    ('85 of 100', 'more than 99 of 100', 'all', 'fewer than 1 of 100')
    >>> of_hundred(0.56, 25), of_hundred(1.0, 25), of_hundred(0.7648), of_hundred(0.7651)
    ('14 of 25', 'all 25', '76.5 of 100', '77 of 100')
    """
    if of < 100:
        return (
            f"all {count(of)}"
            if share == 1 < of
            else f"{count(round(share * of, 2))} of {count(of)}"
        )
    if share == 1:
        return "all"
    if share > 0.99:
        return "more than 99 of 100"
    if 0 < share < 0.01:
        return "fewer than 1 of 100"
    return f"{hundredths(share)} of 100"


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
    if any(end is not None and 1000 <= abs(end) < math.inf for end in ends):
        return 0
    if 10 <= abs(estimate.value) < math.inf:
        return 1
    near = [min(abs(end), abs(end - 1)) for end in ends if end is not None and abs(end) < 2]
    smallest = min((distance for distance in near if distance >= 0.000005), default=1.0)
    return next((places for places in (3, 4) if smallest >= 10.0**-places / 2), 5)


def difference(value: float, *, sign: bool = False) -> str:
    """Return a difference as sentences have it too, with a plus where `sign` asks for one.

    >>> difference(0.00298), difference(-0.0123, sign=True), difference(2.743, sign=True)
    ('0.0030', '−0.012', '+2.74')
    """
    return (signed if sign else significant)(value).replace("-", MINUS)


def minus(said: str) -> str:
    """Return a sentence whose negative numbers have a minus sign.

    >>> minus("RMSE -2.7 (-5 to -0.5), mid-p")
    'RMSE −2.7 (−5 to −0.5), mid-p'
    """
    return re.sub(r"(?<=[ (])-(?=[\d.])", MINUS, said)


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


def alike(
    value: float, low: float, high: float, write: Callable[[float], str]
) -> tuple[str, str, str]:
    """Return a number and the ends of its interval in the same number of decimals.

    They have as many as `write` gives one of them that is not small beside the interval.

    >>> alike(0.708, 0.53, 0.9372, size), alike(0.865, 0.6662, 1.1058, size)
    (('0.708', '0.530', '0.937'), ('0.865', '0.666', '1.106'))
    >>> alike(0.00298, -0.0078, 0.0141, difference)
    ('0.0030', '−0.0078', '0.0141')
    """
    written = write(value), write(low), write(high)
    if not all(re.fullmatch(rf"{MINUS}?[\d,]+(\.\d+)?", each) for each in written):
        return written
    least = (high - low) / 20  # the interval hides the further decimals of a smaller one
    telling = [each for each in (value, low, high) if abs(each) >= least]
    places = max(len(write(each).partition(".")[2]) for each in telling)
    first, second, third = (f"{each:z,.{places}f}" for each in (value, low, high))
    return first.replace("-", MINUS), second.replace("-", MINUS), third.replace("-", MINUS)


def with_ends(
    value: float,
    low: float,
    high: float,
    write: Callable[[float], str],
    join: Callable[[str, str], str] = low_to_high,
) -> str:
    """Return a number with the ends of its interval in brackets, all in the same decimals.

    >>> with_ends(0.708, 0.53, 0.937, size)
    '0.708 (0.530 to 0.937)'
    """
    said, *ends = alike(value, low, high, write)
    return f"{said} ({join(*ends)})"


AS_IT_IS = 255
"""Instead of a number of decimals: no shorter number decides alike."""

_FEWEST, _MOST = 2, 12
"""Decimals of a threshold: two are read at a glance; beyond twelve stand rounding errors."""

_LARGE = 1e6
"""From this size on, decimals of a score are noise."""


def shortest_threshold(table: ScoreTable, threshold: float) -> float:
    """Return the shortest number that flags the same rows as a score of the table.

    What is no score of the table was chosen by somebody and stays as it is.

    >>> table = ScoreTable(np.array([0.356923, 0.3512]), np.array([1, 1]), np.array([0, 1]))
    >>> [shortest_threshold(table, score) for score in (0.356923, 0.3512, 0.355555)]
    [0.356, 0.35, 0.355555]
    """
    rising = table.threshold[::-1]
    lower = int(rising.searchsorted(threshold))
    if lower == len(rising) or rising[lower] != threshold:
        return threshold
    places = decimals_needed(threshold, float(rising[lower - 1]) if lower else -math.inf)
    return float(threshold) if places == AS_IT_IS else rounded_down(threshold, places)


def decimals_needed(score: float, below: float) -> int:
    """Return in how few decimals, rounded down, a score stays above the next lower one."""
    if abs(score) >= _LARGE:
        return AS_IT_IS
    enough = (each for each in range(_FEWEST, _MOST + 1) if rounded_down(score, each) > below)
    return next(enough, AS_IT_IS)


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


LEFT_TO_RIGHT = "\u200e"


def fitting(said: object, most: int) -> str:
    """Return a text of at most about so many characters; of two names both are abbreviated.

    >>> fitting("gradient_boosting_v12", 12), fitting(f"forest_v12 {MINUS} svm", 15)[1:]
    ('gradie…g_v12', 'for…12 − svm')
    """
    names = str(said).split(f" {MINUS} ")
    share = (most - 3 * (len(names) - 1)) // len(names)
    fits = len(str(said)) <= most
    short = f" {MINUS} ".join(name if fits else abbreviate(name, share) for name in names)
    return LEFT_TO_RIGHT + short if len(names) > 1 else short


def from_left(said: str) -> str:
    """Return a rule such as "column = value" that stands in a cell of its own.

    A first name from right to left would turn the whole of it round.

    >>> from_left("region = West"), from_left("\u05d0 = 1") == LEFT_TO_RIGHT + "\u05d0 = 1"
    ('region = West', True)
    """
    return said if said.isascii() else LEFT_TO_RIGHT + said


def four_digits(size: float) -> str:
    """Return a format of about four digits for numbers up to a size."""
    if not 1e-4 < size < 1e12:
        return "%.3e" if size > 0 else "%.0f"
    return f"%.{max(0, 3 - math.floor(math.log10(size)))}f"


def size(value: float) -> str:
    """Return a size in the unit of the target, with as many digits as a reader can use.

    >>> size(39.3743), size(0.01234), size(12345.6)
    ('39.4', '0.0123', '12,346')
    """
    if math.isinf(value):
        return number(value)
    whole = 1000 <= abs(value) < 1e15
    return (f"{value:,.0f}" if whole else f"{value:.3g}").replace("-", MINUS)


def share_explained(r2: float) -> str:
    """Return R² in words.

    >>> share_explained(0.5), share_explained(-0.1)
    ('50.0% of the variation is explained', 'no better than always predicting the mean')
    """
    if r2 <= 0:
        return "no better than always predicting the mean"
    return f"{percent(r2)} of the variation is explained"
