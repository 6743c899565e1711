"""From a number back to what it is made of, down to sums over rows of predicted numbers."""

from collections.abc import Callable, Mapping
from math import isnan
from types import MappingProxyType

import numpy as np

from evalcore.intervals.closed import normal_quantile
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import Estimate, Family, Metric
from evalcore.metrics.regression import medae
from evalcore.outcomes import Floats, NumericOutcomes
from evalcore.results import ClusteringEvaluation, ModelTables
from evalcore.tables.confusion import BinaryCounts, ConfusionMatrix
from evalcore.tables.residuals import Ranks, ResidualMoments
from evalcore.tables.scores import ScoreTable
from evalview.explained.arithmetic import Parts, Working, known, parts, share, shown, text
from evalview.explained.of_scores import OF_CLASSES, OF_CURVES, OF_PROBABILITIES, OF_SCORES
from evalview.text import shortest_threshold

_BEST_OF = MappingProxyType({"best_f1": "f1", "best_youden": "youden_j", "best_mcc": "mcc"})

OF_TABLE: Mapping[str, Callable[[Metric, ScoreTable], Working]] = MappingProxyType(
    {**OF_SCORES, **OF_CURVES, **OF_PROBABILITIES}
)
"""The workings of all numbers of a score table, by key."""


def of_decisions(metric: Metric, confusion: ConfusionMatrix) -> Working | None:
    """Return the working of a metric of decisions; None where it is more than arithmetic."""
    from evalview.explained.of_matrices import OF_MATRIX, of_chance, of_counts

    counts = confusion.counts.astype(np.float64)
    if len(confusion.classes) > 2:
        make = OF_MATRIX.get(metric.key)
        return None if make is None else make(counts)
    if metric.needs is not BinaryCounts or len(confusion.classes) < 2:
        return None
    return (
        of_chance(counts)
        if metric.key == "accuracy_p_value"
        else of_counts(metric, confusion.binary())
    )


def of_tables(metric: Metric, estimate: Estimate, tables: ModelTables) -> Working | None:
    """Return the working of a metric of scores, probabilities or numbers; None without one."""
    if not estimate.defined:
        return None
    if tables.scores is not None:
        return of_scores(metric, estimate, tables.scores)
    if tables.class_scores is not None:
        of_classes = OF_CLASSES.get(metric.key)
        return None if of_classes is None else of_classes(metric, tables.class_scores)
    if tables.items is not None:
        right = "shares of right tries, added up" if tables.items.tries is not None else "right"
        return share(right, "items")(estimate.value * tables.n, tables.n)
    return None if tables.numbers is None else _of_numbers(metric.key, tables.numbers)


def of_scores(metric: Metric, estimate: Estimate, table: ScoreTable) -> Working | None:
    """Return the working of a metric of a score table, that of a class against the rest too."""
    from evalview.explained.of_matrices import of_counts

    if estimate.at is not None and metric.key in _BEST_OF:
        found = of_counts(by_key()[_BEST_OF[metric.key]], table.at(estimate.at))
        return found and Working(
            found.formula, found.values, shortest_threshold(table, estimate.at)
        )
    make = OF_TABLE.get(metric.key)
    return None if make is None else make(metric, table)


def of_clustering(metric: Metric, estimate: Estimate, made: ClusteringEvaluation) -> Working | None:
    """Return the working of a metric of a clustering; None without one."""
    from evalview.explained.of_matrices import of_agreement, of_points

    if not estimate.defined:
        return None
    if metric.family is Family.POINTS:
        return of_points(metric, made)
    found = None if made.contingency is None else of_agreement(metric, made.contingency)
    # With one class or one cluster a value is set by convention, and 0 / 0 leads to none.
    return None if found is None or isnan(found.result) else found


def _of_numbers(key: str, numbers: NumericOutcomes) -> Working | None:
    if key in OF_ROWS:
        made = OF_ROWS[key](numbers)
    elif key in OF_NUMBERS:
        made = OF_NUMBERS[key](ResidualMoments.of(numbers))
    else:
        return None
    rows = first_rows(numbers, key)
    return made if rows is None else made.of_parts(rows)


def _squares(table: ResidualMoments) -> float:
    return float(table.error_ss + table.bias_ss)


_LIMIT = normal_quantile(0.95)
"""What the formula rounds to 1.96."""

_ERRORS, _SQUARED = "absolute errors, added up", "squared errors, added up"
_SPREAD = "squared distances of the truth from its mean, added up"


