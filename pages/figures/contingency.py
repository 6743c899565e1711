"""Which classes the points of each cluster are of, the best matches along the diagonal."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.tables.contingency import Contingency, Places
from evalcore.tables.weights import Counts
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme, words
from pages.figures.palette import Look
from pages.figures.scene import Scene

SHOWN_AT_MOST = 16
"""More classes, or clusters, than this do not fit beside each other; the largest are drawn."""


TRUE = "true class"
"""What the groups are called that clusters are held against, unless they are clusters too."""


def draw(scene: Scene, table: Contingency, partner: Places, of: str = TRUE) -> go.Figure:
    """Draw classes down and clusters across; `partner` is the class matched to each cluster.

    `of` says what the classes are.
    """
    says = theme.Words(
        title=title(table, partner, of),
        subtitle=_subtitle(table),
        x="cluster",
        y=shorten(of, 40),
    )
    if not table.n:
        return theme.nothing_to_draw(says, scene.look, "No point has both a cluster and a class.")
    figure = theme.canvas(says, scene.look, height=380)
    rows, columns = _arranged(table, partner)
    sizes = np.maximum(table.class_sizes[rows], 1)
    figure.add_trace(_cells(table.among(rows, columns), sizes, scene.look))
    across = [safe(shorten(table.clusters[place], 12)) for place in columns]
    down = [safe(shorten(table.classes[place], 16)) for place in rows]
    figure.update_xaxes(tickvals=list(range(len(across))), ticktext=across)
    figure.update_yaxes(tickvals=list(range(len(down))), ticktext=down, showgrid=False)
    figure.update_yaxes(range=[len(down) - 0.5, -0.5])
    return figure


def _cells(counts: Counts, sizes: Counts, look: Look) -> go.Heatmap:
    """Return counts on tints of the share that they are of their class."""
    return go.Heatmap(
        z=(counts / sizes[:, np.newaxis]).astype(np.float32),
        text=[[words.count(cell) for cell in row] for row in counts.tolist()],
        texttemplate="%{text}",
        textfont={"color": look.text},
        colorscale=[
            [0, look.background],
            [1, palette.tint(look.correct, look.card, palette.WRITTEN_ON)],
        ],
        zmin=0,
        zmax=1,
        xgap=3,
        ygap=3,
        showscale=False,
        hovertemplate="%{text} points, %{z:.1%} of the class<extra></extra>",
    )


def title(table: Contingency, partner: Places, of: str = TRUE) -> str:
    """Return how many points lie in the cluster that stands for their class, in words."""
    matched = partner[table.column] == table.row
    right = int(table.cells[matched].sum())
    where = "in the cluster of their class" if of == TRUE else "in groups that match"
    return f"{right:,} of {words.counted(table.n, 'point')} lie {where}"


def alt(table: Contingency, partner: Places, of: str = TRUE) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    size = f"{len(table.classes):,} by {len(table.clusters):,}"
    return f"Points by {of} and cluster, {size}. {title(table, partner, of)}."


def _subtitle(table: Contingency) -> str:
    said = "Points by class and cluster, each class paired with one cluster; the stronger, the more"
    if max(len(table.classes), len(table.clusters)) <= SHOWN_AT_MOST:
        return said
    return f"{said}; the {SHOWN_AT_MOST} largest of each"


def _arranged(table: Contingency, partner: Places) -> tuple[Sequence[int], Sequence[int]]:
    """Return classes in their order, and clusters in that of the classes that they stand for."""
    rows = _largest(table.class_sizes)
    kept = _largest(table.cluster_sizes)
    place = {code: at for at, code in enumerate(rows)}
    alone = len(rows)
    return rows, sorted(kept, key=lambda code: place.get(int(partner[code]), alone))


def _largest(sizes: Places) -> list[int]:
    kept: list[int] = np.sort(np.argsort(-sizes, kind="stable")[:SHOWN_AT_MOST]).tolist()
    return kept
