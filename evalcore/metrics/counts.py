"""The four counts themselves, and the odds and likelihood ratios made of them."""

from functools import partial

from evalcore.metrics import sources
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, Source, ratio
from evalcore.tables.confusion import BinaryCounts

_cell = partial(
    Metric,
    family=Family.COUNTS,
    needs=BinaryCounts,
    interval=IntervalBy.NONE,
    low=0,
    high=float("inf"),
    source=sources.FAWCETT,
    undefined_when="never",
    unit="count",
)

TP = _cell(
    compute=lambda c: c.tp,
    key="tp",
    name="True positives",
    summary="Rows that are positive and were called positive.",
    formula="TP",
    better=Better.HIGHER,
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
    better=Better.HIGHER,
    synonyms=("correct rejections", "TN"),
)


def lr_plus(counts: BinaryCounts) -> Number:
    """Return recall over false positive rate.

    >>> lr_plus(BinaryCounts(tp=8, fp=1, fn=2, tn=9))
    8.0
    """
    return ratio(ratio(counts.tp, counts.positives), ratio(counts.fp, counts.negatives))


def lr_minus(counts: BinaryCounts) -> Number:
    """Return false negative rate over specificity.

    >>> lr_minus(BinaryCounts(tp=8, fp=2, fn=2, tn=8))
    0.25
    """
    return ratio(ratio(counts.fn, counts.positives), ratio(counts.tn, counts.negatives))


def diagnostic_odds_ratio(counts: BinaryCounts) -> Number:
    """Return the odds of a positive call among positives over those among negatives.

    >>> diagnostic_odds_ratio(BinaryCounts(tp=8, fp=2, fn=2, tn=8))
    16.0
    """
    return ratio(counts.tp * counts.tn, counts.fp * counts.fn)


_odds = partial(Metric, family=Family.COUNTS, needs=BinaryCounts, low=0, high=float("inf"))

LR_PLUS = _odds(
    compute=lr_plus,
    key="lr_plus",
    name="Positive likelihood ratio",
    summary="How many times likelier a positive call is for a positive row than for a negative.",
    formula=r"\frac{TP / (TP + FN)}{FP / (FP + TN)}",
    better=Better.HIGHER,
    source=sources.DEEKS_ALTMAN,
    undefined_when="a class has no rows, or no row is called positive",
    infinite_when="no negative row is called positive",
    synonyms=("LR+", "likelihood ratio of a positive test"),
    misleads="It multiplies odds, not probabilities.",
)

LR_MINUS = _odds(
    compute=lr_minus,
    key="lr_minus",
    name="Negative likelihood ratio",
    summary="How many times likelier a negative call is for a positive row than for a negative.",
    formula=r"\frac{FN / (TP + FN)}{TN / (FP + TN)}",
    better=Better.LOWER,
    source=sources.DEEKS_ALTMAN,
    undefined_when="a class has no rows, or no row is called negative",
    infinite_when="no negative row is called negative",
    synonyms=("LR-", "likelihood ratio of a negative test"),
)

DIAGNOSTIC_ODDS_RATIO = _odds(
    compute=diagnostic_odds_ratio,
    key="diagnostic_odds_ratio",
    name="Diagnostic odds ratio",
    summary="The positive over the negative likelihood ratio: one number for both.",
    formula=r"\frac{TP \cdot TN}{FP \cdot FN}",
    better=Better.HIGHER,
    source=Source(
        "Glas, Lijmer, Prins, Bonsel and Bossuyt (2003), The diagnostic odds ratio: a single "
        "indicator of test performance, Journal of Clinical Epidemiology 56(11)",
        "https://doi.org/10.1016/S0895-4356(03)00177-X",
    ),
    undefined_when="TP x TN and FP x FN are both 0",
    infinite_when="there are no false positives or no false negatives",
    synonyms=("DOR", "odds ratio"),
    misleads="It grows without bound as one kind of error vanishes.",
)
