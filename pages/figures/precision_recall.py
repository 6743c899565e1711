"""Precision and recall: how many alerts are real, as more of the class is found."""

from collections.abc import Mapping
from types import MappingProxyType

import plotly.graph_objects as go

from evalcore.curves.precision_recall import PrecisionRecallCurve
from evalcore.metrics.spec import Estimate
from evalcore.tables.scores import ScoreTable
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.curves import (
    Line,
    add_averages,
    add_line,
    add_operating_point,
    add_reference,
    fit_legend,
    hardest,
    listed,
    unit_axes,
)
from pages.figures.scene import Scene

NO_MEANS: Mapping[str, PrecisionRecallCurve] = MappingProxyType({})


def draw(
    scene: Scene,
    tables: Mapping[str, ScoreTable],
    averages: Mapping[str, Estimate],
    means: Mapping[str, PrecisionRecallCurve] = NO_MEANS,
) -> go.Figure:
    """Draw one stepped curve per score table; `averages` holds their average precision.

    `means` are curves that stand for all classes.
    """
    drawable = [name for name, table in tables.items() if table.positives]
    says = theme.Words(
        title=title(scene, tables, averages),
        subtitle=subtitle(scene, averages),
        x=f"{scene.axis_positive} found (recall)",
        y=f"{scene.axis_positive} among flagged (precision)",
    )
    if not drawable:
        why = f"Without a {scene.positive} row there is nothing to find."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names) + len(means))
    if scene.chosen is not None:
        _add_prevalence(figure, scene, tables[names[-1]])
    for name in names:
        add_line(
            figure, scene, name, _line(scene, tables[name].thinned(scene.vertices(len(names))))
        )
    add_averages(figure, scene, {name: _mean(curve) for name, curve in means.items()})
    _mark(figure, scene, tables)
    return figure


def title(scene: Scene, tables: Mapping[str, ScoreTable], averages: Mapping[str, Estimate]) -> str:
    """Return what the picture shows at the current threshold, in words."""
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None:
        lowest = hardest(scene, averages)
        found = f"How many alerts for {scene.positive} are real"
        return f"Lowest average precision: {lowest}" if lowest else found
    counts = table.at(scene.threshold)
    flagged = words.count(counts.predicted_positive)
    at = f"At {words.threshold(scene.threshold)}"
    return f"{at}, {words.count(counts.tp)} of {flagged} flagged rows are {scene.positive}"


def subtitle(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    average = averages.get(scene.chosen or "")
    if average is None:
        return "Precision against recall"
    return f"Precision against recall. Average precision {words.with_interval(average)}"


def alt(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    curves = f"Precision-recall curves for {scene.positive}"
    return f"{curves}. Average precision: {listed(averages)}."


def _line(scene: Scene, table: ScoreTable) -> Line:
    curve = PrecisionRecallCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of flagged rows are "
        f"{safe(scene.positive)}<br>%{{x:.1%}} of {safe(scene.positive)} found"
    )
    return Line(curve.recall, curve.precision, curve.threshold, hover, shape="vh")


def _mean(curve: PrecisionRecallCurve) -> Line:
    hover = "%{y:.1%} of flagged rows are of the class<br>%{x:.1%} of it found"
    return Line(curve.recall, curve.precision, curve.threshold, hover, shape="vh")


def _add_prevalence(figure: go.Figure, scene: Scene, table: ScoreTable) -> None:
    prevalence = table.positives / table.n
    note = f"flagging every row: {words.percent(prevalence)}"
    add_reference(figure, scene, (prevalence, prevalence), note)


def _mark(figure: go.Figure, scene: Scene, tables: Mapping[str, ScoreTable]) -> None:
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None:
        return
    counts = table.at(scene.threshold)
    if counts.predicted_positive and counts.positives:
        precision = counts.tp / counts.predicted_positive
        add_operating_point(figure, scene, counts.tp / counts.positives, precision)
