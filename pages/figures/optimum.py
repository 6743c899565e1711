"""Where the cheapest threshold lies when the rows are drawn again."""

import numpy as np
import plotly.graph_objects as go

from evalcore.resampling.optimum import OptimumBootstrap
from pages.figures import theme, words
from pages.figures.clouds import color_of
from pages.figures.scene import Scene

BINS = 40


def draw(scene: Scene, found: OptimumBootstrap) -> go.Figure:
    """Draw a histogram of the cheapest thresholds of the resamples."""
    finite = found.thresholds[np.isfinite(found.thresholds)]
    says = theme.Words(
        title=title(scene, found),
        subtitle=_subtitle(scene, found),
        x="threshold",
        y="resamples",
    )
    if not len(finite):
        why = "Flagging nothing is cheapest in every resample."
        return theme.nothing_to_draw(says, scene.look, why)
    figure = theme.canvas(says, scene.look, height=240)
    low, high = float(finite.min()), float(finite.max())
    half = (high / 2 - low / 2) / BINS or max(0.005, abs(low) / 1000)
    edges = low - half + 2 * half * np.arange(BINS + 2)
    counts, _ = np.histogram(finite, edges)
    figure.add_bar(
        x=edges[:-1] + half,
        y=counts,
        marker={"color": color_of(scene), "line": {"width": 0}},
        hovertemplate="%{y:,} resamples near %{x:.4~g}<extra></extra>",
    )
    if np.isfinite(found.chosen.threshold):
        figure.add_vline(x=found.chosen.threshold, line={"color": scene.look.text, "width": 2})
    if low == high:
        figure.update_xaxes(range=[low - BINS * half, high + BINS * half])
    figure.update_layout(bargap=0.08, showlegend=False)
    figure.update_xaxes(nticks=6)
    figure.update_yaxes(nticks=5, rangemode="tozero")
    return figure


def title(scene: Scene, found: OptimumBootstrap) -> str:
    """Return how far the cheapest threshold could be elsewhere, in words."""
    low, high = float(found.threshold.low), float(found.threshold.high)
    if low == high == np.inf:
        return "In every resample of these rows it is cheapest to flag nothing"
    if low == high:
        return f"Every resample of these rows chooses {words.score(low)}"
    upper = "nothing at all" if np.isinf(high) else words.score(high)
    return f"Other rows could have chosen {words.score(low)} to {upper}"


def _subtitle(scene: Scene, found: OptimumBootstrap) -> str:
    drawn = f"Cheapest threshold of {scene.who} in {len(found.thresholds):,} resamples"
    if not 0 < found.nothing < 1:
        return drawn
    return f"{drawn}; in {words.percent(found.nothing)} of them flagging nothing is cheapest"


def alt(scene: Scene, found: OptimumBootstrap) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Histogram of the cheapest thresholds over resamples. {title(scene, found)}."
