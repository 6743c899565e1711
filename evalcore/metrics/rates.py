"""Counts, rates and F measures of a yes-or-no decision."""

from dataclasses import replace
from functools import partial

from evalcore.intervals.closed import Interval, wilson
from evalcore.metrics.metric import (
    DESCRIPTION,
    Better,
    Closed,
    Family,
    Metric,
    PercentileBootstrap,
    ratio,
    share_of,
)
from evalcore.metrics.sources import cite
from evalcore.outcomes import Number
from evalcore.tables.confusion import BinaryCounts

_decision = partial(Metric, family=Family.COUNTS, needs=BinaryCounts)
rate = partial(share_of, family=Family.COUNTS, needs=BinaryCounts)
"""Declares a share of rows by its two counts."""

RECALL = rate(
    lambda c: (c.tp, c.positives),
    key="recall",
    summary="Of the rows that are positive, the share that was called positive.",
    formula=r"\frac{TP}{TP + FN}",
    source=cite("Altman and Bland (1994), Diagnostic tests 1"),
    undefined_when="no row is positive",
    synonyms=("sensitivity", "true positive rate", "TPR", "hit rate", "power"),
    misleads="Calling every row positive gives 1; read it beside precision or specificity.",
)

PRECISION = rate(
    lambda c: (c.tp, c.predicted_positive),
    key="precision",
    summary="Of the rows called positive, the share that is positive.",
    formula=r"\frac{TP}{TP + FP}",
    source=cite("Altman and Bland (1994), Diagnostic tests 2"),
    undefined_when="no row is called positive",
    synonyms=("positive predictive value", "PPV"),
    misleads="It falls as positives become rarer, with the same model; scikit-learn shows 0 "
    "where it is undefined.",
)

SPECIFICITY = rate(
    lambda c: (c.tn, c.negatives),
    key="specificity",
    summary="Of the rows that are negative, the share that was called negative.",
    formula=r"\frac{TN}{TN + FP}",
    source=cite("Altman and Bland (1994), Diagnostic tests 1"),
    undefined_when="no row is negative",
    synonyms=("true negative rate", "TNR", "selectivity"),
    misleads="With rare positives even 0.99 can mean more false alarms than hits.",
)

NPV = rate(
    lambda c: (c.tn, c.predicted_negative),
    key="npv",
    name="Negative predictive value",
    summary="Of the rows called negative, the share that is negative.",
    formula=r"\frac{TN}{TN + FN}",
    source=cite("Altman and Bland (1994), Diagnostic tests 2"),
    undefined_when="no row is called negative",
    synonyms=("NPV",),
    misleads="With rare positives it is near 1 for any model.",
)

FPR = rate(
    lambda c: (c.fp, c.negatives),
    key="fpr",
    name="False positive rate",
    summary="Of the rows that are negative, the share that was called positive.",
    formula=r"\frac{FP}{FP + TN}",
    better=Better.LOWER,
    source=cite("Fawcett (2006)"),
    undefined_when="no row is negative",
    synonyms=("fall-out", "false alarm rate", "FPR", "1 - specificity"),
    misleads="Its denominator is the negatives, not the alarms: see the false discovery rate.",
)

FNR = rate(
    lambda c: (c.fn, c.positives),
    key="fnr",
    name="False negative rate",
    summary="Of the rows that are positive, the share that was missed.",
    formula=r"\frac{FN}{FN + TP}",
    better=Better.LOWER,
    source=cite("Powers (2011)"),
    undefined_when="no row is positive",
    synonyms=("miss rate", "FNR", "1 - recall"),
)

FDR = rate(
    lambda c: (c.fp, c.predicted_positive),
    key="fdr",
    name="False discovery rate",
    summary="Of the rows called positive, the share that is negative.",
    formula=r"\frac{FP}{FP + TP}",
    better=Better.LOWER,
    source=cite("Altman and Bland (1994), Diagnostic tests 2"),
    undefined_when="no row is called positive",
    synonyms=("FDR", "1 - precision"),
)

FOR = rate(
    lambda c: (c.fn, c.predicted_negative),
    key="for",
    name="False omission rate",
    summary="Of the rows called negative, the share that is positive.",
    formula=r"\frac{FN}{FN + TN}",
    better=Better.LOWER,
    source=cite("Altman and Bland (1994), Diagnostic tests 2"),
    undefined_when="no row is called negative",
    synonyms=("FOR", "1 - NPV"),
)

JACCARD = rate(
    lambda c: (c.tp, c.tp + c.fp + c.fn),
    key="jaccard",
    name="Jaccard index",
    summary="Of the rows that are positive or were called so, the share that is both.",
    formula=r"\frac{TP}{TP + FP + FN}",
    source=cite("Jaccard (1912)"),
    undefined_when="no row is positive and none was called positive",
    synonyms=("critical success index", "CSI", "threat score", "intersection over union", "IoU"),
    misleads="It ranks models as F1 does; it adds nothing beside it.",
)

PREVALENCE = rate(
    lambda c: (c.positives, c.total),
    key="prevalence",
    summary="The share of rows that is positive.",
    formula=r"\frac{TP + FN}{TP + FP + FN + TN}",
    better=Better.NEITHER,
    source=cite("Kuhn (2008)"),
    synonyms=("base rate", "class prior"),
    misleads="A file made by picking rows need not have the prevalence of the world.",
)

DETECTION_RATE = rate(
    lambda c: (c.tp, c.total),
    key="detection_rate",
    summary="The share of all rows that is positive and was called positive.",
    formula=r"\frac{TP}{TP + FP + FN + TN}",
    source=cite("Kuhn (2008)"),
    misleads="It cannot exceed the prevalence; some use the name for recall.",
)

