"""How a metric is declared: everything the product says about it, in one place."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval
from evalcore.outcomes import Number

NO_PARAMETERS: Mapping[str, float] = MappingProxyType({})


class Better(Enum):
    """Which direction is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class Family(Enum):
    """What a metric is computed from, in the words of the JSON."""

    COUNTS = "counts"
    RANKING = "ranking"
    PROBABILITY = "probability"
    VALUES = "values"
    POINTS = "points"
    AGREEMENT = "agreement"


class IntervalBy(Enum):
    """Where the interval of a metric comes from.

    WILSON needs `proportion`, STANDARD_ERROR needs `with_error`, MEAN needs `losses`,
    CLOSED needs `ends`. BASIC is a bootstrap turned round at the value, for a number that few rows
    move to one side.
    """

    WILSON = "wilson"
    DELONG = "delong"
    STANDARD_ERROR = "wald"
    MEAN = "mean"
    CLOSED = "closed"
    BOOTSTRAP = "bootstrap"
    BASIC = "basic"
    NONE = "none"


@dataclass(frozen=True)
class Source:
    """Where a formula comes from."""

    text: str
    url: str = ""


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A metric: its function and what there is to say about it.

    Calling it computes it: `RECALL(counts)`.

    Attributes:
        key: Public name, stable; see `docs/metrics.md`.
        name: The field's words, as shown to people.
        family: What it is computed from.
        needs: The type of the table that `compute` takes, such as `BinaryCounts`.
        compute: The function. It returns NaN where the metric is undefined, and maps arrays of
            counts to arrays of values, so that one function serves classes and bootstrap draws.
        summary: What it means, one sentence, plain words.
        formula: LaTeX. Counts are written TP, FP, FN, TN, so that live counts can be filled in.
        low: Smallest possible value (may be -inf).
        high: Largest possible value (may be inf).
        better: Which direction is good.
        source: Where the formula comes from.
        undefined_when: Completes "undefined: ...", such as "no row is predicted positive".
        infinite_when: Completes "infinite: ..."; "" for a metric that is never infinite.
        synonyms: Other names people search for.
        interval: Where the interval comes from.
        proportion: For a metric that is k of n rows: the function that gives (k, n).
        with_error: For a metric with a known standard error: the function that gives (value,
            standard error).
        ends: For a metric with an interval in closed form: the function that gives it, for the
            table and a level.
        losses: For the mean of a loss per row: the function that gives, for (m,) probabilities,
            the (m,) losses of a positive row and of a negative row.
        over_classes: The same quantity for K classes, for a metric that has one: a function of
            (..., K, K) counts or of `ClassScores`.
        proportion_over_classes: `proportion`, for K classes.
        with_error_over_classes: `with_error`, for K classes.
        optimum: For the best value over thresholds: the function that gives (value, threshold).
        parameters: The settings of a metric that has some, by name.
        misleads: When the number fools people, one sentence.
        unit: "share" (0 to 1), "unit" (of the target), "nats", "count" or "" (a bare number).
    """

    key: str
    name: str
    family: Family
    needs: type
    compute: Callable[[Any], Number]
    summary: str
    formula: str
    low: float
    high: float
    better: Better
    source: Source
    undefined_when: str
    infinite_when: str = ""
    synonyms: tuple[str, ...] = ()
    interval: IntervalBy = IntervalBy.BOOTSTRAP
    proportion: Callable[[Any], tuple[Number, Number]] | None = None
    with_error: Callable[[Any], tuple[float, float]] | None = None
    ends: Callable[[Any, float], Interval] | None = None
    losses: (
        Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], NDArray[np.float64]]] | None
    ) = None
    over_classes: Callable[[Any], Number] | None = None
    proportion_over_classes: Callable[[Any], tuple[Number, Number]] | None = None
    with_error_over_classes: Callable[[Any], tuple[float, float]] | None = None
    optimum: Callable[[Any], tuple[float, float]] | None = None
    parameters: Mapping[str, float] = field(default_factory=lambda: NO_PARAMETERS)
    misleads: str = ""
    unit: str = ""

    def __call__(self, table: Any) -> Number:
        """Return the metric of a table of the type that it needs."""
        return self.compute(table)

    def __hash__(self) -> int:
        return hash((self.key, self.needs))


@dataclass(frozen=True)
class Estimate:
    """A number with its interval, or the reason why there is none.

    Attributes:
        value: The number; NaN where it is undefined, +-inf where it is infinite.
        low: Lower end of the interval; None if there is no interval.
        high: Upper end of the interval; None if there is no interval.
        method: How the interval was made, such as "wilson"; None if there is no interval.
        level: Confidence level, such as 0.95; None if there is no interval.
        why: The reason for an undefined or infinite value; "" otherwise.
        note: A caveat to show beside the interval, such as "degenerate"; "" otherwise.
        at: For an optimum, the threshold where it is reached; None otherwise.
    """

    value: float
    low: float | None = None
    high: float | None = None
    method: str | None = None
    level: float | None = None
    why: str = ""
    note: str = ""
    at: float | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a finite number to show."""
        return bool(np.isfinite(self.value))


