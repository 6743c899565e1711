"""The look of every figure: colours, type, axes in words, room, and what figures share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import plotly.graph_objects as go

from evalview.escape import plotly as safe
from evalview.text import abbreviate

WRITTEN_ON = 0.42
"""The strongest mixture of a colour into a card on which text of the mode can be read."""


@dataclass(frozen=True)
class Look:
    """The colours of one mode."""

    name: str
    background: str
    card: str
    line: str
    text: str
    secondary: str
    positive: str
    negative: str
    correct: str


LIGHT = Look(
    name="light",
    background="#FBFAF7",
    card="#FFFFFF",
    line="#E6E2D9",
    text="#1B2330",
    secondary="#5A6473",
    positive="#C8324A",
    negative="#8491A2",
    correct="#2F6DB5",
)
DARK = Look(
    name="dark",
    background="#11151B",
    card="#191F28",
    line="#2C3542",
    text="#E9EBEE",
    secondary="#A5AFBC",
    positive="#FF6B7E",
    negative="#66748A",
    correct="#6FA8E6",
)


@dataclass(frozen=True)
class ModelStyle:
    """How one model is drawn wherever it appears."""

    color: str
    dash: str
    symbol: str


# Colours that some colour-blind viewers take for each other have different dashes (tested).
MODEL_STYLES = (
    ModelStyle("#2F6DB5", "solid", "circle"),
    ModelStyle("#D9772B", "solid", "square"),
    ModelStyle("#2A9D8F", "solid", "diamond"),
    ModelStyle("#B5457B", "dash", "triangle-up"),
    ModelStyle("#8A6FBF", "dash", "triangle-down"),
    ModelStyle("#AF8E1C", "dash", "star"),
    ModelStyle("#5A8F3C", "dot", "cross"),
    ModelStyle("#A85538", "dashdot", "x"),
    ModelStyle("#459CC0", "dot", "hexagon"),
    ModelStyle("#6B7280", "longdashdot", "pentagon"),
)
_DASHES = ("solid", "dash", "dot", "dashdot", "longdashdot")


BRIGHTER = 1.25
"""How much brighter models are in dark mode: each then has a contrast of 4.5 with a card."""


def model_style(position: int, look: Look = LIGHT) -> ModelStyle:
    """Return the style of the model at this position in the file, 0 being the first."""
    style = MODEL_STYLES[position % len(MODEL_STYLES)]
    color = brighter(style.color) if look is DARK else style.color
    turns = position // len(MODEL_STYLES)
    dash = _DASHES[(_DASHES.index(style.dash) + turns) % len(_DASHES)]
    return ModelStyle(color, dash, style.symbol)


def brighter(color: str) -> str:
    """Return a colour as it is drawn in dark mode.

    >>> brighter("#2F6DB5")
    '#3B88E2'
    """
    return "#" + "".join(f"{min(255, round(BRIGHTER * one)):02X}" for one in _channels(color))


def model_styles(names: Sequence[str], look: Look = LIGHT) -> dict[str, ModelStyle]:
    """Return the style of every model, in the file's order."""
    return {name: model_style(position, look) for position, name in enumerate(names)}


