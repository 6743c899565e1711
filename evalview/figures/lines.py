"""Lines, bands, bars and clouds of points that several figures share, and rows counted in cells."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Literal, Self
from urllib.parse import quote

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Floats, Number, Places, ReadOnly, Rows
from evalcore.tables import confusion, contingency, scores
from evalview import escape, text, words
from evalview.figures.theme import LIGHT, Scene, tint

POINTS_AT_MOST = 1500
"""More rows than this are counted in cells; as points they would hide each other."""

_PERCENTILES = (0.1, 0.5, 0.9)
_CELLS = 48
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Axis:
    """Equal cells between the ends of a number; a constant lies in the first of them."""

    low: float
    high: float
    cells: int

    @classmethod
    def of(cls, values: Floats, cells: int) -> Self:
        """Return the cells of (n,) values."""
        low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
        return cls(float(low), float(high), cells)

    def place(self, values: Floats) -> contingency.Whole:
        """Return the cell of each value."""
        # Halves, since a difference of large numbers may overflow.
        width = self.high / 2 - self.low / 2
        share = (values / 2 - self.low / 2) / width if width > 0 else np.zeros(len(values))
        return np.minimum((share * self.cells).astype(np.int64), self.cells - 1)

    @property
    def middles(self) -> Floats:
        """(cells,) middles of the cells, from lowest to highest."""
        along = (np.arange(self.cells) + 0.5) / self.cells
        if not self.high > self.low:
            return np.full(self.cells, self.low)
        return self.low * (1 - along) + self.high * along


@dataclass(frozen=True, eq=False)
class Density(ReadOnly):
    """Rows counted in a grid of equal cells.

    Attributes:
        x: (c,) middles of the columns.
        y: (r,) middles of the lines.
        counts: (r, c) rows in each cell.
    """

    x: Floats
    y: Floats
    counts: contingency.Whole

    @classmethod
    def from_values(cls, x: Floats, y: Floats, cells: int = _CELLS) -> "Density":
        """Count (n,) finite pairs, n > 0, in cells by cells; constant values make one cell wide.

        >>> Density.from_values(np.array([0.0, 1.0]), np.array([0.0, 4.0]), cells=2).counts
        array([[1, 0],
               [0, 1]])
        """
        counts = np.zeros(cells * cells, dtype=np.int64)
        across, upwards = Axis.of(x, cells), Axis.of(y, cells)
        for rows in confusion.blocks(len(x), _BLOCK):
            place = upwards.place(y[rows]) * cells + across.place(x[rows])
            counts += np.bincount(place, minlength=cells * cells)
        return cls(across.middles, upwards.middles, counts.reshape(cells, cells))


@dataclass(frozen=True, eq=False)
class Scatter(ReadOnly):
    """Two numbers of each row.

    Attributes:
        n: Rows in all.
        x: (m,) first numbers of the rows that are kept one by one.
        y: (m,) second numbers of these rows.
        row: (m,) their data row numbers, 1 being the first.
        density: All rows, counted in cells, where they are too many for points; then m = 0.
    """

    n: int
    x: Floats
    y: Floats
    row: Rows
    density: Density | None = None

    @classmethod
    def from_values(
        cls, x: Floats, y: Floats, row: Rows | None, most: int = POINTS_AT_MOST
    ) -> "Scatter":
        """Keep (n,) pairs as points, or count them where there are more than `most`.

        `row` are the row numbers; None where they run from 1 to n.
        """
        n = len(x)
        if n > most:
            none = np.empty(0)
            return cls(n, none, none, none.astype(np.int64), Density.from_values(x, y))
        return cls(n, x, y, np.arange(1, n + 1) if row is None else row)


def equal_groups(by: Floats, groups: int, weight: Floats | None = None) -> Places:
    """Return (n,) the group of each of n finite values, 0 being that of the smallest.

    Equal values share a group, so that there may be fewer groups; none is empty.
    """
    if not len(by):
        return np.empty(0, dtype=np.intp)
    starts = _smallest(by, groups) if weight is None else _smallest_weighted(by, groups, weight)
    return np.unique(starts).searchsorted(by, side="right") - 1


def _smallest(by: Floats, groups: int) -> Floats:
    """Return the smallest value of each group, without putting all rows in order."""
    places = len(by) * np.arange(groups) // groups
    smallest: Floats = np.partition(by, places)[places]
    return smallest


def _smallest_weighted(by: Floats, groups: int, weight: Floats) -> Floats:
    order = np.argsort(by)
    upto = np.cumsum(weight[order])
    targets = upto[-1] * np.arange(groups) / groups
    first = int(np.searchsorted(upto, 0.0, side="right"))
    places = np.searchsorted(upto, targets, side="right").clip(first, len(by) - 1)
    smallest: Floats = by[order[places]]
    # Rows of no weight below the first that counts belong to its group.
    smallest[0] = by[order[0]]
    return smallest


@dataclass(frozen=True, eq=False)
class Trend(ReadOnly):
    """How the second of two numbers is spread, from small to large values of the first.

    Attributes:
        x: (b,) medians of the first number in groups of like size.
        low: (b,) 10th percentiles of the second number in these groups.
        median: (b,) its medians.
        high: (b,) its 90th percentiles.
        overall: (3,) the same percentiles of all rows; NaN without rows.
    """

    x: Floats
    low: Floats
    median: Floats
    high: Floats
    overall: Floats

    @classmethod
    def from_values(cls, x: Floats, y: Floats, groups: int = 10, least: int = 10) -> "Trend":
        """Group (n,) pairs by x; with fewer than `least` rows to a group there are fewer groups."""
        groups = min(groups, len(x) // least)
        group = equal_groups(x, groups) if groups else np.empty(0, dtype=np.intp)
        parts = [places for _, places in scores.by_code(group)]
        spread = [np.quantile(y[part], _PERCENTILES) for part in parts]
        low, median, high = np.array(spread).T if spread else np.empty((3, 0))
        overall = np.quantile(y, _PERCENTILES) if len(y) else np.full(3, np.nan)
        return cls(np.array([np.median(x[part]) for part in parts]), low, median, high, overall)


@dataclass(frozen=True, eq=False)
class ScoreHistogram(ReadOnly):
    """Positives and negatives in each of K bins [a, b) of equal width, the last one closed.

    Attributes:
        edges: (K + 1,) rising; from 0 to 1 where every score lies there.
        positives: (K,) positive rows, or the sum of their weights.
        negatives: (K,) negative rows, or the sum of their weights.
    """

    edges: Floats
    positives: Floats
    negatives: Floats

    @classmethod
    def from_table(cls, table: scores.ScoreTable, bins: int = 40) -> Self:
        """Count the rows of a score table in `bins` bins.

        >>> table = ScoreTable.from_scores(np.array([0, 1, 1]), np.array([0.1, 0.5, 1.0]))
        >>> histogram = ScoreHistogram.from_table(table, 2)
        >>> histogram.positives.tolist(), histogram.negatives.tolist()
        ([0.0, 2.0], [1.0, 0.0])
        """
        edges = _edges(table, bins)
        above = table.at(edges[:-1])
        return cls(edges, _between(np.asarray(above.tp)), _between(np.asarray(above.fp)))


def _between(at_or_above: Floats) -> Floats:
    between: Floats = at_or_above - np.append(at_or_above[1:], 0.0)
    return between


def _edges(table: scores.ScoreTable, bins: int) -> Floats:
    low, high = _range(table)
    share = np.arange(bins + 1) / bins
    # Not low + share * (high - low): the difference of two huge scores may overflow.
    edges = low * (1 - share) + high * share
    edges[0], edges[-1] = low, high
    return edges


def _range(table: scores.ScoreTable) -> tuple[float, float]:
    if not len(table.threshold):
        return 0.0, 1.0
    low, high = float(table.threshold[-1]), float(table.threshold[0])
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    if low == high:
        room = max(0.5, abs(low) / 1000)
        return low - room, high + room
    return low, high


def selects(of: str, *, below: bool = True) -> dict[str, object]:
    """Return the `meta` of a trace each of whose marks selects rows by the ends in `customdata`.

    The first two of these are the ends of what is called `of`, which is quoted as in an address;
    `below` says that the upper one belongs to the next mark.
    """
    return {"of": quote(of), "below": below}


COLUMN = "column:"
"""What tells a column of the file from a number that every row has, such as its error."""

RULE = "rule"
"""The `meta` of a trace each of whose marks selects the slice that `customdata` writes, quoted."""

ROWS = "rows"
"""The `meta` of a trace each of whose marks selects the row that `customdata` numbers."""


Numbers = NDArray[np.floating[Any]]


def interval_bars(value: Numbers, low: Numbers, high: Numbers, color: str) -> dict[str, object]:
    """Return plotly's error bars from (n,) lower to (n,) upper ends round (n,) values."""
    return {
        "type": "data",
        "symmetric": False,
        "array": high - value,
        "arrayminus": value - low,
        "color": color,
        "thickness": 1.2,
        "width": 0,
    }


