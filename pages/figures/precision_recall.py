"""Precision and recall: how many alerts are real, as more of the class is found."""

from collections.abc import Mapping

import plotly.graph_objects as go

from evalcore.metrics.spec import Estimate
from evalcore.tables.scores import ScoreTable
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.curves import (
    Line,
    add_line,
    add_operating_point,
    add_reference,
    leave_out_long_legend,
    unit_axes,
)
from pages.figures.scene import Scene


def draw(
    scene: Scene, tables: Mapping[str, ScoreTable], averages: Mapping[str, Estimate]
) -> go.Figure:
    """Draw one stepped curve per score table; `averages` holds their average precision."""
    drawable = [name for name, table in tables.items() if table.positives]
    says = theme.Words(
        title=title(scene, tables, averages),
        subtitle=subtitle(scene, averages),
        x=f"share of {scene.axis_positive} found (recall)",
        y=f"share of flagged that are {scene.axis_positive} (precision)",
    )
    if not drawable:
        why = f"Without a {scene.positive} row there is nothing to find."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    names = scene.drawn(drawable)
    leave_out_long_legend(figure, len(names))
    if scene.chosen is not None:
        _add_prevalence(figure, scene, tables[names[-1]])
    for name in names:
        add_line(
            figure, scene, name, _line(scene, tables[name].thinned(scene.vertices(len(names))))
        )
    _mark(figure, scene, tables)
    return figure


def title(scene: Scene, tables: Mapping[str, ScoreTable], averages: Mapping[str, Estimate]) -> str:
    """Return what the picture shows at the current threshold, in words."""
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None:
        return _hardest(scene, averages)
    counts = table.at(scene.threshold)
    flagged = words.count(counts.predicted_positive)
    at = f"At {words.threshold(scene.threshold)}"
    return f"{at}, {words.count(counts.tp)} of {flagged} flagged rows are {scene.positive}"


def _hardest(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    defined = {name: average.value for name, average in averages.items() if average.defined}
    if scene.chosen is not None or not defined:
        return f"How many alerts for {scene.positive} are real"
    worst = min(defined, key=lambda name: defined[name])
    average = words.number(averages[worst].value, words.decimals(averages[worst]))
    return f"Lowest average precision: {words.named(worst)}, {average}"


def subtitle(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    average = averages.get(scene.chosen or "")
    if average is None:
        return "Precision against recall"
    return f"Precision against recall. Average precision {words.with_interval(average)}"


def alt(scene: Scene, averages: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{name} {words.with_interval(value)}" for name, value in averages.items())
    return f"Precision-recall curves for {scene.positive}. Average precision: {listed}."


def _line(scene: Scene, table: ScoreTable) -> Line:
    from evalcore.curves.precision_recall import PrecisionRecallCurve

    curve = PrecisionRecallCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of flagged rows are "
        f"{safe(scene.positive)}<br>%{{x:.1%}} of {safe(scene.positive)} found"
    )
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