def tint(color: str, base: str, strength: float) -> str:
    """Return `base` with a share `strength` of `color` mixed in, as #RRGGBB."""
    mixed = (
        round(b + (c - b) * strength)
        for c, b in zip(_channels(color), _channels(base), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def _channels(color: str) -> tuple[int, ...]:
    return tuple(int(color[start : start + 2], 16) for start in (1, 3, 5))


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
        "colorway": [model_style(at, look).color for at in range(len(MODEL_STYLES))],
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
    off with `take_title`.
    """
    # In one call: each further one is checked again, and a page draws several figures.
    return go.Figure(
        layout={
            "template": template(look),
            "title": {"text": safe(words.title), "subtitle": {"text": safe(words.subtitle)}},
            "margin": {"t": TITLE_ROOM + (PLOT_TOP if words.y else PLOT_TOP_BARE)},
            "height": height + TITLE_ROOM,
            "xaxis": {"title": {"text": safe(words.x)}},
            "annotations": [_above_axis(words.y)] if words.y else [],
        }
    )


def _above_axis(words: str) -> dict[str, object]:
    return {
        "text": safe(words),
        "x": 0,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 8,
        "showarrow": False,
    }


def take_title(figure: go.Figure) -> tuple[str, str]:
    """Take title and subtitle off a figure, with their room; return them as escaped text."""
    layout = figure.layout
    title, subtitle = layout.title.text or "", layout.title.subtitle.text or ""
    layout.title.text = layout.title.subtitle.text = ""
    layout.margin.t -= TITLE_ROOM
    layout.height -= TITLE_ROOM
    return title, subtitle


SLIDE_HEIGHT, SLIDE_TYPE = 500, 18
"""Of a figure that has a screen of 1280 x 720 to itself, below a headline and its own title."""


def enlarged(figure: go.Figure) -> go.Figure:
    """Return a figure without a title as large as a slide: its type is never below 18 px.

    It has no height where all of it fits: then it takes what the screen leaves.
    """
    made = go.Figure(figure)
    factor = SLIDE_TYPE / 12
    room = made.layout.margin
    sides = (room.l or 40, room.r or 16, room.t or 40, room.b or 40)
    made.update_layout(
        font={"size": SLIDE_TYPE},
        legend={"font": {"size": SLIDE_TYPE}},
        hoverlabel={"font": {"size": SLIDE_TYPE}},
        margin=dict(zip("lrtb", (factor * side for side in sides), strict=True)),
        height=None if made.layout.height <= SLIDE_HEIGHT else made.layout.height,
    )
    for axis in (*made.select_xaxes(), *made.select_yaxes()):
        axis.tickfont.size = axis.title.font.size = SLIDE_TYPE
    for note in made.layout.annotations:
        note.font.size = max(SLIDE_TYPE, factor * (note.font.size or 12))
    for trace in made.data:
        if "textfont" in trace:
            trace.textfont.size = max(SLIDE_TYPE, factor * (trace.textfont.size or 12))
        if trace.type == "heatmap" and trace.text is not None:
            trace.text = [[_grown(str(cell)) for cell in row] for row in trace.text]
    return made


def _grown(text: str) -> str:
    """Return the text of a cell with each size in it a slide's."""
    sizes = re.compile(r"(?<=font-size:)\s*(\d+)(?=px)")
    return sizes.sub(lambda size: f"{max(SLIDE_TYPE, int(size[1]))}", text)


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


POINTS_IN_ALL = 1800
"""Vertices that the curves of one figure share, so that its JSON stays under 64 KB."""

CURVES_AT_MOST = 20
"""More curves than this in one figure cannot be told apart."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """Whose results are drawn, and in which words.

    Attributes:
        names: Models (or classes) in the file's order, which decides their colours.
        chosen: The one in front.
        called: How a sentence names it; its name if that is left out.
        positive: The class that is looked for, as it stands in a sentence.
        negative: The other one.
        threshold: Where the operating point is marked; None for nowhere.
        look: Light or dark.
        alike: How all are drawn, where they are parts of one model; None for each its own way.
    """

    names: tuple[str, ...]
    chosen: str | None = None
    called: str | None = None
    positive: str = "positive"
    negative: str = "negative"
    threshold: float | None = None
    look: Look = LIGHT
    alike: ModelStyle | None = None

    @property
    def who(self) -> str:
        """The one in front, as it stands in a sentence."""
        return self.called or self.chosen or ""

    @property
    def axis_positive(self) -> str:
        """The class that is looked for, short enough for an axis."""
        return abbreviate(self.positive, 14)

    @property
    def axis_negative(self) -> str:
        """The other class, short enough for an axis."""
        return abbreviate(self.negative, 14)

    def style(self, name: str) -> ModelStyle:
        """Return how this model is drawn wherever it appears."""
        return self.alike or model_style(self.names.index(name), self.look)

    def width(self, name: str) -> float:
        """Return the width of this model's line, in pixels."""
        if self.alike:
            return 1
        return 2.5 if name == self.chosen else 1.5

    def drawn(self, available: Sequence[str]) -> list[str]:
        """Return who is drawn, the chosen one last so that it lies on top."""
        others = [name for name in available if name != self.chosen]
        front = [self.chosen] if self.chosen in available else []
        return others[: CURVES_AT_MOST - len(front)] + [name for name in front if name]

    def vertices(self, curves: int) -> int:
        """Return how many vertices each curve may have."""
        return max(8, min(400, POINTS_IN_ALL // max(1, curves)))
