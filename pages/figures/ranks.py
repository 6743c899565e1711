"""The critical-difference diagram: mean ranks, and bars over models that are not told apart."""

import plotly.graph_objects as go

from evalcore.comparison.ranked import Ranked
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme
from pages.figures.names import FEW, under_each_other
from pages.figures.scene import Scene
from pages.figures.words import counted

SHOWN_AT_MOST, GROUPS_AT_MOST = 20, 8


def draw(scene: Scene, made: Ranked) -> go.Figure:
    """Draw a dot per model at its mean rank, the best on top, and a bar per group below."""
    says = theme.Words(title(made), _subtitle(made), x="mean rank, 1 is the best")
    if len(made.order) < 2:
        return theme.nothing_to_draw(says, scene.look, "It takes two models to rank them.")
    order, groups = made.order[:SHOWN_AT_MOST], made.groups[:GROUPS_AT_MOST]
    rows = len(order) + 0.5 * len(groups) + 1.4
    height = 60 + round((34 if len(order) <= FEW else 24) * rows)
    figure = theme.canvas(says, scene.look, height=height)
    for row, name in enumerate(order):
        _add_model(figure, scene, name, made.mean_ranks[row], row)
    for place, group in enumerate(groups):
        _add_group(figure, scene, made, group, len(order) + 0.1 + 0.5 * place)
    _add_distance(figure, scene, made)
    names = under_each_other(order)
    figure.update_yaxes(tickvals=list(range(len(order))), ticktext=names, showgrid=False)
    figure.update_yaxes(range=[rows - 1.4, -1.4])
    figure.update_xaxes(
        showgrid=True,
        nticks=7,
        range=[0.8, max(len(made.order), 1 + made.critical_difference) + 0.2],
    )
    figure.update_layout(showlegend=False)
    return figure


def title(made: Ranked) -> str:
    """Return whether the best can be told from the next, in words."""
    if len(made.order) < 2:
        return "Mean ranks"
    best = made.order[0]
    group = next((group for group in made.groups if best in group), ())
    alike = [name for name in group if name != best]
    named = shorten(best, 24)
    if not alike:
        return f"{named} ranks above every other model"
    others = shorten(alike[0], 24) if len(alike) == 1 else counted(len(alike), "other")
    return f"{named} ranks best, but is not shown to be above {others}"


def alt(made: Ranked) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    pairs = zip(made.order, made.mean_ranks, strict=True)
    listed = "; ".join(f"{name} {rank:.2f}" for name, rank in list(pairs)[:SHOWN_AT_MOST])
    return f"Mean ranks over {made.n:,} {made.unit}. {title(made)}. {listed}."


def _subtitle(made: Ranked) -> str:
    noun = made.unit.removesuffix("s")
    return f"{counted(made.n, noun)}; bars join models that Nemenyi’s test cannot tell apart"


def _add_model(figure: go.Figure, scene: Scene, name: str, rank: float, row: int) -> None:
    style = scene.style(name)
    says = f"<b>{safe(shorten(name, 60))}</b><br>mean rank {rank:.2f}<extra></extra>"
    figure.add_scatter(
        x=[rank], y=[row], mode="markers", name="mean rank", hovertemplate=says,
        marker={"color": style.color, "size": 12, "symbol": style.symbol},
    )  # fmt: skip


def _add_group(
    figure: go.Figure, scene: Scene, made: Ranked, group: tuple[str, ...], y: float
) -> None:
    ranks = [made.mean_ranks[made.order.index(name)] for name in group]
    figure.add_scatter(
        x=[min(ranks), max(ranks)], y=[y, y], mode="lines", hoverinfo="skip",
        name=f"cannot be told apart: {', '.join(safe(name) for name in group)}",
        line={"color": scene.look.text, "width": 5},
    )  # fmt: skip


def _add_distance(figure: go.Figure, scene: Scene, made: Ranked) -> None:
    """Draw how far apart two ranks must be, as a bar to hold against the dots."""
    figure.add_scatter(
        x=[1, 1 + made.critical_difference], y=[-0.8, -0.8], mode="lines+markers",
        name="critical difference",
        line={"color": scene.look.secondary, "width": 2},
        marker={"symbol": "line-ns-open", "size": 10, "color": scene.look.secondary},
        hovertemplate=f"critical difference {made.critical_difference:.2f}<extra></extra>",
    )  # fmt: skip
    figure.add_annotation(
        x=1, y=-0.8, xanchor="left", yshift=12, showarrow=False,
        text=f"critical difference {made.critical_difference:.2f}",
        font={"size": 12, "color": scene.look.secondary},
    )  # fmt: skip
