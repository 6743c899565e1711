"""Two periods: what changed from the file looked at to a later one?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.errors import EvalError
from evalcore.metrics.catalog import find
from evalcore.options import Options
from evalcore.slices.results import Against
from evalcore.slices.shift import Shift
from evalcore.text import p_value
from evalread.dataset import Dataset, Table
from evalread.later import shifted
from evalread.rewriting import only_shaping
from evalview import escape, figures, headlines, text, words
from evalview.figures import theme
from pages.session import cache, current, link, reading, selection, store
from pages.widgets import chart, guard, inputs, notices, tables


def page() -> None:
    """Ask for a later file, and show what changed from that looked at to it."""
    dataset = guard.need_dataset(selection.everything(current.dataset()))
    top, choices = guard.top_and_choices()
    token = link.told(KEY, _known, about=current.view().data)
    if token is None:
        with top:
            guard.headline("What changed since these rows were collected?", LEAD)
        ask()
        return
    with choices:
        model = inputs.pick_model(dataset)
        st.button("Remove the later file", key="remove-later", on_click=_remove, args=(token,))
    with guard.refusals_told():
        made = changed(dataset, later_of(token), model, current.options(dataset))
        with top:
            guard.headline(*headlines.of_shift(dataset, made))
        names = current.listed(token)
        st.caption(escape.markdown(f"Earlier: {dataset.table.source.name}. Later: {names}."))
        show(dataset, made)
        notices.notices(made.notices)


KEY = "later"
"""Under this name an address has the token of the later file."""

LEAD = (
    "Add a later file with columns of the same names. Rows are not matched: the two files are two "
    "periods, such as last month and this month. The later file may have no labels."
)


def ask() -> None:
    """Show the box for a later file."""
    inputs.dropped("A later file", _keep, key=KEY, several=True)


def _keep(files: store.Files) -> None:
    token = current.keep_beside(files)
    link.tell(KEY, token, token, about=current.view().data)


def _known(token: str) -> str | None:
    return token if store.files(token) is not None else None


def _remove(token: str) -> None:
    link.tell(KEY, None, "")
    store.forget(token)
    reading.forget(token)


@dataclass(frozen=True, eq=False)
class Later:
    """The cells of a later file; `digest` names them for caches."""

    digest: str
    table: Table


def later_of(token: str) -> Later:
    """Return the cells of the files under a token, written as those looked at are.

    Raises:
        EvalError: They cannot be read.
    """
    choices = only_shaping(current.view().choices)
    with st.spinner("Reading the later file"):
        found = reading.reading(token, choices)
    if found.table is None:
        raise found.problem or EvalError("unreadable-file", "The later file cannot be read.")
    return Later(f"{found.table.source.digest} {choices!r}", found.table)


@cache.cached(entries=40)
def changed(dataset: Dataset, later: Later, model: str, options: Options) -> Shift:
    """Return what changed; without labels in the later file, what is to be expected."""
    return shifted(dataset, later.table, None, options, model)


def show(dataset: Dataset, made: Shift) -> None:
    """Show each number of both files beside each other, and what the scores did."""
    _draw(dataset, made)
    named = {headlines.of_truth(dataset, key): (key, one) for key, one in made.truth.items()}
    named |= {find(key).name: (key, one) for key, one in made.metrics.items()}
    adjusted = made.p_adjusted
    rows = [_row(name, one, adjusted.get(key), made) for name, (key, one) in named.items()]
    tables.written_cell(rows, "what", key="changed", alt="What changed from the earlier file")
    test = (
        "Estimated, not observed: no test."
        if made.assumed
        else "p: adjusted for all numbers above (Holm)."
    )
    st.caption(f"Difference: later minus earlier, with its interval. {test}")
    if made.per_class:
        _each_class(dataset, made)
    if made.check:
        guard.section(
            "Did such estimates hold in the earlier file?",
            "The same estimate for the earlier file, whose labels are known.",
        )
        told = [
            {
                "what": find(key).name,
                "seen": text.with_interval(made.metrics[key].rest, text.low_dash_high),
                "expected": text.number(promised.value),
            }
            for key, promised in made.check.items()
        ]
        tables.text_table(told, alt="Estimated and observed metrics of the earlier file")


def _each_class(dataset: Dataset, made: Shift) -> None:
    """Show what changed in the decisions about each class."""
    rows = [
        _row(f"{find(key).name} of {name}", one, made.per_class_p[label, key], made)
        for label, row in made.per_class.items()
        for name in [words.class_of(dataset.roles.truth or "", label)]
        for key, one in row.items()
    ]
    guard.section(
        "What changed for each class?",
        f"Each class against all others; p values are adjusted for these {len(rows)} numbers.",
    )
    tables.written_cell(rows, "what", key="changed-classes", alt="What changed for each class")


def _draw(dataset: Dataset, made: Shift) -> None:
    """Show what changed as a picture, beside that of the scores where there are any."""
    scene = chart.of_all(dataset, made.model)
    called = {key: headlines.of_truth(dataset, key) for key in made.truth}
    changes, alt = figures.draw_changes(scene, made, called), figures.changes_alt(made, called)
    if (moved := made.scores) is None:
        chart.show(changes, alt, key="changes")
        return
    theme.level(changes, scores := figures.draw_moved(scene, moved))
    left, right = st.columns(2)
    with left:
        chart.show(changes, alt, key="changes")
    with right:
        chart.show(scores, figures.moved_alt(scene, moved), key="moved")
    st.caption(escape.markdown(headlines.of_scores(moved, made)))


def _row(name: str, one: Against, p: float | None, made: Shift) -> Mapping[str, str]:
    later = "later, expected" if made.assumed else "later"
    shown = {} if made.assumed else {"p": p_value(np.nan if p is None else p)}
    return {
        "what": escape.visible(name),
        "earlier": text.with_interval(one.rest, text.low_dash_high),
        later: text.with_interval(one.value, text.low_dash_high),
        "difference": text.with_interval(one.difference, text.low_dash_high),
        **shown,
    }
