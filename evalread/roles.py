"""Which column plays which role: by names first, by values second, always with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from evalcore.dataset import (
    CHOSEN,
    NO_CHOICES,
    Choices,
    Confidence,
    FeatureKind,
    ModelRoles,
    Reason,
    Roles,
    Scale,
    Table,
    Task,
)
from evalcore.errors import EvalError, Offer
from evalread.clusters import clustering_roles
from evalread.columns import (
    Labels,
    Spelling,
    class_order,
    labels_of,
    numbers_of,
    one_spelling,
    plain_if_numbers,
    same_by_value,
    same_labels,
)
from evalread.folds import fold_roles
from evalread.joining import NAMED_FILES
from evalread.layout import refuse_confusion
from evalread.predictions import (
    SideRoles,
    check_choices,
    chosen_columns,
    chosen_parts,
    named_parts,
    no_predictions,
    of_one_target,
    parts_by_value,
    side_roles,
)
from evalread.profile import Kind, Part, Profile, pieces, profiles
from evalread.scores import (
    AROUND,
    LEADS,
    OF_ITS_LABEL,
    choose_positive,
    confidence_scale,
    find_class,
    model_roles,
    other_class,
    scored_class,
    stated,
)
from evalread.signatures import overlay
from evalread.truth import PROVEN, find_truth, is_number, proven

THRESHOLD = "threshold"
"""An offer that is about the threshold: no choice of how a file is read."""

_BY_MODEL = ("labels", "scores", "predictions")


def taken(offer: Offer, choices: Choices, roles: Roles | None = None) -> Choices:
    """Return the choices with that of an offer; `roles` are the columns as they are used now.

    >>> taken(Offer("Read as log-odds", "scale", "logit"), Choices()).scale
    <Scale.LOGIT: 'logit'>
    """
    if offer.choice in _BY_MODEL and roles is not None:
        return with_models(choices, _moved(roles.models, str(offer.value), offer.choice))
    return replace(choices, **{offer.choice: _read(offer)})


def _read(offer: Offer) -> Any:
    match offer.choice, offer.value:
        case "task", str(value):
            return Task(value)
        case "scale", str(value):
            return Scale(value)
        case "feature_kind", str(value):
            return FeatureKind(value)
        case "reverse" | "merge_spellings", value:
            return value == "yes"
        case choice, str(value) if choice in _BY_MODEL:
            return {"": value}
        case _, value:
            return value


def _moved(models: Mapping[str, ModelRoles], column: str, role: str) -> Mapping[str, ModelRoles]:
    """Give a column another role in the model that it belongs to; a spare one is a new model."""
    only: dict[str, Any] = {role.removesuffix("s"): column}
    moved = ModelRoles(**only)
    if not any(column in model.columns for model in models.values()):
        return {**models, column: moved}
    return {name: moved if column in m.columns else m for name, m in models.items()}


def with_models(choices: Choices, models: Mapping[str, ModelRoles]) -> Choices:
    """Settle every column of every model: naming one of them settles them all."""
    probabilities = {name: given.probabilities for name, given in models.items()}
    scores = {
        name: given.score
        for name, given in models.items()
        if given.score is not None and given.score not in given.probabilities.values()
    }
    return replace(
        choices,
        labels=_offered_named(models, "label"),
        scores=scores or None,
        predictions=_offered_named(models, "prediction"),
        probabilities={name: columns for name, columns in probabilities.items() if columns} or None,
    )


def _offered_named(models: Mapping[str, ModelRoles], part: str) -> Mapping[str, str] | None:
    found = {name: getattr(given, part) for name, given in models.items()}
    return {name: column for name, column in found.items() if column is not None} or None


_FEW = 20
"""Different values that a column of classes may have, however few rows there are."""


@dataclass(frozen=True)
class _Question:
    """What is asked: the task, and for classes the positive one of two."""

    task: Task
    positive: str | None = None
    reason: Reason | None = None


def detect(table: Table, choices: Choices = NO_CHOICES) -> Roles:
    """Find the role of each column; what the user has chosen is kept.

    Raises:
        EvalError: "no-truth", "no-predictions", "ambiguous", or "no-such-column" for a choice.
    """
    check_choices(table, choices)
    known = overlay(choices, table.hints)
    if folds := fold_roles(table, known):
        return folds
    columns = profiles(table)
    known = overlay(known, proven(table, columns, known))
    side = side_roles(columns, known)
    if clusterings := clustering_roles(table, columns, side, known):
        return clusterings
    return _predicted(_File(table, choices, known, columns, side))


@dataclass(frozen=True, eq=False)
class _File:
    """A file of predictions, before its columns have roles; `known` adds the file's own hints."""

    table: Table
    choices: Choices
    known: Choices
    columns: Mapping[str, Profile]
    side: SideRoles