DETECTION_PREVALENCE = rate(
    lambda c: (c.predicted_positive, c.total),
    key="detection_prevalence",
    summary="The share of all rows that was called positive: how much work the alarms make.",
    formula=r"\frac{TP + FP}{TP + FP + FN + TN}",
    better=Better.NEITHER,
    source=cite("Kuhn (2008)"),
    synonyms=("predicted positive rate", "alert rate", "rate of positive predictions"),
)


_cell = partial(
    _decision,
    interval=DESCRIPTION,
    high=float("inf"),
    source=cite("Fawcett (2006)"),
    undefined_when="never",
    unit="count",
)

TP = _cell(
    compute=lambda c: c.tp,
    key="tp",
    name="True positives",
    summary="Rows that are positive and were called positive.",
    formula="TP",
    synonyms=("hits", "TP"),
)

FP = _cell(
    compute=lambda c: c.fp,
    key="fp",
    name="False positives",
    summary="Rows that are negative but were called positive.",
    formula="FP",
    better=Better.LOWER,
    synonyms=("false alarms", "type I errors", "FP"),
)

FN = _cell(
    compute=lambda c: c.fn,
    key="fn",
    name="False negatives",
    summary="Rows that are positive but were called negative.",
    formula="FN",
    better=Better.LOWER,
    synonyms=("misses", "type II errors", "FN"),
)

TN = _cell(
    compute=lambda c: c.tn,
    key="tn",
    name="True negatives",
    summary="Rows that are negative and were called negative.",
    formula="TN",
    synonyms=("correct rejections", "TN"),
)


_odds = partial(_decision, high=float("inf"))

LR_PLUS = _odds(
    compute=lambda counts: ratio(
        ratio(counts.tp, counts.positives), ratio(counts.fp, counts.negatives)
    ),
    key="lr_plus",
    name="Positive likelihood ratio",
    summary="How many times likelier a positive call is for a positive row than for a negative.",
    formula=r"\frac{TP / (TP + FN)}{FP / (FP + TN)}",
    source=cite("Deeks and Altman (2004)"),
    undefined_when="a class has no rows, or no row is called positive",
    infinite_when="no negative row is called positive",
    synonyms=("LR+", "likelihood ratio of a positive test"),
    misleads="It multiplies odds, not probabilities.",
)

LR_MINUS = _odds(
    compute=lambda counts: ratio(
        ratio(counts.fn, counts.positives), ratio(counts.tn, counts.negatives)
    ),
    key="lr_minus",
    name="Negative likelihood ratio",
    summary="How many times likelier a negative call is for a positive row than for a negative.",
    formula=r"\frac{FN / (TP + FN)}{TN / (FP + TN)}",
    better=Better.LOWER,
    source=cite("Deeks and Altman (2004)"),
    undefined_when="a class has no rows, or no row is called negative",
    infinite_when="no negative row is called negative",
    synonyms=("LR-", "likelihood ratio of a negative test"),
)

DIAGNOSTIC_ODDS_RATIO = _odds(
    compute=lambda counts: ratio(counts.tp * counts.tn, counts.fp * counts.fn),
    key="diagnostic_odds_ratio",
    summary="The positive over the negative likelihood ratio: one number for both.",
    formula=r"\frac{TP \cdot TN}{FP \cdot FN}",
    source=cite("Glas, Lijmer, Prins, Bonsel and Bossuyt (2003)"),
    undefined_when="TP x TN and FP x FN are both 0",
    infinite_when="there are no false positives or no false negatives",
    synonyms=("DOR", "odds ratio"),
    misleads="It grows without bound as one kind of error vanishes.",
)


def f_beta(beta: float, key: str = "") -> Metric:
    """Declare the F measure in which recall weighs `beta` times as much as precision.

    >>> f_beta(2)(BinaryCounts(tp=2, fp=2, fn=1, tn=0)) == 10 / 16
    True
    """
    square = beta**2

    emphasis = "" if beta == 1 else f", recall weighing {beta:g} times as much as precision"

    def compute(counts: BinaryCounts) -> Number:
        hits = (1 + square) * counts.tp
        return ratio(hits, hits + square * counts.fn + counts.fp)

    by_jaccard = Closed(_of_jaccard, "Wilson’s interval of the Jaccard index J, as 2 J / (1 + J).")
    return _decision(
        key=key or f"f_beta({beta:g})",
        interval=by_jaccard if beta == 1 else PercentileBootstrap(),
        name=f"F{beta:g} score",
        compute=compute,
        summary=f"Harmonic mean of precision and recall{emphasis}.",
        formula=_formula(square),
        source=cite("van Rijsbergen (1979)"),
        undefined_when="no row is positive and none is called positive",
        synonyms=("F measure", "F score", "F beta", "Dice coefficient"),
        parameters={"beta": float(beta)},
        misleads="True negatives do not count, and swapping the classes changes it.",
    )


def _of_jaccard(counts: BinaryCounts, level: float) -> Interval:
    """Return the interval of F1, which rises with the Jaccard index, a share of rows."""
    found = wilson(counts.tp, counts.tp + counts.fp + counts.fn, level)
    low, high = (2 * end / (1 + end) for end in (found.low, found.high))
    return replace(found, low=low, high=high, method="wilson-jaccard")


def _formula(square: float) -> str:
    if square == 1:
        return r"\frac{2 TP}{2 TP + FP + FN}"
    hits = f"{1 + square:g} TP"
    return rf"\frac{{{hits}}}{{{hits} + FP + {square:g} FN}}"


F1 = f_beta(1, key="f1")
F0_5 = f_beta(0.5, key="f0_5")
F2 = f_beta(2, key="f2")
