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
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.power import FEWEST
from evalcore.intervals.closed import holm
from evalcore.outcomes import Floats, Outcomes, Places
from evalcore.slices.columns import Column, Mask, Rule, crossed
from evalcore.slices.measures import Measure
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
    in both halves.
    """

    levels: Levels
    half: int
    against: Against = NOT_JUDGED
    p_adjusted: float = np.nan
    same: tuple[Levels, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a search gives: the slices judged, and how many were looked at."""

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
    measure: Measure,
    columns: Sequence[Column],
    *,
    max_columns: int = 2,
    least: float = 30,
    seed: int = 0,
    progress: Progress = NO_PROGRESS,
) -> Found:
    """Return the weak slices of a model by a metric.

    Each half is searched, and the other one judges what was found; Holm's method over the slices
    of a half, and twice that since there are two.

    Args:
        measure: The model with its metric.
        columns: The columns on the rows of the model.
        max_columns: 1, or 2 to look at crossings as well.
        least: Slices of fewer rows are not looked at.
        seed: Of the halves.
        progress: Who looks on.

    Raises:
        EvalError: "cancelled".
    """
    parts = halves(measure.one.outcomes, seed)
    found: list[Judged] = []
    searched = 0
    for half, (find, judge) in enumerate((parts, parts[::-1])):
        watched = Progress(partial(_share, progress, half), progress.cancel)
        scan = _Scan(half, measure.on(find), _some(columns, find), least / 2)
        chosen, looked_at = scan.chosen(max_columns, watched)
        searched = max(searched, looked_at)
        there, other = _some(columns, judge), measure.on(judge)
        tried = [
            replace(one, against=against(*other.parts(mask_of(one.levels, there))))
            for one in chosen
            if mask_of(one.levels, columns).sum() >= least
        ]
        adjusted = holm([one.against.p_value for one in tried])
        found += [
            replace(one, p_adjusted=min(2 * p, 1.0)) for one, p in zip(tried, adjusted, strict=True)
        ]
    return Found(_merged(found, columns), searched)


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
    measure: Measure
    columns: Sequence[Column]
    least: float

    def chosen(self, max_columns: int, progress: Progress) -> tuple[list[Judged], int]:
        """Return the slices that are to be judged, and how many were looked at."""
        count = len(self.columns)
        tables = [t for size in range(1, max_columns + 1) for t in combinations(range(count), size)]
        seen = [*in_order(self.weak, tables, [len(table) for table in tables], progress)]
        return self._chosen(seen), sum(one.looked_at for one in seen)

    def weak(self, table: tuple[int, ...]) -> _Candidates:
        """Return the weak slices of one column, or of two crossed."""
        columns = [self.columns[place] for place in table]
        codes = columns[0].codes if len(columns) == 1 else crossed(columns[0], columns[1])
        sums = self.measure.coarse.sums(codes, prod(len(column.parts) for column in columns))
        members = [column.members for column in columns]
        total = sums.sum(axis=0)
        sums = members[0] @ sums.reshape(members[0].shape[1], -1)
        if len(members) > 1:
            sums = members[1] @ sums.reshape(len(sums), members[1].shape[1], -1)
        sums = sums.reshape(-1, len(total))
        weak, looked_at = self._by(sums, total)
        places = np.flatnonzero(weak > _WEAK)
        places = places[np.argsort(-weak[places], kind="stable")[:_KEPT]]
        return _Candidates(table, places, weak[places], looked_at)

    def _by(self, sums: Floats, total: Floats) -> tuple[Floats, int]:
        """Return by how many standard errors slices are worse; -inf for those too small to tell."""
        measure = self.measure
        gap, error, rests_on = measure.gaps(sums, total)
        rows = measure.rows(sums)
        fewer = np.minimum(rows, measure.rows(total) - rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            weak = measure.sign * gap / error
        known = (fewer >= self.least) & (rests_on >= FEWEST) & np.isfinite(weak)
        return np.where(known, weak, -np.inf), int(known.sum())

    def _chosen(self, seen: Sequence[_Candidates]) -> list[Judged]:
        """Return the weakest slices, without those that better ones account for."""
        kept: list[tuple[Judged, Mask]] = []
        taken = np.zeros(self.measure.one.outcomes.n, np.bool_)
        for levels in self._ranked(seen):
            mask = mask_of(levels, self.columns)
            if self._stands_alone(mask, taken):
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

    def _stands_alone(self, mask: Mask, taken: Mask) -> bool:
        """Whether what is left of a slice without those that are taken is weak, too."""
        left = mask & ~taken
        if 2 * left.sum() < mask.sum():
            return False
        rest, own, _ = self.measure.coarse.sums(np.where(taken, 2, left), 3)
        weak, _ = self._by(own[None], own + rest)
        return bool(weak[0] > _WEAK)


def _with_same(one: Judged, mask: Mask, levels: Levels, other: Mask) -> Judged:
    near = overlap(mask, other) >= _SAME and levels not in one.same
    return replace(one, same=(*one.same, levels)) if near else one
