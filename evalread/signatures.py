"""Signatures: how the file of a tool is recognised, and its cells become plain columns."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.text import listed
from evalread.columns import MOST_LABELS, as_labels, refuse_too_many_cells
from evalread.dataset import Choices, Scale, Table
from evalread.detection.profile import TRUTH, pieces, plain, profile, speaks_of_prediction

Translate = Callable[[Table], Table]


def _as_it_is(table: Table) -> Table:
    return table


def _always(_: Table) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class Signature:
    """The prediction file of one tool.

    Column names are regular expressions that match the whole name. Their groups have a meaning:
    `of` is the class that a probability is about, `model` the model, `target` the truth column.

    Attributes:
        tool: The tool's name.
        columns: Its columns in words, for the documentation.
        says: What the reader is told about the meaning of its columns, as part of a sentence.
        needs: Columns that must be there.
        lacks: Columns that must not be there.
        proof: Looks at values where names alone do not prove enough.
        translate: Rewrites cells that only this tool writes so into plain columns, before the
            roles below are looked up.
        truth: The truth column; None where the target of the predictions, or detection, tells it.
        scale: How the scores are to be read.
        rows: The id column; "" where no column is one, though its name says so.
    """

    tool: str
    columns: str
    says: str
    needs: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    proof: Callable[[Table], bool] = _always
    translate: Translate = _as_it_is
    truth: str | None = None
    label: str | None = None
    score: str | None = None
    probability: str | None = None
    prediction: str | None = None
    scale: Scale | None = None
    fold: str | None = None
    weight: str | None = None
    rows: str | None = None
    models: str | None = None

    def matches(self, table: Table) -> bool:
        """Tell whether a table was written by this tool."""
        return (
            all(_any_match(pattern, table) for pattern in self.needs)
            and not any(_any_match(pattern, table) for pattern in self.lacks)
            and self.proof(table)
        )

    def hints(self, table: Table) -> Choices:
        """Return the roles of the columns, as far as the tool settles them."""
        found = {
            role: list(_matches(pattern, table))
            for role, pattern in (
                ("label", self.label),
                ("score", self.score),
                ("prediction", self.prediction),
                ("probability", self.probability),
            )
        }
        targets = [m["target"] for many in found.values() for m in many if "target" in m]
        target = next((name for name in targets if name in table.columns), None)
        return Choices(
            truth=_column(self.truth, table) or target,
            labels=_by_model(found["label"]),
            scores=_by_model(found["score"]),
            predictions=_by_model(found["prediction"]),
            probabilities=_by_class(found["probability"]),
            scale=self.scale,
            fold=_column(self.fold, table),
            weight=_column(self.weight, table),
            id="" if self.rows == "" else _column(self.rows, table),
            model=_column(self.models, table),
        )


def _any_match(pattern: str, table: Table) -> bool:
    return any(map(re.compile(pattern).fullmatch, table.names))


def _column(pattern: str | None, table: Table) -> str | None:
    return next((found["column"] for found in _matches(pattern, table)), None)


def _matches(pattern: str | None, table: Table) -> Iterator[dict[str, str]]:
    """Yield the groups of every column that matches, with the column itself."""
    if not pattern:
        return
    for name in table.names:
        match = re.fullmatch(pattern, name)
        if match:
            groups = {key: value for key, value in match.groupdict().items() if value}
            yield {"column": name, **groups}


def _by_model(found: list[dict[str, str]]) -> Mapping[str, str] | None:
    models: dict[str, str] = {}
    for groups in found:
        models.setdefault(groups.get("model", ""), groups["column"])
    return models or None


def _by_class(found: list[dict[str, str]]) -> Mapping[str, Mapping[str, str]] | None:
    models: dict[str, dict[str, str]] = {}
    for groups in found:
        models.setdefault(groups.get("model", ""), {})[groups["of"]] = groups["column"]
    return models or None


def recognise(table: Table, signatures: tuple[Signature, ...]) -> Table:
    """Return the table with what the first fitting signature tells; else as it is."""
    for signature in signatures:
        if signature.matches(table):
            return _with_roles(table, signature)
    return table


def _with_roles(table: Table, signature: Signature) -> Table:
    known = replace(table, source=replace(table.source, tool=signature.tool))
    plain = signature.translate(known)
    hints = _with_numbers(overlay(plain.hints, signature.hints(plain)), plain)
    says = signature.says.replace("`", '"')
    notice = Notice("tool", f"{signature.tool} predictions; {says}.")
    return replace(plain, hints=hints, notices=(*plain.notices, notice))


def _with_numbers(hints: Choices, table: Table) -> Choices:
    """Take what a tool calls a prediction for a number where it, or the truth, is no label.

    Whole numbers may be many labels; a probability for each says that they are.
    """
    truth = [hints.truth] if hints.truth else []
    if hints.probabilities or not _any_continuous([*(hints.labels or {}).values(), *truth], table):
        return hints
    # The same holds for scores of a tool that has one name for both, if the truth is a number.
    scores = dict(hints.scores or {}) if _any_continuous(truth, table) else {}
    predicted = scores | dict(hints.labels or {})
    numbers = {m: column for m, column in predicted.items() if profile(table, column).numeric}
    labels = {m: c for m, c in (hints.labels or {}).items() if numbers.get(m) != c}
    return replace(
        hints,
        labels=labels or None,
        scores=None if scores else hints.scores,
        predictions={**(hints.predictions or {}), **numbers} or None,
    )


def _any_continuous(columns: Iterable[str], table: Table) -> bool:
    return any(profile(table, column).continuous for column in columns)


PREDICTIONS = ("labels", "scores", "predictions", "probabilities", "clusterings", "fold_scores")
"""The choices that name columns of predictions."""


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


_MOST_FIELDS = 1000
"""Fields of objects in cells that become columns; an object with more is no record."""

_QUOTED = re.compile(r"\s*[\[{][\s\[{]*'[^\\]{1,20000}$", re.DOTALL)
_SPARSE = re.compile(
    r"\((?P<size>\d{1,9}),\s*\[(?P<indices>[\d,\s]*)\],\s*\[(?P<values>[-+.\deE,\s]*)\]\)"
)


def with_columns(
    table: Table, changed: Mapping[str, pa.ChunkedArray], drop: Sequence[str] = ()
) -> Table:
    """Return the table with columns changed or added, and others left out."""
    columns = {name: c for name, c in table.columns.items() if name not in drop}
    return replace(table, columns=columns | dict(changed))


def text(values: Sequence[str | None]) -> pa.ChunkedArray:
    """Return a column of text cells."""
    return pa.chunked_array([pa.array(values, pa.string())])


def with_notice(table: Table, notice: Notice) -> Table:
    """Return the table with a further notice."""
    return replace(table, notices=(*table.notices, notice))


def rewrite(column: pa.ChunkedArray, name: str, rule: Callable[[str], str]) -> pa.ChunkedArray:
    """Rewrite each distinct cell of a column of labels; missing cells stay missing."""
    labels = as_labels(column, name)
    renamed = pa.array([rule(label) for label in labels.names], pa.string())
    codes = pa.array(labels.codes, mask=labels.codes < 0)
    return pa.chunked_array([renamed.take(codes)])


def vectors(name: str) -> Translate:
    """Return a translation of vectors such as "[0.45,0.55]" into one column per place."""

    def translate(table: Table) -> Table:
        cells = []
        for cell in table.columns[name].to_pylist():
            cells.append(_vector(cell))
            refuse_too_many_cells(table.n, len(cells[-1] or ()))
        return _spread(table, name, cells, lambda place: f"{name}_{place}")

    return translate


def _vector(cell: Any) -> list[Any] | None:
    """Read a vector as Spark writes it: a list, {"type": 1, "values": [...]}, or sparse."""
    found = _sparse(cell) if isinstance(cell, str) else None
    found = found or parsed(cell)
    if isinstance(found, dict):
        values, size, indices = found.get("values"), found.get("size"), found.get("indices")
        if isinstance(indices, list) and isinstance(values, list) and isinstance(size, int):
            at = dict(zip(indices, values, strict=False))
            return [at.get(place, 0.0) for place in range(min(size, MOST_LABELS))]
        found = values
    return found if isinstance(found, list) else None


def _sparse(cell: str) -> dict[str, Any] | None:
    """Read a sparse vector as Spark prints it: "(2,[1],[1.0])"."""
    match = _SPARSE.fullmatch(cell.strip())
    if not match:
        return None
    indices = [int(place) for place in match["indices"].split(",") if place.strip()]
    values = [value for value in match["values"].split(",") if value.strip()]
    return {"size": int(match["size"]), "indices": indices, "values": values}


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


def _spread(
    table: Table, name: str, cells: Sequence[list[Any] | None], called: Callable[[int], str]
) -> Table:
    sizes = {len(cell) for cell in cells if cell is not None}
    if len(sizes) != 1:
        raise EvalError(
            "list-cells",
            f'Column "{name}" should hold lists of one length; it holds lengths '
            f"{', '.join(map(str, sorted(sizes))) or 'of none'}.",
            column=name,
        )
    width = sizes.pop()
    changed = {
        called(place): text([None if cell is None else str(cell[place]) for cell in cells])
        for place in range(width)
    }
    return with_columns(table, changed, drop=[name])


def by_label(name: str, label: str, share: str) -> Translate:
    """Return a translation of [{label: "a", share: 0.7}, ...] cells, matched by label."""

    def pairs(found: Any, _: Any) -> dict[str, Any]:
        items = found if isinstance(found, list) else []
        return {str(item[label]): item[share] for item in items if _has(item, label, share)}

    return _spread_by_class(name, pairs)


def by_pairs(name: str, labels: str | None = None) -> Translate:
    """Return a translation of {"a": 0.7, ...} cells, or of lists beside lists of labels."""

    def pairs(found: Any, names: Any) -> dict[str, Any]:
        if labels is None:
            return found if isinstance(found, dict) else {}
        lists = isinstance(found, list) and isinstance(names, list)
        return {str(k): v for k, v in zip(names, found, strict=False)} if lists else {}

    return _spread_by_class(name, pairs, labels)


def by_lists(name: str, labels: str, shares: str) -> Translate:
    """Return a translation of {labels: ["a", ...], shares: [0.7, ...]} cells, matched by label."""

    def pairs(found: Any, _: Any) -> dict[str, Any]:
        if not _has(found, labels, shares):
            return {}
        return {str(k): v for k, v in zip(found[labels], found[shares], strict=False)}

    return _spread_by_class(name, pairs)


def _spread_by_class(
    name: str, pairs: Callable[[Any, Any], dict[str, Any]], labels: str | None = None
) -> Translate:
    """Return a translation into a column per class; `pairs` takes a cell and that of labels."""

    def translate(table: Table) -> Table:
        beside = table.columns[labels].to_pylist() if labels else [None] * table.n
        both = zip(table.columns[name].to_pylist(), beside, strict=True)
        return _by_name(table, name, [pairs(parsed(cell), parsed(of)) for cell, of in both])

    return translate


def _has(item: Any, *keys: str) -> bool:
    return isinstance(item, dict) and all(key in item for key in keys)


def _by_name(table: Table, name: str, cells: Sequence[Mapping[str, Any]]) -> Table:
    names = list(dict.fromkeys(label for cell in cells for label in cell))
    if not names or len(names) > MOST_LABELS:
        raise EvalError(
            "list-cells",
            f'Column "{name}" does not hold a probability for each label.',
            column=name,
        )
    refuse_too_many_cells(table.n, len(names))
    changed = {
        f"{name} of {label}": text([None if label not in c else str(c[label]) for c in cells])
        for label in names
    }
    return with_columns(table, changed, drop=[name])


def spread_objects(table: Table, name: str) -> Table:
    """Put the fields of {"a": 1, ...} cells into columns of their own."""
    cells = [parsed(cell) for cell in table.columns[name].to_pylist()]
    fields = dict.fromkeys(key for cell in cells if isinstance(cell, dict) for key in cell)
    refuse_too_many_cells(table.n, min(len(fields), _MOST_FIELDS))
    changed = {
        key: text([_field(cell, key) for cell in cells])
        for key in list(fields)[:_MOST_FIELDS]
        if key not in table.columns
    }
    return with_columns(table, changed, drop=[name])


def _field(cell: Any, key: str) -> str | None:
    value = cell.get(key) if isinstance(cell, dict) else None
    return value if value is None or isinstance(value, str) else json.dumps(value)


def in_classes(table: Table) -> Table:
    """Call nameless columns after the classes 0, 1, ... that a booster numbers them by."""
    places = {name: f"probability_{place}" for place, name in enumerate(table.names)}
    return replace(table, columns={places[n]: c for n, c in table.columns.items()})


def label_numbers(table: Table) -> Table:
    """Read "LABEL_1" as the class 1."""
    names = as_labels(table.columns["label"], "label").names
    if not all(re.fullmatch(r"LABEL_\d+", name) for name in names):
        return table
    column = rewrite(table.columns["label"], "label", lambda name: name.removeprefix("LABEL_"))
    notice = Notice("label-numbers", 'Labels such as "LABEL_1" were read as the class 1.')
    return with_notice(with_columns(table, {"label": column}), notice)


def rows_sum_to_one(table: Table, names: Sequence[str]) -> bool:
    """Tell whether columns of numbers in [0, 1] sum to about 1 in each early row that has them."""
    if len(names) < 2:
        return False
    try:
        heads = [table.columns[name].slice(0, 300).cast(pa.float64()).to_numpy() for name in names]
    except pa.ArrowException:
        return False
    head = np.column_stack(heads)
    head = head[~np.isnan(head).any(axis=1)]
    return len(head) > 0 and bool(
        ((head >= 0) & (head <= 1)).all() and (abs(head.sum(axis=1) - 1) < 0.02).all()
    )


_SEPARATORS = " _.-:/"


def one_truth(table: Table) -> Table:
    """Return the table with a one-hot truth, such as "true_cat" and "true_dog", as one column."""
    for name, columns in _called_truth(table.names).items():
        if name not in table.columns and is_one_hot(table, list(columns.values())):
            return decoded(table, name, columns)
    return _truth_beside_probabilities(table)


def _truth_beside_probabilities(table: Table) -> Table:
    """Decode a column of 0 and 1 for each class, where a column of predictions stands beside each.

    Such as "cat" and "dog" beside "prob_cat" and "prob_dog".
    """
    spoken = [pieces(name) for name in table.names if speaks_of_prediction(name)]
    said = {word for words in spoken if len(words) > 1 for word in (words[0], words[-1])}
    if len(said) < 2 or any(plain(name) in TRUTH for name in table.names):
        return table
    found: dict[str, dict[str, str]] = {}
    for name in table.names:
        *start, of = pieces(name)
        if of in said and not speaks_of_prediction(name):
            found.setdefault(" ".join(start) or "truth", {})[of] = name
    for name, columns in found.items():
        if name not in table.columns and is_one_hot(table, list(columns.values())):
            return decoded(table, name, columns)
    return table


def _called_truth(names: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Return the one-hot columns of a truth: its name -> class -> column."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        for size in (2, 1):
            start = _start(name, size)
            if start and plain(start) in TRUTH:
                found.setdefault(start, {})[name[len(start) :].lstrip(_SEPARATORS)] = name
                break
    return {start: columns for start, columns in found.items() if len(columns) > 1}


def _start(name: str, size: int) -> str:
    """Return the first words of a name as written; nothing where no word is left then."""
    words = pieces(name)
    if len(words) <= size:
        return ""
    end = 0
    for word in words[:size]:
        end = name.index(word, end) + len(word)
    return name[:end]


def is_one_hot(table: Table, columns: Sequence[str]) -> bool:
    """Tell whether columns are 0 or 1 and exactly one of them is 1, in each row looked at."""
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
    message = f'{listed(list(columns.values()), 4)} are one column of classes: read as "{name}".'
    others = with_columns(table, {}, drop=list(columns.values()))
    return with_notice(with_columns(others, {name: truth}), Notice("one-hot", message, column=name))
