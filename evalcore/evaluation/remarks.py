"""What the reader must know about the numbers of a model, as notices."""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import NamedTuple, Self

import numpy as np

from evalcore.errors import ROWS_LISTED, Notice, Offer
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import DEGENERATE, Estimate
from evalcore.options import Options
from evalcore.outcomes import Floats, NumericOutcomes, Outcomes, Rows, data_rows
from evalcore.results import ModelEvaluation, ModelTables
from evalcore.tables.confusion import NO_PREDICTION
from evalcore.tables.scores import ScoreTable
from evalcore.text import count, counted, joined, rounded_down, shorten, significant


def value_remarks(name: str, outcomes: NumericOutcomes) -> Iterator[Notice]:
    """Return what the reader must know about the values of a model, with the rows concerned."""
    truth, prediction = outcomes.truth, outcomes.prediction
    if outcomes.n > 1 and truth.min() == truth.max():
        yield Notice(
            "constant-truth",
            f"The truth is constant ({truth[0]:g} in every row): metrics that compare errors with "
            "its variation, such as R squared, are undefined.",
            "warning",
        )
    zero = np.flatnonzero(truth == 0)
    if len(zero):
        yield Notice(
            "zero-truth",
            f"The truth is zero in {len(zero):,} of {outcomes.n:,} rows: the mean absolute "
            "percentage error is undefined; the one over the other rows is a metric of its own.",
            "warning",
            rows=tuple(data_rows(outcomes, zero[:ROWS_LISTED]).tolist()),
        )
    low = np.flatnonzero(np.minimum(truth, prediction) <= -1)
    if len(low):
        yield Notice(
            "no-logarithm",
            f'In {len(low):,} of {outcomes.n:,} rows the truth or the prediction of "{name}" is '
            "-1 or less: logarithmic errors are undefined.",
            rows=tuple(data_rows(outcomes, low[:ROWS_LISTED]).tolist()),
        )


def remarks(
    name: str, tables: ModelTables, evaluation: ModelEvaluation, options: Options, of: str = ""
) -> Iterator[Notice]:
    """Return the notices about one model, each naming it; `of` one way of deciding, if given."""
    yield from _one_class(tables)
    if tables.scores is not None:
        yield from _constant(name, tables.scores)
        yield from below_half(name, tables, evaluation.ranking["roc_auc"])
    if tables.labels_by_score is not None:
        yield from _disagreement(name, tables.labels_by_score, options.threshold)
    yield from _of_classes(name, tables)
    yield from _degenerate(name, evaluation, of)


def never_true(models: Mapping[str, ModelTables]) -> Iterator[Notice]:
    """Say which labels only models give, which and how often, and what averages are then over."""
    given = {name: one.argmax if one.labels is None else one.labels for name, one in models.items()}
    tables = {name: table for name, table in given.items() if table is not None}
    if not tables:
        return
    [classes] = {table.classes for table in tables.values()}
    true = sum(table.counts.sum(axis=1) for table in tables.values()) > 0
    told = []
    for code in np.flatnonzero(~true & np.not_equal(classes, NO_PREDICTION)):
        said = {name: table.counts[:, code].sum() for name, table in tables.items()}
        by = [f'by "{shorten(name)}" in {counted(n, "row")}' for name, n in said.items() if n]
        told += [f'"{shorten(classes[code])}" (said {joined(by)})'] if by else []
    if told and len(classes) > 2:
        yield Notice(
            "never-true",
            f"The truth never says {joined(told)}. Such rows count as errors; averages over "
            f"classes are over the {counted(int(true.sum()), 'class')} of the truth.",
            "warning",
        )


def _one_class(tables: ModelTables) -> Iterator[Notice]:
    """Say what a truth of a single class leaves undefined."""
    support = _support(tables)
    present = [name for name, rows in zip(tables.classes, support, strict=True) if rows > 0]
    if len(present) == 1:
        yield Notice(
            "one-class",
            f'The truth holds only one class, "{present[0]}": metrics that compare classes, such '
            "as ROC AUC, are undefined, and average precision means nothing.",
            "warning",
        )


def _support(tables: ModelTables) -> list[float]:
    for table in (tables.labels, tables.argmax):
        if table is not None:
            return list(table.counts.sum(axis=1).tolist())
    if tables.scores is not None:
        return [tables.scores.negatives, tables.scores.positives]
    return [0.0] * len(tables.classes)


