"""A data set with dates, by day, week or month: the metric, what is true, and what is predicted."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date as day_of
from itertools import pairwise
from typing import Any

import numpy as np

from evalcore import outcomes as data
from evalcore.comparison.candidates import entered
from evalcore.errors import EvalError, Notice
from evalcore.intervals.closed import Interval, mean_interval, wilson
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate, Metric, estimate, one_by_one
from evalcore.monitoring.boundaries import asymptotic, beta_mixture
from evalcore.monitoring.results import Change, Days, OverTime, Periods, Track, periods
from evalcore.monitoring.streams import FEWEST, Moments, Signal, Stream, moments_of, stream_of
from evalcore.monitoring.watching import Plan, watch
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, Outcomes, Places
from evalcore.predictions import Dates, Predictions
from evalcore.slices.measures import Measure, measure
from evalcore.slices.slicing import usual_metric
from evalcore.text import counted, listed, shorten

REFERENCE_ROWS = 500
"""Rows that a reference has at least, where nobody says which periods are the reference."""


@dataclass(frozen=True)
class Asked:
    """What is to be followed over time.

    Attributes:
        every: "day", "week" or "month".
        metric: Key of the metric; None for accuracy, recall of rare positives, or the mean
            absolute error.
        model: Its name; None for the one that leads.
        reference: The value to hold the metric against; None for that of the first periods.
        first: How many periods are the reference; None for as many as have `REFERENCE_ROWS` rows,
            and at most half of them.
        plan: Of the looks.
    """

    every: str = "week"
    metric: str | None = None
    model: str | None = None
    reference: float | None = None
    first: int | None = None
    plan: Plan = field(default_factory=Plan)

    def __post_init__(self) -> None:
        if self.reference is not None and self.first is not None:
            raise EvalError("usage", "The reference is a value or the first periods, not both.")
        if self.reference is not None and not np.isfinite(self.reference):
            raise EvalError("bad-reference", "The reference must be a finite number.")
        if self.first is not None and self.first < 1:
            raise EvalError("bad-reference", "The reference needs at least one period.")


def over_time(dataset: Predictions, date: str | None, asked: Asked, options: Options) -> OverTime:
    """Return how a model does from period to period, and whether that has changed.

    Rows are taken as independent from one period to the next; groups of rows are kept together
    within a period.

    Args:
        dataset: What is looked at.
        date: The column of dates; None for the one that is chosen, or the only one there is.
        asked: What is to be followed.
        options: Level and threshold.

    Raises:
        EvalError: "no-date", "not-dates": no column of dates is there, or it holds other things.
            "one-period", "short-reference", "bad-reference", "no-such-model", "not-monitored".
    """
    dates = dataset.dates(date)
    when: Days = dates.values
    made, why = _measure(dataset, asked, options)
    own = made.one.outcomes
    whole = periods(when if own.rows is None else when[own.rows - 1], asked.every)
    there = np.flatnonzero(whole.codes >= 0)
    made = made if len(there) == own.n else measure(made.one.on(there), options)
    codes, size = whole.codes[there], len(whole.start)
    stream = stream_of(made, codes, size)
    rows = _counted(codes, getattr(made.terms, "weight", None), size)
    first = _first(asked, rows)
    followed = _Followed(made, stream, codes, size, options.level)
    reference, signals, plan = _held_against(followed, asked, first)
    watched = watch([None] * first + signals, plan)
    about = (*_about_dates(whole, dates), *_about_looks(made, codes, watched.looks, plan))
    return OverTime(
        model=made.one.name,
        date=dates.column,
        every=whole.every,
        start=tuple(whole.start.astype(str).tolist()),
        rows=_counted(codes, made.one.outcomes.weight, size),
        metric=followed.track(),
        others=_others(made.one.outcomes, codes, size, options.level),
        reference=reference,
        first=first,
        plan=plan,
        looks=watched.looks,
        up=watched.up,
        down=watched.down,
        change=followed.changed(watched.since, watched.at, watched.upward),
        notices=(*why, *about),
    )


def _measure(
    dataset: Predictions, asked: Asked, options: Options
) -> tuple[Measure, tuple[Notice, ...]]:
    """Return the model by its metric, and why that model.

    Raises:
        EvalError: "no-such-model", or "not-monitored".
    """
    if not dataset.models:
        raise EvalError("not-monitored", "Over time needs rows of predictions with a truth.")
    from evalcore.compare import to_judge

    if asked.model and asked.model not in dataset.models:
        raise EvalError(
            "no-such-model",
            f'There is no model "{shorten(asked.model)}", but {listed([*dataset.models])}.',
        )
    metric = find(asked.metric or usual_metric(dataset))
    try:
        able = entered(dataset.models, metric, options)
        name, why = to_judge(dataset, asked.model, able or dataset.models)
        found = measure(able[name], options) if name in able else None
    except EvalError as problem:
        if problem.code not in ("not-sliceable", "not-comparable"):
            raise
        raise EvalError(
            "not-monitored",
            f"{metric.name} cannot be followed over time. Metrics that can: accuracy, recall, "
            "precision, f1 and others of decisions, roc_auc, brier, log_loss, mae, rmse.",
        ) from None
    if found is None:
        raise EvalError(
            "not-monitored", f'"{shorten(name)}" does not give what {metric.name} needs.'
        )
    return found, why


def _first(asked: Asked, rows: Floats) -> int:
    """Return how many of (K,) periods are the reference, by their rows; 0 where it is stated."""
    size = len(rows)
    if asked.reference is not None:
        return 0
    if asked.first is not None:
        if asked.first >= size:
            raise EvalError(
                "short-reference",
                f"There are {size} periods: a reference of the first {asked.first} leaves none to "
                "look at.",
            )
        return asked.first
    enough = int(np.searchsorted(np.cumsum(rows), REFERENCE_ROWS)) + 1
    return max(1, min(enough, size // 2))


@dataclass(frozen=True, eq=False)
class _Followed:
    """A metric with its sums by period."""

    made: Measure
    stream: Stream
    codes: Codes
    size: int
    level: float

    @property
    def metric(self) -> Metric:
        return self.made.one.metric

    def track(self) -> Track:
        """Return the metric of each period, and of all up to it."""
        each = tuple(self._each())
        return Track(self.metric.key, each, running(self.stream, self.level, self.metric))

    def _each(self) -> Iterator[Estimate]:
        if self.made.one.outcomes.unit is not None:
            yield from map(self._grouped, self.stream.sums)
            return
        order = np.argsort(self.codes, kind="stable")
        ends = np.searchsorted(self.codes[order], np.arange(self.size + 1))
        for first, last in pairwise(ends.tolist()):
            yield self._of_rows(order[first:last])

    def _of_rows(self, rows: Places) -> Estimate:
        """Return the metric on some rows, none of which depend on others."""
        terms = self.made.terms.some(rows)
        return self.made.part(terms.sums(np.zeros(len(rows), np.int8), 1)[0]).estimate

    def _grouped(self, sums: Floats) -> Estimate:
        """Return the metric with Student's interval by groups, drawn whole."""
        state = self.stream.state(sums)
        return _of_state(self.metric, state, self.level)

    def between(self, first: int, last: int) -> Estimate:
        """Return the metric in some periods, the last one included."""
        sums = self.stream.sums[first : last + 1].sum(axis=0)
        if self.made.one.outcomes.unit is not None:
            return self._grouped(sums)
        return self._of_rows(np.flatnonzero((self.codes >= first) & (self.codes <= last)))

    def changed(self, since: int | None, at: int | None, upward: bool) -> Change | None:
        """Return the change that is flagged."""
        if since is None or at is None:
            return None
        rows = _counted(self.codes, self.made.one.outcomes.weight, self.size)[since : at + 1].sum()
        sign = self.made.sign
        worse = None if not sign else (sign > 0) == upward
        return Change(since, at, upward, worse, float(rows), self.between(since, at))


