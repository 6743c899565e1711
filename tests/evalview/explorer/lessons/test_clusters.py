"""Clusters: silhouettes and agreement are those of scikit-learn and evalcore."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from sklearn import metrics as sk

from evalcore.metrics import clusters as ours
from evalcore.tables.contingency import Contingency
from tests.evalview.explorer.lessons.staging import Load, Staged, numbers

pytestmark = pytest.mark.browser

CLASSES = np.repeat([0, 1, 2], 3)


def agreement(found: dict[str, Any], labels: list[int]) -> None:
    theirs = {
        "rand": sk.rand_score(CLASSES, labels),
        "adjusted": sk.adjusted_rand_score(CLASSES, labels),
        "homogeneity": sk.homogeneity_score(CLASSES, labels),
        "completeness": sk.completeness_score(CLASSES, labels),
    }
    assert {name: found[name] for name in theirs} == pytest.approx(theirs, abs=1e-12)
    codes = np.unique(labels, return_inverse=True)[1]
    table = Contingency.from_codes(CLASSES, codes, tuple("ABC"), tuple(map(str, set(labels))))
    assert found["purity"] == pytest.approx(ours.PURITY.compute(table))
    pairs = table.pairs()
    counts = [found[name] for name in ("both", "classOnly", "clusterOnly", "apart")]
    assert counts == [pairs.tp, pairs.fn, pairs.fp, pairs.tn]


@pytest.mark.parametrize("seed", range(8))
def test_every_number_is_that_of_scikit_learn_and_evalcore(seed: int, module: Load) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 9, (9, 2))
    labels = [*rng.permutation([1, 2, 3]).tolist(), *rng.integers(1, 5, 6).tolist()]
    state = {"x": points[:, 0].tolist(), "y": points[:, 1].tolist(), "clusters": labels}
    found = numbers(module("clusters"), "clusters", **state)
    samples = sk.silhouette_samples(points, labels)
    assert found["silhouettes"] == pytest.approx(samples.tolist())
    assert found["silhouette"] == pytest.approx(samples.mean())
    agreement(found, labels)


@pytest.mark.parametrize("labels", [list(range(1, 10)), [1] * 9])
def test_the_ends_each_point_alone_and_one_cluster(labels: list[int], module: Load) -> None:
    found = numbers(module("clusters"), "clusters", clusters=labels)
    agreement(found, labels)
    assert found["silhouette"] == found["s"] == "NaN"
    assert found["adjusted"] == 0


def test_what_is_to_notice_is_so(module: Load) -> None:
    page = module("clusters")
    mixed = numbers(page, "clusters", clusters=[1, 1, 1, 2, 2, 2, 2, 2, 2])
    assert [round(mixed[name], 3) for name in ("purity", "homogeneity")] == [0.667, 0.579]
    across = numbers(page, "clusters", clusters=[1, 2, 3] * 3)
    assert across["rand"] == 0.5
    assert across["adjusted"] < 0


def test_a_dragged_point_is_the_chosen_one_and_is_put_elsewhere(blank: Page) -> None:
    staged = Staged(blank, "clusters")
    assert staged.says.startswith("Point 2 is on average")
    staged.slider("Point 7").press("ArrowLeft")
    assert staged.says.startswith("Point 7 is on average")
    blank.get_by_role("button", name="1", exact=True).click()
    assert staged.told[-1].endswith("clusters~1_1_1_2_2_2_1_3_3~chosen~7")
    assert "its silhouette is −0." in staged.says
    staged.show("clusters~1_1_1_1_1_1_1_1_1")
    assert "no silhouette is defined" in staged.says
