"""From several models to which of them is better, and how sure that is."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations
from math import comb, inf, isfinite, isnan, nan
from typing import TypeVar

import numpy as np

from evalcore.comparison import power, results
from evalcore.comparison.candidates import Candidates, choose_candidates, entered, folds_of
from evalcore.comparison.catalog import TESTS
from evalcore.comparison.folds import critical_difference
from evalcore.comparison.from_folds import compared, default_rope, from_folds
from evalcore.comparison.from_rows import from_pairs, from_rows
from evalcore.comparison.headline import headline
from evalcore.comparison.resampled import ResampledValues
from evalcore.comparison.results import Comparison, Difference, Evidence, Tables, TestedPair
from evalcore.comparison.spec import BACKWARDS, IDENTICAL, StatisticalTest, why_not
from evalcore.curves.costs import UnitCosts, cheapest
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.remarks import few_rows
from evalcore.intervals.closed import holm
from evalcore.metrics.catalog import by_key, find
from evalcore.metrics.metric import Better, Metric
from evalcore.options import Options
from evalcore.outcomes import Floats
from evalcore.predictions import FoldScores, Predictions
from evalcore.text import significant, within_sentence

MOST_MODELS = 60
"""With more models, and 1,770 pairs, only the best one is compared with each of the others."""

P = TypeVar("P", bound=Predictions)
Pair = tuple[int, int]
Pairs = Mapping[Pair, Tables]


# Squares of errors beyond 1e150 are infinite: what is made of them is undefined, which is said.
@np.errstate(over="ignore", invalid="ignore")
def compare(
    data: Predictions | FoldScores,
    options: Options,
    *,
    metric: str | Metric | None = None,
    rope: float | None = None,
    resampled: ResampledValues | None = None,
) -> Comparison:
    """Return which model is better by a metric, and how sure that is.

    Differences up to `rope` make no difference in practice; by default 0.01, or a hundredth of the
    value where the metric has no range. `resampled` are the values at hand, made here if needed.
    `metric` is a key, or a metric with costs such as `mean_cost(costs)`, for rows alone.
    Without it, it is accuracy for labels, the area under the ROC curve for scores, and the
    root mean squared error for numbers; scores of folds come with their own.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows or folds.
    """
    if rope is not None and not 0 <= rope < inf:
        raise EvalError("bad-rope", "A difference to ignore must be a number of 0 or more.")
    scores = data if isinstance(data, FoldScores) else data.fold_scores
    if scores is None:
        assert isinstance(data, Predictions)
        candidates = _candidates(data, metric, options, resampled)
        rope = default_rope_of(candidates) if rope is None else rope
        evidence = _evidence(data, candidates, options, rope, resampled)
        summed = candidates.metric.key in ("rmse", "mse", "r2", "log_loss")
        models = {one.name: one.outcomes for one in candidates.models if summed}
        return conclude(replace(evidence, notices=(*evidence.notices, *few_rows(models))))
    chosen = _by_metric(scores, metric.key if isinstance(metric, Metric) else metric)
    rope = default_fold_rope(chosen) if rope is None else rope
    evidence = from_folds(chosen, level=options.level, rope=rope)
    about_file = data.notices if isinstance(data, Predictions) else ()
    return conclude(replace(evidence, notices=(*about_file, *evidence.notices)))


def verdict(
    dataset: Predictions,
    options: Options,
    *,
    metric: str | Metric | None = None,
    resampled: ResampledValues | None = None,
) -> Comparison:
    """Return what `compare` concludes from rows, by the main test alone and without folds.

    The verdict is the same, to the letter.

    Raises:
        EvalError: As `compare`.
    """
    entered = _candidates(dataset, metric, options, resampled)
    candidates = replace(entered, fold=None)
    rope = default_rope_of(candidates)
    evidence = _evidence(dataset, candidates, options, rope, resampled)
    if not dataset.pairs:
        evidence = replace(evidence, crossed=len(folds_of(entered)) > 1)
    known = {test.key: test for test in TESTS}
    main = [known[key] for key in evidence.primary if key in known]
    fit = next((test for test in main if not why_not(test, evidence.situation)), None)
    return conclude(evidence, tests=[fit] if fit else [])


def at_cheapest(
    dataset: P, options: Options, prices: Floats, share: float | None = None
) -> tuple[P, Options]:
    """Return models that decide by scores, each at the threshold that costs least on its rows.

    `prices` are (2, 2), row = truth; `share` is that of positives, None for that of the rows.
    Unless two models or more have scores of both classes, all is left as it is.
    """
    (tn, fp), (fn, tp) = prices.tolist()
    own, models = {}, dict(dataset.models)
    for name, one in entered(models, find("roc_auc")).items():
        if not isnan(one.value):
            here = one.table.positives / one.table.n if share is None else share
            least = cheapest(one.table, UnitCosts(tn, fp, fn, tp, here)).threshold
            # Nothing is flagged above all scores.
            own[name] = min(least, float(np.nextafter(one.table.threshold[0], inf)))
            models[name] = replace(one.outcomes, label=None)
    if len(own) < 2:
        return dataset, options
    return replace(dataset, models=models), replace(options, own_thresholds=tuple(own.items()))


def leader(
    dataset: Predictions, among: Collection[str], resampled: ResampledValues | None = None
) -> tuple[str | None, str]:
    """Return which of some models has the best value of the usual metric, and why it leads.

    Without tests: None leads where none has a value, or all scores surely run backwards, of which
    the highest area tells least; why is said then, too.
    """
    options = Options(threshold=dataset.threshold)
    try:
        candidates = _candidates(dataset, None, options, resampled)
    except EvalError:
        return None, "no model leads"
    key, name = candidates.metric.key, within_sentence(candidates.metric.name)
    low = key == "roc_auc" and all(one.value < 0.5 for one in candidates.models)
    if low and verdict(dataset, options, resampled=resampled).doubt == BACKWARDS:
        return None, f"no model leads, since {BACKWARDS}"
    ranked = (one for one in candidates.best_first if isfinite(one.value))
    first = next((one.name for one in ranked if one.name in among), None)
    return first, f"it leads by {name}" if first else "no model leads"


def to_judge(
    dataset: Predictions, named: str | None, able: Collection[str]
) -> tuple[str, tuple[Notice, ...]]:
    """Return the model that is named, else the `leader` of those able, else the first of these.

    The notice says which it is and why, where nobody named one of several.
    """
    if named or len(able) < 2:
        return named or next(iter(able), ""), ()
    found, why = leader(dataset, able)
    name = found or next(iter(able))
    said = f'"{name}" is judged: {why}{"" if found else ", and it comes first"}.'
    return name, (Notice("judged-model", said),)


def _evidence(
    data: Predictions,
    candidates: Candidates,
    options: Options,
    rope: float,
    resampled: ResampledValues | None,
) -> Evidence:
    """Return what rows say, or counts of each model and of each pair."""
    if data.pairs and not candidates.shared:
        return from_pairs(candidates, data.pairs, options, rope=rope, resampled=resampled)
    return from_rows(candidates, options, rope=rope, resampled=resampled)


def default_fold_rope(scores: FoldScores) -> float:
    """Return up to where a difference makes none, in the unit of what was scored."""
    means = (float(own[np.isfinite(own)].mean()) for own in scores.score if np.isfinite(own).any())
    return default_rope(compared(scores.metric).range, means)


def default_rope_of(candidates: Candidates) -> float:
    """Return up to where a difference makes none, in the unit of the metric."""
    metric = candidates.metric
    return default_rope((metric.low, metric.high), (one.value for one in candidates.models))


def _candidates(
    data: Predictions, by: str | Metric | None, options: Options, drawn: ResampledValues | None
) -> Candidates:
    return drawn.candidates if drawn else choose_candidates(data, by, options)


def _by_metric(scores: FoldScores, metric: str | None) -> FoldScores:
    """Return the scores under the metric that is asked for; one they are not of is refused."""
    if metric is None:
        return scores
    if metric in scores.by_metric:
        return scores.by_metric[metric]
    own, asked = compared(scores.metric), find(metric).key
    for other in scores.others:
        if compared(other.metric).key == asked != own.key:
            return other
    known = not own.notices
    if known and own.key != asked:
        raise EvalError(
            "other-metric",
            f'The scores of the folds are of "{scores.metric}". To compare by "{metric}", choose '
            "the columns that hold it (--fold-score COL).",
        )
    return scores if known else replace(scores, metric=asked)


def conclude(evidence: Evidence, tests: Sequence[StatisticalTest] = TESTS) -> Comparison:
    """Return everything that the evidence says, with the sentence that sums it up."""
    names, order = list(evidence.models), _order(evidence)
    pairs = {pair: evidence.pair(*pair) for pair in _pairs(order)}
    refused = {test.key: _why_not(test, evidence, pairs) for test in tests}
    fit = {test.key: test for test in tests if not refused[test.key]}
    tested = tuple(found for test in fit.values() for found in _tested(test, evidence, pairs))
    ranks = evidence.mean_ranks
    known = {each.name: getattr(evidence, each.name) for each in fields(results.ComparedModels)}
    chosen = _best(evidence, order)
    known["notices"] = (
        *evidence.notices,
        *_identical(tested),
        *_not_all_pairs(order),
        *_best_looks_better(evidence, chosen),
    )
    comparison = Comparison(
        **known,
        metric=evidence.situation.metric,
        design=evidence.situation.design,
        differences=tuple(_difference(evidence, *item) for item in pairs.items()),
        tests=tested,
        primary=next((key for key in evidence.primary if key in fit), ""),
        not_applicable=tuple(
            results.Refusal(test.key, refused[test.key])
            for test in tests
            if refused[test.key] and not test.instead_of
        ),
        order=tuple(names[place] for place in order),
        mean_ranks=tuple(ranks[place] for place in order) if ranks else (),
        critical_difference=critical_difference(len(ranks), int(evidence.n), evidence.level)
        if len(ranks) > 2
        else nan,
        sample_size=evidence.sample_size(pairs[min(order[:2]), max(order[:2])]),
        corrected=chosen,
    )
    return replace(comparison, summary=headline(comparison))


def _best(evidence: Evidence, order: Sequence[int]) -> power.Corrected | None:
    """Return the best model less what choosing it adds; None where that is next to nothing."""
    estimates = list(evidence.models.items())
    leading = [place for place in order if isfinite(estimates[place][1].value)][: power.LEADING]
    deviations = None if evidence.doubt or len(leading) < 2 else evidence.deviations(leading)
    if deviations is None:
        return None
    values = np.array([estimates[place][1].value for place in leading])
    less = power.optimism(values, deviations, evidence.better)
    metric = by_key().get(evidence.situation.metric)
    bounds = (-inf, inf) if metric is None else (metric.low, metric.high)
    return power.corrected(*estimates[leading[0]], less, evidence.better, bounds)


def _best_looks_better(evidence: Evidence, chosen: power.Corrected | None) -> Iterator[Notice]:
    if chosen is None or chosen.low is None or chosen.high is None:
        return
    value, low, high = map(significant, (chosen.value, chosen.low, chosen.high))
    models = len(evidence.models)
    which = "better of two" if models == 2 else f"best of {models:,}"
    yield Notice(
        "best-of-many",
        f"The {which} looks better than it is, since it was chosen on these {evidence.unit}: on "
        f'new ones "{chosen.model}" would have about {value} ({low} to {high}).',
    )


def _order(evidence: Evidence) -> list[int]:
    """Return the places of the models, the best first, those without a value last."""
    if evidence.mean_ranks:
        return results.best_first(evidence.mean_ranks, Better.LOWER)
    return results.best_first([one.value for one in evidence.models.values()], evidence.better)


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
    if test.overall and evidence.no_overall:
        return evidence.no_overall
    many = f" of more than {MOST_MODELS} models" if len(evidence.models) > MOST_MODELS else ""
    return f"It is not available for {evidence.metric_name}{many}."


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
    (first, one), (second, other) = (list(evidence.models.items())[place] for place in pair)
    gap, interval = other.value - one.value, evidence.interval(tables)
    if interval is None or any(map(isnan, (gap, interval.low, interval.high))):
        return Difference(first, second, gap)
    ends = float(interval.low), float(interval.high)
    note = "degenerate: these data show no variation" if interval.degenerate else ""
    return Difference(first, second, gap, *ends, interval.method, note)


def _identical(tests: Sequence[TestedPair]) -> Iterator[Notice]:
    pairs = [(t.first, t.second) for t in tests if t.first and t.finding.note == IDENTICAL]
    for first, second in dict.fromkeys(pairs):
        yield Notice("identical-models", f'"{first}" and "{second}" are identical here: p = 1.')


def _not_all_pairs(order: Sequence[int]) -> Iterator[Notice]:
    if len(order) > MOST_MODELS:
        yield Notice(
            "best-against-others",
            f"There are {len(order)} models; the best one is compared with each of the others. "
            "Since it was chosen as the best, p values are adjusted for all pairs.",
        )
