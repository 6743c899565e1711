"""The headline: which model is better, by how much and how sure that is, or that nobody can say."""

from math import isinf, isnan

from evalcore.comparison.evidence import TESTS
from evalcore.comparison.results import Comparison, Difference, TestedPair
from evalcore.comparison.spec import BACKWARDS, IDENTICAL
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Family
from evalcore.text import joined, p_equals, signed, significant, within_sentence

STRONG = 0.01
"""Below this p value the sentence drops its "probably"."""

_VERBS = {
    Family.COUNTS: "decides better than",
    Family.RANKING: "ranks better than",
    Family.PROBABILITY: "gives truer probabilities than",
    Family.VALUES: "predicts closer than",
}


def headline(made: Comparison) -> str:
    """Return the answer in a sentence or two.

    It names a winner only where the main test, allowing for the number of pairs, and the interval
    of the difference both do.
    """
    leader, *others = made.standing.order
    estimate = made.models[leader]
    if made.doubt == BACKWARDS:
        return _backwards(made)
    if isinf(estimate.value):
        return f"Nothing can be concluded: {_infinite(made, [leader, *others])}."
    if not estimate.defined:
        return f"Nothing can be concluded: {_name(made)} has no value ({estimate.why})."
    if len(others) == 1:
        return _of_two(made, leader, others[0])
    return _of_many(made, leader, others)


def _backwards(made: Comparison) -> str:
    highest = max(one.value for one in made.models.values())
    return (
        f"All scores run backwards: no {_name(made)} is above {significant(highest)}, where 0.500 "
        "is chance. Take the other class as the positive one, or reverse the scores."
    )


def _of_two(made: Comparison, leader: str, other: str) -> str:
    gap, tested = made.gap(leader, other), made.tested(made.primary, leader, other)
    if tested is not None and tested.finding.note == IDENTICAL:
        return f"{leader} and {other} are identical on all {made.n:,g} {made.unit}."
    if isinf(made.models[other].value):
        finite = f"{leader} has a {_name(made)} of {significant(made.models[leader].value)}"
        return f"{finite}; {_infinite(made, [other])}. No test can weigh an infinite number."
    if gap is None or isnan(gap.difference):
        why = made.models[other].why
        return f"Nothing can be concluded: {other} has no value of {_name(made)} ({why})."
    doubt = made.doubt_about(leader, other)
    if doubt:
        return f"Nothing can be concluded: {doubt}. {_ahead(made, leader, gap)}"
    assert tested is not None
    if not made.is_ahead(leader, other):
        return _undecided(made, leader, other)
    won = f"{leader} {_verb(made, tested)} {other}: {_evidence(made, gap, tested)}."
    return f"{won} {_small(made, gap)}".strip()


def _of_many(made: Comparison, leader: str, others: list[str]) -> str:
    endless = [other for other in others if isinf(made.models[other].value)]
    if endless:
        finite = [other for other in others if other not in endless]
        said = _of_finite(made, leader, finite)
        return f"{said} Besides, {_infinite(made, endless)}."
    return _of_finite(made, leader, others)


def _of_finite(made: Comparison, leader: str, others: list[str]) -> str:
    doubts = [made.doubt_about(leader, other) for other in others]
    best = f"{leader} has the best {_name(made)} ({significant(made.models[leader].value)})"
    if not others:
        return f"{best}."
    if all(doubts):
        return f"Nothing can be concluded: {doubts[0]}. {best}."
    beaten = [other for other in others if made.is_ahead(leader, other)]
    level = [other for other in others if other not in beaten]
    if not beaten:
        return (
            f"No model can be shown to be the best: {best}, but is not shown to be ahead of any "
            "other."
        )
    if level:
        return f"{best}; it is shown to be ahead of {joined(beaten)}, but not of {joined(level)}."
    gap, tested = made.gap(leader, others[0]), made.tested(made.primary, leader, others[0])
    assert gap is not None
    assert tested is not None
    all_of_them = {1: others[0], 2: "both others"}.get(len(others), f"all {len(others)} others")
    said = f"{leader} {_verb(made, tested)} {all_of_them}"
    next_best = "" if len(others) == 1 else f"against the next, {others[0]}, "
    return f"{said}: {next_best}{_evidence(made, gap, tested)}."


def _infinite(made: Comparison, names: list[str]) -> str:
    """Say of which models the number is infinite, and why."""
    return f"the {_name(made)} of {joined(names)} is infinite, since {made.models[names[0]].why}"


def _undecided(made: Comparison, leader: str, other: str) -> str:
    gap, tested = made.gap(leader, other), made.tested(made.primary, leader, other)
    assert gap is not None
    assert tested is not None
    whose = f" for {leader}" if gap.difference else ""
    said = f"{leader} and {other} cannot be told apart: {_evidence(made, gap, tested, whose)}"
    size = made.sample_size
    if size is None or size.smallest_difference is None:
        return f"{said}."
    return (
        f"{said}. These {made.unit} would have shown a difference of "
        f"{significant(size.smallest_difference)} or more."
    )


def _evidence(made: Comparison, gap: Difference, tested: TestedPair, whose: str = "") -> str:
    """Return the difference, its interval and the p value in words."""
    name = next(test.name for test in TESTS if test.key == tested.test)
    shown = f"{_name(made)} {signed(gap.difference)}{whose}"
    if gap.low is not None and gap.high is not None:
        shown += f" ({made.level:.0%} CI {significant(gap.low)} to {significant(gap.high)})"
    pairs = " (adjusted for all pairs)" if len(made.standing.order) > 2 else ""
    return f"{shown}, {within_sentence(name)} {p_equals(tested.p_adjusted)}{pairs}"


def _ahead(made: Comparison, leader: str, gap: Difference) -> str:
    if not gap.difference:
        return f"Both have the same {_name(made)}."
    return f"{leader} is ahead by {significant(abs(gap.difference))} in {_name(made)}."


def _small(made: Comparison, gap: Difference) -> str:
    """Say that a difference is there for sure, and too small for sure to matter."""
    if gap.low is None or gap.high is None or max(abs(gap.low), abs(gap.high)) >= made.rope:
        return ""
    return f"The difference is real, but below {made.rope:g}."


def _verb(made: Comparison, tested: TestedPair) -> str:
    """Return what the better model does, with "probably" where that is not quite sure."""
    probably = "" if tested.p_adjusted < STRONG else "probably "
    if made.metric == "accuracy":
        return f"is {probably}right more often than"
    metric = by_key().get(made.metric)
    verb = "does better than" if metric is None else _VERBS.get(metric.family, "does better than")
    return probably + verb


def _name(made: Comparison) -> str:
    return within_sentence(made.metric_name)
