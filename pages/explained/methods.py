"""How intervals are made, in sentences."""

from collections.abc import Mapping
from types import MappingProxyType

from evalcore.metrics.spec import Estimate, Interval, Metric

_PERCENTILES = (
    "the rows are drawn again and again, with replacement, and the number is made anew each time"
)

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "wilson": "Wilson’s method for a share of rows: all true shares for which the observed "
        "one would be no surprise",
        "clopper-pearson": "the exact method of Clopper and Pearson: it never covers too little",
        "jeffreys": "Jeffreys’ method: what the observed share leaves open, starting from nothing",
        "agresti-coull": "Agresti and Coull’s method: Wilson’s, made simple",
        "delong": "DeLong’s method: how much the area would vary with other rows, from how each "
        "row ranks among those of the other class",
        "delong-logit": "DeLong’s method on the logit scale, which keeps the ends within the range",
        "newcombe": "Newcombe’s method, which leaves room for error where these rows show none",
        "bootstrap-percentile": f"the bootstrap: {_PERCENTILES}; the ends cut off what is most "
        "extreme",
        "bootstrap-bca": f"the bootstrap (BCa): {_PERCENTILES}; the ends are moved for bias and "
        "skewness",
        "bootstrap-grouped": "the bootstrap of groups: rows are dealt into 2,000 groups, which are "
        "drawn again and again, with replacement",
        "wald": "the number plus and minus its standard error, as often as the level asks",
        "normal-mean": "the mean plus and minus its standard error, as often as the level asks",
        "t": "Student’s t: the mean plus and minus its standard error, as often as the level asks",
        "fisher-z": "Fisher’s method for a correlation: normal on a scale that has no ends",
        "order-statistics": "two of the sorted values, as far apart as chance may move the middle",
    }
)
"""What is said of each method of an interval."""

DECLARED: Mapping[Interval, str] = MappingProxyType(
    {
        Interval.WILSON: "Wilson’s method for a share of rows.",
        Interval.DELONG: "DeLong’s method, from how each row ranks among those of the other class.",
        Interval.STANDARD_ERROR: "The number plus and minus its standard error, as often as the "
        "level asks.",
        Interval.MEAN: "A bootstrap of the losses of the rows; with very many rows, mean plus and "
        "minus its standard error.",
        Interval.CLOSED: "A formula for this number alone, without resampling.",
        Interval.BOOTSTRAP: f"The bootstrap: {_PERCENTILES}.",
        Interval.NONE: "None.",
    }
)
"""What is said of the interval of a metric, whatever the data."""


def told(estimate: Estimate) -> str:
    """Return how the interval of an estimate was made, in a sentence; "" where there is none.

    >>> told(Estimate(0.5, 0.4, 0.6, "delong", 0.95))[:60]
    '95% interval by DeLong’s method: how much the area would var'
    """
    if estimate.method is None or estimate.level is None:
        return ""
    method = METHODS.get(estimate.method, estimate.method)
    return f"{estimate.level:.0%} interval by {method}."


def declared(metric: Metric) -> str:
    """Return how the interval of a metric is made."""
    if metric.key in ("pearson", "spearman", "kendall_tau_a", "kendall_tau_b"):
        return "Fisher’s method for a correlation, without resampling."
    return DECLARED[metric.interval]
