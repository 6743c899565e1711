"""Checked outcomes from columns with roles: the complete rows of each model, with notices."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import EvalError, Notice, Offer
from evalcore.outcomes import (
    BinaryOutcomes,
    Categories,
    ClassOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Rows,
    units,
)
from evalcore.tables.confusion import NO_PREDICTION
from evalcore.text import counted, have, listed
from evalread.checks import GUESSED_TRUTH, about_groups, are_counts, check
from evalread.columns import Numbers, SomeCodes, class_order, codes_in, labels_of, numbers_of
from evalread.dataset import Dataset, Missing, ModelRoles, Roles, Scale, Table, Task
from evalread.detection.clusters import bind_clusterings, true_class
from evalread.detection.correct import bind_correct
from evalread.detection.scores import (
    Score,
    complement,
    from_confidence,
    offered_scales,
    read_score,
    reverse,
    span,
)
from evalread.rows import (
    ClassColumns,
    Gap,
    Mask,
    checked_weights,
    class_columns,
    kept_rows,
    refuse_huge,
    refuse_infinite,
    row_list,
    row_numbers,
)


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """The probability, or another score, that a model gives each class.

    Attributes:
        values: (n, K) floats; NaN where a cell is missing or a class has no column.
        present: (K,) True where the class has a column.
        probability: Whether the values are probabilities, else scores of which the largest wins.
    """

    values: Floats
    present: Mask
    probability: bool
    gaps: tuple[Gap, ...]
    notices: tuple[Notice, ...]


def read_probabilities(
    table: Table, columns: Mapping[str, str], classes: Sequence[str], roles: Roles
) -> ScoreMatrix:
    """Read the probability column of each class that has one; those of merged labels add up.

    Raises:
        EvalError: "not-numeric" or "infinite-score".
    """
    gaps, percent, scale = [], [], roles.scale
    places = [classes.index(roles.merge_labels.get(of, of)) for of in columns]
    read = np.empty((table.n, len(columns)))
    for place, column in zip(np.argsort(np.argsort(places)), columns.values(), strict=True):
        numbers = numbers_of(table, column)
        refuse_infinite(numbers, column)
        percent.append(numbers.percent)
        read[:, place] = numbers.values
        missing = np.isnan(numbers.values)
        gaps.append(Gap("probability", column, missing, numbers.missing))
    notices = []
    if scale is Scale.PERCENT or all(percent):
        read /= 100
        notices.append(Notice("percent", "Probabilities are in percent; divided by 100."))
    if scale is Scale.LOGIT:
        read = softmax(read)
        message = "Class scores are logits; turned into probabilities by the softmax."
        notices.append(Notice("logit", message))
    probability, sum_notices = _are_probabilities(read, scale)
    # Scores that are no probabilities decide by the largest, also among those of merged labels.
    added = np.add if probability else np.fmax
    values, present = np.full((table.n, len(classes)), np.nan), np.zeros(len(classes), np.bool_)
    for place, column_values in zip(sorted(places), read.T, strict=True):
        known = values[:, place]
        values[:, place] = added(known, column_values) if present[place] else column_values
        present[place] = True
    return ScoreMatrix(values, present, probability, tuple(gaps), (*notices, *sum_notices))


def softmax(logits: Floats) -> Floats:
    """Return exp(x) over its sum along each row, without overflow."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    values: Floats = powers / powers.sum(axis=1, keepdims=True)
    return values


def _are_probabilities(values: Floats, scale: Scale | None) -> tuple[bool, tuple[Notice, ...]]:
    outside: Mask = np.any((values < 0) | (values > 1), axis=1)
    if scale is Scale.SCORE or (scale is None and outside.any()):
        message = (
            f"Class scores lie outside [0, 1] ({span(values)}): the largest decides, but they are "
            "no probabilities. If they are logits or percentages, choose that scale."
        )
        notice = Notice(
            "outside-unit", message, rows=row_numbers(outside), offers=offered_scales(values)
        )
        return False, (notice,) if outside.any() else ()
    if outside.any():
        raise EvalError(
            "not-probability",
            f"Probabilities lie outside [0, 1] ({span(values)}) on the chosen scale.",
            rows=row_numbers(outside),
        )
    return True, _sums(values)


