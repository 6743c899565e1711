"""Figures of lessons: errors by rows and complexity, rounds of splits, unit circles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.outcomes import Codes, Floats
from evalcore.plan import Plan
from evalview import escape, text
from evalview.figures import theme
from evalview.figures.lines import light
from evalview.lab import growth, steps, training
from evalview.lab.splits import TEST, Splits

OTHER, SAME = "other rows", "training rows"


def draw_growth(
    scene: theme.Scene, says: theme.Words, made: growth.Growth, *, band: str
) -> go.Figure:
    """Draw mean errors; `band` says what lies round them: the middle 90% of rounds."""
    told = theme.Words(says.title, f"{says.subtitle}; {band}", says.x, says.y)
    figure = theme.canvas(told, scene.look)
    for name, values, color in (
        (OTHER, made.test, scene.look.positive),
        (SAME, made.train, scene.look.correct),
    ):
        _add_band(figure, made.at, values, color)
        figure.add_scatter(
            x=made.at,
            y=values.mean(axis=0),
            mode="lines+markers",
            line={"color": color, "width": 2},
            name=name,
            hovertemplate=f"{name}: %{{y:.4~g}} at %{{x}}<extra></extra>",
        )
    room = 0.04 * float(made.at[-1] - made.at[0])
    figure.update_xaxes(range=[float(made.at[0]) - room, float(made.at[-1]) + room])
    figure.update_yaxes(nticks=6, rangemode="tozero")
    return figure


def growth_alt(says: theme.Words, made: growth.Growth) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    test, train = made.test.mean(axis=0), made.train.mean(axis=0)
    first, last = (f"{made.at[place]:g}" for place in (0, -1))
    return (
        f"{says.title}. {says.y} from {says.x} {first} to {last}: on other rows "
        f"{text.number(float(test[0]))} to {text.number(float(test[-1]))}, on training rows "
        f"{text.number(float(train[0]))} to {text.number(float(train[-1]))}."
    )


def _add_band(figure: go.Figure, at: Floats, values: Floats, color: str) -> None:
    low, high = np.quantile(values, (0.05, 0.95), axis=0)
    figure.add_scatter(
        x=np.concatenate([at, at[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        line={"width": 0},
        name="middle 90% of rounds",
        fill="toself",
        fillcolor=color,
        opacity=0.15,
        hoverinfo="skip",
        showlegend=False,
    )


DOTS_AT_MOST = 120


def _has_dots(value: Floats) -> bool:
    """Return whether dots say something: rounds with one row each are right or wrong."""
    return len(np.unique(value)) > 2 or len(value) <= 20


@dataclass(frozen=True, eq=False)
class Rounds:
    """The rounds of one scheme.

    Attributes:
        value: (S,) what each round gives; NaN where nothing.
        middle: The estimate.
        low: Lower end of its interval; NaN for none.
        high: Upper end.
    """

    value: Floats
    middle: float
    low: float = np.nan
    high: float = np.nan


def draw_rounds(
    scene: theme.Scene,
    says: theme.Words,
    made: Mapping[str, Rounds],
    known: Mapping[str, float],
    *,
    height: int | None = None,
) -> go.Figure:
    """Draw a line of dots per scheme, and an upright line for each number known from elsewhere.

    Names are plain text.
    """
    drawn = {name: one for name, one in made.items() if np.isfinite(one.middle)}
    if not drawn:
        return theme.nothing_to_draw(says, scene.look, "No round has a value.")
    figure = theme.canvas(says, scene.look, height=height or 130 + 42 * len(drawn))
    for row, (name, one) in enumerate(drawn.items()):
        _add_rounds(figure, scene, escape.plotly(name), one, row)
    lines = zip(known.items(), (scene.look.positive, scene.look.secondary), strict=False)
    for (name, value), color in lines:
        if np.isfinite(value):
            _add_known(figure, name, value, color, len(drawn))
    figure.update_yaxes(
        tickvals=list(range(len(drawn))),
        ticktext=[escape.plotly(name) for name in drawn],
        showgrid=False,
        range=[len(drawn) - 0.5, -0.5],
    )
    figure.update_xaxes(showgrid=True, nticks=6)
    return figure


def rounds_legend(made: Mapping[str, Rounds]) -> str:
    """Return what a dot of `draw_rounds` is; "" where there is none."""
    bare = [name for name, one in made.items() if not _has_dots(one.value[np.isfinite(one.value)])]
    if not bare:
        return "A dot is a round. "
    return f"A dot is a round ({' and '.join(bare)}: none drawn). " if len(bare) < len(made) else ""


def rounds_alt(says: theme.Words, made: Mapping[str, Rounds], known: Mapping[str, float]) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    listed = [f"{name} {text.number(one.middle)}" for name, one in made.items()]
    listed += [f"{name} {text.number(value)}" for name, value in known.items()]
    return f"{says.title}. {says.x}: {'; '.join(listed)}."


def _add_rounds(figure: go.Figure, scene: theme.Scene, name: str, one: Rounds, row: int) -> None:
    color, value = scene.look.correct, one.value[np.isfinite(one.value)]
    if _has_dots(value):
        spread = row + 0.5 * (np.arange(len(value)) * 0.618034 % 1 - 0.5)
        figure.add_scatter(
            x=light(value[:DOTS_AT_MOST]),
            y=light(spread[:DOTS_AT_MOST]),
            mode="markers",
            name=f"{name}, rounds",
            marker={"color": color, "size": 6, "opacity": 0.7},
            hovertemplate=f"{name}, a round: %{{x:.4~g}}<extra></extra>",
            showlegend=False,
        )
    if np.isfinite(one.low) and np.isfinite(one.high):
        figure.add_scatter(
            x=[one.low, one.high],
            y=[row, row],
            mode="lines",
            name=f"{name}, interval",
            line={"color": color, "width": 3},
            hoverinfo="skip",
            showlegend=False,
        )
    figure.add_scatter(
        x=[one.middle],
        y=[row],
        mode="markers",
        name=name,
        marker={"color": scene.look.text, "size": 11, "symbol": "diamond"},
        hovertemplate=f"<b>{name}</b>: %{{x:.4~g}}<extra></extra>",
        showlegend=False,
    )


def _add_known(figure: go.Figure, name: str, value: float, color: str, rows: int) -> None:
    figure.add_scatter(
        x=[value, value],
        y=[-0.5, rows - 0.5],
        mode="lines",
        line={"color": color, "width": 2, "dash": "dash"},
        name=name,
        hovertemplate=f"{name}: %{{x:.4~g}}<extra></extra>",
    )


ROWS_AT_MOST, ROUNDS_AT_MOST = 60, 20
"""More than this cannot be told apart."""

ROLES = ("trains", "trains more than once", "tests")


def draw_split_roles(scene: theme.Scene, material: training.Material, splits: Splits) -> go.Figure:
    """Draw a row of the file as a line and a round as a column; `scene` names the classes."""
    rows, role = _rows(splits), splits.role[:ROUNDS_AT_MOST]
    says = theme.Words(
        title=split_roles_title(material, splits), subtitle=_subtitle(material, splits)
    )
    figure = theme.canvas(says, scene.look, height=370)
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


def split_roles_title(material: training.Material, splits: Splits) -> str:
    """Return what the rounds do with the rows, in words."""
    times = splits.tested
    rounds = text.counted(len(splits.role), "round")
    if (times == 1).all():
        return f"Each row is tested once in {rounds}"
    never = int((times == 0).sum())
    if len(splits.role) == 1:
        return f"{text.counted(material.n - never, 'row')} test, {never:,} train"
    return f"In {rounds} a row tests {int(times.min()):,} to {int(times.max()):,} times"


def split_roles_alt(material: training.Material, splits: Splits) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    sizes = (splits.role == TEST).sum(axis=1)
    return (
        f"Roles of {text.counted(material.n, 'row')}. {split_roles_title(material, splits)}; "
        f"{int(sizes.min()):,} to {int(sizes.max()):,} rows test in a round."
    )


def _subtitle(material: training.Material, splits: Splits) -> str:
    stripe = "group" if material.group is not None else "class"
    left = f"; the stripe is the {stripe} of a row" if _stripes(material) else ""
    drawn = f"{len(_rows(splits)):,} of {material.n:,} rows"
    rounds = len(splits.role)
    return f"{drawn}, {min(rounds, ROUNDS_AT_MOST):,} of {rounds:,} rounds drawn{left}"


def _rows(splits: Splits) -> Codes:
    """Return rows spread over the file, among them one that tests in each round drawn."""
    tests = splits.role[:ROUNDS_AT_MOST] == TEST
    n = tests.shape[1]
    spread = np.linspace(0, n - 1, min(n, ROWS_AT_MOST)).round().astype(np.int64)
    lacking = tests[tests.any(axis=1) & ~tests[:, spread].any(axis=1)]
    return np.union1d(spread, lacking.argmax(axis=1))


def _stripes(material: training.Material) -> bool:
    return bool(material.classes) or material.group is not None


def _colors(scene: theme.Scene) -> tuple[str, str, str]:
    look = scene.look
    light = theme.tint(look.correct, look.card, 0.3)
    return light, theme.tint(look.correct, look.card, 0.75), look.positive


def _steps(colors: tuple[str, ...]) -> list[list[object]]:
    n = len(colors)
    return [[(k + side) / n, color] for k, color in enumerate(colors) for side in (0, 1)]


def _add_stripe(
    figure: go.Figure, scene: theme.Scene, material: training.Material, rows: Codes
) -> None:
    """Add a narrow column: groups in two shades by turns, or classes in colours of their own."""
    if material.group is not None:
        shades = (scene.look.secondary, scene.look.line)
        _, codes = np.unique(material.group[rows], return_inverse=True)
        codes, says = codes % 2, [f"group {code + 1}" for code in codes]
    elif material.classes:
        names = [escape.plotly(text.abbreviate(name, 30)) for name in material.classes]
        shades = tuple(theme.model_style(place + 2).color for place in range(len(names)))
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


NAMED = {1.0: "Manhattan", 2.0: "Euclidean", np.inf: "Chebyshev"}
DASHES = ("dot", "dash", "dashdot")


def draw_unit_circle(scene: theme.Scene, order: float) -> go.Figure:
    """Draw the circle of an order on those of the named distances."""
    says = theme.Words(
        title=unit_circle_title(order),
        subtitle="In a plane of two features, from the middle",
        x="first feature",
        y="second feature",
    )
    figure = theme.canvas(says, scene.look, height=390)
    for (known, name), dash in zip(NAMED.items(), DASHES, strict=True):
        _add(figure, known, name, {"color": scene.look.secondary, "width": 1.5, "dash": dash})
    _add(figure, order, written(order), {"color": scene.look.positive, "width": 3})
    figure.update_xaxes(range=[-1.15, 1.15], tickvals=[-1, 0, 1])
    figure.update_yaxes(range=[-1.15, 1.15], tickvals=[-1, 0, 1], scaleanchor="x")
    return figure


def unit_circle_title(order: float) -> str:
    """Return what the picture shows, in words."""
    shapes = {1.0: "a square on its corner", 2.0: "a circle", np.inf: "a square"}
    shape = shapes.get(order, "between circle and square" if order > 2 else "a rounded diamond")
    return f"At distance 1 by {written(order)}: {shape}"


def unit_circle_alt(order: float) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    return f"{unit_circle_title(order)}. For comparison Manhattan, Euclidean and Chebyshev."


def written(order: float) -> str:
    """Return the order as it is written."""
    return "p = ∞" if np.isinf(order) else f"p = {order:g}"


def _add(figure: go.Figure, order: float, name: str, line: dict[str, object]) -> None:
    around = steps.unit_circle(order)
    figure.add_scatter(
        x=around[:, 0], y=around[:, 1], mode="lines", line=line, name=name, hoverinfo="name"
    )


PLANNED = "Four times as many rows halve the smallest difference shown"
"""What the picture of a plan shows, in words."""


def draw_planned(scene: theme.Scene, made: Plan, by_rows: Sequence[Plan]) -> go.Figure:
    """Draw the smallest difference that is shown, and the width of an interval, by the rows.

    `by_rows` are plans for rising numbers of rows; those of `made` are marked.
    """
    says = theme.Words(
        title=PLANNED,
        subtitle="Both axes in powers of ten; the dotted line marks the rows asked about",
        x="rows",
        y="difference or width",
    )
    figure = theme.canvas(says, scene.look)
    at = [one.rows or 0.0 for one in by_rows]
    lines = {
        "smallest difference shown": [one.smallest_difference for one in by_rows],
        "width of the interval": [(one.high or 0.0) - (one.low or 0.0) for one in by_rows],
    }
    colors = (scene.look.positive, scene.look.correct)
    for (name, values), color in zip(lines.items(), colors, strict=True):
        line = {"color": color, "width": 2}
        hover = f"{name}: %{{y:.3~g}} with %{{x:,}} rows<extra></extra>"
        figure.add_scatter(x=at, y=values, mode="lines", line=line, name=name, hovertemplate=hover)
    if made.rows is not None:
        figure.add_vline(
            x=made.rows, line={"color": scene.look.secondary, "width": 1, "dash": "dot"}
        )
    figure.update_xaxes(type="log", range=[np.log10(at[0]), np.log10(at[-1])], dtick=1)
    ticks = [step * 10.0**power for power in range(-9, 9) for step in (1, 2, 5)]
    figure.update_yaxes(type="log", tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    return figure


def planned_alt(made: Plan) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    least = made.smallest_difference
    shown = "none" if least is None else text.number(least)
    return (
        f"{PLANNED}. Both lines fall with the number of rows; with {made.rows or 0:,g} "
        f"rows the smallest difference shown is {shown}."
    )


POOLED_BARS = 20
"""Bars of pooled numbers: each a twentieth of what may be answered."""


@dataclass(frozen=True)
class Pooled:
    """What the readers of a class answered.

    Attributes:
        question: What was asked.
        answers: (n,) numbers, or places among the choices.
        choices: Answers to pick from; () where numbers were asked for.
        ends: The least and the largest number.
    """

    question: str
    answers: Floats
    choices: tuple[str, ...] = ()
    ends: tuple[float, float] = (0.0, 1.0)

    @property
    def count(self) -> Codes:
        """How many readers gave each answer; of numbers, those in each bar."""
        if self.choices:
            return np.bincount(self.answers.astype(np.int64), minlength=len(self.choices))
        return np.histogram(self.answers, POOLED_BARS, self.ends)[0]


def draw_pooled(scene: theme.Scene, made: Pooled) -> go.Figure:
    """Draw how many readers of a class gave each answer; numbers in bars of equal width."""
    says = theme.Words(title=pooled_title(made), y="readers")
    figure, count = theme.canvas(says, scene.look, height=340), made.count
    low, high = (-0.5, len(count) - 0.5) if made.choices else made.ends
    width = (high - low) / len(count)
    figure.add_bar(
        x=low + width * (np.arange(len(count)) + 0.5),
        y=count.astype(np.float64),
        width=width * (0.8 if made.choices else 0.96),
        marker_color=scene.look.correct,
        hovertemplate="%{y:,} readers<extra></extra>",
    )
    if made.choices:
        names = [escape.plotly(text.abbreviate(name, 40)) for name in made.choices]
        figure.update_xaxes(tickvals=list(range(len(names))), ticktext=names)
    figure.update_xaxes(range=[low, high])
    figure.update_yaxes(range=[0, max(int(count.max()), 4) * 1.1])
    figure.update_layout(showlegend=False)
    return figure


def pooled_title(made: Pooled) -> str:
    """Return how many have answered, and what most of them, or half of them, said."""
    if not len(made.answers):
        return "No answer yet"
    number = text.counted(len(made.answers), "answer")
    if made.choices:
        most = text.abbreviate(made.choices[int(made.count.argmax())], 30)
        return f"{number}; most often: {most} ({int(made.count.max())})"
    return f"{number}; half of them up to {float(np.median(made.answers)):.3g}"


def pooled_alt(made: Pooled) -> str:
    """Return the picture in a sentence for those who cannot see it."""
    if not made.choices:
        return f"Answers to: {made.question} {pooled_title(made)}."
    told = zip(made.choices, made.count, strict=True)
    return f"Answers to: {made.question} {'; '.join(f'{name}: {n}' for name, n in told)}."
