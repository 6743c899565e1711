"""Score tables of every kind that the explorer meets, by name."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from evalcore.curves.costs import UnitCosts, cheapest
from evalcore.metrics.decisions import BEST_F1, BEST_YOUDEN, F1
from evalcore.metrics.metric import Estimate
from evalcore.results import Estimates
from evalcore.tables.scores import ScoreTable
from evalview.explorer.band import RocBand
from evalview.explorer.payload import (
    METRICS,
    Chosen,
    Costs,
    Drawn,
    Explored,
    moving_payload,
    static_payload,
)
from evalview.figures.theme import model_style

AUC = Estimate(0.93, low=0.92, high=0.94)
AVERAGE_PRECISION = Estimate(0.74, low=0.7, high=0.77)


CURVES_ALONE = Drawn(lines=())


def random_table(
    n: int, *, seed: int = 0, shift: float = 2.0, weighted: bool = False
) -> ScoreTable:
    """Return the table of n rows, a sixth of them positive, whose scores are probabilities."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 1 / 6).astype(np.int8)
    score = 1 / (1 + np.exp(0.6 - shift * (truth - 0.5) - rng.normal(0, 1.3, n)))
    weight = rng.integers(0, 9, n) / 4 if weighted else None
    return ScoreTable.from_scores(truth, score, weight)


def _table(truth: list[int], score: list[float]) -> ScoreTable:
    return ScoreTable.from_scores(np.array(truth, dtype=np.int8), np.array(score, dtype=np.float64))


def _logits() -> ScoreTable:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 900)
    return ScoreTable.from_scores(truth, rng.normal(2 * truth - 1, 3))


TABLES: Mapping[str, ScoreTable] = {
    "distinct scores": random_table(700),
    "tied scores": _table([1, 1, 0, 1, 0, 0, 0, 1], [0.9, 0.9, 0.9, 0.5, 0.5, 0.1, 0.1, 0.1]),
    "positives only": _table([1, 1, 1], [0.9, 0.4, 0.4]),
    "negatives only": _table([0, 0, 0], [0.9, 0.4, 0.4]),
    "constant": _table([1, 0, 0, 1, 0, 0], [0.5] * 6),
    "logits": _logits(),
    "huge": _table([0, 1, 1, 0, 1, 0, 0], [-1e300, 1e300, 1.0, 2.0, 2.5, -3.0, 1e-300]),
    "three rows": _table([0, 1, 1], [0.2, 0.8, 0.4]),
    "perfect": _table([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]),
    "upside down": _table([0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1]),
    "weighted": random_table(700, weighted=True),
    "thinned": random_table(60_000, seed=2),
    "thinned and weighted": random_table(20_000, seed=3, weighted=True),
}


def explored(
    name: str, table: ScoreTable, position: int = 0, band: RocBand | None = None
) -> Explored:
    """Return a model as the explorer takes it; its AUC and AP are made up."""
    optima = {metric.key: metric.estimate(table) for metric in (BEST_F1, BEST_YOUDEN)}
    ranking = {"roc_auc": AUC, "average_precision": AVERAGE_PRECISION, **optima}
    return Explored(
        name,
        model_style(position),
        table,
        ranking,
        band,
    )


def _cheapest(of: tuple[float, float, float, float], table: ScoreTable) -> float:
    tn, fp, fn, tp = of
    share = table.positives / (table.n or 1)
    given = None if math.isnan(fn) else UnitCosts(tn, fp, fn, tp, share)
    return math.nan if given is None else cheapest(table, given).threshold


def payload(
    tables: Mapping[str, ScoreTable],
    *,
    threshold: float = 0.5,
    own: Sequence[float] | None = None,
    drawn: Drawn = CURVES_ALONE,
    classes: tuple[str, str] = ("honest", "fraud"),
    key: str = "example",
    of: tuple[float, float, float, float] | None = None,
) -> dict[str, object]:
    """Return what the explorer is fed with; the first model is the chosen one."""
    models = [explored(name, table, at) for at, (name, table) in enumerate(tables.items())]
    nothing_drawn: Estimates = {F1.key: Estimate(0.5)}
    chosen = Chosen(
        model=models[0].name,
        thresholds=own or [threshold] * len(models),
        own=own is not None,
        drawn=drawn,
    )
    costs = (
        None if of is None else Costs(of, None, 1000, [_cheapest(of, t) for t in tables.values()])
    )
    moving = moving_payload(list(tables.values()), [nothing_drawn] * len(models), chosen, costs)
    still = static_payload(
        key,
        models,
        classes=classes,
        level=0.95,
        styles=[model_style(at) for at in range(len(METRICS))],
    )
    return still | moving
