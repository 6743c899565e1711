"""Every number there is, by the name that an address gives it, and how intervals are made."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import inf
from types import MappingProxyType

from evalcore.metrics.catalog import METRICS, PARAMETRIC, WITH_COSTS
from evalcore.metrics.metric import Better, Estimate, Family, Metric

_PERCENTILES = (
    "rows are resampled with replacement many times, and the number is recomputed each time"
)

METHODS: Mapping[str, str] = MappingProxyType(
    {
        "wilson": "Wilson’s score method for a share of rows: every share that a z test at this "
        "level would not reject",
        "wilson-jaccard": "Wilson’s method for the Jaccard index J, a share of rows, from which F1 "
        "follows as 2 J / (1 + J)",
        "wilson-mover": "Wilson’s intervals of recall and specificity, combined by the method of "
        "variance estimates recovery (MOVER)",
        "jeffreys-draws": "draws from the posterior of the cells, with half a row added to each "
        "(Jeffreys’ prior)",
        "delong": "DeLong’s method: how much the area would vary with other rows, estimated from "
        "how each row ranks among those of the other class",
        "delong-logit": "DeLong’s method on the logit scale, which keeps the ends within the range",
        "newcombe": "Newcombe’s method, which gives an interval even where these rows show no "
        "error",
        "newcombe-delong": "Newcombe’s method (variance from the area and the class sizes), "
        "blended with DeLong’s: the more rows the rarer class has, the more "
        "DeLong’s counts",
        "wilson-bootstrap": f"the bootstrap: {_PERCENTILES}; Wilson’s interval of a share with "
        "the same variance",
        "bootstrap-se": f"the bootstrap: {_PERCENTILES}; Student’s t with the standard error of "
        "those values, on an unbounded scale",
        "test-inversion": "a test: every error that it would not reject at this level",
        "bootstrap-percentile": f"the bootstrap: {_PERCENTILES}; the ends are percentiles of "
        "the values",
        "bootstrap-bca": f"the bootstrap (BCa): {_PERCENTILES}; the ends are corrected for bias "
        "and skewness",
        "bootstrap-basic": f"the bootstrap (basic): {_PERCENTILES}; resampling shifts this number "
        "to one side, so its percentiles are mirrored at the value",
        "bootstrap-grouped": "the bootstrap of groups: rows are dealt into 2,000 groups, which "
        "are resampled with replacement",
        "bootstrap-clusters": "the bootstrap of whole groups, whose rows depend on each other: "
        "groups are resampled with replacement; the ends are percentiles of "
        "the values",
        "groups-t": "Student’s t from resamples of whole groups, whose rows depend on each other, "
        "on an unbounded scale; with importance weights each row is a group",
        "newcombe-groups": "Newcombe’s method, for the number of independent rows that would vary "
        "as much as these groups",
        "obuchowski": "Obuchowski’s method: DeLong’s, with whole groups of rows as the unit",
        "jackknife-logit": "the infinitesimal jackknife, from the influence of each row on the "
        "number, on the logit scale, which keeps the ends within the range",
        "sample": "the standard error of a sample of points, each of which was compared with all "
        "points",
        "wald": "the value plus and minus z standard errors; z is 1.96 at 95%",
        "normal-mean": "the mean plus and minus z standard errors; z is 1.96 at 95%",
        "t": "Student’s t: the mean plus and minus t standard errors",
        "t-log": "Student’s t on the scale of logarithms, on which a mean of losses is nearly "
        "normal: the value divided and multiplied by one factor",
        "paired-t": "Student’s t: the mean difference of the losses of a row plus and minus t "
        "standard errors",
        "hanley-mcneil": "the method of Hanley and McNeil: the variance from the areas and the "
        "class sizes alone, since no row ranks otherwise by one model than by the other",
        "mover": "the intervals of both values, combined by the method of variance estimates "
        "recovery (MOVER)",
        "dkw": "the inequality of Dvoretzky, Kiefer and Wolfowitz: how far a cumulative share can "
        "be from the true one at any score",
        "excess-over-chance": "how many rows would be listed by chance if the probabilities were "
        "true, plus and minus z standard errors",
        "range-draws": "draws of what the values of all groups may be: as far on both sides as "
        "their errors are apart from each other at this level",
        "fisher-z": "Fisher’s method for a correlation: normal on an unbounded scale",
        "order-statistics": "two of the sorted values, whose ranks enclose the median at this "
        "level",
    }
)
"""How each method of an interval is described."""


def told(estimate: Estimate) -> str:
    """Return how the interval of an estimate was made, in a sentence; "" where there is none.

    >>> told(Estimate(0.5, 0.4, 0.6, "delong", 0.95))[:60]
    '95% interval by DeLong’s method: how much the area would var'
    """
    if estimate.method is None or estimate.level is None:
        return ""
    method = METHODS.get(estimate.method, estimate.method)
    return f"{estimate.level:.0%} interval by {method}."


FAMILIES: Mapping[Family, str] = MappingProxyType(
    {
        Family.COUNTS: "Decisions",
        Family.RANKING: "Ranking",
        Family.PROBABILITY: "Probabilities",
        Family.VALUES: "Predicted numbers",
        Family.POINTS: "Clusters",
        Family.AGREEMENT: "Agreement",
    }
)
"""What metrics are about, in a word."""

DIRECTIONS: Mapping[Better, str] = MappingProxyType(
    {
        Better.HIGHER: "higher is better",
        Better.LOWER: "lower is better",
        Better.NEITHER: "neither direction is better",
    }
)
"""What a metric's direction is called in a sentence."""


