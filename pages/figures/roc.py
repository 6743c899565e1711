"""ROC: how much of the class is found against how much else is flagged."""

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
    scene: Scene, tables: Mapping[str, ScoreTable], areas: Mapping[str, Estimate]
) -> go.Figure:
    """Draw one ROC curve per score table; `areas` holds their AUC with interval."""
    drawable = [name for name, table in tables.items() if table.positives and table.negatives]
    says = theme.Words(
        title=title(scene, areas),
        subtitle=subtitle(scene, areas),
        x=f"share of {scene.axis_negative} flagged (false positive rate)",
        y=f"share of {scene.axis_positive} found (recall)",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "A ROC curve needs rows of both classes.")
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    add_reference(figure, scene, (0, 1), "")
    names = scene.drawn(drawable)
    leave_out_long_legend(figure, len(names))
    for name in names:
        add_line(
            figure, scene, name, _line(scene, tables[name].thinned(scene.vertices(len(names))))
        )
    _mark(figure, scene, tables)
    return figure


def title(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return what the picture shows, in words."""
    area = areas.get(scene.chosen or "")
    if area is None or not area.defined:
        return _hardest(scene, areas)
    share = words.of_hundred(area.value)
    pairs = f"pairs of {scene.positive} and {scene.negative}"
    ranked = f"ranks {share} {pairs} right"
    return f"{scene.chosen} {ranked}" + (", worse than chance" if area.value < 0.5 else "")


def _hardest(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    defined = {name: area.value for name, area in areas.items() if area.defined}
    if scene.chosen is not None or not defined:
        return f"Finding {scene.positive} against false alarms"
    worst = min(defined, key=lambda name: defined[name])
    area = words.number(areas[worst].value, words.decimals(areas[worst]))
    return f"Hardest to tell from the others: {words.named(worst)}, AUC {area}"


def subtitle(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the name of the picture with the number that sums it up."""
    area = areas.get(scene.chosen or "")
    if area is None:
        return "ROC curves, one per class against all others"
    return f"ROC curve. AUC {words.with_interval(area)}"


def alt(scene: Scene, areas: Mapping[str, Estimate]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{name} {words.with_interval(area)}" for name, area in areas.items())
    return f"ROC curves, share of {scene.positive} found against others flagged. AUC: {listed}."


def _line(scene: Scene, table: ScoreTable) -> Line:
    from evalcore.curves.roc import RocCurve

    curve = RocCurve.from_table(table)
    hover = (
        f"at %{{customdata:.4~g}} or above:<br>%{{y:.1%}} of {safe(scene.positive)} found<br>"
        f"%{{x:.1%}} of {safe(scene.negative)} flagged"
    )
    return Line(curve.fpr, curve.tpr, curve.threshold, hover)


def _mark(figure: go.Figure, scene: Scene, tables: Mapping[str, ScoreTable]) -> None:
    table = tables.get(scene.chosen or "")
    if table is None or scene.threshold is None or not (table.positives and table.negatives):
        return
    counts = table.at(scene.threshold)
    add_operating_point(figure, scene, counts.fp / counts.negatives, counts.tp / counts.positives)
