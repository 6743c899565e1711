"""How well scores put positives before negatives: areas, the H measure, and single points.

Functions take score tables with running counts of shape (m,), or (..., m) for bootstrap draws.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.intervals.closed import Interval, of_two_rates
from evalcore.metrics import metric
from evalcore.metrics.metric import Family, Metric, ratio, scalar, share_of
from evalcore.outcomes import Floats, Number, Places
from evalcore.tables import areas
from evalcore.tables.confusion import quotient
from evalcore.tables.scores import ScoreTable, with_origin


def each(function: Callable[[ScoreTable], Number]) -> Callable[[ScoreTable], Number]:
    """Let a function of one score table serve many draws, one after the other."""

    def compute(table: ScoreTable) -> Number:
        draws = zip(table.tp, table.fp, (table.tp + table.fp) > 0, strict=True)
        # A draw may hold none of the highest scores, which then are no rows of its table.
        return np.array(
            [function(ScoreTable(table.threshold[k], tp[k], fp[k])) for tp, fp, k in draws]
        )

    return compute


class Losses(NamedTuple):
    """The expected loss of the best threshold, in h + 1 stretches of the cost of a false positive.

    The (h + 2,) `bounds` between the stretches fall from 1 to 0; true and false positives at the
    best threshold, and the part of each stretch in the loss, are (h + 1,). The loss of `guessing`
    is that of calling all rows positive, or none, whichever costs less.
    """

    bounds: Floats
    tp: Floats
    fp: Floats
    loss: Floats
    guessing: float


def h_measure(table: ScoreTable) -> Number:
    """Return 1 - loss / loss of guessing, over costs spread as Beta(1 + pi1, 1 + pi0).

    NaN with one class. Source: Hand and Anagnostopoulos (2014), Pattern Recognition Letters 40.
    """
    if table.tp.ndim > 1:
        return _h_measures(table)
    losses = h_losses(table)
    return 1 - ratio(losses.loss.sum(), losses.guessing)


def h_losses(table: ScoreTable) -> Losses:
    """Return the loss behind the H measure, stretch by stretch.

    A false positive costs c, a false negative 1 - c; pi1 is the share of positives. The best
    threshold at c calls a row positive where the share of positives at its place on the hull is
    at least c, so the loss falls into one stretch of c per edge of the hull.
    """
    corner = areas.hull_corners(table)
    tp, fp = (with_origin(counts)[corner].astype(float) for counts in (table.tp, table.fp))
    positives, n = tp[-1:], tp[-1:] + fp[-1:]
    bounds, prior = _bounds(tp, fp), np.atleast_1d(ratio(positives, n))
    of_fp, of_fn = _expected_costs(bounds, prior)
    loss = np.asarray(ratio(fp, n)) * of_fp + np.asarray(ratio(positives - tp, n)) * of_fn
    return Losses(bounds, tp, fp, loss, _of_guessing(prior))


def _bounds(tp: Floats, fp: Floats) -> Floats:
    """Return the share of positives along each edge of the hull; one without rows is at c = 0."""
    gained = np.diff(tp)
    share = quotient(gained, gained + np.diff(fp), empty=0.0)
    return np.concatenate([[1.0], share, [0.0]])


def _of_guessing(prior: Floats) -> float:
    """Return the loss of calling all rows positive where c < prior, and none elsewhere."""
    of_fp, of_fn = _expected_costs(np.concatenate([[1.0], prior, [0.0]]), prior)
    return float((1 - prior[0]) * of_fp[1] + prior[0] * of_fn[0])


def _expected_costs(bounds: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Integrate c and 1 - c over each stretch between falling bounds, weighted by the Beta."""
    from scipy.special import betainc

    a, b = 1 + prior, 2 - prior
    of_fp = a / (a + b) * -np.diff(betainc(a + 1, b, bounds))
    of_fn = b / (a + b) * -np.diff(betainc(a, b + 1, bounds))
    return of_fp, of_fn


