"""Checks at the door: what people pass as truth, score or label becomes checked outcomes.

Lists, numpy arrays (masked ones too), pandas Series and Categoricals, and the columns of polars and
pyarrow are taken and paired by position, as in scikit-learn; two that hold the same index in
another order are refused. What cannot be used is an `EvalError` that says which argument, which
rows and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evalcore import outcomes as data
from evalcore.errors import EvalError, Offer
from evalcore.outcomes import Codes, Floats, check_weight, within_unit
from evalcore.text import counted, listed, shorten

Made = TypeVar("Made")

ORDER = "The truth comes first, then what the model says"
"""The reminder wherever arguments may have changed places."""

POSITIVE = (
    "1", "true", "yes", "y", "positive", "pos", "fraud", "fraudulent", "spam", "malignant",
    "churn", "churned", "default", "sick", "disease", "diseased", "ill", "case", "event",
    "defect", "defective", "failure", "fail", "anomaly", "abnormal", "outlier", "attack", "toxic",
    "hit", "bad", "ja", "si", "sí", "oui", "t", "p", "+", "+1",
)  # fmt: skip
"""Labels that mean "this is what one looks for", the plainest first."""

NEGATIVE = (
    "0", "-1", "false", "no", "n", "negative", "neg", "legit", "legitimate", "genuine", "ham",
    "benign", "normal", "healthy", "control", "none", "good", "nein", "non", "f", "-", "ok",
    "retained", "stayed",
)  # fmt: skip
"""Labels that mean the ordinary case."""

_OTHER = {"0": "1", "false": "true", "no": "yes", "negative": "positive"}
_OTHER |= {positive: negative for negative, positive in _OTHER.items()}


def usual_positive(classes: Sequence[str]) -> tuple[str, str] | None:
    """Return which of two classes is plainly the positive one, and why; None if neither is.

    >>> usual_positive(["no", "yes"]), usual_positive(["cat", "dog"])
    (('yes', '"yes" usually names the positive class'), None)
    """
    for word in POSITIVE:
        meant = [name for name in classes if name.casefold() == word]
        if len(meant) == 1:
            why = f'"{meant[0]}" usually names the positive class'
            return meant[0], "1 stands for yes" if word == "1" else why
    for name, other in (tuple(classes), tuple(reversed(classes))):
        if name.casefold() in NEGATIVE and other.casefold() not in NEGATIVE:
            return other, f'"{name}" is the ordinary case'
    return None


def other_class(only: str, positive: str | None) -> str:
    """Return the class that a truth with one class does not hold.

    >>> other_class("1", None), other_class("cat", None), other_class("cat", "dog")
    ('0', 'not cat', 'dog')
    """
    if positive is not None and positive != only:
        return positive
    return _OTHER.get(only, f"not {only}")


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of labels.

    Attributes:
        names: The distinct labels as text, in the order of their values.
        codes: (n,) places among the names.
        levels: All labels that a Categorical declares, used or not; empty for any other column.
        boolean: Whether all are True or False.
        fraction: A number among them that is not whole, since labels seldom are; None if all are.
    """

    names: tuple[str, ...]
    codes: Codes
    levels: tuple[str, ...] = ()
    boolean: bool = False
    fraction: float | None = None

    def within(self, classes: Sequence[str]) -> Codes:
        """Return (n,) codes of the rows among the classes."""
        moves = np.array([classes.index(name) for name in self.names], dtype=np.int32)
        return moves[self.codes] if len(moves) else np.zeros(0, np.int32)


def labels(values: Any, name: str) -> Labels:
    """Return a column as labels: text, booleans or finite numbers."""
    array = _column(values, name)
    if array.dtype.kind in "biuf":
        distinct, inverse = np.unique(array, return_inverse=True)
        cells = distinct.tolist()
    else:
        cells, inverse = array.tolist(), np.arange(len(array))
    strange = next((cell for cell in cells if not isinstance(cell, str | Real)), None)
    if strange is not None or array.dtype.kind in "mM":  # tolist makes integers of some dates
        dated = array.dtype.kind in "mM" or isinstance(strange, date | timedelta)
        kind = "dates" if dated else f"values of type {type(strange).__name__}"
        raise EvalError("not-labels", f"{_first(name)} holds {kind}, which are no labels.")
    texts = [label_text(cell) for cell in cells]
    names = _in_order(texts)
    places = {label: place for place, label in enumerate(names)}
    return Labels(
        names,
        np.array([places[label] for label in texts], np.int64)[inverse],
        () if array.dtype.kind in "biuf" else _levels(values),
        bool(cells) and all(isinstance(cell, bool) for cell in cells),
        next((float(c) for c in cells if isinstance(c, Real) and float(c) % 1), None),
    )


