"""Data: which column means what?"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from evalboard.arguments import choices_asked
from evalcore.errors import EvalError
from evalcore.text import counted
from evalread import rewriting
from evalread.attributes import without_role
from evalread.columns import labels_of
from evalread.dataset import (
    NOTHING,
    SCHEMA,
    Choice,
    Choices,
    Dataset,
    FeatureKind,
    Kind,
    Missing,
    ModelRoles,
    Roles,
    Source,
    Table,
    Task,
    without_ignored,
)
from evalread.detection.evidence import MARGIN
from evalread.detection.scores import prediction_bounds
from evalview import headlines, sharing
from evalview.escape import html, markdown, visible
from evalview.headlines import SEPARATORS
from evalview.text import abbreviate
from evalview.words import roles_in_words
from pages import contents
from pages.session import current, opening
from pages.widgets import guard, notices, tables


def page() -> None:
    """Show how each column was read, what to know of the file, and its first rows."""
    state = current.state()
    table = state.table or guard.need_dataset().table
    guard.headline(headlines.of_table(table, state.dataset), headlines.how_read(table))
    problem = state.problem
    if problem is not None and problem.offers:
        notices.show(table, problem)
    elif problem is not None:
        guard.show_refusal(problem)
    if state.dataset is None and current.can_undo():
        st.button("Undo", on_click=current.undo)
    if state.dataset is not None:
        first = contents.first_page(state.dataset.roles.task)
        with st.container(key="steps"):
            st.page_link(first, label="See results", query_params=current.address())
        guard.section("How we read each column")
        show_roles_table(state.dataset)
        show_evidence(state.dataset)
        if state.dataset.roles.positive is not None:
            show_positive(state.dataset)
    unasked = problem is not None and problem.code != "ambiguous"
    with st.expander("Choose the columns yourself", expanded=unasked):
        show_roles_form(table, state.dataset)
    told = table.notices if state.dataset is None else state.dataset.notices
    if told:
        guard.section("What to know about the file")
        notices.notices(told)
    guard.section(
        "As in the file", "The first rows. If they look wrong, change how the file is read."
    )
    show_ways_to_read(table)
    show_raw_cells(table)
    guard.section("Repeat this", "On the command line, or as a link to what you see here.")
    call = command(current.file_names(), current.view(), problem)
    st.code(call, language=None, wrap_lines=True)
    if (address := current.web_address()) is not None:
        st.code(address, language=None, wrap_lines=True)


ROWS, COLUMNS = 100, 50
MANY = 8
"""Beyond so many rows the table scrolls; those in sight are whole."""

ROW, BORDERS = 33, 2
"""Pixels of a row of a table, and of its edge."""


def show_raw_cells(table: Table) -> None:
    """Show the first rows as text; nothing in them is interpreted."""
    shown = {name: column.slice(0, ROWS) for name, column in list(table.columns.items())[:COLUMNS]}
    frame = pd.DataFrame(
        {visible(name): map(_text, column.to_pylist()) for name, column in shown.items()}
    )
    frame.index = pd.RangeIndex(1, len(frame) + 1, name="row")
    height = "content" if len(frame) <= MANY else ROW * (MANY + 1) + BORDERS
    tables.show(frame, height=height, alt="The first rows of the file")
    if len(table.names) > COLUMNS:
        st.caption(f"The first {COLUMNS} of {len(table.names):,} columns.")


def _text(cell: object) -> str:
    return "" if cell is None else visible(str(cell))


SHEET_NAME_AT_MOST = 40
"""Characters of a sheet's name in its box."""
ENCODINGS = ("utf-8", "utf-16", "cp1252", "cp1250", "cp1251", "shift_jis", "gb18030", "mac_roman")
DECIMALS = {".": "points (0.5)", ",": "commas (0,5)"}
THOUSANDS = {",": "commas (1,000)", ".": "points (1.000)", " ": "spaces (1 000)", "'": "1'000"}


@dataclass(frozen=True)
class _Box:
    """A box for one part of how the file is read.

    Attributes:
        field: The choice it settles.
        found: What was used, in the words of a choice; None for none.
        options: Value -> how it is shown.
    """

    field: str
    found: str | None
    options: dict[str, str]


def show_ways_to_read(table: Table) -> None:
    """Show a box for each part that applies to this format; a change reads the file again."""
    boxes = list(_boxes(table.source))
    if not boxes:
        return
    with st.grid(len(boxes), min_column_width=230, key="reading"):
        for box in boxes:
            _show(box, current.view().choices, table.source.digest[:12])


def _boxes(source: Source) -> Iterator[_Box]:
    if len(source.sheets) > 1:
        yield _Box("sheet", source.sheet, {name: name for name in source.sheets})
    if source.encoding is not None:
        names = {name: name.upper() for name in ENCODINGS}
        yield _Box("encoding", source.encoding, names)
    if source.separator is not None:
        yield _Box("separator", source.separator, SEPARATORS)
        yield _Box("decimal", source.decimal or ".", DECIMALS)
        yield _Box("thousands", source.thousands, THOUSANDS)


