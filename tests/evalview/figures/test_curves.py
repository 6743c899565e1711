"""ROC and precision-recall: the points drawn are those of the count tables."""

import numpy as np
import pytest
from hypothesis import given

from evalcore.curves.roc import PrecisionRecallCurve
from evalcore.metrics.metric import Estimate
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.scores import ScoreTable
from evalview import figures
from evalview.figures.curves import GainCurve, mean_precision_recall, mean_roc
from evalview.figures.lines import NAMED_UP_TO
from evalview.figures.theme import CURVES_AT_MOST, Scene
from tests.evalcore.golden import Golden, breast_cancer, entries, ids
from tests.evalcore.made import score_table
from tests.evalcore.strategies import Scored, with_both_classes
from tests.evalview.figures.conftest import estimate, scored

TABLE = ScoreTable.from_scores(np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.6, 0.3]))


def scene(threshold=0.7, names=("a",), chosen="a"):
    return Scene(
        names=names, chosen=chosen, positive="fraud", negative="honest", threshold=threshold
    )


def lines(figure):
    return [trace for trace in figure.data if trace.showlegend is not False]


def rings(figure):
    return [trace for trace in figure.data if trace.mode == "markers"]


def test_the_roc_curve_goes_through_every_threshold():
    (line,) = lines(figures.draw_roc(scene(), {"a": TABLE}, {"a": estimate(0.75)}))
    assert line.x.tolist() == [0, 0, 0.5, 0.5, 1]
    assert line.y.tolist() == [0, 0.5, 0.5, 1, 1]
    assert line.customdata.tolist() == [np.inf, 0.9, 0.8, 0.6, 0.3]


def test_the_operating_point_lies_where_the_threshold_puts_it():
    ring, dot = rings(figures.draw_roc(scene(0.7), {"a": TABLE}, {"a": estimate(0.75)}))
    assert (ring.x, ring.y) == ((0.5,), (0.5,))
    assert (dot.x, dot.y) == ((0.5,), (0.5,))
    assert not ring.cliponaxis, "in a corner it is drawn whole"


def test_the_precision_recall_curve_is_stepped_and_shows_what_flagging_all_gives():
    figure = figures.draw_precision_recall(scene(), {"a": TABLE}, {"a": estimate(0.8)})
    (line,) = lines(figure)
    assert line.line.shape == "vh"
    assert line.y[-1] == pytest.approx(0.5)
    assert "flagging every row: 50.0&#37;" in {note.text for note in figure.layout.annotations}


def test_there_is_no_operating_point_where_nothing_is_flagged():
    figure = figures.draw_precision_recall(scene(2.0), {"a": TABLE}, {"a": estimate(0.8)})
    assert rings(figure) == []


def test_the_title_says_what_share_of_pairs_is_ranked_right_and_never_too_much():
    for area, says in ((0.954, "ranks 95%"), (0.9999, "ranks >99%"), (1.0, "ranks 100%")):
        assert says in figures.roc_title(scene(), {"a": Estimate(area)})
    assert "worse than chance" in figures.roc_title(scene(), {"a": Estimate(0.4, 0.3, 0.49)})
    said = figures.roc_title(scene(), {"a": Estimate(0.43, 0.12, 0.74)})
    assert "which chance may explain" in said
    assert "worse" not in said


def test_the_title_of_precision_and_recall_holds_the_counts_at_the_threshold():
    title = figures.precision_recall_title(scene(0.6), {"a": TABLE}, {})
    assert title == "At 0.6, 2 of 3 flagged rows are fraud"


def test_curves_of_classes_name_the_hardest_one():
    areas = {"cat": Estimate(0.9), "dog": Estimate(0.7), "eel": Estimate(float("nan"))}
    many = scene(None, ("cat", "dog", "eel"), None)
    assert figures.roc_title(many, areas) == "Hardest to tell from the others: dog, ROC AUC 0.700"
    assert "dog" in figures.precision_recall_title(many, {}, areas)


def test_a_curve_needs_rows_of_both_classes_and_says_so():
    alone = ScoreTable.from_scores(np.array([1]), np.array([0.9]))
    figure = figures.draw_roc(scene(), {"a": alone}, {"a": Estimate(float("nan"), why="one class")})
    assert len(figure.data) == 0
    assert "both classes" in figure.layout.annotations[0].text


def test_the_chosen_model_lies_on_top_and_keeps_its_place_in_the_legend():
    tables = {name: scored(50, place) for place, name in enumerate("abc")}
    figure = figures.draw_roc(scene(names=("a", "b", "c")), tables, {})
    drawn = lines(figure)
    assert [trace.name for trace in drawn] == ["b", "c", "a"]
    assert [trace.legendrank for trace in drawn] == [2, 3, 1]
    assert drawn[-1].line.width > drawn[0].line.width


def test_a_model_has_the_same_colour_whoever_is_chosen_and_whoever_is_missing():
    tables = {name: scored(50) for name in ("a", "c")}
    first = lines(figures.draw_roc(scene(names=("a", "b", "c")), tables, {}))
    other = lines(figures.draw_roc(scene(names=("a", "b", "c"), chosen="c"), tables, {}))
    colours = [{trace.name: trace.line.color for trace in drawn} for drawn in (first, other)]
    assert colours[0] == colours[1]


