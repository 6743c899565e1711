"""ROC: how much of the class is found against how much else is flagged."""

from collections.abc import Mapping
from types import MappingProxyType

import plotly.graph_objects as go

from evalcore.curves.roc import RocCurve
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
from pages.figures.spoken import at_start

NO_AVERAGES: Mapping[str, RocCurve] = MappingProxyType({})


def draw(
    scene: Scene,
    tables: Mapping[str, ScoreTable],
    areas: Mapping[str, Estimate],
    averages: Mapping[str, RocCurve] = NO_AVERAGES,
) -> go.Figure:
    """Draw one ROC curve per score table; `areas` holds their AUC with interval.

    `averages` are curves that stand for all classes.
    """
    drawable = [name for name, table in tables.items() if table.positives and table.negatives]
    says = theme.Words(
        title=title(scene, areas),
        subtitle=subtitle(scene, areas),
        x=f"{scene.axis_negative} flagged (false positive rate)",
        y=f"{scene.axis_positive} found (recall)",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "A ROC curve needs rows of both classes.")
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    add_reference(figure, scene, (0, 1), "")
    names = scene.drawn(drawable)
    fit_legend(figure, len(names) + len(averages))
    for name in names:
        add_line(
            figure, scene, name, _line(scene, tables[name].thinned(scene.vertices(len(names))))
        )
    add_averages(figure, scene, {name: _average(curve) for name, curve in averages.items()})
    _mark(figure, scene, tables)
    return figure


def title(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return what the picture shows, in words."""
    area = areas.get(scene.chosen or "")
    if area is None or not area.defined:
        lowest = hardest(scene, areas, "ROC AUC ")
        found = f"Finding {scene.positive} against false alarms"
        return f"Hardest to tell from the others: {lowest}" if lowest else found
    share = words.of_hundred(area.value)
    pairs = f"pairs of {scene.positive} and {scene.negative}"
    ranked = f"ranks {share} {pairs} right"
    return f"{at_start(scene.who)} {ranked}" + (", worse than chance" if area.value < 0.5 else "")


def subtitle(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    area = areas.get(scene.chosen or "")
    if area is None:
        return "ROC curves, each class against all others"
    return f"ROC curve. ROC AUC {words.with_interval(area)}"


def alt(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    curves = f"ROC curves, share of {scene.positive} found against others flagged"
    return f"{curves}. ROC AUC: {listed(areas)}."


def _line(scene: Scene, table: ScoreTable) -> Line:
    curve = RocCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of {safe(scene.positive)} found<br>"
        f"%{{x:.1%}} of {safe(scene.negative)} flagged"
    )
    return Line(curve.fpr, curve.tpr, curve.threshold, hover)


def _average(curve: RocCurve) -> Line:
    hover = "%{y:.1%} of a class found<br>%{x:.1%} of the others flagged"
    return Line(curve.fpr, curve.tpr, curve.threshold, hover)


def _mark(figure: go.Figure, scene: Scene, tables: Mapping[str, ScoreTable]) -> None:
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None or not (table.positives and table.negatives):
        return
    counts = table.at(scene.threshold)
    add_operating_point(figure, scene, counts.fp / counts.negatives, counts.tp / counts.positives)
