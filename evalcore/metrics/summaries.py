"""Single numbers that sum up a whole confusion matrix."""

from functools import partial

import numpy as np

from evalcore.metrics import matrix, sources
from evalcore.metrics.rates import NPV, PRECISION, RECALL, SPECIFICITY, rate
from evalcore.metrics.spec import Better, Family, Metric, Number, Source, ratio, scalar
from evalcore.tables.confusion import BinaryCounts


def youden_j(counts: BinaryCounts) -> Number:
    """Return recall + specificity - 1.

    >>> youden_j(BinaryCounts(tp=3, fp=1, fn=1, tn=3))
    0.5
    """
    return RECALL(counts) + SPECIFICITY(counts) - 1


def markedness(counts: BinaryCounts) -> Number:
    """Return precision + negative predictive value - 1.

    >>> markedness(BinaryCounts(tp=3, fp=1, fn=1, tn=3))
    0.5
    """
    return PRECISION(counts) + NPV(counts) - 1


def balanced_accuracy(counts: BinaryCounts) -> Number:
    """Return the mean of recall and specificity.

    >>> balanced_accuracy(BinaryCounts(tp=1, fp=0, fn=1, tn=6))
    0.75
    """
    return (RECALL(counts) + SPECIFICITY(counts)) / 2


def g_mean(counts: BinaryCounts) -> Number:
    """Return the geometric mean of recall and specificity.

    >>> g_mean(BinaryCounts(tp=1, fp=0, fn=3, tn=6))
    0.5
    """
    return _root(RECALL(counts) * SPECIFICITY(counts))


def fowlkes_mallows(counts: BinaryCounts) -> Number:
    """Return the geometric mean of precision and recall.

    >>> fowlkes_mallows(BinaryCounts(tp=1, fp=0, fn=3, tn=6))
    0.5
    """
    return _root(PRECISION(counts) * RECALL(counts))


def mcc(counts: BinaryCounts) -> Number:
    """Return the correlation of truth and decision, both taken as 0 and 1.

    >>> mcc(BinaryCounts(tp=4, fp=1, fn=1, tn=4))
    0.6
    """
    of_truth = counts.positives * counts.negatives
    of_decision = counts.predicted_positive * counts.predicted_negative
    covariance = counts.tp * counts.tn - counts.fp * counts.fn
    return ratio(covariance, np.sqrt(of_truth * of_decision))


def cohen_kappa(counts: BinaryCounts) -> Number:
    """Return (observed - expected) / (1 - expected agreement).

    >>> cohen_kappa(BinaryCounts(tp=4, fp=1, fn=1, tn=4))
    0.6
    """
    by_chance = counts.positives * counts.predicted_negative
    by_chance = by_chance + counts.negatives * counts.predicted_positive
    return ratio(2 * (counts.tp * counts.tn - counts.fp * counts.fn), by_chance)


def _root(square: Number) -> Number:
    return scalar(np.sqrt(square))


_summary = partial(Metric, family=Family.COUNTS, needs=BinaryCounts)

ACCURACY = rate(
    lambda c: (c.tp + c.tn, c.total),
    key="accuracy",
    name="Accuracy",
    over_classes=matrix.accuracy,
    proportion_over_classes=matrix.correct_and_total,
    summary="The share of rows called right.",
    formula=r"\frac{TP + TN}{TP + FP + FN + TN}",
    better=Better.HIGHER,
    source=sources.FAWCETT,
    undefined_when="there are no rows",
    synonyms=("proportion correct", "percent correct"),
    misleads="With 1% positives, calling none gives 0.99: compare the no-information rate.",
)

ERROR_RATE = rate(
    lambda c: (c.fp + c.fn, c.total),
    key="error_rate",
    name="Error rate",
    over_classes=matrix.error_rate,
    proportion_over_classes=matrix.wrong_and_total,
    summary="The share of rows called wrong.",
    formula=r"\frac{FP + FN}{TP + FP + FN + TN}",
    better=Better.LOWER,
    source=sources.FAWCETT,
    undefined_when="there are no rows",
    synonyms=("misclassification rate", "zero-one loss", "1 - accuracy"),
    misleads="With rare positives it is small for any model that calls few rows positive.",
)

