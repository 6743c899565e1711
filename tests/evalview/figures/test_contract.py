"""What holds for every figure; a new one joins by a line in `FIGURES`."""

import json
import subprocess
import sys

import numpy as np
import plotly.graph_objects as go
import pytest

from evalcore.comparison import results
from evalcore.comparison.from_folds import Ranked
from evalcore.comparison.resampled import Distribution
from evalcore.comparison.results import Comparison, Difference
from evalcore.comparison.spec import Design, Finding
from evalcore.curves.costs import (
    CostCurve,
    DecisionCurve,
    UnitCosts,
    cheapest,
    cost_line,
    expected_cost,
    predictive_values,
)
from evalcore.curves.roc import CalibrationCurve
from evalcore.intervals.resamples import Plan, percentile_bootstrap
from evalcore.metrics.clusters import SILHOUETTE
from evalcore.metrics.decisions import RECALL
from evalcore.metrics.metric import Better
from evalcore.monitoring.results import Change, OverTime, Track
from evalcore.monitoring.watching import Plan as Looks, Trace
from evalcore.outcomes import Clustering
from evalcore.predictions import FoldScores
from evalcore.slices import results as sliced
from evalcore.slices.columns import Condition
from evalcore.slices.results import Slice, Slices
from evalcore.slices.shift import Moved, Shift
from evalcore.tables.confusion import ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalview import figures
from evalview.figures import confusion
from evalview.figures.calibration import ConsistencyBand, IsotonicCalibration
from evalview.figures.clusters import Mapped
from evalview.figures.errors import Against, ErrorGroups, Errors
from evalview.figures.layout import ClusterBars, Layout
from evalview.figures.lessons import Pooled, Rounds
from evalview.figures.lines import ErrorCounts, Scatter, ScoreHistogram, Trend
from evalview.figures.numbers import ErrorCurve, NormalQuantiles
from evalview.figures.theme import DARK, LIGHT, Scene, Words
from evalview.lab.optimum import bootstrap_optimum
from evalview.lab.quantiles import QuantileTable
from tests.evalview.figures.conftest import HOSTILE, estimate, scored

KILOBYTES = 1024


def draw_roc(scene, tables):
    areas = {name: estimate(0.9) for name in tables}
    return figures.draw_roc(scene, tables, areas), figures.roc_alt(scene, areas)


def draw_precision_recall(scene, tables):
    averages = {name: estimate(0.8) for name in tables}
    return (
        figures.draw_precision_recall(scene, tables, averages),
        figures.precision_recall_alt(scene, averages),
    )


def draw_calibration(scene, tables):
    curves = {
        name: CalibrationCurve.from_table(ReliabilityTable.from_scores(table))
        for name, table in tables.items()
    }
    return figures.draw_calibration_curve(scene, curves), figures.calibration_curve_alt(
        scene, curves
    )


STAKES = UnitCosts(tn=0, fp=1, fn=10, tp=-1, prevalence=0.2)


def first(tables):
    empty = ScoreTable.from_scores(np.empty(0, np.int8), np.empty(0))
    return next(iter(tables.values()), empty)


def draw_expected_cost(scene, tables):
    thin = {name: table.thinned(100) for name, table in tables.items()}
    curves = {name: expected_cost(table, STAKES) for name, table in thin.items()}
    marked = figures.Marked(cheapest(first(tables), STAKES))
    figure = figures.draw_expected_cost(scene, dict(list(curves.items())[:5]), marked)
    return figure, figures.expected_cost_alt(scene, curves, marked)


def draw_cost_curve(scene, tables):
    curves = {name: CostCurve.from_table(table) for name, table in tables.items()}
    line = cost_line(first(tables).at(0.5))
    return figures.draw_cost_curve(scene, curves, line, 0.4), figures.cost_curve_alt(
        scene, curves, 0.4
    )


def draw_decision_curve(scene, tables):
    at = np.arange(1, 100) / 100
    curves = {name: DecisionCurve.from_table(table, at, 0.3) for name, table in tables.items()}
    return figures.draw_decision_curve(scene, curves), figures.decision_curve_alt(scene, curves)


def draw_predictive_values(scene, tables):
    counts, shares = first(tables).at(0.5), np.linspace(0.01, 0.99, 41)
    alerts, rest = predictive_values(counts, shares)
    figure = figures.draw_predictive_values(scene, alerts, rest, 0.3)
    return figure, figures.predictive_values_alt(scene, alerts, 0.3)


