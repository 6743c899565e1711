import json

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.tables.confusion import ConfusionMatrix
from pages import figures
from pages.figures import confusion
from pages.figures.confusion import Shown
from pages.figures.theme import LIGHT

FRAUD = ConfusionMatrix(("honest", "fraud"), np.array([[2814, 570], [65, 551]]))


def many(classes, rows=20_000, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, rows)
    decision = np.where(rng.random(rows) < 0.7, truth, rng.integers(0, classes, rows))
    names = tuple(f"class {place}" for place in range(classes))
    return ConfusionMatrix.from_codes(truth, decision, names)


def draw(matrix, shown=Shown.COUNTS, picked=None):
    return figures.draw_confusion_matrix(LIGHT, confusion.arranged(matrix), shown, picked=picked)


def written(figure):
    return [list(row) for row in figure.data[0].text]


def test_two_classes_start_with_the_one_that_is_looked_for_and_say_what_each_cell_is():
    cells = written(draw(FRAUD))
    for cell, (number, word) in zip(
        [cell for row in cells for cell in row],
        [("551", "found"), ("65", "missed"), ("570", "false alarm"), ("2,814", "left alone")],
        strict=True,
    ):
        assert f"<b>{number}</b>" in cell
        assert word in cell


def test_shares_of_truth_add_up_along_rows_and_shares_of_decision_along_columns():
    assert "89.4&#37;" in written(draw(FRAUD, Shown.TRUTH))[0][0]
    assert "49.2&#37;" in written(draw(FRAUD, Shown.DECISION))[0][0]


def test_a_class_without_rows_has_no_share():
    matrix = ConfusionMatrix(("a", "b", "c"), np.array([[1, 0, 0], [0, 2, 0], [0, 0, 0]]))
    assert written(draw(matrix, Shown.TRUTH))[2] == ["·", "·", "·"]


def test_right_cells_are_blue_and_wrong_ones_red_the_more_the_stronger():
    z = draw(FRAUD).data[0].z.astype(int)
    middle = 127
    assert z[0, 0] > middle > z[0, 1]
    assert z[1, 1] > middle > z[1, 0]
    assert middle - z[1, 0] > middle - z[0, 1]


def test_an_empty_cell_has_no_colour_and_one_row_in_a_million_has_some():
    matrix = ConfusionMatrix(("a", "b", "c"), np.array([[10**6, 1, 0], [0, 5, 0], [0, 0, 5]]))
    z = draw(matrix).data[0].z
    assert z[0, 2] == 127
    assert z[0, 1] < 127


@pytest.mark.parametrize("classes", [2, 3, 10, 40])
def test_a_click_finds_the_cell_it_was_made_on(classes):
    matrix = many(classes)
    grid = confusion.arranged(matrix)
    points = draw(matrix).data[1]
    for x, y, rows in zip(points.x, points.y, points.customdata, strict=True):
        truth, called = grid.cell(x, y)
        assert matrix.counts[truth, called] == rows


@given(st.integers(2, 45), st.data())
def test_every_cell_has_a_place_and_every_place_a_cell(classes, data):
    grid = confusion.arranged(many(classes, 500))
    cell = tuple(data.draw(st.integers(0, classes - 1)) for _ in range(2))
    assert grid.cell(*grid.position(cell)) == cell


def test_up_to_twenty_classes_keep_the_order_of_the_file():
    assert confusion.arranged(many(20)).matrix.classes == many(20).classes


def test_more_classes_stand_beside_those_they_are_confused_with():
    counts = np.eye(30, dtype=int) * 50
    counts[3, 27] = counts[27, 3] = 20
    grid = confusion.arranged(ConfusionMatrix(tuple(map(str, range(30))), counts))
    assert abs(grid.place.index(3) - grid.place.index(27)) == 1


