"""A model and a metric as sums over the rows of a slice, which are those of its parts added up.

Decisions are counted by the cell of the confusion matrix, ranked scores by class and place, and
losses are summed with their squares. The rest of the rows is all of them less the slice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from evalcore.comparison.candidate import MOST_CLASSES, Candidate
from evalcore.errors import EvalError
from evalcore.evaluation.decisions import in_closed_form
from evalcore.inputs import are_counts
from evalcore.intervals.closed import Interval, mean_interval, normal_quantile, t_quantile, wilson
from evalcore.intervals.delong import area_interval, delong_variance, hanley_variance
from evalcore.intervals.resamples import Plan, draw_shares, percentiles
from evalcore.metrics.metric import Better, Estimate, PercentileBootstrap, Wilson, estimate
from evalcore.metrics.multiclass import of_matrix
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, Codes, CorrectOutcomes, Floats, Places
from evalcore.slices.columns import Mask
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.scores import ScoreTable
from evalcore.text import counted

FINE, COARSE = 1 << 17, 64
"""Places of a ranking: with so many an area is exact on as many rows; few find weak slices."""


_MOST_SUMS = 1 << 22
"""Sums that are held at once, 32 MB; of more, a slice is counted after the other."""


class Terms:
    """What each of n rows adds to the sums of a slice; shared by the metrics made of it."""

    width: int

    def sums(self, codes: Codes, size: int) -> Floats:
        """Return (size, width) sums over the rows of each of (n,) codes."""
        raise NotImplementedError

    def some(self, rows: Places) -> Self:
        """Return the terms of some rows."""
        arrays = {n: a[rows] for n, a in vars(self).items() if isinstance(a, np.ndarray)}
        return replace(self, **arrays)  # type: ignore[type-var]


@dataclass(frozen=True, eq=False)
class Cells(Terms):
    """Counts: `cell` is (n,) codes below `width`, and a row counts `weight` times."""

    cell: Codes
    width: int
    weight: Floats | None = None

    def sums(self, codes: Codes, size: int) -> Floats:
        """Count the rows of each code in each cell."""
        places = codes.astype(np.intp)
        places *= self.width
        places += self.cell
        counts = np.bincount(places, self.weight, size * self.width)
        return counts.reshape(size, self.width).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Losses(Terms):
    """Rows, their losses less a `centre`, and the squares of these."""

    loss: Floats
    centre: float
    weight: Floats | None = None
    width: int = 3

    def sums(self, codes: Codes, size: int) -> Floats:
        """Add up the rows of each code."""
        parts = (self.weight, *self.weighed)
        sums = [np.bincount(codes, part, size) for part in parts]
        return np.stack(sums, axis=1).astype(np.float64)

    @cached_property
    def weighed(self) -> tuple[Floats, Floats]:
        """The losses and their squares, as often as their rows count."""
        loss = self.loss - self.centre
        once = loss if self.weight is None else loss * self.weight
        return once, once * loss


class Part(NamedTuple):
    """A metric on some rows.

    `error` is its standard error and `freedom` the degrees of freedom of that; of a share of rows
    `trials` are the rows that count for it and those of which it is the share.
    """

    estimate: Estimate
    error: float
    freedom: float = np.inf
    trials: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Measure:
    """A model and the metric that it is sliced by."""

    one: Candidate
    options: Options
    terms: Terms
    coarse: Terms
    of_cells = False
    """Whether it is made of counts that can be drawn again."""

    @property
    def sign(self) -> int:
        """1 where higher is worse, -1 where lower is; 0 where the metric has no direction."""
        return {Better.LOWER: 1, Better.HIGHER: -1, Better.NEITHER: 0}[self.one.metric.better]

    def gaps(self, sums: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how far (..., width) coarse sums lie from the rest, standard errors, and rows.

        The rows are those that the value rests on, in the slice or the rest, whichever has fewer.
        Only for finding slices: the errors are those of equal values.
        """
        rest = total - sums
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = np.asarray(self.values(sums)) - np.asarray(self.values(rest))
            error = np.sqrt(self.variances(sums, rest))
        return gap, error, np.minimum(self.rests_on(sums), self.rests_on(rest))

    def values(self, sums: Floats) -> Floats:
        """Return the metric of (..., width) sums."""
        raise NotImplementedError

    def variances(self, sums: Floats, rest: Floats) -> Floats:
        """Return the variance of the difference of a slice from the rest, were both alike."""
        raise NotImplementedError

    def rows(self, sums: Floats) -> Floats:
        """Return the rows that sums are of."""
        return np.asarray(sums.sum(axis=-1))

    def rests_on(self, sums: Floats) -> Floats:
        """Return the rows that the metric rests on."""
        return self.rows(sums)

    def part(self, sums: Floats) -> Part:
        """Return the metric with its interval of the (width,) sums of a slice."""
        raise NotImplementedError

    def on(self, rows: Places) -> Self:
        """Return the same on some of the rows."""
        terms = self.terms.some(rows)
        coarse = terms if self.coarse is self.terms else self.coarse.some(rows)
        return replace(self, one=self.one.on(rows), terms=terms, coarse=coarse)

    def whole(self) -> Part:
        """Return the metric on all rows."""
        if self.one.outcomes.unit is not None:
            return self._drawn(np.arange(self.one.outcomes.n))
        return self.part(self.terms.sums(np.zeros(self.one.outcomes.n, np.int8), 1)[0])

    def parts(self, mask: Mask) -> tuple[Part, Part]:
        """Return the metric in a slice, and in the rest of the rows."""
        if self.one.outcomes.unit is not None:
            return self._drawn(np.flatnonzero(mask)), self._drawn(np.flatnonzero(~mask))
        rest, inside = self.terms.sums(mask.astype(np.int8), 2)
        return self.part(inside), self.part(rest)

    def each(self, codes: Codes, size: int) -> Iterator[tuple[Part, Part]]:
        """Yield the metric in the rows of each code, and in all others."""
        if self.one.outcomes.unit is not None or size * self.terms.width > _MOST_SUMS:
            yield from (self.parts(codes == code) for code in range(size))
            return
        sums = self.terms.sums(codes, size)
        total = sums.sum(axis=0)
        yield from ((self.part(own), self.part(total - own)) for own in sums)

    def _drawn(self, places: Any) -> Part:
        """Return the metric on some rows, whose groups are drawn whole."""
        if not len(places):
            return Part(Estimate(np.nan, why="there are no rows"), np.nan)
        units = len(np.unique(self.one.outcomes.unit[places]))
        made = self.one.on(places).evaluated(self.options) if units > 1 else None
        if made is None:
            return Part(Estimate(np.nan, why="all rows belong to one group"), np.nan)
        return Part(made, _error_of(made, t_quantile(self.options.level, units - 1)), units - 1)


