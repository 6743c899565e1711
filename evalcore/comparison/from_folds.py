"""Evidence from scores of folds, or of data sets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

import numpy as np

from evalcore.comparison.evidence import Evidence, Tables
from evalcore.comparison.five_by_two import FiveByTwo
from evalcore.comparison.folds import FoldDifferences, corrected_interval
from evalcore.comparison.many import Blocks, RankGap
from evalcore.comparison.metrics import Compared, compared
from evalcore.comparison.spec import Design, Situation
from evalcore.errors import EvalError, Notice
from evalcore.fold_scores import FoldScores
from evalcore.metrics.spec import Better, Estimate
from evalcore.outcomes import Floats
from evalcore.resampling.interval import Interval

FEWEST = 3
"""With fewer folds or data sets, nothing is said for sure."""

_LISTED = 5
"""A notice names at most so many missing folds."""


@dataclass(frozen=True, eq=False)
class Shared:
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

    def blocks(self, better: Better) -> Blocks:
        """Return the scores for tests by ranks, higher being better."""
        return Blocks(-self.values.T if better is Better.LOWER else self.values.T)


def from_folds(scores: FoldScores, *, level: float = 0.95, rope: float = 0.01) -> Evidence:
    """Return what the scores of folds or data sets say about the models.

    Raises:
        EvalError: There are fewer than two models, or no fold has a score of all of them.
    """
    if len(scores.models) < 2:
        raise EvalError("one-model", "Comparing takes two models; here is one.")
    metric, shared = compared(scores.metric), shared_folds(scores)
    blocks = shared.blocks(metric.better) if shared.design is Design.DATASETS else None
    k, pairs = shared.values.shape[1], zip(scores.models, shared.values, strict=True)
    means = {n: _estimate(metric, _interval(shared, v, level), float(v.mean())) for n, v in pairs}
    unit: Literal["folds", "data sets"] = "data sets" if blocks else "folds"

    def pair(first: int, second: int) -> Tables:
        tables = dict(shared.between(first, second, rope))
        if blocks is not None:
            tables[RankGap] = blocks.gap(first, second)
        return tables

    def gap(tables: Tables) -> Interval:
        return _interval(shared, tables[FoldDifferences].values, level)

    return Evidence(
        situation=_situation(scores, shared, metric),
        metric_name=metric.name,
        better=metric.better,
        n=k,
        unit=unit,
        models=MappingProxyType(means),
        pair=pair,
        gap=gap,
        size=lambda _: None,
        primary=("nemenyi", "wilcoxon") if blocks else ("corrected_resampled_t",),
        overall=MappingProxyType({Blocks: blocks} if blocks else {}),
        doubt=f"{k} {unit} are too few" if k < FEWEST else "",
        mean_ranks=tuple(blocks.mean_ranks.tolist()) if blocks else (),
        notices=(*metric.notices, *_remarks(scores, shared)),
    )


def shared_folds(scores: FoldScores) -> Shared:
    """Return the scores of the folds that all models have; means over folds of each data set."""
    complete = np.isfinite(scores.score).all(axis=0)
    if not complete.any():
        raise EvalError("no-shared-fold", "No fold has a score of every model.")
    values = scores.score[:, complete]
    names = [
        name for name, kept in zip(scores.names, np.asarray(complete).tolist(), strict=True) if kept
    ]
    datasets, repeats = ({name[place] for name in names} for place in (0, 1))
    if len(datasets) > 1:
        owners = [name[0] for name in names]
        labels = tuple(np.unique(owners).tolist())
        return Shared(_means(values, owners), Design.DATASETS, labels=labels)
    order = sorted(range(len(names)), key=lambda place: names[place][1:])
    folds = round(len(names) / len(repeats))
    return Shared(
        values[:, order],
        Design.REPEATED_FOLDS if len(repeats) > 1 else Design.FOLDS,
        len(repeats),
        folds,
        _test_over_train(scores),
        tuple("·".join(filter(None, names[place])) for place in order),
    )


def _test_over_train(scores: FoldScores) -> float:
    """Return test rows over training rows; where sizes are not known, as in k-fold splits."""
    if scores.n_train is not None and scores.n_test is not None:
        return float(scores.n_test.sum() / scores.n_train.sum())
    folds = round(len(scores.fold) / len({name[:2] for name in scores.names}))
    return 1 / (folds - 1) if folds > 1 else np.nan


def _means(values: Floats, datasets: list[str]) -> Floats:
    _, place = np.unique(datasets, return_inverse=True)
    sums = np.stack([np.bincount(place, row) for row in values])
    means: Floats = sums / np.bincount(place)
    return means


def _interval(shared: Shared, values: Floats, level: float) -> Interval:
    interval = corrected_interval(FoldDifferences(values, shared.test_over_train), level)
    name = "t" if shared.design is Design.DATASETS else "corrected-t"
    return replace(interval, method=name)


def _estimate(metric: Compared, interval: Interval, value: float) -> Estimate:
    low, high = (float(np.clip(end, *metric.range)) for end in (interval.low, interval.high))
    if np.isnan(low) or np.isnan(high):
        return Estimate(value)
    return Estimate(value, low, high, interval.method, interval.level)


def _situation(scores: FoldScores, shared: Shared, metric: Compared) -> Situation:
    return Situation(
        shared.design,
        metric.key,
        len(scores.models),
        has_rows=False,
        repeats=shared.repeats,
        folds=shared.folds,
        datasets=len({name[0] for name in scores.names}),
    )


def _remarks(scores: FoldScores, shared: Shared) -> Iterator[Notice]:
    kept = int((~np.isnan(scores.score).any(axis=0)).sum())
    for name, own in zip(scores.models, scores.score, strict=True):
        missing = [scores.names[place] for place in np.flatnonzero(np.isnan(own))]
        if missing:
            yield Notice(
                "missing-fold",
                f'"{name}" has no score for {_listed(missing)}; the models are compared on the '
                f"{kept} of {len(scores.fold)} folds that all of them have.",
                "warning",
            )
    if shared.design is not Design.DATASETS and scores.n_train is None:
        yield Notice(
            "fold-sizes",
            "The sizes of the folds are not known; they are taken to be those of k-fold splits.",
        )


def _listed(names: list[tuple[str, str, str]]) -> str:
    said = [
        ", ".join(f"{word} {part}" for word, part in zip(_WORDS, name, strict=True) if part)
        for name in names[:_LISTED]
    ]
    left = len(names) - len(said)
    return "; ".join(said) + (f" and {left} more" if left else "")


_WORDS = ("data set", "repeat", "fold")