def draw_optimum(scene, tables):
    table = first(tables)
    if not (table.positives and table.negatives):
        table = scored(40)
    found = bootstrap_optimum(table, STAKES, np.random.default_rng(0), Plan(200))
    return figures.draw_optimum(scene, found), figures.optimum_alt(scene, found)


def draw_reliability(scene, tables):
    table, rng = first(tables), np.random.default_rng(0)
    made = figures.Reliability(
        CalibrationCurve.from_table(ReliabilityTable.from_scores(table)),
        IsotonicCalibration.from_table(table),
        ConsistencyBand.from_table(table, rng, draws=20),
        ScoreHistogram.from_table(table),
    )
    return figures.draw_reliability(scene, made), figures.reliability_alt(scene, made)


def draw_recalibration(scene, tables):
    curves = {
        name: CalibrationCurve.from_table(ReliabilityTable.from_scores(table))
        for name, table in tables.items()
    }
    return (
        figures.draw_recalibration(scene, curves, HOSTILE[0]),
        figures.recalibration_alt(curves, HOSTILE[0]),
    )


def draw_scores(scene, tables):
    table = first(tables)
    return figures.draw_scores(scene, table), figures.scores_alt(scene, table)


def draw_intervals(scene, tables):
    estimates = {name: estimate(0.7) for name in tables}
    return figures.draw_intervals(scene, RECALL, estimates), figures.intervals_alt(
        RECALL, estimates
    )


def draw_confusion(scene, tables):
    names = tuple(tables)
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, (len(names), len(names)))
    matrix = ConfusionMatrix(names, counts)
    grid = confusion.arranged(matrix)
    figure = figures.draw_confusion_matrix(scene.look, grid, figures.Shown.COUNTS, picked=(0, 0))
    return figure, figures.confusion_matrix_alt(matrix)


def draw_predicted_actual(scene, tables):
    half, rows = estimate(0.2), columns(tables)
    cloud = Scatter.from_values(*rows, None)
    return figures.draw_predicted_actual(scene, cloud, half), figures.predicted_actual_alt(
        scene, cloud, half
    )


def draw_residuals(scene, tables):
    rows = columns(tables)
    cloud, trend = Scatter.from_values(*rows, None), Trend.from_values(*rows)
    return figures.draw_residuals(scene, cloud, trend), figures.residuals_alt(scene, cloud, trend)


def draw_error_groups(scene, tables):
    by, error = columns(tables)
    groups = ErrorGroups.from_values(by, error)
    told = Errors(
        Against(HOSTILE[0], HOSTILE[1], column=True),
        Scatter.from_values(by, error, None),
        Trend.from_values(by, error),
        groups,
    )
    return figures.draw_error_groups(scene, told), figures.error_groups_alt(scene, told)


def draw_quantile_calibration(scene, tables):
    error = columns(tables)[0]
    told = QuantileTable.from_values(error, {0.1: error * 0 - 1.3, 0.9: error * 0 + 1.3})
    return figures.draw_quantile_calibration(scene, told), figures.quantile_calibration_alt(
        scene, told
    )


def draw_coverage(scene, tables):
    by, error = columns(tables)
    groups = ErrorGroups.from_values(by, (error < 1).astype(float))
    return figures.draw_coverage(scene, groups, 0.9), figures.coverage_alt(groups, 0.9)


def draw_error_histogram(scene, tables):
    counts = ErrorCounts.from_errors(columns(tables)[1])
    return figures.draw_error_histogram(scene, counts), figures.error_histogram_alt(scene, counts)


def draw_error_curve(scene, tables):
    error = columns(tables)[0]
    curves = {name: ErrorCurve.from_errors(error[: 1 + k]) for k, name in enumerate(tables)}
    if tables:
        curves[next(iter(tables))] = ErrorCurve.from_errors(error)
    return figures.draw_error_curve(scene, curves), figures.error_curve_alt(scene, curves)


def draw_normal_quantiles(scene, tables):
    told = NormalQuantiles.from_errors(columns(tables)[0])
    return figures.draw_normal_quantiles(scene, told), figures.normal_quantiles_alt(scene, told)


def draw_bland_altman(scene, tables):
    rows = columns(tables)
    found = {key: estimate(0.2) for key in ("bias", "bland_altman_low", "bland_altman_high")}
    cloud = Scatter.from_values(*rows, None)
    return figures.draw_bland_altman(scene, cloud, found), figures.bland_altman_alt(
        scene, cloud, found
    )


def columns(tables):
    """Two numbers per row, as many rows as the largest table has."""
    n = max((int(table.n) for table in tables.values()), default=0)
    return np.random.default_rng(0).normal(size=(2, n))


