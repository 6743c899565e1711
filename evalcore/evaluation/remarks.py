"""What the reader must know about the numbers of a model, as notices."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from evalcore import outcomes as data
from evalcore.errors import ROWS_LISTED, Notice, Offer
from evalcore.evaluation.condense import chances_of_truth, decide, some_rows
from evalcore.metrics.catalog import by_key
from evalcore.metrics.metric import DEGENERATE, Estimate
from evalcore.options import Options
from evalcore.outcomes import Floats, NumericOutcomes, Outcomes, Rows, data_rows
from evalcore.results import ModelEvaluation, ModelTables
from evalcore.tables.classes import log_losses
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
    yield from _commonest(name, evaluation, of)
    yield from _degenerate(name, evaluation, of)


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


def _commonest(name: str, evaluation: ModelEvaluation, of: str) -> Iterator[Notice]:
    """Say where decisions are not shown to be right more often than one class for all rows."""
    for way, made in evaluation.decisions.items():
        right, cells, rows = made.metrics["accuracy"], made.confusion.counts, made.confusion.total
        place, most = int(cells.sum(axis=1).argmax()), cells.sum(axis=1).max() / max(rows, 1)
        if of in ("", way) and right.low is not None and right.low <= most:
            said = f"{right.value:.1%} ({right.low:.1%} to {right.high:.1%})"
            yield Notice(
                "commonest-class",
                f'"{name}" names "{made.confusion.classes[place]}" for '
                f"{count(cells[:, place].sum())} of {count(rows)} rows and is right on {said}. "
                f"Naming it for all rows is right on {most:.1%}, so accuracy does not favour it.",
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


def side_by_side(models: Mapping[str, Outcomes]) -> Iterator[Notice]:
    """Return what must be known of the models of a file side by side."""
    yield from _never_true(models)
    yield from few_rows(models)


def _never_true(models: Mapping[str, Outcomes]) -> Iterator[Notice]:
    """Say which labels only models give, which and how often, and what averages are then over."""
    known = {name: one for name, one in models.items() if isinstance(one, data.ClassOutcomes)}
    classes, said, true = next((one.classes for one in known.values()), ()), {}, np.zeros(1)
    for name, one in known.items():
        decided = decide(one, "argmax" if one.label is None else "labels")
        said[name] = np.bincount(decided, one.weight, len(classes))
        true = true + np.bincount(one.truth, one.weight, len(classes))
    told = []
    for code in np.flatnonzero((true == 0) & np.not_equal(classes, NO_PREDICTION)) if said else ():
        times = {name: rows[code] for name, rows in said.items()}
        by = [f'by "{shorten(name)}" in {counted(n, "row")}' for name, n in times.items() if n]
        told += [f'"{shorten(classes[code])}" (said {joined(by)})'] if by else []
    if told:
        yield Notice(
            "never-true",
            f"The truth never says {joined(told)}: such rows are errors, and averages are over "
            f"the {counted(int((true > 0).sum()), 'class')} of the truth.",
            "warning",
        )


FEWEST_ROWS = (20, 50, 100)
"""Of fewer rows, one easily makes up more than half of a sum, or two, or three. Of 20 normal errors
one is more than half of the sum of squares in 0.7% of files, of 30 in 0.04%; two of 50 and three of
100 in none of 20,000. Source: Cochran (1941), Annals of Eugenics 11, for one."""

SURPRISING = 0.01
"""A probability of the truth of less than this over n rows: of a calibrated model, a file of n rows
has one that low with at most this chance."""


class _Sum(NamedTuple):
    """A loss that is summed over rows, and the number made of its mean; up to `most` are named."""

    loss: str
    name: str
    of_mean: Callable[[float], float]
    steadier: str
    most: int


_SQUARES = _Sum("squared error", "RMSE", sqrt, "mean absolute error", len(FEWEST_ROWS))
_LOGARITHMS = _Sum("log loss", "log loss", float, "Brier score", 1)


class _Losses(NamedTuple):
    """Losses of the rows of a model, as often as these count, how often that is, and data rows.

    Each (n,); it may be one of the rows that are named where `may`.
    """

    rows: Outcomes
    kind: _Sum
    losses: Floats
    times: Floats
    may: NDArray[np.bool_]
    number: Rows

    @classmethod
    def of(cls, rows: Outcomes) -> Self | None:
        """Return the losses of predicted numbers or of probabilities; None of any other model."""
        count = np.ones(rows.n) if rows.weight is None else rows.weight
        may, n = (count == 1, count.sum()) if rows.counted else (count > 0, rows.n)
        if isinstance(rows, NumericOutcomes):
            with np.errstate(over="ignore"):  # squares of numbers beyond 1e154
                losses, kind = np.square(rows.prediction - rows.truth), _SQUARES
        elif data.gives_probabilities(rows):
            chance, kind = np.nan_to_num(chances_of_truth(rows)), _LOGARITHMS
            given = getattr(rows, "probabilities", None)
            losses = log_losses(np.ones((rows.n, 1)) if given is None else given, chance)
            losses, may = np.where(count > 0, losses, 0.0), may & (chance * n < SURPRISING)
        else:
            return None
        return cls(rows, kind, losses * count, count, may, data_rows(rows, np.arange(rows.n)))

    def heaviest(self) -> tuple[tuple[int, ...], float]:
        """Return the fewest data rows that outweigh all others, and their share; else none."""
        fit = [k for k, n in enumerate(FEWEST_ROWS[: self.kind.most], 1) if self.rows.n >= n]
        order = np.argpartition(-self.losses, fit)[: len(fit)] if fit else ()
        for k in fit:
            places = order[:k]
            theirs, others = self.losses[places].sum(), np.delete(self.losses, places).sum()
            if theirs > others and self.may[places].all():
                share = float(1 / (1 + others / theirs))
                return tuple(np.sort(self.number[places]).tolist()), share
        return (), 0.0

    def without(self, numbers: Sequence[int] = ()) -> float:
        """Return the number made of the mean loss of all data rows but some."""
        kept = ~np.isin(self.number, numbers)
        mean = float(self.losses[kept].sum()) / float(self.times[kept].sum())
        return self.kind.of_mean(mean)

    def of_row(self, number: int) -> str:
        place = np.flatnonzero(self.number == number)[:1]
        if isinstance(self.rows, NumericOutcomes):
            truth, prediction = self.rows.truth[place].item(), self.rows.prediction[place].item()
            return f"true {truth:,.6g}, predicted {prediction:,.6g}"
        chance = np.nan_to_num(chances_of_truth(some_rows(self.rows, place))).item()
        return f"the true class has a probability of {chance:.3g}"


def few_rows(models: Mapping[str, Outcomes]) -> Iterator[Notice]:
    """Say which one, two or three rows make up more than half of the losses of models.

    It is as true of heavy tails as of typing errors that such a number is that of a few rows. Said
    is also whether another model leads without them; what is so decided comes first.
    """
    able = {name: losses for name, one in models.items() if (losses := _Losses.of(one))}
    found: dict[tuple[int, ...], dict[str, float]] = {}
    for name, losses in able.items():
        numbers, share = losses.heaviest()
        if numbers:
            found.setdefault(numbers, {})[name] = share
    told = [_about_rows(able, numbers, shares) for numbers, shares in found.items()]
    yield from sorted(told, key=lambda one: "which model has the lowest" not in one.message)


def _about_rows(
    models: Mapping[str, _Losses], numbers: tuple[int, ...], of: Mapping[str, float]
) -> Notice:
    values = {name: (one.without(), one.without(numbers)) for name, one in models.items()}
    kind, rows = models[next(iter(of))].kind, [models[name].rows for name in of]
    counts = any(one.weight is not None and one.counted for one in rows)
    some, s, them = ("Rows", "", "them") if numbers[1:] else ("Row", "s", "it")
    which = f"{some} {joined([f'{row:,}' for row in numbers])}"
    if counts:  # a cell of counts has no number
        which = ("One row", "Two rows", "Three rows")[len(numbers) - 1]
    parts = [
        f'{rounded_down(100 * share, 1):g}% of the {kind.loss} of "{shorten(name)}" '
        f"({'; '.join(map(models[name].of_row, numbers))}; {kind.name} "
        f"{significant(values[name][0], 4)} with {them}, {significant(values[name][1], 4)} without)"
        for name, share in of.items()
    ]
    said = f"{which} make{s} up {joined(parts)}. Check {them}: the {kind.steadier} rests less on "
    said += f"{them}."
    before, after = (min(values, key=lambda name: values[name][::step]) for step in (1, -1))
    shared = len({one.number.tobytes() for one in models.values()}) == 1
    if shared and before != after:
        lead = f'"{shorten(before)}" with {them}, "{shorten(after)}" without {them}'
        said = f"{which} decide{s} which model has the lowest {kind.name}: {lead}. {said}"
    code = "few-rows" if numbers[1:] else "one-row"
    return Notice(code, said, "warning", () if counts else numbers)
