"""Numbers and names as people read them; plain text, not yet escaped for any place."""

import math
from collections.abc import Callable, Sequence
from textwrap import wrap

from evalcore.dataset import Dataset
from evalcore.metrics.metric import Estimate
from evalread.profile import names_nothing, plain
from evalread.scores import surrounds
from pages.escape import plotly as safe
from pages.escape import shorten, visible

EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
P_VALUES = ("_p", "_p_value")
"""How keys of metrics end that are p values."""


def number(value: float, decimals: int = 3) -> str:
    """Return a number that never looks rounder than it is.

    >>> number(0.8944), number(1.0), number(0.99999), number(0.0), number(0.00001), number(12345.6)
    ('0.894', '1.000', '>0.999', '0.000', '<0.001', '12,346')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    if abs(value) >= 1e15:
        return f"{value:.3g}".replace("-", MINUS)
    if abs(value) >= 1000:
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


def decimals(estimate: Estimate) -> int:
    """Return how many decimals tell value and interval from 0 and 1; fewer from 10 on.

    What five decimals cannot tell from 0 or 1 asks for none.

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


def p_value(p: float) -> str:
    """Return a p value as it is printed.

    >>> p_value(0.00001), p_value(0.0312), p_value(0.9999), p_value(float("nan"))
    ('<0.001', '0.031', '>0.999', '–')
    """
    if math.isnan(p):
        return "–"
    return "<0.001" if p < 0.001 else number(p)


def ends(low: str, high: str) -> str:
    """Return an interval as it stands on a card or in the cell of a table.

    >>> ends("0.400", "0.600")
    '0.400 – 0.600'
    """
    return f"{low} {EN_DASH} {high}"


def ends_spoken(low: str, high: str) -> str:
    """Return an interval as it stands in a sentence.

    >>> ends_spoken("0.400", "0.600")
    '0.400 to 0.600'
    """
    return f"{low} to {high}"


def interval(estimate: Estimate, join: Callable[[str, str], str] = ends) -> str:
    """Return the interval, or nothing where there is none.

    >>> interval(Estimate(0.5, low=0.4, high=0.6, method="wilson", level=0.95))
    '0.400 – 0.600'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    places = decimals(estimate)
    return join(number(estimate.low, places), number(estimate.high, places))


def cell(estimate: Estimate) -> str:
    """Return a number with its interval in brackets, for the cell of a table.

    >>> cell(Estimate(0.5, low=0.4, high=0.6, method="wilson", level=0.95))
    '0.500 (0.400 – 0.600)'
    """
    return _bracketed(estimate, interval(estimate))


def with_interval(estimate: Estimate) -> str:
    """Return a number with its interval in brackets, for a sentence.

    >>> with_interval(Estimate(0.5, low=0.4, high=0.6, method="wilson", level=0.95))
    '0.500 (0.400 to 0.600)'
    """
    return _bracketed(estimate, interval(estimate, ends_spoken))


def _bracketed(estimate: Estimate, around: str) -> str:
    value = number(estimate.value, decimals(estimate))
    return f"{value} ({around})" if around else value


def named(label: str) -> str:
    """Return a class name as it stands in a sentence: in quotes unless it is a plain word.

    >>> named("fraud"), named("1"), named("a > b")
    ('fraud', '“1”', '“a > b”')
    """
    shown = visible(label)
    return shown if shown.replace(" ", "").replace("_", "").isalpha() else f"“{shown}”"


def of_hundred(share: float) -> str:
    """Return a share as so many of a hundred, where "all" and "none" mean just that.

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


def bound(value: float) -> str:
    """Return an end of a metric's range.

    >>> bound(1), bound(-1.0), bound(float("inf"))
    ('1', '−1', '∞')
    """
    return number(value) if math.isinf(value) else f"{value:.4g}".replace("-", MINUS)


def on_two_lines(name: str, width: int = 13) -> str:
    """Return a name, escaped, on two lines at most, each about `width` letters wide.

    >>> on_two_lines("logistic regression"), on_two_lines("rf")
    ('logistic<br>regression', 'rf')
    """
    lines = wrap(shorten(name.replace("_", " "), 2 * width), width) or [""]
    return "<br>".join(map(safe, lines[:2]))


FEW = 8
"""With more names under each other, each has one line only."""


def under_each_other(names: Sequence[str]) -> list[str]:
    """Return names, escaped, for rows under each other."""
    few = len(names) <= FEW
    return [on_two_lines(name) if few else safe(shorten(name, 18)) for name in names]


THE_MODEL, THE_CLUSTERING = "the model", "the clustering"
CLUSTER_COLUMNS = frozenset({"cluster", "clusters", "clustering", "cluster_id", "label", "labels"})


def spoken(dataset: Dataset, name: str) -> str:
    """Return a model or clustering as a sentence names it, "the model" where its name is none.

    That is so where there is one only, called after a column that just says what it holds. Tables
    and downloads keep that name.
    """
    alone = len(dataset.models) + len(dataset.clusterings) == 1
    if alone and name in dataset.clusterings:
        return THE_CLUSTERING if plain(name) in CLUSTER_COLUMNS else visible(name)
    predicted = (dataset.roles.truth, *dataset.classes)
    is_named = not (names_nothing(name, predicted) or surrounds(name))
    return visible(name) if is_named or not alone else THE_MODEL


def at_start(who: str) -> str:
    """Return who is spoken of as a sentence begins: a name stays as it is written.

    >>> at_start("the model"), at_start("rf")
    ('The model', 'rf')
    """
    return f"T{who[1:]}" if who in (THE_MODEL, THE_CLUSTERING) else who


def predictions_of(who: str) -> str:
    """Return whose predictions, where there is anything to tell.

    >>> predictions_of("random forest"), predictions_of("the model")
    ('predictions of random forest', 'predictions')
    """
    return "predictions" if who == THE_MODEL else f"predictions of {who}"
