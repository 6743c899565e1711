"""Rewritten tables and labels: lists spread, one-hot decoded, hints and spellings laid together."""

import ast
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.errors import Notice, Offer
from evalcore.tables.confusion import NO_PREDICTION
from evalread.columns import (
    MISSING_WORDS,
    MOST_LABELS,
    Labels,
    as_labels,
    class_order,
    is_number,
    plain_if_numbers,
    plain_number,
    renamed,
    same_labels,
)
from evalread.dataset import (
    SCHEMA,
    Choices,
    FeatureKind,
    Missing,
    ModelRoles,
    Roles,
    Table,
    with_models,
)
from evalread.detection.profile import WORDS, pieces, plain, profile, speaks_of_prediction
from evalread.notices import Mask, notice, refusal

PREDICTIONS = (
    "labels", "scores", "predictions", "probabilities", "correct", "clusterings", "fold_scores",
)  # fmt: skip
"""The choices that name columns of predictions."""

MOST_BYTES = 1 << 30
"""Bytes that a file may become: columns take as much again."""


def refuse_unpacked(size: int, said: str = "Unpacked, the file takes") -> None:
    """Refuse a file that says that it becomes more bytes than are held.

    Raises:
        EvalError: "too-large".
    """
    if size > MOST_BYTES:
        raise refusal("too-large/bytes", said=said, size=size / 1e6, most=MOST_BYTES / 1e6)


MOST_SPREAD = 20_000_000
"""Cells of a table whose file leaves most of them out: as text they take about 1 GB."""


def refuse_too_many_cells(rows: int, columns: int) -> None:
    """Refuse a table whose cells, spread out, would not fit into memory.

    Raises:
        EvalError: "too-large".
    """
    if rows * columns > MOST_SPREAD:
        raise refusal("too-large/cells", n=rows, columns=columns, most=MOST_SPREAD)


def only_shaping(choices: Choices) -> Choices:
    """Keep what decides which cells there are; leave everything else open."""
    shaping = [one.field for one in SCHEMA if one.about != "column"]
    return Choices(**{field: getattr(choices, field) for field in shaping})


def overlay(upper: Choices, lower: Choices) -> Choices:
    """Return the upper choices, with those of the lower where the upper leave a role open.

    Naming any prediction column settles them all: those of the lower are dropped then.
    """
    names_predictions = any(getattr(upper, name) is not None for name in PREDICTIONS)
    choices = {}
    for name in Choices.__dataclass_fields__:
        open_role = getattr(upper, name) in (None, False) and not (
            names_predictions and name in PREDICTIONS
        )
        choices[name] = getattr(lower if open_role else upper, name)
    return Choices(**choices)


_CARRIED = (
    *("reverse", "order", "merge_spellings", "merge_labels", "ignore_labels", "missing"),
    *("weight_kind", "independent_rows", "date"),
)


def carried_along(known: Choices) -> dict[str, Any]:
    """Return the roles that nothing but a choice settles, as far as they are chosen."""
    return {name: said for name in _CARRIED if (said := getattr(known, name))}


_QUOTED = re.compile(r"\s*[\[{][\s\[{]*'[^\\]{1,20000}$", re.DOTALL)
_SPARSE = re.compile(r"\((\d{1,9},\s*\[[\d,\s]*\],\s*\[[-+.\deE,\s]*\])\)")
"""A sparse vector as Spark prints it: "(2,[1],[1.0])"."""


def with_columns(
    table: Table, changed: Mapping[str, pa.ChunkedArray], drop: Sequence[str] = ()
) -> Table:
    """Return the table with columns changed or added, and others left out."""
    columns = {name: c for name, c in table.columns.items() if name not in drop}
    return replace(table, columns=columns | dict(changed))


def text(values: Sequence[str | None]) -> pa.ChunkedArray:
    """Return a column of text cells."""
    return pa.chunked_array([pa.array(values, pa.string())])


def with_notice(table: Table, said: Notice) -> Table:
    """Return the table with a further notice."""
    return replace(table, notices=(*table.notices, said))


