"""Two files apart, such as last month and this month: what changed, and by how much for sure.

They have no row in common, so that they are two independent samples.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore import outcomes as data
from evalcore.comparison.candidate import can_decide, candidate
from evalcore.comparison.candidates import common_rule
from evalcore.errors import EvalError, Notice
from evalcore.inputs import are_counts
from evalcore.intervals.closed import holm, mean_interval, wilson
from evalcore.intervals.delong import area_interval
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Estimate, Sample
from evalcore.options import Options
from evalcore.outcomes import Codes, Floats, Outcomes
from evalcore.predictions import Predictions
from evalcore.results import DecisionRule
from evalcore.slices.measures import Part, measure
from evalcore.slices.results import NOT_JUDGED, Against, against, difference
from evalcore.tables.classes import most_likely
from evalcore.tables.confusion import BinaryCounts
from evalcore.tables.residuals import ResidualMoments
from evalcore.tables.scores import ScoreTable
from evalcore.text import Displayed, nothing, significant

EXPECTED = (
    "This assumes that probabilities are calibrated on these rows too. If the population "
    "has changed they may not be, and only labels can show it."
)
"""What is assumed where rows have no labels."""

MOST_CLASSES = 20
"""Classes whose shares are compared, the most frequent ones: of rare ones nothing can be said."""

OF_CLASS = ("recall", "precision")
"""The metrics of each class against all others."""

SCORES = "scores"
"""Under this name the test of the scores is among the adjusted p values."""


@dataclass(frozen=True)
class Moved(Displayed):
    """How the distribution of what a model says has moved.

    Attributes:
        of: "scores", or "predictions" of numbers.
        distance: Largest difference of the shares of rows up to a value, with the interval of
            Dvoretzky, Kiefer and Wolfowitz for both files (Massart, 1990, Annals of Probability).
        p_value: Chance of as large a distance if they were alike (Kolmogorov and Smirnov), in large
            samples; NaN where rows depend on each other or weights are no counts.
        above: Chance that a later value is above an earlier one, equal ones counting half; 0.5
            where neither tends to be the higher one.
        table: The later rows as positives, the earlier ones as negatives, by what is said of them.
    """

    left_out = ("table",)

    of: str
    distance: Estimate
    p_value: float
    above: Estimate
    table: ScoreTable = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Shift(Displayed):
    """How a later file differs from an earlier one.

    Attributes:
        model: Whose answers are compared.
        n: Rows of the earlier file and of the later one.
        truth: Class -> its share, or what else is true -> its mean: the later value, the earlier
            one (`rest`), their difference and its test.
        metrics: Key -> the same of what the model is worth.
        scores: How what the model says has moved; None where it gives labels only.
        p_adjusted: The p values by class, key and "scores", adjusted for their number by Holm.
        per_class: Of several classes: class -> key in `OF_CLASS` -> the same of that class against
            all others.
        per_class_p: (class, key) -> p values of these, adjusted for their own number.
        level: That of the intervals.
        assumed: Where the later file has no labels: what its values rest on; "" otherwise.
        check: Key -> what the same way expects of the earlier file, whose labels are known.
        notices: What the reader must know.
    """

    model: str
    n: tuple[float, float]
    truth: Mapping[str, Against]
    metrics: Mapping[str, Against]
    scores: Moved | None = None
    p_adjusted: Mapping[str, float] = field(default_factory=nothing)
    per_class: Mapping[str, Mapping[str, Against]] = field(default_factory=nothing)
    per_class_p: Mapping[tuple[str, str], float] = field(default_factory=nothing)
    level: float = 0.95
    assumed: str = ""
    check: Mapping[str, Estimate] = field(default_factory=nothing)
    notices: tuple[Notice, ...] = ()

    def _columns(self) -> Mapping[str, Sequence[Any]]:
        rows = {**self.truth, **self.metrics}
        return {
            "what": [*rows],
            "earlier": [one.rest.value for one in rows.values()],
            "later": [one.value.value for one in rows.values()],
            "difference": [one.difference.value for one in rows.values()],
            "difference_low": [one.difference.low for one in rows.values()],
            "difference_high": [one.difference.high for one in rows.values()],
            "p_adjusted": [self.p_adjusted.get(name, np.nan) for name in rows],
        }


def shift(
    earlier: Predictions,
    later: Predictions,
    keys: Sequence[str] | None,
    options: Options,
    model: str | None = None,
) -> Shift:
    """Return how a model does in two files that have no row in common.

    Args:
        earlier: The one to compare with.
        later: The one in question.
        keys: Metrics; None for the usual ones of which both files give what they are made of.
        options: Level and threshold.
        model: Its name in both files; by default the one of both that leads in the earlier file.

    Raises:
        EvalError: "no-such-model": not both files have it. "not-sliceable": a metric that is
            named cannot be compared so.
    """
    name, why = _shared(earlier, later.models, model)
    rows = earlier.models[name], later.models[name]
    own = replace(options, threshold=options.threshold_of(name))
    rule = common_rule({"earlier": rows[0], "later": rows[1]})
    metrics = {
        key: against(*(_part(one, key, rule, own) for one in rows[::-1]))
        for key in (usual_keys(*rows) if keys is None else dict.fromkeys(keys))
    }
    truth = {
        label: against(*(_true(one, label, own) for one in rows[::-1])) for label in _labels(*rows)
    }
    found = _of_classes(*rows, rule, own)
    p_values = {
        (label, key): one.p_value for label, row in found.items() for key, one in row.items()
    }
    return replace(
        _made(name, rows, truth, metrics, options),
        per_class=MappingProxyType(found),
        per_class_p=MappingProxyType(dict(zip(p_values, holm([*p_values.values()]), strict=True))),
        notices=why,
    )


def _of_classes(
    first: Outcomes, second: Outcomes, rule: DecisionRule, options: Options
) -> dict[str, Mapping[str, Against]]:
    """Return how the decisions about each of several classes have changed."""
    both = first, second
    if not all(isinstance(rows, data.ClassOutcomes) for rows in both):
        return {}
    found: dict[str, Mapping[str, Against]] = {}
    for label in _labels(first, second):
        earlier, later = (_decided(rows, label, rule, options) for rows in both)
        found[label] = {
            key: against(_of_class(later, key, options), _of_class(earlier, key, options))
            for key in OF_CLASS
        }
    return found


def _decided(
    rows: Outcomes, label: str, rule: DecisionRule, options: Options
) -> data.BinaryOutcomes:
    """Return the decisions about a class against all others."""
    made = candidate("", rows, find("accuracy"), rule, options.threshold)
    assert made is not None
    code = made.outcomes.classes.index(label) if label in made.outcomes.classes else -1
    return _against_others(rows, label, (made.decision == code).astype(np.int8))


def _part(rows: Outcomes, key: str, rule: DecisionRule, options: Options) -> Part:
    """Return a metric on all rows of a file."""
    made = candidate("", rows, find(key), rule, options.threshold)
    if made is None:
        raise EvalError("not-sliceable", f"Not both files have the columns for {key}.")
    return measure(made, options).whole()


def shift_expected(
    earlier: Predictions,
    probability: Floats,
    keys: Sequence[str] | None,
    options: Options,
    model: str | None = None,
) -> Shift:
    """Return what to expect of a model in later rows without labels, were its probabilities right.

    `EXPECTED` says what is assumed; `check` sets the same estimate of the earlier file beside.

    Args:
        earlier: The file with labels.
        probability: (n,) of the positive class in the later file; (n, K) of several classes.
        keys: Metrics of decisions; None for the usual ones.
        options: Level and threshold.
        model: Its name; by default the one that leads.

    Raises:
        EvalError: "no-such-model", "no-probabilities", or "not-expected" for another metric.
    """
    from evalcore.slices.slicing import usual_metric

    name, why = _shared(earlier, earlier.models, model)
    rows, at = earlier.models[name], options.threshold_of(name)
    if not data.gives_probabilities(rows):
        raise EvalError(
            "no-probabilities",
            f"Without labels the metrics are estimated from probabilities, and {name} gives none.",
        )
    own = replace(options, threshold=at)
    binary = isinstance(rows, data.BinaryOutcomes)
    usual = ("accuracy", "recall", "precision") if binary else ("accuracy",)
    usual = ("recall", "precision", "accuracy") if usual_metric(earlier) == "recall" else usual
    asked = tuple(usual if keys is None else dict.fromkeys(keys))
    known = rows.score if isinstance(rows, data.BinaryOutcomes) else rows.probabilities
    assert known is not None
    promised, check = (_expected(each, asked, own) for each in (probability, known))
    # Decided as what is expected is: by the probabilities, whatever labels stand beside them.
    rule: DecisionRule = "threshold" if binary else "argmax"
    metrics = {
        key: _beside(made, _part(rows, key, rule, own).estimate) for key, made in promised.items()
    }
    truth = {}
    for label in _labels(rows, rows):
        chance = float(_chance(probability, rows, label).sum())
        share = _share(chance, len(probability), options.level)
        truth[label] = _beside(share, _true(rows, label, own).estimate)
    made = _made(name, (rows, _without_truth(rows, probability)), truth, metrics, options)
    said = (_not_kept(key, check[key], one.rest) for key, one in metrics.items())
    return replace(
        made,
        assumed=EXPECTED,
        check=MappingProxyType(check),
        notices=(*why, *(one for one in said if one is not None)),
    )


def _without_truth(rows: data.BinaryOutcomes | data.ClassOutcomes, probability: Floats) -> Outcomes:
    """Return rows of which only what the model says may be looked at."""
    truth = np.zeros(len(probability), np.int8)
    if isinstance(rows, data.BinaryOutcomes):
        return data.BinaryOutcomes(
            classes=rows.classes, truth=truth, score=probability, probability=True
        )
    return data.ClassOutcomes(classes=rows.classes, truth=truth, probabilities=probability)


def usual_keys(first: Outcomes, second: Outcomes) -> tuple[str, ...]:
    """Return the keys of the metrics that two files are usually compared by."""
    match first, second:
        case (data.NumericOutcomes(), _):
            return ("mae", "rmse")
        case (data.CorrectOutcomes(), _):
            return ("accuracy",)
        case (data.BinaryOutcomes(), data.BinaryOutcomes()):
            rule = common_rule({"first": first, "second": second})
            decided = can_decide(first, rule) and can_decide(second, rule)
            scored = first.scored and second.scored
            probable = scored and first.probability and second.probability
            found = ("recall", "precision", "accuracy") if decided else ()
            return (*found, *(["roc_auc"] * scored), *(["brier"] * probable))
    return ("accuracy",)


def _shared(
    earlier: Predictions, later: Mapping[str, Any], model: str | None
) -> tuple[str, tuple[Notice, ...]]:
    from evalcore.compare import to_judge

    shared = [name for name in earlier.models if name in later]
    name, why = to_judge(earlier, model, shared)
    if name not in shared:
        raise EvalError("no-such-model", "No model of that name is in both files.")
    return name, why


def _made(
    name: str,
    rows: tuple[Outcomes, Outcomes],
    truth: Mapping[str, Against],
    metrics: Mapping[str, Against],
    options: Options,
) -> Shift:
    """Return all that was compared, its p values adjusted for their number."""
    scores = _moved(*rows, options.level)
    p_values = {key: one.p_value for key, one in {**truth, **metrics}.items()}
    if scores is not None:
        p_values[SCORES] = scores.p_value
    adjusted = dict(zip(p_values, holm([*p_values.values()]), strict=True))
    return Shift(
        model=name,
        n=(rows[0].total, rows[1].total),
        truth=MappingProxyType(dict(truth)),
        metrics=MappingProxyType(dict(metrics)),
        scores=scores,
        p_adjusted=MappingProxyType(adjusted),
        level=options.level,
    )


MEAN = "mean of the truth"
"""What is true of numbers, in the place of the share of a class."""


def _labels(first: Outcomes, second: Outcomes) -> list[str]:
    """Return the classes whose shares are compared, or that of numbers it is their mean."""
    if isinstance(first, data.NumericOutcomes):
        return [MEAN]
    if isinstance(first, data.BinaryOutcomes):
        return [first.classes[1]]
    if isinstance(first, data.CorrectOutcomes) or not isinstance(second, data.ClassOutcomes):
        return []
    every = dict.fromkeys((*first.classes, *second.classes))
    often = {name: sum(_is_of(rows, name).sum() for rows in (first, second)) for name in every}
    known = sorted(often, key=often.__getitem__, reverse=True)[:MOST_CLASSES]
    return [name for name in every if name in known and often[name]]


def _true(rows: Outcomes, label: str, options: Options) -> Part:
    """Return the share of a class, or the mean of the true numbers."""
    if isinstance(rows, data.NumericOutcomes):
        return _mean(rows, options.level)
    return _share_of(rows, label, options)


def _is_of(rows: Any, name: str) -> Any:
    code = rows.classes.index(name) if name in rows.classes else -1
    return rows.truth == code


def _share_of(rows: Any, name: str, options: Options) -> Part:
    """Return the share of a class, as the share of rows called so by one who is always right."""
    return _of_class(_against_others(rows, name, None), "prevalence", options)


def _against_others(rows: Outcomes, name: str, called: Codes | None) -> data.BinaryOutcomes:
    """Return which rows are `called` a class, all the right ones by default, against all others."""
    of = _is_of(rows, name).astype(np.int8)
    label = of if called is None else called
    names = ("other", name)
    return data.BinaryOutcomes(
        classes=names, truth=of, label=label, weight=rows.weight, unit=rows.unit
    )


def _of_class(rows: data.BinaryOutcomes, key: str, options: Options) -> Part:
    made = candidate("", rows, find(key))
    assert made is not None
    return measure(made, options).whole()


def _mean(rows: data.NumericOutcomes, level: float) -> Part:
    """Return the mean of the true numbers with Student's interval."""
    table = ResidualMoments.of(rows)
    mean, total = float(table.mean_truth), float(table.n)
    counts = rows.weight is None or are_counts(rows.weight)
    if rows.unit is not None or not counts or total <= 1:
        return Part(Estimate(mean), np.nan)
    deviation = sqrt(float(table.truth_ss) / (total - 1))
    ends = mean_interval(mean, deviation, total, level)
    return Part(Estimate.of(mean, ends), deviation / sqrt(total), total - 1)