@pytest.mark.parametrize(("classes", "shown"), [(100, 100), (101, 100), (1000, 100)])
def test_what_does_not_fit_is_pooled_and_no_row_is_lost(classes, shown):
    counts = np.diag(np.arange(classes) + 1)
    counts[0, -1] = 7
    matrix = ConfusionMatrix(tuple(map(str, range(classes))), counts)
    grid = confusion.arranged(matrix)
    assert grid.size == shown
    assert grid.matrix.total == matrix.total
    if classes > shown:
        assert grid.matrix.classes[-1] == f"{classes - shown + 1} others"
        assert grid.cell(shown - 1, 0) is None


@pytest.mark.parametrize("shown", list(Shown))
@pytest.mark.parametrize("classes", [2, 12, 13, 60, 100, 300])
def test_a_million_rows_of_many_classes_stay_small(classes, shown):
    figure = draw(many(classes, 1_000_000), shown, picked=(0, 1))
    assert len(figure.to_json()) <= 64 * 1024


def test_the_picked_cell_is_outlined():
    (outline,) = draw(FRAUD, picked=(1, 0)).layout.shapes
    assert (round((outline.x0 + outline.x1) / 2), round((outline.y0 + outline.y1) / 2)) == (1, 0)


def test_a_picked_cell_among_the_others_is_not_outlined():
    figure = draw(many(300), picked=(299, 299))
    assert len(figure.layout.shapes) <= 1


def test_the_title_names_the_most_frequent_error_or_that_there_is_none():
    assert figures.confusion_matrix_title(FRAUD) == (
        "Most frequent error: honest taken for fraud, 570 rows, 16.8% of them"
    )
    perfect = ConfusionMatrix(("a", "b"), np.eye(2, dtype=int))
    assert figures.confusion_matrix_title(perfect) == "Every row is called what it is"


def test_no_rows_say_so():
    figure = draw(ConfusionMatrix(("a", "b"), np.zeros((2, 2), int)))
    assert "no row" in figure.layout.annotations[0].text.lower()


def test_clicks_select_points_and_leave_no_trace_of_their_own():
    spec = json.loads(draw(FRAUD).to_json())
    cells = spec["data"][1]
    assert spec["layout"]["clickmode"] == "event+select"
    assert spec["layout"]["template"]["layout"]["dragmode"] is False
    assert cells["marker"]["opacity"] == 0
    assert cells["selected"]["marker"]["opacity"] == 0


@pytest.mark.parametrize("filled", [3999, 4000, 10_000])
def test_a_hundred_classes_with_long_names_stay_small_however_many_cells_are_filled(filled):
    rng = np.random.default_rng(1)
    counts = np.zeros(10_000, dtype=np.int64)
    counts[rng.permutation(10_000)[:filled]] = rng.integers(1, 100_000, filled)
    names = tuple(f"a very long name of a class {place}" for place in range(100))
    matrix = ConfusionMatrix(names, counts.reshape(100, 100))
    for shown in Shown:
        assert len(draw(matrix, shown).to_json()) <= 64 * 1024


@pytest.mark.parametrize("classes", [2, 10, 50])
def test_the_axes_say_which_is_the_truth_and_which_the_decision(classes):
    figure = draw(many(classes))
    assert figure.layout.xaxis.title.text == "called"
    assert figure.layout.yaxis.title.text == "truth"


def test_what_does_not_fit_is_pooled_and_the_words_still_speak_of_all_classes():
    counts = np.diag(np.full(300, 50))
    counts[250, 10], counts[7, 280] = 40, 30
    matrix = ConfusionMatrix(tuple(f"c{code}" for code in range(300)), counts)
    grid = confusion.arranged(matrix)
    assert {"c250", "c10", "c7", "c280"} <= set(grid.matrix.classes)
    assert grid.matrix.classes[-1] == "201 others"
    assert grid.matrix.total == matrix.total
    words = draw(matrix).layout.title
    assert "“c250” taken for “c10”, 40 rows" in words.text
    assert "15,000 of 15,070 rows right" in words.subtitle.text