def _error_of(made: Estimate, reach: float) -> float:
    """Return the standard error that an interval of this reach tells of."""
    return np.nan if made.low is None or made.high is None else (made.high - made.low) / (2 * reach)


class _OfCounts(Measure):
    """Any metric of the confusion matrix."""

    of_cells = True

    @property
    def classes(self) -> tuple[str, ...]:
        found: tuple[str, ...] = getattr(self.one.outcomes, "classes", ("wrong", "right"))
        return found

    def matrix(self, sums: Floats) -> ConfusionMatrix:
        size = len(self.classes)
        return ConfusionMatrix(self.classes, sums.reshape(*sums.shape[:-1], size, size))

    def values(self, sums: Floats) -> Floats:
        flat = sums.reshape(-1, sums.shape[-1])
        return np.reshape(of_matrix(self.one.metric, self.matrix(flat)), sums.shape[:-1])

    def variances(self, sums: Floats, rest: Floats) -> Floats:
        found = [np.sum(both * self._slopes(both + 0.5) ** 2, axis=-1) for both in (sums, rest)]
        return np.asarray(sum(found))

    def rests_on(self, sums: Floats) -> Floats:
        """Return of two classes the rows of the rarer one: neither may be all but missing."""
        classes = self.matrix(sums).counts.sum(axis=-1)
        return np.asarray(classes.min(axis=-1) if len(self.classes) == 2 else classes.sum(axis=-1))

    def _slopes(self, sums: Floats) -> Floats:
        """Return how much one more row in each cell moves the metric, cells being nowhere empty."""
        step = 1e-3
        moved = sums[..., None, :] + step * np.eye(sums.shape[-1])
        return np.asarray((self.values(moved) - self.values(sums)[..., None]) / step)

    def part(self, sums: Floats) -> Part:
        made = in_closed_form(self.matrix(sums), self.one.metric, self.options.level)
        if made is None:
            made = self._of_draws(sums)
        error = _error_of(made, normal_quantile(self.options.level))
        return Part(made, error)

    def _of_draws(self, sums: Floats) -> Estimate:
        """Return the metric with the interval that an evaluation makes of draws of the matrix."""
        metric, value = self.one.metric, self.values(sums[None])
        if not np.isfinite(value).all():
            return estimate(metric, float(value[0]))
        rng = np.random.default_rng(self.options.seed)
        draws = [
            self.values(np.asarray(drawn.counts.reshape(len(drawn.counts), -1), np.float64))
            for drawn in draw_shares(self.matrix(sums), rng, Plan(self.options.resamples))
        ]
        ends = percentiles(np.concatenate(draws)[:, None], self.options.level)
        found = PercentileBootstrap().of_percentiles(
            metric, value, ends._replace(method="jeffreys-draws")
        )
        return found[0]


