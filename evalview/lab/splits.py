"""Ways of dividing rows into training and test rows, and the error on rows left out.

scikit-learn's splitters do the work where they exist.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.outcomes import Floats, ReadOnly

TEST, UNUSED = 0, -1
"""Roles besides training; a row trains as often as its role says, in a bootstrap more than once."""

MOST_CELLS = 100_000_000
"""Splits times rows; a table with more would not fit in memory."""

Roles = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Plan:
    """How to divide rows.

    Attributes:
        folds: Parts of a k-fold split.
        repeats: Times that the whole is done again.
        test_share: Share of the rows that test, in a hold-out.
        seed: Seed of every random choice.
    """

    folds: int = 10
    repeats: int = 1
    test_share: float = 0.25
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows to divide.

    Attributes:
        n: How many there are.
        stratum: (n,) codes of the class of each row, for stratified splits.
        group: (n,) codes of groups that must not be torn apart.
    """

    n: int
    stratum: NDArray[Any] | None = None
    group: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Splits(ReadOnly):
    """The roles of n rows in S splits.

    Attributes:
        kind: How the rows were divided, a key of `KINDS`.
        role: (S, n) how often a row trains, `TEST` where it tests, `UNUSED` where it does neither.
        repeat: (S,) the repeat that a split belongs to, from 0.
    """

    kind: str
    role: Roles
    repeat: NDArray[np.int64]

    @property
    def tested(self) -> NDArray[np.int64]:
        """(n,) in how many splits each row tests."""
        counts: NDArray[np.int64] = (self.role == TEST).sum(axis=0)
        return counts

    def train(self, split: int) -> NDArray[np.intp]:
        """Return the rows that train in a split, each as often as it does."""
        role = self.role[split]
        return np.repeat(np.arange(len(role)), np.maximum(role, 0))

    def test(self, split: int) -> NDArray[np.intp]:
        """Return the rows that test in a split."""
        return np.flatnonzero(self.role[split] == TEST)


def split(kind: str, rows: Rows, plan: Plan) -> Splits:
    """Divide rows in one of the ways of `KINDS`.

    Raises:
        EvalError: There is no such way, or the rows are too few or too many for it.

    >>> splits = split("k-fold", Rows(6), Plan(folds=3))
    >>> splits.role.shape, splits.tested.tolist()
    ((3, 6), [1, 1, 1, 1, 1, 1])
    """
    if kind not in KINDS:
        raise EvalError("no-such-split", f'There is no split "{kind}": {", ".join(KINDS)}.')
    _check(kind, rows, plan)
    runs = [
        (repeat, role) for repeat in range(plan.repeats) for role in _run(kind, rows, plan, repeat)
    ]
    repeat, role = zip(*runs, strict=True)
    return Splits(kind, np.stack(role), np.array(repeat))


def _run(kind: str, rows: Rows, plan: Plan, repeat: int) -> Iterator[Roles]:
    """Yield the roles of one repeat, whose seed is its own."""
    yield from KINDS[kind](rows, plan, np.random.default_rng([plan.seed, repeat]))


def _check(kind: str, rows: Rows, plan: Plan) -> None:
    splits = rows.n if kind == "leave-one-out" else plan.folds
    if rows.n < 2:
        raise EvalError("too-few-rows", "A split needs at least two rows.")
    if splits * plan.repeats * rows.n > MOST_CELLS:
        raise EvalError(
            "too-many-splits",
            f"{splits * plan.repeats:,} splits of {rows.n:,} rows are too many: choose fewer folds "
            "or repeats.",
        )
    needs = {"stratified": rows.stratum, "group": rows.group}
    for word, codes in needs.items():
        if word in kind and codes is None:
            what = "the class" if word == "stratified" else "the group"
            raise EvalError("no-strata", f"{kind} takes {what} of each row.")


def _of_sklearn(splitter: Any, rows: Rows, group: NDArray[Any] | None = None) -> Iterator[Roles]:
    blank = np.zeros(rows.n)
    stratum = blank if rows.stratum is None else rows.stratum
    try:
        for train, test in splitter.split(blank[:, np.newaxis], stratum, group):
            role = np.full(rows.n, UNUSED, dtype=np.int16)
            role[train], role[test] = 1, TEST
            yield role
    except ValueError as problem:
        raise EvalError("too-few-rows", f"The rows cannot be split this way: {problem}") from None


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def _hold_out(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    from sklearn.model_selection import ShuffleSplit

    yield from _of_sklearn(
        ShuffleSplit(1, test_size=plan.test_share, random_state=_seed(rng)), rows
    )


def _stratified_hold_out(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    from sklearn.model_selection import StratifiedShuffleSplit as Splitter

    yield from _of_sklearn(Splitter(1, test_size=plan.test_share, random_state=_seed(rng)), rows)


def _k_fold(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    from sklearn.model_selection import KFold

    yield from _of_sklearn(KFold(plan.folds, shuffle=True, random_state=_seed(rng)), rows)


def _stratified_k_fold(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(plan.folds, shuffle=True, random_state=_seed(rng))
    yield from _of_sklearn(splitter, rows)


def _group_k_fold(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    from sklearn.model_selection import GroupKFold

    splitter = GroupKFold(plan.folds, shuffle=True, random_state=_seed(rng))
    yield from _of_sklearn(splitter, rows, rows.group)


def _leave_one_out(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    for place in range(rows.n):
        role = np.ones(rows.n, dtype=np.int16)
        role[place] = TEST
        yield role


def _bootstrap(rows: Rows, plan: Plan, rng: np.random.Generator) -> Iterator[Roles]:
    """Train on n rows drawn with replacement; those that were not drawn test."""
    drawn = rng.integers(rows.n, size=rows.n)
    yield np.bincount(drawn, minlength=rows.n).astype(np.int16)


KINDS: Mapping[str, Callable[[Rows, Plan, np.random.Generator], Iterator[Roles]]] = (
    MappingProxyType(
        {
            "hold-out": _hold_out,
            "stratified hold-out": _stratified_hold_out,
            "k-fold": _k_fold,
            "stratified k-fold": _stratified_k_fold,
            "group k-fold": _group_k_fold,
            "leave-one-out": _leave_one_out,
            "bootstrap": _bootstrap,
        }
    )
)
"""Ways of dividing rows; a hold-out that is repeated is also called random subsampling."""


def left_out_error(splits: Splits, losses: Floats) -> float:
    """Return the mean loss of rows when left out, each row counting alike.

    Args:
        splits: Bootstrap splits of n rows.
        losses: (S, n) loss of each row by the model of each split; only those of rows left out
            count.

    Raises:
        EvalError: No row is ever left out.
    """
    out = splits.role == TEST
    times = out.sum(axis=0)
    if not times.any():
        raise EvalError("none-left-out", "No row was left out of any sample: draw more samples.")
    sums = np.where(out, losses, 0.0).sum(axis=0)
    return float((sums[times > 0] / times[times > 0]).mean())
