"""What an evaluation gives back: plain frozen values, ready to show or to print."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from evalcore.clustering.points import ClusterTables
from evalcore.curves.roc import CalibrationCurve, PrecisionRecallCurve, RocCurve
from evalcore.errors import ROWS_LISTED, Notice
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import Clustering, CorrectOutcomes, NumericOutcomes, Outcomes, data_rows
from evalcore.predictions import Predictions
from evalcore.tables.classes import ClassScores
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.tables.scores import ScoreTable
from evalcore.text import Displayed, nothing

DecisionRule = Literal["labels", "threshold", "argmax"]
Estimates = Mapping[str, Estimate]
"""Metric key -> estimate, in the catalogue's reading order."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Everything that follows from one way of deciding ("labels", "threshold", "argmax").

    Attributes:
        confusion: Rows = truth, columns = decision.
        metrics: Metrics of the whole matrix; of two classes, those of the positive one.
        per_class: Class name -> metrics of that class against the rest.
        averages: "macro", "micro", "weighted" -> metrics; notes say over how many classes.
    """

    confusion: ConfusionMatrix
    metrics: Estimates
    per_class: Mapping[str, Estimates]
    averages: Mapping[str, Estimates]


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelTables:
    """The count tables of one model; condensed once, independent of any option.

    Attributes:
        n: Rows, or the sum of their weights.
        classes: Class names; for a binary task negative, positive.
        labels: Truth against the model's own labels, if it gave any.
        scores: Truth against score, for a binary task with scores.
        probability: Whether `scores` are probabilities.
        labels_by_score: The model's own labels against its score, where it gave both.
        argmax: Truth against the most likely class, for K classes with probabilities.
        labels_by_argmax: The model's own labels against its most likely class, where it gave both.
        argmax_ties: Rows whose largest probability is shared, so that the first class was taken.
        class_scores: The probabilities of K classes.
        confidence: The probability of the model's own label, one of K; positive where it is right.
        numbers: Truth and prediction, for a regression.
        items: Which items are right, where no more is known.
        folds: Fold name -> the tables of that fold's rows.
        groups: Group name -> its items, where only right and wrong is known.
        rows: The rows themselves, where some depend on each other and are drawn together.
    """

    n: float
    classes: tuple[str, ...]
    labels: ConfusionMatrix | None = None
    scores: ScoreTable | None = None
    probability: bool = False
    labels_by_score: ScoreTable | None = None
    argmax: ConfusionMatrix | None = None
    labels_by_argmax: ConfusionMatrix | None = None
    argmax_ties: int = 0
    class_scores: ClassScores | None = None
    confidence: ScoreTable | None = None
    numbers: NumericOutcomes | None = None
    items: CorrectOutcomes | None = None
    folds: Mapping[str, "ModelTables"] = field(default_factory=nothing)
    groups: Mapping[str, CorrectOutcomes] = field(default_factory=nothing)
    rows: Outcomes | None = None


@dataclass(frozen=True, eq=False)
class FoldEvaluation:
    """The numbers of one fold, without intervals: a fold is one draw, not the whole."""

    fold: str
    n: float
    metrics: Mapping[str, Estimates]


@dataclass(frozen=True, eq=False)
class GroupEvaluation:
    """The numbers of one group of items, with intervals."""

    group: str
    n: int
    metrics: Mapping[str, Estimates]


ESTIMATED = ("value", "low", "high", "method", "level", "why", "note")
"""What a row says of an estimate."""

_Row = tuple[Any, ...]


class _Judged(Displayed):
    """Something with metrics, whose rows are its estimates."""

    @property
    def metrics(self) -> Mapping[str, Estimates]:
        """Every metric of the whole, by where it comes from, in the JSON's words."""
        raise NotImplementedError

    def rows(self) -> Iterator[_Row]:
        """Return (group, part, of, metric) and what is estimated, for every estimate."""
        for group, estimates in self.metrics.items():
            yield from _rows(estimates, (group, "all", ""))

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        return _as_columns(("group", "part", "of", "metric", *ESTIMATED), self.rows())


def _rows(estimates: Estimates, where: _Row) -> Iterator[_Row]:
    for key, one in estimates.items():
        yield (*where, key, *(getattr(one, name) for name in ESTIMATED))


