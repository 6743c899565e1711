"""What is known about models, what tests find about them, and the verdict."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from itertools import combinations
from math import ceil, comb, isnan, nan
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, Literal

from evalcore.comparison.power import Corrected, SampleSize
from evalcore.comparison.spec import Design, Finding, Situation
from evalcore.errors import Notice
from evalcore.intervals.closed import Interval
from evalcore.metrics.metric import Better, Estimate
from evalcore.outcomes import Floats
from evalcore.text import Displayed, nothing

Tables = Mapping[type, Any]
"""What tests need, by its type."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparedModels:
    """M models, and what they are compared by.

    Attributes:
        metric_name: What is compared, in the words for people.
        n: Rows, folds or data sets that all models share; of independent models all their rows.
        unit: What n counts.
        level: Confidence level of every interval.
        rope: Differences up to this size make no difference in practice.
        models: Model name -> its value with its interval, on what all models share.
        gains: Of models that are compared by accuracy or Brier score, how much better each is than
            one guess for all of its rows: the commonest class, or the share of positives.
        doubt: Why nothing can be concluded whatever tests say; "" if something can.
        crossed: Whether the rows were predicted fold by fold, by models trained again for each.
        notices: What the reader must know besides.
    """

    metric_name: str
    better: Better
    n: float
    unit: Literal["rows", "items", "folds", "data sets"]
    level: float
    rope: float
    models: Mapping[str, Estimate]
    gains: Mapping[str, Estimate] = field(default_factory=nothing)
    doubt: str = ""
    crossed: bool = False
    notices: tuple[Notice, ...] = ()

    def no_better_than_a_guess(self, name: str) -> bool:
        """Whether a model is not shown to be better than one guess for all rows."""
        gain = self.gains.get(name)
        return gain is not None and gain.low is not None and gain.low <= 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence(ComparedModels):
    """What is known about M models.

    Attributes:
        situation: How the data were collected.
        pair: Gives the tables about two models, by their places.
        primary: Keys of the tests that the headline may rest on, the first one made counts.
        intervals: By type of table, how the interval of the second model minus the first is made;
            of a pair the first table that there is counts, without any there is no interval.
        sizes: By type of table, how it follows how many rows would show a difference, in the same
            way; it is given the metric, all rows and the level.
        overall: The tables about all models at once.
        no_overall: Why there are none where some tell models apart two at a time only.
        fewest: With fewer rows nothing is concluded, so that no fewer are asked for.
        deviations: Gives (B, M) deviations of the values of models, by their places, as they would
            come about on other rows; None where nothing tells how they vary.
    """

    situation: Situation
    pair: Callable[[int, int], Tables]
    primary: tuple[str, ...]
    intervals: Mapping[type, Callable[[Any, float], Interval]]
    sizes: Mapping[type, Callable[[Any, str, float, float], SampleSize]]
    overall: Tables
    no_overall: str = ""
    mean_ranks: tuple[float, ...] = ()
    fewest: float = 0.0
    deviations: Callable[[Sequence[int]], Floats | None] = lambda _: None

    def interval(self, tables: Tables) -> Interval | None:
        """Return the interval of the difference of two models; None where there is none."""
        needs = next((needs for needs in self.intervals if needs in tables), None)
        return None if needs is None else self.intervals[needs](tables[needs], self.level)

    def sample_size(self, tables: Tables) -> SampleSize | None:
        """Return how many rows would show the difference of two models; None where none tell.

        The chance of a false finding is shared by all pairs, as in the test that must show it.
        """
        needs = next((needs for needs in self.sizes if needs in tables), None)
        if needs is None or self.doubt:
            return None
        pairs = comb(len(self.models), 2)
        each = 1 - (1 - self.level) / pairs
        made = self.sizes[needs](tables[needs], self.situation.metric, self.n, each)
        rows = None if made.rows_needed is None else max(made.rows_needed, ceil(self.fewest))
        return replace(made, rows_needed=rows, level=self.level, pairs=pairs)


STRONG = 0.01
"""Below this p value it is not only probable that a model is better: a tenth of the usual risk."""


@dataclass(frozen=True)
class Difference(Displayed):
    """The difference of two models.

    Attributes:
        difference: Value of the second minus that of the first; NaN where either has none.
        low, high, method: Its interval and how it was made; None if there is none.
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

    The p value that is adjusted allows for the number of all pairs (Holm); NaN where there is none.
    """

    test: str
    first: str | None
    second: str | None
    finding: Finding
    p_adjusted: float


@dataclass(frozen=True)
class Refusal:
    """A test that the data do not permit, and why."""

    test: str
    why: str


class Standing(Enum):
    """Where a model stands among the others.

    BEST: shown to be ahead of all others. LEVEL: not shown to be behind the leader. BEHIND: shown.
    """

    BEST = "best"
    LEVEL = "level"
    BEHIND = "behind"


@dataclass(frozen=True)
class PairVerdict:
    """What is concluded about two models.

    Attributes:
        better: The one that is shown to be ahead; None where they cannot be told apart.
        sure: Whether the p value is below `STRONG`; "probably" belongs before it otherwise.
        doubt: Why the main test is no ground for any statement; "" if it is.
        alone: Which of the two shows a difference where the other does not; "" if they agree.
    """

    better: str | None
    sure: bool = False
    doubt: str = ""
    alone: Literal["", "test", "interval"] = ""