def _predicted(file: _File) -> Roles:
    """Return the roles in a file with what was true beside what models said."""
    known, side = file.known, file.side
    refuse_confusion(file.table, truth_known=file.choices.truth is not None)
    free = [column for name, column in file.columns.items() if name not in side.aside]
    truth, why = _truth(file.table, free, known)
    others = [column for column in free if column.name != truth]
    _refuse_spoilt_numbers(file, truth)
    number = is_number(file.columns[truth], others, known)
    answers = None if number else _answers(file.table, truth, known)
    found_parts = _parts(others, answers.names if answers else (), known)
    parts = _named(file, of_one_target(found_parts, truth, others), truth)
    if answers and known.merge_spellings:
        parts = _one_spelling(parts, answers)
    question = _question(file.table, answers, parts, known)
    if file.choices.positive is None and known.positive is not None:
        question = replace(question, reason=_as_written(file.table))
    tool = file.table.source.tool
    models = model_roles(parts, question.task, question.positive, unnamed=tool or "model")
    if not models:
        raise no_predictions(truth, question.task, others, answers.names if answers else ())
    used = {column for model in models.values() for column in model.columns}
    reasons = {truth: why, **{p.column: p.reason for p in parts if p.column in used}}
    scale = known.scale or confidence_scale(file.table, models.values())
    if scale is not known.scale:
        reasons |= {model.score: OF_ITS_LABEL for model in models.values() if model.score}
    found = replace(_assigned(file, question, reasons), truth=truth, models=models, scale=scale)
    around = (one.columns for one in stated(file.table.names, found).values())
    surrounding = dict.fromkeys(chain.from_iterable(around), AROUND)
    return replace(found, reasons={**surrounding, **found.reasons})


def _refuse_spoilt_numbers(file: _File, truth: str) -> None:
    """Refuse a truth of numbers with some words among them, such as a row of units."""
    column, known = file.columns[truth], file.known
    settled = known.task or known.labels or known.probabilities
    spoilt = column.mostly_numeric and not column.numeric
    if spoilt and not settled and column.distinct > max(_FEW, column.present / 2):
        numbers_of(file.table, truth)


def _assigned(file: _File, question: _Question, reasons: Mapping[str, Reason]) -> Roles:
    """Return the roles beside truth and models, and why each column has its own."""
    table, known, side = file.table, file.known, file.side
    asked, by_file = chosen_columns(file.choices), chosen_columns(table.hints)
    hinted = [column for column in chosen_columns(known) if column not in asked]
    told = {c: _as_written(table) if c in by_file else PROVEN for c in hinted}
    # A threshold is about one class; for the other, or for reversed scores, it would be another.
    as_cut = question.positive == table.hints.positive and not known.reverse
    return Roles(
        task=question.task,
        truth="",
        models={},
        fold=side.fold,
        weight=side.weight,
        group=side.group,
        id=side.id,
        positive=question.positive,
        positive_reason=question.reason,
        threshold=table.threshold if as_cut else None,
        reverse=known.reverse,
        order=known.order or (),
        merge_spellings=known.merge_spellings,
        reasons={**reasons, **side.reasons, **told},
    )


