"""Rows that a model is judged on, and the classes of their labels as codes."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evalcore.errors import ROWS_LISTED, EvalError, Notice, Offer
from evalcore.inputs import other_class
from evalcore.outcomes import Codes, Floats, Rows
from evalcore.tables.confusion import NO_PREDICTION
from evalcore.text import counted, have, listed
from evalread.columns import (
    MERGE_SPELLINGS,
    Labels,
    Numbers,
    SomeCodes,
    class_order,
    classes_of,
    codes_in,
    is_number,
    label_meant,
    labels_of,
    places_of,
    plain_number,
    same_labels,
    says_true,
    settled,
    spelling_variants,
)
from evalread.dataset import Roles, Table, Task

Mask = NDArray[np.bool_]

LARGEST_TOTAL = 1e15
"""What weights may add up to: beyond 2**53 whole counts are no longer exact."""


LARGEST_NUMBER = 1e300
"""What predicted and true numbers must stay below."""


@dataclass(frozen=True, eq=False)
class Gap:
    """Where one of a model's columns has missing cells.

    Attributes:
        role: What is missing: "truth", "score", "label" ...
        column: The column's name.
        rows: (n,) True where the cell is missing.
        written: How missing cells are written -> how many there are.
    """

    role: str
    column: str
    rows: Mask
    written: Mapping[str, int]

    def within(self, own: Rows | None) -> "Gap":
        """Return the gap in some of the rows; how it is written is known of all of them only."""
        if own is None or not self.rows.any():
            return self
        rows = np.zeros_like(self.rows)
        rows[own] = self.rows[own]
        return self if rows.sum() == self.rows.sum() else replace(self, rows=rows, written={})


def kept_rows(
    gaps: Iterable[Gap], model: str | None, own: Rows | None = None
) -> tuple[Rows | None, tuple[Notice, ...]]:
    """Return the places of the complete rows (None if all are), and what to say about the others.

    Args:
        gaps: One per column of the model.
        model: The model's name where there are several, to be named in the notice.
        own: The places of the rows that the model has; None for all.

    Raises:
        EvalError: "no-rows" if no row is complete.
    """
    holes = [gap for gap in (one.within(own) for one in gaps) if gap.rows.any()]
    if not holes:
        return own, ()
    missing = np.logical_or.reduce([gap.rows for gap in holes])
    kept = np.flatnonzero(~missing) if own is None else own[~missing[own]]
    if not len(kept):
        roles = " and ".join(dict.fromkeys(gap.role for gap in holes))
        raise EvalError(
            "no-rows",
            f"No row is complete: {roles} missing. Leave aside columns that are blank.",
            column=holes[0].column,
        )
    return kept, (_left_out(holes, missing, model, len(kept)),)


def _left_out(holes: Sequence[Gap], missing: Mask, model: str | None, used: int) -> Notice:
    gone = int(missing.sum())
    of = f' for "{model}"' if model else ""
    if len(holes) == 1:
        written = f" ({_written(holes[0].written)})" if holes[0].written else ""
        what = f"{have(gone)} no {holes[0].role}{of}{written}"
    else:
        # A model has a probability column per class; a row lacks its probabilities once.
        roles = {gap.role: np.zeros(len(missing), bool) for gap in holes}
        for gap in holes:
            roles[gap.role] |= gap.rows
        counts = {role: int(rows.sum()) for role, rows in roles.items()}
        each = (f"{count:,} {have(count)} no {role}" for role, count in counts.items())
        what = f"{'is' if gone == 1 else 'are'} left out{of} ({', '.join(each)})"
    rows = f"{counted(used, 'row')} {'is' if used == 1 else 'are'} used"
    return Notice(
        f"missing-{holes[0].role.split()[0]}" if len(holes) == 1 else "missing-values",
        f"{gone:,} of {counted(used + gone, 'row')} {what}; {rows}.",
        rows=row_numbers(missing),
        column=holes[0].column,
    )


def _written(words: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {word}" for word, count in words.items())


def row_numbers(mask: Mask) -> tuple[int, ...]:
    """Return the data rows of a mask, 1 being the first, as many as a notice lists."""
    return tuple((np.flatnonzero(mask)[:ROWS_LISTED] + 1).tolist())


def row_list(mask: Mask) -> str:
    """Write a mask as "row 2", "rows 2 and 4" or "rows 2, 4, 7, ...".

    >>> row_list(np.array([False, True, False, True]))
    'rows 2 and 4'
    """
    rows = [f"{row:,}" for row in row_numbers(mask)]
    if len(rows) == 1:
        return f"row {rows[0]}"
    if len(rows) > 5:
        return f"rows {', '.join(rows[:5])}, …"
    return f"rows {', '.join(rows[:-1])} and {rows[-1]}"


def refuse_rows(bad: Mask, code: str, column: str, what: str, remedy: str) -> None:
    """Refuse a column with bad values in some rows, naming how many and which.

    Raises:
        EvalError: With the code, if any row is bad.
    """
    if bad.any():
        found = f"{counted(int(bad.sum()), what)} ({row_list(bad)})"
        message = f'Column "{column}" has {found}. {remedy}'
        raise EvalError(code, message, rows=row_numbers(bad), column=column)


def refuse_infinite(numbers: Numbers, column: str) -> None:
    """Refuse infinite values, naming their rows.

    Raises:
        EvalError: "infinite-score".
    """
    if np.isinf(numbers.span).any():
        remedy = "Remove the rows, or write finite numbers."
        refuse_rows(np.isinf(numbers.values), "infinite-score", column, "infinite value", remedy)


def refuse_huge(numbers: Numbers, column: str) -> None:
    """Refuse numbers so large that the difference of two of them is none, naming their rows.

    Raises:
        EvalError: "huge-number".
    """
    if np.fmax(*np.abs(numbers.span)) >= LARGEST_NUMBER:
        huge = np.abs(numbers.values) >= LARGEST_NUMBER
        remedy = (
            f"Numbers of {LARGEST_NUMBER:.0e} or more are too large to subtract. Divide all of "
            "them by one number."
        )
        refuse_rows(huge, "huge-number", column, "huge number", remedy)


def checked_weights(numbers: Numbers, column: str) -> Floats:
    """Return weights that are finite, 0 or more, and small enough to be added up.

    Raises:
        EvalError: "bad-weight", naming the rows where single ones are bad.
    """
    values = numbers.values
    for bad, what in (
        (values < 0, "negative"),
        (np.isnan(values), "missing"),
        (np.isinf(values), "infinite"),
    ):
        refuse_rows(bad, "bad-weight", column, f"{what} value", "Weights must be 0 or more.")
    with np.errstate(over="ignore"):
        total = values.sum()
    if total > LARGEST_TOTAL:
        raise EvalError(
            "bad-weight",
            f'The weights in column "{column}" add up to more than {LARGEST_TOTAL:.0e}, '
            "too much to count with. Divide them all by one number.",
            column=column,
        )
    return values


_MOST_CELLS = 2_000_000
"""Cells, or ids, among which repetitions are looked for, which takes about a second."""

_MANY = 0.05
"""Share of whole rows that repeat from which on it is reported: a few may do so by chance."""

_FEWEST_VALUES = 20
"""Distinct values that one column at least must have for equal rows to be suspicious."""


def repetitions(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that repeat; without an id, whole rows that do, if they are many."""
    if roles.id and table.n <= _MOST_CELLS:
        yield from _repeated_ids(table, roles)
    if not roles.id and table.n * len(table.columns) <= _MOST_CELLS:
        yield from _repeated_rows(table)


