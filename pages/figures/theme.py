"""The look of every figure: type, axes in words, room; the colours are those of palette.py."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from pages.escape import plotly as safe
from pages.figures.palette import MODEL_STYLES, Look

SANS = '"Inter", "Helvetica Neue", Arial, sans-serif'
SERIF = '"Source Serif 4", Georgia, serif'

CONFIG: dict[str, Any] = {"displayModeBar": False, "scrollZoom": False, "doubleClick": "reset"}
"""Plotly's own toolbar stays away."""

HEIGHT = 340
"""Pixels of a picture without its title, where nothing asks for more or less."""

PHONE_LINE = 40
"""So many letters have room beside each other on a phone."""

PLOT_TOP = 32
"""Pixels above the plot, for the words of the vertical axis."""

PLOT_TOP_BARE = 8
"""Pixels above the plot where there are no such words."""

TITLE_ROOM = 56
"""Pixels above that, for title and subtitle where the figure carries them itself."""


def _axis(look: Look) -> dict[str, object]:
    return {
        "gridcolor": look.line,
        "linecolor": look.line,
        "zeroline": False,
        "ticks": "",
        "ticklabelstandoff": 3,
        "tickfont": {"size": 12, "color": look.secondary},
        "title": {"font": {"size": 12, "color": look.text}, "standoff": 8},
        "fixedrange": True,
        "automargin": True,
    }


def _title(look: Look) -> dict[str, object]:
    return {
        "font": {"family": SERIF, "size": 16, "color": look.text, "weight": 600},
        "subtitle": {"font": {"family": SANS, "size": 12, "color": look.secondary}},
        "x": 0,
        "xref": "container",
        "xanchor": "left",
        "y": 1,
        "yref": "container",
        "yanchor": "top",
        "pad": {"l": 16, "t": 16},
    }


def template(look: Look) -> go.layout.Template:
    """Return the plotly template of this mode; it names every colour, so exports keep it."""
    axis = _axis(look)
    layout = {
        "paper_bgcolor": look.card,
        "plot_bgcolor": look.card,
        "colorway": [style.color for style in MODEL_STYLES],
        "font": {"family": SANS, "size": 12, "color": look.text},
        "title": _title(look),
        "xaxis": {**axis, "showgrid": False},
        "yaxis": axis,
        "hoverlabel": {
            "bgcolor": look.card,
            "bordercolor": look.line,
            "font": {"family": SANS, "size": 12, "color": look.text},
            "align": "left",
        },
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "font": {"size": 12},
        },
        "margin": {"l": 40, "r": 16, "t": PLOT_TOP, "b": 40},
        "dragmode": False,
        "hoverdistance": 40,
    }
    return go.layout.Template(layout=layout)


@dataclass(frozen=True)
class Words:
    """What a figure says: plain text, escaped when it is drawn.

    Attributes:
        title: What one sees.
        subtitle: How it was made, with the number.
        x: The horizontal axis, in words.
        y: The vertical axis, in words; written above it.
    """

    title: str
    subtitle: str = ""
    x: str = ""
    y: str = ""


def canvas(words: Words, look: Look, *, height: int = HEIGHT) -> go.Figure:
    """Return an empty figure with its words in place.

    Where the page draws title and subtitle itself, so that they wrap on a phone, it takes them
    off with `without_title`.
    """
    figure = go.Figure()
    figure.update_layout(
        template=template(look),
        title={"text": safe(words.title), "subtitle": {"text": safe(words.subtitle)}},
        margin={"t": TITLE_ROOM + (PLOT_TOP if words.y else PLOT_TOP_BARE)},
        height=height + TITLE_ROOM,
    )
    figure.update_xaxes(title={"text": safe(words.x)})
    if words.y:
        _write_above_axis(figure, words.y)
    return figure


def _write_above_axis(figure: go.Figure, words: str) -> None:
    figure.add_annotation(
        text=safe(words),
        x=0,
        y=1,
        xref="paper",
        yref="paper",
        xanchor="left",
        yanchor="bottom",
        yshift=8,
        showarrow=False,
    )


def without_title(figure: go.Figure) -> tuple[go.Figure, str, str]:
    """Return the figure without its title, and the title and subtitle as escaped text."""
    bare = go.Figure(figure)
    title = figure.layout.title.text or ""
    subtitle = figure.layout.title.subtitle.text or ""
    bare.update_layout(
        title={"text": "", "subtitle": {"text": ""}},
        margin={"t": figure.layout.margin.t - TITLE_ROOM},
        height=figure.layout.height - TITLE_ROOM,
    )
    return bare, title, subtitle


def level(*figures: go.Figure) -> None:
    """Make figures that stand beside each other as high as the highest."""
    highest = max(figure.layout.height for figure in figures)
    for figure in figures:
        figure.update_layout(height=highest)


def nothing_to_draw(words: Words, look: Look, why: str) -> go.Figure:
    """Return a figure that says in words why it is empty."""
    figure = canvas(Words(words.title, words.subtitle), look, height=160)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.add_annotation(
        text="<br>".join(map(safe, wrap(why, PHONE_LINE))),
        x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False,
        font={"color": look.secondary, "size": 13},
    )  # fmt: skip
    return figure
