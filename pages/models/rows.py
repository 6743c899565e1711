"""Rows: which of them should somebody look at, and why?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from evalcore.evaluation.condense import decide
from evalcore.options import Options
from evalcore.outcomes import BinaryOutcomes, ClassOutcomes, Floats, Rows, data_rows
from evalcore.results import DecisionRule
from evalcore.slices import rows as ranking
from evalcore.slices.columns import Mask
from evalcore.slices.rows import CONFIDENCE, DISAGREEMENT, FILE, LABELS, LOSS, WRONG, Listed
from evalread.dataset import Dataset
from evalview import escape, headlines, words
from evalview.selections import Selection
from pages.session import cache, computed, current, selection
from pages.widgets import guard, inputs
from pages.widgets.rows import CALLED, Values, noted, rows_table


def page() -> None:
    """Show rows by how much they are worth a look, each with a note and a tag to type."""
    dataset = guard.need_dataset(selection.everything(current.dataset()))
    top, choices = guard.top_and_choices()
    with choices:
        asked = ask(dataset)
    picked = selection.chosen(dataset)
    if asked.which == NOTED:
        found = listed(dataset, asked, picked, noted(dataset))
    else:
        found = known(dataset, asked, picked)
    with top:
        guard.headline(*headlines.of_rows(words.spoken(dataset, asked.model), found))
    if found.doubts is not None:
        st.caption(escape.markdown(found.doubts.assumed))
    called = escape.file_name("rows", asked.model, asked.by, ending="csv")
    told = beside(dataset, asked, found)
    models = tuple(dataset.models) if asked.by == DISAGREEMENT else (asked.model,)
    rows_table(dataset, models, found.row, key="rows", called=called, values=told)


ORDERS: Mapping[str, str] = {
    LOSS: "most wrong",
    CONFIDENCE: "least sure",
    DISAGREEMENT: "models disagree",
    LABELS: "label doubtful",
    FILE: "as in the file",
}
ALL, MISTAKES, NOTED = "all", "wrong", "noted"
WHICH: Mapping[str, str] = {
    ALL: "all rows",
    MISTAKES: "decided wrong",
    NOTED: "with a note or tag",
}


@dataclass(frozen=True)
class Asked:
    """Which rows of which model are listed by what.

    `way` and `at` say how the model decides, where it does; `truth` and `called` are classes, or
    "" for any.
    """

    model: str
    by: str
    which: str = ALL
    way: DecisionRule | None = None
    at: float = 0.5
    truth: str = ""
    called: str = ""


def ask(dataset: Dataset) -> Asked:
    """Show what the rows can be listed by, and which of them; return what was picked."""
    model = inputs.pick_model(dataset)
    able = {key: ORDERS[key] for key in ranking.offered(dataset, model)}
    by = inputs.list_box("First come", able, key="rows-by", width=165)
    if not isinstance(dataset.models[model], BinaryOutcomes | ClassOutcomes):
        which = inputs.list_box("Rows", {k: WHICH[k] for k in (ALL, NOTED)}, key="which", width=165)
        return Asked(model, by, which)
    which = inputs.list_box("Rows", WHICH, key="which", width=165)
    names = {"": "any", **{name: escape.visible(name) for name in dataset.classes}}
    truth = inputs.list_box("Truth", names, key="row-truth", width=165)
    called = inputs.list_box("Called", names, key="row-called", width=165)
    at = current.threshold(dataset, model)
    way = inputs.pick_way(list(computed.decisions(dataset, model, at)))
    return Asked(model, by, which, way, at, truth, called)


@cache.cached(entries=60)
def known(dataset: Dataset, asked: Asked, picked: Selection | None) -> Listed:
    """Return the rows that are asked for, among those of a selection."""
    return listed(dataset, asked, picked)


def listed(
    dataset: Dataset, asked: Asked, picked: Selection | None, only: Rows | None = None
) -> Listed:
    """Return the rows that are asked for, and of these `only` some."""
    own = dataset.models[asked.model]
    masks = [] if picked is None else [selection.among_rows(dataset, asked.model, picked)]
    if only is not None:
        masks.append(np.isin(data_rows(own, np.arange(own.n)), only))
    masks += _decided(dataset, asked)
    among = np.logical_and.reduce(masks) if masks else None
    return ranking.listed(dataset, asked.by, Options(asked.at), asked.model, among)


def _decided(dataset: Dataset, asked: Asked) -> list[Mask]:
    """Return which rows are of the cell that is asked for, or wrong."""
    own = dataset.models[asked.model]
    if not isinstance(own, BinaryOutcomes | ClassOutcomes) or asked.way is None:
        return []
    masks: list[Mask] = []
    if asked.truth:
        masks.append(own.truth == own.classes.index(asked.truth))
    if asked.called or asked.which == MISTAKES:
        codes = decide(own, asked.way, asked.at)
        if asked.called:
            masks.append(codes == own.classes.index(asked.called))
        if asked.which == MISTAKES:
            masks.append(codes != own.truth)
    return masks


def beside(dataset: Dataset, asked: Asked, found: Listed) -> Values:
    """Return what is shown of each row beside its cells: why it is here, and what it is called."""
    own = dataset.models[asked.model]
    # The classes beside each other tell which rows are wrong.
    told: dict[str, Sequence[Any] | Floats] = (
        {} if found.of in ("", WRONG) else {found.of: found.value}
    )
    if found.doubts is not None:
        likely = dict(zip(found.doubts.row.tolist(), found.doubts.likely.tolist(), strict=True))
        told["rather"] = [found.doubts.classes[likely[row]] for row in found.row.tolist()]
    if asked.way is not None and isinstance(own, BinaryOutcomes | ClassOutcomes):
        codes = decide(own, asked.way, asked.at)[found.place]
        told[CALLED] = [own.classes[code] for code in codes]
    return told
