"""Checked outcomes from columns with roles: the complete rows of each model, with notices."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evalcore.errors import Notice, Offer
from evalcore.inputs import other_class
from evalcore.outcomes import (
    BinaryOutcomes,
    ClassOutcomes,
    Floats,
    NumericOutcomes,
    Outcomes,
    Rows,
    frozen,
    units,
)
from evalcore.predictions import Categories
from evalcore.tables.confusion import NO_PREDICTION
from evalcore.text import listed
from evalread.checks import GUESSED_TRUTH, about_groups, are_counts, check, not_binary
from evalread.columns import (
    Labels,
    Numbers,
    SomeCodes,
    class_order,
    classes_of,
    codes_in,
    is_number,
    labels_in,
    labels_of,
    numbers_of,
    plain_number,
    read_numbers,
    same_labels,
    says_true,
)
from evalread.counts.judged import pairs_of
from evalread.dataset import Dataset, ModelRoles, Roles, Scale, Table, Task
from evalread.detection.clusters import bind_clusterings, true_class
from evalread.detection.correct import bind_correct, rows_of
from evalread.detection.folds import bind_folds
from evalread.detection.profile import profiles
from evalread.detection.scores import (
    Score,
    from_confidence,
    offered_scales,
    opposite,
    read_score,
    span,
)
from evalread.notices import Gap, Mask, kept_rows, notice, refusal
from evalread.rewriting import MERGE_SPELLINGS, holds, label_meant, settled, spelling_variants


class ScoreMatrix(NamedTuple):
    """The probability, or another score, that a model gives each class.

    `values` are (n, K) floats, NaN where a cell is missing or a class has no column; `present` is
    (K,) True where it has one. Of scores that are no probabilities the largest wins.
    """

    values: Floats
    present: Mask
    probability: bool
    gaps: list[Gap]
    notices: list[Notice]


def read_probabilities(
    table: Table,
    columns: Mapping[str, str],
    classes: Sequence[str],
    roles: Roles,
    each: Floats | None = None,
) -> ScoreMatrix:
    """Read the probability column of each class that has one; those of merged labels add up.

    `each` is how many rows each cell stands for, where cells of a file of counts are read.

    Raises:
        EvalError: "not-numeric", "infinite-score", or "not-probability" on a chosen scale.
    """
    gaps: list[Gap] = []
    percent, notices = [], []
    places = [classes.index(roles.merge_labels.get(of, of)) for of in columns]
    read = np.empty((table.n, len(columns)))
    for place, column in zip(np.argsort(np.argsort(places)), columns.values(), strict=True):
        numbers = numbers_of(table, column)
        numbers.refuse_infinite(column)
        percent.append(numbers.percent)
        read[:, place] = numbers.values
        gaps += _number_gaps("probability", column, numbers)
    if roles.scale is Scale.PERCENT or all(percent):
        read /= 100
        notices.append(notice("percent"))
    if roles.scale is Scale.LOGIT:
        read = softmax(read)
        notices.append(notice("logit"))
    probability, doubts = _are_probabilities(read, roles.scale, each)
    # Scores that are no probabilities decide by the largest, also among those of merged labels.
    added = np.add if probability else np.fmax
    values, present = np.full((table.n, len(classes)), np.nan), np.zeros(len(classes), np.bool_)
    for place, column_values in zip(sorted(places), read.T, strict=True):
        known = values[:, place]
        values[:, place] = added(known, column_values) if present[place] else column_values
        present[place] = True
    return ScoreMatrix(values, present, probability, gaps, notices + doubts)


def softmax(logits: Floats) -> Floats:
    """Return exp(x) over its sum along each row, without overflow."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    values: Floats = powers / powers.sum(axis=1, keepdims=True)
    return values


def _are_probabilities(
    values: Floats, scale: Scale | None, each: Floats | None
) -> tuple[bool, list[Notice]]:
    """Return whether class scores are probabilities, and what is doubtful about them."""
    outside: Mask = np.any((values < 0) | (values > 1), axis=1)
    if outside.any():
        if scale not in (None, Scale.SCORE):
            raise refusal("not-probability", rows=outside, span=span(values))
        offers = offered_scales(values)
        return False, [notice("outside-unit", rows=outside, span=span(values), offers=offers)]
    # Two decimals leave each of K numbers up to 0.005 off.
    off = np.abs(values.sum(axis=1) - 1) > min(0.05, 0.0051 * values.shape[1])
    if scale is Scale.SCORE or not off.any():
        return scale is not Scale.SCORE, []
    if each is None:
        return True, [notice("not-sum-1", rows=off, all=len(off))]
    return True, [notice("not-sum-1/counts", rows=off, each=each, all=float(each.sum()))]