def _held_against(
    followed: _Followed, asked: Asked, first: int
) -> tuple[Estimate, list[Signal | None], Plan]:
    """Return the reference, how far each look lies from it, and the plan with its change."""
    metric, stated = followed.metric, asked.reference
    if stated is not None and not metric.low <= stated <= metric.high:
        raise EvalError(
            "bad-reference", f"{metric.name} lies between {metric.low:g} and {metric.high:g}."
        )
    reference = Estimate(stated) if stated is not None else followed.between(0, first - 1)
    if not reference.defined:
        raise EvalError(
            "short-reference",
            f"{metric.name} has no value in the reference: {reference.why}. Use more periods for "
            "it, or give a value.",
        )
    change = asked.plan.change
    if change is None:
        change = 0.05 if metric.high - metric.low <= 2 else abs(reference.value) / 10 or 1.0
    plan = replace(asked.plan, change=change)
    # A rise and a fall are equally far: the shift that is looked for has no sign.
    signals = followed.stream.signals(first, change, stated)
    if not any(signals):
        raise EvalError(
            "short-reference",
            f"There are too few rows to compare any period with the reference: it needs {FEWEST} "
            "rows that vary. Use more periods for the reference, or give a value.",
        )
    return reference, signals, plan


def running(stream: Stream, level: float, metric: Metric | None = None) -> tuple[Estimate, ...]:
    """Return a number over all rows up to each period, with a confidence sequence."""
    sums = np.cumsum(stream.sums, axis=0)
    if isinstance(stream, Moments) and stream.share:
        rows, right = sums[:, 1], sums[:, 2] + stream.centre * sums[:, 1]
        low, high = beta_mixture(right, rows, level)
        ends = zip(right, rows, low, high, strict=True)
        return tuple(
            Estimate(float(k / n), float(a), float(b), "beta-mixture", level)
            if n > 0
            else Estimate(np.nan, why=NO_ROWS)
            for k, n, a, b in ends
        )
    return tuple(_in_sequence(stream, own, level, metric) for own in sums)


