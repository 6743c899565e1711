"""The headline: which model is better, by how much and how sure that is, or that nobody can say."""

from math import isfinite, isinf, isnan

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.results import Comparison, PairVerdict, TestedPair
from evalcore.comparison.spec import BACKWARDS, IDENTICAL
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Better, Family
from evalcore.text import (
    count,
    joined,
    p_equals,
    roughly,
    signed,
    significant,
    so_often,
    within_sentence,
)

_VERBS = {
    Family.COUNTS: "decides better than",
    Family.RANKING: "ranks better than",
    Family.PROBABILITY: "gives truer probabilities than",
    Family.VALUES: "predicts closer than",
}


def headline(comparison: Comparison) -> str:
    """Return the verdict in a sentence or two, with the numbers that it rests on.

    Of rows that were predicted fold by fold, it says which of two questions is answered: tests on
    rows of equal methods name a winner in up to twice as many files as they promise.
    """
    said = _said(comparison)
    if said.startswith(("Nothing", "All")):
        return said
    alone = beside_a_guess(comparison)
    said += f" {alone}." if alone else ""
    return f"{said} {ABOUT_PREDICTIONS}" if comparison.crossed else said


BEYOND_A_GUESS = {
    "accuracy": "right more often than always naming the commonest class",
    "brier": "better than always saying the share of positives",
}
"""What a model is that is better than one guess for all rows, by the key of the metric."""


def beside_a_guess(comparison: Comparison) -> str:
    """Return that the best model is not shown to be better than one guess for all rows, or ""."""
    leader = comparison.order[0]
    if comparison.doubt or not comparison.no_better_than_a_guess(leader):
        return ""
    none = all(map(comparison.no_better_than_a_guess, comparison.order))
    who = "No model is" if none else f"{leader} is not"
    return f"{who} shown to be {BEYOND_A_GUESS[comparison.metric]}"


ABOUT_PREDICTIONS = (
    "This compares these predictions; tests on folds say whether a method would be better if "
    "retrained."
)


def _said(comparison: Comparison) -> str:
    leader, *others = comparison.order
    estimate = comparison.models[leader]
    if comparison.doubt == BACKWARDS:
        return _backwards(comparison)
    if isinf(estimate.value):
        return f"Nothing can be concluded: {_infinite(comparison, [leader, *others])}."
    if not estimate.defined:
        return f"Nothing can be concluded: {_name(comparison)} has no value ({estimate.why})."
    if len(others) == 1:
        return _of_two(comparison, leader, others[0])
    endless = [other for other in others if isinf(comparison.models[other].value)]
    sentence = _of_many(comparison, leader, [other for other in others if other not in endless])
    return f"{sentence} Also, {_infinite(comparison, endless)}." if endless else sentence


def _backwards(comparison: Comparison) -> str:
    highest = max(one.value for one in comparison.models.values())
    return (
        f"All scores run backwards: no {_name(comparison)} is above {significant(highest)}, where "
        "0.500 is chance. Choose the other class as the positive one, or reverse the scores."
    )


def _of_two(comparison: Comparison, leader: str, other: str) -> str:
    gap, tested = comparison.gap_and_test(leader, other)
    if tested is not None and tested.finding.note == IDENTICAL:
        return f"{leader} and {other} are identical on all {count(comparison.n)} {comparison.unit}."
    if isinf(comparison.models[other].value):
        finite = (
            f"{leader} has a {_name(comparison)} of {significant(comparison.models[leader].value)}"
        )
        return f"{finite}; {_infinite(comparison, [other])}. No test can weigh an infinite number."
    if gap is None or isnan(gap.difference):
        why = comparison.models[other].why
        return f"Nothing can be concluded: {other} has no value of {_name(comparison)} ({why})."
    doubt = comparison.verdict.between(leader, other).doubt
    if doubt:
        is_first = "is higher" if comparison.better is Better.NEITHER else "is ahead"
        ahead = f"{leader} {is_first} by {significant(abs(gap.difference))} in {_name(comparison)}."
        level = f"Both have the same {_name(comparison)}."
        return f"Nothing can be concluded: {doubt}. {ahead if gap.difference else level}"
    if not comparison.verdict.is_ahead(leader, other):
        return _undecided(comparison, leader, other)
    won = f"{leader} {_verb(comparison, other)} {other}: {_evidence(comparison, other)}."
    if gap.low is None or gap.high is None or max(abs(gap.low), abs(gap.high)) >= comparison.rope:
        return won
    real = "is" if comparison.verdict.between(leader, other).sure else "may be"
    return f"{won} The difference {real} real, but below {comparison.rope:g}."


def _of_many(comparison: Comparison, leader: str, others: list[str]) -> str:
    """Return the verdict about three models or more, the infinite ones left out."""
    value = significant(comparison.models[leader].value)
    place = "highest" if comparison.better is Better.NEITHER else "best"
    best = f"{leader} has the {place} {_name(comparison)} ({value})"
    if not others:
        return f"{best}."
    doubts = [comparison.verdict.between(leader, other).doubt for other in others]
    if all(doubts):
        return f"Nothing can be concluded: {doubts[0]}. {best}."
    beaten = [other for other in others if comparison.verdict.is_ahead(leader, other)]
    level = [other for other in others if other not in beaten]
    if level:
        return _tied(comparison, [leader, *level], beaten)
    following = others[0]
    all_of_them = {1: following, 2: "both others"}.get(len(others), f"all {len(others)} others")
    against = "" if len(others) == 1 else f"against the next, {following}, "
    sentence = f"{leader} {_verb(comparison, following)} {all_of_them}"
    return f"{sentence}: {against}{_evidence(comparison, following)}."