def _moved(first: Outcomes, second: Outcomes, level: float) -> Moved | None:
    """Return how what a model says has moved; None for labels, and for classes side by side."""
    match first, second:
        case (data.NumericOutcomes(), data.NumericOutcomes()):
            of, said = "predictions", (first.prediction, second.prediction)
        case (data.BinaryOutcomes(score=a), data.BinaryOutcomes(score=b)) if (
            a is not None and b is not None
        ):
            of, said = "scores", (a, b)
        case _:
            return None
    weights = [np.ones(one.n) if one.weight is None else one.weight for one in (first, second)]
    later = np.repeat(np.array([0, 1], np.int8), [first.n, second.n])
    table = ScoreTable.from_scores(later, np.concatenate(said), np.concatenate(weights))
    n, m = float(weights[0].sum()), float(weights[1].sum())
    gap = float(np.max(np.abs(table.tp / m - table.fp / n)))
    alone = all(map(are_counts, weights)) and first.unit is None and second.unit is None
    area = float(find("roc_auc")(table))
    if not alone:
        why = "rows depend on each other, or weights are not counts"
        return Moved(of, Estimate(gap, note=why), np.nan, Estimate(area, note=why), table)
    from scipy.special import kolmogorov

    ends = area_interval(table, level)
    # Each file's shares are off by no more than this, at half of what may fail.
    reach = sum(sqrt(log(4 / (1 - level)) / (2 * size)) for size in (n, m))
    distance = Estimate(gap, max(gap - reach, 0.0), min(gap + reach, 1.0), "dkw", level)
    p_value = float(kolmogorov(sqrt(n * m / (n + m)) * gap))
    return Moved(of, distance, p_value, Estimate.of(area, ends), table)