def _repeated_ids(table: Table, roles: Roles) -> Iterator[Notice]:
    """Report ids that stand in several rows: rows counted twice, or rows shared between folds."""
    places = places_of(table.columns[roles.id or ""])
    if roles.model:  # the same id may stand for a row of each model
        models = labels_of(table, roles.model).codes
        together = np.where(places < 0, -1, places * (models.max() + 2) + models + 1)
        places = np.unique(together, return_inverse=True)[1] - (places.min() < 0)
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


def _repeated_rows(table: Table) -> Iterator[Notice]:
    """Report rows that are the same in every cell as one before."""
    again = _repeats(table)
    count = int(again.sum())
    if count < max(2, _MANY * table.n):
        return
    message = (
        f"{counted(count, 'row')} of {table.n:,} are the same in every cell as one before "
        f"({row_list(again)}); each row counts."
    )
    yield Notice("repeated-rows", message, "warning", rows=row_numbers(again))


def _repeats(table: Table) -> NDArray[np.bool_]:
    """Mark rows whose cells all equal those of an earlier row; none where cells tell too little."""
    never = np.zeros(table.n, bool)
    whole = np.zeros(table.n, np.int64)
    most, kinds = 0, whole
    for column in table.columns.values():
        if pa.types.is_nested(column.type):
            return never
        places = places_of(column)
        most = max(most, len(np.unique(places)))
        kinds, whole = np.unique(whole * (table.n + 1) + places, return_inverse=True)
        if len(kinds) == table.n:
            return never
    # Scores that repeat because they are rounded are shared by rows that differ, too.
    if most < max(_FEWEST_VALUES, len(kinds)):
        return never
    again = ~never
    again[np.unique(whole, return_index=True)[1]] = False
    return again


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
    """Return the classes in a chosen order, which may name further ones: a scale has them all.

    >>> in_order(["1", "2", "4"], ["1", "2", "3", "4", "5"])
    ('1', '2', '3', '4', '5')

    Raises:
        EvalError: "bad-order" if the order does not name each class once.
    """
    if len(set(order)) < len(order) or not set(classes) <= {*order, NO_PREDICTION}:
        raise EvalError(
            "bad-order",
            f"An order must name every class once. The classes are {listed(classes)}; "
            f"the order names {listed(order)}. It may also name classes that no row has.",
        )
    return (*order, *(name for name in classes if name not in order))


