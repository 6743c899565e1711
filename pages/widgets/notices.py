"""What the reader must know that stopped nothing, and what may be chosen instead."""

import hashlib
import re
from collections.abc import Sequence

import streamlit as st

from evalcore.errors import ROWS_LISTED, Notice, Offer
from pages.escape import html, markdown
from pages.session import offers
from pages.widgets.headline import section

ROWS_NAMED = 10
OPEN_AT_MOST = 3


def warnings(found: Sequence[Notice]) -> None:
    """Show those that put the numbers in doubt, under a heading; nothing if there are none."""
    grave = [notice for notice in found if notice.severity == "warning"]
    if grave:
        section("To know before believing these numbers")
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
            if offered := [offer for offer in notice.offers if offers.changes(offer)]:
                _offers(notice, offered)


def _offers(notice: Notice, offered: Sequence[Offer]) -> None:
    """Show a button for each choice that a notice proposes."""
    told = hashlib.sha256(repr(notice).encode()).hexdigest()[:12]
    with st.container(horizontal=True, gap="small", key=f"offers-{told}"):
        for at, offer in enumerate(offered):
            label = markdown(offer.label)
            st.button(label, key=f"offer-{told}-{at}", on_click=offers.take, args=(offer,))


def _item(notice: Notice) -> str:
    where = _where(notice)
    small = f" <small>{html(where)}</small>" if where else ""
    return f'<li class="eb-{notice.severity}">{_quoted(notice.message)}{small}</li>'


def _quoted(message: str) -> str:
    """Return the message as HTML; what stands between backticks is set as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html(message))


def _where(notice: Notice) -> str:
    """Return column and rows, unless the message names them."""
    parts = []
    if notice.column is not None and notice.column not in notice.message:
        parts.append(f"column {notice.column}")
    if notice.rows and not re.search(rf"\brows? {notice.rows[0]:,}\b", notice.message):
        named = ", ".join(f"{row:,}" for row in notice.rows[:ROWS_NAMED])
        listed = "" if len(notice.rows) <= ROWS_NAMED else f" and {_more(len(notice.rows))}"
        parts.append(f"{'row' if len(notice.rows) == 1 else 'rows'} {named}{listed}")
    return "; ".join(parts)


def _more(rows: int) -> str:
    more = rows - ROWS_NAMED
    return f"at least {more:,} more" if rows >= ROWS_LISTED else f"{more:,} more"
