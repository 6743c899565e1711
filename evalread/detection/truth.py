"""Which column holds the truth, and whether it is a number or a class."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from evalcore.errors import EvalError
from evalcore.outcomes import Floats
from evalcore.text import counted, listed
from evalread.columns import as_numbers, is_number as spells_number
from evalread.dataset import NO_CHOICES, Choices, Confidence, Reason, Table, Task
from evalread.detection.predictions import ambiguous, predictions_by_name, target_words
from evalread.detection.profile import (
    FAINT_TRUTH,
    FEW_CLASSES,
    PREDICTION,
    SCORE,
    TRUTH,
    Kind,
    Profile,
    model_name,
    pieces,
    plain,
    sample,
    speaks_of_prediction,
)
from evalread.detection.scores import end_of, surrounds
from evalread.signatures import PREDICTIONS


def _surrounded(others: Sequence[Profile]) -> bool:
    """Tell whether columns are the two ends of an interval, which only numbers have."""
    ends = [end_of(column.name) for column in others if column.numeric]
    return {end.upper for end in ends if end is not None} == {False, True}


def is_number(truth: Profile, others: Sequence[Profile], choices: Choices) -> bool:
    """Tell whether the truth is a number to be predicted, rather than a class."""
    if choices.task:
        return choices.task is Task.REGRESSION
    if choices.predictions:
        return True
    if choices.labels or choices.scores or choices.probabilities or not truth.numeric:
        return False
    if not truth.whole or _surrounded(others):
        return True
    if truth.distinct == 2 or truth.holds_only({"0", "1"}):
        return False
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


_RESIDUAL = frozenset({"resid", "residual", "residuals", "res", "r"})
_DIFFERENCE = frozenset({"error", "err", "errors", "diff", "difference", "abweichung"})
PROVEN = Reason("the column of residuals proves it", Confidence.SURE)

_MOST_COLUMNS = 40
"""Columns of numbers that a residual is looked for in: 40 make 1,560 pairs."""

_ROWS = 200
"""Rows that a pair is tried on: nothing is alike in so many by chance."""

_ROUNDING = 0.02
"""Share of the residuals' spread that rounding explains, as of numbers with two digits."""


def proven(table: Table, columns: Mapping[str, Profile], known: Choices) -> Choices:
    """Return the roles that a column of residuals proves: truth - prediction = residual.

    The column of predictions is told only where no name speaks of one.
    """
    if known.truth or known.task or not any(map(_is_residual, columns.values())):
        return NO_CHOICES
    numbers = [c for c in columns.values() if c.numeric and not (c.constant or c.counting)]
    residuals = [c for c in numbers if _is_residual(c)]
    others = [c for c in numbers if c not in residuals]
    for residual in residuals if len(others) <= _MOST_COLUMNS else ():
        if pair := _pair(table, residual.name, [column.name for column in others]):
            return _roles(pair, columns, known)
    return NO_CHOICES


def _is_residual(column: Profile) -> bool:
    words = [word.lower() for word in pieces(column.name)]
    return column.continuous and bool({words[0], words[-1]} & (_RESIDUAL | _DIFFERENCE))


@np.errstate(invalid="ignore")  # an infinite number proves nothing
def _pair(table: Table, residual: str, names: Sequence[str]) -> tuple[str, str] | None:
    """Return the only truth and prediction whose difference is the residual, in every row."""
    gaps = _head(table, residual)
    values = {name: _head(table, name) for name in names}
    near = _ROUNDING * float(np.nanstd(gaps))
    pairs = [
        (one, other)
        for one, other in permutations(names, 2)
        if bool((np.abs(values[one] - values[other] - gaps) <= near).all())
    ]
    found = [pair for pair_of_names in pairs if (pair := _truth_first(pair_of_names, residual))]
    return found[0] if len(found) == 1 else None


def _head(table: Table, name: str) -> Floats:
    return as_numbers(sample(table, name)[:_ROWS], name, table.source).values


def _truth_first(pair: tuple[str, str], residual: str) -> tuple[str, str] | None:
    """Put the truth first: by the names, else by what a residual is; an error has either sign."""
    first, second = map(speaks_of_prediction, pair)
    if first != second:
        return pair if second else pair[::-1]
    words = {word.lower() for word in pieces(residual)}
    return pair if not first and words & _RESIDUAL else None


def _roles(pair: tuple[str, str], columns: Mapping[str, Profile], known: Choices) -> Choices:
    truth, prediction = pair
    chosen = any(getattr(known, role) for role in PREDICTIONS)
    if chosen or any(speaks_of_prediction(name) for name in columns):
        return Choices(truth=truth)
    if columns[truth].holds_only({"0", "1"}):
        return Choices(truth=truth, scores={"": prediction})
    return Choices(truth=truth, predictions={"": prediction})


