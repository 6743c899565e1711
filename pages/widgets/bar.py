"""The line above every page: which data it shows and what was taken for granted."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.intake.assignment import Confidence
from evalcore.intake.model import Dataset, Task
from evalcore.intake.wording import counted
from pages.escape import html, markdown, shorten
from pages.session import current, opened
from pages.widgets import failure

NAME_LENGTH = 48
GUESS = Confidence.GUESS


def news() -> None:
    """Show what went wrong, and what is still being read."""
    if (problem := current.problem()) is not None:
        failure.show_refusal(problem)
    if (token := opened.opening()) is not None:
        names = " and ".join(shorten(name, NAME_LENGTH) for name in current.file_names(token))
        st.caption(f"{markdown(names)} is still being read; it is shown here once that is done.")


def show(*, change: bool = True) -> None:
    """Show the data looked at, and with `change` the way to what was assumed about them."""
    dataset = current.dataset()
    if dataset is not None:
        with _line():
            st.html(_summary(dataset), width="content")
            if change:
                st.page_link("data.py", label="Change", query_params=current.address())
            if current.can_undo():
                st.button("Undo", type="tertiary", on_click=current.undo)


def show_open(first_page: Callable[[Task], str]) -> None:
    """Show what is open already, with the ways back to it and to be rid of it."""
    table, token = current.state().table, current.view().data
    if table is not None:
        with _line():
            name = shorten(table.source.name, NAME_LENGTH)
            st.html(f'<p class="eb-bar"><span>Open now:</span> {_chip(name)}</p>', width="content")
            read = current.dataset()
            page = "data.py" if read is None else first_page(read.roles.task)
            st.page_link(page, label="Go on", query_params=current.address())
            st.button("Remove this data", type="tertiary", on_click=current.close, args=(token,))


def _line() -> DeltaGenerator:
    return st.container(key="bar", horizontal=True, vertical_alignment="center", gap="small")


def _summary(dataset: Dataset) -> str:
    source = dataset.table.source
    facts = [counted(source.rows, "row")]
    scored = () if dataset.fold_scores is None else dataset.fold_scores.models
    if models := len(dataset.models) or len(scored):
        facts.append(counted(models, "model"))
    if dataset.clusterings:
        facts.append(counted(len(dataset.clusterings), "clustering"))
    parts = [
        _chip(shorten(source.name, NAME_LENGTH), title=source.name),
        f"<span>{' · '.join(facts)}</span>",
    ]
    if dataset.roles.positive is not None:
        why = dataset.roles.positive_reason
        reason = why.text if why else ""
        parts.append("<span>· positive:</span>")
        parts.append(_chip(dataset.roles.positive, title=reason))
        parts.append(f'<span class="eb-reason">({html(reason)})</span>' if reason else "")
    if guessed := [c for c, why in dataset.roles.reasons.items() if why.confidence is GUESS]:
        more = "" if len(guessed) == 1 else f" and {len(guessed) - 1} more"
        chip = _chip(shorten(guessed[0], NAME_LENGTH), title=dataset.roles.reasons[guessed[0]].text)
        parts.append(f"<span>· a guess: the role of</span> {chip}<span>{more}</span>")
    return f'<p class="eb-bar">{" ".join(parts)}</p>'


def _chip(text: str, title: str = "") -> str:
    return f'<span class="eb-chip" title="{html(title)}">{html(text)}</span>'
