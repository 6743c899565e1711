"""From evidence to a comparison: every test that fits, the pairs, and who stands where."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, isnan, nan
from typing import Any

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.eligibility import why_not
from evalcore.comparison.evidence import Evidence, Tables
from evalcore.comparison.letters import alike
from evalcore.comparison.many import critical_difference, holm
from evalcore.comparison.results import Comparison, Difference, Refusal, Standing, TestedPair
from evalcore.comparison.sentence import headline
from evalcore.comparison.spec import IDENTICAL, StatisticalTest
from evalcore.errors import Notice
from evalcore.metrics.spec import Better

MOST_MODELS = 60
"""With more models only the best one is compared with each of the others."""

Pair = tuple[int, int]
Pairs = Mapping[Pair, Tables]


def judge(
    evidence: Evidence,
    *,
    level: float = 0.95,
    rope: float = 0.01,
    tests: Sequence[StatisticalTest] = TESTS,
) -> Comparison:
    """Return everything that the evidence says, with the sentence that sums it up."""
    order = _order(evidence)
    pairs = {pair: evidence.pair(*pair) for pair in _pairs(order)}
    refused = {test.key: _why_not(test, evidence, pairs) for test in tests}
    fit = [test for test in tests if not refused[test.key]]
    found = tuple(tested for test in fit for tested in _tested(test, evidence, pairs))
    made = Comparison(
        **_shown(evidence),
        level=level,
        rope=rope,
        differences=tuple(_difference(evidence, *item) for item in pairs.items()),
        tests=found,
        primary=next((key for key in evidence.primary if key in {test.key for test in fit}), ""),
        not_applicable=tuple(Refusal(key, why) for key, why in refused.items() if why),
        standing=Standing(tuple(list(evidence.models)[place] for place in order), ()),
        sample_size=evidence.size(pairs[min(order[:2]), max(order[:2])]),
        notices=(*evidence.notices, *_identical(found), *_not_all_pairs(order)),
    )
    made = replace(made, standing=_standing(made, evidence, order))
    return replace(made, summary=headline(made))


def _shown(evidence: Evidence) -> dict[str, Any]:
    """Return what a comparison takes over from the evidence as it is."""
    names = ("metric_name", "better", "n", "unit", "models", "doubt")
    situation = evidence.situation
    taken = {name: getattr(evidence, name) for name in names}
    return taken | {"metric": situation.metric, "design": situation.design}


def _order(evidence: Evidence) -> list[int]:
    """Return the places of the models, the best first, those without a value last."""
    values = [estimate.value for estimate in evidence.models.values()]
    if evidence.mean_ranks:
        values, worse = list(evidence.mean_ranks), 1.0
    else:
        worse = 1.0 if evidence.better is Better.LOWER else -1.0
    return sorted(range(len(values)), key=lambda k: (isnan(values[k]), worse * values[k]))


def _pairs(order: Sequence[int]) -> list[Pair]:
    """Return the pairs to compare, as places in the order of the file."""
    if len(order) <= MOST_MODELS:
        return list(combinations(range(len(order)), 2))
    return [(min(order[0], other), max(order[0], other)) for other in sorted(order[1:])]


def _why_not(test: StatisticalTest, evidence: Evidence, pairs: Pairs) -> str:
    why = why_not(test, evidence.situation)
    found = [evidence.overall] if test.overall else list(pairs.values())
    if why or any(test.needs in tables for tables in found):
        return why
    many = f" of more than {MOST_MODELS} models" if len(evidence.models) > MOST_MODELS else ""
    return f"It is not made for {evidence.metric_name}{many}."


def _tested(test: StatisticalTest, evidence: Evidence, pairs: Pairs) -> Iterator[TestedPair]:
    if test.overall:
        finding = test(evidence.overall[test.needs])
        yield TestedPair(test.key, None, None, finding, finding.p_value)
        return
    findings = {pair: test(tables[test.needs]) for pair, tables in pairs.items()}
    raw = [finding.p_value for finding in findings.values()]
    names = list(evidence.models)
    # The best model was found by looking at all of them, so that all pairs count.
    adjusted = raw if test.adjusted else holm(raw, of=comb(len(names), 2))
    for ((i, j), finding), p in zip(findings.items(), adjusted, strict=True):
        yield TestedPair(test.key, names[i], names[j], finding, p)


def _difference(evidence: Evidence, pair: Pair, tables: Tables) -> Difference:
    names, values = list(evidence.models), [e.value for e in evidence.models.values()]
    first, second = pair
    interval = evidence.gap(tables)
    ends = float(interval.low), float(interval.high)
    gap = values[second] - values[first]
    if isnan(gap) or any(map(isnan, ends)):
        return Difference(names[first], names[second], gap)
    note = "degenerate: these data show no variation" if interval.degenerate else ""
    return Difference(names[first], names[second], gap, *ends, interval.method, note)


def _standing(made: Comparison, evidence: Evidence, order: Sequence[int]) -> Standing:
    names, ranks = made.standing.order, evidence.mean_ranks
    several = len(ranks) > 2
    return Standing(
        names,
        _groups(made, names),
        tuple(ranks[place] for place in order) if ranks else (),
        critical_difference(len(ranks), int(made.n), made.level) if several else nan,
    )


def _groups(made: Comparison, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the runs of models that the main test does not tell apart."""
    if not made.primary:
        return ()

    def pair(one: int, other: int) -> bool:
        tested = made.tested(made.primary, names[one], names[other])
        return tested is None or not tested.p_adjusted < 1 - made.level

    return alike(names, pair, 1 if len(names) > MOST_MODELS else None)


def _identical(tests: Sequence[TestedPair]) -> Iterator[Notice]:
    pairs = [(t.first, t.second) for t in tests if t.first and t.finding.note == IDENTICAL]
    for first, second in dict.fromkeys(pairs):
        yield Notice("identical-models", f'"{first}" and "{second}" are identical here: p = 1.')


def _not_all_pairs(order: Sequence[int]) -> Iterator[Notice]:
    if len(order) > MOST_MODELS:
        yield Notice(
            "best-against-others",
            f"There are {len(order)} models; the best one is compared with each of the others. "
            "Since it was chosen for being the best, p values are adjusted for all pairs.",
        )
