"""Evidence from scores of folds, or of data sets."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import floor, isfinite, log10
from types import MappingProxyType
from typing import Literal

import numpy as np

from evalcore.comparison import folds
from evalcore.comparison.folds import Blocks, FiveByTwo, FoldDifferences, RankGap
from evalcore.comparison.power import normal_deviations
from evalcore.comparison.results import Evidence, Tables, best_first, runs_of
from evalcore.comparison.spec import Design, Situation
from evalcore.errors import EvalError, Notice
from evalcore.intervals.closed import Interval
from evalcore.metrics.catalog import METRICS
from evalcore.metrics.metric import Better, Estimate, Metric
from evalcore.outcomes import Floats
from evalcore.predictions import FoldScores

USUAL = 0.01
"""For shares, areas and correlations: a hundredth of their range, which few decisions turn on."""


@dataclass(frozen=True)
class Compared:
    """What is known, or assumed, of a metric; of one not in the catalogue the key is its name."""

    key: str
    name: str
    better: Better
    range: tuple[float, float]
    notices: tuple[Notice, ...] = ()


def compared(name: str) -> Compared:
    """Return what is known about scores of this name; of an unknown one, high is taken as good.

    >>> compared("AUC").key, compared("rmse").better.value, compared("my_score").key
    ('roc_auc', 'lower', 'my_score')
    """
    metric = _by_name().get(_plain(name))
    if metric is not None:
        return Compared(metric.key, metric.name, metric.better, (metric.low, metric.high))
    if _plain(name) in _ERRORS:
        return Compared(name, name, Better.LOWER, (-float("inf"), float("inf")))
    notice = Notice(
        "unknown-metric",
        f'"{name}" is not a known metric: higher is assumed to be better.',
        "warning",
    )
    return Compared(name, name, Better.HIGHER, (-float("inf"), float("inf")), (notice,))


def default_rope(bounds: tuple[float, float], values: Iterable[float]) -> float:
    """Return 0.01 for a metric that has a largest value, else a hundredth of the largest one here.

    Rounded to one digit, in the unit of the metric.

    >>> default_rope((0, 1), [0.8]), default_rope((0, float("inf")), [54.3, 61.2])
    (0.01, 0.6)
    """
    high = bounds[1]
    largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if isfinite(high) or not largest:
        return USUAL
    hundredth = largest / 100
    return round(hundredth, -floor(log10(hundredth)))


_ERRORS = frozenset({"error", "loss", "cost", "risk"})


def _plain(name: str) -> str:
    return "".join(part for part in name.casefold() if part.isalnum())


@cache
def _by_name() -> dict[str, Metric]:
    """Return metrics by key, name and synonym; where two share a name, the first in the list."""
    named: dict[str, Metric] = {}
    for name_of in (lambda m: (m.key, m.name), lambda m: m.synonyms):
        for metric in METRICS:
            for name in name_of(metric):
                named.setdefault(_plain(name), metric)
    return named


FEWEST = 3
"""With two folds or data sets one degree of freedom is left, and intervals reach everywhere."""

_LISTED = 5
"""A notice names at most so many missing folds: more are no longer read one by one."""


@dataclass(frozen=True, eq=False)
class SharedFolds:
    """The scores that all models have: (M, k), with how the folds came about.

    `test_over_train` is NaN where nothing tells how large folds are; `labels` name the k columns.
    """

    values: Floats
    design: Design
    repeats: int = 1
    folds: int = 1
    test_over_train: float = 0.0
    labels: tuple[str, ...] = ()

    def between(self, first: int, second: int, rope: float = 0.0) -> Tables:
        """Return what tests of two models need."""
        gaps = self.values[second] - self.values[first]
        tables: dict[type, object] = {
            FoldDifferences: FoldDifferences(gaps, self.test_over_train, rope)
        }
        if (self.repeats, self.folds, len(gaps)) == (5, 2, 10):
            tables[FiveByTwo] = FiveByTwo(gaps.reshape(5, 2))
        return MappingProxyType(tables)

    @property
    def unit(self) -> Literal["data sets", "folds"]:
        """What the k columns are."""
        return "data sets" if self.design is Design.DATASETS else "folds"

    def mean_interval(self, values: Floats, level: float) -> Interval:
        """Return the interval of the mean of (k,) scores or differences of them."""
        interval = folds.corrected_interval(FoldDifferences(values, self.test_over_train), level)
        name = "t" if self.design is Design.DATASETS else "corrected-t"
        return replace(interval, method=name)

    def deviations(self, places: Sequence[int]) -> Floats | None:
        """Return (B, M) deviations of the mean scores, from the covariance over folds."""
        k = self.values.shape[1]
        covariance = np.cov(self.values[list(places)]) * (1 / k + self.test_over_train)
        return normal_deviations(covariance)

    def blocks(self, better: Better) -> Blocks:
        """Return the scores for tests by ranks, higher being better."""
        return Blocks(-self.values.T if better is Better.LOWER else self.values.T)


def from_folds(scores: FoldScores, *, level: float = 0.95, rope: float = 0.01) -> Evidence:
    """Return what the scores of folds or data sets say about the models.

    Raises:
        EvalError: There are fewer than two models, or no fold has a score of all of them.
    """
    if len(scores.models) < 2:
        raise EvalError("one-model", "A comparison needs two models; here there is one.")
    metric, shared = compared(scores.metric), shared_folds(scores)
    blocks = shared.blocks(metric.better) if shared.design is Design.DATASETS else None
    k, unit = shared.values.shape[1], shared.unit

    def pair(first: int, second: int) -> Tables:
        tables = shared.between(first, second, rope)
        return tables if blocks is None else {**tables, RankGap: blocks.gap(first, second)}

    return Evidence(
        situation=Situation(
            shared.design,
            metric.key,
            len(scores.models),
            has_rows=False,
            repeats=shared.repeats,
            folds=shared.folds,
            datasets=len({name[0] for name in scores.names}),
        ),
        metric_name=metric.name,
        better=metric.better,
        n=k,
        unit=unit,
        models=MappingProxyType(
            {
                name: _estimate(metric, shared.mean_interval(own, level), float(own.mean()))
                for name, own in zip(scores.models, shared.values, strict=True)
            }
        ),
        pair=pair,
        primary=("nemenyi", "wilcoxon") if blocks else ("corrected_resampled_t",),
        level=level,
        rope=rope,
        intervals=MappingProxyType(
            {FoldDifferences: lambda table, level: shared.mean_interval(table.values, level)}
        ),
        sizes=MappingProxyType({}),
        overall=MappingProxyType({Blocks: blocks} if blocks else {}),
        doubt=f"{k} {unit} are too few" if k < FEWEST else "",
        deviations=shared.deviations,
        mean_ranks=tuple(blocks.mean_ranks.tolist()) if blocks else (),
        notices=(*metric.notices, *_remarks(scores, shared)),
    )


def shared_folds(scores: FoldScores) -> SharedFolds:
    """Return the scores of the folds that all models have; means over folds of each data set."""
    complete = np.isfinite(scores.score).all(axis=0)
    if not complete.any():
        raise EvalError("no-shared-fold", "No fold has a score of every model.")
    values = scores.score[:, complete]
    names = [scores.names[place] for place in np.flatnonzero(complete)]
    datasets, repeats = ({name[place] for name in names} for place in (0, 1))
    if len(datasets) > 1:
        owners = [name[0] for name in names]
        labels, place = np.unique(owners, return_inverse=True)
        sums = np.stack([np.bincount(place, row) for row in values])
        means = sums / np.bincount(place)
        return SharedFolds(means, Design.DATASETS, labels=tuple(labels.tolist()))
    order = sorted(range(len(names)), key=lambda place: names[place][1:])
    return SharedFolds(
        values[:, order],
        Design.REPEATED_FOLDS if len(repeats) > 1 else Design.FOLDS,
        len(repeats),
        round(len(names) / len(repeats)),
        _test_over_train(scores),
        tuple("·".join(filter(None, names[place])) for place in order),
    )


def _test_over_train(scores: FoldScores) -> float:
    """Return test rows over training rows; where sizes are not known, as in k-fold splits."""
    if scores.n_train is not None and scores.n_test is not None:
        return float(scores.n_test.sum() / scores.n_train.sum())
    k = round(len(scores.fold) / len({name[:2] for name in scores.names}))
    return 1 / (k - 1) if k > 1 else np.nan


def _estimate(metric: Compared, interval: Interval, value: float) -> Estimate:
    low, high = (np.clip(end, *metric.range) for end in (interval.low, interval.high))
    return Estimate.of(value, replace(interval, low=low, high=high))


def _remarks(scores: FoldScores, shared: SharedFolds) -> Iterator[Notice]:
    kept = int((~np.isnan(scores.score).any(axis=0)).sum())
    for name, own in zip(scores.models, scores.score, strict=True):
        missing = [scores.names[place] for place in np.flatnonzero(np.isnan(own))]
        if missing:
            yield Notice(
                "missing-fold",
                f'"{name}" has no score for {_listed(missing)}; the models are compared on the '
                f"{kept} of {len(scores.fold)} folds that all have.",
                "warning",
            )
    if shared.design is not Design.DATASETS and scores.n_train is None:
        yield Notice(
            "fold-sizes",
            "The sizes of the folds are not known; those of k-fold splits are assumed.",
        )


def _listed(names: list[tuple[str, str, str]]) -> str:
    listed = [
        ", ".join(f"{word} {part}" for word, part in zip(_WORDS, name, strict=True) if part)
        for name in names[:_LISTED]
    ]
    left = len(names) - len(listed)
    return "; ".join(listed) + (f" and {left} more" if left else "")


_WORDS = ("data set", "repeat", "fold")


@dataclass(frozen=True)
class Ranked:
    """Mean ranks of M models, the best first.

    Attributes:
        mean_ranks: Mean rank of each, 1 being the best.
        critical_difference: How far apart two must be for Nemenyi's test to tell them apart.
        groups: Runs of two models or more that lie nearer to each other.
        places: Of each data set or fold, by its name, the rank of each model in that order.
        unit: Which of them; folds share training rows, so that the test is too sure of itself.
    """

    order: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[float, ...]]
    unit: Literal["data sets", "folds"]

    @property
    def n(self) -> int:
        """Number of data sets or folds."""
        return len(self.places)


def ranked(scores: FoldScores, level: float = 0.95) -> Ranked:
    """Rank models on each data set, or each fold of a single one, and take the means.

    Source: Demšar (2006), Journal of Machine Learning Research 7.

    Raises:
        EvalError: No fold has a score of every model.
    """
    shared = shared_folds(scores)
    blocks = shared.blocks(compared(scores.metric).better)
    means = blocks.mean_ranks
    order = best_first(means.tolist(), Better.LOWER)
    ranks = tuple(float(means[place]) for place in order)
    places = dict(zip(shared.labels, map(tuple, blocks.ranks[:, order].tolist()), strict=True))
    distance = folds.critical_difference(len(ranks), len(places), level)
    names = tuple(scores.models[place] for place in order)
    return Ranked(
        names,
        ranks,
        distance,
        runs_of(names, lambda one, other: ranks[other] - ranks[one] < distance),
        {label: places[label] for label in sorted(places, key=_in_numbers)},
        shared.unit,
    )


def _in_numbers(label: str) -> list[str | int]:
    """Return a key that puts fold 2 before fold 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", label)]
