"""Models by their mean rank over data sets or folds, and which of them lie too near each other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from evalcore.comparison.from_folds import shared_folds
from evalcore.comparison.letters import alike
from evalcore.comparison.many import critical_difference
from evalcore.comparison.metrics import compared
from evalcore.comparison.spec import Design
from evalcore.fold_scores import FoldScores


@dataclass(frozen=True)
class Ranked:
    """Mean ranks of M models, the best first.

    Attributes:
        order: Model names.
        mean_ranks: Mean rank of each, 1 being the best.
        critical_difference: How far apart two must be for Nemenyi's test to tell them apart.
        groups: Runs of two models or more that lie nearer to each other.
        places: Of each data set or fold, by its name, the rank of each model in that order.
        unit: Which of them; folds share training rows, so that the test is too sure of itself.
    """

    order: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    critical_difference: float
    groups: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[float, ...]]
    unit: Literal["data sets", "folds"]

    @property
    def n(self) -> int:
        """Number of data sets or folds."""
        return len(self.places)


def ranked(scores: FoldScores, level: float = 0.95) -> Ranked:
    """Rank models on each data set, or each fold of a single one, and take the means.

    Source: Demšar (2006), Journal of Machine Learning Research 7.

    Raises:
        EvalError: No fold has a score of every model.
    """
    shared = shared_folds(scores)
    blocks = shared.blocks(compared(scores.metric).better)
    means = blocks.mean_ranks
    order = sorted(range(len(means)), key=lambda place: float(means[place]))
    ranks = tuple(float(means[place]) for place in order)
    places = dict(zip(shared.labels, map(tuple, blocks.ranks[:, order].tolist()), strict=True))
    distance = critical_difference(len(ranks), len(places), level)
    names = tuple(scores.models[place] for place in order)
    return Ranked(
        names,
        ranks,
        distance,
        alike(names, lambda one, other: ranks[other] - ranks[one] < distance),
        {label: places[label] for label in sorted(places, key=_in_numbers)},
        "data sets" if shared.design is Design.DATASETS else "folds",
    )


def _in_numbers(label: str) -> list[str | int]:
    """Return a key that puts fold 2 before fold 10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", label)]