def _named(file: _File, parts: Sequence[Part], truth: str) -> list[Part]:
    """Call nameless models by the tool that wrote them; lists are left out, or refused."""
    tool = None if chosen_parts(file.choices) else file.table.source.tool
    one = sum(part.kind in LEADS and not part.model for part in parts) < 2
    called = [_called(part, truth, tool if one else None) for part in parts]
    return _without_lists(file.table, called, file.columns)


def _answers(table: Table, truth: str, known: Choices) -> Labels:
    found = same_by_value([labels_of(table, truth)])
    return (one_spelling(found) if known.merge_spellings else found)[0]


def _one_spelling(parts: Sequence[Part], answers: Labels) -> list[Part]:
    """Write the classes of probabilities as the truth writes them."""
    spelling = Spelling([answers.counts])
    return [p if p.of is None else replace(p, of=spelling.of(p.of)) for p in parts]


def _as_written(table: Table) -> Reason:
    if any(notice.code == NAMED_FILES for notice in table.notices):
        return Reason("by the names of the files", Confidence.LIKELY)
    tool = table.source.tool
    told = f"as {tool} writes it" if tool else "as the file itself says"
    return Reason(told, Confidence.SURE)


def _truth(table: Table, free: Sequence[Profile], known: Choices) -> tuple[str, Reason]:
    if known.truth:
        return known.truth, CHOSEN
    labels = {of for of_class in (known.probabilities or {}).values() for of in of_class}
    for column in (known.labels or {}).values():
        labels |= set(same_by_value([labels_of(table, column)])[0].names)
    return find_truth(free, chosen_columns(known), labels)


def _without_lists(
    table: Table, parts: Sequence[Part], columns: Mapping[str, Profile]
) -> list[Part]:
    """Leave out columns of lists where others tell of predictions; else refuse them."""
    plain = [part for part in parts if not columns[part.column].lists]
    for part in parts:
        if part not in plain and (not plain or part.reason == CHOSEN):
            numbers_of(table, part.column)
    return plain


def _parts(others: Sequence[Profile], classes: Sequence[str], known: Choices) -> list[Part]:
    """Find the prediction columns; naming any of them settles them all."""
    number = not classes
    if chosen := chosen_parts(known):
        return chosen
    named = named_parts(others, classes, numeric_truth=number)
    # A score alone decides nothing among several classes.
    if named and (len(classes) < 3 or any(part.kind is not Kind.SCORE for part in named)):
        return named
    return parts_by_value(others, classes, numeric_truth=number) or named


def _called(part: Part, truth: str, tool: str | None) -> Part:
    """Call a nameless model by its tool; words of the truth's own name are no name."""
    if part.reason == CHOSEN:
        return replace(part, model=part.model or tool or "")
    words = {word.lower() for word in pieces(part.model)}
    return replace(part, model="") if words <= {word.lower() for word in pieces(truth)} else part


def _question(
    table: Table, truth: Labels | None, parts: Sequence[Part], choices: Choices
) -> _Question:
    if truth is None:
        return _Question(choices.task or Task.REGRESSION)
    labels = [p.column for p in parts if p.kind is Kind.LABEL]
    named = [p.of for p in parts if p.of is not None]
    read = same_labels([truth, *(labels_of(table, name) for name in labels)])
    read = one_spelling(read) if choices.merge_spellings else read
    classes = class_order(
        plain_if_numbers([*(name for column in read for name in column.names), *named])
    )
    more = choices.positive or any(part.kind is not Kind.LABEL for part in parts)
    binary = len(classes) == 2 or (len(classes) == 1 and more)
    task = choices.task or (Task.BINARY if binary else Task.MULTICLASS)
    if task is not Task.BINARY:
        return _Question(task)
    if len(classes) == 1:
        classes = class_order([*classes, other_class(classes[0], choices.positive)])
    if len(classes) != 2:
        raise EvalError(
            "not-binary", f"A yes-or-no question has 2 classes; here there are {len(classes)}."
        )
    if choices.positive is not None:
        return _Question(task, find_class(classes, choices.positive), CHOSEN)
    scored = scored_class(table, parts)
    known = scored if scored in classes else None
    return _Question(task, *choose_positive(classes, read[0].counts, named, known))
