"""Which column plays which role: by names first, by values second, always with the reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from evalcore.errors import EvalError
from evalcore.inputs import other_class
from evalcore.tables.confusion import NO_PREDICTION
from evalread.checks import no_predictions, not_binary
from evalread.columns import (
    Labels,
    class_order,
    classes_of,
    labels_of,
    numbers_of,
    same_by_value,
    settled,
    spelling,
)
from evalread.dataset import (
    CHOSEN,
    NO_CHOICES,
    Choices,
    Confidence,
    Evidence,
    Reason,
    Roles,
    Table,
    Task,
)
from evalread.detection import scores
from evalread.detection.clusters import clustering_roles
from evalread.detection.correct import correct_roles, of_each_model
from evalread.detection.evidence import Facts
from evalread.detection.folds import fold_roles, holds_fold_scores
from evalread.detection.kinds import refuse_other_kinds
from evalread.detection.layout import COUNTS, holds_counts, matrix_hints, refuse_shares
from evalread.detection.predictions import (
    Metadata,
    check_choices,
    chosen_columns,
    chosen_predictions,
    metadata_roles,
    of_one_scale,
    of_one_target,
    predictions_by_name,
    predictions_by_value,
    with_known_labels,
)
from evalread.detection.profile import (
    FEW_CLASSES,
    Kind,
    PredictionColumn,
    Profile,
    lowered,
    profiles,
    speaks_of_prediction,
)
from evalread.detection.truth import Proof, candidates, find_truth, is_number, proven
from evalread.joining import NAMED_FILES
from evalread.rewriting import PREDICTIONS, overlay


@dataclass(frozen=True)
class _Question:
    """The task, and of two classes the positive one."""

    task: Task
    positive: str | None = None
    reason: Reason | None = None


def detect(table: Table, choices: Choices = NO_CHOICES) -> Roles:
    """Find the role of each column; what the user has chosen is kept.

    Raises:
        EvalError: "no-truth", "no-predictions", "ambiguous", or "no-such-column" for a choice.
    """
    known = overlay(choices, matrix_hints(table, choices))
    if table.question and not choices.own_rows and choices.model != "":
        raise table.question
    if known.own_rows:
        return _of_each_model(table, choices, known.model)
    check_choices(table, choices)
    columns = profiles(table)
    if correct := correct_roles(table, known):
        return correct
    if holds_fold_scores(table, known):
        return fold_roles(table, known)
    refuse_other_kinds(table, known)
    proof = None if known.truth or known.task else proven(table)
    known = overlay(known, _as_choices(proof, columns, known)) if proof else known
    metadata = metadata_roles(columns, known)
    if clusterings := clustering_roles(table, columns, known):
        return clusterings
    return _prediction_roles(_PredictionFile(table, choices, known, columns, metadata, proof))


def _as_choices(proof: Proof, columns: Mapping[str, Profile], known: Choices) -> Choices:
    """Return the proved truth, and its prediction where no name speaks of any."""
    truth, of = proof.truth, {"": proof.prediction}
    if any(getattr(known, role) for role in PREDICTIONS) or any(map(speaks_of_prediction, columns)):
        return Choices(truth=truth)
    if columns[truth].holds_only({"0", "1"}):
        return Choices(truth=truth, scores=of)
    if columns[truth].continuous:
        return Choices(truth=truth, predictions=of)
    return Choices(truth=truth, labels=of)


def _of_each_model(table: Table, choices: Choices, column: str | None) -> Roles:
    """Return the roles in a table whose models have rows of their own, each named in a column."""
    if not column:
        raise EvalError(
            "no-model-column",
            "No column names the model of each row, so that none has rows of its own. Choose it "
            "(--model COL).",
        )
    rest = {name: cells for name, cells in table.columns.items() if name != column}
    alone = replace(table, columns=rest, hints=replace(table.hints, model=None, own_rows=False))
    found = detect(replace(alone, question=None), replace(choices, model=None, own_rows=False))
    if not found.models:
        return found
    models = of_each_model(found.models, labels_of(table, column).names)
    reason = CHOSEN if choices.model else Reason("names the model of each row", Confidence.LIKELY)
    return replace(found, model=column, models=models, reasons={**found.reasons, column: reason})


@dataclass(frozen=True, eq=False)
class _PredictionFile:
    """A file of predictions, before its columns have roles; `known` adds the file's own hints."""

    table: Table
    choices: Choices
    known: Choices
    columns: Mapping[str, Profile]
    metadata: Metadata
    proof: Proof | None