def ratio(numerator: float | NDArray[Any], denominator: float | NDArray[Any]) -> Number:
    """Return numerator / denominator: 0/0 is NaN (undefined), 1/0 is infinite, without a warning.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, nan)
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = np.divide(numerator, denominator, dtype=np.float64)
    return scalar(quotient)


def scalar(values: NDArray[np.float64] | np.float64) -> Number:
    """Return a float for an array without dimensions, and any other array as it is."""
    return values if isinstance(values, np.ndarray) and values.ndim else float(values)


ALTMAN_BLAND_PREDICTIVE = Source(
    "Altman and Bland (1994), Diagnostic tests 2: predictive values, BMJ 309",
    "https://doi.org/10.1136/bmj.309.6947.102",
)
ALTMAN_BLAND_SENSITIVITY = Source(
    "Altman and Bland (1994), Diagnostic tests 1: sensitivity and specificity, BMJ 308",
    "https://doi.org/10.1136/bmj.308.6943.1552",
)
BRIER = Source(
    "Brier (1950), Verification of forecasts expressed in terms of probability, "
    "Monthly Weather Review 78(1)",
    "https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
)
COX = Source(
    "Cox (1958), Two further applications of a model for binary regression, Biometrika 45",
    "https://doi.org/10.1093/biomet/45.3-4.562",
)
DEEKS_ALTMAN = Source(
    "Deeks and Altman (2004), Diagnostic tests 4: likelihood ratios, BMJ 329",
    "https://doi.org/10.1136/bmj.329.7458.168",
)
FAWCETT = Source(
    "Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27",
    "https://doi.org/10.1016/j.patrec.2005.10.010",
)
GUO = Source(
    "Guo, Pleiss, Sun and Weinberger (2017), On calibration of modern neural networks, ICML",
    "https://proceedings.mlr.press/v70/guo17a.html",
)
HAND_TILL = Source(
    "Hand and Till (2001), A simple generalisation of the area under the ROC curve for "
    "multiple class classification problems, Machine Learning 45",
    "https://doi.org/10.1023/A:1010920819831",
)
HOSMER_LEMESHOW = Source(
    "Hosmer and Lemeshow (1980), Goodness of fit tests for the multiple logistic regression "
    "model, Communications in Statistics 9(10)",
    "https://doi.org/10.1080/03610928008827941",
)
KUHN = Source(
    "Kuhn (2008), Building predictive models in R using the caret package, "
    "Journal of Statistical Software 28(5)",
    "https://doi.org/10.18637/jss.v028.i05",
)
MANNING = Source(
    "Manning, Raghavan and Schütze (2008), Introduction to Information Retrieval, chapter 8",
    "https://nlp.stanford.edu/IR-book/",
)
MURPHY = Source(
    "Murphy (1973), A new vector partition of the probability score, "
    "Journal of Applied Meteorology 12(4)",
    "https://doi.org/10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2",
)
NAEINI = Source(
    "Naeini, Cooper and Hauskrecht (2015), Obtaining well calibrated probabilities using "
    "Bayesian binning, AAAI",
    "https://doi.org/10.1609/aaai.v29i1.9602",
)
POWERS = Source(
    "Powers (2011), Evaluation: from precision, recall and F-measure to ROC, informedness, "
    "markedness and correlation, Journal of Machine Learning Technologies 2(1)",
    "https://arxiv.org/abs/2010.16061",
)
SOKOLOVA_LAPALME = Source(
    "Sokolova and Lapalme (2009), A systematic analysis of performance measures for "
    "classification tasks, Information Processing and Management 45(4)",
    "https://doi.org/10.1016/j.ipm.2009.03.002",
)
SPIEGELHALTER = Source(
    "Spiegelhalter (1986), Probabilistic prediction in patient management and clinical trials, "
    "Statistics in Medicine 5",
    "https://doi.org/10.1002/sim.4780050506",
)
VAN_RIJSBERGEN = Source(
    "van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7",
    "http://www.dcs.gla.ac.uk/Keith/Preface.html",
)
