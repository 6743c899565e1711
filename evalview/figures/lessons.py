"""Figures of what is tried out: rounds of splits, rows planned, answers of a class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from evalcore.outcomes import Codes, Floats
from evalcore.plan import Plan
from evalview import escape, text
from evalview.figures import theme
from evalview.figures.lines import light

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
    top = max(int(count.max()), 4)
    # Readers are counted: no tick stands at half of one.
    step = next(
        one * 10**power for power in range(9) for one in (1, 2, 5) if 5 * one * 10**power >= top
    )
    figure.update_yaxes(range=[0, top * 1.1], dtick=step)
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
