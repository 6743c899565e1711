import numpy as np
import pytest

import evalcore as ec
from evalcore.tables.scores import ScoreTable
from evalview import ASSETS, figures
from evalview.figures.theme import Scene

TABLE = ScoreTable.from_scores(np.array([0, 0, 0, 0, 1]), np.array([0.1, 0.1, 0.1, 0.1, 0.9]))
SCENE = Scene(names=("a",), chosen="a", positive="fraud", negative="honest", threshold=0.5)


def test_bars_are_as_high_as_the_root_of_their_rows_and_say_the_rows():
    negative, positive = figures.draw_scores(SCENE, TABLE).data
    assert (negative.name, positive.name) == ("honest", "fraud")
    assert negative.y.max() == 2
    assert negative.customdata[:, 2].max() == 4
    assert positive.customdata[:, 2].sum() == 1


def test_the_axis_names_rows_not_their_roots():
    axis = figures.draw_scores(SCENE, TABLE).layout.yaxis
    rows = [float(text) for text in axis.ticktext]
    assert [value**2 for value in axis.tickvals] == pytest.approx(rows)
    assert rows == [0, 1, 2]


def test_the_threshold_is_a_line():
    (line,) = figures.draw_scores(SCENE, TABLE).layout.shapes
    assert line.x0 == line.x1 == 0.5


def test_the_title_counts_what_is_found():
    assert figures.scores_title(SCENE, TABLE) == "At 0.5 and above: 1 of 1 row that are fraud"


def test_the_colour_of_the_class_that_is_looked_for_is_the_accent():
    negative, positive = figures.draw_scores(SCENE, TABLE).data
    assert positive.marker.color == SCENE.look.positive
    assert negative.marker.color == SCENE.look.negative


def test_a_notebook_draws_every_row_of_a_model_and_its_threshold():
    data = ec.read(ASSETS / "samples" / "breast_cancer.csv")
    drawn = figures.scores(data, threshold=0.25)
    assert sum(bars.customdata[:, 2].sum() for bars in drawn.data) == data.rows_used
    assert [line.x0 for line in drawn.layout.shapes] == [0.25]


def test_of_numbers_there_are_no_scores_to_draw():
    with pytest.raises(ec.EvalError, match="gives no scores"):
        figures.scores(ec.read(ASSETS / "samples" / "diabetes.csv"))