_BITS, _PLACES = frozenset({"0", "1"}), frozenset({"1", "2"})
_FROM_0_AND_1 = "Perhaps one counts its classes from 0 and the other from 1."
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
    read = settled(raw, roles, (of for one in roles.models.values() for of in one.probabilities))
    for name, labels in zip(names[1:], read[1:], strict=True):
        _refuse_strangers(roles.truth, read[0], name, labels)
    classes = _classes(read, roles)
    codes = [codes_in(labels, classes) for labels in read]
    said_truth = "truth that counts" if roles.ignore_labels else "truth"
    if roles.task is not Task.BINARY:
        # Codes of one byte are too small for what is done with many classes.
        codes = [each.astype(np.int32, copy=False) for each in codes]
    return ClassColumns(
        classes=classes,
        truth=codes[0],
        labels=dict(zip(labelled, codes[1:], strict=True)),
        gaps={
            name: Gap(said_truth if place == 0 else "label", name, codes[place] < 0, labels.missing)
            for place, (name, labels) in enumerate(zip(names, read, strict=True))
        },
        notices=(
            *_trimmed(dict(zip(names, raw, strict=True))),
            *_truth_values(names, raw, plain),
            *_plain_numbers(names, raw, plain),
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


_MOST_OFFERED = 4
"""Labels that are offered to be left out; of more nobody knows which one is meant."""


def not_binary(classes: Sequence[str], of_truth: Collection[str]) -> EvalError:
    """Return why classes are no two, with each that the truth has offered to be left out."""
    if len(classes) < 2:
        return EvalError("not-binary", "A yes-or-no question has 2 classes; here there is 1.")
    spare = [name for name in classes if name in of_truth][:_MOST_OFFERED]
    offers = [Offer(f'Leave out rows that are "{name}"', "ignore_labels", name) for name in spare]
    return EvalError(
        "not-binary",
        f"A yes-or-no question has 2 classes; here there are {len(classes)}: "
        f"{listed(classes, 6)}. Leave a label out, count one as another, or ask about all classes.",
        offers=[
            *(offers if len(classes) == 3 else ()),
            Offer("Ask about all classes", "task", Task.MULTICLASS.value),
        ],
    )


def _refuse_strangers(truth: str, known: Labels, name: str, labels: Labels) -> None:
    written = {frozenset(known.names), frozenset(labels.names)}
    if written in (_SIGNS_AND_BITS, {_BITS, _PLACES}):
        raise EvalError(
            "labels-differ",
            f'"{name}" holds {listed(class_order(labels.names))}, but the truth "{truth}" '
            f"{listed(class_order(known.names))}. Nothing says which of them mean the same; "
            f"write them alike.{f' {_FROM_0_AND_1}' if _PLACES in written else ''}",
            column=name,
            offers=[_SIGN_IS_0] if written == _SIGNS_AND_BITS else [],
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


def _said_of_labels(columns: Sequence[Labels], roles: Roles) -> Iterator[Notice]:
    """Say what was said of labels: which are left out, and which count as others."""
    of_models = [of for model in roles.models.values() for of in model.probabilities]
    known = [*(name for labels in columns for name in labels.names), *of_models]
    for said in roles.ignore_labels:
        rows = np.isin(columns[0].codes, _places(columns[0], [label_meant(known, said)]))
        count = counted(int(rows.sum()), "row")
        message = f'{count} whose truth is "{said}" {"is" if rows.sum() == 1 else "are"} left out.'
        yield Notice("ignored-label", message, rows=row_numbers(rows))
    for said, other in roles.merge_labels.items():
        name = label_meant(known, said)
        rows = np.logical_or.reduce([np.isin(c.codes, _places(c, [name])) for c in columns])
        message = f'"{said}" counts as "{other}", in {counted(int(rows.sum()), "row")}.'
        yield Notice("merged-label", message, rows=row_numbers(rows))


def _merged(before: Sequence[Labels], after: Sequence[Labels], roles: Roles) -> tuple[Notice, ...]:
    """Say which spellings were made one, and in how many rows."""
    if not roles.merge_spellings:
        return ()
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
