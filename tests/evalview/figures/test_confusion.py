import json

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.metrics import confusion_matrix

import evalcore as ec
from evalcore.tables.confusion import ConfusionMatrix
from evalview import ASSETS, figures
from evalview.figures import confusion
from evalview.figures.confusion import Shown
from evalview.figures.theme import LIGHT

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
        [
            ("551", "TP<br>found"),
            ("65", "FN<br>missed"),
            ("570", "FP<br>false alarm"),
            ("2,814", "TN<br>passed"),
        ],
        strict=True,
    ):
        assert f"<b>{number}</b>" in cell
        assert word in cell


def test_a_matrix_that_is_written_out_has_its_totals():
    told = [(one.text, one.x, one.y) for one in draw(FRAUD).layout.annotations]
    rows = [(text, y) for text, x, y in told if x == 1 and y in (0, 1)]
    assert rows[:2] == [("616", 0), ("3,384", 1)]
    calls = [(text, x) for text, x, y in told if y == 0 and x in (0, 1)]
    assert ("1,121", 0) in calls
    assert ("2,879", 1) in calls
    assert ("4,000", 1, 0) in told


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
        "Most common error: 570 honest called fraud (16.8% of honest)"
    )
    perfect = ConfusionMatrix(("a", "b"), np.eye(2, dtype=int))
    assert figures.confusion_matrix_title(perfect) == "Every row is called correctly"


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
    assert "40 rows of class “c250” called “c10”" in words.text
    assert "15,000 of 15,070 rows right" in words.subtitle.text


PETS = ConfusionMatrix(("cat", "dog", "eel"), np.array([[6, 3, 1], [2, 8, 0], [0, 0, 0]]))

squares = st.integers(1, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 50), min_size=k, max_size=k), min_size=k, max_size=k)
)


def matrix_of(rows):
    counts = np.array(rows, dtype=np.int64)
    return ConfusionMatrix(tuple(f"class {i}" for i in range(len(counts))), counts)


def test_shares_of_truth_are_worked_by_hand_and_unknown_without_truth():
    np.testing.assert_allclose(
        confusion.shares_of_truth(PETS), [[0.6, 0.3, 0.1], [0.2, 0.8, 0.0], [np.nan] * 3]
    )


def test_shares_of_decision_are_worked_by_hand():
    np.testing.assert_allclose(
        confusion.shares_of_decision(PETS)[:, :2], [[0.75, 3 / 11], [0.25, 8 / 11], [0, 0]]
    )


def test_shares_agree_with_scikit_learn_where_there_is_truth():
    rng = np.random.default_rng(3)
    truth, decision = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    matrix = ConfusionMatrix.from_codes(truth, decision, tuple("abcd"))
    expected = confusion_matrix(truth, decision, normalize="true")
    np.testing.assert_allclose(confusion.shares_of_truth(matrix), expected)


def test_confused_pairs_list_the_most_frequent_errors_first_and_no_correct_cell():
    pairs = confusion.confused_pairs(PETS, 10)
    assert [(p.truth, p.decision, p.count) for p in pairs] == [
        ("cat", "dog", 3),
        ("dog", "cat", 2),
        ("cat", "eel", 1),
    ]
    assert pairs[0].share == pytest.approx(0.3)


def test_a_class_is_followed_by_the_one_it_is_most_confused_with():
    matrix = matrix_of([[9, 0, 5, 0], [0, 9, 0, 2], [4, 0, 9, 0], [0, 1, 0, 9]])
    assert confusion.by_confusion(matrix).tolist() == [0, 2, 1, 3]


def test_a_matrix_without_errors_keeps_its_order():
    assert confusion.by_confusion(matrix_of(np.eye(4))).tolist() == [0, 1, 2, 3]


def test_pooling_by_hand_keeps_rows_and_columns_of_the_rest_together():
    small = confusion.pooled(PETS, np.array([1]), "other")
    assert small.classes == ("dog", "other")
    assert small.counts.tolist() == [[8, 2], [3, 7]]


@given(squares)
def test_the_order_holds_every_class_once(rows):
    matrix = matrix_of(rows)
    assert sorted(confusion.by_confusion(matrix).tolist()) == list(range(len(rows)))


@given(squares, st.data())
def test_pooling_keeps_the_totals(rows, data):
    matrix = matrix_of(rows)
    keep = confusion.by_confusion(matrix)[: data.draw(st.integers(1, len(rows)))]
    small = confusion.pooled(matrix, keep, "other")
    assert small.total == matrix.total
    kept = len(keep)
    np.testing.assert_array_equal(small.counts[:kept].sum(axis=1), matrix.counts.sum(axis=1)[keep])


@given(squares)
def test_pairs_hold_every_error_when_there_is_no_limit(rows):
    matrix = matrix_of(rows)
    pairs = confusion.confused_pairs(matrix, 1000)
    assert sum(p.count for p in pairs) == matrix.total - np.trace(matrix.counts)


def test_of_many_classes_those_of_the_most_frequent_errors_are_kept():
    matrix = matrix_of([[9, 0, 1], [0, 9, 0], [0, 0, 9]])
    assert confusion.most_confused(matrix, 2).tolist() == [0, 2]


def test_a_matrix_of_two_classes_is_said_in_the_words_of_the_data():
    matrix = ConfusionMatrix(("honest", "fraud"), np.array([[2814, 570], [65, 551]]))
    assert confusion.confusion_matrix_summary("gb", matrix) == (
        "gb finds 551 of 616 fraud rows and raises 570 false alarms"
    )


def test_a_matrix_of_many_classes_names_its_most_frequent_error():
    matrix = ConfusionMatrix(("a", "b", "1"), np.array([[5, 0, 3], [0, 5, 0], [0, 0, 5]]))
    assert (
        confusion.confusion_matrix_summary("m", matrix)
        == "m is right on 15 of 18 rows; its most common error: a called “1”"
    )
    right = ConfusionMatrix(("a", "b", "c"), np.eye(3, dtype=int))
    assert confusion.confusion_matrix_summary("m", right) == "m is right on 3 of 3 rows"


def test_a_rule_by_which_a_model_does_not_decide_is_refused_with_those_that_there_are():
    data = ec.read(ASSETS / "samples" / "breast_cancer.csv")
    with pytest.raises(ec.EvalError, match=r"does not decide by .argmax., only by .*threshold"):
        figures.confusion_matrix(data, rule="argmax")
    assert figures.confusion_matrix(data, rule="threshold").data
