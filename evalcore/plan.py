"""How many rows an evaluation takes, before there are any.

Everything follows from one inequality: a difference is shown with the wanted power where it is at
least `z` standard errors as they are without a difference, plus `z` of the power times those with
it. Source: Connor (1987), Biometrics 43(1), for shares of the same rows; Obuchowski and McClish
(1997), Statistics in Medicine 16, for areas; Chow, Shao, Wang and Lokhnygina (2017) for means.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, comb, isfinite, sqrt
from typing import Literal

from evalcore.comparison.power import FEWEST, POWER
from evalcore.errors import EvalError
from evalcore.intervals.closed import normal_quantile, t_quantile, wilson
from evalcore.intervals.delong import hanley_variance, newcombe_interval
from evalcore.metrics.catalog import METRICS
from evalcore.metrics.metric import Wilson
from evalcore.text import counted, joined, significant, so_often

MOST_ROWS = 10**9
"""More rows than anybody labels: what takes more is said to be out of reach."""

MOST_LOSS, MOST_MODELS = 1e100, 10_000
"""The square of the one is still a number; more than the other nobody compares pair by pair."""

LEAST_SHARE = 1e-6
"""With a rarer class a billion rows hold fewer than a thousand of it."""

FEW_GROUPS = 20
"""With fewer groups their number tells little of how they differ (Cameron and Miller, 2015)."""

MEANS = ("brier", "log_loss", "mae", "mse", "mape", "msle", "pinball")
"""Metrics that are a mean over the rows of something whose deviation can be stated."""

Kind = Literal["share", "area", "mean"]


@dataclass(frozen=True)
class Expected:
    """What is expected of a metric, and of the rows that it will be measured on.

    Attributes:
        metric: Its key in the catalogue: a share of rows, the ROC AUC, or a mean loss.
        value: Its value.
        share: Share of the rows that counts: for the ROC AUC those that are positive, for a share
            those that it is a share of (recall: the positives; precision: the flagged rows).
        deviation: Standard deviation over the rows of what is averaged; only for a mean loss.
        alike: Correlation between two models on the same rows, 0 to below 1: of being right, of
            the areas, of the losses. 0 asks for the most rows, as models on rows of their own do.
        group_rows: Rows of each group in which rows depend on each other (a patient, a user).
        within: Correlation of two rows of one group.
        models: How many models are compared, in pairs.
    """

    metric: str
    value: float
    share: float = 1.0
    deviation: float | None = None
    alike: float = 0.0
    group_rows: float = 1.0
    within: float = 0.0
    models: int = 2

    def __post_init__(self) -> None:
        """Check every setting.

        Raises:
            EvalError: "no-such-metric": it is not one that can be planned for. "usage": a setting
                is outside its range, or lacking.
        """
        kind = kind_of(self.metric)
        if kind == "mean":
            _within("A mean loss", self.value, 0.0, MOST_LOSS)
            if self.deviation is None or not 0 < self.deviation <= MOST_LOSS:
                raise EvalError(
                    "usage",
                    f"State the standard deviation over the rows of what {self.metric} averages, "
                    "above 0: it determines how uncertain the mean is.",
                )
        else:
            low = 0.5 if kind == "area" else 0.0
            _within(f"The expected {self.metric}", self.value, low, 1.0, closed=False)
        if kind == "area" and self.share == 1:
            raise EvalError(
                "usage",
                "State the share of rows that are positive: an area rests on the rows of both "
                "classes.",
            )
        _within("The share of rows that count", self.share, LEAST_SHARE, 1.0)
        _within("The correlation of two models", self.alike, 0.0, 1.0)
        if self.alike == 1:
            raise EvalError("usage", "Models with correlation 1 never differ: state less.")
        _within("The correlation within a group", self.within, 0.0, 1.0)
        _within("The number of rows in a group", self.group_rows, 1.0, MOST_ROWS)
        _within("The number of models", self.models, 2, MOST_MODELS)

    @property
    def design_effect(self) -> float:
        """By how much rows in groups raise a variance (Kish, 1965)."""
        return 1 + (self.group_rows - 1) * self.within

    def interval(self, rows: float, level: float) -> tuple[float, float]:
        """Return the ends of the interval to expect of one model, as `evaluate` makes it."""
        kind, n = kind_of(self.metric), rows / self.design_effect
        if kind == "mean":
            reach = t_quantile(level, max(n - 1, 1.0)) * sqrt(self.variance(self.value, n))
            return max(self.value - reach, 0.0), self.value + reach
        if kind == "area":
            found = newcombe_interval(self.value, self._classes(n), level)
        else:
            found = wilson(self.value * n * self.share, n * self.share, level)
        return float(found.low), float(found.high)

    def shows(self, rows: float, difference: float, level: float, power: float) -> bool:
        """Whether rows show a difference from a second model with this power."""
        n = rows / self.design_effect
        null, real = self._errors(n, difference)
        return difference >= normal_quantile(level) * null + normal_quantile(2 * power - 1) * real

    def _errors(self, n: float, difference: float) -> tuple[float, float]:
        """Return the standard error of the difference without a difference, and with this one."""
        # On the side of one half a share and an area vary more: no rows are saved by hoping.
        second = self.value - difference if self.value > 0.5 else self.value + difference
        one, other = self.variance(self.value, n), self.variance(second, n)
        error = one + other - 2 * self.alike * sqrt(one * other)
        if kind_of(self.metric) != "share":
            return sqrt(error), sqrt(error)
        # Without a difference as many rows are right for just one of the models, half for each.
        return sqrt(error + difference**2 / (n * self.share)), sqrt(error)

    def variance(self, value: float, n: float) -> float:
        """Return the variance of a model's value on n independent rows."""
        kind = kind_of(self.metric)
        if kind == "share":
            return max(value * (1 - value), 0.0) / (n * self.share)
        if kind == "area":
            return hanley_variance(value, self._classes(n))
        return (self.deviation or 0.0) ** 2 / n

    def _classes(self, n: float) -> tuple[float, float]:
        """Return the positives and negatives among n rows."""
        return max(n * self.share, 1.0), max(n * (1 - self.share), 1.0)

    @property
    def room(self) -> float:
        """How far a second model can be away at most, to the better or the worse."""
        return self.value if kind_of(self.metric) == "mean" else max(self.value, 1 - self.value)

    @property
    def fewest(self) -> int:
        """Rows without which nothing is concluded, whatever the difference."""
        rarer = min(self.share, 1 - self.share) if kind_of(self.metric) == "area" else self.share
        return ceil(FEWEST / rarer * self.design_effect)