def rewrite(column: pa.ChunkedArray, name: str, rule: Callable[[str], str]) -> pa.ChunkedArray:
    """Rewrite each distinct cell of a column of labels; missing cells stay missing."""
    labels = as_labels(column, name)
    renamed = pa.array([rule(label) for label in labels.names], pa.string())
    codes = pa.array(labels.codes, mask=labels.codes < 0)
    return pa.chunked_array([renamed.take(codes)])


def parsed(cell: Any) -> Any:
    """Return what a cell holds that JSON, Python or NumPy has printed; None if none of them has."""
    if not isinstance(cell, str):
        return cell
    try:
        # Python prints text in single quotes.
        return ast.literal_eval(cell.strip()) if _QUOTED.match(cell) else json.loads(cell)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        numbers = re.findall(r"[-+.\deE]+", cell)
        return numbers if numbers and re.fullmatch(r"\s*[\[(].*[\])]\s*", cell) else None


PAIRED_LISTS = (("classes", "scores"), ("displayNames", "confidences"))
"""Keys of an object that holds a list of classes and one of their probabilities."""

_NAME_KEYS = ("label", "class", "name", "displayName")
_SHARE_KEYS = ("score", "prob", "probability", "confidence", "value")


def pair_keys(cells: Iterable[Any]) -> tuple[str, str] | None:
    """Return the keys of [{"label": "cat", "score": 0.9}, ...], where cells are such lists."""
    items: list[Any] = [item for cell in cells if isinstance(cell, list) for item in cell]
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    name = next((key for key in _NAME_KEYS if all(key in item for item in items)), None)
    share = next((key for key in _SHARE_KEYS if all(key in item for item in items)), None)
    return (name, share) if name and share else None


def spread(table: Table, name: str, beside: str = "") -> Table:
    """Return the table with one column per class, or per place in a list, instead of `name`.

    Its cells are [0.4, 0.6], {"a": 0.4, "b": 0.6}, [{"label": "a", "prob": 0.4}, ...], an object of
    two lists, or a vector as Spark writes it. `beside` is a column of lists that name the classes.
    """
    cells = []
    for cell in table.columns[name].to_pylist():
        cells.append(_vector(cell))
        refuse_too_many_cells(table.n, len(cells[-1] or ()))
    if beside:
        named = zip(table.columns[beside].to_pylist(), cells, strict=True)
        cells = [dict(zip(PAIRED_LISTS[0], (parsed(of), cell), strict=True)) for of, cell in named]
    first = next((cell for cell in cells if cell is not None), None)
    keys = pair_keys([first])
    places = not (keys or isinstance(first, dict))
    kind = list if places or keys else dict
    shares = [_by_label(cell, keys) if isinstance(cell, kind) else {} for cell in cells]
    labels = dict.fromkeys(label for own in shares for label in own)
    sizes = sorted({len(cell) for cell in cells if isinstance(cell, list)})
    if places and len(sizes) != 1:
        lengths = ", ".join(map(str, sizes)) or "of none"
        raise refusal("list-cells/lengths", column=name, lengths=lengths)
    if not places and not 0 < len(labels) <= MOST_LABELS:
        raise refusal("list-cells/no-classes", column=name)
    refuse_too_many_cells(table.n, len(labels))
    called = f"{name}_" if places else f"{name} of "
    changed = {
        f"{called}{label}": text([cell_text(own.get(label)) for own in shares]) for label in labels
    }
    return with_columns(table, changed, drop=[name])


def _vector(cell: Any) -> Any:
    """Return the list or object in a cell; a list where it is {"type": 1, "values": [...]}."""
    found = parsed(cell)
    if isinstance(cell, str) and (sparse := _SPARSE.fullmatch(cell.strip())):
        parts = parsed(f"[{sparse[1]}]")
        found = dict(zip(("size", "indices", "values"), parts, strict=True)) if parts else None
    values = found.get("values") if isinstance(found, dict) else None
    if not isinstance(values, list):
        return found if isinstance(found, dict | list) else None
    size, indices = found.get("size"), found.get("indices")
    if isinstance(indices, list) and isinstance(size, int):
        at = dict(zip(indices, values, strict=False))
        return [at.get(place, 0.0) for place in range(min(size, MOST_LABELS))]
    return values


