"""Results, computed once per data set and settings and shared by all pages.

Most are about a data set, or about a question of it: one class set against the others.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from typing import Any

import numpy as np
import streamlit as st

from evalcore.clustering.distance import Distance, fitting
from evalcore.clustering.points import Silhouette
from evalcore.metrics.metric import Estimate, Metric
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Measurable, Outcomes
from evalcore.results import ClusteringEvaluation, DecisionRule, Decisions, Estimates, ModelTables
from evalcore.tables.residuals import Ranks
from evalcore.work import Progress
from evalread.dataset import Dataset
from evalview.explorer import band
from pages.session import cache
from pages.session.cache import BUDGET, LOOK_SECONDS, BoundedCache, cached, part_of

Key = tuple[str, ...]
Work = Callable[[Progress], Any]

LIMIT_BYTES = 500_000_000
LIMIT_COUNT = 50
IDLE_SECONDS = 24 * 3600


@dataclass
class RequestProgress:
    """How far a request is.

    Attributes:
        share: What is done, in [0, 1].
        started: When the work began, in seconds; None while others are measured first.
        cancel: Set to stop it.
    """

    share: float = 0.0
    started: float | None = None
    cancel: Event = field(default_factory=Event)

    def seconds_left(self, now: float) -> float | None:
        """Return how long it will take yet; None before that can be told."""
        if self.started is None or self.share < 0.02:
            return None
        return (now - self.started) * (1 - self.share) / self.share

    def begin(self) -> None:
        """Note that its turn has come."""
        self.started = time.monotonic()

    def reach(self, share: float) -> None:
        """Note how much is done."""
        self.share = share


class Requests:
    """Requests by the data that they are about and by who asks; results by the data alone.

    A thread of its own does the work, so no page waits; only one works at a time, so that pages
    stay quick. Stopping forgets the request and leaves results alone. Safe to share. What is
    computed is a silhouette of every point, or the weakest slices.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._turn = Lock()
        self._running: dict[tuple[str, Key], RequestProgress] = {}
        self._found: BoundedCache[tuple[Any, Any]] = BoundedCache(
            limit_bytes=LIMIT_BYTES,
            limit_count=LIMIT_COUNT,
            idle_seconds=IDLE_SECONDS,
            budget=BUDGET,
        )

    def found(self, key: Key) -> Any:
        """Return the result; None where there is none (yet). Raises what the work has raised."""
        made, begun = self._found.get(key) or (None, None)
        if begun and made is not None:  # where it began: it would grow with each reader who is told
            raise made.with_traceback(begun)
        return made

    def forget(self, digest: str) -> None:
        """Drop every result about a data set, and about its parts."""
        self._found.remove(lambda key: isinstance(key, tuple) and cache.is_of(digest, key[0]))

    def progress(self, who: str, key: Key) -> RequestProgress | None:
        """Return how far a request is; None where none is being worked on."""
        with self._lock:
            return self._running.get((who, key))

    def begin(self, who: str, key: Key, work: Work) -> None:
        """Begin to measure, unless that has begun."""
        with self._lock:
            if (who, key) in self._running:
                return
            told = self._running[who, key] = RequestProgress()
        Thread(target=self._run, args=(who, key, work, told), daemon=True).start()

    def wait(self, who: str, key: Key, seconds: float) -> Any:
        """Return the result, waited for at most so long; None where there is none by then."""
        end = time.monotonic() + seconds
        while self.progress(who, key) is not None and time.monotonic() < end:
            cache.let_through()
            time.sleep(LOOK_SECONDS)
        return self.found(key)

    def stop(self, who: str, key: Key | None = None) -> None:
        """Stop a request of someone, or all of them."""
        with self._lock:
            for asked in [a for a in self._running if a[0] == who and key in (None, a[1])]:
                self._running.pop(asked).cancel.set()

    def _run(self, who: str, key: Key, work: Work, told: RequestProgress) -> None:
        progress = Progress(told.reach, told.cancel)
        try:
            with self._turn:
                progress.check()
                if self._found.get(key) is None:
                    told.begin()
                    made = work(progress)
                    self._found.put(key, (made, None), cache.size_of(made))
        except Exception as problem:  # noqa: BLE001 (raised to whoever asks for the result)
            if not told.cancel.is_set():  # else it was stopped, and all stays as it was
                told_of = problem, problem.__traceback__
                self._found.put(key, told_of, cache.size_of(problem))
        finally:
            with self._lock:
                if self._running.get((who, key)) is told:
                    del self._running[who, key]


