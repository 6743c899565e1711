"""Results, computed once per data set and settings and shared by all pages.

The data set's digest and the plain settings are the key. The data itself travels past the key
(leading underscore): hashing it would be slow, and of large arrays only a sample is hashed.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread

import numpy as np
import streamlit as st

from evalcore import evaluate
from evalcore.clustering.distance import Distance, fitting
from evalcore.clustering.silhouette import Silhouette
from evalcore.dataset import Dataset
from evalcore.errors import EvalError
from evalcore.evaluation import condense, scores
from evalcore.evaluation.clusterings import evaluate_clustering, with_silhouette
from evalcore.evaluation.values import estimate_values
from evalcore.intervals import ranking as ranking_intervals
from evalcore.intervals.ranking import RocBand
from evalcore.metrics.correlation import VALUES
from evalcore.options import Options
from evalcore.outcomes import Measurable
from evalcore.results import ClusteringEvaluation, Decisions, Estimates, ModelTables
from evalcore.tables.density import Cloud, Trend
from evalcore.tables.residuals import Ranks
from evalcore.tables.scores import ScoreTable
from evalcore.work import Watch
from pages.session.store import Shelf

Key = tuple[str, ...]
Work = Callable[[Watch], Silhouette]

LIMIT_BYTES = 500_000_000
LIMIT_COUNT = 50
IDLE_SECONDS = 24 * 3600


@dataclass
class Progress:
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
    stay quick. Stopping forgets the request and leaves results alone. Safe to share.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._turn = Lock()
        self._running: dict[tuple[str, Key], Progress] = {}
        self._found: Shelf[Silhouette] = Shelf(
            limit_bytes=LIMIT_BYTES, limit_count=LIMIT_COUNT, idle_seconds=IDLE_SECONDS
        )

    def found(self, key: Key) -> Silhouette | None:
        """Return the result; None where there is none (yet)."""
        return self._found.get(key)

    def progress(self, who: str, key: Key) -> Progress | None:
        """Return how far a request is; None where none is being worked on."""
        with self._lock:
            return self._running.get((who, key))

    def begin(self, who: str, key: Key, work: Work) -> None:
        """Begin to measure, unless that has begun."""
        with self._lock:
            if (who, key) in self._running:
                return
            told = self._running[who, key] = Progress()
        Thread(target=self._run, args=(who, key, work, told), daemon=True).start()

    def stop(self, who: str, key: Key | None = None) -> None:
        """Stop a request of someone, or all of them."""
        with self._lock:
            for asked in [a for a in self._running if a[0] == who and key in (None, a[1])]:
                self._running.pop(asked).cancel.set()

    def _run(self, who: str, key: Key, work: Work, told: Progress) -> None:
        watch = Watch(told.reach, told.cancel)
        try:
            with self._turn:
                watch.check()
                if self._found.get(key) is None:
                    told.begin()
                    made = work(watch)
                    self._found.put(key, made, made.values.nbytes + made.nearest.nbytes)
        except EvalError:
            return  # stopped: the estimate stands
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


DAY = 24 * 3600


def tables(dataset: Dataset) -> Mapping[str, ModelTables]:
    """Return the count tables of every model."""
    return _tables(dataset.digest, dataset)


def decisions(dataset: Dataset, model: str, threshold: float) -> Mapping[str, Decisions]:
    """Return what follows from each way of deciding: "labels", "threshold", "argmax"."""
    whole = tables(dataset)[model]
    fixed = _fixed_decisions(dataset.digest, model, whole)
    if whole.scores is None:
        return fixed
    return {**fixed, **_threshold_decisions(dataset.digest, model, threshold, whole)}


def decided(key: str, model: str, threshold: float, tables: ModelTables) -> Decisions:
    """Return what follows from a threshold; `key` names the data and the question."""
    return _threshold_decisions(key, model, threshold, tables)["threshold"]


def ranked(key: str, model: str, tables: ModelTables) -> Estimates:
    """Return how well scores order the rows; `key` names the data and the question."""
    return _ranking(key, model, tables)


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def roc_band(key: str, model: str, _table: ScoreTable) -> RocBand:
    """Return the band of a ROC curve; `key` names the data and the question."""
    return ranking_intervals.roc_band(_table, np.random.default_rng(Options().seed))


def ranking(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of how well the scores order the rows."""
    return _ranking(dataset.digest, model, tables(dataset)[model])


def class_ranking(dataset: Dataset, model: str) -> Mapping[str, Estimates]:
    """Return, for each of several classes, how well its probability sets it apart."""
    return _class_ranking(dataset.digest, model, tables(dataset)[model])