def numbers(values: Any, name: str) -> Floats:
    """Return a column as finite numbers; booleans and text are refused."""
    array = _column(values, name)
    held = None
    if array.dtype.kind == "O":
        held = next((repr(cell) for cell in array if _is_no_number(cell)), None)
        array = array if held else _complete(array.astype(np.float64), name)
    elif array.dtype.kind == "b":
        held = "True and False, which are decisions"
    elif array.dtype.kind not in "iuf":
        held = repr(array[0].item() if len(array) else "")
    if held:
        message = f"{_first(name)} must be numbers; it holds {shorten(held)}. {ORDER}."
        raise EvalError("not-numeric", message)
    return array.astype(np.float64, copy=False)


def refuse_other_order(truth: Any, others: Iterable[Any]) -> None:
    """Refuse pandas columns whose index holds the truth's labels in another order.

    Rows are paired by position, and such columns were most likely sorted apart.
    """
    own = _index(truth)
    for index in map(_index, others) if own is not None else ():
        if index is None or len(index) != len(own) or index.equals(own):
            continue
        if own.is_unique and index.is_unique and own.isin(index).all():
            raise EvalError(
                "other-order",
                "Two columns hold the same index in another order than each other, and rows are "
                "paired by position. To pair them by their index, pass `column.loc[truth.index]`; "
                "to pair them as they stand, `column.reset_index(drop=True)` of both.",
            )