def exact_key(dataset: Dataset, name: str, distance: Distance, *, scaled: bool) -> Key:
    """Return what a result is about: points, a distance, and whether features are standardised."""
    return (dataset.digest, name, repr(distance), str(scaled))


@st.cache_resource(show_spinner=False)
def requests() -> Requests:
    """Return the requests of all users."""
    return Requests()


OTHERS, ELSE = "other", "something else"


@dataclass(frozen=True, eq=False)
class Question:
    """A yes-or-no question and how its models answer.

    Attributes:
        digest: Names data and question, for caches.
        classes: The negative class and the positive one.
        tables: The count tables of each model that gives scores.
    """

    digest: str
    classes: tuple[str, str]
    tables: Mapping[str, ModelTables]


def question_of(dataset: Dataset, label: str | None = None) -> Question:
    """Return the question of a data set; among several classes that of the class `label`."""
    every = tables(dataset)
    if label is None:
        negative, positive = dataset.classes
        scored = {name: found for name, found in every.items() if found.scores is not None}
        return Question(dataset.digest, (negative, positive), scored)
    classes = (ELSE if label == OTHERS else OTHERS, label)
    return Question(part_of(dataset.digest, label), classes, _against_rest(every, label, classes))


def scored_classes(dataset: Dataset) -> tuple[str, ...]:
    """Return the classes to which some model gives a probability."""
    every = tables(dataset)
    return tuple(name for name in dataset.classes if _against_rest(every, name, (OTHERS, name)))


def _against_rest(
    every: Mapping[str, ModelTables], label: str, classes: tuple[str, str]
) -> Mapping[str, ModelTables]:
    """Return the tables of a class against all others, by model; none where it has no score."""
    found = {}
    for name, whole in every.items():
        if whole.class_scores is None:
            continue
        table = whole.class_scores.one_vs_rest[whole.class_scores.classes.index(label)]
        if table is not None:
            rows = None if whole.rows is None else against_rest(whole.rows, label, classes)
            found[name] = ModelTables(
                n=whole.n, classes=classes, scores=table, probability=True, rows=rows
            )
    return found


def against_rest(rows: Outcomes, label: str, classes: tuple[str, str]) -> BinaryOutcomes | None:
    """Return rows that depend on each other as answers about one class."""
    if not isinstance(rows, ClassOutcomes):
        return None
    return replace(rows.against_rest(("", label)), classes=classes)


def of_classes(dataset: Dataset, model: str) -> BinaryOutcomes | ClassOutcomes:
    """Return what a model says of each row; it must be a class."""
    told = dataset.models[model]
    assert isinstance(told, BinaryOutcomes | ClassOutcomes)
    return told


def outcomes_of(dataset: Dataset, question: Question, model: str) -> BinaryOutcomes:
    """Return what a model says of the question, row by row; it must be among its models."""
    return of_classes(dataset, model).against_rest(question.classes)


@cached(entries=24)
def tables(dataset: Dataset) -> Mapping[str, ModelTables]:
    """Return the count tables of every model."""
    from evalcore.evaluation import condense

    return condense.condense(dataset)


def _tables_of(data: Dataset | Question, model: str) -> ModelTables:
    return (data.tables if isinstance(data, Question) else tables(data))[model]


def decisions(data: Dataset | Question, model: str, at: float) -> Mapping[DecisionRule, Decisions]:
    """Return what follows from each way of deciding: "labels", "threshold", "argmax"."""
    fixed = _fixed_decisions(data, model)
    if _tables_of(data, model).scores is None:
        return fixed
    return {**fixed, "threshold": decisions_at(data, model, at)}


def ways(data: Dataset | Question, model: str) -> list[DecisionRule]:
    """Return the ways in which a model can decide, the usual one first."""
    found = _tables_of(data, model)
    able: Mapping[DecisionRule, object] = {
        "labels": found.labels,
        "argmax": found.argmax,
        "threshold": found.scores,
    }
    return [way for way in able if able[way] is not None]


@cached(entries=200)
def _fixed_decisions(data: Dataset | Question, model: str) -> Mapping[DecisionRule, Decisions]:
    """Return those that no threshold changes, so that a slider need not wait for them."""
    from evalcore.evaluate import decide

    return decide(replace(_tables_of(data, model), scores=None), Options())


