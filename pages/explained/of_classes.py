"""From a number about the probabilities of several classes back to the classes and pairs."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import numpy as np

from evalcore.metrics.catalog import by_key
from evalcore.metrics.multiclass_ranking import of_each_class
from evalcore.metrics.spec import Metric
from evalcore.outcomes import Floats
from evalcore.tables.areas import average_precision, roc_area
from evalcore.tables.classes import ClassScores, LossMoments
from pages.explained.of_curves import precision_steps
from pages.explained.of_probabilities import of_bins
from pages.explained.of_scores import pairs_of_rows
from pages.explained.parts import parts
from pages.explained.working import Working, share

CLASSES = 12
"""So many classes are shown."""


def _mean(metric: Metric, scores: ClassScores) -> Working:
    name, values = _of_each(metric, scores)
    used = ~np.isnan(values)
    made = share(f"{name}, added up", "classes")(values[used].sum(), int(used.sum()))
    return made.of_parts(parts("class", _by_class(scores, used, {name: values}), CLASSES))


def _by_rows(metric: Metric, scores: ClassScores) -> Working:
    name, values = _of_each(metric, scores)
    used = ~np.isnan(values)
    products = scores.support * values
    made = share(f"rows · {name}, added up", "rows")(
        products[used].sum(), scores.support[used].sum()
    )
    columns = {"rows": scores.support, name: values, "product": products}
    return made.of_parts(parts("class", _by_class(scores, used, columns), CLASSES))


def _of_each(metric: Metric, scores: ClassScores) -> tuple[str, Floats]:
    if metric.key.startswith("roc_auc"):
        return "AUC", of_each_class(roc_area, scores)
    return "average precision", of_each_class(average_precision, scores)


def _by_class(
    scores: ClassScores,
    used: np.ndarray[tuple[int], np.dtype[np.bool_]],
    columns: dict[str, Floats],
) -> dict[str, Sequence[float | str]]:
    names = [name for name, is_used in zip(scores.classes, used, strict=True) if is_used]
    return {"class": names, **{head: column[used] for head, column in columns.items()}}


def _hand_till(metric: Metric, scores: ClassScores) -> Working:
    areas = _areas_of_pairs(scores)
    values = [(first + second) / 2 for _, _, first, second in areas]
    made = share("means of the pairs, added up", "pairs")(sum(values), len(values))
    columns = dict(zip(("i", "j", "A(i|j)", "A(j|i)"), zip(*areas, strict=True), strict=True))
    return made.of_parts(parts("pair of classes", columns | {"mean": values}))


def _areas_of_pairs(scores: ClassScores) -> list[tuple[str, str, float, float]]:
    support, wins = scores.support, scores.wins
    rows = [
        (i, j, support[i] * support[j])
        for i, j in combinations(range(len(support)), 2)
        if support[i] * support[j] and not np.isnan(wins[i, j] + wins[j, i])
    ]
    names = scores.classes
    return [
        (names[i], names[j], float(wins[i, j] / all_), float(wins[j, i] / all_))
        for i, j, all_ in rows
    ]


def _among_first(metric: Metric, scores: ClassScores) -> Working:
    assert metric.proportion_over_classes is not None
    k, n = metric.proportion_over_classes(scores)
    return share(f"rows whose class is among the first {metric.parameters['k']:g}", "rows")(
        float(k), float(n)
    )


def _mean_error(metric: Metric, scores: ClassScores) -> Working:
    ece = by_key()["ece"]
    tables = scores.reliability().one_vs_rest
    values = np.array([np.nan if table is None else float(ece(table)) for table in tables])
    used = ~np.isnan(values)
    made = share("calibration errors, added up", "classes")(values[used].sum(), int(used.sum()))
    columns = {"calibration error": values}
    return made.of_parts(parts("class", _by_class(scores, used, columns), CLASSES))


def _mean_loss(moments: LossMoments) -> Working:
    return share("losses of all rows, added up", "rows")(moments.total, moments.n)


OF_CLASSES: Mapping[str, Callable[[Metric, ClassScores], Working]] = MappingProxyType(
    {
        "log_loss": lambda metric, scores: _mean_loss(scores.log_loss),
        "brier_multiclass": lambda metric, scores: _mean_loss(scores.brier),
        "roc_auc_ovr_macro": _mean,
        "roc_auc_ovr_weighted": _by_rows,
        "roc_auc_ovr_micro": lambda metric, scores: pairs_of_rows(metric, scores.micro),
        "roc_auc_hand_till": _hand_till,
        "average_precision_ovr_macro": _mean,
        "average_precision_ovr_weighted": _by_rows,
        "average_precision_ovr_micro": lambda metric, s: precision_steps(metric, s.micro),
        "top_k_accuracy": _among_first,
        "ece_top_label": lambda metric, scores: of_bins(scores.reliability().top_label),
        "ece_classwise": _mean_error,
    }
)