def draw_slices(scene, tables):
    """A slice of each name, judged by the first model."""
    names = tuple(tables)
    gap = estimate(-0.1)
    made = Slices(
        metric="accuracy",
        model=names[0] if names else "",
        overall=estimate(0.6),
        columns=("column",),
        slices=tuple(
            Slice(
                (Condition("column", name),),
                n=table.n,
                share=0.1,
                share_of_errors=0.2,
                models={
                    names[0]: sliced.Against(estimate(0.5), estimate(0.6), gap, gap, 0.01, "z", 0.1)
                },
                model=names[0],
                confirmed=place == 0,
            )
            for place, (name, table) in enumerate(tables.items())
        ),
        searched=len(names),
        method="every slice",
    )
    return figures.draw_slices(scene, made), figures.slices_alt(made)


def draw_over_time(scene, tables):
    """A week for each table, and a change in the last of them."""
    size, names = len(tables), tuple(tables)
    start = tuple(str(np.datetime64("2024-01-01") + 7 * week) for week in range(size))
    track = Track("accuracy", (estimate(0.5),) * size, (estimate(0.55),) * size)
    line = Trace(np.zeros(size), np.ones(size))
    made = OverTime(
        model=names[0] if names else "",
        date="when",
        every="week",
        start=start,
        rows=np.array([table.n for table in tables.values()], float),
        metric=track,
        others=(),
        reference=estimate(0.6),
        first=1,
        plan=Looks(change=0.05),
        looks=max(size - 1, 0),
        up=line,
        down=line,
        change=Change(size - 1, size - 1, False, True, 10.0, estimate(0.5)) if size else None,
    )
    return figures.draw_over_time(scene, made), figures.over_time_alt(made)


def draw_changes(scene, tables):
    """A later file with a class of each name, judged by the first model."""
    against = sliced.Against(
        estimate(0.5), estimate(0.6), estimate(-0.1), estimate(0.8), 0.01, "z", 0.02
    )
    made = Shift(
        model=next(iter(tables), "nobody"),
        n=(100, 90),
        truth=dict.fromkeys(tables, against),
        metrics={"recall": against, "precision": sliced.NOT_JUDGED},
        p_adjusted=dict.fromkeys(tables, 0.01),
    )
    named = {name: f"share of {name}" for name in tables}
    return figures.draw_changes(scene, made, named), figures.changes_alt(made, named)


def draw_moved(scene, tables):
    moved = Moved("scores", estimate(0.2), 0.01, estimate(0.4), first(tables))
    return figures.draw_moved(scene, moved), figures.moved_alt(scene, moved)


def draw_differences(scene, tables):
    made = compared(tables)
    return figures.draw_differences(scene, made), figures.differences_alt(made)


def compared(tables):
    names = tuple(tables)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    gaps = tuple(Difference(a, b, 0.02, -0.01, 0.05, "bootstrap") for a, b in pairs)
    found = Finding(0.01, 2.0)
    tests = tuple(results.TestedPair("delong", a, b, found, 0.02) for a, b in pairs)
    return Comparison(
        metric="recall",
        metric_name=HOSTILE[0],
        better=Better.HIGHER,
        n=9,
        unit="rows",
        design=Design.PAIRED_ROWS,
        level=0.95,
        rope=0.01,
        models={name: estimate(0.7) for name in names},
        differences=gaps,
        tests=tests,
        primary="delong",
        not_applicable=(),
        order=names,
        sample_size=None,
    )


def draw_folds(scene, tables):
    rng, folded = np.random.default_rng(0), tuple(HOSTILE)
    scores = FoldScores(
        metric="recall",
        models=tuple(tables),
        score=rng.random((len(tables), len(folded))),
        fold=folded,
    )
    figure = figures.draw_fold_scores(scene, scores, "Recall", Better.HIGHER)
    return figure, figures.fold_scores_alt(scores, "Recall", Better.HIGHER)


def draw_ridges(scene, tables):
    names = tuple(tables)
    made = [drawn(name, names[k - 1] if k else "", k) for k, name in enumerate(names)]
    return figures.draw_ridges(scene, made, HOSTILE[0]), figures.ridges_alt(made, HOSTILE[0])


def draw_ridges_of_differences(scene, tables):
    names = tuple(tables)
    made = [drawn(names[0], other, k) for k, other in enumerate(names[1:])]
    return figures.draw_ridges(scene, made, HOSTILE[0], 0.01), figures.ridges_alt(made, HOSTILE[0])


def drawn(name, less, seed):
    values = np.random.default_rng(seed).normal(0.02, 0.03, 2000)
    made = percentile_bootstrap(values, 0.95)
    return Distribution(name, less, 0.02, made, Better.HIGHER)


