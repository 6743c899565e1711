"""Which column plays which role: by names first, by values second, always with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from evalcore.inputs import other_class
from evalcore.tables.confusion import NO_PREDICTION
from evalread.checks import no_predictions, not_binary
from evalread.columns import (
    Labels,
    class_order,
    classes_of,
    labels_in,
    labels_of,
    numbers_of,
    same_by_value,
)
from evalread.counts.judged import roles_in
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
from evalread.detection.correct import Proof, correct_roles, of_each_model, proven
from evalread.detection.evidence import Facts, candidates, find_truth, is_number
from evalread.detection.folds import fold_roles, holds_fold_scores
from evalread.detection.kinds import refuse_other_kinds
from evalread.detection.layout import COUNTS, holds_counts, matrix_hints, refuse_shares
from evalread.detection.predictions import (
    Metadata,
    check_choices,
    chosen_columns,
    chosen_predictions,
    metadata_roles,
    of_the_truth,
    predictions_by_name,
    predictions_by_value,
    with_what_is_near,
    with_what_ranks,
    without_what_ranks_nothing,
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
from evalread.joining import NAMED_FILES
from evalread.notices import refusal
from evalread.rewriting import PREDICTIONS, carried_along, overlay, settled, spelling


def detect(table: Table, choices: Choices = NO_CHOICES) -> Roles:
    """Find the role of each column; what the user has chosen is kept.

    Raises:
        EvalError: "no-truth", "no-predictions", "ambiguous", or "no-such-column" for a choice.
    """
    if table.counted is not None:
        return roles_in(table, choices, detect)
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
    if clusterings := clustering_roles(table, columns, known):
        return clusterings
    return _prediction_roles(table, choices, known, proof)


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
        raise refusal("no-model-column")
    rest = {name: cells for name, cells in table.columns.items() if name != column}
    alone = replace(table, columns=rest, hints=replace(table.hints, model=None, own_rows=False))
    found = detect(replace(alone, question=None), replace(choices, model=None, own_rows=False))
    if not found.models:
        return found
    models = of_each_model(found.models, labels_of(table, column).names)
    reason = CHOSEN if choices.model else Reason("names the model of each row", Confidence.LIKELY)
    return replace(found, model=column, models=models, reasons={**found.reasons, column: reason})


def _prediction_roles(table: Table, choices: Choices, known: Choices, proof: Proof | None) -> Roles:
    """Return the roles in a file of truth and predictions; `known` adds to what is chosen."""
    refuse_shares(table, truth_known=choices.truth is not None)
    columns = profiles(table)
    metadata = metadata_roles(columns, known)
    free = [column for name, column in columns.items() if name not in metadata.excluded]
    chosen: tuple[str, Reason, tuple[Evidence, ...]] = (known.truth or "", CHOSEN, ())
    found = chosen if known.truth else find_truth(_facts(table, free, known))
    truth, truth_reason, evidence = found
    others = [column for column in free if column.name != truth]
    _refuse_spoilt_numbers(table, columns[truth], known)
    # What is said of a label may be about one that only predictions hold.
    there = replace(known, merge_labels=None, missing=None)
    numeric = is_number(table, columns[truth], others, known)
    labels = None if numeric else settled([labels_of(table, truth)], there)[0]
    tool = None if chosen_predictions(choices) else table.source.tool
    predictions = _predictions(table, others, known, truth, labels, tool)
    task, positive, why_positive = _question(
        table, known, None if numeric else truth, predictions, metadata
    )
    if choices.positive is None and known.positive is not None:
        why_positive = _reason_of_file(table)
    unnamed = table.source.tool or "model"
    models = scores.model_roles(predictions, task, positive, unnamed=unnamed, scale=known.scale)
    sure = truth_reason.confidence is Confidence.SURE
    if not models:
        of = [name for name, _ in _facts(table, others, replace(known, truth=None)).foreseen]
        raise no_predictions(truth, sure, task, others, labels.counts if labels else {}, of)
    if known.truth is None and not sure:
        scores.ask_whose_confidence(table, truth, models.values())
    scale = known.scale or scores.confidence_scale(table, models.values())
    used = {column for model in models.values() for column in model.columns}
    reasons = {truth: truth_reason, **{p.column: p.reason for p in predictions if p.column in used}}
    if scale is not known.scale:
        reasons |= {model.score: scores.OF_ITS_LABEL for model in models.values() if model.score}
    # A threshold is about one class; for the other, or for reversed scores, it would be another.
    of_positive = positive == table.hints.positive and not known.reverse
    roles = Roles(
        task=task,
        truth=truth,
        models=models,
        fold=metadata.fold,
        weight=metadata.weight,
        group=metadata.group,
        id=metadata.id,
        positive=positive,
        positive_reason=why_positive,
        threshold=table.threshold if of_positive else None,
        scale=scale,
        evidence=evidence,
        **carried_along(known),
    )
    bounds = scores.prediction_bounds(table.names, roles).values()
    around = dict.fromkeys((name for one in bounds for name in one.columns), scores.AROUND)
    hinted = _reasons_of_hints(table, choices, known, proof)
    idle = {one.column for one in chosen_predictions(known)} - used
    hinted = {column: reason for column, reason in hinted.items() if column not in idle}
    return replace(roles, reasons={**around, **reasons, **metadata.reasons, **hinted})


def _predictions(
    table: Table,
    others: Sequence[Profile],
    known: Choices,
    truth: str,
    labels: Labels | None,
    tool: str | None,
) -> list[PredictionColumn]:
    """Return the columns that predict the truth, each with the name of its model.

    A single nameless model is called by the tool that wrote it.
    """
    classes = labels.names if labels else ()
    # Naming any prediction settles them all.
    found = chosen_predictions(known) or _like_predictions(table, others, classes, truth)
    single = sum(one.kind in scores.LEADS and not one.model for one in found) < 2
    tool, words, named = tool if single else None, set(lowered(truth)), []
    for one in found:
        # Words of the truth's name are no name of a model.
        own = "" if words.issuperset(lowered(one.model)) else one.model
        model = one.model or tool or "" if one.reason == CHOSEN else own
        named.append(one if model == one.model else replace(one, model=model))
    columns = profiles(table)
    plain = [one for one in named if not columns[one.column].lists]
    for one in named:
        if columns[one.column].lists and (not plain or one.reason == CHOSEN):
            numbers_of(table, one.column)  # which refuses lists, unless others tell
    if labels and known.merge_spellings:  # the classes as the truth writes them
        written = spelling([labels.counts])
        return [one if one.of is None else replace(one, of=written(one.of)) for one in plain]
    return plain


def _like_predictions(
    table: Table, others: Sequence[Profile], classes: Sequence[str], truth: str
) -> list[PredictionColumn]:
    """Find the prediction columns of a truth, by their names or else by their values."""
    found = predictions_by_name(table, others, classes, numeric_truth=not classes)
    found = with_what_is_near(table, found, others, truth)
    if len(classes) == 2:
        found = with_what_ranks(table, found, others, truth, classes)
    # A score alone decides nothing among several classes.
    if not found or (len(classes) > 2 and all(one.kind is Kind.SCORE for one in found)):
        by_value = predictions_by_value(others, classes, numeric_truth=not classes)
        found = without_what_ranks_nothing(table, by_value, truth) or found
    return of_the_truth(found, truth, others, classes)


def _refuse_spoilt_numbers(table: Table, truth: Profile, known: Choices) -> None:
    """Refuse a truth of numbers with some words among them, such as a row of units."""
    has_task = known.task or known.labels or known.probabilities
    spoilt = truth.mostly_numeric and not truth.numeric
    if spoilt and not has_task and truth.distinct > max(FEW_CLASSES, truth.present / 2):
        numbers_of(table, truth.name)


def _reasons_of_hints(
    table: Table, choices: Choices, known: Choices, proof: Proof | None
) -> Mapping[str, Reason]:
    """Return why columns that nobody has chosen are known."""
    chosen, by_file = chosen_columns(choices), chosen_columns(table.hints)
    hinted = [column for column in chosen_columns(known) if column not in chosen]
    of_file = {c: _reason_of_file(table, c) for c in hinted if c in by_file}
    return {**(dict.fromkeys(hinted, proof.reason) if proof else {}), **of_file}


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
    said = []
    # What weighs more than all rules together: proof, and then the tool's own word.
    if proof := proven(table):
        said.append(Evidence(proof.truth, 40, proof.reason))
    tool, told = table.source.tool, table.hints.truth
    if tool and told and told in columns:
        said.append(Evidence(told, 20, Reason(f"{tool} writes it so", Confidence.SURE)))
    said += [one for found in candidates(facts).values() for one in found]
    first = list(dict.fromkeys(one.column for one in said))
    return tuple(sorted(said, key=lambda one: first.index(one.column)))


def _facts(table: Table, free: Sequence[Profile], known: Choices) -> Facts:
    labels = {of for of_class in (known.probabilities or {}).values() for of in of_class}
    for column in (known.labels or {}).values():
        labels |= set(same_by_value([labels_of(table, column)])[0].names)
    chosen = frozenset(chosen_columns(known))
    return Facts(table, free, chosen, frozenset(labels))


def _question(
    table: Table,
    known: Choices,
    truth: str | None,
    predictions: Sequence[PredictionColumn],
    metadata: Metadata,
) -> tuple[Task, str | None, Reason | None]:
    """Return the task, and of two classes the positive one and why; without truth numbers are."""
    if truth is None:
        return known.task or Task.REGRESSION, None, None
    labels = [p.column for p in predictions if p.kind is Kind.LABEL]
    named = [p.of for p in predictions if p.of is not None]
    read = settled(labels_in(table, (truth, *labels)), known, named)
    merges = known.merge_labels or {}
    classes = classes_of(read, [merges.get(of, of) for of in named])
    more = known.positive or any(one.kind is not Kind.LABEL for one in predictions)
    binary = (len(classes) == 2 or (len(classes) == 1 and more)) and NO_PREDICTION not in classes
    task = known.task or (Task.BINARY if binary else Task.MULTICLASS)
    if task is not Task.BINARY:
        return task, None, None
    if len(classes) == 1:
        classes = class_order([*classes, other_class(classes[0], known.positive)])
    if len(classes) != 2:
        raise not_binary(classes, read[0].names)
    if known.positive is not None:
        return task, scores.find_class(classes, known.positive), CHOSEN
    counts, weight = read[0].counts, metadata.weight
    if weight is not None:  # a row counts as its weight says
        weights = np.nan_to_num(numbers_of(table, weight).values)
        totals = np.bincount(read[0].codes + np.intp(1), weights, len(read[0].names) + 1)
        counts = dict(zip(read[0].names, totals[1:].tolist(), strict=True))
    scored = scores.scored_class(table, predictions, known.ignore_labels or ())
    known_class = scored if scored in classes else None
    return task, *scores.choose_positive(classes, counts, named, known_class)
