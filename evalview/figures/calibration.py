"""Predicted probabilities against observed shares: calibration curves, reliability diagrams."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import plotly.graph_objects as go

from evalcore.curves.roc import CalibrationCurve
from evalcore.intervals.resamples import percentiles
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Floats, ReadOnly
from evalcore.tables.reliability import rising_shares
from evalcore.tables.scores import ScoreTable
from evalview import escape, text
from evalview.figures import lines, theme
from evalview.figures.theme import Scene
from evalview.figures.view import Data, view_of
from evalview.lab.recalibration import binned, by_every_method

DRAWS = 200
"""Draws of the consistency band; more would not be seen."""

PLACES = 400
"""Probabilities at which the band is drawn; with more, neighbours are counted together."""


@dataclass(frozen=True, eq=False)
class IsotonicCalibration(ReadOnly):
    """The rising share of positives that fits the rows best, at each distinct probability.

    Source: Dimitriadis, Gneiting and Jordan (2021), Stable reliability diagrams for probabilistic
    classifiers, PNAS 118(8).

    Attributes:
        probability: (m,) rising.
        share: (m,) the fit, rising in the weak sense.
        rows: (m,) rows at each probability, or the sum of their weights.
        miscalibration: What the fit would take off the Brier score.
        discrimination: What the fit takes off the Brier score of the base rate.
        uncertainty: The Brier score of the base rate. The Brier score is miscalibration -
            discrimination + uncertainty, exactly.
    """

    probability: Floats
    share: Floats
    rows: Floats
    miscalibration: float
    discrimination: float
    uncertainty: float

    @classmethod
    def from_table(cls, table: ScoreTable) -> Self:
        """Fit a table of probabilities; the parts are NaN without rows."""
        p = table.threshold[::-1]
        positive, negative = (step[::-1].astype(np.float64) for step in table.steps())
        rows = positive + negative
        share = rising_shares(positive, rows)
        base = table.positives / table.n if table.n else np.nan

        def brier(said: Floats | float) -> float:
            total = (positive * (1 - said) ** 2 + negative * said**2).sum()
            return float(total / table.n) if table.n else np.nan

        given, fitted, flat = brier(p), brier(share), brier(base)
        return cls(p, share, rows, given - fitted, flat - fitted, flat)


@dataclass(frozen=True, eq=False)
class ConsistencyBand(ReadOnly):
    """Where the fit lies, at each probability by itself, if the probabilities are the true ones.

    Attributes:
        probability: (g,) rising.
        low: (g,) lower ends.
        high: (g,) upper ends.
        level: Share of the draws between them.
    """

    probability: Floats
    low: Floats
    high: Floats
    level: float

    @classmethod
    def from_table(
        cls,
        table: ScoreTable,
        rng: np.random.Generator,
        *,
        level: float = 0.95,
        draws: int = DRAWS,
    ) -> Self:
        """Let each row happen with its own probability, fit that, and so on."""
        p, rows = _few(table)
        whole = np.rint(rows).astype(np.int64)
        drawn = rng.binomial(whole, p, size=(draws, len(p))).astype(np.float64)
        used = np.maximum(whole, 1).astype(np.float64)
        fits = np.array([rising_shares(each, used) for each in drawn]).reshape(draws, len(p))
        ends = percentiles(fits, level)
        return cls(p, ends.low, ends.high, level)


def _few(table: ScoreTable) -> tuple[Floats, Floats]:
    """Return rising probabilities and their rows, neighbours counted together at their mean."""
    p = table.threshold[::-1]
    positive, negative = (step[::-1].astype(np.float64) for step in table.steps())
    rows = positive + negative
    if len(p) <= PLACES:
        return p, rows
    starts = np.unique(np.searchsorted(np.cumsum(rows), np.arange(PLACES) * rows.sum() / PLACES))
    counts = np.add.reduceat(rows, starts)
    return np.add.reduceat(p * rows, starts) / counts, counts


_SMALLEST, _LARGEST = 5.0, 13.0


def draw_calibration_curve(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> go.Figure:
    """Draw one line per model; the chosen one with the interval of each bin."""
    drawable = [name for name, curve in curves.items() if len(curve.n)]
    says = theme.Words(
        title=calibration_curve_title(scene, curves),
        subtitle=calibration_curve_subtitle(scene, curves),
        x=f"mean probability of {scene.axis_positive}",
        y=f"share that is {scene.axis_positive}",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "No model gives probabilities.")
    figure = theme.canvas(says, scene.look)
    lines.unit_axes(figure)
    lines.add_reference(figure, scene, (0, 1), "")
    names = scene.drawn(drawable)
    lines.fit_legend(figure, len(names))
    for name in names:
        _add_curve(figure, scene, name, curves[name])
    return figure


RUNS = 2
"""So many stretches of neighbouring bins are named; of more, only how many bins are off."""


def calibration_curve_title(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return where probabilities are too high or too low for sure, all bins judged together."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.n):
        return "Are the probabilities calibrated?"
    if not curve.strays.any():
        return "No bin is clearly off, all judged together"
    said = f"Probabilities of {scene.who} are {where_off(curve)}"
    if curve.strays.sum() == 1:
        return said
    worst = curve.mean_probability[widest(curve)]
    return f"{said}, most where they say {text.whole_percent(float(worst))}"


def leans(curve: CalibrationCurve) -> Floats:
    """Return of (k,) bins whether they are surely too high (1) or too low (-1); 0 otherwise."""
    way: Floats = np.sign(curve.mean_probability - curve.share_positive) * curve.strays
    return way


def widest(curve: CalibrationCurve) -> int:
    """Return the place of the bin with the largest gap, of those that are surely off."""
    gaps = np.abs(curve.mean_probability - curve.share_positive)
    return int(np.argmax(gaps * curve.strays))


def where_off(curve: CalibrationCurve) -> str:
    """Return where probabilities are surely off, and in which direction; "" for nowhere.

    Bins between two of the same direction belong to their stretch where their own gap, though not
    sure, has this direction too.
    """
    way, k = leans(curve), len(curve.n)
    if not way.any():
        return ""
    runs = list(_runs(way, np.sign(curve.mean_probability - curve.share_positive)))
    if len(runs) > RUNS:
        name = {1: "too high", -1: "too low"}.get(int(way[way != 0].mean()), "off")
        return f"{name} in {int(curve.strays.sum())} of {text.counted(k, 'bin')}"
    return " and ".join(_stretch(curve, *run) for run in runs)


def _runs(way: Floats, side: Floats) -> Iterator[tuple[int, int]]:
    """Yield the first and last bin of each stretch of one direction."""
    first = last = -1
    for at in np.flatnonzero(way).tolist():
        if first >= 0 and (side[first : at + 1] == way[first]).all():
            last = at
            continue
        if first >= 0:
            yield first, last
        first = last = at
    yield first, last


def _stretch(curve: CalibrationCurve, first: int, last: int) -> str:
    """Say where a stretch of bins lies and in which direction it is off."""
    lowest, highest = first == 0, last == len(curve.n) - 1
    said = "too high" if leans(curve)[first] > 0 else "too low"
    low, high = (text.whole_percent(float(end)) for end in (curve.low[first], curve.high[last]))
    if lowest and highest:
        only = text.whole_percent(float(curve.mean_probability[0]))
        return f"{said} near {only}" if first == last else f"{said} in all {last + 1} bins"
    if highest:
        return f"{said} above {low}"
    return f"{said} below {high}" if lowest else f"{said} from {low} to {high}"


def calibration_curve_subtitle(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return the name of the picture and what the bars are."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.n):
        return "Reliability diagram"
    bins = text.counted(len(curve.n), "bin")
    return f"Reliability diagram, {bins} with rows; bars are {curve.level:.0%} intervals"


def calibration_curve_alt(scene: Scene, curves: Mapping[str, CalibrationCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    title = calibration_curve_title(scene, curves)
    return f"Reliability diagram of {text.counted(len(curves), 'model')}. {title}."


def _add_curve(figure: go.Figure, scene: Scene, name: str, curve: CalibrationCurve) -> None:
    style, front = scene.style(name), name == scene.chosen
    marker = {
        "color": style.color,
        "symbol": style.symbol,
        "size": _sizes(np.asarray(curve.n, np.float64)) if front else 5,
        "line": {"color": scene.look.card, "width": 1},
    }
    ends = (curve.share_low, curve.share_high)
    bars = lines.interval_bars(curve.share_positive, *ends, style.color)
    spoken = calibration_curve_spoken(scene)
    bold = f"<b>{escape.plotly(text.abbreviate(name, 60))}</b>"
    told = np.column_stack([curve.low, curve.high, curve.n, curve.share_low, curve.share_high])
    figure.add_scatter(
        x=curve.mean_probability,
        y=curve.share_positive,
        customdata=told,
        error_y=bars if front else None,
        name=escape.plotly(text.abbreviate(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines+markers",
        marker=marker,
        line={"color": style.color, "dash": style.dash, "width": scene.width(name)},
        hovertemplate=f"{bold}<br>{spoken}<extra></extra>",
    )


def calibration_curve_spoken(scene: Scene) -> str:
    """Return the template of what hovering over a bin says."""
    return (
        "%{customdata[2]:,} rows were given %{customdata[0]:.2~f} to %{customdata[1]:.2~f}, "
        f"on average %{{x:.1%}}<br>%{{y:.1%}} of them are {escape.plotly(scene.positive)} "
        "(%{customdata[3]:.1%} to %{customdata[4]:.1%})"
    )


def _sizes(n: Floats) -> Floats:
    """Return marker sizes whose areas follow the counts."""
    sizes: Floats = np.maximum(_SMALLEST, _LARGEST * np.sqrt(n / n.max()))
    return sizes


def draw_recalibration(
    scene: Scene, curves: Mapping[str, CalibrationCurve], title: str
) -> go.Figure:
    """Draw one line per set of probabilities; the chosen one, if any, with its intervals."""
    figure = draw_calibration_curve(scene, curves)
    says = "Reliability diagram; the closer to the diagonal, the truer"
    figure.update_layout(
        title={"text": escape.plotly(title), "subtitle": {"text": escape.plotly(says)}}
    )
    return figure


def recalibration_alt(curves: Mapping[str, CalibrationCurve], title: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{title}: reliability diagram with {text.counted(len(curves), 'line')}."


SHARE = 0.24
"""Part of the height that the histogram takes."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """What one model said, and what came of it."""

    bins: CalibrationCurve
    fit: IsotonicCalibration
    band: ConsistencyBand
    said: lines.ScoreHistogram


def draw_reliability(scene: Scene, made: Reliability) -> go.Figure:
    """Draw observed shares against predicted probabilities, above a histogram of these."""
    says = theme.Words(
        title=reliability_title(scene, made),
        subtitle=_subtitle(made),
        x=f"probability of {scene.axis_positive}",
        y=f"share that is {scene.axis_positive}",
    )
    if not len(made.bins.n):
        return theme.nothing_to_draw(says, scene.look, "There is no row with a probability.")
    figure = theme.canvas(says, scene.look, height=theme.SLIDE_HEIGHT)
    lines.unit_axes(figure)
    band = made.band
    look = {"color": scene.look.secondary, "base": scene.look.card}
    lines.add_band(figure, band.probability, (band.low, band.high), **look)
    lines.add_reference(figure, scene, (0, 1), "")
    _add_fit(figure, scene, made.fit)
    _add_bins(figure, scene, made.bins)
    _add_histogram(figure, scene, made.said)
    return figure


def reliability_title(scene: Scene, made: Reliability) -> str:
    """Return where the probabilities are off, if they surely are somewhere."""
    return calibration_curve_title(scene, {scene.chosen or "": made.bins})


def reliability_alt(scene: Scene, made: Reliability) -> str:
    """Return the picture in sentences for those who cannot see it."""
    bins = text.counted(len(made.bins.n), "bin")
    return (
        f"Reliability diagram with {bins} and an isotonic fit, above a histogram of the rows on a "
        f"square-root scale. {reliability_title(scene, made)}."
    )


def _subtitle(made: Reliability) -> str:
    return (
        f"Dots: bins with {made.bins.level:.0%} intervals; line: isotonic fit; "
        f"shaded: where it lies {made.band.level:.0%} of the time if the probabilities are right; "
        "below: rows, square-root scale"
    )


def _add_fit(figure: go.Figure, scene: Scene, fit: IsotonicCalibration) -> None:
    """Add the fit through the ends of its level stretches."""
    change = np.flatnonzero(np.diff(fit.share)) + 1
    ends = np.unique(np.concatenate([[0], change - 1, change, [len(fit.share) - 1]]))
    if len(ends) > scene.vertices(1):
        ends = ends[np.linspace(0, len(ends) - 1, scene.vertices(1)).astype(int)]
    figure.add_scatter(
        x=lines.light(fit.probability[ends]),
        y=lines.light(fit.share[ends]),
        mode="lines",
        line={"color": lines.color_of(scene), "width": 2},
        hovertemplate="said %{x:.1%}, the fit says %{y:.1%}<extra></extra>",
        showlegend=False,
    )


def _add_bins(figure: go.Figure, scene: Scene, bins: CalibrationCurve) -> None:
    color = lines.color_of(scene)
    told = np.column_stack([bins.low, bins.high, bins.n, bins.share_low, bins.share_high])
    figure.add_scatter(
        x=bins.mean_probability,
        y=bins.share_positive,
        customdata=told,
        meta=lines.selects("score"),
        error_y=lines.interval_bars(bins.share_positive, bins.share_low, bins.share_high, color),
        mode="markers",
        marker={"color": color, "size": 9, "line": {"color": scene.look.card, "width": 1}},
        hovertemplate=calibration_curve_spoken(scene) + "<extra></extra>",
        showlegend=False,
    )


def _add_histogram(figure: go.Figure, scene: Scene, said: lines.ScoreHistogram) -> None:
    counts = said.positives + said.negatives
    figure.add_bar(
        x=(said.edges[:-1] + said.edges[1:]) / 2,
        y=np.sqrt(counts),
        customdata=np.column_stack([said.edges[:-1], said.edges[1:], counts]),
        meta=lines.selects("score"),
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
            "ticktext": ["0", text.count(most)],
            "fixedrange": True,
        },
        xaxis={"anchor": "y2", "tickvals": lines.QUARTERS},
    )


def calibration_curve(
    data: Data, *, model: str | None = None, label: str | None = None
) -> go.Figure:
    """Return the calibration curve of every model; of several classes that of `label`."""
    view = view_of(data, model)
    every = view.probabilities(label)
    return draw_calibration_curve(
        view.scene_of(label), {name: binned(table, view.options) for name, table in every.items()}
    )


def reliability(data: Data, *, model: str | None = None, label: str | None = None) -> go.Figure:
    """Return the reliability diagram of a model; of several classes that of `label`."""
    view = view_of(data, model)
    table = view.own_probabilities(label)
    return draw_reliability(view.scene_of(label), reliability_of(table, view.options))


def reliability_of(table: ScoreTable, options: Options) -> Reliability:
    """Return what the probabilities say, and what came of it."""
    rng = np.random.default_rng(options.seed)
    return Reliability(
        binned(table, options),
        IsotonicCalibration.from_table(table),
        ConsistencyBand.from_table(table, rng, level=options.level),
        lines.ScoreHistogram.from_table(table),
    )


def recalibration(data: Data, *, model: str | None = None, label: str | None = None) -> go.Figure:
    """Return the calibration curve before and after each way to recalibrate, out of fold."""
    view = view_of(data, model)
    table = view.own_probabilities(label)
    positive = view.dataset.classes[1] if view.is_binary else view.label(label)
    own = view.dataset.models[view.model]
    assert isinstance(own, BinaryOutcomes | ClassOutcomes)
    told = own.against_rest(("other", positive))
    shown = by_every_method(view.dataset, view.model, table, told, view.options).curves
    scene = replace(view.scene_of(label), names=tuple(shown), chosen=None)
    return draw_recalibration(scene, shown, "As given, and recalibrated on other folds")
