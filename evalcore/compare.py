"""From several models to which of them is better, and how sure that is."""

from dataclasses import replace
from math import inf
from types import MappingProxyType

import numpy as np

from evalcore.comparison.candidates import Candidates, choose_candidates
from evalcore.comparison.distributions import ResampledValues
from evalcore.comparison.evidence import TESTS, Evidence
from evalcore.comparison.from_folds import compared, default_rope, from_folds
from evalcore.comparison.from_rows import IndependentRows, PairedRows
from evalcore.comparison.judging import judge
from evalcore.comparison.results import Comparison
from evalcore.comparison.spec import why_not
from evalcore.errors import EvalError, Notice
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.outcomes import FoldScores
from evalcore.predictions import Predictions


# Squares of errors beyond 1e150 are infinite: what is made of them is undefined, which is said.
@np.errstate(over="ignore", invalid="ignore")
def compare(
    data: Predictions | FoldScores,
    options: Options,
    *,
    metric: str | None = None,
    rope: float | None = None,
    draws: ResampledValues | None = None,
) -> Comparison:
    """Return which model is better by a metric, and how sure that is.

    Differences up to `rope` make no difference in practice; by default 0.01, or a hundredth of the
    value where the metric has no range. `draws` are those at hand. Without `metric` it is accuracy
    for labels, the area under the ROC curve for scores, and the root mean squared error for
    numbers; scores of folds come with their own.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows or folds.
    """
    if rope is not None and not 0 <= rope < inf:
        raise EvalError("bad-rope", "What makes no difference must be a number of 0 or more.")
    scores = data if isinstance(data, FoldScores) else data.fold_scores
    if scores is not None:
        chosen = _called(scores, metric)
        wide = default_fold_rope(chosen) if rope is None else rope
        evidence = from_folds(chosen, level=options.level, rope=wide)
        evidence = replace(evidence, notices=(*_told(data), *evidence.notices))
    else:
        assert isinstance(data, Predictions)
        entered = draws.candidates if draws else choose_candidates(data, metric, options)
        wide = default_rope_of(entered) if rope is None else rope
        evidence = from_rows(entered, options, rope=wide, draws=draws)
    return judge(evidence, level=options.level, rope=wide)


def default_fold_rope(scores: FoldScores) -> float:
    """Return up to where a difference makes none, in the unit of what was scored."""
    means = (float(own[np.isfinite(own)].mean()) for own in scores.score if np.isfinite(own).any())
    return default_rope(compared(scores.metric).range, means)


def default_rope_of(entered: Candidates) -> float:
    """Return up to where a difference makes none, in the unit of the metric."""
    metric = entered.metric
    return default_rope((metric.low, metric.high), (one.value for one in entered.models))


def verdict(
    dataset: Predictions,
    options: Options,
    *,
    metric: str | None = None,
    draws: ResampledValues | None = None,
) -> Comparison:
    """Return what `compare` concludes from rows, made with the main test alone.

    The answer is the same, to the letter; what stands behind it is left out, folds among it.

    Raises:
        EvalError: As `compare`.
    """
    entered = draws.candidates if draws else choose_candidates(dataset, metric, options)
    without_folds, wide = replace(entered, fold=None), default_rope_of(entered)
    evidence = from_rows(without_folds, options, rope=wide, draws=draws)
    main = [test for test in TESTS if test.key in evidence.primary]
    fit = next((test for test in main if not why_not(test, evidence.situation)), None)
    return judge(evidence, level=options.level, rope=wide, tests=[fit] if fit else [])


def _told(data: Predictions | FoldScores) -> tuple[Notice, ...]:
    return data.notices if isinstance(data, Predictions) else ()


def _called(scores: FoldScores, metric: str | None) -> FoldScores:
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
            "the columns that hold it, in the command line by --fold-score.",
        )
    return scores if known else replace(scores, metric=asked)


def from_rows(
    candidates: Candidates,
    options: Options,
    *,
    rope: float = 0.01,
    draws: ResampledValues | None = None,
) -> Evidence:
    """Return what rows say about the models; `draws` are those at hand, made here if needed."""
    made = (PairedRows if candidates.shared else IndependentRows)(candidates, options, rope, draws)
    metric = candidates.metric
    return Evidence(
        situation=made.situation,
        metric_name=metric.name,
        better=metric.better,
        n=made.n,
        unit="rows",
        models=MappingProxyType(
            {
                one.name: estimate
                for one, estimate in zip(candidates.models, made.estimates, strict=True)
            }
        ),
        pair=made.pair,
        gap=made.gap,
        size=made.size,
        overall=made.overall,
        primary=("delong", "mcnemar_mid_p", "two_proportion_z", "paired_bootstrap"),
        doubt=made.doubt,
        notices=(*candidates.notices, *made.remarks()),
    )
