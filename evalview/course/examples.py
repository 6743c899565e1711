"""Worked examples of a course: what each shows, where it opens, and the numbers to expect."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from urllib.parse import parse_qs

import numpy as np

import evalcore as ec
from evalcore.comparison.results import Comparison
from evalcore.intervals.closed import wilson
from evalcore.metrics.catalog import find
from evalcore.metrics.decisions import mean_cost, total_cost
from evalcore.metrics.metric import Estimate
from evalcore.outcomes import Points
from evalcore.results import ClusteringEvaluation, Evaluation, ModelEvaluation
from evalcore.text import within_sentence
from evalread.dataset import Dataset
from evalread.loading import load
from evalview import ASSETS
from evalview.lab.steps import minkowski
from evalview.text import paragraphs

SAMPLES = ASSETS / "samples"
OWN = "worked"
"""The folder, among the samples, of files that only worked examples have."""

Numbers = Mapping[str, Mapping[str, Estimate]]
"""What a number is called -> the model, clustering or case that it is of ("" for one) -> number."""


@dataclass(frozen=True)
class Example:
    """A worked example.

    Attributes:
        name: What it is called.
        shows: What it shows, in a few sentences.
        key: Its name in an address, which stays.
        page: The page that shows it.
        expect: The numbers to expect, separated by ", ".
        file: The file that it alone has; "" where `query` names other data, or none.
        query: What the address says besides.
    """

    name: str
    shows: str
    key: str
    page: str
    expect: str
    file: str = ""
    query: str = ""

    @property
    def address(self) -> Mapping[str, Sequence[str]]:
        """The parameters of its address.

        >>> dict(examples()["ten-scored-rows"].address)
        {'data': ['sample-ten-rows']}
        """
        own = {"data": [f"sample-{self.key}"]} if self.file else {}
        return MappingProxyType(own | parse_qs(self.query))

    @property
    def data(self) -> str:
        """The token of its data; "" where it has none."""
        return next(iter(self.address.get("data", ())), "")


@cache
def examples() -> Mapping[str, Example]:
    """Return every worked example by its key, in the order of the file."""
    found = paragraphs(Path(__file__).with_name("examples.txt"))
    made = [Example(name, shows, **fields) for name, fields, shows in found]
    return MappingProxyType({one.key: one for one in made})


def path(key: str) -> Path | None:
    """Return the file of a worked example by its key; None where it has none of its own."""
    one = examples().get(key)
    return SAMPLES / OWN / one.file if one is not None and one.file else None


@cache
def dataset(key: str) -> Dataset:
    """Return the data of a worked example, or of a sample, by the key that its token ends with."""
    file = path(key) or SAMPLES / f"{key.replace('-', '_')}.csv"
    return load([(file.name, file.read_bytes())])


@cache
def numbers(key: str) -> Numbers:
    """Return the numbers that a worked example leads one to expect, worked out from its data."""
    one = examples()[key]
    return MappingProxyType(
        {called: found for asked in one.expect.split(", ") for called, found in _of(one, asked)}
    )


def _of(one: Example, asked: str) -> list[tuple[str, Mapping[str, Estimate]]]:
    kind, _, of = asked.partition(" ")
    if kind in _ALONE:
        return [_ALONE[kind](of)]
    data = dataset(one.data.removeprefix("sample-"))
    if data.fold_scores is not None or asked == "difference":
        return _of_pairs(ec.compare(data), asked)
    if asked in _COSTS:
        return [_costs(one, asked)]
    found = {name: _estimate(judged, asked) for name, judged in _evaluated(one).items()}
    return [(_called(asked), found)]


def _called(asked: str) -> str:
    average, _, key = asked.rpartition(" ")
    name = find(key).name
    return f"{average.capitalize()} {within_sentence(name)}" if average else name


@cache
def evaluation(key: str) -> Evaluation:
    """Return every number of the data of a worked example, or of a sample."""
    return ec.evaluate(dataset(key))


def _evaluated(one: Example) -> Mapping[str, ModelEvaluation | ClusteringEvaluation]:
    """Return what was judged: what the address shows, or all of it."""
    judged = evaluation(one.data.removeprefix("sample-")).judged
    shown = [name for name in one.address.get("shown", ()) if not one.file]
    return {name: judged[name] for name in shown or judged}


def _estimate(judged: ModelEvaluation | ClusteringEvaluation, asked: str) -> Estimate:
    average, _, key = asked.rpartition(" ")
    if average and isinstance(judged, ModelEvaluation):
        return judged.decisions["labels"].averages[average][key]
    return next(group[key] for group in judged.metrics.values() if key in group)


_COSTS = {"total_cost": total_cost, "mean_cost": mean_cost}


def _costs(one: Example, asked: str) -> tuple[str, Mapping[str, Estimate]]:
    prices = np.array(one.address["costs"][0].split(","), dtype=float).reshape(2, 2)
    metric = _COSTS[asked](prices)
    judged = _evaluated(one)
    found = {
        name: Estimate(float(metric(model.decisions["labels"].confusion)))
        for name, model in judged.items()
        if isinstance(model, ModelEvaluation)
    }
    return metric.name, found


def _of_pairs(made: Comparison, asked: str) -> list[tuple[str, Mapping[str, Estimate]]]:
    """Return what a comparison says of each pair: the better model minus the other one."""
    if asked == "mean":
        return [(f"Mean {made.metric_name.lower()}", made.models)]
    pairs = [(f"{a} minus {b}", a, b) for a, b in combinations(made.order, 2)]
    if asked == "difference":
        gaps = {called: made.gap(a, b) for called, a, b in pairs}
        shown = {n: Estimate(g.difference, g.low, g.high) for n, g in gaps.items() if g}
        return [("Difference", shown)]
    tests = {called: made.tested(asked, a, b) for called, a, b in pairs}
    name = {"paired_t": "Paired t", "corrected_resampled_t": "Corrected t"}[asked]
    return [
        (f"{name}: t", {n: Estimate(abs(t.finding.statistic)) for n, t in tests.items() if t}),
        (f"{name}: p", {n: Estimate(t.finding.p_value) for n, t in tests.items() if t}),
    ]


SHARE = 0.8
"""The accuracy whose intervals are shown."""


def _interval(rows: str) -> tuple[str, Mapping[str, Estimate]]:
    ends = wilson(SHARE * int(rows), int(rows))
    return f"On {int(rows):,} rows", {"": Estimate(SHARE, float(ends.low), float(ends.high))}


def _distance(order: str) -> tuple[str, Mapping[str, Estimate]]:
    (points,) = dataset("two-points").clusterings.values()
    assert isinstance(points, Points)
    far = minkowski(points.features[0], points.features[1], float(order)).distance
    return f"Order {order.replace('inf', '∞')}", {"": Estimate(far)}


_ALONE: Mapping[str, Callable[[str], tuple[str, Mapping[str, Estimate]]]] = MappingProxyType(
    {"interval": _interval, "distance": _distance}
)
"""What is worked out without a model."""
