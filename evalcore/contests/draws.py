"""The values of models over resamples of their rows, each made when it is first asked for."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from evalcore.contests.contest import Contest
from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, NumericOutcomes
from evalcore.resampling.bootstrap import Jackknife
from evalcore.resampling.grouped import Resamples

Sampling = Literal["rows", "classes", "groups"]
"""What is drawn: rows at large, rows within each class of the truth, or whole groups of rows."""


@dataclass(frozen=True, eq=False)
class Draws:
    """The values of the models of a contest over resamples.

    Models on the same rows share the resamples. Which model is asked for first, and from how many
    threads, makes no difference.
    """

    contest: Contest
    options: Options
    sampling: Sampling = "rows"

    def drawable(self, *places: int) -> bool:
        """Whether models have values over resamples."""
        return all(self.contest.contenders[place].drawable for place in places)

    def method(self, place: int) -> str:
        """How intervals of a model are called."""
        return self._resamples[place].method

    def of(self, place: int) -> Floats:
        """Return (B,) values of a model; only where it is drawable."""
        if place not in self._made:
            self._made[place] = self.contest.contenders[place].draws(self._resamples[place])
        return self._made[place]

    def without_a_group(self, place: int) -> Floats:
        """Return (G,) values of a model on all rows but those of one group each."""
        if place not in self._left_out:
            resamples = self._resamples[place].jackknife()
            self._left_out[place] = self.contest.contenders[place].draws(resamples)
        return self._left_out[place]

    def acceleration(self, place: int, less: int | None = None) -> float:
        """Return the skewness that BCa corrects for; of the difference to the model `less`."""
        values = self.without_a_group(place)
        if less is not None:
            values = values - self.without_a_group(less)
        return Jackknife(values, np.ones(len(values))).acceleration

    @cached_property
    def _made(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _left_out(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _resamples(self) -> list[Resamples]:
        rng, models = np.random.default_rng(self.options.seed), self.contest.contenders
        if self.contest.shared:
            return [self._drawn(0, rng)] * len(models)
        return [self._drawn(place, child) for place, child in enumerate(rng.spawn(len(models)))]

    def _drawn(self, place: int, rng: np.random.Generator) -> Resamples:
        outcomes, times = self.contest.contenders[place].outcomes, self.options.resamples
        if self.sampling == "classes":
            if isinstance(outcomes, NumericOutcomes):
                raise EvalError("no-classes", "Predicted numbers have no classes to draw within.")
            return Resamples.of_strata(outcomes.truth, outcomes.weight, rng, times)
        if self.sampling == "groups":
            return Resamples.of_clusters(self._groups(), outcomes.weight, rng, times)
        return Resamples.of(outcomes.n, outcomes.weight, rng, times)

    def _groups(self) -> Codes:
        if self.contest.group is None:
            raise EvalError(
                "no-groups",
                "Whole groups can be drawn where a column names the group of each row and all "
                "models share the rows. Choose that column, in the command line by --group.",
            )
        return self.contest.group
