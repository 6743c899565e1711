"""From a number about scores or probabilities back to what it is made of."""

from collections.abc import Callable, Mapping
from itertools import combinations
from types import MappingProxyType

import numpy as np

from evalcore.metrics import catalog, multiclass, probability, ranking, recalibration
from evalcore.metrics.metric import Metric, OfPositives, Wilson
from evalcore.outcomes import Floats
from evalcore.tables.areas import average_precision, rates, roc_area
from evalcore.tables.classes import ClassScores, LossMoments
from evalcore.tables.confusion import Counts
from evalcore.tables.reliability import ReliabilityTable
from evalcore.tables.scores import ScoreTable
from evalview.explained.arithmetic import Columns, Parts, Working, known, parts, share, text
from evalview.text import shortest_threshold


def precision_steps(metric: Metric, table: ScoreTable) -> Working:
    """Return average precision as the precision at each positive's score, added up."""
    return _steps(table, _precision(table))


def _trapezoids(metric: Metric, table: ScoreTable) -> Working:
    precision = _precision(table)
    before = np.concatenate([precision[:1], precision[:-1]])
    return _steps(table, (precision + before) / 2)


def _steps(table: ScoreTable, height: Floats) -> Working:
    gained, _ = table.steps()
    at = np.flatnonzero(gained)
    products = gained[at] * height[at]
    terms = {
        "score": table.threshold[at],
        "positives gained": gained[at],
        "precision": height[at],
        "product": products,
    }
    of = share("products, added up", "positives")
    return of(products.sum(), table.positives).of_parts(parts("step", terms))


def _precision(table: ScoreTable) -> Floats:
    tp = table.tp.astype(np.float64)
    return tp / (tp + table.fp)


def _partial(metric: Metric, table: ScoreTable) -> Working:
    limit = metric.parameters["max_fpr"]
    fpr, tpr = _up_to(limit, rates(table.fp), rates(table.tp))
    width, height = np.diff(fpr), (tpr[1:] + tpr[:-1]) / 2
    wide = width > 0
    terms = {
        "FPR from": fpr[:-1][wide],
        "to": fpr[1:][wide],
        "mean TPR": height[wide],
        "area": (width * height)[wide],
    }
    made = Working(metric.formula, {"A(f)": float(width @ height), "f": limit})
    return made.of_parts(parts("strip", terms))


def _up_to(limit: float, fpr: Floats, tpr: Floats) -> tuple[Floats, Floats]:
    """Return the points of the curve up to a false positive rate, and the one on the line there."""
    count = int((fpr <= limit).sum())
    after = min(count, len(fpr) - 1)
    run, rise = fpr[after] - fpr[count - 1], tpr[after] - tpr[count - 1]
    height = tpr[count - 1] + (rise / run * (limit - fpr[count - 1]) if run else 0.0)
    return np.append(fpr[:count], limit), np.append(tpr[:count], height)


def _saved(metric: Metric, table: ScoreTable) -> Working:
    losses = ranking.h_losses(table)
    best, guessing = text("loss of the best thresholds"), text("loss of guessing")
    terms = {
        "cost of a false alarm from": losses.bounds[1:][::-1],
        "to": losses.bounds[:-1][::-1],
        "false alarms": losses.fp[::-1],
        "missed": table.positives - losses.tp[::-1],
        "loss": losses.loss[::-1],
    }
    values = {best: float(losses.loss.sum()), guessing: losses.guessing}
    return Working(rf"1 - \frac{{{best}}}{{{guessing}}}", values).of_parts(parts("stretch", terms))


def _best_precision(metric: Metric, table: ScoreTable) -> Working:
    enough = table.tp / table.tp[-1] >= metric.parameters["recall"]
    place = int(np.where(enough, _precision(table), -1.0).argmax())
    counts = table.at(threshold := float(table.threshold[place]))
    return Working(
        r"\frac{TP}{TP + FP}",
        {"TP": float(counts.tp), "FP": float(counts.fp)},
        shortest_threshold(table, threshold),
    )