Placed = Callable[[Floats], NDArray[Any]]
"""From values to where they are drawn, such as dates."""


def light(values: Numbers) -> Numbers:
    """Return the values as float32, which halves what travels, unless they are too large for it."""
    reach = np.abs(values).max(initial=0.0, where=np.isfinite(values))
    return values.astype(np.float32) if reach < np.finfo(np.float32).max else values


def add_cloud(
    figure: go.Figure, scene: Scene, cloud: Scatter, hover: str, placed: Placed = light
) -> None:
    """Add all rows; `hover` is a plotly template over %{x} and %{y}."""
    if cloud.density is not None:
        _add_density(figure, scene, cloud.density, hover, placed)
        return
    color = color_of(scene)
    figure.add_trace(
        go.Scatter(
            x=placed(cloud.x),
            y=light(cloud.y),
            customdata=cloud.row.astype(np.int32),
            meta=ROWS,
            mode="markers",
            marker={
                "size": 6 if cloud.n > 300 else 8,
                "color": color,
                "opacity": 0.7 if scene.look is LIGHT else 0.8,
                "line": {"width": 1, "color": scene.look.card},
            },
            hovertemplate=f"{hover}<br>row %{{customdata:,}}<extra></extra>",
            showlegend=False,
        )
    )


def add_marked(
    figure: go.Figure, scene: Scene, x: Floats, y: Floats, row: Rows, placed: Placed = light
) -> None:
    """Ring the rows that are selected, as many as can be told from each other."""
    kept = slice(None, None, -(-len(row) // POINTS_AT_MOST) or 1)
    figure.add_scatter(
        x=placed(x[kept]),
        y=light(y[kept]),
        customdata=row[kept].astype(np.int32),
        meta=ROWS,
        mode="markers",
        marker={"size": 9, "color": clear(scene.look.text, 0.0), "line": _ring(scene)},
        hovertemplate="selected: row %{customdata:,}<extra></extra>",
        showlegend=False,
    )


def _ring(scene: Scene) -> dict[str, object]:
    return {"width": 1.6, "color": scene.look.text}


def add_trend(figure: go.Figure, scene: Scene, trend: Trend, placed: Placed = light) -> None:
    """Add the band in which 8 of 10 rows lie, and its middle line."""
    ends = (trend.low, trend.high)
    edge = {"width": 1, "color": scene.look.text, "dash": "dot"}
    for at, end in enumerate(ends):
        figure.add_trace(
            go.Scatter(
                x=placed(trend.x),
                y=end,
                mode="lines",
                line=edge,
                fill="tonexty" if at else None,
                fillcolor=clear(color_of(scene), 0.12),
                hoverinfo="skip",
                showlegend=False,
            )
        )
    figure.add_trace(
        go.Scatter(
            x=placed(trend.x),
            y=trend.median,
            mode="lines",
            line={"width": 2.5, "color": scene.look.text},
            hovertemplate="half of the rows near here above %{y:.4~g}<extra></extra>",
            showlegend=False,
        )
    )


def _add_density(
    figure: go.Figure, scene: Scene, density: Density, hover: str, placed: Placed
) -> None:
    counts = density.counts.astype(np.float32)
    empty = counts == 0
    counts[empty] = np.nan
    color, base = color_of(scene), scene.look.card
    figure.add_trace(
        go.Heatmap(
            x=placed(density.x),
            y=light(density.y),
            # A few crowded cells would leave all others pale.
            z=np.log1p(counts),
            customdata=density.counts.astype(np.float64),
            colorscale=[[0, tint(color, base, 0.12)], [1, color]],
            showscale=False,
            hoverongaps=False,
            hovertemplate=f"{hover}<br>%{{customdata:,}} rows<extra></extra>",
        )
    )


def color_of(scene: Scene) -> str:
    """Return the colour of who is in front."""
    return scene.look.correct if scene.chosen is None else scene.style(scene.chosen).color


def clear(color: str, opacity: float) -> str:
    """Return a colour that lets through what lies below."""
    red, green, blue = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def add_band(
    figure: go.Figure,
    x: Floats,
    ends: tuple[Floats, Floats],
    *,
    color: str,
    base: str,
    shape: str = "linear",
) -> None:
    """Add what lies between the (m,) lower and upper ends, in a light shade of a colour."""
    for at, y in enumerate(ends):
        figure.add_scatter(
            x=light(x),
            y=light(y),
            mode="lines",
            line={"width": 0, "shape": shape},
            fill="tonexty" if at else None,
            fillcolor=tint(color, base, 0.18),
            hoverinfo="skip",
            showlegend=False,
        )
    # Plotly lists the names below filled areas in reverse.
    figure.update_layout(legend_traceorder="normal")


NAMED_UP_TO = 10
"""With more curves than this a list of their names covers the picture; hovering names each."""

ROOM_FOR, LINE = 4, 18
"""So many names have room below a picture on a phone; each further one takes a line."""

AVERAGE_DASHES = ("solid", "dash", "dot")

NOTE = 0.12
"""So much of the height has room for a note below a line."""

QUARTERS = [0, 0.25, 0.5, 0.75, 1]


@dataclass(frozen=True, eq=False)
class Line:
    """One curve: (m,) positions, the threshold at each if it has one, and what hovering says.

    `hover` is a plotly template over %{x}, %{y} and %{customdata}, the threshold.
    """

    x: Floats
    y: Floats
    threshold: Floats | None
    hover: str
    shape: Literal["linear", "vh", "hv"] = "linear"


def unit_axes(figure: go.Figure) -> None:
    """Let both axes run from 0 to 1, with room for a line that lies on the edge."""
    ticks = {"tickvals": QUARTERS, "ticktext": [f"{tick:g}" for tick in QUARTERS]}
    figure.update_xaxes(range=[-0.01, 1.01], **ticks)
    figure.update_yaxes(range=[-0.01, 1.02], **ticks)


def fit_legend(figure: go.Figure, curves: int) -> None:
    """Make room for the names below the picture; leave them out where there are too many."""
    if curves > NAMED_UP_TO:
        figure.update_layout(showlegend=False)
    elif curves > ROOM_FOR:
        figure.update_layout(height=figure.layout.height + LINE * (curves - ROOM_FOR))


def add_line(figure: go.Figure, scene: Scene, name: str, line: Line) -> None:
    """Add one curve in the colour of its model; positions travel as float32."""
    style = scene.style(name)
    bold = f"<b>{escape.plotly(text.abbreviate(name, 60))}</b>"
    figure.add_trace(
        go.Scatter(
            x=light(line.x),
            y=light(line.y),
            customdata=line.threshold,
            name=escape.plotly(text.abbreviate(name, 28)),
            legendrank=scene.names.index(name) + 1,
            mode="lines",
            line={
                "color": style.color,
                "dash": style.dash,
                "width": scene.width(name),
                "shape": line.shape,
            },
            hovertemplate=f"{bold}<br>{line.hover}<extra></extra>",
        )
    )


def add_averages(figure: go.Figure, scene: Scene, lines: Mapping[str, Line]) -> None:
    """Add the curves that stand for all classes, dark and dashed, each by its name."""
    for dash, (name, line) in zip(AVERAGE_DASHES, lines.items(), strict=False):
        figure.add_trace(
            go.Scatter(
                x=line.x.astype(np.float32),
                y=line.y.astype(np.float32),
                name=escape.plotly(name),
                legendrank=len(scene.names) + 1,
                mode="lines",
                line={"color": scene.look.text, "dash": dash, "width": 2, "shape": line.shape},
                hovertemplate=f"<b>{escape.plotly(name)}</b><br>{line.hover}<extra></extra>",
            )
        )


def hardest(scene: Scene, found: Mapping[str, Estimate], named: str = "") -> str:
    """Return the class with the lowest number, and that number; "" where one model is in front."""
    defined = {name: estimate.value for name, estimate in found.items() if estimate.defined}
    if scene.chosen is not None or not defined:
        return ""
    worst = min(defined, key=lambda name: defined[name])
    value = text.number(found[worst].value, text.decimals(found[worst]))
    return f"{words.named(text.abbreviate(worst, words.LONGEST_CLASS))}, {named}{value}"


def listed(found: Mapping[str, Estimate]) -> str:
    """Return the number of each curve with its interval, for those who cannot see them."""
    return "; ".join(f"{name} {text.with_interval(value)}" for name, value in found.items())


def add_operating_point(figure: go.Figure, scene: Scene, x: Number, y: Number) -> None:
    """Mark where the chosen model works at the current threshold; nowhere if undefined."""
    if scene.chosen is None or not (np.isfinite(x) and np.isfinite(y)):
        return
    ring = {"color": scene.look.text, "width": 2}
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            cliponaxis=False,
            marker={"size": 13, "color": scene.look.card, "line": ring},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[x],
            y=[y],
            mode="markers",
            cliponaxis=False,
            marker={"size": 5, "color": scene.style(scene.chosen).color},
            hoverinfo="skip",
            showlegend=False,
        )
    )


