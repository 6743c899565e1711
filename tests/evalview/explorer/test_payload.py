"""What is sent is exact, small and plain."""

import base64
import json
import math
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from evalcore.intervals.closed import wilson
from evalcore.metrics.decisions import BEST_F1, BEST_YOUDEN
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable
from evalview.explorer.band import Ties
from evalview.explorer.payload import model_payload
from evalview.text import shortest_threshold
from tests.evalcore.strategies import Scored, with_both_classes
from tests.evalview.explorer.examples import TABLES, explored, payload, random_table


@pytest.mark.parametrize("name", TABLES)
def test_it_is_strict_json(name: str) -> None:
    text = json.dumps(payload({"model": TABLES[name]}), allow_nan=False)
    assert json.loads(text)["models"][0]["label"] == "model"


def test_a_model_of_many_rows_takes_at_most_64_kb() -> None:
    for weighted in (False, True):
        data = payload({"model": random_table(300_000, weighted=weighted)})
        assert len(json.dumps(data)) <= 64 * 1024


def test_the_best_thresholds_are_those_of_the_whole_table() -> None:
    table = TABLES["thinned"]
    presets = payload({"m": table})["models"][0]["presets"]
    assert {preset["label"]: preset["threshold"] for preset in presets} == {
        "best F1": shortest_threshold(table, BEST_F1.estimate(table).at),
        "Youden": shortest_threshold(table, BEST_YOUDEN.estimate(table).at),
    }


def test_where_flagging_nothing_is_cheapest_no_threshold_is_sent() -> None:
    table = TABLES["thinned"]
    (sent,) = payload({"m": table}, of=(0, 1, 0, 0))["costs"]["cheapest"]
    assert sent["threshold"] is None
    assert sent["why"].endswith(": flag nothing.")


def test_before_a_miss_has_a_cost_no_threshold_is_called_cheapest() -> None:
    told = payload({"m": TABLES["thinned"]}, of=(0, 1, math.nan, 0))["costs"]
    assert told["fn"] is None
    assert told["cheapest"] == [{"threshold": None, "why": "Enter the cost of a miss first."}]


def test_the_rows_that_the_presets_lead_to_travel() -> None:
    table = TABLES["thinned"]
    flagged = table.tp + table.fp
    wanted = {
        BEST_F1.estimate(table).at,
        BEST_YOUDEN.estimate(table).at,
        table.threshold[np.argmax(table.tp >= 0.9 * table.positives)],
        table.threshold[table.tp / flagged >= 0.9][-1],
        table.threshold[flagged / table.n <= 0.05][-1],
        table.threshold[flagged <= 100][-1],
    }
    assert wanted <= set(_sent(payload({"m": table})["models"][0]))


def _sent(model: dict[str, Any]) -> NDArray[np.float64]:
    return np.frombuffer(base64.b64decode(model["table"]["threshold"]["f8"]), "<f8")


def test_a_best_threshold_that_does_not_exist_is_sent_with_the_reason() -> None:
    presets = payload({"m": TABLES["negatives only"]})["models"][0]["presets"]
    assert presets[1] == {
        "label": "Youden",
        "threshold": None,
        "why": "Highest recall + specificity on these rows: undefined here.",
    }


def test_what_is_said_of_the_threshold_is_exact_for_every_model() -> None:
    tables = {name: TABLES[name] for name in ("thinned", "thinned and weighted")}
    for threshold in (0.123456789, -5.0, 2.0):
        at = payload(tables, threshold=threshold)["at"]
        for counts, table in zip(at, tables.values(), strict=True):
            assert (counts["tp"], counts["fp"]) == (table.at(threshold).tp, table.at(threshold).fp)


@pytest.mark.parametrize("name", TABLES)
def test_the_bins_hold_every_row_once_and_fill_the_slider(name: str) -> None:
    table: ScoreTable = TABLES[name]
    bins = payload({"m": table})["models"][0]["histogram"]
    assert sum(bin_["positives"] for bin_ in bins) == table.positives
    assert sum(bin_["negatives"] for bin_ in bins) == table.negatives
    assert (bins[0]["left"], bins[-1]["right"]) == (0, 1)
    assert all(one["right"] == other["left"] for one, other in pairwise(bins))


def test_rows_that_depend_on_each_other_widen_the_intervals_of_every_threshold() -> None:
    table = random_table(200)
    alone, grouped = (replace(explored("m", table), effective=share) for share in (1.0, 0.25))
    assert model_payload(grouped, 0.95)["z"] == 2 * model_payload(alone, 0.95)["z"]
    k, n, z = 30, 40, model_payload(grouped, 0.95)["z"]
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    # As if a quarter of the rows were there, as many of them right.
    wanted = wilson(k / 4, n / 4)
    assert (centre - half, centre + half) == pytest.approx((wanted.low, wanted.high))


def test_names_with_hidden_characters_are_made_visible_but_answered_as_they_are() -> None:
    data = payload({"a\u202eb": TABLES["three rows"]}, classes=("no\n", "yes"))
    assert data["models"][0]["name"] == data["chosen"] == "a\u202eb"
    assert data["models"][0]["label"] == "a⟨U+202E⟩b"
    assert data["classes"] == ["no␊", "yes"]


def test_the_best_and_the_worst_order_are_those_of_every_order_tried() -> None:
    score = np.array([3.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0])
    truth = np.array([1, 1, 0, 0, 0, 1, 1])
    areas = []
    for within in permutations(range(7)):
        if np.all(np.diff(score[list(within)]) <= 0):
            areas.append(
                roc_area(ScoreTable.from_scores(truth[list(within)], np.arange(7, 0, -1.0)))
            )
    ties = Ties.of(ScoreTable.from_scores(truth, score))
    assert np.allclose([ties.low, ties.high], [min(areas), max(areas)])
    assert ties.share == 6 / 7


@given(with_both_classes())
def test_the_area_lies_halfway_and_the_boxes_make_the_difference(data: Scored) -> None:
    table = ScoreTable.from_scores(data.truth, data.score, data.weight)
    ties = Ties.of(table)
    assert np.isclose((ties.low + ties.high) / 2, roc_area(table))
    left, bottom, right, top = ties.boxes.T
    assert np.isclose(ties.high - ties.low, ((right - left) * (top - bottom)).sum())
    assert (np.diff((right - left) * (top - bottom)) <= 1e-12).all()


def test_rows_of_one_class_that_share_a_score_leave_nothing_open() -> None:
    ties = Ties.of(ScoreTable.from_scores(np.array([1, 1, 0, 0]), np.array([2.0, 2.0, 1.0, 1.0])))
    assert (ties.share, ties.low, ties.high, len(ties.boxes)) == (0, 1, 1, 0)


def test_constant_scores_leave_everything_open() -> None:
    ties = Ties.of(ScoreTable.from_scores(np.array([1, 0, 1, 0]), np.full(4, 0.5)))
    assert (ties.share, ties.low, ties.high, ties.boxes.tolist()) == (1, 0, 1, [[0, 0, 1, 1]])


def test_one_class_has_ties_of_neither_kind() -> None:
    for score in ([], [1.0, 1.0]):
        table = ScoreTable.from_scores(np.ones(len(score), np.int8), np.array(score))
        ties = Ties.of(table)
        assert np.isnan([ties.low, ties.high]).all()
        assert len(ties.boxes) == 0
