"""From several models to which of them is better, and how sure that is."""

from dataclasses import replace
from types import MappingProxyType

from evalcore.comparison.catalog import TESTS
from evalcore.comparison.eligibility import why_not
from evalcore.comparison.evidence import Evidence
from evalcore.comparison.from_folds import from_folds
from evalcore.comparison.judging import judge
from evalcore.comparison.metrics import compared
from evalcore.comparison.results import Comparison
from evalcore.contests.apart import Apart
from evalcore.contests.contest import Contest, contest
from evalcore.contests.draws import Draws
from evalcore.contests.together import Together
from evalcore.errors import EvalError, Notice
from evalcore.fold_scores import FoldScores
from evalcore.intake.model import Dataset
from evalcore.metrics.catalog import find
from evalcore.options import Options


def compare(
    data: Dataset | FoldScores,
    options: Options,
    *,
    metric: str | None = None,
    rope: float = 0.01,
) -> Comparison:
    """Return which model is better by a metric, and how sure that is.

    Differences up to `rope` make no difference in practice. Without `metric` it is accuracy for
    labels, the area under the ROC curve for scores, and the root mean squared error for numbers;
    scores of folds come with their own.

    Raises:
        EvalError: Fewer than two models give what is compared, or they share no rows or folds.
    """
    scores = data if isinstance(data, FoldScores) else data.fold_scores
    if scores is not None:
        evidence = from_folds(_called(scores, metric), level=options.level, rope=rope)
        evidence = replace(evidence, notices=(*_told(data), *evidence.notices))
    else:
        assert isinstance(data, Dataset)
        evidence = from_rows(_contest(data, metric, options), options, rope=rope)
    return judge(evidence, level=options.level, rope=rope)


def verdict(dataset: Dataset, options: Options, *, metric: str | None = None) -> Comparison:
    """Return what `compare` concludes from rows, made with the main test alone.

    The answer is the same, to the letter; what stands behind it is left out, folds among it.

    Raises:
        EvalError: As `compare`.
    """
    without_folds = replace(_contest(dataset, metric, options), fold=None)
    evidence = from_rows(without_folds, options)
    main = [test for test in TESTS if test.key in evidence.primary]
    fit = next((test for test in main if not why_not(test, evidence.situation)), None)
    return judge(evidence, level=options.level, tests=[fit] if fit else [])


def _contest(dataset: Dataset, metric: str | None, options: Options) -> Contest:
    if dataset.clusterings:
        raise EvalError(
            "clusterings",
            "No test compares clusterings: evaluating the file shows their numbers side by side.",
        )
    return contest(dataset, metric, options)


def _told(data: Dataset | FoldScores) -> tuple[Notice, ...]:
    return data.notices if isinstance(data, Dataset) else ()


def _called(scores: FoldScores, metric: str | None) -> FoldScores:
    """Return the scores under the metric that is asked for; one they are not of is refused."""
    if metric is None:
        return scores
    own, asked = compared(scores.metric), find(metric).key
    known = not own.notices
    if known and own.key != asked:
        raise EvalError(
            "other-metric",
            f'The scores of the folds are of "{scores.metric}". To compare by "{metric}", choose '
            "the columns that hold it, in the command line by --fold-score.",
        )
    return scores if known else replace(scores, metric=asked)


def from_rows(
    contest: Contest, options: Options, *, rope: float = 0.01, draws: Draws | None = None
) -> Evidence:
    """Return what rows say about the models; `draws` are those at hand, made here if needed."""
    made = (Together if contest.shared else Apart)(contest, options, rope, draws)
    metric = contest.metric
    return Evidence(
        situation=made.situation,
        metric_name=metric.name,
        better=metric.better,
        n=made.n,
        unit="rows",
        models=MappingProxyType(
            {one.name: made.estimate(k) for k, one in enumerate(contest.contenders)}
        ),
        pair=made.pair,
        gap=made.gap,
        size=made.size,
        overall=made.overall,
        primary=("delong", "mcnemar_mid_p", "two_proportion_z", "paired_bootstrap"),
        doubt=made.doubt,
        notices=(*contest.notices, *made.remarks()),
    )
