"""What a comparison gives back: plain frozen values, ready to show or to print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from math import isnan, nan
from typing import Any, Literal

from evalcore.comparison.rows import SampleSize
from evalcore.comparison.spec import Design, Finding
from evalcore.display import Displayed
from evalcore.errors import Notice
from evalcore.metrics.metric import Better, Estimate


@dataclass(frozen=True)
class Difference(Displayed):
    """How far two models are apart.

    Attributes:
        first: One model.
        second: The other one.
        difference: Value of the second minus that of the first; NaN where either has none.
        low: Lower end of its interval; None if there is none.
        high: Upper end of its interval; None if there is none.
        method: How the interval was made; None if there is none.
        note: A caveat, such as that the interval is degenerate; "" otherwise.
    """

    first: str
    second: str
    difference: float
    low: float | None = None
    high: float | None = None
    method: str | None = None
    note: str = ""


@dataclass(frozen=True)
class TestedPair:
    """What a test found about two models, or about all of them (first and second are None).

    Attributes:
        test: Key of the test.
        first: One model.
        second: The other one.
        finding: What it found.
        p_adjusted: The p value allowing for the number of all pairs (Holm); NaN where there is
            none.
    """

    test: str
    first: str | None
    second: str | None
    finding: Finding
    p_adjusted: float


class Place(Enum):
    """Where a model stands among the others.

    BEST: shown to be ahead of all others. LEVEL: not shown to be behind the leader. BEHIND: shown.
    """

    BEST = "best"
    LEVEL = "level"
    BEHIND = "behind"


@dataclass(frozen=True)
class Refusal:
    """A test that the data do not permit, and why."""

    test: str
    why: str


@dataclass(frozen=True)
class Standing:
    """Models in order of merit, and those among them that cannot be told apart.

    Attributes:
        order: Model names, the best first; models without a value last.
        groups: Runs of that order within which no two models can be told apart.
        mean_ranks: Mean rank of each model over data sets, in that order; empty without data sets.
        critical_difference: How far apart mean ranks must be; NaN without data sets.
    """

    order: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    mean_ranks: tuple[float, ...] = ()
    critical_difference: float = float("nan")


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(Displayed):
    """Which model is better, and how sure that is.

    Attributes:
        metric: Key of what was compared, or its name in the file.
        metric_name: Its name for people.
        better: Which direction is good.
        n: Rows, folds or data sets that all models share; of independent models all their rows.
        unit: What n counts.
        design: How the data were collected.
        level: Confidence level of every interval.
        rope: Differences up to this size make no difference in practice.
        models: Model name -> its value with its interval, on what all models share.
        differences: One per pair of models.
        tests: What the tests found; of each the pairs in order.
        primary: Key of the test that the summary rests on.
        not_applicable: The tests that the data do not permit.
        standing: The models in order of merit.
        sample_size: What it takes to settle it between the two best; None without rows.
        doubt: Why nothing can be concluded whatever tests say; "" if something can.
        summary: The answer in a sentence or two.
        notices: What the reader must know besides.
    """

    metric: str
    metric_name: str
    better: Better
    n: float
    unit: Literal["rows", "folds", "data sets"]
    design: Design
    level: float
    rope: float
    models: Mapping[str, Estimate]
    differences: tuple[Difference, ...]
    tests: tuple[TestedPair, ...]
    primary: str
    not_applicable: tuple[Refusal, ...]
    standing: Standing
    sample_size: SampleSize | None
    doubt: str = ""
    summary: str = ""
    notices: tuple[Notice, ...] = ()

    @cached_property
    def _by_pair(self) -> Mapping[tuple[str, frozenset[str | None]], TestedPair]:
        return {(made.test, frozenset({made.first, made.second})): made for made in self.tests}

    def tested(self, test: str, first: str, second: str) -> TestedPair | None:
        """Return what a test found about two models, in either order; None if it was not made."""
        return self._by_pair.get((test, frozenset({first, second})))

    def doubt_about(self, one: str, other: str) -> str:
        """Return why the main test of two models is no ground for any statement; "" if it is."""
        tested = self.tested(self.primary, one, other)
        if self.doubt:
            return self.doubt
        if tested is None:
            return "no test fits these data"
        return tested.finding.note if isnan(tested.p_adjusted) else ""

    def is_ahead(self, one: str, other: str) -> bool:
        """Whether the main test and the interval both show the first model to be better."""
        gap, tested = self.gap(one, other), self.tested(self.primary, one, other)
        if gap is None or tested is None or self.doubt_about(one, other):
            return False
        if not tested.p_adjusted < 1 - self.level:
            return False
        if gap.low is None or gap.high is None:
            # Tests by ranks have no interval of the difference, but a sign.
            order = self.standing.order
            return order.index(one) < order.index(other)
        return gap.high < 0 if self.better is Better.LOWER else gap.low > 0

    @property
    def winner(self) -> str | None:
        """The model that is shown to be ahead of every other; None if there is none."""
        best, *others = self.standing.order
        return best if others and all(self.is_ahead(best, other) for other in others) else None

    @property
    def places(self) -> Mapping[str, Place]:
        """Where each model stands by the main test; all are level where nothing can be concluded.

        A model without a finite value is behind any that has one.
        """
        leader, *others = self.standing.order
        known = {name for name, one in self.models.items() if one.defined}
        if self.winner is not None:
            return {leader: Place.BEST, **dict.fromkeys(others, Place.BEHIND)}
        return {
            name: Place.LEVEL if name in known and not self.is_ahead(leader, name) else Place.BEHIND
            for name in (leader, *others)
        }

    def _caption(self) -> str:
        return self.summary or super()._caption()

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        rows = []
        for gap in self.differences:
            tested = self.tested(self.primary, gap.first, gap.second)
            p_value = tested.p_adjusted if tested else nan
            rows.append(
                {each.name: getattr(gap, each.name) for each in fields(gap)} | {"p_value": p_value}
            )
        return {name: [row[name] for row in rows] for name in rows[0]} if rows else {}

    @cached_property
    def _gaps(self) -> Mapping[tuple[str, str], Difference]:
        turned = {(made.first, made.second): _turned(made) for made in self.differences}
        return {(made.second, made.first): made for made in self.differences} | turned

    def gap(self, leader: str, other: str) -> Difference | None:
        """Return the difference of two models as leader minus other; None if it was not made."""
        return self._gaps.get((leader, other))


def _turned(gap: Difference) -> Difference:
    low = None if gap.high is None else -gap.high
    high = None if gap.low is None else -gap.low
    return Difference(gap.second, gap.first, -gap.difference, low, high, gap.method, gap.note)