def _show(box: _Box, choices: Choices, stamp: str) -> None:
    chosen: str | None = getattr(choices, box.field)
    options = ["", *box.options]
    if chosen and chosen not in options:
        options.append(chosen)
    key = f"reading-{box.field}-{stamp}"
    st.selectbox(
        FILE[box.field],
        options,
        index=options.index(chosen or ""),
        format_func=lambda value: _told(box, value, detected=not chosen),
        key=key,
        on_change=opening.reread,
        args=(box.field, key),
    )


def _told(box: _Box, value: str, *, detected: bool) -> str:
    """Say what a choice means; the first one is what was detected."""
    if value:
        return abbreviate(visible(box.options.get(value, value)), SHEET_NAME_AT_MOST)
    if not detected:
        return "as detected"
    found = "none" if box.found is None else box.options.get(box.found, box.found)
    return f"as detected: {abbreviate(visible(found), SHEET_NAME_AT_MOST)}"


SIDES = [one for one in SCHEMA if one.label and one.about != "file" and one.kind is Kind.TEXT]
"""Roles of columns that every row has one of, whatever the models are."""

FILE = {one.field: one.label for one in SCHEMA if one.about == "file"}
"""The parts of how a file is written, and what their boxes are called."""

PARTS = {
    "label": "The class that the model predicts.",
    "score": "How sure the model is: higher means more positive.",
    "prediction": "The number that the model predicts.",
    "correct": "Whether the model was right: 1 or 0, pass or fail.",
}
PARTS_OF = {
    Task.BINARY: ("label", "score"),
    Task.MULTICLASS: ("label",),
    Task.REGRESSION: ("prediction",),
    Task.CORRECT: ("correct",),
    None: ("label", "score", "prediction"),
}
CLUSTERS = "Each holds the cluster of every row and is one clustering."
FEATURES = "What the points were grouped by: numeric columns or text columns, never both."
HOLD = {
    FeatureKind.NUMBERS: "of numbers",
    FeatureKind.CATEGORIES: "of categories: the distance between two rows is the share that differ",
    FeatureKind.DISTANCES: "of distances, from each row to every row",
}
KINDS = {
    None: "as detected",
    FeatureKind.NUMBERS: "numbers",
    FeatureKind.CATEGORIES: "categories",
}
KIND = "Whole numbers may be codes: as categories they are equal or different, nothing in between."
ASIDE = "Columns to ignore, as if the file did not have them."
BLANK = {
    None: "are left out, with a warning",
    Missing.LEFT_OUT: "are left out",
    Missing.WRONG: "count as wrong",
}
MOST_LABELS = 200
"""Labels in a box; more than that nobody looks through."""
COLUMN_NAME_AT_MOST = 60
"""Characters of a column's name in its box."""
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
        names = [*self.table.names, *(name for name in now if name not in self.table.columns)]
        listed = now if len(now) <= CHOSEN_AT_MOST else ()
        chosen: list[str] = st.multiselect(
            label,
            names,
            default=listed,
            max_selections=CHOSEN_AT_MOST,
            format_func=_plain,
            help=told,
            placeholder="none" if listed == now else f"the {len(now):,} current columns",
            key=f"{key}-{self.stamp}",
        )
        return now if not chosen and listed != now else chosen


def show_roles_form(table: Table, dataset: Dataset | None) -> None:
    """Show a box for each role, filled as it is now, and take what the user settles."""
    roles = dataset.roles if dataset else None
    boxes = _Boxes(table, dataset.digest[:12] if dataset else "open")
    with st.form("roles", border=False):
        told = "The true class or number of each row."
        truth = boxes.column("Truth", _now(roles, "truth"), told, "truth")
        clusters, features, kind = _points(boxes, roles)
        models = _models(boxes, roles)
        sides = _sides(boxes, roles)
        now = current.view().choices.ignore or ()
        ignored = tuple(boxes.columns("Ignored columns", now, ASIDE, "aside"))
        labels = _said_of_labels(boxes, dataset)
        if st.form_submit_button("Use these columns", type="primary"):
            choices = rewriting.with_roles(current.view().choices, roles, truth, models, sides)
            if roles is not None and roles.task is Task.CLUSTERING:
                choices = rewriting.with_points(choices, roles, clusters, features, kind)
            said = {"ignore": ignored or None, **labels}
            current.set_choices(without_ignored(replace(choices, **said)))
            st.rerun()