def _h_measures(table: ScoreTable) -> Floats:
    """Return the (B,) H measures of (B, m) running counts.

    The loss is that of rows which each know the share of positives along their edge of the hull.
    """
    curve, tp, fp = areas.hull_edges(table)
    rows, n = tp + fp, np.asarray(table.tp[:, -1] + table.fp[:, -1], dtype=np.float64)
    found, which = np.unique(quotient(table.tp[:, -1], n), return_inverse=True)
    known = _tables_of_losses(tuple(found.tolist()))
    lost = rows * _losses_of_rows(known, which[curve], quotient(tp, rows, empty=0.0))
    loss = np.bincount(curve, np.where(rows > 0, lost, 0.0), len(n))
    return 1 - np.asarray(ratio(loss, n * known.guessing[which]))


_ANGLES, _PRIORS = 128, 8
"""Places in a table of losses by the share of positives, and terms of a series in the prior."""


class _KnownLosses(NamedTuple):
    """Losses of rows and their slopes, one table of places for each prior, and of guessing."""

    value: Floats
    slope: Floats
    guessing: Floats


@lru_cache(maxsize=4)
def _tables_of_losses(some: tuple[float, ...]) -> _KnownLosses:
    """Return the tables of some priors, which all models with the same draws share.

    In a table the loss is a cubic of the angle whose squared sine is the share, which errs by
    less than 1e-9; the table is a series of Chebyshev polynomials in the prior, which errs by less
    than 1e-5 where priors reach from 0 to 1, and by less than 1e-9 where they differ by 0.2.
    """
    from numpy.polynomial.chebyshev import chebpts1, chebvander

    priors = np.array(some)
    low, high = np.nanmin(priors), np.nanmax(priors)
    middle, half = (low + high) / 2, max((high - low) / 2, np.finfo(np.float64).tiny)
    points, width = chebpts1(_PRIORS), np.pi / 2 / _ANGLES
    angle = np.arange(_ANGLES + 1) * width
    values, slopes = _loss_of_row(np.sin(angle) ** 2, middle + half * points[:, np.newaxis])
    series = chebvander((priors - middle) / half, _PRIORS - 1)
    series = series @ np.linalg.inv(chebvander(points, _PRIORS - 1))
    slopes *= np.sin(2 * angle) * width
    value, slope = ((series @ part).ravel() for part in (values, slopes))
    return _KnownLosses(value, slope, _loss_of_row(priors, priors)[0])


def _losses_of_rows(known: _KnownLosses, which: Places, share: Floats) -> Floats:
    """Return the losses of (e,) rows, each with one of the priors."""
    value, slope, _ = known
    place = np.arcsin(np.sqrt(share)) / (np.pi / 2 / _ANGLES)
    before = np.minimum(place.astype(np.intp), _ANGLES - 1)
    t = place - before
    before += which * (_ANGLES + 1)
    left, right, start, end = (p.take(before + k) for p in (value, slope) for k in (0, 1))
    bend = (1 - t) * (start + left - right) - t * (end + left - right)
    return left + t * (right - left + (1 - t) * bend)