def _mean_squared(table: ResidualMoments) -> Working:
    return share(_SQUARED, "rows")(_squares(table), float(table.n))


def _relative_squared(table: ResidualMoments) -> Working:
    return share(_SQUARED, _SPREAD)(_squares(table), float(table.truth_ss))


def _left_over(table: ResidualMoments) -> Working:
    of = share("squared errors about their mean, added up", _SPREAD)
    return of(float(table.error_ss), float(table.truth_ss))


def _mean_log_squared(table: ResidualMoments) -> Working:
    of = share("squared errors of the logarithms, added up", "rows")
    return of(float(table.log_squared_error), float(table.n))


def pearson(table: ResidualMoments) -> Working:
    """Return a correlation as products over what they could be at most."""
    products, of_truth, of_prediction = map(text, ("products", "truth", "prediction"))
    return Working(
        rf"\frac{{{products}}}{{\sqrt{{{of_truth} \cdot {of_prediction}}}}}",
        {
            products: float(table.product_ss),
            of_truth: float(table.truth_ss),
            of_prediction: float(table.prediction_ss),
        },
    )


def _concordance(table: ResidualMoments) -> Working:
    products, spread = text("products"), text("both spreads")
    rows, gap = text("rows"), text("gap of the means")
    return Working(
        rf"\frac{{2 \cdot {products}}}{{{spread} + {rows} \cdot {gap}^2}}",
        {
            products: float(table.product_ss),
            spread: float(table.truth_ss + table.prediction_ss),
            rows: float(table.n),
            gap: abs(float(table.mean_truth - table.mean_prediction)),
        },
    )


def _limit(sign: str) -> Callable[[ResidualMoments], Working]:
    mean, spread, rows = text("mean error"), text("squared distances from it"), text("rows")

    def make(table: ResidualMoments) -> Working:
        values = (float(table.mean_error), float(table.error_ss), float(table.n), _LIMIT)
        return Working(
            rf"{mean} {sign} 1.96 \cdot \sqrt{{\frac{{{spread}}}{{{rows} - 1}}}}",
            dict(zip((mean, spread, rows, "1.96"), values, strict=True)),
        )

    return make


def _pinball(table: ResidualMoments) -> Working:
    # At the middle, a unit too low costs as much as one too high.
    return share(_ERRORS, "rows")(float(table.absolute_error), float(table.n)).put_into(
        r"\frac{1}{2} \cdot @"
    )


def _explained(table: ResidualMoments) -> Working:
    spread, rows, gap = (
        text("squared distances of predictions from their mean"),
        "n",
        text("gap of the means"),
    )
    between = abs(float(table.mean_prediction - table.mean_truth))
    return Working(
        rf"{spread} + {rows} \cdot {gap}^2",
        {spread: float(table.prediction_ss), rows: float(table.n), gap: between},
    )


def _sum(
    words: str, of: Callable[[ResidualMoments], float]
) -> Callable[[ResidualMoments], Working]:
    return lambda table: known(text(words), float(of(table)))


OF_NUMBERS: Mapping[str, Callable[[ResidualMoments], Working]] = MappingProxyType(
    {
        "rmse": lambda table: _mean_squared(table).put_into(r"\sqrt{@}"),
        "mse": _mean_squared,
        "mae": lambda table: share(_ERRORS, "rows")(float(table.absolute_error), float(table.n)),
        "r2": lambda table: _relative_squared(table).put_into("1 - @"),
        "rrse": lambda table: _relative_squared(table).put_into(r"\sqrt{@}"),
        "bias": lambda table: share("errors, added up", "rows")(
            float(table.mean_error * table.n), float(table.n)
        ),
        "explained_variance": lambda table: _left_over(table).put_into("1 - @"),
        "mape": lambda table: share("relative errors, added up", "rows")(
            float(table.relative_error), float(table.n)
        ),
        "mape_nonzero": lambda table: share("relative errors, added up", "rows not 0")(
            float(table.relative_error), float(table.nonzero)
        ),
        "smape": lambda table: share("relative errors, added up", "rows")(
            float(table.symmetric_error), float(table.n)
        ),
        "wape": lambda table: share(_ERRORS, "sizes of the true values, added up")(
            float(table.absolute_error), float(table.absolute_truth)
        ),
        "msle": _mean_log_squared,
        "rmsle": lambda table: _mean_log_squared(table).put_into(r"\sqrt{@}"),
        "male": lambda table: share("errors of the logarithms, added up", "rows")(
            float(table.log_error), float(table.n)
        ),
        "pearson": pearson,
        "concordance_correlation": _concordance,
        "pinball": _pinball,
        "bland_altman_low": _limit("-"),
        "bland_altman_high": _limit("+"),
        "sse": _sum(_SQUARED, _squares),
        "rss": _sum(_SQUARED, _squares),
        "tss": _sum(_SPREAD, lambda table: float(table.truth_ss)),
        "ess": _explained,
    }
)