@dataclass(frozen=True)
class Plan:
    """What so many rows show, and how many rows show what is wanted.

    Attributes:
        expected: What was expected.
        rows: The rows that are planned; None if they are what is asked for.
        low, high: Ends of the interval to expect of one model with these rows; None without rows.
        smallest_difference: The smallest difference between two models that these rows show with
            the power; None without rows, and where no difference is large enough.
        width, difference: The interval's width and the difference that are wanted; None if not.
        rows_for_width, rows_for_difference: Rows for them, of each model where they have rows of
            their own; None without them, and where over 1e9 are needed.
        pairs: Pairs of models, which share the chance of a false finding.
        level: One minus the chance that any difference is shown which is not there.
        power: Chance with which a difference is shown that is there.
        design_effect: How many times as many rows dependence within groups takes.
    """

    expected: Expected
    rows: float | None
    low: float | None
    high: float | None
    smallest_difference: float | None
    width: float | None
    rows_for_width: int | None
    difference: float | None
    rows_for_difference: int | None
    pairs: int
    level: float
    power: float
    design_effect: float

    @property
    def few_groups(self) -> bool:
        """Whether the rows are of too few groups for intervals over groups to be trusted."""
        size = self.expected.group_rows
        return self.rows is not None and size > 1 and self.rows / size < FEW_GROUPS


def kind_of(metric: str) -> Kind:
    """Return what a metric is to the plan: a share of rows, an area, or a mean.

    Raises:
        EvalError: "no-such-metric": it is not in the catalogue, or no plan is known for it.

    >>> kind_of("accuracy"), kind_of("roc_auc"), kind_of("mae")
    ('share', 'area', 'mean')
    """
    if metric == "roc_auc":
        return "area"
    if metric in MEANS:
        return "mean"
    if metric in _SHARES:
        return "share"
    known = joined([*_SHARES, "roc_auc", *MEANS], most=len(_SHARES) + len(MEANS) + 1)
    raise EvalError(
        "no-such-metric",
        f'No plan is known for "{metric}". Plan for one of {known}. For any other metric, '
        "compare models on pilot rows: the comparison says how many rows are needed.",
    )


_SHARES = tuple(metric.key for metric in METRICS if isinstance(metric.interval, Wilson))


