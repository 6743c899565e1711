"""Which models of a data set can be compared by a metric, on which rows, and fold by fold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evalcore.comparison.candidate import Candidate, Predictor, candidate, gives
from evalcore.comparison.folds import FoldDifferences, corrected_interval
from evalcore.comparison.many import FoldMean, fold_means
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import DecisionRule, Judged, codes_of, decide, some_rows
from evalcore.intervals.closed import Interval
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Metric
from evalcore.options import Options
from evalcore.outcomes import (
    BinaryOutcomes,
    Codes,
    Floats,
    FoldScores,
    NumericOutcomes,
    Outcomes,
    Rows,
    data_rows,
)
from evalcore.predictions import Categories, Predictions
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix

RULES: tuple[DecisionRule, ...] = ("labels", "argmax", "threshold")
"""Ways of deciding; of those that most models know, the first is taken for all of them."""

USUAL = Options()

Models = Mapping[str, Outcomes]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Models that give what is compared, on the rows that all of them have.

    Attributes:
        metric: What is compared.
        models: The models, in the file's order.
        shared: Whether all are on the same rows; if not, they have no row in common.
        fold: (n,) fold of each shared row, -1 where there is none; None without folds.
        notices: What the reader must know about the choice of models and rows.
        group: (n,) group of each shared row, -1 where there is none; None without groups.
    """

    metric: Metric
    models: tuple[Candidate, ...]
    shared: bool
    fold: Codes | None
    notices: tuple[Notice, ...]
    group: Codes | None = None


def choose_candidates(
    dataset: Predictions, key: str | None = None, options: Options = USUAL
) -> Candidates:
    """Return the models and rows to compare by a metric; the usual one of the task by default.

    Raises:
        EvalError: Fewer than two models give what is compared; some share rows, but not all; the
            metric is unknown or cannot be compared; or there are clusterings.
    """
    if dataset.clusterings:
        raise EvalError(
            "clusterings",
            "No test compares clusterings: evaluating the file shows their numbers side by side.",
        )
    metric = find(key or default_metric(dataset))
    rule = common_rule(dataset.models)
    able: dict[str, Outcomes] = {
        name: outcomes
        for name, outcomes in dataset.models.items()
        if candidate(name, outcomes, metric, rule) is not None
    }
    left_out = [name for name in dataset.models if name not in able]
    if len(able) < 2:
        raise EvalError("one-model", _too_few(metric, list(able)))
    every = np.arange(1, dataset.rows + 1)
    rows = {name: every if o.rows is None else o.rows for name, o in able.items()}
    parts = [own for own in rows.values() if own is not every]
    common = reduce(np.intersect1d, parts, every) if parts else every
    shared = bool(len(common)) or not any(map(len, rows.values()))
    if not shared:
        _check_disjoint(rows)
    chosen = _on(able, rows, common) if shared else able
    made = (
        candidate(name, outcomes, metric, rule, options.threshold_of(name))
        for name, outcomes in chosen.items()
    )
    return Candidates(
        metric=metric,
        models=tuple(one for one in made if one is not None),
        shared=shared,
        fold=_codes(dataset.fold, common, shared),
        group=_codes(dataset.group, common, shared),
        notices=(
            *_meaning(metric, dataset, rule, options),
            *_notices(metric, left_out, rows, common if shared else None),
        ),
    )


def _codes(column: Categories | None, rows: Codes, shared: bool) -> Codes | None:
    return column.codes[rows - 1] if column is not None and shared else None


def default_metric(dataset: Predictions) -> str:
    """Return the key of the metric that models of this kind are usually compared by."""
    models = list(dataset.models.values())
    if all(isinstance(outcomes, NumericOutcomes) for outcomes in models):
        return "rmse"
    scored = [o for o in models if isinstance(o, BinaryOutcomes) and o.score is not None]
    enough = len(scored) > 1 or len(scored) == len(models)
    both_classes = any(0 < np.count_nonzero(o.truth) < o.n for o in scored)
    return "roc_auc" if enough and both_classes else "accuracy"


