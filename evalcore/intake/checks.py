"""What may mislead in data that is otherwise sound: looked at once, said with counts and rows."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pyarrow.compute as pc

from evalcore.errors import Notice, Offer
from evalcore.intake.columns import labels_of
from evalcore.intake.labels import spelt_apart
from evalcore.intake.model import ModelRoles, Roles, Scale, Table
from evalcore.intake.rows import row_list, row_numbers
from evalcore.intake.wording import counted, have, listed
from evalcore.outcomes import BinaryOutcomes, Codes, Floats, Outcomes

_MOST_IDS = 2_000_000


def check(
    table: Table, roles: Roles, classes: Iterable[str], models: Mapping[str, Outcomes]
) -> tuple[Notice, ...]:
    """Look at bound data for what the reader should know."""
    found = [*_spellings(tuple(classes)), *_repeated_ids(table, roles), *_blank_sides(table, roles)]
    for name, outcomes in models.items():
        if isinstance(outcomes, BinaryOutcomes):
            found.extend(_scores(outcomes, roles.models[name]))
    return tuple(found)


def _spellings(classes: tuple[str, ...]) -> Iterator[Notice]:
    """Report classes that differ only in how they are written."""
    for names in spelt_apart(classes):
        message = (
            f"{listed(names, 6)} are counted as {len(names)} classes, but differ only in how they "
            "are written. Write them alike if they are the same."
        )
        yield Notice("spelling", message, "warning")


def _scores(outcomes: BinaryOutcomes, roles: ModelRoles) -> Iterator[Notice]:
    score, label = outcomes.score, outcomes.label
    if score is None or not len(score):
        return
    if outcomes.probability and _is_hard(score):
        message = (
            f'Column "{roles.score}" holds only 0 and 1: labels rather than scores. '
            "Every curve has one step."
        )
        yield Notice("hard-labels", message, "warning", column=roles.score)
    elif label is not None and outcomes.probability and _is_confidence(score, label):
        message = (
            f'Column "{roles.score}" is never below 0.5, whatever label stands beside it: it is '
            "perhaps the probability of the predicted label, not that of "
            f'"{outcomes.classes[1]}".'
        )
        offer = Offer("Read as the predicted label's", "scale", Scale.CONFIDENCE.value)
        yield Notice("confidence", message, "warning", column=roles.score, offers=(offer,))


def _is_hard(score: Floats) -> bool:
    # Almost always the first rows settle it.
    return all(bool(((part == 0) | (part == 1)).all()) for part in (score[:1000], score))


def _is_confidence(score: Floats, label: Codes) -> bool:
    said_no = label == 0
    return bool(score.min() >= 0.5 and said_no.any() and not said_no.all())


def _repeated_ids(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that stand in several rows: rows counted twice, or rows shared between folds."""
    if not roles.id or table.n > _MOST_IDS:
        return
    codes = pc.dictionary_encode(table.columns[roles.id]).unify_dictionaries()
    places = np.concatenate([pc.fill_null(c.indices, -1).to_numpy() for c in codes.chunks])
    counts = np.bincount(places[places >= 0])
    repeated = (counts > 1)[places] & (places >= 0) if len(counts) else np.zeros(table.n, bool)
    if not repeated.any():
        return
    how_many = int((counts > 1).sum())
    ids = f"{counted(how_many, 'id')} {'stands' if how_many == 1 else 'stand'}"
    if roles.fold and _one_row_per_fold(places, labels_of(table, roles.fold).codes):
        message = f"{ids} in several folds: the same rows were predicted repeatedly."
    else:
        message = f"{ids} in several rows ({row_list(repeated)}); each row counts."
    yield Notice("repeated-id", message, "warning", rows=row_numbers(repeated), column=roles.id)


def _one_row_per_fold(ids: Codes, folds: Codes) -> bool:
    pairs = ids.astype(np.int64) * (int(folds.max()) + 2) + folds
    return len(np.unique(pairs)) == len(pairs)


def _blank_sides(table: Table, roles: Roles) -> Iterator[Notice]:
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
