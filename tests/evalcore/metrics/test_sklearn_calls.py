"""Every call of scikit-learn gives the number of the metric beside which it stands."""

from typing import Any

import numpy as np
import pytest

from evalcore.clustering.points import condense
from evalcore.metrics.catalog import AGREEMENT, METRICS, POINTS, by_key
from evalcore.metrics.metric import Family, Metric
from evalcore.outcomes import Points
from evalcore.tables.contingency import Contingency
from evalview.explained.snippets import sklearn_call, sklearn_imports

CALLED = [m for m in METRICS if sklearn_call(m)]


def result(call: str, **given: Any) -> float:
    space: dict[str, Any] = dict(given)
    exec(sklearn_imports(call), space)
    return float(eval(call, space))


@pytest.fixture(scope="module")
def clustered() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 90)
    cluster = np.where(rng.random(90) < 0.7, truth, rng.integers(0, 4, 90))
    return truth, cluster, rng.normal(size=(90, 2)) + 2 * truth[:, np.newaxis]


@pytest.mark.parametrize("metric", [m for m in AGREEMENT if sklearn_call(m)], ids=lambda m: m.key)
def test_calls_of_agreement(metric: Metric, clustered):
    truth, cluster, _ = clustered
    table = Contingency.from_codes(truth, cluster, tuple("abc"), tuple("1234"))
    theirs = result(sklearn_call(metric), truth=truth, cluster=cluster)
    assert metric(table) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("metric", [m for m in POINTS if sklearn_call(m)], ids=lambda m: m.key)
def test_calls_of_points(metric: Metric, clustered):
    _, cluster, features = clustered
    points = Points(names=tuple("1234"), cluster=cluster, features=features)
    made = condense(points, rng=np.random.default_rng(0))
    table = next(t for t in (made.silhouette, made.centroids) if isinstance(t, metric.needs))
    theirs = result(sklearn_call(metric), features=features, cluster=cluster)
    assert metric(table) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("metric", CALLED, ids=lambda m: f"{m.family.value}.{m.key}")
def test_a_call_imports_what_it_uses(metric: Metric):
    for classes in (2, 3):
        if call := sklearn_call(metric, classes=classes):
            exec(sklearn_imports(call), space := {})
            assert any(name in call for name in space)


def test_every_family_has_calls():
    assert {m.family for m in CALLED} == set(Family)


@pytest.mark.parametrize("key", ["medae", "max_error", "roc_auc_hand_till"])
def test_a_call_that_takes_no_weights_is_not_shown_for_weighted_rows(key: str):
    classes = 3 if key == "roc_auc_hand_till" else 2
    assert sklearn_call(by_key()[key], classes=classes)
    assert not sklearn_call(by_key()[key], classes=classes, weighted=True)


def test_weights_are_passed_on_only_where_there_are_some():
    recall = by_key()["recall"]
    assert sklearn_call(recall) == "recall_score(truth, decision)"
    assert sklearn_call(recall, weighted=True).endswith("sample_weight=weight)")