def add_reference(figure: go.Figure, scene: Scene, ends: tuple[float, float], note: str) -> None:
    """Add the thin dashed line of a model that knows nothing, from (0, a) to (1, b)."""
    figure.add_trace(
        go.Scatter(
            x=[0, 1],
            y=list(ends),
            mode="lines",
            line={"color": scene.look.secondary, "width": 1, "dash": "3px,3px"},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    if note:
        # Curves fall towards the right, and none runs below such a model for long.
        room = "top" if ends[0] > NOTE else "bottom"
        figure.add_annotation(
            text=escape.plotly(note), x=0, y=ends[0], xanchor="left", yanchor=room, showarrow=False,
            font={"size": 11, "color": scene.look.secondary},
        )  # fmt: skip


MOST_BARS = 40
"""Bars of a histogram of errors: finer ones show noise in files of the usual size."""


@dataclass(frozen=True, eq=False)
class ErrorCounts:
    """How many rows have which error.

    Attributes:
        edges: (m + 1,) ends of the bars, at round numbers; the outer bars hold all beyond.
        n: (m,) rows of each bar, or the sums of their weights.
        below: Rows, or weight, of predictions that are too low.
        above: The same of those that are too high.
    """

    edges: Floats
    n: Floats
    below: float
    above: float

    @classmethod
    def from_errors(cls, error: Floats, weight: Floats | None = None) -> Self:
        """Count (n,) errors, predicted minus actual; those not finite are in no bar."""
        weight = np.ones(len(error)) if weight is None else weight
        sides = float(weight[error < 0].sum()), float(weight[error > 0].sum())
        error, weight = error[finite := np.isfinite(error)], weight[finite]
        if not len(error):
            return cls(np.empty(0), np.empty(0), *sides)
        low, high = (float(end) for end in np.quantile(error, (0.005, 0.995), method="nearest"))
        width = max(high / MOST_BARS - low / MOST_BARS, abs(low) * 1e-9, 1e-300)
        width = 1.0 if low == high == 0 else width
        power = 10.0 ** floor(log10(width))
        step = next(power * times for times in (1, 2, 5, 10) if power * times >= width * (1 - 1e-9))
        steps = range(floor(low / step), floor(high / step) + 2)
        edges = np.array([float(f"{step * at:.12g}") for at in steps])  # as a reader writes them
        place = np.clip(np.searchsorted(edges, error, "right") - 1, 0, len(edges) - 2)
        rows = np.asarray(np.bincount(place, weight, len(edges) - 1), np.float64)
        return cls(edges, rows, *sides)
