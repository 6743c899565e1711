"""What there is, as text for people: metrics, and samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from evalboard.printing import pages, table, visible, width
from evalboard.samples import Sample
from evalcore.metrics.metric import Metric
from evalcore.text import counted
from evalread.counts.blocks import Block, Counts


def catalogue(metrics: Iterable[Metric]) -> str:
    """Return the metrics: key, name, range, direction and meaning."""
    rows = [(m.key, visible(m.name), _range(m), m.better.value, m.summary) for m in metrics]
    closing = "evalboard metrics KEY shows everything about one: formula, pitfalls, source."
    return "\n".join([*table([("key", "name", "range", "better", "meaning"), *rows]), "", closing])


def described(metrics: Iterable[Metric]) -> str:
    """Return all there is to say about some metrics."""
    return pages(
        [
            f"{metric.name} ({metric.key})",
            "=" * width(f"{metric.name} ({metric.key})"),
            *table([(title, said) for title, said in _said(metric) if said]),
        ]
        for metric in metrics
    )


def _said(metric: Metric) -> Iterator[tuple[str, str]]:
    yield "meaning", metric.summary
    yield "formula", metric.formula
    yield "range", f"{_range(metric)}; {metric.better.value} is better"
    yield "undefined", metric.undefined_when
    yield "beware", metric.misleads
    yield "also called", ", ".join(metric.synonyms)
    yield "source", " ".join(filter(None, (metric.source.text, metric.source.url)))


def samples(known: Iterable[Sample]) -> str:
    """Return the samples, and how to get one."""
    rows = [(one.name, f"{one.rows:,} rows", one.shows, one.title) for one in known]
    return "\n".join(
        [*table(rows), "", "evalboard sample NAME writes one into the current folder."]
    )


def sample(path: Path) -> str:
    """Return where a sample was written, and what to do with it."""
    return f"Written: {path.name}. To look at it: evalboard {path.name}"


def counts(made: Counts, path: Path) -> str:
    """Return what a file of counts holds, and what to do with it."""
    rows = [
        (", ".join(map(visible, block.models)), counted(block.cells, "cell"), _kept(block))
        for block in made.blocks
    ]
    written = f"Written: {visible(str(path))}, the counts of {made.rows:,.10g} rows."
    closing = f"To look at them: evalboard {visible(path.name)}"
    return "\n".join([written, "", *table(rows), "", closing])


def _kept(block: Block) -> str:
    digits = set(block.digits.values())
    return f"numbers of {min(digits)} significant digits" if digits else "exact"


def _range(metric: Metric) -> str:
    low, high = (f"{end:.4g}" for end in (metric.low, metric.high))
    return f"{low} to {high}"
