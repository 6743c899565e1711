"""The places of models by one metric after the other, or on one fold after the other."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import theme
from pages.figures.clouds import light
from pages.figures.names import on_two_lines, under_each_other
from pages.figures.scene import Scene

MODELS_AT_MOST, COLUMNS_AT_MOST = 20, 12
"""More lines, or more columns, than this cannot be followed."""

Places = Mapping[str, Mapping[str, float]]
"""What is ranked by -> model -> its place, 1 being the best; NaN where it has none."""


def draw(scene: Scene, places: Places, by: str) -> go.Figure:
    """Draw a line per model through its places; `by` names what they differ in, "metric"."""
    columns = list(places)[:COLUMNS_AT_MOST]
    says = theme.Words(title(places, by), _subtitle(places, by))
    models = _models(places)
    if len(columns) < 2 or not models:
        return theme.nothing_to_draw(says, scene.look, f"It takes two {by}s to compare.")
    figure = theme.canvas(says, scene.look, height=90 + 30 * max(len(models), 4))
    for model in models:
        _add_model(figure, scene, model, [places[column].get(model, np.nan) for column in columns])
    first = places[columns[0]]
    named = [model for model in models if first.get(model) == first.get(model)]
    tied = len({first[model] for model in named}) < len(named)
    figure.update_yaxes(range=[len(models) + 0.5, 0.5], showgrid=False)
    if tied:
        figure.update_yaxes(title="place", dtick=max(1, len(models) // 6))
    else:
        where = [first[model] for model in named]
        figure.update_yaxes(tickvals=where, ticktext=under_each_other(named))
    width = 13 if len(columns) < 6 else 7
    across = [on_two_lines(column, width) for column in columns]
    figure.update_xaxes(
        tickvals=list(range(len(columns))), ticktext=across, range=[-0.15, len(columns) - 0.75]
    )
    figure.update_layout(showlegend=tied)
    return figure


def title(places: Places, by: str) -> str:
    """Return whether the same model leads everywhere, in words."""
    leaders = {_first(found) for found in places.values()} - {""}
    if len(leaders) == 1:
        return f"{shorten(next(iter(leaders)), 30)} has the best value by every {by}"
    return f"Which model has the best value depends on the {by}"


def _subtitle(places: Places, by: str) -> str:
    told = f"Place of each model by each {by}; 1 is the best"
    many = len(places)
    return (
        f"{told}; the first {COLUMNS_AT_MOST} of {many} {by}s" if many > COLUMNS_AT_MOST else told
    )


def alt(places: Places, by: str) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = "; ".join(f"{column}: {_first(found)}" for column, found in places.items())
    return f"Places of models by {by}. {title(places, by)}. Best by {listed}."


def _first(found: Mapping[str, float]) -> str:
    known = {model: place for model, place in found.items() if place == place}
    return min(known, key=known.__getitem__, default="")


def _models(places: Places) -> list[str]:
    """Return the models to draw, the best by the first column."""
    first = next(iter(places.values()), {})
    known = [model for model, place in first.items() if place == place]
    return sorted(known, key=lambda model: first[model])[:MODELS_AT_MOST]


def _add_model(figure: go.Figure, scene: Scene, model: str, path: list[float]) -> None:
    style = scene.style(model)
    name = safe(shorten(model, 40))
    figure.add_scatter(
        x=np.arange(len(path), dtype=np.float32),
        y=light(np.array(path)),
        name=safe(shorten(model, 24)),
        mode="lines+markers",
        connectgaps=True,
        line={"color": style.color, "dash": style.dash, "width": 2},
        marker={"color": style.color, "symbol": style.symbol, "size": 9},
        hovertemplate=f"<b>{name}</b><br>place %{{y:.3~g}}<extra></extra>",
    )
