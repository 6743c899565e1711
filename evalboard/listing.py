"""Lists as text for people: metrics, samples, slices, rows, two files, over time, checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evalboard.printing import cells, notices, number, pages, table, visible, width
from evalboard.samples import Sample
from evalcore import text
from evalcore.metrics.catalog import described as declared
from evalcore.metrics.metric import Metric
from evalcore.text import count, counted, p_value, shorten
from evalread.counts.blocks import Block, Counts

if TYPE_CHECKING:
    from evalboard.checks import History, Outcome
    from evalcore.monitoring.results import OverTime
    from evalcore.slices.results import Against, Gaps, Slice, Slices
    from evalcore.slices.rows import Listed
    from evalcore.slices.shift import Moved, Shift
    from evalread.dataset import Dataset


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


MOST = 40
"""Lines of a table: more than a screen holds is left to the JSON."""


def slices(made: Slices, free: Iterable[str], models: Iterable[str]) -> str:
    """Return what was found, then a line per slice: the worst first, the confirmed before all.

    `free` are the columns, and `models` the models, that could be named instead.
    """
    head = ("slice", "rows", "value", "interval", "differs by", "interval", "p", "")
    rows = [head, *(_slice(one) for one in made.slices[:MOST])]
    whole = ("all rows", "", *cells(made.overall)[:2])
    more = len(made.slices) - MOST
    said = [
        [visible(f"{made.metric} of {made.model}: {counted(made.searched, 'slice')} searched;")],
        [*table([*rows, (*whole, *([""] * (len(head) - len(whole))))])],
        [f"{more:,} more slices: --json has all"] if more > 0 else [],
        *(_gaps(column, gaps) for column, gaps in made.gaps.items()),
        [visible(made.takes)] if made.takes else [],
        [*notices(made.notices)],
        [*map(visible, _choices(made, free, models))],
    ]
    said[0].append(f"{made.method} (seed {made.seed}).")
    return pages(part for part in said if part)


def _gaps(column: str, gaps: Gaps) -> list[str]:
    """Say how far the groups of a column are apart."""
    rows = [(key.replace("_", " "), *cells(one)) for key, one in gaps.items()]
    return [visible(f"Between the groups of {shorten(column)}"), *table(rows, "  ")]


def _choices(made: Slices, free: Iterable[str], models: Iterable[str]) -> Iterator[str]:
    """Say what else can be asked for."""
    others = text.listed([name for name in models if name != made.model])
    if others:
        yield f"--judge MODEL judges another one: {others}."
    if free:
        yield f"--by COL lists every slice of a column: {text.listed([*free])}."


def _slice(one: Slice) -> tuple[str, ...]:
    made, gap = one.found, one.found.difference
    told = "confirmed" if one.confirmed else "few rows" if one.few else ""
    return (
        visible(one.text),
        count(one.n),
        *cells(made.value)[:2],
        number(gap.value) if gap.defined else "-",
        *cells(gap)[1:2],
        p_value(one.p_adjusted),
        told,
    )


def shift(made: Shift) -> str:
    """Return what changed from an earlier file to a later one, a line for each number."""
    from evalcore.slices.shift import SCORES

    later = "later, expected" if made.assumed else "later"
    head = ("", "earlier", "interval", later, "interval", "differs by", "interval", "p")
    rows = [
        _changed(_called(name, made), one, made.p_adjusted.get(name, np.nan))
        for name, one in {**made.truth, **made.metrics}.items()
    ]
    each = [
        _changed(f"{key} of {label}", one, made.per_class_p[label, key])
        for label, row in made.per_class.items()
        for key, one in row.items()
    ]
    first, second = (count(rows) for rows in made.n)
    said = [f"{made.model}: {first} rows earlier, {second} later; p values adjusted by Holm."]
    parts = [[visible(said[0])], [*table([head, *rows])]]
    if each:
        own = f"Each class against all others; p values adjusted for these {len(each)} numbers."
        parts.append([own, *table([head, *each])])
    if made.scores is not None:
        parts.append([*_scores(made.scores, made.p_adjusted.get(SCORES, np.nan))])
    if made.assumed:
        parts.append([f"Estimated, not observed: the later file has no labels. {made.assumed}"])
        parts.append([f"The same for the earlier file: {_checked(made)}."])
    return pages([*parts, [*notices(made.notices)]] if made.notices else parts)


def _called(name: str, made: Shift) -> str:
    return f"share of {name}" if name in made.truth and " of the " not in name else name


def _changed(name: str, one: Against, p_adjusted: float) -> tuple[str, ...]:
    gap = one.difference
    return (
        visible(shorten(name)),
        *cells(one.rest)[:2],
        *cells(one.value)[:2],
        number(gap.value) if gap.defined else "-",
        *cells(gap)[1:2],
        p_value(p_adjusted),
    )


def _scores(moved: Moved, p_adjusted: float) -> Iterator[str]:
    value, ends, _ = cells(moved.distance)
    why = f"no Kolmogorov-Smirnov test: {moved.distance.note}"
    test = why if np.isnan(p_adjusted) else f"p {p_value(p_adjusted)} (Kolmogorov-Smirnov)"
    spread = f"The distributions of {moved.of} differ by up to {value}"
    yield f"{spread}{f' ({ends})' if ends else ''}; {test}."
    value, ends, _ = cells(moved.above)
    yield (
        "A later value is above an earlier one with probability "
        f"{value}{f' ({ends})' if ends else ''}."
    )


def _checked(made: Shift) -> str:
    return "; ".join(
        f"{key} {number(one.value)} estimated, {number(made.metrics[key].rest.value)} observed"
        for key, one in made.check.items()
    )


def listed(found: Listed, dataset: Dataset) -> str:
    """Return rows of the file, those most worth a look first."""
    names = [*dataset.table.names]
    head = ["row", *([found.of] if found.of else []), *map(visible, map(_short, names))]
    rows = [head]
    for row, value in zip(found.row.tolist()[:MOST], found.value.tolist(), strict=False):
        own = (dataset.table.columns[name][row - 1].as_py() for name in names)
        worth = [number(value) if value == value else "-"] if found.of else []
        rows.append([str(row), *worth, *(visible(_short(_cell(one))) for one in own)])
    said = [f"{counted(found.total, 'row')} of {found.model}, by {found.by}."]
    if found.doubts is not None:
        wrong, every = found.doubts.wrong, counted(len(found.doubts.row), "doubtful label")
        said.append(
            f"About {wrong.value:,.0f} of {every} are wrong ({wrong.low or 0:,.0f} to "
            f"{wrong.high or 0:,.0f}): if all labels were right, chance alone would list about "
            f"{found.doubts.by_chance:,.0f}."
        )
        said.append(found.doubts.assumed)
    more = len(found.row) - MOST
    cut = [f"{more:,} more rows: --json has all"] if more > 0 else []
    parts = [[*map(visible, said)], [*table(rows)], cut, [*notices(found.notices)]]
    return pages(filter(None, parts))


def checks(outcomes: Sequence[Outcome], history: History | None = None) -> str:
    """Return each requirement with the number that meets it or does not, and what has changed."""
    rows = [
        (
            "passed" if outcome.passed else "FAILED",
            visible(outcome.requirement.text),
            visible(outcome.model),
            visible(outcome.group),
            *cells(outcome.estimate, declared(outcome.requirement.metric).unit),
        )
        for outcome in outcomes
    ]
    if history is None:
        return "\n".join(table(rows))
    marks = {True: "CHANGED", False: "no change"}
    changes = [(marks[one.changed], visible(one.said)) for one in history.followed]
    again = [] if history.added else ["These rows are in the history already: nothing was added."]
    return pages([[*table(rows)], [*table(changes), *again]])


def over_time(made: OverTime) -> str:
    """Return what has changed, then a line for each period, the last ones where there are many."""
    head = ("", "rows", made.metric.key, "interval", "all up to here", "holds at every look")
    others = tuple(track.key for track in made.others)
    first = max(0, len(made.start) - MOST)
    rows = [(*head, *others, "")]
    for place in range(first, len(made.start)):
        one, whole = made.metric.each[place], made.metric.running[place]
        beside = (cells(track.each[place])[0] for track in made.others)
        period = made.written(place)
        line = (period, count(made.rows[place]), *cells(one)[:2], *cells(whole)[:2])
        rows.append((*line, *beside, _part(made, place)))
    cut = [f"{first:,} earlier periods: --json has all"] if first else []
    said = [visible(f"{made.metric.key} of {made.model} by {made.every}, dates of {made.date}")]
    parts = [said, [visible(made.verdict)], [*table(rows), *cut], _legend(made)]
    parts.append([*notices(made.notices)])
    return pages(part for part in parts if part)


def _legend(made: OverTime) -> list[str]:
    """Say what the columns of a table over time hold."""
    said = {
        made.metric.key: f"of the rows of this {made.every} alone, with its interval",
        "all up to here": "of all rows from the first period to this one",
        "holds at every look": "its interval, which holds at all looks together",
        "prevalence": "share of the positive class",
        "score": "mean score",
        "truth": "mean of the truth",
        "prediction": "mean prediction",
        "reference": "the periods that all later ones are compared with",
        "changed": "from where the change is estimated to begin",
        "flagged": "where the change is shown",
    }
    others = {track.key for track in made.others}
    parts = {_part(made, place) for place in range(len(made.start))}
    shown = {made.metric.key, "all up to here", "holds at every look", *others, *parts}
    return table([(name, meant) for name, meant in said.items() if name in shown])


def _part(made: OverTime, place: int) -> str:
    change = made.change
    if change is not None and change.since <= place <= change.flagged:
        return "flagged" if place == change.flagged else "changed"
    return "reference" if place < made.first else ""


def _cell(held: object) -> str:
    return "" if held is None else str(held)


def _short(said: str) -> str:
    return shorten(said, 30)
