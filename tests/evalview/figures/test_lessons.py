"""Figures of lessons: roles of rows, rounds of schemes, errors along a setting."""

import numpy as np
import pytest

from evalview import figures
from evalview.figures.lessons import Rounds
from evalview.figures.theme import DARK, LIGHT, Scene, Words
from evalview.lab.growth import Growth
from evalview.lab.splits import Plan, Rows, Splits, split
from evalview.lab.training import Material

HOSTILE = "<b>a</b>"


def material(n: int, **more) -> Material:
    return Material("rows", np.zeros((n, 1)), np.arange(n) % 2.0, (HOSTILE, "b"), **more)


def scene(look=LIGHT) -> Scene:
    return Scene(names=("rows",), look=look)


@pytest.mark.parametrize("look", [LIGHT, DARK])
@pytest.mark.parametrize("kind", ["hold-out", "k-fold", "leave-one-out", "bootstrap"])
def test_cells_are_the_roles_of_the_rows_drawn(kind, look):
    splits = split(kind, Rows(100), Plan(folds=5))
    figure = figures.draw_split_roles(scene(look), material(100), splits)
    cells = figure.data[0].z
    rounds_drawn = min(len(splits.role), 20)
    assert cells.shape[1] == rounds_drawn
    assert 60 <= len(cells) <= 60 + rounds_drawn
    assert (cells == 2).any(axis=0).all()  # no round is drawn without a row that tests
    assert (cells[0] == 2).tolist() == (splits.role[:rounds_drawn, 0] == 0).tolist()
    assert f"{len(cells)} of 100 rows" in figure.layout.title.subtitle.text


def test_k_fold_is_said_to_test_each_row_once():
    splits = split("k-fold", Rows(10), Plan(folds=5))
    assert figures.split_roles_title(material(10), splits) == "Each row is tested once in 5 rounds"
    assert "2 to 2 rows test" in figures.split_roles_alt(material(10), splits)


def test_groups_stripe_the_rows_by_turns_and_names_of_classes_are_text():
    splits = split("k-fold", Rows(6), Plan(folds=2))
    grouped = figures.draw_split_roles(
        scene(), material(6, group=np.array([0, 0, 1, 1, 2, 2])), splits
    )
    assert grouped.data[1].z.ravel().tolist() == [0, 0, 1, 1, 0, 0]
    plain = figures.draw_split_roles(scene(), material(6), splits)
    assert HOSTILE not in plain.to_json()


def test_rows_that_train_more_than_once_have_a_shade_of_their_own():
    splits = Splits("bootstrap", np.array([[3, 1, 0]], dtype=np.int16), np.zeros(1))
    assert figures.draw_split_roles(scene(), material(3), splits).data[0].z.ravel().tolist() == [
        1,
        0,
        2,
    ]


def test_estimates_and_what_is_known_from_elsewhere_are_drawn_and_named():
    made = {"k-fold": Rounds(np.array([0.1, 0.2, np.nan]), 0.15, 0.05, 0.25)}
    says = Words(title="t", x="error")
    figure = figures.draw_rounds(scene(), says, made, {"aside": 0.3})
    assert all(trace.name for trace in figure.data)
    assert [list(trace.x) for trace in figure.data][1:] == [[0.05, 0.25], [0.15], [0.3, 0.3]]
    assert figures.rounds_alt(says, made, {"aside": 0.3}) == "t. error: k-fold 0.150; aside 0.300."


def test_rounds_without_a_value_say_so():
    made = {"k-fold": Rounds(np.array([np.nan]), np.nan)}
    assert not figures.draw_rounds(scene(), Words(title="t"), made, {}).data


def test_errors_on_other_rows_lie_above_those_on_training_rows():
    made = Growth(np.array([10.0, 20]), np.array([[0.0, 0.1]] * 3), np.array([[0.4, 0.3]] * 3))
    says = Words(title="t", x="rows", y="error")
    figure = figures.draw_growth(scene(), says, made, band="band")
    lines = {trace.name: list(trace.y) for trace in figure.data}
    assert lines["other rows"] == pytest.approx([0.4, 0.3])
    assert lines["training rows"] == pytest.approx([0.0, 0.1])
    assert "from rows 10 to 20: on other rows 0.400 to 0.300" in figures.growth_alt(says, made)


@pytest.mark.parametrize(
    ("order", "shape"),
    [(1.0, "square on its corner"), (1.5, "rounded diamond"), (2.0, "circle"),
     (3.0, "between circle and square"), (np.inf, "p = ∞: a square")],
)  # fmt: skip
def test_the_shape_of_the_unit_circle_is_named(order, shape):
    figure = figures.draw_unit_circle(scene(), order)
    assert shape in figure.layout.title.text
    assert [trace.name for trace in figure.data][:3] == ["Manhattan", "Euclidean", "Chebyshev"]
    assert shape in figures.unit_circle_alt(order)
