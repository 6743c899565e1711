"""A question about the columns: its answers side by side, each with what it leads to."""

from collections.abc import Iterator, Mapping, Sequence

import streamlit as st

from evalcore.errors import EvalError, Offer
from evalcore.evaluation.preview import Number, Preview
from evalcore.intake.model import Dataset, Table, Task
from evalcore.intake.wording import counted
from pages.escape import html, shorten
from pages.session import offers
from pages.widgets.headline import section

LONGEST = 28
MOST_NUMBERS = 3


def show(table: Table, question: EvalError) -> None:
    """Show the question and, for each answer, its roles, first rows, number and a button."""
    section("One question", question.message)
    previews = offers.previews(table, question.offers)
    with st.grid(min(len(previews), 3), min_column_width=270):
        for at, (offer, found) in enumerate(zip(question.offers, previews, strict=True)):
            with st.container(border=True, key=f"card-answer-{at}"):
                st.html(_card(offer, found))
                st.button(
                    "Read it this way",
                    key=f"answer-{at}",
                    type="primary",
                    on_click=offers.take,
                    args=(offer,),
                    disabled=found is not None and found.dataset is None and not _asks(found),
                )


def _asks(found: Preview) -> bool:
    """Tell whether an answer only leads to the next question."""
    return found.problem is not None and found.problem.code == "ambiguous"


def _card(offer: Offer, found: Preview | None) -> str:
    title = f'<h3 class="eb-figure-title">{html(offer.label)}</h3>'
    if found is None:
        return title
    if found.dataset is None:
        why = found.problem.message if found.problem else ""
        return f'{title}<p class="eb-note">{html(why)}</p>'
    return title + _roles(found.dataset) + _rows(found) + _numbers(found)


def _roles(dataset: Dataset) -> str:
    models = counted(len(dataset.models), "model")
    facts = [models if dataset.models else counted(len(dataset.clusterings), "clustering")]
    if dataset.roles.task is Task.REGRESSION:
        facts.insert(0, "numbers")
    elif dataset.classes:
        named = ", ".join(shorten(name, LONGEST) for name in dataset.classes[:4])
        more = " …" if len(dataset.classes) > 4 else ""
        facts.insert(0, f"{len(dataset.classes)} classes: {named}{more}")
    return f'<p class="eb-note">{html(" · ".join(facts))}</p>'


def _rows(found: Preview) -> str:
    """Return the first rows, read that way, as a small table: the truth, then each model."""
    if not found.rows:
        return ""
    names = list(found.rows[0])[: MOST_NUMBERS + 1]
    head = "".join(f"<th>{html(shorten(name, LONGEST))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(_cells(names, row))}</tr>" for row in found.rows)
    return f'<table class="eb-first-rows"><tr>{head}</tr>{body}</table>'


def _cells(names: Sequence[str], row: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        yield f"<td>{html(shorten(row.get(name, ''), LONGEST))}</td>"


def _numbers(found: Preview) -> str:
    """Return the number that each model would get; the only one needs no name."""
    named = len(found.numbers) > 1
    shown = found.numbers[:MOST_NUMBERS]
    lines = "".join(f"<li>{_number(number, named=named)}</li>" for number in shown)
    below = "" if found.whole else '<p class="eb-note">On a sample of the rows.</p>'
    return f'<ul class="eb-outcome">{lines}</ul>{below}'


def _number(number: Number, *, named: bool) -> str:
    value = "undefined" if number.value != number.value else f"{number.value:.4g}"
    whose = f" of {html(shorten(number.model, LONGEST))}" if named else ""
    return f"{html(number.name)}{whose} <b>{value}</b>"
