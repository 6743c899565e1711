"""Errors by groups of rows, and whether stated intervals and quantiles hold."""

from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.errors import EvalError
from evalcore.intervals.closed import mean_interval, wilson
from evalcore.options import Options
from evalcore.outcomes import Floats, NumericOutcomes, Places, ReadOnly, Rows
from evalcore.tables.scores import by_code
from evalread.columns import numbers_of
from evalread.dataset import Dataset
from evalread.detection.scores import Bounds, Ends, prediction_bounds
from evalview import escape, text, words
from evalview.figures import lines, theme
from evalview.figures.lines import equal_groups
from evalview.figures.theme import Scene
from evalview.figures.view import NO_FIGURE, Data, View, view_of
from evalview.lab.quantiles import Coverage, QuantileTable


@dataclass(frozen=True)
class Against:
    """Something that errors may go with.

    Attributes:
        name: Its short name, or that of the column.
        spoken: As it stands in a sentence.
        column: Whether it is a column of the file.
        dates: Whether its values are moments, in microseconds since 1970.
    """

    name: str
    spoken: str
    column: bool = False
    dates: bool = False

    @property
    def of(self) -> str:
        """What a selection of rows by it is of: a column of the file stands behind a mark."""
        return f"{lines.COLUMN}{self.name}" if self.column else self.name

    @property
    def axis(self) -> str:
        """What stands at the axis."""
        return text.abbreviate(escape.visible(self.name), 40)

    def positions(self, values: Floats) -> NDArray[Any]:
        """Return (m,) values as they are drawn."""
        return values.astype("datetime64[us]") if self.dates else lines.light(values)

    def written(self, axis: str = "x") -> str:
        """Return the plotly template of a value."""
        return f"%{{{axis}|%-d %b %Y %H:%M}}" if self.dates else f"%{{{axis}:,.4~g}}"


GROUPS = 10
"""Tenths of the rows: enough to show a bend, few enough for a mean to be sure."""

LEVEL_OF_GROUPS = 1 - (1 - Options().level) / GROUPS
"""Level of each group's interval, so that all of them hold together (Bonferroni)."""


@dataclass(frozen=True, eq=False)
class ErrorGroups(ReadOnly):
    """Errors in groups of rows of about equal size, from small to large values of something.

    Attributes:
        low: (g,) smallest value in the group.
        high: (g,) largest value.
        n: (g,) rows, or the sums of their weights.
        bias: (g,) mean error; with its ends by Student's t.
        bias_low: (g,) NaN where there are too few rows.
        bias_high: (g,)
        mae: (g,) mean absolute error; with its ends by Student's t, the lower one at 0 or above.
        mae_low: (g,)
        mae_high: (g,)
        level: Level of each interval by itself.
    """

    low: Floats
    high: Floats
    n: Floats
    bias: Floats
    bias_low: Floats
    bias_high: Floats
    mae: Floats
    mae_low: Floats
    mae_high: Floats
    level: float

    @classmethod
    def from_values(
        cls,
        by: Floats,
        error: Floats,
        weight: Floats | None = None,
        *,
        groups: int = 10,
        level: float = 0.95,
    ) -> Self:
        """Group (n,) errors by (n,) finite values; equal values share a group."""
        if weight is not None and not weight.all():
            by, error, weight = (values[weight > 0] for values in (by, error, weight))
        group = equal_groups(by, groups, weight)
        parts = [by[places] for _, places in by_code(group)]
        bias, bias_low, bias_high = _means(error, group, weight, level)
        mae, mae_low, mae_high = _means(np.abs(error), group, weight, level)
        return cls(
            np.array([part.min() for part in parts]),
            np.array([part.max() for part in parts]),
            np.bincount(group, weight).astype(np.float64),
            bias,
            bias_low,
            bias_high,
            mae,
            np.maximum(mae_low, 0.0),
            mae_high,
            level,
        )


