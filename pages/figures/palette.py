"""The colours of every figure: those of both modes, those of each model, and mixtures of them."""

from collections.abc import Sequence
from dataclasses import dataclass

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


def model_style(position: int) -> ModelStyle:
    """Return the style of the model at this position in the file, 0 being the first."""
    style = MODEL_STYLES[position % len(MODEL_STYLES)]
    turns = position // len(MODEL_STYLES)
    dash = _DASHES[(_DASHES.index(style.dash) + turns) % len(_DASHES)]
    return ModelStyle(style.color, dash, style.symbol)


def model_styles(names: Sequence[str]) -> dict[str, ModelStyle]:
    """Return the style of every model, in the file's order."""
    return {name: model_style(position) for position, name in enumerate(names)}


def tint(color: str, base: str, strength: float) -> str:
    """Return `base` with a share `strength` of `color` mixed in, as #RRGGBB."""
    mixed = (
        round(b + (c - b) * strength)
        for c, b in zip(_channels(color), _channels(base), strict=True)
    )
    return "#" + "".join(f"{channel:02X}" for channel in mixed)


def _channels(color: str) -> tuple[int, ...]:
    return tuple(int(color[start : start + 2], 16) for start in (1, 3, 5))
