"""A metric over time: plain frozen values, ready to show, to print and to keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate
from evalcore.monitoring.watching import Plan, Trace
from evalcore.outcomes import Codes, Floats
from evalcore.text import Displayed, counted, significant, within_sentence

Every = Literal["day", "week", "month"]
EVERY: tuple[Every, ...] = get_args(Every)

MOST = 10_000
"""Periods that are looked at; more are longer than any of them is useful."""

Days = NDArray[np.datetime64]

_MONDAY = np.datetime64("1970-01-05", "D")


@dataclass(frozen=True, eq=False)
class Periods:
    """The periods that rows lie in, in order; those without a row are left out.

    Attributes:
        every: How long a period is.
        start: (K,) its first day; a week begins on Monday, as in ISO 8601.
        codes: (n,) the period of each row; -1 where it has no date.
    """

    every: Every
    start: Days
    codes: Codes

    @property
    def undated(self) -> int:
        """Rows without a date."""
        return int(np.sum(self.codes < 0))

    def named(self, place: int) -> str:
        """Return a period as it is told: its day, its month, or the first day of its week."""
        return name_of(self.start[place], self.every)


def name_of(start: Any, every: Every) -> str:
    """Return a period by its first day, in words.

    >>> name_of(np.datetime64("2024-03-11"), "week"), name_of(np.datetime64("2024-03-01"), "month")
    ('the week of 2024-03-11', '2024-03')
    """
    day = str(np.datetime64(start, "D"))
    return {"day": day, "week": f"the week of {day}", "month": day[:7]}[every]


def periods(dates: Any, every: str) -> Periods:
    """Return the period of each of (n,) dates; a date that is missing (NaT) is in none.

    Raises:
        EvalError: "bad-period": there is no such period. "one-period": all dates lie in one.
            "too-many-periods", or "no-dates" where no row has one.

    >>> made = periods(np.array(["2024-03-17", "2024-03-18", "NaT"], "datetime64[s]"), "week")
    >>> made.start.astype(str).tolist(), made.codes.tolist()
    (['2024-03-11', '2024-03-18'], [0, 1, -1])
    """
    if every not in EVERY:
        raise EvalError("bad-period", f'There is no period "{every}": choose day, week or month.')
    days = np.asarray(dates).astype("datetime64[D]")
    known = ~np.isnat(days)
    if not known.any():
        raise EvalError("no-dates", "No row has a date.")
    start, codes = np.unique(_first_day(days[known], every), return_inverse=True)
    if len(start) < 2:
        raise EvalError(
            "one-period",
            f"All dates lie in one {every} ({start[0]}): choose shorter periods, or a file that "
            "covers more time.",
        )
    if len(start) > MOST:
        raise EvalError(
            "too-many-periods",
            f"The dates lie in {len(start):,} different {every}s; at most {MOST:,} can be used. "
            "Choose longer periods.",
        )
    placed = np.full(len(days), -1, np.int64)
    placed[known] = codes
    return Periods(every, start, placed)


def _first_day(days: Days, every: str) -> Days:
    if every == "month":
        return days.astype("datetime64[M]").astype("datetime64[D]")
    if every == "week":
        back = (days - _MONDAY).astype(np.int64) % 7
        return np.asarray(days - back.astype("timedelta64[D]"))
    return days


@dataclass(frozen=True)
class Track:
    """One number over K periods.

    Attributes:
        key: What it is: the key of a metric, "prevalence", "truth", "score" or "prediction".
        each: (K,) its value in each period, with the interval of that period alone.
        running: (K,) its value over this period and all before it, with a confidence sequence:
            these intervals all hold together.
    """

    key: str
    each: tuple[Estimate, ...]
    running: tuple[Estimate, ...]


@dataclass(frozen=True)
class Change:
    """A change that is flagged.

    Attributes:
        since: Place of the period from which the metric has changed, as far as can be told.
        flagged: Place of the period in which that was seen.
        higher: Whether the metric is higher than the reference.
        worse: Whether that is for the worse; None where neither side is the better one.
        rows: Rows from the one to the other, both included.
        value: The metric in these rows, with the interval of one look: it is too far from the
            reference on average, since the periods were chosen for being so.
    """

    since: int
    flagged: int
    higher: bool
    worse: bool | None
    rows: float
    value: Estimate


@dataclass(frozen=True, kw_only=True, eq=False)
class OverTime(Displayed):
    """How a model does from period to period, and whether that has changed.

    As a data frame it has a row for each period.

    Attributes:
        model: Whose answers these are.
        date: The column of dates.
        every: "day", "week" or "month".
        start: (K,) the first day of each period, such as 2024-03-11.
        rows: (K,) its rows.
        metric: The metric.
        others: What else is followed: the share of positives and the mean score, or the means of
            the truth and of what is predicted. Nothing is flagged of them.
        reference: What the metric is held against: a stated value, or that of the first periods.
        first: How many periods it is of; 0 where it is stated.
        plan: How many looks are planned, at which false-alarm rate, for what change.
        looks: How many there were.
        up, down: The CUSUM of a rise and of a fall, with their limits.
        change: The change that is flagged; None where there is none.
        notices: What the reader must know.
    """

    model: str
    date: str
    every: Every
    start: tuple[str, ...]
    rows: Floats
    metric: Track
    others: tuple[Track, ...]
    reference: Estimate
    first: int
    plan: Plan
    looks: int
    up: Trace
    down: Trace
    change: Change | None = None
    notices: tuple[Notice, ...] = ()

    def named(self, place: int) -> str:
        """Return a period in words."""
        return name_of(self.start[place], self.every)

    def written(self, place: int) -> str:
        """Return a period as a table has it: its month, or its first day."""
        return self.start[place][: 7 if self.every == "month" else 10]

    @property
    def verdict(self) -> str:
        """Whether the metric has changed, in a sentence or two."""
        name = within_sentence(find(self.metric.key).name)
        held = f"the reference, {significant(self.reference.value)}"
        if self.first:
            held += f" in the first {counted(self.first, self.every)}"
        looks = f"{counted(self.looks, 'look')} (up to {self.plan.looks:,} are allowed for)"
        if self.change is None:
            return (
                f"No change of {name} is flagged in {looks}. It is compared with {held}; over all "
                f"looks the chance of a false alarm is {self.plan.error:.2g}."
            )
        made, one = self.change, self.change.value
        ends = (
            ""
            if one.low is None or one.high is None
            else (f" ({significant(one.low)} to {significant(one.high)})")
        )
        side = "higher" if made.higher else "lower"
        return (
            f"Since {self.named(made.since)} {name} is {side} than {held}: "
            f"{significant(one.value)}{ends} in {counted(made.rows, 'row')} until it was flagged, "
            f"in {self.named(made.flagged)}."
        )

    def _caption(self) -> str:
        change = self.change
        if change is None:
            found = f"no change flagged in {self.looks:,} of {self.plan.looks:,} looks"
        else:
            side = "higher" if change.higher else "lower"
            found = (
                f"{side} since {self.named(change.since)}, flagged in {self.named(change.flagged)}"
            )
        return f"{self.metric.key} of {self.model} by {self.every}: {found}"

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        size, change = len(self.start), self.change
        places = np.arange(size)
        inside = (
            np.zeros(size, bool)
            if change is None
            else (places >= change.since) & (places <= change.flagged)
        )
        found: dict[str, Sequence[Any]] = {
            "period": self.start,
            "rows": self.rows.tolist(),
            **_estimated(self.metric, ""),
        }
        for track in self.others:
            found |= _estimated(track, f"{track.key}_")
        used = "reference" if self.first else ""
        return {
            **found,
            "cusum_up": self.up.value.tolist(),
            "limit_up": self.up.limit.tolist(),
            "cusum_down": self.down.value.tolist(),
            "limit_down": self.down.limit.tolist(),
            "part": [
                used if place < self.first else "changed" if inside[place] else ""
                for place in range(size)
            ],
        }


def _estimated(track: Track, before: str) -> dict[str, Sequence[Any]]:
    return {
        f"{before}value": [one.value for one in track.each],
        f"{before}low": [one.low for one in track.each],
        f"{before}high": [one.high for one in track.each],
        f"{before}running": [one.value for one in track.running],
        f"{before}running_low": [one.low for one in track.running],
        f"{before}running_high": [one.high for one in track.running],
    }
