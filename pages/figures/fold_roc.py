"""ROC curves of one model fold by fold, beside all folds merged and their mean."""

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from evalcore.curves.averages import mean_roc
from evalcore.curves.roc import RocCurve
from evalcore.metrics.spec import Estimate
from evalcore.tables.scores import ScoreTable
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import intervals, roc, theme, words
from pages.figures.scene import Scene

CURVES_AT_MOST, POINTS = 10, 200
MERGED, MEAN = "all folds merged", "mean of the folds"


@dataclass(frozen=True, eq=False)
class FoldRoc:
    """The scores of a model: of each fold, with its area, and of all folds together."""

    model: str
    tables: Mapping[str, ScoreTable]
    areas: Mapping[str, Estimate]
    whole: ScoreTable
    area: Estimate


def draw(scene: Scene, made: FoldRoc) -> go.Figure:
    """Draw a curve per fold, and in the colour of text the merged one and the mean.

    It is as high as the areas of the folds under each other.
    """
    averages = {}
    if made.tables:
        averages = {
            MERGED: RocCurve.from_table(made.whole.thinned(POINTS)),
            MEAN: mean_roc(list(made.tables.values()), [1.0] * len(made.tables)),
        }
    shown = dict(list(made.tables.items())[:CURVES_AT_MOST])
    figure = roc.draw(scene, shown, made.areas, averages)
    merged = f"all merged, ROC AUC {words.with_interval(made.area)}"
    if shown:
        beside = theme.TITLE_ROOM + max(theme.HEIGHT, intervals.room(len(shown)))
        figure.update_layout(showlegend=False, height=beside)
    says = f"A line per fold; heavy: {merged}; dashed: mean"
    figure.update_layout(title={"text": safe(title(made)), "subtitle": {"text": safe(says)}})
    return figure


def title(made: FoldRoc) -> str:
    """Return between which areas the folds lie, in words."""
    known = [area.value for area in made.areas.values() if area.defined]
    name = shorten(made.model, 28)
    if not known:
        return f"{name} by fold"
    low, high = words.number(min(known)), words.number(max(known))
    return f"{name}: ROC AUC from {low} to {high} by fold"


def alt(scene: Scene, made: FoldRoc) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{title(made)}. {roc.alt(scene, made.areas)}"