def common_rule(models: Models) -> DecisionRule:
    """Return the way of deciding that most models know."""
    known = {rule: sum(gives(outcomes, rule) for outcomes in models.values()) for rule in RULES}
    return max(RULES, key=lambda rule: known[rule])


def _too_few(metric: Metric, able: Sequence[str]) -> str:
    has = f'only "{able[0]}" gives' if able else "none gives"
    return f"Comparing takes two models, and {has} what {metric.name} needs."


def _check_disjoint(rows: Mapping[str, NDArray[np.int64]]) -> None:
    for first, second in combinations(rows, 2):
        if len(np.intersect1d(rows[first], rows[second])):
            raise EvalError(
                "no-common-row",
                f'No row was scored by all models, though "{first}" and "{second}" share some: '
                "compare models that share rows.",
            )


def _on(models: Models, rows: Mapping[str, NDArray[np.int64]], common: Codes) -> Models:
    """Return the models on the common rows only."""
    return {
        name: outcomes
        if len(rows[name]) == len(common)
        else some_rows(outcomes, np.searchsorted(rows[name], common))
        for name, outcomes in models.items()
    }


def _meaning(
    metric: Metric, dataset: Predictions, rule: DecisionRule, options: Options
) -> Iterator[Notice]:
    """Say what is taken as a decision, and how a metric of one class is taken for several."""
    if metric.needs not in (BinaryCounts, ConfusionMatrix):
        return
    others = [gives(told, other) for told in dataset.models.values() for other in RULES[1:]]
    if rule == "labels" and any(others):
        yield Notice("decisions", "The file's own labels are the decisions, whatever the scores.")
    if rule == "threshold":
        yield Notice("decisions", _decided_at(options))
    if rule == "argmax":
        yield Notice("decisions", "The class with the largest probability is taken.")
    if len(dataset.classes) > 2 and metric.over_classes is None:
        yield Notice("macro", f"{metric.name} is the mean over the classes (macro).")


def _decided_at(options: Options) -> str:
    if options.own_thresholds:
        each = ", ".join(f'"{name}" {at:g}' for name, at in options.own_thresholds)
        return (
            f"Each model calls rows positive from a threshold of its own ({each}), all others from "
            f"{options.threshold:g}. Chosen on these rows, they flatter their model."
        )
    return (
        f"Every model calls rows positive where its score >= {options.threshold:g}; a threshold "
        "chosen for one model may suit another badly."
    )


def _notices(
    metric: Metric,
    left_out: Sequence[str],
    rows: Mapping[str, NDArray[np.int64]],
    common: Codes | None,
) -> list[Notice]:
    notices = []
    if left_out:
        names = ", ".join(f'"{name}"' for name in left_out)
        message = f"Left out, since they do not give what {metric.name} needs: {names}."
        notices.append(Notice("left-out", message, "warning"))
    if common is None:
        message = "The models have no row in common: each is judged on rows of its own."
        notices.append(Notice("independent-rows", message, "warning"))
    elif any(len(own) > len(common) for own in rows.values()):
        every = len(reduce(np.union1d, rows.values()))
        message = f"The models are compared on the {len(common):,} of {every:,} rows that all have."
        notices.append(Notice("common-rows", message, "warning"))
    return notices


MOST_FOLDS = 200
"""With more folds, as in leave-one-out, a fold has too few rows for a score of its own."""


def folds_of(candidates: Candidates) -> list[int]:
    """Return the folds that rows of the candidates are in, rising."""
    fold = candidates.fold
    return [] if fold is None else [int(code) for code in np.unique(fold) if code >= 0]


