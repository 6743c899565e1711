"""Notices about sound data that may still mislead, and ways out where data cannot be used."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, islice
from types import MappingProxyType
from typing import Any

import numpy as np

from evalcore import inputs
from evalcore.errors import ROWS_LISTED, EvalError, Notice, Offer
from evalcore.outcomes import BinaryOutcomes, Floats, NumericOutcomes, Outcomes
from evalcore.text import counted, listed, shorten
from evalread.columns import (
    MISSING_WORDS,
    Labels,
    as_labels,
    class_order,
    codes_in,
    holds_lists,
    is_number,
    labels_in,
    labels_of,
    numbers_of,
    renamed,
    same_labels,
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
    apply_offer,
)
from evalread.detection.clusters import unused
from evalread.detection.kinds import slices_of_forecasts
from evalread.detection.layout import repetitions, was_matrix
from evalread.detection.predictions import RANKS, chosen_columns, leads_of
from evalread.detection.profile import (
    FEW_CLASSES,
    WORDS,
    Profile,
    profile,
    profiles,
    sample,
    speaks_of_prediction,
    truth_word,
)
from evalread.notices import as_role, fill, notice, refusal
from evalread.rewriting import (
    MERGE_SPELLINGS,
    holds,
    leaves_two,
    missing_codes,
    own_order,
    rows_sum_to_one,
    settled,
    spelling,
    spelling_variants,
)

_MOST_UNUSED = 50
"""Unused columns that are looked at: a table with more is one of features."""

_MOST_SPARE = 3
"""Columns between 0 and 1 that are offered as scores: more are features on one scale."""


def _spare(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Offer columns that look like answers, but whose names do not say so, as further models."""
    columns = [column for name in free if not _follows(column := profile(table, name))]
    used = {column for model in roles.models.values() if columns for column in model.columns}
    if any(roles.reasons.get(column) == CHOSEN for column in used):
        return
    if roles.task in (Task.BINARY, Task.MULTICLASS):
        yield from _spare_labels(table, roles, columns)
    scored = [model.score for model in roles.models.values() if model.score]
    if roles.task is not Task.BINARY or not scored:
        return
    like = [column.name for column in columns if _like_a_score(column)]
    if 0 < len(like) <= _MOST_SPARE:
        offers = as_role(like, "a model", "scores")
        yield notice("spare-score", column=like[0], names=like, offers=offers)
    yield from _spare_ranks(table, roles, scored, columns)


def _follows(column: Profile) -> bool:
    """Return whether a column follows from the truth, or is another one, by its name."""
    ends = {column.words[0], column.words[-1]}
    other = truth_word(column.name) or not ends.isdisjoint(WORDS.happened)
    return other or not (WORDS.unpredicted | WORDS.correct).isdisjoint(column.words)


_MOST_TRIED = 10
"""Columns that are held against the truth: a table with more to try is one of features."""

_AGREE_IN_WORDS, _AGREE = 0.2, 0.4
"""Cohen's kappa from which a column may hold answers: three words or more are seldom shared by
anything else, while 0 and 1 stand for many things, some of which go with the truth."""


def _spare_labels(table: Table, roles: Roles, columns: Sequence[Profile]) -> Iterator[Notice]:
    """Offer columns that hold the truth's classes in nearly each row, and often the right one."""
    known = profile(table, roles.truth).labels
    shared = ((c, len(c.labels & known)) for c in columns if not (c.continuous or c.lists))
    tried = [c.name for c, both in shared if both > 1 and both * 2 >= len(c.labels)]
    if not 0 < len(tried) <= _MOST_TRIED:
        return
    read = same_labels([as_labels(sample(table, n), n) for n in (roles.truth, *tried)])
    words = len(known) > 2 and not all(map(is_number, known))
    least = _AGREE_IN_WORDS if words else _AGREE
    # What agrees in each row is the truth once more.
    like = [n for n, own in zip(tried, read[1:], strict=True) if least <= _kappa(read[0], own) < 1]
    if like:
        offers = [*_all_of(like), *as_role(like[:_MOST_WAYS], "a model", "labels")]
        yield notice("spare-label", column=like[0], truth=roles.truth, names=like, offers=offers)


