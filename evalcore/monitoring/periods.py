"""Dates as days, weeks or months."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Codes

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