def _index(values: Any) -> Any:
    """Return the index of a pandas column or frame; None of anything else."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "is_unique") else None


def weights(values: Any, rows: int) -> Floats | None:
    """Return weights of 0 or more, one for each row; None where every row counts once."""
    if values is None:
        return None
    counts = numbers(values, "weights")
    _same_length(rows, counts, "weights")
    check_weight(counts)
    if not counts.any():
        raise EvalError("bad-weight", "Every weight is 0, so that no row counts.")
    return counts


def are_counts(weight: Floats) -> bool:
    """Whether weights are whole, and so are taken for numbers of rows that each stands for."""
    return bool((weight == np.floor(weight)).all())


def scored(
    truth: Any,
    scores: Sequence[Any],
    positive: Any = None,
    weight: Any = None,
    *,
    probability: bool = False,
) -> list[data.BinaryOutcomes]:
    """Return the outcomes of models that score a question of two classes.

    Raises:
        EvalError: A column cannot be used, there are not two classes, or it is not plain which of
            them is positive; a score that is no probability where one is due.
    """
    refuse_other_order(truth, [*scores, weight])
    target = labels(truth, "truth")
    read = [_score(values, target) for values in scores]
    classes = two_classes([target], positive)
    codes = target.within(classes).astype(np.int8)
    counts = weights(weight, len(codes))
    for values in read:
        _same_length(len(codes), values, "the score")
        if probability:
            _refuse_rows(
                (values < 0) | (values > 1),
                "not-probability",
                "A probability of the positive class must lie in [0, 1]; these scores go from "
                f"{values.min():g} to {values.max():g}.",
            )
    return [
        _outcomes(
            data.BinaryOutcomes, counts, classes=classes, truth=codes, score=values,
            probability=within_unit(values),
        )
        for values in read
    ]  # fmt: skip


def labelled(
    truth: Any,
    predictions: Sequence[Any],
    positive: Any = None,
    weight: Any = None,
    *,
    two: bool = False,
) -> list[data.BinaryOutcomes | data.ClassOutcomes]:
    """Return the outcomes of models that name classes, over all classes that any column holds.

    `two` refuses more classes than two, and two of which neither is plainly the positive one.

    Raises:
        EvalError: A column cannot be used as labels, or has none in common with the truth.
    """
    refuse_other_order(truth, [*predictions, weight])
    columns = [
        labels(truth, "truth"),
        *(labels(values, "the prediction") for values in predictions),
    ]
    for column in columns[1:]:
        _same_length(len(columns[0].codes), column.codes, "the prediction")
        _refuse_scores(columns[0], column)
    columns = _one_spelling(columns, positive)
    for column in columns[1:]:
        _refuse_strangers(columns[0], column)
    counts = weights(weight, len(columns[0].codes))
    names = _union(columns)
    kind: Callable[..., data.BinaryOutcomes | data.ClassOutcomes] = data.ClassOutcomes
    if two or len(names) <= 2:
        names, kind = two_classes(columns, positive, needed=two), data.BinaryOutcomes
    size = np.int8 if kind is data.BinaryOutcomes else np.int32
    true, *codes = (column.within(names).astype(size) for column in columns)
    return [_outcomes(kind, counts, classes=names, truth=true, label=label) for label in codes]


def class_scored(truth: Any, probabilities: Any, weight: Any = None) -> data.ClassOutcomes:
    """Return the outcomes of a model that gives each of K classes a probability.

    The columns of an array are in the order of the sorted classes of the truth, as those of
    scikit-learn; a data frame names the class of each column.

    Raises:
        EvalError: A column cannot be used, or there is not one column per class.
    """
    refuse_other_order(truth, [probabilities, weight])
    target = labels(truth, "truth")
    table, names = _table(probabilities, "the probabilities")
    classes = _classes_of_columns(target, table.shape[1], names)
    _same_length(len(target.codes), table, "the probabilities")
    outside = ((table < 0) | (table > 1)).any(axis=1)
    _refuse_rows(outside, "not-probability", "A probability must lie in [0, 1].")
    counts = weights(weight, len(target.codes))
    codes = target.within(classes)
    return _outcomes(data.ClassOutcomes, counts, classes=classes, truth=codes, probabilities=table)


def predicted(
    truth: Any, predictions: Sequence[Any], weight: Any = None
) -> list[data.NumericOutcomes]:
    """Return the outcomes of models that predict numbers."""
    refuse_other_order(truth, [*predictions, weight])
    target = numbers(truth, "truth")
    read = [numbers(values, "the prediction") for values in predictions]
    for values in read:
        _same_length(len(target), values, "the prediction")
    counts = weights(weight, len(target))
    return [_outcomes(data.NumericOutcomes, counts, truth=target, prediction=one) for one in read]


def clustered(features: Any, cluster: Any, noise: Any = None) -> data.Points:
    """Return points with the cluster of each; `noise` is the label of those in no cluster."""
    refuse_other_order(features, [cluster])
    table, _ = _table(features, "the features")
    _same_length(len(table), (clustering := without_noise(cluster, noise)).cluster, "the clusters")
    return data.Points(names=clustering.names, cluster=clustering.cluster, features=table)


def without_noise(cluster: Any, noise: Any = None) -> data.Clustering:
    """Return the cluster of each point, -1 for those labelled as noise."""
    found = labels(cluster, "the clusters")
    names = tuple(name for name in found.names if noise is None or name != label_text(noise))
    moves = np.array([names.index(n) if n in names else -1 for n in found.names], dtype=np.int64)
    return data.Clustering(names=names, cluster=moves[found.codes])


def _outcomes(kind: Callable[..., Made], weight: Floats | None, **known: Any) -> Made:
    """Return outcomes of a kind without the rows of weight 0, which count as no row."""
    if weight is not None and not weight.all():
        used = np.flatnonzero(weight)
        weight = weight[used]
        known = {n: v[used] if isinstance(v, np.ndarray) else v for n, v in known.items()}
    return kind(weight=weight, **known)


def two_classes(
    columns: Sequence[Labels], positive: Any = None, *, needed: bool = True
) -> tuple[str, str]:
    """Return the negative and the positive class of columns that hold two, or one of them.

    Unless it is `needed`, the second in order stands for the positive class where neither is.

    Raises:
        EvalError: "not-binary", "no-such-class", or "which-positive".
    """
    names, fraction = _union(columns), columns[0].fraction
    if len(names) > 2 or fraction is not None:
        more = f" such as {fraction:g}" if fraction is not None else f" ({listed(names, 4)})"
        raise EvalError(
            "not-binary",
            f"The truth must hold two classes; there are {len(names)} values{more}. {ORDER}. To "
            'hold one class against the rest, pass `truth == "..."`.',
        )
    asked = None if positive is None else _meant(positive, names)
    names = _both(names, columns[0].levels, asked)
    # R codes the positive class 2, a form that asks "1 yes, 2 no" codes it 1: nobody can know.
    usual = None if {*names} == {"1", "2"} else usual_positive(names)
    if asked is None and usual is None and needed:
        raise EvalError(
            "which-positive",
            f"Which of {listed(names)} is the positive class? Say it: "
            f'positive="{shorten(names[1])}".',
            offers=[Offer(shorten(name), "positive", name) for name in names],
        )
    if asked is None:
        asked = usual[0] if usual else names[1]
    return names[0] if names[1] == asked else names[1], asked


def _both(names: tuple[str, ...], levels: tuple[str, ...], asked: str | None) -> tuple[str, ...]:
    """Return the two classes where a truth may hold only one of them."""
    if not names:
        raise EvalError("no-rows", "There is no row.")
    if asked is not None and asked not in names:
        if len(names) == 2:
            known = " and ".join(f'"{name}"' for name in names)
            raise EvalError("no-such-class", f'There is no class "{asked}"; there are {known}.')
        return (*names, asked)
    if len(names) == 2:
        return names
    if len(levels) == 2 and names[0] in levels:
        return levels
    return tuple(sorted((names[0], other_class(names[0], asked))))


def _meant(positive: Any, names: Sequence[str]) -> str:
    """Return the class that is meant; True stands for 1 where the classes are 0 and 1."""
    name = label_text(positive)
    bits = {"true": "1", "false": "0"}
    return bits[name] if name in bits and set(names) <= {"0", "1"} else name


def _union(columns: Sequence[Labels]) -> tuple[str, ...]:
    """Return all labels: in the order that the truth's Categorical declares, if it has them all."""
    names = {name for column in columns for name in column.names}
    levels = columns[0].levels
    return tuple(n for n in levels if n in names) if names <= {*levels} else _in_order([*names])


