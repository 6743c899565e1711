"""Rows that are worth a look: the most wrong, the least sure, and those with a doubtful label."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType

import numpy as np

from evalcore import outcomes as data
from evalcore.comparison.candidate import can_decide
from evalcore.errors import EvalError, Notice
from evalcore.evaluation.condense import RULES, chances_of_truth, decide, errors_of
from evalcore.intervals.closed import normal_quantile
from evalcore.metrics.metric import Estimate
from evalcore.options import Options
from evalcore.outcomes import Floats, Outcomes, Places, ReadOnly, Rows, data_rows
from evalcore.predictions import Predictions
from evalcore.slices.columns import Mask

LOSS, CONFIDENCE, DISAGREEMENT, LABELS, FILE = (
    "loss", "confidence", "disagreement", "label-errors", "file",
)  # fmt: skip
"""What rows are listed by: each key is one that an address and the command line take."""

WRONG = "wrong"
"""What rows are listed by where labels alone tell their loss: 1 where they are wrong, else 0."""

MOST = 10_000
"""Rows that are listed: more nobody looks through."""

ASSUMED = (
    "Assumes probabilities from models that did not train on the row, and calibrated where "
    "labels are right: with overconfident ones, fewer labels are wrong than this says."
)


@dataclass(frozen=True, eq=False)
class LabelErrors(ReadOnly):
    """Rows whose label is likely wrong, the most doubtful first, and how many are.

    Confident learning: a row is confidently of the class whose probability is at least as high as
    it is on average in the rows of that class; where that is another class than the row's own, its
    label is doubtful. Source: Northcutt, Jiang and Chuang (2021), Confident Learning, JAIR 70. The
    probabilities must be out of fold: a model has learnt the errors of rows that it was fitted to.

    Attributes:
        row: (m,) data row numbers, 1 being the first.
        label: (m,) codes of the classes that they are labelled as.
        likely: (m,) codes of the classes that they are confidently of.
        probability: (m,) the probability of the label.
        classes: Names of the classes.
        by_chance: How many rows would be listed if no label were wrong and probabilities right.
        wrong: How many of the listed labels are wrong beyond that, with an interval.
        assumed: What this rests on.
    """

    row: data.Codes
    label: data.Codes
    likely: data.Codes
    probability: Floats
    classes: tuple[str, ...]
    by_chance: float
    wrong: Estimate
    assumed: str = ASSUMED


def label_errors(
    outcomes: data.BinaryOutcomes | data.ClassOutcomes, level: float = 0.95
) -> LabelErrors:
    """Return the rows whose label is likely wrong.

    Raises:
        EvalError: "no-probabilities": the model gives no probability of each class.

    >>> rows = data.BinaryOutcomes(classes=("no", "yes"), truth=np.array([0, 0, 1, 1], np.int8),
    ...                       score=np.array([0.1, 0.9, 0.2, 0.8]), probability=True)
    >>> label_errors(rows).row.tolist()
    [2, 3]
    """
    chances = _probabilities(outcomes)
    truth = outcomes.truth.astype(np.intp)
    weight = np.ones(outcomes.n) if outcomes.weight is None else outcomes.weight
    least = np.array(
        [
            _weighed(chances[truth == code, code], weight[truth == code])
            for code in range(chances.shape[1])
        ]
    )
    # A class without rows is never confidently meant.
    sure = chances >= np.where(np.isnan(least), np.inf, least)
    likely = np.where(sure, chances, -1.0).argmax(axis=1)
    doubtful = sure.any(axis=1) & (likely != truth)
    own = chances[np.arange(outcomes.n), truth]
    places = np.flatnonzero(doubtful)
    places = places[np.argsort(own[places] - chances[places, likely[places]], kind="stable")]
    # Were each label drawn by its probabilities, a row is listed if it is not what is likely.
    listed = np.where(sure.any(axis=1), 1 - chances[np.arange(outcomes.n), likely], 0.0)
    by_chance = float(weight @ listed)
    spread = float(np.sqrt(weight**2 @ (listed * (1 - listed))))
    found = float(weight[places].sum())
    reach = normal_quantile(level) * spread
    # Chance lists rows with a right label only, which are all but those that are wrong.
    right = max(1 - by_chance / float(weight.sum()), 0.5)
    low, beyond, high = (
        min(max((found - by_chance + side * reach) / right, 0.0), found) for side in (-1, 0, 1)
    )
    return LabelErrors(
        row=data_rows(outcomes, places),
        label=truth[places],
        likely=likely[places],
        probability=own[places],
        classes=outcomes.classes,
        by_chance=by_chance,
        wrong=Estimate(beyond, low, high, "excess-over-chance", level),
    )


def _probabilities(outcomes: data.BinaryOutcomes | data.ClassOutcomes) -> Floats:
    """Return the (n, K) probability of each class."""
    if not data.gives_probabilities(outcomes):
        raise EvalError(
            "no-probabilities",
            "Label errors are found from class probabilities, which this model does not give.",
        )
    if isinstance(outcomes, data.BinaryOutcomes):
        assert outcomes.score is not None
        return np.column_stack([1 - outcomes.score, outcomes.score])
    assert outcomes.probabilities is not None
    return np.nan_to_num(outcomes.probabilities)


def _weighed(values: Floats, weight: Floats) -> float:
    return float(weight @ values / weight.sum()) if weight.sum() else np.nan


@dataclass(frozen=True, eq=False)
class Listed(ReadOnly):
    """Rows of a model, those most worth a look first.

    Attributes:
        by: What they are listed by, such as "loss".
        of: What `value` is, in words; "" where rows are listed as in the file.
        row: (m,) data row numbers, 1 being the first.
        place: (m,) where they stand in the answers of the model, 0 being the first.
        value: (m,) that by which they are listed; NaN where it is not known, which comes last.
        total: How many rows there are to list, of which at most so many as were asked for are.
        doubts: What is known of doubtful labels, where rows are listed by these.
        model: Whose rows they are.
        notices: Why that model, where none is named.
    """

    left_out = ("doubts", "place", "model", "notices")

    by: str
    of: str
    row: Rows
    place: Places
    value: Floats
    total: int
    doubts: LabelErrors | None = None
    model: str = ""
    notices: tuple[Notice, ...] = ()


def offered(dataset: Predictions, model: str) -> tuple[str, ...]:
    """Return what the rows of a model can be listed by, the usual one first."""
    rows = dataset.models[model]
    classes = isinstance(rows, data.BinaryOutcomes | data.ClassOutcomes)
    able = {
        LOSS: True,
        CONFIDENCE: classes and (rows.scored or getattr(rows, "confidence", None) is not None),
        DISAGREEMENT: len(dataset.models) > 1,
        LABELS: data.gives_probabilities(rows),
        FILE: True,
    }
    return tuple(key for key, can in able.items() if can)


def listed(
    dataset: Predictions,
    by: str,
    options: Options,
    model: str | None = None,
    among: Mask | None = None,
    most: int = MOST,
) -> Listed:
    """Return rows of a model in an order.

    Args:
        dataset: The models.
        by: One of those that `offered` returns.
        options: The threshold, and the level of what is said of doubtful labels.
        model: Whose rows; by default those of the model that leads.
        among: (n,) which rows of the model count for the list; all by default.
        most: How many are listed at most.

    Raises:
        EvalError: "no-such-model", or "no-such-order": it does not give what they are listed by.
    """
    from evalcore.compare import to_judge

    model, why = to_judge(dataset, model, dataset.models)
    if model not in dataset.models:
        raise EvalError("no-such-model", f'There is no model "{model}" whose rows could be listed.')
    able = offered(dataset, model)
    if by not in able:
        raise EvalError(
            "no-such-order",
            f'The rows of {model} cannot be listed by "{by}", but by {", ".join(able)}.',
        )
    rows = dataset.models[model]
    if by == LABELS:
        assert isinstance(rows, data.BinaryOutcomes | data.ClassOutcomes)
        return replace(_doubtful(rows, options.level, among, most), model=model, notices=why)
    of, values = _VALUES[by](dataset, model, options)
    kept = np.arange(rows.n) if among is None else np.flatnonzero(among)
    places = kept if by == FILE else kept[largest(values[kept], most)]
    places = places[:most]
    shown = -values[places] if by == CONFIDENCE else values[places]
    return Listed(by, of, data_rows(rows, places), places, shown, len(kept), None, model, why)


def largest(values: Floats, most: int) -> Places:
    """Return the places of the largest values, the largest first, NaN last, equal ones in order.

    >>> largest(np.array([1.0, np.nan, 3.0, 3.0]), 3).tolist()
    [2, 3, 0]
    """
    known = np.where(np.isnan(values), -np.inf, values)
    if len(known) <= most:
        return np.argsort(-known, kind="stable")
    edge = np.partition(known, len(known) - max(most, 1))[len(known) - max(most, 1)]
    above, level = np.flatnonzero(known > edge), np.flatnonzero(known == edge)
    kept = np.concatenate([above, level[: most - len(above)]])
    return kept[np.argsort(-known[kept], kind="stable")]


def _doubtful(
    rows: data.BinaryOutcomes | data.ClassOutcomes, level: float, among: Mask | None, most: int
) -> Listed:
    doubts = label_errors(rows, level)
    row: Rows = doubts.row.astype(np.int64)
    place: Places = row - 1 if rows.rows is None else np.searchsorted(rows.rows, row)
    shown = np.arange(len(place)) if among is None else np.flatnonzero(among[place])
    total, shown = len(shown), shown[:most]
    of = "probability of the label"
    return Listed(LABELS, of, row[shown], place[shown], doubts.probability[shown], total, doubts)


Valued = tuple[str, Floats]
"""What is known of each row, in words and as (n,) numbers of which the largest comes first."""


def _losses(dataset: Predictions, model: str, options: Options) -> Valued:
    """Return how wrong each row is, as finely as the model tells."""
    rows = dataset.models[model]
    match rows:
        case data.NumericOutcomes():
            return "absolute error", np.abs(rows.prediction - rows.truth)
        case data.CorrectOutcomes():
            return "share of wrong tries", 1.0 - rows.share
        case data.BinaryOutcomes(score=score) if score is not None and not rows.probability:
            off = options.threshold_of(model) - score
            return "score on the wrong side of the threshold", np.where(rows.truth == 1, off, -off)
    if data.gives_probabilities(rows):
        with np.errstate(divide="ignore"):
            return "log loss", -np.log(chances_of_truth(rows)) + 0.0
    return WRONG, errors_of(rows, decide(rows, "labels"))


def _doubts(dataset: Predictions, model: str, options: Options) -> Valued:
    """Return how near each decision was to another one, less being further away."""
    rows = dataset.models[model]
    if isinstance(rows, data.BinaryOutcomes):
        assert rows.score is not None
        return "distance from the threshold", -np.abs(rows.score - options.threshold_of(model))
    assert isinstance(rows, data.ClassOutcomes)
    if rows.probabilities is None:
        assert rows.confidence is not None
        return "probability of the label given", -rows.confidence
    chances = np.nan_to_num(rows.probabilities, nan=0.0)
    if chances.shape[1] < 2:
        return "margin of the most likely class", np.zeros(rows.n)
    first, second = -np.partition(-chances, 1, axis=1)[:, :2].T
    return "margin of the most likely class", second - first


def _disagreement(dataset: Predictions, model: str, options: Options) -> Valued:
    """Return how far models are apart in each row of one; NaN where no other one has it."""
    models, own = dataset.models, dataset.models[model]
    if any(isinstance(rows, data.BinaryOutcomes | data.ClassOutcomes) for rows in models.values()):
        binary = all(isinstance(rows, data.BinaryOutcomes) for rows in models.values())
        if not (binary and all(map(data.gives_probabilities, models.values()))):
            return "pairs of models that disagree", _apart(dataset, own, options)
    of, least, most = "", np.full(own.n, np.inf), np.full(own.n, -np.inf)
    count = np.zeros(own.n)
    for rows in models.values():
        of, values = _said(rows)
        seen = _on_rows(own, rows, values)
        least, most = np.fmin(least, seen), np.fmax(most, seen)
        count += ~np.isnan(seen)
    return f"spread of the {of}", np.where(count > 1, most - least, np.nan)


def _said(rows: Outcomes) -> Valued:
    match rows:
        case data.NumericOutcomes():
            return "predictions", rows.prediction
        case data.CorrectOutcomes():
            return "shares of right tries", rows.share
        case data.BinaryOutcomes(score=score) if score is not None:
            return "probabilities", score
    raise EvalError("no-such-order", "These models give nothing that could differ.")


def _on_rows(own: Outcomes, rows: Outcomes, values: Floats) -> Floats:
    """Return what is known of the rows of one model on those of another; NaN where it has none."""
    if own.rows is None and rows.rows is None:
        return values
    theirs, ours = (data_rows(one, np.arange(one.n)) for one in (rows, own))
    found = np.full(int(max(theirs.max(initial=0), ours.max(initial=0))) + 1, np.nan)
    found[theirs] = values
    return found[ours]


def _apart(dataset: Predictions, own: Outcomes, options: Options) -> Floats:
    """Return (n,) the share of the pairs of models that disagree."""
    decided = []
    for name, rows in dataset.models.items():
        assert isinstance(rows, data.BinaryOutcomes | data.ClassOutcomes)
        rule = next(one for one in RULES if can_decide(rows, one))
        codes = decide(rows, rule, options.threshold_of(name))
        decided.append(_on_rows(own, rows, codes.astype(np.float64)))
    differ, pairs = np.zeros(own.n), np.zeros(own.n)
    for first, second in combinations(decided, 2):
        both = ~np.isnan(first) & ~np.isnan(second)
        pairs += both
        differ += both & (first != second)
    return np.where(pairs > 0, differ / np.maximum(pairs, 1), np.nan)


def _in_order(dataset: Predictions, model: str, options: Options) -> Valued:
    return "", np.full(dataset.models[model].n, np.nan)


_VALUES: Mapping[str, Callable[[Predictions, str, Options], Valued]] = MappingProxyType(
    {LOSS: _losses, CONFIDENCE: _doubts, DISAGREEMENT: _disagreement, FILE: _in_order}
)