@dataclass(frozen=True)
class Verdict:
    """What is concluded about all models; every sentence, mark and picture follows it.

    Attributes:
        order: Model names, the best first; models without a value last.
        test: Key of the test that it rests on, together with the interval; "" if none fits.
        level: One minus the chance of calling any two models different that are equally good.
        doubt: Why nothing can be concluded about any two; "" if something can.
        pairs: What is concluded about each two that were compared.
        groups: The largest groups, in order, of which no two models can be told apart.
        letters: Letters of each model that has a value; two with one in common cannot be told
            apart. Where only the leader was compared with the others, those that cannot be told
            from it have an "a", and the others none.
        standings: Where each model stands; all are level where nothing can be concluded. One
            without a finite value is behind any that has one.
    """

    order: tuple[str, ...]
    test: str
    level: float
    doubt: str
    pairs: Mapping[frozenset[str], PairVerdict]
    groups: tuple[tuple[str, ...], ...]
    letters: Mapping[str, str]
    standings: Mapping[str, Standing]

    @property
    def leader(self) -> str:
        """The model with the best value, whether it is shown to be better or not."""
        return self.order[0]

    @property
    def winner(self) -> str | None:
        """The model that is shown to be ahead of every other; None if there is none."""
        return self.leader if self.standings[self.leader] is Standing.BEST else None

    def between(self, one: str, other: str) -> PairVerdict:
        """Return what is concluded about two models, in either order."""
        unknown = PairVerdict(None, doubt=self.doubt or NOT_TESTED)
        return self.pairs.get(frozenset({one, other}), unknown)

    def is_ahead(self, one: str, other: str) -> bool:
        """Whether the first model is shown to be better than the second."""
        return self.between(one, other).better == one


NOT_TESTED = "no test fits these data"


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison(ComparedModels, Displayed):
    """Which model is better, and how sure that is.

    Attributes:
        metric: Key of what was compared, or its name in the file.
        design: How the data were collected.
        differences: One per pair of models.
        tests: What the tests found; of each the pairs in order.
        primary: Key of the test that the verdict rests on.
        not_applicable: The tests that the data do not permit.
        order: Model names, the best first; models without a value last.
        mean_ranks: Mean rank of each model over data sets, in that order; empty without data sets.
        critical_difference: How far apart mean ranks must be; NaN without data sets.
        sample_size: What it takes to settle it between the two best; None without rows.
        corrected: The best model less what choosing it adds; None where that is next to nothing.
        summary: The answer in a sentence or two.
    """

    metric: str
    design: Design
    differences: tuple[Difference, ...]
    tests: tuple[TestedPair, ...]
    primary: str
    not_applicable: tuple[Refusal, ...]
    order: tuple[str, ...]
    mean_ranks: tuple[float, ...] = ()
    critical_difference: float = float("nan")
    sample_size: SampleSize | None
    corrected: Corrected | None = None
    summary: str = ""

    @cached_property
    def _by_pair(self) -> Mapping[tuple[str, frozenset[str | None]], TestedPair]:
        return {(pair.test, frozenset({pair.first, pair.second})): pair for pair in self.tests}

    def tested(self, test: str, first: str, second: str) -> TestedPair | None:
        """Return what a test found about two models, in either order; None if it was not made."""
        return self._by_pair.get((test, frozenset({first, second})))

    @cached_property
    def _gaps(self) -> Mapping[tuple[str, str], Difference]:
        turned = {(gap.first, gap.second): _turned(gap) for gap in self.differences}
        return {(gap.second, gap.first): gap for gap in self.differences} | turned

    def gap(self, leader: str, other: str) -> Difference | None:
        """Return the difference of two models as leader minus other; None if it was not made."""
        return self._gaps.get((leader, other))

    def gap_and_test(self, leader: str, other: str) -> tuple[Difference | None, TestedPair | None]:
        """Return leader minus other, and what the main test found about them."""
        return self.gap(leader, other), self.tested(self.primary, leader, other)

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
    def verdict(self) -> Verdict:
        """What is concluded from the main test and the intervals of the differences."""
        pairs = {
            frozenset({one, other}): self._conclude(one, other)
            for one, other in combinations(self.order, 2)
            if self.gap(one, other) is not None
        }
        groups = self._groups(pairs)
        return Verdict(
            order=self.order,
            test=self.primary,
            level=self.level,
            doubt=self.doubt,
            pairs=MappingProxyType(pairs),
            groups=groups,
            letters=MappingProxyType(self._letters(groups)),
            standings=MappingProxyType(self._standings(pairs)),
        )

    def _conclude(self, one: str, other: str) -> PairVerdict:
        """Return which of two models is better, `one` standing before the other in the order.

        The main test and the interval must both show it: p below one minus the level, allowing
        for the number of pairs, and an interval without zero.
        """
        gap, tested = self.gap_and_test(one, other)
        if self.doubt or gap is None or tested is None:
            return PairVerdict(None, doubt=self.doubt or NOT_TESTED)
        if self.better is Better.NEITHER:
            return PairVerdict(None, doubt="neither a higher nor a lower value is better")
        p = tested.p_adjusted
        if isnan(p):
            return PairVerdict(None, doubt=tested.finding.note)
        shown = p < 1 - self.level
        if gap.low is None or gap.high is None:
            # Tests by ranks need no interval of the difference: the order is that of mean ranks.
            return PairVerdict(one if shown else None, shown and p < STRONG)
        low, high = (-gap.high, -gap.low) if self.better is Better.LOWER else (gap.low, gap.high)
        ahead = one if low > 0 else other if high < 0 else None
        if shown and ahead:
            return PairVerdict(ahead, p < STRONG)
        return PairVerdict(None, alone="test" if shown else "interval" if ahead else "")

    def _groups(self, pairs: Mapping[frozenset[str], PairVerdict]) -> tuple[tuple[str, ...], ...]:
        """Return the models that cannot be told apart; none without a test."""
        apart = {pair for pair, found in pairs.items() if found.better is not None}
        if not self.primary:
            return ()
        if self._all_pairs:
            return groups_of(self.order, apart)
        alike = tuple(n for n in self.order if frozenset({n, self.order[0]}) not in apart)
        return (alike,) if len(alike) > 1 else ()

    @property
    def _all_pairs(self) -> bool:
        models = len(self.models)
        return len(self.differences) == models * (models - 1) // 2

    def _letters(self, groups: Sequence[tuple[str, ...]]) -> Mapping[str, str]:
        """Return the letters of each model."""
        order = [name for name in self.order if self.models[name].defined]
        lettered = [group for group in groups if set(group) & set(order)]
        grouped = {name for group in lettered for name in group}
        if self._all_pairs:
            lettered += [(name,) for name in order if name not in grouped]
        elif not lettered and order:
            lettered = [(order[0],)]
        lettered.sort(key=lambda group: order.index(next(name for name in group if name in order)))
        return {
            name: "".join(_letter(at) for at, group in enumerate(lettered) if name in group)
            for name in order
        }

    def _standings(self, pairs: Mapping[frozenset[str], PairVerdict]) -> Mapping[str, Standing]:
        leader, others = self.order[:1], self.order[1:]
        behind = {
            name
            for name in others
            if (pair := pairs.get(frozenset({*leader, name}))) and pair.better in leader
        }
        if others and len(behind) == len(others):
            return {leader[0]: Standing.BEST, **dict.fromkeys(others, Standing.BEHIND)}
        behind |= {name for name, estimate in self.models.items() if not estimate.defined}
        return {name: Standing.BEHIND if name in behind else Standing.LEVEL for name in self.order}


