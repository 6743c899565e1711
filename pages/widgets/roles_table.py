"""Which column plays which role, and why."""

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from evalcore.intake.model import Dataset, FoldRoles, ModelRoles, Roles
from evalcore.intake.quantiles import Bounds, stated
from evalcore.intake.unused import unused
from evalcore.intake.wording import listed
from pages.escape import html

SHOWN = 24
"""Lines shown; a file may have thousands of columns."""


def show(dataset: Dataset) -> None:
    """Show one line per role: what it is, its column or columns, the reason; then the rest."""
    roles = dataset.roles
    lines = list(_lines(roles, stated(dataset.table.names, roles)))
    rows = "".join(_row(role, columns, roles) for role, columns in lines[:SHOWN])
    more = len(lines) - SHOWN
    tail = f"<p class='eb-note'>and {more:,} more</p>" if more > 0 else ""
    left = unused(dataset.table, roles)
    rest = f"<p class='eb-note'>Not used: {html(listed(left))}</p>" if left else ""
    st.html(f"<table class='eb-roles'>{rows}</table>{tail}{rest}")


def _row(role: str, columns: Sequence[str], roles: Roles) -> str:
    ends = columns if len(columns) < 3 else (columns[0], columns[-1])
    between = " " if len(columns) < 3 else " … "
    chips = between.join(f"<span class='eb-chip'>{html(column)}</span>" for column in ends)
    return f"<tr><th scope='row'>{html(role)}</th><td>{chips}</td>{_why(columns, roles)}</tr>"


def _why(columns: Sequence[str], roles: Roles) -> str:
    """Return two cells: how sure the role is, and the reason."""
    why = roles.reasons.get(columns[0])
    if why is None:
        return "<td></td><td></td>"
    sure = f"<span class='eb-sure eb-{why.confidence.name.lower()}'>{why.confidence.value}</span>"
    return f"<td>{sure}</td><td>{html(why.text)}</td>"


def _lines(roles: Roles, around: Mapping[str, Bounds]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each role in words with its columns."""
    if roles.truth:
        yield "What was true", (roles.truth,)
    for model, columns in roles.models.items():
        for part, of in _parts(columns):
            yield f"{part} of {model}", of
        yield from _around(model, around.get(model))
    for name, column in roles.clusterings.items():
        yield f"Clusters of {name}", (column,)
    if roles.features:
        yield "Features", roles.features
    if roles.folds is not None:
        yield from _folds(roles.folds)
    for role in ("fold", "weight", "group", "id"):
        if (column := getattr(roles, role)) is not None:
            yield role.capitalize(), (column,)


def _around(model: str, found: Bounds | None) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the columns that surround a prediction."""
    if found is None:
        return
    for one in found.ends:
        yield f"Interval of {model}", (one.lower, one.upper)
    if found.quantiles:
        yield f"Quantiles of {model}", tuple(found.quantiles.values())


def _folds(folds: FoldRoles) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the roles in a file that holds one score per fold."""
    scored = tuple(dict.fromkeys((*folds.named_by, *filter(None, folds.scores.values()))))
    yield "Scores of folds", scored
    for named_by in dict.fromkeys(folds.named_by.values()):
        yield "Model", (named_by,)
    for role in ("repeat", "dataset", "train_size", "test_size"):
        if (column := getattr(folds, role)) is not None:
            yield role.replace("_", " ").capitalize(), (column,)


def _parts(columns: ModelRoles) -> Iterator[tuple[str, Sequence[str]]]:
    for part, column in (
        ("Label", columns.label),
        ("Score", columns.score),
        ("Number", columns.prediction),
    ):
        if column is not None:
            yield part, (column,)
    others = [column for column in columns.probabilities.values() if column != columns.score]
    if others:
        yield ("Probability" if len(others) == 1 else f"{len(others)} probabilities"), others