_TRUTH_WORDS = frozenset({"true", "truth", "actual", "target", "gold", "observed", "obs", "soll"})
_MOST_NAMES = 100_000
"""Comparisons of names with labels; a table too wide for them is not searched so."""

Candidate = tuple[Profile, Reason]
"""A column and why it has its role."""


def find_truth(
    columns: Sequence[Profile], predicted: Collection[str] = (), labels: Collection[str] = ()
) -> tuple[str, Reason]:
    """Return the truth among columns that have no other role, and the reason.

    Args:
        columns: All columns that may be truth or predictions.
        predicted: Those that are known to be predictions.
        labels: The classes that predictions are known to be about.

    Raises:
        EvalError: "no-truth" where nothing looks like it, "ambiguous" where several columns do,
            "no-predictions" where no column may be a prediction of any of these.
    """
    candidates = [
        column for column in columns if _may_be_truth(column) and column.name not in predicted
    ]
    known = set(labels) or _predicted_labels(columns)
    labels_are_few = 0 < len(set(labels) or _predicted_labels(columns, PREDICTION)) <= 2
    sharing = [
        c for c in candidates if _shares_labels(c, known) and not speaks_of_prediction(c.name)
    ]
    rules: tuple[Callable[[Sequence[Profile], Sequence[Profile]], Candidate | None], ...] = (
        _by_name,
        _by_faint_name,
        _by_word,
        _by_its_prediction,
        _by_class_columns,
        _by_few_values,
        _by_only_number,
    )
    for rule in rules:
        if labels_are_few and not sharing and rule in (_by_few_values, _by_only_number):
            continue  # what holds none of two predicted labels is a feature, not their truth
        found = rule(candidates if rule is _by_name else sharing or candidates, columns)
        if found:
            column, reason = found
            return column.name, _with_confidence(column, reason, known)
    blank = [column.name for column in columns if not column.present and _called_truth(column)]
    raise no_truth([column.name for column in columns], blank)


def _with_confidence(column: Profile, reason: Reason, labels: Collection[str]) -> Reason:
    """Say what the values are, and be less sure where they do not fit a truth."""
    counted_reason = replace(
        reason, text=f"{reason.text}; {counted(column.distinct, 'distinct value')}"
    )
    # A score of 0 and 1 says nothing about a truth in words.
    words = {label for label in labels if not spells_number(label)}
    if words and not column.numeric:
        fits = _shares_labels(column, words)
    else:
        fits = (column.numeric and not column.counting) or 1 < column.distinct <= FEW_CLASSES
    return counted_reason if fits else replace(counted_reason, confidence=Confidence.GUESS)


def _called_truth(column: Profile) -> bool:
    return plain(column.name) in TRUTH or _truth_word(column.name)


def no_truth(names: Sequence[str], blank: Sequence[str] = ()) -> EvalError:
    """Return the error for a table without truth, naming its columns and those left blank."""
    called = f" {listed(blank)} is called so, but has no value in any row." if blank else ""
    return EvalError(
        "no-truth",
        f"No column looks like the truth.{called} The columns are: {listed(names)}. "
        "Choose the one that holds what really happened, or add a second file that holds it.",
    )


def _may_be_truth(column: Profile) -> bool:
    text_without_repeats = column.unique and not column.mostly_numeric
    return not (column.moment or column.lists or text_without_repeats) and column.present > 0


def _predicted_labels(
    columns: Sequence[Profile], words: frozenset[str] = PREDICTION | SCORE
) -> set[str]:
    """Return the labels in columns that speak of predictions, in one of these words."""
    spoken = (c for c in columns if speaks_of_prediction(c.name) and not c.continuous)
    named = (c for c in spoken if set(plain(c.name).split("_")) & words)
    return {label for column in named for label in column.labels}


def _shares_labels(column: Profile, labels: Collection[str]) -> bool:
    """Tell whether at least half of a column's labels are among those that are predicted."""
    shared = len(column.labels & set(labels))
    return shared > 0 and shared * 2 >= len(column.labels)


