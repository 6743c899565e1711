"""A comparison as plain values for JSON."""

from evalcore.command.serialise.common import Json, estimate, finite, notices, numbers
from evalcore.comparison.results import Comparison, Difference, TestedPair
from evalcore.comparison.sample_size import SampleSize


def comparison(made: Comparison) -> Json:
    """Return which model is better, and how sure that is."""
    return {
        "schema": "evalboard.comparison/1",
        "metric": made.metric,
        "n": made.n,
        "unit": made.unit,
        "design": made.design.value,
        "level": made.level,
        "rope": made.rope,
        "notices": notices(made.notices),
        "summary": made.summary,
        "models": {
            name: {made.metric: estimate(made.metric, e)} for name, e in made.models.items()
        },
        "differences": [_difference(gap, made.metric) for gap in made.differences],
        "tests": [_test(pair, made.metric) for pair in made.tests],
        "primary": made.primary,
        "not_applicable": [{"name": r.test, "why": r.why} for r in made.not_applicable],
        "standing": {
            "order": list(made.standing.order),
            "groups": [list(group) for group in made.standing.groups],
            "mean_ranks": list(made.standing.mean_ranks),
            "critical_difference": finite(made.standing.critical_difference),
        },
        "sample_size": _sample_size(made.sample_size),
    }


def _difference(gap: Difference, metric: str) -> Json:
    said: Json = {
        "first": gap.first,
        "second": gap.second,
        "metric": metric,
        "difference": finite(gap.difference),
        "low": gap.low,
        "high": gap.high,
        "method": gap.method,
    }
    return said | ({"note": gap.note} if gap.note else {})


def _test(pair: TestedPair, metric: str) -> Json:
    finding = pair.finding
    said: Json = {
        "name": pair.test,
        "first": pair.first,
        "second": pair.second,
        "metric": metric,
        "statistic": finite(finding.statistic),
        "p_value": finite(finding.p_value),
        "p_adjusted": finite(pair.p_adjusted),
        "details": numbers(finding.details),
    }
    return said | ({"note": finding.note} if finding.note else {})


def _sample_size(size: SampleSize | None) -> Json | None:
    if size is None:
        return None
    return {
        "metric": size.metric,
        "rows_now": size.rows_now,
        "rows_needed": size.rows_needed,
        "smallest_difference": size.smallest_difference,
        "power": size.power,
    }