def test_of_very_many_models_the_chosen_one_is_always_drawn():
    names = tuple(f"m{i}" for i in range(60))
    tables = {name: scored(30) for name in names}
    drawn = lines(figures.draw_roc(scene(names=names, chosen="m59"), tables, {}))
    assert len(drawn) == CURVES_AT_MOST
    assert drawn[-1].name == "m59"


def test_thinning_moves_no_point_of_a_million_rows(million):
    (line,) = lines(figures.draw_roc(scene(), {"a": million}, {}))
    counts = million.at(line.customdata)
    np.testing.assert_allclose(line.x, counts.fp / million.negatives, atol=1e-7)
    np.testing.assert_allclose(line.y, counts.tp / million.positives, atol=1e-7)


@pytest.mark.parametrize("draw", [figures.draw_roc, figures.draw_precision_recall])
def test_a_long_list_of_names_is_left_out_lest_it_cover_the_axis(draw):
    for count, listed in ((NAMED_UP_TO, None), (NAMED_UP_TO + 1, False)):
        tables = {f"model {place}": scored(50, place) for place in range(count)}
        drawn = draw(scene(names=tuple(tables), chosen="model 0"), tables, {})
        assert drawn.layout.showlegend is listed


def tables(rows: int = 400) -> list[ScoreTable]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, rows)
    return [
        ScoreTable.from_scores(truth == code, np.round(rng.random(rows) + (truth == code), 2))
        for code in range(3)
    ]


def below(steps: PrecisionRecallCurve) -> float:
    """Return the area below the steps."""
    return float(np.diff(steps.recall, prepend=0.0) @ steps.precision)


def test_the_mean_curve_lies_between_the_curves_it_averages():
    first, second = score_table([1, 0], [0.9, 0.1]), score_table([0, 1], [0.9, 0.1])
    mean = mean_roc([first, second], [1, 1])
    assert np.interp(0.5, mean.fpr, mean.tpr) == pytest.approx(0.5)
    mean = mean_roc([first, second], [3, 1])
    assert np.interp(0.5, mean.fpr, mean.tpr) == pytest.approx(0.75)


def test_the_area_under_a_mean_curve_is_the_mean_area():
    made, weights = tables(), [1.0, 2.0, 5.0]
    roc, steps = mean_roc(made, weights), mean_precision_recall(made, weights)
    areas, precisions = ([area(t) for t in made] for area in (roc_area, average_precision))
    assert roc.area == pytest.approx(np.average(areas, weights=weights), abs=2e-3)
    average = np.average(precisions, weights=weights)
    assert below(steps) == pytest.approx(average, abs=3e-3)


def test_a_class_without_rows_takes_no_part():
    full, empty = score_table([1, 0], [0.9, 0.1]), score_table([0, 0], [0.9, 0.1])
    assert mean_roc([full, empty], [1, 1]).area == pytest.approx(1)
    assert below(mean_precision_recall([full, empty], [1, 1])) == pytest.approx(1)
    assert np.isnan(mean_roc([empty], [1]).tpr[1:]).all()
    assert np.isnan(mean_precision_recall([empty], [1]).precision).all()


def test_gain_and_lift_by_hand() -> None:
    score, truth = np.array([0.9, 0.6, 0.6, 0.2]), np.array([1, 0, 1, 0])
    curve = GainCurve.from_table(ScoreTable.from_scores(truth, score))
    assert curve.share.tolist() == [0, 0.25, 0.75, 1]
    assert curve.gain.tolist() == [0, 0.5, 1, 1]
    # Half of the rows: the first, and one of the two tied ones, a positive half of the time.
    assert curve.gain_at(0.5) == 0.75
    assert curve.lift_at(0.5) == 1.5


@pytest.mark.parametrize("truth", [[], [0, 0]])
def test_without_positives_there_is_no_gain(truth: list[int]) -> None:
    table = ScoreTable.from_scores(np.array(truth, np.int8), np.array([0.1, 0.2][: len(truth)]))
    curve = GainCurve.from_table(table)
    assert np.isnan(curve.gain).all()
    assert np.isnan(curve.gain_at(0.5))


@given(with_both_classes())
def test_all_rows_hold_all_positives_and_lift_one(data: Scored) -> None:
    curve = GainCurve.from_table(ScoreTable.from_scores(data.truth, data.score, data.weight))
    assert curve.gain_at(1) == curve.lift_at(1) == 1
    assert (np.diff(curve.gain_at(np.linspace(0, 1, 11))) >= -1e-12).all()


@pytest.mark.parametrize(
    "golden", found := entries(quantity="cumulative_gain_deciles"), ids=ids(found)
)
def test_deciles_equal_those_from_rocrs_counts(golden: Golden) -> None:
    curve = GainCurve.from_table(ScoreTable.from_scores(*breast_cancer(golden.params["model"])))
    share = np.array(golden.value["fraction"])
    golden.check({"gain": curve.gain_at(share).tolist(), "lift": curve.lift_at(share).tolist()})