def _by_name(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    return _by_faint_name([c for c in fit if plain(c.name) not in FAINT_TRUTH], columns)


def _by_faint_name(fit: Sequence[Profile], _: Sequence[Profile]) -> Candidate | None:
    named = [column for column in fit if plain(column.name) in TRUTH]
    if not named:
        return None
    best = min(named, key=lambda column: TRUTH.index(plain(column.name)))
    faint = plain(best.name) in FAINT_TRUTH
    return best, Reason("named like the truth", Confidence.LIKELY if faint else Confidence.SURE)


def _by_word(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    """Find "actual_sales"; of several, the one that "predicted_sales" is about."""
    found = [column for column in fit if _truth_word(column.name)]
    if len(found) > 1:
        targets = {
            target_words(model_name(c.name)) for c in columns if speaks_of_prediction(c.name)
        }
        found = [column for column in found if target_words(column.name) in targets - {()}] or found
    return _single(found, Reason("named like the truth", Confidence.LIKELY))


def _truth_word(name: str) -> bool:
    words = [word.lower() for word in pieces(name)]
    ends = bool({words[0], words[-1]} & _TRUTH_WORDS)
    return ends and not set(words) & (PREDICTION | SCORE)


def _by_its_prediction(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    """Find "income" beside "predicted_income"; with several such pairs, ask."""
    spoken = [column for column in columns if speaks_of_prediction(column.name)]
    named = [(name, c.name) for c in spoken for name in _predicted_names(c.name)]
    predicted = {name: column for name, column in named if name != plain(column)}
    found = [column for column in fit if plain(column.name) in predicted]
    pairs = {column.name: predicted[plain(column.name)] for column in found}
    if len(pairs) > 1:
        raise ambiguous("truth", "truth", list(pairs))
    reasons = [
        Reason(f'"{pairs[column.name]}" is its prediction', Confidence.LIKELY) for column in found
    ]
    return (found[0], reasons[0]) if found else None


def _predicted_names(column: str) -> set[str]:
    """Return what a prediction may be of: "predicted_rating" of "rating", a score itself."""
    words = [word.lower() for word in pieces(column)]
    rest = [word for word in words if word not in PREDICTION]
    named = {plain(model_name(column))} - PREDICTION - SCORE
    return named | ({"_".join(rest)} if len(rest) < len(words) else set()) - {""}


def _by_class_columns(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    """Find the column whose values are the names of other columns."""
    spoken = {column.name for column in columns if speaks_of_prediction(column.name)}
    with_labels = [column for column in fit if column.name not in spoken and len(column.labels) > 1]
    # Many columns have the same labels: in a wide table each is looked up once for all of them.
    sets = dict.fromkeys(column.labels for column in with_labels)
    if len(sets) * len(columns) > _MOST_NAMES:
        return None
    named = {labels: _named_after(labels, columns) for labels in sets}
    found = [c for c in with_labels if len({of for of, by in named[c.labels] if by != c.name}) > 1]
    reason = Reason("its values are the names of other columns", Confidence.LIKELY)
    return _single(found, reason)


def _named_after(labels: Collection[str], columns: Sequence[Profile]) -> list[tuple[str, str]]:
    """Return the classes that columns are named after, each with the column."""
    predictions = predictions_by_name(columns, sorted(labels), numeric_truth=False)
    return [(one.of, one.column) for one in predictions if one.of is not None]


def _by_few_values(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    few = [
        column
        for column in fit
        if column.labels and 1 < column.distinct <= FEW_CLASSES
        if not (column.continuous or column.counting or speaks_of_prediction(column.name))
    ]
    if len(few) > 1 and not any(_may_predict(other, to) for to in few for other in columns):
        raise _no_predictions([column.name for column in columns])
    return _single(few, Reason("the one column of labels", Confidence.GUESS))


def _may_predict(column: Profile, truth: Profile) -> bool:
    """Tell whether a column may be a prediction of the truth, by its name or its values."""
    if column.name == truth.name:
        return False
    numbers = column.mostly_numeric and not (column.counting or column.constant)
    predicts = speaks_of_prediction(column.name) or column.holds_only(truth.labels)
    return numbers or column.lists or predicts


def _no_predictions(names: Sequence[str]) -> EvalError:
    return EvalError(
        "no-predictions",
        f"Nothing here looks like predictions. The columns are: {listed(names)}. Needed are one "
        "column with what was true and, for each model, one with its scores or predicted labels. "
        "If they are in two files, open both together.",
    )


def _by_only_number(fit: Sequence[Profile], columns: Sequence[Profile]) -> Candidate | None:
    """Take the one column of numbers beside predictions; which of several is a question."""
    numbers = [c for c in columns if c.numeric and not (c.counting or c.constant)]
    predicted = {c.name for c in numbers if speaks_of_prediction(c.name)}
    stems = {end.stem for c in numbers if (end := end_of(c.name))}
    no_ends = [c for c in numbers if not surrounds(c.name) and c.name not in stems]
    others = [c for c in no_ends if c in fit and c.name not in predicted]
    if len(others) == 1 < len(numbers):
        reason = "the one column of numbers that is no prediction"
        return others[0], Reason(reason, Confidence.GUESS)
    if (predicted or len(no_ends) < len(numbers)) and len(others) > 1:
        raise ambiguous("truth", "truth", [column.name for column in others])
    return None


def _single(found: Sequence[Profile], reason: Reason) -> Candidate | None:
    if len(found) > 1:
        raise ambiguous("truth", "truth", [column.name for column in found])
    return (found[0], reason) if found else None
