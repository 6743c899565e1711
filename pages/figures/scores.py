"""What the model says about each class: scores in bins."""

import numpy as np
import plotly.graph_objects as go

from evalcore.outcomes import Floats
from evalcore.tables.histogram import ScoreHistogram
from evalcore.tables.scores import ScoreTable
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.scene import Scene


def draw(scene: Scene, table: ScoreTable) -> go.Figure:
    """Draw the scores of one model, one row of bars per class, as a square-root scale."""
    says = theme.Words(
        title=title(scene, table),
        subtitle=f"Scores of {scene.who}, {words.counted(table.n, 'row')}; square-root scale",
        x="score",
        y="rows",
    )
    if not len(table.threshold):
        return theme.nothing_to_draw(says, scene.look, "There is no row with a score.")
    figure = theme.canvas(says, scene.look)
    histogram = ScoreHistogram.from_table(table)
    _add_bars(figure, scene.negative, scene.look.negative, histogram.edges, histogram.negatives)
    _add_bars(figure, scene.positive, scene.look.positive, histogram.edges, histogram.positives)
    figure.update_layout(barmode="overlay", bargap=0.12)
    _square_root_axis(figure, max(histogram.positives.max(), histogram.negatives.max()))
    if scene.threshold is not None and np.isfinite(scene.threshold):
        figure.add_vline(x=scene.threshold, line={"color": scene.look.text, "width": 2})
    return figure


def title(scene: Scene, table: ScoreTable) -> str:
    """Return what the picture shows at the current threshold, in words."""
    if scene.threshold is None or not table.positives:
        return f"How the scores of {scene.positive} and {scene.negative} differ"
    counts = table.at(scene.threshold)
    found = f"{words.count(counts.tp)} of {words.counted(table.positives, 'row')}"
    return f"At {words.threshold(scene.threshold)} and above: {found} that are {scene.positive}"


def alt(scene: Scene, table: ScoreTable) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    counts = f"{words.count(table.positives)} {scene.positive}"
    return f"Histogram of scores by class, {counts}, {words.count(table.negatives)} others."


def _add_bars(figure: go.Figure, name: str, color: str, edges: Floats, counts: Floats) -> None:
    shown = "%{customdata[2]:,} rows from %{customdata[0]:.4~g} to %{customdata[1]:.4~g}"
    figure.add_trace(
        go.Bar(
            x=(edges[:-1] / 2 + edges[1:] / 2),
            y=np.sqrt(counts).astype(np.float32),
            customdata=np.column_stack([edges[:-1], edges[1:], counts]),
            name=safe(name),
            marker={"color": color, "line": {"width": 0}},
            opacity=0.85,
            hovertemplate=f"<b>{safe(name)}</b><br>{shown}<extra></extra>",
        )
    )


def _square_root_axis(figure: go.Figure, most: float) -> None:
    ticks = [tick for tick in _round_counts(most) if tick <= most] or [0]
    figure.update_yaxes(
        tickvals=np.sqrt(ticks).tolist(),
        ticktext=[words.count(tick) for tick in ticks],
        rangemode="tozero",
    )


def _round_counts(most: float) -> list[float]:
    power = 10 ** np.floor(np.log10(max(most, 1)))
    return sorted({0.0, *(float(max(1, round(power * part))) for part in (0.1, 0.5, 1, 2, 5))})
