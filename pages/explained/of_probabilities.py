"""From a number about calibration back to the bins, groups and sums that it is made of."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from evalcore.metrics.calibration_tests import (
    HosmerLemeshow,
    RiskGroups,
    Spiegelhalter,
    surplus_and_variance,
)
from evalcore.metrics.logistic import CalibrationLine
from evalcore.metrics.spec import Metric
from evalcore.outcomes import Floats
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from pages.explained.parts import Parts, parts
from pages.explained.working import Working, known, share, text

BINS = 20
"""So many bins are shown; there are ten unless someone asks for others."""


def of_bins(table: ReliabilityTable) -> Working:
    """Return a calibration error as the gaps of the bins, each row counting."""
    return _mean_of_bins(table, np.abs(table.mean_probability - table.share_positive))


def _mean_of_bins(table: ReliabilityTable, distance: Floats) -> Working:
    terms = table.n * np.nan_to_num(distance)
    of = share("rows · gap, added up", "rows")
    return of(terms.sum(), table.n.sum()).of_parts(_bins(table, {"rows · gap": terms}))


def _bins(table: ReliabilityTable, more: dict[str, Floats]) -> Parts:
    filled = np.flatnonzero(table.n)
    columns = {
        "from": table.edges[:-1],
        "to": table.edges[1:],
        "rows": table.n,
        "mean probability": table.mean_probability,
        "share positive": table.share_positive,
    }
    shown = {head: column[filled] for head, column in (columns | more).items()}
    return parts("filled bin", shown, BINS)


def _squared(metric: Metric, scores: ScoreTable) -> Working:
    table = ReliabilityTable.from_scores(scores)
    middle = table.mean_probability if metric.key == "brier_reliability" else _base(table)
    squares = np.nan_to_num((table.share_positive - middle) ** 2)
    terms = {"rows · gap squared": table.n * squares}
    of = share("rows · gap squared, added up", "rows")
    return of(float(table.n @ squares), table.n.sum()).of_parts(_bins(table, terms))


def _base(table: ReliabilityTable) -> float:
    return float(table.positives.sum() / table.n.sum())


def _widest(metric: Metric, scores: ScoreTable) -> Working:
    table = ReliabilityTable.from_scores(scores)
    gap = table.mean_probability - table.share_positive
    worst = int(np.nanargmax(np.abs(gap)))
    words = (text("mean probability of the worst bin"), text("share positive there"))
    first, second = words if gap[worst] >= 0 else words[::-1]
    values = zip(words, (table.mean_probability[worst], table.share_positive[worst]), strict=True)
    made = Working(f"{first} - {second}", {word: float(value) for word, value in values})
    return made.of_parts(_bins(table, {"gap": np.abs(gap)}))


def _groups(metric: Metric, scores: ScoreTable) -> Working:
    groups = RiskGroups.from_scores(scores)
    terms = {
        "rows": groups.rows,
        "positive": groups.positives,
        "expected": groups.expected,
        "term": groups.terms,
    }
    total = float(groups.terms.sum())
    return known(text("terms of the groups, added up"), total).of_parts(parts("group", terms, BINS))


def _tail(metric: Metric, scores: ScoreTable) -> Working:
    test = HosmerLemeshow.from_scores(scores)
    freedom = test.groups - (2 if metric.key.endswith("fitted") else 0)
    return known(rf"P(\chi^2_{{{freedom}}} \ge {test.statistic:.6g})", float(metric(test)))


def _surplus(metric: Metric, scores: ScoreTable) -> Working:
    above, below = text("(y − p)(1 − 2p), added up"), text("(1 − 2p)² p (1 − p), added up")
    surplus, variance = surplus_and_variance(scores)
    return Working(rf"\frac{{{above}}}{{\sqrt{{{below}}}}}", {above: surplus, below: variance})


def _both_tails(metric: Metric, scores: ScoreTable) -> Working:
    test = Spiegelhalter.from_scores(scores)
    return known(rf"2 \, \Phi(-{abs(test.z):.6g})", test.p_value)


def _line(metric: Metric, scores: ScoreTable) -> Working:
    """Show that the fitted line gets the positives, and their log odds, right on the whole."""
    from scipy.special import expit, logit

    line = CalibrationLine.from_scores(scores)
    held = metric.key == "calibration_in_the_large"
    a, b = (line.in_the_large[0], 1.0) if held else (line.intercept[0], line.slope[0])
    positive, negative = scores.steps()
    odds = logit(scores.threshold)
    expected = (positive + negative) * expit(a + b * odds)
    value = b if metric.key == "calibration_slope" else a
    sums = {
        "added up": ["positives", "their log odds"][: 1 if held else 2],
        "in the rows": [float(positive.sum()), float(positive @ odds)][: 1 if held else 2],
        "by the line": [float(expected.sum()), float(expected @ odds)][: 1 if held else 2],
    }
    said = rf"{_LETTER[metric.key]} \text{{, for which both agree}}"
    return known(said, value).of_parts(parts("condition", sums))


_LETTER = {
    "calibration_slope": r"\hat{b}",
    "calibration_intercept": r"\hat{a}",
    "calibration_in_the_large": r"\hat{a}",
}

OF_PROBABILITIES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "ece": lambda metric, scores: of_bins(ReliabilityTable.from_scores(scores)),
        "mce": _widest,
        "brier_reliability": _squared,
        "brier_resolution": _squared,
        "hosmer_lemeshow": _groups,
        "hosmer_lemeshow_p": _tail,
        "hosmer_lemeshow_p_fitted": _tail,
        "spiegelhalter_z": _surplus,
        "spiegelhalter_p": _both_tails,
        **dict.fromkeys(_LETTER, _line),
    }
)
