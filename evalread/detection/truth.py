"""Which column holds the truth: the one that most speaks for, if the margin settles it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from evalcore.errors import EvalError
from evalcore.text import counted, listed
from evalread.columns import (
    as_labels,
    as_numbers,
    is_number as spells_number,
    labels_of,
    same_labels,
)
from evalread.dataset import NO_CHOICES, Choices, Confidence, Evidence, Reason, Table, Task
from evalread.detection.evidence import MARGIN, Facts, weigh
from evalread.detection.predictions import ambiguous, nothing_predicts, predictions_by_name
from evalread.detection.profile import (
    FEW_CLASSES,
    WORDS,
    Kind,
    PredictionColumn,
    Profile,
    once,
    plain,
    profiles,
    sample,
    speaks_of_prediction,
    truth_word,
)
from evalread.detection.scores import end_of

_MOST_TRIED = 6
"""Columns for which it is looked up what would predict them: those that most speaks for."""


@dataclass(frozen=True)
class Candidate:
    """A column that may be the truth, what most speaks for it, and all that speaks either way."""

    column: Profile
    reason: Reason
    evidence: tuple[Evidence, ...]

    @property
    def points(self) -> int:
        """The sum of what speaks for it and against it."""
        return sum(one.points for one in self.evidence)


def candidates(facts: Facts) -> list[Candidate]:
    """Return the columns that may be the truth, that which most speaks for first."""
    said = weigh(facts)
    # The rules stand in the order in which a reader would name them.
    alone = [
        Candidate(c, next(one.reason for one in said[c.name] if one.points > 0), said[c.name])
        for c in facts.candidates
        if c.name in said
    ]
    tried = sorted(alone, key=_order)[:_MOST_TRIED]
    return sorted((_with_predictions(facts, one) for one in tried), key=_order)


def _order(one: Candidate) -> int:
    return -one.points


def _with_predictions(facts: Facts, one: Candidate) -> Candidate:
    """Add what speaks for and against the predictions that a truth would have."""
    others = [column for column in facts.free if column.name != one.column.name]
    if facts.chosen or not others:
        return one
    numeric = is_number(one.column, others, NO_CHOICES)
    classes = () if numeric else sorted(one.column.labels)
    named = predictions_by_name(others, classes, numeric_truth=numeric)
    labels = [prediction for prediction in named if prediction.kind is Kind.LABEL]
    if labels and _in_other_words(one.column, labels, facts):
        points, says = -6, "the predicted labels are none of its own"
    elif named:
        points, says = 2, "columns are named like predictions of it"
    elif any(_may_predict(other, one.column) for other in others):
        return one
    else:
        points, says = -4, "nothing predicts it"
    evidence = Evidence(one.column.name, points, Reason(says, Confidence.LIKELY))
    return replace(one, evidence=(*one.evidence, evidence))


def _in_other_words(truth: Profile, predictions: Sequence[PredictionColumn], facts: Facts) -> bool:
    """Tell whether words are called the truth of which no prediction holds any."""
    own = {label.casefold() for label in truth.labels}
    columns = {column.name: column for column in facts.free}
    said = {label.casefold() for p in predictions for label in columns[p.column].labels}
    return not any(map(spells_number, own)) and bool(said) and not own & said


def _may_predict(column: Profile, truth: Profile) -> bool:
    """Tell whether a column may be a prediction of the truth, by its name or its values."""
    numbers = column.mostly_numeric and not (column.counting or column.constant)
    predicts = speaks_of_prediction(column.name) or column.holds_only(truth.labels)
    return numbers or column.lists or predicts


def find_truth(facts: Facts) -> tuple[str, Reason, tuple[Evidence, ...]]:
    """Return the truth among columns that have no other role, the reason, and all evidence.

    Raises:
        EvalError: "no-truth" where nothing looks like it, "ambiguous" where the margin between
            several columns is small, "no-predictions" where nothing predicts any of these.
    """
    found = candidates(facts)
    likely = [one for one in found if one.points > 0]
    if not likely:
        names = [column.name for column in facts.free]
        if any(one.column.labels for one in found) and not facts.spoken:
            raise EvalError("no-predictions", nothing_predicts(names))
        called = (c for c in facts.free if c.plain in WORDS.truth or truth_word(c.name))
        raise no_truth(names, [column.name for column in called if not column.present])
    best = likely[0]
    close = [one for one in likely[1:] if one.points > best.points - MARGIN]
    rivals = [one.column.name for one in close if not _says_the_same(facts.table, best, one)]
    if rivals:
        raise ambiguous("truth", "truth", [best.column.name, *rivals])
    evidence = tuple(said for one in found for said in one.evidence)
    return best.column.name, _with_confidence(best, facts), evidence


def _says_the_same(table: Table, one: Candidate, other: Candidate) -> bool:
    """Tell whether two columns hold the same label in each row."""
    if not one.column.labels or one.column.labels != other.column.labels:
        return False
    first, second = same_labels([labels_of(table, c.column.name) for c in (one, other)])
    return first.names == second.names and bool((first.codes == second.codes).all())


def _with_confidence(best: Candidate, facts: Facts) -> Reason:
    """Say what the values are, and be less sure where they do not fit a truth."""
    column, reason = best.column, best.reason
    text = f"{reason.text}; {counted(column.distinct, 'distinct value')}"
    # A score of 0 and 1 says nothing about a truth in words.
    words = {label for label in facts.predicted if not spells_number(label)}
    if words and not column.numeric:
        fits = len(column.labels & words) * 2 >= len(column.labels) > 0
    else:
        fits = (column.numeric and not column.counting) or 1 < column.distinct <= FEW_CLASSES
    return Reason(text, reason.confidence if fits else Confidence.GUESS)


def no_truth(names: Sequence[str], blank: Sequence[str] = ()) -> EvalError:
    """Return the error for a table without truth, naming its columns and those left blank."""
    called = f" {listed(blank)} is called so, but has no value in any row." if blank else ""
    return EvalError(
        "no-truth",
        f"No column looks like the truth.{called} The columns are: {listed(names)}. "
        "Choose the one that holds what really happened, or add a second file that holds it.",
    )


def is_number(truth: Profile, others: Sequence[Profile], choices: Choices) -> bool:
    """Tell whether the truth is a number to be predicted, rather than a class."""
    if choices.task:
        return choices.task is Task.REGRESSION
    if choices.predictions:
        return True
    if choices.labels or choices.scores or choices.probabilities or not truth.numeric:
        return False
    ends = {end.upper for c in others if c.numeric and (end := end_of(c.name))}
    if not truth.whole or len(ends) == 2:  # which only numbers have
        return True
    if truth.distinct == 2 or truth.holds_only({"0", "1"}):
        return False
    if _called_label(truth) and any(
        _called_label(column) and speaks_of_prediction(column.name) for column in others
    ):
        return False  # labels by name, however many numbers they are
    predictions = predictions_by_name(others, sorted(truth.labels), numeric_truth=False)
    if any(one.kind is Kind.PROBABILITY for one in predictions):
        return False
    beyond = truth.low < 0 or truth.high > 1
    shares = {p.column for p in predictions if p.kind is Kind.SCORE and p.unit and beyond}
    predicted = {one.column for one in predictions} - shares
    if shares and not predicted:
        return False  # a share of 1 is no prediction of numbers beyond it
    predicted = predicted or {column.name for column in others}
    numbers = [column for column in others if column.name in predicted and column.numeric]
    return bool(numbers) and not any(column.holds_only(truth.labels) for column in numbers)


def _called_label(column: Profile) -> bool:
    return column.whole and not (WORDS.label - {"decision"}).isdisjoint(column.words)


_MOST_COLUMNS = 40
"""Columns in which a pair is looked for: 40 make 1,560 pairs."""

_ROWS = 200
"""Rows that a pair is tried on: nothing is alike in so many by chance."""

_FEWEST_ROWS = 8
"""Rows from which agreement with what is called correct is no chance: 1 in 256 by a coin."""

_ROUNDING = 0.02
"""Share of the residuals' spread that rounding explains, as of numbers with two digits."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Proof:
    """A truth and its prediction, as a third column proves them."""

    truth: str
    prediction: str
    by: str

    @property
    def reason(self) -> Reason:
        """Why they are read so."""
        return Reason(f'the column "{self.by}" proves it', Confidence.SURE)


