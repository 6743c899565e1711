"""The confusion matrix as a picture: who lands where."""

from collections.abc import Callable
from enum import Enum

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.outcomes import Floats
from evalcore.tables.confused import confused_pairs, shares_of_decision, shares_of_truth
from evalcore.tables.confusion import ConfusionMatrix
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme, words
from pages.figures.confusion_grid import ORDERED_FROM, Grid
from pages.figures.palette import Look

WRITTEN_UP_TO = 12
"""With more classes than this the cells are too small to write in."""

ROOMY_UP_TO = 4
"""Up to this many classes the cells have room for large numbers."""

NAMED_ON_BOTH_SIDES = 40
"""With more classes than this only the rows have names written on them."""

_MIDDLE = 127
_FAINTEST = 0.1
_MEANING = (("found", "missed"), ("false alarm", "left alone"))


class Shown(Enum):
    """What the cells say."""

    COUNTS = "rows"
    TRUTH = "share of truth"
    DECISION = "share of decision"


def draw(
    look: Look, grid: Grid, shown: Shown, *, picked: tuple[int, int] | None = None
) -> go.Figure:
    """Draw rows = truth, columns = decision; `picked` (truth, decision) is outlined."""
    says = theme.Words(title(grid.whole), subtitle(grid.whole))
    if not grid.matrix.total:
        return theme.nothing_to_draw(says, look, "There is no row to count.")
    figure = theme.canvas(says, look, height=_height(grid.size))
    _add_colours(figure, look, grid, shown)
    _add_clickable_cells(figure, grid, shown)
    _name_axes(figure, look, grid)
    place = grid.position(picked) if picked else None
    if place:
        _outline(figure, look, place)
    return figure


def title(matrix: ConfusionMatrix) -> str:
    """Return what the picture shows, in words."""
    worst = confused_pairs(matrix, 1)
    if not worst:
        return "Every row is called what it is"
    pair = worst[0]
    taken = f"{words.named(pair.truth)} taken for {words.named(pair.decision)}"
    rows = words.counted(pair.count, "row")
    return f"Most frequent error: {taken}, {rows}, {words.percent(pair.share)} of them"


def subtitle(matrix: ConfusionMatrix) -> str:
    """Return how many rows are right."""
    right, rows = float(np.trace(matrix.counts)), words.counted(matrix.total, "row")
    told = f"{words.count(right)} of {rows} right. Blue cells are right, red cells wrong"
    if len(matrix.classes) < ORDERED_FROM:
        return told
    return f"{told}, on a logarithmic scale; confused classes stand side by side"


def alt(matrix: ConfusionMatrix) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    kind = f"Confusion matrix of {words.counted(len(matrix.classes), 'class')}"
    return f"{kind}, truth in the rows. {subtitle(matrix)}. {title(matrix)}."


def values(matrix: ConfusionMatrix, shown: Shown) -> Floats:
    """Return the (K, K) numbers that the cells say; NaN where a share has no whole."""
    if shown is Shown.TRUTH:
        return shares_of_truth(matrix)
    if shown is Shown.DECISION:
        return shares_of_decision(matrix)
    return matrix.counts.astype(np.float64)


def _height(size: int) -> int:
    if size <= WRITTEN_UP_TO:
        return max(340, 50 + 44 * size)
    return min(900, 180 + 14 * size)


def _add_colours(figure: go.Figure, look: Look, grid: Grid, shown: Shown) -> None:
    written = grid.size <= WRITTEN_UP_TO
    wrong, right = (palette.WRITTEN_ON, 0.34) if written else (0.9, 0.9)
    figure.add_heatmap(
        z=_signed(grid, shown),
        zmin=0,
        zmax=2 * _MIDDLE,
        colorscale=[
            [0, palette.tint(look.positive, look.card, wrong)],
            [0.5, look.background if written else look.card],
            [1, palette.tint(look.correct, look.card, right)],
        ],
        showscale=False,
        hoverinfo="skip",
    )
    if written:
        font = {"size": 20 if grid.size <= ROOMY_UP_TO else 13, "color": look.text}
        figure.update_traces(
            xgap=4, ygap=4, text=_written(grid, shown), texttemplate="%{text}", textfont=font
        )


def _signed(grid: Grid, shown: Shown) -> NDArray[np.uint8]:
    """Return colours as one byte a cell: above the middle right, below it wrong."""
    sign = np.where(np.eye(grid.size, dtype=bool), 1.0, -1.0)
    if grid.place[-1] is None:
        sign[-1, -1] = 0.0  # among the others, right and wrong lie in one cell
    return np.rint(_MIDDLE + _MIDDLE * sign * _strength(grid, shown)).astype(np.uint8)


