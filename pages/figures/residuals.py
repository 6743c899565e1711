"""How far off a model is, from its small predictions to its large ones."""

import plotly.graph_objects as go

from evalcore.tables.cloud import Cloud, Trend
from pages.escape import plotly as safe
from pages.figures import theme, words
from pages.figures.against import PREDICTED, Against
from pages.figures.clouds import add_cloud, add_trend
from pages.figures.predicted_actual import size
from pages.figures.scene import Scene


def draw(scene: Scene, cloud: Cloud, trend: Trend, by: Against = PREDICTED) -> go.Figure:
    """Draw rows to the right by their value and upwards by how much is said too much."""
    says = theme.Words(
        title=title(scene, trend),
        subtitle="Above zero it says too much, below too little" + _band(trend),
        x=by.axis,
        y="predicted minus actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row to draw.")
    figure = theme.canvas(says, scene.look, height=380)
    hover = f"{safe(by.axis)} {by.written()}<br>off by %{{y:+,.4~g}}"
    add_cloud(figure, scene, cloud, hover, by.positions)
    if len(trend.x):
        add_trend(figure, scene, trend, by.positions)
    figure.add_hline(y=0, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def title(scene: Scene, trend: Trend) -> str:
    """Return how widely the errors are spread, in words."""
    if not len(trend.x):
        return f"How far off {scene.who} is"
    low, _, high = (size(float(end)) for end in trend.overall)
    return f"8 of 10 errors of {scene.who} are between {low} and {high}"


def alt(scene: Scene, cloud: Cloud, trend: Trend, by: Against = PREDICTED) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = words.counted(cloud.n, "row")
    return f"Errors of {rows} against {by.spoken}. {title(scene, trend)}."


def _band(trend: Trend) -> str:
    return "; the band holds 8 of 10 rows, the line halves it" if len(trend.x) else ""
