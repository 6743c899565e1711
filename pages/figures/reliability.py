"""The reliability diagram of one model: bins, the fit without bins, and how often each is said."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.calibration import CalibrationCurve
from evalcore.curves.isotonic import ConsistencyBand, IsotonicCalibration
from evalcore.tables.histogram import ScoreHistogram
from pages.figures import calibration, theme, words
from pages.figures.band import add_band
from pages.figures.bars import interval_bars
from pages.figures.clouds import color_of, light
from pages.figures.curves import QUARTERS, add_reference, unit_axes
from pages.figures.scene import Scene

SHARE = 0.24
"""Part of the height that the histogram takes."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """What one model said, and what came of it."""

    bins: CalibrationCurve
    fit: IsotonicCalibration
    band: ConsistencyBand
    said: ScoreHistogram


def draw(scene: Scene, made: Reliability) -> go.Figure:
    """Draw what came true against what was said, above a histogram of what was said."""
    says = theme.Words(
        title=title(scene, made),
        subtitle=_subtitle(made),
        x=f"probability of {scene.axis_positive}",
        y=f"share that is {scene.axis_positive}",
    )
    if not len(made.bins.n):
        return theme.nothing_to_draw(says, scene.look, "There is no row with a probability.")
    figure = theme.canvas(says, scene.look, height=560)
    unit_axes(figure)
    band = made.band
    look = {"color": scene.look.secondary, "base": scene.look.card}
    add_band(figure, band.probability, (band.low, band.high), **look)
    add_reference(figure, scene, (0, 1), "")
    _add_fit(figure, scene, made.fit)
    _add_bins(figure, scene, made.bins)
    _add_histogram(figure, scene, made.said)
    return figure


def title(scene: Scene, made: Reliability) -> str:
    """Return the bin that strays furthest, if any strays for sure."""
    return calibration.title(scene, {scene.chosen or "": made.bins})


def alt(scene: Scene, made: Reliability) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    bins = words.counted(len(made.bins.n), "bin")
    return f"Reliability diagram with {bins} and an isotonic fit. {title(scene, made)}."


def _subtitle(made: Reliability) -> str:
    return (
        f"Dots: bins with {made.bins.level:.0%} intervals; line: isotonic fit; "
        f"shaded: where it lies {made.band.level:.0%} of the time if the probabilities are right"
    )


def _add_fit(figure: go.Figure, scene: Scene, fit: IsotonicCalibration) -> None:
    """Add the fit through the ends of its level stretches."""
    change = np.flatnonzero(np.diff(fit.share)) + 1
    ends = np.unique(np.concatenate([[0], change - 1, change, [len(fit.share) - 1]]))
    if len(ends) > scene.vertices(1):
        ends = ends[np.linspace(0, len(ends) - 1, scene.vertices(1)).astype(int)]
    figure.add_scatter(
        x=light(fit.probability[ends]),
        y=light(fit.share[ends]),
        mode="lines",
        line={"color": color_of(scene), "width": 2},
        hovertemplate="said %{x:.1%}, the fit says %{y:.1%}<extra></extra>",
        showlegend=False,
    )


def _add_bins(figure: go.Figure, scene: Scene, bins: CalibrationCurve) -> None:
    color = color_of(scene)
    told = np.column_stack([bins.low, bins.high, bins.n, bins.share_low, bins.share_high])
    figure.add_scatter(
        x=bins.mean_probability,
        y=bins.share_positive,
        customdata=told,
        error_y=interval_bars(bins.share_positive, bins.share_low, bins.share_high, color),
        mode="markers",
        marker={"color": color, "size": 9, "line": {"color": scene.look.card, "width": 1}},
        hovertemplate=calibration.spoken(scene) + "<extra></extra>",
        showlegend=False,
    )


def _add_histogram(figure: go.Figure, scene: Scene, said: ScoreHistogram) -> None:
    counts = said.positives + said.negatives
    figure.add_bar(
        x=(said.edges[:-1] + said.edges[1:]) / 2,
        y=np.sqrt(counts),
        customdata=np.column_stack([said.edges[:-1], said.edges[1:], counts]),
        yaxis="y2",
        marker={"color": scene.look.negative, "line": {"width": 0}},
        hovertemplate="%{customdata[2]:,} rows were given %{customdata[0]:.2~f} to "
        "%{customdata[1]:.2~f}<extra></extra>",
        showlegend=False,
    )
    most = float(counts.max())
    figure.update_layout(
        bargap=0.1,
        yaxis={"domain": [SHARE + 0.06, 1]},
        yaxis2={
            "domain": [0, SHARE],
            "anchor": "x",
            "tickvals": np.sqrt([0, most]),
            "ticktext": ["0", words.count(most)],
            "fixedrange": True,
        },
        xaxis={"anchor": "y2", "tickvals": QUARTERS},
    )