@cache
def entries() -> Mapping[str, Metric]:
    """Return every metric by its key; by family and key where another family has the key too."""
    found: dict[str, Metric] = {}
    for metric in (*METRICS, *_with_costs()):
        name = metric.key if metric.key not in found else f"{metric.family.value}.{metric.key}"
        found[name] = metric
    return MappingProxyType(found)


def _with_costs() -> tuple[Metric, ...]:
    """Declare the metrics of costs, which only the user can give, so that none bound the range."""
    equal = {"weighted_accuracy": (1, 1, 1, 1)}
    made = {k: declare(equal.get(k, ((0, 1), (1, 0)))) for k, declare in WITH_COSTS.items()}
    endless = {key: replace(m, low=-inf, high=inf) for key, m in made.items() if key not in equal}
    return tuple((made | endless).values())


def name_of(metric: Metric) -> str:
    """Return the name of a metric among the entries; "" if it is none of them."""
    names = (metric.key, f"{metric.family.value}.{metric.key}")
    return next((name for name in names if entries().get(name) == metric), "")


def search(text: str, family: Family | None = None) -> tuple[str, ...]:
    """Return the names of the entries that are called so, the best matches first.

    Every word must stand in the name, the key or a synonym; failing that, in the summary.

    >>> search("sensitivity")[0], search("TPR")[0], search("auc")[0]
    ('recall', 'recall', 'roc_auc')
    """
    of_family = {n: m for n, m in entries().items() if family in (None, m.family)}
    ranks = {name: _rank(metric, _plain(text)) for name, metric in of_family.items()}
    return tuple(
        sorted((n for n, rank in ranks.items() if rank < _NO_MATCH), key=ranks.__getitem__)
    )


_NO_MATCH = 4


def _rank(metric: Metric, wanted: str) -> int:
    called = [_plain(name) for name in (metric.key, metric.name, *metric.synonyms)]
    if not wanted or wanted in called:
        return 0
    if any(name.startswith(wanted) for name in called):
        return 1
    words = wanted.split()
    if all(any(word in name for name in called) for word in words):
        return 2
    return 3 if all(word in _plain(metric.summary) for word in words) else _NO_MATCH


def _plain(text: str) -> str:
    """Return the words of a text, however they are written and joined."""
    return " ".join(re.findall(r"[^\W_]+|[+]", text.casefold()))


def setting(metric: Metric) -> str:
    """Return how another setting of a metric is asked for; "" where it has none."""
    name = "f_beta" if "beta" in metric.parameters else metric.key
    if name not in PARAMETRIC:
        return ""
    found = PARAMETRIC[name]
    kind = "a whole number" if found.whole else "any number"
    return f"{name}(…) takes {kind} from {found.low:g} to {found.high:g}"
