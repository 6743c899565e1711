import numpy as np
import pytest

from evalcore.curves.calibration import CalibrationCurve
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from pages import figures
from pages.figures.theme import Scene

SCENE = Scene(names=("a", "b"), chosen="a", positive="fraud", negative="honest")


def curve(truth, score):
    table = ScoreTable.from_scores(np.array(truth, np.int8), np.array(score, float))
    return CalibrationCurve.from_table(ReliabilityTable.from_scores(table))


HONEST = curve(([1] * 10 + [0] * 30) + ([1] * 30 + [0] * 10), [0.25] * 40 + [0.75] * 40)
BOASTING = curve([1] * 50 + [0] * 50, [0.95] * 100)


def test_a_bin_is_drawn_at_what_was_said_and_what_came_true():
    figure = figures.draw_calibration_curve(SCENE, {"a": HONEST})
    line = figure.data[-1]
    assert line.x.tolist() == [0.25, 0.75]
    assert line.y.tolist() == [0.25, 0.75]
    assert line.customdata[:, 2].tolist() == [40, 40]


def test_the_bars_end_where_the_interval_ends():
    line = figures.draw_calibration_curve(SCENE, {"a": HONEST}).data[-1]
    assert line.y + line.error_y.array == pytest.approx(HONEST.share_high)
    assert line.y - line.error_y.arrayminus == pytest.approx(HONEST.share_low)


def test_only_the_chosen_model_has_bars():
    lines = figures.draw_calibration_curve(SCENE, {"a": HONEST, "b": BOASTING}).data[-2:]
    assert [line.name for line in lines] == ["b", "a"]
    assert lines[0].error_y.array is None


def test_the_title_names_the_bin_that_strays_for_sure():
    assert (
        figures.calibration_curve_title(SCENE, {"a": BOASTING})
        == "Where a says 95.0%, 50.0% are fraud"
    )


def test_the_title_claims_no_fault_that_the_rows_do_not_show():
    assert "comes true, as far as these rows can tell" in figures.calibration_curve_title(
        SCENE, {"a": HONEST}
    )


def test_larger_bins_have_larger_marks():
    uneven = curve([0] * 400 + [1] * 4, [0.15] * 400 + [0.85] * 4)
    sizes = figures.draw_calibration_curve(SCENE, {"a": uneven}).data[-1].marker.size
    assert sizes[0] > sizes[1]
