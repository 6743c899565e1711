"""Signatures: how the file of a tool is recognised, and its cells become plain columns."""

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evalcore.errors import EvalError, Notice
from evalcore.text import listed
from evalread.columns import MOST_LABELS, as_labels, refuse_too_many_cells
from evalread.dataset import Choices, Scale, Table
from evalread.detection.profile import WORDS, pieces, plain, profile, speaks_of_prediction

_HOLES = {hole: f"(?P<{hole}>.+?)" for hole in ("target", "of", "model")}
"""What stands in a pattern for the name of the truth, of a class and of a model."""


@dataclass(frozen=True, kw_only=True)
class Signature:
    """The prediction file of one tool; `tools.txt` says what its fields mean."""

    tool: str
    columns: str
    says: str
    needs: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    reads: Callable[[Table], Table | None] = lambda table: table
    spread: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    sums: bool = False
    truth: tuple[str, ...] = ("{target}",)
    label: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    probability: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    scale: Scale | None = None
    fold: tuple[str, ...] = ()
    weight: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    models: tuple[str, ...] = ()

    def read(self, table: Table) -> Table | None:
        """Return the table with plain columns and their roles if this tool wrote it, else None."""
        found = self.reads(table) if self._names(table) else None
        if found is None:
            return None
        for one in list(_matches(self.spread, found)):
            found = spread(found, one["column"])
        found = with_columns(found, {}, drop=[m["column"] for m in _matches(self.drop, found)])
        roles = overlay(found.hints, self._roles(found))
        chances = (roles.probabilities or {}).values()
        if self.sums and not any(rows_sum_to_one(found, [*of.values()]) for of in chances):
            return None
        says = self.says.replace("`", '"')
        notice = Notice("tool", f"{self.tool} predictions; {says}.")
        source = replace(found.source, tool=self.tool)
        return with_notice(replace(found, source=source, hints=_with_numbers(roles, found)), notice)

    def _names(self, table: Table) -> bool:
        """Tell whether the columns are called as this tool calls them."""
        return (
            all(any(_matches((need,), table)) for need in self.needs)
            and not any(_matches(self.lacks, table))
            and (not self.only or sum(1 for _ in _matches(self.only, table)) == len(table.names))
        )

    def _roles(self, table: Table) -> Choices:
        """Return the roles of the columns, about the target that most columns speak of."""
        about = (*self.label, *self.prediction)
        targets = {m["target"] for m in _matches(about, table) if "target" in m}
        ways = [self._roles_about(table, target) for target in sorted(targets, key=len)]
        return max(
            ways or [self._roles_about(table, None)],
            key=lambda roles: (roles.probabilities is not None, roles.truth is not None),
        )

    def _roles_about(self, table: Table, target: str | None) -> Choices:
        def found(patterns: Sequence[str]) -> Iterator[dict[str, str]]:
            return _matches(patterns, table, target)

        def column(patterns: Sequence[str]) -> str | None:
            return next((one["column"] for one in found(patterns)), None)

        labels = _by_model(found(self.label))
        scores = _by_model(found(self.score))
        if labels:  # "$LP-drug" is no label of a model "LP", but the score of "$L-drug"
            scores = {model: name for model, name in scores.items() if model in labels}
            labels = {m: name for m, name in labels.items() if name not in scores.values()}
        chances: dict[str, dict[str, str]] = {}
        for one in found(self.probability):
            chances.setdefault(one.get("model", ""), {})[one["of"]] = one["column"]
        truth = self.truth if target or self.truth != Signature.truth else ()
        return Choices(
            truth=column(truth),
            labels=labels or None,
            scores=scores or None,
            predictions=_by_model(found(self.prediction)) or None,
            probabilities=chances or None,
            scale=self.scale,
            fold=column(self.fold),
            weight=column(self.weight),
            id="" if self.rows == ("none",) else column(self.rows),
            model=column(self.models),
        )


def _matches(
    patterns: Sequence[str], table: Table, target: str | None = None
) -> Iterator[dict[str, str]]:
    """Yield the groups of every column that matches, with the column itself."""
    holes = _HOLES if target is None else {**_HOLES, "target": re.escape(target)}
    for pattern in patterns:
        for hole, stands_for in holes.items():
            pattern = pattern.replace("{" + hole + "}", stands_for)
        rule = re.compile(pattern)
        for name in table.names:
            if match := rule.fullmatch(name):
                groups = {key: value for key, value in match.groupdict().items() if value}
                yield {"column": name, **groups}


def _by_model(found: Iterable[dict[str, str]]) -> dict[str, str]:
    models: dict[str, str] = {}
    for groups in found:
        models.setdefault(groups.get("model", ""), groups["column"])
    return models