Term = Callable[[Floats, Floats], Floats]

_ABSOLUTE = ("absolute error", lambda y, f: np.abs(f - y))
_ROW_SQUARED = ("squared error", lambda y, f: (f - y) ** 2)
_RELATIVE = ("relative error", lambda y, f: np.abs(f - y) / np.abs(y))
_LOG = ("error of the logarithms", lambda y, f: np.log1p(f) - np.log1p(y))

TERMS: Mapping[str, tuple[str, Term]] = MappingProxyType(
    {
        **dict.fromkeys(("mae", "wape", "rae", "medae", "pinball"), _ABSOLUTE),
        **dict.fromkeys(("mse", "rmse", "sse", "rss", "r2", "rrse"), _ROW_SQUARED),
        **dict.fromkeys(("bias", "explained_variance"), ("error", lambda y, f: f - y)),
        **dict.fromkeys(("mape", "mape_nonzero"), _RELATIVE),
        **dict.fromkeys(("msle", "rmsle", "male"), _LOG),
        "smape": ("relative error", lambda y, f: 2 * np.abs(f - y) / (np.abs(y) + np.abs(f))),
    }
)
"""What a row adds to a number, in words and as a function of truth and prediction."""


def first_rows(outcomes: NumericOutcomes, key: str) -> Parts | None:
    """Return what the first rows add to a number; None where rows add nothing one by one."""
    if key not in TERMS:
        return None
    named, term = TERMS[key]
    places = np.array(shown(outcomes.n), dtype=np.intp)
    truth, prediction = outcomes.truth[places], outcomes.prediction[places]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = term(truth, prediction)
    rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
    columns = {"row": rows, "truth": truth, "prediction": prediction, named: terms}
    return parts("row", columns, of=outcomes.n)


def _largest(outcomes: NumericOutcomes) -> Working:
    errors = outcomes.prediction - outcomes.truth
    used = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    worst = int(np.where(used > 0, np.abs(errors), -1.0).argmax())
    names = (text("prediction"), text("truth"))
    first, second = names if errors[worst] >= 0 else names[::-1]
    values = (float(outcomes.prediction[worst]), float(outcomes.truth[worst]))
    return Working(f"{first} - {second}", dict(zip(names, values, strict=True)))


def _middle(outcomes: NumericOutcomes) -> Working:
    return known(text("the middle one of the sorted absolute errors"), medae(outcomes))


def _to_the_mean(outcomes: NumericOutcomes) -> Working:
    weight = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    mean = np.average(outcomes.truth, weights=weight)
    of = share("absolute errors, added up", "distances of the truth from its mean, added up")
    errors = weight @ np.abs(outcomes.prediction - outcomes.truth)
    return of(float(errors), float(weight @ np.abs(outcomes.truth - mean)))


def _ranked(outcomes: NumericOutcomes) -> Ranks:
    return Ranks.from_values(outcomes.truth, outcomes.prediction, outcomes.weight)


def _tau_a(outcomes: NumericOutcomes) -> Working:
    pairs = _ranked(outcomes).pairs
    names = ("C", "D", text("pairs"))
    values = map(float, (pairs.concordant, pairs.discordant, pairs.total))
    return Working(rf"\frac{{C - D}}{{{names[2]}}}", dict(zip(names, values, strict=True)))


def _tau_b(outcomes: NumericOutcomes) -> Working:
    pairs = _ranked(outcomes).pairs
    return Working(
        r"\frac{C - D}{\sqrt{(C + D + T_y)(C + D + T_f)}}",
        {
            "C": float(pairs.concordant),
            "D": float(pairs.discordant),
            "T_y": float(pairs.tied_truth - pairs.tied_both),
            "T_f": float(pairs.tied_prediction - pairs.tied_both),
        },
    )


OF_ROWS: Mapping[str, Callable[[NumericOutcomes], Working]] = MappingProxyType(
    {
        "max_error": _largest,
        "medae": _middle,
        "rae": _to_the_mean,
        "spearman": lambda outcomes: pearson(_ranked(outcomes).moments),
        "kendall_tau_a": _tau_a,
        "kendall_tau_b": _tau_b,
    }
)