def _height_of_roc(metric: Metric, table: ScoreTable) -> Working:
    allowed = (1 - metric.parameters["specificity"]) * table.negatives
    return share("positives found", "all positives")(
        float(metric(table)) * table.positives, table.positives
    ).of_parts(_around(table, allowed))


def _around(table: ScoreTable, allowed: float) -> Parts:
    last = int((table.fp <= allowed + 1e-9).sum())
    near = [place for place in (last - 1, last) if 0 <= place < len(table.fp)]
    return parts(
        "threshold",
        {
            "score": table.threshold[near],
            "false alarms": table.fp[near],
            "positives found": table.tp[near],
        },
    )


def _lift(metric: Metric, table: ScoreTable) -> Working:
    looked_at = metric.parameters["share"]
    found = ranking.found_in_first(table, looked_at * table.n)
    part, whole = text("positives found"), text("all positives")
    return Working(
        rf"\frac{{{part} / {whole}}}{{{text('share of rows')}}}",
        {part: float(found), whole: float(table.positives), text("share of rows"): looked_at},
    )


OF_CURVES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "average_precision": precision_steps,
        "pr_auc_trapezoid": _trapezoids,
        "partial_roc_auc": _partial,
        "h_measure": _saved,
        "precision_at_recall": _best_precision,
        "sensitivity_at_specificity": _height_of_roc,
        "lift_at": _lift,
    }
)


def _proportion(part: str, whole: str) -> Callable[[Metric, ScoreTable], Working]:
    of = share(part, whole)

    def make(metric: Metric, table: ScoreTable) -> Working:
        assert isinstance(metric.interval, Wilson | OfPositives)
        assert metric.interval.proportion is not None
        k, n = metric.interval.proportion(table)
        return of(float(k), float(n))

    return make


def pairs_of_rows(metric: Metric, table: ScoreTable) -> Working:
    """Return an area under the ROC curve, or Gini, as pairs of a positive and a negative row."""
    of_positives, of_negatives = (rows.astype(np.float64) for rows in table.steps())
    below = table.negatives - table.fp.astype(np.float64)
    right, tied = text("pairs ranked right"), text("tied pairs")
    positives, negatives = text("positives"), text("negatives")
    area = rf"\frac{{{right} + 0.5 \cdot {tied}}}{{{positives} \cdot {negatives}}}"
    return Working(
        rf"2 \cdot {area} - 1" if metric.key == "gini" else area,
        {
            right: float(of_positives @ below),
            tied: float(of_positives @ of_negatives),
            positives: float(table.positives),
            negatives: float(table.negatives),
        },
    )


def _widest_gap(metric: Metric, table: ScoreTable) -> Working:
    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    gap = tp / tp[-1] - fp / fp[-1]
    place = int(np.abs(gap).argmax())
    found, alarms = r"\frac{TP}{TP + FN}", r"\frac{FP}{FP + TN}"
    parts = (found, alarms) if gap[place] >= 0 else (alarms, found)
    counts = table.at(float(table.threshold[place]))
    values = {name: float(getattr(counts, name.lower())) for name in ("TP", "FP", "FN", "TN")}
    return Working(
        " - ".join(parts), values, shortest_threshold(table, float(table.threshold[place]))
    )


def _mean_loss(metric: Metric, table: ScoreTable) -> Working:
    return share("losses of all rows, added up", "rows")(float(metric(table)) * table.n, table.n)


def _skill(metric: Metric, table: ScoreTable) -> Working:
    brier, positive = text("Brier score"), text("share of positives")
    return Working(
        rf"1 - \frac{{{brier}}}{{{positive} \cdot (1 - {positive})}}",
        {brier: float(catalog.by_key()["brier"](table)), positive: table.positives / table.n},
    )


def _uncertainty(metric: Metric, table: ScoreTable) -> Working:
    positive = text("share of positives")
    return Working(rf"{positive} \cdot (1 - {positive})", {positive: table.positives / table.n})


