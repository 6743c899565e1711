"""A figure on a page, with its description, its menu, and what the figures of a page share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import unescape

import plotly.graph_objects as go
import streamlit as st

from evalread.dataset import Dataset
from evalview.escape import visible
from evalview.explorer import source
from evalview.figures.theme import CONFIG, DARK, LIGHT, Look, Scene, enlarged, without_title
from evalview.figures.words import named, spoken
from pages.session import computed, current, explanations

_MENU = st.components.v2.component(
    "figure_menu", js=source.component("plotly"), css=source.style("menu")
)


def figure_menu(key: str, title: str, subtitle: str, code: str) -> None:
    """Show the menu of the figure `key`, whose title and subtitle are escaped."""
    with st.container(key=f"menu-{key}"):
        data = {"title": unescape(title), "subtitle": unescape(subtitle), "code": code}
        _MENU(data=data, key=f"saved-{key}")


def look() -> Look:
    """Return the colours of the mode the reader is in."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show(
    figure: go.Figure,
    alt: str,
    *,
    key: str,
    on_click: Callable[[], None] | None = None,
    lasso: bool = False,
    code: str | None = None,
) -> None:
    """Show a figure in a frame, its title as text.

    `on_click` runs when a point is clicked, or several are drawn round with `lasso`. `code` is the
    Python that draws the figure, where that is not about the data looked at.
    """
    bare, title, subtitle = without_title(figure)
    if on_click is not None:
        bare.update_layout(clickmode="event+select", dragmode="lasso" if lasso else False)
    if current.presenting():
        bare = enlarged(bare)
    with st.container(key=f"figure-{key}"):
        # Title and subtitle come out of the figure escaped.
        figure_menu(key, title, subtitle, explanations.code_of(key) if code is None else code)
        st.html(
            f'<h3 class="eb-figure-title">{title}</h3><p class="eb-figure-subtitle">{subtitle}</p>'
        )
        st.plotly_chart(
            bare,
            theme=None,
            config=CONFIG,
            key=key,
            # Said beforehand, so that nothing moves when the picture comes.
            height=round(bare.layout.height),
            on_select=on_click or "ignore",
            selection_mode=("points", "lasso") if lasso else "points",
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
        positive=named(positive),
        negative=named(negative),
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