def _sums(values: Floats) -> tuple[Notice, ...]:
    """Report rows whose probabilities do not sum to 1, beyond what rounding explains."""
    # Two decimals leave each of K numbers up to 0.005 off.
    tolerance = min(0.05, 0.0051 * values.shape[1])
    off = np.abs(values.sum(axis=1) - 1) > tolerance
    if not off.any():
        return ()
    message = (
        f"In {int(off.sum()):,} of {len(off):,} rows the probabilities do not sum to 1 "
        f"({row_list(off)}); they are used as they are, but for the log loss, which divides each "
        "row by its sum."
    )
    return (Notice("not-sum-1", message, "warning", rows=row_numbers(off)),)


def lost_classes(truth: SomeCodes, present: Mask, classes: Sequence[str]) -> tuple[Notice, ...]:
    """Report rows whose true class has no probability column."""
    lost = (truth >= 0) & ~present[truth]
    if not lost.any():
        return ()
    count = int(lost.sum())
    names = [name for k, name in enumerate(classes) if not present[k] and (truth == k).any()]
    message = (
        f"{counted(count, 'row')} {have(count)} a true class with no probability column "
        f"({listed(names, 6)}); the model can only be wrong there."
    )
    return (Notice("no-probability-column", message, "warning", rows=row_numbers(lost)),)


