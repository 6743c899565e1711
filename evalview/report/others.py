"""The parts of a report about predicted numbers, clusters, groups, slices and single rows."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, isnan
from typing import TYPE_CHECKING

import numpy as np

from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate
from evalcore.results import ClusteringEvaluation
from evalcore.text import counted as so_many
from evalview import headlines, text, words
from evalview.escape import visible
from evalview.report import blocks, counts
from evalview.report.material import Material
from evalview.text import size

if TYPE_CHECKING:
    from evalcore.slices.results import Slice, Slices

BINS = 30


def distances(told: Material) -> Iterator[blocks.Block]:
    """Show how far predictions of the leading model are off."""
    numbers = told.tables[told.leader].numbers
    if numbers is None or not numbers.n:
        return
    off = numbers.prediction - numbers.truth
    low, high = np.quantile(off, [0.01, 0.99]).tolist()
    if not (isfinite(low) and isfinite(high) and high > low):
        yield blocks.Paragraph([f"All errors of {blocks.shown(told.leader)} are alike."], "note")
        return
    edges = [float(f"{edge:.3g}") for edge in np.linspace(low, high, BINS + 1)[1:-1]]
    edges = sorted(set(edges))
    place = np.searchsorted(edges, off, side="right")
    held = np.bincount(place, minlength=len(edges) + 1).tolist()
    step = edges[-1] - edges[-2] if len(edges) > 1 else abs(edges[0]) or 1.0
    ends = [edges[0] - step, *edges, edges[-1] + step]
    bars = counts.merged_bars(held, ends, told.wishes.fewest)
    shown_bars = [(a, b, rows) for a, b, rows in bars if rows]
    middle = sum(rows for a, b, rows in shown_bars if a < 0 < b)
    alt = (
        f"Errors of {blocks.shown(told.leader)}, prediction minus truth: "
        f"{so_many(int(numbers.n), 'row')}; "
        f"{middle:,} in the bar around 0. The outermost bars include everything beyond them."
    )
    title = f"How far {words.spoken(told.dataset, told.leader)} is off"
    yield blocks.Drawing(title, blocks.bars(shown_bars, size, alt), alt)


# Clusterings, and items


def clusters(told: Material) -> Iterator[blocks.Block]:
    """Show the clusters of the leading clustering, and which classes they hold."""
    assert told.evaluation is not None
    made, name = told.evaluation.clusterings[told.leader], told.leader
    rows, small, points = [], 0, 0
    for at, one in enumerate(made.clusters):
        if one.n < told.wishes.fewest:
            small, points = small + 1, points + one.n
            continue
        path: list[str | int] = ["clusterings", name, "clusters", at]
        mean = (
            blocks.cell("–")
            if isnan(one.silhouette)
            else blocks.Cell(
                [blocks.Number(text.number(one.silhouette), blocks.pointer(*path, "silhouette"))]
            )
        )
        rows.append([blocks.cell(blocks.shown(one.name)), blocks.counted(one.n, *path, "n"), mean])
    if small:
        rows.append(
            [
                blocks.cell(
                    f"{so_many(small, 'cluster')} of fewer than {told.wishes.fewest} points"
                ),
                blocks.cell(text.count(points)),
                blocks.cell("–"),
            ]
        )
    yield blocks.Table(
        f"The clusters of {blocks.shown(name)}.", ["Cluster", "Points", "Mean silhouette"], rows
    )
    yield from _silhouettes(told, made)
    if made.contingency is not None and len(made.contingency.clusters) <= MOST_COLUMNS:
        yield _contingency(told, made)


MOST_CLUSTERS = 30
"""So many clusters fit into a picture; of more, the largest."""


def _silhouettes(told: Material, made: ClusteringEvaluation) -> Iterator[blocks.Block]:
    """Show the mean silhouette of each cluster that has one, and enough points."""
    clusters, fewest, name = made.clusters, told.wishes.fewest, told.leader
    known = [one for one in clusters if one.n >= fewest and not isnan(one.silhouette)]
    if not known:
        return
    least = sorted((one.n for one in known), reverse=True)[:MOST_CLUSTERS][-1]
    drawn = [one for one in known if one.n >= least][:MOST_CLUSTERS]
    title = "Mean silhouette of each cluster"
    if len(drawn) < len(known):
        title = f"Mean silhouette of the {len(drawn)} largest clusters"
    lowest = min(drawn, key=lambda one: one.silhouette)
    alt = f"{title}; lowest for {blocks.shown(lowest.name)} ({text.number(lowest.silhouette)})."
    rows = {blocks.shown(one.name): {name: Estimate(one.silhouette)} for one in drawn}
    styles = blocks.styles(tuple(told.dataset.clusterings))
    yield blocks.Drawing(title, blocks.dots(rows, (-1, 0), styles, alt), alt)


MOST_COLUMNS = 20
"""A table with more columns fits neither a screen nor a sheet."""


def _contingency(told: Material, made: ClusteringEvaluation) -> blocks.Table:
    table = made.contingency
    assert table is not None
    fewest = told.wishes.fewest
    hidden = counts.hidden_cells(table.counts, fewest, diagonal=False)
    place = ["clusterings", told.leader, "contingency", "counts"]
    rows = blocks.matrix(table.classes, table.counts, hidden, place)
    head = ["", *(f"cluster {blocks.shown(one)}" for one in table.clusters)]
    caption = "Points by their true class."
    if hidden.any():
        head.append(counts.OTHERS)
        caption += counts.why_hidden(fewest, "points")
    return blocks.Table(caption, head, rows)


MOST_MODELS = 10


def groups(told: Material) -> Iterator[blocks.Block]:
    """Show how often each model is right in each group of items."""
    assert told.evaluation is not None
    made = {name: told.evaluation.models[name].groups for name in told.order[:MOST_MODELS]}
    first = made[told.leader]
    rows = []
    for at, one in enumerate(first):
        if one.n >= told.wishes.fewest:
            path: list[str | int] = ["models", told.leader, "groups", at]
            accuracy = one.metrics["items"]["accuracy"]
            rows.append(
                [
                    blocks.cell(blocks.shown(one.group)),
                    blocks.counted(one.n, *path, "n"),
                    blocks.estimated(accuracy, *path, "metrics", "items", "accuracy", ends=(0, 1)),
                ]
            )
    if rows:
        who = words.at_start(words.spoken(told.dataset, told.leader))
        yield blocks.Table(
            f"{who} in each group; those of fewer than {told.wishes.fewest} items are left out.",
            ["Group", "Items", "Accuracy"],
            rows,
        )


MOST_SLICES = 40
"""Of more slices the worst are listed."""


def slices(told: Material) -> Iterator[blocks.Block]:
    """Show the slices of the columns asked for, or the weak ones that were found and confirmed."""
    if (made := told.slices) is None:
        return
    finding, rests_on = headlines.of_slices(told.dataset, made)
    yield blocks.Paragraph([visible(f"{finding}. {rests_on}".strip())])
    if made.slices:
        yield _slices(told, made)
    yield blocks.Paragraph([_about_slices(told, made)], "note")


def _slices(told: Material, made: Slices) -> blocks.Table:
    metric = find(made.metric)
    rows = []
    for at, one in enumerate(made.slices[:MOST_SLICES]):
        path: list[str | int] = ["slices", "slices", at]
        rows.append(
            [
                blocks.cell(visible(one.text)),
                blocks.counted(one.n, *path, "n"),
                blocks.estimated(one.found.value, *path, ends=blocks.ends_of(metric)),
                blocks.Cell(_apart(one, *path)),
                blocks.cell(headlines.is_worse(made, one)),
            ]
        )
    who = words.at_start(words.spoken(told.dataset, told.leader))
    caption = f"{who} by slice, {made.level:.0%} intervals in brackets; rest: all other rows."
    head = ["Slice", "Rows", metric.name, "Slice minus rest", "Worse?"]
    return blocks.Table(caption, head, rows)


def _apart(one: Slice, *path: str | int) -> blocks.Line:
    gap, key = one.found.difference, blocks.pointer(*path)
    if not gap.defined:
        return ["–"]
    value = blocks.Number(text.difference(gap.value, sign=True), f"{key}/difference")
    if gap.low is None or gap.high is None:
        return [value]
    low, high = (
        blocks.Number(text.difference(end), f"{key}/difference_{name}")
        for name, end in (("low", gap.low), ("high", gap.high))
    )
    return [value, " (", low, " to ", high, ")"]


def _about_slices(told: Material, made: Slices) -> str:
    said = f"{made.method[:1].upper()}{made.method[1:]}."
    if len(made.slices) > MOST_SLICES:
        said += f" The worst {MOST_SLICES} of {len(made.slices):,} are listed."
    if not told.wishes.rows:
        fewest = told.wishes.fewest
        said += f" Slices with fewer than {fewest} right or wrong rows are left out"
        said += ", with others whose sums would reveal them."
    return said


# Single rows, where they are asked for

LISTED = 20


def rows(told: Material) -> Iterator[blocks.Block]:
    """Show the rows that the leading model gets most wrong."""
    if not told.wishes.rows or told.leader not in told.tables:
        return
    outcomes = told.dataset.models[told.leader]
    worst = _worst(outcomes)
    if worst is None:
        return
    places, cells = worst
    numbers = places + 1 if outcomes.rows is None else outcomes.rows[places]
    listed = [
        [blocks.cell(f"{row:,}"), *map(blocks.cell, said)]
        for row, said in zip(numbers.tolist(), cells, strict=True)
    ]
    yield blocks.Table(
        f"The rows that {blocks.shown(told.leader)} gets most wrong.",
        ["Row", "Truth", "Said"],
        listed,
    )


def _worst(outcomes: object) -> tuple[np.ndarray, list[tuple[str, str]]] | None:
    truth = getattr(outcomes, "truth", None)
    said = getattr(outcomes, "score", None)
    if said is None:
        said = getattr(outcomes, "prediction", None)
    if truth is None or said is None:
        return None
    off = np.where(truth == 1, -said, said) if hasattr(outcomes, "score") else np.abs(said - truth)
    places = np.argsort(-off, kind="stable")[:LISTED]
    classes = getattr(outcomes, "classes", None)
    named = [blocks.shown(classes[int(t)]) if classes else size(float(t)) for t in truth[places]]
    return places, list(zip(named, (text.score(float(s)) for s in said[places]), strict=True))