@cached(entries=400)
def decisions_at(data: Dataset | Question, model: str, threshold: float) -> Decisions:
    """Return what follows from a threshold."""
    from evalcore.evaluate import decide

    scored = replace(_tables_of(data, model), labels=None, argmax=None)
    return decide(scored, Options(threshold=threshold))["threshold"]


@cached(entries=200)
def effective_share(question: Question, model: str) -> float:
    """Return how many independent rows each row tells as much as: one over the design effect."""
    from evalcore.evaluation.drawn import share_that_tells

    return share_that_tells(question.tables[model].rows)


@cached(entries=200)
def roc_band(question: Question, model: str) -> band.RocBand:
    """Return the band of a ROC curve."""
    found = question.tables[model]
    assert found.scores is not None
    rng, share = np.random.default_rng(Options().seed), effective_share(question, model)
    return band.roc_band(found.scores, rng, share=share)


@cached(entries=200)
def ranking(data: Dataset | Question, model: str) -> Estimates:
    """Return the metrics of how well the scores order the rows."""
    from evalcore.evaluation import estimates

    return estimates.rank(_tables_of(data, model), Options())


@cached(entries=200)
def class_ranking(dataset: Dataset, model: str) -> Mapping[str, Estimates]:
    """Return, for each of several classes, how well its probability sets it apart."""
    from evalcore.evaluation import estimates

    return estimates.rank_classes(tables(dataset)[model], Options())


@cached(entries=200)
def probability(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of how true the probabilities are."""
    from evalcore.evaluation import estimates

    return estimates.judge_probabilities(tables(dataset)[model], Options())


@cached(entries=2000)
def plainly(dataset: Dataset, model: str, way: str, threshold: float) -> Estimates:
    """Return every number of a model without its interval, of decisions those made in one way."""
    from evalcore.evaluate import without_intervals

    made = without_intervals(tables(dataset)[model], Options(threshold=threshold))
    groups = (made.get(name, {}) for name in (way, "ranking", "probability", "values", "items"))
    return {key: found for group in groups for key, found in group.items()}


@cached(entries=200)
def values(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of predicted numbers but for those by rank; nothing for other models."""
    from evalcore.metrics.catalog import VALUES

    return _of_numbers(dataset, model, [metric for metric in VALUES if metric.needs is not Ranks])


@cached(entries=200)
def items(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of right and wrong answers; nothing for other models."""
    from evalcore.evaluation.estimates import estimate_items
    from evalcore.metrics.metric import Sample

    found = tables(dataset)[model].items
    return {} if found is None else estimate_items(found, Sample(Options.level))


@cached(entries=200)
def items_by_group(dataset: Dataset, model: str) -> Mapping[str, Estimate]:
    """Return the accuracy of a model in each group of items."""
    from evalcore.evaluation.estimates import estimate_items
    from evalcore.metrics.metric import Sample

    found = tables(dataset)[model].groups
    return {n: estimate_items(part, Sample(Options.level))["accuracy"] for n, part in found.items()}


@cached(entries=200)
def rank_correlations(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of predicted numbers that take all rows in order: slow for many rows."""
    from evalcore.metrics.catalog import VALUES

    return _of_numbers(dataset, model, [metric for metric in VALUES if metric.needs is Ranks])


def _of_numbers(dataset: Dataset, model: str, metrics: list[Metric]) -> Estimates:
    from evalcore.evaluation.estimates import estimate_values

    numbers = tables(dataset)[model].numbers
    return {} if numbers is None else estimate_values(numbers, Options(), metrics)


def clustering(dataset: Dataset, name: str) -> ClusteringEvaluation:
    """Return every number of a clustering, of all points once all have been measured."""
    found = dataset.clusterings[name]
    if isinstance(found, Measurable):
        key = exact_key(dataset, name, fitting(found, None), scaled=False)
        if (measured := requests().found(key)) is not None:
            return _measured(dataset, name, measured)
    return _clustering(dataset, name)


@cached(entries=100)
def _clustering(dataset: Dataset, name: str) -> ClusteringEvaluation:
    from evalcore.evaluation.clusterings import evaluate_clustering

    return evaluate_clustering(dataset, name, Options())


@cached(entries=100)
def _measured(dataset: Dataset, name: str, measured: Silhouette) -> ClusteringEvaluation:
    from evalcore.evaluation.clusterings import with_silhouette

    return with_silhouette(dataset, name, _clustering(dataset, name), measured, Options())