def _turned(gap: Difference) -> Difference:
    low = None if gap.high is None else -gap.high
    high = None if gap.low is None else -gap.low
    return Difference(gap.second, gap.first, -gap.difference, low, high, gap.method, gap.note)


def best_first(values: Sequence[float], better: Better) -> list[int]:
    """Return the places of the values, the best first, those without a value last."""
    worse = 1.0 if better is Better.LOWER else -1.0
    return sorted(range(len(values)), key=lambda k: (isnan(values[k]), worse * values[k]))


def groups_of(
    names: Sequence[str], apart: Collection[frozenset[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return groups, none of which could grow, so that two names share one unless they are apart.

    All such groups may be too many to count, so that one whose pairs are in others may be left out.
    Source: Piepho (2004), An algorithm for a letter-based representation of all-pairwise
    comparisons, Journal of Computational and Graphical Statistics 13(2).

    >>> groups_of("abc", {frozenset("ab")})
    (('a', 'c'), ('b', 'c'))
    """
    alike = {
        name: {other for other in names if frozenset({name, other}) not in apart} for name in names
    }
    groups: list[tuple[str, ...]] = []
    together = {name: {name} for name in names}
    for pair in combinations(names, 2):
        if pair[1] in alike[pair[0]] - together[pair[0]]:
            fitting, group = alike[pair[0]] & alike[pair[1]], set(pair)
            for name in names:
                if name in fitting:
                    group.add(name)
                    fitting &= alike[name]
            groups.append(tuple(name for name in names if name in group))
            for name in group:
                together[name] |= group
    place = {name: at for at, name in enumerate(names)}
    return tuple(sorted(groups, key=lambda group: [place[name] for name in group]))


def runs_of(names: Sequence[str], alike: Callable[[int, int], bool]) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of two or more in which any two, by their places, are alike.

    >>> place = (0, 5, 6, 7)
    >>> runs_of("abcd", lambda one, other: place[other] - place[one] < 2)
    (('b', 'c'), ('c', 'd'))
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(names)):
        end = start + 1
        while end < len(names) and all(alike(place, end) for place in range(start, end)):
            end += 1
        if end > start + 1 and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return tuple(tuple(names[start:end]) for start, end in runs)


def _letter(place: int) -> str:
    """Return a to z, then a2, b2 and so on."""
    turns, at = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[at] + (str(turns + 1) if turns else "")
