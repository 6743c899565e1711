"""Two models in five repeats of two folds: tests that share no training rows within a repeat."""

from dataclasses import dataclass

import numpy as np

from evalcore.comparison.folds import CONSTANT, DIETTERICH
from evalcore.comparison.spec import (
    IDENTICAL,
    UNDEFINED,
    Design,
    Finding,
    Situation,
    StatisticalTest,
)
from evalcore.metrics.spec import Source
from evalcore.outcomes import Floats


@dataclass(frozen=True, eq=False)
class FiveByTwo:
    """Differences of two models in five repeats of two folds: (5, 2), second model minus first."""

    values: Floats

    @property
    def variances(self) -> Floats:
        """(5,) sums of squares of each repeat about its mean."""
        squares: Floats = ((self.values - self.values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        return squares


def _flat(table: FiveByTwo) -> Finding:
    if table.values.any():
        return Finding(UNDEFINED, note=CONSTANT)
    return Finding(1.0, 0.0, note=IDENTICAL)


def five_by_two_t(table: FiveByTwo) -> Finding:
    """Test the first difference against the variances within five repeats.

    >>> table = FiveByTwo(np.tile([[0.03, 0.01]], (5, 1)))
    >>> round(five_by_two_t(table).statistic, 6)
    2.12132
    """
    from scipy.special import stdtr

    spread = float(np.sqrt(table.variances.mean()))
    if not spread:
        return _flat(table)
    t = float(table.values[0, 0]) / spread
    return Finding(float(2 * stdtr(5, -abs(t))), t, {"df": 5.0})


def five_by_two_f(table: FiveByTwo) -> Finding:
    """Test all ten differences against the variances within five repeats.

    >>> table = FiveByTwo(np.tile([[0.03, 0.01]], (5, 1)))
    >>> round(five_by_two_f(table).statistic, 6)
    2.5
    """
    from scipy.special import fdtrc

    spread = float(table.variances.sum())
    if not spread:
        return _flat(table)
    f = float((table.values**2).sum()) / (2 * spread)
    return Finding(float(fdtrc(10, 5, f)), f, {"df_between": 10.0, "df_within": 5.0})


def _five_by_two(situation: Situation) -> str:
    if (situation.repeats, situation.folds) == (5, 2):
        return ""
    return f"It needs five repeats of two folds; here are {situation.repeats} of {situation.folds}."


FIVE_BY_TWO_T = StatisticalTest(
    key="five_by_two_t",
    name="5x2 cv paired t",
    needs=FiveByTwo,
    compute=five_by_two_t,
    summary="Is the difference on the first fold larger than folds of one split differ?",
    assumes="The ten differences are about normal; it looks at the size of only one of them.",
    designs=frozenset({Design.REPEATED_FOLDS}),
    source=DIETTERICH,
    objection=_five_by_two,
)
FIVE_BY_TWO_F = StatisticalTest(
    key="five_by_two_f",
    name="5x2 cv F",
    needs=FiveByTwo,
    compute=five_by_two_f,
    summary="Are all ten differences larger than folds of one split differ?",
    assumes="The ten differences are about normal.",
    designs=frozenset({Design.REPEATED_FOLDS}),
    source=Source(
        "Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning "
        "algorithms, Neural Computation 11(8)",
        "https://doi.org/10.1162/089976699300016007",
    ),
    objection=_five_by_two,
)
