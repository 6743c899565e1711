"""Which rows train and which test, round by round, beside the class or group of each row."""

import numpy as np
import plotly.graph_objects as go

from evalcore.lab.material import Material
from evalcore.outcomes import Codes
from evalcore.resampling.splits import TEST, Splits
from pages.escape import plotly as safe
from pages.escape import shorten
from pages.figures import palette, theme, words
from pages.figures.scene import Scene

ROWS_AT_MOST, ROUNDS_AT_MOST = 60, 20
"""More than this cannot be told apart."""

ROLES = ("trains", "trains more than once", "tests")


def draw(scene: Scene, material: Material, splits: Splits) -> go.Figure:
    """Draw a row of the file as a line and a round as a column; `scene` names the classes."""
    rows, role = _rows(material.n), splits.role[:ROUNDS_AT_MOST]
    says = theme.Words(title=title(material, splits), subtitle=_subtitle(material, splits))
    figure = theme.canvas(says, scene.look, height=420)
    seen = np.where(role == TEST, 2, np.minimum(role, 2) - 1)[:, rows].T
    colors = _colors(scene)
    figure.add_heatmap(
        x=np.arange(1, len(role) + 1),
        z=seen,
        zmin=0,
        zmax=2,
        colorscale=_steps(colors),
        showscale=False,
        xgap=2,
        ygap=1,
        text=np.array(ROLES)[seen],
        hovertemplate="Round %{x}: this row %{text}<extra></extra>",
    )
    _add_stripe(figure, scene, material, rows)
    used = [place for place in range(3) if (seen == place).any()]
    for place in used:
        _add_key(figure, ROLES[place], colors[place])
    figure.update_xaxes(title={"text": "round"}, nticks=6, range=[-1.6, len(role) + 0.6])
    figure.update_xaxes(tickvals=[1, *range(5, len(role) + 1, 5)])
    figure.update_yaxes(visible=False, autorange="reversed")
    return figure


def title(material: Material, splits: Splits) -> str:
    """Return what the rounds do with the rows, in words."""
    times = splits.tested
    rounds = words.counted(len(splits.role), "round")
    if (times == 1).all():
        return f"Each row tests once in {rounds}"
    never = int((times == 0).sum())
    if len(splits.role) == 1:
        return f"{words.counted(material.n - never, 'row')} test, {never:,} train"
    return f"In {rounds} a row tests {int(times.min()):,} to {int(times.max()):,} times"


def alt(material: Material, splits: Splits) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    sizes = (splits.role == TEST).sum(axis=1)
    return (
        f"Roles of {words.counted(material.n, 'row')}. {title(material, splits)}; "
        f"{int(sizes.min()):,} to {int(sizes.max()):,} rows test in a round."
    )


def _subtitle(material: Material, splits: Splits) -> str:
    stripe = "group" if material.group is not None else "class"
    left = f"; the stripe is the {stripe} of a row" if _stripes(material) else ""
    drawn = f"{min(material.n, ROWS_AT_MOST):,} of {material.n:,} rows"
    rounds = len(splits.role)
    return f"{drawn}, {min(rounds, ROUNDS_AT_MOST):,} of {rounds:,} rounds drawn{left}"


def _rows(n: int) -> Codes:
    return np.unique(np.linspace(0, n - 1, min(n, ROWS_AT_MOST)).round().astype(np.int64))


def _stripes(material: Material) -> bool:
    return bool(material.classes) or material.group is not None


def _colors(scene: Scene) -> tuple[str, str, str]:
    look = scene.look
    light = palette.tint(look.correct, look.card, 0.3)
    return light, palette.tint(look.correct, look.card, 0.75), look.positive


def _steps(colors: tuple[str, ...]) -> list[list[object]]:
    n = len(colors)
    return [[(k + side) / n, color] for k, color in enumerate(colors) for side in (0, 1)]


def _add_stripe(figure: go.Figure, scene: Scene, material: Material, rows: Codes) -> None:
    """Add a narrow column: groups in two shades by turns, or classes in colours of their own."""
    if material.group is not None:
        shades = (scene.look.secondary, scene.look.line)
        _, codes = np.unique(material.group[rows], return_inverse=True)
        codes, says = codes % 2, [f"group {code + 1}" for code in codes]
    elif material.classes:
        names = [safe(shorten(name, 30)) for name in material.classes]
        shades = tuple(palette.model_style(place + 2).color for place in range(len(names)))
        codes = material.truth[rows].astype(np.int64)
        says = [names[code] for code in codes]
        for name, color in list(zip(names, shades, strict=True))[:6]:
            _add_key(figure, name, color)
    else:
        return
    figure.add_heatmap(
        x=[-0.7],
        z=codes[:, np.newaxis],
        text=np.array(says)[:, np.newaxis],
        zmin=0,
        zmax=len(shades) - 1,
        colorscale=_steps(shades),
        showscale=False,
        ygap=1,
        hovertemplate="%{text}<extra></extra>",
    )


def _add_key(figure: go.Figure, name: str, color: str) -> None:
    figure.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"symbol": "square", "size": 11, "color": color},
        name=name,
    )