def _by_label(cell: Any, keys: tuple[str, str] | None) -> dict[Any, Any]:
    """Return what a cell holds for each label, or for each place in a list."""
    if keys:
        items = (one for one in cell if isinstance(one, dict) and set(keys) <= one.keys())
        return {str(one[keys[0]]): one[keys[1]] for one in items}
    if isinstance(cell, list):
        return dict(enumerate(cell))
    pair = next((pair for pair in PAIRED_LISTS if isinstance(cell.get(pair[0]), list)), None)
    if pair is None:
        return dict(cell)
    classes, shares = map(cell.get, pair)
    return dict(zip(map(str, classes), shares, strict=False)) if isinstance(shares, list) else {}


def cell_text(value: Any) -> str | None:
    """Return a value as text: None stays missing, and what is nested becomes JSON.

    >>> cell_text(True), cell_text(0.5), cell_text([1, 2]), cell_text(None)
    ('true', '0.5', '[1, 2]', None)
    """
    if isinstance(value, bool | dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return None if value is None else str(value)


def rows_sum_to_one(table: Table, names: Sequence[str]) -> bool:
    """Whether columns of numbers in [0, 1] sum to about 1 in each early row that has them."""
    if len(names) < 2:
        return False
    heads, total = [], np.zeros(min(table.n, 300))
    for name in names:
        try:
            heads.append(table.columns[name].slice(0, 300).cast(pa.float64()).to_numpy())
        except pa.ArrowException:
            return False
        total = total + heads[-1]
        if (total > 1.02).all():  # which no further share makes less
            return False
    head = np.column_stack(heads)
    head = head[~np.isnan(head).any(axis=1)]
    return len(head) > 0 and bool(
        ((head >= 0) & (head <= 1)).all() and (abs(head.sum(axis=1) - 1) < 0.02).all()
    )


def one_truth(table: Table) -> Table:
    """Return the table with a one-hot truth, such as "true_cat" and "true_dog", as one column."""
    for name, columns in (*_called_truth(table.names), *_beside_predictions(table.names)):
        if name not in table.columns and is_one_hot(table, list(columns.values())):
            return decoded(table, name, columns)
    return table


def _called_truth(names: Sequence[str]) -> Iterable[tuple[str, Mapping[str, str]]]:
    """Return what begins with the name of a truth: that name, and class -> column."""
    found: dict[str, dict[str, str]] = {}
    for name in (name for name in names if not speaks_of_prediction(name)):
        words = pieces(name)
        for size in range(min(2, len(words) - 1), 0, -1):
            begins = re.match(r"[\W_]*".join(map(re.escape, words[:size])), name)
            if begins and plain(begins[0]) in WORDS.truth:
                found.setdefault(begins[0], {})[name[begins.end() :].lstrip(" _.-:/")] = name
                break
    return found.items()


def _beside_predictions(names: Sequence[str]) -> Iterable[tuple[str, Mapping[str, str]]]:
    """Return columns such as "cat" and "dog" beside "prob_cat" and "prob_dog".

    They are given with what comes before the class, or as "truth", and by class.
    """
    spoken = [pieces(name) for name in names if speaks_of_prediction(name)]
    said = {word for words in spoken if len(words) > 1 for word in (words[0], words[-1])}
    found: dict[str, dict[str, str]] = {}
    if len(said) > 1 and not any(plain(name) in WORDS.truth for name in names):
        for name in names:
            *start, of = pieces(name)
            if of in said and not speaks_of_prediction(name):
                found.setdefault(" ".join(start) or "truth", {})[of] = name
    return found.items()


def is_one_hot(table: Table, columns: Sequence[str]) -> bool:
    """Return whether columns are 0 or 1 and exactly one of them is 1, in each row looked at."""
    zeros_and_ones = all(profile(table, name).holds_only({"0", "1"}) for name in columns)
    return zeros_and_ones and rows_sum_to_one(table, columns)


def decoded(table: Table, name: str, columns: Mapping[str, str]) -> Table:
    """Return the table with one-hot columns decoded to one column of classes.

    Rows that are not 1 in exactly one column have no class.
    """
    cells = [table.columns[column].cast(pa.float64()).to_numpy() for column in columns.values()]
    matrix = np.column_stack(cells) == 1
    classes = [*columns, None]
    place = np.where(matrix.sum(axis=1) == 1, matrix.argmax(axis=1), len(columns))
    truth = text([classes[k] for k in place])
    one_hot = notice("one-hot", column=name, columns=list(columns.values()))
    others = with_columns(table, {}, drop=list(columns.values()))
    return with_notice(with_columns(others, {name: truth}), one_hot)


def with_roles(
    before: Choices,
    roles: Roles | None,
    truth: str | None,
    models: Mapping[str, ModelRoles],
    sides: Mapping[str, str | None],
) -> Choices:
    """Return the choices of before with what differs from the roles at hand.

    `sides` maps "fold", "weight", "group", "date" and "id" to columns; what equals the roles stays
    as open, or as settled, as it was.
    """
    if roles is None or truth != roles.truth:
        before = replace(before, truth=truth, positive=None)
    for role, column in sides.items():
        if roles is None or column != getattr(roles, role):
            # Empty text says "none of the columns", where None would mean "as detected".
            settled_role: dict[str, Any] = {role: column or ("" if roles else None)}
            before = replace(before, **settled_role)
    if roles is not None and dict(models) == dict(roles.chosen_models):
        return before
    return with_models(before, models)


def with_points(
    before: Choices,
    roles: Roles,
    clusters: Sequence[str],
    features: Sequence[str],
    kind: FeatureKind | None,
) -> Choices:
    """Return the choices of before with other columns of clusters, or other features.

    A clustering that has a name keeps it; without any column of clusters those of now stay. A
    column of clusters is no feature.
    """
    before = replace(before, feature_kind=kind)
    now = {column: name for name, column in roles.clusterings.items()}
    if clusters and set(clusters) != set(now):
        named = {now.get(column, column): column for column in clusters}
        before = replace(before, clusterings=named)
    kept, were = (
        tuple(column for column in columns if column not in clusters)
        for columns in (features, roles.features)
    )
    open_still = before.features is None and kept == were
    return before if open_still else replace(before, features=kept)


MERGE_SPELLINGS = Offer("Count them as one class", "merge_spellings", "yes")
"""What a reader may choose where labels are spelt apart."""


def spelling_variants(names: Iterable[str]) -> list[list[str]]:
    """Group names that differ only in case, inner space, Unicode form or how a number is written.

    >>> spelling_variants(["yes", "no", "Yes", "YES"]), spelling_variants(["1", "01", "1.0", "2"])
    ([['yes', 'Yes', 'YES']], [['1', '01', '1.0']])
    """
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(_simplest(name), []).append(name)
    return [group for group in alike.values() if len(group) > 1]


def _simplest(name: str) -> str:
    folded = " ".join(unicodedata.normalize("NFKC", name).casefold().split())
    if folded.isdigit():
        return folded.lstrip("0") or "0"
    return plain_number(folded) if is_number(folded) else folded


def spelling(columns: Iterable[Mapping[str, int]]) -> Callable[[str], str]:
    """Return how each label is written: as the commonest alike in the first column that has one.

    One that no column holds stays as it is.

    >>> spelling([{"yes": 3, "YES": 1, "no": 2}, {"Yes": 9}])("Yes")
    'yes'
    """
    written: dict[str, str] = {}
    for counts in columns:
        for name in sorted(counts, key=lambda name: -counts[name]):
            written.setdefault(_simplest(name), name)
    return lambda name: written.get(_simplest(name), name)


def settled(
    columns: Sequence[Labels], said: Choices | Roles, named: Iterable[str] = ()
) -> list[Labels]:
    """Return labels, those of the truth first, as they count by what was said of them.

    Raises:
        EvalError: "no-such-label": something is said of a label that is not there, nor in `named`.
    """
    read = same_labels(columns)
    if said.merge_spellings:
        written = spelling([labels.counts for labels in read])
        read = [renamed(labels, written) for labels in read]
    known = dict.fromkeys([*(name for labels in read for name in labels.names), *named])
    if merges := said.merge_labels:
        to = {label_meant(known, name): merges[name] for name in merges}
        read = [renamed(labels, lambda name: to.get(name, name)) for labels in read]
    if ignored := said.ignore_labels:
        gone = {label_meant(read[0].names, name) for name in ignored}
        # Two classes have no third one beside them: to predict what is left out is no prediction.
        about = len(read) if len({*read[0].names} - gone) == 2 else 1
        kept = partial(renamed, rename=lambda name: None if name in gone else name)
        read[:about] = map(kept, read[:about])
    if said.missing is Missing.WRONG:
        read[1:] = map(_with_no_prediction, read[1:])
    return read


def label_meant(known: Iterable[str], said: str) -> str:
    """Return the label that a reader's words mean.

    Raises:
        EvalError: "no-such-label", naming the labels there are.
    """
    names = list(known)
    if said in names:
        return said
    if is_number(said) and plain_number(said) in names:
        return plain_number(said)
    if not names:
        raise refusal("no-such-label/none", said=said)
    raise refusal("no-such-label", said=said, names=class_order(names))


def _with_no_prediction(labels: Labels) -> Labels:
    """Return labels of which the missing ones are a label of their own."""
    gone = labels.codes < 0
    if not gone.any():
        return labels
    names = (*labels.names, NO_PREDICTION)
    codes = np.where(gone, len(labels.names), labels.codes).astype(np.int32)
    return Labels(names, codes, {}, labels.trimmed)


_CODES = frozenset(
    f"{sign}{digit * times}" for sign in ("", "-") for digit in "789" for times in range(1, 5)
) | {"-1"}
"""Numbers that usually stand for a value that is missing, unknown or not asked for."""

_RARE = 0.2
"""Share of rows up to which a code may be that of missing values."""


def missing_codes(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the labels that usually stand for a missing value, beside two others at least.

    That are words such as "unknown", and rare numbers such as 9 or -99 that are apart from others.

    >>> missing_codes({"1": 60, "2": 38, "9": 2}), missing_codes({"8": 60, "7": 38, "9": 2})
    (('9',), ())
    >>> missing_codes({"yes": 60, "no": 30, "unknown": 10}), missing_codes({"0": 6, "1": 6, "9": 6})
    (('unknown',), ())
    """
    words = {n for n in counts if n.casefold() in (*MISSING_WORDS, *WORDS.unknown)}
    numbers = {n: float(n) for n in counts if n not in words and is_number(n)}
    rare = {n for n in numbers if counts[n] <= _RARE * sum(counts.values())}
    codes = {n for n in rare if plain_number(n) in _CODES}
    while near := {
        n for n in codes if any(abs(numbers[n] - numbers[o]) <= 1 for o in numbers.keys() - codes)
    }:
        codes -= near
    found = tuple(name for name in counts if name in words | codes)
    return found if len(found) + 2 <= len(counts) else ()


def leaves_two(counts: Mapping[str, int], ignored: Collection[str]) -> bool:
    """Return whether two labels remain without the ignored ones and codes of missing values."""
    gone = {*plain_if_numbers([*ignored]), *missing_codes(counts)}
    return len(counts.keys() - gone) == 2


def holds(names: Collection[str], columns: Sequence[Labels]) -> Mask:
    """Mark the rows where some column holds one of some labels."""
    places = [[k for k, name in enumerate(labels.names) if name in names] for labels in columns]
    each = zip(columns, places, strict=True)
    found: Mask = np.logical_or.reduce([np.isin(labels.codes, held) for labels, held in each])
    return found


_WORD_SCALES = [
    line.split(", ")
    for line in Path(__file__).with_name("scales.txt").read_text("utf-8").splitlines()[2:]
]
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
    words = {name: " ".join(re.split(r"[\s_-]+", name.casefold().strip())) for name in classes}
    for scale in _WORD_SCALES:
        if set(words.values()) <= set(scale):
            return tuple(sorted(classes, key=lambda name: scale.index(words[name])))
    found = [match for match in map(_NUMBERED.fullmatch, classes) if match is not None]
    numbers = [int(match[2]) for match in found]
    if len({match[1].casefold() for match in found}) > 1 or len(set(numbers)) < len(classes):
        return None
    return tuple(name for _, name in sorted(zip(numbers, classes, strict=True)))