Cell = TypeVar("Cell", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Shared:
    """The table, the roles and the weights that all models of a file share."""

    table: Table
    roles: Roles
    weight: Floats | None

    def kept(self, gaps: Iterable[Gap], model: str) -> tuple["CompleteRows", tuple[Notice, ...]]:
        """Return the complete rows of a model; the notice names it if there are several.

        Raises:
            EvalError: "no-rows" if no row is complete, or all that are have weight 0.
        """
        several = len(self.roles.models) > 1
        places, notices = kept_rows(gaps, model if several else None, self.own_rows(model))
        return CompleteRows(self._counting(places), self.weight), notices

    def own_rows(self, model: str) -> Rows | None:
        """Return the places of the rows that a model has, where others have none of them."""
        if self.roles.model is None:
            return None
        names = labels_of(self.table, self.roles.model)
        return np.flatnonzero(names.codes == names.names.index(self.roles.models[model].of))

    def _counting(self, places: Rows | None) -> Rows | None:
        """Return the rows of weight above 0: the others count in no table, curve or test."""
        if self.weight is None or self.weight.all():
            return places
        kept = np.arange(self.table.n) if places is None else places
        kept = kept[self.weight[kept] > 0]
        if not len(kept):
            message = (
                f'Every complete row has weight 0 in column "{self.roles.weight}", so that nothing '
                "is left to judge. Choose another column of weights, or none."
            )
            raise EvalError("no-rows", message, column=self.roles.weight)
        return kept


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """The rows on which a model is judged; None stands for all."""

    places: Rows | None
    weights: Floats | None

    def of(self, values: NDArray[Cell]) -> NDArray[Cell]:
        """Return the values at these rows."""
        return values if self.places is None else values[self.places]

    @property
    def weight(self) -> Floats | None:
        """The weights of these rows."""
        return None if self.weights is None else self.of(self.weights)

    @property
    def rows(self) -> Rows | None:
        """Their data row numbers, 1 being the first; None for all."""
        return None if self.places is None else self.places + 1


def binary_model(
    shared: Shared, columns: ClassColumns, name: str
) -> tuple[BinaryOutcomes, tuple[Notice, ...]]:
    """Bind one model of a yes-or-no question."""
    model = shared.roles.models[name]
    label = columns.labels.get(name)
    gaps = _label_gaps(shared, columns, model)
    score = None
    if model.score:
        score = _score(shared, model, columns, None if label is None else label == 1)
        gaps.append(_number_gap("score", model.score, score.numbers))
    kept, notices = shared.kept(gaps, name)
    outcomes = BinaryOutcomes(
        classes=(columns.classes[0], columns.classes[1]),
        truth=kept.of(columns.truth).astype(np.int8),
        score=None if score is None else kept.of(score.values),
        label=None if label is None else kept.of(label).astype(np.int8),
        probability=score is not None and score.probability,
        weight=kept.weight,
        rows=kept.rows,
    )
    blank = _without_answer(shared, columns, name)
    return outcomes, (*(score.notices if score else ()), *notices, *blank)


def class_model(
    shared: Shared, columns: ClassColumns, name: str
) -> tuple[ClassOutcomes, tuple[Notice, ...]]:
    """Bind one model of a question with K classes."""
    model = shared.roles.models[name]
    gaps = _label_gaps(shared, columns, model)
    scores = None
    notices: tuple[Notice, ...] = ()
    if model.probabilities:
        scores = read_probabilities(
            shared.table, model.probabilities, columns.classes, shared.roles
        )
        gaps.extend(scores.gaps)
        lost = lost_classes(columns.truth, scores.present, columns.classes)
        notices = (*scores.notices, *lost)
    label, confidence = columns.labels.get(name), None
    if model.score and label is not None:
        read = read_score(shared.table, model.score, Scale.PROBABILITY)
        answered = np.array([of != NO_PREDICTION for of in columns.classes])[label]
        confidence = np.where(answered, read.values, 0.0)
        gap = _number_gap("confidence", model.score, read.numbers)
        gaps.append(replace(gap, rows=gap.rows & answered))
        notices = read.notices
    kept, row_notices = shared.kept(gaps, name)
    outcomes = ClassOutcomes(
        classes=columns.classes,
        truth=kept.of(columns.truth),
        label=_label_of(label, scores, kept),
        probabilities=kept.of(scores.values) if scores and scores.probability else None,
        confidence=None if confidence is None else kept.of(confidence),
        weight=kept.weight,
        rows=kept.rows,
    )
    return outcomes, (*notices, *row_notices, *_without_answer(shared, columns, name))


def _without_answer(shared: Shared, columns: ClassColumns, name: str) -> Iterator[Notice]:
    """Say what rows without a predicted label count as, and what they would else."""
    label, roles = columns.labels.get(name), shared.roles
    if label is None:
        return
    known = columns.truth >= 0
    if (own := shared.own_rows(name)) is not None:
        known &= np.isin(np.arange(len(known)), own)
    none = columns.classes.index(NO_PREDICTION) if NO_PREDICTION in columns.classes else -1
    blank = known & (label == none)
    if not blank.any() or (roles.missing is not None and none < 0):
        return
    weight = np.ones(len(label)) if shared.weight is None else shared.weight
    of_model = f' of "{name}"' if len(roles.models) > 1 else ""
    rows = f"{int(blank.sum()):,} of {counted(int(known.sum()), 'row')} with a truth"
    said = f"{rows} {have(int(blank.sum()))} no predicted label{of_model}"
    right, all_rows, answered = (
        float(weight[part].sum())
        for part in (known & (label == columns.truth), known, known & ~blank)
    )
    if none >= 0:
        message = f"{said}: each counts as wrong, and as none of the classes."
    else:
        left, wrong = (right / n if n else np.nan for n in (answered, all_rows))
        message = (
            f"{said}; they are left out. If a blank means that the model missed, its accuracy is "
            f"{wrong:.3f} ({right:,.6g} of {all_rows:,.6g}), not {left:.3f}."
        )
    to_wrong = Offer("Count them as wrong", "missing", Missing.WRONG.value)
    to_left_out = Offer("Leave them out", "missing", Missing.LEFT_OUT.value)
    yield Notice(
        "no-prediction",
        message,
        "info" if none >= 0 else "warning",
        rows=row_numbers(blank),
        column=roles.models[name].label,
        offers=(to_left_out if none >= 0 else to_wrong,),
    )


def numeric_model(shared: Shared, name: str) -> tuple[NumericOutcomes, tuple[Notice, ...]]:
    """Bind one model of predicted numbers."""
    prediction = shared.roles.models[name].prediction or ""
    read = {}
    for column in (shared.roles.truth, prediction):
        read[column] = numbers_of(shared.table, column)
        refuse_infinite(read[column], column)
        refuse_huge(read[column], column)
    truth, predicted = read[shared.roles.truth], read[prediction]
    gaps = [
        _number_gap("truth", shared.roles.truth, truth),
        _number_gap("prediction", prediction, predicted),
    ]
    kept, notices = shared.kept(gaps, name)
    outcomes = NumericOutcomes(
        truth=kept.of(truth.values),
        prediction=kept.of(predicted.values),
        weight=kept.weight,
        rows=kept.rows,
    )
    return outcomes, notices


def _label_gaps(shared: Shared, columns: ClassColumns, model: ModelRoles) -> list[Gap]:
    names = [shared.roles.truth, *([model.label] if model.label else [])]
    return [columns.gaps[name] for name in names]


def _number_gap(role: str, column: str, numbers: Numbers) -> Gap:
    rows = numbers.values
    missing = np.isnan(rows) if numbers.missing else np.zeros(len(rows), np.bool_)
    return Gap(role, column, missing, numbers.missing)


def _score(
    shared: Shared, model: ModelRoles, columns: ClassColumns, label_is_positive: Mask | None
) -> Score:
    """Read a model's score column as the score of the positive class."""
    column, roles = model.score or "", shared.roles
    negative, positive = columns.classes
    confidence = roles.scale is Scale.CONFIDENCE
    if confidence and label_is_positive is None:
        raise EvalError(
            "no-label",
            f'Column "{column}" can be the probability of the predicted label only beside a column '
            "with that label. Choose it, or another scale.",
            column=column,
        )
    scale = Scale.PROBABILITY if confidence else roles.scale
    score = read_score(shared.table, column, scale)
    merged = {name: roles.merge_labels.get(of, of) for of, name in model.probabilities.items()}
    of = merged.get(column, positive)
    for other in (name for name in merged if name != column and merged[name] == of):
        more = read_score(shared.table, other, scale).values
        score = replace(score, values=score.values + more)
    if confidence and label_is_positive is not None:
        score = from_confidence(score, column, label_is_positive, positive)
    elif of == negative:
        score = complement(score, column, negative, positive)
    return reverse(score, positive) if roles.reverse else score


def _label_of(
    label: SomeCodes | None, scores: ScoreMatrix | None, kept: CompleteRows
) -> SomeCodes | None:
    """Return the model's labels: its own, else the largest of scores that are no probabilities."""
    if label is not None:
        return kept.of(label)
    if scores is None or scores.probability:
        return None
    places = np.flatnonzero(scores.present)
    largest = kept.of(scores.values)[:, places].argmax(axis=1)
    largest_class: SomeCodes = places[largest].astype(np.int32)
    return largest_class


_WORKERS = 2
"""Models that are bound at once; what takes long in it does not hold the interpreter's lock."""

_Bound = Mapping[str, tuple[Outcomes, tuple[Notice, ...]]]


def bind(table: Table, roles: Roles) -> Dataset:
    """Turn the columns that have roles into checked outcomes, one per model.

    Raises:
        EvalError: A column does not hold what its role needs; the message names it and the rows.
    """
    if roles.task is Task.FOLDS:
        from evalread.detection.folds import bind_folds

        scores, notices = bind_folds(table, roles)
        return replace(_dataset(table, roles, notices), fold_scores=scores)
    if roles.task is Task.CLUSTERING:
        return _with_clusterings(table, roles)
    if roles.task is Task.CORRECT:
        marked, said = bind_correct(table, roles)
        return _with_models(_dataset(table, roles, (*said, *about_groups(table, roles))), marked)
    classes, bound, of_classes = _models(Shared(table, roles, _weight(table, roles)))
    models = {name: outcomes for name, (outcomes, _) in bound.items()}
    own = [notice for _, notices in bound.values() for notice in notices]
    dataset = _dataset(table, roles, (*of_classes, *own, *check(table, roles, classes, models)))
    return replace(_with_models(dataset, models), classes=classes)


def _with_models(dataset: Dataset, models: Mapping[str, Outcomes]) -> Dataset:
    table, roles = dataset.table, dataset.roles
    group = _categories(table, roles.group)
    if roles.unit and group is not None and len(group.names) < 2:
        raise EvalError(
            "one-group",
            f'Column "{roles.unit}" holds one value only; it takes two groups of rows or more to '
            "see how they differ. Choose another column, or none.",
            column=roles.unit,
        )
    return replace(
        dataset,
        models=MappingProxyType({n: _in_units(one, roles, group) for n, one in models.items()}),
        fold=_categories(table, roles.fold),
        group=group,
    )


def _in_units(one: Outcomes, roles: Roles, group: Categories | None) -> Outcomes:
    """Return a model's answers with what each row is drawn with."""
    counted = are_counts(one.weight, roles)
    if roles.unit and group is not None:
        return replace(one, unit=units(group.on(one), one.weight, counted=counted))
    return one if counted else replace(one, unit=np.arange(one.n))


def _dataset(table: Table, roles: Roles, notices: Iterable[Notice]) -> Dataset:
    """Return a data set without outcomes, with the notices of its table and further ones."""
    # A doubt about the truth stands before anything that rests on it.
    in_order = sorted((*table.notices, *notices), key=lambda one: one.code != GUESSED_TRUTH)
    each_once = tuple(dict.fromkeys(in_order))
    return Dataset(
        digest=digest_of(table, roles),
        table=table,
        roles=roles,
        classes=(),
        models=MappingProxyType({}),
        notices=each_once,
    )


def _with_clusterings(table: Table, roles: Roles) -> Dataset:
    truth = true_class(table, roles)
    clusterings, notices = bind_clusterings(table, roles)
    return replace(
        _dataset(table, roles, notices),
        classes=truth.names if truth else (),
        clusterings=clusterings,
        true_class=truth,
    )


def _models(shared: Shared) -> tuple[tuple[str, ...], _Bound, tuple[Notice, ...]]:
    """Bind every model; return the classes, the models, and the notices they share."""
    names = shared.roles.models
    if shared.roles.task is Task.REGRESSION:
        return (), {name: numeric_model(shared, name) for name in names}, ()
    columns = class_columns(shared.table, shared.roles)
    one = binary_model if shared.roles.task is Task.BINARY else class_model
    with ThreadPoolExecutor(_WORKERS) as pool:
        bound = pool.map(lambda name: one(shared, columns, name), names)
        return columns.classes, dict(zip(names, bound, strict=True)), columns.notices


def _weight(table: Table, roles: Roles) -> Floats | None:
    if not roles.weight:
        return None
    numbers = numbers_of(table, roles.weight)
    return checked_weights(numbers, roles.weight)


def _categories(table: Table, column: str | None) -> Categories | None:
    if not column:
        return None
    labels = labels_of(table, column)
    names = class_order(labels.names)
    return Categories(names, codes_in(labels, names).astype(np.int32, copy=False))


def digest_of(table: Table, roles: Roles) -> str:
    """Return the SHA-256 that keys every cache: of the bytes, how they were read, and the roles."""
    source = table.source
    read = (source.encoding, source.separator, source.decimal, source.thousands, source.sheet)
    models = [
        (name, m.label, m.score, sorted(m.probabilities.items()), m.prediction, m.correct)
        for name, m in roles.models.items()
    ]
    metadata = (roles.truth, roles.fold, roles.weight, roles.group, roles.id, roles.model)
    scale = (roles.scale, roles.reverse, roles.unit, roles.weight_kind)
    wording = (roles.merge_spellings, sorted(roles.merge_labels.items()), roles.ignore_labels)
    question = (roles.task, roles.positive, *scale, roles.order, wording, roles.missing)
    features = (roles.features, roles.feature_kind)
    clusters = (sorted(roles.clusterings.items()), features, roles.noise)
    key = repr((source.digest, read, models, metadata, question, clusters, roles.folds))
    return hashlib.sha256(key.encode()).hexdigest()
