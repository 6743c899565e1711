"""The headline: which model is better, by how much and how sure that is, or that nobody can say."""

from math import isinf, isnan

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.results import Comparison
from evalcore.comparison.spec import BACKWARDS, IDENTICAL
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Family
from evalcore.text import joined, p_equals, signed, significant, within_sentence

_VERBS = {
    Family.COUNTS: "decides better than",
    Family.RANKING: "ranks better than",
    Family.PROBABILITY: "gives truer probabilities than",
    Family.VALUES: "predicts closer than",
}


def headline(made: Comparison) -> str:
    """Return the verdict in a sentence or two, with the numbers that it rests on."""
    leader, *others = made.order
    estimate = made.models[leader]
    if made.doubt == BACKWARDS:
        return _backwards(made)
    if isinf(estimate.value):
        return f"Nothing can be concluded: {_infinite(made, [leader, *others])}."
    if not estimate.defined:
        return f"Nothing can be concluded: {_name(made)} has no value ({estimate.why})."
    if len(others) == 1:
        return _of_two(made, leader, others[0])
    endless = [other for other in others if isinf(made.models[other].value)]
    said = _of_many(made, leader, [other for other in others if other not in endless])
    return f"{said} Besides, {_infinite(made, endless)}." if endless else said


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
    doubt = made.verdict.between(leader, other).doubt
    if doubt:
        ahead = f"{leader} is ahead by {significant(abs(gap.difference))} in {_name(made)}."
        level = f"Both have the same {_name(made)}."
        return f"Nothing can be concluded: {doubt}. {ahead if gap.difference else level}"
    if not made.verdict.is_ahead(leader, other):
        return _undecided(made, leader, other)
    won = f"{leader} {_verb(made, other)} {other}: {_evidence(made, other)}."
    if gap.low is None or gap.high is None or max(abs(gap.low), abs(gap.high)) >= made.rope:
        return won
    return f"{won} The difference is real, but below {made.rope:g}."


def _of_many(made: Comparison, leader: str, others: list[str]) -> str:
    """Return the verdict about three models or more, the infinite ones left out."""
    best = f"{leader} has the best {_name(made)} ({significant(made.models[leader].value)})"
    if not others:
        return f"{best}."
    doubts = [made.verdict.between(leader, other).doubt for other in others]
    if all(doubts):
        return f"Nothing can be concluded: {doubts[0]}. {best}."
    beaten = [other for other in others if made.verdict.is_ahead(leader, other)]
    level = [other for other in others if other not in beaten]
    if not beaten:
        return (
            f"No model can be shown to be the best: {best}, but is not shown to be ahead of any "
            "other."
        )
    if level:
        return f"{best}; it is shown to be ahead of {joined(beaten)}, but not of {joined(level)}."
    following = others[0]
    all_of_them = {1: following, 2: "both others"}.get(len(others), f"all {len(others)} others")
    against = "" if len(others) == 1 else f"against the next, {following}, "
    said = f"{leader} {_verb(made, following)} {all_of_them}"
    return f"{said}: {against}{_evidence(made, following)}."


def _infinite(made: Comparison, names: list[str]) -> str:
    """Say of which models the number is infinite, and why."""
    return f"the {_name(made)} of {joined(names)} is infinite, since {made.models[names[0]].why}"


def _undecided(made: Comparison, leader: str, other: str) -> str:
    gap, size = made.gap(leader, other), made.sample_size
    whose = f" for {leader}" if gap is not None and gap.difference else ""
    said = f"{leader} and {other} cannot be told apart: {_evidence(made, other, whose)}."
    if size is None or size.smallest_difference is None:
        return said
    least = significant(size.smallest_difference)
    return f"{said} These {made.unit} would have shown a difference of {least} or more."


def _evidence(made: Comparison, other: str, whose: str = "") -> str:
    """Return by how much the leader differs from another: difference, interval and p value."""
    leader = made.verdict.leader
    gap, tested = made.gap(leader, other), made.tested(made.primary, leader, other)
    assert gap is not None
    assert tested is not None
    name = next(test.name for test in TESTS if test.key == tested.test)
    shown = f"{_name(made)} {signed(gap.difference)}{whose}"
    if gap.low is not None and gap.high is not None:
        shown += f" ({made.level:.0%} CI {significant(gap.low)} to {significant(gap.high)})"
    pairs = " (adjusted for all pairs)" if len(made.order) > 2 else ""
    return f"{shown}, {within_sentence(name)} {p_equals(tested.p_adjusted)}{pairs}"


def _verb(made: Comparison, other: str) -> str:
    """Return what the leader does better, with "probably" where that is not quite sure."""
    sure = made.verdict.between(made.verdict.leader, other).sure
    probably = "" if sure else "probably "
    if made.metric == "accuracy":
        return f"is {probably}right more often than"
    metric = by_key().get(made.metric)
    verb = "does better than" if metric is None else _VERBS.get(metric.family, "does better than")
    return probably + verb


def _name(made: Comparison) -> str:
    return within_sentence(made.metric_name)