def scores_by_fold(candidates: Candidates, names: Sequence[str] = ()) -> FoldScores | None:
    """Return the score of each model on each fold, NaN where undefined; None without folds.

    `names` are those of all folds; without them folds are named by their codes, in their order.
    """
    codes = folds_of(candidates)
    if not 2 <= len(codes) <= MOST_FOLDS:
        return None
    places = [np.flatnonzero(candidates.fold == code) for code in codes]
    score = np.array([[one.on(part).value for part in places] for one in candidates.models])
    score[~np.isfinite(score)] = np.nan
    sizes = np.array([len(part) for part in places], dtype=np.float64)
    return FoldScores(
        metric=candidates.metric.key,
        models=tuple(one.name for one in candidates.models),
        score=score,
        fold=tuple(names[code] if names else f"{code:06d}" for code in codes),
        n_train=sizes.sum() - sizes,
        n_test=sizes,
    )


@dataclass(frozen=True, eq=False)
class OverFolds:
    """One model over its folds.

    Attributes:
        metric: What is scored.
        scores: The score of each fold.
        mean: Their mean, spread and naive standard error.
        corrected: Standard error that allows for training rows that folds share.
        interval: Student's, from that error.
        merged: The score of all rows with a fold, taken together.
    """

    metric: Metric
    scores: FoldScores
    mean: FoldMean
    corrected: float
    interval: Interval
    merged: float


def over_folds(dataset: Predictions, key: str, options: Options) -> OverFolds | None:
    """Return what the only model of a data set scores fold by fold.

    None where the model does not give what the metric needs, or fewer than two folds have rows.
    """
    [(name, outcomes)] = dataset.models.items()
    metric, rule = find(key), common_rule(dataset.models)
    one = candidate(name, outcomes, metric, rule, options.threshold_of(name))
    if one is None or dataset.fold is None:
        return None
    fold = codes_of(dataset.fold, outcomes)
    scores = scores_by_fold(Candidates(metric, (one,), True, fold, ()), dataset.fold.names)
    if scores is None or scores.n_test is None or scores.n_train is None:
        return None
    known = np.isfinite(scores.score[0])
    share = float((scores.n_test / scores.n_train)[known].mean())
    over = FoldDifferences(scores.score[0][known], share)
    mean = fold_means(scores, metric.better)[name]
    merged = one.on(np.flatnonzero(fold >= 0)).value
    return OverFolds(metric, scores, mean, over.corrected_error, corrected_interval(over), merged)


FARTHEST = 200
"""Of predicted numbers, which nearly always differ, so many rows are given."""


def disagreeing_rows(one: Candidate, other: Candidate, thresholds: tuple[float, float]) -> Rows:
    """Return the data rows, 1 being the first, on which two models on the same rows disagree.

    Classes that differ, decided by scores at the `thresholds` where there are scores, those that
    are farthest apart first. Of predicted numbers the rows that are farthest apart.
    """
    return data_rows(one.outcomes, _disagreeing(one, other, thresholds))


def _disagreeing(one: Candidate, other: Candidate, thresholds: tuple[float, float]) -> Codes:
    if isinstance(one, Predictor) and isinstance(other, Predictor):
        distance = np.abs(one.outcomes.prediction - other.outcomes.prediction)
        order = np.argsort(-distance, kind="stable")[:FARTHEST]
        return order[distance[order] > 0]
    first, second = one.outcomes, other.outcomes
    assert isinstance(first, Judged)
    assert isinstance(second, Judged)
    codes = [_decision(told, at) for told, at in zip((first, second), thresholds, strict=True)]
    places = np.flatnonzero(codes[0] != codes[1])
    return places[np.argsort(-_distance(first, second)[places], kind="stable")]


def _decision(outcomes: Judged, threshold: float) -> Codes:
    scored = isinstance(outcomes, BinaryOutcomes) and outcomes.score is not None
    if scored:
        return decide(outcomes, "threshold", threshold)
    return decide(outcomes, "labels" if outcomes.label is not None else "argmax")


def _distance(first: Judged, second: Judged) -> Floats:
    """Return (n,) how far scores are apart; zeros where there are none."""
    scores = [told.score for told in (first, second) if isinstance(told, BinaryOutcomes)]
    one, other = scores if len(scores) == 2 else (None, None)
    return np.zeros(first.n) if one is None or other is None else np.abs(one - other)
