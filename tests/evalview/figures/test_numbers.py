"""Figures of predicted numbers, of differences and of folds: what they show and say."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from evalcore.compare import compare
from evalcore.comparison.results import Comparison
from evalcore.metrics.metric import Better, Estimate
from evalcore.options import Options
from evalcore.predictions import FoldScores
from evalread.loading import load
from evalview import figures
from evalview.figures.lines import MOST_BARS, ErrorCounts, Scatter, Trend
from evalview.figures.numbers import FittedLine
from evalview.figures.theme import Scene

SCENE = Scene(names=("a", "b", "c"), chosen="a")
SCORES = FoldScores(
    metric="accuracy",
    models=("a", "b"),
    score=np.array([[0.8, 0.9, 0.7, np.nan], [0.9, 0.95, 0.6, 0.7]]),
    fold=("1", "2", "3", "4"),
)


def cloud(n, most=1500):
    x = np.arange(n, dtype=np.float64)
    return Scatter.from_values(x, 2 * x, None, most)


def compared(content: bytes) -> Comparison:
    return compare(load([("f.csv", content)]), Options(), metric="accuracy")


def test_the_diagonal_spans_everything_that_is_drawn():
    figure = figures.draw_predicted_actual(SCENE, cloud(10), Estimate(1.0))
    assert tuple(figure.data[1].x) == tuple(figure.data[1].y) == (0, 18)


def test_points_carry_their_rows_and_crowds_their_counts():
    points = figures.draw_predicted_actual(SCENE, cloud(10), Estimate(1.0)).data[0]
    assert points.customdata.tolist() == list(range(1, 11))
    shades = figures.draw_predicted_actual(SCENE, cloud(100, most=50), Estimate(1.0)).data[0]
    assert shades.type == "heatmap"
    assert np.nansum(shades.customdata) == 100


def test_the_title_says_how_close_half_of_the_predictions_are():
    assert figures.predicted_actual_title(SCENE, Estimate(39.37)).endswith("within 39.4")


def test_a_fitted_line_is_told_by_its_slope_and_the_interval_of_it():
    fitted = FittedLine(intercept=1.0, slope=0.969, slope_low=0.88, slope_high=1.06)
    says = figures.draw_predicted_actual(SCENE, cloud(10), Estimate(1.0), fitted).layout.title
    assert says.text == "Actual numbers rise by 0.97 where predictions rise by 1"
    assert says.subtitle.text.endswith("95&#37; interval 0.88 to 1.06")


def test_errors_have_a_zero_line_and_a_band_once_there_are_enough_rows():
    x = np.arange(40.0)
    off = Scatter.from_values(x, x - 20, None)
    figure = figures.draw_residuals(SCENE, off, Trend.from_values(x, x - 20))
    assert len(figure.data) == 4
    assert figure.layout.shapes[0].y0 == 0
    assert "8 of 10 errors of a are between −16.1 and 15.1" in figure.layout.title.text
    few = figures.draw_residuals(SCENE, cloud(3), Trend.from_values(x[:3], x[:3]))
    assert len(few.data) == 1


def test_a_pair_is_drawn_as_better_minus_worse_with_zero_marked():
    made = compared(b"truth,a_label,b_label\n" + b"y,n,y\nn,n,n\n" * 30)
    figure = figures.draw_differences(SCENE, made)
    line, dot = figure.data
    assert dot.x == (0.5,)
    assert line.x[0] > 0
    assert figure.layout.shapes[0].x0 == 0
    assert figure.layout.yaxis.ticktext == ("<b>b</b><br>− a",)
    assert figure.layout.title.text == "Accuracy: first minus second"
    assert "The two can be told apart" in figures.differences_alt(made)


def test_identical_models_cannot_be_told_apart():
    made = compared(b"truth,a_label,b_label\n" + b"y,y,y\nn,n,n\n" * 30)
    assert "The two cannot be told apart" in figures.differences_alt(made)


def test_the_scores_of_one_fold_are_joined():
    lines = figures.draw_fold_scores(SCENE, SCORES, "Accuracy", Better.HIGHER).data[0]
    # The best mean is a's: 0.8 of three folds, against 0.7875 of four.
    np.testing.assert_allclose(lines.x[:4], [0, 1, np.nan, 0])
    np.testing.assert_allclose(lines.y[:3], [0.8, 0.9, np.nan])


@pytest.mark.parametrize(("better", "says"), [(Better.HIGHER, "a against b: 1 fold won, 2 lost")])
def test_wins_are_counted_on_the_folds_that_both_have(better, says):
    assert figures.draw_fold_scores(SCENE, SCORES, "Accuracy", better).layout.title.text == says


def test_where_low_is_good_the_lowest_mean_comes_first():
    figure = figures.draw_fold_scores(SCENE, SCORES, "Error", Better.LOWER)
    assert figure.layout.xaxis.ticktext == ("b", "a")
    assert figure.layout.title.text == "b against a: 1 fold won, 2 lost"


def test_hovering_a_point_names_its_fold():
    points = figures.draw_fold_scores(SCENE, SCORES, "Accuracy", Better.HIGHER).data[1]
    assert list(points.text) == ["fold 1", "fold 2", "fold 3"]


def test_errors_are_counted_between_round_ends():
    errors = np.array([-2.0, -1.0, -1.0, 0.0, 1.5, 2.0])
    made = ErrorCounts.from_errors(errors)
    assert made.edges[:3].tolist() == [-2.0, -1.9, -1.8]  # 40 bars of 0.1 are round and enough
    held = {round(float(made.edges[at]), 6): n for at, n in enumerate(made.n) if n}
    assert held == {-2.0: 1, -1.0: 2, 0.0: 1, 1.5: 1, 2.0: 1}
    assert (made.below, made.above) == (3, 2)
    title = figures.error_histogram_title(SCENE, made)
    assert title == "3 predictions of a are too low, 2 too high"


@given(
    st.lists(st.floats(-1e12, 1e12) | st.sampled_from([0.0, -0.0, 1e-300, 7.25]), max_size=60),
    st.integers(0, 5),
)
def test_every_error_is_in_one_bar_and_weights_count(errors: list[float], seed: int):
    error = np.array(errors)
    weight = np.random.default_rng(seed).random(len(errors))
    made = ErrorCounts.from_errors(error, weight)
    assert made.n.sum() == pytest.approx(weight.sum())
    assert len(made.n) <= MOST_BARS + 2
    inner = [
        weight[(error >= low) & (error < high)].sum()
        for low, high in zip(made.edges[1:-2], made.edges[2:-1], strict=True)
    ]
    assert made.n[1:-1] == pytest.approx(inner)


def test_no_side_of_zero_is_said_to_be_better_where_none_is():
    lines = (b"%d,%d.%d,%d\n" % (k, k, k % 7, k + 5) for k in range(30))
    content = b"truth,a_pred,b_pred\n" + b"".join(lines)
    dataset = load([("f.csv", content)])
    for metric, said in (("bias", False), ("rmse", True)):
        figure = figures.draw_differences(SCENE, compare(dataset, Options(), metric=metric))
        assert ("the first is better" in figure.layout.title.subtitle.text) == said