def _strength(grid: Grid, shown: Shown) -> Floats:
    """Return (K, K) strengths of colour, 0 to 1; every cell with a row has some."""
    if grid.size < ORDERED_FROM:
        by = Shown.TRUTH if shown is Shown.COUNTS else shown
        strength = np.sqrt(np.nan_to_num(values(grid.matrix, by)))
    else:
        thousandths = 1.0 if shown is Shown.COUNTS else 1000.0
        strength = np.log1p(np.nan_to_num(values(grid.matrix, shown)) * thousandths)
        # The others hold far more rows than any class, which would leave the rest pale.
        named = len([place for place in grid.place if place is not None])
        strength = np.minimum(strength / (strength[:named, :named].max() or 1.0), 1.0)
    return np.where(grid.matrix.counts > 0, np.maximum(strength, _FAINTEST), 0.0)


def _written(grid: Grid, shown: Shown) -> list[list[str]]:
    share = words.percent if grid.size <= ROOMY_UP_TO else words.whole_percent
    spell = words.count if shown is Shown.COUNTS else share
    numbers = [[_spelt(spell, cell) for cell in row] for row in values(grid.matrix, shown)]
    if grid.size != 2:
        return numbers
    return [
        [_with_meaning(*cell) for cell in zip(*rows, strict=True)]
        for rows in zip(numbers, _MEANING, strict=True)
    ]


def _spelt(spell: Callable[[float], str], cell: float) -> str:
    return "·" if np.isnan(cell) or cell == 0 else safe(spell(cell))


def _with_meaning(number: str, meaning: str) -> str:
    return f"<b>{number}</b><br><span style='font-size:12px'>{meaning}</span>"


def _add_clickable_cells(figure: go.Figure, grid: Grid, shown: Shown) -> None:
    """Lay a transparent square over each cell: clicks on a heat map never arrive.

    Their positions, whole numbers, are the ids: see `Grid.cell`.
    """
    crowded = grid.size >= ORDERED_FROM
    cells = grid.matrix.counts > 0 if crowded else np.ones_like(grid.matrix.counts, dtype=bool)
    row, column = (index.astype(np.uint8) for index in np.nonzero(cells))
    told = values(grid.matrix, shown)[cells]
    spoken = "%{customdata:,} rows" if shown is Shown.COUNTS else "%{customdata:.1%}"
    marker = {"symbol": "square", "size": 8 if crowded else 30, "opacity": 0}
    figure.add_scatter(
        x=column,
        y=row,
        customdata=_compact(told),
        mode="markers",
        marker=marker,
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertemplate=f"%{{y}}, called %{{x}}<br>{spoken}<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        clickmode="event+select", hovermode="closest", hoverdistance=6 if crowded else 200
    )


def _compact(told: Floats) -> NDArray[np.generic]:
    """Return numbers in the smallest type that holds them well enough to be read."""
    if (told == np.rint(told)).all() and len(told):
        return told.astype(np.min_scalar_type(int(told.max())))
    return told.astype(np.float32)


def _name_axes(figure: go.Figure, look: Look, grid: Grid) -> None:
    names = [safe(shorten(name, 16)) for name in grid.matrix.classes]
    size = 13 if grid.size <= WRITTEN_UP_TO else 10 if grid.size <= 40 else 7
    edge = {"tickfont": {"size": size, "color": look.text}, "showgrid": False}
    ticks = {"tickvals": list(range(grid.size)), "ticktext": names, **edge}
    figure.update_xaxes(
        title=_quiet("called", look), side="top", range=[-0.5, grid.size - 0.5], **ticks
    )
    figure.update_yaxes(title=_quiet("truth", look), range=[grid.size - 0.5, -0.5], **ticks)
    if grid.size > NAMED_ON_BOTH_SIDES:
        figure.update_xaxes(showticklabels=False)  # the order is that of the rows
    figure.update_layout(margin={"b": 12})


def _quiet(text: str, look: Look) -> dict[str, object]:
    return {"text": text, "font": {"color": look.secondary}}


def _outline(figure: go.Figure, look: Look, place: tuple[int, int]) -> None:
    x, y = place
    figure.add_shape(
        type="rect",
        x0=x - 0.48,
        x1=x + 0.48,
        y0=y - 0.48,
        y1=y + 0.48,
        line={"color": look.text, "width": 2},
    )
