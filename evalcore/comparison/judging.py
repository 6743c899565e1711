"""From evidence to a comparison: every test that fits, the pairs, the standing of the models."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import comb, isnan, nan
from string import ascii_lowercase
from typing import Any

from evalcore.comparison.evidence import TESTS, Evidence, Tables
from evalcore.comparison.many import critical_difference
from evalcore.comparison.results import Comparison, Difference, Refusal, Standing, TestedPair
from evalcore.comparison.sentence import headline
from evalcore.comparison.spec import IDENTICAL, StatisticalTest, why_not
from evalcore.errors import Notice
from evalcore.intervals.closed import holm
from evalcore.metrics.metric import Better


def alike(
    names: Sequence[str], pair: Callable[[int, int], bool], starts: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the longest runs of two or more in which no two are told apart.

    `pair` says of two places whether they are alike; runs begin at the first `starts` places.

    >>> place = (0, 5, 6, 7)
    >>> alike("abcd", lambda one, other: place[other] - place[one] < 2)
    (('b', 'c'), ('c', 'd'))
    """
    runs: list[tuple[int, int]] = []
    for start in range(len(names))[:starts]:
        end = start + 1
        while end < len(names) and all(pair(place, end) for place in range(start, end)):
            end += 1
        if end > start + 1 and (not runs or end > runs[-1][1]):
            runs.append((start, end))
    return tuple(tuple(names[start:end]) for start, end in runs)


def letters(made: Comparison) -> Mapping[str, str]:
    """Return the letters of each model: two with a letter in common cannot be told apart.

    Where only the best model was compared with the others, those that cannot be told from it have
    an "a" and the others none. Models without a value have none. Source: Piepho (2004), An
    algorithm for a letter-based representation of all-pairwise comparisons, Journal of
    Computational and Graphical Statistics 13(2).
    """
    order = [name for name in made.standing.order if made.models[name].defined]
    groups = [group for group in made.standing.groups if set(group) & set(order)]
    grouped = {name for group in groups for name in group}
    if _all_pairs(made):
        groups += [(name,) for name in order if name not in grouped]
    elif not groups and order:
        groups = [(order[0],)]
    groups.sort(key=lambda group: order.index(next(name for name in group if name in order)))
    named = {place: _letter(place) for place in range(len(groups))}
    return {
        name: "".join(named[at] for at, group in enumerate(groups) if name in group)
        for name in order
    }


def _all_pairs(made: Comparison) -> bool:
    models = len(made.models)
    return len(made.differences) == models * (models - 1) // 2


def _letter(place: int) -> str:
    """Return a to z, then a2, b2 and so on."""
    turns, at = divmod(place, len(ascii_lowercase))
    return ascii_lowercase[at] + (str(turns + 1) if turns else "")


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
