"""Notices about sound data that may still mislead, and ways out where data cannot be used."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from types import MappingProxyType

import numpy as np

from evalcore import inputs
from evalcore.errors import ROWS_LISTED, EvalError, Notice, Offer
from evalcore.outcomes import BinaryOutcomes, Codes, Floats, NumericOutcomes, Outcomes
from evalcore.tables.confusion import Counts
from evalcore.text import counted, have, listed, shorten
from evalread.columns import (
    MERGE_SPELLINGS,
    MISSING_WORDS,
    Labels,
    Spelling,
    as_role,
    holds_lists,
    is_number,
    labels_of,
    numbers_of,
    spelling_variants,
)
from evalread.dataset import (
    CHOSEN,
    Choices,
    Confidence,
    FeatureKind,
    ModelRoles,
    Roles,
    Scale,
    Table,
    Task,
    WeightKind,
)
from evalread.detection.clusters import unused
from evalread.detection.kinds import slices_of_forecasts
from evalread.detection.layout import was_matrix
from evalread.detection.predictions import chosen_columns, nothing_predicts
from evalread.detection.profile import FEW_CLASSES, Profile, profile, profiles, speaks_of_prediction
from evalread.rewriting import rows_sum_to_one
from evalread.rows import Mask, own_order, repetitions, row_numbers

MOST_UNUSED = 50
"""Unused columns that are looked at: a table with more is one of features."""

_MOST_SPARE = 3
"""Columns between 0 and 1 that are offered as scores: more are features on one scale."""


def unused_predictions(table: Table, roles: Roles) -> Iterator[Notice]:
    """Yield notices about unused columns that may hold predictions."""
    if roles.models:
        free = unused(table, roles)[:MOST_UNUSED]
        yield from _spare_scores(table, roles, free)
        yield from _lists(table, free)
        yield from slices_of_forecasts(table, roles)
        if roles.task is Task.MULTICLASS:
            yield from _of_no_class(table, roles, free)


def _spare_scores(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Offer columns that look like scores, but whose names do not say so, as further models."""
    scored = [model.score for model in roles.models.values() if model.score]
    chosen = any(roles.reasons.get(score) == CHOSEN for score in scored)
    if roles.task is not Task.BINARY or not scored or chosen:
        return
    like = [name for name in free if _like_a_score(profile(table, name))]
    if 0 < len(like) <= _MOST_SPARE:
        lies, is_used = ("lies", "it is") if len(like) == 1 else ("lie", "they are")
        message = (
            f"{listed(like)} {lies} between 0 and 1 like a score, but no name says so, so that "
            f"{is_used} not used."
        )
        offers = as_role(like, "a model", "scores")
        yield Notice("spare-score", message, "warning", column=like[0], offers=offers)


def _lists(table: Table, free: Sequence[str]) -> Iterator[Notice]:
    """Say which columns of predictions are not used, since their lists may mean anything."""
    for name in free:
        if speaks_of_prediction(name) and holds_lists(table.columns[name][:1000]):
            message = (
                f'"{name}" holds lists or objects, and the file does not say what each part is '
                "about, so that it is not used. Split it into one column per class."
            )
            yield Notice("list-cells", message, "warning", column=name)


def _like_a_score(column: Profile) -> bool:
    return column.unit and column.continuous


_OF_LABEL = (Offer("Read as the predicted label's", "scale", Scale.CONFIDENCE.value),)


