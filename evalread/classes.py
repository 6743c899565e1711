"""The label columns of a file as codes over one common list of classes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.errors import EvalError, Notice
from evalcore.inputs import other_class
from evalcore.text import counted, listed
from evalread.columns import (
    MERGE_SPELLINGS,
    Labels,
    SomeCodes,
    class_order,
    codes_in,
    is_number,
    labels_of,
    one_spelling,
    plain_if_numbers,
    plain_number,
    same_labels,
    says_true,
    spelling_variants,
)
from evalread.dataset import Roles, Table, Task
from evalread.rows import Gap, row_numbers

_SCALES = tuple(
    tuple(scale.split(", "))
    for scale in (
        "none, trace, very low, low, below average, medium, average, above average, high, "
        "very high, extreme",
        "none, minimal, mild, moderate, severe, very severe, critical",
        "none, minor, moderate, major, critical, catastrophic",
        "never, rarely, seldom, sometimes, often, usually, always",
        "very poor, poor, bad, fair, ok, average, good, very good, excellent, outstanding",
        "strongly disagree, disagree, neutral, agree, strongly agree",
        "very negative, negative, neutral, mixed, positive, very positive",
        "xxs, xs, s, m, l, xl, xxl, xxxl",
        "tiny, small, medium, large, huge",
        "short, medium, long",
        "low, med, mid, middle, high",
        "low, moderate, medium, elevated, high, critical",
        "cold, cool, warm, hot",
        "very easy, easy, medium, hard, very hard",
        "bronze, silver, gold, platinum, diamond",
        "first, second, third, fourth, fifth",
        "niedrig, mittel, hoch",
        "bajo, medio, alto",
        "faible, moyen, fort",
    )
)
"""Words of well-known scales, the lowest first."""

_NUMBERED = re.compile(r"(\D*)(\d+)(.*)")


def own_order(classes: Sequence[str]) -> tuple[str, ...] | None:
    """Return three or more classes in the order their names tell, lowest first; None if none.

    >>> own_order(["high", "low", "medium"]), own_order(["stage 10", "stage 2", "stage 9"])
    (('low', 'medium', 'high'), ('stage 2', 'stage 9', 'stage 10'))
    >>> own_order(["cat", "dog", "cow"])
    """
    if len(classes) < 3:
        return None
    return _by_scale(classes) or _by_number(classes)


def _by_scale(classes: Sequence[str]) -> tuple[str, ...] | None:
    words = {name: " ".join(re.split(r"[\s_-]+", name.casefold().strip())) for name in classes}
    for scale in _SCALES:
        if set(words.values()) <= set(scale):
            return tuple(sorted(classes, key=lambda name: scale.index(words[name])))
    return None


def _by_number(classes: Sequence[str]) -> tuple[str, ...] | None:
    found = [_NUMBERED.fullmatch(name) for name in classes]
    matches = [match for match in found if match is not None]
    alike = {match[1].casefold() for match in matches}
    numbers = {int(match[2]) for match in matches}
    if len(alike) > 1 or len(numbers) < len(classes):
        return None
    pairs = zip((int(match[2]) for match in matches), classes, strict=True)
    return tuple(name for _, name in sorted(pairs))


def in_order(classes: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return the classes in a chosen order.

    Raises:
        EvalError: "bad-order" if the order does not name each class once.
    """
    if sorted(classes) != sorted(order):
        raise EvalError(
            "bad-order",
            f"An order must name every class once. The classes are {listed(classes)}; "
            f"the order names {listed(order)}.",
        )
    return tuple(order)


_BITS, _PLACES = frozenset({"0", "1"}), frozenset({"1", "2"})
_FROM_0_AND_1 = "Perhaps one counts its classes from 0 and the other from 1."
_SIGNS_AND_BITS = {frozenset({"-1", "1"}), _BITS}
"""Two ways to write two classes; with some tools -1 is the case that one looks for."""


@dataclass(frozen=True, eq=False)
class ClassColumns:
    """Truth and predicted labels over the same classes.

    Attributes:
        classes: In the order of every matrix; for a binary task negative, positive.
        truth: (n,) codes, -1 where missing.
        labels: Model -> (n,) codes, -1 where missing.
        gaps: Column -> where it has missing cells.
    """

    classes: tuple[str, ...]
    truth: SomeCodes
    labels: Mapping[str, SomeCodes]
    gaps: Mapping[str, Gap]
    notices: tuple[Notice, ...]


def class_columns(table: Table, roles: Roles) -> ClassColumns:
    """Read truth and labels, trimmed and compared by value where all are numbers.

    Raises:
        EvalError: "labels-differ" if a model's labels are none of the truth's; "not-binary".
    """
    labelled = {name: model.label for name, model in roles.models.items() if model.label}
    names = [roles.truth, *labelled.values()]
    raw = [labels_of(table, name) for name in names]
    plain = same_labels(raw)
    read = one_spelling(plain) if roles.merge_spellings else plain
    for name, labels in zip(names[1:], read[1:], strict=True):
        _refuse_strangers(roles.truth, read[0], name, labels)
    classes = _classes(read, roles)
    codes = [codes_in(labels, classes) for labels in read]
    if roles.task is not Task.BINARY:
        # Codes of one byte are too small for what is done with many classes.
        codes = [each.astype(np.int32, copy=False) for each in codes]
    return ClassColumns(
        classes=classes,
        truth=codes[0],
        labels=dict(zip(labelled, codes[1:], strict=True)),
        gaps={
            name: Gap("truth" if place == 0 else "label", name, codes[place] < 0, labels.missing)
            for place, (name, labels) in enumerate(zip(names, read, strict=True))
        },
        notices=(
            *_trimmed(dict(zip(names, raw, strict=True))),
            *_truth_values(names, raw, plain),
            *_plain_numbers(names, raw, plain),
            *_merged(plain, read),
            *_shifted(names, read),
        ),
    )