def in_order(classes: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return the classes in a chosen order, which may name further ones: a scale has them all.

    >>> in_order(["1", "2", "4"], ["1", "2", "3", "4", "5"])
    ('1', '2', '3', '4', '5')

    Raises:
        EvalError: "bad-order" if the order does not name each class once.
    """
    if len(set(order)) < len(order) or not set(classes) <= {*order, NO_PREDICTION}:
        raise refusal("bad-order", classes=classes, order=order)
    return (*order, *(name for name in classes if name not in order))


_BITS, _PLACES = frozenset({"0", "1"}), frozenset({"1", "2"})
_SIGNS_AND_BITS = {frozenset({"-1", "1"}), _BITS}
"""Two ways to write two classes; with some tools -1 is the case that one looks for."""
_SIGN_IS_0 = Offer('Count "-1" as "0"', "merge_labels", ("-1", "0"))


@dataclass(frozen=True, eq=False)
class ClassColumns:
    """Truth and predicted labels over the same classes.

    Attributes:
        classes: In the order of every matrix; for a binary task negative, positive.
        truth: (n,) codes, -1 where missing.
        labels: Model -> (n,) codes, -1 where missing.
        gaps: Model -> where the truth and its labels have missing cells.
    """

    classes: tuple[str, ...] = ()
    truth: SomeCodes = field(default_factory=lambda: np.zeros(0, np.int8))
    labels: Mapping[str, SomeCodes] = field(default_factory=dict)
    gaps: Mapping[str, Sequence[Gap]] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


def class_columns(table: Table, roles: Roles) -> ClassColumns:
    """Read truth and labels, trimmed and compared by value where all are numbers.

    Raises:
        EvalError: "labels-differ" if a model's labels are none of the truth's; "not-binary".
    """
    labelled = {name: model.label for name, model in roles.models.items() if model.label}
    names = [roles.truth, *labelled.values()]
    raw = labels_in(table, names)
    plain = same_labels(raw)
    read = settled(raw, roles, (of for one in roles.models.values() for of in one.probabilities))
    for name, labels in zip(names[1:], read[1:], strict=True):
        _refuse_strangers(roles.truth, read[0], name, labels)
    classes = _classes(read, roles)
    # Codes of one byte are too small for what is done with many classes.
    size: Any = np.int8 if roles.task is Task.BINARY else np.int32
    found = (codes_in(labels, classes) for labels in read)
    codes: list[SomeCodes] = [each.astype(size, copy=False) for each in found]
    of_truth = "truth that counts" if roles.ignore_labels else "truth"
    said = [of_truth, *["label"] * len(labelled)]
    holes = [
        [Gap(what, name, code < 0, labels.missing)] if labels.missing else []
        for what, name, code, labels in zip(said, names, codes, read, strict=True)
    ]
    of_labels = dict(zip(labelled, holes[1:], strict=True))
    gaps = {name: [*holes[0], *of_labels.get(name, ())] for name in roles.models}
    return ClassColumns(
        classes=classes,
        truth=frozen(codes[0]),
        labels=dict(zip(labelled, codes[1:], strict=True)),
        gaps=gaps,
        notices=(
            *_as_written(names, raw, plain),
            *_merged(plain, read, roles),
            *_said_of_labels(plain, roles),
            *_shifted(names, read),
        ),
    )


def _classes(columns: list[Labels], roles: Roles) -> tuple[str, ...]:
    named = [of for model in roles.models.values() for of in model.probabilities]
    classes = classes_of(columns, [roles.merge_labels.get(of, of) for of in named])
    if roles.task is not Task.BINARY:
        if NO_PREDICTION in classes and len(classes) == 2:  # two columns would be those of a yes
            classes = (classes[0], other_class(classes[0], None), classes[1])
        return in_order(classes, roles.order) if roles.order else classes
    if len(classes) == 1:
        classes = (*classes, other_class(classes[0], roles.positive))
    if len(classes) != 2:
        raise not_binary(classes, columns[0].names)
    positive = roles.positive if roles.positive in classes else classes[1]
    return tuple(sorted(classes, key=lambda name: name == positive))


def _refuse_strangers(truth: str, known: Labels, name: str, labels: Labels) -> None:
    written = {frozenset(known.names), frozenset(labels.names)}
    about: dict[str, Any] = {"column": name, "truth": truth}
    if written in (_SIGNS_AND_BITS, {_BITS, _PLACES}):
        about |= {"labels": class_order(labels.names), "known": class_order(known.names)}
        if written == _SIGNS_AND_BITS:
            raise refusal("labels-differ/codes", **about, offers=[_SIGN_IS_0])
        raise refusal("labels-differ/shifted", **about)
    # A truth with one class may be one that the model never says.
    if labels.names and len(known.names) > 1 and not set(labels.names) & set(known.names):
        spelt_apart = spelling_variants([*labels.names, *known.names])
        offers = [MERGE_SPELLINGS] if spelt_apart else []
        about |= {"labels": labels.names, "known": known.names, "offers": offers}
        raise refusal("labels-differ", **about)


def _shifted(names: Sequence[str], read: Sequence[Labels]) -> Iterator[Notice]:
    """Say which labels seem to count from 0 where the truth counts from 1, or the reverse."""
    known = frozenset(read[0].names)
    runs = [frozenset(map(str, range(start, start + len(known)))) for start in (0, 1)]
    if known not in runs or len(known) < 2:
        return
    other = runs[known == runs[0]]
    others = zip(names[1:], read[1:], strict=True)
    if found := [name for name, labels in others if frozenset(labels.names) == other]:
        about: dict[str, Any] = {"known": class_order(known), "labels": class_order(other)}
        yield notice("shifted-labels", column=found[0], truth=names[0], columns=found, **about)


def _as_written(
    names: Sequence[str], raw: Sequence[Labels], read: Sequence[Labels]
) -> Iterator[Notice]:
    """Say how labels were written: with white space, as true and false, as numbers of all kinds."""
    trimmed = {n: one.trimmed for n, one in zip(names, raw, strict=True) if one.trimmed is not None}
    if trimmed:
        counts = {name: int(rows.sum()) for name, rows in trimmed.items()}
        where = ", ".join(f'{count:,} in "{name}"' for name, count in counts.items())
        rows = np.logical_or.reduce(list(trimmed.values()))
        yield notice("white-space", rows=rows, total=sum(counts.values()), where=where)
    columns = list(zip(names, raw, read, strict=True))
    if said := [n for n, before, after in columns if says_true(before) and not says_true(after)]:
        yield notice("true-false", columns=said)
    changed = [
        f'"{old}" as "{plain_number(old)}" in "{name}"'
        for name, before, after in columns
        for old in before.names
        if is_number(old) and old not in after.names and plain_number(old) in after.names
    ]
    if changed:
        more = ", …" if len(changed) > 3 else ""
        yield notice("number-labels", changed=", ".join(changed[:3]) + more)


def _said_of_labels(columns: Sequence[Labels], roles: Roles) -> Iterator[Notice]:
    """Say what was said of labels: which are left out, and which count as others."""
    of_models = [of for model in roles.models.values() for of in model.probabilities]
    known = [*(name for labels in columns for name in labels.names), *of_models]
    for said in roles.ignore_labels:
        rows = holds([label_meant(known, said)], columns[:1])
        yield notice("ignored-label", rows=rows, said=said)
    for said, other in roles.merge_labels.items():
        rows = holds([label_meant(known, said)], columns)
        yield notice("merged-label", rows=rows, said=said, other=other)


def _merged(before: Sequence[Labels], after: Sequence[Labels], roles: Roles) -> Iterator[Notice]:
    """Say which spellings were made one, and in how many rows."""
    if not roles.merge_spellings:
        return
    groups = spelling_variants(dict.fromkeys(name for labels in before for name in labels.names))
    kept = {name for labels in after for name in labels.names}
    if gone := [name for group in groups for name in group if name not in kept]:
        written = "; ".join(f"{listed(group, 4)} as one" for group in groups[:4])
        yield notice("merged", rows=holds(gone, before), groups=written)


@dataclass(frozen=True, eq=False)
class _Shared:
    """What all models of a file share; a truth of numbers has no columns of classes."""

    table: Table
    roles: Roles
    weight: Floats | None
    columns: ClassColumns

    @property
    def each(self) -> Floats | None:
        """How many rows each cell of a file of counts stands for; None where rows are rows."""
        return None if self.table.counted is None else self.weight

    @cached_property
    def has_chances(self) -> bool:
        """Whether the score of a model lies between 0 and 1, as a probability does."""
        seen, models = profiles(self.table), self.roles.models.values()
        return any(c.unit and c.continuous for c in (seen[m.score] for m in models if m.score))

    def own_rows(self, model: str) -> Rows | None:
        """Return the places of the rows that a model has, where others have none of them."""
        own = rows_of(self.table, self.roles, model)
        return None if own is None else np.flatnonzero(own)


_Arrays = dict[str, NDArray[Any] | None]


class _Answers(NamedTuple):
    """A model's answers in all rows, what makes outcomes of them, and where some are missing."""

    outcomes: Callable[..., Outcomes]
    arrays: _Arrays
    gaps: Iterable[Gap]
    notices: Sequence[Notice] = ()


def _bound(shared: _Shared, name: str) -> tuple[Outcomes, tuple[Notice, ...]]:
    """Return the checked answers of a model in its complete rows, and notices about them.

    Raises:
        EvalError: "no-rows" if no row is complete, or all that are have weight 0.
    """
    read = _READ[shared.roles.task](shared, name)
    several = len(shared.roles.models) > 1
    own, each = shared.own_rows(name), shared.each
    kept, left_out = kept_rows(read.gaps, name if several else None, own, each)
    weight = shared.weight
    if weight is not None and not weight.all():
        # Rows of weight 0 count in no table, curve or test.
        kept = np.flatnonzero(weight > 0) if kept is None else kept[weight[kept] > 0]
        if not len(kept):
            raise refusal("no-rows/weight", column=shared.roles.weight)
    arrays = {**read.arrays, "weight": weight}
    if kept is not None:
        arrays = {key: None if held is None else held[kept] for key, held in arrays.items()}
    outcomes = read.outcomes(**arrays, rows=None if kept is None else kept + 1)
    return outcomes, (*read.notices, *left_out, *_without_answer(shared, name))


def _binary(shared: _Shared, name: str) -> _Answers:
    """Read one model of a yes-or-no question."""
    model, columns = shared.roles.models[name], shared.columns
    label, gaps = columns.labels.get(name), [*columns.gaps[name]]
    made = partial(BinaryOutcomes, classes=(columns.classes[0], columns.classes[1]))
    arrays: _Arrays = {"truth": columns.truth, "score": None, "label": label}
    if not model.score:
        return _Answers(made, arrays, gaps)
    score = _score(shared, model, None if label is None else label == 1)
    arrays["score"] = score.values
    gaps += _number_gaps("score", model.score, score.numbers)
    made = partial(made, probability=score.probability)
    return _Answers(made, arrays, gaps, score.notices)


def _of_classes(shared: _Shared, name: str) -> _Answers:
    """Read one model of a question with K classes."""
    model, columns, classes = shared.roles.models[name], shared.columns, shared.columns.classes
    label, gaps, notices = columns.labels.get(name), [*columns.gaps[name]], []
    arrays: _Arrays = {"truth": columns.truth, "label": label}
    if model.probabilities:
        table, roles = shared.table, shared.roles
        read = read_probabilities(table, model.probabilities, classes, roles, shared.each)
        gaps += read.gaps
        notices += read.notices
        if read.probability:
            arrays["probabilities"] = read.values
        elif label is None:
            there = np.flatnonzero(read.present)
            arrays["label"] = there[read.values[:, there].argmax(axis=1)].astype(np.int32)
        lost = (columns.truth >= 0) & ~read.present[columns.truth]
        if lost.any():
            of_truth = np.unique(columns.truth[lost])
            names = [classes[k] for k in of_truth]
            notices.append(notice("no-probability-column", rows=lost, classes=names))
    if model.score and label is not None:
        score = read_score(shared.table, model.score, Scale.PROBABILITY)
        answered = np.array([of != NO_PREDICTION for of in classes])[label]
        arrays["confidence"] = np.where(answered, score.values, 0.0)
        blank = _number_gaps("confidence", model.score, score.numbers)
        gaps += [replace(gap, rows=gap.rows & answered) for gap in blank]
        notices += score.notices
    return _Answers(partial(ClassOutcomes, classes=classes), arrays, gaps, notices)


def _of_numbers(shared: _Shared, name: str) -> _Answers:
    """Read one model of predicted numbers."""
    arrays: _Arrays = {}
    gaps: list[Gap] = []
    columns = {"truth": shared.roles.truth, "prediction": shared.roles.models[name].prediction}
    for role, column in columns.items():
        numbers = numbers_of(shared.table, column or "")
        numbers.refuse_infinite(column or "", huge=True)
        arrays[role] = numbers.values
        gaps += _number_gaps(role, column or "", numbers)
    return _Answers(NumericOutcomes, arrays, gaps)


_READ: Mapping[Task, Callable[[_Shared, str], _Answers]] = {
    Task.BINARY: _binary,
    Task.MULTICLASS: _of_classes,
    Task.REGRESSION: _of_numbers,
}
"""How one model's columns are read, by the task."""


def _without_answer(shared: _Shared, name: str) -> Iterator[Notice]:
    """Say what rows without a predicted label count as, and what they would else."""
    columns, roles = shared.columns, shared.roles
    label, gaps = columns.labels.get(name), columns.gaps.get(name, ())
    none = columns.classes.index(NO_PREDICTION) if NO_PREDICTION in columns.classes else -1
    if label is None or (none < 0 and all(gap.role != "label" for gap in gaps)):
        return
    known = columns.truth >= 0
    if (own := shared.own_rows(name)) is not None:
        known &= np.isin(np.arange(len(known)), own)
    blank = known & (label == none)
    if not blank.any() or (roles.missing is not None and none < 0):
        return
    weight = np.ones(len(label)) if shared.weight is None else shared.weight
    of_model = f' of "{name}"' if len(roles.models) > 1 else ""
    column = roles.models[name].label
    about: dict[str, Any] = {"rows": blank, "each": shared.each, "column": column, "of": of_model}
    about["all"] = int(known.sum()) if shared.each is None else float(shared.each[known].sum())
    if none >= 0:
        yield notice("no-prediction", **about)
        return
    right, total, left = (
        float(weight[part].sum())
        for part in (known & (label == columns.truth), known, known & ~blank)
    )
    wrong, answered = (right / n if n else np.nan for n in (total, left))
    about |= {"right": right, "total": total, "wrong": wrong, "answered": answered}
    yield notice("no-prediction/left-out", **about)


def _number_gaps(role: str, column: str, numbers: Numbers) -> list[Gap]:
    missing = numbers.missing
    return [Gap(role, column, np.isnan(numbers.values), missing)] if missing else []


def _score(shared: _Shared, model: ModelRoles, label_is_positive: Mask | None) -> Score:
    """Read a model's score column as the score of the positive class."""
    column, roles = model.score or "", shared.roles
    negative, positive = shared.columns.classes
    confidence = roles.scale is Scale.CONFIDENCE
    if confidence and label_is_positive is None:
        raise refusal("no-label", column=column)
    scale = Scale.PROBABILITY if confidence else roles.scale
    score = read_score(shared.table, column, scale, beside_chances=shared.has_chances)
    merged = {name: roles.merge_labels.get(of, of) for of, name in model.probabilities.items()}
    of = merged.get(column, positive)
    for other in (name for name in merged if name != column and merged[name] == of):
        more = read_score(shared.table, other, scale).values
        score = replace(score, values=score.values + more)
    if confidence and label_is_positive is not None:
        score = from_confidence(score, column, label_is_positive, positive)
    elif of == negative:
        score = opposite(score, "complement", name=column, of=negative, positive=positive)
    return opposite(score, "reversed", positive=positive) if roles.reverse else score


_WORKERS = 2
"""Models that are bound at once; what takes long in it does not hold the interpreter's lock."""

_FEWEST_AT_ONCE = 10_000
"""Rows from which a second worker takes less time than handing it the models."""


def bind(table: Table, roles: Roles) -> Dataset:
    """Turn the columns that have roles into checked outcomes, one per model.

    Raises:
        EvalError: A column does not hold what its role needs; the message names it and the rows.
    """
    if roles.task is Task.FOLDS:
        scores, notices = bind_folds(table, roles)
        return _dataset(table, roles, notices, fold_scores=scores)
    if roles.task is Task.CLUSTERING:
        truth = true_class(table, roles)
        clusterings, notices = bind_clusterings(table, roles)
        about = {"classes": truth.names if truth else (), "true_class": truth}
        return _dataset(table, roles, notices, clusterings=clusterings, **about)
    if roles.task is Task.CORRECT:
        marked, said = bind_correct(table, roles)
        return _with_models(table, roles, (*said, *about_groups(table, roles)), marked)
    weight = None
    if roles.weight:
        weight = numbers_of(table, roles.weight).weights(roles.weight)
        if table.counted is not None and (weight == 1).all():
            weight = None  # resamples are then drawn as of the rows
    of_numbers = roles.task is Task.REGRESSION
    columns = ClassColumns() if of_numbers else class_columns(table, roles)
    shared = _Shared(table, roles, weight, columns)
    numbers = ((model.score, model.prediction) for model in roles.models.values())
    read_numbers(table, (name for pair in numbers for name in pair if name))
    with ThreadPoolExecutor(_WORKERS) as pool:
        each = map if table.n < _FEWEST_AT_ONCE else pool.map
        bound = list(each(partial(_bound, shared), roles.models))
    models = {name: outcomes for name, (outcomes, _) in zip(roles.models, bound, strict=True)}
    own = [notice for _, notices in bound for notice in notices]
    told = (*columns.notices, *own, *check(table, roles, columns.classes, models))
    return _with_models(table, roles, told, models, columns.classes)


def _with_models(
    table: Table,
    roles: Roles,
    notices: Iterable[Notice],
    models: Mapping[str, Outcomes],
    classes: tuple[str, ...] = (),
) -> Dataset:
    """Return a data set with each model's answers, and what each row is drawn with."""
    group = _categories(table, roles.group)
    if roles.unit and group is not None and len(group.names) < 2:
        raise refusal("one-group", column=roles.unit)
    drawn = {}
    for name, one in models.items():
        counted, unit = are_counts(one.weight, roles), None
        if roles.unit and group is not None:
            unit = units(group.on(one), one.weight, counted=counted)
        elif not counted:
            unit = np.arange(one.n)
        drawn[name] = one if unit is None else replace(one, unit=unit, counted=counted)
    about = {"fold": _categories(table, roles.fold), "group": group, "classes": classes}
    return _dataset(table, roles, notices, models=MappingProxyType(drawn), **about)


def _dataset(table: Table, roles: Roles, notices: Iterable[Notice], **about: Any) -> Dataset:
    """Return a data set of what it is `about`, with the notices of its table and further ones."""
    # A doubt about the truth stands before anything that rests on it.
    in_order = sorted((*table.notices, *notices), key=lambda one: one.code != GUESSED_TRUTH)
    about = {"classes": (), "models": MappingProxyType({}), **about}
    each_once = tuple(dict.fromkeys(in_order))
    about["digest"] = digest_of(table, roles)
    if table.counted is not None:
        about["pairs"] = pairs_of(table, roles, bind)
        each_once = tuple(replace(one, rows=()) for one in each_once)  # cells are no rows
    return Dataset(table=table, roles=roles, notices=each_once, **about)


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
    dated = (roles.date,) if roles.date else ()
    scale = (roles.scale, roles.reverse, roles.unit, roles.weight_kind)
    wording = (roles.merge_spellings, sorted(roles.merge_labels.items()), roles.ignore_labels)
    question = (roles.task, roles.positive, *scale, roles.order, wording, roles.missing)
    features = (roles.features, roles.feature_kind)
    clusters = (sorted(roles.clusterings.items()), features, roles.noise)
    key = repr((source.digest, read, models, metadata, question, clusters, roles.folds, *dated))
    return hashlib.sha256(key.encode()).hexdigest()
