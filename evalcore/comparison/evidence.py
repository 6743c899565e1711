"""What is known about some models, whatever it came from: what tests and intervals are made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from evalcore.comparison.sample_size import SampleSize
from evalcore.comparison.spec import Situation
from evalcore.errors import Notice
from evalcore.intervals.closed import Interval
from evalcore.metrics.metric import Better, Estimate

Tables = Mapping[type, Any]
"""What tests need, by its type."""

NO_TABLES: Tables = MappingProxyType({})


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """What is known about M models.

    Attributes:
        situation: How the data were collected.
        metric_name: Name of what is compared, for people.
        better: Which direction is good.
        n: How many rows, folds or data sets the models share.
        unit: Which of them.
        models: Model name -> its value with its interval.
        pair: Gives the tables about two models, by their places.
        primary: Keys of the tests that the headline may rest on, the first one made counts.
        level: Confidence level of every interval.
        rope: Differences up to this size make no difference in practice.
        intervals: By type of table, how the interval of the second model minus the first is made;
            of a pair the first table that there is counts, without any there is no interval.
        sizes: By type of table, how it follows how many rows would show a difference, in the same
            way; it is given the metric, all rows and the level.
        overall: The tables about all models at once.
        mean_ranks: Mean rank of each model over data sets; empty without.
        doubt: Why nothing can be concluded whatever tests say; "" if something can.
        notices: What the reader must know.
    """

    situation: Situation
    metric_name: str
    better: Better
    n: float
    unit: Literal["rows", "folds", "data sets"]
    models: Mapping[str, Estimate]
    pair: Callable[[int, int], Tables]
    primary: tuple[str, ...]
    level: float
    rope: float
    intervals: Mapping[type, Callable[[Any, float], Interval]]
    sizes: Mapping[type, Callable[[Any, str, float, float], SampleSize]]
    overall: Tables
    mean_ranks: tuple[float, ...] = ()
    doubt: str = ""
    notices: tuple[Notice, ...] = ()

    def interval(self, tables: Tables) -> Interval | None:
        """Return the interval of the difference of two models; None where there is none."""
        needs = next((needs for needs in self.intervals if needs in tables), None)
        return None if needs is None else self.intervals[needs](tables[needs], self.level)

    def sample_size(self, tables: Tables) -> SampleSize | None:
        """Return how many rows would show the difference of two models; None where none tell."""
        needs = next((needs for needs in self.sizes if needs in tables), None)
        if needs is None:
            return None
        return self.sizes[needs](tables[needs], self.situation.metric, self.n, self.level)