def plan(
    expected: Expected,
    *,
    rows: float | None = None,
    width: float | None = None,
    difference: float | None = None,
    level: float = 0.95,
    power: float = POWER,
) -> Plan:
    """Return what so many rows show, and how many rows an interval or a difference takes.

    Raises:
        EvalError: "usage": a setting is outside its range, or nothing is asked.

    >>> made = plan(Expected("accuracy", 0.8), width=0.05)
    >>> made.rows_for_width
    982
    """
    if rows is None and width is None and difference is None:
        raise EvalError("usage", "State the rows, the width of the interval, or the difference.")
    if rows is not None:
        _within("The number of rows", rows, 1, MOST_ROWS)
    for name, value in (("width", width), ("difference", difference)):
        if value is not None:
            _within(f"The {name}", value, 0.0, MOST_LOSS, closed=False)
    _within("The confidence level", level, 0.0, 1.0, closed=False)
    _within("The power", power, 0.5, 1.0, closed=False)
    pairs = comb(expected.models, 2)
    each = 1 - (1 - level) / pairs
    if difference is not None and difference >= expected.room:
        said = f"No second model can differ from {expected.value:g} by {difference:g}"
        raise EvalError("usage", f"{said}: state less than {expected.room:g}.")
    low, high = (None, None) if rows is None else expected.interval(rows, level)

    def is_narrow(n: float) -> bool:
        low, high = expected.interval(n, level)
        return high - low <= (width or 0.0)

    def is_shown(n: float) -> bool:
        return expected.shows(n, difference or 0.0, each, power)

    return Plan(
        expected,
        rows,
        low=low,
        high=high,
        smallest_difference=None if rows is None else _smallest(expected, rows, each, power),
        width=width,
        rows_for_width=None if width is None else _first(is_narrow, 1),
        difference=difference,
        rows_for_difference=None if difference is None else _first(is_shown, expected.fewest),
        pairs=pairs,
        level=level,
        power=power,
        design_effect=expected.design_effect,
    )


def _smallest(expected: Expected, rows: float, level: float, power: float) -> float | None:
    """Return the smallest difference that rows show, to four digits; None if none is shown."""
    low, high = 0.0, expected.room
    if rows < expected.fewest or not expected.shows(rows, high, level, power):
        return None
    while high - low > high * 1e-5:
        middle = (low + high) / 2
        shown = expected.shows(rows, middle, level, power)
        low, high = (low, middle) if shown else (middle, high)
    return high


def _first(holds: Callable[[float], bool], least: int) -> int | None:
    """Return the smallest whole number from `least` on that holds, as all after it do."""
    low, high = least - 1, least
    while not holds(high):
        low, high = high, 2 * high
        if high > MOST_ROWS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _within(what: str, value: float, low: float, high: float, *, closed: bool = True) -> None:
    """Raise an EvalError unless a setting lies between its ends."""
    inside = low <= value <= high if closed else low < value < high
    if not inside or not isfinite(value):
        ends = f"from {low:g} to {high:g}" if closed else f"between {low:g} and {high:g}"
        raise EvalError("usage", f"{what} must be a number {ends}, not {value:g}.")


def sentences(made: Plan) -> list[str]:
    """Return the sentences of a plan; what is out of reach is said to be.

    >>> sentences(plan(Expected("accuracy", 0.8), width=0.05))[0]
    'A 95% interval 0.05 wide takes 982 rows.'
    """
    said, sure = [], f"{made.level:.0%}"
    shared = f", allowing for {made.pairs:,} pairs" if made.pairs > 1 else ""
    often = f"in {so_often(made.power)} files"
    if made.rows is not None:
        with_rows = f"With {counted(made.rows, 'row')}"
        ends = f"{significant(made.low or 0.0)} to {significant(made.high or 0.0)}"
        said.append(f"{with_rows} a model's {sure} interval is expected to be {ends}.")
        least = made.smallest_difference
        gap = "no difference" if least is None else f"a true difference of {significant(least)}"
        said.append(f"{with_rows} {gap} between two models would show {often}{shared}.")
    if made.width is not None:
        said.append(f"A {sure} interval {made.width:g} wide takes {_rows(made.rows_for_width)}.")
    if made.difference is not None:
        takes = _rows(made.rows_for_difference)
        said.append(
            f"To show a true difference of {made.difference:g} {often} takes {takes}{shared}."
        )
    return [*said, *_assumed(made)]


def _rows(rows: int | None) -> str:
    return f"more than {MOST_ROWS:,} rows" if rows is None else counted(rows, "row")


def _assumed(made: Plan) -> list[str]:
    """Return what a plan rests on that a reader may want to change, and what makes it doubtful."""
    expected, said = made.expected, []
    if (made.rows or made.difference) and not expected.alike:
        said.append(
            "This assumes that the models are uncorrelated, as on rows of their own. On the same "
            "rows, good models mostly err on the same ones: state their correlation, and fewer "
            "rows are enough."
        )
    if made.design_effect > 1:
        most = max(filter(None, (made.rows, made.rows_for_width, made.rows_for_difference)))
        said.append(
            f"Rows that depend on each other in groups of {expected.group_rows:g} take "
            f"{significant(made.design_effect)} times as many; {counted(most, 'row')} are "
            f"{counted(ceil(most / expected.group_rows), 'group')}."
        )
    if made.few_groups:
        said.append(f"With fewer than {FEW_GROUPS} groups intervals are not reliable.")
    return said
