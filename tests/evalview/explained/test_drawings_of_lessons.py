"""The code of each figure of a lesson runs as it stands, and draws what the lesson shows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from evalcore.plan import Expected, plan
from evalview.explained.drawings_of_lessons import LESSONS, Taught, lesson_code
from evalview.lab import growth, training
from evalview.lab.growth import repeated
from evalview.lab.splits import Plan
from evalview.lab.training import Learner

PLANNED = plan(Expected("accuracy", 0.8), rows=100)
TAUGHT = Taught("flowers", 3, Learner("linear", 1), "stratified k-fold", 5, np.inf, PLANNED)
Drawn = Callable[..., go.Figure]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    def run(key: str, taught: Taught = TAUGHT) -> go.Figure:
        shown: list[go.Figure] = []
        monkeypatch.setattr(go.Figure, "show", lambda figure: shown.append(figure))
        made: dict[str, Any] = {}
        exec(lesson_code(key, taught), made)
        [figure] = shown
        return figure

    return run


@pytest.fixture(scope="module")
def lesson() -> training.Lesson:
    return training.lesson(training.SAMPLES["flowers"](), np.random.default_rng(3))


def test_every_figure_of_a_lesson_has_code_that_is_tried_here() -> None:
    tried = {"roles", "shares", "schemes", "learning-curve", "validation-curve", "rare"}
    assert set(LESSONS) == tried | {"unit-circle", "planned"}


def test_the_roles_are_those_of_the_scheme(drawn: Drawn, lesson: training.Lesson) -> None:
    splits = training.divided(lesson.rows, "stratified k-fold", Plan(folds=5, seed=3))
    assert np.array_equal(drawn("roles").data[0].z, splits.role.T)


def test_the_shares_of_the_classes_add_up_in_every_round(drawn: Drawn) -> None:
    shares = np.array([trace.x for trace in drawn("shares").data])
    assert shares.shape == (3, 5)
    assert np.allclose(shares.sum(axis=0), 1)


def test_each_scheme_is_drawn_with_its_estimate(drawn: Drawn, lesson: training.Lesson) -> None:
    traces = drawn("schemes").data
    names = training.fitting(lesson.rows, 5)
    assert [trace.name for trace in traces[::2]] == list(names)
    splits = training.divided(lesson.rows, "k-fold", Plan(folds=5, seed=3))
    made = training.run(lesson.rows, TAUGHT.learner, splits)
    place = 2 * names.index("k-fold")
    assert np.array_equal(traces[place].x, made.tested)
    assert list(traces[place + 1].x) == [made.error]


def test_the_curves_are_those_of_the_lesson(drawn: Drawn, lesson: training.Lesson) -> None:
    tree = replace(TAUGHT, learner=Learner("decision tree", 2))
    by_rows = growth.learning_curve(lesson, tree.learner, np.random.default_rng(3))
    by_dial = growth.validation_curve(lesson, tree.learner, range(1, 16), seed=3)
    for key, made in (("learning-curve", by_rows), ("validation-curve", by_dial)):
        train, test = drawn(key, tree).data
        assert np.array_equal(train.y, made.train.mean(axis=0))
        assert np.array_equal(test.y, made.test.mean(axis=0))


def test_the_rare_class_is_drawn_way_by_way(drawn: Drawn) -> None:
    bayes = replace(TAUGHT, learner=Learner("naive Bayes", 1))
    made = repeated(bayes.learner, np.random.default_rng(3))
    for trace, (way, found) in zip(drawn("rare", bayes).data, made.items(), strict=True):
        assert trace.name == way
        assert list(trace.x) == [one.folds.auc - one.aside.auc for one in found]


@pytest.mark.parametrize("order", [1.0, 1.5, np.inf])
def test_the_circle_is_as_far_from_the_middle_all_round(drawn: Drawn, order: float) -> None:
    [trace] = drawn("unit-circle", replace(TAUGHT, order=order)).data
    assert np.allclose(np.linalg.norm([trace.x, trace.y], order, axis=0), 1)


def test_rows_of_a_file_have_no_code() -> None:
    for key in LESSONS:
        assert bool(lesson_code(key, replace(TAUGHT, rows="0f3a"))) is (
            key in ("rare", "unit-circle", "planned")
        )


def test_what_rows_show_is_drawn_as_it_was_planned(drawn: Drawn) -> None:
    made = plan(Expected("roc_auc", 0.8, share=0.2, models=5), rows=500)
    difference, width = drawn("planned", replace(TAUGHT, plan=made)).data
    last = plan(made.expected, rows=100_000)
    assert difference.y[-1] == last.smallest_difference
    assert width.y[-1] == (last.high or 0) - (last.low or 0)