def _in_order(texts: Sequence[str]) -> tuple[str, ...]:
    """Return distinct labels, by value where all are numbers, else as text."""
    distinct = dict.fromkeys(texts)
    try:
        return tuple(sorted(distinct, key=float))
    except ValueError:
        return tuple(sorted(distinct))


def _one_spelling(columns: list[Labels], positive: Any) -> list[Labels]:
    """Give True and False the names of the two classes of the truth, beside other labels."""
    others = [column for column in columns if not column.boolean]
    if len(others) in (0, len(columns)) or len(_union(others)) > 2:
        return columns
    at = dict(zip(("false", "true"), two_classes(others, positive), strict=True))
    return [
        replace(c, names=tuple(at[name] for name in c.names)) if c.boolean else c for c in columns
    ]


def _refuse_scores(truth: Labels, predicted: Labels) -> None:
    if truth.fraction is not None:
        raise EvalError(
            "not-labels", f"The truth holds numbers such as {truth.fraction:g}, no labels. {ORDER}."
        )
    if predicted.fraction is not None:
        raise EvalError(
            "not-labels",
            f"This metric takes labels, and the prediction holds scores such as "
            f"{predicted.fraction:g}: decide first, such as by `score >= 0.5`.",
        )


def _refuse_strangers(truth: Labels, predicted: Labels) -> None:
    if predicted.names and len(truth.names) > 1 and not set(predicted.names) & set(truth.names):
        raise EvalError(
            "labels-differ",
            f"Truth and prediction have no label in common: {listed(truth.names, 4)} and "
            f"{listed(predicted.names, 4)}.",
        )


def _score(values: Any, truth: Labels) -> Floats:
    if getattr(values, "ndim", 1) == 2:
        raise EvalError(
            "not-a-column",
            "The score must be one column, that of the positive class, such as `scores[:, 1]`.",
        )
    scores = numbers(values, "the score")
    if len(truth.names) > 2 and len(np.unique(scores)) <= 2:
        raise EvalError(
            "swapped",
            f"The truth holds {len(truth.names):,} different values and the score two: they seem "
            f"to have changed places. {ORDER}.",
        )
    return scores


def _classes_of_columns(
    target: Labels, columns: int, names: tuple[str, ...] | None
) -> tuple[str, ...]:
    """Return the classes of K columns of probabilities, in their order."""
    _refuse_scores(target, replace(target, fraction=None))
    classes = names or (target.levels if columns == len(target.levels) else target.names)
    if len(classes) != columns or not set(target.names) <= set(classes):
        called = counted(columns, "column") if names is None else f"columns {listed(names, 6)}"
        raise EvalError(
            "wrong-shape",
            f"There must be one column of probabilities per class: {called}, "
            f"and the truth holds {listed(target.names, 6)}.",
        )
    return classes


def _same_length(rows: int, values: NDArray[Any], name: str) -> None:
    if len(values) != rows:
        message = f"The truth has {counted(rows, 'row')} and {name} {len(values):,}."
        raise EvalError("wrong-length", message)
    if not rows:
        raise EvalError("no-rows", "There is no row.")


