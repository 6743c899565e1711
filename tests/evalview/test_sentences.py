"""Headlines: right in direction and strength, and silent where the rows are."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore.compare import compare
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.results import ModelTables
from evalcore.tables.scores import ScoreTable
from evalread.loading import load
from evalview import sentences


def area(value):
    return Estimate(value, max(0, value - 0.05), min(1, value + 0.05), "delong", 0.95)


SCORED = ModelTables(
    n=500,
    classes=("no", "yes"),
    scores=ScoreTable.from_scores(np.arange(20, dtype=np.int8) % 2, np.arange(20.0)),
)
FEW = replace(
    SCORED, n=10, scores=ScoreTable.from_scores(np.arange(10, dtype=np.int8) % 2, np.arange(10.0))
)
LABELLED = ModelTables(n=500, classes=("no", "yes"))

HEADLINES = [
    (Estimate(float("nan")), SCORED, "No model can be ranked here", ""),
    (area(0.9), SCORED, "A ranks 90 of 100 pairs right", "ROC AUC 0.900 (0.850 to 0.950)."),
    (area(1.0), SCORED, "A ranks all pairs right", "ROC AUC 1.000 (0.950 to 1.000)."),
    (area(0.56), FEW, "A ranks 14 of 25 pairs right", None),
    (area(0.9999), SCORED, "A ranks more than 99 of 100 pairs right", None),
    (area(0.4), SCORED, "A ranks 40 of 100 pairs right, worse than chance", None),
    (area(0.48), SCORED, "A ranks 48 of 100 pairs right, which chance may explain", None),
    (area(0.54), SCORED, "A ranks 54 of 100 pairs right, which chance may explain", None),
    (Estimate(0.963), LABELLED, "A is right on 96.3% of 500 rows", "Accuracy 0.963."),
]


@pytest.mark.parametrize(("own", "tables", "says", "below"), HEADLINES)
def test_a_single_model_is_judged_at_a_glance(own, tables, says, below):
    said, evidence = sentences.alone("A", own, tables)
    assert said == says
    assert below in (None, evidence)


def test_where_decisions_come_from_is_said():
    assert sentences.decided_by("threshold", ("honest", "fraud"), 0.34) == (
        "Called fraud when the score is at least 0.34."
    )
    assert "own labels" in sentences.decided_by("labels", ("a", "b"), 0.5)
    assert "largest probability" in sentences.decided_by("argmax", ("a", "b", "c"), 0.5)


def test_how_far_models_are_apart_names_the_rows_that_both_have() -> None:
    """What one of them predicts alone counts in its own number, which stands beside."""
    rng = np.random.default_rng(1)
    truth = rng.normal(100, 20, 80)
    one, other = (truth + rng.normal(0, spread, 80) for spread in (5, 5.2))
    one[:6] = np.nan
    file = pd.DataFrame({"truth": truth, "one_pred": one, "other_pred": other}).to_csv(index=False)
    dataset = load([("houses.csv", file.encode())])
    said = sentences.difference(compare(dataset, Options()))
    shared = ~np.isnan(one)
    values = [float(np.sqrt(np.mean((x - truth)[shared] ** 2))) for x in (one, other)]
    here = " against ".join(f"{value:.3f}" for value in sorted(values))
    assert re.search(rf" on the 74 rows that all have \({here}\)$", said)
    whole = load([("houses.csv", file.replace(",,", ",100,").encode())])
    assert "that all have" not in sentences.difference(compare(whole, Options()))


def test_by_which_metric_another_model_does_better_is_named():
    rng = np.random.default_rng(0)
    truth = rng.normal(10, 3, 400)
    near = truth + rng.normal(0, 0.5, 400)
    near[:4] += 30  # as much in the squares as all errors of the other model
    far = truth + rng.normal(0, 3, 400)
    data = pd.DataFrame({"truth": truth, "near_pred": near, "far_pred": far}).round(3)
    dataset = load([("f.csv", data.to_csv(index=False).encode())])
    by_squares, by_sizes = (compare(dataset, Options(), metric=key) for key in ("rmse", "mae"))
    assert by_squares.verdict.winner is None
    said, besides = sentences.verdict(by_squares, [by_sizes])
    assert "too close to call" in said
    assert besides == "near predicts closer than far, by mean absolute error"


def test_models_that_are_each_closer_by_one_metric_are_told_with_its_name():
    rng = np.random.default_rng(0)
    truth = rng.normal(10, 3, 2000)
    near, far = truth + rng.normal(0, 0.5, 2000), truth + rng.normal(0, 3, 2000)
    near[:200] += 14
    data = pd.DataFrame({"truth": truth, "near_pred": near, "far_pred": far}).round(3)
    dataset = load([("f.csv", data.to_csv(index=False).encode())])
    by_squares, by_sizes = (compare(dataset, Options(), metric=key) for key in ("rmse", "mae"))
    said, _ = sentences.verdict(by_squares, [by_sizes])
    assert said == (
        "No single best: far predicts closer by root mean squared error, "
        "but near predicts closer by mean absolute error"
    )