def show_positive(dataset: Dataset) -> None:
    """Show which class counts as positive, and let it be the other one."""
    now = dataset.classes[-1]
    # The data set names the positive class last; here both keep their place when they change.
    classes = sorted(dataset.classes)
    chosen = st.radio(
        "Looking for: the class that the models should find",
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


def _said_of_labels(boxes: _Boxes, dataset: Dataset | None) -> dict[str, Any]:
    """Show which labels of the truth are left out, and what a blank prediction counts as."""
    if dataset is None or not (dataset.classes and dataset.models):
        return {}
    now = current.view().choices
    known = labels_of(dataset.table, dataset.roles.truth).names
    with st.grid(2, min_column_width=230):
        left_out = st.multiselect(
            "Rows left out: those whose truth is",
            known[:MOST_LABELS],
            default=[name for name in now.ignore_labels or () if name in known],
            format_func=_plain,
            placeholder="none",
            key=f"left-out-{boxes.stamp}",
        )
        missing = st.selectbox(
            "Rows without a predicted label",
            list(BLANK),
            index=list(BLANK).index(now.missing),
            format_func=BLANK.__getitem__,
            key=f"missing-{boxes.stamp}",
        )
    otherwise = [name for name in now.ignore_labels or () if name not in known]
    return {"ignore_labels": (*otherwise, *left_out) or None, "missing": missing}


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
    models = dict(roles.chosen_models) if roles else {}
    if not parts:
        return models
    edited = {
        name: _model(boxes, f"**{_shown(name or 'Each model')}**", given, parts, key=f"model{at}")
        for at, (name, given) in enumerate(models.items())
    }
    heading = "A further model" if models else "The model"
    further = _model(boxes, heading, ModelRoles(), parts, key="further")
    name = next(iter(further.columns), None)
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
            one.field: boxes.column(one.label, _now(roles, one.field), _sentence(one), one.field)
            for one in SIDES
        }


def _sentence(one: Choice) -> str:
    return f"{one.told[:1].upper()}{one.told[1:]}."


def _now(roles: Roles | None, role: str) -> str | None:
    """Return the column that has a role now."""
    column: str | None = getattr(roles, role) if roles else None
    return column


def _shown(name: str) -> str:
    return markdown(abbreviate(name, COLUMN_NAME_AT_MOST))


def _plain(name: str) -> str:
    return abbreviate(visible(name), COLUMN_NAME_AT_MOST)


SHOWN = 24
"""Lines shown; a file may have thousands of columns."""


def show_roles_table(dataset: Dataset) -> None:
    """Show one line per role: what it is, its column or columns, the reason; then the rest."""
    roles = dataset.roles
    lines = list(roles_in_words(roles, prediction_bounds(dataset.table.names, roles)))
    rows = "".join(_row(role, columns, roles) for role, columns in lines[:SHOWN])
    more = len(lines) - SHOWN
    tail = f"<p class='eb-note'>and {more:,} more</p>" if more > 0 else ""
    rest = "".join(f"<p class='eb-note'>{html(said)}</p>" for said in without_role(dataset))
    st.html(f"<table class='eb-roles'>{rows}</table>{tail}{rest}")


def show_evidence(dataset: Dataset) -> None:
    """Show in words what spoke for and against each column as the truth, the likeliest first."""
    said = dataset.roles.evidence
    rows = "".join(
        f"<tr><td><span class='eb-chip'>{html(one.column)}</span></td>"
        f"<td class='eb-points'>{one.points:+}</td><td>{html(one.reason.text)}</td></tr>"
        for one in said[:SHOWN]
    )
    if rows:
        with st.expander("Why this column is the truth"):
            text = (
                "Each line is evidence for a column (+) or against it (−), with its weight. A "
                f"column that leads by {MARGIN} or more is used; otherwise you are asked."
            )
            st.html(f"<p class='eb-note'>{text}</p><table class='eb-roles'>{rows}</table>")


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


def command(files: Sequence[str], view: sharing.View, problem: EvalError | None = None) -> str:
    """Return the call, quoted for a POSIX shell, with the option that a problem asks for."""
    names = [f"./{name}" if name.startswith("-") else name for name in files]
    call = shlex.join(["evalboard", "evaluate", *names, *_options(view)])
    asked = "|".join(_asking_for_columns(problem)) if problem is not None else ""
    return f"{call} {asked} COLUMN" if asked else call


def _asking_for_columns(problem: EvalError) -> Iterator[str]:
    for one in choices_asked(problem):
        if one.shape.endswith("COL") and one.field != "ignore":
            yield f"--{one.option}"


def _options(view: sharing.View) -> Iterator[str]:
    for one in SCHEMA:
        texts = sharing.texts_of(one, getattr(view.choices, one.field), str)
        if one.kind is not Kind.FLAG:
            yield from _option(one.option, texts)
        elif texts:
            yield f"--{one.option}"
    if view.threshold is not None:
        yield from _option("threshold", [repr(view.threshold)])


def _option(name: str, texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        # A value that starts with a dash would be taken for an option of its own.
        yield from (f"--{name}={text}",) if text.startswith("-") else (f"--{name}", text)
