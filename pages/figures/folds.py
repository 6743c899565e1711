"""What each model scored on each fold, the scores of one fold joined by a line."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from evalcore.fold_scores import FoldScores
from evalcore.metrics.spec import Better
from evalcore.outcomes import Floats
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme, words
from pages.figures.clouds import light
from pages.figures.names import on_two_lines
from pages.figures.scene import Scene

FOLDS_AT_MOST, MODELS_AT_MOST = 200, 12
"""More lines, or models side by side, than this cannot be told apart."""

SIDE_BY_SIDE = 5
"""More names than this are turned upright."""


def draw(scene: Scene, scores: FoldScores, name: str, better: Better) -> go.Figure:
    """Draw models side by side, the best mean first; `name` is that of the metric."""
    order = _order(scores, better)
    says = theme.Words(
        title=title(scores, order, better),
        subtitle="A thin line joins the scores of one fold; the bar is the mean",
        y=name,
    )
    if not order:
        return theme.nothing_to_draw(says, scene.look, "No model has a score.")
    figure = theme.canvas(says, scene.look)
    values = scores.score[order, :FOLDS_AT_MOST]
    _add_lines(figure, scene, values)
    for place, model in enumerate(order):
        _add_model(figure, scene, scores, model, place)
    few = len(order) <= SIDE_BY_SIDE
    names = [scores.models[model] for model in order]
    figure.update_xaxes(
        tickvals=list(range(len(order))),
        ticktext=[
            on_two_lines(name, 13 if len(order) < 4 else 8) if few else safe(shorten(name, 16))
            for name in names
        ],
        tickangle=0 if few else 90,
        range=[-0.5, len(order) - 0.5],
    )
    figure.update_yaxes(nticks=6)
    figure.update_layout(showlegend=False)
    return figure


def title(scores: FoldScores, order: Sequence[int], better: Better) -> str:
    """Return how many folds the best model wins against the next, and loses, in words."""
    if len(order) < 2:
        return "Fold by fold"
    first, second = (scores.score[place] for place in order[:2])
    gaps = second - first if better is Better.LOWER else first - second
    won, lost, equal = (int(found.sum()) for found in (gaps > 0, gaps < 0, gaps == 0))
    names = [shorten(scores.models[place], 28) for place in order[:2]]
    ties = f", {equal:,} equal" if equal else ""
    return f"{names[0]} against {names[1]}: {words.counted(won, 'fold')} won, {lost:,} lost{ties}"


def alt(scores: FoldScores, name: str, better: Better) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    order = _order(scores, better)
    means = "; ".join(
        f"{scores.models[place]} {words.number(_mean(scores.score[place]))}" for place in order
    )
    return f"{name} of each model on each fold. {title(scores, order, better)}. Means: {means}."


def _order(scores: FoldScores, better: Better) -> list[int]:
    """Return the places of the models that have a score, the best mean first."""
    sign = 1 if better is Better.LOWER else -1
    known = [place for place, own in enumerate(scores.score) if np.isfinite(own).any()]
    return sorted(known, key=lambda place: sign * _mean(scores.score[place]))[:MODELS_AT_MOST]


def _mean(scores: Floats) -> float:
    return float(np.nanmean(scores)) if np.isfinite(scores).any() else float("nan")


def _add_lines(figure: go.Figure, scene: Scene, values: Floats) -> None:
    """Add the lines of all folds as one, interrupted between them."""
    models, folds = values.shape
    gap = np.full((folds, 1), np.nan)
    x = np.hstack([np.tile(np.arange(models, dtype=np.float64), (folds, 1)), gap])
    y = np.hstack([values.T, gap])
    figure.add_trace(
        go.Scatter(
            x=light(x.ravel()),
            y=light(y.ravel()),
            mode="lines",
            line={"color": scene.look.negative, "width": 1},
            opacity=0.5,
            hoverinfo="skip",
        )
    )


def _add_model(figure: go.Figure, scene: Scene, scores: FoldScores, model: int, place: int) -> None:
    own, style = scores.score[model, :FOLDS_AT_MOST], scene.style(scores.models[model])
    known = np.flatnonzero(np.isfinite(own))
    name = safe(shorten(scores.models[model], 60))
    figure.add_trace(
        go.Scatter(
            x=np.full(len(known), place, dtype=np.float32),
            y=light(own[known]),
            text=np.array([_fold(scores, fold) for fold in known.tolist()]),
            mode="markers",
            marker={"color": style.color, "size": 8, "symbol": style.symbol, "opacity": 0.75},
            hovertemplate=f"<b>{name}</b><br>%{{text}}: %{{y:.4~g}}<extra></extra>",
        )
    )
    mean = _mean(scores.score[model])
    figure.add_trace(
        go.Scatter(
            x=[place - 0.18, place + 0.18],
            y=[mean, mean],
            mode="lines",
            line={"color": scene.look.text, "width": 3},
            hovertemplate=f"<b>{name}</b><br>mean {words.number(mean)}<extra></extra>",
        )
    )


def _fold(scores: FoldScores, place: int) -> str:
    dataset, repeat, fold = scores.names[place]
    parts = (dataset, f"repeat {repeat}" if repeat else "", f"fold {fold}")
    return safe(shorten(", ".join(part for part in parts if part), 40))
