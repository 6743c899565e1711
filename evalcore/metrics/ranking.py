"""How well scores put positives before negatives, over all thresholds at once."""

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.draws import in_parts
from evalcore.metrics.h_measure import h_measure
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio, scalar
from evalcore.tables.areas import average_precision, precision_recall_area, roc_area
from evalcore.tables.partial import partial_roc_area
from evalcore.tables.scores import ScoreTable

ROC_AUC = Metric(
    key="roc_auc",
    name="ROC AUC",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=roc_area,
    summary="How often a positive row has a higher score than a negative one; ties count half.",
    formula=r"P(s^{+} > s^{-}) + \tfrac{1}{2} P(s^{+} = s^{-})",
    low=0,
    high=1,
    better=Better.HIGHER,
    interval=IntervalBy.DELONG,
    source=Source(
        "Hanley and McNeil (1982), The meaning and use of the area under a receiver operating "
        "characteristic (ROC) curve, Radiology 143(1)",
        "https://doi.org/10.1148/radiology.143.1.7063747",
    ),
    undefined_when="the truth holds only one class",
    synonyms=("AUC", "AUROC", "c statistic", "concordance", "Mann-Whitney U / (P N)"),
    misleads="With rare positives 0.95 can still mean that most alarms are false.",
)

GINI = Metric(
    key="gini",
    name="Gini coefficient",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=lambda table: 2 * roc_area(table) - 1,
    summary="ROC AUC on a scale where 0 is guessing: twice the AUC minus 1.",
    formula=r"2 \, AUC - 1",
    low=-1,
    high=1,
    better=Better.HIGHER,
    interval=IntervalBy.DELONG,
    source=sources.HAND_TILL,
    undefined_when="the truth holds only one class",
    synonyms=("Somers' D", "accuracy ratio"),
    misleads="It is not the Gini impurity of decision trees.",
)

AVERAGE_PRECISION = Metric(
    key="average_precision",
    name="Average precision",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=average_precision,
    summary="Precision at each positive's own score, averaged over the positives.",
    formula=r"\sum_i (R_i - R_{i-1}) P_i",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=sources.MANNING,
    undefined_when="no row is positive",
    synonyms=("AP", "PR AUC (step rule)", "mean average precision of one query"),
    misleads="Guessing reaches the prevalence, not one half: compare it with that.",
)

PR_AUC_TRAPEZOID = Metric(
    key="pr_auc_trapezoid",
    name="Trapezoid area under precision-recall",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=in_parts(precision_recall_area),
    summary="Area under straight lines between the precision-recall points.",
    formula=r"\sum_i (R_i - R_{i-1}) \frac{P_i + P_{i-1}}{2}",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, ICML",
        "https://doi.org/10.1145/1143844.1143874",
    ),
    undefined_when="no row is positive",
    synonyms=("AUPRC", "PR AUC"),
    misleads="Straight lines are too kind where scores are tied: prefer average precision.",
)


def partial_roc_auc(max_fpr: float, key: str = "") -> Metric:
    """Declare the area under the ROC curve up to a false positive rate, standardised.

    >>> table = ScoreTable.from_scores(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1]))
    >>> partial_roc_auc(1.0)(table) == roc_area(table)
    True
    """
    return Metric(
        key=key or f"partial_roc_auc({max_fpr:g})",
        name=f"Partial ROC AUC (FPR up to {max_fpr:g})",
        family=Family.RANKING,
        needs=ScoreTable,
        compute=in_parts(lambda table: partial_roc_area(table, 0.0, max_fpr)),
        summary=f"ROC AUC where at most {max_fpr:.0%} of the negatives are called positive, "
        "rescaled so that guessing gives 0.5 and perfect gives 1.",
        formula=r"\frac{1}{2}\left(1 + \frac{A(f) - f^2/2}{f - f^2/2}\right)",
        low=(1 - max_fpr) / (2 - max_fpr),
        high=1,
        better=Better.HIGHER,
        source=Source(
            "McClish (1989), Analyzing a portion of the ROC curve, Medical Decision Making 9(3)",
            "https://doi.org/10.1177/0272989X8900900307",
        ),
        undefined_when="the truth holds only one class",
        synonyms=("pAUC", "McClish AUC"),
        parameters={"max_fpr": float(max_fpr)},
        misleads="Values of different ranges, and raw areas, do not compare.",
    )


def ks_statistic(table: ScoreTable) -> Number:
    """Return the largest distance between the score distributions of the two classes.

    >>> ks_statistic(ScoreTable.from_scores(np.array([0.9, 0.8, 0.7]), np.array([1, 0, 1])))
    0.5
    """
    tpr, fpr = ratio(table.tp, table.tp[..., -1:]), ratio(table.fp, table.fp[..., -1:])
    return scalar(np.abs(tpr - fpr).max(axis=-1))


KS_STATISTIC = Metric(
    key="ks_statistic",
    name="Kolmogorov-Smirnov statistic",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=in_parts(ks_statistic),
    summary="The largest gap between the score distributions of positives and negatives.",
    formula=r"\max_t \left| TPR(t) - FPR(t) \right|",
    low=0,
    high=1,
    better=Better.HIGHER,
    source=Source(
        "Massey (1951), The Kolmogorov-Smirnov test for goodness of fit, Journal of the American "
        "Statistical Association 46",
        "https://doi.org/10.1080/01621459.1951.10500769",
    ),
    undefined_when="the truth holds only one class",
    synonyms=("KS", "K-S distance"),
    misleads="It is large for a score that ranks backwards, too.",
)

PARTIAL_ROC_AUC = partial_roc_auc(0.1, key="partial_roc_auc")

H_MEASURE = Metric(
    key="h_measure",
    name="H measure",
    family=Family.RANKING,
    needs=ScoreTable,
    compute=in_parts(h_measure),
    summary="How much the best thresholds save of the loss of guessing, over a spread of costs.",
    formula=r"1 - \frac{\int_0^1 \min_t Q(c, t) \, u(c) \, dc}{\int_0^1 "
    r"\min(c \pi_0, (1 - c) \pi_1) \, u(c) \, dc}, \; u = \mathrm{Beta}(1 + \pi_1, 2 - \pi_1)",
    low=0,
    high=1,
    better=Better.HIGHER,
    interval=IntervalBy.BASIC,
    source=Source(
        "Hand and Anagnostopoulos (2014), A better Beta for the H measure of classification "
        "performance, Pattern Recognition Letters 40",
        "https://doi.org/10.1016/j.patrec.2013.12.011",
    ),
    undefined_when="the truth holds only one class",
    synonyms=("H",),
    misleads="It takes misclassifying a row of the rarer class to cost more, by the severity "
    "Beta(1 + prevalence, 2 - prevalence).",
)
