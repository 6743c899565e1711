"""What an evaluation gives back: plain frozen values, ready to show or to print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from evalcore.curves.calibration import CalibrationCurve
from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.curves.roc import RocCurve
from evalcore.errors import Notice
from evalcore.intake.model import Dataset
from evalcore.metrics.spec import Estimate
from evalcore.options import Options
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.scores import ScoreTable

Estimates = Mapping[str, Estimate]
"""Metric key -> estimate, in the catalogue's reading order."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Everything that follows from one way of deciding ("labels", "threshold", "argmax").

    Attributes:
        confusion: Rows = truth, columns = decision.
        metrics: Metrics of the whole matrix.
        per_class: Class name -> metrics of that class against the rest.
        averages: "macro", "micro", "weighted" -> metrics; notes say over how many classes.
    """

    confusion: ConfusionMatrix
    metrics: Estimates
    per_class: Mapping[str, Estimates]
    averages: Mapping[str, Estimates]


@dataclass(frozen=True, eq=False)
class ModelTables:
    """The count tables of one model; condensed once, independent of any option."""

    n: int
    labels: ConfusionMatrix | None = None
    scores: ScoreTable | None = None
    argmax: ConfusionMatrix | None = None


@dataclass(frozen=True, eq=False)
class ModelEvaluation:
    """Every number of one model."""

    n: int
    decisions: Mapping[str, Decisions]
    ranking: Estimates = field(default_factory=lambda: MappingProxyType({}))
    probability: Estimates = field(default_factory=lambda: MappingProxyType({}))
    values: Estimates = field(default_factory=lambda: MappingProxyType({}))
    roc: RocCurve | None = None
    precision_recall: PrecisionRecallCurve | None = None
    calibration: CalibrationCurve | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Every number of every model of a data set."""

    dataset: Dataset
    options: Options
    models: Mapping[str, ModelEvaluation]
    notices: tuple[Notice, ...]