def _constant(name: str, scores: ScoreTable) -> Iterator[Notice]:
    if len(scores.threshold) == 1 and scores.n > 1:
        yield Notice(
            "constant-score",
            f'The scores of "{name}" are constant ({scores.threshold[0]:g} in every row): they '
            "cannot rank anything.",
            "warning",
        )


def below_half(name: str, tables: ModelTables, area: Estimate) -> Iterator[Notice]:
    """Say of a model with scores that they rank worse than chance, if the area says so."""
    if not area.value < 0.5:
        return
    says = f'ROC AUC of "{name}" is {area.value:.3f}, below 0.5'
    if area.high is not None and area.high < 0.5:
        negative, positive = tables.classes
        how = "1 minus a probability" if tables.probability else "the negative of a score"
        says += (
            f': it ranks "{positive}" behind "{negative}". If low scores mean "{positive}", '
            f"reverse all scores, of every model: {how} is then used."
        )
        offer = Offer(f'Low scores mean "{shorten(positive, 20)}"', "reverse", "yes")
        yield Notice("auc-below-half", says, "warning", offers=(offer,))
    else:
        yield Notice("auc-below-half", f"{says}, but not by more than chance explains.")


def _disagreement(name: str, labels: ScoreTable, threshold: float) -> Iterator[Notice]:
    """Say on how many rows the file's own labels differ from the threshold, and which one fits."""
    counts = labels.at(threshold)
    differ = float(counts.fp + counts.fn)
    if differ:
        fits = _fitting(labels)
        agree = "" if fits is None else "No threshold gives these labels. "
        if fits:
            above, up_to = (_written(end) for end in _inside(*fits))
            agree = f"They agree with any threshold above {above} and up to {up_to}. "
        yield Notice(
            "labels-disagree",
            f'The labels of "{name}" disagree with score >= {_written(threshold)} on '
            f"{count(differ)} of {count(labels.n)} rows. {agree}"
            "Both are shown side by side and never mixed.",
            "warning",
            offers=_offered(fits),
        )


def _inside(below: float, up_to: float) -> tuple[float, float]:
    """Return ends in as few digits as stay inside those of an interval; three decimals at least."""
    for digits in range(3, 13):
        ends = -rounded_down(-below, digits), rounded_down(up_to, digits)
        if below <= ends[0] < ends[1] <= up_to:
            return ends
    return below, up_to


def _written(threshold: float) -> str:
    """Return a threshold with all its digits and a true minus sign."""
    return repr(float(threshold)).removesuffix(".0").replace("-", "\N{MINUS SIGN}")


def _offered(fits: tuple[float, ...] | None) -> tuple[Offer, ...]:
    """Propose the shortest number among the thresholds that give the labels of the file."""
    if not fits:
        return ()
    below, up_to = fits
    middle = below + (up_to - below) / 2
    rounded = (round(end, digits) for digits in range(1, 18) for end in (middle, up_to))
    short = next((number for number in rounded if below < number <= up_to), up_to)
    return (Offer(f"Use {_written(short)} as the threshold", "threshold", repr(float(short))),)


def _fitting(labels: ScoreTable) -> tuple[float, ...] | None:
    """Return the thresholds that give these labels, as (above, up to); empty if none does.

    None where the labels are all the same, which any threshold beyond the scores gives.
    """
    separates = np.flatnonzero((labels.fp == 0) & (labels.tp == labels.positives))
    if not labels.positives or not labels.negatives:
        return None
    if not len(separates):
        return ()
    last = int(separates[0])
    return float(labels.threshold[last + 1]), float(labels.threshold[last])


def _of_classes(name: str, tables: ModelTables) -> Iterator[Notice]:
    """Say where the probabilities of several classes do not agree with labels, or not in sum."""
    labels, scores = tables.labels_by_argmax, tables.class_scores
    if labels is not None and (differ := labels.total - float(labels.counts.trace())):
        yield Notice(
            "labels-disagree",
            f'The labels of "{name}" disagree with its largest probability on {count(differ)} of '
            f"{count(labels.total)} rows. Both are shown side by side and never mixed.",
            "warning",
        )
    if tables.argmax_ties:
        yield Notice(
            "argmax-ties",
            f'In {tables.argmax_ties:,} of {count(tables.n)} rows of "{name}" two classes share '
            "the largest probability; the first one counts, in the order "
            f"{', '.join(tables.classes)}.",
        )
    if scores is not None and scores.off_sum:
        yield Notice(
            "renormalised",
            f'In {scores.off_sum:,} rows of "{name}" the probabilities add up to 1 only within '
            f"{scores.largest_gap:.2g}; only the log loss divides them by their sum.",
        )