def _prediction_roles(file: _PredictionFile) -> Roles:
    """Return the roles in a file of truth and predictions."""
    table, known = file.table, file.known
    refuse_shares(table, truth_known=file.choices.truth is not None)
    free = [column for name, column in file.columns.items() if name not in file.metadata.excluded]
    chosen: tuple[str, Reason, tuple[Evidence, ...]] = (known.truth or "", CHOSEN, ())
    found_truth = chosen if known.truth else find_truth(_facts(table, free, known))
    truth, truth_reason, evidence = found_truth
    sure = truth_reason.confidence is Confidence.SURE
    others = [column for column in free if column.name != truth]
    _refuse_spoilt_numbers(file, truth)
    # What is said of a label may be about one that only predictions hold.
    there = replace(known, merge_labels=None, missing=None)
    numeric = is_number(file.columns[truth], others, known)
    labels = None if numeric else settled([labels_of(table, truth)], there)[0]
    classes = labels.names if labels else ()
    predicting = of_one_target(_predictions(others, classes, known), truth, others)
    predictions = _models_of(file, predicting, truth, labels)
    question = _question(file, None if numeric else truth, predictions)
    if file.choices.positive is None and known.positive is not None:
        question = replace(question, reason=_reason_of_file(table))
    models = scores.model_roles(
        predictions,
        question.task,
        question.positive,
        unnamed=table.source.tool or "model",
        scale=known.scale,
    )
    if not models:
        raise no_predictions(truth, sure, question.task, others, classes)
    if known.truth is None and not sure:
        scores.ask_whose_confidence(table, truth, models.values())
    used = {column for model in models.values() for column in model.columns}
    reasons = {truth: truth_reason, **{p.column: p.reason for p in predictions if p.column in used}}
    scale = known.scale or scores.confidence_scale(table, models.values())
    if scale is not known.scale:
        reasons |= {model.score: scores.OF_ITS_LABEL for model in models.values() if model.score}
    beside = _roles_beside_models(file, question, reasons)
    found = replace(beside, truth=truth, models=models, scale=scale, evidence=evidence)
    bounds = (one.columns for one in scores.prediction_bounds(table.names, found).values())
    surrounding = dict.fromkeys(chain.from_iterable(bounds), scores.AROUND)
    return replace(found, reasons={**surrounding, **found.reasons})


def _models_of(
    file: _PredictionFile, found: list[PredictionColumn], truth: str, labels: Labels | None
) -> list[PredictionColumn]:
    """Leave out what only looks like a prediction of the truth, and name the models of the rest."""
    if labels:
        found = of_one_scale(with_known_labels(found, file.columns, labels.names))
    # A nameless model is called by the tool that wrote it, words of the truth's name are no name.
    single = sum(one.kind in scores.LEADS and not one.model for one in found) < 2
    tool = file.table.source.tool if single and not chosen_predictions(file.choices) else None
    words, named = set(lowered(truth)), []
    for one in found:
        own = "" if words.issuperset(lowered(one.model)) else one.model
        model = one.model or tool or "" if one.reason == CHOSEN else own
        named.append(replace(one, model=model))
    named = _without_lists(file.table, named, file.columns)
    if labels and file.known.merge_spellings:  # the classes as the truth writes them
        written = spelling([labels.counts])
        return [p if p.of is None else replace(p, of=written(p.of)) for p in named]
    return named


def _refuse_spoilt_numbers(file: _PredictionFile, truth: str) -> None:
    """Refuse a truth of numbers with some words among them, such as a row of units."""
    column, known = file.columns[truth], file.known
    has_task = known.task or known.labels or known.probabilities
    spoilt = column.mostly_numeric and not column.numeric
    if spoilt and not has_task and column.distinct > max(FEW_CLASSES, column.present / 2):
        numbers_of(file.table, truth)


def _roles_beside_models(
    file: _PredictionFile, question: _Question, reasons: Mapping[str, Reason]
) -> Roles:
    """Return the roles beside truth and models, and why each column has its own."""
    table, known, metadata = file.table, file.known, file.metadata
    chosen, by_file = chosen_columns(file.choices), chosen_columns(table.hints)
    hinted = [column for column in chosen_columns(known) if column not in chosen]
    of_file = {c: _reason_of_file(table, c) for c in hinted if c in by_file}
    proofs = dict.fromkeys(hinted, file.proof.reason) if file.proof else {}
    hint_reasons = {**proofs, **of_file}
    # A threshold is about one class; for the other, or for reversed scores, it would be another.
    of_positive = question.positive == table.hints.positive and not known.reverse
    return Roles(
        task=question.task,
        truth="",
        models={},
        fold=metadata.fold,
        weight=metadata.weight,
        group=metadata.group,
        id=metadata.id,
        positive=question.positive,
        positive_reason=question.reason,
        threshold=table.threshold if of_positive else None,
        reverse=known.reverse,
        order=known.order or (),
        merge_spellings=known.merge_spellings,
        merge_labels=known.merge_labels or {},
        ignore_labels=known.ignore_labels or (),
        missing=known.missing,
        weight_kind=known.weight_kind,
        independent_rows=known.independent_rows,
        reasons={**reasons, **metadata.reasons, **hint_reasons},
    )