def draw_pairwise(scene, tables):
    made = compared(tables)
    return figures.draw_pairwise(scene, made), figures.pairwise_alt(made)


def draw_slopes(scene, tables):
    places = {
        by: {name: float(k + 1) for k, name in enumerate(tables)} for by in (HOSTILE[0], "F1")
    }
    return figures.draw_slopes(scene, places, "metric"), figures.slopes_alt(places, "metric")


def draw_ranks(scene, tables):
    names = tuple(tables)
    means = tuple(1.0 + k for k in range(len(names)))
    places = {str(k): means for k in range(12)}
    made = Ranked(names, means, 1.5, (names,) if len(names) > 1 else (), places, "data sets")
    return figures.draw_ranks(scene, made), figures.ranks_alt(made)


def draw_silhouette(scene, tables):
    rng = np.random.default_rng(0)
    clusters = tuple(
        ClusterBars(name, 60, 0.3, 10, -np.sort(-rng.uniform(-0.5, 1, 60)), np.arange(1, 61), 60)
        for name in tuple(tables)[:20]
    )
    return figures.draw_silhouette(scene, clusters, 0.3), figures.silhouette_alt(clusters)


def draw_cluster_map(scene, tables):
    names = tuple(tables)
    x, y = columns(tables)
    place = np.arange(len(x))[:1500]
    made = Mapped(
        Layout(place, x[place], y[place]),
        Clustering(names=names, cluster=np.arange(len(x)) % (len(names) + 1) - 1),
        x,
        HOSTILE[0],
        HOSTILE[1],
    )
    return figures.draw_cluster_map(scene, made, next(iter(names), None)), figures.cluster_map_alt(
        made
    )


def draw_by_clusters(scene, tables):
    judged = {name: figures.Judged(k + 2, 1 / (k + 1)) for k, name in enumerate(tables)}
    figure = figures.draw_by_clusters(scene, SILHOUETTE, judged)
    return figure, figures.by_clusters_alt(SILHOUETTE, judged)


def draw_contingency(scene, tables):
    names = tuple(tables)
    codes = np.arange(200) % max(len(names), 1)
    codes = codes if names else codes[:0]
    table = Contingency.from_codes(codes, codes, names, names)
    partner = np.arange(len(names))
    return figures.draw_contingency(scene, table, partner), figures.contingency_alt(table, partner)


def draw_rounds(scene, tables):
    made = {name: Rounds(table.threshold[:20], 0.5, 0.4, 0.6) for name, table in tables.items()}
    says = Words(title="Rounds of schemes", x="error")
    return figures.draw_rounds(scene, says, made, {"aside": 0.3}), figures.rounds_alt(
        says, made, {"aside": 0.3}
    )


def draw_pooled(scene, tables):
    names = tuple(tables)[:8]
    made = Pooled("Which model?", np.arange(30.0) % max(len(names), 1), names, (0, 1))
    return figures.draw_pooled(scene, made), figures.pooled_alt(made)


FIGURES = [
    draw_roc,
    draw_precision_recall,
    draw_calibration,
    draw_expected_cost,
    draw_cost_curve,
    draw_decision_curve,
    draw_predictive_values,
    draw_optimum,
    draw_reliability,
    draw_recalibration,
    draw_scores,
    draw_intervals,
    draw_confusion,
    draw_predicted_actual,
    draw_residuals,
    draw_error_groups,
    draw_error_curve,
    draw_error_histogram,
    draw_quantile_calibration,
    draw_normal_quantiles,
    draw_bland_altman,
    draw_differences,
    draw_slices,
    draw_over_time,
    draw_changes,
    draw_moved,
    draw_folds,
    draw_ridges,
    draw_ridges_of_differences,
    draw_pairwise,
    draw_slopes,
    draw_ranks,
    draw_silhouette,
    draw_cluster_map,
    draw_by_clusters,
    draw_contingency,
    draw_pooled,
    draw_rounds,
]
every_figure = pytest.mark.parametrize("draw", FIGURES, ids=lambda draw: draw.__name__)


