"""The Python that draws the figures of lessons, which train models on rows of their own."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from evalcore.plan import Plan
from evalview.lab.training import SAMPLES, Learner

_LESSON = """\
lesson = training.lesson(training.SAMPLES[ROWS](), np.random.default_rng(SEED))
"""
_SPLITS = """\
splits = training.divided(lesson.rows, SCHEME, Plan(folds=FOLDS, seed=SEED))
"""
_GROWTH = """\
for name, errors in (("on these rows", made.train), ("on other rows", made.test)):
    figure.add_scatter(x=made.at, y=errors.mean(axis=0), name=name)
"""
_LAB = "from evalview.lab import training"
_LEARNER = "from evalview.lab.training import Learner"
_PLAN = "from evalview.lab.splits import Plan"


@dataclass(frozen=True)
class Drawing:
    """How a figure is drawn with evalcore and plotly.

    Attributes:
        needs: The lines that import what it needs.
        lines: The lines that add to `figure`; words in capitals stand for what is looked at.
        x: The horizontal axis.
        y: The vertical axis.
    """

    needs: tuple[str, ...]
    lines: str
    x: str = ""
    y: str = ""


LESSONS: Mapping[str, Drawing] = MappingProxyType(
    {
        "roles": Drawing(
            (_LAB, _PLAN),
            _LESSON + _SPLITS + "figure.add_heatmap(z=splits.role.T)  # 0 tests, 1 trains\n",
            "round",
            "row",
        ),
        "shares": Drawing(
            (_LAB, f"{_PLAN}, TEST"),
            _LESSON
            + _SPLITS
            + """\
tests = splits.role == TEST
for code, name in enumerate(lesson.rows.classes):
    share = (tests & (lesson.rows.truth == code)).sum(axis=1) / tests.sum(axis=1)
    figure.add_box(x=share, name=name, boxpoints="all")
""",
            "share of the test rows",
        ),
        "schemes": Drawing(
            (_LAB, _LEARNER, _PLAN),
            _LESSON
            + """\
for scheme in training.fitting(lesson.rows, FOLDS):
    splits = training.divided(lesson.rows, scheme, Plan(folds=FOLDS, seed=SEED))
    made = training.run(lesson.rows, LEARNER, splits)
    figure.add_scatter(x=made.tested, y=[scheme] * len(made.tested), mode="markers", name=scheme)
    figure.add_scatter(x=[made.error], y=[scheme], marker_symbol="diamond", name=scheme)
""",
            "error",
        ),
        "learning-curve": Drawing(
            ("from evalview.lab import growth, training", _LEARNER),
            _LESSON
            + "made = growth.learning_curve(lesson, LEARNER, np.random.default_rng(SEED))\n"
            + _GROWTH,
            "rows to train on",
            "error",
        ),
        "validation-curve": Drawing(
            ("from evalview.lab import growth, training", _LEARNER),
            _LESSON
            + "made = growth.validation_curve(lesson, LEARNER, range(1, 16), seed=SEED)\n"
            + _GROWTH,
            "dial of the model",
            "error",
        ),
        "rare": Drawing(
            ("from evalview.lab.growth import repeated", _LEARNER),
            """\
for way, made in repeated(LEARNER, np.random.default_rng(SEED)).items():
    hope = [one.folds.auc - one.aside.auc for one in made]
    figure.add_box(x=hope, name=way, boxpoints="all")
""",
            "ROC AUC in folds - on other rows",
        ),
        "unit-circle": Drawing(
            (),
            """\
angle = np.linspace(0, 2 * np.pi, 721)
direction = np.array([np.cos(angle), np.sin(angle)])
x, y = direction / np.linalg.norm(direction, ORDER, axis=0)
figure.add_scatter(x=x, y=y)
figure.update_yaxes(scaleanchor="x")
""",
            "first feature",
            "second feature",
        ),
        "planned": Drawing(
            ("from evalcore.plan import Expected, plan",),
            """\
expected = EXPECTED
at = np.geomspace(50, 100_000, 60).round()
made = [plan(expected, rows=rows) for rows in at]
figure.add_scatter(x=at, y=[one.smallest_difference for one in made], name="difference")
figure.add_scatter(x=at, y=[one.high - one.low for one in made], name="width")
figure.update_xaxes(type="log")
""",
            "rows",
            "difference or width",
        ),
    }
)
"""By the key of the figure."""


@dataclass(frozen=True)
class Taught:
    """What a lesson shows.

    Attributes:
        rows: Key of the rows in `SAMPLES`; others have no code.
        seed: Of every random choice.
        learner: The model.
        scheme: The way of splitting.
        folds: The number of folds.
        order: The order of the distance.
        plan: What was planned.
    """

    rows: str = ""
    seed: int = 0
    learner: Learner = field(default_factory=Learner)
    scheme: str = "k-fold"
    folds: int = 10
    order: float = 2.0
    plan: Plan | None = None


def lesson_code(key: str, taught: Taught) -> str:
    """Return the Python that draws a figure; "" where its rows are those of a file."""
    drawing = LESSONS[key]
    if "ROWS" in drawing.lines and taught.rows not in SAMPLES:
        return ""
    if "EXPECTED" in drawing.lines and taught.plan is None:
        return ""
    learner, order = taught.learner, "np.inf" if taught.order == float("inf") else taught.order
    said = {
        "ROWS": repr(taught.rows),
        "SEED": str(taught.seed),
        "LEARNER": f"Learner({learner.kind!r}, {learner.dial})",
        "SCHEME": repr(taught.scheme),
        "FOLDS": str(taught.folds),
        "ORDER": str(order),
        "EXPECTED": "" if taught.plan is None else repr(taught.plan.expected),
    }
    lines = re.sub(rf"\b({'|'.join(said)})\b", lambda word: said[word[0]], drawing.lines)
    shown = [
        "import numpy as np",
        "import plotly.graph_objects as go",
        "",
        *drawing.needs,
        "",
        "figure = go.Figure()",
        *lines.splitlines(),
        f"figure.update_layout(xaxis_title={drawing.x!r}, yaxis_title={drawing.y!r})",
        "figure.show()",
    ]
    return "\n".join(shown) + "\n"
