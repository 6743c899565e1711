"""Giving columns their roles by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from evalcore.intake.model import NOTHING, Dataset, FeatureKind, ModelRoles, Roles, Table, Task
from pages.escape import markdown, shorten, visible
from pages.figures.words import counted
from pages.session import current
from pages.session.settled import settled, with_points

SIDES = {
    "fold": "Which part of a cross-validation the row was tested in.",
    "weight": "How many rows this row stands for.",
    "group": "What to slice the results by.",
    "id": "What names the row.",
}
PARTS = {
    "label": "The class that the model says.",
    "score": "How sure the model is: higher means more positive.",
    "prediction": "The number that the model says.",
}
PARTS_OF = {
    Task.BINARY: ("label", "score"),
    Task.MULTICLASS: ("label",),
    Task.REGRESSION: ("prediction",),
    None: ("label", "score", "prediction"),
}
CLUSTERS = "Each holds the cluster of every row, and is a clustering of its own."
FEATURES = "What the points were grouped by: columns of numbers, or columns of words; never both."
HOLD = {
    FeatureKind.NUMBERS: "of numbers",
    FeatureKind.CATEGORIES: "of categories: the distance of two rows is the share that differ",
    FeatureKind.DISTANCES: "of distances, from each row to every row",
}
KINDS = {
    None: "as detected",
    FeatureKind.NUMBERS: "numbers",
    FeatureKind.CATEGORIES: "categories",
}
KIND = "Whole numbers may be codes: as categories they are the same or not, and nothing between."
LONGEST = 60
CHOSEN_AT_MOST = 60
"""Columns in one box; more would not fit an address."""


@dataclass(frozen=True)
class _Boxes:
    """Boxes that each hold a column or none; `stamp` renews them when the roles change."""

    table: Table
    stamp: str

    def column(self, label: str, now: str | None, told: str, key: str) -> str | None:
        options = ["", *self.table.names]
        chosen = st.selectbox(
            label,
            options,
            index=options.index(now or ""),
            format_func=lambda name: _plain(name) or "none",
            help=told,
            key=f"{key}-{self.stamp}",
        )
        return chosen or None

    def columns(self, label: str, now: tuple[str, ...], told: str, key: str) -> Sequence[str]:
        """Show a box for several columns; left empty, it stands for more than it could list."""
        listed = now if len(now) <= CHOSEN_AT_MOST else ()
        chosen: list[str] = st.multiselect(
            label,
            self.table.names,
            default=listed,
            max_selections=CHOSEN_AT_MOST,
            format_func=_plain,
            help=told,
            placeholder="none" if listed == now else f"the {len(now):,} columns of now",
            key=f"{key}-{self.stamp}",
        )
        return now if not chosen and listed != now else chosen


def show(table: Table, dataset: Dataset | None) -> None:
    """Show a box for each role, filled as it is now, and take what the user settles."""
    roles = dataset.roles if dataset else None
    boxes = _Boxes(table, dataset.digest[:12] if dataset else "open")
    with st.form("roles", border=False):
        told = "The true class or number of each row."
        truth = boxes.column("What was true", _now(roles, "truth"), told, "truth")
        clusters, features, kind = _points(boxes, roles)
        models = _models(boxes, roles)
        sides = _sides(boxes, roles)
        if st.form_submit_button("Use these columns", type="primary"):
            choices = settled(current.view().choices, roles, truth, models, sides)
            if roles is not None and roles.task is Task.CLUSTERING:
                choices = with_points(choices, roles, clusters, features, kind)
            current.set_choices(choices)
            st.rerun()


def show_positive(dataset: Dataset) -> None:
    """Show which class counts as positive, and let it be the other one."""
    now = dataset.classes[-1]
    # The data set names the positive class last; here both keep their place when they change.
    classes = sorted(dataset.classes)
    chosen = st.radio(
        "Positive: the class that the models look for",
        classes,
        index=classes.index(now),
        format_func=_shown,
        horizontal=True,
        key=f"positive-{dataset.digest[:12]}",
    )
    if chosen != now:
        current.set_choices(replace(current.view().choices, positive=chosen))
        st.rerun()


def _points(
    boxes: _Boxes, roles: Roles | None
) -> tuple[Sequence[str], Sequence[str], FeatureKind | None]:
    """Show which columns hold clusters, which the features of their points, and of what kind."""
    if roles is None or roles.task is not Task.CLUSTERING:
        return (), (), None
    now = tuple(roles.clusterings.values())
    clusters = boxes.columns("Clusters", now, CLUSTERS, "clusters")
    features = boxes.columns("Features", roles.features, FEATURES, "features")
    if roles.features:
        st.caption(f"Now {counted(len(roles.features), 'column')} {HOLD[roles.feature_kind]}.")
    return clusters, features, _kind(boxes)


def _kind(boxes: _Boxes) -> FeatureKind | None:
    now = current.view().choices.feature_kind
    chosen: FeatureKind | None = st.selectbox(
        "Read features as",
        list(KINDS),
        index=list(KINDS).index(now) if now in KINDS else 0,
        format_func=KINDS.__getitem__,
        help=KIND,
        key=f"kind-{boxes.stamp}",
    )
    return chosen


def _models(boxes: _Boxes, roles: Roles | None) -> Mapping[str, ModelRoles]:
    """Show one line of boxes per model and one for a further model."""
    parts = PARTS_OF.get(roles.task if roles else None, ())
    models = dict(roles.models) if roles else {}
    if not parts:
        return models
    edited = {
        name: _model(boxes, f"**{_shown(name)}**", given, parts, key=f"model{at}")
        for at, (name, given) in enumerate(models.items())
    }
    heading = "A further model" if models else "The model"
    further = _model(boxes, heading, ModelRoles(), parts, key="further")
    name = further.score or further.label or further.prediction
    return edited if name is None else {**edited, name: further}


def _model(
    boxes: _Boxes, heading: str, given: ModelRoles, parts: tuple[str, ...], *, key: str
) -> ModelRoles:
    """Show one model's boxes; a new score takes the place of its probabilities."""
    st.markdown(heading)
    with st.grid(max(len(parts), 1), min_column_width=150):
        columns: dict[str, Any] = {
            part: boxes.column(
                part.capitalize(), getattr(given, part), PARTS[part], f"{key}-{part}"
            )
            for part in parts
        }
    edited = replace(given, **columns)
    return edited if edited.score == given.score else replace(edited, probabilities=NOTHING)


def _sides(boxes: _Boxes, roles: Roles | None) -> Mapping[str, str | None]:
    st.markdown("Other columns")
    with st.grid(len(SIDES), min_column_width=150):
        return {
            role: boxes.column(role.capitalize(), _now(roles, role), told, role)
            for role, told in SIDES.items()
        }


def _now(roles: Roles | None, role: str) -> str | None:
    """Return the column that has a role now."""
    column: str | None = getattr(roles, role) if roles else None
    return column


def _shown(name: str) -> str:
    return markdown(shorten(name, LONGEST))


def _plain(name: str) -> str:
    return shorten(visible(name), LONGEST)