def _classes(columns: list[Labels], roles: Roles) -> tuple[str, ...]:
    named = [of for model in roles.models.values() for of in model.probabilities]
    found = plain_if_numbers([*(name for labels in columns for name in labels.names), *named])
    classes = class_order(found)
    if roles.task is not Task.BINARY:
        return in_order(classes, roles.order) if roles.order else classes
    if len(classes) == 1:
        classes = (*classes, other_class(classes[0], roles.positive))
    if len(classes) != 2:
        raise EvalError(
            "not-binary", f"A yes-or-no question has 2 classes; here there are {len(classes)}."
        )
    positive = roles.positive if roles.positive in classes else classes[1]
    return tuple(sorted(classes, key=lambda name: name == positive))


def _refuse_strangers(truth: str, known: Labels, name: str, labels: Labels) -> None:
    written = {frozenset(known.names), frozenset(labels.names)}
    if written in (_SIGNS_AND_BITS, {_BITS, _PLACES}):
        raise EvalError(
            "labels-differ",
            f'"{name}" holds {listed(class_order(labels.names))}, but the truth "{truth}" '
            f"{listed(class_order(known.names))}. Nothing says which of them mean the same; "
            f"write them alike.{f' {_FROM_0_AND_1}' if _PLACES in written else ''}",
            column=name,
        )
    # A truth with one class may be one that the model never says.
    if labels.names and len(known.names) > 1 and not set(labels.names) & set(known.names):
        raise EvalError(
            "labels-differ",
            f'"{name}" and the truth "{truth}" have no label in common: "{name}" holds '
            f'{listed(labels.names, 4)}, "{truth}" holds {listed(known.names, 4)}.',
            column=name,
            offers=[MERGE_SPELLINGS] if spelling_variants([*labels.names, *known.names]) else [],
        )


def _shifted(names: Sequence[str], read: Sequence[Labels]) -> tuple[Notice, ...]:
    """Say which labels seem to count from 0 where the truth counts from 1, or the reverse."""
    known = frozenset(read[0].names)
    runs = [frozenset(map(str, range(start, start + len(known)))) for start in (0, 1)]
    if known not in runs or len(known) < 2:
        return ()
    other = runs[known == runs[0]]
    others = zip(names[1:], read[1:], strict=True)
    found = [name for name, labels in others if frozenset(labels.names) == other]
    if not found:
        return ()
    message = (
        f'The truth "{names[0]}" holds {listed(class_order(known))}, but {listed(found, 4)} '
        f"{listed(class_order(other))}. {_FROM_0_AND_1} Write them alike if so."
    )
    return (Notice("shifted-labels", message, "warning", column=found[0]),)


def _truth_values(
    names: Sequence[str], raw: Sequence[Labels], read: Sequence[Labels]
) -> tuple[Notice, ...]:
    """Say which columns of true and false were read as 1 and 0."""
    changed = [
        name
        for name, before, after in zip(names, raw, read, strict=True)
        if says_true(before) and not says_true(after)
    ]
    if not changed:
        return ()
    message = f"True and false were read as 1 and 0 in {listed(changed)}, as in the other columns."
    return (Notice("true-false", message),)


def _plain_numbers(
    names: Sequence[str], raw: Sequence[Labels], read: Sequence[Labels]
) -> tuple[Notice, ...]:
    """Say where labels that are the same number were written in several ways."""
    changed = [
        f'"{old}" as "{plain_number(old)}" in "{name}"'
        for name, before, after in zip(names, raw, read, strict=True)
        for old in before.names
        if is_number(old) and old not in after.names and plain_number(old) in after.names
    ]
    if not changed:
        return ()
    more = ", …" if len(changed) > 3 else ""
    message = f"Labels that are numbers are compared by value: {', '.join(changed[:3])}{more}."
    return (Notice("number-labels", message),)


def _merged(before: Sequence[Labels], after: Sequence[Labels]) -> tuple[Notice, ...]:
    """Say which spellings were made one, and in how many rows."""
    names = dict.fromkeys(name for labels in before for name in labels.names)
    groups = spelling_variants(names)
    kept = {name for labels in after for name in labels.names}
    gone = [name for group in groups for name in group if name not in kept]
    if before == after or not gone:
        return ()
    rows = np.logical_or.reduce([np.isin(labels.codes, _places(labels, gone)) for labels in before])
    count = int(rows.sum())
    groups_written = "; ".join(f"{listed(group, 4)} as one" for group in groups[:4])
    message = f"Labels that differ only in how they are written are one class: {groups_written}"
    return (Notice("merged", f"{message} ({counted(count, 'row')}).", rows=row_numbers(rows)),)


def _places(labels: Labels, names: Sequence[str]) -> list[int]:
    return [place for place, name in enumerate(labels.names) if name in names]


def _trimmed(columns: Mapping[str, Labels]) -> tuple[Notice, ...]:
    """Say how many cells had white space removed, over all label columns."""
    changed = {name: c.trimmed for name, c in columns.items() if c.trimmed is not None}
    if not changed:
        return ()
    counts = {name: int(rows.sum()) for name, rows in changed.items()}
    total = sum(counts.values())
    where = ", ".join(f'{count:,} in "{name}"' for name, count in counts.items())
    return (
        Notice(
            "white-space",
            f"{counted(total, 'label')} had white space before or after, which was removed "
            f"({where}).",
            rows=row_numbers(np.logical_or.reduce(list(changed.values()))),
        ),
    )
