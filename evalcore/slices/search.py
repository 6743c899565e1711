"""Weak slices: found on one half of the rows, judged on the other.

Whoever looks at thousands of slices finds some that are bad by chance. So the rows that a slice was
found on say nothing about it; the other half does, and only few slices are judged there. Source:
Cox (1975), A note on data-splitting for the evaluation of significance levels, Biometrika 62(2).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.power import FEWEST
from evalcore.intervals.closed import holm
from evalcore.outcomes import Floats, Outcomes, Places
from evalcore.slices.columns import Column, Mask, Rule, crossed
from evalcore.slices.measures import Measure, on_rows
from evalcore.slices.results import NOT_JUDGED, Against, against
from evalcore.work import NO_PROGRESS, Progress, in_order

MOST_JUDGED = 10
"""Slices that are judged in each half: with more, none stands out from so many."""

_KEPT = 200
"""Candidates that are looked at again: most are the best ones with a row more or less."""

_WEAK = 2.0
"""Standard errors by which a slice, and what is left of it beside better ones, must be worse."""

_NEAR, _SAME = 0.5, 0.8
"""Rows in both over rows in either, from which two slices are made one, and called the same."""


class Level(NamedTuple):
    """A slice of one column, both by their places."""

    column: int
    level: int


Levels = tuple[Level, ...]
"""A slice of one column or of several."""


@dataclass(frozen=True)
class Judged:
    """A slice that was found on one half, and what the other half says of it.

    It was found on the rows of `half`, 0 or 1. `p_adjusted` is adjusted for all that were judged,
    in both halves and by all metrics.
    """

    levels: Levels
    half: int
    against: Against = NOT_JUDGED
    p_adjusted: float = np.nan
    same: tuple[Levels, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a search gives for a metric: the slices judged, and how many were looked at."""

    judged: tuple[Judged, ...]
    searched: int


