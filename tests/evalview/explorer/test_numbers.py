"""The numbers that the browser works out are evalcore's, at every row of every kind of table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from evalcore.intervals.closed import normal_quantile, wilson
from evalcore.metrics.decisions import F1
from evalcore.metrics.metric import Metric, Wilson
from evalcore.outcomes import Floats
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.scores import ScoreTable
from evalview.explorer.payload import CARDS, METRICS, vertices
from evalview.text import shortest_threshold
from tests.evalview.explorer.examples import TABLES, payload

pytestmark = pytest.mark.browser
Load = Callable[..., Page]

READ_TABLE = """(model) => {
    const table = decodeTable(model.table);
    return { threshold: [...table.threshold], tp: [...table.tp], fp: [...table.fp] };
}"""
COUNTS = """([model, thresholds]) => {
    const table = decodeTable(model.table);
    return thresholds.map((threshold) => {
        const { tp, fp, fn, tn } = countsAt(table, threshold);
        return [tp, fp, fn, tn];
    });
}"""
SHORT = """(model) => {
    const table = decodeTable(model.table);
    return Array.from(table.threshold, (score, row) => [score, shortAt(table, row)]);
}"""
ESTIMATES = """([keys, z, counts]) => counts.map(([tp, fp, fn, tn]) => keys.map((key) => {
    const { value, low, high } = estimate(key, { tp, fp, fn, tn }, z);
    return [value, low ?? NaN, high ?? NaN];
}))"""


def _model(table: ScoreTable) -> dict[str, Any]:
    return payload({"model": table})["models"][0]


def _sent(table: ScoreTable) -> Floats:
    return table.thinned(vertices(table)).threshold


def _counts(table: ScoreTable, thresholds: Floats) -> Floats:
    counts = table.at(thresholds)
    return np.column_stack([counts.tp, counts.fp, counts.fn, counts.tn])


@pytest.mark.parametrize("name", TABLES)
def test_a_table_arrives_as_it_was_sent(name: str, module: Load) -> None:
    table = TABLES[name]
    arrived = module("scores").evaluate(READ_TABLE, _model(table))
    thresholds = np.array(arrived["threshold"])
    exact = table.at(thresholds)
    assert np.isin(thresholds, table.threshold).all()
    assert np.array_equal(arrived["tp"], exact.tp)
    assert np.array_equal(arrived["fp"], exact.fp)


@pytest.mark.parametrize("name", TABLES)
def test_a_row_that_is_reached_gives_the_shortest_threshold_of_the_whole_table(
    name: str, module: Load
) -> None:
    table = TABLES[name]
    found = module("scores").evaluate(SHORT, _model(table))
    assert [short for _, short in found] == [shortest_threshold(table, score) for score, _ in found]


@pytest.mark.parametrize("name", TABLES)
def test_counts_are_those_of_evalcore_at_every_row_of_the_table(name: str, module: Load) -> None:
    table = TABLES[name]
    thresholds = _sent(table)
    counts = module("scores").evaluate(COUNTS, [_model(table), thresholds.tolist()])
    assert np.array_equal(counts, _counts(table, thresholds))


@pytest.mark.parametrize("name", [name for name in TABLES if "thinned" not in name])
def test_counts_are_those_of_evalcore_between_and_beyond_the_scores(
    name: str, module: Load
) -> None:
    table = TABLES[name]
    score = table.threshold
    thresholds = np.concatenate([score[:-1] / 2 + score[1:] / 2, [score[0] + 1, score[-1] - 1]])
    counts = module("scores").evaluate(COUNTS, [_model(table), thresholds.tolist()])
    assert np.array_equal(counts, _counts(table, thresholds))


def _estimates(page: Page, counts: Floats, metrics: Sequence[Metric], level: float) -> Floats:
    """Return value, lower and upper end of the metrics (rows, metrics, 3)."""
    keys = [metric.key for metric in metrics]
    return np.array(page.evaluate(ESTIMATES, [keys, normal_quantile(level), counts.tolist()]))


def _f1(page: Page, counts: Floats) -> Floats:
    return _estimates(page, counts, [F1], 0.95)[:, 0]


@pytest.mark.parametrize("name", TABLES)
def test_metrics_are_those_of_evalcore_at_every_row_of_the_table(name: str, module: Load) -> None:
    table = TABLES[name]
    rows = _counts(table, np.append(_sent(table), table.threshold[0] * 2 + 1))
    shown = _estimates(module("scores"), rows, METRICS, 0.95)
    expected = np.column_stack([metric(BinaryCounts(*rows.T)) for metric in METRICS])
    assert np.allclose(shown[:, :, 0], expected, rtol=0, atol=1e-14, equal_nan=True)
    on_cards = [METRICS.index(metric) for metric in CARDS]
    assert np.array_equal(shown[:, on_cards, 0], expected[:, on_cards], equal_nan=True)


@pytest.mark.parametrize(
    ("name", "level"),
    [*((name, 0.95) for name in TABLES), ("weighted", 0.5), ("weighted", 0.999)],
)
def test_intervals_of_proportions_are_those_of_evalcore(
    name: str, level: float, module: Load
) -> None:
    table = TABLES[name]
    rows = _counts(table, _sent(table))
    ways = [metric.interval for metric in METRICS if isinstance(metric.interval, Wilson)]
    proportions = [metric for metric in METRICS if metric.interval in ways]
    shown = _estimates(module("scores"), rows, proportions, level)
    for at, way in enumerate(ways):
        interval = wilson(*way.proportion(BinaryCounts(*rows.T)), level)
        ends = np.column_stack([interval.low, interval.high])
        assert np.allclose(shown[:, at, 1:], ends, rtol=0, atol=1e-14, equal_nan=True)


F1_ROWS: Mapping[str, tuple[float, float, float, float]] = {
    "balanced": (300, 100, 80, 520),
    "rare": (90, 60, 40, 9810),
    "poor": (40, 200, 160, 600),
    "good": (480, 12, 9, 499),
}


@pytest.mark.parametrize("name", F1_ROWS)
def test_the_interval_of_f1_agrees_with_a_bootstrap_of_the_cells(name: str, module: Load) -> None:
    cells = np.array(F1_ROWS[name])
    rng = np.random.default_rng(0)
    tp, fp, fn, _ = rng.multinomial(int(cells.sum()), cells / cells.sum(), 40_000).T
    drawn = np.quantile(2 * tp / (2 * tp + fp + fn), [0.025, 0.975])
    _, low, high = _f1(module("scores"), cells[np.newaxis])[0]
    assert np.allclose([low, high], drawn, atol=0.1 * (drawn[1] - drawn[0]))


def test_the_interval_of_f1_covers_as_often_as_it_says(module: Load) -> None:
    rng = np.random.default_rng(1)
    cells = np.array([0.06, 0.05, 0.04, 0.85])
    f1 = 0.12 / 0.21
    drawn = rng.multinomial(400, cells, 4000).astype(np.float64)
    intervals = _f1(module("scores"), drawn)
    covered = (intervals[:, 1] <= f1) & (f1 <= intervals[:, 2])
    assert 0.94 <= covered.mean() <= 0.965


def test_the_interval_of_f1_never_leaves_its_range_and_holds_its_value(module: Load) -> None:
    cells = np.array(np.meshgrid([0, 1, 7], [0, 2, 9], [0, 2], [0, 5])).reshape(4, -1).T
    value, low, high = _f1(module("scores"), cells.astype(float)).T
    defined = ~np.isnan(value)
    assert np.array_equal(defined, cells[:, :3].sum(axis=1) > 0)
    assert ((low >= 0) & (low <= value) & (value <= high) & (high <= 1))[defined].all()


STOPS = """({ table: encoded, axis: scale }) => {
    const table = decodeTable(encoded);
    const axis = makeAxis(table, scale);
    const model = { table, axis };
    return [...table.threshold].map((threshold) => {
        const place = placeOf(model, threshold);
        return [place, placeOf(model, table.threshold[nearestRow(axis, place)])];
    });
}"""


@pytest.mark.parametrize("name", TABLES)
def test_the_slider_stops_at_every_score_and_lower_scores_stand_further_left(
    name: str, module: Load
) -> None:
    place, stop = np.array(module("scores").evaluate(STOPS, _model(TABLES[name]))).T
    assert np.array_equal(place, stop)
    assert (np.diff(place) < 0).all()
    assert ((place >= 0) & (place <= 1)).all()


def test_scores_that_lie_too_far_apart_stand_by_rank() -> None:
    kinds = {name: _model(table)["axis"]["kind"] for name, table in TABLES.items()}
    assert [name for name, kind in kinds.items() if kind == "rank"] == ["huge"]