class _OfShares(_OfCounts):
    """A share of rows: so many of so many."""

    def trials(self, sums: Floats) -> tuple[Floats, Floats]:
        """Return the rows that count, and those of which they are the share."""
        metric, two = self.one.metric, len(self.classes) == 2
        way: Any = metric.interval if two else metric.of_classes().interval
        matrix = self.matrix(sums.reshape(-1, sums.shape[-1]))
        counts = way.proportion(matrix.binary() if two else matrix.counts)
        return tuple(np.reshape(count, sums.shape[:-1]) for count in counts)  # type: ignore[return-value]

    def variances(self, sums: Floats, rest: Floats) -> Floats:
        (k, n), (j, m) = self.trials(sums), self.trials(rest)
        share = (k + j) / (n + m)
        return np.asarray(share * (1 - share) * (1 / n + 1 / m))

    def rests_on(self, sums: Floats) -> Floats:
        return self.trials(sums)[1]

    def part(self, sums: Floats) -> Part:
        k, n = (float(count) for count in self.trials(sums))
        return super().part(sums)._replace(trials=(k, n))


class _OfAreas(Measure):
    """The area under the ROC curve."""

    def values(self, sums: Floats) -> Floats:
        negative, positive = self._classes(sums)
        below = np.cumsum(negative, axis=-1) - negative / 2
        pairs = positive.sum(axis=-1) * negative.sum(axis=-1)
        return np.asarray((positive * below).sum(axis=-1) / np.where(pairs > 0, pairs, np.nan))

    def variances(self, sums: Floats, rest: Floats) -> Floats:
        area = self.values(sums + rest)
        found: Any = 0.0
        for part in (sums, rest):
            negative, positive = (rows.sum(axis=-1) for rows in self._classes(part))
            found = found + hanley_variance(area, (negative, positive))  # type: ignore[arg-type]
        return np.asarray(found)

    def rests_on(self, sums: Floats) -> Floats:
        negative, positive = (rows.sum(axis=-1) for rows in self._classes(sums))
        return np.asarray(np.minimum(negative, positive))

    @staticmethod
    def _classes(sums: Floats) -> tuple[Floats, Floats]:
        half = sums.shape[-1] // 2
        return np.asarray(sums[..., :half]), np.asarray(sums[..., half:])

    def part(self, sums: Floats) -> Part:
        negative, positive = (rows[::-1] for rows in self._classes(sums))
        there = np.flatnonzero(negative + positive)
        tp, fp = np.cumsum(positive[there]), np.cumsum(negative[there])
        table = ScoreTable(-there.astype(np.float64), tp, fp)
        metric = self.one.metric
        value = float(metric(table)) if len(there) else np.nan
        if np.isnan(value):
            return Part(estimate(metric, value), np.nan)
        ends = area_interval(table, self.options.level)
        made, error = estimate(metric, value, ends), float(np.sqrt(delong_variance(table)))
        if not error > 0:
            error = _error_of(made, normal_quantile(self.options.level))
        return Part(made, error)


class _OfMeans(Measure):
    """A mean of losses, or the root of one."""

    @property
    def centre(self) -> float:
        assert isinstance(self.terms, Losses)
        return self.terms.centre

    @property
    def root(self) -> bool:
        return self.one.metric.key == "rmse"

    def values(self, sums: Floats) -> Floats:
        n = np.where(sums[..., 0] > 0, sums[..., 0], np.nan)
        mean = sums[..., 1] / n + self.centre
        return np.sqrt(mean) if self.root else mean

    def variances(self, sums: Floats, rest: Floats) -> Floats:
        found = self._squares(sums) / sums[..., 0] + self._squares(rest) / rest[..., 0]
        if self.root:
            found = found / (4 * self.values(sums + rest) ** 2)
        return np.asarray(found)

    def rows(self, sums: Floats) -> Floats:
        return sums[..., 0]

    def _squares(self, sums: Floats) -> Floats:
        """Return the variance of the losses."""
        n, mean = sums[..., 0], sums[..., 1] / sums[..., 0]
        left = np.where(n > 1, n - 1, np.nan)
        return np.maximum(sums[..., 2] - n * mean**2, 0.0) / left

    def part(self, sums: Floats) -> Part:
        with np.errstate(divide="ignore", invalid="ignore"):
            value = float(self.values(sums))
            error = float(np.sqrt(self._squares(sums) / sums[0]))
        if self.root:
            error = error / (2 * value) if value > 0 else np.nan
        metric, n = self.one.metric, float(sums[0])
        if not value > 0 or not np.isfinite(error):
            return Part(estimate(metric, value), error, n - 1)
        # On the scale of logarithms a mean of losses above 0 is nearly normal.
        reach = np.exp(t_quantile(self.options.level, n - 1) * error / value)
        ends = Interval(value / reach, value * reach, "t-log", self.options.level)
        return Part(estimate(metric, value, ends), error, n - 1)