def _means(
    values: Floats, group: Places, weight: Floats | None, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return (g,) means of (n,) values in their groups, and the ends of their intervals."""
    n = np.bincount(group, weight).astype(np.float64)

    def total(each: Floats) -> Floats:
        return np.bincount(group, each if weight is None else each * weight).astype(np.float64)

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        mean = total(values) / n
        squares = total((values - mean[group]) ** 2)
        found = mean_interval(mean, np.sqrt(squares / (n - 1)), n, level)
    return mean, np.asarray(found.low), np.asarray(found.high)


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one model from small to large values of something.

    Attributes:
        by: What they are looked at by.
        cloud: Every row: its value and its error.
        trend: How errors are spread along the values.
        groups: Tenths of the rows.
        left_out: Rows of the model without such a value.
    """

    by: Against
    cloud: lines.Scatter
    trend: lines.Trend
    groups: ErrorGroups
    left_out: int = 0

    @classmethod
    def from_values(
        cls,
        by: Against,
        values: Floats,
        error: Floats,
        rows: Rows,
        weight: Floats | None,
        left_out: int = 0,
    ) -> Self:
        """Return (n,) errors from small to large values; `rows` are their data rows."""
        return cls(
            by,
            lines.Scatter.from_values(values, error, rows),
            lines.Trend.from_values(values, error),
            ErrorGroups.from_values(values, error, weight, groups=GROUPS, level=LEVEL_OF_GROUPS),
            left_out,
        )


PREDICTED = Against("predicted", "the predicted number")


def draw_residuals(
    scene: Scene, cloud: lines.Scatter, trend: lines.Trend, by: Against = PREDICTED
) -> go.Figure:
    """Draw rows to the right by their value and upwards by how much is said too much."""
    says = theme.Words(
        title=residuals_title(scene, trend),
        subtitle="Above zero a prediction is too high, below too low" + _band(trend),
        x=by.axis,
        y="predicted minus actual",
    )
    if not cloud.n:
        return theme.nothing_to_draw(says, scene.look, "There is no row to draw.")
    figure = theme.canvas(says, scene.look, height=380)
    figure.update_layout(meta={"x": quote(by.of), "y": "error"})
    hover = f"{escape.plotly(by.axis)} {by.written()}<br>off by %{{y:+,.4~g}}"
    lines.add_cloud(figure, scene, cloud, hover, by.positions)
    if len(trend.x):
        lines.add_trend(figure, scene, trend, by.positions)
    figure.add_hline(y=0, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def residuals_title(scene: Scene, trend: lines.Trend) -> str:
    """Return how widely the errors are spread, in words."""
    if not len(trend.x):
        return f"How far off {scene.who} is"
    low, _, high = (text.size(float(end)) for end in trend.overall)
    return f"8 of 10 errors of {scene.who} are between {low} and {high}"


def residuals_alt(
    scene: Scene, cloud: lines.Scatter, trend: lines.Trend, by: Against = PREDICTED
) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    rows = text.counted(cloud.n, "row")
    return f"Errors of {rows} against {by.spoken}. {residuals_title(scene, trend)}."


def _band(trend: lines.Trend) -> str:
    return "; the band holds 8 of 10 rows, the line halves it" if len(trend.x) else ""


FEWEST = 10
"""Rows of a group from which its interval says something."""


def draw_error_groups(scene: Scene, errors: Errors) -> go.Figure:
    """Draw mean error and mean size of the error of each group, from small to large values."""
    groups, by = errors.groups, errors.by
    says = theme.Words(
        title=error_groups_title(scene, errors),
        subtitle=error_groups_subtitle(scene, groups),
        x=by.axis,
        y="mean error",
    )
    if not len(groups.n):
        return theme.nothing_to_draw(says, scene.look, "There is no row to draw.")
    figure = theme.canvas(says, scene.look, height=380)
    middle = groups.low + (groups.high - groups.low) / 2
    told = np.column_stack(
        [
            *(groups.low, groups.high, groups.n),
            *(groups.bias_low, groups.bias_high, groups.mae_low, groups.mae_high),
        ]
    )
    ends = [by.positions(groups.low), by.positions(groups.high)]
    for name, value, low, high, color, ends_at, symbol in (
        ("size of the error (mean absolute error)", groups.mae, groups.mae_low, groups.mae_high,
         scene.look.secondary, (5, 6), "square"),
        ("error with its sign (bias)", groups.bias, groups.bias_low, groups.bias_high,
         lines.color_of(scene), (3, 4), "circle"),
    ):  # fmt: skip
        figure.add_scatter(
            x=by.positions(middle),
            y=value,
            customdata=[[*row, str(a), str(b)] for row, a, b in zip(told, *ends, strict=True)],
            meta=lines.selects(by.of, below=False),
            error_y=lines.interval_bars(value, low, high, color),
            mode="lines+markers",
            line={"color": color, "width": 1.5},
            marker={"size": 8, "symbol": symbol, "color": color},
            name=name,
            hovertemplate=f"<b>{name}</b> %{{y:,.4~g}} (%{{customdata[{ends_at[0]}]:,.4~g}} to "
            f"%{{customdata[{ends_at[1]}]:,.4~g}})<br>%{{customdata[2]:,}} rows from "
            "%{customdata[7]} to %{customdata[8]}<extra></extra>",
        )
    figure.add_hline(y=0, line={"color": scene.look.text, "width": 1.5, "dash": "4px,3px"})
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(nticks=6)
    return figure


def error_groups_title(scene: Scene, errors: Errors) -> str:
    """Return where a model says too much or too little, as far as that is sure."""
    groups = errors.groups
    if len(groups.n) < 2:
        return f"How far off {scene.who} is, by {errors.by.spoken}"
    first, last = _side(groups, 0), _side(groups, -1)
    if first and last and first != last:
        return f"Predictions are {first} at the low end, {last} at the high end"
    sure = np.array([bool(_side(groups, k)) for k in range(len(groups.n))])
    if not sure.any():
        return f"No group shows a bias of {scene.who}"
    worst = int(np.nanargmax(np.where(sure, np.abs(groups.bias), -1.0)))
    ends = _end(errors, groups.low[worst]), _end(errors, groups.high[worst])
    off = f"{text.size(abs(float(groups.bias[worst])))} {_side(groups, worst)}"
    if errors.by == PREDICTED:
        return f"Predictions between {ends[0]} and {ends[1]} are {off}"
    return f"Predictions are {off} where {errors.by.spoken} is {text.low_to_high(*ends)}"


def error_groups_subtitle(scene: Scene, groups: ErrorGroups) -> str:
    """Return how the groups are made and what the bars are."""
    together = 1 - (1 - groups.level) * 10
    parts = f"{text.counted(len(groups.n), 'group')} of about equally many rows"
    return (
        f"{words.at_start(scene.who)}, {parts}; above zero is too high; "
        f"all bars hold together at {together:.0%}"
    )


def error_groups_alt(scene: Scene, errors: Errors) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"Mean errors in groups by {errors.by.spoken}. {error_groups_title(scene, errors)}."


def _side(groups: ErrorGroups, at: int) -> str:
    """Return to which side a group leans for sure; "" if to none."""
    if groups.n[at] < FEWEST:
        return ""
    if groups.bias_low[at] > 0:
        return "too high"
    return "too low" if groups.bias_high[at] < 0 else ""


def _end(errors: Errors, value: float) -> str:
    if errors.by.dates:
        return str(np.datetime64(int(value), "us").astype("datetime64[D]"))
    return text.size(float(value))


def draw_coverage(scene: Scene, groups: ErrorGroups, promised: float) -> go.Figure:
    """Draw the share held in each group, with its interval, and the promise as a line."""
    says = theme.Words(
        title=coverage_title(groups, promised),
        subtitle=f"{text.counted(len(groups.n), 'group')} of about equally many rows; bars: "
        "simultaneous 95% Wilson intervals",
        x="predicted",
        y="share held",
    )
    if not len(groups.n):
        return theme.nothing_to_draw(says, scene.look, "No row has both ends of the interval.")
    figure = theme.canvas(says, scene.look)
    color, (low, high) = lines.color_of(scene), ends(groups)
    figure.add_scatter(
        x=groups.low + (groups.high - groups.low) / 2,
        y=groups.bias,
        error_y=lines.interval_bars(groups.bias, low, high, color),
        customdata=np.column_stack([groups.n, groups.low, groups.high]),
        mode="markers",
        marker={"size": 8, "color": color},
        hovertemplate="%{y:.1%} of %{customdata[0]:,} rows, predicted %{customdata[1]:,.4~g} to "
        "%{customdata[2]:,.4~g}<extra></extra>",
        showlegend=False,
    )
    line = {"color": scene.look.text, "width": 1.5, "dash": "4px,3px"}
    figure.add_hline(y=promised, line=line)
    figure.update_xaxes(showgrid=True, nticks=6)
    figure.update_yaxes(range=[min(0.5, float(low.min())) - 0.02, 1.02], tickformat=".0%")
    return figure


def ends(groups: ErrorGroups) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the shares' intervals, which hold together at 95% (Bonferroni)."""
    level = 1 - 0.05 / max(1, len(groups.n))
    found = wilson(groups.bias * groups.n, groups.n, level)
    return np.asarray(found.low), np.asarray(found.high)


def coverage_title(groups: ErrorGroups, promised: float) -> str:
    """Return where the interval holds too little, if anywhere for sure."""
    if not len(groups.n):
        return "Nothing to judge"
    low, high = ends(groups)
    short = high < promised
    if not len(groups.n) or not (short.any() or (low > promised).any()):
        return "No group clearly misses the stated share"
    if not short.any():
        return "It covers more than stated, so it is wider than necessary"
    worst = int(np.argmin(np.where(short, groups.bias, 2.0)))
    share = text.percent(float(groups.bias[worst]))
    where = f"{text.size(float(groups.low[worst]))} to {text.size(float(groups.high[worst]))}"
    return f"Where {where} is predicted, it holds {share}"


def coverage_alt(groups: ErrorGroups, promised: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return (
        f"Share of truths within the interval in {text.counted(len(groups.n), 'group')} by "
        f"prediction. {coverage_title(groups, promised)}."
    )


def draw_quantile_calibration(scene: Scene, told: QuantileTable) -> go.Figure:
    """Draw a point per quantile with its interval; on the diagonal it keeps its promise."""
    says = theme.Words(
        title=quantile_calibration_title(scene, told),
        subtitle="On the line quantiles are calibrated; bars are 95% intervals",
        x="stated share below",
        y="share below",
    )
    if not told.n or not len(told.level):
        return theme.nothing_to_draw(says, scene.look, "No row has every quantile.")
    figure = theme.canvas(says, scene.look)
    lines.unit_axes(figure)
    lines.add_reference(figure, scene, (0, 1), "")
    color = lines.color_of(scene)
    figure.add_scatter(
        x=told.level,
        y=told.share,
        error_y=lines.interval_bars(told.share, told.low, told.high, color),
        customdata=np.column_stack([told.low, told.high, told.pinball]),
        mode="lines+markers",
        line={"color": color, "width": 2},
        marker={"size": 8, "color": color},
        hovertemplate="stated %{x:.1%}, observed %{y:.1%} (%{customdata[0]:.1%} to "
        "%{customdata[1]:.1%})<br>pinball loss %{customdata[2]:,.4~g}<extra></extra>",
        showlegend=False,
    )
    return figure


def quantile_calibration_title(scene: Scene, told: QuantileTable) -> str:
    """Return which quantile strays furthest, if any strays for sure."""
    if not told.n:
        return "Nothing to judge"
    strays = (told.level < told.low) | (told.level > told.high)
    if not strays.any():
        return f"The quantiles of {scene.who} fit, as far as these rows can tell"
    worst = int(np.argmax(np.where(strays, np.abs(told.share - told.level), -1.0)))
    said, came = (text.percent(float(value[worst])) for value in (told.level, told.share))
    return f"Below the {said} quantile of {scene.who} lie {came}"


def quantile_calibration_alt(scene: Scene, told: QuantileTable) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    count = text.counted(len(told.level), "quantile")
    title = quantile_calibration_title(scene, told)
    return f"Share below each of {count} against its promise. {title}."


def _errors(view: View) -> Errors:
    """Return the errors from small to large predictions."""
    told, off = view.numbers, view.error
    rows = np.arange(1, told.n + 1) if told.rows is None else told.rows
    return Errors.from_values(PREDICTED, told.prediction, off, rows, told.weight)


def residuals(data: Data, *, model: str | None = None) -> go.Figure:
    """Return every error against the prediction, and how they are spread."""
    view = view_of(data, model)
    made = _errors(view)
    return draw_residuals(view.scene, made.cloud, made.trend)


def error_groups(data: Data, *, model: str | None = None) -> go.Figure:
    """Return mean error and mean size of the error in tenths of the rows by prediction."""
    view = view_of(data, model)
    return draw_error_groups(view.scene, _errors(view))


@dataclass(frozen=True, eq=False)
class Stated:
    """What a model states of one interval, and what came true.

    Attributes:
        lower: The column of the lower ends.
        upper: That of the upper ones.
        said: Whether the file says which share it should hold.
        coverage: How often the interval holds the truth.
        groups: The same in tenths of the rows by prediction: `bias` is the share that is held.
    """

    lower: str
    upper: str
    said: bool
    coverage: Coverage
    groups: ErrorGroups


def quantile_table(dataset: Dataset, model: str, promised: float) -> QuantileTable:
    """Return each stated quantile of a model against what came true."""
    levels = _levels(prediction_bounds(dataset.table.names, dataset.roles)[model], promised)
    truth, _, weight, *said = _values(dataset, model, tuple(levels.values()))
    return QuantileTable.from_values(truth, dict(zip(levels, said, strict=True)), weight)


def stated_intervals(dataset: Dataset, model: str, promised: float) -> tuple[Stated, ...]:
    """Return the intervals that a model states, the widest first; `promised` where none is said."""
    made = []
    for one in _pairs(prediction_bounds(dataset.table.names, dataset.roles)[model], promised):
        truth, prediction, weight, low, high = _values(dataset, model, (one.lower, one.upper))
        held = ((low <= truth) & (truth <= high)).astype(np.float64)
        coverage = Coverage.from_values(truth, (low, high), one.promised or promised, weight)
        groups = ErrorGroups.from_values(prediction, held, weight)
        made.append(Stated(one.lower, one.upper, one.promised is not None, coverage, groups))
    return tuple(made)


def _levels(said: Bounds, promised: float) -> dict[float, str]:
    """Return level -> column, ends of intervals taken for the quantiles that they are."""
    levels: dict[float, str] = {}
    for end in said.ends:
        share = promised if end.promised is None else end.promised
        levels |= {(1 - share) / 2: end.lower, (1 + share) / 2: end.upper}
    return {**said.quantiles} or levels


def _pairs(said: Bounds, promised: float) -> list[Ends]:
    """Return each interval with the share it promises, the widest first."""
    levels = sorted(said.quantiles.items())
    pairs = [
        Ends(below, above, round(high - low, 9))
        for low, below in levels
        for high, above in levels
        if low < 0.5 and abs(low + high - 1) < 1e-9
    ]
    pairs += said.ends
    return sorted(pairs, key=lambda one: -(one.promised or promised))


def _values(dataset: Dataset, model: str, columns: tuple[str, ...]) -> list[Floats]:
    """Return truth, prediction, weight and columns on the rows that have all of them."""
    told = dataset.models[model]
    assert isinstance(told, NumericOutcomes)
    places = slice(None) if told.rows is None else told.rows - 1
    said = [numbers_of(dataset.table, column).values[places] for column in columns]
    weight = np.ones(told.n) if told.weight is None else told.weight
    every: list[Floats] = [told.truth, told.prediction, weight, *said]
    kept = np.isfinite(every).all(axis=0)
    return [values[kept] for values in every]


def _refuse_unstated(view: View) -> None:
    if view.model not in prediction_bounds(view.dataset.table.names, view.dataset.roles):
        raise EvalError(NO_FIGURE, f'"{view.model}" states neither quantiles nor intervals.')


def quantile_calibration(
    data: Data, *, model: str | None = None, promised: float = 0.95
) -> go.Figure:
    """Return the share of truths below each stated quantile; `promised` where none is said."""
    view = view_of(data, model)
    _refuse_unstated(view)
    made = quantile_table(view.dataset, view.model, promised)
    return draw_quantile_calibration(view.scene, made)


def coverage(data: Data, *, model: str | None = None, promised: float = 0.95) -> go.Figure:
    """Return the share of truths that the widest stated interval holds, along the prediction."""
    view = view_of(data, model)
    _refuse_unstated(view)
    made = stated_intervals(view.dataset, view.model, promised)
    if not made:
        raise EvalError(NO_FIGURE, f'"{view.model}" states no interval.')
    return draw_coverage(view.scene, made[0].groups, made[0].coverage.promised)
