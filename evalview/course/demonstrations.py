"""The numbers that settle claims, worked out from small examples by the functions of pages."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from math import e, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import stats

import evalcore as ec
from evalcore.comparison.folds import FoldDifferences, paired_t
from evalcore.intervals.closed import normal_quantile, p_of_t, t_quantile, wilson
from evalcore.metrics.catalog import find
from evalcore.metrics.decisions import f_beta, mean_cost, total_cost
from evalcore.metrics.multiclass import AVERAGES
from evalcore.outcomes import BinaryOutcomes, Codes, Floats, Number, NumericOutcomes
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.contingency import Contingency
from evalcore.tables.scores import ScoreTable
from evalview.course.examples import dataset, evaluation
from evalview.lab.steps import minkowski

Numbers = Mapping[str, Number | np.number[Any]]
_MADE: dict[str, Callable[[], Numbers]] = {}


def _settles(made: Callable[[], Numbers]) -> Callable[[], Numbers]:
    """Let a function give the numbers of the claim whose key is its name, with - for _."""
    _MADE[made.__name__.strip("_").replace("_", "-")] = made
    return made


@cache
def numbers(key: str) -> Numbers:
    """Return the numbers that settle a claim, by the names that its lines have in braces."""
    return MappingProxyType(dict(_MADE[key]()))


def keys() -> frozenset[str]:
    """Return the keys of the claims that can be settled."""
    return frozenset(_MADE)


def _matrix(key: str, model: str = "") -> ConfusionMatrix:
    """Return the confusion matrix of a worked example: of its first model, or of another."""
    models = evaluation(key).models
    return models[model or next(iter(models))].decisions["labels"].confusion


def _counts(key: str = "cancer-screening") -> BinaryCounts:
    return _matrix(key).binary()


def _of(table: object, *keys: str) -> dict[str, float]:
    """Return metrics of a table by their keys."""
    return {key: float(find(key)(table)) for key in keys}


def _of_values(outcomes: NumericOutcomes, *keys: str) -> dict[str, float]:
    """Return metrics of predicted numbers by their keys."""
    return {key: ec.metric(key)(outcomes.truth, outcomes.prediction) for key in keys}


PRECISION, RECALL = 0.3, 0.8


def _rated(precision: float = PRECISION, recall: float = RECALL) -> BinaryCounts:
    """Return counts of 24 positives found that have these rates."""
    return BinaryCounts(tp=24, fp=24 / precision - 24, fn=24 / recall - 24, tn=0)


@_settles
def _accuracy_9640() -> Numbers:
    counts = _counts()
    return {"wrong": counts.fp + counts.fn, **_of(counts, "accuracy")}


@_settles
def _accuracy_is_weighted() -> Numbers:
    counts = _counts()
    found = _of(counts, "recall", "specificity", "accuracy", "prevalence")
    share = found.pop("prevalence")
    mean = share * found["recall"] + (1 - share) * found["specificity"]
    return {**found, "positive": share, "negative": 1 - share, "mean": mean}


@_settles
def _majority_accuracy() -> Numbers:
    found = _of(_counts("rare-disease"), "accuracy", "prevalence")
    return {"accuracy": found["accuracy"], "ill": found["prevalence"]}


@_settles
def _f1_is_jaccard() -> Numbers:
    return _of(_counts(), "jaccard", "f1")


@_settles
def _f1_ignores_negatives() -> Numbers:
    counts = _counts()
    more = _of(replace(counts, tn=counts.tn + 90_000), "f1", "accuracy")
    found = _of(counts, "f1", "accuracy")
    return {**found, "f1_more": more["f1"], "accuracy_more": more["accuracy"]}


@_settles
def _f_is_geometric() -> Numbers:
    found = _of(_rated(), "f1", "precision", "recall")
    return {
        "harmonic": found["f1"],
        "geometric": find("fowlkes_mallows")(_rated()),
        "arithmetic": (found["precision"] + found["recall"]) / 2,
    }


@_settles
def _f1_of_rates() -> Numbers:
    return _of(_rated(), "f1")


@_settles
def _beta_favours_precision() -> Numbers:
    swapped = _rated(RECALL, PRECISION)
    return {
        "f2": f_beta(2)(_rated()),
        "f2_swapped": f_beta(2)(swapped),
        "f_half": f_beta(0.5)(_rated()),
        "f_half_swapped": f_beta(0.5)(swapped),
    }


@_settles
def _beta_is_squared() -> Numbers:
    found = _of(_counts(), "precision", "recall", "f2")

    def mean(weight: float) -> float:
        return (1 + weight) / (1 / found["precision"] + weight / found["recall"])

    return {"twice": mean(2), "four_times": mean(4), "f2": found["f2"]}


@_settles
def _fpr_is_discovery_rate() -> Numbers:
    found = _of(_counts(), "fdr", "fpr")
    return {"discovery": found["fdr"], "fpr": found["fpr"]}


@_settles
def _diagonal_is_precision() -> Numbers:
    cells = _matrix("cancer-screening").counts
    return {"row": cells[1, 1] / cells[1].sum(), **_of(_counts(), "recall", "precision")}


@_settles
def _rates_and_prevalence() -> Numbers:
    counts, asked = _counts(), ("recall", "specificity", "precision")
    more = _of(replace(counts, tp=10 * counts.tp, fn=10 * counts.fn), *asked)
    return {**_of(counts, *asked), **{f"{key}_more": value for key, value in more.items()}}


@_settles
def _multi_label() -> Numbers:
    matrix = _matrix("three-classes")
    return {"classes": len(matrix.classes), "labels": matrix.counts.sum()}


@_settles
def _micro_f1_is_accuracy() -> Numbers:
    rest = _matrix("three-classes").one_vs_rest()
    averages = {name: AVERAGES[name](find("f1"), rest).value for name in ("micro", "macro")}
    (model,) = evaluation("three-classes").models.values()
    return {**averages, "accuracy": model.metrics["labels"]["accuracy"].value}


@_settles
def _perfect_prediction_and_recall() -> Numbers:
    counts = _counts()
    everybody = BinaryCounts(tp=counts.positives, fp=counts.negatives, fn=0, tn=0)
    return _of(everybody, "recall", "precision", "f1")


def _of_models(cost: Callable[[ConfusionMatrix], object]) -> Numbers:
    """Return accuracy and cost of the two models that are judged by costs."""
    found: dict[str, float] = {}
    for place in ("1", "2"):
        matrix = _matrix("two-costs", f"M{place}")
        found[f"accuracy_{place}"] = _of(matrix.binary(), "accuracy")["accuracy"]
        found[f"cost_{place}"] = float(np.asarray(cost(matrix)))
    return found


@_settles
def _cost_follows_accuracy() -> Numbers:
    return _of_models(total_cost([[0, 1], [100, -1]]))


@_settles
def _equal_costs() -> Numbers:
    return _of_models(mean_cost([[0, 1], [1, 0]]))


def _ten_rows() -> tuple[Codes, Floats]:
    """Return truth and score of ten rows, three of which have one score."""
    (outcomes,) = dataset("ten-rows").models.values()
    assert isinstance(outcomes, BinaryOutcomes)
    assert outcomes.score is not None
    return outcomes.truth, outcomes.score


def _scored(sign: int = 1) -> ScoreTable:
    """Return the table of the ten rows, or that of their scores reversed."""
    truth, score = _ten_rows()
    return ScoreTable.from_scores(truth, sign * score)


@_settles
def _auc_is_pairs() -> Numbers:
    truth, score = _ten_rows()
    positive, negative = (score[truth == k] for k in (1, 0))
    gap = np.subtract.outer(positive, negative)
    right, tied = (gap > 0).sum(), (gap == 0).sum()
    share = (right + tied / 2) / gap.size
    auc = find("roc_auc")(_scored())
    return {"right": right, "tied": tied, "pairs": gap.size, "share": share, "auc": auc}


@_settles
def _tie_is_three_points() -> Numbers:
    table, found = _scored(), numbers("auc-is-pairs")
    half = float(found["tied"] / found["pairs"] / 2)
    auc, scores = float(found["auc"]), len(table.threshold)
    ends = {"worst": auc - half, "best": auc + half}
    return {"scores": scores, "points": scores + 1, "auc": auc, **ends}


@_settles
def _roc_above_diagonal() -> Numbers:
    found = _of(_scored().at(0.76), "recall", "fpr")
    auc = find("roc_auc")(_scored())
    return {"tpr": found["recall"], "fpr": found["fpr"], "auc": auc}


@_settles
def _reversed_scores() -> Numbers:
    return {"auc": find("roc_auc")(_scored()), "turned": find("roc_auc")(_scored(-1))}


@_settles
def _surest_only() -> Numbers:
    found: dict[str, float] = {}
    for name, threshold in (("high", 0.93), ("low", 0.53)):
        made = _of(_scored().at(threshold), "precision", "recall", "f1")
        found |= {f"{key}_{name}": value for key, value in made.items()}
    return found


@_settles
def _average_precision_shifted() -> Numbers:
    table = _scored()
    recall = np.append(0.0, table.tp / table.positives)
    precision = np.append(1.0, table.tp / (table.tp + table.fp))
    found = _of(table, "average_precision", "pr_auc_trapezoid")
    return {
        "shifted": (np.diff(recall) * precision[:-1]).sum(),
        "ap": found["average_precision"],
        "trapezoid": found["pr_auc_trapezoid"],
    }


ROWS, RIGHT = 100, 80


@_settles
def _rounded_866() -> Numbers:
    return {"high": float(wilson(RIGHT, ROWS).high)}


@_settles
def _interval_without_z() -> Numbers:
    z, acc, ends = normal_quantile(0.95), RIGHT / ROWS, wilson(RIGHT, ROWS)
    root = sqrt(z**2 + 4 * ROWS * acc - 4 * ROWS * acc**2)
    middle, whole = 2 * ROWS * acc + z**2, 2 * (ROWS + z**2)
    return {
        "printed_low": (middle - root) / whole,
        "printed_high": (middle + root) / whole,
        "low": float(ends.low),
        "high": float(ends.high),
    }


@_settles
def _t_two_sided() -> Numbers:
    freedom = 9
    one_sided = t_quantile(0.9, freedom)  # of a two-sided interval at 90%: 5% on either side
    level = 1 - p_of_t(one_sided, freedom)
    return {"one_sided": one_sided, "two_sided": t_quantile(0.95, freedom), "level": level}


def _paired() -> FoldDifferences:
    """Return what M2 is ahead of M1 in each of ten folds."""
    scores = dataset("ten-folds").fold_scores
    assert scores is not None
    first, second = scores.score
    return FoldDifferences(second - first)


@_settles
def _t_divides_by_k() -> Numbers:
    gaps = _paired().values
    printed = gaps.mean() / sqrt(gaps.var(ddof=0) / len(gaps))
    return {"printed": printed, "t": paired_t(_paired()).statistic}


@_settles
def _significant_population() -> Numbers:
    gaps = _paired().values
    return {
        "p": paired_t(_paired()).p_value,
        "better": np.count_nonzero(gaps > 0),
        "folds": len(gaps),
    }


def _error(*rates: tuple[float, float]) -> float:
    """Return the standard error of the difference of shares (share, rows), each of own rows."""
    return sqrt(sum(share * (1 - share) / rows for share, rows in rates))


@_settles
def _paired_on_two_sets() -> Numbers:
    gap = ec.compare(dataset("rows-of-their-own")).gap("M1", "M2")
    models = evaluation("rows-of-their-own").models.values()
    assert gap is not None
    assert gap.low is not None
    assert gap.high is not None
    error = _error(*((model.items["accuracy"].value, model.n) for model in models))
    told = {"difference": gap.difference, "low": gap.low, "high": gap.high}
    return {"shared": 0, "error": error, **told}


@_settles
def _variance_as_error() -> Numbers:
    error = _error((0.15, 30), (0.25, 5000))
    return {"variance": error**2, "error": error, "z": (0.25 - 0.15) / error}


@_settles
def _hundred_times_rows() -> Numbers:
    few, many = (wilson(0.8 * rows, rows) for rows in (50, 5000))
    lengths = [float(ends.high - ends.low) for ends in (few, many)]
    return {"few": lengths[0], "many": lengths[1], "times": lengths[0] / lengths[1]}


@_settles
def _twenty_tests() -> Numbers:
    found = stats.binom(20, 0.05)
    return {"none": found.pmf(0), "some": found.sf(0)}


@_settles
def _share_of_30() -> Numbers:
    return {"rows": 0.85 * 30, "lower": 25 / 30, "upper": 26 / 30}


@_settles
def _bootstrap_368() -> Numbers:
    drawn = stats.binom(100, 1 / 100)
    return {"never": drawn.pmf(0), "once": drawn.pmf(1), "more": drawn.sf(1)}


@_settles
def _bootstrap_632() -> Numbers:
    ten, hundred = (stats.binom(n, 1 / n).sf(0) for n in (10, 100))
    return {"ten": ten, "hundred": hundred, "limit": 1 - 1 / e}


@cache
def _four() -> NumericOutcomes:
    """Return the four points with their first predictions."""
    made = dataset("four-numbers").models["first"]
    assert isinstance(made, NumericOutcomes)
    return made


@_settles
def _mse_over_2n() -> Numbers:
    found = _of_values(_four(), "sse", "mse")
    return {"half": found["sse"] / (2 * _four().n), "mse": found["mse"]}


@_settles
def _mse_and_units() -> Numbers:
    four = _four()
    centimetres = NumericOutcomes(truth=100 * four.truth, prediction=100 * four.prediction)
    more = _of_values(centimetres, "mae", "mse")
    return {**_of_values(four, "mae", "mse"), "mae_cm": more["mae"], "mse_cm": more["mse"]}


@_settles
def _pearson_and_line() -> Numbers:
    truth, said = np.array([1.0, 2, 3, 4]), np.array([-1.0, 1, 3, 5])
    return _of_values(NumericOutcomes(truth=truth, prediction=said), "pearson", "mae", "r2")


def _sums(outcomes: NumericOutcomes) -> Numbers:
    found = _of_values(outcomes, "rss", "ess", "tss")
    return {**found, "both": found["rss"] + found["ess"]}


@_settles
def _sums_of_squares() -> Numbers:
    return _sums(_four())


@_settles
def _sums_of_squares_fitted() -> Numbers:
    truth, known = _four().truth, _four().prediction
    slope, intercept = np.polyfit(known, truth, 1)
    return _sums(NumericOutcomes(truth=truth, prediction=slope * known + intercept))


@cache
def _flowers() -> Contingency:
    """Return the species of the iris flowers against three clusters of k-means."""
    made = evaluation("iris").clusterings["kmeans_k3"].contingency
    assert made is not None
    return made


@_settles
def _rand_is_accuracy() -> Numbers:
    found = _of(_flowers(), "rand_index", "best_match_accuracy")
    return {"rand": found["rand_index"], "accuracy": found["best_match_accuracy"]}


@_settles
def _purity_is_homogeneity() -> Numbers:
    return _of(_flowers(), "purity", "homogeneity")


@_settles
def _v_measure_of_purity() -> Numbers:
    found = _of(_flowers(), "purity", "completeness", "v_measure")
    purity, completeness = found["purity"], found["completeness"]
    printed = 2 * purity * completeness / (purity + completeness)
    return {"printed": printed, "v": found["v_measure"]}


@_settles
def _ari_denominator() -> Numbers:
    asked = ("pairs_together", "pairs_class_only", "pairs_apart", "pairs_cluster_only")
    found = _of(_flowers(), *asked, "adjusted_rand_index")
    g1, g2, g3, g4 = (found[key] for key in asked)
    pairs = g1 + g2 + g3 + g4
    chance = (g1 + g4) * (g1 + g2) + (g2 + g3) * (g3 + g4)
    printed = pairs**2 * ((g1 + g4) * (g2 + g3) + (g2 + g3) * (g3 + g4))
    return {
        "printed": (pairs * (g1 + g3) - chance) / printed,
        "ari": found["adjusted_rand_index"],
    }


@_settles
def _purity_of_single_points() -> Numbers:
    species = dataset("iris").true_class
    assert species is not None
    alone = np.arange(len(species.codes))
    names = tuple(map(str, alone))
    table = Contingency.from_codes(species.codes, alone, species.names, names)
    found = _of(table, "purity", "adjusted_rand_index", "completeness")
    return {**found, "ari": found["adjusted_rand_index"]}


@_settles
def _minkowski_similarity() -> Numbers:
    first, second = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    same, other = (minkowski(first, to, order=2).distance for to in (first, second))
    return {"same": same, "other": other}