def expected(probability: Floats, keys: Sequence[str], options: Options) -> Mapping[str, Estimate]:
    """Return metrics to expect of rows without labels, were the probabilities right.

    Each row counts as a positive with its probability, and as a negative with what is left.
    `EXPECTED` says what is assumed. Source: Guillory and others (2021), Predicting with confidence
    on unseen distributions, ICCV.

    Args:
        probability: (n,) of the positive class.
        keys: Metrics of a decision, such as "accuracy", "recall" or "prevalence".
        options: Level, and the threshold of the decision.

    >>> expected(np.array([0.9, 0.2]), ["accuracy"], Options())["accuracy"]
    Estimate(value=0.850, low=0.250, high=0.990, method=wilson, level=0.950)
    """
    called = probability >= options.threshold
    sums: list[Any] = [
        float(np.sum(part))
        for side in (called, ~called)
        for part in (probability[side], 1 - probability[side])
    ]
    tp, fp, fn, tn = sums
    counts, found = BinaryCounts(tp, fp, fn, tn), {}
    for key in keys:
        metric = find(key)
        if metric.needs is not BinaryCounts:
            raise _not_expected(key)
        found[key] = metric.estimate(counts, Sample(options.level))
    return MappingProxyType(found)


def _not_expected(key: str) -> EvalError:
    return EvalError(
        "not-expected",
        f"Without labels {key} cannot be estimated: choose a metric of decisions, such as "
        "accuracy, recall or precision (with several classes only accuracy).",
    )