def probability(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of how true the probabilities are."""
    return _probability(dataset.digest, model, tables(dataset)[model])


def values(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of predicted numbers but for those by rank; nothing for other models."""
    return _values(dataset.digest, model, tables(dataset)[model])


def rank_correlations(dataset: Dataset, model: str) -> Estimates:
    """Return the metrics of predicted numbers that take all rows in order: slow for many rows."""
    return _rank_correlations(dataset.digest, model, tables(dataset)[model])


def against_truth(dataset: Dataset, model: str) -> Cloud:
    """Return predicted numbers beside the true ones."""
    return _against_truth(dataset.digest, model, tables(dataset)[model])


def residuals(dataset: Dataset, model: str) -> tuple[Cloud, Trend]:
    """Return predicted numbers beside their errors, and how these are spread."""
    return _residuals(dataset.digest, model, tables(dataset)[model])


def clustering(dataset: Dataset, name: str) -> ClusteringEvaluation:
    """Return every number of a clustering, of all points once all have been measured."""
    found = dataset.clusterings[name]
    if isinstance(found, Measurable):
        key = exact_key(dataset, name, fitting(found, None), scaled=False)
        if (measured := requests().found(key)) is not None:
            return _measured(dataset.digest, name, dataset, measured)
    return _clustering(dataset.digest, name, dataset)


def plainly(dataset: Dataset, model: str, way: str, threshold: float) -> Estimates:
    """Return every number of a model without its interval, of decisions those made in one way."""
    return _plainly(dataset.digest, model, way, threshold, tables(dataset)[model])


def forget(dataset: Dataset) -> None:
    """Drop the count tables of a data set."""
    _tables.clear(dataset.digest, dataset)


@st.cache_resource(max_entries=24, ttl=DAY, show_spinner=False)
def _tables(digest: str, _dataset: Dataset) -> Mapping[str, ModelTables]:
    return condense.condense(_dataset)


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _fixed_decisions(digest: str, model: str, _tables: ModelTables) -> Mapping[str, Decisions]:
    """Return those that no threshold changes, so that a slider need not wait for them."""
    return evaluate.decide(replace(_tables, scores=None), Options())


@st.cache_resource(max_entries=400, ttl=DAY, show_spinner=False)
def _threshold_decisions(
    digest: str, model: str, threshold: float, _tables: ModelTables
) -> Mapping[str, Decisions]:
    alone = replace(_tables, labels=None, argmax=None)
    return evaluate.decide(alone, Options(threshold=threshold))


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _ranking(digest: str, model: str, _tables: ModelTables) -> Estimates:
    return scores.rank(_tables, Options())


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _class_ranking(digest: str, model: str, _tables: ModelTables) -> Mapping[str, Estimates]:
    return scores.rank_classes(_tables, Options())


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _probability(digest: str, model: str, _tables: ModelTables) -> Estimates:
    return scores.judge_probabilities(_tables, Options())


@st.cache_resource(max_entries=2000, ttl=DAY, show_spinner=False)
def _plainly(
    digest: str, model: str, way: str, threshold: float, _tables: ModelTables
) -> Estimates:
    made = evaluate.plainly(_tables, Options(threshold=threshold))
    groups = (made.get(name, {}) for name in (way, "ranking", "probability", "values"))
    return {key: found for group in groups for key, found in group.items()}


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _values(digest: str, model: str, _tables: ModelTables) -> Estimates:
    metrics = [metric for metric in VALUES if metric.needs is not Ranks]
    return {} if _tables.numbers is None else estimate_values(_tables.numbers, Options(), metrics)


@st.cache_resource(max_entries=200, ttl=DAY, show_spinner=False)
def _rank_correlations(digest: str, model: str, _tables: ModelTables) -> Estimates:
    metrics = [metric for metric in VALUES if metric.needs is Ranks]
    return {} if _tables.numbers is None else estimate_values(_tables.numbers, Options(), metrics)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _against_truth(digest: str, model: str, _tables: ModelTables) -> Cloud:
    numbers = _tables.numbers
    assert numbers is not None
    return Cloud.from_values(numbers.prediction, numbers.truth, numbers.rows)


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _residuals(digest: str, model: str, _tables: ModelTables) -> tuple[Cloud, Trend]:
    numbers = _tables.numbers
    assert numbers is not None
    error = numbers.prediction - numbers.truth
    return (
        Cloud.from_values(numbers.prediction, error, numbers.rows),
        Trend.from_values(numbers.prediction, error),
    )


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _clustering(digest: str, name: str, _dataset: Dataset) -> ClusteringEvaluation:
    return evaluate_clustering(_dataset, name, Options())


@st.cache_resource(max_entries=100, ttl=DAY, show_spinner=False)
def _measured(
    digest: str, name: str, _dataset: Dataset, _silhouette: Silhouette
) -> ClusteringEvaluation:
    made = _clustering(digest, name, _dataset)
    return with_silhouette(_dataset, name, made, _silhouette, Options())