def halves(outcomes: Outcomes, seed: int) -> tuple[Places, Places]:
    """Part the rows into two halves with the same truth: of neighbours in its order one each.

    Rows that are drawn together stay together.
    """
    rng = np.random.default_rng(seed)
    if outcomes.unit is not None:
        side = rng.permutation(int(outcomes.unit.max(initial=-1)) + 1) % 2
        first = side[outcomes.unit] == 0
        return np.flatnonzero(first), np.flatnonzero(~first)
    truth = getattr(outcomes, "truth", np.zeros(outcomes.n))
    order = np.lexsort((rng.permutation(outcomes.n), truth))
    swapped = rng.random((outcomes.n + 1) // 2) < 0.5
    first = np.zeros(outcomes.n, np.bool_)
    first[order[0::2]] = swapped
    first[order[1::2]] = ~swapped[: outcomes.n // 2]
    return np.flatnonzero(first), np.flatnonzero(~first)


def search(
    measures: Sequence[Measure],
    columns: Sequence[Column],
    *,
    max_columns: int = 2,
    least: float = 30,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> list[Found]:
    """Return the weak slices by each of the metrics of one model.

    Each half is searched, and the other one judges what was found; Holm's method over the slices
    of a half, and twice that since there are two.

    Args:
        measures: A model with each of the metrics.
        columns: The columns on the rows of the model.
        max_columns: 1, or 2 to look at crossings as well.
        least: Slices of fewer rows are not looked at.
        seed: Of the halves.
        progress: Who looks on.

    Raises:
        EvalError: "cancelled".
    """
    parts = halves(measures[0].one.outcomes, seed)
    found: list[list[Judged]] = [[] for _ in measures]
    searched = np.zeros(len(measures), np.int64)
    for half, (find, judge) in enumerate((parts, parts[::-1])):
        watched = Progress(partial(_share, progress, half), progress.cancel)
        own = on_rows(measures, find)
        scan = _Scan(half, own, _some(columns, find), least / 2)
        by_metric, looked_at = scan.chosen(max_columns, watched)
        searched = np.maximum(searched, looked_at)
        there = _some(columns, judge)
        tried = [
            [
                _judged(one, measure, there)
                for one in own
                if mask_of(one.levels, columns).sum() >= least
            ]
            for measure, own in zip(on_rows(measures, judge), by_metric, strict=True)
        ]
        adjusted = iter(holm([one.against.p_value for own in tried for one in own]))
        for own_tried, into in zip(tried, found, strict=True):
            into += [replace(one, p_adjusted=min(2 * next(adjusted), 1.0)) for one in own_tried]
    return [
        Found(_merged(own, columns), int(count)) for own, count in zip(found, searched, strict=True)
    ]


def _judged(one: Judged, measure: Measure, columns: Sequence[Column]) -> Judged:
    return replace(one, against=against(*measure.parts(mask_of(one.levels, columns))))


def _merged(judged: Sequence[Judged], columns: Sequence[Column]) -> tuple[Judged, ...]:
    """Return slices without those that the other half has found as well, or nearly so."""
    kept: list[tuple[Judged, Mask]] = []
    for one in sorted(judged, key=lambda one: (np.isnan(one.p_adjusted), one.p_adjusted)):
        mask = mask_of(one.levels, columns)
        near = next((k for k, (_, own) in enumerate(kept) if overlap(mask, own) > _NEAR), None)
        if near is None:
            kept.append((one, mask))
        elif one.levels != kept[near][0].levels:
            first, own = kept[near]
            kept[near] = (_with_same(first, own, one.levels, mask), own)
    return tuple(one for one, _ in kept)


def overlap(first: Mask, second: Mask) -> float:
    """Return the rows in both over the rows in either. Source: Jaccard (1912)."""
    return float(np.sum(first & second) / max(int(np.sum(first | second)), 1))


def _share(progress: Progress, half: int, share: float) -> None:
    progress.report((half + share) / 2)


def _some(columns: Sequence[Column], rows: Places) -> list[Column]:
    return [replace(column, codes=column.codes[rows]) for column in columns]


def mask_of(levels: Levels, columns: Sequence[Column]) -> Mask:
    """Return (n,) whether each row is in a slice."""
    masks = [columns[one.column].mask(one.level) for one in levels]
    return np.asarray(np.logical_and.reduce(masks))


def rule_of(levels: Levels, columns: Sequence[Column]) -> Rule:
    """Return the rule of a slice."""
    return tuple(columns[one.column].condition(one.level) for one in levels)


class _Candidates(NamedTuple):
    """Slices of one table that look weak: their places, and by how many standard errors."""

    table: tuple[int, ...]
    places: NDArray[np.intp]
    weak: Floats
    looked_at: int


@dataclass(frozen=True, eq=False)
class _Scan:
    """The half of the rows that slices are found on."""

    half: int
    measures: Sequence[Measure]
    columns: Sequence[Column]
    least: float

    def chosen(
        self, max_columns: int, progress: Progress
    ) -> tuple[list[list[Judged]], NDArray[np.int64]]:
        """Return the slices of each metric that are to be judged, and how many were looked at."""
        count = len(self.columns)
        tables = [t for size in range(1, max_columns + 1) for t in combinations(range(count), size)]
        seen: list[list[_Candidates]] = [[] for _ in self.measures]
        for found in in_order(self.weak, tables, [len(table) for table in tables], progress):
            for own, into in zip(found, seen, strict=True):
                into.append(own)
        chosen = [
            self._chosen(measure, own) for measure, own in zip(self.measures, seen, strict=True)
        ]
        return chosen, np.array([sum(one.looked_at for one in own) for own in seen])

    def weak(self, table: tuple[int, ...]) -> list[_Candidates]:
        """Return the weak slices of one column, or of two crossed, by each metric."""
        columns = [self.columns[place] for place in table]
        codes = columns[0].codes if len(columns) == 1 else crossed(columns[0], columns[1])
        size = int(np.prod([len(column.parts) for column in columns]))
        sums: dict[int, Floats] = {}
        found = []
        for measure in self.measures:
            known = id(measure.coarse)
            if known not in sums:
                sums[known] = measure.coarse.sums(codes, size)
            found.append(self._weak(measure, sums[known], table))
        return found

    def _weak(self, measure: Measure, sums: Floats, table: tuple[int, ...]) -> _Candidates:
        members = [self.columns[place].members for place in table]
        total = sums.sum(axis=0)
        sums = members[0] @ sums.reshape(members[0].shape[1], -1)
        if len(members) > 1:
            sums = members[1] @ sums.reshape(len(sums), members[1].shape[1], -1)
        sums = sums.reshape(-1, len(total))
        weak, looked_at = self._by(measure, sums, total)
        places = np.flatnonzero(weak > _WEAK)
        places = places[np.argsort(-weak[places], kind="stable")[:_KEPT]]
        return _Candidates(table, places, weak[places], looked_at)

    def _by(self, measure: Measure, sums: Floats, total: Floats) -> tuple[Floats, int]:
        """Return by how many standard errors slices are worse; -inf for those too small to tell."""
        gap, error, rests_on = measure.gaps(sums, total)
        rows = measure.rows(sums)
        fewer = np.minimum(rows, measure.rows(total) - rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            weak = measure.sign * gap / error
        known = (fewer >= self.least) & (rests_on >= FEWEST) & np.isfinite(weak)
        return np.where(known, weak, -np.inf), int(known.sum())

    def _chosen(self, measure: Measure, seen: Sequence[_Candidates]) -> list[Judged]:
        """Return the weakest slices, without those that better ones account for."""
        kept: list[tuple[Judged, Mask]] = []
        taken = np.zeros(measure.one.outcomes.n, np.bool_)
        for levels in self._ranked(seen):
            mask = mask_of(levels, self.columns)
            if self._stands_alone(measure, mask, taken):
                kept.append((Judged(levels, self.half), mask))
                taken |= mask
            else:
                kept = [(_with_same(one, own, levels, mask), own) for one, own in kept]
            if len(kept) == MOST_JUDGED:
                break
        return [one for one, _ in kept]

    def _ranked(self, seen: Sequence[_Candidates]) -> list[Levels]:
        """Return slices in the order of their p values times how many of as many columns there are.

        So a rule of two columns has to be better than one of one by as much as there are more.
        """
        from scipy.special import log_ndtr

        looked_at = Counter[int]()
        for one in seen:
            looked_at[len(one.table)] += one.looked_at
        ranked = []
        for one in seen:
            worth = log_ndtr(-one.weak) + np.log(max(looked_at[len(one.table)], 1))
            ranked += [
                (w, one.table, p) for w, p in zip(worth.tolist(), one.places.tolist(), strict=True)
            ]
        ranked.sort()
        return [self._levels(table, place) for _, table, place in ranked[:_KEPT]]

    def _levels(self, table: tuple[int, ...], place: int) -> Levels:
        sizes = [len(self.columns[column].spans) for column in table]
        levels = np.unravel_index(place, sizes)
        return tuple(Level(c, int(level)) for c, level in zip(table, levels, strict=True))

    def _stands_alone(self, measure: Measure, mask: Mask, taken: Mask) -> bool:
        """Whether what is left of a slice without those that are taken is weak, too."""
        left = mask & ~taken
        if 2 * left.sum() < mask.sum():
            return False
        rest, own, _ = measure.coarse.sums(np.where(taken, 2, left), 3)
        weak, _ = self._by(measure, own[None], own + rest)
        return bool(weak[0] > _WEAK)


def _with_same(one: Judged, mask: Mask, levels: Levels, other: Mask) -> Judged:
    near = overlap(mask, other) >= _SAME and levels not in one.same
    return replace(one, same=(*one.same, levels)) if near else one
