"""What is known about some models, and every test, whatever it came from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from evalcore.comparison import folds, many, resamples, rows
from evalcore.comparison.rows import SampleSize
from evalcore.comparison.spec import Situation, StatisticalTest
from evalcore.errors import Notice
from evalcore.intervals.closed import Interval
from evalcore.metrics.metric import Better, Estimate

Tables = Mapping[type, Any]
"""What tests need, by its type."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What is known about M models.

    Attributes:
        situation: How the data were collected.
        metric_name: Name of what is compared, for people.
        better: Which direction is good.
        n: How many rows, folds or data sets the models share.
        unit: Which of them.
        models: Model name -> its value with its interval.
        pair: Gives the tables about two models, by their places.
        gap: Gives, from those, an interval for the value of the second model minus that of the
            first; NaN where there is none.
        size: Gives, from those, what it takes to settle it; None where rows do not count.
        overall: The tables about all models at once.
        primary: Keys of the tests that the headline may rest on, the first one made counts.
        mean_ranks: Mean rank of each model over data sets; empty without.
        doubt: Why nothing can be concluded whatever tests say; "" if something can.
        notices: What the reader must know.
    """

    situation: Situation
    metric_name: str
    better: Better
    n: float
    unit: Literal["rows", "folds", "data sets"]
    models: Mapping[str, Estimate]
    pair: Callable[[int, int], Tables]
    gap: Callable[[Tables], Interval]
    size: Callable[[Tables], SampleSize | None]
    primary: tuple[str, ...]
    overall: Tables = field(default_factory=lambda: MappingProxyType({}))
    mean_ranks: tuple[float, ...] = ()
    doubt: str = ""
    notices: tuple[Notice, ...] = ()


TESTS: tuple[StatisticalTest, ...] = (
    # On rows.
    resamples.DELONG,
    rows.MCNEMAR_MID_P,
    rows.MCNEMAR_EXACT,
    rows.MCNEMAR_CHI2,
    rows.MCNEMAR_CHI2_CORRECTED,
    rows.COCHRAN_Q,
    resamples.PAIRED_BOOTSTRAP,
    resamples.DIEBOLD_MARIANO,
    rows.TWO_PROPORTION_Z,
    # On folds.
    folds.CORRECTED_RESAMPLED_T,
    folds.BAYES_CORRELATED_T,
    folds.PAIRED_T,
    folds.WILCOXON,
    folds.FIVE_BY_TWO_F,
    folds.FIVE_BY_TWO_T,
    # On data sets.
    many.FRIEDMAN,
    many.IMAN_DAVENPORT,
    many.NEMENYI,
)