def _loss_of_row(share: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Return the expected loss of a row that is positive with a chance, decided as is best.

    It is (1 - p) times the mean of c where c < p, plus p times that of 1 - c elsewhere. Both means
    follow from the distribution of c by a step of one parameter: I(a + 1, b) is I(a, b) less
    t / a, and I(a, b + 1) is t / b more. By their difference the loss rises with p.
    """
    from scipy.special import beta, betainc

    a, b = 1 + prior, 2 - prior
    below, step = betainc(a, b, share), share**a * (1 - share) ** b / beta(a, b)
    lost: Floats = (1 - share) * (a * below - step) + share * (b * (1 - below) - step)
    return lost / (a + b), b / (a + b) - below


_ranked = partial(Metric, family=Family.RANKING, needs=ScoreTable)
_share = partial(share_of, family=Family.RANKING, needs=ScoreTable)

ROC_AUC = _ranked(key="roc_auc", compute=areas.roc_area, interval=metric.OfArea())

GINI = _ranked(
    key="gini",
    compute=lambda table: 2 * areas.roc_area(table) - 1,
    low=-1,
    interval=metric.OfArea(),
)

AVERAGE_PRECISION = _ranked(
    key="average_precision", compute=areas.average_precision, interval=metric.OfPositives()
)

PR_AUC_TRAPEZOID = _ranked(
    key="pr_auc_trapezoid",
    compute=areas.precision_recall_area,
    interval=metric.OfPositives(),
)


def partial_roc_auc(max_fpr: float, key: str = "") -> Metric:
    """Declare the area under the ROC curve up to a false positive rate, standardised."""
    return _ranked(
        key=key or f"partial_roc_auc({max_fpr:g})",
        compute=lambda table: areas.partial_roc_area(table, 0.0, max_fpr),
        interval=metric.OfPositives(),
        low=(1 - max_fpr) / (2 - max_fpr),
        parameters={"max_fpr": float(max_fpr)},
    )


def ks_statistic(table: ScoreTable) -> Number:
    """Return the largest distance between the score distributions of the two classes."""
    tpr, fpr = ratio(table.tp, table.tp[..., -1:]), ratio(table.fp, table.fp[..., -1:])
    return scalar(np.abs(tpr - fpr).max(axis=-1))


def _ks_interval(table: ScoreTable, level: float) -> Interval:
    """Return the interval of the gap between both rates at the score where it is largest."""
    gaps = ratio(table.tp, table.positives) - ratio(table.fp, table.negatives)
    place = int(np.abs(gaps).argmax())
    side = 1.0 if np.asarray(gaps)[place] >= 0 else -1.0
    return of_two_rates(table.at(table.threshold[place]), side, -side, level)


KS_STATISTIC = _ranked(
    key="ks_statistic",
    compute=ks_statistic,
    interval=metric.Closed(
        _ks_interval,
        "Wilson’s intervals of both rates where the gap is largest, combined (MOVER).",
        takes_draws=True,
    ),
)

PARTIAL_ROC_AUC = partial_roc_auc(0.1, key="partial_roc_auc")
H_MEASURE = _ranked(key="h_measure", compute=h_measure, interval=metric.OfPositives())


def found_in_first(table: ScoreTable, rows: Number) -> Number:
    """Return the positives among the `rows` highest scores; NaN where there are fewer rows.

    A group of tied scores that is cut gives its average share, as a random order would.

    >>> table = ScoreTable.from_scores(np.array([1, 1, 0]), np.array([0.9, 0.4, 0.4]))
    >>> found_in_first(table, 2)
    1.5
    """
    rows, tp = np.asarray(rows), table.tp

    def count(place: Places, value: Callable[[Any, Places], Any] = areas.value_at) -> Any:
        return value(tp, place) + value(table.fp, place)

    shape = (*np.broadcast_shapes(tp.shape[:-1], rows.shape), tp.shape[-1])
    place = areas.first_place(lambda place: count(place, areas.at) >= rows, shape)
    enough, after = place < shape[-1], np.minimum(place, shape[-1] - 1)
    n_before, tp_before = count(place - 1), areas.value_at(tp, place - 1)
    tied = count(after) - n_before
    # Sums of fractional weights differ from a threshold to the next even where no row is between.
    share = quotient(rows - n_before, np.where(enough, tied, 1), empty=0.0)
    positives = tp_before + share * (areas.value_at(tp, after) - tp_before)
    return scalar(np.where(enough, positives, np.nan))


def _found_in_share(table: ScoreTable, share: float) -> tuple[Number, Number]:
    """Return the positives among the first `share` of the rows, and all positives."""
    positives = np.asarray(table.tp[..., -1], dtype=np.float64)
    rows = share * (positives + table.fp[..., -1])
    return found_in_first(table, rows), positives


def _share_of_positives(of: Callable[[ScoreTable], Any], **declaration: Any) -> Metric:
    """Declare a share of the positives, which varies less than one of rows picked at random."""
    return replace(_share(of, **declaration), interval=metric.OfPositives(of))


def gain_at(share: float, key: str = "") -> Metric:
    """Declare the share of the positives that lies in the highest-scored `share` of the rows."""
    return _share_of_positives(
        lambda table: _found_in_share(table, share),
        key=key or f"gain_at({share:g})",
        parameters={"share": float(share)},
    )


def lift_at(share: float, key: str = "") -> Metric:
    """Declare how many times more positives the top `share` holds than as many random rows."""
    return _ranked(
        key=key or f"lift_at({share:g})",
        compute=lambda table: ratio(ratio(*_found_in_share(table, share)), share),
        interval=metric.OfPositives(),
        high=1 / share,
        parameters={"share": float(share)},
    )


def precision_at_k(k: int, key: str = "") -> Metric:
    """Declare the share of positives among the k highest-scored rows."""
    return _share(
        lambda table: (found_in_first(table, k), float(k)),
        key=key or f"precision_at_k({k})",
        parameters={"k": float(k)},
    )


def recall_at_k(k: int, key: str = "") -> Metric:
    """Declare the share of the positives that lies in the k highest-scored rows."""
    return _share_of_positives(
        lambda table: (found_in_first(table, k), np.asarray(table.tp[..., -1], np.float64)),
        key=key or f"recall_at_k({k})",
        parameters={"k": float(k)},
    )


def precision_at_recall(recall: float, key: str = "") -> Metric:
    """Declare the best precision of the thresholds that find at least `recall` of the positives."""

    def compute(table: ScoreTable) -> Number:
        def found(place: Places) -> NDArray[np.bool_]:
            return np.asarray(ratio(areas.at(table.tp, place), table.tp[..., -1])) >= recall

        # What comes before in every draw is not looked at.
        place, places = areas.first_place(found, table.tp.shape), table.tp.shape[-1]
        first = int(place.min(initial=places - 1))
        tp, fp = table.tp[..., first:], table.fp[..., first:]
        reached = np.greater_equal.outer(np.arange(first, places), place).T
        best = np.where(reached, ratio(tp, tp + fp), -np.inf).max(axis=-1)
        return scalar(np.where(best >= 0, best, np.nan))

    return _ranked(
        key=key or f"precision_at_recall({recall:g})",
        compute=compute,
        interval=metric.OfPositives(),
        parameters={"recall": float(recall)},
        unit="share",
    )


def sensitivity_at_specificity(specificity: float, key: str = "") -> Metric:
    """Declare the height of the ROC curve at a specificity, on a line between two points."""

    def compute(table: ScoreTable) -> Number:
        negatives, positives = table.fp[..., -1], table.tp[..., -1]
        allowed = (1 - specificity) * np.asarray(negatives, dtype=np.float64)
        # A billionth forgives the rounding of 1 - specificity at a point of the curve.
        most = np.asarray(allowed + 1e-9)
        before = areas.first_place(lambda place: areas.at(table.fp, place) > most, table.fp.shape)
        after = np.minimum(before, table.fp.shape[-1] - 1)
        fp, tp = areas.value_at(table.fp, before - 1), areas.value_at(table.tp, before - 1)
        run = areas.value_at(table.fp, after) - fp
        share = np.maximum(allowed - fp, 0) / np.where(run > 0, run, np.inf)
        height = tp + share * (areas.value_at(table.tp, after) - tp)
        return ratio(np.where(negatives > 0, height, np.nan), positives)

    return _ranked(
        key=key or f"sensitivity_at_specificity({specificity:g})",
        compute=compute,
        interval=metric.OfPositives(),
        parameters={"specificity": float(specificity)},
        unit="share",
    )


GAIN_AT = gain_at(0.1, key="gain_at")
LIFT_AT = lift_at(0.1, key="lift_at")
PRECISION_AT_K = precision_at_k(10, key="precision_at_k")
RECALL_AT_K = recall_at_k(10, key="recall_at_k")
PRECISION_AT_RECALL = precision_at_recall(0.9, key="precision_at_recall")
SENSITIVITY_AT_SPECIFICITY = sensitivity_at_specificity(0.9, key="sensitivity_at_specificity")
