"""Which models can be compared by a metric, on which rows, and what they score on each fold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from evalcore import outcomes as data
from evalcore.comparison.candidate import Candidate, can_decide, candidate
from evalcore.comparison.results import best_first
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import MOST_FOLDS
from evalcore.metrics.catalog import find
from evalcore.metrics.metric import Better, Metric
from evalcore.options import Options
from evalcore.outcomes import Codes, Outcomes
from evalcore.predictions import Categories, FoldScores, Predictions
from evalcore.results import DecisionRule, ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.text import counted, joined, shorten

RULES: tuple[DecisionRule, ...] = ("labels", "argmax", "threshold")
"""Of the rules that most models can decide by, the first is used for all of them."""

USUAL = Options()


@dataclass(frozen=True, eq=False)
class Candidates:
    """Models that give what is compared, on the rows that all of them have.

    Attributes:
        metric: What is compared.
        models: In the order of the file.
        shared: Whether all are on the same rows; if not, they have no row in common.
        fold: (n,) fold of each shared row, -1 where there is none; None without folds.
        group: (n,) group of each shared row, -1 where there is none; None without groups.
        asked: The metric that was asked for, of which `metric` may be the mean over classes.
    """

    metric: Metric
    models: tuple[Candidate, ...]
    shared: bool
    fold: Codes | None
    notices: tuple[Notice, ...]
    group: Codes | None = None
    asked: Metric | None = None

    @property
    def best_first(self) -> list[Candidate]:
        """The models in the order of their values, without tests."""
        order = best_first([one.value for one in self.models], self.metric.better)
        return [self.models[place] for place in order]


def choose_candidates(
    dataset: Predictions,
    by: str | Metric | None = None,
    options: Options = USUAL,
    tables: Mapping[str, ModelTables] | None = None,
) -> Candidates:
    """Return the models and rows to compare by a metric; by default the usual one of the task.

    `tables` are those of the models, where they are at hand.

    Raises:
        EvalError: Fewer than two models give what is compared; some share rows, but not all; the
            metric is unknown or cannot be compared; or there are clusterings.
    """
    if dataset.clusterings:
        raise EvalError(
            "clusterings",
            "No test compares clusterings: evaluating the file shows their numbers side by side.",
        )
    asked = by if isinstance(by, Metric) else find(by or default_metric(dataset))
    models, rule = entered(dataset.models, asked, options, tables), common_rule(dataset.models)
    if len(models) < 2:
        raise EvalError("one-model", _too_few(asked, list(models), len(dataset.models)))
    every = np.arange(1, dataset.rows + 1)
    known = {name: one.outcomes.rows for name, one in models.items()}
    rows = {name: every if own is None else own for name, own in known.items()}
    given = [own for own in rows.values() if own is not every]
    common = reduce(np.intersect1d, given, every) if given else every
    shared = bool(len(common)) or not any(map(len, rows.values()))
    if shared:
        models = {
            name: one if len(own) == len(common) else one.on(np.searchsorted(own, common))
            for (name, one), own in zip(models.items(), rows.values(), strict=True)
        }
    else:
        _check_disjoint(rows)
    left_out = [name for name in dataset.models if name not in models]
    models, about_classes = _on_same_classes(models, dataset.classes)
    metric = next(iter(models.values())).metric
    return Candidates(
        metric=metric,
        models=tuple(models.values()),
        shared=shared,
        fold=_codes(dataset.fold, common, shared),
        group=_codes(dataset.group, common, shared),
        asked=asked,
        notices=(
            *_about_decisions(metric, dataset, rule, options),
            *_about_rows(metric, left_out, rows, common if shared else None),
            *about_classes,
        ),
    )


def _on_same_classes(
    models: dict[str, Candidate], classes: Sequence[str]
) -> tuple[dict[str, Candidate], list[Notice]]:
    """Average over the classes that each model has a value of, and say which others there are."""
    own = {name: of for name, one in models.items() if (of := one.averaged) is not None}
    common, some = (step.reduce([*own.values()]) for step in (np.logical_and, np.logical_or))
    if not own or np.array_equal(common, some):
        return models, []
    lacking = joined([f'"{shorten(name)}"' for name in own if (some & ~own[name]).any()])
    without = joined([f'"{shorten(classes[k])}"' for k in np.flatnonzero(some & ~common).tolist()])
    message = (
        f"{lacking} has no value of {without}, which is left out of the average of every model: "
        f"it is over {counted(int(common.sum()), 'class')}."
    )
    same = {name: one.averaged_among(common) for name, one in models.items()}
    return same, [Notice("averaged-classes", message, "warning")]


def entered(
    models: Mapping[str, Outcomes],
    metric: Metric,
    options: Options = USUAL,
    tables: Mapping[str, ModelTables] | None = None,
) -> dict[str, Candidate]:
    """Return the models that give what a metric needs, each on its own rows.

    Raises:
        EvalError: "not-comparable": models cannot be compared by the metric.
    """
    rule, known = common_rule(models), tables or {}
    made = {
        name: candidate(name, own, metric, rule, options.threshold_of(name), known.get(name))
        for name, own in models.items()
    }
    return {name: one for name, one in made.items() if one is not None}


def default_metric(dataset: Predictions) -> str:
    """Return the key of the metric that models of this kind are usually compared by."""
    models = list(dataset.models.values())
    if all(isinstance(outcomes, data.NumericOutcomes) for outcomes in models):
        return "rmse"
    scored = [o for o in models if isinstance(o, data.BinaryOutcomes) and o.score is not None]
    enough = len(scored) > 1 or len(scored) == len(models)
    both_classes = any(0 < np.count_nonzero(o.truth) < o.n for o in scored)
    return "roc_auc" if enough and both_classes else "accuracy"


def common_rule(models: Mapping[str, Outcomes]) -> DecisionRule:
    """Return the rule that most models can decide by."""
    return max(RULES, key=lambda rule: sum(can_decide(own, rule) for own in models.values()))


def _codes(column: Categories | None, rows: Codes, shared: bool) -> Codes | None:
    return column.codes[rows - 1] if column is not None and shared else None


def _too_few(metric: Metric, names: Sequence[str], given: int) -> str:
    if given == 1:
        return "A comparison needs two models, and this file has one model."
    has = f'only "{names[0]}" gives' if names else "none gives"
    return f"A comparison needs two models, and {has} what {metric.name} needs."


def _check_disjoint(rows: Mapping[str, Codes]) -> None:
    for first, second in combinations(rows, 2):
        if len(np.intersect1d(rows[first], rows[second])):
            raise EvalError(
                "no-common-row",
                f'No row was scored by all models, although "{first}" and "{second}" share some: '
                "compare models that share rows.",
            )


def _about_decisions(
    metric: Metric, dataset: Predictions, rule: DecisionRule, options: Options
) -> Iterator[Notice]:
    """Say what counts as a decision, and how a metric of one class is averaged over several."""
    if metric.needs not in (BinaryCounts, ConfusionMatrix):
        return
    if rule == "threshold":
        yield Notice("decisions", _about_thresholds(options, list(dataset.models)))
    elif rule == "argmax":
        yield Notice("decisions", "The class with the largest probability is the decision.")
    elif any(can_decide(own, other) for own in dataset.models.values() for other in RULES[1:]):
        yield Notice("decisions", "The file's own labels are the decisions, whatever the scores.")
    if len(dataset.classes) > 2 and metric.over_classes is None:
        yield Notice("macro", f"{metric.name} is the mean over the classes of the truth (macro).")


THRESHOLDS_NAMED = 10
"""So many thresholds fit into a sentence."""


def _about_thresholds(options: Options, models: Sequence[str]) -> str:
    own = {name: at for name, at in options.own_thresholds if name in models}
    if own:
        each = ", ".join(f'"{name}" {at:g}' for name, at in [*own.items()][:THRESHOLDS_NAMED])
        each += ", ..." if len(own) > THRESHOLDS_NAMED else ""
        who = "Each model has a threshold of its own"
        if others := len(own) < len(models):
            who = "Some models have a threshold of their own"
        rest = f"; all others use {options.threshold:g}" if others else ""
        return f"{who} ({each}){rest}. Chosen on these rows, they flatter their model."
    return (
        f"Every model calls rows positive if its score >= {options.threshold:g}; a threshold "
        "chosen for one model may suit another badly."
    )


def _about_rows(
    metric: Metric, left_out: Sequence[str], rows: Mapping[str, Codes], common: Codes | None
) -> Iterator[Notice]:
    """Say which models are left out, and on which rows the others are compared."""
    if left_out:
        names = ", ".join(f'"{name}"' for name in left_out)
        message = f"Left out, since they do not give what {metric.name} needs: {names}."
        yield Notice("left-out", message, "warning")
    if common is None:
        message = "The models have no row in common: each is judged on its own rows."
        yield Notice("independent-rows", message, "warning")
    elif any(len(own) > len(common) for own in rows.values()):
        every = len(reduce(np.union1d, rows.values()))
        message = f"The models are compared on the {len(common):,} of {every:,} rows that all have."
        yield Notice("common-rows", message, "warning")


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
    rows = [np.flatnonzero(candidates.fold == code) for code in codes]
    score = np.array([[one.on(own).value for own in rows] for one in candidates.models])
    score[~np.isfinite(score)] = np.nan
    sizes = np.array([len(own) for own in rows], dtype=np.float64)
    return FoldScores(
        metric=candidates.metric.key,
        models=tuple(one.name for one in candidates.models),
        score=score,
        fold=tuple(names[code] if names else f"{code:06d}" for code in codes),
        n_train=sizes.sum() - sizes,
        n_test=sizes,
    )


@dataclass(frozen=True)
class FoldMean:
    """Mean and deviation of a model over folds, NaN if undefined.

    It `won` where it is better than all others, and `tied` where it is one of several best.
    """

    mean: float
    deviation: float
    folds: int
    won: int
    tied: int

    @property
    def lost(self) -> int:
        """Folds on which another model is better."""
        return self.folds - self.won - self.tied

    @property
    def error(self) -> float:
        """Standard error of the mean, if folds were independent."""
        return self.deviation / self.folds**0.5 if self.folds else np.nan


def fold_means(scores: FoldScores, better: Better) -> dict[str, FoldMean]:
    """Return the mean score of each model over its folds, by its name."""
    signed = -scores.score if better is Better.LOWER else scores.score
    best = signed == np.fmax.reduce(signed, axis=0)
    alone = best.sum(axis=0) == 1
    return {
        name: FoldMean(
            mean=float(known.mean()) if len(known) else np.nan,
            deviation=float(known.std(ddof=1)) if len(known) > 1 else np.nan,
            folds=len(known),
            won=int((leads & alone).sum()),
            tied=int((leads & ~alone).sum()),
        )
        for name, own, leads in zip(scores.models, scores.score, best, strict=True)
        for known in [own[np.isfinite(own)]]
    }