def _degenerate(name: str, evaluation: ModelEvaluation, of: str) -> Iterator[Notice]:
    flat = {
        by_key()[key].name: key
        for group, estimates in evaluation.metrics.items()
        for key, estimate in estimates.items()
        if DEGENERATE in estimate.note and (of in ("", group) or key == "roc_auc")
    }
    if flat:
        some = ", ".join([*flat][:4]) + (f" and {len(flat) - 4} more" if len(flat) > 4 else "")
        yield Notice(
            "degenerate-interval",
            f'Some intervals of "{name}" are too narrow: {some}. The rows that they count are all '
            "alike, so the true uncertainty is larger than shown.",
            "warning" if _MAIN & set(flat.values()) else "info",
        )


_MAIN = frozenset({"accuracy", "recall", "precision", "specificity", "f1", "roc_auc", "r2", "rmse"})
"""Metrics that people decide by: where one of them does not vary, it is said first."""

FEWEST_ROWS = 20
"""Of fewer rows, one easily makes up more than half of a sum. Of 20 normal errors one is more than
half of the sum of squares in 0.7% of files, of 30 in 0.03%. Source: Cochran (1941), Annals of
Eugenics 11."""


class _Errors(NamedTuple):
    """Squared errors of a model, as often as rows count, how often that is, and data rows: (n,)."""

    rows: NumericOutcomes
    squares: Floats
    times: Floats
    number: Rows

    @classmethod
    def of(cls, rows: NumericOutcomes) -> Self:
        with np.errstate(over="ignore"):  # squares of numbers beyond 1e154
            squares = np.square(rows.prediction - rows.truth)
        count = np.ones(rows.n) if rows.weight is None else rows.weight
        return cls(rows, squares * count, count, data_rows(rows, np.arange(rows.n)))

    @property
    def counted(self) -> bool:
        """Whether weights are counts of rows."""
        return self.rows.weight is not None and self.rows.counted

    def rmse(self, without: int = 0) -> float:
        """Return the root mean squared error of all data rows but one."""
        kept = self.number != without
        return sqrt(float(self.squares[kept].sum()) / float(self.times[kept].sum()))

    def of_row(self, row: int) -> str:
        place = int(np.flatnonzero(self.number == row)[0])
        truth, prediction = self.rows.truth[place], self.rows.prediction[place]
        return f"true {truth:,.6g}, predicted {prediction:,.6g}"


def one_row(models: Mapping[str, Outcomes]) -> Iterator[Notice]:
    """Say which row alone makes up more than half of the squared error of models.

    It is as true of heavy tails as of typing errors that such a number is that of one row. Said is
    also whether another model leads without it.
    """
    able = {
        name: _Errors.of(one) for name, one in models.items() if isinstance(one, NumericOutcomes)
    }
    found: dict[int, dict[str, float]] = {}
    for name, errors in able.items():
        squares = errors.squares if errors.rows.n >= FEWEST_ROWS else np.zeros(1)
        place = int(squares.argmax())
        others = float(np.delete(squares, place).sum())
        alone = not errors.counted or errors.times[place] == 1
        if alone and squares[place] > others:
            share = 1 / (1 + others / float(squares[place]))
            found.setdefault(int(errors.number[place]), {})[name] = share
    for row, shares in found.items():
        yield _about_row(able, row, shares)


def _about_row(models: Mapping[str, _Errors], row: int, of: Mapping[str, float]) -> Notice:
    values = {name: (errors.rmse(), errors.rmse(row)) for name, errors in models.items()}
    counts = any(models[name].counted for name in of)
    which = "One row" if counts else f"Row {row:,}"  # a cell of counts has no number
    parts = [
        f'{rounded_down(100 * share, 1):g}% of the squared error of "{shorten(name)}" '
        f"({models[name].of_row(row)}; RMSE {significant(values[name][0], 4)} with it, "
        f"{significant(values[name][1], 4)} without)"
        for name, share in of.items()
    ]
    said = f"{which} makes up {joined(parts)}. Check it: the mean absolute error rests less on it."
    before, after = (min(values, key=lambda name: values[name][::step]) for step in (1, -1))
    shared = len({errors.number.tobytes() for errors in models.values()}) == 1
    if shared and before != after:
        lead = f'"{shorten(before)}" with it, "{shorten(after)}" without it'
        said = f"{which} decides which model has the lowest RMSE: {lead}. {said}"
    return Notice("one-row", said, "warning", () if counts else (row,))