def _all_of(columns: Sequence[str]) -> Iterator[Offer]:
    """Offer several columns of labels together, each as a model."""
    if len(columns) > 1:
        said = " and ".join(f'"{shorten(name)}"' for name in columns)
        yield Offer(f"{said} are models", "labels", tuple(columns))


def _kappa(truth: Labels, other: Labels) -> float:
    """Return Cohen's kappa of two columns; 0 where it may be chance, or many labels are others."""
    classes = class_order(truth.names)
    own = codes_in(renamed(other, lambda name: name if name in classes else None), classes)
    both = (truth.codes >= 0) & (own >= 0)
    n, strange = np.count_nonzero(both), np.count_nonzero((other.codes >= 0) & (own < 0))
    if n < 2 or strange * _RARELY > n:
        return 0.0
    pairs = [codes_in(truth, classes)[both], own[both]]
    shares = [np.bincount(codes, minlength=len(classes)) / n for codes in pairs]
    chance = float(shares[0] @ shares[1])
    above = float(np.mean(pairs[0] == pairs[1])) - chance
    return above / (1 - chance) if above > 4 * np.sqrt(chance * (1 - chance) / n) else 0.0


_RARELY = 9
"""Rows with a class of the truth for each with another label, such as "unknown"."""

_NEARLY = 0.75
"""Share of what the weakest model ranks better than chance, for a column to be offered."""


_ALIKE = 1e-4
"""Difference of areas of a score and of the same score on another scale, rounded."""


def _spare_ranks(
    table: Table, roles: Roles, scored: Sequence[str], columns: Sequence[Profile]
) -> Iterator[Notice]:
    """Offer numbers that rank the truth about as well as the scores of the models do."""
    numbers = [c for c in columns if c.numeric and c.distinct > 2 and not _like_a_score(c)]
    # A score by its name that is not used is the raw value of a probability.
    plain = (c for c in numbers if not (c.counting or c.numbering))
    tried = [c.name for c in plain if not speaks_of_prediction(c.name)]
    if table.source.tool or not 0 < len(tried) <= _MOST_TRIED:
        return
    found = leads_of(table, [*scored, *tried], roles.truth)
    first = [found.get(name, 0.0) for name in scored]
    sign = 1 if min(first) > 0 else -1
    least = max(2 * RANKS, _NEARLY * min(sign * one for one in first))
    # What parts the classes entirely follows from the truth, what ranks alike from a score.
    far = (name for name in tried if least <= sign * found.get(name, 0.0) < 0.5)
    like = [name for name in far if min(abs(found[name] - one) for one in first) > _ALIKE]
    if 0 < len(like) <= _MOST_SPARE:
        area = max(0.5 + sign * found[name] for name in like)
        about: dict[str, Any] = {"names": like, "truth": roles.truth, "area": area}
        offers = as_role(like, "a model", "scores")
        yield notice("spare-rank", column=like[0], offers=offers, **about)


def _lists(table: Table, free: Sequence[str]) -> Iterator[Notice]:
    """Say which columns of predictions are not used, since their lists may mean anything."""
    for name in free:
        if speaks_of_prediction(name) and holds_lists(table.columns[name][:1000]):
            yield notice("list-cells/unused", column=name)


def _like_a_score(column: Profile) -> bool:
    return column.unit and column.continuous