BALANCED_ACCURACY = _summary(
    key="balanced_accuracy",
    name="Balanced accuracy",
    compute=balanced_accuracy,
    over_classes=matrix.balanced_accuracy,
    summary="The mean of the recall of every class, each class counting the same.",
    formula=r"\frac{1}{2}\left(\frac{TP}{TP + FN} + \frac{TN}{TN + FP}\right)",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Brodersen, Ong, Stephan and Buhmann (2010), The balanced accuracy and its posterior "
        "distribution, ICPR",
        "https://doi.org/10.1109/ICPR.2010.764",
    ),
    undefined_when="a class has no rows",
    synonyms=("mean recall", "macro recall", "BER = 1 - balanced accuracy"),
    misleads="It hides how many false alarms a rare class brings: see precision.",
)

MCC = _summary(
    key="mcc",
    name="Matthews correlation",
    compute=mcc,
    over_classes=matrix.mcc,
    summary="The correlation of truth and decision: 1 perfect, 0 no better than chance.",
    formula=r"\frac{TP \cdot TN - FP \cdot FN}"
    r"{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}",
    low=-1,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Gorodkin (2004), Comparing two K-category assignments by a K-category correlation "
        "coefficient, Computational Biology and Chemistry 28",
        "https://doi.org/10.1016/j.compbiolchem.2004.09.006",
    ),
    undefined_when="truth or decisions hold one class only",
    synonyms=("MCC", "phi coefficient", "R_K statistic"),
    misleads="scikit-learn shows 0 where it is undefined.",
)

COHEN_KAPPA = _summary(
    key="cohen_kappa",
    name="Cohen's kappa",
    compute=cohen_kappa,
    over_classes=matrix.cohen_kappa,
    summary="How far the agreement of truth and decision exceeds the one due to chance.",
    formula=r"\frac{2 (TP \cdot TN - FN \cdot FP)}"
    r"{(TP + FP)(FP + TN) + (TP + FN)(FN + TN)}",
    low=-1,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Cohen (1960), A coefficient of agreement for nominal scales, Educational and "
        "Psychological Measurement 20(1)",
        "https://doi.org/10.1177/001316446002000104",
    ),
    undefined_when="truth and decisions hold the same one class only",
    synonyms=("kappa", "kappa statistic"),
    misleads="It depends on the prevalence: the same recall and specificity give other values.",
)

YOUDEN_J = _summary(
    key="youden_j",
    name="Youden's J",
    compute=youden_j,
    summary="Recall plus specificity minus 1: 0 is as good as guessing.",
    formula=r"\frac{TP}{TP + FN} + \frac{TN}{TN + FP} - 1",
    low=-1,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Youden (1950), Index for rating diagnostic tests, Cancer 3(1)",
        "https://doi.org/10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
    ),
    undefined_when="a class has no rows",
    synonyms=("informedness", "bookmaker informedness", "Peirce skill score", "TSS"),
    misleads="It weighs a missed positive and a false alarm by their class sizes, not their cost.",
)

MARKEDNESS = _summary(
    key="markedness",
    name="Markedness",
    compute=markedness,
    summary="Precision plus negative predictive value minus 1: how far a call can be trusted.",
    formula=r"\frac{TP}{TP + FP} + \frac{TN}{TN + FN} - 1",
    low=-1,
    high=1,
    better=Better.HIGHER,
    source=sources.POWERS,
    undefined_when="all rows are called the same",
    synonyms=("delta P",),
)

G_MEAN = _summary(
    key="g_mean",
    name="G-mean",
    compute=g_mean,
    summary="The geometric mean of recall and specificity: low when either is.",
    formula=r"\sqrt{\frac{TP}{TP + FN} \cdot \frac{TN}{TN + FP}}",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Kubat, Holte and Matwin (1998), Machine learning for the detection of oil spills in "
        "satellite radar images, Machine Learning 30",
        "https://doi.org/10.1023/A:1007452223027",
    ),
    undefined_when="a class has no rows",
    synonyms=("geometric mean",),
    misleads="Some use the name for the geometric mean of precision and recall.",
)

FOWLKES_MALLOWS = _summary(
    key="fowlkes_mallows",
    name="Fowlkes-Mallows index",
    compute=fowlkes_mallows,
    summary="The geometric mean of precision and recall.",
    formula=r"\frac{TP}{\sqrt{(TP + FP)(TP + FN)}}",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Fowlkes and Mallows (1983), A method for comparing two hierarchical clusterings, "
        "Journal of the American Statistical Association 78",
        "https://doi.org/10.1080/01621459.1983.10478008",
    ),
    undefined_when="no row is positive, or none is called positive",
    synonyms=("FM index", "G measure"),
)