def _expected(chances: Floats, keys: Sequence[str], options: Options) -> dict[str, Estimate]:
    if chances.ndim == 1:
        return dict(expected(chances, keys, options))
    if strange := [key for key in keys if key != "accuracy"]:
        raise _not_expected(strange[0])
    known = np.nan_to_num(chances)
    right = float(known[np.arange(len(known)), most_likely(known)].sum())
    return dict.fromkeys(keys, _share(right, len(known), options.level))


def _share(count: float, n: float, level: float) -> Estimate:
    if not n:
        return Estimate(np.nan, why="there are no rows")
    return Estimate.of(count / n, wilson(count, n, level))


def _chance(
    probability: Floats, rows: data.BinaryOutcomes | data.ClassOutcomes, label: str
) -> Floats:
    """Return the (n,) probability of a class."""
    if probability.ndim == 1:
        return probability
    return np.nan_to_num(probability[:, rows.classes.index(label)])


def _beside(promised: Estimate, known: Estimate) -> Against:
    """Return the estimate with the observed value; it is not a sample that could be tested."""
    return replace(NOT_JUDGED, value=promised, rest=known, difference=difference(promised, known))


def _not_kept(key: str, promised: Estimate, known: Estimate) -> Notice | None:
    """Return the notice that probabilities were not right on average where labels are known."""
    if known.low is None or known.high is None or known.low <= promised.value <= known.high:
        return None
    ends = f"{significant(known.low)} to {significant(known.high)}"
    return Notice(
        "promise-not-kept",
        f"On the earlier file the probabilities imply {key} {significant(promised.value)}, and it "
        f"is {significant(known.value)} ({ends}): the probabilities are not calibrated, and the "
        "estimate for the later file is off by about as much.",
        severity="warning",
    )
