"""A figure on a page, with its description, its menu, and what the figures of a page share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Literal
from urllib.parse import unquote

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from evalcore.slices.columns import parse
from evalcore.text import counted
from evalread.dataset import Dataset
from evalview import selections
from evalview.escape import visible
from evalview.explorer import source
from evalview.figures.lines import RULE
from evalview.figures.theme import CONFIG, DARK, LIGHT, Look, Scene, enlarged, take_title
from evalview.selections import MOST_ROWS, Interval, Rule, Selection
from evalview.words import class_of, spoken
from pages.session import computed, current, explanations, selection

_MENU = st.components.v2.component(
    "figure_menu", js=source.component("plotly"), css=source.style("menu")
)


def figure_menu(key: str, title: str, subtitle: str, code: str | None) -> None:
    """Show the menu of the figure `key`, whose title and subtitle are escaped.

    `code` is the Python of a figure that is not about the data looked at.
    """
    dataset = current.dataset() if code is None else None
    data = {
        "title": unescape(title),
        "subtitle": unescape(subtitle),
        "caption": "" if dataset is None else visible(caption(dataset, key)),
        "code": explanations.code_of(key) if code is None else code,
    }
    with st.container(key=f"menu-{key}"):
        _MENU(data=data, key=f"saved-{key}")


def source_of(dataset: Dataset) -> tuple[str, str]:
    """Return the file and its number of rows, as saved pictures say them."""
    source = dataset.table.source
    return source.name, counted(source.rows, "row")


def caption(dataset: Dataset, key: str) -> str:
    """Return what a saved picture says of its data: the file, its rows, the threshold if any."""
    model = current.model(dataset) if dataset.models else ""
    at = explanations.threshold_of(key, dataset, model)
    return " · ".join([*source_of(dataset), *([] if at is None else [f"threshold {at:.10g}"])])


def look() -> Look:
    """Return the colours of the mode the reader is in."""
    return DARK if st.context.theme.type == "dark" else LIGHT


Drag = Literal["click", "box", "lasso"]
"""How rows are selected: by a click on a mark, or by what is drawn round several."""

_DRAGGED = {"click": False, "box": "select", "lasso": "lasso"}


def show(
    figure: go.Figure,
    alt: str,
    *,
    key: str,
    on_click: Callable[[], None] | None = None,
    drag: Drag = "click",
    code: str | None = None,
) -> None:
    """Show a figure in a frame, its title as text.

    `on_click` runs when a mark is clicked, or several are drawn round, as `drag` says. `code` is
    the Python that draws the figure, where that is not about the data looked at.
    """
    title, subtitle = take_title(figure)
    if on_click is not None:
        figure.update_layout(clickmode="event+select", dragmode=_DRAGGED[drag])
    if current.presenting():
        figure = enlarged(figure)
    with st.container(key=f"figure-{key}"):
        # Title and subtitle come out of the figure escaped.
        figure_menu(key, title, subtitle, code)
        st.html(
            f'<h2 class="eb-figure-title">{title}</h2><p class="eb-figure-subtitle">{subtitle}</p>'
        )
        st.plotly_chart(
            figure,
            theme=None,
            config=CONFIG,
            key=key,
            # Said beforehand, so that nothing moves when the picture comes.
            height=round(figure.layout.height) if figure.layout.height else "stretch",
            on_select=on_click or "ignore",
            selection_mode="points" if drag == "click" else ("points", drag),
            alt=visible(alt),
        )


def of_models(dataset: Dataset, model: str) -> Scene:
    """Return the scene in which the models of a yes-or-no question are drawn."""
    scene = _of_two_classes(dataset, dataset.classes, model)
    return replace(scene, threshold=current.threshold(dataset, model))


def of_question(dataset: Dataset, question: computed.Question, model: str) -> Scene:
    """Return the scene of a yes-or-no question, be it one class against all others."""
    return _of_two_classes(dataset, question.classes, model)


def _of_two_classes(dataset: Dataset, classes: Sequence[str], model: str) -> Scene:
    negative, positive = classes
    return Scene(
        names=tuple(dataset.models),
        chosen=model,
        called=spoken(dataset, model),
        positive=class_of(dataset.roles.truth or "", positive),
        negative=class_of(dataset.roles.truth or "", negative),
        look=look(),
    )


def of_classes(dataset: Dataset) -> Scene:
    """Return the scene in which classes are drawn, each against all others."""
    return Scene(
        names=dataset.classes,
        positive="the class",
        negative="all others",
        look=look(),
    )


def of_all(dataset: Dataset, chosen: str | None = None) -> Scene:
    """Return the scene in which models or clusterings are drawn that no class tells apart."""
    scored = dataset.fold_scores
    names = current.names(dataset) if scored is None else scored.models
    called = None if chosen is None else spoken(dataset, chosen)
    return Scene(names=names, chosen=chosen, called=called, look=look())


@dataclass(frozen=True)
class Marks:
    """What the marks of a figure select when they are clicked, or drawn round.

    The `meta` of a trace says what each of its marks selects: "rows" those that its `customdata`
    numbers; "rule" the slice that its `customdata` writes; "of" rows of which that lies between the
    first two of its `customdata`; "codes" a cell of a matrix of `classes`. The `meta` of the layout
    says between whose ends a box selects.

    Attributes:
        figure: The figure.
        key: Where it is shown.
        by: Whose rows they are.
        classes: What the codes of a matrix stand for.
    """

    figure: go.Figure
    key: str
    by: Selection
    classes: Sequence[str] = ()

    def take(self) -> None:
        """Select what was clicked or drawn round."""
        said, axes = st.session_state[self.key].selection, self.figure.layout.meta
        points = [(self.figure.data[one["curve_number"]], one) for one in said.points]
        one_by_one = {
            int(trace.customdata[one["point_index"]])
            for trace, one in points
            if trace.meta == selections.ROWS
        }
        rules: Sequence[Rule] = ()
        if said.box and axes:
            ends = {axis: list(map(_position, said.box[0][axis])) for axis in axes}
            rules = [Interval(unquote(of), min(ends[a]), max(ends[a])) for a, of in axes.items()]
        elif len(one_by_one) > MOST_ROWS:
            st.toast(f"Draw a box: {len(one_by_one):,} rows are more than {MOST_ROWS}.")
        elif one_by_one:
            rules = [selections.Picked(tuple(sorted(one_by_one)))]
        else:
            rules = next((self._rules(*one) for one in points), ())
        if rules:
            selection.choose(self.by.of(*rules))

    def _rules(self, trace: Any, point: Mapping[str, Any]) -> tuple[Rule, ...]:
        """Return what a mark selects; nothing for the cell of what is pooled."""
        if trace.meta == RULE:
            return selections.of_slice(parse(unquote(trace.customdata[point["point_index"]])))
        if not isinstance(trace.meta, dict):
            return ()
        if "of" in trace.meta:
            at = point["point_index"]
            low, high = (float(end) for end in trace.customdata[at][:2])
            below = trace.meta["below"] and at < len(trace.customdata) - 1
            return (Interval(unquote(trace.meta["of"]), low, high, below),)
        cell = [trace.meta["codes"][round(point[axis])] for axis in "yx"]
        return () if None in cell else self.by.cell(*(self.classes[code] for code in cell)).rules


def _position(end: float | str) -> float:
    """Return an end of a box as a number; of dates in microseconds since 1970."""
    return float(
        np.datetime64(end, "us").astype(np.int64) if isinstance(end, str) else f"{end:.6g}"
    )