def _reason_of_file(table: Table, column: str | None = None) -> Reason:
    if any(notice.code == NAMED_FILES for notice in table.notices):
        return Reason("by the names of the files", Confidence.LIKELY)
    tool = table.source.tool
    if column == table.hints.weight and holds_counts(table):
        return COUNTS
    reason = f"as {tool} writes it" if tool else "as the file itself says"
    return Reason(reason, Confidence.SURE)


def explain(table: Table, choices: Choices = NO_CHOICES) -> tuple[Evidence, ...]:
    """Return what speaks for and against each column as the truth, the likeliest column first.

    Where the truth is chosen, proved or told by the file, the rules speak all the same. Nothing is
    said of a column that nothing speaks for.
    """
    columns = profiles(table)
    known = overlay(choices, table.hints)
    excluded = metadata_roles(columns, replace(known, truth=None)).excluded
    free = [column for name, column in columns.items() if name not in excluded]
    facts = _facts(table, free, replace(known, truth=None))
    told = [*_told(table, columns)]
    said = [said for one in candidates(facts) for said in one.evidence]
    first = dict.fromkeys(one.column for one in (*told, *said))
    return tuple(one for column in first for one in (*told, *said) if one.column == column)


def _told(table: Table, columns: Mapping[str, Profile]) -> Iterator[Evidence]:
    """Yield what weighs more than all rules together: proof, and then the tool's own word."""
    if proof := proven(table):
        yield Evidence(proof.truth, 40, proof.reason)
    tool, told = table.source.tool, table.hints.truth
    if tool and told and told in columns:
        yield Evidence(told, 20, Reason(f"{tool} writes it so", Confidence.SURE))


def _facts(table: Table, free: Sequence[Profile], known: Choices) -> Facts:
    labels = {of for of_class in (known.probabilities or {}).values() for of in of_class}
    for column in (known.labels or {}).values():
        labels |= set(same_by_value([labels_of(table, column)])[0].names)
    chosen = frozenset(chosen_columns(known))
    return Facts(table, free, chosen, frozenset(labels))


def _without_lists(
    table: Table, predictions: Sequence[PredictionColumn], columns: Mapping[str, Profile]
) -> list[PredictionColumn]:
    """Leave out columns of lists where others tell of predictions; else refuse them."""
    plain = [one for one in predictions if not columns[one.column].lists]
    for one in predictions:
        if columns[one.column].lists and (not plain or one.reason == CHOSEN):
            numbers_of(table, one.column)
    return plain


def _predictions(
    others: Sequence[Profile], classes: Sequence[str], known: Choices
) -> list[PredictionColumn]:
    """Find the prediction columns; naming any of them settles them all."""
    numeric = not classes
    if chosen := chosen_predictions(known):
        return chosen
    by_name = predictions_by_name(others, classes, numeric_truth=numeric)
    # A score alone decides nothing among several classes.
    if by_name and (len(classes) < 3 or any(one.kind is not Kind.SCORE for one in by_name)):
        return by_name
    return predictions_by_value(others, classes, numeric_truth=numeric) or by_name


def _question(
    file: _PredictionFile, truth_column: str | None, predictions: Sequence[PredictionColumn]
) -> _Question:
    table, choices = file.table, file.known
    if truth_column is None:
        return _Question(choices.task or Task.REGRESSION)
    labels = [p.column for p in predictions if p.kind is Kind.LABEL]
    named = [p.of for p in predictions if p.of is not None]
    columns = [labels_of(table, name) for name in (truth_column, *labels)]
    read = settled(columns, choices, named)
    merges = choices.merge_labels or {}
    classes = classes_of(read, [merges.get(of, of) for of in named])
    more = choices.positive or any(one.kind is not Kind.LABEL for one in predictions)
    binary = (len(classes) == 2 or (len(classes) == 1 and more)) and NO_PREDICTION not in classes
    task = choices.task or (Task.BINARY if binary else Task.MULTICLASS)
    if task is not Task.BINARY:
        return _Question(task)
    if len(classes) == 1:
        classes = class_order([*classes, other_class(classes[0], choices.positive)])
    if len(classes) != 2:
        raise not_binary(classes, read[0].names)
    if choices.positive is not None:
        return _Question(task, scores.find_class(classes, choices.positive), CHOSEN)
    scored = scores.scored_class(table, predictions)
    known = scored if scored in classes else None
    counts = _weighted_counts(table, read[0], file.metadata.weight)
    return _Question(task, *scores.choose_positive(classes, counts, named, known))


def _weighted_counts(table: Table, labels: Labels, weight: str | None) -> Mapping[str, float]:
    """Return how often each class stands in a file, where a row counts as its weight says."""
    if weight is None:
        return labels.counts
    weights = np.nan_to_num(numbers_of(table, weight).values)
    totals = np.bincount(labels.codes + np.intp(1), weights, len(labels.names) + 1)
    return dict(zip(labels.names, totals[1:].tolist(), strict=True))