OF_SCORES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "roc_auc": pairs_of_rows,
        "gini": pairs_of_rows,
        "ks_statistic": _widest_gap,
        "gain_at": _proportion("positives found", "all positives"),
        "recall_at_k": _proportion("positives found", "all positives"),
        "precision_at_k": _proportion("positives found", "rows looked at"),
        "brier": _mean_loss,
        "log_loss": _mean_loss,
        "log_loss_clipped": _mean_loss,
        "brier_skill_score": _skill,
        "brier_uncertainty": _uncertainty,
    }
)


BINS = 20
"""So many bins are shown; there are ten unless someone asks for others."""


def of_bins(table: ReliabilityTable) -> Working:
    """Return a calibration error as the gaps of the bins, each row counting."""
    return _mean_of_bins(table, np.abs(table.mean_probability - table.share_positive))


def _mean_of_bins(table: ReliabilityTable, distance: Floats) -> Working:
    terms = table.n * np.nan_to_num(distance)
    of = share("rows · gap, added up", "rows")
    return of(terms.sum(), table.n.sum()).of_parts(_bins(table, {"rows · gap": terms}))


def _bins(table: ReliabilityTable, more: Mapping[str, Counts]) -> Parts:
    filled = np.flatnonzero(table.n)
    columns: Mapping[str, Counts] = {
        "from": table.edges[:-1],
        "to": table.edges[1:],
        "rows": table.n,
        "mean probability": table.mean_probability,
        "share positive": table.share_positive,
    }
    shown = {head: column[filled] for head, column in {**columns, **more}.items()}
    return parts("filled bin", shown, BINS)


def _squared(metric: Metric, scores: ScoreTable) -> Working:
    table = ReliabilityTable.from_scores(scores)
    middle = table.mean_probability if metric.key == "brier_reliability" else _base(table)
    squares = np.nan_to_num((table.share_positive - middle) ** 2)
    terms = {"rows · gap squared": table.n * squares}
    of = share("rows · gap squared, added up", "rows")
    return of(float(table.n @ squares), table.n.sum()).of_parts(_bins(table, terms))


def _base(table: ReliabilityTable) -> float:
    return float(table.positives.sum() / table.n.sum())


def _widest(metric: Metric, scores: ScoreTable) -> Working:
    table = ReliabilityTable.from_scores(scores)
    gap = table.mean_probability - table.share_positive
    worst = int(np.nanargmax(np.abs(gap)))
    words = (text("mean probability of the worst bin"), text("share positive there"))
    first, second = words if gap[worst] >= 0 else words[::-1]
    values = zip(words, (table.mean_probability[worst], table.share_positive[worst]), strict=True)
    made = Working(f"{first} - {second}", {word: float(value) for word, value in values})
    return made.of_parts(_bins(table, {"gap": np.abs(gap)}))


def _groups(metric: Metric, scores: ScoreTable) -> Working:
    groups = probability.HosmerLemeshow.from_scores(scores)
    terms = {
        "rows": groups.rows,
        "positive": groups.positives,
        "expected": groups.expected,
        "term": groups.terms,
    }
    total = groups.statistic
    return known(text("terms of the groups, added up"), total).of_parts(parts("group", terms, BINS))


def _tail(metric: Metric, scores: ScoreTable) -> Working:
    test = probability.HosmerLemeshow.from_scores(scores)
    freedom = len(test.rows) - (2 if metric.key.endswith("fitted") else 0)
    return known(rf"P(\chi^2_{{{freedom}}} \ge {test.statistic:.6g})", float(metric(test)))


def _surplus(metric: Metric, scores: ScoreTable) -> Working:
    above, below = text("(y − p)(1 − 2p), added up"), text("(1 − 2p)² p (1 − p), added up")
    test = probability.Spiegelhalter.from_scores(scores)
    return Working(
        rf"\frac{{{above}}}{{\sqrt{{{below}}}}}", {above: test.surplus, below: test.variance}
    )


def _both_tails(metric: Metric, scores: ScoreTable) -> Working:
    test = probability.Spiegelhalter.from_scores(scores)
    return known(rf"2 \, \Phi(-{abs(test.z):.6g})", test.p_value)


