from evalcore.metrics.decisions import RECALL
from evalcore.metrics.metric import Estimate
from evalcore.metrics.probability import BRIER
from evalview import figures
from evalview.figures.theme import Scene
from tests.evalview.figures.conftest import estimate

SCENE = Scene(names=("a", "b", "c"), chosen="a")


def test_each_model_is_a_dot_with_its_interval_under_the_one_before():
    figure = figures.draw_intervals(SCENE, RECALL, {"a": estimate(0.9), "c": estimate(0.7)})
    bar, dot, *_ = figure.data
    assert bar.x == (0.88, 0.92)
    assert dot.x == (0.9,)
    assert figure.layout.yaxis.ticktext == ("a", "c")
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]


def test_a_number_without_an_interval_is_a_dot_alone():
    assert len(figures.draw_intervals(SCENE, RECALL, {"a": Estimate(0.5)}).data) == 1


def test_the_title_says_which_side_is_better():
    assert "right" in figures.draw_intervals(SCENE, RECALL, {"a": estimate(0.5)}).layout.title.text
    assert "left" in figures.draw_intervals(SCENE, BRIER, {"a": estimate(0.5)}).layout.title.text


def test_what_is_undefined_is_left_out_and_nothing_at_all_says_why():
    nothing = Estimate(float("nan"), why="no row is positive")
    assert len(figures.draw_intervals(SCENE, RECALL, {"a": nothing, "b": estimate(0.5)}).data) == 2
    figure = figures.draw_intervals(SCENE, RECALL, {"a": nothing})
    assert "no row is positive" in figure.layout.annotations[0].text
