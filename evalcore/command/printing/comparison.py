"""A comparison as text for people."""

from collections.abc import Iterator

import numpy as np

from evalcore.command.printing.common import cells, notices, number, pages, table, visible
from evalcore.comparison.results import Comparison
from evalcore.comparison.spec import Finding
from evalcore.metrics.spec import Estimate


def comparison(made: Comparison) -> str:
    """Return the answer first, then the models, their differences, the tests and what it takes."""
    parts = [
        [visible(made.summary)],
        [*notices(made.notices)],
        _models(made),
        _differences(made),
        _tests(made),
        [*_sample_size(made)],
        _not_applicable(made),
    ]
    return pages(part for part in parts if part)


def _models(made: Comparison) -> list[str]:
    rows = [(visible(name), *cells(e)) for name, e in made.models.items()]
    return [f"{made.metric_name} on {made.n:,.10g} {made.unit}", *table(rows, "  ")]


def _differences(made: Comparison) -> list[str]:
    rows = [
        (
            f"{visible(gap.second)} minus {visible(gap.first)}",
            *cells(Estimate(gap.difference, gap.low, gap.high, gap.method, note=gap.note)),
        )
        for gap in made.differences
    ]
    return ["Differences", *table(rows, "  ")] if rows else []


def _tests(made: Comparison) -> list[str]:
    head = ("", "", "statistic", "p", "p adjusted", "")
    rows = [
        (
            pair.test,
            " and ".join(visible(name) for name in (pair.first, pair.second) if name),
            _maybe(pair.finding.statistic),
            _maybe(pair.finding.p_value),
            _maybe(pair.p_adjusted),
            _details(pair.finding),
        )
        for pair in made.tests
    ]
    return ["Tests", *table([head, *rows], "  ")] if rows else []


def _details(finding: Finding) -> str:
    """Return the note; of a finding without a p value also the numbers it gives instead."""
    parts = [visible(finding.note)] if finding.note else []
    if np.isnan(finding.p_value):
        parts += [f"{name} {number(value)}" for name, value in finding.details.items()]
    return "; ".join(parts)


def _sample_size(made: Comparison) -> Iterator[str]:
    size = made.sample_size
    if size is None:
        return
    if size.rows_needed is not None:
        yield (
            f"A difference like this would show in {size.power:.0%} of files of "
            f"{size.rows_needed:,} rows; here are {size.rows_now:,g}."
        )
    if size.smallest_difference is not None:
        yield f"These rows would have shown a difference of {number(size.smallest_difference)}."


def _not_applicable(made: Comparison) -> list[str]:
    rows = [(refusal.test, refusal.why) for refusal in made.not_applicable]
    return ["Not for these data", *table(rows, "  ")] if rows else []


def _maybe(value: float) -> str:
    return number(value) if np.isfinite(value) else ""