@once
def proven(table: Table) -> Proof | None:
    """Return the truth and the prediction that another column proves; None where none does.

    A residual is the truth minus its prediction, an error their distance, and what is called
    correct says where they are equal.
    """
    for by in profiles(table).values():
        found = _differ(table, by) if _is_residual(by) else _agree(table, by)
        pairs = {pair for one in found if (pair := _truth_first(one, by))}
        if len(pairs) == 1:
            return Proof(*pairs.pop(), by.name)
    return None


def _is_residual(column: Profile) -> bool:
    ends = {column.words[0], column.words[-1]}
    return column.continuous and bool(ends & (WORDS.residual | WORDS.difference))


def _absolute(residual: Profile) -> bool:
    return not WORDS.absolute.isdisjoint(residual.words)


def _differ(table: Table, residual: Profile) -> Iterator[Pair]:
    """Yield the pairs of numbers whose difference is the residual in every row."""
    numbers = (c for c in profiles(table).values() if c.numeric and not _is_residual(c))
    names = [column.name for column in numbers if not (column.constant or column.counting)]
    if len(names) > _MOST_COLUMNS:
        return
    gaps, *columns = (
        as_numbers(sample(table, name)[:_ROWS], name, table.source).values
        for name in (residual.name, *names)
    )
    of = np.abs if _absolute(residual) else np.asarray
    with np.errstate(invalid="ignore"):  # an infinite number proves nothing
        near = _ROUNDING * float(np.nanstd(gaps))
        for (one, first), (other, second) in permutations(zip(names, columns, strict=True), 2):
            if (np.abs(of(first - second) - gaps) <= near).all():
                yield one, other


