"""Shares of rows: each is k of n, so each has an exact interval."""

from collections.abc import Callable
from typing import Any

from evalcore.metrics import sources
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio
from evalcore.tables.confusion import BinaryCounts

Proportion = Callable[[BinaryCounts], tuple[Number, Number]]


def rate(of: Proportion, **declaration: Any) -> Metric:
    """Declare a share of rows by the function that gives its two counts, (k, n).

    >>> RECALL(BinaryCounts(tp=3, fp=1, fn=1, tn=5))
    0.75
    """
    return Metric(
        family=Family.COUNTS,
        needs=BinaryCounts,
        compute=lambda counts: ratio(*of(counts)),
        proportion=of,
        interval=IntervalBy.WILSON,
        low=0,
        high=1,
        unit="share",
        **declaration,
    )


RECALL = rate(
    lambda c: (c.tp, c.positives),
    key="recall",
    name="Recall",
    summary="Of the rows that are positive, the share that was called positive.",
    formula=r"\frac{TP}{TP + FN}",
    better=Better.HIGHER,
    source=sources.ALTMAN_BLAND_SENSITIVITY,
    undefined_when="no row is positive",
    synonyms=("sensitivity", "true positive rate", "TPR", "hit rate", "power"),
    misleads="Calling every row positive gives 1; read it beside precision or specificity.",
)

PRECISION = rate(
    lambda c: (c.tp, c.predicted_positive),
    key="precision",
    name="Precision",
    summary="Of the rows called positive, the share that is positive.",
    formula=r"\frac{TP}{TP + FP}",
    better=Better.HIGHER,
    source=sources.ALTMAN_BLAND_PREDICTIVE,
    undefined_when="no row is called positive",
    synonyms=("positive predictive value", "PPV"),
    misleads="It falls as positives become rarer, with the same model; scikit-learn shows 0 "
    "where it is undefined.",
)

SPECIFICITY = rate(
    lambda c: (c.tn, c.negatives),
    key="specificity",
    name="Specificity",
    summary="Of the rows that are negative, the share that was called negative.",
    formula=r"\frac{TN}{TN + FP}",
    better=Better.HIGHER,
    source=sources.ALTMAN_BLAND_SENSITIVITY,
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
    better=Better.HIGHER,
    source=sources.ALTMAN_BLAND_PREDICTIVE,
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
    source=sources.FAWCETT,
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
    source=sources.POWERS,
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
    source=sources.ALTMAN_BLAND_PREDICTIVE,
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
    source=sources.ALTMAN_BLAND_PREDICTIVE,
    undefined_when="no row is called negative",
    synonyms=("FOR", "1 - NPV"),
)

JACCARD = rate(
    lambda c: (c.tp, c.tp + c.fp + c.fn),
    key="jaccard",
    name="Jaccard index",
    summary="Of the rows that are positive or were called so, the share that is both.",
    formula=r"\frac{TP}{TP + FP + FN}",
    better=Better.HIGHER,
    source=Source(
        "Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11(2)",
        "https://doi.org/10.1111/j.1469-8137.1912.tb05611.x",
    ),
    undefined_when="no row is positive and none was called positive",
    synonyms=("critical success index", "CSI", "threat score", "intersection over union", "IoU"),
    misleads="It ranks models as F1 does; it adds nothing beside it.",
)

PREVALENCE = rate(
    lambda c: (c.positives, c.total),
    key="prevalence",
    name="Prevalence",
    summary="The share of rows that is positive.",
    formula=r"\frac{TP + FN}{TP + FP + FN + TN}",
    better=Better.NEITHER,
    source=sources.KUHN,
    undefined_when="there are no rows",
    synonyms=("base rate", "class prior"),
    misleads="A file made by picking rows need not have the prevalence of the world.",
)

DETECTION_RATE = rate(
    lambda c: (c.tp, c.total),
    key="detection_rate",
    name="Detection rate",
    summary="The share of all rows that is positive and was called positive.",
    formula=r"\frac{TP}{TP + FP + FN + TN}",
    better=Better.HIGHER,
    source=sources.KUHN,
    undefined_when="there are no rows",
    misleads="It cannot exceed the prevalence; some use the name for recall.",
)

DETECTION_PREVALENCE = rate(
    lambda c: (c.predicted_positive, c.total),
    key="detection_prevalence",
    name="Detection prevalence",
    summary="The share of all rows that was called positive: how much work the alarms make.",
    formula=r"\frac{TP + FP}{TP + FP + FN + TN}",
    better=Better.NEITHER,
    source=sources.KUHN,
    undefined_when="there are no rows",
    synonyms=("predicted positive rate", "alert rate", "rate of positive predictions"),
)
