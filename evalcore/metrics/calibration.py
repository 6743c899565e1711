"""Whether probabilities mean what they say, bin by bin."""

from functools import partial

import numpy as np

from evalcore.metrics import sources
from evalcore.metrics.spec import Better, Family, IntervalBy, Metric, Number, ratio, scalar
from evalcore.tables.reliability import ReliabilityTable


def ece(table: ReliabilityTable) -> Number:
    """Return the mean distance of the bins' probability from their share of positives.

    Bins weigh by their rows; arrays of shape (..., K) serve bootstrap draws.
    """
    gaps = np.abs(table.positives - table.probability_sum).sum(axis=-1)
    return ratio(gaps, table.n.sum(axis=-1))


def mce(table: ReliabilityTable) -> Number:
    """Return the largest distance of a bin's probability from its share of positives."""
    gaps = ratio(np.abs(table.positives - table.probability_sum), table.n)
    largest = np.where(table.n > 0, gaps, -np.inf).max(axis=-1)
    return scalar(np.where(largest >= 0, largest, np.nan))


def brier_reliability(table: ReliabilityTable) -> Number:
    """Return the mean squared distance of the bins' probability from their share of positives."""
    gaps = np.asarray(table.positives - table.probability_sum, dtype=np.float64)
    squares = np.where(table.n > 0, ratio(gaps**2, table.n), 0.0).sum(axis=-1)
    return ratio(squares, table.n.sum(axis=-1))


def brier_resolution(table: ReliabilityTable) -> Number:
    """Return the mean squared distance of the bins' share of positives from that of all rows."""
    total, positives = table.n.sum(axis=-1), table.positives.sum(axis=-1)
    base = np.asarray(ratio(positives, total))
    shift = table.positives - base[..., np.newaxis] * table.n
    squares = np.where(table.n > 0, ratio(shift**2, table.n), 0.0).sum(axis=-1)
    return ratio(squares, total)


_binned = partial(
    Metric,
    family=Family.PROBABILITY,
    needs=ReliabilityTable,
    interval=IntervalBy.BASIC,
    low=0,
    undefined_when="there are no rows",
)

_BY_BINS = "It depends on the number of bins and how they are cut, and few rows a bin inflate it."

ECE = _binned(
    key="ece",
    name="Expected calibration error",
    compute=ece,
    summary="How far the probability of a bin is from the share of positives there, on average.",
    formula=r"\sum_b \frac{n_b}{n} \left| \bar{p}_b - \bar{y}_b \right|",
    high=1,
    better=Better.LOWER,
    source=sources.NAEINI,
    synonyms=("ECE",),
    misleads=_BY_BINS,
)

MCE = _binned(
    key="mce",
    name="Maximum calibration error",
    compute=mce,
    summary="How far the probability of the worst bin is from the share of positives there.",
    formula=r"\max_b \left| \bar{p}_b - \bar{y}_b \right|",
    high=1,
    better=Better.LOWER,
    source=sources.NAEINI,
    synonyms=("MCE",),
    misleads="The worst bin is often the emptiest one. " + _BY_BINS,
)

BRIER_RELIABILITY = _binned(
    key="brier_reliability",
    name="Brier reliability",
    compute=brier_reliability,
    summary="The part of the Brier score due to probabilities that do not mean what they say.",
    formula=r"\sum_b \frac{n_b}{n} (\bar{p}_b - \bar{y}_b)^2",
    high=1,
    better=Better.LOWER,
    source=sources.MURPHY,
    synonyms=("calibration loss", "REL"),
    misleads="Reliability - resolution + uncertainty is the Brier score only where all rows of "
    "a bin have the same probability.",
)

BRIER_RESOLUTION = _binned(
    key="brier_resolution",
    name="Brier resolution",
    compute=brier_resolution,
    summary="How far the bins' shares of positives differ from that of all rows.",
    formula=r"\sum_b \frac{n_b}{n} (\bar{y}_b - \bar{y})^2",
    high=0.25,
    better=Better.HIGHER,
    source=sources.MURPHY,
    synonyms=("RES", "sharpness of outcomes"),
    misleads=_BY_BINS,
)
