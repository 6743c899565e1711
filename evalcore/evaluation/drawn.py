"""Values of a metric over resamples of the rows of a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from evalcore.evaluation.condense import decide, errors_of
from evalcore.intervals.delong import Areas, Groups, delong_areas
from evalcore.intervals.ranking import RankingBins
from evalcore.intervals.resamples import DRAWN_AREAS, Resamples
from evalcore.metrics.metric import MeanLoss, Metric
from evalcore.metrics.ranking import each
from evalcore.metrics.regression import tau_a, tau_b
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    CorrectOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
)
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable

MOST_ORDERED = 2000
"""With more rows, ordering every resample again would take minutes."""

ORDERED: Mapping[str, Callable[[Resamples, Floats, Floats], Floats]] = MappingProxyType(
    {
        "spearman": Resamples.rank_correlations,
        "kendall_tau_a": lambda drawn, x, y: np.asarray(tau_a(drawn.pairs(x, y))),
        "kendall_tau_b": lambda drawn, x, y: np.asarray(tau_b(drawn.pairs(x, y))),
        "medae": lambda drawn, x, y: drawn.medians(np.abs(y - x)),
    }
)
"""Metrics of the order of rows, over resamples, by key."""


def groups_of(rows: Outcomes) -> Groups | None:
    """Return the groups in which rows depend on each other; None where they do not."""
    return None if rows.unit is None else Groups.of(rows.unit, rows.weight)


def groups_drawn(rows: Outcomes, options: Options) -> Resamples:
    """Return draws of these groups, the same wherever they are asked for."""
    assert rows.unit is not None
    rng = np.random.default_rng(options.seed)
    return Resamples.of_clusters(rows.unit, rows.weight, rng, options.resamples)


def losses_of_scores(metric: Metric, rows: BinaryOutcomes) -> Floats | None:
    """Return (n,) loss of each row, where the metric is their mean."""
    if not isinstance(metric.interval, MeanLoss):
        return None
    assert rows.score is not None
    of_positive, of_negative = metric.interval.losses(rows.score)
    return np.where(rows.truth == 1, of_positive, of_negative)


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """Running counts over B resamples in bins of scores, and those of the rows themselves."""

    table: ScoreTable
    drawn: ScoreTable
    observed: ScoreTable

    @classmethod
    def of(cls, rows: BinaryOutcomes, table: ScoreTable, resamples: Resamples) -> Self:
        """Count the rows of a table in bins."""
        assert rows.score is not None
        edges = table.threshold[RankingBins.of(table).last]
        size = len(edges)
        cell = np.searchsorted(-edges, -rows.score) + size * rows.truth.astype(np.intp)
        counts = resamples.counts(cell, 2 * size).reshape(-1, 2, size).cumsum(axis=2)
        steps = np.bincount(cell, rows.weight, 2 * size).reshape(2, size).cumsum(axis=1)
        drawn = ScoreTable(edges, counts[:, 1], counts[:, 0])
        return cls(table, drawn, ScoreTable(edges, steps[1], steps[0]))

    def over(self, metric: Metric) -> Floats:
        """Return (B,) values of a metric; bins lose little, and they are moved by what."""
        moved = float(metric(self.table)) - float(metric(self.observed))
        if metric.key in DRAWN_AREAS:
            tp, fp = (np.asarray(c, np.float64) for c in (self.drawn.tp, self.drawn.fp))
            return DRAWN_AREAS[metric.key](tp, fp) + moved
        over_draws = metric if metric.interval.takes_draws else each(metric)
        return np.asarray(over_draws(self.drawn)) + moved


def over_losses(losses: Floats, resamples: Resamples) -> Floats:
    """Return (B,) means of (n,) losses."""
    return resamples.sums(lambda part: losses[part][np.newaxis])[:, 0] / resamples.n


def can_draw_numbers(metric: Metric, n: int) -> bool:
    """Whether the metric is made of sums, or of the order of few rows, which is made fast."""
    return metric.needs is ResidualMoments or (metric.key in ORDERED and n <= MOST_ORDERED)


def over_numbers(
    metric: Metric, models: Sequence[NumericOutcomes], resamples: Resamples
) -> list[Floats]:
    """Return (B,) values of a metric of numbers, summed or ordered, of models on the same rows."""
    ordered, first = ORDERED.get(metric.key), models[0]
    if ordered is not None:
        return [ordered(resamples, one.truth, one.prediction) for one in models]
    said = [one.prediction for one in models]
    moments: Sequence[Any] = resamples.moments(first.truth, said, first.weight)
    return [np.asarray(metric(one)) for one in moments]


def over_items(items: CorrectOutcomes, resamples: Resamples) -> Floats:
    """Return (B,) shares of items that are right: all tries of one come with it."""
    return over_losses(items.share, resamples)


def areas_of(rows: BinaryOutcomes) -> Areas:
    """Return the area under the ROC curve with its variance by groups."""
    assert rows.score is not None
    weight = None if rows.weight is None else _scaled(rows)
    return delong_areas(rows.truth, [rows.score], weight, rows.unit)


def _scaled(rows: Outcomes) -> Floats:
    """Return (n,) weights; unless they count rows, these tell as much as there are of them."""
    assert rows.weight is not None
    return rows.weight if rows.counted else rows.weight * (rows.n / rows.total)


def share_that_tells(rows: Outcomes | None) -> float:
    """Return how many independent rows each row tells as much as: one over the design effect.

    Judged by the area under the ROC curve, else by the mean of what is right or of the size of
    errors; 1 where rows do not depend on each other, or nothing varies.
    """
    if rows is None or rows.unit is None:
        return 1.0
    if isinstance(rows, BinaryOutcomes) and rows.score is not None:
        areas = areas_of(rows)
        alone, grouped = (a.pair(0, 0).variance_first for a in (areas.independent, areas))
    else:
        count, loss = np.ones(rows.n) if rows.weight is None else _scaled(rows), _losses(rows)
        loss = loss - np.average(loss, weights=count)
        alone, moved = float(count @ loss**2), np.bincount(rows.unit, count * loss)
        grouped = float(moved @ moved)
    return float(alone / grouped) if alone > 0 and grouped > 0 else 1.0


def _losses(rows: Outcomes) -> Floats:
    if not isinstance(rows, BinaryOutcomes | ClassOutcomes):
        return errors_of(rows)
    return errors_of(rows, decide(rows, "argmax" if rows.label is None else "labels"))