def _line(metric: Metric, scores: ScoreTable) -> Working:
    """Show that the fitted line gets the positives, and their log odds, right on the whole."""
    from scipy.special import expit, logit

    line = recalibration.CalibrationLine.from_scores(scores)
    held = metric.key == "calibration_in_the_large"
    a, b = (line.in_the_large[0], 1.0) if held else (line.intercept[0], line.slope[0])
    positive, negative = scores.steps()
    half = recalibration.held_at(scores)
    odds = logit(np.clip(scores.threshold, half, 1 - half))
    expected = (positive + negative) * expit(a + b * odds)
    value = b if metric.key == "calibration_slope" else a
    sums: Columns = {
        "added up": ["positives", "their log odds"][: 1 if held else 2],
        "in the rows": [float(positive.sum()), float(positive @ odds)][: 1 if held else 2],
        "by the line": [float(expected.sum()), float(expected @ odds)][: 1 if held else 2],
    }
    said = rf"{_LETTER[metric.key]} \text{{, for which both agree}}"
    return known(said, value).of_parts(parts("condition", sums))


_LETTER = {
    "calibration_slope": r"\hat{b}",
    "calibration_intercept": r"\hat{a}",
    "calibration_in_the_large": r"\hat{a}",
}

OF_PROBABILITIES: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {
        "ece": lambda metric, scores: of_bins(ReliabilityTable.from_scores(scores)),
        "mce": _widest,
        "brier_reliability": _squared,
        "brier_resolution": _squared,
        "hosmer_lemeshow": _groups,
        "hosmer_lemeshow_p": _tail,
        "hosmer_lemeshow_p_fitted": _tail,
        "spiegelhalter_z": _surplus,
        "spiegelhalter_p": _both_tails,
        **dict.fromkeys(_LETTER, _line),
    }
)


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
        return "AUC", multiclass.of_each_class(roc_area, scores)
    return "average precision", multiclass.of_each_class(average_precision, scores)


def _by_class(
    scores: ClassScores,
    used: np.ndarray[tuple[int], np.dtype[np.bool_]],
    columns: dict[str, Floats],
) -> Columns:
    names = [name for name, is_used in zip(scores.classes, used, strict=True) if is_used]
    return {"class": names, **{head: column[used] for head, column in columns.items()}}


def _hand_till(metric: Metric, scores: ClassScores) -> Working:
    areas = _areas_of_pairs(scores)
    values = [(first + second) / 2 for _, _, first, second in areas]
    made = share("means of the pairs, added up", "pairs")(sum(values), len(values))
    columns = dict(zip(("i", "j", "A(i|j)", "A(j|i)"), zip(*areas, strict=True), strict=True))
    return made.of_parts(parts("class pair", columns | {"mean": values}))


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
    assert isinstance(metric.interval, Wilson)
    k, n = metric.interval.proportion(scores)
    return share(f"rows whose class is among the first {metric.parameters['k']:g}", "rows")(
        float(k), float(n)
    )


def _mean_error(metric: Metric, scores: ClassScores) -> Working:
    ece = catalog.by_key()["ece"]
    tables = scores.reliability().one_vs_rest
    values = np.array([np.nan if table is None else float(ece(table)) for table in tables])
    used = ~np.isnan(values) & (scores.support > 0)
    made = share("calibration errors, added up", "classes")(values[used].sum(), int(used.sum()))
    columns = {"calibration error": values}
    return made.of_parts(parts("class", _by_class(scores, used, columns), CLASSES))


def _class_mean_loss(moments: LossMoments) -> Working:
    return share("losses of all rows, added up", "rows")(moments.total, moments.n)


OF_CLASSES: Mapping[str, Callable[[Metric, ClassScores], Working]] = MappingProxyType(
    {
        "log_loss": lambda metric, scores: _class_mean_loss(scores.log_loss),
        "brier_multiclass": lambda metric, scores: _class_mean_loss(scores.brier),
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
