"""Which model leads, and over which others that can be said for sure.

The leader is the model with the best value. Since it was picked for that, each comparison with
another one is made at a level that allows for all pairs of models (Bonferroni), on the rows that
both have.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from evalcore.decided import Way, decided
from evalcore.intake.model import Dataset
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Codes, Floats
from evalcore.resampling.delong import delong_interval, delong_pair
from evalcore.resampling.interval import normal_quantile
from evalcore.tables.areas import roc_area
from evalcore.tables.scores import ScoreTable

FEWEST_ROWS = 10
"""With fewer rows, or fewer of either class for AUC, nothing is said for sure."""

Judged = BinaryOutcomes | ClassOutcomes
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Gap:
    """How far the leader is ahead of another model, on the rows that both have.

    Attributes:
        model: The other model.
        difference: The leader's value minus the other's.
        low: Lower end of the interval that allows for all pairs of models; NaN if there is none.
        high: Upper end of it.
        n: Rows that both have.
    """

    model: str
    difference: float
    low: float
    high: float
    n: int

    @property
    def sure(self) -> bool:
        """Whether these rows show that the leader is better."""
        return self.low > 0


@dataclass(frozen=True)
class Leader:
    """The model with the best value, and its gap to each of the others.

    Attributes:
        model: The leader.
        metric: Key of what was compared: "roc_auc" or "accuracy".
        value: The leader's value, on its own rows.
        gaps: One per other model, the closest first.
        level: Level at which all the intervals hold together.
        way: Where the decisions came from, for accuracy.
    """

    model: str
    metric: str
    value: float
    gaps: tuple[Gap, ...]
    level: float
    way: Way | None = None

    @property
    def ahead_of(self) -> tuple[str, ...]:
        """Models that are worse for sure."""
        return tuple(gap.model for gap in self.gaps if gap.sure)

    @property
    def level_with(self) -> tuple[str, ...]:
        """Models that these rows cannot tell from the leader."""
        return tuple(gap.model for gap in self.gaps if not gap.sure)


def leader(dataset: Dataset, level: float = 0.95) -> Leader | None:
    """Compare models by AUC where they give scores of a yes-or-no question, else by accuracy.

    Models that do not give what is compared are left out; None where no value is defined.
    """
    judged = {
        name: outcomes
        for name, outcomes in dataset.models.items()
        if isinstance(outcomes, BinaryOutcomes | ClassOutcomes)
    }
    scored = {
        name: outcomes
        for name, outcomes in judged.items()
        if isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
    }
    return _by_area(scored, level) if scored else _by_accuracy(judged, level)


def _by_area(models: Mapping[str, BinaryOutcomes], level: float) -> Leader | None:
    values = {name: roc_area(_table(outcomes)) for name, outcomes in models.items()}
    strict = _level_of_each(len(models), level)

    def gap(best: str, other: str) -> Gap:
        first, second = models[best], models[other]
        here, there = _shared_rows(first, second)
        scores = _score(first)[here], _score(second)[there]
        weight = None if first.weight is None else first.weight[here]
        return replace(area_gap(scores, first.truth[here], weight, strict), model=other)

    return _lead("roc_auc", values, gap, level)


def _by_accuracy(models: Mapping[str, Judged], level: float) -> Leader | None:
    way, able = _common_way(models)
    values = {name: _accuracy(outcomes, way) for name, outcomes in able.items()}
    strict = _level_of_each(len(able), level)

    def gap(best: str, other: str) -> Gap:
        here, there = _shared_rows(able[best], able[other])
        surplus = _right(able[best], way)[here] - _right(able[other], way)[there]
        return replace(accuracy_gap(surplus, _weights(able[best])[here], strict), model=other)

    found = _lead("accuracy", values, gap, level)
    return found and replace(found, way=way)


def _lead(
    metric: str, values: Mapping[str, float], gap: Callable[[str, str], Gap], level: float
) -> Leader | None:
    defined = {name: value for name, value in values.items() if not np.isnan(value)}
    if not defined:
        return None
    best = max(defined, key=lambda name: defined[name])
    gaps = sorted((gap(best, name) for name in defined if name != best), key=_size)
    return Leader(best, metric, defined[best], tuple(gaps), level)


def _size(gap: Gap) -> float:
    return gap.difference


def _level_of_each(models: int, level: float) -> float:
    return 1 - (1 - level) / max(1, comb(models, 2))


def area_gap(
    scores: tuple[Floats, Floats], truth: Codes, weight: Floats | None, level: float
) -> Gap:
    """Return first minus second AUC of two (n,) scores of the same rows.

    Where the rows show no variation, the interval is what the intervals of both leave between
    them. Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44(3).
    """
    pair = delong_pair(scores[1], scores[0], truth, weight)
    tables = [ScoreTable.from_scores(score, truth, weight) for score in scores]
    if min(tables[0].positives, tables[0].negatives) < FEWEST_ROWS:
        return Gap("", pair.difference, np.nan, np.nan, len(truth))
    reach = normal_quantile(level) * float(np.sqrt(pair.variance_of_difference))
    low, high = pair.difference - reach, pair.difference + reach
    if reach == 0 and pair.difference != 0:
        one, other = (delong_interval(table, level) for table in tables)
        low, high = float(one.low) - float(other.high), float(one.high) - float(other.low)
    return Gap("", pair.difference, low, high, len(truth))


def accuracy_gap(surplus: Floats, weight: Floats, level: float) -> Gap:
    """Return first minus second accuracy of two models on the same n rows.

    `surplus` is 1 where only the first is right, -1 where only the second is, else 0. Each of the
    four cells has half a row added. Source: Agresti and Min (2005), Statistics in Medicine 24(5).

    >>> gap = accuracy_gap(np.repeat([1.0, -1.0, 0.0], [30, 10, 60]), np.ones(100), 0.95)
    >>> gap.difference, round(gap.low, 3), round(gap.high, 3)
    (0.2, 0.079, 0.313)
    """
    n, wins, losses = (float(weight[rows].sum()) for rows in (..., surplus > 0, surplus < 0))
    if n < FEWEST_ROWS:
        return Gap("", (wins - losses) / n if n else np.nan, np.nan, np.nan, len(weight))
    more = n + 2
    middle = (wins - losses) / more
    variance = ((wins + losses + 1) / more - middle**2) / more
    reach = normal_quantile(level) * float(np.sqrt(variance))
    return Gap("", (wins - losses) / n, middle - reach, middle + reach, len(weight))


def _common_way(models: Mapping[str, Judged]) -> tuple[Way, Mapping[str, Judged]]:
    """Return the way of deciding that most models know, and those models; labels on a tie."""
    labelled = {name: o for name, o in models.items() if o.label is not None}
    likely = {
        name: outcomes
        for name, outcomes in models.items()
        if isinstance(outcomes, ClassOutcomes) and outcomes.probabilities is not None
    }
    return ("argmax", likely) if len(likely) > len(labelled) else ("labels", labelled)


def _shared_rows(first: Judged, second: Judged) -> tuple[Places, Places]:
    """Return where in each model the rows are that both have."""
    if first.rows is None and second.rows is None:
        return np.arange(first.n), np.arange(second.n)
    one, other = (np.arange(1, o.n + 1) if o.rows is None else o.rows for o in (first, second))
    _, here, there = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    return here, there


def _score(outcomes: BinaryOutcomes) -> Floats:
    assert outcomes.score is not None
    return outcomes.score


def _table(outcomes: BinaryOutcomes) -> ScoreTable:
    return ScoreTable.from_scores(_score(outcomes), outcomes.truth, outcomes.weight)


def _right(outcomes: Judged, way: Way) -> Floats:
    """Return (n,) ones where the decision is right."""
    right: Floats = np.equal(decided(outcomes, way), outcomes.truth).astype(np.float64)
    return right


def _weights(outcomes: Judged) -> Floats:
    return np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight


def _accuracy(outcomes: Judged, way: Way) -> float:
    weight = _weights(outcomes)
    total = float(weight.sum())
    return float((_right(outcomes, way) * weight).sum()) / total if total else np.nan
