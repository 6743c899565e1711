"""Predicted numbers against true ones, and how their errors are spread."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import plotly.graph_objects as go

from evalcore.errors import EvalError
from evalcore.evaluation.estimates import estimate_values
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Floats, NumericOutcomes, Places, ReadOnly
from evalcore.results import Estimates
from evalcore.tables.confusion import in_order
from evalcore.tables.residuals import ResidualMoments
from evalview import text
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.lines import (
    ErrorCounts,
    Scatter,
    add_cloud,
    clear,
    color_of,
    fit_legend,
    light,
    selects,
)
from evalview.figures.theme import Scene
from evalview.figures.view import NO_FIGURE, Data, View, view_of
from evalview.text import abbreviate, size
from evalview.words import predictions_of

VERTICES = 200
"""Points that a curve keeps at most, about two pixels apart; each is a real row."""


@dataclass(frozen=True, eq=False)
class ErrorCurve(ReadOnly):
    """The share of rows that are off by at most so much: the REC curve.

    Source: Bi and Bennett (2003), Regression error characteristic curves, ICML.

    Attributes:
        off: (m,) sizes of errors, rising, in the unit of the target.
        share: (m,) share of the rows that are off by at most that.
    """

    off: Floats
    share: Floats

    @classmethod
    def from_errors(cls, error: Floats, weight: Floats | None = None) -> Self:
        """Return the curve of (n,) errors; empty without rows."""
        off, upto = in_order(np.abs(error), weight)
        if not len(off):
            return cls(off, upto)
        last = np.append(off[1:] != off[:-1], True)
        off, share = off[last], upto[last] / upto[-1]
        kept = _spaced(share, off)
        return cls(off[kept], share[kept])

    def share_within(self, off: float) -> float:
        """Return the share of the rows that are off by at most `off`; NaN without rows."""
        at = int(np.searchsorted(self.off, off, side="right"))
        return float(self.share[at - 1]) if at else (0.0 if len(self.off) else np.nan)


@dataclass(frozen=True, eq=False)
class NormalQuantiles(ReadOnly):
    """Errors in order against what a normal distribution of their mean and spread would give.

    Attributes:
        expected: (m,) rising.
        error: (m,) errors at the same ranks.
        low: (m,) where a normal sample would stay above at this rank, each rank by itself.
        high: (m,) where it would stay below.
        level: Level of each pair of ends.
    """

    expected: Floats
    error: Floats
    low: Floats
    high: Floats
    level: float

    @classmethod
    def from_errors(cls, error: Floats, weight: Floats | None = None, level: float = 0.95) -> Self:
        """Return at most about 200 ranks of (n,) errors, the extreme ones among them.

        Ranks stand at (i - 1/2) / n. The ends are quantiles of the beta distribution of the i-th
        of n uniform values. Empty where the errors do not vary. Source: Wilk and Gnanadesikan
        (1968), Biometrika 55(1); David and Nagaraja (2003), Order Statistics, 2.2.
        """
        from scipy.special import betaincinv, ndtri

        ordered, upto = in_order(error, weight)
        if len(ordered) < 2 or ordered[0] == ordered[-1]:
            none = np.empty(0)
            return cls(none, none, none, none, level)
        n = float(upto[-1])
        mean, deviation = _moments(ordered, np.diff(upto, prepend=0.0), n)
        middle = upto - np.diff(upto, prepend=0.0) / 2
        kept = _spaced(ndtri(middle / n))
        place = middle[kept]
        first, last = place + 0.5, n - place + 0.5
        ends = [betaincinv(first, last, share) for share in ((1 - level) / 2, (1 + level) / 2)]
        expected, low, high = (mean + deviation * ndtri(p) for p in (place / n, *ends))
        return cls(expected, ordered[kept], low, high, level)

    @property
    def outside(self) -> int:
        """How many of the ranks shown lie beyond their ends."""
        return int(((self.error < self.low) | (self.error > self.high)).sum())


@dataclass(frozen=True, eq=False)
class Tail(ReadOnly):
    """What the largest errors add to the sum of squares that metrics are made of.

    Attributes:
        rows: (k,) shares of the rows, those with the largest errors.
        squared: (k,) their shares of the sum of the squared errors, as in the RMSE.
    """

    rows: Floats
    squared: Floats

    @classmethod
    def from_errors(
        cls,
        error: Floats,
        weight: Floats | None = None,
        rows: tuple[float, ...] = (0.01, 0.05, 0.1, 0.25),
    ) -> Self:
        """Return the shares of (n,) errors; a row is split where a share ends inside it.

        NaN where all errors are zero.
        """
        off, upto = in_order(np.abs(error), weight)
        width = np.diff(upto, prepend=0.0)[::-1]
        share = np.append(0.0, np.cumsum(width)) / (upto[-1] if len(upto) else np.nan)
        # Divided by the largest one first, so that no square overflows.
        size = off[::-1] / (off[-1] if len(off) and off[-1] else np.nan)
        wanted = np.asarray(rows)
        part = np.append(0.0, np.cumsum(width * size**2))
        return cls(wanted, np.interp(wanted, share, part / (part[-1] or np.nan)))


def _moments(values: Floats, weight: Floats, n: float) -> tuple[float, float]:
    """Return mean and standard deviation, as of a sample of n."""
    mean = float(np.average(values, weights=weight))
    size = np.abs(values - mean).max()
    scaled = np.sum(weight * ((values - mean) / size) ** 2) / (n - 1) if n > 1 else np.nan
    return mean, float(size * np.sqrt(scaled))


def _spaced(*along: Floats) -> Places:
    """Return places, rising, that lie about evenly along each of several (m,) rising values."""
    m = len(along[0])
    if m <= VERTICES:
        return np.arange(m)
    each = VERTICES // len(along)
    kept = [
        np.searchsorted(values, np.linspace(values[0], values[-1], each)).clip(0, m - 1)
        for values in along
    ]
    return np.unique(np.concatenate([*kept, [0, m - 1]]))


@dataclass(frozen=True)
class FittedLine:
    """The least-squares line of truth on prediction: intercept 0 and slope 1 if all is well.

    Attributes:
        intercept: In the unit of the target.
        slope: NaN where the predictions do not vary.
        slope_low: Lower end of its interval by Student's t; NaN with fewer than 3 rows.
        slope_high: Upper end.
    """

    intercept: float
    slope: float
    slope_low: float
    slope_high: float

    @classmethod
    def from_moments(cls, table: ResidualMoments, level: float = 0.95) -> Self:
        """Return the line of one table. Source: Mincer and Zarnowitz (1969)."""
        from scipy.special import stdtrit

        n, ss = float(table.n), float(table.prediction_ss)
        if not ss > 0:
            return cls(np.nan, np.nan, np.nan, np.nan)
        slope = float(table.product_ss) / ss
        rest = max(0.0, float(table.truth_ss) - slope * float(table.product_ss))
        error = np.sqrt(rest / (n - 2) / ss) if n > 2 else np.nan
        reach = float(stdtrit(n - 2, (1 + level) / 2) * error) if n > 2 else np.nan
        intercept = float(table.mean_truth) - slope * float(table.mean_prediction)
        return cls(intercept, slope, slope - reach, slope + reach)


HOVER = "predicted %{x:,.4~g}<br>was %{y:,.4~g}"


def draw_predicted_actual(
    scene: Scene, cloud: Scatter, half: Estimate, fitted: FittedLine | None = None
) -> go.Figure:
    """Draw predictions to the right and truths upwards; on the diagonal both are equal.

    `half` is the median absolute error; `fitted` is drawn as a line where it is known.
    """
    says = theme.Words(
        title=predicted_actual_title(scene, half, fitted),
        subtitle=predicted_actual_subtitle(cloud, fitted),
        x="predicted",
        y="actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    figure.update_layout(meta={"x": "predicted", "y": "actual"})
    add_cloud(figure, scene, cloud, HOVER)
    ends = _ends(cloud)
    line = {"color": scene.look.text, "width": 1.5, "dash": "4px,3px"}
    figure.add_trace(
        go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", showlegend=False)
    )
    if fitted is not None and np.isfinite(fitted.slope):
        _add_fitted(figure, scene, fitted, ends)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def predicted_actual_title(scene: Scene, half: Estimate, fitted: FittedLine | None = None) -> str:
    """Return what one sees, in words: of the line that fits best, where one is drawn."""
    if fitted is not None and np.isfinite(fitted.slope):
        return f"Actual numbers rise by {_slope(fitted.slope)} where predictions rise by 1"
    if not half.defined:
        return f"Actual values by {predictions_of(scene.who)}"
    return f"Half of the {predictions_of(scene.who)} are within {size(half.value)}"


def predicted_actual_subtitle(cloud: Scatter, fitted: FittedLine | None = None) -> str:
    """Return what the lines are."""
    rows = text.counted(cloud.n, "row")
    if fitted is None or not np.isfinite(fitted.slope):
        return f"{rows}; on the line a prediction is exactly right"
    ends = text.low_to_high(_slope(fitted.slope_low), _slope(fitted.slope_high))
    sure = f", 95% interval {ends}" if np.isfinite(fitted.slope_low) else ""
    return f"{rows}; dashed: exactly right; solid: the line that fits best{sure}"


def _slope(value: float) -> str:
    return f"{value:.2f}".replace("-", text.MINUS)


def _add_fitted(figure: go.Figure, scene: Scene, fitted: FittedLine, ends: list[float]) -> None:
    figure.add_trace(
        go.Scatter(
            x=ends,
            y=[fitted.intercept + fitted.slope * end for end in ends],
            mode="lines",
            line={"color": color_of(scene), "width": 2.5},
            hovertemplate="of rows predicted %{x:,.4~g}, the mean is %{y:,.4~g}<extra></extra>",
            showlegend=False,
        )
    )


def predicted_actual_alt(scene: Scene, cloud: Scatter, half: Estimate) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = text.counted(cloud.n, "row")
    return f"Predicted against actual values of {rows}. {predicted_actual_title(scene, half)}."


def _ends(cloud: Scatter) -> list[float]:
    """Return where the diagonal begins and ends: as far as both axes reach."""
    shown = cloud if cloud.density is None else cloud.density
    low = min(float(shown.x.min()), float(shown.y.min()))
    high = max(float(shown.x.max()), float(shown.y.max()))
    return [low, high]


BLAND_ALTMAN_HOVER = "mean of both %{x:,.4~g}<br>off by %{y:+,.4~g}"
LINES = (
    ("bland_altman_high", "upper limit"),
    ("bias", "mean"),
    ("bland_altman_low", "lower limit"),
)


def draw_bland_altman(scene: Scene, cloud: Scatter, found: Estimates) -> go.Figure:
    """Draw rows to the right by the mean of prediction and truth, upwards by their difference."""
    says = theme.Words(
        title=bland_altman_title(scene, found),
        subtitle="Bland and Altman's limits of agreement, each with its interval",
        x="mean of predicted and actual",
        y="predicted minus actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    figure.update_layout(meta={"x": "mean of predicted and actual", "y": "error"})
    add_cloud(figure, scene, cloud, BLAND_ALTMAN_HOVER)
    for key, name in LINES:
        if found[key].defined:
            _add_limit(figure, scene, found[key], name)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def bland_altman_title(scene: Scene, found: Estimates) -> str:
    """Return between which errors 95 of 100 lie, if these are normal."""
    low, high = found["bland_altman_low"], found["bland_altman_high"]
    if not (low.defined and high.defined):
        return f"Do {scene.who} and the truth agree?"
    return f"19 of 20 errors of {scene.who} lie from {size(low.value)} to {size(high.value)}"


def bland_altman_alt(scene: Scene, cloud: Scatter, found: Estimates) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = text.counted(cloud.n, "row")
    title = bland_altman_title(scene, found)
    return f"Differences of {rows} against their means. {title}, if they are normal."


def _add_limit(figure: go.Figure, scene: Scene, limit: Estimate, name: str) -> None:
    color = color_of(scene)
    if limit.low is not None and limit.high is not None:
        figure.add_hrect(y0=limit.low, y1=limit.high, line_width=0, fillcolor=clear(color, 0.14))
    dash = "solid" if name == "mean" else "5px,4px"
    figure.add_hline(y=limit.value, line={"color": scene.look.text, "width": 1.5, "dash": dash})
    figure.add_annotation(
        x=1, xref="paper", y=limit.value, xanchor="right", yanchor="bottom", showarrow=False,
        text=safe(f"{name} {size(limit.value)}"),
        bgcolor=scene.look.card, opacity=0.85,
    )  # fmt: skip


def draw_normal_quantiles(scene: Scene, told: NormalQuantiles) -> go.Figure:
    """Draw the errors in order over those of a normal distribution of equal mean and spread."""
    says = theme.Words(
        title=normal_quantiles_title(scene, told),
        subtitle="On the line if errors are normal; the band is for each rank separately at "
        f"{told.level:.0%}",
        x="error, if normal",
        y="error, as it is",
    )
    if not len(told.error):
        return theme.nothing_to_draw(says, scene.look, "The errors do not vary.")
    figure = theme.canvas(says, scene.look, height=380)
    x, color = light(told.expected), color_of(scene)
    _add_band(figure, scene, told)
    figure.add_scatter(
        x=x,
        y=light(told.error),
        mode="markers",
        marker={"size": 5, "color": color},
        hovertemplate="an error of %{y:+,.4~g}<br>%{x:+,.4~g} if normal<extra></extra>",
        showlegend=False,
    )
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def _add_band(figure: go.Figure, scene: Scene, told: NormalQuantiles) -> None:
    """Add where normal errors would lie, and the line on which they would lie exactly."""
    x, color = light(told.expected), color_of(scene)
    for at, end in enumerate((told.low, told.high)):
        figure.add_scatter(
            x=x,
            y=light(end),
            mode="lines",
            line={"width": 0},
            fill="tonexty" if at else None,
            fillcolor=clear(color, 0.16),
            hoverinfo="skip",
            showlegend=False,
        )
    ends = [told.expected[0], told.expected[-1]]
    figure.add_scatter(
        x=ends,
        y=ends,
        mode="lines",
        line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"},
        hoverinfo="skip",
        showlegend=False,
    )


def normal_quantiles_title(scene: Scene, told: NormalQuantiles) -> str:
    """Return whether the tails are heavier than those of a normal distribution."""
    if not len(told.error):
        return f"How the errors of {scene.who} are spread"
    low, high = told.error[0] < told.low[0], told.error[-1] > told.high[-1]
    if low or high:
        side = "on both sides" if low and high else ("below" if low else "above")
        return f"The largest errors {side} are larger than normal errors would be"
    if told.outside > 0.1 * len(told.error):
        return f"The errors of {scene.who} are not normal, but their tails are not heavier"
    return f"The errors of {scene.who} look normal"


def normal_quantiles_alt(scene: Scene, told: NormalQuantiles) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Quantiles of the errors against normal ones. {normal_quantiles_title(scene, told)}."


HARD = 0.9


def draw_error_curve(scene: Scene, curves: Mapping[str, ErrorCurve]) -> go.Figure:
    """Draw one rising step line per model; the further left, the closer its predictions."""
    drawable = [name for name, curve in curves.items() if len(curve.off)]
    says = theme.Words(
        title=error_curve_title(scene, curves),
        subtitle="REC curve: the further to the left, the smaller the errors",
        x="off by at most",
        y="share of rows",
    )
    if not drawable:
        return theme.nothing_to_draw(says, scene.look, "There is no row with a prediction.")
    figure = theme.canvas(says, scene.look, height=380)
    names = scene.drawn(drawable)
    fit_legend(figure, len(names))
    for name in names:
        _add(figure, scene, name, curves[name])
    figure.update_xaxes(showgrid=True, nticks=6, range=[0, _reach(curves, drawable)])
    figure.update_yaxes(range=[0, 1.02], tickformat=".0%", nticks=6)
    return figure


def error_curve_title(scene: Scene, curves: Mapping[str, ErrorCurve]) -> str:
    """Return how far off nine of ten predictions are at most."""
    curve = curves.get(scene.chosen or "")
    if curve is None or not len(curve.off):
        return "How many predictions are close enough?"
    at = int(np.searchsorted(curve.share, HARD))
    whose = predictions_of(scene.who)
    return f"9 of 10 {whose} are within {size(float(curve.off[at]))}"


def error_curve_alt(scene: Scene, curves: Mapping[str, ErrorCurve]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    title = error_curve_title(scene, curves)
    return f"Errors of {text.counted(len(curves), 'model')}, cumulated. {title}."


def _add(figure: go.Figure, scene: Scene, name: str, curve: ErrorCurve) -> None:
    style = scene.style(name)
    kept = _thinned(len(curve.off), scene.vertices(len(scene.names)))
    figure.add_scatter(
        x=np.append(np.float32(0), light(curve.off[kept])),
        y=np.append(np.float32(curve.share_within(0)), curve.share[kept].astype(np.float32)),
        name=safe(abbreviate(name, 28)),
        legendrank=scene.names.index(name) + 1,
        mode="lines",
        line={
            "color": style.color, "dash": style.dash, "width": scene.width(name), "shape": "hv"
        },
        hovertemplate=f"<b>{safe(abbreviate(name, 60))}</b><br>%{{y:.1%}} of the rows are off by "
        "at most %{x:,.4~g}<extra></extra>",
    )  # fmt: skip


def _thinned(m: int, most: int) -> np.ndarray:
    return np.unique(np.linspace(0, m - 1, min(m, most)).astype(int))


def _reach(curves: Mapping[str, ErrorCurve], drawn: list[str]) -> float:
    """Return how far the axis reaches: to where the last of the curves has 99 of 100 rows."""
    reach = max(
        float(curves[name].off[int(np.searchsorted(curves[name].share, 0.99))]) for name in drawn
    )
    return reach * 1.02 or 1.0


def draw_error_histogram(scene: Scene, counts: ErrorCounts) -> go.Figure:
    """Draw how many rows have which error, each bar with the ends that select its rows."""
    beyond = "; the outer bars include everything beyond" if len(counts.n) > 1 else ""
    says = theme.Words(
        title=error_histogram_title(scene, counts),
        subtitle=f"Rows by their error{beyond}",
        x="predicted minus actual",
        y="rows",
    )
    if not len(counts.n):
        return theme.nothing_to_draw(says, scene.look, "There is no row to draw.")
    figure = theme.canvas(says, scene.look, height=380)
    low, high = counts.edges[:-1].copy(), counts.edges[1:].copy()
    figure.add_bar(
        x=low / 2 + high / 2,
        y=counts.n,
        customdata=np.column_stack([np.r_[-np.inf, low[1:]], np.r_[high[:-1], np.inf], low, high]),
        meta=selects("error"),
        marker={"color": color_of(scene), "line": {"width": 0}},
        hovertemplate="%{y:,} rows off by %{customdata[2]:,.4~g} to %{customdata[3]:,.4~g}"
        "<extra></extra>",
    )
    figure.add_vline(x=0, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.update_layout(bargap=0.08, showlegend=False)
    figure.update_yaxes(nticks=5, rangemode="tozero")
    return figure


def error_histogram_title(scene: Scene, counts: ErrorCounts) -> str:
    """Return how many predictions are too low and too high."""
    low, high = text.count(counts.below), text.count(counts.above)
    return f"{low} predictions of {scene.who} are too low, {high} too high"


def error_histogram_alt(scene: Scene, counts: ErrorCounts) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Histogram of errors. {error_histogram_title(scene, counts)}."


def _estimates(view: View) -> Mapping[str, Estimate]:
    return estimate_values(view.numbers, view.options)


def predicted_actual(data: Data, *, model: str | None = None) -> go.Figure:
    """Return every predicted number against the true one, with the line that fits best."""
    view = view_of(data, model)
    told = view.numbers
    cloud = Scatter.from_values(told.prediction, told.truth, told.rows)
    line = FittedLine.from_moments(ResidualMoments.of(told))
    return draw_predicted_actual(view.scene, cloud, _estimates(view)["medae"], line)


def error_curve(data: Data, *, model: str | None = None) -> go.Figure:
    """Return what share of the rows each model misses by at most so much."""
    view = view_of(data, model)
    made = {
        name: ErrorCurve.from_errors(one.prediction - one.truth, one.weight)
        for name in view.scene.drawn(view.scene.names)
        if isinstance(one := view.dataset.models.get(name), NumericOutcomes)
    }
    if not made:
        raise EvalError(NO_FIGURE, f'"{view.model}" predicts no numbers.')
    return draw_error_curve(view.scene, made)


def error_histogram(data: Data, *, model: str | None = None) -> go.Figure:
    """Return how many rows have which error."""
    view = view_of(data, model)
    return draw_error_histogram(
        view.scene, ErrorCounts.from_errors(view.error, view.numbers.weight)
    )


def normal_quantiles(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the errors against those of a normal distribution."""
    view = view_of(data, model)
    made = NormalQuantiles.from_errors(view.error, view.numbers.weight)
    return draw_normal_quantiles(view.scene, made)


def bland_altman(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the difference of prediction and truth against their mean."""
    view = view_of(data, model)
    told = view.numbers
    cloud = Scatter.from_values(told.truth + view.error / 2, view.error, told.rows)
    return draw_bland_altman(view.scene, cloud, _estimates(view))