def _of_no_class(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Report scores named after none of several classes, such as that of the decision."""
    spoken = filter(speaks_of_prediction, free if roles.task is Task.MULTICLASS else ())
    scores = [name for name in spoken if _like_a_score(profile(table, name))]
    if scores:
        models = list(roles.models.values())
        alone = len(scores) == len(models) == 1 and not models[0].probabilities
        offer = Offer("Read as the predicted label's", "scale", Scale.CONFIDENCE.value)
        offers = [offer] if alone else []
        yield notice("score-of-no-class", column=scores[0], names=scores, offers=offers)


_MOST_PAIRED = 20
"""Scores that are compared with each other: 20 make 190 pairs."""

_TRAINING = frozenset({"train", "training"})
_SPLITS = _TRAINING | {"test", "testing", "val", "valid", "validation", "dev", "holdout", "eval"}
"""What the parts of a split are called."""


def check(
    table: Table, roles: Roles, classes: tuple[str, ...], models: Mapping[str, Outcomes]
) -> tuple[Notice, ...]:
    """Return the notices about bound data."""
    free = unused(table, roles)[:_MOST_UNUSED]
    coded = [*_missing_codes(table, roles, free)]
    found = [
        *_guessed_truth(roles),
        *coded,
        *_spellings(table, roles, classes),
        *_order(roles, classes),
        *(() if coded else (*_gaps(roles, classes), *_missing_words(table, roles))),
        *_numbers_or_classes(roles, classes, models),
        *_weights(table, roles),
        *repetitions(table, roles),
        *about_groups(table, roles),
        *_blank_folds_and_groups(table, roles),
        *_training_rows(table, roles, free),
        *_complementary_scores(table, roles),
    ]
    if roles.models:
        found += _spare(table, roles, free)
        found += _lists(table, free)
        found += slices_of_forecasts(table, roles)
        found += () if coded else _of_no_class(table, roles, free)
    for name, outcomes in models.items():
        if isinstance(outcomes, BinaryOutcomes):
            found += _scores(outcomes, roles.models[name])
    return tuple(found)


GUESSED_TRUTH = "guessed-truth"


def _guessed_truth(roles: Roles) -> Iterator[Notice]:
    """Say that the truth is a guess, before any number that rests on it."""
    reason = roles.reasons.get(roles.truth)
    if reason is not None and reason.confidence is Confidence.GUESS:
        others = dict.fromkeys(one.column for one in roles.evidence if one.column != roles.truth)
        offers = as_role([*others][:3], "the truth", "truth")
        yield notice(GUESSED_TRUTH, column=roles.truth, reason=reason.text, offers=offers)


def _spellings(table: Table, roles: Roles, classes: tuple[str, ...]) -> Iterator[Notice]:
    """Report classes that differ only in how they are written, and the rows of the rarer ones."""
    for names in spelling_variants(classes):
        columns = [roles.truth, *(one.label for one in roles.models.values() if one.label)]
        labels = labels_in(table, columns)
        rare = set(names) - {spelling([found.counts for found in labels])(names[0])}
        yield notice("spelling", rows=holds(rare, labels), names=names, count=len(names))


def _order(roles: Roles, classes: tuple[str, ...]) -> Iterator[Notice]:
    """Offer the order that the names of the classes tell, where they do not stand in it."""
    order = own_order(classes)
    if order is None or order == classes or roles.order:
        return
    written = " < ".join(shorten(name, 20) for name in order[:8]) + (" …" if len(order) > 8 else "")
    offer = Offer(f"Order them {written}", "order", order)
    yield notice("class-order", count=len(classes), order=written, offers=[offer])


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
        offer = Offer(f"A scale from {scale[0]} to {scale[-1]}", "order", scale)
        yield notice("class-gap", gone=gone, offers=[offer])


def _missing_codes(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Offer to leave out classes that usually mean a missing one, such as 9 beside 1 and 2."""
    several = roles.task is Task.MULTICLASS
    if not (several and missing_codes(labels_of(table, roles.truth).counts)):
        return
    labelled = [one.label for one in roles.models.values() if one.label]
    shares = {of for model in roles.models.values() for of in model.probabilities}
    read, *answers = settled(labels_in(table, [roles.truth, *labelled]), roles, shares)
    codes = missing_codes(read.counts)
    chances = [name for name in free if _like_a_score(profile(table, name))]
    chances = chances if len(read.names) - len(codes) == 2 else []
    predicted = shares.union(*(found.names for found in answers))
    if codes and (chances or predicted.isdisjoint(codes)):
        key = "missing-code/score" if chances else "missing-code"
        about: dict[str, Any] = {"codes": codes, "scores": chances, "all": table.n}
        about["offers"] = [leaving_out(codes, roles.ignore_labels)]
        yield notice(key, rows=holds(codes, [read]), column=roles.truth, **about)


def _missing_words(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report classes such as "NA", which may mean a missing class."""
    if roles.task not in (Task.BINARY, Task.MULTICLASS):
        return
    truth = labels_of(table, roles.truth)
    words = [name for name in truth.names if name.lower() in MISSING_WORDS]
    if words and not all(map(is_number, set(truth.names) - set(words))):
        rows = holds(words, [truth])
        yield notice("missing-word", rows=rows, column=roles.truth, words=words)


def _training_rows(table: Table, roles: Roles, free: Sequence[str]) -> Iterator[Notice]:
    """Warn of rows that the models were perhaps fitted to, which every number counts."""
    for name in filter(None, (roles.fold, roles.group, *free)):
        column = profile(table, name)
        words = {label.lower() for label in column.labels}
        if not (words & _TRAINING and len(words) > 1 and words <= _SPLITS):
            continue
        labels = labels_of(table, name)
        training = [label for label in labels.names if label.lower() in _TRAINING]
        rows = holds(training, [labels])
        yield notice("training-rows", rows=rows, column=name, all=table.n)


def _complementary_scores(table: Table, roles: Roles) -> Iterator[Notice]:
    """Warn of two scores that add up to 1, perhaps one model's for the two classes."""
    models = roles.models.values()
    scores = [m.score for m in models if m.score and not m.label and not m.probabilities]
    if roles.task is not Task.BINARY or len(scores) > _MOST_PAIRED:
        return
    for first, second in combinations(scores, 2):
        if rows_sum_to_one(table, [first, second]):
            offers = as_role([first, second], "the score", "scores")
            about: dict[str, Any] = {"first": first, "positive": roles.positive}
            yield notice("two-sides", column=second, offers=offers, **about)


def _numbers_or_classes(
    roles: Roles, classes: tuple[str, ...], models: Mapping[str, Outcomes]
) -> Iterator[Notice]:
    """Say whether a truth of few whole numbers was read as numbers or as classes."""
    given = [model.probabilities or model.score for model in roles.models.values()]
    if roles.task is Task.MULTICLASS and all(map(is_number, classes)) and not any(given):
        yield notice("numbers-as-classes", column=roles.truth, count=len(classes))
    numeric = [outcomes for outcomes in models.values() if isinstance(outcomes, NumericOutcomes)]
    columns = [values for one in numeric for values in (one.truth, one.prediction)]
    if columns and all(map(_few_whole, columns)):
        yield notice("classes-as-numbers", column=roles.truth)


def _few_whole(values: Floats) -> bool:
    """Return whether values are few whole numbers; almost always the first rows settle it."""
    parts = (values[:1000], values)
    return all((p == np.floor(p)).all() and len(np.unique(p)) <= FEW_CLASSES for p in parts)


def _weights(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report that rows are weighted, their total weight, and the rows of weight 0."""
    told = was_matrix(table) or table.counted is not None
    if not roles.weight or not roles.models or told:
        return
    values = numbers_of(table, roles.weight).values
    none, total = values == 0, float(values.sum())
    about: dict[str, Any] = {"rows": none, "column": roles.weight, "zero": ""}
    if none.any():
        about["zero"] = fill(
            "; {n:row} {n:has|have} weight 0 and {n:is|are} left out", n=none.sum()
        )
    if are_counts(values, roles):
        kind = Offer("They are relative weights", "weight_kind", WeightKind.IMPORTANCE.value)
        offers = [kind] if values.max() > 1 else []
        yield notice("weighted", all=table.n, total=total, offers=offers, **about)
    else:
        # Kish (1965), Survey Sampling, 8.2.
        equal = total**2 / float((values**2).sum()) if values.any() else 0.0
        kind = Offer("They count rows", "weight_kind", WeightKind.COUNTS.value)
        about |= {"some": table.n - int(none.sum()), "equal": equal}
        yield notice("weighted/importance", offers=[kind], **about)
    # Beside a sum of doubles, less than 2^-53 of it is lost, and of a little more most digits.
    lost = ~none & (values < _LEAST_SHARE * total)
    if lost.any():
        yield notice("weights-apart", rows=lost, column=roles.weight, least=_LEAST_SHARE)


_LEAST_SHARE = 1e-15
"""Share of all weights below which a row's own changes no digit that is shown, or none at all."""


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
    if roles.group is None:
        return
    codes = labels_of(table, roles.group).codes
    sizes = np.bincount(codes[codes >= 0])
    sizes = sizes[sizes > 0]
    about: dict[str, Any] = {"column": roles.group, "groups": len(sizes)}
    if roles.unit and sizes.max(initial=0) < 2:
        yield notice("groups-of-one", column=roles.unit)
    elif roles.unit:
        low, high = int(sizes.min()), int(sizes.max())
        about["sizes"] = counted(low, "row") if low == high else f"{low:,} to {high:,} rows"
        key = "grouped-rows/few" if len(sizes) < _FEW_GROUPS else "grouped-rows"
        yield notice(key, few=_FEW_GROUPS, **about)
    elif roles.group.lower().endswith("_id") and not roles.independent_rows and len(sizes) > 1:
        # Named like some, but few: they are drawn whole only where that is chosen.
        offer = Offer(f'Resample each "{shorten(roles.group)}" whole', "group", roles.group)
        yield notice("perhaps-grouped", offers=[offer], **about)


def _scores(outcomes: BinaryOutcomes, roles: ModelRoles) -> Iterator[Notice]:
    """Report scores that are labels, or perhaps the probability of the predicted label."""
    score, label = outcomes.score, outcomes.label
    if score is None or not len(score) or not outcomes.probability:
        return
    # Almost always the first row settles it, else the first thousand.
    parts = (score[:1000], score) if score[0] in (0, 1) else ()
    if parts and all(((part == 0) | (part == 1)).all() for part in parts):
        yield notice("hard-labels", column=roles.score, all=len(score))
    # Columns named after classes say what they are about.
    elif label is not None and len(roles.probabilities) < 2 and score.min() >= 0.5:
        said_no = label == 0
        places = np.flatnonzero(said_no)[:ROWS_LISTED]
        if 0 < (against := int(said_no.sum())) < len(label):
            rows = places + 1 if outcomes.rows is None else outcomes.rows[places]
            sides = dict(zip(("negative", "positive"), outcomes.classes, strict=True))
            about: dict[str, Any] = {"column": roles.score, "against": against, **sides}
            yield notice("confidence", rows=rows.tolist(), **about)


def _blank_folds_and_groups(table: Table, roles: Roles) -> Iterator[Notice]:
    for key, column in (("missing-fold", roles.fold), ("missing-group", roles.group)):
        if not column:
            continue
        blank = labels_of(table, column).codes < 0
        if blank.any():
            yield notice(key, rows=blank, column=column, all=table.n)


_MOST_WAYS = 4
"""Columns that are offered where nothing tells which one is meant: more are no help."""

_SCALES = (
    Offer("Read as a score that only ranks rows", "scale", Scale.SCORE.value),
    Offer("Read as log-odds", "scale", Scale.LOGIT.value),
    Offer("Read as percent", "scale", Scale.PERCENT.value),
    Offer("Read as the probability of the positive class", "scale", Scale.PROBABILITY.value),
)
_WAYS: Mapping[str, tuple[Offer, ...]] = MappingProxyType(
    {
        "not-probability": _SCALES,
        "no-label": _SCALES,
        "bad-weight": (Offer("Count each row once", "weight", ""),),
        "bad-order": (Offer("Keep the usual order", "order", ()),),
        "mixed-features": (
            Offer("Read as categories", "feature_kind", FeatureKind.CATEGORIES.value),
        ),
    }
)
"""What may be chosen where data cannot be used, by the code of the refusal."""


def ways_out(problem: EvalError, table: Table, choices: Choices) -> tuple[Offer, ...]:
    """Return the answers to a refusal: its own, those of its kind, and to do without its column."""
    of_kind = _WAYS.get(problem.code, _truths(table) if problem.code == "no-truth" else ())
    ways = [*problem.offers, *(way for way in of_kind if apply_offer(way, choices) != choices)]
    column = problem.column
    if column in table.columns and column not in chosen_columns(choices):
        ways.append(Offer(f'Ignore "{shorten(column or "")}"', "ignore", column or ""))
    return tuple(dict.fromkeys(ways))


def _truths(table: Table) -> tuple[Offer, ...]:
    """Offer columns that repeat a few values, or hold numbers, and speak of no prediction."""
    columns = [one for name, one in profiles(table).items() if not speaks_of_prediction(name)]
    few = (one for one in columns if 1 < one.distinct <= FEW_CLASSES and not one.unique)
    return as_role((one.name for one in islice(few, _MOST_WAYS)), "the truth", "truth")


_WANTED = {
    Task.BINARY: "a score or a predicted label",
    Task.MULTICLASS: "a predicted label or one probability column per class",
    Task.REGRESSION: "a predicted number",
}
"""What predictions are, in a question of each kind."""


def no_predictions(
    truth: str,
    sure: bool,
    task: Task,
    others: Sequence[Profile],
    counts: Mapping[str, int],
    foreseen: Sequence[str],
) -> EvalError:
    """Return the error for a table without predictions, naming the columns.

    Where it is not sure that there is a truth at all, none is claimed. `counts` are the rows of
    each class of the truth, and `foreseen` the columns that predicted numbers follow.
    """
    names, classes = [column.name for column in others], [*counts]
    codes, chances = missing_codes(counts), [c.name for c in others if _like_a_score(c)]
    if task is Task.MULTICLASS and chances and codes and leaves_two(counts, ()):
        known = class_order([name for name in classes if name not in codes])
        about: dict[str, Any] = {"classes": [*known]}
        about |= {"codes": codes, "scores": chances, "offers": [leaving_out(codes)]}
        return refusal("no-predictions/code", truth=truth, **about)
    if task is Task.MULTICLASS and foreseen and len(classes) > 2:
        ways = as_role(foreseen[:_MOST_WAYS], "the truth", "truth")
        return refusal("no-predictions/numbers", truth=truth, of=foreseen[0], offers=ways)
    groups = spelling_variants(classes)
    spoken = any(column.unit and speaks_of_prediction(column.name) for column in others)
    if spoken and not sure and not groups and len(classes) > 3:
        return refusal("no-truth", names=[truth, *names], blank="")
    words = {"truth": truth, "names": listed(names) or "none", "wanted": _WANTED[task]}
    none = refusal("no-predictions/none", names=[truth, *names])
    found = (refusal("no-predictions", **words) if sure else none).message
    for group in groups:
        found += (
            f" {listed(group, 6)} count as {len(group)} classes; if they are one, write them "
            "the same way."
        )
    blank = [name for name in classes if name.lower() in MISSING_WORDS]
    if blank and task is Task.MULTICLASS:
        found += f" {listed(blank)} counts as a class; if it means none, leave its cells blank."
    offers = [*([MERGE_SPELLINGS] if groups else []), *_could_predict(task, others, classes)]
    return EvalError("no-predictions", found, offers=offers)


def leaving_out(labels: Sequence[str], now: Sequence[str] = ()) -> Offer:
    """Offer to leave out the rows whose truth is one of some labels, beside those left out now."""
    said = " or ".join(f'"{shorten(name)}"' for name in labels)
    # One text is added to those of now.
    value = labels[0] if len(labels) == 1 else (*now, *labels)
    return Offer(f"Leave out rows that are {said}", "ignore_labels", value)


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
        yield from (leaving_out([c]) for c in doubtful)
    if task is Task.MULTICLASS:
        same = [column.name for column in others if column.labels & set(classes)][:_MOST_WAYS]
        yield from _all_of(same)
        yield from as_role(same, "the label", "labels")
        if not same and len(classes) > 2:  # which no number predicts
            yield from as_role((c.name for c in numbers if c.continuous), "the truth", "truth")
        return
    choice = "predictions" if task is Task.REGRESSION else "scores"
    yield from as_role((column.name for column in numbers), "the prediction", choice)


_MOST_OFFERED = 4
"""Labels that are offered to be left out; of more nobody knows which one is meant."""


def not_binary(classes: Sequence[str], of_truth: Collection[str]) -> EvalError:
    """Return why classes are no two, with each that the truth has offered to be left out."""
    if len(classes) < 2:
        return refusal("not-binary/one")
    spare = [name for name in classes if name in of_truth and len(classes) == 3][:_MOST_OFFERED]
    offers = [leaving_out([name]) for name in spare]
    offers.append(Offer("Keep all classes", "task", Task.MULTICLASS.value))
    return refusal("not-binary", n=len(classes), classes=list(classes), offers=offers)