NO_ROWS = "there are no rows"


def _in_sequence(stream: Stream, sums: Floats, level: float, metric: Metric | None) -> Estimate:
    state = stream.state(sums)
    known = state.units >= FEWEST and state.error > 0
    return _with(asymptotic(*state, level) if known else None, state.value, metric)


def _with(ends: Interval | None, value: float, metric: Metric | None) -> Estimate:
    """Return the value of a metric, or of none that has a range, with its interval."""
    if not np.isfinite(value):
        return Estimate(np.nan, why=NO_ROWS if metric is None else metric.undefined_when)
    if metric is not None:
        return estimate(metric, value, ends)
    return Estimate(value) if ends is None else Estimate.of(value, ends)


def _of_state(metric: Metric | None, state: Any, level: float) -> Estimate:
    """Return a number with Student's interval, by its standard error."""
    ends = None
    if state.units > 1 and state.error > 0:
        deviation = state.error * np.sqrt(state.units)
        ends = mean_interval(state.value, deviation, state.units, level)
    return _with(ends, state.value, metric)


def _others(rows: Outcomes, codes: Codes, size: int, level: float) -> tuple[Track, ...]:
    """Return the share of positives and the mean score, or the means of truth and prediction."""
    found: dict[str, Floats] = {}
    match rows:
        case data.BinaryOutcomes():
            found["prevalence"] = rows.truth.astype(np.float64)
            if rows.score is not None:
                found["score"] = rows.score
        case data.ClassOutcomes(probabilities=chances) if chances is not None:
            found["score"] = np.nanmax(chances, axis=1)
        case data.NumericOutcomes():
            found = {"truth": rows.truth, "prediction": rows.prediction}
    return tuple(
        _mean(key, moments_of(values, rows.weight, rows.unit, codes, size), level)
        for key, values in found.items()
    )


def _mean(key: str, stream: Moments, level: float) -> Track:
    each = [_of_state(None, stream.state(own), level) for own in stream.sums]
    if stream.share:
        n, k = stream.sums[:, 1], stream.sums[:, 2]
        ends = one_by_one(wilson(k, np.maximum(n, 1), level))
        each = [
            Estimate.of(one.value, own) if one.defined else one
            for one, own in zip(each, ends, strict=True)
        ]
    return Track(key, tuple(each), running(stream, level))


def _counted(codes: Codes, weight: Floats | None, size: int) -> Floats:
    return np.bincount(codes, weight, size).astype(np.float64)


def _about_dates(whole: Periods, dates: Dates) -> Iterator[Notice]:
    """Tell of rows without a date or of days to come, and whose days they are."""
    if whole.undated:
        verb = "is" if whole.undated == 1 else "are"
        said = f"{counted(whole.undated, 'row')} without a date {verb} left out."
        yield Notice("no-date", said, "warning", column=dates.column)
    today = np.datetime64(day_of.today(), "D")
    later = int(np.sum(dates.values.astype("datetime64[D]") > today))
    if later:
        verb = "has" if later == 1 else "have"
        said = f"{counted(later, 'row')} {verb} a date after today ({today}): are they right?"
        yield Notice("future-dates", said, "warning", column=dates.column)
    if dates.zoned:
        said = "Times have a time zone: days begin at midnight UTC."
        yield Notice("utc-days", said, column=dates.column)


def _about_looks(made: Measure, codes: Codes, looks: int, plan: Plan) -> Iterator[Notice]:
    """Tell of groups that go on from period to period, and of a plan that is used up."""
    unit = made.one.outcomes.unit
    if unit is not None:
        pairs = np.unique(np.stack([unit, codes]), axis=1)[0]
        several = int(np.sum(np.bincount(pairs) > 1))
        if several:
            said = (
                f"{counted(several, 'group')} of rows occur in several periods, which are judged "
                "as if independent: false alarms may be more frequent than stated."
            )
            yield Notice("groups-over-time", said, "warning")
    if looks > plan.looks:
        said = (
            f"There were {looks:,} looks, and {plan.looks:,} are planned: later ones flag nothing. "
            "Plan as many looks as there will be."
        )
        yield Notice("plan-used-up", said, "warning")
