"""What slicing gives back: plain frozen values, ready to show, to print and to keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evalcore.errors import Notice
from evalcore.metrics.metric import Estimate
from evalcore.slices.judging import Against
from evalcore.slices.rules import Rule, text_of
from evalcore.text import Displayed, nothing

Gaps = Mapping[str, Estimate]
"""How far the groups of a column are apart, by the name of the number."""


@dataclass(frozen=True)
class Slice(Displayed):
    """Some of the rows, and how the models do there.

    Attributes:
        rule: Which rows they are.
        n: How many, or the sum of their weights, of all rows of the file that are used.
        share: Their share of these rows.
        share_of_errors: Their share of all wrong decisions, or of the absolute errors; NaN
            where there are none.
        models: How each model does in the slice and in the rest.
        model: The one that the slice is judged by.
        p_adjusted: Its p value, adjusted for all slices that were judged; NaN if it was not.
        confirmed: Whether the slice is worse than the rest, with allowance for their number.
        few: Whether it has fewer rows than are judged.
        same: Other rules that hold nearly the same rows.
    """

    rule: Rule
    n: float
    share: float
    share_of_errors: float
    models: Mapping[str, Against]
    model: str
    p_adjusted: float = np.nan
    confirmed: bool = False
    few: bool = False
    same: tuple[Rule, ...] = ()

    @property
    def text(self) -> str:
        """The rule as it is written into an address."""
        return text_of(self.rule)

    @property
    def found(self) -> Against:
        """What is said of the model that the slice is judged by."""
        return self.models[self.model]


@dataclass(frozen=True, kw_only=True)
class Slices(Displayed):
    """Slices of the rows, worst first, those that are not confirmed after those that are.

    As a data frame it has a row for each slice: its rule, n, share, share of the errors, the value
    with its interval, difference and ratio to the rest with theirs, and p values.

    Attributes:
        metric: Key of what is measured.
        model: The model that slices are judged by.
        overall: Its value on all rows.
        columns: The columns that were looked at.
        slices: The slices.
        searched: How many were looked at.
        method: How they were found and judged, in a sentence.
        gaps: How far the groups of each column are apart.
        level: One minus the chance that any slice is confirmed which is no worse.
        seed: By which rows were parted into halves.
        nearest: Where no slice is confirmed, which comes nearest to that, and what it would
            take; "" otherwise.
        notices: What the reader must know, such as which columns were left out.
    """

    metric: str
    model: str
    overall: Estimate
    columns: tuple[str, ...]
    slices: tuple[Slice, ...]
    searched: int
    method: str
    gaps: Mapping[str, Gaps] = field(default_factory=nothing)
    level: float = 0.95
    seed: int = 0
    nearest: str = ""
    notices: tuple[Notice, ...] = ()

    @property
    def confirmed(self) -> tuple[Slice, ...]:
        """The slices that are worse than the rest, with allowance for their number."""
        return tuple(one for one in self.slices if one.confirmed)

    @property
    def takes(self) -> str:
        """What it would take to confirm a slice, where none is; "" otherwise."""
        return f"Nothing is confirmed. {self.nearest}" if self.nearest else ""

    def _caption(self) -> str:
        found = f"{len(self.confirmed)} confirmed of {self.searched:,} slices"
        return f"Slices by {self.metric} of {self.model}: {found}; {self.method}"

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        rows = [_row(one) for one in self.slices]
        names = rows[0] if rows else {"slice": ""}
        return {name: [row[name] for row in rows] for name in names}


def _row(one: Slice) -> dict[str, Any]:
    made = one.found
    return {
        "slice": one.text,
        "n": one.n,
        "share": one.share,
        "share_of_errors": one.share_of_errors,
        "value": made.value.value,
        "low": made.value.low,
        "high": made.value.high,
        "difference": made.difference.value,
        "difference_low": made.difference.low,
        "difference_high": made.difference.high,
        "ratio": made.ratio.value,
        "p_value": made.p_value,
        "p_adjusted": one.p_adjusted,
        "confirmed": one.confirmed,
        "few": one.few,
    }