def _as_columns(names: Sequence[str], rows: Iterable[_Row]) -> Mapping[str, Sequence[Any]]:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return dict(zip(names, map(list, columns), strict=True))


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelEvaluation(_Judged):
    """Every number of one model.

    Attributes:
        n: Rows, or the sum of their weights.
        decisions: "labels", "threshold" or "argmax" -> what follows from deciding so.
        ranking: Metrics of how well scores order the rows.
        probability: Metrics of how true the probabilities are.
        class_ranking: Class name -> ranking metrics of that class against the rest, for K classes.
        values: Metrics of predicted numbers.
        items: Metrics of right and wrong answers.
        folds: One entry per fold, in the file's order.
        groups: One entry per group of items, where only right and wrong is known.
    """

    n: float
    decisions: Mapping[DecisionRule, Decisions]
    ranking: Estimates = field(default_factory=nothing)
    probability: Estimates = field(default_factory=nothing)
    class_ranking: Mapping[str, Estimates] = field(default_factory=nothing)
    values: Estimates = field(default_factory=nothing)
    items: Estimates = field(default_factory=nothing)
    roc: RocCurve | None = None
    precision_recall: PrecisionRecallCurve | None = None
    calibration: CalibrationCurve | None = None
    folds: tuple[FoldEvaluation, ...] = ()
    groups: tuple[GroupEvaluation, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def metrics(self) -> Mapping[str, Estimates]:
        """Every metric of the model as a whole, by where it comes from, in the JSON's words."""
        groups: dict[str, Estimates] = {way: one.metrics for way, one in self.decisions.items()}
        more = ("ranking", "probability", "values", "items")
        groups |= {name: getattr(self, name) for name in more}
        return MappingProxyType({name: group for name, group in groups.items() if group})

    def rows(self) -> Iterator[_Row]:
        """Return those of the whole, then those of each class and each average."""
        yield from super().rows()
        for way, decisions in self.decisions.items():
            for of, estimates in decisions.per_class.items():
                yield from _rows(estimates, (way, "class", of))
            for of, estimates in decisions.averages.items():
                yield from _rows(estimates, (way, "average", of))
        for of, estimates in self.class_ranking.items():
            yield from _rows(estimates, ("ranking", "class", of))


@dataclass(frozen=True)
class Cluster:
    """One cluster; NaN where the features are not known.

    Attributes:
        name: Its label in the file.
        n: Its points.
        silhouette: Mean silhouette of its points.
        within_ss: Sum of the squared distances of its points from its centre.
        spread: Mean distance of its points from its centre.
        centre: Feature -> mean over its points.
    """

    name: str
    n: int
    silhouette: float = np.nan
    within_ss: float = np.nan
    spread: float = np.nan
    centre: Mapping[str, float] = field(default_factory=nothing)


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusteringEvaluation(_Judged):
    """Every number of one clustering.

    Attributes:
        n: Points, noise included.
        clustering: The cluster of each point.
        tables: What the metrics of points rest on; None without features.
        contingency: True classes against clusters; None without a truth.
        clusters: One entry per cluster.
        points: Metrics of how the points lie.
        agreement: Metrics of how clusters agree with the true classes.
        noise_as_cluster: The silhouette if noise were a cluster; empty without noise or features.
    """

    left_out = ("clustering", "tables")

    n: int
    clustering: Clustering
    tables: ClusterTables | None
    contingency: Contingency | None
    clusters: tuple[Cluster, ...]
    points: Estimates
    agreement: Estimates
    noise_as_cluster: Estimates = field(default_factory=nothing)
    notices: tuple[Notice, ...] = ()

    @property
    def n_noise(self) -> int:
        """Points in no cluster."""
        noise, count = self.clustering.noise, self.clustering.count
        return int(noise.sum() if count is None else count[noise].sum())

    @property
    def noise_rows(self) -> tuple[int, ...]:
        """Data rows of the noise, as many as a notice lists."""
        if self.clustering.count is not None:
            return ()
        places = np.flatnonzero(self.clustering.noise)[:ROWS_LISTED]
        return tuple(data_rows(self.clustering, places).tolist())

    @property
    def comparable(self) -> bool:
        """Whether there are clusters to compare: two or more, not every point alone."""
        return 2 <= len(self.clusters) < self.n - self.n_noise

    @property
    def metrics(self) -> Mapping[str, Estimates]:
        """Every metric, by where it comes from, in the JSON's words."""
        groups = {"points": self.points, "agreement": self.agreement}
        return MappingProxyType({name: group for name, group in groups.items() if group})


@dataclass(frozen=True, eq=False)
class Evaluation(Displayed):
    """Every number of every model, or clustering, of a data set.

    As a data frame it has a row for each number: name (of the model or clustering), group
    ("ranking", "labels" ...), part ("all", "class" or "average"), of (which class or average),
    metric (its key), value, low, high, method, level, why, note. NaN is undefined, and `why` says
    for what reason.
    """

    left_out = ("dataset",)

    dataset: Predictions
    options: Options
    models: Mapping[str, ModelEvaluation]
    notices: tuple[Notice, ...]
    clusterings: Mapping[str, ClusteringEvaluation] = field(default_factory=nothing)

    @property
    def judged(self) -> Mapping[str, ModelEvaluation | ClusteringEvaluation]:
        """Whatever has metrics, by name: the models or the clusterings."""
        return MappingProxyType({**self.models, **self.clusterings})

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        names = ("name", "group", "part", "of", "metric", *ESTIMATED)
        rows = ((name, *row) for name, judged in self.judged.items() for row in judged.rows())
        return _as_columns(names, rows)