def _agree(table: Table, correct: Profile) -> Iterator[Pair]:
    """Yield the pairs of labels that are equal just where a column called correct says so."""
    called = not WORDS.correct.isdisjoint({*correct.words, "".join(correct.words)})
    if not called or correct.distinct != 2 or table.n < _FEWEST_ROWS:
        return
    names = [c.name for c in profiles(table).values() if c.labels and c is not correct]
    if len(names) > _MOST_COLUMNS:
        return
    right, *columns = (as_labels(sample(table, n)[:_ROWS], n) for n in (correct.name, *names))
    said = np.isin(right.codes, [k for k, n in enumerate(right.names) if n.lower() in WORDS.right])
    if said.all() or not said.any():
        return
    for (one, first), (other, second) in combinations(zip(names, columns, strict=True), 2):
        # A missing cell equals nothing.
        alike = same_labels([first, second])
        cells = [np.array([*of.names, k], object)[of.codes] for k, of in enumerate(alike)]
        if ((cells[0] == cells[1]) == said).all():
            yield one, other


def _truth_first(pair: Pair, by: Profile) -> Pair | None:
    """Put the truth first, where names or the sign of a residual tell which of two it is."""
    called = [plain(name) in WORDS.truth or truth_word(name) for name in pair]
    for is_truth in ([not speaks_of_prediction(name) for name in pair], called):
        if is_truth[0] != is_truth[1]:
            return pair if is_truth[0] else pair[::-1]
    signed = not _absolute(by) and not WORDS.residual.isdisjoint(by.words)
    return pair if signed and _is_residual(by) else None
