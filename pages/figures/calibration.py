"""Calibration: what the model said against what share came true."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.calibration import CalibrationCurve
from evalcore.outcomes import Floats
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.bars import interval_bars
from pages.figures.curves import add_reference, fit_legend, unit_axes
from pages.figures.scene import Scene

_SMALLEST, _LARGEST = 5.0, 13.0


def draw(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> go.Figure:
    """Draw one line per model; the chosen one with the interval of each bin."""
    drawable = [name for name, curve in curves.items() if len(curve.n)]
    says = theme.Words(
        title=title(scene, curves),
        subtitle=subtitle(scene, curves),
        x=f"mean probability of {scene.axis_positive}",
        y=f"share that is {scene.axis_positive}",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "No model gives probabilities.")
    figure = theme.canvas(says, scene.look)
    unit_axes(figure)
    add_reference(figure, scene, (0, 1), "")
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _add_curve(figure, scene, name, curves[name])
    return figure


def title(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return what the picture shows: the bin that strays furthest, if any strays for sure."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.n):
        return "Do the probabilities come true?"
    said, came, strays = curve.mean_probability, curve.share_positive, curve.strays
    if not strays.any():
        return f"What {scene.who} says comes true, as far as these rows can tell"
    worst = int(np.argmax(np.where(strays, curve.n * np.abs(said - came), -1.0)))
    happened = f"{words.percent(float(came[worst]))} are {scene.positive}"
    return f"Where {scene.who} says {words.percent(float(said[worst]))}, {happened}"


def subtitle(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return the name of the picture and what the bars are."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.n):
        return "Reliability diagram"
    bins = words.counted(len(curve.n), "bin")
    return f"Reliability diagram, {bins} with rows; bars are {curve.level:.0%} intervals"


def alt(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Reliability diagram of {words.counted(len(curves), 'model')}. {title(scene, curves)}."


def _add_curve(figure: go.Figure, scene: Scene, name: str, curve: CalibrationCurve) -> None:
    style, front = scene.style(name), name == scene.chosen
    marker = {
        "color": style.color,
        "symbol": style.symbol,
        "size": _sizes(np.asarray(curve.n, np.float64)) if front else 5,
        "line": {"color": scene.look.card, "width": 1},
    }
    ends = (curve.share_low, curve.share_high)
    bars = interval_bars(curve.share_positive, *ends, style.color)
    told = np.column_stack([curve.low, curve.high, curve.n, curve.share_low, curve.share_high])
    figure.add_scatter(
        x=curve.mean_probability,
        y=curve.share_positive,
        customdata=told,
        error_y=bars if front else None,
        name=safe(shorten(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines+markers",
        marker=marker,
        line={"color": style.color, "dash": style.dash, "width": scene.width(name)},
        hovertemplate=f"<b>{safe(shorten(name, 60))}</b><br>{spoken(scene)}<extra></extra>",
    )


def spoken(scene: Scene) -> str:
    """Return the template of what hovering over a bin says."""
    return (
        "%{customdata[2]:,} rows were given %{customdata[0]:.2~f} to %{customdata[1]:.2~f}, "
        f"on average %{{x:.1%}}<br>%{{y:.1%}} of them are {safe(scene.positive)} "
        "(%{customdata[3]:.1%} to %{customdata[4]:.1%})"
    )


def _sizes(n: Floats) -> Floats:
    """Return marker sizes whose areas follow the counts."""
    sizes: Floats = np.maximum(_SMALLEST, _LARGEST * np.sqrt(n / n.max()))
    return sizes
