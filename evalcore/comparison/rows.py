"""Tests and intervals for models that are right equally often."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from evalcore.comparison.spec import IDENTICAL, ON_ROWS, Design, Finding, StatisticalTest
from evalcore.intervals.closed import Interval, wilson
from evalcore.metrics.metric import Source
from evalcore.outcomes import Floats
from evalcore.tables.paired import PairedTable, Rightness

SAME_ROWS = "they are right on the same rows"


def _discordant(table: PairedTable) -> tuple[float, float, dict[str, Any]]:
    """Return the rows that only one model has right, and what to show beside a finding."""
    cells = table.rightness
    b, c = cells.only_first, cells.only_second
    note = "" if b + c else IDENTICAL if table.identical else SAME_ROWS
    return b, c, {"details": {"b": b, "c": c}, "note": note}


def _exact(b: float, c: float) -> tuple[float, float]:
    """Return the two-sided binomial p value and the chance of exactly this split of b + c."""
    from scipy.special import bdtr

    fewer, total = round(min(b, c)), round(b + c)
    at_most = float(bdtr(fewer, total, 0.5))
    below = float(bdtr(fewer - 1, total, 0.5)) if fewer else 0.0
    return min(1.0, 2 * at_most), at_most - below


def mcnemar_exact(table: PairedTable) -> Finding:
    """Test whether rows that one model alone has right are split evenly.

    >>> codes = np.repeat([0, 1], [8, 2])
    >>> table = PairedTable.from_codes(("a", "b"), (codes * 0, codes, 1 - codes))
    >>> round(mcnemar_exact(table).p_value, 6)
    0.109375
    """
    b, c, shown = _discordant(table)
    return Finding(_exact(b, c)[0] if b + c else 1.0, **shown)


def mcnemar_mid_p(table: PairedTable) -> Finding:
    """Count the split that was observed only half, so that the test is not too timid."""
    b, c, shown = _discordant(table)
    if not b + c:
        return Finding(1.0, **shown)
    whole, observed = _exact(b, c)
    return Finding(1 - observed / 2 if b == c else whole - observed, **shown)


def _chi_squared(table: PairedTable, correction: float) -> Finding:
    from scipy.special import chdtrc

    b, c, shown = _discordant(table)
    statistic = max(abs(b - c) - correction, 0.0) ** 2 / (b + c) if b + c else 0.0
    return Finding(float(chdtrc(1, statistic)), statistic, **shown)


_MCNEMAR = Source(
    "McNemar (1947), Note on the sampling error of the difference between correlated proportions "
    "or percentages, Psychometrika 12",
    "https://doi.org/10.1007/BF02295996",
)
_FAGERLAND = Source(
    "Fagerland, Lydersen and Laake (2013), The McNemar test for binary matched-pairs data: mid-p "
    "and asymptotic are better than exact conditional, BMC Medical Research Methodology 13",
    "https://doi.org/10.1186/1471-2288-13-91",
)


_mcnemar = partial(
    StatisticalTest,
    needs=PairedTable,
    summary="Of the rows that only one model has right, does either have more than half?",
    designs=ON_ROWS,
    metrics=("accuracy",),
)

MCNEMAR_EXACT = _mcnemar(
    key="mcnemar_exact",
    name="McNemar (exact)",
    compute=mcnemar_exact,
    assumes="Rows are independent; it errs on the safe side.",
    source=_MCNEMAR,
)
MCNEMAR_MID_P = _mcnemar(
    key="mcnemar_mid_p",
    name="McNemar (mid-p)",
    compute=mcnemar_mid_p,
    assumes="Rows are independent.",
    source=_FAGERLAND,
)
MCNEMAR_CHI2 = _mcnemar(
    key="mcnemar_chi2",
    name="McNemar (chi-squared)",
    compute=lambda table: _chi_squared(table, 0.0),
    assumes="Rows are independent, and some 25 of them are right for one model only.",
    source=_MCNEMAR,
)
MCNEMAR_CHI2_CORRECTED = _mcnemar(
    key="mcnemar_chi2_corrected",
    name="McNemar (chi-squared, continuity-corrected)",
    compute=lambda table: _chi_squared(table, 1.0),
    assumes="Rows are independent; it errs on the safe side, further than the exact test.",
    source=Source(
        "Edwards (1948), Note on the correction for continuity in testing the significance of "
        "the difference between correlated proportions, Psychometrika 13",
        "https://doi.org/10.1007/BF02289261",
    ),
)


@dataclass(frozen=True, eq=False)
class Correctness:
    """Which of M models are right on each of n rows: (n, M) ones and zeros, weighted if at all."""

    right: Floats
    weight: Floats | None = None


def cochran_q(answers: Correctness) -> Finding:
    """Test whether all models are right equally often on the same rows.

    >>> answers = Correctness(np.array([[1.0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0]]))
    >>> round(cochran_q(answers).statistic, 6)
    2.666667
    """
    from scipy.special import chdtrc

    weight = np.ones(len(answers.right)) if answers.weight is None else answers.weight
    columns, rows = weight @ answers.right, answers.right.sum(axis=1)
    models, total = len(columns), columns.sum()
    spread = models * total - float(weight @ rows**2)
    details = {"df": models - 1.0}
    if not spread:
        same = bool((answers.right == answers.right[:, :1]).all())
        return Finding(1.0, 0.0, details, SAME_ROWS if same else "")
    statistic = float((models - 1) * (models * (columns**2).sum() - total**2) / spread)
    return Finding(float(chdtrc(models - 1, statistic)), statistic, details)


COCHRAN_Q = StatisticalTest(
    key="cochran_q",
    name="Cochran's Q",
    needs=Correctness,
    compute=cochran_q,
    summary="Are all models right equally often?",
    assumes="Rows are independent, and there are some 24 on which the models are not all alike.",
    designs=ON_ROWS,
    metrics=("accuracy",),
    models=3,
    overall=True,
    source=Source(
        "Cochran (1950), The comparison of percentages in matched samples, Biometrika 37",
        "https://doi.org/10.1093/biomet/37.3-4.256",
    ),
)


def newcombe_paired(cells: Rightness, level: float = 0.95) -> Interval:
    """Return an interval for the second accuracy minus the first, within [-1, 1].

    Source: Newcombe (1998), Improved confidence intervals for the difference between binomial
    proportions based on paired data, Statistics in Medicine 17, method 10.
    """
    first, second = cells.both + cells.only_first, cells.both + cells.only_second
    return _from_wilson((first, cells.n), (second, cells.n), _correlation(cells), level)


def newcombe_independent(
    first: tuple[float, float], second: tuple[float, float], level: float = 0.95
) -> Interval:
    """Return an interval for the second of two (right, rows) accuracies minus the first.

    Source: Newcombe (1998), Interval estimation for the difference between independent
    proportions, Statistics in Medicine 17, method 10.
    """
    return _from_wilson(first, second, 0.0, level)


def _from_wilson(
    first: tuple[float, float], second: tuple[float, float], correlation: float, level: float
) -> Interval:
    one, other = wilson(*first, level), wilson(*second, level)
    p, q = first[0] / (first[1] or np.nan), second[0] / (second[1] or np.nan)

    def reach(x: Any, y: Any) -> Any:
        return np.sqrt(np.maximum(x**2 - 2 * correlation * x * y + y**2, 0.0))

    low = (q - p) - reach(one.high - p, q - other.low)
    high = (q - p) + reach(p - one.low, other.high - q)
    return Interval(low, high, "newcombe", level)


def _correlation(cells: Rightness) -> float:
    """Return phi of being right, drawn towards 0 by a continuity correction if it is positive."""
    a, b, c, d = cells[:4]
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    if product > 0:
        product = max(product - cells.n / 2, 0.0)
    return product / np.sqrt(margins) if margins else 0.0


@dataclass(frozen=True)
class TwoProportions:
    """Rows that are right of all rows, for two models on different rows."""

    first: tuple[float, float]
    second: tuple[float, float]


def two_proportion_z(table: TwoProportions) -> Finding:
    """Test whether two shares of different rows are the same, with the variance of both pooled.

    >>> round(two_proportion_z(TwoProportions((40, 100), (60, 100))).statistic, 6)
    2.828427
    """
    from scipy.special import ndtr

    (k, n), (j, m) = table.first, table.second
    share = (k + j) / (n + m)
    error = np.sqrt(share * (1 - share) * (1 / n + 1 / m))
    if not error:
        return Finding(1.0, 0.0, note="both are right on all rows, or on none")
    z = float((j / m - k / n) / error)
    return Finding(float(2 * ndtr(-abs(z))), z)


TWO_PROPORTION_Z = StatisticalTest(
    key="two_proportion_z",
    name="Two-proportion z",
    needs=TwoProportions,
    compute=two_proportion_z,
    summary="Are two models, each on rows of its own, right equally often?",
    assumes="All rows are independent, drawn alike for both, with some 5 right and 5 wrong each.",
    designs=frozenset({Design.INDEPENDENT}),
    metrics=("accuracy",),
    source=Source(
        "Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3.1",
        "https://doi.org/10.1002/0471445428",
    ),
)