def _of_no_class(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Report scores named after none of several classes, such as that of the decision."""
    spoken = filter(speaks_of_prediction, free)
    scores = [name for name in spoken if _like_a_score(profile(table, name))]
    if scores:
        called, is_used = ("is", "it is") if len(scores) == 1 else ("are", "they are")
        message = (
            f"{listed(scores, 6)} {called} called like a score, but after none of the classes, so "
            f"that {is_used} not used."
        )
        alone = len(scores) == len(roles.models) == 1 and not any(
            model.probabilities for model in roles.models.values()
        )
        yield Notice("score-of-no-class", message, column=scores[0], offers=_OF_LABEL * alone)


_MOST_PAIRED = 20
"""Scores that are compared with each other: 20 make 190 pairs."""

_TRAINING = frozenset({"train", "training"})
_SPLITS = _TRAINING | {"test", "testing", "val", "valid", "validation", "dev", "holdout", "eval"}
"""What the parts of a split are called."""


def check(
    table: Table, roles: Roles, classes: tuple[str, ...], models: Mapping[str, Outcomes]
) -> tuple[Notice, ...]:
    """Return the notices about bound data."""
    found = [
        *_guessed_truth(roles),
        *_spellings(table, roles, classes),
        *_order(roles, classes),
        *_gaps(roles, classes),
        *_numbers_or_classes(roles, classes, models),
        *_weights(table, roles),
        *repetitions(table, roles),
        *about_groups(table, roles),
        *_blank_folds_and_groups(table, roles),
        *_missing_words(table, roles),
        *_training_rows(table, roles),
        *_complementary_scores(table, roles),
        *unused_predictions(table, roles),
    ]
    for name, outcomes in models.items():
        if isinstance(outcomes, BinaryOutcomes):
            found.extend(_scores(outcomes, roles.models[name]))
    return tuple(found)


GUESSED_TRUTH = "guessed-truth"


def _guessed_truth(roles: Roles) -> Iterator[Notice]:
    """Say that the truth is a guess, before any number that rests on it."""
    reason = roles.reasons.get(roles.truth)
    if reason is not None and reason.confidence is Confidence.GUESS:
        message = (
            f'"{roles.truth}" was taken for the truth by a guess ({reason.text}). Every number '
            "rests on it: if another column holds what really happened, choose that one."
        )
        others = dict.fromkeys(one.column for one in roles.evidence if one.column != roles.truth)
        offers = as_role([*others][:3], "the truth", "truth")
        yield Notice(GUESSED_TRUTH, message, "warning", column=roles.truth, offers=offers)


def _spellings(table: Table, roles: Roles, classes: tuple[str, ...]) -> Iterator[Notice]:
    """Report classes that differ only in how they are written, and the rows of the rarer ones."""
    for names in spelling_variants(classes):
        labels = [labels_of(table, name) for name in _label_columns(roles)]
        rare = set(names) - {Spelling([found.counts for found in labels]).of(names[0])}
        rows = np.logical_or.reduce([_holds(found, rare) for found in labels])
        message = (
            f"{listed(names, 6)} are counted as {len(names)} classes, but differ only in how they "
            f"are written ({counted(int(rows.sum()), 'row')} with a rarer spelling)."
        )
        yield Notice(
            "spelling", message, "warning", rows=row_numbers(rows), offers=(MERGE_SPELLINGS,)
        )


def _label_columns(roles: Roles) -> Iterator[str]:
    yield roles.truth
    yield from (model.label for model in roles.models.values() if model.label)


def _holds(labels: Labels, names: Collection[str]) -> Mask:
    codes = [code for code, name in enumerate(labels.names) if name in names]
    return np.isin(labels.codes, codes)


def _order(roles: Roles, classes: tuple[str, ...]) -> Iterator[Notice]:
    """Offer the order that the names of the classes tell, where they do not stand in it."""
    order = own_order(classes)
    if order is None or order == classes or roles.order:
        return
    written = " < ".join(shorten(name, 20) for name in order[:8]) + (" …" if len(order) > 8 else "")
    message = (
        f"The {len(classes)} classes seem to have an order of their own ({written}), but stand in "
        "that of the alphabet. Weighted kappa counts by the order in which they stand."
    )
    yield Notice("class-order", message, offers=(Offer(f"Order them {written}", "order", order),))


_MOST_GRADES = 20
"""Grades of a scale: numbers that reach further are no grades."""


def _gaps(roles: Roles, classes: tuple[str, ...]) -> Iterator[Notice]:
    """Offer the whole scale where grades are numbers, and some that lie between have no row."""
    given = any(model.probabilities for model in roles.models.values())
    if roles.order or given or len(classes) < 3 or not all(map(str.isdecimal, classes)):
        return
    whole = range(min(map(int, classes)), max(map(int, classes)) + 1)
    scale = tuple(map(str, whole)) if len(whole) <= min(_MOST_GRADES, 2 * len(classes)) else ()
    if gone := [grade for grade in scale if grade not in classes]:
        message = (
            f"No row has {listed(gone, 6)}: weighted kappa takes the classes on both sides for "
            "neighbours, unless the order names all grades."
        )
        offer = Offer(f"A scale from {scale[0]} to {scale[-1]}", "order", scale)
        yield Notice("class-gap", message, offers=(offer,))


def _missing_words(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report classes such as "NA", which may mean a missing class."""
    if roles.task not in (Task.BINARY, Task.MULTICLASS):
        return
    truth = labels_of(table, roles.truth)
    words = [name for name in truth.names if name.lower() in MISSING_WORDS]
    if words and not all(map(is_number, set(truth.names) - set(words))):
        rows = _holds(truth, words)
        message = (
            f"{listed(words)} {'is a class' if len(words) == 1 else 'are classes'} here, in "
            f"{counted(int(rows.sum()), 'row')}. If it means that the class is not known, leave "
            "these cells blank."
        )
        yield Notice("missing-word", message, rows=row_numbers(rows), column=roles.truth)


def _training_rows(table: Table, roles: Roles) -> Iterator[Notice]:
    """Warn of rows that the models were perhaps fitted to, which every number counts."""
    for name in filter(None, (roles.fold, roles.group, *unused(table, roles)[:MOST_UNUSED])):
        column = profile(table, name)
        words = {label.lower() for label in column.labels}
        if not (words & _TRAINING and len(words) > 1 and words <= _SPLITS):
            continue
        labels = labels_of(table, name)
        rows = _holds(labels, [label for label in labels.names if label.lower() in _TRAINING])
        message = (
            f'"{name}" says that {int(rows.sum()):,} of {counted(table.n, "row")} are training '
            "rows. Models do better on rows that they were fitted to than on others, and every "
            "number counts all rows."
        )
        yield Notice("training-rows", message, "warning", rows=row_numbers(rows), column=name)


def _complementary_scores(table: Table, roles: Roles) -> Iterator[Notice]:
    """Warn of two scores that add up to 1, perhaps one model's for the two classes."""
    models = roles.models.values()
    scores = [m.score for m in models if m.score and not m.label and not m.probabilities]
    if roles.task is not Task.BINARY or len(scores) > _MOST_PAIRED:
        return
    for first, second in combinations(scores, 2):
        if rows_sum_to_one(table, [first, second]):
            message = (
                f'"{first}" and "{second}" add up to 1 in every row looked at: they are perhaps '
                f'about "{roles.positive}" and the other class, and not two models.'
            )
            offers = as_role([first, second], "the score", "scores")
            yield Notice("two-sides", message, "warning", column=second, offers=offers)


def _numbers_or_classes(
    roles: Roles, classes: tuple[str, ...], models: Mapping[str, Outcomes]
) -> Iterator[Notice]:
    """Say whether a truth of few whole numbers was read as numbers or as classes."""
    given = [model.probabilities or model.score for model in roles.models.values()]
    if roles.task is Task.MULTICLASS and all(map(is_number, classes)) and not any(given):
        message = (
            f'"{roles.truth}" holds {len(classes)} different numbers; they are read as classes.'
        )
        offer = Offer("Read them as numbers", "task", Task.REGRESSION.value)
        yield Notice("numbers-as-classes", message, column=roles.truth, offers=(offer,))
    numeric = [outcomes for outcomes in models.values() if isinstance(outcomes, NumericOutcomes)]
    if numeric and all(
        _all(values, _few_whole)
        for outcomes in numeric
        for values in (outcomes.truth, outcomes.prediction)
    ):
        message = (
            f'"{roles.truth}" holds few whole numbers; they are read as numbers, not as classes.'
        )
        offer = Offer("Read them as classes", "task", Task.MULTICLASS.value)
        yield Notice("classes-as-numbers", message, column=roles.truth, offers=(offer,))


def _all(values: Floats, rule: Callable[[Floats], bool]) -> bool:
    """Tell whether a rule holds of values; almost always the first rows settle it."""
    return rule(values[:1000]) and rule(values)


def _few_whole(values: Floats) -> bool:
    return bool((values == np.floor(values)).all()) and len(np.unique(values)) <= FEW_CLASSES


def _is_hard(score: Floats) -> bool:
    return bool(((score == 0) | (score == 1)).all())


def _weights(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report that rows are weighted, their total weight, and the rows of weight 0."""
    if not roles.weight or not roles.models or was_matrix(table):
        return
    values = numbers_of(table, roles.weight).values
    none = values == 0
    count = int(none.sum())
    gone = "is left out" if count == 1 else "are left out"
    zero = f"; {counted(count, 'row')} {have(count)} weight 0 and {gone}" if count else ""
    message = (
        f'Each row counts as often as "{roles.weight}" says: {counted(table.n, "row")} '
        f"stand for {float(values.sum()):,.6g}{zero}."
    )
    counts = are_counts(values, roles)
    if not counts:
        # Kish (1965), Survey Sampling, 8.2.
        equal = float(values.sum() ** 2 / (values**2).sum()) if values.any() else 0.0
        message = (
            f'"{roles.weight}" says how much each row counts, at whatever scale: '
            f"{counted(table.n - count, 'row')} tell about as much as {equal:,.0f} rows of equal "
            f"weight, on which intervals and tests rest{zero}."
        )
    kind, label = (
        (WeightKind.IMPORTANCE, "They say how much a row matters")
        if counts
        else (WeightKind.COUNTS, "They count rows")
    )
    offers = [Offer("Count each row once", "weight", "")]
    offers += [Offer(label, "weight_kind", kind.value)] if not counts or values.max() > 1 else []
    yield Notice(
        "weighted", message, rows=row_numbers(none), column=roles.weight, offers=tuple(offers)
    )


def are_counts(weight: Floats | None, roles: Roles) -> bool:
    """Whether weights are numbers of rows: where they are said to be, or all are whole."""
    if weight is None or roles.weight_kind is not None:
        return roles.weight_kind is not WeightKind.IMPORTANCE or weight is None
    return inputs.are_counts(weight)


_FEW_GROUPS = 20
"""With fewer groups their spread is hardly known: intervals and tests then miss what they promise
by several points, as simulations in `docs/statistics.md` show."""


def about_groups(table: Table, roles: Roles) -> Iterator[Notice]:
    """Say that groups of rows are drawn whole, and whether they are few."""
    codes = None if roles.group is None else labels_of(table, roles.group).codes
    if codes is None or roles.group is None:
        return
    sizes = np.bincount(codes[codes >= 0])
    sizes = sizes[sizes > 0]
    if not roles.unit:
        yield from _perhaps_dependent(roles, len(sizes))
    elif sizes.max(initial=0) < 2:
        message = f'No value of "{roles.unit}" repeats, so that each row is drawn by itself.'
        yield Notice("groups-of-one", message, column=roles.unit)
    else:
        few, doubt = len(sizes) < _FEW_GROUPS, ""
        if few:
            doubt = (
                f" With fewer than {_FEW_GROUPS} of them they are rough, and so is every verdict."
            )
        message = (
            f'Rows of one "{roles.unit}" are alike and tell less than as many others: intervals '
            f"and tests draw its {len(sizes):,} values whole, {_spread(sizes)} each.{doubt}"
        )
        offer = Offer("Take all rows as independent", "independent_rows", "yes")
        yield Notice(
            "grouped-rows",
            message,
            "warning" if few else "info",
            column=roles.unit,
            offers=(offer,),
        )


def _perhaps_dependent(roles: Roles, groups: int) -> Iterator[Notice]:
    """Offer to draw whole groups that are named like some, but are few."""
    assert roles.group is not None
    if roles.group.lower().endswith("_id") and not roles.independent_rows and groups > 1:
        message = (
            f'If rows of one "{roles.group}" are alike, intervals are too narrow; it is not drawn '
            f"whole by itself, since there are only {groups}."
        )
        offers = (Offer(f'Draw "{shorten(roles.group)}" whole', "group", roles.group),)
        yield Notice("perhaps-grouped", message, column=roles.group, offers=offers)


def _spread(sizes: Counts) -> str:
    low, high = int(sizes.min()), int(sizes.max())
    return counted(low, "row") if low == high else f"{low:,} to {high:,} rows"


def _scores(outcomes: BinaryOutcomes, roles: ModelRoles) -> Iterator[Notice]:
    score, label = outcomes.score, outcomes.label
    if score is None or not len(score):
        return
    if outcomes.probability and _all(score, _is_hard):
        message = (
            f'Column "{roles.score}" holds only 0 and 1, in all {counted(len(score), "row")}: '
            "labels rather than scores. Every curve has one step."
        )
        offer = Offer("Read as predicted labels", "labels", roles.score or "")
        yield Notice("hard-labels", message, "warning", column=roles.score, offers=(offer,))
    elif label is not None and outcomes.probability and _is_confidence(score, label, roles):
        against = int((label == 0).sum())
        message = (
            f'Column "{roles.score}" is never below 0.5, not even in the {counted(against, "row")} '
            f'whose label is "{outcomes.classes[0]}": it is perhaps the probability of the '
            f'predicted label, not that of "{outcomes.classes[1]}".'
        )
        rows = _rows_of(outcomes, label == 0)
        yield Notice("confidence", message, "warning", rows, roles.score, _OF_LABEL)


def _rows_of(outcomes: BinaryOutcomes, mask: Mask) -> tuple[int, ...]:
    if outcomes.rows is None:
        return row_numbers(mask)
    return tuple(outcomes.rows[mask][:ROWS_LISTED].tolist())


def _is_confidence(score: Floats, label: Codes, roles: ModelRoles) -> bool:
    if len(roles.probabilities) > 1:  # each column is named after the class that it is about
        return False
    said_no = label == 0
    return bool(score.min() >= 0.5 and said_no.any() and not said_no.all())


def _blank_folds_and_groups(table: Table, roles: Roles) -> Iterator[Notice]:
    for role, column in (("fold", roles.fold), ("group", roles.group)):
        if not column:
            continue
        blank = labels_of(table, column).codes < 0
        if blank.any():
            count = int(blank.sum())
            message = (
                f"{count:,} of {table.n:,} rows {have(count)} no {role} "
                f'("{column}" is blank); they count in the whole, and in no {role}.'
            )
            yield Notice(f"missing-{role}", message, rows=row_numbers(blank), column=column)


_MOST_WAYS = 4
"""Columns that are offered where nothing tells which one is meant: more are no help."""

_SCALES = {
    Scale.SCORE: "Read as a score that only ranks",
    Scale.LOGIT: "Read as log-odds",
    Scale.PERCENT: "Read as percent",
    Scale.PROBABILITY: "Read as the probability of the positive class",
}


def ways_out(problem: EvalError, table: Table, choices: Choices) -> tuple[Offer, ...]:
    """Return the answers to a refusal: its own, those of its kind, and to do without its column."""
    kind = _WAYS.get(problem.code)
    ways = [*problem.offers, *(kind(table, choices) if kind else ())]
    column = problem.column
    if column in table.columns and column not in chosen_columns(choices):
        ways.append(Offer(f'Leave "{shorten(column or "")}" aside', "ignore", column or ""))
    return tuple(dict.fromkeys(ways))


def _truths(table: Table, _: Choices) -> Iterable[Offer]:
    """Offer columns that repeat a few values, or hold numbers, and speak of no prediction."""
    columns = [one for name, one in profiles(table).items() if not speaks_of_prediction(name)]
    few = (one for one in columns if 1 < one.distinct <= FEW_CLASSES and not one.unique)
    return as_role((one.name for one in islice(few, _MOST_WAYS)), "the truth", "truth")


def _scales(_: Table, choices: Choices) -> Iterator[Offer]:
    for scale, label in _SCALES.items():
        if scale is not choices.scale:
            yield Offer(label, "scale", scale.value)


def _without_weight(table: Table, choices: Choices) -> Iterator[Offer]:
    if choices.weight != "":
        yield Offer("Count each row once", "weight", "")


_AS_CATEGORIES = Offer("Read as categories", "feature_kind", FeatureKind.CATEGORIES.value)
_WAYS: Mapping[str, Callable[[Table, Choices], Iterable[Offer]]] = MappingProxyType(
    {
        "no-truth": _truths,
        "not-probability": _scales,
        "no-label": _scales,
        "bad-weight": _without_weight,
        "bad-order": lambda *_: [Offer("Keep the usual order", "order", ())],
        "mixed-features": lambda *_: [_AS_CATEGORIES],
    }
)
"""What may be chosen where data cannot be used, by the code of the refusal."""


def no_predictions(
    truth: str, sure: bool, task: Task, others: Sequence[Profile], classes: Sequence[str]
) -> EvalError:
    """Return the error for a table without predictions, naming the columns.

    Where it is not sure that there is a truth at all, none is claimed.
    """
    names = listed([column.name for column in others]) or "none"
    variants = "".join(
        f" {listed(group, 6)} count as {len(group)} classes; write them alike if they are one."
        for group in spelling_variants(classes)
    )
    missing = ""
    missing_words = [name for name in classes if name.lower() in MISSING_WORDS]
    if missing_words and task is Task.MULTICLASS:
        missing = (
            f" {listed(missing_words)} counts as a class; leave its cells blank if it means none."
        )
    wanted = {
        Task.BINARY: "a score or a predicted label",
        Task.MULTICLASS: "a predicted label or one probability column per class",
        Task.REGRESSION: "a predicted number",
        Task.CLUSTERING: "a cluster",
        Task.FOLDS: "a score per fold",
    }[task]
    found = (
        f'"{truth}" holds the truth, but no column looks like a prediction. The other columns '
        f"are: {names}. Choose the one that holds {wanted}."
        if sure
        else nothing_predicts([truth, *(column.name for column in others)])
    )
    return EvalError(
        "no-predictions",
        f"{found}{variants}{missing}",
        offers=[*([MERGE_SPELLINGS] if variants else []), *_could_predict(task, others, classes)],
    )


_UNSURE = {
    *("unclear", "unknown", "unsure", "uncertain", "ambiguous", "undecided", "other", "none"),
    *("neutral", "tie", "draw", "skip", "na", "n/a", "mixed"),
}
"""Labels of rows that nobody could judge, in small letters."""


def _could_predict(
    task: Task, others: Sequence[Profile], classes: Sequence[str]
) -> Iterator[Offer]:
    """Offer the columns that may be predictions after all, and to leave out one of three labels."""
    numbers = [c for c in others if c.numeric and not (c.counting or c.constant)][:_MOST_WAYS]
    if task is Task.MULTICLASS and len(classes) == 3 and any(column.unit for column in numbers):
        doubtful = sorted(classes, key=lambda c: c.casefold() not in _UNSURE)
        yield from (Offer(f'Leave out rows that are "{c}"', "ignore_labels", c) for c in doubtful)
    if task is Task.MULTICLASS:
        same = [column for column in others if column.labels & set(classes)][:_MOST_WAYS]
        yield from as_role((c.name for c in same), "the label", "labels")
        return
    choice = "predictions" if task is Task.REGRESSION else "scores"
    yield from as_role((column.name for column in numbers), "the prediction", choice)
