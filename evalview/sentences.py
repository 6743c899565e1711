"""What results mean, in plain sentences with the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import isfinite
from typing import TYPE_CHECKING, Protocol

import numpy as np

from evalcore.comparison.spec import IDENTICAL
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family
from evalcore.outcomes import Number, NumericOutcomes, Outcomes
from evalcore.results import ClusteringEvaluation, Estimates, ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.text import count, counted, joined, within_sentence
from evalview.escape import visible
from evalview.text import (
    abbreviate,
    against_chance,
    difference as difference_of,
    low_dash_high,
    minus,
    number,
    of_hundred,
    percent,
    share_explained,
    size,
    threshold,
    whole_percent,
    with_ends,
    with_interval,
)
from evalview.words import at_start, called, class_of, rows_of, told_apart

if TYPE_CHECKING:
    from evalcore.comparison.results import Comparison

UNKNOWN = Estimate(float("nan"))

BETTER = {
    Family.COUNTS: "decides better",
    Family.RANKING: "ranks better",
    Family.PROBABILITY: "gives truer probabilities",
    Family.VALUES: "predicts closer",
}
BETTER_BY = {
    "accuracy": "is right more often",
    "balanced_accuracy": "tells the classes apart better",
}
NAMED, LONGEST = 3, 40
"""Models that a headline names, and characters of their names in it."""

FAR = 0.75
"""An area under the ROC curve above this is beyond chance by far: half of the way to 1."""


def verdict(made: Comparison, others: Sequence[Comparison] = ()) -> tuple[str, str] | None:
    """Return the verdict in plain words, and what is known besides; None where words fail.

    `others` compare the same models by other metrics: one that is best by the first, yet shown to
    be behind by another, is not called the best.
    """
    told = made.verdict
    leader, *rest = told.order
    with_leader = [told.between(leader, name) for name in rest]
    undefined = not all(one.defined for one in made.models.values())
    tested = [made.tested(made.primary, leader, name) for name in rest]
    identical = any(one is not None and one.finding.note == IDENTICAL for one in tested)
    if made.doubt or undefined or (identical and len(rest) == 1) or not rest:
        return None
    if any(pair.doubt for pair in with_leader):
        return None
    if told.winner is None:
        said, *known = _tied(made, others)
    else:
        said, *known = _won(made, others), _not_by(others)
    besides = "; ".join(filter(None, [*known, *_no_more_than_a_guess(others)]))
    own = besides.startswith((f"{NO_MODEL} ", f"{OF_MODELS} "))
    return said, f"{besides[0].upper()}{besides[1:]}" if own else besides


NO_MODEL, OF_MODELS = "no model is", "probabilities of"


def _not_by(others: Sequence[Comparison]) -> str:
    """Say by which other metrics the best model is not shown to be; "" for none."""
    undecided = [within_sentence(one.metric_name) for one in others if one.verdict.winner is None]
    return f"But too close to call by {joined(undecided)}" if undecided else ""


def _no_more_than_a_guess(others: Sequence[Comparison]) -> Iterator[str]:
    """Say which models one guess for all rows beats, or may beat, by other metrics.

    Nearly all probabilities of rare events are a little better than the share of positives, so that
    only those are named which are surely worse.
    """
    from evalcore.comparison.headline import BEYOND_A_GUESS

    for other in others:
        weak = [name for name in other.order if other.no_better_than_a_guess(name)]
        worse = [name for name, gain in other.gains.items() if (gain.high or 0) < 0]
        if other.metric == "accuracy" and weak and not other.doubt:
            who = f"{joined(list(map(_called, weak)))} {'is' if len(weak) == 1 else 'are'} not"
            who = NO_MODEL if len(weak) == len(other.order) else who
            yield f"{who} shown to be {BEYOND_A_GUESS['accuracy']}"
        if other.metric == "brier" and worse and not other.doubt:
            who = joined(list(map(_called, worse)))
            yield f"{OF_MODELS} {who} are worse than always saying the share of positives"


def _but_a_guess(made: Comparison, level: Sequence[str], said: str) -> str:
    """Say what the best are not shown to be better than: one guess for all rows; "" if they are."""
    from evalcore.comparison.headline import BEYOND_A_GUESS

    if made.doubt or not all(map(made.no_better_than_a_guess, level)):
        return ""
    return f"{said} shown to be {BEYOND_A_GUESS[made.metric]}"


def difference(made: Comparison, than: str = " than that of the next") -> str:
    """Return how far the two best are apart, with the interval; "" where nothing tells that.

    `than` is what the best is held against, where there are several others.
    """
    gap, pair = made.gap(*made.order[:2]), made.verdict.between(*made.order[:2])
    if gap is None or gap.low is None or gap.high is None or pair.doubt:
        return ""
    if not all(map(isfinite, (gap.difference, gap.low, gap.high))):
        return ""
    turn = -1 if gap.difference < 0 else 1
    low, high = sorted((turn * gap.low, turn * gap.high))
    around = with_ends(turn * gap.difference, low, high, difference_of)
    if on_common_rows(made):
        around += f" on the {counted(made.n, 'row')} that all have"
        places = len(around.partition(" ")[0].partition(".")[2])
        here = (number(made.models[name].value, places) for name in made.order[:2])
        around += f" ({' against '.join(here)})"
    name = visible(made.metric_name)
    several = len(made.order) > 2
    if pair.better:
        way = "lower" if turn < 0 else "higher"
        return f"{name} is {way}{than if several else ''} by {around}"
    return f"{name}{' of the two best' if several else ''} differs by {around}"


def cheapest_rows(made: Comparison, thresholds: Mapping[str, float]) -> list[dict[str, str]]:
    """Return what each model costs at its own threshold, the cheapest first."""
    first, rows = made.order[0], []
    for name in made.order:
        gap = made.gap(name, first)
        more = "" if gap is None else _around(Estimate(gap.difference, gap.low, gap.high))
        told = {"model": _called(name), "threshold": threshold(thresholds[name])}
        told["cost of a case"] = _around(made.models[name])
        rows.append({**told, "costs more by": more})
    return rows


def _around(one: Estimate) -> str:
    if one.low is None or one.high is None or not one.defined:
        return size(one.value) if one.defined else "undefined"
    return with_ends(one.value, one.low, one.high, size, low_dash_high)


def on_common_rows(made: Comparison) -> bool:
    """Return whether rows that only some of the models predict are left out of a comparison."""
    return any(one.code == "common-rows" for one in made.notices)


def reason(made: Comparison) -> str:
    """Return what the verdict on the two best rests on; "" where nothing tells that.

    Only the verdict, which is stated once, says who wins or what is too close to call.
    """
    leader, other, *more = made.order
    far, pair = difference(made, than=""), made.verdict.between(leader, other)
    if not far:
        return ""
    if pair.better:
        metric = by_key().get(made.metric)
        usual = "costs less" if made.metric == "mean_cost" else "does better"
        how = usual if metric is None else BETTER.get(metric.family, usual)
        than = f" than the next, {_called(other)}" if more else ""
        probably = "" if pair.sure else "probably "
        return f"{_called(leader)} {probably}{how}{than}: its {within_sentence(far)}"
    if pair.alone == "test":
        return f"{far}; the interval does not confirm it"
    if pair.alone:
        pairs = len(made.verdict.pairs)
        adjusted = f", adjusted for {pairs:,} pairs," if pairs > 1 else ""
        alone = "taken by itself, this interval excludes 0"
        return f"{far}: {alone}; the test{adjusted} does not confirm it"
    return f"{far}, which chance may explain"


UNBROKEN = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"


def reasons(made: Comparison) -> tuple[str, str] | None:
    """Return how far the two best are apart, and the rows, interval and test that show it.

    None where nothing can be concluded.
    """
    from evalcore.comparison.headline import beside_a_guess, evidence

    pairs = made.verdict.pairs.values()
    if all(pair.doubt for pair in pairs):
        return None
    n = f"{'On' if made.unit in ('rows', 'items') else 'Over'} {made.n:,.10g} {made.unit}"
    told = visible(minus(evidence(made))).replace(" = ", UNBROKEN)
    said, apart = reason(made), told_apart(made)
    alone = visible(beside_a_guess(made))
    alone = f" {alone}." if alone else ""
    if not said:
        return apart, f"{n}; {told}{alone}" if told else f"{n}.{alone}"
    lone = sum(pair.alone == "interval" for pair in pairs)
    more = f"; for {lone} more only the interval shows a difference" if lone else ""
    counts = f" {apart}{more}." if len(pairs) > 1 else ""
    return said, f"{n}; brackets: {whole_percent(made.level)} interval; {told}{counts}{alone}"


def _won(made: Comparison, others: Sequence[Comparison]) -> str:
    leader, *rest = made.verdict.order
    against = [
        (other, name)
        for other in others
        for name in rest
        if other.verdict.is_ahead(name, leader) and not other.no_better_than_a_guess(name)
    ]
    if against:
        other, name = against[0]
        alone = _but_a_guess(made, [leader], f"{_called(leader)} is not")
        ways = [_better(one) for one in (made, other)]
        if ways[0] == ways[1]:
            ways = [f"{ways[0]} by {within_sentence(one.metric_name)}" for one in (made, other)]
        said = f"{_called(leader)} {ways[0]}, but {_called(name)} {ways[1]}"
        said = f"{_called(name)} {_better(other)}, and {alone}" if alone else said
        return f"No single best: {said}"
    sure = all(made.verdict.between(leader, name).sure for name in rest)
    beaten = {1: _called(rest[0]), 2: "both others"}.get(len(rest), f"all {len(rest)} others")
    little = ", by a difference too small to matter" if _is_small(made, rest[0]) else ""
    said = f"{_called(leader)} is {'clearly' if sure else 'probably'} better than {beaten}{little}"
    return said + _but_a_guess(made, [leader], ", but not")


def _is_small(made: Comparison, other: str) -> bool:
    gap = made.gap(made.verdict.leader, other)
    if gap is None or gap.low is None or gap.high is None:
        return False
    return max(abs(gap.low), abs(gap.high)) < made.rope


def _tied(made: Comparison, others: Sequence[Comparison]) -> tuple[str, str]:
    """Say which models are too close to call; besides, whom the leader beats, and by what else."""
    told = made.verdict
    leader, *rest = told.order
    level = [leader, *(name for name in rest if told.between(leader, name).better is None)]
    if len(level) <= NAMED:
        who = joined(list(map(_called, level)))
    else:
        who = f"{_called(leader)} and {len(level) - 1} others"
    besides = [
        _ahead(made, [name for name in rest if name not in level]),
        _by_others(others, level),
    ]
    neither = f"; {'neither' if len(level) == 2 else 'none'} is"
    alike = f"{_chance(made, level)}{_but_a_guess(made, level, neither)}"
    headline = f"{who} are too close to call{alike}"
    return headline, "; ".join(filter(None, besides))


def _ahead(made: Comparison, beaten: Sequence[str]) -> str:
    """Say whom the leader is shown to beat; "" for nobody."""
    leader, parts = made.verdict.leader, []
    for how, sure in (("clearly", True), ("probably", False)):
        names = [name for name in beaten if made.verdict.between(leader, name).sure == sure]
        if names:
            parts.append(f"{how} better than {joined(list(map(_called, names)))}")
    return f"{_called(leader)} is {', '.join(parts)}" if parts else ""


def _by_others(others: Sequence[Comparison], level: Sequence[str]) -> str:
    """Say which of some models is surely ahead of another, and by which metric; "" for none."""
    for other in others:
        for one, two in permutations(level, 2):
            sure = other.verdict.is_ahead(one, two) and other.verdict.between(one, two).sure
            if sure and not other.no_better_than_a_guess(one):
                by = within_sentence(other.metric_name)
                return f"{_called(one)} {_better(other)} than {_called(two)}, by {by}"
    return ""


def _chance(made: Comparison, level: Sequence[str]) -> str:
    """Say that models are better than chance, where all are shown to be."""
    lows = [made.models[name].low for name in level]
    known = [low for low in lows if low is not None and low > 0.5]
    if made.metric != "roc_auc" or len(known) < len(level):
        return ""
    every = "both" if len(level) == 2 else "all"
    return f"; {every} beat chance{' by far' if min(known) > FAR else ''}"


def _better(made: Comparison) -> str:
    metric = by_key().get(made.metric)
    family = "does better" if metric is None else BETTER.get(metric.family, "does better")
    return BETTER_BY.get(made.metric, family)


def _called(name: str) -> str:
    return visible(abbreviate(name, LONGEST))


class Facts(Protocol):
    """What the sentences on the cards of a model speak of."""

    @property
    def counts(self) -> BinaryCounts | None:
        """The four counts of a yes-or-no question, to be filled into formulas."""

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""

    def rows_behind(self, key: str) -> float:
        """Return the number of rows on which the number stands or falls."""


@dataclass(frozen=True)
class BinaryFacts:
    """The facts of a yes-or-no question: its classes, its four counts, every number by key.

    `truth` is the column that the classes answer.
    """

    positive: str
    negative: str
    counts: BinaryCounts
    metrics: Sequence[Estimates]
    truth: str = ""

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""
        return _SENTENCES[key](self) if key in _SENTENCES else ""

    def rows_behind(self, key: str) -> float:
        """Return the rows that the number is a share of, or those of the rarer class."""
        behind = _ROWS_BEHIND.get(key)
        if behind is not None:
            return float(behind(self.counts))
        return float(min(self.counts.positives, self.counts.negatives))

    def say(self, key: str, words: Callable[[float], str]) -> str:
        """Return the value of another metric in words; "" where it is undefined."""
        estimate = next((known[key] for known in self.metrics if key in known), UNKNOWN)
        return words(estimate.value) if estimate.defined else ""


@dataclass(frozen=True)
class ClassFacts:
    """The facts of a question with several classes."""

    confusion: ConfusionMatrix
    counts: None = None

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""
        if key == "accuracy":
            right = float(self.confusion.counts.trace())
            return f"{count(right)} of {counted(self.confusion.total, 'row')} are right"
        return _OF_CLASSES.get(key, "")

    def rows_behind(self, key: str) -> float:
        """Return all rows."""
        return self.confusion.total


def _precision(facts: BinaryFacts) -> str:
    c = facts.counts
    flagged = f"{count(c.tp)} of {count(c.predicted_positive)} flagged rows"
    return f"{flagged} are {class_of(facts.truth, facts.positive)}"


def _recall(facts: BinaryFacts) -> str:
    c = facts.counts
    return f"{count(c.tp)} of {count(c.positives)} {rows_of(facts.truth, facts.positive)} found"


def _specificity(facts: BinaryFacts) -> str:
    c, passed = facts.counts, rows_of(facts.truth, facts.negative)
    return f"{count(c.tn)} of {count(c.negatives)} {passed} correctly passed"


def _accuracy(facts: BinaryFacts) -> str:
    c = facts.counts
    most = facts.positive if c.positives > c.negatives else facts.negative
    share = facts.say("no_information_rate", percent)
    return f"{share} by calling every row {class_of(facts.truth, most)}" if share else ""


def _auc(facts: BinaryFacts) -> str:
    pairs = float(facts.counts.positives * facts.counts.negatives)
    chance = "50" if pairs >= 100 else f"{count(pairs / 2)}"
    right = facts.say("roc_auc", lambda area: of_hundred(area, pairs))
    return right and f"{right} pairs ranked right; {chance} by chance"


def _average_precision(facts: BinaryFacts) -> str:
    return facts.say("prevalence", lambda share: f"{number(share)} by chance")


def _brier(facts: BinaryFacts) -> str:
    naive, share = facts.say("brier_uncertainty", number), facts.say("prevalence", percent)
    return f"guessing {share} for every row gives {naive}" if naive and share else ""


_SENTENCES: Mapping[str, Callable[[BinaryFacts], str]] = {
    "precision": _precision,
    "recall": _recall,
    "specificity": _specificity,
    "accuracy": _accuracy,
    "f1": lambda facts: "harmonic mean of precision and recall",
    "mcc": lambda facts: "0 is chance, 1 is perfect",
    "roc_auc": _auc,
    "average_precision": _average_precision,
    "brier": _brier,
    "log_loss": lambda facts: "0 is perfect; being confident and wrong costs most",
}
_ROWS_BEHIND: Mapping[str, Callable[[BinaryCounts], Number]] = {
    "precision": lambda counts: counts.predicted_positive,
    "recall": lambda counts: counts.positives,
    "specificity": lambda counts: counts.negatives,
    "accuracy": lambda counts: counts.total,
    "brier": lambda counts: counts.total,
    "log_loss": lambda counts: counts.total,
}
_OF_CLASSES: Mapping[str, str] = {
    "balanced_accuracy": "mean recall over the classes",
    "cohen_kappa": "0 is chance, 1 is perfect",
    "mcc": "0 is chance, 1 is perfect",
    "roc_auc_ovr_macro": "mean over the classes; 0.5 is chance",
    "roc_auc_hand_till": "mean over pairs of classes; 0.5 is chance",
    "average_precision_ovr_macro": "mean over the classes",
    "log_loss": "0 is perfect; being confident and wrong costs most",
    "brier_multiclass": "0 is perfect, 2 is the worst",
}


WAYS = {
    "labels": "the file’s own labels",
    "threshold": "the threshold",
    "argmax": "the likeliest class",
}
AVERAGES = {
    "macro": "Macro: every class of the truth counts the same, however rare.",
    "micro": "Micro: every row counts the same; recall, precision and F1 are then the accuracy.",
    "weighted": "Weighted: every class counts by its rows in the truth.",
}


def at_thresholds(models: Iterable[Outcomes]) -> str:
    """Return how rows are decided where the threshold does it, though files have labels."""
    labelled = any(getattr(outcomes, "label", None) is not None for outcomes in models)
    told = "Each with its interval; hover over a name for its meaning."
    by_score = (
        "Decided by score ≥ threshold, not by the file’s own labels, which the Summary shows too."
    )
    return f"{by_score} {told}" if labelled else told


def alone(who: str, own: Estimate, tables: ModelTables) -> tuple[str, str]:
    """Return how good a single model is, its interval in the line below; `who` it is in words."""
    if not own.defined:
        return "No model can be ranked here", ""
    name, rows = at_start(who), counted(tables.n, "row")
    if tables.scores is None or not (tables.scores.positives and tables.scores.negatives):
        return f"{name} is right on {percent(own.value)} of {rows}", _below("Accuracy", own)
    pairs = float(tables.scores.positives * tables.scores.negatives)
    ranked = f"{name} ranks {of_hundred(own.value, pairs)} pairs right{against_chance(own)}"
    return ranked, _below("ROC AUC", own)


def _below(metric: str, own: Estimate) -> str:
    return f"{metric} {with_interval(own)}."


def of_way(way: str, at: float) -> str:
    """Return a way of deciding in words.

    >>> of_way("threshold", 0.5), of_way("labels", 0.5)
    ('at threshold 0.5', 'by the file’s own labels')
    """
    return f"at threshold {threshold(at)}" if way == "threshold" else f"by {WAYS[way]}"


def decided_by(way: str, classes: Sequence[str], at: float) -> str:
    """Return where the decisions come from."""
    if way == "threshold":
        return f"Called {called(classes[-1])} when the score is at least {threshold(at)}."
    if way == "argmax":
        return "Called what has the largest probability."
    return "As the file's own labels say."


_ALWAYS: Mapping[str, str] = {
    "calinski_harabasz": "spread between clusters over spread within; higher is better",
    "davies_bouldin": "how alike the closest clusters are; 0 is best",
    "dunn": "smallest gap between clusters over the widest cluster; higher is better",
    "adjusted_rand_index": "0 is chance, 1 is the same grouping",
    "ami_arithmetic": "0 is chance, 1 is the same grouping",
    "v_measure": "1 if clusters hold one class and classes lie in one cluster",
}


def sentence(made: ClusteringEvaluation, key: str) -> str:
    """Return what the metric with this key means here; "" where there is nothing to add."""
    if key == "silhouette" and made.tables is not None:
        values = made.tables.silhouette.values
        below = int((values < 0).sum())
        return f"{counted(below, 'point')} nearer to another cluster"
    if key in ("purity", "best_match_accuracy") and made.contingency is not None:
        return _matched(made.contingency, key, made.agreement[key].value)
    return _ALWAYS.get(key, "")


def _matched(table: Contingency, key: str, share: float) -> str:
    if not table.n:
        return ""
    points = f"{round(share * table.n):,} of {counted(table.n, 'point')}"
    if key == "purity":
        return f"{points} are of the main class of their cluster"
    largest = float(table.class_sizes.max()) / table.n
    return f"{points} in the cluster of their class; {percent(largest)} with one cluster for all"


@dataclass(frozen=True, eq=False)
class ValueFacts:
    """The facts of predicted numbers: the rows, and every metric by key."""

    outcomes: NumericOutcomes
    metrics: Estimates
    counts: None = None

    def sentence(self, key: str) -> str:
        """Return what the metric with this key means here; "" where there is nothing to add."""
        estimate = self.metrics[key]
        if not estimate.defined:
            return ""
        match key:
            case "mae":
                return "mean size of an error, above or below"
            case "rmse":
                return self._by_the_mean(estimate.value)
            case "medae":
                return "half of the predictions are closer"
            case "bias":
                return off_on_average(estimate.value)
            case "r2":
                return share_explained(estimate.value)
            case "max_error":
                return self._worst()
        return ""

    def rows_behind(self, key: str) -> float:
        """Return all rows."""
        return self.outcomes.total

    def _by_the_mean(self, value: float) -> str:
        relative = self.metrics["rrse"]
        if not relative.defined or not relative.value:
            return ""
        return f"always predicting the mean gives {size(value / relative.value)}"

    def _worst(self) -> str:
        told = self.outcomes
        at = int(np.abs(told.prediction - told.truth).argmax())
        row = at + 1 if told.rows is None else int(told.rows[at])
        return f"row {row:,}: predicted {size(told.prediction[at])}, truth {size(told.truth[at])}"


def off_on_average(value: float) -> str:
    """Return how far predictions are too high, or too low, on average."""
    if not value:
        return "neither too high nor too low on average"
    side = "too high" if value > 0 else "too low"
    return f"on average {size(abs(value))} {side}"
