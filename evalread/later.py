"""A later file read as an earlier one was, by the names of its columns; and what has changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evalcore.errors import EvalError
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Floats
from evalcore.slices.shift import Shift, shift, shift_expected
from evalcore.text import listed
from evalread.binding import bind
from evalread.dataset import NO_CHOICES, Dataset, Roles, Table, Task
from evalread.detection.folds import holds_fold_scores
from evalread.loading import choices_from, files_of, read_all
from evalread.notices import refusal
from evalread.rewriting import only_shaping, text


@dataclass(frozen=True, eq=False)
class Unlabelled:
    """Rows of which only what models say is known.

    Attributes:
        probability: Model -> (n,) the probability of the positive class, or (n, K) those of the
            classes in the order of the earlier file, in the rows that have one.
        rows: How many rows the file has.
    """

    probability: Mapping[str, Floats]
    rows: int


def as_before(table: Table, earlier: Dataset) -> Dataset | Unlabelled:
    """Return a later file with the roles that columns of the same names have in an earlier one.

    Raises:
        EvalError: "two-periods": a file holds scores of folds, or clusters. "other-columns": it
            lacks columns of models, or a weight. "no-truth": it has no truth, and no model gives
            probabilities. Or what reading by these roles raises.
    """
    if earlier.roles.task is Task.FOLDS:
        raise refusal("two-periods/folds")
    if earlier.roles.task is Task.CLUSTERING:
        raise refusal("two-periods/clusters")
    roles = _roles(table, earlier)
    if roles.task is Task.CORRECT:  # whose marks say what is true
        return bind(table, roles)
    if roles.truth in table.columns and not _blank(table, roles.truth):
        return bind(table, roles)
    if roles.task not in (Task.BINARY, Task.MULTICLASS):
        raise _no_truth(roles.truth)
    # What models say is read as beside a truth; this one is never looked at.
    classes = [earlier.classes[place % len(earlier.classes)] for place in range(table.n)]
    labelled = bind(table.cut({**table.columns, roles.truth: text(classes)}), roles)
    found = {name: _probability(rows, earlier) for name, rows in labelled.models.items()}
    known = {name: chances for name, chances in found.items() if chances is not None}
    if not known:
        raise _no_truth(roles.truth)
    return Unlabelled(known, table.n)


def shifted(
    earlier: Dataset,
    table: Table,
    keys: Sequence[str] | None,
    options: Options,
    model: str | None = None,
) -> Shift:
    """Return what changed to a later file; without labels in it, what is to be expected.

    Raises:
        EvalError: What `as_before`, and `shift` or `shift_expected`, raise. "no-such-model": the
            model that is named gives no probabilities in a later file without labels.
    """
    later = as_before(table, earlier)
    if not isinstance(later, Unlabelled):
        return shift(earlier, later, keys, options, model)
    from evalcore.compare import to_judge

    name, why = to_judge(earlier, model, later.probability)
    if name not in later.probability:
        raise EvalError(
            "no-such-model",
            f'"{name}" gives no probabilities in the later file. Choose one that does: '
            f"{listed([*later.probability])}.",
        )
    made = shift_expected(earlier, later.probability[name], keys, options, name)
    return replace(made, notices=(*why, *made.notices))


def shift_any(
    earlier: Dataset,
    source: Any,
    keys: Sequence[str] | None,
    options: Options,
    model: str | None,
    roles: Mapping[str, Any],
) -> Shift:
    """Return the same of a later file, or whatever `load_any` takes; `roles` are as there."""
    table = read_all(files_of(source), only_shaping(choices_from(roles)))
    return shifted(earlier, table, keys, options, model)


def _roles(table: Table, earlier: Dataset) -> Roles:
    """Return the roles of the columns that are there; the order of rows and their names may go."""
    roles = earlier.roles
    models = {
        name: model
        for name, model in roles.models.items()
        if all(column in table.columns for column in model.columns)
    }
    needed = [roles.weight] if roles.weight else []
    needed += [roles.group] if roles.unit and roles.group else []
    needed += [roles.model] if roles.model else []
    lacking = [name for name in needed if name not in table.columns]
    if not models:
        lacking += [c for one in roles.models.values() for c in one.columns]
    if lacking and holds_fold_scores(table, NO_CHOICES):
        raise refusal("two-periods/folds")
    if lacking:
        known = [name for name in dict.fromkeys(lacking) if name not in table.columns]
        raise EvalError(
            "other-columns",
            f"The later file has no column {listed(known)}, which the earlier one has. Give its "
            "columns the same names.",
        )
    sides: dict[str, Any] = {
        role: name if (name := getattr(roles, role)) in table.columns else None
        for role in ("fold", "group", "id", "date")
    }
    return replace(roles, models=models, **sides)


def _blank(table: Table, name: str) -> bool:
    cells = table.columns[name].unique().to_pylist()
    return not any(str(cell).strip() for cell in cells if cell is not None)


def _probability(rows: object, earlier: Dataset) -> Floats | None:
    if isinstance(rows, BinaryOutcomes):
        return rows.score if rows.probability else None
    if not isinstance(rows, ClassOutcomes) or rows.probabilities is None:
        return None
    order = [rows.classes.index(n) if n in rows.classes else -1 for n in earlier.classes]
    padded = np.column_stack([rows.probabilities, np.zeros(rows.n)])
    return np.asarray(padded[:, order])


def _no_truth(name: str) -> EvalError:
    return EvalError(
        "no-truth",
        f'The later file has no truth ("{name}"), and no model gives probabilities, from which '
        "its metrics could be estimated.",
    )