def _column(values: Any, name: str) -> NDArray[Any]:
    """Return a column as an array of one dimension in which no cell is missing or infinite."""
    array = _array(values, name)
    if array.ndim != 1:
        shape = "a single value" if array.ndim == 0 else f"of shape {array.shape}"
        raise EvalError(
            "not-a-column",
            f"{_first(name)} must be one column of values; it is {shape}. Of a table pass one "
            'column, such as `frame["..."]`.',
        )
    return _complete(array, name)


def _table(values: Any, name: str) -> tuple[Floats, tuple[str, ...] | None]:
    """Return a table of numbers; with the names of its columns, where it is a data frame."""
    array = _array(values, name)
    if array.ndim != 2:
        raise EvalError("wrong-shape", f"{_first(name)} must be a table of rows and columns.")
    table = np.column_stack([numbers(column, name) for column in array.T]) if array.size else array
    columns = getattr(values, "columns", None)
    return table, None if columns is None else tuple(label_text(column) for column in columns)


def _array(values: Any, name: str) -> NDArray[Any]:
    """Return an array in which no cell has become text, or a number, for the sake of another."""
    if values is None or isinstance(values, str | bytes | Mapping | set | frozenset):
        kind = "None" if values is None else f"a {type(values).__name__}"
        raise EvalError("not-a-column", f"{_first(name)} must be a column of values, not {kind}.")
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        _refuse_missing(mask.reshape(len(mask), -1).any(axis=1), name)
        return np.asarray(values.data)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise EvalError("wrong-shape", f"{_first(name)} has rows of different lengths.") from error
    if not isinstance(values, list | tuple) or array.dtype.kind == "b":
        return array
    plain = array.dtype.kind in "iuf" and not any(isinstance(cell, bool) for cell in values)
    return array if plain else np.array(values, dtype=object)


def _complete(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return the column itself; refuse cells that are missing or infinite."""
    if array.dtype.kind in "OUS":
        _refuse_missing(np.array([_is_missing(cell) for cell in array], bool), name)
        infinite = np.array([isinstance(c, float) and abs(c) == np.inf for c in array], bool)
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        _refuse_missing(np.isnan(array), name)
        infinite = np.isinf(array)
    else:
        return array
    _refuse_rows(
        infinite, "infinite", f"{_first(name)} is infinite in {{}}: numbers must be finite."
    )
    return array


def _levels(values: Any) -> tuple[str, ...]:
    """Return the labels that a pandas Categorical declares."""
    declared = getattr(getattr(values, "dtype", None), "categories", None)
    return () if declared is None else tuple(map(label_text, getattr(declared, "tolist", list)()))


def label_text(label: Any) -> str:
    """Return a label as text, as columns of files are: 1.0 as 1, True as true.

    >>> label_text(1.0), label_text(np.int8(-1)), label_text(True), label_text(" yes ")
    ('1', '-1', 'true', 'yes')
    """
    value = label.item() if isinstance(label, np.generic) else label
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()


def _is_missing(cell: Any) -> bool:
    if cell is None or type(cell).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    return bool(cell != cell) if isinstance(cell, float | np.floating) else cell == ""


def _is_no_number(cell: Any) -> bool:
    return isinstance(cell, bool | np.bool_ | str | bytes) or not hasattr(cell, "__float__")


def _refuse_missing(bad: Any, name: str) -> None:
    message = f"{_first(name)} is missing in {{}}. Leave these rows out of every argument."
    _refuse_rows(bad, "missing", message)


def _refuse_rows(bad: Any, code: str, sentence: str) -> None:
    """Refuse the rows that are bad; `{}` in the sentence stands for which, counted from 1."""
    rows = (np.flatnonzero(bad) + 1).tolist()
    if rows:
        most = 5  # as many as a person looks up
        shown = ", ".join(map(str, rows[:most])) + (", …" if len(rows) > most else "")
        where = f"{counted(len(rows), 'row')} ({shown})"
        raise EvalError(code, sentence.format(where), rows=rows)


def _first(name: str) -> str:
    """Return the name of an argument as a sentence begins with it."""
    words = name if name.startswith("the ") else f"the {name}"
    return words[:1].upper() + words[1:]


def refuse_columns(more: tuple[Any, ...], instead: str) -> None:
    """Refuse columns where a data set is taken, and show the call that takes columns."""
    if more:
        raise EvalError(
            "usage",
            "This takes one data set, such as a data frame, with all else by keyword. For columns "
            f"by themselves call {instead}.",
        )
