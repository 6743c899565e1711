"""What the reader must know that stopped nothing."""

from collections.abc import Sequence

import streamlit as st

from evalcore.errors import ROWS_LISTED, Notice
from pages.escape import html

ROWS_NAMED = 10
OPEN_AT_MOST = 3


def notices(found: Sequence[Notice]) -> None:
    """Show notices, warnings first; more than a few fold away."""
    if not found:
        return
    ordered = sorted(found, key=lambda notice: notice.severity != "warning")
    st.html(_list(ordered[:OPEN_AT_MOST]))
    folded = ordered[OPEN_AT_MOST:]
    if folded:
        with st.expander(f"{len(folded)} more"):
            st.html(_list(folded))


def _list(found: Sequence[Notice]) -> str:
    return f'<ul class="eb-notices">{"".join(map(_item, found))}</ul>'


def _item(notice: Notice) -> str:
    where = _where(notice)
    small = f" <small>{html(where)}</small>" if where else ""
    return f'<li class="eb-{notice.severity}">{html(notice.message)}{small}</li>'


def _where(notice: Notice) -> str:
    """Return column and rows, unless the message names them."""
    parts = []
    if notice.column is not None and notice.column not in notice.message:
        parts.append(f"column {notice.column}")
    if notice.rows:
        named = ", ".join(f"{row:,}" for row in notice.rows[:ROWS_NAMED])
        listed = "" if len(notice.rows) <= ROWS_NAMED else f" and {_more(len(notice.rows))}"
        parts.append(f"{'row' if len(notice.rows) == 1 else 'rows'} {named}{listed}")
    return "; ".join(parts)


def _more(rows: int) -> str:
    more = rows - ROWS_NAMED
    return f"at least {more:,} more" if rows >= ROWS_LISTED else f"{more:,} more"