def texts(value):
    """Every string in a figure's JSON."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


@every_figure
def test_a_figure_is_drawn_small_with_a_title_and_a_description(draw, tables, scene_of):
    figure, alt = draw(scene_of(tables), tables)
    assert isinstance(figure, go.Figure)
    assert figure.layout.title.text
    assert figure.layout.paper_bgcolor is None, "the template decides"
    assert len(alt) > 20
    assert "nan" not in alt
    assert len(figure.to_json()) <= 64 * KILOBYTES


@every_figure
def test_a_figure_is_drawn_in_the_dark_with_the_same_data(draw, small, scene_of):
    light, dark = (
        json.loads(draw(scene_of(small, look=look), small)[0].to_json()) for look in (LIGHT, DARK)
    )
    assert dark["layout"]["title"]["text"] == light["layout"]["title"]["text"]
    assert [places(trace) for trace in dark["data"]] == [places(trace) for trace in light["data"]]


def places(trace):
    return [trace.get(axis) for axis in ("x", "y", "z")]


BETWEEN = [figure for figure in FIGURES if figure.__name__.removeprefix("draw_") in
           ("intervals", "differences", "slices", "changes", "ranks", "ridges", "pairwise",
            "slopes")]  # fmt: skip


@pytest.mark.parametrize("draw", BETWEEN, ids=lambda draw: draw.__name__)
def test_numbers_between_models_have_names_in_the_table_that_can_be_saved(draw, tables, scene_of):
    figure, _ = draw(scene_of(tables), tables)
    assert all(trace.name for trace in figure.data)
    assert figure.layout.yaxis.ticktext or not figure.data


def test_the_name_of_a_slice_is_nearer_to_its_own_interval_than_to_any_other(tables, scene_of):
    figure, _ = draw_slices(scene_of(tables), tables)
    names = [
        note for note in figure.layout.annotations if note.xref == "paper" and note.yref is None
    ]
    lines = [shape for shape in figure.layout.shapes if shape.yref == "y"]
    for row, note in enumerate(names):
        assert note.y == row
        assert note.yanchor == "bottom"
    assert len(lines) == max(0, len(names) - 1)
    for row, line in enumerate(lines):
        assert row + 0.25 < line.y0 == line.y1 < row + 0.5


@every_figure
def test_text_of_the_data_is_text_in_the_figure(draw, hostile_tables, scene_of):
    scene = scene_of(hostile_tables, positive=HOSTILE[0], negative=HOSTILE[3])
    figure, _ = draw(scene, hostile_tables)
    own_tags = (
        "<b>",
        "</b>",
        "<br>",
        "<extra></extra>",
        "<span style='font-size:12px'>",
        "</span>",
    )
    for text in texts(json.loads(figure.to_json())):
        for tag in own_tags:
            text = text.replace(tag, "")
        assert "<" not in text
        assert "$" not in text
        assert "\n" not in text
        assert "\u202e" not in text
    assert len(figure.to_json()) <= 64 * KILOBYTES


@every_figure
def test_a_template_in_the_data_is_not_filled_in(draw, scene_of):
    names = {"%{customdata}": scored(50), "other": scored(50, 1)}
    scene = scene_of(names, positive="%{y:.9f}", negative="%{y:.9f}")
    spec = draw(scene, names)[0].to_json()
    assert "{customdata}" in spec or "{y:.9f}" in spec
    assert "%{customdata}" not in spec.replace("<br>%{customdata}", "")
    assert "%{y:.9f}" not in spec


@every_figure
def test_drawing_twice_gives_the_same_figure(draw, hostile_tables, scene_of):
    scene = scene_of(hostile_tables)
    once, again = (draw(scene, hostile_tables)[0].to_json() for _ in range(2))
    assert once == again


@every_figure
def test_numbers_travel_as_arrays_not_as_lists(draw, million, scene_of):
    tables = {"a": million, "b": million}
    spec = json.loads(draw(scene_of(tables), tables)[0].to_json())
    longest = [
        len(column)
        for trace in spec["data"]
        for column in trace.values()
        if isinstance(column, list) and not texts(column)
    ]
    assert max(longest, default=0) <= 20


def test_figures_do_not_need_streamlit():
    code = (
        "import sys, evalview.figures.curves, evalview.figures.confusion, evalview.figures.curves\n"
        "import evalview.figures.calibration, evalview.figures.comparison\n"
        "import evalview.figures.curves\n"
        "assert 'streamlit' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("draw", [draw_expected_cost, draw_decision_curve])
def test_no_band_hides_the_line_of_another_model(draw):
    names = ("a", "b", "c")
    tables = {name: scored(200, seed=at) for at, name in enumerate(names)}
    scene = Scene(names=names, chosen="a", look=LIGHT)
    figure, _ = draw(scene, tables)
    bands = [at for at, trace in enumerate(figure.data) if trace.fill == "tonexty"]
    lines = [at for at, trace in enumerate(figure.data) if trace.name in names]
    assert len(lines) == 3
    assert len(bands) == 1
    assert max(bands) < min(lines)
