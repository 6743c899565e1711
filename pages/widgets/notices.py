"""What the reader must know that stopped nothing, and what may be chosen instead."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from evalcore.errors import ROWS_LISTED, EvalError, Notice, Offer
from evalcore.text import counted
from evalread.dataset import Dataset, Table, Task
from evalview.escape import html, markdown, prose
from evalview.text import abbreviate
from pages.session import explanations
from pages.widgets.guard import section, short, show_refusal

if TYPE_CHECKING:
    from evalread.previews import Number, Preview

LONGEST = 28
MOST_NUMBERS = 3


def show(table: Table, question: EvalError) -> None:
    """Show the question and, for each answer, its roles, first rows, number and a button.

    A column of which it is asked may also be left aside.
    """
    asked = question.code == "ambiguous"
    if asked:
        section("One question", question.message)
    else:
        show_refusal(question)
        section("What you can do")
    previews = explanations.previews(table, question.offers)
    with st.grid(min(len(previews), 3), min_column_width=270):
        for at, (offer, found) in enumerate(zip(question.offers, previews, strict=True)):
            with st.container(border=True, key=f"card-answer-{at}"):
                st.html(_card(offer, found))
                st.button(
                    _answer(offer),
                    key=f"answer-{at}",
                    type="primary",
                    on_click=explanations.take_offer,
                    args=(offer,),
                    disabled=found is not None and found.dataset is None and not _asks(found),
                )
                if asked and isinstance(offer.value, str) and offer.value in table.columns:
                    st.button(
                        "Ignore the column",
                        key=f"aside-{at}",
                        type="tertiary",
                        on_click=explanations.take_offer,
                        args=(Offer(offer.label, "ignore", offer.value),),
                    )


def _answer(offer: Offer) -> str:
    """Return what the button of an offer says, as Markdown."""
    if offer.choice != "truth" or not isinstance(offer.value, str):
        return "Use this reading"
    return f"Use “{markdown(abbreviate(offer.value, LONGEST))}” as the truth"


def _asks(found: Preview) -> bool:
    """Return whether an answer only leads to the next question."""
    return found.problem is not None and bool(found.problem.offers)


def _card(offer: Offer, found: Preview | None) -> str:
    title = f'<h2 class="eb-figure-title">{html(offer.label)}</h2>'
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
        named = ", ".join(abbreviate(name, LONGEST) for name in dataset.classes[:4])
        more = " …" if len(dataset.classes) > 4 else ""
        facts.insert(0, f"{len(dataset.classes)} classes: {named}{more}")
    return f'<p class="eb-note">{html(" · ".join(facts))}</p>'


def _rows(found: Preview) -> str:
    """Return the first rows, read that way, as a small table: the truth, then each model."""
    if not found.rows:
        return ""
    names = list(found.rows[0])[: MOST_NUMBERS + 1]
    head = "".join(f"<th>{html(abbreviate(name, LONGEST))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(_cells(names, row))}</tr>" for row in found.rows)
    return f'<table class="eb-first-rows"><tr>{head}</tr>{body}</table>'


def _cells(names: Sequence[str], row: Mapping[str, str]) -> Iterator[str]:
    for name in names:
        yield f"<td>{html(abbreviate(row.get(name, ''), LONGEST))}</td>"


def _numbers(found: Preview) -> str:
    """Return the number that each model would get; the only one needs no name."""
    named = len(found.numbers) > 1
    shown = found.numbers[:MOST_NUMBERS]
    lines = "".join(f"<li>{_number(number, named=named)}</li>" for number in shown)
    below = "" if found.whole else '<p class="eb-note">On a sample of the rows.</p>'
    return f'<ul class="eb-outcome">{lines}</ul>{below}'


def _number(number: Number, *, named: bool) -> str:
    value = "undefined" if number.value != number.value else f"{number.value:.4g}"
    whose = f" of {html(abbreviate(number.model, LONGEST))}" if named else ""
    return f"{html(number.name)}{whose} <b>{value}</b>"


ROWS_NAMED = 10
"""Rows named in a message: enough to find the pattern."""
OPEN_AT_MOST = 3


CHECK = "Check before trusting these numbers"


def folded(found: Sequence[Notice]) -> None:
    """Show the gravest in a sentence, and all below it once that is opened."""
    ordered = sorted(found, key=lambda notice: notice.severity != "warning")
    grave = [notice for notice in ordered if notice.severity == "warning"]
    if grave:
        more = "" if len(grave) == 1 else f" ({len(grave) - 1} more below)"
        first = re.split(r"(?<=[.]) (?=[A-Z])", grave[0].message, maxsplit=1)[0].rstrip(".")
        st.html(f'<p class="eb-doubt">{_quoted(first)}{more}.</p>')
    if ordered:
        with st.expander(CHECK if grave else "Also worth knowing", key="doubts"):
            _show(ordered)


def warnings(found: Sequence[Notice]) -> None:
    """Show those that put the numbers in doubt, under a heading; nothing if there are none."""
    grave = [notice for notice in found if notice.severity == "warning"]
    if grave:
        section(CHECK)
        notices(grave)


def remarks(found: Sequence[Notice]) -> None:
    """Show all others, under a quiet heading; nothing if there are none."""
    others = [notice for notice in found if notice.severity != "warning"]
    if others:
        st.html('<h2 class="eb-section eb-quiet">Also worth knowing</h2>')
        notices(others)


def notices(found: Sequence[Notice]) -> None:
    """Show notices, warnings first; more than a few fold away."""
    if not found:
        return
    ordered = sorted(found, key=lambda notice: notice.severity != "warning")
    _show(ordered[:OPEN_AT_MOST])
    folded = ordered[OPEN_AT_MOST:]
    if folded:
        with st.expander(f"{len(folded)} more"):
            _show(folded)


def _show(found: Sequence[Notice]) -> None:
    with st.container(gap="xsmall"):
        for notice in found:
            st.html(f'<ul class="eb-notices">{_item(notice)}</ul>')
            if offered := [offer for offer in notice.offers if explanations.changes(offer)]:
                _offers(notice, offered)


def _offers(notice: Notice, offered: Sequence[Offer]) -> None:
    """Show a button for each choice that a notice proposes."""
    told = hashlib.sha256(repr(notice).encode()).hexdigest()[:12]
    with st.container(horizontal=True, gap="small", key=f"offers-{told}"):
        for at, offer in enumerate(offered):
            label = markdown(offer.label)
            st.button(
                label, key=f"offer-{told}-{at}", on_click=explanations.take_offer, args=(offer,)
            )


def _item(notice: Notice) -> str:
    where = _where(notice)
    small = f" <small>{html(where)}</small>" if where else ""
    return f'<li class="eb-{notice.severity}">{_quoted(notice.message)}{small}</li>'


def _quoted(message: str) -> str:
    """Return the message as HTML; what stands between backticks is set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", prose(short(message)))


def _where(notice: Notice) -> str:
    """Return column and rows, unless the message names them."""
    parts = []
    if notice.column is not None and notice.column not in notice.message:
        parts.append(f"column {notice.column}")
    if notice.rows and not re.search(rf"\b[Rr]ows? {notice.rows[0]:,}\b", notice.message):
        named = ", ".join(f"{row:,}" for row in notice.rows[:ROWS_NAMED])
        listed = "" if len(notice.rows) <= ROWS_NAMED else f" and {_more(len(notice.rows))}"
        parts.append(f"{'row' if len(notice.rows) == 1 else 'rows'} {named}{listed}")
    return "; ".join(parts)


def _more(rows: int) -> str:
    more = rows - ROWS_NAMED
    return f"at least {more:,} more" if rows >= ROWS_LISTED else f"{more:,} more"
