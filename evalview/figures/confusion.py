"""The confusion matrix and the contingency table as pictures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from evalcore.clustering.agreement import best_match
from evalcore.curves.costs import ClassCosts
from evalcore.errors import EvalError
from evalcore.evaluate import decide
from evalcore.outcomes import Floats, Places
from evalcore.tables.confusion import ConfusionMatrix, Counts, quotient
from evalcore.tables.contingency import Contingency
from evalview import text, words
from evalview.escape import plotly as safe
from evalview.figures import theme
from evalview.figures.theme import Look, Scene
from evalview.figures.view import NO_FIGURE, Data, view_of
from evalview.text import abbreviate


@dataclass(frozen=True)
class ConfusedPair:
    """How often one class was called another.

    Attributes:
        truth: What it was.
        decision: What it was called.
        count: Rows, or the sum of their weights.
        of: All rows that are `truth`.
    """

    truth: str
    decision: str
    count: float
    of: float

    @property
    def share(self) -> float:
        """Of all rows that are `truth`, the share called `decision`."""
        return self.count / self.of


def shares_of_truth(matrix: ConfusionMatrix) -> Floats:
    """Return (K, K) shares of each row; NaN for a class without a row in the truth."""
    return quotient(matrix.counts, matrix.counts.sum(axis=1, keepdims=True))


def shares_of_decision(matrix: ConfusionMatrix) -> Floats:
    """Return (K, K) shares of each column; NaN for a class that was never decided."""
    return quotient(matrix.counts, matrix.counts.sum(axis=0, keepdims=True))


def confused_pairs(matrix: ConfusionMatrix, limit: int) -> tuple[ConfusedPair, ...]:
    """Return the most frequent errors, at most `limit`; ties in the order of the classes."""
    errors, of = _errors(matrix), matrix.counts.sum(axis=1)
    worst = np.argsort(-errors, axis=None, kind="stable")[:limit]
    cells = [divmod(int(cell), len(matrix.classes)) for cell in worst]
    return tuple(
        ConfusedPair(
            matrix.classes[truth],
            matrix.classes[decision],
            float(errors[truth, decision]),
            float(of[truth]),
        )
        for truth, decision in cells
        if errors[truth, decision] > 0
    )


def by_confusion(matrix: ConfusionMatrix) -> Places:
    """Return the classes so that each is followed by the one it is most confused with.

    The walk starts, and starts again where a class is confused with none of those left, at the
    class with most errors.
    """
    errors = _errors(matrix)
    mutual = errors + errors.T
    remaining = mutual.sum(axis=1) + 1.0
    order: list[int] = []
    for _ in matrix.classes:
        tie = np.where(remaining > 0, mutual[order[-1]], -1.0) if order else remaining
        nearest = int(np.argmax(tie if tie.max() > 0 else remaining))
        order.append(nearest)
        remaining[nearest] = 0.0
    return np.array(order, dtype=np.intp)


def most_confused(matrix: ConfusionMatrix, most: int) -> Places:
    """Return the classes of the most frequent errors, at most `most`, ordered `by_confusion`."""
    worst = np.argsort(-_errors(matrix), axis=None, kind="stable")[: most * most]
    classes = np.stack(np.divmod(worst, len(matrix.classes)), axis=1).ravel()
    _, first = np.unique(classes, return_index=True)
    kept = np.sort(classes[np.sort(first)[:most]])
    names = tuple(matrix.classes[code] for code in kept)
    among = ConfusionMatrix(names, matrix.counts[np.ix_(kept, kept)])
    order: Places = kept[by_confusion(among)]
    return order


def pooled(matrix: ConfusionMatrix, keep: Places, name: str) -> ConfusionMatrix:
    """Return the matrix of the classes to keep, in that order, and one that holds the others.

    Totals are those of the whole matrix; nothing is added where every class is kept.
    """
    size = len(keep)
    place = np.full(len(matrix.classes), size, dtype=np.intp)
    place[keep] = np.arange(size)
    classes = tuple(matrix.classes[position] for position in keep)
    if size < len(matrix.classes):
        classes += (name,)
    counts = np.zeros_like(matrix.counts, shape=(len(classes), len(classes)))
    np.add.at(counts, (place[:, None], place[None, :]), matrix.counts)
    return ConfusionMatrix(classes, counts)


def _errors(matrix: ConfusionMatrix) -> Floats:
    """Return (K, K) counts with 0 on the diagonal."""
    errors = matrix.counts.astype(np.float64)
    np.fill_diagonal(errors, 0.0)
    return errors


ORDERED_FROM = 21
"""From this many classes on, each stands beside the one it is most confused with."""

CLASSES_SHOWN = 100
"""Classes in one picture."""

SHOWN_IF_DENSE = 75
"""Classes in one picture where many cells are filled, to keep its JSON under 64 KB."""

_DENSE = 4000
"""Filled cells from which on fewer classes are shown."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A confusion matrix in the order in which it is drawn.

    Attributes:
        whole: The matrix that is drawn.
        matrix: Classes from top to bottom and from left to right; the last may hold "others".
        place: For each of them its position in the whole matrix; None for the others.
        column: The column of the truth, which sentences name beside a class such as "yes".
    """

    whole: ConfusionMatrix
    matrix: ConfusionMatrix
    place: tuple[int | None, ...]
    column: str = ""

    @property
    def size(self) -> int:
        """Number of rows, and of columns."""
        return len(self.place)

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """Return truth and decision, as positions in the whole matrix, of the cell at (x, y)."""
        column, row = round(x), round(y)
        if not (0 <= column < self.size and 0 <= row < self.size):
            return None
        truth, decision = self.place[row], self.place[column]
        return None if truth is None or decision is None else (truth, decision)

    def position(self, cell: tuple[int, int]) -> tuple[int, int] | None:
        """Return (x, y) of a cell of the whole matrix; None where it is among the others."""
        truth, decision = cell
        if truth not in self.place or decision not in self.place:
            return None
        return self.place.index(decision), self.place.index(truth)


def arranged(matrix: ConfusionMatrix, column: str = "") -> Grid:
    """Return the matrix as it is drawn; `column` is that of the truth.

    Two classes: the positive one first. Up to twenty: the file's order. More: each class beside
    the one it is most confused with; what does not fit, having fewer errors, is pooled.
    """
    size = len(matrix.classes)
    if size == 2:
        return _grid(matrix, np.array([1, 0]), column)
    if size < ORDERED_FROM:
        return _grid(matrix, np.arange(size), column)
    dense = np.count_nonzero(matrix.counts) >= _DENSE
    most = SHOWN_IF_DENSE if dense else CLASSES_SHOWN
    keep = by_confusion(matrix) if size <= most else most_confused(matrix, most - 1)
    return _grid(matrix, keep, column)


def _grid(matrix: ConfusionMatrix, keep: Places, column: str) -> Grid:
    left_out = len(matrix.classes) - len(keep)
    place: list[int | None] = [int(position) for position in keep]
    if left_out:
        place.append(None)
    return Grid(matrix, pooled(matrix, keep, f"{left_out} others"), tuple(place), column)


WRITTEN_UP_TO = 12
"""With more classes than this the cells are too small to write in."""

ROOMY_UP_TO = 4
"""Up to this many classes the cells have room for large numbers."""

CLOSE_FROM = 7
"""From this many classes on a cell on a phone is as wide as three small digits."""

NAMED_ON_BOTH_SIDES = 40
"""With more classes than this only the rows have names written on them."""

_MIDDLE = 127
_FAINTEST = 0.1
_MEANING = (("TP<br>found", "FN<br>missed"), ("FP<br>false alarm", "TN<br>passed"))


class Shown(Enum):
    """What the cells say."""

    COUNTS = "rows"
    TRUTH = "share of truth"
    DECISION = "share of decision"


def draw_confusion_matrix(
    look: Look, grid: Grid, shown: Shown, *, picked: tuple[int, int] | None = None
) -> go.Figure:
    """Draw rows = truth, columns = decision; `picked` (truth, decision) is outlined."""
    title = confusion_matrix_title(grid.whole, grid.column)
    says = theme.Words(title, confusion_matrix_subtitle(grid.whole))
    if not grid.matrix.total:
        return theme.nothing_to_draw(says, look, "There is no row to count.")
    figure = theme.canvas(says, look, height=_height(grid.size))
    _add_colours(figure, look, grid, shown)
    _add_clickable_cells(figure, grid, shown)
    _name_axes(figure, look, grid)
    if grid.size <= WRITTEN_UP_TO:
        _add_totals(figure, look, grid)
    place = grid.position(picked) if picked else None
    if place:
        _outline(figure, look, place)
    return figure


def confusion_matrix_title(matrix: ConfusionMatrix, column: str = "") -> str:
    """Return the most common error in words; `column` is that of the truth."""
    worst = confused_pairs(matrix, 1)
    if not worst:
        return "Every row is called correctly"
    pair, share = worst[0], text.percent(worst[0].share)
    of, called = words.class_of(column, pair.truth), words.called(pair.decision)
    rows = words.counted_rows(column, pair.truth, pair.count)
    if rows.endswith((" row", " rows")):  # of a class whose name is a noun
        rows = rows.removesuffix("s").removesuffix(" row")
    return f"Most common error: {rows} called {called} ({share} of {of})"


def confusion_matrix_subtitle(matrix: ConfusionMatrix) -> str:
    """Return how many rows are right."""
    right, rows = float(np.trace(matrix.counts)), text.counted(matrix.total, "row")
    told = f"{text.count(right)} of {rows} right. Blue cells are right, red cells wrong"
    if len(matrix.classes) < ORDERED_FROM:
        return told
    return f"{told}, on a logarithmic scale; confused classes stand side by side"


def confusion_matrix_alt(matrix: ConfusionMatrix, column: str = "") -> str:
    """Return the picture in a sentence for those who cannot see it."""
    kind = f"Confusion matrix of {text.counted(len(matrix.classes), 'class')}"
    title = confusion_matrix_title(matrix, column)
    return f"{kind}, truth in the rows. {confusion_matrix_subtitle(matrix)}. {title}."


def confusion_matrix_summary(who: str, matrix: ConfusionMatrix, column: str = "") -> str:
    """Return what the decisions of a model come to, `who` in a sentence."""
    name = words.at_start(who)
    if len(matrix.classes) == 2:
        counts = matrix.binary()
        of = words.counted_rows(column, matrix.classes[1], counts.positives)
        alarms = text.counted(counts.fp, "false alarm")
        return f"{name} finds {text.count(counts.tp)} of {of} and raises {alarms}"
    right = text.count(float(matrix.counts.trace()))
    told = f"{name} is right on {right} of {text.counted(matrix.total, 'row')}"
    worst = confused_pairs(matrix, 1)
    if not worst:
        return told
    of, called = words.class_of(column, worst[0].truth), words.called(worst[0].decision)
    return f"{told}; its most common error: {of} called {called}"


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
    wrong, right = (theme.WRITTEN_ON, 0.34) if written else (0.9, 0.9)
    figure.add_heatmap(
        z=_signed(grid, shown),
        zmin=0,
        zmax=2 * _MIDDLE,
        colorscale=[
            [0, theme.tint(look.positive, look.card, wrong)],
            [0.5, look.background if written else look.card],
            [1, theme.tint(look.correct, look.card, right)],
        ],
        showscale=False,
        hoverinfo="skip",
    )
    if written:
        size = 20 if grid.size <= ROOMY_UP_TO else 13 if grid.size < CLOSE_FROM else 11
        font, said = {"size": size, "color": look.text}, _written(grid, shown)
        figure.update_traces(xgap=4, ygap=4, text=said, texttemplate="%{text}", textfont=font)


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
    share = text.percent if grid.size <= ROOMY_UP_TO else text.whole_percent
    spell = text.count if shown is Shown.COUNTS else share
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

    Their positions, whole numbers, are places in the `codes` that the trace's `meta` has.
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
        meta={"codes": grid.place},
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
    most = 8 if CLOSE_FROM <= grid.size <= WRITTEN_UP_TO else 16  # longer ones leave no room
    names = [safe(abbreviate(name, most)) for name in grid.matrix.classes]
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


def _add_totals(figure: go.Figure, look: Look, grid: Grid) -> None:
    """Write how many rows each class has in the truth, and how often it was decided for."""
    # Beside each other on a phone, totals of many classes would touch.
    font = {"size": 13 if grid.size <= ROOMY_UP_TO else 9, "color": look.secondary}
    of_truth, of_calls = grid.matrix.counts.sum(axis=1), grid.matrix.counts.sum(axis=0)
    right = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 8}
    below = {"yref": "paper", "y": 0, "yanchor": "top", "yshift": -4}
    written = [{"text": safe(text.count(n)), "y": at, **right} for at, n in enumerate(of_truth)]
    written += [{"text": safe(text.count(n)), "x": at, **below} for at, n in enumerate(of_calls)]
    written += [
        {"text": safe(text.count(grid.matrix.total)), **right, **below},
        {"text": "total", **below, "xref": "paper", "x": 0, "xanchor": "right", "xshift": -8},
        {"text": "total", **right, "yref": "paper", "y": 1, "yanchor": "bottom", "yshift": 4},
    ]
    figure.update_layout(
        annotations=[{"showarrow": False, "font": font, **one} for one in written],
        margin={"r": 24 + 8 * len(text.count(grid.matrix.total)), "b": 34},
    )


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


CONTINGENCY_SHOWN_AT_MOST = 16
"""More classes, or clusters, than this do not fit beside each other; the largest are drawn."""


TRUE = "true class"
"""What the groups are called that clusters are held against, unless they are clusters too."""


def draw_contingency(
    scene: Scene, table: Contingency, partner: Places, of: str = TRUE
) -> go.Figure:
    """Draw classes down and clusters across; `partner` is the class matched to each cluster.

    `of` says what the classes are.
    """
    says = theme.Words(
        title=contingency_title(table, partner, of),
        subtitle=_subtitle(table),
        x="cluster",
        y=abbreviate(of, 40),
    )
    if not table.n:
        return theme.nothing_to_draw(says, scene.look, "No point has both a cluster and a class.")
    figure = theme.canvas(says, scene.look, height=380)
    rows, columns = _arranged(table, partner)
    sizes = np.maximum(table.class_sizes[rows], 1)
    figure.add_trace(_cells(table.among(rows, columns), sizes, scene.look))
    across = [safe(abbreviate(table.clusters[place], 12)) for place in columns]
    down = [safe(abbreviate(table.classes[place], 16)) for place in rows]
    figure.update_xaxes(tickvals=list(range(len(across))), ticktext=across)
    figure.update_yaxes(tickvals=list(range(len(down))), ticktext=down, showgrid=False)
    figure.update_yaxes(range=[len(down) - 0.5, -0.5])
    return figure


def _cells(counts: Counts, sizes: Counts, look: Look) -> go.Heatmap:
    """Return counts on tints of the share that they are of their class."""
    return go.Heatmap(
        z=(counts / sizes[:, np.newaxis]).astype(np.float32),
        text=[[text.count(cell) for cell in row] for row in counts.tolist()],
        texttemplate="%{text}",
        textfont={"color": look.text},
        colorscale=[
            [0, look.background],
            [1, theme.tint(look.correct, look.card, theme.WRITTEN_ON)],
        ],
        zmin=0,
        zmax=1,
        xgap=3,
        ygap=3,
        showscale=False,
        hovertemplate="%{text} points, %{z:.1%} of the class<extra></extra>",
    )


def contingency_title(table: Contingency, partner: Places, of: str = TRUE) -> str:
    """Return how many points lie in the cluster that stands for their class, in words."""
    matched = partner[table.column] == table.row
    right = int(table.cells[matched].sum())
    where = "in the cluster of their class" if of == TRUE else "in groups that match"
    return f"{right:,} of {text.counted(table.n, 'point')} lie {where}"


def contingency_alt(table: Contingency, partner: Places, of: str = TRUE) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    size = f"{len(table.classes):,} by {len(table.clusters):,}"
    return f"Points by {of} and cluster, {size}. {contingency_title(table, partner, of)}."


def _subtitle(table: Contingency) -> str:
    said = "Points by class and cluster, each class paired with one cluster; the stronger, the more"
    if max(len(table.classes), len(table.clusters)) <= CONTINGENCY_SHOWN_AT_MOST:
        return said
    return f"{said}; the {CONTINGENCY_SHOWN_AT_MOST} largest of each"


def _arranged(table: Contingency, partner: Places) -> tuple[Sequence[int], Sequence[int]]:
    """Return classes in their order, and clusters in that of the classes that they stand for."""
    rows = _largest(table.class_sizes)
    kept = _largest(table.cluster_sizes)
    place = {code: at for at, code in enumerate(rows)}
    alone = len(rows)
    return rows, sorted(kept, key=lambda code: place.get(int(partner[code]), alone))


def _largest(sizes: Places) -> list[int]:
    kept: list[int] = np.sort(
        np.argsort(-sizes, kind="stable")[:CONTINGENCY_SHOWN_AT_MOST]
    ).tolist()
    return kept


def confusion_matrix(
    data: Data,
    *,
    model: str | None = None,
    rule: str | None = None,
    threshold: float | None = None,
) -> go.Figure:
    """Return the confusion matrix of a model.

    `rule` says how it decides: by its own "labels", the "threshold" or the likeliest class
    ("argmax"); by the first of these that it has if left out.
    """
    view = view_of(data, model, threshold)
    rules = decide(view.own_tables, replace(view.options, threshold=view.threshold))
    made = next((one for way, one in rules.items() if rule in (None, way)), None)
    if made is None:
        known = f'by "{rule}", only by {", ".join(rules)}' if rules else "at all"
        raise EvalError(NO_FIGURE, f'"{view.model}" does not decide {known}.')
    return draw_confusion_matrix(view.scene.look, arranged(made.confusion), Shown.COUNTS)


def cheapest_decisions(
    data: Data,
    *,
    costs: Iterable[float] | None = None,
    shares: Iterable[float] | None = None,
    model: str | None = None,
    likeliest: bool = False,
) -> go.Figure:
    """Return the confusion matrix of the cheapest classes, or of the likeliest ones.

    `costs` are those of each decision, truth by truth; every mistake costs 1 if left out. `shares`
    are those of the classes where decisions are made.
    """
    view = view_of(data, model)
    found, size = view.class_outcomes, len(view.dataset.classes)
    given = 1.0 - np.eye(size) if costs is None else np.reshape([*costs], (size, size))
    made = ClassCosts.of(found, given, None if shares is None else np.array([*shares]))
    decided = made.likeliest if likeliest else made.cheapest
    grid = arranged(decided.confusion)
    return draw_confusion_matrix(view.scene.look, grid, Shown.COUNTS)


def contingency(data: Data, *, model: str | None = None) -> go.Figure:
    """Return the points of every true class in every cluster."""
    view = view_of(data, model)
    table = view.clustering.contingency
    if table is None:
        raise EvalError(NO_FIGURE, "There are no true classes to compare the clusters with.")
    return draw_contingency(view.scene, table, best_match(table))