NAMED = 3
"""Of more models at the top, the headline names the one with the best value alone."""


def _tied(comparison: Comparison, level: list[str], beaten: list[str]) -> str:
    """Say which models are too close to call, and which the one with the best value beats."""
    leader, values = level[0], [significant(comparison.models[one].value) for one in level]
    if len(level) <= NAMED:
        said = f"{joined(level)} are too close to call on {_name(comparison)} ({joined(values)})"
    else:
        said = (
            f"{len(level)} models are too close to call: {leader} has the best "
            f"{_name(comparison)} ({values[0]}), with no clear difference from {joined(level[1:])}"
        )
    if not beaten:
        return f"{said}."
    sure = [one for one in beaten if comparison.verdict.between(leader, one).sure]
    parts = [
        f"{how} better than {joined(names)}"
        for how, names in (
            ("clearly", sure),
            ("probably", [one for one in beaten if one not in sure]),
        )
        if names
    ]
    return f"{said}; {leader} is {', '.join(parts)}."


def _infinite(comparison: Comparison, names: list[str]) -> str:
    """Say of which models the number is infinite, and why."""
    why = comparison.models[names[0]].why
    return f"the {_name(comparison)} of {joined(names)} is infinite, since {why}"


def _undecided(comparison: Comparison, leader: str, other: str) -> str:
    gap, pair = comparison.gap(leader, other), comparison.verdict.between(leader, other)
    whose = f" for {leader}" if gap is not None and gap.difference else ""
    shown = _evidence(comparison, other, whose)
    sentence = f"{leader} and {other} are too close to call: {shown}.{_alone(pair)}"
    size = comparison.sample_size
    if size is None or size.smallest_difference is None:
        return sentence
    least, often = significant(size.smallest_difference), f"{so_often(size.power)} such files"
    return f"{sentence} A true difference of {least} would show in {often}."


def needed(comparison: Comparison) -> str:
    """Return what the rows at hand would show, and how many would settle it between the two best.

    "" where it is settled, nothing can be concluded, or nothing tells how differences vary.
    """
    size, (best, following) = comparison.sample_size, comparison.order[:2]
    verdict = comparison.verdict.between(best, following)
    if size is None or size.smallest_difference is None or verdict.doubt or verdict.better:
        return ""
    least, often = significant(size.smallest_difference), so_often(size.power)
    shared = f", allowing for {size.pairs:,} pairs" if size.pairs > 1 else ""
    unit = comparison.unit
    files = "such files" if size.each else f"files of {size.rows_now:,.10g} {unit}"
    could = f"A true difference of {least} would show in {often} {files}{shared}; a smaller one "
    could += "is missed more often."
    gap = comparison.gap(best, following)
    if gap is None or size.rows_needed is None or size.rows_needed <= size.rows_now:
        return could
    seen = f"{significant(abs(gap.difference))} between {best} and {following}"
    each = " of each" if size.each else ""
    enough = f"{roughly(size.rows_needed)} {unit}{each}"
    return f"{could} To show the {seen} as often, about {enough} would be needed."


def evidence(comparison: Comparison) -> str:
    """Return what the test found of the difference of the two best; "" where nothing tells that."""
    leader, *others = (name for name in comparison.order if comparison.models[name].defined)
    if not others or not isfinite(comparison.models[others[0]].value):
        return ""
    gap, tested = comparison.gap_and_test(leader, others[0])
    pair = comparison.verdict.between(leader, others[0])
    if gap is None or tested is None or pair.doubt or tested.finding.note == IDENTICAL:
        return ""
    return f"{_by_test(comparison, tested)}.{_alone(pair)}"


def _alone(pair: PairVerdict) -> str:
    """Say which of test and interval shows a difference where the other does not."""
    if not pair.alone:
        return ""
    return f" Test and interval must both show a difference; only the {pair.alone} does."


def _evidence(comparison: Comparison, other: str, whose: str = "") -> str:
    """Return by how much the leader differs from another: difference, interval and p value."""
    leader = comparison.verdict.leader
    gap, tested = comparison.gap_and_test(leader, other)
    assert gap is not None
    assert tested is not None
    shown = f"{_name(comparison)} {signed(gap.difference)}{whose}"
    if gap.low is not None and gap.high is not None:
        shown += f" ({comparison.level:.0%} CI {significant(gap.low)} to {significant(gap.high)})"
    return f"{shown}, {_by_test(comparison, tested)}"


def _by_test(comparison: Comparison, tested: TestedPair) -> str:
    """Return the p value of a pair with the name of the test."""
    name = next(test.name for test in TESTS if test.key == tested.test)
    pairs = " (adjusted for all pairs)" if len(comparison.order) > 2 else ""
    return f"{within_sentence(name)} {p_equals(tested.p_adjusted)}{pairs}"


def _verb(comparison: Comparison, other: str) -> str:
    """Return what the leader does better, with "probably" where that is not quite sure."""
    sure = comparison.verdict.between(comparison.verdict.leader, other).sure
    probably = "" if sure else "probably "
    if comparison.metric == "accuracy":
        return f"is {probably}right more often than"
    metric = by_key().get(comparison.metric)
    verb = "does better than" if metric is None else _VERBS.get(metric.family, "does better than")
    return probably + verb


def _name(comparison: Comparison) -> str:
    return within_sentence(comparison.metric_name)
