"""Inputs that every figure must stand: nothing, one row, a million rows, names that bite."""

import numpy as np
import pytest

from evalcore.metrics.metric import Estimate
from evalcore.tables.scores import ScoreTable
from evalview.figures.theme import Scene

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "$x$",
    "%{customdata}",
    ":red[x]",
    "=HYPERLINK(1)",
    "a\nb\u202ec",
    "<a href='https://example.org'>click</a>",
    "x" * 3000,
    "",
)


def scored(n, seed=0, levels=None):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(np.int8)
    score = np.clip(rng.normal(0.35 + 0.3 * truth, 0.2), 0, 1)
    if levels:
        score = np.round(score * levels) / levels
    return ScoreTable.from_scores(truth, score)


def estimate(value):
    return Estimate(value, max(0, value - 0.02), min(1, value + 0.02), "bootstrap", 0.95)


@pytest.fixture(scope="session")
def million():
    return scored(1_000_000)


@pytest.fixture(scope="session")
def small():
    return {"a": scored(40), "b": scored(40, 1, 5)}


@pytest.fixture(scope="session")
def sizes(small, million):
    one = np.array([0.7])
    return {
        "empty": {},
        "one row": {"only": ScoreTable.from_scores(np.array([1], np.int8), one)},
        "one class": {"only": ScoreTable.from_scores(np.array([0], np.int8), one)},
        "small": small,
        "many models": {f"model {i}": scored(3000, i) for i in range(40)},
        "huge": {f"model {i}": million for i in range(10)},
    }


@pytest.fixture(params=["empty", "one row", "one class", "small", "many models", "huge"])
def tables(request, sizes):
    return sizes[request.param]


@pytest.fixture(scope="session")
def hostile_tables():
    return {name: scored(60, place) for place, name in enumerate(HOSTILE)}


@pytest.fixture
def scene_of():
    def make(names, **more):
        names = tuple(names) or ("nobody",)
        return Scene(names=names, chosen=names[0], threshold=0.5, **more)

    return make