class _OfItems(_OfMeans):
    """The share of items that are right, each tried once or several times."""

    def part(self, sums: Floats) -> Part:
        n, right, level = float(sums[0]), float(sums[1]), self.options.level
        metric, once = self.one.metric, self.one.outcomes.tries is None
        if not n:
            return Part(estimate(metric, np.nan), np.nan)
        ends = wilson(right, n, level)
        error = float(np.sqrt(self._squares(sums) / n)) if n > 1 else np.nan
        if not once:
            ends = mean_interval(right / n, error * np.sqrt(n), n, level)
        return Part(estimate(metric, right / n, ends), error, n - 1, (right, n) if once else None)


def measure(one: Candidate, options: Options) -> Measure:
    """Return a model as it is sliced by its metric.

    Raises:
        EvalError: "not-sliceable": the metric is no sum over rows, or has too many classes.
    """
    rows, metric = one.outcomes, one.metric
    weight = rows.weight
    if weight is not None and not are_counts(weight):  # at whatever scale, they count n rows
        weight = weight * (rows.n / weight.sum())
    if metric.needs in (BinaryCounts, ConfusionMatrix):
        size = len(rows.classes)
        if size > MOST_CLASSES:
            raise EvalError("not-sliceable", f"Slices take {MOST_CLASSES} classes at most.")
        cell = rows.truth.astype(np.intp) * size + one.decision
        terms = Cells(cell.astype(np.int16), size**2, weight)
        kind = _OfShares if _is_share(one) else _OfCounts
        return kind(one, options, terms, terms)
    if metric.key == "roc_auc" and isinstance(rows, BinaryOutcomes):
        return _OfAreas(one, options, *_places(rows, weight))
    if isinstance(rows, CorrectOutcomes):
        items = Losses(rows.share, 0.0, weight)
        return _OfItems(one, options, items, items)
    if (loss := _losses(one)) is not None:
        losses = Losses(loss, float(loss.mean()) if len(loss) else 0.0, weight)
        return _OfMeans(one, options, losses, losses)
    raise EvalError(
        "not-sliceable",
        f"Slices cannot be told apart by {metric.key}. Metrics that can: accuracy, recall, "
        "precision, f1 and other metrics of decisions, roc_auc, brier, log_loss, mae, rmse.",
    )


_MOST_LOSS = 1e100
"""The square of a larger loss, added up over many rows, is no number any more."""


def _losses(one: Candidate) -> Floats | None:
    """Return the loss of each row; None where the metric has none.

    Raises:
        EvalError: "infinite-loss": a loss has no square that can be added up.
    """
    with np.errstate(over="ignore"):
        losses = one.losses
    if losses is not None and not (losses < _MOST_LOSS).all():
        raise EvalError(
            "infinite-loss",
            f"{one.metric.name} is infinite, or too large to add up, in "
            f"{counted(int(np.sum(~(losses < _MOST_LOSS))), 'row')}: take another metric, such "
            "as brier in place of log_loss, or mae.",
        )
    return losses


def _is_share(one: Candidate) -> bool:
    metric, many = one.metric, one.metric.over_classes
    if len(one.outcomes.classes) == 2 and metric.needs is BinaryCounts:
        return isinstance(metric.interval, Wilson)
    return many is not None and isinstance(many.interval, Wilson)


def _places(rows: BinaryOutcomes, weight: Floats | None) -> Iterator[Cells]:
    """Yield the class of each row and the place of its score, of very many and of few places."""
    assert rows.score is not None
    distinct, place, counts = np.unique(rows.score, return_inverse=True, return_counts=True)
    upto = np.cumsum(counts) - counts
    for most in (FINE, COARSE):
        size = min(len(distinct), most)
        own = place if size == len(distinct) else (upto * most // rows.n)[place]
        cell = own + size * rows.truth.astype(np.intp)
        yield Cells(cell.astype(np.int32), 2 * size, weight)
