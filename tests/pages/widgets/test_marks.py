"""What the marks of figures select when they are clicked, or drawn round."""

from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st

from evalcore.evaluate import decide
from evalcore.options import Options
from evalcore.outcomes import Rows
from evalread.dataset import Dataset
from evalread.loading import load
from evalview import figures
from evalview.figures import calibration, confusion
from evalview.figures.errors import Against, Errors
from evalview.figures.theme import LIGHT, Scene
from evalview.figures.view import view_of
from evalview.selections import Interval, Picked, Selection
from pages.session import selection, store
from pages.widgets import chart

KEY = "figure"


def sample(called: str) -> Dataset:
    files = store.files(store.SAMPLE_PREFIX + called)
    assert files is not None
    return load(files)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch):
    """Return a function that clicks marks, or draws a box, and returns what is selected then."""
    chosen: list[Selection] = []
    monkeypatch.setattr(selection, "choose", chosen.append)

    def take(marks: chart.Marks, *points: dict[str, object], box: object = ()) -> Selection | None:
        chosen.clear()
        said = SimpleNamespace(points=points, box=box)
        monkeypatch.setattr(st, "session_state", {KEY: SimpleNamespace(selection=said)})
        marks.take()
        return chosen[0] if chosen else None

    return take


def rows_of(data: Dataset, chosen: Selection | None) -> Rows:
    assert chosen is not None
    return selection.selected(data, chosen).rows


def at(figure, meta, point: int = 0, **more: object) -> dict[str, object]:
    """Return a click on a mark of the first trace that declares this."""
    traces = [curve for curve, trace in enumerate(figure.data) if meta(trace)]
    return {"curve_number": traces[0], "point_index": point, **more}


def test_every_row_is_in_one_bin_and_in_one_bar_of_the_reliability_diagram(taken) -> None:
    data = sample("breast-cancer")
    view = view_of(data, "naive bayes")
    made = calibration.reliability_of(view.own_probabilities(None), Options())
    figure = figures.draw_reliability(view.scene, made)
    marks = chart.Marks(figure, KEY, Selection("naive bayes"))
    declared = [curve for curve, trace in enumerate(figure.data) if trace.meta]
    assert len(declared) == 2
    for curve in declared:
        points = range(len(figure.data[curve].customdata))
        each = [taken(marks, {"curve_number": curve, "point_index": point}) for point in points]
        counts = [len(rows_of(data, one)) for one in each]
        assert counts == figure.data[curve].customdata[:, 2].tolist()
        assert sum(counts) == 569


def test_a_click_on_a_cell_selects_its_rows(taken) -> None:
    data = sample("digits")
    name = next(iter(data.models))
    matrix = decide(view_of(data, name).own_tables, Options())["argmax"].confusion
    grid = confusion.arranged(matrix)
    figure = figures.draw_confusion_matrix(LIGHT, grid, confusion.Shown.COUNTS)
    marks = chart.Marks(figure, KEY, Selection(name, way="argmax"), matrix.classes)
    click = at(figure, lambda trace: trace.meta, x=9, y=1)
    assert len(rows_of(data, taken(marks, click))) == matrix.counts[1, 9]


def test_the_cell_of_what_is_pooled_selects_nothing(taken) -> None:
    size = 120
    matrix = confusion.ConfusionMatrix(tuple(f"c{k}" for k in range(size)), np.eye(size, dtype=int))
    grid = confusion.arranged(matrix)
    figure = figures.draw_confusion_matrix(LIGHT, grid, confusion.Shown.COUNTS)
    marks = chart.Marks(figure, KEY, Selection("m"), matrix.classes)
    last = grid.size - 1
    assert taken(marks, at(figure, lambda trace: trace.meta, x=last, y=last)) is None


NUMBERS = b"truth,m_prediction,age <b>\n" + b"".join(
    b"%.2f,%.2f,%d\n" % (k, k + (k % 7) - 2.5, k % 9) for k in range(200)
)


def scene() -> Scene:
    return Scene(names=("m",), chosen="m")


def test_a_group_of_rows_along_a_column_is_a_rule_about_that_column(taken) -> None:
    data = load([("f.csv", NUMBERS)])
    (name,) = data.models
    told = data.models[name]
    by, age = Against("age <b>", "the column", column=True), np.arange(200.0) % 9
    rows = np.arange(1, 201)
    made = Errors.from_values(by, age, told.prediction - told.truth, rows, None)
    figure = figures.draw_error_groups(scene(), made)
    marks = chart.Marks(figure, KEY, Selection(name))
    chosen = [
        rows_of(data, taken(marks, at(figure, lambda trace: trace.meta, point)))
        for point in range(len(made.groups.n))
    ]
    assert [len(each) for each in chosen] == made.groups.n.tolist()
    assert np.sort(np.concatenate(chosen)).tolist() == rows.tolist()


def test_a_bar_of_errors_selects_its_rows_and_the_outer_ones_all_beyond(taken) -> None:
    data = load([("f.csv", NUMBERS + b"0,1e6,1\n0,-1e6,1\n")])
    (name,) = data.models
    figure = figures.error_histogram(data, model=name)
    marks = chart.Marks(figure, KEY, Selection(name))
    counts = np.array(figure.data[0].y)
    chosen = [
        rows_of(data, taken(marks, at(figure, lambda trace: trace.meta, int(bar))))
        for bar in np.flatnonzero(counts)
    ]
    assert [len(each) for each in chosen] == counts[counts > 0].tolist()
    assert np.sort(np.concatenate(chosen)).tolist() == list(range(1, 203))
    assert {201, 202} <= {int(chosen[0][-1]), int(chosen[-1][-1])}


def test_rows_are_drawn_round_one_by_one_or_in_a_box_of_two_intervals(taken) -> None:
    data = load([("f.csv", NUMBERS)])
    (name,) = data.models
    told = data.models[name]
    figure = figures.predicted_actual(data, model=name)
    marks = chart.Marks(figure, KEY, Selection(name))
    clicks = [at(figure, lambda trace: trace.meta == "rows", place) for place in (4, 2)]
    assert taken(marks, *clicks) == Selection(name, (Picked((3, 5)),))
    chosen = taken(marks, box=[{"x": [60.0, 10.0], "y": [20.0, 55.0]}])
    assert chosen == Selection(name, (Interval("predicted", 10, 60), Interval("actual", 20, 55)))
    inside = (told.prediction >= 10) & (told.prediction <= 60)
    inside &= (told.truth >= 20) & (told.truth <= 55)
    assert rows_of(data, chosen).tolist() == (np.flatnonzero(inside) + 1).tolist()
    assert taken(marks) is None
