"""Estimates that are made when they are first looked at: a page shows few of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from evalcore.metrics.spec import Estimate, Metric


class OnDemand(Mapping[str, Estimate]):
    """The estimates of some metrics by key, each made once, when it is first asked for.

    What is made depends on the metric alone, so that neither order nor thread matters.
    """

    def __init__(self, metrics: Sequence[Metric], make: Callable[[Metric], Estimate]) -> None:
        self._metrics = {metric.key: metric for metric in metrics}
        self._make = make
        self._made: dict[str, Estimate] = {}

    def __getitem__(self, key: str) -> Estimate:
        if key not in self._made:
            self._made[key] = self._make(self._metrics[key])
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._metrics

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)
