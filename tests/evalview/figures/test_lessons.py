"""Figures of what is tried out: rounds of schemes."""

import numpy as np
import pytest

from evalview import figures
from evalview.figures.lessons import Pooled, Rounds
from evalview.figures.theme import LIGHT, Scene, Words


def scene(look=LIGHT) -> Scene:
    return Scene(names=("rows",), look=look)


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


@pytest.mark.parametrize(("readers", "step"), [(1, 1), (5, 1), (6, 2), (23, 5), (40, 10)])
def test_ticks_of_readers_are_whole(readers: int, step: int):
    made = Pooled("How many?", np.full(readers, 0.5))
    assert figures.draw_pooled(scene(), made).layout.yaxis.dtick == step