def paragraphs(name: str, parts: int) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Yield for each paragraph of a file of data the parts of its first line, and its fields."""
    for block in Path(__file__).with_name(name).read_text("utf-8").split("\n\n"):
        first, *lines = block.strip().splitlines()
        if len(said := first.split(" | ")) == parts:
            fields = (line.strip().partition(": ") for line in lines)
            yield said, {field: value for field, _, value in fields}


def declared(functions: Mapping[str, Callable[[Table], Table | None]]) -> Iterator[Signature]:
    """Yield the signatures that `tools.txt` declares; `functions` are those that it names."""
    for (tool, columns, says), lines in paragraphs("tools.txt", 3):
        fields: dict[str, Any] = {field: tuple(said.split(", ")) for field, said in lines.items()}
        for field, of in (("scale", Scale), ("sums", bool), ("reads", functions.__getitem__)):
            if field in fields:
                fields[field] = of(*fields[field])
        yield Signature(tool=tool, columns=columns, says=says, **fields)


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


PREDICTIONS = (
    "labels", "scores", "predictions", "probabilities", "correct", "clusterings", "fold_scores",
)  # fmt: skip
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


def spread(table: Table, name: str, beside: str | None = None) -> Table:
    """Return the table with one column per class, or per place in a list, instead of `name`.

    Its cells are [0.4, 0.6], {"a": 0.4, "b": 0.6}, [{"label": "a", "prob": 0.4}, ...], an object of
    two lists, or a vector as Spark writes it. `beside` is a column of lists that name the classes.
    """
    cells = []
    for cell in table.columns[name].to_pylist():
        cells.append(_vector(cell))
        refuse_too_many_cells(table.n, len(cells[-1] or ()))
    if beside is not None:
        classes = map(parsed, table.columns[beside].to_pylist())
        return _by_class(table, name, map(_paired, classes, cells))
    first = next((cell for cell in cells if cell is not None), None)
    if keys := pair_keys([first]):
        return _by_class(table, name, (_of_items(cell, *keys) for cell in cells))
    if isinstance(first, dict):
        return _by_class(table, name, map(_of_object, cells))
    return _by_place(table, name, [cell if isinstance(cell, list) else None for cell in cells])


def _vector(cell: Any) -> Any:
    """Return what a cell holds; a list where it is {"type": 1, "values": [...]}, or sparse."""
    found = _sparse(cell) if isinstance(cell, str) else None
    found = found or parsed(cell)
    values = found.get("values") if isinstance(found, dict) else None
    if not isinstance(values, list):
        return found if isinstance(found, dict | list) else None
    size, indices = found.get("size"), found.get("indices")
    if isinstance(indices, list) and isinstance(size, int):
        at = dict(zip(indices, values, strict=False))
        return [at.get(place, 0.0) for place in range(min(size, MOST_LABELS))]
    return values


def _sparse(cell: str) -> dict[str, Any] | None:
    """Read a sparse vector as Spark prints it: "(2,[1],[1.0])"."""
    match = _SPARSE.fullmatch(cell.strip())
    if not match:
        return None
    indices = [int(place) for place in match["indices"].split(",") if place.strip()]
    values = [value for value in match["values"].split(",") if value.strip()]
    return {"size": int(match["size"]), "indices": indices, "values": values}


def _paired(classes: Any, shares: Any) -> dict[str, Any]:
    lists = isinstance(classes, list) and isinstance(shares, list)
    return dict(zip(map(str, classes), shares, strict=False)) if lists else {}


def _of_items(cell: Any, label: str, share: str) -> dict[str, Any]:
    items = cell if isinstance(cell, list) else []
    whole = [one for one in items if isinstance(one, dict) and {label, share} <= one.keys()]
    return {str(one[label]): one[share] for one in whole}


def _of_object(cell: Any) -> dict[str, Any]:
    if not isinstance(cell, dict):
        return {}
    keys = next((pair for pair in PAIRED_LISTS if isinstance(cell.get(pair[0]), list)), None)
    return _paired(*map(cell.get, keys)) if keys else cell


def _by_place(table: Table, name: str, cells: Sequence[list[Any] | None]) -> Table:
    sizes = {len(cell) for cell in cells if cell is not None}
    if len(sizes) != 1:
        raise EvalError(
            "list-cells",
            f'Column "{name}" should hold lists of one length; it holds lengths '
            f"{', '.join(map(str, sorted(sizes))) or 'of none'}.",
            column=name,
        )
    changed = {
        f"{name}_{place}": text([None if cell is None else str(cell[place]) for cell in cells])
        for place in range(sizes.pop())
    }
    return with_columns(table, changed, drop=[name])


def _by_class(table: Table, name: str, shares: Iterable[Mapping[str, Any]]) -> Table:
    cells = list(shares)
    classes = list(dict.fromkeys(label for cell in cells for label in cell))
    if not classes or len(classes) > MOST_LABELS:
        raise EvalError(
            "list-cells",
            f'Column "{name}" does not hold a probability for each label.',
            column=name,
        )
    refuse_too_many_cells(table.n, len(classes))
    changed = {
        f"{name} of {label}": text([str(c[label]) if label in c else None for c in cells])
        for label in classes
    }
    return with_columns(table, changed, drop=[name])


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
    if len(said) < 2 or any(plain(name) in WORDS.truth for name in table.names):
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
            if start and plain(start) in WORDS.truth:
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
