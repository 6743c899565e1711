"""The number of a contender with its interval: the one that evaluating its file would give."""

from typing import cast

import numpy as np

from evalcore.contests.contenders import ClassRanker, Contender, Decider, Predictor, Ranker
from evalcore.contests.draws import Draws
from evalcore.evaluation.decisions import decisions, of_share
from evalcore.evaluation.estimates import estimate, of_draws
from evalcore.evaluation.probabilities import judge_probabilities
from evalcore.evaluation.rankings import rank
from evalcore.evaluation.values import estimate_values
from evalcore.metrics.spec import Estimate, Family, IntervalBy
from evalcore.options import Options
from evalcore.resampling.bootstrap import percentile_bootstrap
from evalcore.results import Estimates, ModelTables


def estimated(draws: Draws, place: int, options: Options) -> Estimate:
    """Return the value of a model with its interval.

    Made from the same tables and draws as `evaluate`, so that a number has one interval wherever
    it is shown. A metric with a setting of one's own is not in an evaluation; its interval is that
    of the resamples.
    """
    one = draws.contest.contenders[place]
    if np.isnan(one.value):
        return estimate(one.metric, one.value)
    if isinstance(one, Predictor) and one.drawable and one.metric.interval is IntervalBy.BOOTSTRAP:
        return _of_draws(draws, place, options)
    if isinstance(one, Decider) and (share := of_share(one.matrix, one.metric, options.level)):
        return share
    found = _evaluated(one, options).get(one.metric.key)
    if found is not None or not one.drawable:
        return found or estimate(one.metric, one.value)
    drawn = percentile_bootstrap(draws.of(place), options.level)
    return estimate(one.metric, one.value, drawn.interval)


def _of_draws(draws: Draws, place: int, options: Options) -> Estimate:
    """Return the estimate of predicted numbers, whose evaluation draws the same rows anew."""
    one = draws.contest.contenders[place]
    if not np.isfinite(one.value):
        return estimate(one.metric, one.value)
    return of_draws(one.metric, one.value, draws.of(place), options.level, draws.method(place))


def _evaluated(one: Contender, options: Options) -> Estimates:
    """Return the metrics among which an evaluation has that of the contest."""
    match one:
        case Decider():
            made = decisions(one.matrix, options)
            whole = len(one.outcomes.classes) == 2 or one.metric.over_classes is not None
            return made.metrics if whole else made.averages["macro"]
        case Ranker():
            tables = ModelTables(
                n=one.table.n,
                classes=one.outcomes.classes,
                scores=one.table,
                probability=one.outcomes.probability,
            )
        case ClassRanker():
            tables = ModelTables(
                n=one.outcomes.n, classes=one.outcomes.classes, class_scores=one.scores
            )
        case _:
            return estimate_values(cast(Predictor, one).outcomes, options, [one.metric])
    probable = one.metric.family is Family.PROBABILITY
    return (judge_probabilities if probable else rank)(tables, options)
